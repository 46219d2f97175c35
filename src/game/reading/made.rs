//! Which moves stand on the board, and what follows from a move that was made.
use crate::placement::Image;
use crate::press::Completion;
use crate::reading::view::Reading;
use crate::recogniser::completion;
use crate::recogniser::play::Play;
use crate::recognition::search;
use crate::recognition::step::Step;
use crate::referee::facts::Fact;
use crate::timers::Timer;
use alloc::vec::Vec;
use flagfall_events::How;
use flagfall_laws::Edition;

/// Without a clock: how long a move stands that could not go on, and one that could.
const STANDS_MS: u64 = 3_000;
const COULD_GO_ON_MS: u64 = 3_500;
/// A line that costs more than this has to stand that long before it is believed without a press.
const ODD: u32 = 60;
const ODD_STANDS_MS: u64 = 1_500;
/// What a line may cost that is found only when all is quiet.
const ODD_AFTER_ALL: u32 = 100;

/// What was made costs more than this where a piece came down that it does not explain, and two plies more may cost so much more.
const RETAKEN: u32 = 40;
const ORDERLY: u32 = 75;
/// Lines of two plies more that are weighed at most, and how long they are.
const MOST_LINES: usize = 64;
const MOST_PLIES: usize = 3;

/// What was made and two plies more, each seen to move, where pieces that came down meanwhile are explained by nothing else.
fn retaken(play: &Play, image: &Image, scan_ms: u64) -> Option<Vec<Step>> {
    let as_is = play.cost_as_is(image, scan_ms).total;
    let plies = play.line().len() + 2;
    if as_is <= RETAKEN || plies > MOST_PLIES {
        return None;
    }
    let goes_on = |line: &Vec<Step>| play.line().iter().zip(line).all(|(a, b)| a.mv == b.mv);
    let lines = search::exactly(play.ground(), &mut play.view(image), plies).into_iter().take(MOST_LINES).filter(goes_on);
    let cost = |line: &Vec<Step>| play.cost_of(line, image, scan_ms).total;
    lines.min_by_key(cost).filter(|line| cost(line) <= as_is + ORDERLY)
}

impl Reading<'_> {
    /// Looks what stands on the board now, and announces it unless it may still go on.
    pub(crate) fn look(&mut self) {
        if self.is_blind() {
            self.weigh_hypotheses();
            return;
        }
        self.set(Timer::Made, None);
        if self.is_unreadable() || self.is_being_put_up() || self.recovery.is_catching_up() {
            return;
        }
        if self.is_brought_back() {
            self.put_right_by_hand();
            return;
        }
        if self.look_at_what_is_believed() {
            return;
        }
        // While a press is judged, the press decides what stands.
        let Some(play) = self.own.play.as_ref().filter(|p| !p.over && p.presses.is_empty()) else { return };
        let Some(line) = play.standing_line(&self.watcher.image, self.watcher.scan_ms) else {
            if let Some(answered) = play.answered_line(&self.watcher.image, self.watcher.scan_ms) {
                self.make(&answered.line);
            } else if self.goes_on_exactly().is_some() {
                self.set(Timer::Made, Some(self.watcher.image.last_change().max(self.now) + ODD_STANDS_MS));
            }
            return;
        };
        if play.is_line(&line) {
            return;
        }
        let known = play.line().len();
        let taken_back = line.len() < known && play.begins_with(&line);
        let jump = line.len() > known + 1 || (line.len() > 1 && !line.iter().zip(play.line()).all(|(a, b)| a.mv == b.mv));
        let goes_on = !line.is_empty() && play.may_go_on(&line, line.len() - 1, &self.watcher.image);
        if taken_back || (!jump && !goes_on) {
            self.make(&line);
            return;
        }
        let cost = play.cost_of(&line, &self.watcher.image, self.watcher.scan_ms).total;
        if jump
            && let Some(answered) =
                play.answered_line(&self.watcher.image, self.watcher.scan_ms).filter(|answered| answered.cost.total < cost)
        {
            self.make(&answered.line);
            return;
        }
        let odd = jump && (cost > ODD || (!self.clocks.in_use() && play.has_unseen(&line, &self.watcher.image)));
        let wait = if odd { ODD_STANDS_MS } else { self.watcher.scan_ms };
        self.set(Timer::Made, Some(self.watcher.image.last_change().max(self.now) + wait));
    }

    /// The board is quiet and no short line leads to it: several plies may have gone by unread.
    pub(crate) fn find_the_thread(&mut self) {
        if self.is_unreadable() || self.is_blind() || self.recovery.is_catching_up() || self.is_followed() {
            return;
        }
        let Some(play) = self.own.play.as_ref().filter(|p| !p.over && p.presses.is_empty()) else { return };
        if play.exact_line(&self.watcher.image, self.watcher.scan_ms).is_some() {
            return;
        }
        if play.cost_as_is(&self.watcher.image, self.watcher.scan_ms).wrong != 0 {
            self.watcher.doubt = Some(self.watcher.doubt.unwrap_or_else(|| self.watcher.image.last_change()));
            self.ask_for_dump();
        }
        let Some(play) = self.own.play.as_ref() else { return };
        if let Some(line) = play.recovered_line(&self.watcher.image, self.watcher.scan_ms) {
            // A captured piece put aside for a moment may look like several plies.
            let stands = self.watcher.image.last_change() + ODD_STANDS_MS;
            if !self.clocks.in_use() && self.now < stands && play.has_unseen(&line, &self.watcher.image) {
                self.set(Timer::Made, Some(stands));
            } else if play.cost_of(&line, &self.watcher.image, self.watcher.scan_ms).total <= ODD_AFTER_ALL {
                self.make(&line);
            }
        }
    }

    pub(crate) fn made_for_sure(&mut self) {
        if self.is_blind() {
            self.weigh_hypotheses();
            return;
        }
        if self.follows().is_some() {
            self.look();
            return;
        }
        let catching_up = self.recovery.is_catching_up();
        let Some(play) = self.own.play.as_ref().filter(|p| !p.over && !catching_up) else { return };
        if let Some(line) = play.standing_line(&self.watcher.image, self.watcher.scan_ms).filter(|line| !play.is_line(line)) {
            self.make(&line);
        } else if let Some(line) = self.goes_on_exactly().filter(|_| self.now >= self.watcher.image.last_change() + ODD_STANDS_MS) {
            self.make(&line);
        } else if !self.clocks.in_use() {
            self.find_the_thread();
        }
    }

    /// Without a clock: what was made and one ply more, which the board shows exactly, although something that is under way explains it better.
    fn goes_on_exactly(&self) -> Option<Vec<Step>> {
        let play = self.own.play.as_ref().filter(|p| !p.over && !self.clocks.in_use() && !p.line().is_empty())?;
        let line = play.exact_line(&self.watcher.image, self.watcher.scan_ms)?;
        (line.len() == play.line().len() + 1 && play.line().iter().zip(&line).all(|(a, b)| a.mv == b.mv)).then_some(line)
    }

    pub(crate) fn make(&mut self, line: &[Step]) {
        let base = self.own.play.as_ref().map_or(0, Play::base);
        if !self.may_have(base + line.len()) {
            return;
        }
        let mut said = Vec::new();
        if let Some(play) = self.own.play.as_mut() {
            play.announce(line, &mut |b| said.push(b));
        }
        self.say_all(said);
        self.after_made();
    }

    /// What follows from a move that was made: it completes earlier ones (6.2.1.2), or ends the game (6.2.1.1).
    pub(crate) fn after_made(&mut self) {
        if self.is_blind() {
            return;
        }
        let in_use = self.clocks.in_use();
        let next_completes = Edition::of(self.settings.rules).next_move_completes;
        let (mut said, mut unpressed, mut served) = (Vec::new(), Vec::new(), Vec::new());
        let doubted = self.first_doubted().min(self.first_pressed());
        let Some(play) = self.own.play.as_mut().filter(|p| !p.over) else { return };
        let total = play.record.plies().len();
        if !in_use {
            let upto = total.saturating_sub(1).min(doubted);
            for index in play.base()..upto {
                play.complete(index, Completion::bare(How::NextMove), &mut |b| said.push(b));
            }
            play.freeze(upto.saturating_sub(play.base()), &mut self.watcher.image);
        } else if total > 2 {
            let mut certain = 0;
            for index in 0..(total - 2).min(doubted) {
                if next_completes {
                    if !play.record.plies()[index].completed {
                        unpressed.push(index);
                    }
                    play.complete(index, Completion::bare(How::NextMove), &mut |b| said.push(b));
                }
                certain = (index + 1).saturating_sub(play.base());
            }
            play.freeze(certain, &mut self.watcher.image);
        }
        if !play.unanswered.is_empty() && !play.line().is_empty() {
            served = completion::complete_unanswered(play, total, &mut |b| said.push(b));
            let plies = served.last().map_or(0, |(index, _)| (index + 1).saturating_sub(play.base()));
            play.freeze(plies, &mut self.watcher.image);
        }
        self.say_all(said);
        self.tell(Fact::Unpressed(&unpressed));
        for (ply, press) in &served {
            self.tell(Fact::FoundLate { ply: *ply, press });
        }
        self.wait_for_the_last();
    }

    /// The last move made may end the game, or be completed by standing long enough where there is no clock.
    pub(crate) fn wait_for_the_last(&mut self) {
        self.set(Timer::Complete, None);
        self.set(Timer::End, None);
        let Some(play) = self.own.play.as_ref().filter(|p| !p.over) else { return };
        let Some(last) = play.record.plies().last() else { return };
        let open = !last.completed && !play.line().is_empty();
        let goes_on = open && self.may_still_change(play);
        if let Some(end) = play.end() {
            if goes_on {
                let look = self.next_look(self.watcher.image.last_change());
                let at = if play.follows.is_some() { look } else { self.now + COULD_GO_ON_MS };
                self.set(Timer::End, Some(at));
            } else {
                self.finish(end);
            }
        } else if open && !self.clocks.in_use() {
            let stood = play.line().last().map_or(0, |s| Play::age_of(s, &self.watcher.image, self.now));
            let wanted = if goes_on { COULD_GO_ON_MS } else { STANDS_MS };
            self.set(Timer::Complete, Some(self.now + wanted.saturating_sub(stood).max(1)));
        }
        self.tell(Fact::Position);
    }

    /// The first ply that may still be another one.
    fn first_doubted(&self) -> usize {
        let Some(play) = self.own.play.as_ref() else { return usize::MAX };
        (play.base()..play.record.plies().len()).find(|&index| !self.is_believed(index)).unwrap_or(usize::MAX)
    }

    /// The first ply whose press waits to be judged: no next move completes it.
    fn first_pressed(&self) -> usize {
        let Some(play) = self.own.play.as_ref().filter(|play| play.follows.is_some()) else { return usize::MAX };
        play.presses.iter().filter_map(|press| play.waiting(press.by).first().copied()).min().unwrap_or(usize::MAX)
    }

    /// Whether the piece that moved last may still be on its way.
    fn may_still_change(&self, play: &Play) -> bool {
        let last = play.line().len() - 1;
        play.may_go_on(play.line(), last, &self.watcher.image) && (play.follows.is_none() || !self.is_believed(play.base() + last))
    }

    pub(crate) fn stood_long_enough(&mut self) {
        self.follow();
        let stood = self.is_explained_by_the_estimate() && self.now >= self.watcher.image.last_change() + COULD_GO_ON_MS;
        if self.first_doubted() != usize::MAX && !stood {
            self.set(Timer::Complete, Some(self.next_look(self.watcher.image.last_change())));
            return;
        }
        // What stands whole for so long is believed after all.
        if stood {
            let play = self.own.play.as_ref().filter(|play| play.said && !play.over);
            let line = play.and_then(|play| play.believed_line(play.follows.as_ref()?.plies(), false).filter(|line| !play.is_line(line)));
            if let Some(line) = line {
                self.make(&line);
            }
        }
        let placement = *self.watcher.image.placement();
        let mut said = Vec::new();
        // What is analysed is completed by nothing.
        let Some(play) = self.own.play.as_mut().filter(|p| p.said && !p.over) else { return };
        let Some(step) = play.line().last() else { return };
        let last = play.line().len() - 1;
        // A rook that came first waits for its king.
        let castling =
            play.follows.is_none() && placement.diff(play.expected()) != 0 && play.may_go_on(play.line(), last, &self.watcher.image);
        if castling || step.after().any(|(square, piece)| placement.0[square] != piece) {
            self.set(Timer::Complete, Some(self.now + STANDS_MS));
            return;
        }
        // Pieces taken on one square at once, one of which was never seen there, look like pieces in the air.
        if placement != *play.expected()
            && play.follows.is_none()
            && let Some(line) = retaken(play, &self.watcher.image, self.watcher.scan_ms)
        {
            self.make(&line);
            self.be_unsure(true);
            return;
        }
        let last = play.record.plies().len() - 1;
        for index in play.base()..last {
            play.complete(index, Completion::bare(How::NextMove), &mut |b| said.push(b));
        }
        play.complete(last, Completion::bare(How::Settled), &mut |b| said.push(b));
        play.freeze(play.line().len(), &mut self.watcher.image);
        self.say_all(said);
        self.be_unsure(false);
    }
}

//! What the estimate of the game says: which moves stand, and which of them a press has completed.
use crate::placement::{bit, each};
use crate::press::Press;
use crate::reading::disorder::LOOK_AGAIN_MS;
use crate::reading::view::Reading;
use crate::recogniser::follows::{BEYOND, Follows};
use crate::recogniser::judgement::Judgement;
use crate::recogniser::kings;
use crate::recognition::step::Step;
use crate::recovery::FAR;
use crate::timers::Timer;
use alloc::vec::Vec;
use dgt_protocol::square::PieceCode;
use flagfall_events::{Colour, LinkState, Mono};
use flagfall_hands::price::HABIT;
use flagfall_laws::Edition;

/// Where time decides it is looked at so often, for so long after what happened last; and later.
const LOOK_MS: u64 = 50;
const SOON_MS: u64 = 800;
const LATER_MS: u64 = 250;
/// What stands whole for so long is made.
const SHOWS_MS: u64 = 600;
/// So long, while nothing changes.
const LOOKS_MS: u64 = 5_000;
/// Or so long, unchanged, beside a move that was pressed.
const BESIDE_MS: u64 = 1_500;
/// Plies that stand on one that nothing tells any more.
pub(super) const BURIED: usize = 3;
/// A press that is not decided by then is completed with what is likeliest.
pub(super) const ASSUMED_MS: u64 = 10_000;
/// So long a press is left to the estimate, where legal play may explain what stands.
const HOLD_MS: u64 = 2_500;

impl Reading<'_> {
    /// Brings the estimate up to this moment.
    pub(crate) fn follow(&mut self) {
        if self.is_blind() {
            self.follow_blindly();
            return;
        }
        // Of a board that was never read nothing is believed.
        let may = self.watcher.wire.is_some() && !self.recovery.is_catching_up() && !self.is_being_put_up();
        let is_down = self.watcher.link == Some(LinkState::Down);
        let Some(play) = self.own.play.as_mut() else { return };
        if play.over || !may {
            let last = play.follows.take().filter(|_| play.over);
            play.followed = last.or_else(|| play.followed.take());
            return;
        }
        // While nobody listens nothing is sensed.
        if is_down && play.follows.is_some() {
            return;
        }
        let sides = (self.clocks.side(Colour::White), self.clocks.turned());
        play.estimate(sides, self.watcher.pace.is_slow(), &self.watcher.image, self.clocks.waited(self.now), self.now);
        self.sides_as_believed();
        let image = &self.watcher.image;
        if let Some(play) = self.own.play.as_mut().filter(|play| play.expected() == image.placement())
            && self.now >= image.last_change() + SHOWS_MS
        {
            play.stood = play.record.plies().len();
        }
    }

    /// A player pressed.
    pub(crate) fn press_is_followed(&mut self, press: &Press) {
        self.follow();
        let waited = self.clocks.waited(self.now);
        if let Some(follows) = self.own.play.as_mut().and_then(|play| play.follows.as_mut()) {
            follows.press(*press, waited, self.now);
        }
    }

    pub(crate) fn follows(&self) -> Option<&Follows> {
        self.own.play.as_ref()?.follows.as_ref()
    }

    /// Whether the estimate knows what stands but for hands at work.
    pub(crate) fn is_followed(&self) -> bool {
        let quiet = self.now >= self.watcher.image.last_change() + HOLD_MS;
        self.follows().is_some_and(|follows| !quiet || follows.belief().wrong == 0)
    }

    /// Whether all squares read as the estimate has them.
    pub(crate) fn is_explained_by_the_estimate(&self) -> bool {
        self.follows().is_some_and(|follows| follows.belief().wrong == 0)
    }

    /// Whether the ply with this index may be completed without a press.
    pub(crate) fn is_believed(&self, index: usize) -> bool {
        let ply = self.own.play.as_ref().and_then(|play| play.record.plies().get(index));
        // What so many plies stand on is told by nothing that comes later.
        let plies = self.own.play.as_ref().map_or(0, |play| play.record.plies().len());
        let enough = |follows: &Follows| follows.is_certain(index) || (index + BURIED < plies && follows.is_made(index));
        self.follows()
            .zip(ply)
            .is_none_or(|(follows, ply)| index < follows.base() || (follows.ply(index) == Some(&ply.mv) && enough(follows)))
    }

    /// The first ply that something else may be as well, though every square has been read again and reads as it should.
    pub(crate) fn first_open(&self) -> usize {
        let Some((play, follows)) = self.own.play.as_ref().zip(self.follows()) else { return usize::MAX };
        let scanned = follows.belief().wrong == 0 && self.now > self.watcher.image.last_change() + self.watcher.scan_ms;
        let plies = play.base()..play.record.plies().len();
        plies.into_iter().find(|&index| !(self.is_believed(index) || scanned && follows.is_likely(index))).unwrap_or(usize::MAX)
    }

    /// Announces what stands. `false`: there is no estimate.
    pub(crate) fn look_at_what_is_believed(&mut self) -> bool {
        self.follow();
        self.set(Timer::Made, None);
        if self.take_back_what_was_put_back() || self.correct_what_is_believed() {
            return true;
        }
        let Some((play, follows)) = self.own.play.as_ref().and_then(|play| Some((play, play.follows.as_ref()?))) else { return false };
        if play.first_disbelieved().is_some() {
            self.look_again();
            return true;
        }
        // What a press comes to beside a piece that stands wrong is judged without it.
        if !play.presses.is_empty() && self.strays() {
            return true;
        }
        let whole = self.stands_whole();
        let made = (play.base()..follows.plies())
            .find(|&index| (!whole && !follows.is_made(index)) || self.pawn_waits(index))
            .unwrap_or_else(|| follows.plies());
        let Some(line) = play.believed_line(made) else { return false };
        let more = play.base() + line.len() < follows.plies() || follows.belief().wrong != 0;
        let open = play.record.plies().iter().rev().take(16).filter(|ply| !ply.completed).count() > 1;
        // A press was read late, and waits for a ply that something else may be as well.
        let late = !play.unanswered.is_empty();
        let image = &self.watcher.image;
        // A move that stands is not taken back for what may be under way, nor one whose piece is not where it came from.
        let stands = |step: &Step| {
            image.placement().0[step.from()] == PieceCode::Empty || step.after().all(|(square, piece)| image.placement().0[square] == piece)
        };
        let withdraws = line.len() < play.line().len() && play.begins_with(&line);
        // Nor is one told while its piece may go on and a scan has not passed.
        let is_new = line.len() > play.line().len();
        let goes_on = || {
            line.last().is_some_and(|last| self.now < image.last_change_of(last.touched) + self.watcher.scan_ms)
                && play.may_go_on(&line, line.len() - 1, image)
        };
        // Where most pieces are elsewhere they are put away or set up: that tells no move, and takes none back.
        let put_away = (is_new && follows.belief().wrong.count_ones() > FAR)
            || (withdraws && image.placement().diff(play.expected()).count_ones() > FAR);
        if (withdraws && play.line()[line.len()..].iter().all(stands)) || (is_new && goes_on()) || put_away {
            self.look_again();
            return true;
        }
        if !play.is_line(&line) {
            self.make(&line);
        } else if open || late {
            self.after_made();
        }
        if more || open || late {
            self.look_again();
        }
        true
    }

    /// Nothing has changed for a while, and every square reads as it should: what stands is made, though hands may go on.
    pub(crate) fn stands_whole(&self) -> bool {
        self.is_explained_by_the_estimate() && self.now >= self.watcher.image.last_change() + SHOWS_MS
    }

    /// The game is over by what somebody says: what stands on the board was played.
    pub(crate) fn tell_what_stands(&mut self) {
        self.follow();
        let play = self.own.play.as_ref().filter(|play| play.said && !play.over && self.is_explained_by_the_estimate());
        let line = play.and_then(|play| play.believed_line(play.follows.as_ref()?.plies()).filter(|line| !play.is_line(line)));
        if let Some(line) = line {
            self.make(&line);
        }
    }

    /// A result was entered: nobody has a piece in the hand any more.
    pub(crate) fn tell_how_it_ended(&mut self) {
        self.follow();
        let still = self.now > self.watcher.image.last_change() + self.watcher.scan_ms;
        if let Some(follows) = self.own.play.as_mut().and_then(|play| play.follows.as_mut()).filter(|_| still) {
            follows.rests();
            self.correct_to_what_is_likeliest();
        }
        self.tell_what_stands();
        self.tell_what_stood_before_the_kings();
    }

    /// Both kings were put in the centre, and stand there or not for long enough: what stood before that was played.
    pub(crate) fn tell_what_stood_before_the_kings(&mut self) {
        self.follow();
        let image = &self.watcher.image;
        let Some(play) = self.own.play.as_mut().filter(|play| play.said && !play.over) else { return };
        let Some(follows) = play.follows.as_ref() else { return };
        let mut pictures = [false, true].into_iter().flat_map(|moved| kings::taken_back(image.placement(), play.expected(), moved));
        let before = pictures.find_map(|before| {
            let mut follows = follows.clone();
            follows.look(&image.renewed(before), false, self.now);
            follows.rests();
            (follows.belief().wrong == 0).then_some(follows)
        });
        let Some(before) = before else { return };
        let plies = before.plies();
        play.follows = Some(before);
        if let Some(line) = play.believed_line(plies).filter(|line| play.first_disbelieved().is_none() && !play.is_line(line)) {
            self.make(&line);
        }
    }

    /// The game ends, and nothing that comes can tell better to which plies the last presses belong: the likeliest were played.
    pub(crate) fn decide_what_waits(&mut self) {
        while let Some(press) = self.own.play.as_ref().and_then(|play| play.presses.front().copied()) {
            self.correct_to_what_is_likeliest();
            let Some((index, line)) = self.ply_of(&press).and_then(|index| Some((index, self.line_to(index)?))) else { return };
            if let Some(play) = self.own.play.as_mut() {
                play.guess(line.len());
                play.presses.pop_front();
            }
            self.complete_line(&line, &press);
            let assumed = self.own.play.as_ref().is_some_and(|play| play.assumed.contains(&index));
            self.be_unsure(assumed);
        }
    }

    /// Pieces were put back where they stood before moves that nobody has pressed: these were none.
    fn take_back_what_was_put_back(&mut self) -> bool {
        let Some(play) = self.own.play.as_ref().filter(|play| play.presses.is_empty()) else { return false };
        let sensed = self.watcher.image.placement();
        let Some(kept) = (0..play.line().len()).find(|&kept| play.grounds()[kept].placement == *sensed) else { return false };
        let pressed = play.record.plies()[play.base() + kept..].iter().any(|ply| ply.completed);
        let agrees = play.follows.as_ref().is_none_or(|follows| follows.plies() == play.base() + kept);
        // Where nobody presses, moves that lead back are a repetition.
        let repeats = !self.clocks.in_use() && self.is_explained_by_the_estimate();
        if pressed || agrees || repeats {
            return false;
        }
        let line = play.line()[..kept].to_vec();
        self.make(&line);
        if let Some(play) = self.own.play.as_mut() {
            play.follows = None;
        }
        self.follow();
        true
    }

    /// When time may have told more of what happened then.
    pub(crate) fn next_look(&self, happened: Mono) -> Mono {
        self.now + if self.now < happened + SOON_MS { LOOK_MS } else { LATER_MS }
    }

    /// Time may tell.
    fn look_again(&mut self) {
        let unanswered = self.own.play.as_ref().and_then(|play| play.unanswered.last());
        let looks = self.watcher.image.last_change() + LOOKS_MS;
        let looks = unanswered.map_or(looks, |press| looks.max(press.at + ASSUMED_MS + LATER_MS));
        if self.now < looks && self.timer(Timer::Made).is_none() {
            self.set(Timer::Made, Some(self.next_look(self.watcher.image.last_change())));
        }
    }

    /// The ply, by its index, that a press comes to as the estimate has it. `None`: it knows no legal move of it, or the record is another one.
    fn ply_of(&self, press: &Press) -> Option<usize> {
        let play = self.own.play.as_ref()?;
        let follows = play.follows.as_ref().filter(|_| play.first_disbelieved().is_none())?;
        let index = play.record.plies().iter().position(|ply| !ply.completed).unwrap_or_else(|| play.record.plies().len());
        let turn = if index < play.record.plies().len() { play.record.plies()[index].by } else { play.top().turn() };
        let first = if turn == press.by { index } else { index + 1 };
        // Where no next move completes another one, a press completes all that wait.
        let later = (first..follows.plies()).step_by(2).skip(1).take_while(|&later| follows.was_made(later, press.at)).last();
        let index = later.filter(|_| !Edition::of(self.settings.rules).next_move_completes).unwrap_or(first);
        let comes_to = follows.is_pressed(index) || follows.was_made(index, press.at);
        (comes_to && !self.pawn_waits(index) && follows.ply(index).is_some()).then_some(index)
    }

    /// The plies behind the certain ones up to the one with this index, as they are believed.
    fn line_to(&self, index: usize) -> Option<Vec<Step>> {
        let play = self.own.play.as_ref()?;
        play.believed_line(index + 1).filter(|line| play.base() + line.len() == index + 1)
    }

    /// What a press comes to as the estimate has it. `None`: it knows no legal move of it.
    pub(crate) fn believed_of(&self, press: &Press) -> Option<Judgement> {
        let play = self.own.play.as_ref()?;
        let follows = play.follows.as_ref()?;
        // The record is put right first.
        if play.first_disbelieved().is_some() {
            return (self.now < press.at + ASSUMED_MS).then(|| Judgement::Wait(self.next_look(press.at).min(press.at + ASSUMED_MS)));
        }
        let index = self.ply_of(press)?;
        // Nothing is wrong on the board, every square has been read again, and of what stands no more than the answer is not pressed.
        let whole = follows.belief().wrong == 0 && follows.plies() <= index + 2;
        let scanned = whole && self.now > press.at.max(self.watcher.image.last_change()) + self.watcher.scan_ms;
        if (play.base()..=index).all(|index| follows.is_certain(index) || (scanned && follows.is_likely(index))) {
            return self.line_to(index).map(Judgement::Completes);
        }
        if self.now >= press.at + ASSUMED_MS || play.presses.len() > BURIED {
            return self.line_to(index).map(Judgement::Assumed);
        }
        Some(Judgement::Wait(self.next_look(press.at).min(press.at + ASSUMED_MS)))
    }

    /// Whether legal play that is no dearer than a habit explains everything that stands, and every press.
    pub(crate) fn may_be_legal(&self) -> bool {
        self.follows().is_some_and(|follows| follows.belief().explained < HABIT)
    }

    /// Whether a pawn still stands where this ply makes it another piece.
    fn pawn_waits(&self, index: usize) -> bool {
        let Some(mv) = self.follows().and_then(|follows| follows.ply(index)).filter(|mv| mv.is_promotion()) else { return false };
        let reads = self.watcher.image.placement().0[mv.to().to_usize()];
        matches!(reads, PieceCode::WhitePawn | PieceCode::BlackPawn)
    }

    /// Whether a piece has come in this turn to where the estimate has none, or another one.
    pub(crate) fn strays(&self) -> bool {
        let image = &self.watcher.image;
        let Some(play) = self.own.play.as_ref() else { return false };
        let turn = play.record.plies().iter().rev().filter_map(|ply| ply.pressed_at).nth(1).unwrap_or(Mono::ZERO);
        let stray = |square: usize| image.placement().0[square] != PieceCode::Empty && image.last_change_of(bit(square)) > turn;
        play.follows.as_ref().is_some_and(|follows| each(follows.belief().astray).any(stray))
    }

    /// A piece stands wrong beside the move that was pressed: it is looked at again.
    pub(crate) fn watch_beside(&mut self, beside: bool) {
        if let Some(play) = self.own.play.as_mut() {
            play.beside = beside;
        }
        // What is waited for already may be far off.
        let soon = self.now + LOOK_AGAIN_MS;
        if beside && self.timer(Timer::Disorder).is_none_or(|set| set > soon) {
            self.set(Timer::Disorder, Some(soon));
        }
    }

    /// The same, if one does.
    pub(crate) fn watch_strays(&mut self) {
        if self.strays() {
            self.watch_beside(true);
        }
    }

    pub(crate) fn waits_beside(&self) -> bool {
        self.own.play.as_ref().is_some_and(|play| play.beside)
    }

    /// 7.4.1: it has stood so for longer than hands at work leave it. `true`: it is waited for.
    pub(crate) fn look_beside(&mut self) -> bool {
        if !self.waits_beside() {
            return false;
        }
        let image = &self.watcher.image;
        let wrong = self.follows().map_or(0, |follows| follows.belief().astray);
        let stands = each(wrong).filter(|&square| image.placement().0[square] != PieceCode::Empty).fold(0, |set, square| set | bit(square));
        if stands == 0 {
            self.watch_beside(false);
            return false;
        }
        let stood = self.now >= image.last_change_of(stands) + BESIDE_MS;
        if ((stood && !self.may_be_legal()) || self.is_beyond_honest_play())
            && self.own.play.as_ref().is_some_and(|play| play.presses.is_empty())
        {
            self.watch_beside(false);
            self.disturbed();
        } else {
            self.set(Timer::Disorder, Some(self.now + LOOK_AGAIN_MS));
        }
        true
    }

    /// Whether pieces stand elsewhere longer than they ever do in honest play: one time in ten thousand.
    pub(crate) fn is_beyond_honest_play(&self) -> bool {
        !self.may_be_legal() && self.follows().is_none_or(|follows| follows.belief().odd >= BEYOND)
    }
}

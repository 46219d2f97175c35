//! Boards that tell only occupied from empty: what is believed for certain becomes the record; what nothing will tell is assumed, and said to be.
use crate::press::{Completion, Press};
use crate::reading::doubted::Table;
use crate::reading::view::Reading;
use crate::recogniser::doubted::{Lines, Link};
use crate::referee::facts::Fact;
use crate::timers::Timer;
use alloc::vec::Vec;
use flagfall_events::{Body, Colour, How};
use flagfall_laws::Edition;

/// Without a clock: how long the last move stands before it counts.
const STANDS_MS: u64 = 3_000;
/// A move that ends the game, which stood for this long.
const ENDED_MS: u64 = 3_500;
/// Nobody's hand is over the board so long after the clocks were stopped.
const OVER_MS: u64 = 1_000;
/// The same where there is no clock.
const UNCLOCKED_MS: u64 = 5_000;
/// Time tells something so long after what happened last.
const LOOKS_MS: u64 = 5_000;
/// Plies that are certain, but not completed, are held open at most.
const MOST_OPEN: usize = 24;

impl Reading<'_> {
    /// Whether the board does not know its pieces.
    pub(crate) fn is_blind(&self) -> bool {
        self.own.play.as_ref().is_some_and(|play| play.occupancy())
    }

    pub(crate) fn table(&self) -> Table {
        let stopped = self.own.play.as_ref().and_then(|p| p.stopped);
        let clock = self.clocks.in_use();
        let quiet = self.now.since(self.watcher.image.last_change());
        let over = stopped.map_or(!clock && quiet >= UNCLOCKED_MS, |at| quiet.min(self.now.since(at)) >= OVER_MS);
        let pressed = self.follows().and_then(|follows| follows.last_press()).map_or(u64::MAX, |at| self.now.since(at));
        Table { quiet, still: quiet.min(pressed) >= self.watcher.scan_ms, clock, over }
    }

    /// A press for the estimate.
    pub(crate) fn press_blindly(&mut self, mut press: Press) {
        self.follow();
        press.turn_to(self.clocks.side(Colour::White));
        let now = self.now;
        if let Some(follows) = self.own.play.as_mut().and_then(|play| play.follows.as_mut()) {
            follows.press_by(press, now);
        }
        self.weigh_hypotheses();
        self.watch_the_record();
    }

    /// Hands the picture to the estimate.
    pub(crate) fn follow_blindly(&mut self) {
        let (now, scan_ms) = (self.now, self.watcher.scan_ms);
        let stands_still = self.clocks.in_use() && self.clocks.running().is_none();
        let Some(play) = self.own.play.as_mut() else { return };
        if play.over {
            let last = play.follows.take();
            play.followed = last.or_else(|| play.followed.take());
            return;
        }
        play.stopped = if stands_still { play.stopped.or(Some(now)) } else { None };
        // With the clocks stopped nobody moves; the sensors may still be behind.
        let idle = play.stopped.is_some_and(|since| now.since(since) > scan_ms);
        if !idle || play.follows.is_none() {
            let sides = (self.clocks.side(Colour::White), self.clocks.turned());
            play.estimate(sides, self.watcher.pace.is_slow(), &self.watcher.image, false, now);
            self.sides_as_believed();
        }
    }

    /// Announces, completes and asks, as far as the estimate is certain.
    pub(crate) fn weigh_hypotheses(&mut self) {
        self.follow();
        self.set(Timer::Made, None);
        if self.own.play.as_ref().is_none_or(|play| play.over) {
            return;
        }
        self.correct_what_is_believed();
        self.wake_blindly();
        let table = self.table();
        let Some(Lines { links, certain, but_promotions, rivals }) = self.own.play.as_ref().and_then(|play| play.doubted()) else { return };
        if self.follows().is_some_and(|follows| follows.belief().half && follows.is_the_way_round()) {
            self.turn_round();
        }
        let settled = self.assume(&table, &links, certain, but_promotions);
        self.announce_links(&links, settled, table.still);
        self.complete_links(&links, settled);
        if self.watch_promotion(&links, certain, but_promotions) {
            self.weigh_hypotheses();
            return;
        }
        self.ask_if_unsure(&table, &links[settled..], rivals, but_promotions == links.len());
        self.end_blindly(&links, but_promotions.max(settled));
    }

    /// When to look again although nothing happens.
    fn wake_blindly(&mut self) {
        let table = self.table();
        let Some(play) = self.own.play.as_ref() else { return };
        let changed = self.watcher.image.last_change();
        let last = play.follows.as_ref().and_then(|follows| follows.last_press()).map_or(changed, |at| at.max(changed));
        let open = play.follows.as_ref().is_some_and(|follows| follows.plies() > play.base() || follows.belief().wrong != 0);
        let look = (open && self.now < last + LOOKS_MS).then(|| self.next_look(last));
        let stopped = play.stopped.map(|at| at.max(changed) + OVER_MS);
        let quiet = |ms: u64| (!table.clock).then(|| changed + ms);
        let later = [stopped, quiet(STANDS_MS), quiet(UNCLOCKED_MS), quiet(crate::recogniser::doubted::WAITS_MS), Some(changed + LOOKS_MS)];
        let later = later.into_iter().flatten().filter(|at| *at > self.now).min();
        let wake = [look, later, play.next_assumed(self.now)].into_iter().flatten().min();
        self.set(Timer::Made, wake);
    }

    /// The board stands the other way round than it was taken to.
    fn turn_round(&mut self) {
        self.watcher.turn_to(self.watcher.turn.opposite());
        if self.clocks.sides_open() && !self.clocks.was_pressed() {
            self.clocks.exchange();
        }
        let placement = *self.watcher.image.placement();
        if let Some(follows) = self.own.play.as_mut().and_then(|play| play.follows.as_mut()) {
            follows.turn_round(&placement);
        }
        self.say(Body::Placement { placement: placement.fen(), settled: false });
    }

    /// What is settled is made; what is likely too, once all is quiet.
    fn announce_links(&mut self, links: &[Link], settled: usize, quiet: bool) {
        let mut shown = if quiet { links.len() } else { settled };
        // A piece in the air may be a capture, or none yet.
        if !self.table().over && links.last().is_some_and(|l| l.unseen && l.press.is_none()) {
            shown = shown.min(links.len() - 1);
        }
        let base = self.own.play.as_ref().map_or(0, |play| play.base());
        if !self.may_have(base + shown) {
            return;
        }
        let Some(play) = self.own.play.as_mut() else { return };
        let line: Vec<_> = links[..shown].iter().map(|l| l.step).collect();
        let likely: Vec<_> = links.iter().map(|l| l.step).collect();
        // What was announced and is still likely stays.
        let stays = !quiet
            && play.line().len() > line.len()
            && play.line().iter().zip(&likely).all(|(a, b)| a.mv == b.mv)
            && play.line().len() <= likely.len();
        if stays || play.is_line(&line) {
            return;
        }
        let mut said = Vec::new();
        play.announce(&line, &mut |b| said.push(b));
        self.say_all(said);
    }

    fn complete_links(&mut self, links: &[Link], settled: usize) {
        let table = self.table();
        let next_completes = Edition::of(self.settings.rules).next_move_completes;
        let stood = table.quiet >= STANDS_MS;
        let Some(play) = self.own.play.as_mut() else { return };
        let (base, mut said) = (play.base(), Vec::new());
        let settled = play.line().iter().zip(&links[..settled]).take_while(|(step, link)| step.mv == link.step.mv).count();
        let (mut open, mut unpressed) = (None, Vec::new());
        for (i, link) in links[..settled].iter().enumerate() {
            let completion = match link.press {
                Some(press) => Some(Completion::pressed(&press)),
                None if table.clock => (next_completes && i + 2 < settled).then(|| Completion::bare(How::NextMove)),
                None if i + 1 < settled => Some(Completion::bare(How::NextMove)),
                None => (stood && !link.unseen).then(|| Completion::bare(How::Settled)),
            };
            match completion {
                Some(completion) => {
                    if table.clock && link.press.is_none() && !play.record.plies()[base + i].completed {
                        unpressed.push(base + i);
                    }
                    play.complete(base + i, completion, &mut |b| said.push(b));
                }
                None => open = open.or(Some(i)),
            }
        }
        let done = open.unwrap_or(settled).max(settled.saturating_sub(MOST_OPEN));
        play.freeze(done, &mut self.watcher.image);
        self.say_all(said);
        self.tell(Fact::Unpressed(&unpressed));
    }

    /// The game is over: what a pawn became that nothing has told is assumed, and said to be.
    pub(crate) fn assume_promotions(&mut self) {
        let Some(play) = self.own.play.as_mut().filter(|p| !p.over && p.occupancy()) else { return };
        let Some(lines) = play.doubted() else { return };
        let promotes = |i: &usize| lines.links[*i].step.mv.is_promotion();
        let base = play.base();
        let assumed = (lines.certain..lines.but_promotions).filter(promotes).map(|i| base + i);
        play.promotions.assumed.extend(assumed);
    }

    /// The game is over: a pawn that nothing contradicts became a queen, and what was pressed is what it most likely was.
    pub(crate) fn close_blindly(&mut self) {
        self.assume_promotions();
        let whole = self.is_explained_by_the_estimate();
        let Some(play) = self.own.play.as_mut().filter(|p| !p.over && p.occupancy()) else { return };
        let Some(lines) = play.doubted() else { return };
        let pressed = lines.links.iter().rposition(|link| link.press.is_some()).map_or(0, |last| last + 1);
        let upto = pressed.max(lines.but_promotions);
        // What nobody pressed is told where it is made, if no piece is in the air.
        let shown = upto + lines.links[upto..].iter().take_while(|link| link.made && (whole || !link.unseen)).count();
        if shown > lines.certain {
            let base = play.base();
            play.assumed.extend(base + lines.but_promotions..base + upto);
            self.announce_links(&lines.links, shown, false);
            self.complete_links(&lines.links, upto);
        }
    }

    /// The last move may have ended the game (5.1.1, 5.2).
    fn end_blindly(&mut self, links: &[Link], certain: usize) {
        let Some(play) = self.own.play.as_ref().filter(|p| !p.over && certain == links.len()) else { return };
        let Some(end) = play.end() else {
            self.tell(Fact::Position);
            return;
        };
        let pressed = play.record.plies().last().is_some_and(|p| p.completed);
        let stood = self.now.since(self.watcher.image.last_change()) >= ENDED_MS;
        if pressed || stood {
            self.finish(end);
        } else {
            let at = self.watcher.image.last_change() + ENDED_MS;
            self.set(Timer::Made, Some(self.timer(Timer::Made).map_or(at, |t| t.min(at))));
        }
    }
}

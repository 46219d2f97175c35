//! Boards that tell only occupied from empty: what the lattice of hypotheses agrees on becomes the record; what it cannot tell is asked.
use crate::placement::occupied;
use crate::press::{Completion, Press};
use crate::reading::view::Reading;
use crate::recognition::lattice::{Lines, Link, Table};
use crate::referee::facts::Fact;
use crate::timers::Timer;
use alloc::vec::Vec;
use flagfall_events::{Body, How};
use flagfall_laws::Edition;

/// Pressed moves that wait for a doubt to be settled before somebody is asked.
const PATIENCE: usize = 12;
/// What leaves this much unexplained is not understood, and how long it must stand.
const TROUBLE: u32 = 140;
const TROUBLE_MS: u64 = 5_000;
/// Without a clock: how long the last move stands before it counts.
const STANDS_MS: u64 = 3_000;
/// A move that ends the game, which stood for this long.
const ENDED_MS: u64 = 3_500;
/// Nobody's hand is over the board so long after the clocks were stopped.
const OVER_MS: u64 = 1_000;
/// Without a clock: how long nothing must happen before somebody is asked.
const SILENCE_MS: u64 = 9_000;
/// The same where there is no clock.
const UNCLOCKED_MS: u64 = 5_000;
/// Plies that are certain, but not completed, are held open at most.
const MOST_OPEN: usize = 24;

impl Reading<'_> {
    /// Whether hypotheses are kept of this game.
    pub(crate) fn is_blind(&self) -> bool {
        self.own.play.as_ref().is_some_and(|p| p.lattice.is_some())
    }

    pub(crate) fn table(&self) -> Table {
        let stopped = self.own.play.as_ref().and_then(|p| p.stopped);
        let clock = self.clocks.in_use();
        let quiet = self.now.since(self.watcher.image.last_change());
        let over = stopped.map_or(!clock && quiet >= UNCLOCKED_MS, |at| quiet.min(self.now.since(at)) >= OVER_MS);
        Table { now: self.now, scan_ms: self.watcher.scan_ms, clock, over }
    }

    /// A press for the hypotheses.
    pub(crate) fn press_blindly(&mut self, press: Press) {
        self.feel();
        let table = self.table();
        if let Some(lattice) = self.own.play.as_mut().and_then(|p| p.lattice.as_mut()) {
            lattice.pressed(&table, press);
        }
        self.weigh_hypotheses();
        self.watch_the_record();
    }

    /// Players who go on pressing while no move is made are not understood, whatever the hypotheses make of it.
    fn watch_the_record(&mut self) {
        let asked = self.own.asked_square().is_some();
        let Some(play) = self.own.play.as_mut().filter(|p| !p.over) else { return };
        let plies = play.record.plies().len();
        play.unrecorded = if asked || play.unrecorded.0 != plies { (plies, 0) } else { (plies, play.unrecorded.1 + 1) };
        if play.unrecorded.1 >= PATIENCE {
            self.be_unsure(true);
        }
    }

    /// Hands the picture to the hypotheses.
    fn feel(&mut self) {
        let table = self.table();
        let stands_still = table.clock && self.clocks.running().is_none();
        let squares = occupied(self.watcher.image.placement());
        let Some(play) = self.own.play.as_mut().filter(|p| !p.over) else { return };
        play.stopped = if stands_still { play.stopped.or(Some(table.now)) } else { None };
        // With the clocks stopped nobody moves; the sensors may still be behind.
        let idle = play.stopped.is_some_and(|since| table.now.since(since) > table.scan_ms);
        if let Some(lattice) = play.lattice.as_mut() {
            lattice.sensed(&table, squares, !idle);
            lattice.weigh(&table);
        }
    }

    /// Announces, completes and asks, as far as the hypotheses agree.
    pub(crate) fn weigh_hypotheses(&mut self) {
        self.feel();
        self.set(Timer::Made, None);
        let table = self.table();
        let stopped = self.own.play.as_ref().and_then(|p| p.stopped).map(|at| at.max(self.watcher.image.last_change()) + OVER_MS);
        let Some(lattice) = self.own.play.as_ref().filter(|p| !p.over).and_then(|p| p.lattice.as_ref()) else { return };
        let quiet = |ms: u64| (!table.clock).then(|| self.watcher.image.last_change() + ms);
        let later = [stopped, quiet(UNCLOCKED_MS), quiet(SILENCE_MS)].into_iter().flatten().filter(|at| *at > table.now);
        let wake = lattice.wake(&table).into_iter().chain(later).min();
        let (quiet, trouble) = (lattice.is_quiet(&table), lattice.trouble(&table));
        let half = lattice.is_half();
        let lines = lattice.lines(&table, self.own.play.as_ref().map_or(&[], |p| p.line()));
        self.set(Timer::Made, wake);
        let Some(Lines { links, certain, but_promotions, rivals }) = lines else { return };
        if half {
            self.turn_round();
        }
        self.announce_links(&links, certain, quiet);
        self.complete_links(&links, certain);
        if self.watch_promotion(&links, certain, but_promotions) {
            self.weigh_hypotheses();
            return;
        }
        // Without a clock nothing tells a piece in the air from one that has taken another, until it is answered.
        let silence = self.now.since(self.watcher.image.last_change()) >= SILENCE_MS;
        let counts = |l: &&Link| l.press.is_some() || (table.over && (table.clock || (silence && (rivals || !l.unseen))));
        let waiting = links.iter().skip(certain).filter(counts).count();
        // A promotion that is asked for, and will be a queen, is no doubt of its own.
        let asked = self.own.asked_square().is_some() && self.queen_wait().is_some() && but_promotions == links.len();
        let (waiting, open) = if asked { (0, 0) } else { (waiting, links.len() - certain) };
        self.ask_if_unsure(waiting, open, trouble);
        self.end_blindly(&links, but_promotions);
    }

    /// The board stands the other way round than it was taken to.
    fn turn_round(&mut self) {
        self.watcher.turn_to(self.watcher.turn.opposite());
        if self.clocks.sides_open() && !self.clocks.was_pressed() {
            self.clocks.exchange();
        }
        if let Some(lattice) = self.own.play.as_mut().and_then(|p| p.lattice.as_mut()) {
            lattice.turn_round();
        }
        let placement = self.watcher.image.placement().fen();
        self.say(Body::Placement { placement, settled: false });
    }

    /// What is certain is made; what is likely too, once all is quiet.
    fn announce_links(&mut self, links: &[Link], certain: usize, quiet: bool) {
        let mut shown = if quiet { links.len() } else { certain };
        // A piece in the air may be a capture, or none yet.
        if !self.table().over && links.last().is_some_and(|l| l.unseen && l.press.is_none()) {
            shown = shown.min(links.len() - 1);
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

    fn complete_links(&mut self, links: &[Link], certain: usize) {
        let table = self.table();
        let next_completes = Edition::of(self.settings.rules).next_move_completes;
        let stood = table.now.since(self.watcher.image.last_change()) >= STANDS_MS;
        let Some(play) = self.own.play.as_mut() else { return };
        let (base, mut said) = (play.base(), Vec::new());
        let (mut open, mut unpressed) = (None, Vec::new());
        for (i, link) in links[..certain].iter().enumerate() {
            let completion = match link.press {
                Some(press) => Some(Completion::pressed(&press)),
                None if table.clock => (next_completes && i + 2 < certain).then(|| Completion::bare(How::NextMove)),
                None if i + 1 < certain => Some(Completion::bare(How::NextMove)),
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
        let done = open.unwrap_or(certain).max(certain.saturating_sub(MOST_OPEN));
        if done > 0 {
            if let Some(lattice) = play.lattice.as_mut() {
                lattice.settle(&table, &links[..done]);
            }
            play.freeze(done, &mut self.watcher.image);
        }
        self.say_all(said);
        self.tell(Fact::Unpressed(&unpressed));
    }

    fn ask_if_unsure(&mut self, waiting: usize, open: usize, trouble: u32) {
        let table = self.table();
        let stood = table.now.since(self.watcher.image.last_change()) >= TROUBLE_MS;
        let Some(play) = self.own.play.as_mut() else { return };
        let unsure = if play.unsure {
            waiting > 0 || play.unrecorded.1 >= PATIENCE || trouble >= TROUBLE || (!table.clock && open > 0)
        } else {
            waiting.max(if table.clock { 0 } else { open }) >= PATIENCE || (waiting > 0 && table.over) || (trouble >= TROUBLE && stood)
        };
        self.be_unsure(unsure);
    }

    /// The game is over: what a pawn became that nothing has told is assumed, and said to be.
    pub(crate) fn assume_promotions(&mut self) {
        let table = self.table();
        let Some(play) = self.own.play.as_mut().filter(|p| !p.over) else { return };
        let Some(lines) = play.lattice.as_ref().and_then(|lattice| lattice.lines(&table, play.line())) else { return };
        let promotes = |i: &usize| lines.links[*i].step.mv.is_promotion();
        let base = play.base();
        let assumed = (lines.certain..lines.but_promotions).filter(promotes).map(|i| base + i);
        play.promotions.assumed.extend(assumed);
    }

    /// The game is over: a pawn that nothing contradicts became a queen.
    pub(crate) fn close_blindly(&mut self) {
        self.assume_promotions();
        let table = self.table();
        let Some(play) = self.own.play.as_ref().filter(|p| !p.over) else { return };
        let Some(lines) = play.lattice.as_ref().and_then(|lattice| lattice.lines(&table, play.line())) else { return };
        if lines.but_promotions > lines.certain {
            self.announce_links(&lines.links, lines.but_promotions, false);
            self.complete_links(&lines.links, lines.but_promotions);
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

//! Clock reports: who pressed, and which moves that completes (6.2.1).
use crate::clock::Pressed;
use crate::placement::{Image, Placement, Squares, bit, colour, each, occupied, piece};
use crate::press::Press;
use crate::reading::followed::{ASSUMED_MS, BURIED};
use crate::reading::view::Reading;
use crate::recogniser::judgement::{Judgement, Trust};
use crate::recogniser::{completion, judgement};
use crate::recognition::step::Step;
use crate::referee::facts::Fact;
use crate::timers::Timer;
use alloc::vec::Vec;
use dgt_protocol::clock::ClockReport;
use dgt_protocol::square::PieceCode;
use flagfall_events::{Body, ClockPair, Colour, Mono};

/// So long a press waits for the estimate where what was made before stands beside disturbed pieces.
const LATE_MS: u64 = 1_000;

/// Presses looked at in one go.
const AT_ONCE: u32 = 8;

/// Messages lost from which on every press is checked against a dump, and for how long.
const DISTRUST: u32 = 1;
const DISTRUST_MS: u64 = 6 * 3_600_000;
/// Ranks 3 to 6.
const BETWEEN: Squares = 0x0000_ffff_ffff_0000;
/// So many pieces there leave open that the game has just begun.
const FIRST_MOVES: u32 = 4;

/// When the last piece of castling came to stand: now at the earliest where it does not stand yet.
fn castled_at(step: &Step, image: &Image, now: Mono) -> Option<Mono> {
    let pieces = step.after().filter(|(_, piece)| step.is_castling() && *piece != PieceCode::Empty);
    let stood = |(square, piece): (usize, PieceCode)| {
        // It may have gone on from there already.
        let came = image.changes_of(square).rev().find(|c| c.now == piece).map(|c| c.at);
        came.or_else(|| (image.placement().0[square] != piece).then_some(now))
    };
    pieces.filter_map(stood).max()
}

/// More stands between the two camps than a few first moves put there.
fn is_under_way(placement: &Placement) -> bool {
    (occupied(placement) & BETWEEN).count_ones() > FIRST_MOVES
}

impl Reading<'_> {
    pub(crate) fn clock_report(&mut self, report: &ClockReport) {
        let (before, lost) = (self.clocks.shown(), self.clocks.is_lost());
        if (self.recovery.is_unknown() || self.recovery.unseen) && is_under_way(self.watcher.image.as_read()) {
            self.clocks.base_is_unknown();
        }
        let changed = self.clocks.report(self.now, report);
        if (lost && !self.clocks.is_lost()) || changed.presence {
            self.clock_is_there_again();
        }
        self.recovery.hears_clock |= matches!(report, ClockReport::Time(_));
        let first = self.clocks.shown().is_some() && core::mem::take(&mut self.recovery.unread);
        if first {
            self.set_unseen(before);
            self.is_counted();
        }
        if changed.running || first {
            self.try_start_in_hand();
        }
        let sides = self.attribute();
        let turned = !sides.is_empty();
        let game = self.own.number;
        sides.into_iter().for_each(|body| self.say_of(game, body));
        self.clock_went(&changed);
        if changed.running || first {
            self.begin_unseen();
        }
        if let Some(press) = changed.press {
            let by = self.clocks.colour(press.side);
            self.watcher.pressed(self.now, by);
            self.say(Body::Press { by });
        }
        if let Some(state) = self.clocks.publish(self.now, changed) {
            self.say(Body::Clock(state));
        } else if turned {
            let state = self.clocks.tell_anew(self.now);
            self.say(Body::Clock(state));
        }
        if changed.press.is_some() {
            // A press that was seen completes the move by itself.
            self.recovery.gap_ply = None;
        } else if matches!(report, ClockReport::Time(_)) {
            self.close_gap();
        }
        if let Some(press) = changed.press {
            self.pressed(&press, changed.running);
        }
        if changed.running && self.is_blind() {
            self.weigh_hypotheses();
        }
        if changed.press.is_some() || changed.running || changed.presence || changed.edited {
            self.tell(Fact::Changed);
        }
    }

    /// What a press added to its player's display.
    fn earned(&self, by: Colour, before: ClockPair) -> i64 {
        let of = |pair: ClockPair| if by == Colour::White { pair.white_ms } else { pair.black_ms };
        self.clocks.shown().map_or(0, |after| (of(after) - of(before)).max(0))
    }

    pub(crate) fn pressed(&mut self, pressed: &Pressed, started: bool) {
        if !started {
            self.pressed_beside_the_king();
        }
        let catching_up = self.recovery.is_catching_up();
        let (white, by) = (self.clocks.side(Colour::White), self.clocks.colour(pressed.side));
        let (clock, spent_ms) = (self.clocks.shown(), pressed.spent.map(|(ms, _)| ms));
        let earned_ms = self.earned(by, pressed.before);
        let mut press = Press { by, white, at: self.now, clock, spent_ms, asked: None, dumped: None, earned_ms, started, in_air: false };
        if !self.is_blind() {
            self.press_is_followed(&press);
            // This press may have told whose side it is.
            self.follow();
            press.turn_to(self.clocks.side(Colour::White));
        }
        let by = press.by;
        if catching_up {
            self.recovery.pressed(&press, self.now);
        }
        let Some(play) = self.own.play.as_mut().filter(|p| !p.over && !catching_up) else { return };
        // One move a press: an older one of the same player is spent, unless the opponent has pressed since.
        if play.presses.is_empty() && play.unanswered.last().is_some_and(|earlier| earlier.by == by) {
            play.unanswered.pop();
        }
        if play.occupancy() {
            self.press_blindly(press);
            self.tell(Fact::Pressed(by));
            return;
        }
        play.presses.push_back(press);
        self.tell(Fact::Pressed(by));
        self.judge_presses();
    }

    /// At a press that cannot be read, a move made before that does not stand any more was not the one that was pressed.
    fn withdraw_what_does_not_stand(&mut self) {
        let Some(play) = self.own.play.as_mut() else { return };
        let placement = self.watcher.image.placement();
        let stands = |ply: usize| {
            let later = play.line()[ply + 1..].iter().fold(0, |set, step| set | step.touched);
            play.line()[ply].after().all(|(square, piece)| later & bit(square) != 0 || placement.0[square] == piece)
        };
        let Some(gone) = (0..play.line().len()).find(|&ply| !stands(ply)) else { return };
        let line = play.line()[..gone].to_vec();
        let mut said = Vec::new();
        play.announce(&line, &mut |b| said.push(b));
        self.say_all(said);
    }

    /// Whether the presser's piece is in the air: squares of his are empty, and nothing else differs but a king that has castled already.
    fn is_in_the_air(&self, by: Colour) -> bool {
        let Some(play) = self.own.play.as_ref() else { return false };
        let expected = play.expected();
        let sensed = self.watcher.image.placement();
        let king = play.top().steps.iter().find(|step| step.is_castling() && sensed.0[step.to()] == step.piece());
        let off = expected.diff(sensed) & !king.map_or(0, |step| bit(step.to()));
        let own = |square: usize| piece(expected.0[square]).is_some_and(|p| colour(p.color) == by);
        off != 0 && each(off).all(|s| sensed.0[s] == PieceCode::Empty) && each(off).any(own)
    }

    /// A press that no move was found for is kept for what is found later.
    fn unread_press(&mut self, press: &Press) {
        let in_air = self.is_in_the_air(press.by);
        self.withdraw_what_does_not_stand();
        if let Some(play) = self.own.play.as_mut() {
            play.unanswered.push(Press { in_air, ..*press });
        }
    }

    /// These plies stand, and the presser's among them are completed; the last one is his.
    pub(crate) fn complete_line(&mut self, line: &[Step], press: &Press) {
        let late = line.last().and_then(|step| castled_at(step, &self.watcher.image, self.now));
        let Some(play) = self.own.play.as_mut() else { return };
        let mut said = Vec::new();
        if !play.begins_with(line) {
            play.announce(line, &mut |b| said.push(b));
        }
        let upto = play.base() + line.len();
        let served = completion::complete_unanswered(play, upto - 1, (usize::MAX, None), &mut |b| said.push(b));
        let waiting: Vec<usize> = play.waiting(press.by).into_iter().filter(|&i| i < upto).collect();
        completion::complete_all(play, &waiting, press, &mut |b| said.push(b));
        play.freeze_pressed(line.len(), &mut self.watcher.image, press.at, self.watcher.scan_ms);
        self.say_all(said);
        self.be_unsure(false);
        for (ply, press) in &served {
            self.tell(Fact::FoundLate { ply: *ply, press });
        }
        if let Some(&ply) = waiting.last() {
            self.tell(Fact::Answered { ply, press });
            self.tell(Fact::Handled { ply, press });
        }
        // A press that completes an older move as well may have been that one's.
        if let Some(late) = late.filter(|_| waiting.len() == 1) {
            self.tell(Fact::StoodLate { ply: upto - 1, press, stood: late });
        }
    }

    /// What a press comes to: as the estimate has it, and where that knows no move of it, what else it may be.
    fn judged(&self, press: &Press, trust: Trust) -> Judgement {
        let believed = self.believed_of(press);
        let Some(play) = self.own.play.as_ref() else { return Judgement::Idle };
        let may_be_legal = self.may_be_legal();
        let beside = self.strays() && !may_be_legal;
        let believed = match believed {
            Some(believed) if !beside => return believed,
            other => other,
        };
        let found = judgement::judge(play, press, &self.watcher.image, self.now, self.watcher.scan_ms, trust);
        let told = match &found {
            Judgement::Disturbed(line) => self.is_told_apart(line),
            Judgement::Late => self.is_told_apart(play.line()),
            _ => true,
        };
        let again = self.next_look(press.at);
        match (believed, found) {
            // A piece that stands where it should not, beside the move, may be a displaced one.
            (Some(Judgement::Completes(line)), Judgement::Disturbed(also)) if !also.is_empty() => Judgement::Disturbed(line),
            (Some(Judgement::Completes(_)), Judgement::Wait(at)) => Judgement::Wait(at.min(again)),
            (Some(_), Judgement::Ask) => Judgement::Ask,
            (Some(Judgement::Wait(at)), _) if !told => Judgement::Wait(at),
            // What stood before stands, and the estimate cannot tell which of two pieces was moved.
            (Some(Judgement::Wait(_)), Judgement::Late) if self.now >= press.at + LATE_MS => Judgement::Late,
            (Some(believed), Judgement::Illegal(_)) if !self.is_beyond_honest_play() => believed,
            (Some(_), found @ (Judgement::Illegal(_) | Judgement::Disturbed(_))) => found,
            (Some(believed), _) => believed,
            // While it waits, time may tell the estimate.
            (None, Judgement::Wait(at)) if self.follows().is_some() => Judgement::Wait(at.min(again)),
            (None, Judgement::Illegal(_) | Judgement::Disturbed(_) | Judgement::Nothing) if may_be_legal => Judgement::Wait(again),
            (None, _) if !told && self.now < press.at + ASSUMED_MS => Judgement::Wait(again),
            // Every press has its ply: this one was counted for an older one.
            (None, Judgement::Unmoved) if may_be_legal => Judgement::Idle,
            (None, found) => found,
        }
    }

    /// Whether nothing else is likely to be the last of these plies whose piece moved in the same scan: which of two was moved and which was pushed
    /// is not told then.
    fn is_told_apart(&self, line: &[Step]) -> bool {
        let Some((step, play)) = line.last().zip(self.own.play.as_ref()) else { return true };
        let rival = self.follows().and_then(|follows| follows.rival(play.base() + line.len() - 1, &step.mv));
        let moved = |touched: u64| self.watcher.image.last_change_of(touched);
        rival.is_none_or(|rival| {
            let touched = rival.from().map_or(0, |from| bit(from.to_usize())) | bit(rival.to().to_usize());
            moved(touched).millis().abs_diff(moved(step.touched).millis()) > self.watcher.scan_ms
        })
    }

    /// Decides as many presses as can be decided, oldest first.
    pub(crate) fn judge_presses(&mut self) {
        self.set(Timer::Press, None);
        self.look_for_a_longer_line();
        self.follow();
        let lossy = self.watcher.damage.is_some_and(|(last, times)| times >= DISTRUST && self.now.since(last) < DISTRUST_MS);
        let trust = match (lossy, self.watcher.gives_dumps()) {
            (true, _) => Trust::Lossy,
            (false, true) => Trust::Checked,
            (false, false) => Trust::Whole,
        };
        let mut judged = 0;
        loop {
            let Some(play) = self.own.play.as_ref().filter(|p| !p.over) else { return };
            let Some(press) = play.presses.front().copied() else { return };
            // What is left is weighed in the next millisecond: no input costs more than a few.
            judged += 1;
            if judged > AT_ONCE {
                self.set(Timer::Press, Some(self.now + 1));
                return;
            }
            let overdue = (self.now >= press.at + ASSUMED_MS || play.presses.len() > BURIED) && play.first_disbelieved().is_some();
            if overdue && self.correct_to_what_is_likeliest() {
                self.follow();
                continue;
            }
            let (mut under_finding, mut beside) = (false, false);
            let judgement = self.judged(&press, trust);
            let Some(play) = self.own.play.as_mut() else { return };
            match judgement {
                Judgement::Wait(at) => {
                    // While it waits for the sensors, a dump comes at no cost.
                    if trust == Trust::Checked
                        && let Some(front) = play.presses.front_mut().filter(|front| front.asked.is_none())
                    {
                        front.asked = Some(self.now);
                        self.ask_for_dump();
                    }
                    self.set(Timer::Press, Some(at.max(self.now + 1)));
                    return;
                }
                Judgement::Ask => {
                    if let Some(front) = play.presses.front_mut()
                        && front.asked.replace(self.now).is_some()
                    {
                        self.watcher.missed_dump();
                    }
                    self.watcher.doubt = Some(self.watcher.doubt.unwrap_or(press.at));
                    self.ask_for_dump();
                    continue;
                }
                Judgement::Idle => {}
                // Pressed back: between this press and the one before it nothing was moved.
                Judgement::Nothing if play.takes_back(press.by, &self.watcher.image) => {
                    play.unanswered.pop();
                }
                Judgement::Nothing => self.unread_press(&press),
                Judgement::Disturbed(line) if line.is_empty() => {
                    self.unread_press(&press);
                    under_finding = self.disturbed();
                }
                Judgement::Disturbed(line) => {
                    self.complete_line(&line, &press);
                    self.disturbed();
                }
                Judgement::Illegal(line) => {
                    let mut said = Vec::new();
                    let index = play.base() + line.len() - 1;
                    play.announce(&line, &mut |b| said.push(b));
                    let waiting: Vec<usize> = play.waiting(press.by).into_iter().filter(|&i| i <= index).collect();
                    completion::complete_all(play, &waiting, &press, &mut |b| said.push(b));
                    play.freeze(line.len(), &mut self.watcher.image);
                    self.say_all(said);
                    self.tell(Fact::IllegalMove { ply: index, press: &press });
                    under_finding = true;
                }
                Judgement::Unmoved => self.tell(Fact::NoMove(&press)),
                Judgement::Bounced => {
                    play.presses.pop_front();
                    self.tell(Fact::WentBack(press.by));
                }
                Judgement::Late => {
                    let mut said = Vec::new();
                    let waiting = play.waiting(press.by);
                    completion::complete_all(play, &waiting, &press, &mut |b| said.push(b));
                    let certain = waiting.last().map_or(0, |&i| (i + 1).saturating_sub(play.base()));
                    play.freeze(certain, &mut self.watcher.image);
                    self.say_all(said);
                    if let Some(&ply) = waiting.last() {
                        self.tell(Fact::Answered { ply, press: &press });
                    }
                    beside = true;
                    self.watch_strays();
                }
                Judgement::Completes(line) => {
                    self.complete_line(&line, &press);
                    self.watch_strays();
                }
                Judgement::Assumed(line) => {
                    play.guess(line.len());
                    self.complete_line(&line, &press);
                    self.be_unsure(true);
                    self.watch_strays();
                }
            }
            if let Some(play) = self.own.play.as_mut() {
                play.presses.pop_front();
            }
            self.tell(Fact::Judged { by: press.by, under: under_finding });
            self.look();
            self.after_made();
            // Else it is looked at when all is quiet.
            if self.now >= self.watcher.image.last_change() + self.watcher.scan_ms {
                // What stands beside it may be the answer, where that is pressed already.
                if beside && self.own.play.as_ref().is_some_and(|play| play.presses.is_empty()) {
                    self.disturbed();
                }
            }
            self.watch_the_unread();
        }
    }
}

//! What only time shows: a clock that stands or is gone, stops and restarts (6.11), late starts (6.6), default time (6.7), ruled times.
use crate::clock::sides::Sides;
use crate::clock::state::{Ruled, Watch};
use crate::clock::track::Seen;
use crate::clock::turn::Model;
use crate::clock::{Clock, Fact, FaultKind};
use crate::settings::ClockWhite;
use flagfall_events::{AlarmKey, AlarmState, ClockPair, Colour, Mono, Order, Run, SetClock};

/// A display that stands so long, beyond what the time control explains, is the alarm; the defect at the next report, or after thirty seconds.
const STALE_MS: u64 = 5_000;
const DEFECT_MS: u64 = 30_000;
/// How late a step may come that ends a delay.
const LATE_STEP_MS: u64 = 2_000;
/// What a display may differ by from what was read before.
const READING_MS: i64 = 1_000;
/// A clock of unknown setting may hold back as much.
const LONGEST_DELAY_MS: u64 = 60_000;
/// Who stops the clock at the end of a game shows or tells the result by then.
const STOPPED_MS: u64 = 5_000;
/// One minute after the scheduled start (6.6).
const LATE_MS: i64 = 60_000;
/// The wrong side was started, and nobody put it right at once.
const WRONG_SIDE_MS: u64 = 1_500;
/// So long after Black's clock seems to have run first the presses may still say that it was White's.
const SURE_MS: u64 = 1_000;

impl Clock {
    /// The next moment at which silence means something.
    pub(crate) fn deadline(&self) -> Option<Mono> {
        let watch = &self.watch;
        let stopped = watch.stopped.filter(|(_, told)| !told && self.stop_counts()).map(|(at, _)| at + STOPPED_MS);
        let (stale, defect) = self.stale_deadlines();
        let late = self.late_deadline();
        let default = self.default_deadline();
        let nobody = self.nobody_deadline();
        let gone = self.gone_deadline();
        let wrong = watch.wrong_side.map(|at| at + WRONG_SIDE_MS);
        let first = watch.black_first.map(|at| at + SURE_MS);
        [
            stopped,
            first,
            stale,
            defect,
            late,
            default,
            nobody,
            gone,
            wrong,
            self.levers.deadline(),
            self.flags.deadline(),
            self.publish_deadline(),
        ]
        .into_iter()
        .flatten()
        .min()
    }

    fn stop_counts(&self) -> bool {
        self.progress.playing && self.progress.total() > 0 && !self.watch.stop_ruled && self.flag().is_none()
    }

    /// When a display that stands is the alarm, when a report that shows it so is the defect, and when no report is needed.
    fn stands_until(&self) -> Option<[Mono; 3]> {
        let (since, from_start) = self.track.still_since().filter(|_| self.progress.playing && self.running().is_some())?;
        let (side, _) = self.track.turn(since)?;
        if self.track.shown().is_none_or(|shown| shown[side] <= 0) || self.watch.defect_of == Some(since) {
            return None;
        }
        let model = self.expected()[side].model;
        let holds = match model {
            Some(model) if from_start => model.holds_ms(),
            None if from_start && self.has_bonus(side) => LONGEST_DELAY_MS,
            _ => 0,
        };
        // An increment that is really a delay stands so long, and is no defect.
        let explained = match model {
            Some(Model::Fischer(s)) if from_start => u64::from(s) * 1000 + LATE_STEP_MS,
            _ => 0,
        };
        let defect = explained.max(holds + STALE_MS);
        Some([since + holds + STALE_MS, since + defect, since + defect.max(holds + DEFECT_MS)])
    }

    /// When a display that stands is the alarm, and when the defect.
    fn stale_deadlines(&self) -> (Option<Mono>, Option<Mono>) {
        let Some([alarm, _, defect]) = self.stands_until() else { return (None, None) };
        ((!self.watch.stale).then_some(alarm), Some(defect))
    }

    /// A report that shows a display still standing, long after it should have stepped (6.10.1).
    fn still_standing(&mut self, now: Mono) {
        if self.watch.stale && self.stands_until().is_some_and(|[_, at, _]| at <= now) {
            self.frozen(now);
        }
    }

    fn frozen(&mut self, now: Mono) {
        let Some((since, _)) = self.track.still_since() else { return };
        self.watch.defect_of = Some(since);
        self.fault(now, FaultKind::Freeze { stood_ms: now.since(since) }, None);
    }

    fn late_deadline(&self) -> Option<Mono> {
        let due = self.start_at()?.saturating_add(LATE_MS);
        (self.late_waits() && !self.watch.late_told).then(|| Mono::from_millis(u64::try_from(due).unwrap_or(0)))
    }

    fn since_scheduled(&self, now: Mono) -> i64 {
        i64::try_from(now.millis()).unwrap_or(i64::MAX).saturating_sub(self.start_at().unwrap_or(0))
    }

    /// Nobody started a clock within the default time (6.7.2).
    fn nobody_deadline(&self) -> Option<Mono> {
        let limit = Some(self.default_time_ms).filter(|ms| *ms > 0)?;
        let waits = self.late_waits() && !self.watch.nobody_told && self.watch.arrived == [false; 2];
        let at = self.start_at()?.saturating_add(i64::try_from(limit).unwrap_or(i64::MAX));
        waits.then(|| Mono::from_millis(u64::try_from(at).unwrap_or(0)))
    }

    /// No clock has run yet.
    fn late_waits(&self) -> bool {
        self.watch.began.is_none() && self.setting != ClockWhite::None && self.progress.total() == 0 && self.watch.heard.is_some()
    }

    /// From when the default time counts: the actual start (1997: the scheduled one); never before the clock has run.
    fn counted_from(&self) -> Option<Mono> {
        let began = self.watch.began?;
        let scheduled = self.start_at().filter(|_| self.default_from_schedule);
        Some(scheduled.map_or(began, |at| Mono::from_millis(u64::try_from(at).unwrap_or(0))))
    }

    /// Since the default time counts, milliseconds; 0 before.
    pub(crate) fn since_start_ms(&self, now: Mono) -> u64 {
        self.counted_from().map_or(0, |from| now.since(from))
    }

    fn default_deadline(&self) -> Option<Mono> {
        let limit = Some(self.default_time_ms).filter(|ms| *ms > 0)?;
        let began = self.counted_from().filter(|_| self.progress.playing)?;
        let waits = [Colour::White, Colour::Black].iter().any(|&by| self.may_be_absent(by));
        waits.then(|| began + limit)
    }

    /// No move, no press, not told that he is there; Black only when it is his turn.
    fn may_be_absent(&self, by: Colour) -> bool {
        let i = by as usize;
        let turn = if self.progress.white_first { Colour::White } else { Colour::Black };
        let his_turn = by == turn || self.progress.made[by.other() as usize] > 0;
        let side = self.side(by);
        !self.watch.arrived[i] && !self.watch.default_told[i] && self.progress.made[i] == 0 && self.track.presses[side] == 0 && his_turn
    }

    pub(crate) fn new_game_watched(&mut self, now: Mono) {
        let running = self.running().is_some();
        let was = self.watch;
        self.watch = Watch {
            began: running.then_some(now),
            began_before: self.last_started(),
            // What was entered for a game that has begun is not the next one's.
            start_ruled: was.start_ruled.filter(|_| was.began.is_none()),
            heard: was.heard,
            stale: was.stale,
            defect_of: was.defect_of,
            lost: was.lost,
            answered: was.answered,
            set_anew: was.set_anew,
            gone: was.gone,
            battery: was.battery,
            battery_told: was.battery_told,
            late_told: was.late_told,
            nobody_told: was.nobody_told,
            arrived: was.arrived,
            ruled: was.ruled,
            ..Watch::default()
        };
        if running {
            self.first_run(false);
        }
    }

    pub(crate) fn silence_is_over(&mut self, now: Mono) {
        self.watch.heard = Some(now);
    }

    pub(crate) fn not_stale(&mut self) {
        if core::mem::take(&mut self.watch.stale) {
            self.say_alarm(AlarmKey::ClockStale, AlarmState::Cleared);
        }
    }

    pub(crate) fn started_or_stopped(&mut self, now: Mono, was_running: bool, seen: &Seen, first: bool) {
        self.watch.heard = Some(now);
        if let Some(ruled) = &mut self.watch.ruled {
            ruled.fresh = false;
        }
        if seen.step.is_some() || seen.press.is_some() || seen.stood.is_some() || seen.edited || self.running().is_none() {
            self.not_stale();
        } else {
            self.still_standing(now);
        }
        match (was_running, self.running()) {
            (true, None) => {
                self.watch.stopped = Some((now, false));
                self.watch.restart_ruled = false;
            }
            (false, Some(running)) => self.started(now, running, first),
            (true, Some(_)) => self.ruled_times(now, false),
            (false, None) => {}
        }
    }

    /// It runs; `first`: in the first reading, and nobody knows since when.
    fn started(&mut self, now: Mono, running: Colour, first: bool) {
        let Some(shown) = self.shown() else { return };
        self.first_run(!first);
        if let Some((set, _)) = self.watch.start_ruled.filter(|_| self.nothing_played()) {
            let seconds = |side| if self.colour(side) == Colour::White { set.white_ms / 1000 } else { set.black_ms / 1000 };
            self.begin_sum(now, Sides::of(seconds));
        }
        if self.watch.began.is_none() && self.progress.playing {
            self.watch.began = Some(now);
            self.ran_first(self.side(running));
            self.watch.made_before = self.progress.total();
            if self.watch.late_told {
                let ruled = self.late_start_is_ruled();
                self.facts.push_back(Fact::LateStartOver { lost_ms: self.since_scheduled(now), shown, ruled });
            }
            let first = if self.progress.white_first { Colour::White } else { Colour::Black };
            if running != first && self.progress.total() == 0 && !self.sides_open() {
                self.watch.wrong_side = Some(now);
            }
        }
        if self.watch.stopped.take().is_some() && self.progress.playing && self.progress.total() > 0 {
            let ruled = self.watch.restart_ruled || self.watch.ruled.is_some();
            self.facts.push_back(Fact::Restarted { ruled });
        }
        self.watch.stop_ruled = false;
        self.watch.restart_ruled = false;
        self.ruled_times(now, true);
    }

    /// A clock that runs with other times than were ruled is noted once. One that was started while nobody heard it shows what ran meanwhile, too: of that
    /// nothing follows.
    fn ruled_times(&mut self, now: Mono, starts: bool) {
        let (Some(ruled), Some(shown)) = (self.watch.ruled, self.shown()) else { return };
        let near = |set: i64, is: i64| (set - 1_999..=set + 999).contains(&is);
        if near(ruled.set.white_ms, shown.white_ms) && near(ruled.set.black_ms, shown.black_ms) {
            self.watch.ruled = None;
        } else if starts {
            self.watch.ruled = None;
            if self.behind == Some(now) {
                return;
            }
            self.facts.push_back(Fact::NotSet { ruled: ruled.set, shown });
        }
    }

    /// Black's clock was started first (6.6).
    pub(crate) fn black_ran_first(&mut self) {
        if !self.watch.wrong_side_told && self.watch.black_first.is_none() {
            self.watch.black_first = Some(self.read_at);
        }
    }

    /// Nothing says that the sides were taken for each other.
    fn black_surely_ran_first(&mut self) {
        self.watch.black_first = None;
        if !core::mem::replace(&mut self.watch.wrong_side_told, true) {
            self.facts.push_back(Fact::WrongSideStarted { ran_ms: self.black_lost_ms() });
        }
    }

    /// Acts on every deadline that has come.
    pub(crate) fn watch_over(&mut self, now: Mono) {
        if self.watch.black_first.is_some_and(|at| now >= at + SURE_MS) {
            if self.watch.sides_doubted {
                self.watch.black_first = Some(now);
            } else {
                self.black_surely_ran_first();
            }
        }
        self.gone_for_good(now);
        let (stale, defect) = self.stale_deadlines();
        if stale.is_some_and(|at| at <= now) {
            self.watch.stale = true;
            self.say_alarm(AlarmKey::ClockStale, AlarmState::Raised);
        }
        if defect.is_some_and(|at| at <= now) {
            self.frozen(now);
        }
        self.tell_unset();
        self.flags_due(now);
        if let Some((at, false)) = self.watch.stopped
            && now >= at + STOPPED_MS
            && self.stop_counts()
        {
            self.watch.stopped = Some((at, true));
            self.facts.push_back(Fact::Stopped);
        }
        if self.late_deadline().is_some_and(|at| at <= now) {
            self.watch.late_told = true;
            self.facts.push_back(Fact::LateStart { late_ms: self.since_scheduled(now) });
        }
        if self.nobody_deadline().is_some_and(|at| at <= now) {
            self.watch.nobody_told = true;
            self.facts.push_back(Fact::NeitherPresent { lost_ms: self.since_scheduled(now), arrived: false });
        }
        self.default_time(now);
        if self.watch.wrong_side.is_some_and(|at| now >= at + WRONG_SIDE_MS) {
            self.watch.wrong_side = None;
            let first = if self.progress.white_first { Colour::White } else { Colour::Black };
            if self.running() == Some(first.other()) && self.levers.nobody_pressed() {
                self.black_ran_first();
            }
        }
    }

    fn default_time(&mut self, now: Mono) {
        let Some(at) = self.default_deadline().filter(|at| *at <= now) else { return };
        let began = self.counted_from().unwrap_or(at);
        for by in [Colour::White, Colour::Black] {
            if self.may_be_absent(by) {
                self.watch.default_told[by as usize] = true;
                self.facts.push_back(Fact::DefaultTime { by, since_start_ms: now.since(began) });
            }
        }
    }

    /// What arbiters enter that concerns the clock.
    pub(crate) fn entered(&mut self, now: Mono, order: &Order) {
        match order {
            Order::Stop {} => {
                self.watch.stop_ruled = true;
                self.stop_is_known();
            }
            // The arbiter is at the board: the clocks stand for him.
            Order::Rule { .. } | Order::SetClock { .. } | Order::Penalty { .. } | Order::SetPosition { .. } | Order::Report { .. } => {
                self.stop_is_known();
            }
            Order::Restart {} => self.watch.restart_ruled = true,
            Order::Arrived { by } => self.arrived(now, *by),
            _ => {}
        }
    }

    fn stop_is_known(&mut self) {
        self.watch.stopped = self.watch.stopped.map(|(at, _)| (at, true));
    }

    /// The arbiter ruled that the clock must show these times.
    pub(crate) fn ruled(&mut self, now: Mono, set: SetClock) {
        if self.nothing_played() {
            let late = self.start_at().is_some() && self.since_scheduled(now) > 0;
            self.watch.start_ruled = Some((set, late));
        }
        // Where the clock runs on as ruled nothing is to be set.
        if self.runs_as(set) {
            self.watch.ruled = None;
            return;
        }
        self.watch.ruled = Some(Ruled { set, fresh: true, shown: self.shown() });
        // What is plugged in must show this, not what was there before.
        self.watch.unplugged = None;
        self.watch.restart_ruled = true;
    }

    /// Times that were ruled, on a clock that stands and that nobody has set yet: the next ruling goes on from them.
    pub(crate) fn awaits(&self) -> Option<SetClock> {
        let standing = self.running().is_none();
        self.watch.ruled.filter(|ruled| standing && ruled.shown.is_some() && ruled.shown == self.shown()).map(|ruled| ruled.set)
    }

    /// No move was made, and no press was counted.
    fn nothing_played(&self) -> bool {
        self.progress.total() == 0 && self.track.presses == Sides::default()
    }

    /// Since when the clocks stand in a game that goes on, if no arbiter has said so.
    pub(crate) fn stopped_since(&self) -> Option<Mono> {
        self.watch.stopped.map(|(at, _)| at).filter(|_| self.running().is_none() && !self.is_stopped_by_arbiter())
    }

    /// The clocks stand because the arbiter said so.
    pub(crate) const fn is_stopped_by_arbiter(&self) -> bool {
        self.watch.stop_ruled
    }

    /// The clock sum starts from what was ruled.
    pub(crate) const fn start_is_ruled(&self) -> bool {
        self.watch.start_ruled.is_some()
    }

    /// The time that White lost by a late start was ruled on (6.6, 6.7.2): it is not taken from him twice.
    pub(crate) fn late_start_is_ruled(&self) -> bool {
        self.watch.start_ruled.is_some_and(|(_, late)| late)
    }

    /// The clock runs for the side to run and has shown these times since the press that started it.
    fn runs_as(&self, set: SetClock) -> bool {
        let (Some(running), Some(shown)) = (self.running(), self.shown()) else { return false };
        let Some(from) = self.track.turn_began_with(self.side(running)) else { return false };
        let of = |pair: ClockPair, by: Colour| if by == Colour::White { pair.white_ms } else { pair.black_ms };
        let set_to = ClockPair { white_ms: set.white_ms, black_ms: set.black_ms };
        let run = if running == Colour::White { Run::White } else { Run::Black };
        let own = of(shown, running) - READING_MS..=from * 1000 + READING_MS;
        let stands = (of(set_to, running.other()) - of(shown, running.other())).abs() <= READING_MS;
        set.run == run && own.contains(&of(set_to, running)) && stands
    }

    /// The game has begun, and both displays are at 0:00 as they were from the start.
    fn tell_unset(&mut self) {
        let unset = self.reading.is_some() && !self.is_set && self.track.shown().is_some();
        if unset && self.progress.playing && self.progress.total() > 0 && !core::mem::replace(&mut self.watch.unset_told, true) {
            let correct = self.control.as_ref().map(|control| {
                let first = control.periods()[0];
                let ms = (i64::from(first.base_s) + Model::of(&first).adds(0)) * 1000;
                ClockPair { white_ms: ms, black_ms: ms }
            });
            self.facts.push_back(Fact::Unset { correct });
        } else if self.is_set && core::mem::take(&mut self.watch.unset_told) {
            self.facts.push_back(Fact::IsSet);
        }
    }

    /// 6.7: the time until he arrived.
    fn arrived(&mut self, now: Mono, by: Colour) {
        if core::mem::replace(&mut self.watch.arrived[by as usize], true) {
            return;
        }
        let limit = self.default_time_ms;
        let lost_ms = self.since_scheduled(now);
        match (self.counted_from(), self.start_at()) {
            (Some(began), _) => {
                let since_start_ms = now.since(began);
                let late = limit > 0 && since_start_ms > limit;
                self.facts.push_back(Fact::Arrived { by, since_start_ms, late });
            }
            (None, Some(_)) if by == Colour::White && limit > 0 && lost_ms > 0 => {
                self.facts.push_back(Fact::NeitherPresent { lost_ms, arrived: true });
            }
            _ => {}
        }
    }
}

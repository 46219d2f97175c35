//! The clock authority against a clock of software, in simulated time.
mod around;
mod exchanged;
mod faults;

use super::*;
use crate::settings::Settings;
use dgt_protocol::clock::{ClockTimes, SideTime};
use flagfall_events::{AlarmState, ClockPair, ClockState, Colour, Order, Run, SetClock};
use flagfall_simulator::clock::{ChessClock, PeriodChange, Side as Physical};
use flagfall_simulator::clock_fault::ClockFault;
use std::time::Duration;

/// A table with a clock: players press it, reports go to the authority.
struct Table {
    device: ChessClock,
    clock: Clock,
    now: u64,
    progress: Progress,
    facts: Vec<(u64, Fact)>,
    presses: Vec<Pressed>,
    said: Option<ClockTimes>,
    published: Vec<ClockState>,
    /// Reports are lost while this holds.
    deaf: bool,
}

impl Table {
    fn new(control: &str) -> Self {
        Self::with(control, control, |_| {})
    }

    /// The clock is set to `device`, agreed was `agreed` (empty: unknown).
    fn with(device: &str, agreed: &str, change: impl FnOnce(&mut Settings)) -> Self {
        let mut settings = Settings { time_control: agreed.parse().ok(), clock_white: ClockWhite::Left, ..Settings::default() };
        change(&mut settings);
        let mut table = Self {
            device: ChessClock::new(device.parse().unwrap(), PeriodChange::AtMove, Physical::Left),
            clock: Clock::new(&settings, 300),
            now: 0,
            progress: Progress { playing: true, white_first: true, ..Progress::default() },
            facts: Vec::new(),
            presses: Vec::new(),
            said: None,
            published: Vec::new(),
            deaf: false,
        };
        table.clock.new_game(Mono::ZERO);
        table.report();
        table
    }

    fn report(&mut self) {
        let times = self.device.report();
        if self.said == Some(times) || self.deaf {
            return;
        }
        self.said = Some(times);
        self.hear(times);
    }

    fn hear(&mut self, times: ClockTimes) {
        let now = Mono::from_millis(self.now);
        let changed = self.clock.report(now, &ClockReport::Time(times));
        self.presses.extend(changed.press);
        self.published.extend(self.clock.publish(now, changed));
        self.observe();
    }

    fn observe(&mut self) {
        let now = Mono::from_millis(self.now);
        self.clock.observe(now, self.progress);
        while let Some(fact) = self.clock.next_fact() {
            self.facts.push((self.now, fact));
        }
        self.published.extend(self.clock.publish(now, Changed::default()));
    }

    fn wait(&mut self, ms: u64) -> &mut Self {
        let end = self.now + ms;
        while self.now < end {
            let step = self.device.deadline().map(|us| us.div_ceil(1000));
            let due = self.clock.deadline().map(Mono::millis);
            let next = [step, due].into_iter().flatten().filter(|at| *at > self.now).min().unwrap_or(end).min(end);
            self.now = next;
            self.device.advance(self.now * 1000);
            self.report();
            self.observe();
        }
        self
    }

    fn start(&mut self) -> &mut Self {
        self.device.start(self.now * 1000);
        self.report();
        self
    }

    fn stop(&mut self) -> &mut Self {
        self.device.stop(self.now * 1000);
        self.report();
        self
    }

    fn side_to_press(&self) -> Colour {
        if self.device.report().lever == Lever::LeftHigh { Colour::White } else { Colour::Black }
    }

    fn lever(&mut self) -> &mut Self {
        let side = if self.side_to_press() == Colour::White { Physical::Left } else { Physical::Right };
        self.device.press(self.now * 1000, side);
        self.report();
        self
    }

    /// The move stands; nobody presses.
    fn made(&mut self) -> &mut Self {
        let by = self.progress.last.map_or(Colour::White, Colour::other);
        self.progress.made[by as usize] += 1;
        self.progress.last = Some(by);
        self.progress.completed = self.progress.made;
        self.progress.touched_at = Mono::from_millis(self.now);
        self.observe();
        self
    }

    /// A piece is touched.
    fn touch(&mut self) -> &mut Self {
        self.progress.touched_at = Mono::from_millis(self.now);
        self.observe();
        self
    }

    /// The player thinks, moves and presses.
    fn play(&mut self, ms: u64) -> &mut Self {
        self.wait(ms.saturating_sub(200));
        self.made();
        self.wait(ms.min(200));
        self.lever()
    }

    /// Moves of both, so long each.
    fn moves(&mut self, n: usize, ms: u64) -> &mut Self {
        for i in 0..2 * n as u64 {
            self.play(ms + 370 * (i % 5));
        }
        self
    }

    fn fail(&mut self, fault: ClockFault) -> &mut Self {
        self.device.fail(self.now * 1000, fault, Physical::Left);
        self
    }

    fn faults(&self) -> Vec<FaultKind> {
        self.facts.iter().filter_map(|(_, fact)| if let Fact::Fault(fault) = fact { Some(fault.kind) } else { None }).collect()
    }

    fn fault(&self) -> Fault {
        let faults: Vec<&Fault> =
            self.facts.iter().filter_map(|(_, f)| if let Fact::Fault(fault) = f { Some(fault) } else { None }).collect();
        assert_eq!(faults.len(), 1, "{:?}", self.facts);
        faults[0].clone()
    }

    fn quiet(&self) {
        assert!(self.facts.is_empty(), "{:?}", self.facts);
    }

    fn has(&self, wanted: &Fact) -> bool {
        self.facts.iter().any(|(_, fact)| fact == wanted)
    }

    fn shown(&self) -> (i64, i64) {
        let ms = |side| i64::from(self.device.shown(side)) * 1000;
        (ms(Physical::Left), ms(Physical::Right))
    }
}

const MS_30: i64 = 30_000;

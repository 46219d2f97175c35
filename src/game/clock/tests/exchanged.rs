//! A clock that was unplugged in a game.
use super::*;

impl Table {
    /// The board says that no clock is there for so long, while the clock runs on or stands.
    fn unplug(&mut self, ms: u64) -> &mut Self {
        let end = self.now + ms;
        self.deaf = true;
        while self.now < end {
            self.clock.report(Mono::from_millis(self.now), &ClockReport::NoClock);
            self.observe();
            self.wait(1_000.min(end - self.now));
        }
        (self.deaf, self.said) = (false, None);
        self
    }

    /// Plugs in what lies there now.
    fn plug_in(&mut self) -> &mut Self {
        self.report();
        self
    }

    /// What the displays show from now on, on a clock that stands.
    fn set(&mut self, left: u32, right: u32) -> &mut Self {
        self.device.set(self.now * 1000, left, right);
        self
    }

    fn exchanged(&self) -> Option<(ClockPair, ClockPair)> {
        self.faults().into_iter().find_map(|kind| match kind {
            FaultKind::Exchanged { before, shown } => Some((before, shown)),
            _ => None,
        })
    }
}

fn begun() -> Table {
    let mut table = Table::new("5400+30");
    table.start().moves(6, 20_000).wait(3_000);
    table.quiet();
    table
}

/// The cable was out while the game went on, for a while and for long, with moves made and pressed: it is the same clock.
#[test]
fn a_clock_that_went_on_without_its_cable_raises_nothing() {
    for ms in [2_000, 20_000, 600_000] {
        let mut table = begun();
        table.unplug(ms).plug_in().wait(5_000).moves(2, 15_000);
        assert_eq!(table.faults(), [], "{ms}");
        let mut table = begun();
        table.deaf = true;
        table.unplug(3_000).deaf = true;
        table.moves(1, 10_000);
        table.unplug(2_000).plug_in().wait(3_000).moves(2, 15_000);
        assert_eq!(table.faults(), [], "{ms}, two moves meanwhile");
    }
}

/// What the other clock shows, of what the old one showed: left, right, seconds.
type Times = fn(u32, u32) -> (u32, u32);

/// +10:00 on both sides, the start of the game, one side alone, the sides' times too low: each is told once it runs, with what the old one showed.
#[test]
fn another_clock_with_other_times_is_told_once_it_runs() {
    let other: [Times; 4] = [
        |left, right| (left + 600, right + 600),
        |_, _| (5_430, 5_430),
        |left, right| (left, right + 120),
        |left, right| (left - 600, right),
    ];
    for change in other {
        let mut table = begun();
        table.stop();
        let (left, right) = table.shown();
        table.unplug(20_000);
        let (new_left, new_right) = change((left / 1000) as u32, (right / 1000) as u32);
        table.set(new_left, new_right).plug_in().wait(30_000);
        assert_eq!(table.faults(), [], "it stands: somebody may still set it");
        table.start().wait(4_000);
        let Some((before, shown)) = table.exchanged() else { panic!("{left} {right} became {new_left} {new_right}: {:?}", table.facts) };
        assert_eq!((before.white_ms, before.black_ms), (left, right));
        assert!((shown.white_ms - i64::from(new_left) * 1000).abs() <= 2_000 && shown.black_ms == i64::from(new_right) * 1000);
        // What is to be set is what it was, less what the new one has run.
        let correct = table.fault().correct;
        assert!((left - 5_000..=left).contains(&correct.white_ms) && (correct.black_ms - right).abs() <= 1_000, "{correct:?}, {before:?}");
        table.moves(3, 15_000);
        assert_eq!(table.faults().len(), 1, "once");
    }
}

/// Set right before it is started, or as the arbiter ruled: nothing is raised; a wrong one that is plugged in running, a second one in the same game, are.
#[test]
fn one_that_is_set_before_it_is_started_raises_nothing() {
    let mut table = begun();
    table.stop();
    let (left, right) = table.shown();
    let seconds = |ms: i64| (ms / 1000) as u32;
    table.unplug(20_000).set(5_400, 5_400).plug_in().wait(10_000);
    table.set(seconds(left), seconds(right)).wait(5_000).start().moves(2, 15_000);
    assert_eq!(table.faults(), []);

    table.stop();
    let (left, right) = table.shown();
    table.unplug(9_000).set(seconds(left) + 900, seconds(right)).wait(1);
    let ruled = SetClock { white_ms: left + 900_000, black_ms: right, run: Run::White };
    table.clock.ruled(Mono::from_millis(table.now), ruled);
    table.plug_in().wait(2_000).start().moves(2, 15_000);
    assert_eq!(table.faults(), []);

    for _ in 0..2 {
        table.facts.clear();
        let (left, right) = table.shown();
        table.stop().unplug(4_000).set(seconds(left) + 300, seconds(right) + 300).start().plug_in().wait(4_000);
        assert!(table.exchanged().is_some(), "{:?}", table.facts);
        table.moves(1, 15_000);
    }
}

/// Nothing was agreed: what no bonus of a minute a move explains is told all the same.
#[test]
fn without_a_time_control_ten_minutes_more_are_told() {
    let mut table = Table::with("5400+30", "", |_| {});
    table.start().moves(6, 20_000).wait(3_000);
    table.stop();
    let (left, right) = table.shown();
    table.unplug(5_000).set((left / 1000) as u32 + 600, (right / 1000) as u32 + 600).plug_in().wait(2_000).start().wait(3_000);
    assert!(table.exchanged().is_some(), "{:?}", table.facts);
}

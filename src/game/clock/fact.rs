//! What the clock shows to be wrong, as values with all that a ruling needs. The game drains them after each report and deadline.
use crate::clock::doubt::Doubt;
use flagfall_events::{AlarmKey, AlarmState, ClockPair, Colour, SetClock};

/// One thing found.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Fact {
    /// 6.10.1 and 6.10.2: `clock-defect` or `clock-setting`.
    Fault(Fault),
    /// The next period's time came when nothing was left: the clock is right.
    BonusCame,
    /// `clock-setting`, a note: the clock runs with other times than were ruled.
    NotSet { ruled: SetClock, shown: ClockPair },
    /// `clock-setting`: both displays are at 0:00 and were from the start; what they should show, where it is known.
    Unset { correct: Option<ClockPair> },
    /// It has been set.
    IsSet,
    /// An operations alarm: `clock-stale`, `clock-lost`, `battery-low`.
    Alarm { key: AlarmKey, state: AlarmState },
    /// 6.11.2: both clocks stand in a game in progress.
    Stopped,
    /// 6.11.3: it runs again; `ruled`: the arbiter had said so.
    Restarted { ruled: bool },
    /// 6.5: White's side of the clock is not the one configured.
    Sides { configured_left: bool },
    /// 6.6: Black's clock ran first, for so long by its display.
    WrongSideStarted { ran_ms: i64 },
    /// `wrong-side-started` did not happen: the clock stands the other way round.
    WrongSideWithdrawn,
    /// 6.6: not running one minute after the scheduled start.
    LateStart { late_ms: i64 },
    /// 6.6: it runs now; so much of White's time went by. `ruled`: what White has left was ruled since the scheduled start.
    LateStartOver { lost_ms: i64, shown: ClockPair, ruled: bool },
    /// 6.7.1: nothing was seen of this player when the default time was over.
    DefaultTime { by: Colour, since_start_ms: u64 },
    /// 6.7.1: this player arrived so long after the start; `late`: after the default time.
    Arrived { by: Colour, since_start_ms: u64, late: bool },
    /// 6.7.2: neither was there; White loses what elapses until he arrives.
    NeitherPresent { lost_ms: i64, arrived: bool },
    /// 6.4, 6.8: a flag is down before the required moves were completed.
    FlagFall { by: Colour, bit: bool, completed: u32, required: Option<u32> },
    /// III.3.1: both are down.
    BothFlags { first: Option<Colour>, last_period: bool },
    /// 1.16.4: the lever went over, back and over again.
    LeverCheck { by: Colour },
}

/// What is wrong with a clock or its setting.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Fault {
    pub(crate) kind: FaultKind,
    /// Whose side, where only one is wrong.
    pub(crate) side: Option<Colour>,
    /// How much doubt is left that it is one.
    pub(crate) doubt: Doubt,
    /// What they should show.
    pub(crate) correct: ClockPair,
    /// Whose time runs now.
    pub(crate) running: Option<Colour>,
    /// Presses to add to the clock's counter: White, Black.
    pub(crate) presses: [i32; 2],
    /// The increment or delay agreed, seconds.
    pub(crate) bonus_s: u32,
}

/// Which fault.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum FaultKind {
    /// Other base time, seconds.
    Base { expected_s: i64, seen_s: i64 },
    /// Nothing is added, nothing held back.
    NoBonus,
    /// The increment or delay is another one, seconds.
    Amount { expected_s: u32, seen_s: u32 },
    /// A delay (or Bronstein's) where an increment was agreed.
    DelayInstead,
    /// An increment where a delay was agreed.
    IncrementInstead,
    /// US delay where Bronstein's was agreed, or the other way round.
    OtherDelay { bronstein: bool },
    /// The next period's time did not come.
    BonusMissing { after_move: u32, expected_s: i64 },
    /// It came at the wrong move.
    BonusAtWrongMove { at_move: u32, expected_move: u32, bonus_s: i64 },
    /// It is another one, seconds.
    BonusAmount { expected_s: i64, seen_s: i64 },
    /// Seconds are too long or too short; parts of a million, fast above 0.
    Drift { ppm: i32 },
    /// Seconds came from nowhere, or went.
    Jump { gained_s: i64 },
    /// The time does not fall.
    Freeze { stood_ms: u64 },
    /// Both displays fall.
    BothRun,
    /// The lever needs a second press.
    Lever,
    /// After it was unplugged it shows what it cannot have come to: another clock, or set anew.
    Exchanged { before: ClockPair, shown: ClockPair },
}

impl FaultKind {
    /// One word a kind: each is told once.
    pub(crate) const fn word(self) -> &'static str {
        match self {
            Self::Base { .. } => "wrong-base",
            Self::NoBonus => "no-increment",
            Self::Amount { .. } => "wrong-increment",
            Self::DelayInstead => "delay-for-increment",
            Self::IncrementInstead => "increment-for-delay",
            Self::OtherDelay { .. } => "other-delay",
            Self::BonusMissing { .. } => "bonus-missing",
            Self::BonusAtWrongMove { .. } => "bonus-at-wrong-move",
            Self::BonusAmount { .. } => "wrong-bonus",
            Self::Drift { .. } => "drift",
            Self::Jump { .. } => "jump",
            Self::Freeze { .. } => "freeze",
            Self::BothRun => "both-running",
            Self::Lever => "lever",
            Self::Exchanged { .. } => "exchanged",
        }
    }
}

//! Meanings of irregularities. Article numbers move between editions, meanings do not.
use alloc::string::String;
use core::{fmt, str::FromStr};
use serde::{Deserialize, Serialize};

/// How loudly a finding speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum Grade {
    /// Recorded, never an alarm.
    Note,
    /// Look at this board.
    Attention,
    /// The arbiter must rule.
    Ruling,
}

macro_rules! keys {
    ($($(#[$doc:meta])* $name:ident = $text:tt),* $(,)?) => {
        /// What a finding is about.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
        pub enum Key {
            $($(#[$doc])* #[serde(rename = $text)] $name,)*
        }
        impl Key {
            /// Every key.
            pub const ALL: &'static [Self] = &[$(Self::$name),*];
            /// As events, rulings and the clause table write it.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$name => $text),* }
            }
        }
    };
}

keys! {
    /// A press with a position that one illegal move explains (7.5.1).
    IllegalMove = "illegal-move",
    /// A press by the side to move, nothing moved (7.5.3).
    PressWithoutMove = "press-without-move",
    /// A pawn pressed on the last rank (7.5.2).
    UnpromotedPawn = "unpromoted-pawn",
    /// A flag is down (6.9).
    FlagFall = "flag-fall",
    /// Both flags are down (guideline III.3.1).
    BothFlags = "both-flags",
    /// The game began from a wrong position (7.2.1).
    WrongInitialPosition = "wrong-initial-position",
    /// The players sit at the wrong colours (7.3).
    ColoursReversed = "colours-reversed",
    /// One move made with two hands (7.5.4).
    TwoHands = "two-hands",
    /// Pieces were knocked over or moved out of place (7.4.1, 7.6).
    DisplacedPieces = "displaced-pieces",
    /// The clock was pressed before the move stood (6.2.4).
    PressBeforeMove = "press-before-move",
    /// A second move of one side, none of the opponent between (12.9).
    TwoMovesInARow = "two-moves-in-a-row",
    /// The clock does what no rule explains (6.10.1).
    ClockDefect = "clock-defect",
    /// The clock is set wrongly (6.10.2).
    ClockSetting = "clock-setting",
    /// Both clocks stand in a game in progress (6.11.2).
    ClockStopped = "clock-stopped",
    /// The clock stands the other way round than configured (6.5).
    ClockSide = "clock-side",
    /// Black's clock ran first (6.6).
    WrongSideStarted = "wrong-side-started",
    /// No clock runs after the scheduled start (6.6).
    LateStart = "late-start",
    /// A player may be absent past the default time (6.7).
    DefaultTime = "default-time",
    /// The board stands a quarter turn wrong (7.2.2).
    BoardTurned = "board-turned",
    /// The clock was pressed with the other hand, or hovered over (6.2.3).
    WrongHand = "wrong-hand",
    /// Five moves to show a win before the judge (Russia 1.16.7).
    FiveMoves = "five-moves",
    /// A move was never pressed (6.2.1.2).
    UnpressedMove = "unpressed-move",
    /// A press after the opponent's reply (6.2.2).
    LatePress = "late-press",
    /// A piece was adjusted while its side's clock stood (6.2.5).
    AdjustedOutOfTurn = "adjusted-out-of-turn",
    /// A move made before the player's own clock ran (Russia 1.16.2).
    MovedBeforeClock = "moved-before-clock",
    /// The clock runs again without the arbiter (6.11.3).
    ClockRestarted = "clock-restarted",
    /// The opponent's button and back, his clock not having started (Russia 1.16.4).
    LeverCheck = "lever-check",
}

impl Key {
    /// The grade of its findings; a hint or a reminder under the same key is a note.
    pub const fn grade(self) -> Grade {
        match self {
            Self::IllegalMove
            | Self::PressWithoutMove
            | Self::UnpromotedPawn
            | Self::FlagFall
            | Self::BothFlags
            | Self::WrongInitialPosition
            | Self::ColoursReversed
            | Self::TwoHands => Grade::Ruling,
            Self::DisplacedPieces
            | Self::PressBeforeMove
            | Self::TwoMovesInARow
            | Self::ClockDefect
            | Self::ClockSetting
            | Self::ClockStopped
            | Self::ClockSide
            | Self::WrongSideStarted
            | Self::LateStart
            | Self::DefaultTime
            | Self::BoardTurned
            | Self::WrongHand
            | Self::FiveMoves => Grade::Attention,
            Self::UnpressedMove
            | Self::LatePress
            | Self::AdjustedOutOfTurn
            | Self::MovedBeforeClock
            | Self::ClockRestarted
            | Self::LeverCheck => Grade::Note,
        }
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// No such key.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is no key of the rulebook; `flagfall laws` lists them")]
pub struct UnknownKey(String);

impl FromStr for Key {
    type Err = UnknownKey;

    fn from_str(s: &str) -> Result<Self, Self::Err> {
        Self::ALL.iter().copied().find(|key| key.as_str() == s).ok_or_else(|| UnknownKey(String::from(s)))
    }
}

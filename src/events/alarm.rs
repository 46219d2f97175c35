//! What the operator is called for.
use alloc::string::String;
use alloc::vec::Vec;
use serde::{Deserialize, Serialize, Serializer};

macro_rules! alarms {
    ($($(#[$doc:meta])* $name:ident = $text:tt),* $(,)?) => {
        /// Which alarm of a board.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum AlarmKey {
            $($(#[$doc])* $name,)*
        }
        impl AlarmKey {
            /// Every alarm that stands in a board's events.
            pub const ALL: &'static [Self] = &[$(Self::$name),*];
            /// As events write it.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$name => $text),* }
            }
        }
    };
}

alarms! {
    /// What was played cannot be known, and the record waits.
    Unsure = "unsure",
    /// The board says far more than a board can.
    BoardChatters = "board-chatters",
    /// A position was set that no legal play leads to.
    RecordBroken = "record-broken",
    /// A win by resignation whose winner cannot mate.
    ResignationUnwinnable = "resignation-unwinnable",
    /// Two methods gave different answers to whether a side can mate.
    SolverContradiction = "solver-contradiction",
    /// The clock tells nothing.
    ClockStale = "clock-stale",
    /// The clock is no longer there.
    ClockLost = "clock-lost",
    /// The clock's battery is low.
    BatteryLow = "battery-low",
    /// Evidence cannot be written.
    JournalFailing = "journal-failing",
    /// The last record was changed or damaged; what it holds is used as far as it can be read.
    JournalDamaged = "journal-damaged",
    /// The last record was cut off.
    JournalCut = "journal-cut",
    /// There was no record of the board here: its game was taken over from the hall or from the board itself.
    GameTakenOver = "game-taken-over",
}

/// A line of play that may be what happened.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PossibleLine {
    /// Its moves, UCI.
    pub line: Vec<String>,
    /// How likely it is, from 0 to 1.
    #[cfg_attr(feature = "openapi", schema(value_type = f64))]
    pub share: Share,
}

/// How likely something is, in ten-thousandths; written from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
#[serde(from = "f64")]
pub struct Share(pub u16);

impl From<f64> for Share {
    fn from(share: f64) -> Self {
        // A number as JSON has it; what is no share is none.
        Self((share.clamp(0.0, 1.0) * 10_000.0 + 0.5) as u16)
    }
}

impl Serialize for Share {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        out.serialize_f64(f64::from(self.0) / 10_000.0)
    }
}

/// Raised or cleared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum AlarmState {
    /// It holds.
    Raised,
    /// It is over.
    Cleared,
}

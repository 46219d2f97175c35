//! Proposed rulings.
use crate::{Colour, GameResult, SetClock};
use alloc::string::String;
use alloc::vec::Vec;
use serde::{Deserialize, Serialize};

/// A proposed ruling. Only the arbiter's ruling takes effect.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Proposal {
    /// What to do.
    pub action: Action,
    /// The position to put up.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub restore_fen: Option<String>,
    /// Both displays to set, whole seconds, and who runs.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub clock: Option<SetClock>,
    /// Other times to choose from.
    pub alternatives: Vec<Alternative>,
    /// Corrections of the clock's press counter.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub press_counter: Option<PressCounter>,
    /// Which offence of this player it is, from 1. A confirmed finding with this field counts.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub offence: Option<u32>,
    /// What the penalty or the result rests on.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub article: Option<String>,
    /// The result to declare.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub result: Option<GameResult>,
    /// Moves that the touch-move rule allows instead, UCI.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub replacement: Option<Vec<String>>,
    /// A mate by legal moves, which proves a loss, UCI.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub mate: Option<Vec<String>>,
    /// Why it is not decided whether the opponent can mate.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub undecided: Option<String>,
    /// Results to choose from, where that stays undecided: the ruling names one of them.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub results: Vec<GameResult>,
}

impl Proposal {
    /// This action and nothing else.
    pub const fn new(action: Action) -> Self {
        Self {
            action,
            restore_fen: None,
            clock: None,
            alternatives: Vec::new(),
            press_counter: None,
            offence: None,
            article: None,
            result: None,
            replacement: None,
            mate: None,
            undecided: None,
            results: Vec::new(),
        }
    }
}

/// What a ruling would do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Action {
    /// Put the pieces back to `restore_fen`.
    RestorePosition,
    /// The pawn on the last rank becomes a queen; the move stands.
    ReplaceWithQueen,
    /// The position stands; set the clocks.
    SetClock,
    /// The game is lost.
    DeclareLoss,
    /// The game is drawn.
    DeclareDraw,
    /// Remark or warning, nothing to set.
    Warn,
    /// The game is cancelled; a new one is played.
    CancelGame,
    /// The game goes on as it stands.
    Continue,
    /// Nothing is proposed.
    None,
}

/// Other times that the arbiter may choose.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Alternative {
    /// `unchanged`, `custom` (what the form starts with) or what was computed.
    pub label: String,
    /// The same in Russian.
    #[serde(skip_serializing_if = "String::is_empty", default)]
    pub label_ru: String,
    /// Both displays and who runs.
    pub clock: SetClock,
}

/// By how many presses the clock's counter is to be corrected.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PressCounter {
    /// White's.
    pub white: i32,
    /// Black's.
    pub black: i32,
}

impl PressCounter {
    /// This many for one player, none for the other.
    pub const fn of(by: Colour, presses: i32) -> Self {
        match by {
            Colour::White => Self { white: presses, black: 0 },
            Colour::Black => Self { white: 0, black: presses },
        }
    }
    /// One player's.
    pub const fn of_player(self, by: Colour) -> i32 {
        match by {
            Colour::White => self.white,
            Colour::Black => self.black,
        }
    }
    /// The correction that takes these presses back.
    pub const fn taken_back(self) -> Self {
        Self { white: self.white.saturating_neg(), black: self.black.saturating_neg() }
    }
    /// Nothing to correct.
    pub const fn is_zero(self) -> bool {
        self.white == 0 && self.black == 0
    }
}

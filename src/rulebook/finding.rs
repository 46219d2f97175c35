//! Findings and proposals, as the events of design section 6 carry them.
use super::key::{Grade, Key};
use crate::game::entry::SetClock;
use crate::game::event::{Colour, GameResult};
use crate::game::settings::Rules;
use crate::time::Mono;
use serde::{Deserialize, Serialize};

/// A sentence in both languages.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct Words {
    /// English.
    pub en: String,
    /// Russian.
    pub ru: String,
}

impl Words {
    /// Both sentences.
    pub fn new(en: impl Into<String>, ru: impl Into<String>) -> Self {
        Self { en: en.into(), ru: ru.into() }
    }
}

/// What was found, in JSON: squares, moves, times.
pub type Facts = serde_json::Map<String, serde_json::Value>;

/// A finding, as published to arbiters only.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct Finding {
    /// From 1, per board.
    pub id: u64,
    /// Its meaning.
    pub key: Key,
    /// Article of the edition in use.
    pub article: String,
    /// The edition in use.
    pub rules: Rules,
    /// The player who broke the rule, whose flag fell, who is absent or did not press; nobody for a defect, a setting, or both.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub by: Option<Colour>,
    /// How loudly it speaks.
    pub grade: Grade,
    /// One sentence.
    pub summary: Words,
    /// What was found.
    #[schema(value_type = Object)]
    pub facts: Facts,
    /// What the arbiter may confirm with one tap.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub proposal: Option<Proposal>,
    /// First and last event that it rests on.
    pub evidence: [u64; 2],
}

/// What became of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// What it rested on is gone.
    Withdrawn,
    /// Ruled as proposed.
    Confirmed,
    /// Ruled to be nothing.
    Dismissed,
    /// Ruled with other times.
    Amended,
    /// Still open; what it proposes or shows is new.
    Revised,
}

/// A change of a finding.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct FindingUpdate {
    /// Which finding.
    pub id: u64,
    /// What became of it.
    pub status: Status,
    /// Complete; replaces the earlier one.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub proposal: Option<Proposal>,
    /// Complete; replaces the earlier one (squares to put right are counted down this way).
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schema(value_type = Option<Object>)]
    pub facts: Option<Facts>,
    /// Replaces the earlier one.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub summary: Option<Words>,
}

/// What a ruling would do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, utoipa::ToSchema)]
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
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
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
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
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

/// A proposed ruling. Only the arbiter's ruling takes effect.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
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

/// A piece that was lifted (4.3).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct TouchedPiece {
    /// Who was to move.
    pub by: Colour,
    /// FEN's letter.
    pub piece: char,
    /// Where it stood.
    pub square: String,
    /// One of the mover's own.
    pub own: bool,
    /// When it left its square.
    pub lifted: Mono,
    /// When it came back.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub returned: Option<Mono>,
}

/// What may be claimed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum ClaimRule {
    /// The position stands for the third time (9.2).
    Threefold,
    /// Fifty moves without a pawn move or a capture (9.3).
    Fifty,
}

/// A draw that the player to move may claim.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct DrawClaim {
    /// Which rule.
    pub rule: ClaimRule,
    /// The ply after which the position stands.
    pub ply: u32,
    /// Who may claim: the player to move.
    pub by: Colour,
    /// Plies after which the same position stood; empty for fifty moves. 0 is the start.
    pub earlier: Vec<u32>,
}

//! One move of the record, as it is shown and with what its clock times rest on.
use crate::plies::Numbered;
use alloc::string::String;
use flagfall_events::{ClockPair, Colour, How, Mono};
use serde::Serialize;

/// One move of the record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Move {
    /// From 1 at the game's first move.
    pub ply: u32,
    /// Who moved.
    pub by: Colour,
    /// UCI.
    pub uci: String,
    /// SAN, where the move is legal.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub san: Option<String>,
    /// Legal.
    pub legal: bool,
    /// It counts (6.2.1).
    pub completed: bool,
    /// How it was completed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub how: Option<How>,
    /// Both displays after it: as they were read at the press, and the mover's as it was corrected since.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clock: Option<ClockPair>,
    /// Nobody read `clock` at the press: it is an estimate, and this is how far the mover's display may be off, milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clock_within_ms: Option<u64>,
    /// The mover's display was set, or got the next period's time, after the press; `clock` has it.
    #[serde(skip_serializing_if = "core::ops::Not::not")]
    pub clock_corrected: bool,
    /// Think time, milliseconds; where the clock is an estimate, what the display lost by it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub spent_ms: Option<u64>,
    /// FEN field 1 after it, where an arbiter set another position before it: the move does not follow from the one before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub placement: Option<String>,
    /// FEN field 1 after it, as it was made; `None` where it was read anew since.
    #[serde(skip)]
    pub(crate) stands: Option<String>,
    /// When it was completed; of a ply that was made anew, as it was before.
    #[serde(skip)]
    pub(crate) done: Option<Mono>,
    /// When it was made last.
    #[serde(skip)]
    pub(crate) made: Option<Mono>,
    /// Both displays and the think time, as they were read.
    #[serde(skip)]
    pub(crate) read: Option<ClockPair>,
    #[serde(skip)]
    pub(crate) spent_read: Option<u64>,
    /// What the mover's display was corrected by since.
    #[serde(skip)]
    pub(crate) corrected_ms: i64,
    /// How uncertain the press was.
    #[serde(skip)]
    pub(crate) doubt_ms: u64,
    /// `read` cannot be this ply's.
    #[serde(skip)]
    pub(crate) doubted: bool,
}

impl Move {
    /// What a move is from the first; the rest is not known.
    pub(crate) fn of(ply: u32, by: Colour, uci: &str, san: Option<&str>, legal: bool) -> Self {
        Self {
            ply,
            by,
            uci: uci.into(),
            san: san.map(Into::into),
            legal,
            completed: false,
            how: None,
            clock: None,
            clock_within_ms: None,
            clock_corrected: false,
            spent_ms: None,
            placement: None,
            stands: None,
            done: None,
            made: None,
            read: None,
            spent_read: None,
            corrected_ms: 0,
            doubt_ms: 0,
            doubted: false,
        }
    }

    /// SAN, where it is legal, else UCI.
    pub fn name(&self) -> &str {
        self.san.as_deref().unwrap_or(&self.uci)
    }
}

impl Numbered for Move {
    fn ply(&self) -> u32 {
        self.ply
    }
}

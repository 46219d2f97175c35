//! What is known of a board between two games.
use alloc::string::String;
use flagfall_events::Mono;
use serde::{Deserialize, Serialize};

/// A board between two games, its link up: what was published of it, nothing else. The board is asked for its pieces and its clock at once.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stands {
    /// The board's time, which goes on.
    pub t: Mono,
    /// The pieces, FEN field 1, White at the bottom.
    pub placement: String,
    /// It is scanned at half speed, as its link or what showed after presses told.
    #[serde(skip_serializing_if = "core::ops::Not::not", default)]
    pub slow: bool,
    /// A clock is there, and the game before was played without it.
    #[serde(skip_serializing_if = "core::ops::Not::not", default)]
    pub unclocked: bool,
    /// Whether its clock stood as usual beside the board in the game before, where that is known.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub usual: Option<bool>,
    /// When it will not have said too much for long enough, where it does: the alarm `board-chatters` is raised.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub chatters_until: Option<Mono>,
    /// A clock answers.
    #[serde(skip_serializing_if = "core::ops::Not::not", default)]
    pub clock: bool,
    /// When its clock was started for a game last. A scheduled start before that is that game's.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub started: Option<Mono>,
    /// Who is there, as arbiters entered it: White, Black.
    #[serde(skip_serializing_if = "nobody", default)]
    pub arrived: [bool; 2],
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde hands references")]
fn nobody(arrived: &[bool; 2]) -> bool {
    *arrived == [false; 2]
}

//! Points as a tournament report has them.
use crate::players::Player;

/// A player's points, round by round, as a report has them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scored {
    /// Who.
    pub player: Player,
    /// Round 1 first; `None`: the report does not know yet.
    pub rounds: Vec<Option<Score>>,
}

/// What one round brought a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Score {
    /// Half points.
    pub halves: u32,
    /// There was an opponent: it was no bye.
    pub game: bool,
}

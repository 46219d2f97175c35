//! What is believed of the game that is on, for people who ask why.
use crate::Game;
use flagfall_events::Mono;
pub use flagfall_hands as hands;
use hands::Snapshot;
use hands::price::Nats;

/// The estimate of the game that is on.
#[derive(Clone, Debug, PartialEq)]
pub struct Believed {
    /// So many plies of the record come before its first.
    pub before: u32,
    /// What it says.
    pub snapshot: Snapshot,
}

/// Why there is no estimate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unestimated {
    /// No game is on.
    NoGame,
    /// The game is over.
    Over,
    /// Pieces stand where no legal play puts them.
    Displaced,
    /// The link was down, and what was played meanwhile is not known yet.
    AfterGap,
    /// It begins with what the board says next.
    NotYet,
}

impl Unestimated {
    /// As JSON has it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::NoGame => "no-game",
            Self::Over => "over",
            Self::Displaced => "displaced",
            Self::AfterGap => "after-gap",
            Self::NotYet => "not-yet",
        }
    }
}

impl Game {
    /// What is believed of the game that is on.
    ///
    /// # Errors
    /// Why there is no estimate.
    pub fn believed(&self) -> Result<Believed, Unestimated> {
        let play = self.parts.recogniser.play.as_ref().ok_or(Unestimated::NoGame)?;
        if let Some(follows) = play.follows.as_ref().or_else(|| play.followed.as_ref().filter(|_| play.over)) {
            let (before, snapshot) = follows.snapshot();
            return Ok(Believed { before: u32::try_from(before).unwrap_or(u32::MAX), snapshot });
        }
        Err(if play.over {
            Unestimated::Over
        } else if self.parts.referee.in_disorder() {
            Unestimated::Displaced
        } else if self.parts.recovery.is_catching_up() {
            Unestimated::AfterGap
        } else {
            Unestimated::NotYet
        })
    }

    /// How much dearer than what is read the cheapest honest play is, 1/1024 nat; `None` without an estimate.
    pub fn honest_play_is_dearer(&self) -> Option<Nats> {
        let belief = self.parts.recogniser.play.as_ref()?.follows.as_ref()?.belief();
        Some(belief.odd.max(belief.explained))
    }

    /// When the press came that completed a ply, counted from 1, of the game that is on.
    pub fn pressed_at(&self, ply: u32) -> Option<Mono> {
        let plies = self.parts.recogniser.play.as_ref()?.record.plies();
        plies.get(usize::try_from(ply).ok()?.checked_sub(1)?)?.pressed_at
    }
}

//! A game as it was published: what another build's journal says was played.
use alloc::string::String;
use alloc::vec::Vec;
use flagfall_events::{Body, ClockPair, ClockSide, Event, GameResult, How, Mono, ResultSource};
use serde::{Deserialize, Serialize};

/// The game of a board that began last, as it was published.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Played {
    /// Its number.
    pub game: u32,
    /// The position that it began in.
    pub fen: String,
    /// Chess960.
    #[serde(skip_serializing_if = "core::ops::Not::not", default)]
    pub chess960: bool,
    /// White's side of the clock, once that was told.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub white: Option<ClockSide>,
    /// Its plies; those after the last completed one were made and may be others.
    pub plies: Vec<PlayedPly>,
    /// Positions that were set.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub set: Vec<SetPosition>,
    /// How it ended, if it has.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub ended: Option<(GameResult, ResultSource)>,
}

/// One ply.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlayedPly {
    /// UCI.
    pub uci: String,
    /// When it was completed, or made where it is not.
    pub t: Mono,
    /// How it was completed, if it was.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub how: Option<How>,
    /// Both displays at the press.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub clock: Option<ClockPair>,
}

/// A position that somebody set.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SetPosition {
    /// After so many plies.
    pub plies: usize,
    /// The position.
    pub fen: String,
}

impl Played {
    /// Takes the next event of a board into account; `played` is its last game so far.
    pub fn take(played: &mut Option<Self>, event: &Event) {
        if let (Body::GameStart { fen, chess960, .. }, Some(game)) = (&event.body, event.game) {
            *played = Some(Self { game, fen: fen.clone(), chess960: *chess960, ..Self::default() });
            return;
        }
        let Some(played) = played.as_mut().filter(|played| event.game.is_none_or(|game| game == played.game)) else { return };
        let index = |ply: u32| usize::try_from(ply).unwrap_or(usize::MAX).saturating_sub(1);
        match &event.body {
            Body::MoveMade { ply, uci, .. } => {
                played.truncate(index(*ply));
                played.plies.push(PlayedPly { uci: uci.clone(), t: event.t, how: None, clock: None });
            }
            Body::MoveRevised { ply, uci, clock, .. } => {
                if let Some(ply) = played.plies.get_mut(index(*ply)) {
                    ply.uci.clone_from(uci);
                    ply.clock = clock.or(ply.clock);
                }
            }
            Body::MoveWithdrawn { ply, .. } => played.truncate(index(*ply)),
            Body::MoveCompleted { ply, uci, how, clock, .. } => {
                if let Some(ply) = played.plies.get_mut(index(*ply)) {
                    *ply = PlayedPly { uci: uci.clone(), t: event.t, how: Some(*how), clock: *clock };
                }
            }
            Body::Sides { white, .. } => played.white = Some(*white),
            Body::Result { result, source, .. } => played.ended = (!event.reopens()).then_some((*result, *source)),
            Body::Ruling(ruling) => {
                if let Some(fen) = ruling.sets_position() {
                    played.set.push(SetPosition { plies: played.plies.len(), fen: String::from(fen) });
                } else if ruling.undone().is_some_and(|undone| undone.undid == "set-position") {
                    // Only the newest entry is undone.
                    played.set.pop();
                }
            }
            _ => {}
        }
    }

    fn truncate(&mut self, plies: usize) {
        self.plies.truncate(plies);
        self.set.retain(|set| set.plies <= plies);
    }

    /// Plies that stand: up to the last completed one.
    pub(crate) fn certain(&self) -> usize {
        self.plies.iter().rposition(|ply| ply.how.is_some()).map_or(0, |last| last + 1)
    }
}

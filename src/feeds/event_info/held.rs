//! What a list says of games that have begun, and what is therefore not followed by itself.
use super::seats::Seat;
use crate::pairings::Listed;
use crate::players::Player;

/// How far a list is followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Follow {
    /// As it comes, by itself: no game that has begun gets other players.
    Quiet,
    /// As somebody asked: games that have begun get other names, too.
    OverGames,
}

/// What the operator should know of a list that was read, for as long as it is so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Doubt {
    /// In words.
    pub text: String,
    pub(super) stands: Stands,
}

/// Until when a doubt stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stands {
    /// Until this round, which waits for results, begins.
    Waiting(u32),
    /// As long as a round is being played.
    Playing,
    /// Until a later round than this one is played, or its games are over.
    Round(u32),
}

/// A line that is not followed by itself.
#[derive(Clone, Debug, PartialEq)]
pub struct Held {
    pub(super) round: u32,
    pub(super) listed: Listed,
    /// What the list says, and what stays, with the line.
    pub text: String,
}

impl Held {
    pub(super) fn new(round: u32, seat: Option<&Seat>, listed: &Listed) -> Self {
        let wanted = pair(&listed.white, &listed.black);
        let line = listed.line;
        let text = match seat {
            Some(seat) if seat.has_begun() => {
                let plays = if seat.is_over() { "was played" } else { "is being played" };
                format!(
                    "round {round}, board {}: {} {plays} there and stays; the list has {wanted} (line {line})",
                    seat.label,
                    pair(&seat.white, &seat.black)
                )
            }
            Some(seat) => format!(
                "round {round}, board {}: {} stays meanwhile; the list has {wanted} (line {line})",
                seat.label,
                pair(&seat.white, &seat.black)
            ),
            None => format!("round {round}, board {}: {wanted} (line {line}) waits with them", listed.label),
        };
        Self { round, listed: listed.clone(), text }
    }
}

fn pair(white: &Option<Player>, black: &Option<Player>) -> String {
    let name = |player: &Option<Player>| player.as_ref().map_or_else(|| String::from("?"), Player::pgn_name);
    format!("{} - {}", name(white), name(black))
}

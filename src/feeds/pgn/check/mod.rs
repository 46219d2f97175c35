//! Whether the clock times of a PGN are there and agree with each other: anybody's PGN, read as it comes. Pure.
//!
//! | file | holds |
//! |---|---|
//! | `read.rs` | the games as far as their times go |
//! | `control.rs` | a time control, in notation or in words |
//! | `side.rs` | one player's times, move by move |
//! | `what.rs` | what contradicts what |
mod control;
mod read;
mod side;
mod what;

use control::Control;
use flagfall_events::Colour;
use read::Game;
use serde::Serialize;
use side::Side;
use std::{fmt, io};
pub use what::What;

/// What was found of one game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Checked {
    /// White's name; `?` where the file has none.
    pub white: String,
    /// Black's.
    pub black: String,
    /// The tag `Round`.
    pub round: String,
    /// Moves of the main line.
    pub plies: usize,
    /// At least one ply has a `%clk`. Of games without one nothing is missing.
    pub clock: bool,
    /// Plies without `%clk`.
    pub without_clk: Vec<At>,
    /// Plies without `%emt`.
    pub without_emt: Vec<At>,
    /// How many plies the file itself calls estimated.
    pub estimated: usize,
    /// How many plies the file itself calls corrected.
    pub corrected: usize,
    /// Times that cannot all be right.
    pub contradictions: Vec<Contradiction>,
}

impl Checked {
    /// Nothing is missing, nothing contradicts itself.
    pub const fn is_whole(&self) -> bool {
        self.without_clk.is_empty() && self.without_emt.is_empty() && self.contradictions.is_empty()
    }
}

/// A ply, as people call it and as programs count it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct At {
    /// From 1 at the game's first move.
    pub ply: u32,
    /// `23... Rxe4`.
    pub r#move: String,
}

/// Times that cannot all be right.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Contradiction {
    /// Where.
    #[serde(flatten)]
    pub at: At,
    /// What.
    #[serde(flatten)]
    pub what: What,
}

impl fmt::Display for Contradiction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.at.r#move, self.what)
    }
}

/// Checks the games of a PGN one by one; times agree where they are no more than `within` seconds apart. An error ends it: the text cannot be read.
pub fn games(text: impl io::Read, within: u32) -> impl Iterator<Item = io::Result<Checked>> {
    read::games(text).map(move |game| game.map(|game| checked(&game, i64::from(within))))
}

fn checked(game: &Game, within: i64) -> Checked {
    let clock = game.plies.iter().any(|ply| ply.clk.is_some());
    let told = game.control.as_deref().and_then(Control::read);
    let mut sides = [(); 2].map(|()| Side::new(within));
    let (mut without_clk, mut without_emt, mut contradictions) = (Vec::new(), Vec::new(), Vec::new());
    let (control, base) = match told {
        Some(control) => (Some(control), true),
        None => (side::as_played(game), false),
    };
    for (i, ply) in game.plies.iter().enumerate().take_while(|_| clock) {
        let number = u32::try_from(i).unwrap_or(u32::MAX).saturating_add(1);
        let at = || At { ply: number, r#move: name(game, i) };
        if ply.clk.is_none() {
            without_clk.push(at());
        }
        if ply.emt.is_none() {
            without_emt.push(at());
        }
        let corrected = game.corrected.contains(&number);
        if let Some(what) = sides[i % 2].take(ply, corrected, i + 1 == game.plies.len(), control.as_ref(), base) {
            contradictions.push(Contradiction { at: at(), what });
        }
    }
    Checked {
        white: game.white.clone(),
        black: game.black.clone(),
        round: game.round.clone(),
        plies: game.plies.len(),
        clock,
        without_clk,
        without_emt,
        estimated: game.estimated.len(),
        corrected: game.corrected.len(),
        contradictions,
    }
}

/// `23... Rxe4`.
fn name(game: &Game, i: usize) -> String {
    let (by, first) = game.first;
    let half = i + usize::from(by == Colour::Black);
    let number = u64::from(first) + half as u64 / 2;
    format!("{number}{} {}", if half.is_multiple_of(2) { "." } else { "..." }, game.plies[i].san)
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;

//! The game without its newest entry, beside the game with it: what is kept of the two.
use crate::told::Told;
use alloc::boxed::Box;
use alloc::vec::Vec;
use flagfall_events::{Body, Entry, Mono, UNDO_MS};

/// So many events that differ between both games are compared; more is another game.
const MOST: usize = 64;

/// An event that was said: its number, the game that it is about, what happened.
pub(crate) type Said = (u64, Option<u32>, Body);

/// The game `G` as if an entry had not been made.
#[derive(Clone, Debug)]
pub(crate) struct Beside<G> {
    /// The number of the entry's `ruling` event.
    pub(crate) ruling: u64,
    /// The last event that it said itself: what its author was answered with.
    answered: u64,
    pub(crate) entry: Entry,
    /// It can be undone until then.
    pub(crate) until: Mono,
    pub(crate) without: Box<G>,
    /// What was told but for what the entry caused.
    pub(crate) with: Told,
    /// Rows of events that the entry caused.
    pub(crate) caused: Vec<[u64; 2]>,
    /// What is said once and belongs to no state, and was not said.
    pub(crate) missed: Vec<(u32, Body)>,
    /// A game began with it.
    pub(crate) begins: bool,
    /// What was played since, and would not have been; what was not played, and would have been.
    pub(crate) played: Vec<Body>,
    pub(crate) unplayed: Vec<Body>,
    /// The game without it has asked for what stands, and nobody else has.
    pub(crate) dumps: bool,
}

impl<G> Beside<G> {
    pub(crate) fn new(now: Mono, ruling: u64, entry: Entry, without: Box<G>, with: Told) -> Self {
        Self {
            ruling,
            answered: ruling,
            entry,
            until: now + UNDO_MS,
            without,
            with,
            caused: Vec::new(),
            missed: Vec::new(),
            begins: false,
            played: Vec::new(),
            unplayed: Vec::new(),
            dumps: false,
        }
    }

    /// Whether it is the entry with this `ruling` event, or the one that was answered with this number.
    pub(crate) fn is_of(&self, number: u64) -> bool {
        number == self.ruling || number == self.answered
    }

    /// Whether it is still worth keeping.
    pub(crate) const fn is_kept(&self) -> bool {
        self.played.len() + self.unplayed.len() < MOST
    }

    /// The entry itself said this, from this number on.
    pub(crate) fn caused(&mut self, first: u64, said: &[Said]) {
        self.begins = said.iter().any(|(_, _, body)| matches!(body, Body::GameStart { .. }));
        if let Some((last, _, _)) = said.last() {
            self.answered = *last;
            self.caused.push([first, *last]);
        }
    }

    /// This event would not have been said without the entry.
    pub(crate) fn caused_one(&mut self, seq: u64) {
        match self.caused.last_mut() {
            Some([_, last]) if *last + 1 == seq => *last = seq,
            _ => self.caused.push([seq, seq]),
        }
    }

    /// Something that was played since rests on the entry.
    pub(crate) fn is_rested_on(&self) -> bool {
        let mut other = self.unplayed.iter();
        !self.played.iter().all(|body| other.any(|same| is_the_move(same, body)))
    }
}

/// The same move, press or result, perhaps with other times.
fn is_the_move(one: &Body, other: &Body) -> bool {
    match (one, other) {
        (Body::MoveMade { ply, uci, .. }, Body::MoveMade { ply: p, uci: u, .. })
        | (Body::MoveRevised { ply, uci, .. }, Body::MoveRevised { ply: p, uci: u, .. })
        | (Body::MoveWithdrawn { ply, uci }, Body::MoveWithdrawn { ply: p, uci: u })
        | (Body::MoveCompleted { ply, uci, .. }, Body::MoveCompleted { ply: p, uci: u, .. }) => (ply, uci) == (p, u),
        (Body::Result { result, .. }, Body::Result { result: r, .. }) => result == r,
        _ => one == other,
    }
}

//! A hypothesis: a line of play, how far it is pressed, and how badly it agrees with what was sensed.
use crate::bill::Bill;
use crate::habits::{How, Kind};
use crate::price::Nats;
use crate::sensed::{Image, Reading, Squares};
use crate::spot::{Spot, Step};
use alloc::sync::Arc;
use alloc::vec::Vec;
use flagfall_events::Mono;

/// Plies that are looked back on.
pub(crate) const BACK: usize = 16;

/// Where nobody presses, a piece that has stood so long was let go of, milliseconds: what is read elsewhere later was pushed there. The same time
/// completes a move that could go on.
const LET_GO: u64 = 3_500;

/// Where more squares than these are wrong, no few plies set them right.
const DISARRAY: u32 = 8;

/// A press that nobody heard.
pub(crate) const UNHEARD: u32 = u32::MAX;

/// No past: the position that the estimate began with.
pub(crate) const NOTHING: u32 = u32::MAX;

/// One ply of a line, with the plies before it.
#[derive(Clone, Debug)]
pub(crate) struct Past {
    pub(crate) before: u32,
    pub(crate) ply: u32,
    pub(crate) spot: Arc<Spot>,
    pub(crate) step: Step,
    pub(crate) how: How,
    pub(crate) at: Mono,
    /// It was pressed before.
    pub(crate) owed: bool,
    /// How many readings had come.
    pub(crate) reading: u32,
    /// Something showed it: not a piece in the air that may have taken where nothing has changed.
    pub(crate) shown: bool,
    /// Other ways to the position before it.
    pub(crate) others: Vec<Other>,
}

/// Another way to the same state.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Other {
    pub(crate) past: u32,
    /// How much dearer it is.
    pub(crate) more: Bill,
}

impl Other {
    /// How much dearer it is, in one number.
    pub(crate) const fn cost(&self) -> Nats {
        self.more.total()
    }

    /// The same beside a line that is as dear as this one.
    pub(crate) fn cheaper(&self, by: &Self) -> Self {
        Self { past: self.past, more: self.more.less(&by.more) }
    }

    /// The same, dearer by so much.
    pub(crate) fn dearer(&self, by: &Bill) -> Self {
        let mut other = *self;
        other.more.add(by);
        other
    }
}

/// Taken pieces and where they stood: they may be put down beside it.
pub(crate) type Taken = [Option<(u8, Reading)>; 4];

/// Presses of the last plies.
pub(crate) type Presses = [u32; BACK];

/// A square that does not read as a line says.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Disagreement {
    pub(crate) square: u8,
    pub(crate) kind: Kind,
    /// By which kind's prices it is paid.
    pub(crate) paid_as: Kind,
    /// Since it was read, or since the ply that says otherwise.
    pub(crate) since: Mono,
    /// What is paid for it that it began: the most that it was ever taken for since; `None`: nothing yet.
    pub(crate) paid: Option<Nats>,
}

/// A hypothesis.
#[derive(Clone, Debug)]
pub(crate) struct Line {
    pub(crate) spot: Arc<Spot>,
    /// What it has cost.
    pub(crate) bill: Bill,
    pub(crate) past: u32,
    pub(crate) plies: u32,
    /// Plies that are pressed, or owed where there are fewer plies.
    pub(crate) done: u32,
    /// Which press, counted from 0, completed each of the last plies; the place is the ply's number.
    pub(crate) presses: Presses,
    /// When its last ply came about, and which squares that changed.
    pub(crate) at: Mono,
    pub(crate) fresh: Squares,
    /// Squares that its last ply emptied and that read since as they did before.
    pub(crate) left: Squares,
    /// When a press came last for which there was no ply.
    pub(crate) owed: Mono,
    /// Squares that do not read as they should.
    pub(crate) wrong: Squares,
    /// How each of them disagrees, lowest square first: kept with whatever changes it, for it is asked for oftener than it changes.
    pub(crate) disagrees: Vec<Disagreement>,
    /// Those that plies have made so, and when.
    pub(crate) made: Vec<(u8, Mono)>,
    pub(crate) taken: Taken,
    pub(crate) others: Vec<Other>,
}

impl Line {
    /// What it has cost, less what all lines have.
    pub(crate) const fn cost(&self) -> Nats {
        self.bill.total()
    }

    /// More squares are wrong than a few plies could set right: pieces were knocked over, or are put away.
    pub(crate) const fn is_in_disarray(&self) -> bool {
        self.wrong.count_ones() > DISARRAY
    }

    /// How this square disagrees; `None`: it reads as it should.
    pub(crate) fn disagreement(&self, square: u8) -> Option<&Disagreement> {
        self.disagrees.iter().find(|one| one.square == square)
    }

    /// Since when this square does not read as it should: since it was read, or since the ply that says otherwise.
    pub(crate) fn wrong_since(&self, image: &Image, square: u8) -> Mono {
        let made = self.made.iter().find(|(of, _)| *of == square).map_or(Mono::ZERO, |(_, at)| *at);
        image.since(square).max(made)
    }

    /// Whether the piece of its last ply stood on this square so long that no hand moved it on from there. Of a first ply nobody knows whether it will be
    /// pressed.
    pub(crate) fn was_let_go(&self, image: &Image, clock: bool, square: u8) -> bool {
        !clock && self.plies > 1 && image.since(square) >= self.at + LET_GO
    }

    /// The press that completed this ply, counted from 0, as far as it is looked back on.
    pub(crate) fn press(&self, ply: u32) -> Option<u32> {
        let near = ply <= self.done && ply as usize + BACK > self.done as usize;
        near.then(|| self.presses[ply as usize % BACK]).filter(|press| *press != UNHEARD)
    }

    /// Lines that are equal in it have the same future: plies, position, presses.
    pub(crate) fn state(&self) -> (u32, u64, u32) {
        (self.plies, self.spot.key, self.done)
    }
}

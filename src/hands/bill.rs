//! What a line costs, part by part: no price can be charged without saying what for.
use crate::habits::{How, Kind};
use crate::price::Nats;

/// What a price is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// Plies, and how they came about.
    Plies,
    /// Pieces that are missing: in a hand.
    InHand,
    /// Pieces that stand where they should not.
    OutOfPlace,
    /// Presses whose ply is not there, that come after the reply, or that complete nothing.
    Presses,
    /// A ply that stands and is not pressed.
    Waiting,
    /// Plies of which the board's messages were lost.
    Lost,
    /// The clock stands the other way round than expected.
    Sides,
}

/// How many parts there are.
pub const PARTS: usize = 7;

impl Part {
    /// All of them, with their names.
    pub const ALL: [(Self, &'static str); PARTS] = [
        (Self::Plies, "plies"),
        (Self::InHand, "in-hand"),
        (Self::OutOfPlace, "out-of-place"),
        (Self::Presses, "presses"),
        (Self::Waiting, "waiting"),
        (Self::Lost, "lost"),
        (Self::Sides, "sides"),
    ];
}

impl Kind {
    /// What its price is for.
    pub(crate) const fn part(self) -> Part {
        match self {
            Self::Held | Self::HeldAlso | Self::HeldOther | Self::HeldEarly => Part::InHand,
            Self::OnWay
            | Self::Castling
            | Self::Astray
            | Self::AstrayOther
            | Self::Reply
            | Self::Nudged
            | Self::Stale
            | Self::Extra
            | Self::Parked
            | Self::Wrong
            | Self::Pawn => Part::OutOfPlace,
        }
    }
}

impl How {
    /// What the price of a ply is for that came about so.
    pub(crate) const fn part(self) -> Part {
        match self {
            Self::Lost => Part::Lost,
            Self::Seen | Self::Unseen | Self::Swapped | Self::Revised | Self::Missed => Part::Plies,
        }
    }
}

/// A sum of prices, with its parts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Bill {
    total: Nats,
    parts: [Nats; PARTS],
}

impl Bill {
    /// The sum.
    pub(crate) const fn total(&self) -> Nats {
        self.total
    }

    /// One price more.
    pub(crate) const fn charge(&mut self, part: Part, price: Nats) {
        self.total = self.total.saturating_add(price);
        let sum = &mut self.parts[part as usize];
        *sum = sum.saturating_add(price);
    }

    /// All of another one more.
    pub(crate) fn add(&mut self, other: &Self) {
        self.total = self.total.saturating_add(other.total);
        self.parts.iter_mut().zip(&other.parts).for_each(|(sum, more)| *sum = sum.saturating_add(*more));
    }

    /// By how much it is dearer than another one.
    pub(crate) fn less(&self, other: &Self) -> Self {
        let mut parts = self.parts;
        parts.iter_mut().zip(&other.parts).for_each(|(sum, less)| *sum = sum.saturating_sub(*less));
        Self { total: self.total.saturating_sub(other.total), parts }
    }
}

/// What all lines of a world have paid, for as long as a game lasts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Paid {
    total: i64,
    parts: [i64; PARTS],
}

impl Paid {
    /// The sum.
    pub(crate) const fn total(&self) -> i64 {
        self.total
    }

    /// In the order of [`Part::ALL`].
    pub(crate) const fn parts(&self) -> &[i64; PARTS] {
        &self.parts
    }

    /// One price more.
    pub(crate) fn charge(&mut self, part: Part, price: Nats) {
        let mut bill = Bill::default();
        bill.charge(part, price);
        self.add(&bill);
    }

    /// All of a bill more.
    pub(crate) fn add(&mut self, bill: &Bill) {
        self.total += i64::from(bill.total);
        self.parts.iter_mut().zip(&bill.parts).for_each(|(sum, more)| *sum += i64::from(*more));
    }

    /// The same with a bill more.
    pub(crate) fn with(mut self, bill: &Bill) -> Self {
        self.add(bill);
        self
    }
}

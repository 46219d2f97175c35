//! What the sensors say: readings of 64 squares, and since when each is so.
use crate::habits::Scan;
use dgt_protocol::square::PieceCode;
use flagfall_events::{Colour, Mono};

/// A set of chess squares, a1 = bit 0, h8 = bit 63.
pub(crate) type Squares = u64;

/// The bit of a square.
pub(crate) const fn bit(square: u8) -> Squares {
    1 << (square & 63)
}

/// Every square of a set, lowest first.
pub(crate) fn each(mut set: Squares) -> impl Iterator<Item = u8> {
    core::iter::from_fn(move || {
        (set != 0).then(|| {
            let square = set.trailing_zeros() as u8;
            set &= set - 1;
            square
        })
    })
}

/// How much a board sees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Eyes {
    /// Which piece stands on a square.
    Pieces,
    /// Whether one does.
    Occupancy,
}

/// What one square reads: 0 empty, 1 to 12 a piece in the order of the wire's codes, 13 to 15 markers. A board that only sees whether a piece is
/// there reads 1 for every piece.
pub type Reading = u8;

/// The reading of an empty square.
pub(crate) const EMPTY: Reading = 0;

impl Eyes {
    /// What such a board reads where this stands.
    pub(crate) const fn read(self, piece: PieceCode) -> Reading {
        match self {
            Self::Pieces => piece as Reading,
            Self::Occupancy => (piece as Reading != EMPTY) as Reading,
        }
    }
}

/// Whose piece this is, as far as the reading tells.
pub(crate) const fn colour(reading: Reading) -> Option<Colour> {
    match reading {
        1..=6 => Some(Colour::White),
        7..=12 => Some(Colour::Black),
        _ => None,
    }
}

/// 64 readings, a1 first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Readings(pub(crate) [Reading; 64]);

impl Readings {
    /// What a square reads.
    pub(crate) const fn at(&self, square: u8) -> Reading {
        self.0[(square & 63) as usize]
    }

    pub(crate) const fn set(&mut self, square: u8, reading: Reading) {
        self.0[(square & 63) as usize] = reading;
    }

    /// Squares that read anything but empty.
    const fn occupied(&self) -> Squares {
        let (mut set, mut square) = (0, 0);
        while square < 64 {
            set |= if self.at(square) == EMPTY { 0 } else { bit(square) };
            square += 1;
        }
        set
    }

    /// Squares where two images differ.
    pub(crate) fn differ(&self, other: &Self) -> Squares {
        let mut set = 0;
        for square in 0..64 {
            set |= Squares::from(self.0[square] != other.0[square]) << square;
        }
        set
    }
}

/// What the board reads now, and since when.
#[derive(Clone, Debug)]
pub(crate) struct Image {
    pub(crate) readings: Readings,
    /// Squares that read anything but empty.
    pub(crate) occupied: Squares,
    pub(crate) since: [Mono; 64],
    /// The shortest time between two readings of a square that were told, of so many.
    shortest: (u64, u32),
}

/// From one reading of a square to the next, until the board has shown it, milliseconds: 190 to 260 on a wire.
const SCAN: u64 = 250;
/// A pass over classic Bluetooth, milliseconds.
const SLOW_SCAN: u64 = 400;
/// A pass of the scanner that takes longer than this, with what frames wait, is a slow one's, milliseconds.
const SLOW: u64 = 350;
/// So many times in which a square changed twice tell the scan.
const TOLD: u32 = 8;
/// What the wire and frames that wait for each other add, milliseconds.
const WIRE: u64 = 40;

impl Image {
    /// An image that has stood for ever.
    pub(crate) const fn standing(readings: Readings) -> Self {
        Self { readings, occupied: readings.occupied(), since: [Mono::ZERO; 64], shortest: (u64::MAX, 0) }
    }

    /// A square was read; whether it reads something else than before.
    pub(crate) fn read(&mut self, at: Mono, square: u8, reading: Reading) -> bool {
        let changed = self.readings.at(square) != reading;
        if changed {
            let lasted = at.since(self.since(square));
            if (100..=1_000).contains(&lasted) {
                self.shortest = (self.shortest.0.min(lasted), self.shortest.1.saturating_add(1));
            }
            self.readings.set(square, reading);
            self.occupied = self.occupied & !bit(square) | if reading == EMPTY { 0 } else { bit(square) };
            self.since[(square & 63) as usize] = at;
        }
        changed
    }

    /// The board is known to be scanned at half speed.
    pub(crate) const fn is_slow(&mut self) {
        self.shortest = (SLOW_SCAN, TOLD);
    }

    /// What was read so long ago or longer has been read again, milliseconds.
    pub(crate) fn scan(&self) -> u64 {
        WIRE + if self.shortest.1 < TOLD { SCAN } else { self.shortest.0 }
    }

    /// How fast the board is scanned, as far as it has shown.
    pub(crate) fn pace(&self) -> Scan {
        if self.scan() > SLOW { Scan::Slow } else { Scan::Usual }
    }

    /// Since when a square reads what it does.
    pub(crate) const fn since(&self, square: u8) -> Mono {
        self.since[(square & 63) as usize]
    }
}

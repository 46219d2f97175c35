//! What hands do, and what it costs to believe it. The figures are in `habits.toml`, counted and reviewed; a build script makes constants of them.
use crate::price::{Curve, Nats};

/// How fast a board is scanned: what hands do shows otherwise on a slow one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scan {
    /// In 190 to 260 ms, on a wire.
    Usual,
    /// At half that speed, over classic Bluetooth.
    Slow,
}

/// How many there are.
pub const SCANS: usize = 2;

impl Scan {
    /// From a press to its ply: pressed, and the move is not there.
    pub(crate) const fn owed(self) -> Curve<'static> {
        Curve(OWED[self as usize])
    }

    /// A move stands on one that was not pressed.
    pub(crate) const fn haste(self) -> Curve<'static> {
        Curve(HASTE[self as usize])
    }

    /// A move was made and not pressed.
    pub(crate) const fn waits(self) -> Curve<'static> {
        Curve(WAITS[self as usize])
    }

    /// The piece of its player's ply before goes on, that came so long ago, milliseconds, to where it could have gone at once.
    pub(crate) fn again(self, ago: u64) -> Nats {
        AGAIN[self as usize][soon(ago)]
    }

    /// A ply was played on one that was not pressed.
    pub(crate) const fn hasty(self) -> Nats {
        HASTY[self as usize]
    }
}

/// How a square disagrees with a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// A piece of the player to move is missing.
    Held,
    /// Another piece of the player to move is missing as well, which no castling explains.
    HeldAlso,
    /// A piece of the other player is missing.
    HeldOther,
    /// The same, before he has pressed.
    HeldEarly,
    /// A piece of the player to move stands on its way to where it may go, and is missing where it was.
    OnWay,
    /// One of the pieces that castle stands where it goes, and the other one does not.
    Castling,
    /// A piece of the player to move stands anywhere else where none should, and is missing where it was.
    Astray,
    /// The same, of the other player.
    AstrayOther,
    /// The same, where it may have replied to a move that is under way.
    Reply,
    /// A piece that nobody moves stands beside its square: it was pushed.
    Nudged,
    /// What the last ply has taken away is still read there.
    Stale,
    /// A piece stands where none should.
    Extra,
    /// The same, of a taken piece beside where it was taken.
    Parked,
    /// Another piece stands there.
    Wrong,
    /// A pawn on its last rank that has become something else.
    Pawn,
}

/// How many kinds there are.
pub const KINDS: usize = 15;

/// How a ply came about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum How {
    /// Its piece stands where it goes.
    Seen,
    /// The square it goes to has become empty, or something else stands there.
    Unseen,
    /// The square it goes to has not changed.
    Swapped,
    /// Its piece stood elsewhere before, which was taken for a move.
    Revised,
    /// It was pressed, and nothing has been read where it goes.
    Missed,
    /// What the board said of it was lost.
    Lost,
}

/// How many ways there are.
pub const HOWS: usize = 6;

/// What shows of a move that was pressed and is not there yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owing {
    /// Its piece is in a hand, or still where it was.
    InHand,
    /// One of the pieces that castle stands where it goes.
    Castling,
    /// Its piece stands elsewhere, and has been read there so long, milliseconds: it has gone on since, and its player has pressed.
    Stands(u64),
}

/// Ages of a piece that stands, milliseconds, at which another price begins: finer than a scan, in which a hand goes on and presses or does not.
pub(crate) const STANDS: [u32; 11] = [0, 60, 120, 180, 240, 300, 450, 700, 1_000, 2_000, 5_000];

/// The price that an age belongs to.
pub(crate) fn standing(age: u64) -> usize {
    STANDS.iter().rposition(|from| age >= u64::from(*from)).unwrap_or(0)
}

/// Within so many milliseconds a piece goes on that its player has moved before.
pub(crate) const WITHIN: [u32; 10] = [250, 500, 750, 1_000, 1_500, 2_000, 3_000, 5_000, 10_000, u32::MAX];

/// The price that this long a time belongs to.
pub(crate) fn soon(ago: u64) -> usize {
    WITHIN.iter().position(|within| ago < u64::from(*within)).unwrap_or(WITHIN.len() - 1)
}

impl Owing {
    /// What it costs.
    pub(crate) fn price(self, scan: Scan) -> Nats {
        match self {
            Self::InHand => IN_HAND[scan as usize],
            Self::Castling => CASTLING[scan as usize],
            Self::Stands(age) => STANDING[scan as usize][standing(age)],
        }
    }
}

// Tables of `habits.toml`: ONSET, LASTS, HOW, IN_HAND, CASTLING, STANDING, AGAIN, OWED, HASTE, WAITS and single prices.
include!(concat!(env!("OUT_DIR"), "/habits.rs"));

impl Kind {
    /// All of them, with their names in the table.
    pub const ALL: [(Self, &'static str); KINDS] = [
        (Self::Held, "held"),
        (Self::HeldAlso, "held-also"),
        (Self::HeldOther, "held-other"),
        (Self::HeldEarly, "held-early"),
        (Self::OnWay, "on-way"),
        (Self::Castling, "castling"),
        (Self::Astray, "astray"),
        (Self::AstrayOther, "astray-other"),
        (Self::Reply, "reply"),
        (Self::Nudged, "nudged"),
        (Self::Stale, "stale"),
        (Self::Extra, "extra"),
        (Self::Parked, "parked"),
        (Self::Wrong, "wrong"),
        (Self::Pawn, "pawn"),
    ];

    /// What it costs that it begins, there and nowhere else.
    pub(crate) const fn onset(self, scan: Scan) -> Nats {
        ONSET[scan as usize][self as usize]
    }

    /// What it costs that it lasts.
    pub(crate) const fn lasts(self, scan: Scan) -> Curve<'static> {
        Curve(LASTS[scan as usize][self as usize])
    }
}

impl How {
    /// All of them, with their names in the table.
    pub const ALL: [(Self, &'static str); HOWS] = [
        (Self::Seen, "seen"),
        (Self::Unseen, "unseen"),
        (Self::Swapped, "swapped"),
        (Self::Revised, "revised"),
        (Self::Missed, "missed"),
        (Self::Lost, "lost"),
    ];

    /// What it costs.
    pub(crate) const fn price(self, scan: Scan) -> Nats {
        HOW[scan as usize][self as usize]
    }
}

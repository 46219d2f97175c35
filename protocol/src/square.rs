//! Wire squares and piece codes, as the board numbers them.
use core::fmt;

/// A square as the board numbers it: 0 = a8, 7 = h8, 56 = a1, 63 = h1, seen with the connector at White's left.
/// The board never renumbers; on a board turned by half, wire square `i` is chess square `63 - i`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct WireSquare(u8);

impl WireSquare {
    /// The square with this wire index; `None` above 63.
    pub const fn new(index: u8) -> Option<Self> {
        if index < 64 { Some(Self(index)) } else { None }
    }
    /// The wire index, 0..=63.
    pub const fn index(self) -> u8 {
        self.0
    }
}

/// What a field reads: the low four bits of a piece byte.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum PieceCode {
    /// 00
    #[default]
    Empty = 0x00,
    /// 01
    WhitePawn = 0x01,
    /// 02
    WhiteRook = 0x02,
    /// 03
    WhiteKnight = 0x03,
    /// 04
    WhiteBishop = 0x04,
    /// 05
    WhiteKing = 0x05,
    /// 06
    WhiteQueen = 0x06,
    /// 07
    BlackPawn = 0x07,
    /// 08
    BlackRook = 0x08,
    /// 09
    BlackKnight = 0x09,
    /// 0A
    BlackBishop = 0x0A,
    /// 0B
    BlackKing = 0x0B,
    /// 0C
    BlackQueen = 0x0C,
    /// 0D: the "draw" marker piece
    Draw = 0x0D,
    /// 0E: the "White wins" marker piece
    WhiteWins = 0x0E,
    /// 0F: the "Black wins" marker piece
    BlackWins = 0x0F,
}

/// The 64 fields of a dump, wire square 0 first.
pub type WirePlacement = [PieceCode; 64];

impl fmt::Display for WireSquare {
    /// Algebraic name with the connector at White's left.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", char::from(b'a' + self.0 % 8), 8 - self.0 / 8)
    }
}

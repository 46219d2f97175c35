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
    /// The square on this file (0 = a … 7 = h) and rank (1..=8), connector at White's left; `None` outside the board.
    pub const fn at(file: u8, rank: u8) -> Option<Self> {
        if file < 8 && rank >= 1 && rank <= 8 { Some(Self((8 - rank) * 8 + file)) } else { None }
    }
    /// All 64 squares in wire order, which is the order of a dump and of FEN: a8, b8 … h1.
    pub fn all() -> impl DoubleEndedIterator<Item = Self> + ExactSizeIterator {
        (0..64).map(Self)
    }
    /// The wire index, 0..=63.
    pub const fn index(self) -> u8 {
        self.0
    }
    /// File with the connector at White's left, 0 = a … 7 = h.
    pub const fn file(self) -> u8 {
        self.0 % 8
    }
    /// Rank with the connector at White's left, 1..=8.
    pub const fn rank(self) -> u8 {
        8 - self.0 / 8
    }
    /// The same square of a board turned by half: `63 - i`.
    #[must_use]
    pub const fn turned(self) -> Self {
        Self(63 - self.0)
    }
}

impl fmt::Display for WireSquare {
    /// Algebraic name with the connector at White's left.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", char::from(b'a' + self.file()), self.rank())
    }
}

/// What a field reads: the low four bits of a piece byte. The order is knight, bishop, king, queen.
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

/// FEN letters by code; the three markers have letters of our own.
const LETTERS: [char; 16] = ['.', 'P', 'R', 'N', 'B', 'K', 'Q', 'p', 'r', 'n', 'b', 'k', 'q', '=', '+', '-'];

impl PieceCode {
    /// All sixteen codes, in the order of their numbers.
    pub const ALL: [Self; 16] = [
        Self::Empty,
        Self::WhitePawn,
        Self::WhiteRook,
        Self::WhiteKnight,
        Self::WhiteBishop,
        Self::WhiteKing,
        Self::WhiteQueen,
        Self::BlackPawn,
        Self::BlackRook,
        Self::BlackKnight,
        Self::BlackBishop,
        Self::BlackKing,
        Self::BlackQueen,
        Self::Draw,
        Self::WhiteWins,
        Self::BlackWins,
    ];
    /// The code in the low four bits of a piece byte; the other bits are ignored.
    #[inline]
    pub const fn from_nibble(byte: u8) -> Self {
        Self::ALL[(byte & 0x0F) as usize]
    }
    /// The piece byte, 00..=0F.
    #[inline]
    pub const fn to_byte(self) -> u8 {
        self as u8
    }
    /// The piece that FEN writes with this letter: capitals are White's. `None` for any other character.
    pub fn from_fen_char(letter: char) -> Option<Self> {
        letter.is_ascii_alphabetic().then(|| LETTERS.iter().position(|&l| l == letter).map(|i| Self::ALL[i])).flatten()
    }
    /// FEN's letter; `None` for an empty field and for the three markers.
    pub fn fen_char(self) -> Option<char> {
        let letter = LETTERS[self as usize];
        letter.is_ascii_alphabetic().then_some(letter)
    }
    /// Nothing stands here.
    pub const fn is_empty(self) -> bool {
        matches!(self, Self::Empty)
    }
    /// One of White's six pieces; a marker belongs to nobody.
    pub const fn is_white(self) -> bool {
        matches!(self as u8, 0x01..=0x06)
    }
    /// One of Black's six pieces; a marker belongs to nobody.
    pub const fn is_black(self) -> bool {
        matches!(self as u8, 0x07..=0x0C)
    }
    /// 0D, 0E or 0F: a piece that announces a result. Few sets own one.
    pub const fn is_marker(self) -> bool {
        self as u8 > 0x0C
    }
}

impl fmt::Display for PieceCode {
    /// FEN's letter, `.` for an empty field; `=`, `+`, `-` for the markers draw, White wins, Black wins.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Write::write_char(f, LETTERS[*self as usize])
    }
}

/// The 64 fields of a dump, wire square 0 first.
pub type WirePlacement = [PieceCode; 64];

/// The start position with the connector at White's left: what a dump of it reads.
pub const START_PLACEMENT: WirePlacement = {
    let back: [u8; 8] = [2, 3, 4, 6, 5, 4, 3, 2];
    let mut placement = [PieceCode::Empty; 64];
    let mut file = 0;
    while file < 8 {
        placement[file] = PieceCode::from_nibble(back[file] + 6);
        placement[8 + file] = PieceCode::BlackPawn;
        placement[48 + file] = PieceCode::WhitePawn;
        placement[56 + file] = PieceCode::from_nibble(back[file]);
        file += 1;
    }
    placement
};

/// Prints a placement as FEN's first field; markers print as in [`PieceCode`]'s `Display`, which no FEN reader takes.
#[derive(Clone, Copy, Debug)]
pub struct Fen<'a>(pub &'a WirePlacement);

impl fmt::Display for Fen<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, rank) in self.0.chunks_exact(8).enumerate() {
            if number > 0 {
                f.write_str("/")?;
            }
            let mut empty = 0u8;
            for piece in rank {
                if piece.is_empty() {
                    empty += 1;
                    continue;
                }
                if empty > 0 {
                    write!(f, "{empty}")?;
                    empty = 0;
                }
                write!(f, "{piece}")?;
            }
            if empty > 0 {
                write!(f, "{empty}")?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;

    #[test]
    fn squares_are_numbered_from_a8_to_h1() {
        for (index, name) in [(0, "a8"), (7, "h8"), (8, "a7"), (0x24, "e4"), (0x34, "e2"), (56, "a1"), (63, "h1")] {
            assert_eq!(WireSquare::new(index).unwrap().to_string(), name);
        }
        assert_eq!(WireSquare::new(64), None);
        assert_eq!(WireSquare::at(8, 1), None);
        assert_eq!(WireSquare::at(0, 0), None);
        for square in WireSquare::all() {
            assert_eq!(WireSquare::at(square.file(), square.rank()), Some(square));
            assert_eq!(square.turned().index(), 63 - square.index());
        }
    }

    #[test]
    fn letters_lead_back_to_their_codes() {
        for (number, piece) in PieceCode::ALL.into_iter().enumerate() {
            assert_eq!(piece.to_byte() as usize, number);
            assert_eq!(PieceCode::from_nibble(0xF0 | piece.to_byte()), piece);
            assert_eq!(piece.fen_char().and_then(PieceCode::from_fen_char), (1..=12).contains(&number).then_some(piece));
        }
        assert_eq!(PieceCode::from_fen_char('='), None);
    }

    #[test]
    fn the_start_position_prints_as_fen() {
        assert_eq!(Fen(&START_PLACEMENT).to_string(), "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR");
    }
}

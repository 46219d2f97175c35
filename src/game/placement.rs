//! 64 squares as sensed, what changed and when.
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::Write as _;
use dgt_protocol::square::PieceCode;
use flagfall_events::{Colour, Mono};
pub(crate) use flagfall_hands::code;
use shakmaty::{Board, Piece, Role, Square};

/// A set of chess squares, a1 = bit 0, h8 = bit 63.
pub(crate) type Squares = u64;

/// The bit of one square.
pub(crate) const fn bit(square: usize) -> Squares {
    1 << square
}

/// Every square of a set, lowest first.
pub(crate) fn each(mut set: Squares) -> impl Iterator<Item = usize> {
    core::iter::from_fn(move || {
        (set != 0).then(|| {
            let square = set.trailing_zeros() as usize;
            set &= set - 1;
            square
        })
    })
}

/// What stands on each chess square (a1 = 0, h8 = 63), in the board's piece codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Placement(pub(crate) [PieceCode; 64]);

impl Placement {
    pub(crate) const EMPTY: Self = Self([PieceCode::Empty; 64]);

    pub(crate) fn of(board: &Board) -> Self {
        let mut placement = Self::EMPTY;
        for (square, piece) in board.clone() {
            placement.0[square.to_usize()] = code(piece);
        }
        placement
    }

    /// The same squares as a board without piece identities reads them.
    pub(crate) fn occupancy(&self) -> Self {
        Self(self.0.map(blind))
    }

    /// Squares where the two differ.
    pub(crate) fn diff(&self, other: &Self) -> Squares {
        (0..64).filter(|&i| self.0[i] != other.0[i]).fold(0, |set, i| set | bit(i))
    }

    /// As a shakmaty board; marker pieces are left out.
    pub(crate) fn board(&self) -> Board {
        let mut board = Board::empty();
        for (i, &code) in self.0.iter().enumerate() {
            if let Some(piece) = piece(code) {
                board.set_piece_at(Square::new(u32::try_from(i).unwrap_or(0)), piece);
            }
        }
        board
    }

    /// Where a piece stands; the first square if there are several.
    pub(crate) fn find(&self, code: PieceCode) -> Option<usize> {
        self.0.iter().position(|&c| c == code)
    }

    /// FEN field 1, White at the bottom; a piece that cannot be named is left out.
    pub(crate) fn fen(&self) -> String {
        let mut out = String::with_capacity(40);
        for rank in (0..8).rev() {
            let mut empty = 0;
            for file in 0..8 {
                match piece(self.0[rank * 8 + file]) {
                    Some(piece) => {
                        if empty > 0 {
                            let _ = write!(out, "{empty}");
                            empty = 0;
                        }
                        out.push(piece.char());
                    }
                    None => empty += 1,
                }
            }
            if empty > 0 {
                let _ = write!(out, "{empty}");
            }
            if rank > 0 {
                out.push('/');
            }
        }
        out
    }
}

/// How a board without piece identities reads this piece.
pub(crate) const fn blind(code: PieceCode) -> PieceCode {
    match code {
        PieceCode::Empty => PieceCode::Empty,
        _ => PieceCode::WhitePawn,
    }
}

/// The piece of a code; `None` for an empty field and for the marker pieces.
pub(crate) const fn piece(code: PieceCode) -> Option<Piece> {
    let (color, role) = match code {
        PieceCode::WhitePawn => (shakmaty::Color::White, Role::Pawn),
        PieceCode::WhiteRook => (shakmaty::Color::White, Role::Rook),
        PieceCode::WhiteKnight => (shakmaty::Color::White, Role::Knight),
        PieceCode::WhiteBishop => (shakmaty::Color::White, Role::Bishop),
        PieceCode::WhiteKing => (shakmaty::Color::White, Role::King),
        PieceCode::WhiteQueen => (shakmaty::Color::White, Role::Queen),
        PieceCode::BlackPawn => (shakmaty::Color::Black, Role::Pawn),
        PieceCode::BlackRook => (shakmaty::Color::Black, Role::Rook),
        PieceCode::BlackKnight => (shakmaty::Color::Black, Role::Knight),
        PieceCode::BlackBishop => (shakmaty::Color::Black, Role::Bishop),
        PieceCode::BlackKing => (shakmaty::Color::Black, Role::King),
        PieceCode::BlackQueen => (shakmaty::Color::Black, Role::Queen),
        _ => return None,
    };
    Some(Piece { color, role })
}

/// shakmaty's colour in our vocabulary.
pub(crate) const fn colour(color: shakmaty::Color) -> Colour {
    match color {
        shakmaty::Color::White => Colour::White,
        shakmaty::Color::Black => Colour::Black,
    }
}

/// One change of one square.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Change {
    pub(crate) at: Mono,
    pub(crate) square: usize,
    pub(crate) was: PieceCode,
    pub(crate) now: PieceCode,
}

/// The image of the board, in chess squares, with the recent changes.
#[derive(Clone, Debug)]
pub(crate) struct Image {
    /// What recognition looks at.
    placement: Placement,
    /// What the board reads.
    read: Placement,
    /// Squares known to stand wrong: while they read what they do, the pieces count that should stand there.
    aside: Squares,
    changes: Vec<Change>,
    /// Which of the changes each square had: bit 0 is the oldest.
    of_square: [u64; 64],
    changed_at: [Mono; 64],
    last_change: Mono,
}

/// Changes kept at most; more than any move needs, and a bound on memory when pieces are swept off the board.
const CHANGES_KEPT: usize = u64::BITS as usize;

impl Image {
    pub(crate) fn new(placement: Placement) -> Self {
        let changed_at = [Mono::ZERO; 64];
        Self { placement, read: placement, aside: 0, changes: Vec::new(), of_square: [0; 64], changed_at, last_change: Mono::ZERO }
    }

    /// Another picture, which nobody saw come about; what was set aside and reads as before stays aside.
    pub(crate) fn renewed(&self, read: Placement) -> Self {
        let mut image = Self::new(read);
        let known = each(self.aside).filter(|&i| read.0[i] == self.read.0[i]).fold(0, |set, i| set | bit(i));
        image.set_aside(known, &self.placement);
        image
    }

    /// What counts: what the board reads, squares that are known to stand wrong set right.
    pub(crate) const fn placement(&self) -> &Placement {
        &self.placement
    }

    /// What the board reads, right or wrong.
    pub(crate) const fn as_read(&self) -> &Placement {
        &self.read
    }

    /// Squares that stand wrong and are not looked at while they do.
    pub(crate) const fn aside(&self) -> Squares {
        self.aside
    }

    /// These squares stand wrong: until they read something else, what should stand there counts.
    pub(crate) fn set_aside(&mut self, squares: Squares, should: &Placement) {
        for square in each(squares) {
            self.placement.0[square] = should.0[square];
        }
        self.aside |= squares;
        self.forget(|change| squares & bit(change.square) == 0);
    }

    /// Nothing is set aside any more: another position should stand.
    pub(crate) const fn look_at_all(&mut self) {
        (self.placement, self.aside) = (self.read, 0);
    }

    /// One square now reads `now`; false when it did already.
    pub(crate) fn update(&mut self, at: Mono, square: usize, now: PieceCode) -> bool {
        if self.read.0[square] == now {
            return false;
        }
        self.read.0[square] = now;
        self.aside &= !bit(square);
        let was = self.placement.0[square];
        if was == now {
            return true;
        }
        self.placement.0[square] = now;
        self.changed_at[square] = at;
        self.last_change = at;
        if self.changes.len() == CHANGES_KEPT {
            self.changes.drain(..CHANGES_KEPT / 2);
            self.of_square = self.of_square.map(|of| of >> (CHANGES_KEPT / 2));
        }
        self.of_square[square] |= bit(self.changes.len());
        self.changes.push(Change { at, square, was, now });
        true
    }

    /// When any square changed last.
    pub(crate) const fn last_change(&self) -> Mono {
        self.last_change
    }

    /// When one of these squares changed last.
    pub(crate) fn last_change_of(&self, squares: Squares) -> Mono {
        each(squares).map(|i| self.changed_at[i]).max().unwrap_or(Mono::ZERO)
    }

    /// Changes not yet forgotten, oldest first.
    pub(crate) fn changes(&self) -> &[Change] {
        &self.changes
    }

    /// Those of one square, oldest first.
    pub(crate) fn changes_of(&self, square: usize) -> impl DoubleEndedIterator<Item = &Change> {
        Bits(self.of_square[square]).map(|i| &self.changes[i])
    }

    /// Squares among the changes not yet forgotten.
    pub(crate) fn touched(&self) -> Squares {
        self.changes.iter().fold(0, |set, c| set | bit(c.square))
    }

    /// Keeps the changes that `keep` says, in order.
    pub(crate) fn forget(&mut self, keep: impl FnMut(&Change) -> bool) {
        self.changes.retain(keep);
        self.of_square = [0; 64];
        for (index, change) in self.changes.iter().enumerate() {
            self.of_square[change.square] |= bit(index);
        }
    }
}

/// The set bits of a word, from either end.
struct Bits(u64);

impl Iterator for Bits {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        let lowest = (self.0 != 0).then(|| self.0.trailing_zeros() as usize)?;
        self.0 &= self.0 - 1;
        Some(lowest)
    }
}

impl DoubleEndedIterator for Bits {
    fn next_back(&mut self) -> Option<usize> {
        let highest = (self.0 != 0).then(|| self.0.ilog2() as usize)?;
        self.0 &= !bit(highest);
        Some(highest)
    }
}

/// Squares that are not empty.
pub(crate) fn occupied(placement: &Placement) -> Squares {
    (0..64).filter(|&i| placement.0[i] != PieceCode::Empty).fold(0, |set, i| set | bit(i))
}

/// 7.6: two pieces stand on each other's squares, and nothing else differs.
pub(crate) fn is_exchanged(expected: &Placement, image: &Image) -> bool {
    let sensed = image.placement();
    let mut wrong = each(expected.diff(sensed));
    let (Some(a), Some(b), None) = (wrong.next(), wrong.next(), wrong.next()) else { return false };
    let stands = |s: usize| piece(expected.0[s]).is_some();
    stands(a) && stands(b) && sensed.0[a] == expected.0[b] && sensed.0[b] == expected.0[a]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_start_position_goes_there_and_back() {
        let start = Placement::of(&Board::new());
        assert_eq!(start.fen(), "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR");
        assert_eq!(start.board(), Board::new());
        assert_eq!(start.diff(&start.occupancy()).count_ones(), 24);
    }

    #[test]
    fn what_is_set_aside_counts_as_right_until_it_reads_something_else() {
        let start = Placement::of(&Board::new());
        let (h2, h3, at) = (15, 23, Mono::from_millis(1));
        let mut image = Image::new(start);
        image.update(at, h2, PieceCode::Empty);
        image.update(at, h3, PieceCode::WhitePawn);
        image.set_aside(bit(h2) | bit(h3), &start);
        assert!(*image.placement() == start && *image.as_read() != start && image.changes().is_empty());
        assert_eq!(image.renewed(*image.as_read()).aside(), bit(h2) | bit(h3), "a new dump of the same changes nothing");
        // Put right square by square: nothing of it looks like a move.
        assert!(image.update(at, h3, PieceCode::Empty) && image.update(at, h2, PieceCode::WhitePawn));
        assert!(*image.placement() == start && *image.as_read() == start && image.aside() == 0 && image.changes().is_empty());
    }

    #[test]
    fn the_changes_of_a_square_are_those_among_all() {
        let mut image = Image::new(Placement::of(&Board::new()));
        let pieces = [PieceCode::Empty, PieceCode::WhiteRook, PieceCode::BlackPawn];
        for i in 0..300_usize {
            image.update(Mono::from_millis(i as u64), i * i % 61 % 7, pieces[i % 3]);
            if i % 50 == 49 {
                image.forget(|change| change.square != 2 && change.at.millis() % 5 != 0);
            }
            for square in 0..64 {
                let of = |c: &&Change| c.square == square;
                let at = |c: &Change| c.at;
                assert!(image.changes_of(square).map(at).eq(image.changes().iter().filter(of).map(at)), "{i} {square}");
                assert!(image.changes_of(square).rev().map(at).eq(image.changes().iter().rev().filter(of).map(at)), "{i} {square}");
            }
        }
    }
}

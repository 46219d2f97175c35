//! Which way round the board stands: wire squares to chess squares, and start positions seen from every side.
use crate::placement::Placement;
use alloc::vec::Vec;
use dgt_protocol::square::{PieceCode, WireSquare};
use flagfall_hands::position::Position;
use shakmaty::FromSetup;
use shakmaty::{Board, CastlingMode, Chess, Color, Rank, Role, Setup, Square};

/// How the board stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) enum Turn {
    /// Connector at White's left.
    #[default]
    None,
    /// Turned by half: connector at White's right.
    Half,
    /// Turned by a quarter, White's pieces along the wire's h file (7.2.2).
    QuarterLeft,
    /// Turned by a quarter, White's pieces along the wire's a file (7.2.2).
    QuarterRight,
}

impl Turn {
    const ALL: [Self; 4] = [Self::None, Self::Half, Self::QuarterLeft, Self::QuarterRight];

    /// The other way round.
    pub(crate) const fn opposite(self) -> Self {
        match self {
            Self::None => Self::Half,
            Self::Half => Self::None,
            Self::QuarterLeft => Self::QuarterRight,
            Self::QuarterRight => Self::QuarterLeft,
        }
    }

    /// The chess square of a wire square.
    pub(crate) const fn square(self, wire: WireSquare) -> usize {
        let (file, rank) = (wire.index() as usize % 8, 7 - wire.index() as usize / 8);
        match self {
            Self::None => rank * 8 + file,
            Self::Half => (7 - rank) * 8 + (7 - file),
            Self::QuarterLeft => (7 - file) * 8 + rank,
            Self::QuarterRight => file * 8 + (7 - rank),
        }
    }

    /// A whole wire image in chess squares.
    pub(crate) fn placement(self, wire: &[PieceCode; 64]) -> Placement {
        let mut placement = Placement::EMPTY;
        for i in 0..64u8 {
            if let Some(square) = WireSquare::new(i) {
                placement.0[self.square(square)] = wire[i as usize];
            }
        }
        placement
    }
}

/// A start position that was found on the board.
#[derive(Clone, Debug)]
pub(crate) struct Found {
    pub(crate) turn: Turn,
    pub(crate) position: Position,
    pub(crate) chess960: bool,
}

/// Pieces of the usual start position, and of those of Chess960.
pub(crate) const PIECES: usize = 32;

/// The start position asked for, the usual one or one of Chess960, whichever way the board stands.
pub(crate) fn find_start(wire: &[PieceCode; 64], agreed: Option<&(Position, bool)>, blind: bool) -> Option<Found> {
    let pieces = || wire.iter().filter(|code| **code != PieceCode::Empty).count();
    if agreed.is_none() && pieces() != PIECES {
        return None;
    }
    Turn::ALL.into_iter().find_map(|turn| {
        let placement = turn.placement(wire);
        let looks_like = |position: &Position| {
            let wanted = Placement::of(position.board());
            placement == if blind { wanted.occupancy() } else { wanted }
        };
        if let Some((position, chess960)) = agreed {
            let quarter = matches!(turn, Turn::QuarterLeft | Turn::QuarterRight);
            return (!quarter && looks_like(position)).then(|| Found { turn, position: position.clone(), chess960: *chess960 });
        }
        if looks_like(&Position::default()) {
            return Some(Found { turn, position: Position::default(), chess960: false });
        }
        if blind {
            return None;
        }
        chess960_start(&placement).map(|position| Found { turn, position, chess960: true })
    })
}

/// The Chess960 start position that stands here, if it is one.
fn chess960_start(placement: &Placement) -> Option<Position> {
    let board = placement.board();
    if board.occupied().count() != PIECES {
        return None;
    }
    let pawns = |color: Color, rank: Rank| (board.by_color(color) & board.by_role(Role::Pawn)) == shakmaty::Bitboard::from_rank(rank);
    if !pawns(Color::White, Rank::Second) || !pawns(Color::Black, Rank::Seventh) {
        return None;
    }
    let back = |rank: Rank, color: Color| -> Option<Vec<Role>> {
        (0..8u32)
            .map(|f| board.piece_at(Square::from_coords(shakmaty::File::new(f), rank)).filter(|p| p.color == color).map(|p| p.role))
            .collect()
    };
    let white = back(Rank::First, Color::White)?;
    if back(Rank::Eighth, Color::Black)? != white {
        return None;
    }
    let at = |role: Role| white.iter().enumerate().filter(move |(_, r)| **r == role).map(|(i, _)| i).collect::<Vec<_>>();
    let (kings, rooks, bishops) = (at(Role::King), at(Role::Rook), at(Role::Bishop));
    let proper = kings.len() == 1
        && rooks.len() == 2
        && bishops.len() == 2
        && at(Role::Queen).len() == 1
        && rooks[0] < kings[0]
        && kings[0] < rooks[1]
        && bishops[0] % 2 != bishops[1] % 2;
    proper.then(|| from_board(board)).flatten()
}

fn from_board(board: Board) -> Option<Position> {
    let rooks = board.by_role(Role::Rook);
    let setup = Setup { board, castling_rights: rooks, ..Setup::empty() };
    Chess::from_setup(setup, CastlingMode::Chess960).ok().map(Position::Legal)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wire_of(turn: Turn, position: &Position) -> [PieceCode; 64] {
        let placement = Placement::of(position.board());
        let mut wire = [PieceCode::Empty; 64];
        for i in 0..64u8 {
            wire[i as usize] = placement.0[turn.square(WireSquare::new(i).unwrap())];
        }
        wire
    }

    #[test]
    fn the_start_position_is_found_whichever_way_the_board_stands() {
        for turn in Turn::ALL {
            let found = find_start(&wire_of(turn, &Position::default()), None, false).unwrap();
            assert_eq!((found.turn, found.chess960), (turn, false));
        }
    }

    #[test]
    fn the_real_dump_of_an_unturned_board_is_a8_first() {
        assert_eq!(Turn::None.square(WireSquare::new(0).unwrap()), 56);
        assert_eq!(Turn::None.square(WireSquare::new(52).unwrap()), 12);
        assert_eq!(Turn::Half.square(WireSquare::new(63).unwrap()), 56);
    }

    #[test]
    fn a_chess960_start_is_found_and_a_wrong_one_is_not() {
        let fen: shakmaty::fen::Fen = "bqnbrkrn/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKRN w GEge - 0 1".parse().unwrap();
        let position = Position::Legal(fen.into_position(CastlingMode::Chess960).unwrap());
        let found = find_start(&wire_of(Turn::Half, &position), None, false).unwrap();
        assert!(found.chess960 && found.turn == Turn::Half);
        let swapped = Placement::of(&"rbnqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR".parse::<shakmaty::fen::Fen>().unwrap().as_setup().board);
        assert!(chess960_start(&swapped).is_none());
    }
}

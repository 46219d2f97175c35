//! A position that the game stands in: legal chess, or what illegal play left on the board (A.5.2: it may stand, and play goes on from it).
use alloc::boxed::Box;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use flagfall_events::Colour;
use shakmaty::FromSetup;
use shakmaty::fen::Fen;
use shakmaty::{
    Bitboard, Board, Castles, CastlingMode, CastlingSide, Chess, Color, EnPassantMode, Move, Piece, Position as _, PositionError, Rank,
    Role, Setup, Square, attacks,
};

/// A position with its side to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Position {
    /// Legal chess.
    Legal(Chess),
    /// Something else that stands: the player who is not to move in check, a pawn on its last rank, a king missing.
    Stands(Box<Setup>),
}

impl From<Chess> for Position {
    fn from(chess: Chess) -> Self {
        Self::Legal(chess)
    }
}

impl Default for Position {
    fn default() -> Self {
        Self::Legal(Chess::default())
    }
}

impl Position {
    /// Legal chess where it is; material that no game can have and checks that cannot have come about are no reason against it.
    pub fn of_setup(setup: Setup) -> Self {
        let mode = CastlingMode::detect(&setup);
        let legal = Chess::from_setup(setup.clone(), mode)
            .or_else(PositionError::ignore_invalid_castling_rights)
            .or_else(PositionError::ignore_invalid_ep_square)
            .or_else(PositionError::ignore_too_much_material)
            .or_else(PositionError::ignore_impossible_check);
        legal.map_or_else(|_| Self::Stands(Box::new(setup)), Self::Legal)
    }

    /// Who is to move.
    pub fn turn(&self) -> Colour {
        if self.color().is_white() { Colour::White } else { Colour::Black }
    }

    fn color(&self) -> Color {
        match self {
            Self::Legal(chess) => chess.turn(),
            Self::Stands(setup) => setup.turn,
        }
    }

    /// Where the pieces stand.
    pub fn board(&self) -> &Board {
        match self {
            Self::Legal(chess) => chess.board(),
            Self::Stands(setup) => &setup.board,
        }
    }

    /// The position if it is legal chess.
    pub const fn legal(&self) -> Option<&Chess> {
        match self {
            Self::Legal(chess) => Some(chess),
            Self::Stands(_) => None,
        }
    }

    /// Rooks that may still castle.
    pub fn castling_rights(&self) -> Bitboard {
        match self {
            Self::Legal(chess) => chess.castles().castling_rights(),
            Self::Stands(setup) => setup.castling_rights,
        }
    }

    /// The square where a pawn may be taken in passing.
    pub fn passant(&self) -> Option<Square> {
        match self {
            Self::Legal(chess) => chess.ep_square(EnPassantMode::Legal),
            Self::Stands(setup) => setup.ep_square,
        }
    }

    /// The whole position as a setup.
    pub fn setup(&self) -> Setup {
        match self {
            Self::Legal(chess) => chess.to_setup(EnPassantMode::Legal),
            Self::Stands(setup) => (**setup).clone(),
        }
    }

    /// FEN, with the en passant square only where the capture is legal.
    pub fn fen(&self) -> String {
        Fen::try_from_setup(self.setup()).map_or_else(|_| self.board().to_string(), |fen| fen.to_string())
    }

    /// The same position with the other player to move.
    pub fn with_turn(&self, turn: Colour) -> Self {
        let mut setup = self.setup();
        let turn = if turn == Colour::White { Color::White } else { Color::Black };
        if setup.turn != turn {
            setup.turn = turn;
            setup.ep_square = None;
        }
        Self::of_setup(setup)
    }

    /// Moves that obey Article 3 for the side to move. Where the position is not legal chess the same rules apply to what stands: no piece
    /// passes another, nobody takes a king, and nobody leaves his own king where it can be taken.
    pub fn legal_moves(&self) -> Vec<Move> {
        match self {
            Self::Legal(chess) => chess.legal_moves().into_iter().collect(),
            Self::Stands(setup) => pseudo_legal(setup).into_iter().filter(|mv| is_safe(setup, *mv)).collect(),
        }
    }

    /// Whether the player to move is in check.
    pub fn is_check(&self) -> bool {
        let (board, us) = (self.board(), self.color());
        is_attacked(board, board.by_piece(Piece { color: us, role: Role::King }), us.other())
    }

    /// The position after a move that is among [`Self::legal_moves`].
    pub fn played(&self, mv: Move) -> Self {
        match self {
            Self::Legal(chess) => {
                let mut next = chess.clone();
                next.play_unchecked(mv);
                Self::Legal(next)
            }
            Self::Stands(_) => self.forced(mv),
        }
    }

    /// The position after any move, legal or not: the pieces are put where it puts them, and the other player is to move.
    pub fn forced(&self, mv: Move) -> Self {
        let mut setup = self.setup();
        let us = setup.turn;
        setup.board = moved(&setup.board, us, mv);
        let quiet = setup.board.occupied().count() == self.board().occupied().count() && mv.role() != Role::Pawn;
        setup.halfmoves = if quiet { setup.halfmoves.saturating_add(1) } else { 0 };
        if us == Color::Black {
            setup.fullmoves = setup.fullmoves.saturating_add(1);
        }
        setup.turn = us.other();
        setup.ep_square = match mv {
            Move::Normal { role: Role::Pawn, from, to, .. }
                if from.file() == to.file()
                    && from.rank() == us.relative_rank(Rank::Second)
                    && to.rank() == us.relative_rank(Rank::Fourth) =>
            {
                Some(Square::from_coords(from.file(), us.relative_rank(Rank::Third)))
            }
            _ => None,
        };
        setup.castling_rights = rights_left(self.board(), &setup);
        Self::of_setup(setup)
    }
}

/// Castling rights of rooks that still stand where they stood, as their king does.
fn rights_left(before: &Board, setup: &Setup) -> Bitboard {
    let stays = |color: Color| {
        let king = |board: &Board| board.by_piece(Piece { color, role: Role::King });
        let rooks = setup.board.by_piece(Piece { color, role: Role::Rook });
        if king(before) == king(&setup.board) { rooks } else { Bitboard::EMPTY }
    };
    setup.castling_rights & (stays(Color::White) | stays(Color::Black))
}

/// Where the pieces stand after a move of `us`, legal or not.
fn moved(board: &Board, us: Color, mv: Move) -> Board {
    let mut board = board.clone();
    let color = mv.from().and_then(|from| board.color_at(from)).unwrap_or(us);
    match mv {
        Move::Normal { role, from, to, promotion, .. } => {
            board.discard_piece_at(from);
            board.set_piece_at(to, Piece { color, role: promotion.unwrap_or(role) });
        }
        Move::EnPassant { from, to } => {
            board.discard_piece_at(from);
            board.discard_piece_at(Square::from_coords(to.file(), from.rank()));
            board.set_piece_at(to, Piece { color, role: Role::Pawn });
        }
        Move::Castle { king, rook } => {
            let side = CastlingSide::from_king_side(rook > king);
            board.discard_piece_at(king);
            board.discard_piece_at(rook);
            board.set_piece_at(Square::from_coords(side.king_to_file(), king.rank()), Piece { color, role: Role::King });
            board.set_piece_at(Square::from_coords(side.rook_to_file(), king.rank()), Piece { color, role: Role::Rook });
        }
        Move::Put { .. } => {}
    }
    board
}

/// Whether a man of `by` attacks one of these squares.
pub fn is_attacked(board: &Board, squares: Bitboard, by: Color) -> bool {
    squares.into_iter().any(|square| board.attacks_to(square, by, board.occupied()).any())
}

/// Whether the mover's own king stands safe after a move.
fn is_safe(setup: &Setup, mv: Move) -> bool {
    let board = moved(&setup.board, setup.turn, mv);
    let king = board.by_piece(Piece { color: setup.turn, role: Role::King });
    !is_attacked(&board, king, setup.turn.other())
}

fn pseudo_legal(setup: &Setup) -> Vec<Move> {
    let (board, us) = (&setup.board, setup.turn);
    let king = board.by_piece(Piece { color: us.other(), role: Role::King });
    let mut moves = Vec::new();
    for from in board.by_color(us) {
        let Some(piece) = board.piece_at(from) else { continue };
        let targets = if piece.role == Role::Pawn {
            pushes(board, us, from) | (attacks::pawn_attacks(us, from) & board.by_color(us.other()))
        } else {
            attacks::attacks(from, piece, board.occupied()) & !board.by_color(us)
        };
        for to in targets & !king {
            let normal = |promotion| Move::Normal { role: piece.role, from, capture: board.role_at(to), to, promotion };
            if piece.role == Role::Pawn && to.rank() == us.relative_rank(Rank::Eighth) {
                moves.extend([Role::Queen, Role::Rook, Role::Bishop, Role::Knight].map(|role| normal(Some(role))));
            } else {
                moves.push(normal(None));
            }
        }
        if piece.role == Role::Pawn
            && let Some(to) = setup.ep_square.filter(|to| attacks::pawn_attacks(us, from).contains(*to) && board.piece_at(*to).is_none())
        {
            moves.push(Move::EnPassant { from, to });
        }
    }
    moves.extend(castlings(setup));
    moves
}

/// Squares that a pawn may go to straight ahead.
fn pushes(board: &Board, us: Color, from: Square) -> Bitboard {
    let step = if us == Color::White { 8 } else { -8 };
    let free = |square: Square| square.offset(step).filter(|to| board.piece_at(*to).is_none());
    let one = free(from);
    let two = one.filter(|_| from.rank() == us.relative_rank(Rank::Second)).and_then(free);
    one.into_iter().chain(two).collect()
}

fn castlings(setup: &Setup) -> Vec<Move> {
    let (board, us) = (&setup.board, setup.turn);
    let Some(king) = board.king_of(us) else { return Vec::new() };
    let mode = CastlingMode::detect(setup);
    let castles = Castles::from_setup(setup, mode).unwrap_or_else(|waived| waived);
    let free = |side: CastlingSide| {
        let rook = castles.rook(us, side)?;
        let king_to = side.king_to(us);
        let crossed = attacks::between(king, king_to).with(king).with(king_to);
        let passes = (castles.path(us, side) & board.occupied()).is_empty() && !is_attacked(board, crossed, us.other());
        passes.then_some(Move::Castle { king, rook })
    };
    CastlingSide::ALL.into_iter().filter_map(free).collect()
}

/// A position from FEN, whether it is legal chess or only stands; castling rights that only Chess960 knows make it Chess960.
pub fn position_of(fen: &str) -> Option<(Position, bool)> {
    let setup = fen.parse::<Fen>().ok()?.into_setup();
    let chess960 = CastlingMode::detect(&setup) == CastlingMode::Chess960;
    Some((Position::of_setup(setup), chess960))
}

/// A position without two kings, one of each side, is no position of a game.
pub fn has_two_kings(position: &Position) -> bool {
    let kings = |color: Color| position.board().by_piece(Piece { color, role: Role::King }).count();
    kings(Color::White) == 1 && kings(Color::Black) == 1
}

/// What was agreed to stand at the start.
pub fn agreed_start(start_fen: Option<&str>) -> Position {
    start_fen.and_then(position_of).map(|(position, _)| position).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn position(fen: &str) -> Position {
        Position::of_setup(fen.parse::<Fen>().unwrap().into_setup())
    }

    fn ucis(position: &Position) -> Vec<String> {
        position.legal_moves().into_iter().map(|m| m.to_uci(CastlingMode::Standard).to_string()).collect()
    }

    /// What stands is moved by the same rules as legal chess: both generators agree where both can be asked.
    #[test]
    fn moves_of_what_stands_are_those_of_legal_chess() {
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
            "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
            "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
            "r3k2r/8/8/8/4r3/8/8/R3K2R w KQkq - 0 1",
        ] {
            let legal = position(fen);
            let stands = Position::Stands(Box::new(legal.setup()));
            let (mut a, mut b) = (ucis(&legal), ucis(&stands));
            a.sort();
            b.sort();
            assert_eq!(a, b, "{fen}");
            for mv in legal.legal_moves() {
                assert_eq!(legal.played(mv).fen(), legal.forced(mv).fen(), "{fen} {mv:?}");
            }
        }
    }

    #[test]
    fn a_player_may_move_although_the_other_king_could_be_taken() {
        // White left his king in check of the rook, and Black is to move.
        let stands = position("4r1k1/8/8/8/8/8/3P4/4K3 b - - 0 1");
        assert!(stands.legal().is_none());
        assert!(!ucis(&stands).contains(&String::from("e8e1")));
        assert!(ucis(&stands).contains(&String::from("e8e2")));
        let next = stands.played(stands.legal_moves().into_iter().find(|m| m.to() == Square::A8).unwrap());
        assert!(next.legal().is_some(), "the check is gone: legal chess again");
    }

    #[test]
    fn a_board_without_kings_is_no_reason_to_stop() {
        let stands = position("8/P7/8/8/8/8/p7/8 w - - 0 1");
        assert_eq!(ucis(&stands).len(), 4);
    }
}

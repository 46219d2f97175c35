//! Positions as they are written by arbiters and journals, and moves on them.
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use shakmaty::fen::Fen;
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, EnPassantMode, FromSetup as _, PositionError};

/// A position as it was set or begun with; what is not quite legal chess as well, as far as it can be played on from.
pub(crate) fn position(fen: &str, chess960: bool) -> Option<Chess> {
    let setup = Fen::from_ascii(fen.as_bytes()).ok()?.into_setup();
    let mode = if chess960 { CastlingMode::Chess960 } else { CastlingMode::detect(&setup) };
    Chess::from_setup(setup, mode)
        .or_else(PositionError::ignore_invalid_castling_rights)
        .or_else(PositionError::ignore_invalid_ep_square)
        .or_else(PositionError::ignore_too_much_material)
        .or_else(PositionError::ignore_impossible_check)
        .ok()
}

/// Whether a position has the pieces and the side to move that a FEN names.
pub(crate) fn is_at(position: &Chess, fen: &str) -> bool {
    let written = written(position);
    let head = |fen: &str| fen.split(' ').take(2).map(String::from).collect::<Vec<_>>();
    head(&written) == head(fen)
}

/// A position as FEN.
pub(crate) fn written(position: &Chess) -> String {
    Fen::from_position(position, EnPassantMode::Legal).to_string()
}

/// The legal move that UCI names.
pub(crate) fn find(position: &Chess, uci: &str) -> Option<shakmaty::Move> {
    uci.parse::<UciMove>().ok()?.to_move(position).ok()
}

/// FEN field 1.
pub(crate) fn placement_of(fen: &str) -> String {
    fen.split(' ').next().unwrap_or_default().into()
}

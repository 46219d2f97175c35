//! Notes and hints that need no ruling: late presses, unpressed moves, pieces adjusted out of turn, second moves.
use super::Game;
use super::event::Colour;
use crate::time::Mono;

impl Game {
    /// 6.2.5: a piece of this player was lifted and put back while his clock stood.
    pub(super) fn adjusted_out_of_turn(&mut self, _by: Colour, _square: usize, _lifted: Mono) {}

    /// 12.9: a second move of one side, none of the opponent between.
    pub(super) fn two_moves_in_a_row(&mut self, _by: Colour, _uci: String, _fen: String) {}

    /// The second move was taken back.
    pub(super) fn second_move_is_gone(&mut self) {}
}

//! The game that was played: when each ply came to stand, what speaks against it, and where it was quiet.
use super::line::{Placement, Touches, placement};
use super::readings::Board;
use super::{CLOCK_DELAY_MS, Game, Seen};
use shakmaty::{Chess, Move, Position as _, uci::UciMove};

/// The game, ply by ply; the index of a position is the number of plies before it. Times are microseconds.
#[derive(Debug)]
pub(super) struct Played {
    pub(super) positions: Vec<Chess>,
    pub(super) moves: Vec<Move>,
    pub(super) placements: Vec<Placement>,
    pub(super) touches: Vec<Touches>,
    /// Since when each position stands.
    pub(super) stood: Vec<u64>,
    /// When a hand was first read that makes the next ply.
    pub(super) left: Vec<u64>,
    /// When a press was shown, by the ply it completes.
    pub(super) pressed: Vec<(usize, u64)>,
    end: u64,
}

impl Played {
    pub(super) fn new(game: &Game<'_>, board: &Board) -> Self {
        let mut positions = vec![game.start.clone()];
        let (mut moves, mut touches, mut stood) = (Vec::new(), Vec::new(), vec![game.began * 1000]);
        let mut placements = vec![placement(game.start, game.identified)];
        for (index, ply) in game.plies.iter().enumerate() {
            let mut position = positions[index].clone();
            let uci: UciMove = ply.uci.parse().unwrap_or_else(|e| panic!("{}: {e}", ply.uci));
            let m = uci.to_move(&position).unwrap_or_else(|e| panic!("ply {} {}: {e}", index + 1, ply.uci));
            let touched = Touches::of(position.turn(), m, game.identified);
            position.play_unchecked(m);
            let now = touched.after(&placements[index]);
            debug_assert_eq!(now, placement(&position, game.identified), "{m:?}");
            // Where nobody knows, it stands since its last square first read so.
            let before = stood[index];
            let read = || touched.squares().filter_map(|(q, is)| board.first_is(q, before, is)).max().unwrap_or(before);
            stood.push(ply.stood.map_or_else(read, |t| t * 1000).max(before));
            positions.push(position);
            placements.push(now);
            touches.push(touched);
            moves.push(m);
        }
        let end = (game.until * 1000).max(stood[moves.len()]);
        let mut played = Self { positions, moves, placements, touches, stood, left: Vec::new(), pressed: presses(game), end };
        played.left = (0..played.placements.len()).map(|k| played.leaves(k, board)).collect();
        played
    }

    pub(super) fn plies(&self) -> usize {
        self.moves.len()
    }

    fn leaves(&self, k: usize, board: &Board) -> u64 {
        let Some(next) = self.touches.get(k) else { return self.end };
        let (from, to) = (self.stood[k], self.stood[k + 1]);
        next.squares().filter_map(|(q, _)| board.first_other(q, from, to, self.placements[k][q])).min().unwrap_or(to)
    }

    /// Every square was read while the position stood and no hand had come; so for the start and the end anyway.
    pub(super) fn is_quiet(&self, k: usize, board: &Board) -> bool {
        k == 0 || k == self.plies() || self.left[k] >= self.stood[k] + board.period
    }

    /// The squares that were read as the position says, while it was quiet.
    pub(super) fn confirmed(&self, k: usize, board: &Board) -> u64 {
        let (from, to) = (self.stood[k], self.left[k]);
        let passes = [(from, to.min(from + board.period)), (from.max(to.saturating_sub(board.period)), to)];
        let confirmed =
            |q: &usize| passes.iter().any(|(from, to)| board.reads(*q, *from, *to, 0).any(|(_, is)| is == self.placements[k][*q]));
        (0..64).filter(confirmed).fold(0, |squares, q| squares | 1 << q)
    }

    /// The reading speaks against the game itself.
    pub(super) fn contradicts(&self, square: usize, t: u64, piece: u8) -> bool {
        let k = self.stood.partition_point(|stood| *stood <= t).max(1) - 1;
        let makes = || self.touches.get(k).is_some_and(|next| next.shows(square, piece));
        self.placements[k][square] != piece && !makes()
    }
}

/// The plies whose press was shown, and when.
fn presses(game: &Game<'_>) -> Vec<(usize, u64)> {
    let mut pressed = Vec::new();
    let (mut by, mut next) = (game.start.turn(), 0);
    for (index, ply) in game.plies.iter().enumerate() {
        if let Some(at) = ply.pressed {
            let shown = (next..game.seen.len()).find(|i| game.seen[*i].0 >= at && game.seen[*i].1 == Seen::Press(by));
            if let Some(i) = shown.filter(|i| game.seen[*i].0 <= at + CLOCK_DELAY_MS) {
                pressed.push((index + 1, game.seen[i].0 * 1000));
                next = i + 1;
            }
        }
        by = by.other();
    }
    pressed
}

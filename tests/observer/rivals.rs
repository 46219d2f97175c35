//! The search for another line that is as good as the game that was played.
use super::line::{Placement, Touches, placement};
use super::moments::Evidence;
use super::played::Played;
use super::readings::Board;
use super::{Game, NODES, Observed, RIVALS, Verdict};
use shakmaty::{Chess, Color, Move, Position as _};
use std::collections::HashSet;

/// A line that is as good so far and goes on from another position, or has come by another way.
#[derive(Clone, Debug)]
struct Rival {
    position: Chess,
    /// From the first ply that is another one.
    moves: Vec<Move>,
    /// The ply before that.
    since: usize,
}

/// From one quiet moment to the next.
struct Window<'a> {
    played: &'a Played,
    identified: bool,
    promotions_known: bool,
    /// Positions at its ends.
    ends: (usize, usize),
    /// The squares that must read as the game says at its end.
    confirmed: u64,
    evidence: Evidence,
    nodes: usize,
}

pub(super) fn search(game: &Game<'_>, board: &Board, played: &Played) -> Observed {
    let quiet: Vec<usize> = (0..=played.plies()).filter(|k| played.is_quiet(*k, board)).collect();
    let mut observed = Observed { verdict: Verdict::Determined, hurried: played.plies() + 1 - quiet.len(), cut: 0, strange: 0 };
    let mut rivals: Vec<Rival> = Vec::new();
    for ends in quiet.windows(2).map(|ends| (ends[0], ends[1])) {
        let mut window = Window::new(game, board, played, ends);
        let mut found = Vec::new();
        observed.strange += usize::from(!window.explains_itself());
        let itself = Rival { position: played.positions[ends.0].clone(), moves: Vec::new(), since: ends.0 };
        let starts = std::iter::once(itself).chain(rivals);
        for start in starts {
            window.lines(&start, &mut found);
        }
        observed.cut += usize::from(window.nodes >= NODES) + usize::from(found.len() > RIVALS);
        found.truncate(RIVALS);
        // One that stands where the game does is as good to the end.
        if let Some(same) = found.iter().find(|rival| rival.position == played.positions[ends.1]) {
            observed.verdict = same.told(game);
            return observed;
        }
        rivals = found;
    }
    if let Some(rival) = rivals.first() {
        observed.verdict = rival.told(game);
    }
    observed
}

impl Rival {
    fn told(&self, game: &Game<'_>) -> Verdict {
        let mut other: Vec<String> = self.moves.iter().map(|m| m.to_uci(game.mode).to_string()).collect();
        while other.last().is_some_and(|last| *last == game.plies[self.since + other.len() - 1].uci) {
            other.pop();
        }
        Verdict::Undetermined { other, from_ply: self.since + 1 }
    }
}

impl<'a> Window<'a> {
    fn new(game: &Game<'_>, board: &Board, played: &'a Played, ends: (usize, usize)) -> Self {
        let from = played.left[ends.0].saturating_sub(board.period).max(played.stood[ends.0]);
        let to = played.left[ends.1].min(played.stood[ends.1] + board.period);
        let evidence = Evidence::new(board, played, ends, (from, to));
        Self {
            played,
            identified: game.identified,
            promotions_known: game.promotions_known,
            ends,
            confirmed: played.confirmed(ends.1, board),
            evidence,
            nodes: 0,
        }
    }

    /// The game itself keeps the rules that other lines must keep.
    fn explains_itself(&self) -> bool {
        let (a, b) = self.ends;
        self.evidence.is_explained(self.ends, self.played, &self.played.touches[a..b], &self.played.placements[a..=b])
    }

    /// All lines from here to the window's end that are as good.
    fn lines(&mut self, start: &Rival, found: &mut Vec<Rival>) {
        let known: HashSet<Chess> = found.iter().map(|rival| rival.position.clone()).collect();
        let mut walk =
            Walk { start, moves: Vec::new(), touches: Vec::new(), placements: vec![placement(&start.position, self.identified)] };
        let mut found_here = (known, found);
        self.descend(&start.position, &mut walk, &mut found_here);
    }

    fn descend(&mut self, position: &Chess, walk: &mut Walk<'_>, found: &mut (HashSet<Chess>, &mut Vec<Rival>)) {
        let rest = self.ends.1 - self.ends.0 - walk.moves.len();
        if rest == 0 {
            let itself = walk.start.moves.is_empty() && walk.moves[..] == self.played.moves[self.ends.0..self.ends.1];
            if !itself
                && found.1.len() <= RIVALS
                && !found.0.contains(position)
                && self.evidence.is_explained(self.ends, self.played, &walk.touches, &walk.placements)
            {
                found.0.insert(position.clone());
                found.1.push(walk.rival(position, self));
            }
            return;
        }
        let before = walk.placements[walk.moves.len()];
        for m in position.legal_moves() {
            if self.nodes >= NODES {
                return;
            }
            self.nodes += 1;
            if self.promotions_known && is_other_promotion(m, self.played.moves[self.ends.0 + walk.moves.len()]) {
                continue;
            }
            let touches = Touches::of(position.turn(), m, self.identified);
            let after = touches.after(&before);
            if !self.may_reach(position, m, &after, rest - 1) {
                continue;
            }
            let mut next = position.clone();
            next.play_unchecked(m);
            walk.moves.push(m);
            walk.touches.push(touches);
            walk.placements.push(after);
            self.descend(&next, walk, found);
            walk.moves.pop();
            walk.touches.pop();
            walk.placements.pop();
        }
    }

    /// So many plies can at most lead from here to what is read at the window's end: a ply puts one piece of its side where it must stand,
    /// castling two; it leaves one square, castling and taking in passing two.
    fn may_reach(&self, before: &Chess, m: Move, squares: &Placement, rest: usize) -> bool {
        let end = &self.played.placements[self.ends.1];
        let wrong = (0..64).filter(|q| self.confirmed >> q & 1 == 1 && squares[*q] != end[*q]);
        let (mut white, mut black, mut left) = (0, 0, 0);
        for q in wrong {
            match end[q] {
                0 => left += 1,
                1..=6 => white += 1,
                _ => black += 1,
            }
        }
        let castles = |by: Color| usize::from(rest > 0 && before.castles().has_color(by));
        let mover = rest / 2;
        let passes = if rest > 1 || m.role() == shakmaty::Role::Pawn { rest } else { 0 };
        let both = castles(Color::White) + castles(Color::Black);
        if left > rest + passes + both {
            return false;
        }
        if !self.identified {
            return white <= rest + both;
        }
        let (next, last) = if before.turn().is_white() { (black, white) } else { (white, black) };
        next <= rest - mover + castles(before.turn().other()) && last <= mover + castles(before.turn())
    }
}

/// A line on its way.
struct Walk<'a> {
    start: &'a Rival,
    moves: Vec<Move>,
    touches: Vec<Touches>,
    placements: Vec<Placement>,
}

impl Walk<'_> {
    fn rival(&self, position: &Chess, window: &Window<'_>) -> Rival {
        let mut rival = self.start.clone();
        let mut moves = &self.moves[..];
        if rival.moves.is_empty() {
            let same = moves.iter().zip(&window.played.moves[rival.since..]).take_while(|(a, b)| a == b).count();
            rival.since += same;
            moves = &moves[same..];
        }
        rival.moves.extend(moves);
        rival.position = position.clone();
        rival
    }
}

/// The same ply, but for the piece that the pawn becomes.
fn is_other_promotion(m: Move, played: Move) -> bool {
    m.from() == played.from() && m.to() == played.to() && m.promotion() != played.promotion()
}

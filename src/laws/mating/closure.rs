//! Closure: visit every position that legal play can reach, and find no mate.
//!
//! It ends, because there are finitely many positions and each is expanded once. It proves, because when nothing waits any more every legal
//! continuation is in the set, except below positions where the material can never mate. A full set or stack is no answer.
use super::answer::{Answer, Proof, Why, Winner, mated_by};
use super::packed::Packed;
use super::table::{Inserted, Key, Table};
use super::{facts, line};
use alloc::vec::Vec;
use shakmaty::{Chess, Move, Position as _, Role, Square};

/// How much memory a closure may use; it is taken as it is needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Slots of the set, rounded up to a power of two; fifteen sixteenths are used. 16 bytes each, 40 in the exact one, and a quarter of that for moving them.
    pub slots: usize,
    /// Positions that may wait at once, 40 bytes each.
    pub waiting: usize,
    /// Another order of moves for each value but 0; no answer may depend on it.
    pub order: u64,
}

impl Default for Limits {
    /// 20 MiB and 20 MiB: more than twice what any question known from a real game needs.
    fn default() -> Self {
        Self { slots: 1 << 20, waiting: 1 << 19, order: 0 }
    }
}

/// How far a closure is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Progress {
    /// Positions still wait.
    Running,
    /// All were visited, and none is such a mate.
    Closed {
        /// How many, the first included.
        positions: u64,
    },
    /// A mate stands at the end of these moves, which may wander over thousands.
    Mate(Vec<Move>),
    /// The set or the stack is full.
    Full {
        /// How many positions were in the set.
        positions: u64,
    },
}

impl Progress {
    /// The answer for the question's position, if it has ended; to make a mating line short may take longer than to find it.
    pub fn answer(&self, root: &Chess) -> Option<Answer> {
        match self {
            Self::Running => None,
            Self::Closed { positions } => Some(Answer::Unwinnable { proof: Proof::Closure, positions: *positions }),
            Self::Mate(moves) => Some(Answer::Winnable { line: line::uci(root, &line::shortened(root, moves)) }),
            Self::Full { .. } => Some(Answer::Undecided { why: Why::TooManyPositions }),
        }
    }
}

/// A position that waits to be expanded, with the move that led to it and its distance from the first one.
#[derive(Clone, Copy, Debug)]
struct Waiting {
    planes: [u64; 4],
    depth: u32,
    mv: u16,
    black_to_move: bool,
}

/// A search over every reachable position, in slices; used for another question, it keeps the memory that it has.
#[derive(Debug)]
pub struct Closure<K> {
    seen: Table<K>,
    waiting: Vec<Waiting>,
    most_waiting: usize,
    /// The moves from the first position to the one expanded last.
    path: Vec<u16>,
    root: Chess,
    winner: Winner,
    order: u64,
    ended: Option<Progress>,
    /// The successors of the position that is being expanded.
    next: Vec<(K, Move)>,
}

impl<K: Key> Closure<K> {
    /// One that was asked nothing yet.
    pub fn new(limits: Limits) -> Self {
        Self {
            seen: Table::new(limits.slots),
            waiting: Vec::new(),
            most_waiting: limits.waiting.max(1),
            path: Vec::new(),
            root: Chess::default(),
            winner: Winner::Either,
            order: limits.order,
            ended: Some(Progress::Closed { positions: 0 }),
            next: Vec::with_capacity(256),
        }
    }

    /// Begins with a question; what was before is forgotten.
    pub fn start(&mut self, root: &Chess, winner: Winner) {
        self.seen.clear();
        self.waiting.clear();
        self.path.clear();
        self.ended = None;
        self.winner = winner;
        self.root = root.clone();
        self.seen.insert(K::of(root));
        let Packed { planes, black_to_move } = Packed::of(root);
        self.waiting.push(Waiting { planes, depth: 0, mv: 0, black_to_move });
    }

    /// How many positions are in the set.
    pub const fn positions(&self) -> u64 {
        self.seen.len() as u64
    }

    /// Expands at most `positions` positions. Between two calls the caller looks at the clock and whether anybody still wants to know.
    pub fn run(&mut self, positions: u32) -> Progress {
        for _ in 0..positions {
            if self.ended.is_none() {
                self.ended = self.expand();
            }
            if let Some(ended) = &self.ended {
                return ended.clone();
            }
        }
        Progress::Running
    }

    /// Expands one position.
    fn expand(&mut self) -> Option<Progress> {
        let positions = self.positions();
        let Some(taken) = self.waiting.pop() else { return Some(Progress::Closed { positions }) };
        if let Some(before) = taken.depth.checked_sub(1) {
            self.path.truncate(before as usize);
            self.path.push(taken.mv);
        }
        let packed = Packed { planes: taken.planes, black_to_move: taken.black_to_move };
        // What was packed by us can be unpacked; if ever not, nothing is proved.
        let Some(position) = packed.position() else { return Some(Progress::Full { positions }) };
        let mut moves = position.legal_moves();
        if moves.is_empty() {
            let mate = mated_by(&position).is_some_and(|color| self.winner.is(color));
            return mate.then(|| Progress::Mate(self.line()));
        }
        if facts::material_cannot_mate(&position, self.winner) {
            return None;
        }
        self.shuffle(&mut moves);
        let after = |m| {
            let mut next = position.clone();
            next.play_unchecked(m);
            next
        };
        self.next.clear();
        self.next.extend(moves.iter().map(|&m| (K::of(&after(m)), m)));
        // Most are known. Looking for all of them at once lets the processor wait for memory once.
        self.seen.leave_unknown(&mut self.next);
        for i in 0..self.next.len() {
            let (key, m) = self.next[i];
            match self.seen.insert(key) {
                Inserted::Known => {}
                Inserted::New if self.waiting.len() < self.most_waiting => {
                    let Packed { planes, black_to_move } = Packed::of(&after(m));
                    self.waiting.push(Waiting { planes, depth: taken.depth + 1, mv: pack(m), black_to_move });
                }
                Inserted::New | Inserted::Full => return Some(Progress::Full { positions: self.positions() }),
            }
        }
        None
    }

    /// The moves of `path`, from the first position.
    fn line(&self) -> Vec<Move> {
        let mut position = self.root.clone();
        let mut line = Vec::with_capacity(self.path.len());
        for &packed in &self.path {
            // The moves were generated here before: one of them it is.
            let Some(m) = position.legal_moves().into_iter().find(|m| pack(*m) == packed) else { break };
            position.play_unchecked(m);
            line.push(m);
        }
        line
    }

    fn shuffle(&mut self, moves: &mut [Move]) {
        if self.order == 0 {
            return;
        }
        for i in (1..moves.len()).rev() {
            self.order ^= self.order << 13;
            self.order ^= self.order >> 7;
            self.order ^= self.order << 17;
            moves.swap(i, (self.order % (i as u64 + 1)) as usize);
        }
    }
}

/// A move in 15 bits: from, to (castling: to the rook), promotion.
fn pack(m: Move) -> u16 {
    let from = m.from().map_or(0, Square::to_usize);
    let promotion = m.promotion().map_or(0, |role| Role::ALL.iter().position(|r| *r == role).unwrap_or_default());
    (from | m.to().to_usize() << 6 | promotion << 12) as u16
}

#[cfg(test)]
mod tests {
    use super::super::{Exact, Quick, close, position};
    use super::*;

    fn small() -> Limits {
        Limits { slots: 1 << 14, waiting: 1 << 12, order: 0 }
    }

    #[test]
    fn a_wall_of_pawns_closes_with_the_same_count_in_both_sets() {
        let root = position("4k3/8/8/p1p1p1p1/P1P1P1P1/8/8/4K3 w - - 0 1", false).unwrap();
        let mut quick = Quick::new(small());
        for winner in [Winner::White, Winner::Black, Winner::Either] {
            let answer = close(&mut quick, &root, winner);
            assert!(matches!(answer, Answer::Unwinnable { proof: Proof::Closure, positions } if positions > 500), "{answer:?}");
            assert_eq!(close(&mut Exact::new(small()), &root, winner), answer);
        }
    }

    #[test]
    fn slices_end_where_one_run_ends() {
        let root = position("4k3/8/8/p1p1p1p1/P1P1P1P1/8/8/4K3 w - - 0 1", false).unwrap();
        let mut closure = Quick::new(small());
        let whole = close(&mut closure, &root, Winner::Either);
        closure.start(&root, Winner::Either);
        let mut slices = 0;
        let answer = loop {
            slices += 1;
            if let Some(answer) = closure.run(7).answer(&root) {
                break answer;
            }
        };
        assert_eq!(answer, whole);
        assert!(slices > 50);
    }

    #[test]
    fn a_mate_that_is_found_is_a_short_line_that_replays() {
        let root = position("4k3/R7/8/8/8/8/8/4K3 w - - 0 1", false).unwrap();
        let Answer::Winnable { line } = close(&mut Quick::new(Limits::default()), &root, Winner::White) else { panic!("a rook mates") };
        assert!(line::replayed(&root, &line, Winner::White).is_some());
    }

    #[test]
    fn a_full_set_and_a_full_stack_prove_nothing() {
        let root = position("4k3/8/8/p1p1p1p1/P1P1P1P1/8/8/4K3 w - - 0 1", false).unwrap();
        for limits in [Limits { slots: 64, ..small() }, Limits { waiting: 2, ..small() }] {
            assert_eq!(close(&mut Quick::new(limits), &root, Winner::White), Answer::Undecided { why: Why::TooManyPositions });
        }
    }
}

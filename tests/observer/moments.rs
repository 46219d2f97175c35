//! Whether moments can be chosen at which a line's plies came to stand, so that it explains what the game explains.
use super::line::{Placement, Touches};
use super::played::Played;
use super::readings::{Board, GUESSES};
use super::{CLOCK_DELAY_MS, HAND_MS};

/// What must be explained between two moments, in the order of time, for each guess of what is not known.
pub(super) struct Evidence(Vec<Vec<(u64, Piece)>>);

/// A piece of evidence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Piece {
    /// So many plies stand at least.
    AtLeast(usize),
    /// A square read this.
    Reads { square: u8, is: u8 },
    /// So many plies stand at most.
    AtMost(usize),
    /// No evidence, but a moment that matters.
    Nothing,
}

/// Microseconds.
const HAND: u64 = HAND_MS * 1000;

impl Evidence {
    /// What does not speak against the game itself, and the presses.
    pub(super) fn new(board: &Board, played: &Played, ends: (usize, usize), time: (u64, u64)) -> Self {
        let guesses = if board.has_unknown() { GUESSES } else { 1 };
        Self((0..guesses).map(|guess| gather(board, played, ends, time, guess)).collect())
    }

    /// Whether these plies explain it, from what stood before the first to what stands after the last of them.
    pub(super) fn is_explained(&self, ends: (usize, usize), played: &Played, touches: &[Touches], placements: &[Placement]) -> bool {
        // What both lines leave alone reads alike in both.
        let mut concerns: u64 = 0;
        for touches in touches.iter().chain(&played.touches[ends.0..ends.1]) {
            touches.squares().for_each(|(q, _)| concerns |= 1 << q);
        }
        (0..64).filter(|q| placements[0][*q] != played.placements[ends.0][*q]).for_each(|q| concerns |= 1 << q);
        self.0.iter().any(|all| {
            let concerned = |piece: &Piece| !matches!(piece, Piece::Reads { square, .. } if concerns >> square & 1 == 0);
            let mut all: Vec<(u64, Piece)> = all.iter().copied().filter(|(_, piece)| concerned(piece)).collect();
            // What stood a hand's time before and after a reading is asked as well.
            let reads = all.clone();
            let reads = reads.iter().filter(|(_, piece)| matches!(piece, Piece::Reads { .. }));
            all.extend(reads.flat_map(|(t, _)| [(t.saturating_sub(HAND), Piece::Nothing), (t + HAND - 1, Piece::Nothing)]));
            all.sort_unstable();
            Choice { all, first: ends.0, touches, placements }.exists()
        })
    }
}

/// A line and what it must explain.
struct Choice<'a> {
    all: Vec<(u64, Piece)>,
    /// Plies that stand before it.
    first: usize,
    touches: &'a [Touches],
    placements: &'a [Placement],
}

impl Choice<'_> {
    /// As few plies as possible stand at each moment, so that whatever needs more of them can still have it; where a hand would have to be
    /// too fast, more must stand earlier, until nothing changes.
    fn exists(&self) -> bool {
        let mut least = vec![0; self.all.len()];
        let mut stand = vec![0; self.all.len()];
        loop {
            let mut now = 0;
            for (i, (_, piece)) in self.all.iter().enumerate() {
                match self.stands(now.max(least[i]), *piece) {
                    Some(stands) => now = stands,
                    None => return false,
                }
                stand[i] = now;
            }
            let mut raised = false;
            for (i, (t, piece)) in self.all.iter().enumerate() {
                let Piece::Reads { square, is } = *piece else { continue };
                let (q, now) = (usize::from(square), stand[i]);
                if self.placements[now][q] != is {
                    // A hand makes the next ply: the same player's last one has stood for a while.
                    let from = self.all.partition_point(|other| other.0 + HAND < *t);
                    if stand[from] + 1 < now {
                        least[from] = now - 1;
                        raised = true;
                    }
                } else if let Some(leaves) = (now..self.touches.len()).find(|k| self.touches[*k].leaves() == Some(q)).filter(|_| is != 0) {
                    // It stands here and will leave: it is not elsewhere at once.
                    let last = self.all.partition_point(|other| other.0 < *t + HAND) - 1;
                    if stand[last] > leaves {
                        least[i] = leaves + 1;
                        raised = true;
                    }
                }
            }
            if !raised {
                return true;
            }
        }
    }

    /// How many plies stand then, `now` or more.
    fn stands(&self, now: usize, piece: Piece) -> Option<usize> {
        match piece {
            Piece::Nothing => Some(now),
            Piece::AtLeast(k) => Some(now.max(k - self.first)),
            Piece::AtMost(k) => (now + self.first <= k).then_some(now),
            Piece::Reads { square, is } => {
                let q = usize::from(square);
                let explains = |k: &usize| self.placements[*k][q] == is || self.touches.get(*k).is_some_and(|next| next.shows(q, is));
                (now..self.placements.len()).find(explains)
            }
        }
    }
}

fn gather(board: &Board, played: &Played, ends: (usize, usize), (from, to): (u64, u64), guess: u64) -> Vec<(u64, Piece)> {
    let mut all = Vec::new();
    for q in 0..64 {
        let square = q as u8;
        let counts = |(t, is): &(u64, u8)| !played.contradicts(q, *t, *is);
        all.extend(board.reads(q, from, to, guess).filter(counts).map(|(t, is)| (t, Piece::Reads { square, is })));
    }
    for (k, shown) in &played.pressed {
        let at_least = shown.saturating_sub(HAND);
        if (ends.0..=ends.1).contains(k) && at_least < to {
            all.push((at_least, Piece::AtLeast(*k)));
        }
        let not_before = shown.saturating_sub(CLOCK_DELAY_MS * 1000);
        if (ends.0..ends.1).contains(&(k + 1)) && played.stood[k + 2] > not_before {
            all.push((not_before, Piece::AtMost(k + 1)));
        }
    }
    all
}

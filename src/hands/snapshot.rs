//! All that is believed at one moment, for people who ask why.
use crate::bill::{Bill, PARTS};
use crate::estimator::{Estimator, Press};
use crate::habits::Kind;
use crate::lead::Lead;
use crate::line::{BACK, Line};
use crate::position::Position;
use crate::price::Nats;
use crate::sensed::{Eyes, Reading};
use crate::world::{KEEP, World};
use alloc::vec::Vec;
use flagfall_events::Mono;
use shakmaty::Move;

/// A square that does not read as a hypothesis has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Odd {
    /// a1 = 0.
    pub square: u8,
    /// How it disagrees.
    pub kind: Kind,
    /// What it reads.
    pub is: Reading,
    /// What it should read.
    pub should: Reading,
}

/// One line of play that may be what happened.
#[derive(Clone, Debug, PartialEq)]
pub struct Hypothesis {
    /// White's side of the clock.
    pub white: Press,
    /// Its moves since the estimate began.
    pub moves: Vec<Move>,
    /// So many of its plies are pressed; more than there are where a pressed move is not seen.
    pub pressed: u32,
    /// What it has cost since the estimate began, 1/1024 nat.
    pub cost: i64,
    /// The same by part, in the order of [`crate::Part::ALL`]; their sum is the cost.
    pub parts: [i64; PARTS],
    /// Squares that do not read as they should.
    pub odd: Vec<Odd>,
}

/// All that is believed at one moment.
#[derive(Clone, Debug, PartialEq)]
pub struct Snapshot {
    /// When.
    pub at: Mono,
    /// How much the board sees.
    pub eyes: Eyes,
    /// The position that the estimate began with.
    pub start: Position,
    /// Everything that could still be, the cheapest first; equal ones in the order of their pressed plies, then of White's side.
    pub hypotheses: Vec<Hypothesis>,
    /// How firmly the first one's last plies are believed, the last one first.
    pub leads: Vec<Lead>,
    /// A lead is never more: what is dearer by as much is forgotten, 1/1024 nat.
    pub most: Nats,
}

impl Snapshot {
    /// What is believed of a ply, counted from 1; `None`: it is so long ago that nobody looks back on it, or is not there.
    pub fn lead(&self, ply: u32) -> Option<&Lead> {
        self.leads.iter().find(|lead| lead.ply == ply)
    }

    /// The cheapest hypothesis with the first one's side of the clock that says something else of a ply, counted from 1, by its place. Its lead is
    /// by how much this one is dearer.
    pub fn rival(&self, ply: u32) -> Option<usize> {
        let best = self.hypotheses.first()?;
        let of = |one: &Hypothesis| one.moves.get((ply as usize).checked_sub(1)?).copied();
        self.hypotheses.iter().position(|one| one.white == best.white && of(one) != of(best))
    }
}

impl Estimator {
    /// All that is believed now.
    pub fn snapshot(&self) -> Snapshot {
        let mut hypotheses: Vec<Hypothesis> = self.worlds.iter().flat_map(|(white, world)| world.hypotheses(*white)).collect();
        // The first of the cheapest world's is the one whose leads are told.
        let first = self.belief();
        hypotheses.sort_by_key(|one| (one.cost, Some(one.white) != first.white, one.moves != first.moves, one.pressed));
        let most = self.worlds.first().map_or(KEEP, |(_, world)| world.bound());
        Snapshot { at: self.now, eyes: self.eyes, start: self.start.clone(), hypotheses, leads: first.leads, most }
    }
}

impl World {
    /// Every line, and the other pasts of the cheapest one.
    fn hypotheses(&self, white: Press) -> Vec<Hypothesis> {
        let mut found: Vec<Hypothesis> =
            self.lines.iter().map(|line| self.hypothesis(white, line, self.moves(line), &Bill::default())).collect();
        let Some(best) = self.best() else { return found };
        let moves = self.moves(best);
        let mut others: Vec<_> = best.others.iter().map(|other| (*other, moves.len())).collect();
        let (mut past, mut ply) = (best.past, moves.len());
        while let Some(one) = self.pasts.get(past as usize).filter(|_| ply + BACK > moves.len()) {
            ply -= 1;
            others.extend(one.others.iter().map(|other| (*other, ply)));
            past = one.before;
        }
        for (other, upto) in others {
            let before = Line { past: other.past, others: Vec::new(), ..best.clone() };
            let line: Vec<Move> = self.moves(&before).into_iter().chain(moves[upto..].iter().copied()).collect();
            found.push(self.hypothesis(white, best, line, &other.more));
        }
        found
    }

    fn hypothesis(&self, white: Press, line: &Line, moves: Vec<Move>, more: &Bill) -> Hypothesis {
        let readings = &self.image.readings;
        let odd = line.disagrees.iter().map(|one| Odd {
            square: one.square,
            kind: one.kind,
            is: readings.at(one.square),
            should: line.spot.readings.at(one.square),
        });
        let paid = self.paid.with(&line.bill).with(more);
        Hypothesis { white, moves, pressed: line.done, cost: paid.total(), parts: *paid.parts(), odd: odd.collect() }
    }
}

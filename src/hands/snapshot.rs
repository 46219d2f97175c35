//! All that is believed at one moment, for people who ask why.
use crate::bill::{Bill, PARTS};
use crate::estimator::{Estimator, Press};
use crate::habits::Kind;
use crate::lead::Lead;
use crate::line::{BACK, Line, Other};
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

/// One of the ways to where a line stands.
pub(crate) struct Way<'a> {
    pub(crate) line: &'a Line,
    /// It began so.
    pub(crate) past: u32,
    /// The moves behind that.
    then: Vec<Move>,
    /// What it costs more than the line.
    pub(crate) more: Bill,
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
        let mut hypotheses: Vec<Hypothesis> =
            self.worlds.iter().flat_map(|(white, world)| world.ways_here().into_iter().map(|way| world.hypothesis(*white, &way))).collect();
        // The first of the cheapest world's is the one whose leads are told.
        let first = self.belief();
        hypotheses.sort_by_key(|one| (one.cost, Some(one.white) != first.white, one.moves != first.moves, one.pressed));
        let most = self.worlds.first().map_or(KEEP, |(_, world)| world.bound());
        Snapshot { at: self.now, eyes: self.eyes, start: self.start.clone(), hypotheses, leads: first.leads, most }
    }
}

impl World {
    /// Every line, and the other pasts of the cheapest one.
    pub(crate) fn ways_here(&self) -> Vec<Way<'_>> {
        let mut found: Vec<Way<'_>> =
            self.lines.iter().map(|line| Way { line, past: line.past, then: Vec::new(), more: Bill::default() }).collect();
        let Some(best) = self.best() else { return found };
        let of = |others: &[Other], then: &[Move]| -> Vec<Way<'_>> {
            others.iter().map(|other| Way { line: best, past: other.past, then: then.to_vec(), more: other.more }).collect()
        };
        found.extend(of(&best.others, &[]));
        let (mut past, mut then) = (best.past, Vec::new());
        while let Some(one) = self.pasts.get(past as usize).filter(|_| then.len() < BACK) {
            then.insert(0, one.step.mv);
            found.extend(of(&one.others, &then));
            past = one.before;
        }
        found
    }

    /// The moves of a way from a ply on, counted from 1.
    pub(crate) fn moves_of(&self, way: &Way<'_>, ply: u32) -> Vec<Move> {
        let known = self.pasts.get(way.past as usize).map_or(0, |one| one.ply);
        let (mut moves, mut past) = (Vec::new(), way.past);
        while let Some(one) = self.pasts.get(past as usize).filter(|one| one.ply >= ply) {
            moves.push(one.step.mv);
            past = one.before;
        }
        moves.reverse();
        let skipped = ply.saturating_sub(known + 1) as usize;
        moves.extend(way.then.iter().skip(skipped));
        moves
    }

    fn hypothesis(&self, white: Press, way: &Way<'_>) -> Hypothesis {
        let line = way.line;
        let readings = &self.image.readings;
        let odd = line.disagrees.iter().map(|one| Odd {
            square: one.square,
            kind: one.kind,
            is: readings.at(one.square),
            should: line.spot.readings.at(one.square),
        });
        let paid = self.paid.with(&line.bill).with(&way.more);
        Hypothesis { white, moves: self.moves_of(way, 1), pressed: line.done, cost: paid.total(), parts: *paid.parts(), odd: odd.collect() }
    }
}

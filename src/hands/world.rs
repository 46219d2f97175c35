//! Lines of play as seen from one way round of the board and one side of the clock.
use crate::bill::{Bill, Paid, Part};
use crate::habits::{self, Kind};
use crate::kinds::{kind, owing};
use crate::line::{Line, NOTHING, Past};
use crate::price::{Curve, Nats, nats};
use crate::sensed::{Eyes, Image, Reading, bit, each};
use crate::spot::Spot;
use alloc::collections::BTreeMap;
use alloc::sync::Arc;
use alloc::vec;
use alloc::vec::Vec;
use flagfall_events::{Colour, Mono};
use shakmaty::{Chess, Move};

/// Lines kept.
pub(crate) const BEAM: usize = 60;
/// How much worse than the best a line may be.
pub(crate) const KEEP: Nats = nats(22.0);
/// Plies that one look may find at once.
pub(crate) const DEPTH: usize = 4;
/// Other pasts of a line that are remembered.
pub(crate) const OTHERS: usize = 6;
/// Plies that are looked back on.
pub(crate) const BACK: usize = 16;
/// Lines looked on from at once.
pub(crate) const FRONT: usize = 40;

/// Lines of play under one assumption.
#[derive(Clone, Debug)]
pub(crate) struct World {
    pub(crate) eyes: Eyes,
    pub(crate) first: Colour,
    pub(crate) clock: bool,
    pub(crate) image: Image,
    pub(crate) now: Mono,
    pub(crate) lines: Vec<Line>,
    pub(crate) pasts: Vec<Past>,
    /// What has been taken from the costs of all lines.
    pub(crate) paid: Paid,
    pub(crate) spots: BTreeMap<u64, Arc<Spot>>,
    /// Something that the board said was lost, and no whole image has come since.
    pub(crate) doubt: bool,
    /// Readings taken.
    pub(crate) taken_in: u32,
    /// What was played, where that is known and only its times are asked for.
    pub(crate) known: Option<Vec<Move>>,
}

impl World {
    pub(crate) fn new(eyes: Eyes, chess: Chess, clock: bool, now: Mono) -> Self {
        let spot = Spot::new(chess, eyes);
        let image = Image::standing(spot.readings);
        let line = Line {
            spot: spot.clone(),
            bill: Bill::default(),
            past: NOTHING,
            plies: 0,
            done: 0,
            at: Mono::ZERO,
            fresh: 0,
            left: 0,
            charged: 0,
            owed: Mono::ZERO,
            wrong: 0,
            taken: [None; 4],
            others: Vec::new(),
        };
        Self {
            eyes,
            first: spot.turn,
            clock,
            image,
            now,
            lines: vec![line],
            pasts: Vec::new(),
            paid: Paid::default(),
            spots: BTreeMap::new(),
            doubt: false,
            taken_in: 0,
            known: None,
        }
    }

    /// Nothing has changed until now.
    pub(crate) fn advance(&mut self, to: Mono) {
        if to <= self.now {
            return;
        }
        let (from, image, clock) = (self.now, &self.image, self.clock);
        let grown = |curve: Curve<'_>, since: Mono| curve.between(image.age(since, from), image.age(since, to));
        // Who does not press for long has forgotten it.
        let grown_at_most = |curve: Curve<'_>, since: Mono| {
            let at = |now: Mono| curve.at_most(image.age(since, now), habits::FORGOTTEN);
            at(to) - at(from)
        };
        for line in &mut self.lines {
            for square in each(line.wrong) {
                let since = if line.fresh & bit(square) == 0 { image.since(square) } else { image.since(square).max(line.at) };
                let kind = kind(line, &image.readings, clock, square);
                line.bill.charge(kind.part(), grown(kind.lasts(), since));
            }
            if line.done > line.plies {
                line.bill.charge(Part::Presses, grown(habits::OWED, line.owed) * (line.done - line.plies).min(4) as Nats);
            } else if clock && line.plies - line.done == 2 {
                line.bill.charge(Part::Presses, grown_at_most(habits::HASTE, line.at));
            } else if clock && line.plies - line.done == 1 {
                line.bill.charge(Part::Waiting, grown_at_most(habits::WAITS, line.at));
            }
        }
        self.now = to;
    }

    /// A square was read.
    pub(crate) fn read(&mut self, square: u8, reading: Reading) -> bool {
        self.taken_in += 1;
        self.sweep();
        let changed = self.image.read(self.now, square, reading);
        if changed {
            for line in &mut self.lines {
                let wrong = line.spot.readings.at(square) != reading;
                line.wrong = line.wrong & !bit(square) | u64::from(wrong) << square;
                line.left &= !bit(square);
                line.charged &= !bit(square) | line.wrong;
            }
        }
        changed
    }

    /// A player pressed.
    pub(crate) fn press(&mut self, by: Colour) {
        self.clock = true;
        let now = self.now;
        let (first, last) = (self.first, self.first.other());
        let player = |ply: u32| if ply % 2 == 1 { first } else { last };
        let mut skipped = Vec::new();
        for line in &mut self.lines {
            if player(line.done + 1) != by {
                line.bill.charge(Part::Presses, habits::IDLE_PRESS);
                continue;
            }
            let latest = if player(line.plies) == by { line.plies } else { line.plies.saturating_sub(1) };
            if latest > line.done + 1 {
                let mut other = Line { done: latest, ..line.clone() };
                other.bill.charge(Part::Presses, habits::SKIPPED);
                skipped.push(other);
            }
            if line.done > line.plies {
                // The press before was for nothing, and the lever went back.
                let mut other = Line { done: line.done - 1, ..line.clone() };
                other.bill.charge(Part::Presses, habits::IDLE_PRESS);
                skipped.push(other);
            }
            line.done += 1;
            if line.done > line.plies {
                line.owed = now;
                line.bill.charge(Part::Presses, owing(line, &self.image, now).price());
            }
        }
        if !skipped.is_empty() {
            self.lines.append(&mut skipped);
            self.merge();
        }
    }

    /// Squares whose disagreement no move under way explains, and what it costs that they disagree so long.
    pub(crate) fn odd(&self, line: &Line) -> (Nats, u64) {
        each(line.wrong).fold((0, 0), |(price, squares), square| {
            let kind = kind(line, &self.image.readings, self.clock, square);
            if matches!(kind, Kind::Held | Kind::OnWay | Kind::Castling | Kind::Pawn | Kind::Parked) {
                return (price, squares);
            }
            let since = self.image.since(square).max(if line.fresh & bit(square) == 0 { Mono::ZERO } else { line.at });
            (price + kind.lasts().at(self.image.age(since, self.now)), squares | bit(square))
        })
    }

    /// The cheapest line.
    pub(crate) fn best(&self) -> Option<&Line> {
        self.lines.iter().min_by_key(|line| (line.cost(), line.plies, line.spot.key, line.done))
    }

    /// What the cheapest line has cost since the beginning.
    pub(crate) fn cost(&self) -> i64 {
        self.paid.total() + self.best().map_or(0, |line| i64::from(line.cost()))
    }

    /// The moves of a line, the first one first.
    pub(crate) fn moves(&self, line: &Line) -> Vec<Move> {
        let (mut moves, mut past) = (Vec::new(), line.past);
        while let Some(one) = self.pasts.get(past as usize) {
            moves.push(one.step.mv);
            past = one.before;
        }
        moves.reverse();
        moves
    }
}

//! Lines of play as seen from one way round of the board and one side of the clock.
use crate::bill::{Bill, Paid, Part};
use crate::early::Early;
use crate::habits::{self, KINDS, Kind, Owing};
use crate::kinds::{disagreements, owing};
use crate::line::{BACK, Disagreement, Line, NOTHING, Past, UNHEARD};
use crate::position::Position;
use crate::price::{Curve, Nats, nats};
use crate::sensed::{EMPTY, Eyes, Image, Reading, Squares, bit, each};
use crate::spot::{Spot, Step};
use crate::spots::Spots;
use alloc::sync::Arc;
use alloc::vec;
use alloc::vec::Vec;
use flagfall_events::{Colour, Mono};
use shakmaty::Move;

/// Lines kept.
pub(crate) const BEAM: usize = 90;
/// The same while pieces stand anywhere.
pub(crate) const BEAM_IN_DISARRAY: usize = 30;
/// How much worse than the best a line may be.
pub(crate) const KEEP: Nats = nats(22.0);
/// The same where no clock is pressed: nothing but the board tells there which of them is right, and it may take longer.
const KEEP_WITHOUT: Nats = nats(30.0);
/// Plies that one look may find at once.
pub(crate) const DEPTH: usize = 4;
/// Other pasts of a line that are remembered.
pub(crate) const OTHERS: usize = 6;
/// Lines looked on from at once.
pub(crate) const FRONT: usize = 60;
/// The same while pieces stand anywhere.
pub(crate) const FRONT_IN_DISARRAY: usize = 20;
/// Lines of play under one assumption.
#[derive(Clone, Debug)]
pub(crate) struct World {
    pub(crate) eyes: Eyes,
    pub(crate) first: Colour,
    pub(crate) clock: bool,
    /// The board is taken to stand the other way round.
    pub(crate) half: bool,
    /// Presses taken in.
    pub(crate) pressed: u32,
    pub(crate) image: Image,
    pub(crate) now: Mono,
    /// How often each player pressed before his ply was seen.
    pub(crate) early: Early,
    /// When a player pressed last.
    pub(crate) last_press: Option<Mono>,
    pub(crate) lines: Vec<Line>,
    pub(crate) pasts: Vec<Past>,
    /// What has been taken from the costs of all lines.
    pub(crate) paid: Paid,
    pub(crate) spots: Arc<Spots>,
    /// Something that the board said was lost, and no whole image has come since.
    pub(crate) doubt: bool,
    /// Squares of which somebody was told that they stand wrong: nobody's hands are at work there, and nothing more is to be learned of it.
    pub(crate) told: Squares,
    /// Readings taken.
    pub(crate) taken_in: u32,
    /// What was played, where that is known and only its times are asked for.
    pub(crate) known: Option<Vec<Move>>,
}

impl World {
    pub(crate) fn new(eyes: Eyes, start: Position, clock: bool, now: Mono) -> Self {
        let spot = Spot::new(start, eyes);
        let image = Image::standing(spot.readings);
        let line = Line {
            spot: spot.clone(),
            bill: Bill::default(),
            past: NOTHING,
            plies: 0,
            done: 0,
            presses: [0; BACK],
            at: Mono::ZERO,
            fresh: 0,
            left: 0,
            disagrees: Vec::new(),
            made: Vec::new(),
            owed: Mono::ZERO,
            wrong: 0,
            taken: [None; 4],
            others: Vec::new(),
        };
        Self {
            eyes,
            first: spot.turn,
            clock,
            half: false,
            pressed: 0,
            image,
            now,
            last_press: None,
            early: Early::default(),
            lines: vec![line],
            pasts: Vec::new(),
            paid: Paid::default(),
            spots: Spots::new(),
            doubt: false,
            told: 0,
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
        let scan = image.pace();
        let grown = |curve: Curve<'_>, since: Mono| curve.between(from.since(since), to.since(since));
        // Most squares disagree with many lines alike, since they were read.
        let mut alike = [[None; 64]; KINDS];
        // Who does not press for long has forgotten it.
        let grown_at_most = |curve: Curve<'_>, since: Mono| {
            let at = |now: Mono| curve.at_most(now.since(since), habits::FORGOTTEN);
            at(to) - at(from)
        };
        for line in &mut self.lines {
            let mut more = Bill::default();
            for &Disagreement { square, paid_as: kind, since, .. } in line.disagrees.iter().filter(|one| self.told & bit(one.square) == 0) {
                let price = match &mut alike[kind as usize][usize::from(square & 63)] {
                    known if since == image.since(square) => *known.get_or_insert_with(|| grown(kind.lasts(scan), since)),
                    _ => grown(kind.lasts(scan), since),
                };
                more.charge(kind.part(), price);
            }
            line.bill.add(&more);
            if line.done > line.plies {
                line.bill.charge(Part::Presses, grown(scan.owed(), line.owed) * (line.done - line.plies).min(4) as Nats);
            } else if clock && line.plies - line.done == 2 {
                line.bill.charge(Part::Presses, grown_at_most(scan.haste(), line.at));
            } else if clock && line.plies - line.done == 1 {
                line.bill.charge(Part::Waiting, grown_at_most(scan.waits(), line.at));
            }
        }
        self.now = to;
    }

    /// A square was read.
    pub(crate) fn read(&mut self, square: u8, reading: Reading) -> bool {
        let square = if self.half { 63 - square } else { square };
        self.taken_in += 1;
        self.sweep();
        let changed = self.image.read(self.now, square, reading);
        if changed {
            for line in &mut self.lines {
                let wrong = line.spot.readings.at(square) != reading;
                line.wrong = line.wrong & !bit(square) | u64::from(wrong) << square;
                line.left &= !bit(square);
            }
        }
        changed
    }

    /// Every square was read: nothing is lost any more, and nothing is as it was before.
    pub(crate) fn trust(&mut self) {
        if core::mem::take(&mut self.doubt) {
            self.lines.iter_mut().for_each(|line| line.left = 0);
            self.extend();
        }
    }

    /// A player pressed.
    pub(crate) fn press(&mut self, by: Colour) {
        self.clock = true;
        let (now, press) = (self.now, self.pressed);
        self.pressed += 1;
        self.last_press = Some(now);
        let (first, last) = (self.first, self.first.other());
        let player = |ply: u32| if ply % 2 == 1 { first } else { last };
        let mut skipped = Vec::new();
        let in_hand =
            if self.eyes == Eyes::Pieces { self.early.price(by, self.image.pace()) } else { Owing::InHand.price(self.image.pace()) };
        for line in &mut self.lines {
            if player(line.done + 1) != by {
                line.bill.charge(Part::Presses, habits::IDLE_PRESS);
                continue;
            }
            let latest = if player(line.plies) == by { line.plies } else { line.plies.saturating_sub(1) };
            if latest > line.done + 1 {
                let mut other = Line { done: latest, ..line.clone() };
                (line.done + 1..=latest).for_each(|ply| other.presses[ply as usize % BACK] = press);
                other.bill.charge(Part::Presses, habits::SKIPPED);
                skipped.push(other);
                // It stands already, and this press is for the one before it all the same.
                line.bill.charge(Part::Presses, habits::FORGOTTEN);
            }
            if line.done > line.plies {
                // The press before was for nothing, and the lever went back.
                let mut other = Line { done: line.done - 1, ..line.clone() };
                other.bill.charge(Part::Presses, habits::IDLE_PRESS);
                skipped.push(other);
            }
            line.done += 1;
            line.presses[line.done as usize % BACK] = press;
            if line.done > line.plies {
                line.owed = now;
                let price = match owing(line, &self.image, now) {
                    Owing::InHand => in_hand,
                    owing => owing.price(self.image.pace()),
                };
                line.bill.charge(Part::Presses, price);
            }
        }
        if let Some(best) = self.best().filter(|best| player(best.done) == by) {
            let early = best.done > best.plies;
            self.early.pressed(by, early);
        }
        let more = !skipped.is_empty();
        self.lines.append(&mut skipped);
        self.ask();
        if self.answer() || more {
            self.merge();
        }
    }

    /// How the squares of each line disagree, after something has changed that this rests on.
    pub(crate) fn ask(&mut self) {
        for line in &mut self.lines {
            line.disagrees = disagreements(line, &self.image, self.clock);
        }
    }

    /// Of presses until now nobody heard anything; now this player's clock runs.
    pub(crate) fn hears(&mut self, to_move: Colour) {
        self.clock = true;
        let (now, first) = (self.now, self.first);
        for line in &mut self.lines {
            let next = if line.plies.is_multiple_of(2) { first } else { first.other() };
            let done = match (next == to_move, line.done < line.plies) {
                (true, _) => line.plies,
                // His move stands, and is not pressed.
                (false, true) => line.plies - 1,
                // A ply was pressed that is not seen yet.
                (false, false) => line.plies + 1,
            };
            if done > line.plies {
                line.owed = now;
            }
            (line.done + 1..=done).for_each(|ply| line.presses[ply as usize % BACK] = UNHEARD);
            line.done = done;
        }
        self.ask();
        self.merge();
    }

    /// Squares that do not read as they should, but for those that somebody was told of.
    pub(crate) const fn at_work(&self, line: &Line) -> Squares {
        line.wrong & !self.told
    }

    /// Squares whose disagreement no move under way explains, and what it costs that they disagree so long.
    pub(crate) fn odd(&self, line: &Line) -> (Nats, u64) {
        let odd = line.disagrees.iter().filter(|one| self.told & bit(one.square) == 0 && self.is_odd(line, one));
        odd.fold((0, 0), |(price, squares), one| {
            (price + one.kind.lasts(self.image.pace()).at(self.now.since(one.since)), squares | bit(one.square))
        })
    }

    /// Whether no move under way explains how this square disagrees.
    fn is_odd(&self, line: &Line, one: &Disagreement) -> bool {
        match one.kind {
            Kind::Held | Kind::HeldAlso | Kind::OnWay | Kind::Castling | Kind::Pawn | Kind::Parked => false,
            Kind::HeldOther | Kind::AstrayOther | Kind::Reply | Kind::Nudged => !self.is_being_taken(line, one),
            _ => true,
        }
    }

    /// Whether this piece is in a hand that may take it, or was pushed aside by one.
    fn is_being_taken(&self, line: &Line, &Disagreement { square, kind, .. }: &Disagreement) -> bool {
        let (readings, stands) = (&line.spot.readings, &self.image.readings);
        let in_hand = |step: &Step| stands.at(step.from) == EMPTY;
        let beside = |taken: u8| (taken / 8).abs_diff(square / 8).max((taken % 8).abs_diff(square % 8)) == 1;
        let taken = |step: &Step| match step.taken {
            Some((taken, _)) if kind == Kind::HeldOther => taken == square,
            Some((taken, reading)) => {
                reading == stands.at(square) && stands.at(taken) != readings.at(taken) && beside(taken) && in_hand(step)
            }
            None => false,
        };
        line.spot.steps().iter().any(taken)
    }

    /// How much dearer than the cheapest line the cheapest one is in which every press has its ply, and hands at work explain what stands.
    pub(crate) fn explained(&self) -> Nats {
        let least = self.best().map_or(0, Line::cost);
        let whole = self.lines.iter().filter(|line| line.done <= line.plies && self.is_at_work(line));
        whole.map(|line| line.cost() - least).min().unwrap_or_else(|| self.bound())
    }

    /// Whether hands at work explain all squares of a line, and no pawn stands on its last rank that has become something else.
    fn is_at_work(&self, line: &Line) -> bool {
        line.disagrees.iter().all(|one| one.kind != Kind::Pawn && (self.told & bit(one.square) != 0 || !self.is_odd(line, one)))
    }

    /// How much worse than the best a line may be.
    pub(crate) const fn bound(&self) -> Nats {
        if self.clock { KEEP } else { KEEP_WITHOUT }
    }

    /// The cheapest line.
    pub(crate) fn best(&self) -> Option<&Line> {
        self.lines.iter().min_by_key(|line| (line.cost(), line.plies, line.spot.key, line.done))
    }

    /// Pieces stand anywhere by the cheapest line.
    pub(crate) fn is_in_disarray(&self) -> bool {
        self.best().is_some_and(Line::is_in_disarray)
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

/// A hand that has just pressed is at the clock: so soon afterwards it takes up no piece and puts it elsewhere, milliseconds.
const HAND: u64 = 150;

impl World {
    /// What it costs to believe that it did with the piece that stands here.
    pub(crate) fn at_clock(&self, line: &Line, kind: Kind, square: u8) -> Nats {
        let reading = self.image.readings.at(square);
        let left = |other: u8| line.spot.readings.at(other) == reading && self.image.since(other) > line.at;
        let soon = self.last_press.is_some_and(|pressed| self.now.since(pressed) < HAND);
        if self.eyes == Eyes::Pieces && matches!(kind, Kind::AstrayOther | Kind::Nudged) && soon && each(line.wrong).any(left) {
            habits::FORGOTTEN
        } else {
            0
        }
    }
}

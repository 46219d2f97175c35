//! Every reading that changes may be a ply: lines grow by what it speaks for.
use crate::bill::Part;
use crate::habits::{self, How, Kind};
use crate::kinds::disagreements;
use crate::line::{Disagreement, Line, Past};
use crate::position::Position;
use crate::price::{NAT, Nats};
use crate::sensed::{EMPTY, Eyes, Reading, Squares, bit, colour, each};
use crate::spot::{Spot, Step};
use crate::world::{DEPTH, FRONT, FRONT_IN_DISARRAY, World};
use alloc::collections::BTreeMap;
use alloc::sync::Arc;
use alloc::vec::Vec;
use shakmaty::{Move, Role};

/// Plies that nobody presses do not follow each other so fast, milliseconds: each is thought about.
const SOON: u64 = 1_000;

/// A ply that may have been played.
#[derive(Clone, Copy)]
struct Found {
    /// Its line's cost with it, dearer for every other piece that would stand where one should.
    rank: Nats,
    /// The line, by its place.
    line: usize,
    /// Which of the moves, by its place.
    step: usize,
    /// It is instead of the last ply.
    revises: bool,
    how: How,
    price: Nats,
}

impl Found {
    const fn order(&self) -> (Nats, usize, usize, bool) {
        (self.rank, self.line, self.step, self.revises)
    }
}

/// The likeliest of the plies that were found.
struct Finds {
    found: Vec<Found>,
    /// So many of them.
    most: usize,
    /// What is dearer is none of them.
    bound: Nats,
}

impl Finds {
    fn new(in_disarray: bool) -> Self {
        let most = if in_disarray { FRONT_IN_DISARRAY } else { FRONT };
        Self { found: Vec::with_capacity(3 * most), most, bound: Nats::MAX }
    }

    /// Whether what has this rank may be one of them.
    const fn may_be(&self, rank: Nats) -> bool {
        rank <= self.bound
    }

    fn add(&mut self, one: Found) {
        if self.may_be(one.rank) {
            self.found.push(one);
            if self.found.len() >= 3 * self.most {
                self.cut();
            }
        }
    }

    /// All but the likeliest are given up.
    fn cut(&mut self) {
        if self.found.len() > self.most {
            let (_, last, _) = self.found.select_nth_unstable_by_key(self.most - 1, Found::order);
            self.bound = last.rank;
            self.found.truncate(self.most);
        }
    }

    /// The likeliest first.
    fn sorted(mut self) -> Vec<Found> {
        self.cut();
        self.found.sort_unstable_by_key(Found::order);
        self.found
    }
}

impl World {
    /// The readings have changed: what may have been played?
    pub(crate) fn extend(&mut self) {
        let in_disarray = self.is_in_disarray();
        let mut every = core::mem::take(&mut self.lines);
        let most = every.iter().map(Line::cost).min().unwrap_or(0).saturating_add(self.bound());
        let mut known: BTreeMap<(u32, u64, u32), Nats> = every.iter().map(|line| (line.state(), line.cost())).collect();
        // Those that are looked on from, by their places.
        let mut front: Vec<usize> = (0..every.len()).filter(|place| every[*place].wrong != 0).collect();
        for depth in 0..DEPTH {
            let mut finds = Finds::new(in_disarray);
            for &place in &front {
                self.steps_from(place, &every[place], depth == 0, most, &mut finds);
            }
            let mut next = Vec::with_capacity(FRONT);
            for one in finds.sorted() {
                let line = &every[one.line];
                let last = self.pasts.get(line.past as usize).filter(|_| one.revises);
                let (spot, before) = last.map_or((&line.spot, line.past), |last| (&last.spot, last.before));
                let spot = spot.clone();
                let line = self.play(line, &spot, &spot.steps()[one.step], before, (one.how, one.price));
                let cheapest = known.entry(line.state()).or_insert(Nats::MAX);
                // What is there already and no dearer was looked on from already.
                if line.cost() < *cheapest {
                    *cheapest = line.cost();
                    // In disarray nobody looks further than one ply at a time.
                    if line.wrong != 0 && !line.is_in_disarray() {
                        next.push(every.len());
                    }
                }
                every.push(line);
            }
            front = next;
            if front.is_empty() {
                break;
            }
        }
        for line in &mut every {
            self.charge(line);
        }
        self.lines = every;
        self.merge();
        if self.look_for_the_lost() {
            self.merge();
        }
    }

    /// A player has pressed: what stood out of turn until now may be the answer.
    pub(crate) fn answer(&mut self) -> bool {
        let (how, price) = (How::Seen, habits::PLY + How::Seen.price(self.image.pace()));
        let mut finds = Finds::new(self.is_in_disarray());
        let may_answer = |line: &Line| line.wrong != 0 && line.done == line.plies && self.known.is_none();
        for (place, line) in self.lines.iter().enumerate().filter(|(_, line)| may_answer(line)) {
            for (step, one) in line.spot.steps().iter().enumerate() {
                if line.wrong & bit(one.from) != 0 && self.agrees(&line.spot, one) {
                    let rank = self.rank(line.cost().saturating_add(price), line.wrong, &line.spot, one);
                    finds.add(Found { rank, line: place, step, revises: false, how, price });
                }
            }
        }
        let found = finds.sorted();
        let any = !found.is_empty();
        for one in found {
            let line = self.lines[one.line].clone();
            let mut next = self.play(&line, &line.spot, &line.spot.steps()[one.step], line.past, (how, price));
            self.charge(&mut next);
            self.lines.push(next);
        }
        any
    }

    /// What it costs that squares have begun to disagree, or are taken for something dearer than before. A piece that was pushed is missing where it
    /// stood, too: that is one event, and has one price.
    pub(crate) fn charge(&self, line: &mut Line) {
        let image = &self.image;
        let mut all = disagreements(line, image, self.clock);
        let mut bill = line.bill;
        let mut pay = |one: &mut Disagreement, less: Nats| {
            let (kind, known) = (one.paid_as, one.paid);
            let price = kind.onset(image.pace()) - less;
            let more = price.max(0) - known.unwrap_or(0);
            if known.is_none() || more > 0 {
                bill.charge(kind.part(), more.max(0) + self.at_clock(line, kind, one.square));
            }
            one.paid = Some(known.unwrap_or(0).max(price));
        };
        let is_missing = |one: &&mut Disagreement| image.readings.at(one.square) == EMPTY;
        all.iter_mut().filter(is_missing).for_each(|one| pay(one, 0));
        for place in 0..all.len() {
            let square = all[place].square;
            if image.readings.at(square) == EMPTY {
                continue;
            }
            let pushed_from = |one: &&Disagreement| line.spot.readings.at(one.square) == image.readings.at(square);
            let from = if all[place].kind == Kind::Nudged { all.iter().find(pushed_from) } else { None };
            let less = from.filter(|from| image.readings.at(from.square) == EMPTY || from.square < square).and_then(|from| from.paid);
            pay(&mut all[place], less.unwrap_or(0));
        }
        (line.disagrees, line.bill) = (all, bill);
    }

    /// Every ply that may have been played on this line, and costs no more than `most`.
    fn steps_from(&self, index: usize, line: &Line, revise: bool, most: Nats, finds: &mut Finds) {
        // No ply costs less.
        if !finds.may_be(line.cost().saturating_add(habits::PLY)) {
            return;
        }
        let known = self.known.as_ref().map(|moves| moves.get(line.plies as usize));
        for (step, one) in line.spot.steps().iter().enumerate() {
            if line.wrong & bit(one.from) == 0 && !self.may_be_stale(line, one) || known.is_some_and(|known| known != Some(&one.mv)) {
                continue;
            }
            let Some((how, price)) = self.price(&line.spot, one, line) else { continue };
            if line.cost().saturating_add(price) < most {
                let rank = self.rank(line.cost().saturating_add(price), line.wrong, &line.spot, one);
                finds.add(Found { rank, line: index, step, revises: false, how, price });
            }
        }
        let Some(past) = self.pasts.get(line.past as usize).filter(|_| revise && known.is_none() && line.plies > line.done) else { return };
        if line.was_let_go(&self.image, self.clock, past.step.to) {
            return;
        }
        let (how, price) = (How::Revised, habits::PLY + How::Revised.price(self.image.pace()));
        for (step, one) in past.spot.steps().iter().enumerate() {
            if one.from == past.step.from
                && one.mv != past.step.mv
                && line.cost().saturating_add(price) < most
                && self.agrees(&past.spot, one)
            {
                let wrong = past.spot.readings.differ(&self.image.readings);
                let rank = self.rank(line.cost().saturating_add(price), wrong, &past.spot, one);
                finds.add(Found { rank, line: index, step, revises: true, how, price });
            }
        }
    }

    /// The cost of a line with a step, dearer for every stranger.
    fn rank(&self, cost: Nats, wrong: Squares, spot: &Spot, step: &Step) -> Nats {
        cost.saturating_add(3 * NAT * self.strangers(wrong, spot, step))
    }

    /// Squares where another piece would stand than should, after a step from a position with these squares wrong.
    fn strangers(&self, wrong: Squares, spot: &Spot, step: &Step) -> Nats {
        let there = |square: u8| self.image.readings.at(square);
        let before = (wrong & !step.touched() & spot.occupied & self.image.occupied).count_ones();
        let after = step.changes().iter().filter(|(s, reading)| *reading != EMPTY && there(*s) != EMPTY && there(*s) != *reading).count();
        before as Nats + after as Nats
    }

    /// The piece has left, and stands where it goes.
    fn agrees(&self, spot: &Spot, step: &Step) -> bool {
        let there = self.image.readings.at(step.to);
        self.image.readings.at(step.from) != spot.readings.at(step.from) && (there == step.goal || self.is_pawn_of(step, there))
    }

    /// Its piece is read where it goes and where it was: what the board said of that was lost.
    fn may_be_stale(&self, line: &Line, step: &Step) -> bool {
        let reads_there = line.wrong & bit(step.to) != 0 && self.image.readings.at(step.to) == step.goal;
        reads_there && (self.doubt || self.eyes == Eyes::Pieces)
    }

    /// A pawn that is to be a queen may wait for it.
    fn is_pawn_of(&self, step: &Step, there: Reading) -> bool {
        step.pawn == Some(there) && matches!(step.mv, Move::Normal { promotion: Some(Role::Queen), .. })
    }

    /// What it costs to believe that this ply was just played; `None`: nothing speaks for it.
    fn price(&self, spot: &Spot, step: &Step, line: &Line) -> Option<(How, Nats)> {
        let there = self.image.readings.at(step.to);
        let scan = self.image.pace();
        let mut price = habits::PLY;
        if let Move::Normal { promotion: Some(role), .. } = step.mv
            && role != Role::Queen
        {
            price += habits::UNDERPROMOTION;
        }
        if self.eyes == Eyes::Occupancy
            && let Some((square, _)) = step.taken
        {
            let seen = self.image.since(square) > line.at;
            price += if seen { habits::SEEN_TAKEN } else { habits::UNSEEN_TAKEN };
        }
        if self.agrees(spot, step) {
            return Some((How::Seen, price + How::Seen.price(scan)));
        }
        if line.wrong & bit(step.from) == 0 && self.may_be_stale(line, step) || self.doubt && there == spot.readings.at(step.to) {
            let unnoticed = if self.doubt { 0 } else { habits::UNNOTICED };
            return Some((How::Lost, price + How::Lost.price(scan) + unnoticed));
        }
        let was = spot.readings.at(step.to);
        if there != EMPTY && self.eyes == Eyes::Pieces && colour(there) == Some(spot.turn) {
            return self.was_taken_back(spot, step, there).then(|| (How::Unseen, price + How::Unseen.price(scan)));
        }
        if there == was && there == EMPTY {
            return (line.done > line.plies).then(|| (How::Missed, price + How::Missed.price(scan)));
        }
        let how = if there == was { How::Swapped } else { How::Unseen };
        Some((how, price + how.price(scan)))
    }

    /// It was taken where it went, and this piece of its player's has taken back there: all three between two readings.
    fn was_taken_back(&self, spot: &Spot, step: &Step, there: Reading) -> bool {
        let (before, now) = (&spot.readings, &self.image.readings);
        let changed = before.differ(now);
        let has_left = |square: &u8| *square != step.from && now.at(*square) == EMPTY;
        let takes_back = |square: u8| before.at(square) == there;
        changed & bit(step.to) != 0
            && now.at(step.from) == EMPTY
            && each(changed & spot.own).filter(has_left).any(takes_back)
            && each(changed & !spot.own).any(|square| has_left(&square))
    }

    /// What it takes was not seen to leave.
    fn is_unseen_capture(&self, step: &Step, line: &Line) -> bool {
        step.taken.is_some_and(|(square, _)| self.image.since(square) <= line.at)
    }

    pub(crate) fn play(&mut self, line: &Line, spot: &Arc<Spot>, step: &Step, before: u32, (how, price): (How, Nats)) -> Line {
        let plies = if before == line.past { line.plies } else { line.plies - 1 };
        let played = spot.position.played(step.mv);
        let folly = spot.folly(step, &played);
        let next = self.spot(played);
        let mut taken = line.taken;
        if let Some((square, reading)) = step.taken {
            taken.rotate_right(1);
            taken[0] = Some((square, reading));
            if square != step.to {
                taken.rotate_right(1);
                taken[0] = Some((step.to, reading));
            }
        }
        let wrong = next.readings.differ(&self.image.readings);
        let past = self.pasts.len() as u32;
        let others = if before == line.past { line.others.clone() } else { Vec::new() };
        let fresh = step.touched();
        let known = line.made.iter().copied().filter(|(square, _)| wrong & !fresh & bit(*square) != 0);
        let made = known.chain(each(wrong & fresh).map(|square| (square, self.now))).collect();
        self.pasts.push(Past {
            before,
            ply: plies + 1,
            spot: spot.clone(),
            step: *step,
            how,
            at: self.now,
            owed: line.done > plies,
            reading: self.taken_in,
            shown: self.eyes == Eyes::Pieces || how == How::Seen && !self.is_unseen_capture(step, line),
            others,
        });
        let left = |&&(s, r): &&(u8, Reading)| (r == EMPTY || how == How::Lost) && spot.readings.at(s) == self.image.readings.at(s);
        let left = step.changes().iter().filter(left);
        let mut next = Line {
            wrong,
            disagrees: line.disagrees.clone(),
            made,
            spot: next,
            bill: line.bill,
            past,
            plies: plies + 1,
            done: line.done,
            presses: line.presses,
            at: self.now,
            fresh,
            left: left.fold(0, |set, (s, _)| set | bit(*s)),
            owed: line.owed,
            taken,
            others: Vec::new(),
        };
        next.bill.charge(how.part(), price + folly + self.again(line, step, before));
        // One that is played on two of them says that nobody means to press.
        match next.plies.saturating_sub(next.done) {
            2 if self.clock => {
                let waited = self.image.pace().waits().at_most(self.now.since(line.at), habits::FORGOTTEN);
                next.bill.charge(Part::Presses, (self.image.pace().hasty() - waited).max(0));
            }
            3.. if self.clock && self.now.since(line.at) < SOON => next.bill.charge(Part::Presses, 2 * habits::FORGETFUL),
            3.. if self.clock => next.bill.charge(Part::Presses, habits::FORGETFUL),
            _ => {}
        }
        next
    }

    fn spot(&mut self, position: Position) -> Arc<Spot> {
        self.spots = self.spots.with_room();
        self.spots.of(position, self.eyes)
    }
}

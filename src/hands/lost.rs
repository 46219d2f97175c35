//! A piece that is nowhere, although play has gone on: it stood where nothing read it, and was taken there.
use crate::habits::How;
use crate::line::{Line, Past};
use crate::price::Nats;
use crate::sensed::{EMPTY, Eyes, bit, each};
use crate::spot::Step;
use crate::world::World;
use alloc::vec::Vec;

/// A piece that is missing for so long is in no hand, milliseconds.
const LOST: u64 = 3_000;
/// A piece that goes on is read where it passes for no longer, milliseconds.
const SLID: u64 = 600;
/// Plies that are looked back on.
const FAR: usize = 10;

impl World {
    /// Of the cheapest line: lines on which such a piece went to where the other player has taken something since.
    pub(crate) fn look_for_the_lost(&mut self) -> bool {
        let Some(best) = self.best().filter(|_| self.eyes == Eyes::Pieces && self.known.is_none()).cloned() else { return false };
        let is_lost = |square: &u8| {
            let is_nowhere = best.spot.readings.at(*square) != EMPTY;
            is_nowhere && self.now.since(best.wrong_since(&self.image, *square)) >= LOST
        };
        let lost: Vec<u8> = each(self.at_work(&best)).filter(is_lost).collect();
        let mut found = Vec::new();
        if !lost.is_empty() {
            let plies = self.last_plies(&best);
            lost.into_iter().for_each(|square| self.taken_unread(&best, &plies, square, &mut found));
        }
        let any = !found.is_empty();
        self.lines.append(&mut found);
        any
    }

    /// The last plies of a line, the first one first.
    fn last_plies(&self, line: &Line) -> Vec<Past> {
        let (mut plies, mut past) = (Vec::new(), line.past);
        while let Some(one) = self.pasts.get(past as usize).filter(|_| plies.len() < FAR) {
            plies.push(one.clone());
            past = one.before;
        }
        plies.reverse();
        plies
    }

    /// The line once more, with the piece that should stand here gone to each square where the other player has taken since.
    fn taken_unread(&mut self, best: &Line, plies: &[Past], square: u8, found: &mut Vec<Line>) {
        let Some(moved) = plies.iter().rposition(|one| one.step.to == square) else { return };
        let one = &plies[moved];
        // It is not there, nor has what it took there gone.
        let there = self.image.readings.at(square);
        if there != EMPTY && one.step.taken != Some((square, there)) {
            return;
        }
        // What has stood there for longer was not on its way, unless its player thought better of it before anybody replied.
        let left = self.image.since(square);
        let rested = left > one.at + SLID;
        if rested && plies.get(moved + 1).is_none_or(|reply| left >= reply.at) {
            return;
        }
        // What it has cost that it is missing is not owed, but that nothing read it where it went.
        let scan = self.image.pace();
        let Some(missing) = best.disagreement(square) else { return };
        let paid = missing.paid.unwrap_or(0) + missing.paid_as.lasts(scan).at(self.now.since(missing.since));
        let takes = plies[moved + 1..].iter().step_by(2).map(|reply| reply.step.to);
        let ways = takes.filter_map(|to| one.spot.steps().iter().find(|step| step.from == one.step.from && step.to == to && to != square));
        for step in ways {
            let mut line = Line { spot: one.spot.clone(), past: one.before, plies: one.ply - 1, others: Vec::new(), ..best.clone() };
            line.bill.charge(missing.paid_as.part(), -paid);
            let mind = if rested { How::Revised.price(scan) } else { 0 };
            line = self.replay(&line, one, step, How::Missed.price(scan) + mind);
            let whole = plies[moved + 1..].iter().try_fold(line, |line, next| {
                let squares = |step: &Step| (step.from, step.to, step.mv.promotion());
                let spot = line.spot.clone();
                let step = spot.steps().iter().find(|step| squares(step) == squares(&next.step))?;
                Some(self.replay(&line, next, step, 0))
            });
            let Some(mut line) = whole.filter(|line| line.wrong & !best.wrong == 0 && line.wrong != best.wrong) else { continue };
            (line.at, line.fresh, line.left) = (best.at, best.fresh, best.left);
            line.made = best.made.iter().copied().filter(|(square, _)| line.wrong & bit(*square) != 0).collect();
            self.charge(&mut line);
            found.push(line);
        }
    }

    /// A line with a move that was played when this one was, in its place.
    fn replay(&mut self, line: &Line, as_was: &Past, step: &Step, price: Nats) -> Line {
        let next = self.play(line, &line.spot, step, line.past, (as_was.how, price));
        if let Some(past) = self.pasts.last_mut() {
            (past.at, past.reading, past.shown) = (as_was.at, as_was.reading, as_was.shown);
        }
        next
    }
}

//! What somebody says of a ply that sensors left open: what he may choose from, and that the rest is forgotten.
use crate::bill::Bill;
use crate::estimator::{Estimator, Press};
use crate::line::{Line, NOTHING, Other};
use crate::price::Nats;
use crate::snapshot::Way;
use crate::world::World;
use alloc::vec::Vec;
use shakmaty::{Move, Role};

impl Estimator {
    /// Whether a pawn may have become this piece in that ply, counted from 1.
    pub fn may_have_become(&self, ply: u32, role: Role) -> bool {
        self.may_be(ply, |mv| mv.promotion() == Some(role))
    }

    /// In that ply, counted from 1, a pawn became this piece: lines that say otherwise are forgotten.
    pub fn became(&mut self, ply: u32, role: Role) {
        self.is(ply, |mv| mv.promotion().is_none_or(|became| became == role));
    }

    /// Whether that ply, counted from 1, may have been this move.
    pub fn may_have_been(&self, ply: u32, mv: &Move) -> bool {
        self.may_be(ply, |other| other == mv)
    }

    /// That ply, counted from 1, was this move: lines that say otherwise are forgotten.
    pub fn was(&mut self, ply: u32, mv: &Move) {
        self.is(ply, |other| other == mv);
    }

    fn may_be(&self, ply: u32, agrees: impl Fn(&Move) -> bool) -> bool {
        self.worlds.iter().any(|(_, world)| {
            let is = |past: u32| world.move_at(past, ply).is_some() && world.way(past, ply, &agrees).is_some();
            world.lines.iter().any(|line| is(line.past) || line.others.iter().any(|other| is(other.past)))
        })
    }

    fn is(&mut self, ply: u32, agrees: impl Fn(&Move) -> bool) {
        for (_, world) in &mut self.worlds {
            world.keep(ply, &agrees);
        }
    }

    /// Every line of play that is believed with White's clock at this side, from a ply on, counted from 1, and by how much it is dearer than the
    /// cheapest: the cheapest first.
    pub fn lines_from(&self, white: Press, ply: u32) -> Vec<(Vec<Move>, Nats)> {
        let mut all: Vec<(i64, Vec<Move>, u32)> = Vec::new();
        for (_, world) in self.worlds.iter().filter(|(side, _)| *side == white) {
            let paid = world.paid.total();
            let of =
                |way: Way<'_>| (paid + i64::from(way.line.cost()) + i64::from(way.more.total()), world.moves_of(&way, ply), way.line.done);
            all.extend(world.ways_here().into_iter().map(of));
        }
        let believed = self.moves();
        let believed = believed.get((ply.saturating_sub(1) as usize)..).unwrap_or_default();
        all.sort_by_key(|(cost, moves, done)| (*cost, moves != believed, *done));
        let mut lines: Vec<(Vec<Move>, i64)> = Vec::new();
        for (cost, moves, _) in all {
            if !lines.iter().any(|(known, _)| *known == moves) {
                lines.push((moves, cost));
            }
        }
        let least = lines.first().map_or(0, |(_, cost)| *cost);
        lines.into_iter().map(|(moves, cost)| (moves, Nats::try_from(cost - least).unwrap_or(Nats::MAX))).collect()
    }
}

impl World {
    /// The move of this ply of a past.
    fn move_at(&self, mut past: u32, ply: u32) -> Option<&Move> {
        while let Some(one) = self.pasts.get(past as usize).filter(|one| one.ply >= ply) {
            if one.ply == ply {
                return Some(&one.step.mv);
            }
            past = one.before;
        }
        None
    }

    /// Whether this past says of that ply what agrees, or has no such ply.
    fn says(&self, past: u32, ply: u32, agrees: &impl Fn(&Move) -> bool) -> bool {
        self.move_at(past, ply).is_none_or(agrees)
    }

    /// The ways to the position before this ply of a past, each with what it costs more.
    fn ways(&self, past: u32) -> impl Iterator<Item = Other> {
        let one = self.pasts.get(past as usize);
        let own = one.map(|one| Other { past: one.before, more: Bill::default() });
        own.into_iter().chain(one.into_iter().flat_map(|one| one.others.iter().copied()))
    }

    /// The cheapest of these ways that agrees, with what all of it costs more.
    fn cheapest(&self, ways: impl Iterator<Item = Other>, ply: u32, agrees: &impl Fn(&Move) -> bool) -> Option<Other> {
        ways.filter_map(|way| Some(way.dearer(&self.way(way.past, ply, agrees)?))).min_by_key(Other::cost)
    }

    /// What the cheapest past costs more that leads where this one does and agrees; `None`: none does.
    fn way(&self, past: u32, ply: u32, agrees: &impl Fn(&Move) -> bool) -> Option<Bill> {
        if self.says(past, ply, agrees) {
            return Some(Bill::default());
        }
        self.pasts.get(past as usize).filter(|one| one.ply > ply)?;
        self.cheapest(self.ways(past), ply, agrees).map(|way| way.more)
    }

    /// That past, by itself: what hangs on other ways before it stays as it is.
    fn led(&mut self, past: u32, ply: u32, agrees: &impl Fn(&Move) -> bool) -> u32 {
        if self.says(past, ply, agrees) {
            return past;
        }
        let (Some(way), Some(mut one)) = (self.cheapest(self.ways(past), ply, agrees), self.pasts.get(past as usize).cloned()) else {
            return past;
        };
        one.others.retain(|other| other.past != way.past && self.says(other.past, ply, agrees));
        one.others.iter_mut().for_each(|other| *other = other.cheaper(&way));
        one.before = self.led(way.past, ply, agrees);
        self.pasts.push(one);
        u32::try_from(self.pasts.len() - 1).unwrap_or(NOTHING)
    }

    /// What does not agree with that ply is forgotten; where nothing agrees, what is believed stays.
    fn keep(&mut self, ply: u32, agrees: &impl Fn(&Move) -> bool) {
        let lines = core::mem::take(&mut self.lines);
        let kept: Vec<Line> = lines.iter().filter_map(|line| self.line_with(line, ply, agrees)).collect();
        if kept.is_empty() {
            self.lines = lines;
            return;
        }
        self.lines = kept;
        for place in 0..self.pasts.len() {
            let mut others = core::mem::take(&mut self.pasts[place].others);
            others.retain(|other| self.says(other.past, ply, agrees));
            self.pasts[place].others = others;
        }
        self.merge();
    }

    /// The line, if it or one of the other ways to where it leads agrees.
    fn line_with(&mut self, line: &Line, ply: u32, agrees: &impl Fn(&Move) -> bool) -> Option<Line> {
        let mut kept = line.clone();
        if !self.says(line.past, ply, agrees) {
            let own = Other { past: line.past, more: Bill::default() };
            let way = self.cheapest([own].into_iter().chain(line.others.iter().copied()), ply, agrees)?;
            kept.bill.add(&way.more);
            kept.past = self.led(way.past, ply, agrees);
            kept.others.retain(|other| other.past != way.past);
            kept.others.iter_mut().for_each(|other| *other = other.cheaper(&way));
        }
        kept.others.retain(|other| self.says(other.past, ply, agrees));
        Some(kept)
    }
}

//! What somebody says of a ply that sensors left open: what he may choose from, and that the rest is forgotten.
use crate::estimator::{Estimator, Press};
use crate::line::{Line, Other};
use crate::price::Nats;
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
            let is = |past: u32| world.move_at(past, ply).is_some_and(&agrees);
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
        let mut lines: Vec<(Vec<Move>, i64)> = Vec::new();
        for one in self.snapshot().hypotheses.into_iter().filter(|one| one.white == white) {
            let moves: Vec<Move> = one.moves.iter().skip(ply.saturating_sub(1) as usize).copied().collect();
            if !lines.iter().any(|(known, _)| *known == moves) {
                lines.push((moves, one.cost));
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

    /// What does not agree with that ply is forgotten.
    fn keep(&mut self, ply: u32, agrees: &impl Fn(&Move) -> bool) {
        let lines = core::mem::take(&mut self.lines);
        let kept: Vec<Line> = lines.iter().filter_map(|line| self.line_with(line, ply, agrees)).collect();
        // Where nothing agrees, what is believed stays.
        self.lines = if kept.is_empty() { lines } else { kept };
        for place in 0..self.pasts.len() {
            let others = core::mem::take(&mut self.pasts[place].others);
            let others = others.into_iter().filter(|other: &Other| self.move_at(other.past, ply).is_none_or(agrees)).collect();
            self.pasts[place].others = others;
        }
        self.merge();
    }

    /// The line, if it or one of its other pasts agrees, or has no such ply.
    fn line_with(&self, line: &Line, ply: u32, agrees: &impl Fn(&Move) -> bool) -> Option<Line> {
        let agrees = |past: u32| self.move_at(past, ply).is_none_or(agrees);
        let mut line = line.clone();
        line.others.retain(|other| agrees(other.past));
        if agrees(line.past) {
            return Some(line);
        }
        let next = *line.others.first()?;
        line.others.remove(0);
        line.bill.add(&next.more);
        line.others.iter_mut().for_each(|other| *other = other.cheaper(&next));
        line.past = next.past;
        Some(line)
    }
}

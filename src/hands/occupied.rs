//! Boards that do not know their pieces: which way round they stand, and what a pawn became.
use crate::estimator::{Estimator, Press};
use crate::line::{Line, Other};
use crate::position::Position;
use crate::sensed::Eyes;
use crate::world::{KEEP, World};
use alloc::vec::Vec;
use flagfall_events::Mono;
use shakmaty::Role;

impl Estimator {
    /// A game on a board that only sees whether a piece is there. Presses are told by their players, White's at the left. `either_way`: the board
    /// may as well stand the other way round, where its squares do not tell.
    pub fn occupied(start: impl Into<Position>, either_way: bool, at: Mono) -> Self {
        let start = start.into();
        let world = World::new(Eyes::Occupancy, start.clone(), false, at);
        let mut worlds = Vec::from([(Press::Left, world.clone())]);
        if either_way && world.is_symmetric() {
            worlds.push((Press::Left, World { half: true, ..world }));
        }
        Self { eyes: Eyes::Occupancy, now: at, start, worlds }
    }

    /// By how many nats, times 1024, the board is less likely to stand the other way round than believed.
    pub(crate) fn round(&self) -> i64 {
        let cost = |half: bool| self.worlds.iter().filter(|(_, world)| world.half == half).map(|(_, world)| world.cost()).min();
        cost(true).zip(cost(false)).map_or(i64::MAX, |(half, upright)| half.abs_diff(upright).try_into().unwrap_or(i64::MAX))
    }

    /// What is too unlikely to come back is given up: a board stands one way round.
    pub(crate) fn settle_round(&mut self) {
        if self.worlds.iter().any(|(_, world)| world.half) && self.round() >= i64::from(KEEP) {
            let half = self.belief().half;
            self.worlds.retain(|(_, world)| world.half == half);
        }
    }

    /// From now on squares are told the other way round.
    pub fn turn_round(&mut self) {
        self.worlds.iter_mut().for_each(|(_, world)| world.half = !world.half);
    }

    /// Whether a pawn may have become this piece in that ply, counted from 1.
    pub fn may_have_become(&self, ply: u32, role: Role) -> bool {
        self.worlds.iter().any(|(_, world)| {
            let is = |past: u32| world.promotion(past, ply) == Some(role);
            world.lines.iter().any(|line| is(line.past) || line.others.iter().any(|other| is(other.past)))
        })
    }

    /// In that ply, counted from 1, a pawn became this piece: lines that say otherwise are forgotten.
    pub fn became(&mut self, ply: u32, role: Role) {
        for (_, world) in &mut self.worlds {
            world.became(ply, role);
        }
    }
}

impl World {
    /// It reads alike from either side.
    fn is_symmetric(&self) -> bool {
        (0..64).all(|square| self.image.readings.at(square) == self.image.readings.at(63 - square))
    }

    /// What a pawn became in this ply of a past.
    fn promotion(&self, mut past: u32, ply: u32) -> Option<Role> {
        while let Some(one) = self.pasts.get(past as usize).filter(|one| one.ply >= ply) {
            if one.ply == ply {
                return one.step.mv.promotion();
            }
            past = one.before;
        }
        None
    }

    fn became(&mut self, ply: u32, role: Role) {
        let lines = core::mem::take(&mut self.lines);
        let kept: Vec<Line> = lines.iter().filter_map(|line| self.line_with(line, ply, role)).collect();
        // Where nothing agrees, what is believed stays.
        self.lines = if kept.is_empty() { lines } else { kept };
        for place in 0..self.pasts.len() {
            let others = core::mem::take(&mut self.pasts[place].others);
            let agrees = |other: &Other| self.promotion(other.past, ply).is_none_or(|became| became == role);
            let others = others.into_iter().filter(agrees).collect();
            self.pasts[place].others = others;
        }
        self.merge();
    }

    /// The line, if it or one of its other pasts has this promotion, or none in that ply.
    fn line_with(&self, line: &Line, ply: u32, role: Role) -> Option<Line> {
        let agrees = |past: u32| self.promotion(past, ply).is_none_or(|became| became == role);
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

//! Boards that do not know their pieces: which way round they stand.
use crate::estimator::{Estimator, Press};
use crate::position::Position;
use crate::sensed::Eyes;
use crate::world::{KEEP, World};
use alloc::vec::Vec;
use flagfall_events::Mono;

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
}

impl World {
    /// It reads alike from either side.
    fn is_symmetric(&self) -> bool {
        (0..64).all(|square| self.image.readings.at(square) == self.image.readings.at(63 - square))
    }
}

//! What was sensed goes in, lines of play come out.
use crate::lead::Lead;
use crate::sensed::Eyes;
use crate::world::World;
use alloc::vec::Vec;
use dgt_protocol::square::PieceCode;
use flagfall_events::{Colour, Mono};
use shakmaty::{Chess, Move};

/// Which side of the clock went down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Press {
    /// The left one, seen from the clock's front.
    Left,
    /// The right one.
    Right,
}

/// One board's game as far as it can be known.
#[derive(Clone, Debug)]
pub struct Estimator {
    eyes: Eyes,
    now: Mono,
    /// White's clock at the left, at the right.
    worlds: Vec<(Press, World)>,
}

impl Estimator {
    /// A game that begins with this position.
    pub fn new(eyes: Eyes, start: Chess, at: Mono) -> Self {
        let world = |white| (white, World::new(eyes, start.clone(), false, at));
        Self { eyes, now: at, worlds: Vec::from([world(Press::Left), world(Press::Right)]) }
    }

    /// Nothing has come until now.
    pub fn advance(&mut self, to: Mono) {
        self.now = self.now.max(to);
        for (_, world) in &mut self.worlds {
            world.advance(self.now);
        }
    }

    /// A chess square (a1 = 0) was read.
    pub fn read(&mut self, at: Mono, square: u8, piece: PieceCode) {
        self.advance(at);
        let reading = self.eyes.read(piece);
        for (_, world) in &mut self.worlds {
            if world.read(square, reading) {
                world.extend();
            }
        }
    }

    /// A player pressed.
    pub fn press(&mut self, at: Mono, side: Press) {
        self.advance(at);
        for (white, world) in &mut self.worlds {
            world.press(if *white == side { Colour::White } else { Colour::Black });
        }
    }

    /// Something that was said was lost.
    pub fn damaged(&mut self, at: Mono) {
        self.advance(at);
        for (_, world) in &mut self.worlds {
            world.doubt = true;
        }
    }

    /// The whole image came, a1 first.
    pub fn dump(&mut self, at: Mono, pieces: &[PieceCode; 64]) {
        self.advance(at);
        for (_, world) in &mut self.worlds {
            let mut changed = false;
            for (square, piece) in (0..64).zip(pieces) {
                changed |= world.read(square, self.eyes.read(*piece));
            }
            if changed {
                world.extend();
            }
            world.doubt = false;
        }
    }

    /// The likeliest line.
    pub fn moves(&self) -> Vec<Move> {
        let best = self.worlds.iter().min_by_key(|(_, world)| world.cost());
        best.and_then(|(_, world)| world.best().map(|line| world.moves(line))).unwrap_or_default()
    }

    /// What is believed of the last plies, the last one first.
    pub fn leads(&self) -> Vec<Lead> {
        let best = self.worlds.iter().min_by_key(|(_, world)| world.cost());
        best.map(|(_, world)| world.leads()).unwrap_or_default()
    }

    /// White's side of the clock, and by how many nats, times 1024, the other one is less likely.
    pub fn sides(&self) -> Option<(Press, i64)> {
        let mut costs: Vec<_> = self.worlds.iter().map(|(side, world)| (world.cost(), *side)).collect();
        costs.sort_by_key(|(cost, _)| *cost);
        match costs[..] {
            [(best, side), (next, _), ..] => Some((side, next - best)),
            _ => None,
        }
    }

    /// Every line with White's side of the clock, its cost and how many of its plies are pressed.
    pub fn lines(&self) -> Vec<(Press, i64, u32, Vec<Move>)> {
        let of = |(side, world): &(Press, World)| {
            let lines = world.lines.iter().map(|line| (*side, world.paid + i64::from(line.cost), line.done, world.moves(line)));
            lines.collect::<Vec<_>>()
        };
        let mut lines: Vec<_> = self.worlds.iter().flat_map(of).collect();
        lines.sort_by_key(|(_, cost, ..)| *cost);
        lines
    }
}

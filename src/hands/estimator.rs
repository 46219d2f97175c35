//! What was sensed goes in, lines of play come out.
use crate::bill::Part;
use crate::lead::Lead;
use crate::position::Position;
use crate::price::Nats;
use crate::sensed::Eyes;
use crate::world::World;
use alloc::vec::Vec;
use dgt_protocol::square::PieceCode;
use flagfall_events::{Colour, Mono};
use shakmaty::Move;

/// Which side of the clock went down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Press {
    /// The left one, seen from the clock's front.
    Left,
    /// The right one.
    Right,
}

/// What is believed: the likeliest line, and how firmly.
#[derive(Clone, Debug, Default)]
pub struct Belief {
    /// Its moves.
    pub moves: Vec<Move>,
    /// Of its last plies, the last one first.
    pub leads: Vec<Lead>,
    /// So many of its plies are pressed; more than there are where one is owed.
    pub pressed: u32,
    /// Squares that do not read as they should after it, a1 = bit 0, but for those that somebody was told of.
    pub wrong: u64,
    /// What it costs that pieces are not where they should be which no move of the player to move is under way with, nats × 1024.
    pub odd: Nats,
    /// Those squares.
    pub astray: u64,
    /// How much dearer the cheapest line is in which every press has its ply, and hands at work explain what stands, nats × 1024; 22 where there is none, 30 without a clock.
    pub explained: Nats,
    /// White's side of the clock.
    pub white: Option<Press>,
    /// By how many nats, times 1024, the other one is less likely; below 0 it is likelier.
    pub sides: i64,
    /// The board is believed to stand the other way round than it was taken to.
    pub half: bool,
    /// By how many nats, times 1024, it is less likely to stand otherwise than believed.
    pub round: i64,
}

impl Belief {
    /// What is believed of a ply, counted from 1; `None`: it is so long ago that nobody looks back on it, or is not there.
    pub fn lead(&self, ply: usize) -> Option<&Lead> {
        self.leads.get(self.moves.len().checked_sub(ply)?)
    }
}

/// One board's game as far as it can be known.
#[derive(Clone, Debug)]
pub struct Estimator {
    pub(crate) eyes: Eyes,
    pub(crate) now: Mono,
    /// The position that it began with.
    pub(crate) start: Position,
    /// White's clock at the left, at the right.
    pub(crate) worlds: Vec<(Press, World)>,
}

impl Estimator {
    /// A game that begins with this position.
    pub fn new(eyes: Eyes, start: impl Into<Position>, at: Mono) -> Self {
        let start = start.into();
        let world = World::new(eyes, start.clone(), false, at);
        let worlds = Vec::from([(Press::Left, world.clone()), (Press::Right, world)]);
        Self { eyes, now: at, start, worlds }
    }

    /// The same, White's clock being expected at this side; it is so much less likely that it stands the other way round.
    pub fn expecting(eyes: Eyes, start: impl Into<Position>, white: Press, turned: Nats, at: Mono) -> Self {
        let mut estimator = Self::new(eyes, start, at);
        for (side, world) in &mut estimator.worlds {
            world.paid.charge(Part::Sides, if *side == white { 0 } else { turned });
        }
        estimator
    }

    /// The board is known to be scanned at half speed, as over classic Bluetooth.
    pub fn is_slow(&mut self) {
        self.worlds.iter_mut().for_each(|(_, world)| world.image.is_slow());
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
        self.settle_round();
    }

    /// A player pressed.
    pub fn press(&mut self, at: Mono, side: Press) {
        self.advance(at);
        for (white, world) in &mut self.worlds {
            world.press(if *white == side { Colour::White } else { Colour::Black });
        }
    }

    /// Nobody heard the clock until now, and it runs at this side: whoever is to move there has not pressed, and what was played before was.
    pub fn hears(&mut self, at: Mono, runs: Press) {
        self.advance(at);
        for (white, world) in &mut self.worlds {
            world.hears(if *white == runs { Colour::White } else { Colour::Black });
        }
    }

    /// Something that was said was lost.
    pub fn damaged(&mut self, at: Mono) {
        self.advance(at);
        for (_, world) in &mut self.worlds {
            world.doubt = true;
        }
    }

    /// The whole image came, a1 first: nothing is lost any more.
    pub fn dump(&mut self, at: Mono, pieces: &[PieceCode; 64]) {
        self.read_all(at, pieces);
        self.worlds.iter_mut().for_each(|(_, world)| world.trust());
    }

    /// Every square was read at once, a1 first.
    pub fn read_all(&mut self, at: Mono, pieces: &[PieceCode; 64]) {
        self.advance(at);
        for (_, world) in &mut self.worlds {
            let mut changed = false;
            for (square, piece) in (0..64).zip(pieces) {
                changed |= world.read(square, self.eyes.read(*piece));
            }
            if changed {
                world.extend();
            }
        }
    }

    /// Nobody has a piece in the hand: of lines that are likely as habits go, those stay after which every square reads as it should, if there are any.
    pub fn rests(&mut self) {
        self.worlds.iter_mut().for_each(|(_, world)| world.rest());
    }

    /// Somebody was told that these squares (a1 = bit 0) stand wrong, and nobody is at work there; no others are.
    pub fn told(&mut self, squares: u64) {
        for (_, world) in &mut self.worlds {
            world.told = if world.half { squares.reverse_bits() } else { squares };
        }
    }

    /// What the likeliest line costs, nats × 1024.
    pub fn cost(&self) -> i64 {
        self.worlds.iter().map(|(_, world)| world.cost()).min().unwrap_or(0)
    }

    /// What is believed now.
    pub fn belief(&self) -> Belief {
        let likelier = self.worlds.iter().min_by_key(|(_, world)| world.cost());
        likelier.map_or_else(Belief::default, |(white, _)| self.belief_if(*white))
    }

    /// The same if White's clock is at this side.
    pub fn belief_if(&self, white: Press) -> Belief {
        let of_this = self.worlds.iter().filter(|(side, _)| *side == white);
        let Some((white, world)) = of_this.min_by_key(|(_, world)| world.cost()) else { return Belief::default() };
        let Some(best) = world.best() else { return Belief::default() };
        let other = self.worlds.iter().filter(|(side, _)| side != white).map(|(_, world)| world.cost()).min();
        let sides = other.map_or(0, |other| other - world.cost());
        Belief {
            moves: world.moves(best),
            leads: world.leads(),
            pressed: best.done,
            wrong: world.at_work(best),
            odd: world.odd(best).0,
            astray: world.odd(best).1,
            explained: world.explained(),
            white: Some(*white),
            sides,
            half: world.half,
            round: self.round(),
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
            let lines = world.lines.iter().map(|line| (*side, world.paid.total() + i64::from(line.cost()), line.done, world.moves(line)));
            lines.collect::<Vec<_>>()
        };
        let mut lines: Vec<_> = self.worlds.iter().flat_map(of).collect();
        lines.sort_by_key(|(_, cost, ..)| *cost);
        lines
    }
}

//! Habits counted: what was played is known, and the times at which it is cheapest to believe it are taken for those at which it was.
mod survival;
mod table;

use crate::habits::{HOWS, How, KINDS, Kind, Owing, STANDS, WITHIN, soon, standing};
use crate::kinds::owing;
use crate::line::Line;
use crate::position::Position;
use crate::sensed::{Eyes, Reading};
use crate::world::World;
use alloc::vec::Vec;
use flagfall_events::{Colour, Mono};
use shakmaty::{Chess, Move, Role};

/// One thing that the sensors or the clock said.
#[derive(Clone, Copy, Debug)]
pub enum Sensed {
    /// A chess square (a1 = 0) was read.
    Square(u8, Reading),
    /// A player pressed.
    Press(Colour),
}

/// How long something lasted that was seen from one age to another, milliseconds; and whether it ended then, or became something else.
#[derive(Clone, Copy, Debug)]
pub struct Span {
    /// Its age when it was seen first.
    pub from: u64,
    /// Its age when it was seen last.
    pub to: u64,
    /// It ended.
    pub ended: bool,
}

/// What was counted.
#[derive(Clone, Debug, Default)]
pub struct Count {
    /// Games whose record could not be laid over what was sensed.
    pub lost: u64,
    /// Plies.
    pub plies: u64,
    /// How they came about.
    pub how: [u64; HOWS],
    /// Disagreements that began, by kind.
    pub onset: [u64; KINDS],
    /// How long they lasted.
    pub lasted: [Vec<Span>; KINDS],
    /// Presses of plies that were seen later: the piece in a hand, one of two that castle there.
    pub owing: [u64; 2],
    /// The same, the piece standing elsewhere, by how long it had been read there.
    pub standing: [u64; STANDS.len()],
    /// Pieces that went on to where they could have gone by their player's ply before, by how long ago that was.
    pub again: [u64; WITHIN.len()],
    /// From a press to its ply, where it was seen later.
    pub owed: Vec<Span>,
    /// From a ply to its press.
    pub waits: Vec<Span>,
    /// From a ply on one that is not pressed yet to that press.
    pub haste: Vec<Span>,
    /// Presses.
    pub presses: u64,
    /// Presses that were nobody's turn.
    pub idle: u64,
    /// Promotions, and those of them to another piece than a queen.
    pub promotions: [u64; 2],
}

impl Count {
    /// Adds one game: what was sensed, with its times, and what was played.
    pub fn add(&mut self, eyes: Eyes, start: &Chess, sensed: &[(Mono, Sensed)], moves: &[Move]) {
        let begin = sensed.first().map_or(Mono::ZERO, |(at, _)| *at);
        let mut world =
            World::new(eyes, Position::from(start.clone()), sensed.iter().any(|(_, one)| matches!(one, Sensed::Press(_))), begin);
        world.known = Some(moves.to_vec());
        for &(at, one) in sensed {
            world.advance(at);
            match one {
                Sensed::Square(square, reading) => {
                    if world.read(square, reading) {
                        world.extend();
                    }
                }
                Sensed::Press(by) => world.press(by),
            }
        }
        let Some(best) = world.lines.iter().filter(|line| line.plies as usize == moves.len()).min_by_key(|line| line.cost()) else {
            self.lost += 1;
            return;
        };
        let mut switches: Vec<(u32, Move, How)> = Vec::new();
        let mut past = best.past;
        while let Some(one) = world.pasts.get(past as usize) {
            switches.push((one.reading, one.step.mv, one.how));
            past = one.before;
        }
        switches.reverse();
        self.recount(World::new(eyes, Position::from(start.clone()), world.clock, begin), sensed, &switches);
    }

    /// Along the one line that was played.
    fn recount(&mut self, mut world: World, sensed: &[(Mono, Sensed)], switches: &[(u32, Move, How)]) {
        // Its line is the only one: no press makes another.
        world.known = Some(Vec::new());
        let mut open: [Option<(Kind, Mono, u64)>; 64] = [None; 64];
        let mut due = switches.iter().peekable();
        let over = switches.last().map_or(0, |(reading, ..)| *reading);
        for &(at, one) in sensed {
            world.advance(at);
            match one {
                Sensed::Square(square, reading) => {
                    world.read(square, reading);
                    while let Some(&(_, mv, how)) = due.next_if(|(reading, ..)| *reading <= world.taken_in) {
                        self.play(&mut world, mv, how, at);
                    }
                    world.ask();
                    self.look(&world.lines[0], at, &mut open);
                }
                Sensed::Press(by) => self.press(&mut world, by, at),
            }
            if world.taken_in > over && (world.lines[0].done >= world.lines[0].plies || at.since(world.lines[0].at) > 5_000) {
                break;
            }
        }
        // Nobody has to press after his last move.
        if world.lines[0].plies > world.lines[0].done {
            self.waits.push(Span { from: 0, to: u64::MAX, ended: false });
        }
    }

    fn play(&mut self, world: &mut World, mv: Move, how: How, at: Mono) {
        let line = world.lines[0].clone();
        let Some(step) = line.spot.steps().iter().find(|step| step.mv == mv) else { return };
        self.plies += 1;
        self.how[how as usize] += 1;
        if let Move::Normal { promotion: Some(role), .. } = mv {
            self.promotions[0] += 1;
            self.promotions[1] += u64::from(role != Role::Queen);
        }
        if let Some(own) = world.came_so_far(step, line.past) {
            self.again[soon(at.since(own.at))] += 1;
        }
        let spot = line.spot.clone();
        if line.done > line.plies {
            self.owed.push(Span { from: 0, to: at.since(line.owed), ended: true });
        }
        world.lines[0] = world.play(&line, &spot, step, line.past, (how, 0));
    }

    fn press(&mut self, world: &mut World, by: Colour, at: Mono) {
        self.presses += 1;
        let before = world.lines[0].clone();
        world.press(by);
        // Nobody forgets to press in these games: one press is one ply.
        world.lines.sort_by_key(|line| line.done.abs_diff(before.done + 1));
        world.lines.truncate(1);
        let line = &world.lines[0];
        if line.done > line.plies {
            match owing(line, &world.image, at) {
                Owing::InHand => self.owing[0] += 1,
                Owing::Castling => self.owing[1] += 1,
                Owing::Stands(age) => self.standing[standing(age)] += 1,
            }
        }
        if line.done == before.done {
            self.idle += 1;
        } else if before.plies > before.done {
            let ply = Span { from: 0, to: at.since(before.at), ended: true };
            if before.plies == before.done + 1 { self.waits.push(ply) } else { self.haste.push(ply) }
        }
    }

    /// Which squares disagree now, and which did until now.
    fn look(&mut self, line: &Line, at: Mono, open: &mut [Option<(Kind, Mono, u64)>; 64]) {
        for square in 0..64u8 {
            let place = &mut open[usize::from(square)];
            let is = line.disagreement(square).map(|one| (one.kind, one.since));
            match (*place, is) {
                (Some((was, began, from)), Some((is, since))) if was != is || began != since => {
                    self.lasted[was as usize].push(Span { from, to: at.since(began), ended: false });
                    self.onset[is as usize] += u64::from(was != is && began != since);
                    *place = Some((is, since, at.since(since)));
                }
                (Some((was, began, from)), None) => {
                    self.lasted[was as usize].push(Span { from, to: at.since(began), ended: true });
                    *place = None;
                }
                (None, Some((is, since))) => {
                    self.onset[is as usize] += 1;
                    *place = Some((is, since, at.since(since)));
                }
                _ => {}
            }
        }
    }

    /// Takes in what was counted elsewhere.
    pub fn join(&mut self, other: Self) {
        self.lost += other.lost;
        self.plies += other.plies;
        self.presses += other.presses;
        self.idle += other.idle;
        self.standing.iter_mut().zip(other.standing).for_each(|(a, b)| *a += b);
        self.again.iter_mut().zip(other.again).for_each(|(a, b)| *a += b);
        self.owing.iter_mut().zip(other.owing).for_each(|(a, b)| *a += b);
        self.how.iter_mut().zip(other.how).for_each(|(a, b)| *a += b);
        self.onset.iter_mut().zip(other.onset).for_each(|(a, b)| *a += b);
        self.promotions.iter_mut().zip(other.promotions).for_each(|(a, b)| *a += b);
        self.lasted.iter_mut().zip(other.lasted).for_each(|(a, b)| a.extend(b));
        self.owed.extend(other.owed);
        self.waits.extend(other.waits);
        self.haste.extend(other.haste);
    }
}

//! The estimate of what was played while nobody listened, from the board's own log: its pieces as they changed, and who pressed when.
use crate::clock::Side;
use crate::placement::{Image, Placement};
use crate::press::Press;
use crate::recogniser::follows::Follows;
use crate::recogniser::play::Play;
use crate::recognition::step::{Ground, Step};
use crate::recovery::memory::{Found, begins_near};
use alloc::vec::Vec;
use flagfall_events::{Colour, Mono};
use flagfall_hands::price::{HABIT, Nats};

/// The log tells no times but that an entry came within a quarter of a second of the one before it, milliseconds.
const QUICK_MS: u64 = 80;
const UNHURRIED_MS: u64 = 400;
/// Plies that may stand on the board and wait for their press.
const UNPRESSED: usize = 2;
/// Squares that two hands at work leave otherwise than they should be.
const AT_WORK: u32 = 6;

/// What an entry of the log says.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Said {
    /// The board stands so; a moment after the entry before it, or later.
    Stands { placement: Placement, quick: bool },
    /// The player at this side pressed.
    Pressed(Side),
}

impl Said {
    const fn takes(self) -> u64 {
        match self {
            Self::Stands { quick: true, .. } => QUICK_MS,
            Self::Stands { .. } => UNHURRIED_MS,
            Self::Pressed(_) => 0,
        }
    }

    pub(crate) const fn placement(&self) -> Option<&Placement> {
        match self {
            Self::Stands { placement, .. } => Some(placement),
            Self::Pressed(_) => None,
        }
    }
}

/// The estimate from the certain position on, along the log and what the board said since.
#[derive(Clone, Debug)]
pub(crate) struct Logged {
    follows: Follows,
    came: Mono,
}

impl Logged {
    /// Of the log that came now. `None`: the certain position is not in it, or the board does not know its pieces.
    pub(crate) fn read(said: &[Said], play: &Play, sides: (Side, Nats), slow: bool, now: Mono) -> Option<Self> {
        if play.occupancy() {
            return None;
        }
        let ground = play.ground();
        let begin = begins_near(said.iter().map(Said::placement), &ground.placement)?;
        let entries = &said[begin..];
        // No longer than time has passed.
        let all = entries.iter().map(|said| said.takes()).sum::<u64>().max(1);
        let span = all.min(now.millis());
        let mut at = now.millis() - span;
        let mut follows = Follows::new(&ground.position, &ground.placement, play.base(), sides, Mono::from_millis(at));
        if slow {
            follows.is_slow();
        }
        let mut passed = 0;
        for said in entries {
            passed += said.takes();
            at = at.max(now.millis() - span + passed * span / all);
            follows.relive(said, sides.0, Mono::from_millis(at));
        }
        Some(Self { follows, came: now })
    }

    /// A player pressed since then.
    pub(crate) fn press(&mut self, press: &Press, now: Mono) {
        self.follows.press(*press, now);
    }

    /// The plies up to what stands, once every one that was pressed is certain and hands at work explain the rest.
    pub(crate) fn found(&mut self, play: &Play, image: &Image, scan_ms: u64, now: Mono) -> Option<Found> {
        self.follows.look(image, now);
        // The picture that was asked for behind the log.
        if now < self.came + scan_ms {
            return None;
        }
        let certain = |found: &Found| (0..found.completed()).all(|ply| self.follows.is_certain(play.base() + ply));
        self.likeliest(play).filter(certain)
    }

    /// What is likeliest, whatever else it may be.
    pub(crate) fn likeliest(&self, play: &Play) -> Option<Found> {
        let (plies, base) = (self.follows.belief().moves.len(), play.base());
        if !self.explains() || plies == 0 {
            return None;
        }
        let pressed = (self.follows.belief().pressed as usize).min(plies);
        // Presses may be missing in the log; then the plies tell of them.
        let pressed = Some(pressed).filter(|pressed| plies <= pressed + UNPRESSED);
        let made = pressed.unwrap_or(0);
        let made = made + (made..plies).take_while(|&ply| self.follows.is_made(base + ply)).count();
        let line = line(play.ground(), self.follows.moves().take(made))?;
        Some(Found { line, logged: true, open: 0, pressed, follows: Some(self.follows.clone()) })
    }

    /// Whether legal play that is no dearer than a habit, and hands at work, explain what stands.
    pub(crate) fn explains(&self) -> bool {
        let belief = self.follows.belief();
        belief.explained < HABIT && belief.wrong.count_ones() <= AT_WORK
    }
}

/// These moves from there on; `None`: they cannot follow each other.
fn line<'a>(ground: &Ground, moves: impl Iterator<Item = &'a shakmaty::Move>) -> Option<Vec<Step>> {
    let (mut ground, mut line) = (ground.clone(), Vec::new());
    for mv in moves {
        let step = *ground.steps.iter().find(|step| step.mv == *mv)?;
        ground = ground.next(&step, false);
        line.push(step);
    }
    Some(line)
}

/// A press that the log tells of.
pub(crate) fn pressed(side: Side, white: Side, at: Mono) -> Press {
    let by = if side == white { Colour::White } else { Colour::Black };
    Press { by, white, at, clock: None, spent_ms: None, asked: None, dumped: None, earned_ms: 0, started: false, in_air: false }
}

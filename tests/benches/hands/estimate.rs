//! One game through the estimator, as a host would run it: asked after everything that is said, and every twentieth of a second while a press waits.
use crate::sensed::{Said, Sensed};
use flagfall_events::Mono;
use flagfall_hands::{Estimator, Eyes, Press};
use flagfall_time::Stopwatch;
use shakmaty::{CastlingMode, Chess};
use std::collections::BTreeMap;

/// How long a press waits for its ply here, milliseconds; the daemon completes it with the likeliest reading later.
const WAITS: u64 = 3_000;
/// From one look to the next while a press waits, milliseconds.
const LOOK: u64 = 25;
/// From the last word to the end, milliseconds.
const AFTER: u64 = 2_000;

/// What was read.
#[derive(Default)]
pub(crate) struct Read {
    pub(crate) moves: Vec<String>,
    /// Every ply that was pressed: how long after the press it was completed, and as which move.
    pub(crate) completed: BTreeMap<u32, Option<(u64, String)>>,
    /// White's clock was taken for the other one at the end.
    pub(crate) sides_wrong: bool,
    /// What each input took, microseconds.
    pub(crate) micros: Vec<u32>,
    pressed: BTreeMap<u32, u64>,
}

impl Read {
    /// The moves that were played are the first ones that were read; what comes after the game is not asked for here.
    pub(crate) fn is_exact(&self, truth: &[String]) -> bool {
        self.moves.starts_with(truth)
    }

    /// Whether a press waits.
    fn look(&mut self, estimator: &Estimator, now: u64) -> bool {
        let mut waits = false;
        for lead in estimator.leads().into_iter().filter(|lead| lead.pressed) {
            let pressed = *self.pressed.entry(lead.ply).or_insert(now);
            let done = self.completed.entry(lead.ply).or_default();
            if done.is_none() && now <= pressed + WAITS {
                if lead.certain {
                    *done = Some((now - pressed, lead.mv.to_uci(CastlingMode::Standard).to_string()));
                }
                waits |= done.is_none();
            }
        }
        waits
    }
}

pub(crate) fn read(sensed: &Sensed, eyes: Eyes, white: Option<Press>) -> Read {
    let mut read = Read::default();
    let Some(began) = sensed.began else { return read };
    let mut estimator = Estimator::new(eyes, Chess::default(), began);
    let clock = Stopwatch::start();
    let (mut now, mut waits) = (began.millis(), false);
    for (at, said) in &sensed.said {
        while waits && now + LOOK < at.millis() {
            now += LOOK;
            estimator.advance(Mono::from_millis(now));
            waits = read.look(&estimator, now);
        }
        now = at.millis();
        let before = clock.micros();
        match said {
            Said::Square(square, piece) => estimator.read(*at, *square, *piece),
            Said::Dump(pieces) => estimator.dump(*at, pieces),
            Said::Press(side) => estimator.press(*at, *side),
            Said::Lost => estimator.damaged(*at),
        }
        read.micros.push(u32::try_from(clock.micros() - before).unwrap_or(u32::MAX));
        waits = read.look(&estimator, now);
    }
    estimator.advance(Mono::from_millis(now + AFTER));
    read.moves = estimator.moves().iter().map(|mv| mv.to_uci(CastlingMode::Standard).to_string()).collect();
    read.sides_wrong = white.is_some_and(|white| estimator.sides().is_none_or(|(side, lead)| side != white || lead == 0));
    read
}

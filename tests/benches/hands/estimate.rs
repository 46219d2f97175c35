//! One game through the estimator alone, as a host would run it: asked after everything that is said, and often while a press waits.
use crate::case::Case;
use crate::sensed::{Said, Sensed};
use crate::work::Times;
use flagfall_events::Mono;
use flagfall_hands::price::Nats;
use flagfall_hands::{Estimator, Lead};
use flagfall_time::Stopwatch;
use shakmaty::{CastlingMode, Chess};
use std::collections::BTreeMap;

/// How long a press waits for its ply here, milliseconds; the daemon completes it with the likeliest reading later.
pub(crate) const WAITS: u64 = 3_000;
/// From one look to the next while a press waits, milliseconds.
const LOOK: u64 = 25;
/// From the last word to the end, milliseconds.
const AFTER: u64 = 2_000;

/// What was read.
#[derive(Default)]
pub(crate) struct Read {
    pub(crate) moves: Vec<String>,
    /// Every ply that was pressed.
    pub(crate) pressed: BTreeMap<u32, Pressed>,
    /// White's clock was taken for the other one at the end.
    pub(crate) sides_wrong: bool,
    pub(crate) times: Times,
}

/// A ply that was pressed.
pub(crate) struct Pressed {
    /// What was believed at the press.
    pub(crate) at_once: Believed,
    /// How long after the press it was completed, milliseconds, and as what.
    pub(crate) completed: Option<(u64, Believed)>,
    at: u64,
}

/// A move, and by how much it led.
#[derive(Clone)]
pub(crate) struct Believed {
    pub(crate) uci: String,
    pub(crate) lead: Nats,
}

impl Believed {
    fn of(lead: &Lead) -> Self {
        Self { uci: lead.mv.to_uci(CastlingMode::Standard).to_string(), lead: lead.lead }
    }
}

impl Read {
    /// Whether a press waits.
    fn look(&mut self, estimator: &Estimator, now: u64) -> bool {
        let mut waits = false;
        for lead in estimator.leads().into_iter().filter(|lead| lead.pressed) {
            let new = || Pressed { at_once: Believed::of(&lead), completed: None, at: now };
            let pressed = self.pressed.entry(lead.ply).or_insert_with(new);
            if pressed.completed.is_none() && now <= pressed.at + WAITS {
                if lead.certain {
                    pressed.completed = Some((now - pressed.at, Believed::of(&lead)));
                }
                waits |= pressed.completed.is_none();
            }
        }
        waits
    }
}

pub(crate) fn read(case: &Case) -> Read {
    let (mut read, sensed) = (Read::default(), Sensed::of(case.chunks(), case.eyes()));
    let Some(began) = sensed.began else { return read };
    let mut estimator = Estimator::new(case.eyes(), Chess::default(), began);
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
        read.times.took(clock.micros() - before);
        waits = read.look(&estimator, now);
    }
    estimator.advance(Mono::from_millis(now + AFTER));
    read.moves = estimator.moves().iter().map(|mv| mv.to_uci(CastlingMode::Standard).to_string()).collect();
    let white = case.stands.as_ref().and_then(|stands| stands.white);
    read.sides_wrong = white.is_some_and(|white| estimator.sides().is_none_or(|(side, lead)| side != white || lead == 0));
    read
}

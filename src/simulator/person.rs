//! One player of many: his habits, drawn once a game.
use super::pace::{Kind, Pace, log_uniform};
use super::people::{SPREAD, Tempo};
use rand::Rng as _;
use rand_chacha::ChaCha8Rng;

/// The habits of one player in one game. Odds are per occasion, 0 to 1; weights need no sum.
#[derive(Clone, Debug, PartialEq)]
pub struct Person {
    /// He thinks so many times as long as usual, half a decade less to half a decade more.
    pub think: f64,
    /// His hands take so many times as long as usual, 0.25 to 1.8.
    pub hand: f64,
    /// Odds that a piece with a long way slides, 0 to 0.8.
    pub slides: f64,
    /// Odds that a slide rests on its way.
    pub rests: f64,
    /// Odds that a piece is held in the air.
    pub holds: f64,
    /// Odds that the piece to be moved is lifted and put back first.
    pub returns: f64,
    /// Odds that it is put on another square first.
    pub revises: f64,
    /// Odds that a piece is adjusted before the move.
    pub adjusts: f64,
    /// Odds that one is adjusted while the opponent is to move.
    pub adjusts_waiting: f64,
    /// Odds that the moving piece is seen over a square beside its way.
    pub glimpses: f64,
    /// Weights of the five ways to take a piece, in the order of [`crate::deeds::Taking`].
    pub taking: [f64; 5],
    /// Weights of the three ways to take in passing, in the order of [`crate::deeds::Passing`].
    pub passing: [f64; 3],
    /// Weights of the five ways to castle, in the order of [`crate::deeds::Castling`].
    pub castling: [f64; 5],
    /// Weights of the four ways to promote, in the order of [`crate::deeds::Promoting`].
    pub promoting: [f64; 4],
    /// Odds that a hand knocks something over.
    pub knocks: f64,
    /// Odds that he answers at the opponent's press.
    pub at_once: f64,
    /// Odds that he answers before it.
    pub before_press: f64,
    /// Odds that his hand then has the piece in the air before the opponent's stands.
    pub overlaps: f64,
    /// Odds that he then presses in the same moment as the opponent, if his move stands.
    pub together: f64,
    /// Odds of a late press.
    pub late: f64,
    /// Odds that he does not press a move that ends the game by itself.
    pub unpressed_mate: f64,
    /// Odds that he does not press another last move.
    pub unpressed_last: f64,
}

/// The quickest hand moves a piece in so many milliseconds, reaches for the next one, and presses.
const QUICKEST: [u64; 3] = [80, 60, 60];

impl Person {
    /// Somebody.
    pub(crate) fn draw(tempo: Tempo, rng: &mut ChaCha8Rng) -> Self {
        let usual = tempo.usual();
        let mut up_to = |most: f64| most * rng.random::<f64>();
        let [rests, holds, returns, revises] = [usual.rests, usual.holds, usual.adjusts / 2.0, usual.revises].map(&mut up_to);
        let [adjusts, adjusts_waiting, glimpses, knocks] = [usual.adjusts, usual.adjusts, 0.15, usual.knocks].map(&mut up_to);
        let [at_once, before_press, overlaps, together] = [usual.at_once, usual.before_press, 0.5, 0.8].map(&mut up_to);
        let [late, unpressed_last] = [usual.late_presses, 0.3].map(&mut up_to);
        let mut weighted = |most: f64| most * -(1.0 - rng.random::<f64>()).ln();
        Self {
            taking: [0.4, 0.25, 0.2, 0.08, 0.07].map(&mut weighted),
            passing: [0.5, 0.25, 0.25].map(&mut weighted),
            castling: [0.7, 0.1, 0.08, 0.06, 0.06].map(&mut weighted),
            promoting: [0.4, 0.15, 0.3, 0.15].map(&mut weighted),
            think: ratio(rng, 1.0 / SPREAD, SPREAD),
            hand: ratio(rng, 0.25, 1.8),
            slides: rng.random_range(0.0..0.8),
            unpressed_mate: rng.random(),
            rests,
            holds,
            returns,
            revises,
            adjusts,
            adjusts_waiting,
            glimpses,
            knocks,
            at_once,
            before_press,
            together,
            overlaps,
            late,
            unpressed_last,
        }
    }

    /// The same with seconds left: nothing but moves.
    pub(crate) fn hurried(self) -> Self {
        let hand = self.hand.min(0.6);
        Self { hand, rests: 0.0, holds: 0.0, returns: 0.0, revises: 0.0, adjusts: 0.0, late: 0.0, ..self }
    }

    /// How long a move that he thinks about takes, press to press, milliseconds.
    pub(crate) fn move_time(&self, tempo: Tempo, rng: &mut ChaCha8Rng) -> u64 {
        const SHARES: [f64; 8] = [0.0, 0.1, 0.25, 0.5, 0.75, 0.9, 0.99, 1.0];
        /// What is left of a spread of about 0.7 decades when that of the players, a decade evenly (0.29), is taken out of it.
        const WITHIN: f64 = 0.92;
        let moves = tempo.usual().moves;
        // His answers at the press and before it are the quickest of his moves already.
        let quick = self.at_once + self.before_press;
        let share = quick + (1.0 - quick) * rng.random::<f64>();
        let at = (1..8).find(|i| share <= SHARES[*i]).unwrap_or(7);
        let part = (share - SHARES[at - 1]) / (SHARES[at] - SHARES[at - 1]);
        let log = |i: usize| (moves[i] as f64).ln();
        let (median, drawn) = (log(3), log(at - 1) + part * (log(at) - log(at - 1)));
        (self.think * (median + WITHIN * (drawn - median)).exp()) as u64
    }

    /// His hands in figures.
    pub(crate) fn figures(&self, tempo: Tempo) -> Pace {
        let usual = tempo.usual();
        let around = |centre: u64, least: u64| {
            let centre = centre as f64 * self.hand;
            (((centre / SPREAD) as u64).max(least), ((centre * SPREAD) as u64).max(least + 20))
        };
        Pace {
            kind: Kind::Human,
            by_ratio: true,
            carry: around(usual.carry, QUICKEST[0]),
            reach: around(usual.reach, QUICKEST[1]),
            press: around(usual.press, QUICKEST[2]),
            touch: around(usual.carry / 4, 8),
            doubt: usual.rest,
            holding: usual.hold,
            fetch: around(usual.fetch, 150),
            adjusting: around(usual.carry, QUICKEST[0]),
            slide: self.slides,
            pause: self.rests,
            change_mind: self.revises,
            glimpse: self.glimpses,
            hold: self.holds,
            adjust: self.adjusts,
            at_once: self.at_once,
            pre_lift: self.before_press,
            no_last_press: self.unpressed_mate,
        }
    }
}

/// A number of this range: each ratio is as likely as any other.
fn ratio(rng: &mut ChaCha8Rng, low: f64, high: f64) -> f64 {
    low * (high / low).powf(rng.random::<f64>())
}

/// One of these ways, by its weight.
pub(crate) fn one_of<T: Copy>(rng: &mut ChaCha8Rng, ways: &[T], weights: &[f64]) -> T {
    let mut left = weights.iter().sum::<f64>() * rng.random::<f64>();
    for (way, weight) in ways.iter().zip(weights) {
        if left < *weight {
            return *way;
        }
        left -= weight;
    }
    ways[0]
}

/// Some milliseconds of this range, by ratio, for this hand.
pub(crate) fn some_of(rng: &mut ChaCha8Rng, range: (u64, u64), hand: f64) -> u64 {
    (log_uniform(rng, range) as f64 * hand) as u64
}

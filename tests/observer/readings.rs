//! When each square was read, and as what.
use super::{Game, Seen};

/// Five bytes at 9600 baud, microseconds: from a reading to the end of its frame.
const WIRE: u64 = 5_210;
/// Frames are stamped in whole milliseconds and wait for those before them; the phases found are late by no more than this.
const EARLY: u64 = 2_000;
/// Readings whose place in the pass is told by this order lie within so many microseconds.
const ARC: u64 = 15_000;
/// Changes that are needed to find an order.
const ENOUGH: usize = 8;
/// Phases tried for squares that never change.
pub(super) const GUESSES: u64 = 8;

/// What the squares read. Times are microseconds.
#[derive(Debug)]
pub(super) struct Board {
    pub(super) period: u64,
    phases: [Option<u64>; 64],
    /// From when on a square read what, the first one since ever.
    history: Vec<Vec<(u64, u8)>>,
    /// When a square may have read something else: a frame was lost.
    stale: Vec<Vec<(u64, u64)>>,
}

impl Board {
    pub(super) fn new(game: &Game<'_>) -> Self {
        let period = game.scan_ms * 1000;
        let piece = |piece: u8| if game.identified { piece } else { piece.min(1) };
        let first = super::line::placement(game.start, game.identified);
        let phases = game.phases.map_or_else(|| found(game, period), |phases| phases.map(Some));
        let history = first.iter().map(|piece| vec![(0, *piece)]).collect();
        let mut board = Self { period, phases, history, stale: vec![Vec::new(); 64] };
        let mut lost = [None::<u64>; 64];
        for (t, seen) in game.seen {
            let t = t * 1000;
            match seen {
                Seen::Square { square, piece: is } => board.told(usize::from(*square), t, piece(*is), &mut lost),
                Seen::Dump(all) => {
                    for (square, is) in all.iter().enumerate() {
                        if lost[square].is_some() || board.last(square) != piece(*is) {
                            board.told(square, t, piece(*is), &mut lost);
                        }
                    }
                }
                Seen::Lost => lost.iter_mut().for_each(|since| {
                    since.get_or_insert(t.saturating_sub(period + WIRE));
                }),
                Seen::Press(_) => {}
            }
        }
        for (square, since) in lost.iter().enumerate() {
            board.stale[square].extend(since.map(|since| (since, u64::MAX)));
        }
        board
    }

    fn told(&mut self, square: usize, t: u64, piece: u8, lost: &mut [Option<u64>; 64]) {
        let arrived = t.saturating_sub(WIRE);
        let read = match self.phases[square] {
            Some(phase) if arrived + EARLY >= phase => phase + (arrived + EARLY - phase) / self.period * self.period,
            _ => arrived,
        };
        let read = read.max(self.history[square].last().map_or(0, |last| last.0 + 1));
        if let Some(since) = lost[square].take() {
            self.stale[square].push((since, read));
        }
        self.history[square].push((read, piece));
    }

    fn last(&self, square: usize) -> u8 {
        self.history[square].last().map_or(0, |last| last.1)
    }

    /// What the square read at `t`, a moment at which it was read.
    pub(super) fn value(&self, square: usize, t: u64) -> u8 {
        let after = self.history[square].partition_point(|entry| entry.0 <= t);
        self.history[square][after.max(1) - 1].1
    }

    /// Some square's phase is not known.
    pub(super) fn has_unknown(&self) -> bool {
        self.phases.iter().any(Option::is_none)
    }

    /// The readings of a square from `from` on and before `to`. `guess` is the phase where it is not known, in parts of a pass.
    pub(super) fn reads(&self, square: usize, from: u64, to: u64, guess: u64) -> impl Iterator<Item = (u64, u8)> + '_ {
        let phase = self.phases[square].unwrap_or(guess * self.period / GUESSES);
        let first = if from <= phase { phase } else { phase + (from - phase).div_ceil(self.period) * self.period };
        let stale = &self.stale[square];
        (0..)
            .map(move |pass| first + pass * self.period)
            .take_while(move |t| *t < to)
            .filter(|t| !stale.iter().any(|(from, to)| from <= t && t < to))
            .map(move |t| (t, self.value(square, t)))
    }

    /// The first moment from `from` on at which the square read this.
    pub(super) fn first_is(&self, square: usize, from: u64, piece: u8) -> Option<u64> {
        self.history[square].iter().find(|(t, is)| *t > from && *is == piece).map(|(t, _)| *t)
    }

    /// The first reading from `from` on that is not `piece`, if it is before `to`.
    pub(super) fn first_other(&self, square: usize, from: u64, to: u64, piece: u8) -> Option<u64> {
        let first = self.reads(square, from, to, 0).next().filter(|(_, is)| *is != piece).map(|(t, _)| t);
        let later = || self.history[square].iter().find(|(t, is)| *t > from && *t < to && *is != piece).map(|(t, _)| *t);
        first.or_else(later)
    }
}

/// Where a square stands in a pass, by the orders in which boards are known to read, from either corner.
fn place(order: usize, square: usize) -> u64 {
    let wire = (7 - square / 8) * 8 + square % 8;
    let wire = if order % 2 == 1 { 63 - wire } else { wire };
    let (row, column) = (wire / 8, wire % 8);
    let place = match order / 2 {
        0 => wire,
        1 => column * 8 + row,
        _ if row % 2 == 1 => row * 8 + 7 - column,
        _ => wire,
    };
    place as u64
}

/// The phases as the changes show them: those of the order that puts most of them into a narrow arc, else each square's own.
fn found(game: &Game<'_>, period: u64) -> [Option<u64>; 64] {
    let changes: Vec<(usize, u64)> = game
        .seen
        .iter()
        .filter_map(|(t, seen)| match seen {
            Seen::Square { square, .. } => Some((usize::from(*square), (t * 1000).saturating_sub(WIRE))),
            _ => None,
        })
        .collect();
    let shift = |order: usize, square: usize| place(order, square) * period / 64;
    let best = (0..6)
        .map(|order| {
            let mut left: Vec<u64> = changes.iter().map(|(square, t)| (t + period - shift(order, *square)) % period).collect();
            let (count, phase) = densest(&mut left, period);
            (count, order, phase)
        })
        .max_by_key(|(count, order, _)| (*count, std::cmp::Reverse(*order)));
    let mut phases = [None; 64];
    if let Some((_, order, phase)) = best.filter(|(count, ..)| changes.len() >= ENOUGH && count * 10 >= changes.len() * 7) {
        for (square, known) in phases.iter_mut().enumerate() {
            *known = Some((phase + shift(order, square)) % period);
        }
        return phases;
    }
    for (square, known) in phases.iter_mut().enumerate() {
        let mut own: Vec<u64> = changes.iter().filter(|change| change.0 == square).map(|change| change.1 % period).collect();
        *known = (!own.is_empty()).then(|| densest(&mut own, period).1);
    }
    phases
}

/// How many of these moments of a period lie in the arc that holds most of them, and where that begins.
fn densest(moments: &mut [u64], period: u64) -> (usize, u64) {
    moments.sort_unstable();
    let within = |from: u64| moments.iter().filter(|t| (**t + period - from) % period <= ARC).count();
    moments.iter().map(|from| (within(*from), *from)).max_by_key(|(count, from)| (*count, std::cmp::Reverse(*from))).unwrap_or((0, 0))
}

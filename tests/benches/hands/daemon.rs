//! One game through the recogniser that the daemon uses.
use crate::case::Case;
use crate::doubted::Told;
use crate::work::Times;
use flagfall_capture::CaptureLine;
use flagfall_events::{Body, Colour, Event, Grade, How, Mono, Wall};
use flagfall_game::board::{Board, Output};
use flagfall_hands::price::Nats;
use flagfall_time::Stopwatch;
use std::collections::BTreeMap;
use std::ops::Add;

/// So long the board goes on standing there after its last word, milliseconds.
const AFTER: u64 = 10_000;
/// Presses that say for whose they were taken at the end.
const LAST: usize = 9;

/// What became of it.
#[derive(Default)]
pub(crate) struct Read {
    /// Made or completed, as they stand at the end.
    pub(crate) moves: Vec<String>,
    /// Every ply that was completed, with all moves that it was ever completed as.
    pub(crate) completed: BTreeMap<u32, Vec<Completed>>,
    /// Completed with a piece that nobody knows.
    pub(crate) assumed: usize,
    /// Completed as if they had not been pressed, after their press was told.
    pub(crate) otherwise: usize,
    /// From a press to the ply that it completed, milliseconds.
    pub(crate) delays: Vec<u64>,
    /// Findings above a note that nothing called for, by key.
    pub(crate) findings: BTreeMap<&'static str, usize>,
    /// All findings above a note.
    pub(crate) told: Vec<Told>,
    /// The clock's sides were taken for each other at the end.
    pub(crate) sides_wrong: bool,
    pub(crate) times: Times,
    presses: [Vec<u64>; 2],
}

/// A move that a ply was completed as.
pub(crate) struct Completed {
    uci: String,
    /// Said to be assumed.
    assumed: bool,
}

/// Plies that were ever completed as a move that was not played.
#[derive(Clone, Copy, Default)]
pub(crate) struct Wrong {
    pub(crate) plies: usize,
    /// Of these: right in the end.
    pub(crate) corrected: usize,
    /// Of these: not said to be assumed.
    pub(crate) unsaid: usize,
}

impl Add for Wrong {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self { plies: self.plies + other.plies, corrected: self.corrected + other.corrected, unsaid: self.unsaid + other.unsaid }
    }
}

impl Read {
    /// What was completed wrongly.
    pub(crate) fn wrong(&self, case: &Case) -> Wrong {
        let of_ply = |(ply, all): (&u32, &Vec<Completed>)| {
            let mut wrong = all.iter().filter(|one| case.is_wrong(*ply, &one.uci)).peekable();
            wrong.peek()?;
            let right = self.moves.get(*ply as usize - 1) == case.truth.get(*ply as usize - 1);
            Some(Wrong { plies: 1, corrected: usize::from(right), unsaid: usize::from(wrong.any(|one| !one.assumed)) })
        };
        self.completed.iter().filter_map(of_ply).fold(Wrong::default(), Add::add)
    }

    fn take(&mut self, case: &Case, event: &Event, dearer: Nats) {
        let t = event.t;
        match &event.body {
            Body::Press { by } => self.presses[index(*by)].push(t.millis()),
            Body::MoveCompleted { ply, by, uci, how, assumed, .. } => {
                match how {
                    How::Press => self.delays.push(self.since_press(case, *ply, *by, t)),
                    How::NextMove | How::Settled => self.otherwise += usize::from(self.its_press(case, *ply, *by).is_some()),
                    _ => {}
                }
                self.assumed += usize::from(*assumed);
                self.completed.entry(*ply).or_default().push(Completed { uci: uci.clone(), assumed: *assumed });
                self.is(*ply, uci);
            }
            Body::MoveMade { ply, uci, .. } => self.is(*ply, uci),
            Body::MoveRevised { ply, uci, .. } => {
                if let Some(completed) = self.completed.get_mut(ply) {
                    let assumed = completed.last().is_some_and(|last| last.assumed);
                    completed.push(Completed { uci: uci.clone(), assumed });
                }
                self.is(*ply, uci);
            }
            Body::MoveWithdrawn { ply, .. } => self.moves.truncate(*ply as usize - 1),
            Body::Finding(finding) if finding.grade != Grade::Note => {
                let (key, called_for) = (finding.key.as_str(), case.calls_for(finding.key, t, self.moves.len()));
                self.told.push(Told { key, dearer, called_for });
                if !called_for {
                    *self.findings.entry(key).or_default() += 1;
                }
            }
            _ => {}
        }
    }

    /// When its player's press was told, where it is known that he pressed.
    fn its_press(&self, case: &Case, ply: u32, by: Colour) -> Option<u64> {
        let (presses, pressed) = (&self.presses[index(by)], case.plies.get(ply as usize - 1)?.pressed?);
        presses.get(presses.partition_point(|at| *at < pressed)).copied()
    }

    /// The press that completes a ply is its own; where nobody knows that, its player's last one.
    fn since_press(&self, case: &Case, ply: u32, by: Colour, t: Mono) -> u64 {
        let press = self.its_press(case, ply, by).or_else(|| self.presses[index(by)].last().copied());
        press.map_or(0, |at| t.millis().saturating_sub(at))
    }

    fn is(&mut self, ply: u32, uci: &str) {
        let index = ply as usize - 1;
        self.moves.resize(self.moves.len().max(index + 1), String::new());
        self.moves[index] = uci.to_string();
    }

    /// Whether most of the last presses were taken for the other player's: which report came first after each of them. One alone may have
    /// come together with the other player's.
    fn mistakes_the_sides(&self, case: &Case) -> bool {
        let pressed = case.plies.iter().enumerate().rev().filter_map(|(n, ply)| Some((n % 2, ply.pressed?)));
        let first = |of: usize, pressed: u64| self.presses[of].iter().find(|at| **at >= pressed);
        let is_other =
            |(by, pressed): &(usize, u64)| first(1 - by, *pressed).is_some_and(|other| first(*by, *pressed).is_none_or(|own| other < own));
        let (wrong, right): (Vec<_>, Vec<_>) = pressed.take(LAST).partition(is_other);
        wrong.len() > right.len()
    }
}

const fn index(by: Colour) -> usize {
    match by {
        Colour::White => 0,
        Colour::Black => 1,
    }
}

pub(crate) fn read(case: &Case) -> Read {
    let mut run =
        Run { case, board: Board::new("bench", Wall::EPOCH, case.settings.clone()), read: Read::default(), clock: Stopwatch::start() };
    for (t, line) in &case.lines {
        run.until(*t);
        match line {
            CaptureLine::FromBoard(bytes) => run.input(|board| board.bytes(*t, bytes)),
            CaptureLine::Entry(entry) if run.board.refusal(entry).is_none() => run.input(|board| board.entry(*t, entry.clone())),
            CaptureLine::Link(state) => run.input(|board| board.link(*t, *state, None)),
            _ => {}
        }
    }
    run.until(case.lines.last().map_or(Mono::ZERO, |(t, _)| *t + AFTER));
    run.read.sides_wrong = run.read.mistakes_the_sides(case);
    run.read
}

struct Run<'a> {
    case: &'a Case,
    board: Board,
    read: Read,
    clock: Stopwatch,
}

impl Run<'_> {
    fn until(&mut self, end: Mono) {
        while let Some(deadline) = self.board.deadline().filter(|deadline| *deadline <= end) {
            self.input(|board| board.timeout(deadline));
        }
    }

    /// An input, with all that comes of it.
    fn input(&mut self, input: impl FnOnce(&mut Board)) {
        // A finding may end the estimate that it comes from.
        let dearer = self.board.honest_play_is_dearer();
        let before = self.clock.micros();
        input(&mut self.board);
        let outputs: Vec<Output> = std::iter::from_fn(|| self.board.poll()).collect();
        self.read.times.took(self.clock.micros() - before);
        let dearer = dearer.max(self.board.honest_play_is_dearer()).unwrap_or(0);
        for output in outputs {
            if let Output::Event(event) = output {
                self.read.take(self.case, &event, dearer);
            }
        }
    }
}

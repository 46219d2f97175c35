//! What the referee keeps: findings, touches, questions, and what they rest on.
use crate::placement::Squares;
use crate::referee::found::{Findings, Found, is_flag};
use crate::referee::questions::Questions;
use crate::referee::touches::Touches;
use crate::timers::{Timer, Timers};
use alloc::string::String;
use alloc::vec::Vec;
use flagfall_events::{Colour, Grade, Mono};
use flagfall_laws::Irregularity;

/// What was found, and what it rests on.
#[derive(Clone, Debug)]
pub(crate) struct Referee {
    pub(crate) findings: Findings,
    pub(crate) touches: Touches,
    /// When each ply was made.
    pub(crate) made_times: Vec<Mono>,
    /// Whose clock ran then, where one was in use.
    pub(crate) made_on: Vec<Option<Colour>>,
    /// The next ply of the record to be looked at for a move made before its player's clock ran.
    pub(crate) next_before_clock: usize,
    /// A win by resignation that is asked about.
    pub(crate) resigned: Option<Resigned>,
    /// Moves that the counted player had completed when the count began (Russia 1.16.7).
    pub(crate) counted_from: u32,
    /// Players for whom an assistant presses (6.2.6).
    pub(crate) assisted: Vec<Colour>,
    /// Pieces that stand wrong, or did last in this game.
    pub(crate) displaced: Option<Displaced>,
    /// The press judged last, and whether it is under a finding.
    pub(crate) last_press: Option<(Colour, bool)>,
    /// The press that is judged now is under a finding.
    pub(crate) under_finding: bool,
    /// The first event since then.
    pub(crate) evidence_from: u64,
    pub(crate) questions: Questions,
    /// A wrong start that is kept while its game begins.
    pub(crate) kept: Vec<Found>,
    pub(crate) timers: Timers,
}

impl Referee {
    pub(crate) fn new() -> Self {
        Self {
            findings: Findings::default(),
            touches: Touches::default(),
            made_times: Vec::new(),
            made_on: Vec::new(),
            next_before_clock: 1,
            resigned: None,
            counted_from: 0,
            assisted: Vec::new(),
            displaced: None,
            last_press: None,
            under_finding: false,
            evidence_from: 1,
            questions: Questions::default(),
            kept: Vec::new(),
            timers: Timers::default(),
        }
    }

    /// The pieces of another game were set up; so many events were said by then.
    pub(crate) fn new_game(&mut self, said: u64) {
        self.displaced = None;
        self.touches.clear();
        self.made_times.clear();
        self.made_on.clear();
        self.next_before_clock = 1;
        self.assisted.clear();
        self.findings.new_game();
        (self.last_press, self.evidence_from) = (None, said + 1);
        self.timers.set(Timer::Displaced, None);
    }

    /// Findings have other numbers.
    pub(crate) fn renumber(&mut self, number: impl Fn(u64) -> u64) {
        let Findings { found, earlier, .. } = &mut self.findings;
        found.iter_mut().chain(earlier).chain(&mut self.kept).for_each(|found| found.id = number(found.id));
        if let Some(displaced) = &mut self.displaced {
            displaced.id = number(displaced.id);
        }
    }

    /// A finding of grade ruling, other than of a flag, waits to be ruled on.
    pub(crate) fn waits_for_a_ruling(&self) -> bool {
        let waits = |found: &Found| found.judgement.grade == Grade::Ruling && !is_flag(found);
        self.findings.open().any(waits)
    }

    /// The number of an open finding of 7.2.1.
    pub(crate) fn wrong_start(&self) -> Option<u64> {
        self.findings.open().find(|found| matches!(found.irregularity, Irregularity::WrongInitialPosition(_))).map(|found| found.id)
    }

    /// A wrong start that was found before its game begins stays found in it.
    pub(crate) fn keep_wrong_start(&mut self) {
        let is_wrong_start = |found: &Found| found.closed.is_none() && matches!(found.irregularity, Irregularity::WrongInitialPosition(_));
        let (kept, others) = core::mem::take(&mut self.findings.found).into_iter().partition(is_wrong_start);
        (self.kept, self.findings.found) = (kept, others);
    }

    /// The game has begun.
    pub(crate) fn kept_wrong_start(&mut self) {
        self.findings.found = core::mem::take(&mut self.kept);
    }

    /// Plies were taken over that another build published; so many events were said by then.
    pub(crate) fn taken_over(&mut self, made: Vec<Mono>, same_game: bool, said: u64) {
        let assisted = core::mem::take(&mut self.assisted);
        self.new_game(said);
        self.assisted = if same_game { assisted } else { Vec::new() };
        self.made_on = alloc::vec![None; made.len()];
        self.next_before_clock = made.len().max(1);
        (self.made_times, self.resigned) = (made, None);
    }

    /// Another one saw what was played meanwhile, so many plies of it.
    pub(crate) fn take_up(&mut self, then: Self, upto: usize) {
        (self.touches, self.last_press, self.displaced) = (then.touches, then.last_press, None);
        (self.made_times, self.made_on) = (then.made_times, then.made_on);
        self.made_times.truncate(upto);
        self.made_on.truncate(upto);
    }
}

/// Pieces that were found to stand wrong.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Displaced {
    /// Their finding.
    pub(crate) id: u64,
    /// Squares to put right.
    pub(crate) squares: Squares,
    /// Since when all stand right again.
    pub(crate) right: Option<Mono>,
    /// When its finding may be revised again.
    pub(crate) next: Mono,
    /// The squares that were told last.
    pub(crate) told: Squares,
    /// The arbiter entered a penalty.
    pub(crate) penalised: bool,
}

/// What is asked about the result that stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Resigned {
    pub(crate) fen: String,
    pub(crate) winner: Colour,
    pub(crate) told: bool,
}

impl Resigned {
    /// It was told in a journal before: the next result settles it.
    pub(crate) const fn told_before() -> Self {
        Self { fen: String::new(), winner: Colour::White, told: true }
    }
}

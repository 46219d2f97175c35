//! Answers questions about mating: the helpmate solver in a child process, closure beside it, under one deadline.
//!
//! | file | holds |
//! |---|---|
//! | `helpmate.rs` | the library that finds helpmates, and what goes in and out of it |
//! | `child.rs` | the same library in a process of its own, which can be stopped |
//! | `race.rs` | both methods side by side until one knows |
//! | `dead.rs` | the check after every move (5.2.2) |
//! | `worker.rs` | the daemon's: threads, queues, verdicts |
//!
//! Whoever replays a capture waits for the answers: [`Solver`]. The daemon goes on: [`worker::Worker`].
pub mod child;
mod dead;
pub mod helpmate;
mod race;
pub mod worker;

pub use race::Settings;

use flagfall_game::questions::{Purpose, Question, Verdict};
use flagfall_laws::mating;
use flagfall_laws::mating::{Answer, Quick, Why};
use std::path::PathBuf;

/// Asked and awaited, one question after the other.
#[derive(Debug, Default)]
pub struct Solver {
    settings: Settings,
    program: Option<PathBuf>,
    /// Its memory is taken when the first question needs it.
    closure: Option<Quick>,
}

impl Solver {
    /// A solver whose helpmates are searched for by `program`, which has the subcommand `solve`; without one they are searched for in a thread
    /// that cannot be stopped.
    pub const fn new(settings: Settings, program: Option<PathBuf>) -> Self {
        Self { settings, program, closure: None }
    }

    /// The answer, however long it takes within the deadline. `None` where nothing is to be said: nobody asks whether a position is *not* dead.
    pub fn answer(&mut self, question: &Question) -> Option<Verdict> {
        let answer = match mating::position(&question.fen, question.chess960) {
            Err(why) => Some(Answer::Undecided { why }),
            Ok(root) if question.purpose == Purpose::DeadPosition => {
                let suspect = helpmate::contained(|| helpmate::may_be_dead(&root)).unwrap_or(true);
                suspect.then(|| dead::confirmed(&root, memory(&mut self.closure, &self.settings), &|| false)).flatten()
            }
            Ok(root) => {
                let with = race::With { settings: &self.settings, program: self.program.as_deref(), stop: &|| false };
                Some(race::answer(&root, question.winner, with, memory(&mut self.closure, &self.settings), &mut |_| {}))
            }
        };
        answer
            .filter(|a| question.purpose != Purpose::DeadPosition || tells(a))
            .map(|answer| Verdict { question: question.clone(), answer })
    }
}

/// What a replay asks where nothing else is wanted: a solver of its own, for as long as the function is kept.
pub fn answers() -> impl FnMut(&Question) -> Option<Verdict> {
    let mut solver = Solver::default();
    move |question| solver.answer(question)
}

/// Whether an answer about a dead position is worth an input: a proof, or a mistake of the program.
const fn tells(answer: &Answer) -> bool {
    answer.is_unwinnable() || matches!(answer, Answer::Undecided { why: Why::Contradiction })
}

fn memory<'a>(closure: &'a mut Option<Quick>, settings: &Settings) -> &'a mut Quick {
    closure.get_or_insert_with(|| Quick::new(settings.limits))
}

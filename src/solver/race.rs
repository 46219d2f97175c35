//! Two methods side by side under one deadline: helpmate search finds mates, closure proves that there are none.
use super::child::Child;
use super::helpmate::{Asked, Effort, Said, contained, is_exact};
use flagfall_laws::mating::{Answer, Limits, Progress, Proof, Quick, Why, Winner, facts, line};
use flagfall_time::Stopwatch;
use shakmaty::Chess;
use std::path::Path;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

/// How long and how far to search.
#[derive(Clone, Debug)]
pub struct Settings {
    /// When "not decided yet" is said, and the better proof is not waited for any longer.
    pub first: Duration,
    /// When the search ends.
    pub total: Duration,
    /// Memory of the closure.
    pub limits: Limits,
    /// Memory of a second one, where the first was too small and there is time left.
    pub more: Option<Limits>,
}

impl Default for Settings {
    /// 2 s, 60 s: an arbiter has about a minute to set the clocks. The second closure takes at most 120 MiB for as long as it runs.
    fn default() -> Self {
        Self {
            first: Duration::from_secs(2),
            total: Duration::from_mins(1),
            limits: Limits::default(),
            more: Some(Limits { slots: 1 << 22, waiting: 1 << 20, order: 0 }),
        }
    }
}

/// What a race needs besides its question.
#[derive(Clone, Copy)]
pub(super) struct With<'a> {
    pub(super) settings: &'a Settings,
    /// The program that has the subcommand `solve`.
    pub(super) program: Option<&'a Path>,
    /// Whether nobody wants to know any more.
    pub(super) stop: &'a dyn Fn() -> bool,
}

/// Positions between two looks at the clock.
const SLICE: u32 = 1_024;
/// How long to sleep for a search elsewhere before looking whether to stop.
const NAP: Duration = Duration::from_millis(20);

/// Where the helpmate search runs.
#[derive(Debug)]
enum Search {
    Child(Box<Child>),
    /// A thread of ours, which cannot be stopped.
    Thread(mpsc::Receiver<Said>),
    Over,
}

impl Search {
    fn start(asked: Asked, program: Option<&Path>) -> Self {
        let Some(program) = program else {
            let (said, hears) = mpsc::channel();
            let work = move || {
                // Nobody may be listening any more.
                let _ = said.send(contained(|| asked.answer()).unwrap_or(Said::Unknown));
            };
            return thread::Builder::new().name("helpmate".into()).spawn(work).map_or(Self::Over, |_| Self::Thread(hears));
        };
        let started = Child::start(program).and_then(|mut child| child.ask(&asked).map(|()| child));
        started.map_or_else(
            |error| {
                tracing::warn!("the helpmate search cannot be started ({error}); closure alone answers");
                Self::Over
            },
            |child| Self::Child(Box::new(child)),
        )
    }

    /// What it found, at most `patience` later.
    fn wait(&mut self, patience: Duration) -> Option<Said> {
        let said = match self {
            Self::Child(child) => child.wait(patience).unwrap_or(Some(Said::Unknown)),
            Self::Thread(hears) => match hears.recv_timeout(patience) {
                Ok(said) => Some(said),
                Err(mpsc::RecvTimeoutError::Timeout) => None,
                Err(mpsc::RecvTimeoutError::Disconnected) => Some(Said::Unknown),
            },
            Self::Over => None,
        };
        if said.is_some() {
            *self = Self::Over;
        }
        said
    }

    const fn is_over(&self) -> bool {
        matches!(self, Self::Over)
    }
}

/// What is known so far; a method that has not ended has `None`.
#[derive(Debug, Default)]
struct Known {
    search: Option<Answer>,
    closure: Option<Progress>,
}

impl Known {
    /// The answer, if it is time for it. Until `late` a mating line of the search is preferred to the closure's long one, and a proof by
    /// closure to the search's word; so the answer does not depend on which was faster.
    fn answer(&self, root: &Chess, search_over: bool, late: bool) -> Option<Answer> {
        use Answer::{Undecided, Unwinnable, Winnable};
        match (&self.search, &self.closure) {
            (Some(Winnable { .. }), Some(Progress::Closed { .. })) | (Some(Unwinnable { .. }), Some(Progress::Mate(_))) => {
                Some(Undecided { why: Why::Contradiction })
            }
            (Some(found @ Winnable { .. }), _) => Some(found.clone()),
            (_, Some(proof @ Progress::Closed { .. })) => proof.answer(root),
            (_, Some(found @ Progress::Mate(_))) if search_over || late => found.answer(root),
            (Some(word @ Unwinnable { .. }), closure) if closure.is_some() || late => Some(word.clone()),
            (_, Some(full @ Progress::Full { .. })) if search_over => full.answer(root),
            _ => None,
        }
    }
}

/// Whether `winner` can mate. `not_yet` is called once if the first deadline passes without an answer.
pub(super) fn answer(root: &Chess, winner: Winner, with: With<'_>, closure: &mut Quick, not_yet: &mut dyn FnMut(Answer)) -> Answer {
    if let Some(answer) = facts::settled(root, winner) {
        return answer;
    }
    let began = Stopwatch::start();
    let elapsed = || Duration::from_millis(began.now().millis());
    let mut search = Search::start(Asked::new(root, winner, Effort::Search), with.program);
    closure.start(root, winner);
    let mut larger: Option<Quick> = None;
    let mut known = Known::default();
    let mut said_not_yet = false;
    loop {
        let left = with.settings.total.saturating_sub(elapsed());
        if (with.stop)() {
            return Answer::Undecided { why: Why::Stopped };
        }
        if left.is_zero() {
            return known.answer(root, true, true).unwrap_or(Answer::Undecided { why: Why::OutOfTime });
        }
        if known.closure.is_none() {
            known.closure = Some(larger.as_mut().unwrap_or(closure).run(SLICE)).filter(|progress| *progress != Progress::Running);
            if let (Some(Progress::Full { .. }), Some(more), None) = (&known.closure, with.settings.more, &larger) {
                known.closure = None;
                larger.insert(Quick::new(more)).start(root, winner);
            }
        }
        let patience = if known.closure.is_none() { Duration::ZERO } else { NAP.min(left) };
        if let Some(said) = search.wait(patience) {
            known.search = match heard(root, winner, said) {
                Ok(answer) => answer,
                Err(line) => {
                    tracing::error!(
                        "{}: the mating line {} of the helpmate search does not replay",
                        Asked::new(root, winner, Effort::Search).fen,
                        line.join(" ")
                    );
                    return Answer::Undecided { why: Why::Contradiction };
                }
            };
        }
        let late = elapsed() >= with.settings.first;
        if let Some(answer) = known.answer(root, search.is_over(), late) {
            return checked(root, winner, answer, &known);
        }
        if late && !said_not_yet {
            said_not_yet = true;
            not_yet(Answer::Undecided { why: Why::NotYet });
        }
    }
}

/// What the search's word is worth; an error is a line that is no mate.
fn heard(root: &Chess, winner: Winner, said: Said) -> Result<Option<Answer>, Vec<String>> {
    match said {
        Said::Mate(found) => match line::replayed(root, &found, winner) {
            Some(_) => Ok(Some(Answer::Winnable { line: found })),
            None => Err(found),
        },
        Said::None if is_exact(root) => Ok(Some(Answer::Unwinnable { proof: Proof::Chasolver, positions: 0 })),
        Said::None | Said::Unknown => Ok(None),
    }
}

/// Nothing is shown that was not replayed; contradictions are kept as evidence.
fn checked(root: &Chess, winner: Winner, answer: Answer, known: &Known) -> Answer {
    let sound = match &answer {
        Answer::Winnable { line } => line::replayed(root, line, winner).is_some(),
        Answer::Undecided { why } => *why != Why::Contradiction,
        Answer::Unwinnable { .. } => true,
    };
    if sound {
        return answer;
    }
    tracing::error!("{}: {known:?} contradict each other; please report it", Asked::new(root, winner, Effort::Search).fen);
    Answer::Undecided { why: Why::Contradiction }
}

#[cfg(test)]
#[path = "race_tests.rs"]
mod tests;

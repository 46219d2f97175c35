//! The daemon's solver: threads that take questions and give verdicts back, and never delay whoever asks.
use super::child::Child;
use super::helpmate::{self, Asked, Said};
use super::{Settings, dead, race, tells};
use flagfall_game::questions::{Purpose, Question, Verdict};
use flagfall_laws::mating;
use flagfall_laws::mating::{Answer, Quick};
use shakmaty::Chess;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// Where a verdict goes. Must not wait.
pub type Deliver = Arc<dyn Fn(Verdict) + Send + Sync>;

/// Questions that wait at most.
const QUEUE: usize = 256;
/// Rulings that are searched for at once.
const RULINGS: usize = 2;
/// How long the quick test may take; it has needed half a second once in the known games.
const QUICK: Duration = Duration::from_secs(3);
/// What boards say comes before what is searched for.
const NICE: i32 = 5;
/// How long to wait for it before looking whether to stop.
const NAP: Duration = Duration::from_millis(50);

type Job = (Question, Deliver);

/// The solver of one daemon; dropping it stops every search and waits for the threads.
pub struct Worker {
    rulings: Option<mpsc::SyncSender<Job>>,
    moves: Option<mpsc::SyncSender<Job>>,
    stop: Arc<AtomicBool>,
    threads: Vec<JoinHandle<()>>,
}

impl fmt::Debug for Worker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Worker").field("threads", &self.threads.len()).finish_non_exhaustive()
    }
}

impl Worker {
    /// Starts the threads. `program` has the subcommand `solve`; without one the library runs in threads that cannot be stopped.
    ///
    /// # Errors
    /// The system gives no threads.
    pub fn start(settings: Settings, program: Option<PathBuf>) -> io::Result<Self> {
        let stop = Arc::new(AtomicBool::new(false));
        let (rulings, ruling_jobs) = mpsc::sync_channel(QUEUE);
        let (moves, move_jobs) = mpsc::sync_channel(QUEUE);
        let mut worker = Self { rulings: Some(rulings), moves: Some(moves), stop: stop.clone(), threads: Vec::new() };
        let ruling_jobs = Arc::new(Mutex::new(ruling_jobs));
        for _ in 0..RULINGS {
            let (jobs, stop, settings, program) = (ruling_jobs.clone(), stop.clone(), settings.clone(), program.clone());
            let work = move || {
                stands_back();
                loop {
                    let job = jobs.lock().unwrap_or_else(PoisonError::into_inner).recv();
                    let Ok((question, deliver)) = job else { return };
                    if stop.load(Ordering::Relaxed) {
                        return;
                    }
                    rule(&question, &deliver, &settings, program.as_deref(), &stop);
                }
            };
            worker.threads.push(thread::Builder::new().name("ruling".into()).spawn(work)?);
        }
        let work = move || {
            stands_back();
            let mut checker = Checker { settings, program, child: None, stop };
            for (question, deliver) in move_jobs {
                if checker.is_stopped() {
                    return;
                }
                if let Some(answer) = helpmate::contained(|| checker.answer(&question)).flatten().filter(tells) {
                    deliver(Verdict { question, answer });
                }
            }
        };
        worker.threads.push(thread::Builder::new().name("dead".into()).spawn(work)?);
        Ok(worker)
    }

    /// Takes a question; its verdict, if there is one, goes to `deliver`.
    pub fn ask(&self, question: Question, deliver: Deliver) {
        let queue = if question.purpose == Purpose::DeadPosition { &self.moves } else { &self.rulings };
        if let Some(Err(error)) = queue.as_ref().map(|queue| queue.try_send((question, deliver))) {
            let (mpsc::TrySendError::Full((question, _)) | mpsc::TrySendError::Disconnected((question, _))) = error;
            tracing::warn!("the solver has too much to do; question {} about {} is dropped", question.id, question.fen);
        }
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        (self.rulings, self.moves) = (None, None);
        for thread in self.threads.drain(..) {
            // One that panicked has ended as well.
            let _ = thread.join();
        }
    }
}

/// This thread, and whatever it starts, has the processor after the others.
fn stands_back() {
    // For the system a thread is a process here; where it says no, all are equal.
    let _ = rustix::process::setpriority_process(None, NICE);
}

/// A question on which a ruling rests.
fn rule(question: &Question, deliver: &Deliver, settings: &Settings, program: Option<&Path>, stop: &AtomicBool) {
    let say = |answer| deliver(Verdict { question: question.clone(), answer });
    let answer = match mating::position(&question.fen, question.chess960) {
        Ok(root) => {
            let with = race::With { settings, program, stop: &|| stop.load(Ordering::Relaxed) };
            // Rulings are rare: the memory is not kept between them.
            let mut closure = Quick::new(settings.limits);
            helpmate::contained(|| race::answer(&root, question.winner, with, &mut closure, &mut |a| say(a)))
                .unwrap_or(Answer::Undecided { why: mating::Why::Contradiction })
        }
        Err(why) => Answer::Undecided { why },
    };
    say(answer);
}

/// The check after every move.
struct Checker {
    settings: Settings,
    program: Option<PathBuf>,
    /// Started at the first question, and again when it hung or died.
    child: Option<Child>,
    stop: Arc<AtomicBool>,
}

impl Checker {
    fn answer(&mut self, question: &Question) -> Option<Answer> {
        let root = mating::position(&question.fen, question.chess960).ok()?;
        if !self.may_be_dead(&root) {
            return None;
        }
        // Once in hundreds of games: the memory is not kept.
        let mut closure = Quick::new(self.settings.limits);
        let stop = self.stop.clone();
        dead::confirmed(&root, &mut closure, &|| stop.load(Ordering::Relaxed))
    }

    fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    fn may_be_dead(&mut self, root: &Chess) -> bool {
        let Some(program) = &self.program else { return helpmate::may_be_dead(root) };
        let asked = Asked::whether_dead(root);
        let said = (|| {
            let child = match &mut self.child {
                Some(child) => child,
                None => self.child.insert(Child::start(program)?),
            };
            child.ask(&asked)?;
            let mut left = QUICK;
            loop {
                let said = child.wait(left.min(NAP))?;
                left = left.saturating_sub(NAP);
                if said.is_some() || left.is_zero() || self.stop.load(Ordering::Relaxed) {
                    return Ok::<_, io::Error>(said);
                }
            }
        })();
        match said {
            Ok(Some(said)) => return said == Said::None,
            Ok(None) if self.is_stopped() => {}
            Ok(None) => tracing::info!("{}: the quick test takes too long; not called dead", asked.fen),
            Err(error) => tracing::warn!("the helpmate search ended ({error}); it is started again"),
        }
        self.child = None;
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flagfall_laws::mating::Winner;

    fn question(id: u64, fen: &str, winner: Winner, purpose: Purpose) -> Question {
        Question { id, fen: fen.into(), chess960: false, winner, purpose }
    }

    #[test]
    fn questions_are_answered_and_those_about_living_positions_are_not() {
        let worker = Worker::start(Settings::default(), None).unwrap();
        let (sender, verdicts) = mpsc::channel();
        let deliver: Deliver = Arc::new(move |verdict| sender.send(verdict).unwrap());
        let lives = question(1, "4k3/R7/8/8/8/8/8/4K3 w - - 0 1", Winner::Either, Purpose::DeadPosition);
        let dead = question(2, "k7/1R6/8/8/8/8/8/1K6 b - - 0 1", Winner::Either, Purpose::DeadPosition);
        worker.ask(lives, deliver.clone());
        worker.ask(dead.clone(), deliver.clone());
        let verdict = verdicts.recv().unwrap();
        assert!(verdict.question == dead && verdict.answer.is_unwinnable(), "{verdict:?}");
        let flag = question(3, "4k3/R7/8/8/8/8/8/4K3 w - - 0 1", Winner::White, Purpose::FlagFall);
        worker.ask(flag.clone(), deliver.clone());
        let verdict = verdicts.recv().unwrap();
        assert!(verdict.question == flag && verdict.answer.is_winnable(), "{verdict:?}");
        let stands = question(4, "4k3/R7/8/8/8/8/8/8 w - - 0 1", Winner::White, Purpose::FlagFall);
        worker.ask(stands, deliver);
        assert_eq!(verdicts.recv().unwrap().answer, Answer::Undecided { why: mating::Why::IllegalPosition });
    }

    /// A search that hangs is not waited for, and what waits behind it is not begun.
    #[test]
    fn questions_that_wait_are_dropped_with_the_worker() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().unwrap();
        let (program, begun) = (folder.path().join("hangs"), folder.path().join("begun"));
        std::fs::write(&program, format!("#!/bin/sh\necho >>'{}'\nexec sleep 600\n", begun.display())).unwrap();
        std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
        let worker = Worker::start(Settings::default(), Some(program)).unwrap();
        for id in 0..20 {
            let purpose = if id % 2 == 0 { Purpose::DeadPosition } else { Purpose::FlagFall };
            worker.ask(question(id, "4k3/R7/8/8/8/8/8/4K3 w - - 0 1", Winner::White, purpose), Arc::new(|_| {}));
        }
        while std::fs::read_to_string(&begun).map_or(0, |text| text.lines().count()) < 1 + RULINGS {
            thread::sleep(NAP);
        }
        drop(worker);
        let begun = std::fs::read_to_string(&begun).unwrap().lines().count();
        // Each thread may be past its look when the worker is dropped.
        assert!(begun <= 2 * (1 + RULINGS), "{begun}");
    }
}

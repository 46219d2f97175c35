//! One board's task: link events in, deadlines kept, events out, commands back. It owns the [`Board`] and nobody else touches it.
use super::boards::{Inbox, Refusal, Submission, Taken};
use super::recorder::Track;
use crate::board::{Board, Output};
use crate::capture::Line;
use crate::game::event::{Event, LinkState};
use crate::game::questions::{Question, Verdict};
use crate::game::settings::Settings;
use crate::link::serial::LinkEvent;
use crate::solver::worker::Worker;
use crate::time::{Mono, Stopwatch};
use dgt_protocol::command::Command;
use futures_util::FutureExt as _;
use std::fmt;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc;

/// Where events go. Must not wait.
pub(super) type Publish = Arc<dyn Fn(Arc<Event>) + Send + Sync>;

/// After a panic, before the next try.
const BREATH: Duration = Duration::from_secs(1);

/// After a deadline that did not move when it was answered, milliseconds.
const STUCK: u64 = 1_000;

/// Verdicts that wait for their board at most.
const VERDICTS: usize = 64;

/// Everything a board's task needs; what must outlive a panic of the board is here.
pub(super) struct Desk {
    /// The board's name.
    pub(super) name: String,
    /// What is fixed before its games.
    pub(super) settings: Settings,
    /// The daemon's.
    pub(super) stopwatch: Stopwatch,
    /// Where its events go.
    pub(super) publish: Publish,
    /// Its capture, if one is made.
    pub(super) track: Option<Track>,
    /// The daemon's; without one nothing is asked.
    solver: Option<Arc<Worker>>,
    verdicts: (mpsc::Sender<Verdict>, mpsc::Receiver<Verdict>),
    /// What arbiters and operators enter.
    entries: Option<Inbox>,
    /// Where the next command goes while the link is up.
    commands: Option<mpsc::Sender<Command>>,
    last: Mono,
    seq: u64,
    /// Deadlines are not looked at before.
    not_before: Mono,
}

impl fmt::Debug for Desk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Desk").field("name", &self.name).field("last", &self.last).finish_non_exhaustive()
    }
}

impl Desk {
    pub(super) fn new(name: &str, settings: Settings, stopwatch: Stopwatch, publish: Publish, track: Option<Track>) -> Self {
        Self {
            name: String::from(name),
            settings,
            stopwatch,
            publish,
            track,
            solver: None,
            verdicts: mpsc::channel(VERDICTS),
            entries: None,
            commands: None,
            last: Mono::ZERO,
            seq: 0,
            not_before: Mono::ZERO,
        }
    }

    /// The same board asking `solver`.
    pub(super) fn asking(mut self, solver: Option<Arc<Worker>>) -> Self {
        self.solver = solver;
        self
    }

    /// The same board taking entries from `entries`.
    pub(super) fn listening(mut self, entries: Inbox) -> Self {
        self.entries = Some(entries);
        self
    }

    /// Runs until all links to this board are gone.
    pub(super) async fn run(mut self, mut events: mpsc::Receiver<(Mono, LinkEvent)>) {
        loop {
            match AssertUnwindSafe(self.serve(&mut events)).catch_unwind().await {
                Ok(()) => return,
                Err(_) => {
                    tracing::error!("board {}: a mistake in flagfall; its game begins anew from what stands on the board", self.name);
                    tokio::time::sleep(BREATH).await;
                }
            }
        }
    }

    async fn serve(&mut self, events: &mut mpsc::Receiver<(Mono, LinkEvent)>) {
        let mut board = Board::new(&self.name, self.stopwatch.opened_at(), self.settings.clone()).numbered_after(self.seq);
        if self.commands.is_some() {
            // Again after a panic: the link stands, the picture is gone.
            board.link(self.last, LinkState::Up, None);
            self.drain(&mut board);
            self.send(Command::SendBoard);
            self.send(Command::SendClock);
        }
        loop {
            let deadline = board.deadline().map(|t| self.stopwatch.instant(t.max(self.not_before)).into());
            let entries = &mut self.entries;
            let entered = async {
                match entries {
                    Some(entries) => entries.recv().await,
                    None => None,
                }
            };
            let alarm = async {
                match deadline {
                    Some(deadline) => tokio::time::sleep_until(deadline).await,
                    None => std::future::pending().await,
                }
            };
            tokio::select! {
                biased;
                event = events.recv() => match event {
                    None => return,
                    Some((t, event)) => self.take(&mut board, t, event),
                },
                Some(verdict) = self.verdicts.1.recv() => self.judged(&mut board, verdict),
                Some(submission) = entered => self.entered(&mut board, submission),
                () = alarm => {
                    let now = self.stopwatch.now();
                    self.expire(&mut board, now);
                }
            }
        }
    }

    /// One event of the link. A replay of the capture does exactly the same: deadlines first, then the line.
    fn take(&mut self, board: &mut Board, t: Mono, event: LinkEvent) {
        // A deadline may have fired between the read and here; time never runs back.
        let t = t.max(self.last);
        self.expire(board, t);
        self.last = t;
        match event {
            LinkEvent::Up(up) => {
                self.commands = Some(up.commands);
                self.record(t, || Line::Link(LinkState::Up));
                board.link(t, LinkState::Up, None);
            }
            LinkEvent::Down(reason) => {
                self.commands = None;
                self.record(t, || Line::Link(LinkState::Down));
                board.link(t, LinkState::Down, Some(reason));
            }
            LinkEvent::Bytes(bytes) => {
                self.record(t, || Line::FromBoard(bytes.to_vec()));
                board.bytes(t, &bytes);
            }
            LinkEvent::Sent(bytes) => self.record(t, || Line::ToBoard(bytes.to_vec())),
        }
        self.drain(board);
    }

    /// A verdict of the solver. A replay has it at the millisecond of its question.
    fn judged(&mut self, board: &mut Board, verdict: Verdict) {
        let now = self.stopwatch.now().max(self.last);
        self.expire(board, now);
        self.last = now;
        board.verdict(now, verdict);
        self.drain(board);
    }

    /// An arbiter's or operator's entry; what cannot be carried out now changes nothing.
    fn entered(&mut self, board: &mut Board, submission: Submission) {
        let now = self.stopwatch.now().max(self.last);
        self.expire(board, now);
        self.last = now;
        let Submission { entry, answer } = submission;
        let taken = match board.refusal(&entry) {
            Some(why) => Err(Refusal::Impossible(why)),
            None => {
                self.record(now, || Line::Entry(entry.clone()));
                board.entry(now, entry);
                self.drain(board);
                Ok(Taken { seq: self.seq })
            }
        };
        // Who asked may be gone; the entry stands.
        let _ = answer.send(taken);
    }

    fn ask(&self, question: Question) {
        let Some(solver) = &self.solver else { return };
        let sender = self.verdicts.0.clone();
        let deliver = move |verdict| {
            if sender.try_send(verdict).is_err() {
                tracing::warn!("a verdict came too late for its board");
            }
        };
        solver.ask(question, Arc::new(deliver));
    }

    /// Every deadline up to `t`, each at its own time.
    fn expire(&mut self, board: &mut Board, t: Mono) {
        let mut fired = None;
        while let Some(deadline) = board.deadline().filter(|deadline| *deadline <= t) {
            if fired >= Some(deadline) {
                tracing::error!("board {}: deadline {} was answered and stands again", self.name, deadline.millis());
                self.not_before = t + STUCK;
                break;
            }
            fired = Some(deadline);
            board.timeout(deadline);
            self.last = self.last.max(deadline);
            self.drain(board);
        }
    }

    fn drain(&mut self, board: &mut Board) {
        while let Some(output) = board.poll() {
            match output {
                Output::Event(event) => {
                    self.seq = event.seq;
                    (self.publish)(Arc::new(event));
                }
                Output::Command(command) => self.send(command),
                Output::Question(question) => self.ask(question),
            }
        }
    }

    fn send(&self, command: Command) {
        // A link that went away is news that is on its way here already.
        if let Some(Err(mpsc::error::TrySendError::Full(command))) = self.commands.as_ref().map(|c| c.try_send(command)) {
            tracing::warn!("board {}: too many commands wait, {command:?} is dropped", self.name);
        }
    }

    fn record(&mut self, t: Mono, line: impl FnOnce() -> Line) {
        if let Some(track) = &mut self.track {
            track.add(t, line());
        }
    }
}

#[cfg(test)]
#[path = "desk_tests.rs"]
mod tests;

//! What a board says by itself, at its deadlines or when it was told something: events to journal and world, commands to the link, questions to the
//! solver.
use super::desk::Desk;
use crate::journal::Said;
use dgt_protocol::command::Command;
use flagfall_events::{Body, Event, Mono};
use flagfall_game::board::{Board, Output};
use flagfall_game::questions::Question;
use std::sync::{Arc, PoisonError};
use tokio::sync::mpsc;

/// After a deadline that did not move when it was answered, milliseconds.
const STUCK: u64 = 1_000;

impl Desk {
    /// Every deadline up to `t`, each at its own time.
    pub(super) async fn expire(&mut self, board: &mut Board, t: Mono) {
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
            self.drain(board).await;
        }
    }

    /// Hands on what the board says, until it has nothing more to say.
    pub(super) async fn drain(&mut self, board: &mut Board) {
        let (mut began, mut ruled) = (false, false);
        while let Some(output) = board.poll() {
            match output {
                Output::Event(event) => {
                    began |= matches!(event.body, Body::GameStart { .. });
                    ruled |= matches!(event.body, Body::Result { .. } | Body::Ruling(_));
                    self.say(event).await;
                }
                Output::Command(command) => self.send(command),
                Output::Question(question) => self.ask(question),
            }
        }
        if let Some(journal) = self.journal.as_ref().filter(|_| ruled) {
            journal.settled().await;
        }
        (self.at_input, self.panics) = (false, 0);
        self.games_played = board.games();
        if let Some(key) = self.found.take_if(|_| began) {
            Box::pin(self.alarm(board, key, false)).await;
        }
    }

    /// An event goes to the journal, and to the world when that says that it is safe.
    pub(super) async fn say(&mut self, event: Event) {
        self.seq = event.seq;
        self.progress.take(&event);
        self.ruled.take(&event);
        self.public.set_touches(self.wanted.lock().unwrap_or_else(PoisonError::into_inner).touches);
        self.public.take(&event);
        let said = Said::of(Arc::new(event));
        self.outbox.say(said.clone());
        match &self.journal {
            Some(journal) => journal.event(said).await,
            None => self.outbox.safe(self.seq),
        }
    }

    pub(super) fn send(&self, command: Command) {
        // A link that went away is news that is on its way here already.
        if let Some(Err(mpsc::error::TrySendError::Full(command))) = self.commands.as_ref().map(|c| c.try_send(command)) {
            tracing::warn!("board {}: too many commands wait, {command:?} is dropped", self.name);
        }
    }

    pub(super) fn ask(&self, question: Question) {
        let Some(solver) = &self.solver else { return };
        let sender = self.verdicts.0.clone();
        let deliver = move |verdict| {
            if sender.try_send(verdict).is_err() {
                tracing::warn!("a verdict came too late for its board");
            }
        };
        solver.ask(question, Arc::new(deliver));
    }
}

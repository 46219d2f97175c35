//! The way in for arbiters and operators: an entry goes to its board's task and is answered when it was carried out.
use crate::game::entry::Entry;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use thiserror::Error;
use tokio::sync::{mpsc, oneshot};

/// Entries that wait for one board at most.
const WAITING: usize = 32;

/// One entry on its way to a board.
#[derive(Debug)]
pub(super) struct Submission {
    pub(super) entry: Entry,
    pub(super) answer: oneshot::Sender<Result<Taken, Refusal>>,
}

/// A board's end of the way in.
pub(super) type Inbox = mpsc::Receiver<Submission>;

/// An entry was carried out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Taken {
    /// The board's newest event when it was.
    pub seq: u64,
}

/// Why an entry was not carried out.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Refusal {
    /// No such board.
    #[error("there is no board {0:?}")]
    UnknownBoard(String),
    /// It cannot be carried out now.
    #[error("{0}")]
    Impossible(String),
    /// The board has too many to do, or is about to end.
    #[error("the board does not answer; try again in a moment")]
    Busy,
}

/// All boards' ways in; clones lead to the same boards.
#[derive(Clone, Debug, Default)]
pub struct Boards(Arc<Mutex<HashMap<String, mpsc::Sender<Submission>>>>);

impl Boards {
    /// Makes the way to board `name`.
    pub(super) fn open(&self, name: &str) -> Inbox {
        let (sender, inbox) = mpsc::channel(WAITING);
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(String::from(name), sender);
        inbox
    }

    /// Hands `entry` to board `name` and waits until it was carried out.
    ///
    /// # Errors
    /// [`Refusal`]; nothing was changed then.
    pub async fn enter(&self, name: &str, entry: Entry) -> Result<Taken, Refusal> {
        let sender = self.0.lock().unwrap_or_else(PoisonError::into_inner).get(name).cloned();
        let sender = sender.ok_or_else(|| Refusal::UnknownBoard(String::from(name)))?;
        let (answer, answered) = oneshot::channel();
        sender.try_send(Submission { entry, answer }).map_err(|_| Refusal::Busy)?;
        answered.await.unwrap_or(Err(Refusal::Busy))
    }
}

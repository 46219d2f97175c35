//! The way in for arbiters and operators: an entry goes to its board's task and is answered when it was carried out.
//!
//! | to change | go to |
//! |---|---|
//! | how an entry reaches a board, and why it is refused | this file |
//! | what an entry would do, before it is given | [`preview`] |
//! | what only a board's own machine has or does | [`asked`] |
//! | which ruling a hall's may replace, what happened meanwhile | [`ruled`] |
pub mod asked;
pub mod preview;
pub mod ruled;

use asked::Answering;
use flagfall_events::Entry;
use preview::{Preview, Recovered};
use ruled::{Happened, sentence};
use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use thiserror::Error;
use tokio::sync::{mpsc, oneshot};

/// Entries that wait for one board at most.
const WAITING: usize = 32;

/// One entry on its way to a board.
#[derive(Debug)]
pub struct Submission {
    /// What is to be entered.
    pub entry: Entry,
    /// What is to be done with it.
    pub answer: Answer,
}

/// What is to be done with an entry, and who waits for it.
#[derive(Debug)]
pub enum Answer {
    /// Carry it out.
    Taken(oneshot::Sender<Result<Taken, Refusal>>),
    /// Say what it would do; nothing is changed.
    Previewed(oneshot::Sender<Result<Preview, Refusal>>),
}

impl Answer {
    /// It is not carried out. Who asked may be gone.
    pub fn refuse(self, why: Refusal) {
        match self {
            Self::Taken(answer) => _ = answer.send(Err(why)),
            Self::Previewed(answer) => _ = answer.send(Err(why)),
        }
    }
}

/// A board's end of the way in.
pub type Inbox = mpsc::Receiver<Submission>;

/// An entry was carried out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Taken {
    /// The board's newest event when it was.
    pub seq: u64,
    /// Plies that it recovered.
    pub recovered: Vec<Recovered>,
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
    /// Its author has not seen what happened meanwhile.
    #[error("{}", sentence(.0))]
    Meanwhile(Vec<Happened>),
    /// Not yet refused: the board's Pi is away, and the order of this key waits for it.
    #[error("the board's Pi is away; order {0} waits for it")]
    Waits(String),
    /// The board has too many to do, or is about to end.
    #[error("the board does not answer; try again in a moment")]
    Busy,
}

/// An order that waits is to be withdrawn.
#[derive(Debug)]
pub struct Withdrawal {
    /// The board's name.
    pub board: String,
    /// The order's key.
    pub key: String,
    /// Who withdraws it.
    pub who: Option<String>,
    /// Where it is said whether it was.
    pub answer: oneshot::Sender<Result<(), Refusal>>,
}

/// All boards' ways in; clones lead to the same boards.
#[derive(Clone, Default)]
pub struct Boards {
    ways: Arc<Mutex<HashMap<String, mpsc::Sender<Submission>>>>,
    /// Where orders wait; on a machine with boards none does.
    withdrawals: Arc<OnceLock<mpsc::Sender<Withdrawal>>>,
    /// Who answers here what only a board's own machine can answer …
    here: Arc<OnceLock<Answering>>,
    /// … and who asks that machine, in a hall.
    afar: Arc<OnceLock<Answering>>,
}

impl fmt::Debug for Boards {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Boards").finish_non_exhaustive()
    }
}

impl Boards {
    /// Makes the way to board `name`.
    pub fn open(&self, name: &str) -> Inbox {
        let (sender, inbox) = mpsc::channel(WAITING);
        self.ways.lock().unwrap_or_else(PoisonError::into_inner).insert(String::from(name), sender);
        inbox
    }

    /// Hands `entry` to board `name` and waits until it was carried out.
    ///
    /// # Errors
    /// [`Refusal`]; nothing was changed then.
    pub async fn enter(&self, name: &str, entry: Entry) -> Result<Taken, Refusal> {
        let sender = self.ways.lock().unwrap_or_else(PoisonError::into_inner).get(name).cloned();
        let sender = sender.ok_or_else(|| Refusal::UnknownBoard(String::from(name)))?;
        let (answer, answered) = oneshot::channel();
        sender.try_send(Submission { entry, answer: Answer::Taken(answer) }).map_err(|_| Refusal::Busy)?;
        answered.await.unwrap_or(Err(Refusal::Busy))
    }

    /// Asks board `name` what `entry` would do now; nothing is changed.
    ///
    /// # Errors
    /// [`Refusal`]: the same that the entry itself would get.
    pub async fn preview(&self, name: &str, entry: Entry) -> Result<Preview, Refusal> {
        let sender = self.ways.lock().unwrap_or_else(PoisonError::into_inner).get(name).cloned();
        let sender = sender.ok_or_else(|| Refusal::UnknownBoard(String::from(name)))?;
        let (answer, answered) = oneshot::channel();
        sender.try_send(Submission { entry, answer: Answer::Previewed(answer) }).map_err(|_| Refusal::Busy)?;
        answered.await.unwrap_or(Err(Refusal::Busy))
    }

    /// Says once who answers here.
    pub fn answer_here(&self, answering: Answering) {
        _ = self.here.set(answering);
    }

    /// Who answers here, as soon as somebody does.
    pub fn here(&self) -> Option<&Answering> {
        self.here.get()
    }

    /// Says once that the boards are at other machines, and who asks those.
    pub fn ask_afar(&self, answering: Answering) {
        _ = self.afar.set(answering);
    }

    /// Who asks the boards' machines; `None`: the boards are here.
    pub fn afar(&self) -> Option<&Answering> {
        self.afar.get()
    }

    /// Where orders wait from now on.
    pub fn waiting(&self) -> mpsc::Receiver<Withdrawal> {
        let (sender, inbox) = mpsc::channel(WAITING);
        _ = self.withdrawals.set(sender);
        inbox
    }

    /// Withdraws the order `key` for board `name`, which waits.
    ///
    /// # Errors
    /// [`Refusal`]: there is no such order, or it waits no more.
    pub async fn withdraw(&self, name: &str, key: &str, who: Option<String>) -> Result<(), Refusal> {
        let unknown = || Refusal::UnknownBoard(String::from(name));
        let sender = self.withdrawals.get().ok_or_else(unknown)?;
        let (answer, answered) = oneshot::channel();
        let withdrawal = Withdrawal { board: String::from(name), key: String::from(key), who, answer };
        sender.send(withdrawal).await.map_err(|_| Refusal::Busy)?;
        answered.await.unwrap_or(Err(Refusal::Busy))
    }
}

//! What the routes of arbiters and operators share.
use super::counts::Counts;
use super::door::Door;
use super::turns::Turns;
use crate::boards::Boards;
use crate::hub::Hub;
use axum::extract::State;
use flagfall_journal::Journal;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use tokio::sync::Semaphore;

/// What the routes of arbiters and operators share.
pub(super) struct Shared {
    /// Whether guests may see boards.
    pub(super) open: Arc<AtomicBool>,
    pub(super) hub: Arc<Hub>,
    pub(super) boards: Boards,
    pub(super) door: Door,
    pub(super) turns: Arc<Turns>,
    pub(super) counts: Counts,
    pub(super) journal: Option<Arc<Journal>>,
    pub(super) reading: Semaphore,
    /// This very program, to explain moves beside it.
    pub(super) program: Option<PathBuf>,
}

/// What every route can use.
pub(super) type Server = State<Arc<Shared>>;

impl Shared {
    /// The short name of the key that signs the journals here.
    pub(super) fn key(&self) -> Option<String> {
        self.journal.as_ref().map(|journal| flagfall_journal::checkpoint::fingerprint(&journal.public_key()))
    }
}

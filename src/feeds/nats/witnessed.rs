//! How much of this machine's journals the hall has seen.
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

/// By board: the log that was seen last, and how many lines of it.
#[derive(Debug, Default)]
pub(super) struct Witnessed(Mutex<BTreeMap<String, (String, u64)>>);

impl Witnessed {
    /// The hall has seen so much; whether this is the first that is heard of the board since the start.
    pub(super) fn take(&self, board: &str, seen: (String, u64)) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(String::from(board), seen).is_none()
    }

    /// How many lines of this log the hall has seen.
    pub(super) fn of(&self, board: &str, log: &str) -> Option<u64> {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.get(board).filter(|(of, _)| of == log).map(|(_, seen)| *seen)
    }
}

//! How much of this machine's journals the hall has seen.
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

/// What is known of one board.
#[derive(Debug)]
struct Seen {
    /// The log that was seen last, and how many lines of it.
    last: (String, u64),
    /// The first note that came since the start, and whether this machine had shown it to the hall, until the journals were compared with it.
    first: Option<(String, bool)>,
}

/// By board.
#[derive(Debug, Default)]
pub(super) struct Witnessed(Mutex<BTreeMap<String, Seen>>);

impl Witnessed {
    /// The hall has seen so much, as this note says, which this machine showed it, or perhaps another one.
    pub(super) fn take(&self, board: &str, last: (String, u64), (note, ours): (&str, bool)) {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match known.get_mut(board) {
            Some(seen) => seen.last = last,
            None => _ = known.insert(String::from(board), Seen { last, first: Some((String::from(note), ours)) }),
        }
    }

    /// What a board's journals are to be compared with, once. A board may be known here only after the hall has told of it.
    pub(super) fn due(&self, board: &str) -> Option<(String, bool)> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get_mut(board)?.first.take()
    }

    /// How many lines of this log the hall has seen.
    pub(super) fn of(&self, board: &str, log: &str) -> Option<u64> {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.get(board).filter(|seen| seen.last.0 == log).map(|seen| seen.last.1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_note_is_compared_once_whenever_the_board_is_known() {
        let witnessed = Witnessed::default();
        assert_eq!(witnessed.due("1"), None);
        witnessed.take("1", (String::from("log"), 60), ("what was seen before the start", true));
        witnessed.take("1", (String::from("log"), 80), ("what came since", false));
        assert_eq!((witnessed.of("1", "log"), witnessed.of("1", "another")), (Some(80), None));
        assert_eq!(witnessed.due("1"), Some((String::from("what was seen before the start"), true)));
        assert_eq!(witnessed.due("1"), None);
    }
}

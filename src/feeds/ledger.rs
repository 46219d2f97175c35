//! What one outlet has told of the games so far: each outlet fills a ledger of its own, operators compare all of them with the record.
//!
//! | to change | go to |
//! |---|---|
//! | a game's place in the event | [`place`] |
//! | what is kept of a game that was sent, how it is read from a document | [`told`] |
pub mod place;
pub mod told;

use flagfall_events::Wall;
use place::Place;
use serde::Serialize;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use told::Told;

/// What came of the last try to send something.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(as = OutletAnswer))]
pub struct Answer {
    /// When it came.
    pub at: Wall,
    /// What was sent was taken.
    pub taken: bool,
    /// Why not, in the receiver's words.
    pub text: Option<String>,
}

/// What stands in a ledger.
#[derive(Clone, Debug, Default)]
pub struct Book {
    /// When something was taken last.
    pub sent_at: Option<Wall>,
    /// What came of the last try.
    pub answer: Option<Answer>,
    /// How many tries were taken.
    pub taken: u64,
    /// Every game as it was sent last, and when.
    pub games: BTreeMap<Place, (Wall, Told)>,
    /// The games as they were to be sent by now; only of outlets that hold them back by themselves.
    pub due: BTreeMap<Place, Told>,
}

/// One outlet's ledger. Clones are the same.
#[derive(Clone, Debug, Default)]
pub struct Ledger(Arc<Mutex<Book>>);

impl Ledger {
    /// This game was sent.
    pub fn told(&self, place: Place, told: Told) {
        self.book_mut().games.insert(place, (flagfall_time::now(), told));
    }

    /// This game is to be sent by now.
    pub fn due(&self, place: Place, told: Told) {
        self.book_mut().due.insert(place, told);
    }

    /// What came of a try; the error is the receiver's.
    pub fn answered(&self, outcome: Result<(), String>) {
        let (at, taken, text) = (flagfall_time::now(), outcome.is_ok(), outcome.err());
        let mut book = self.book_mut();
        if taken {
            book.sent_at = Some(at);
            book.taken += 1;
        }
        book.answer = Some(Answer { at, taken, text });
    }

    /// Nothing of what was sent is there any more.
    pub fn emptied(&self) {
        self.book_mut().games.clear();
    }

    /// What stands in it.
    pub fn book(&self) -> Book {
        self.book_mut().clone()
    }

    fn book_mut(&self) -> MutexGuard<'_, Book> {
        // Every change under the lock is complete before the next begins.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_changes_nothing_of_what_was_sent() {
        let (ledger, place) = (Ledger::default(), Place { round: 1, pairing: 1 });
        ledger.told(place, Told::default());
        ledger.answered(Ok(()));
        let sent = ledger.book();
        ledger.answered(Err(String::from("no room")));
        let now = ledger.book();
        assert_eq!((now.sent_at, now.games, now.taken), (sent.sent_at, sent.games, 1));
        assert_eq!(now.answer.map(|answer| (answer.taken, answer.text)), Some((false, Some(String::from("no room")))));
        ledger.emptied();
        assert!(ledger.book().games.is_empty());
    }
}

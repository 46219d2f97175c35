//! Games that were compared with the record, and which of them do not go on.
use crate::ledger::place::Place;
use crate::ledger::told::Told;
use flagfall_events::{Mono, Wall, Words};
use flagfall_time::Stopwatch;
use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, PoisonError};

/// What differs for so long without a change does not go on by itself, milliseconds.
const STUCK_MS: u64 = 10_000;

/// A game that was compared.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Judged {
    pub(super) place: Place,
    pub(super) board: Option<Arc<str>>,
    pub(super) current: bool,
    pub(super) sent_at: Option<Wall>,
    pub(super) told: Told,
    pub(super) right: Told,
    pub(super) differs: Option<Words>,
}

/// Since when which game of which outlet differs, as long as nothing else is sent of it.
pub(super) struct Stuck {
    since: Mutex<HashMap<(String, Place), (Mono, Told)>>,
    stopwatch: Stopwatch,
}

impl Stuck {
    pub(super) fn new() -> Self {
        Self { since: Mutex::default(), stopwatch: Stopwatch::start() }
    }

    /// Whether one of these games differs for long.
    pub(super) fn look(&self, outlet: &str, games: &[Judged]) -> bool {
        self.look_at(self.stopwatch.now(), outlet, games)
    }

    fn look_at(&self, now: Mono, outlet: &str, games: &[Judged]) -> bool {
        let mut since = self.since.lock().unwrap_or_else(PoisonError::into_inner);
        let differing: BTreeMap<Place, &Told> =
            games.iter().filter(|game| game.differs.is_some()).map(|game| (game.place, &game.told)).collect();
        since.retain(|(name, place), (_, told)| name != outlet || differing.get(place).is_some_and(|now| *now == told));
        let stuck = |(place, told): (&Place, &&Told)| {
            let (began, _) = since.entry((String::from(outlet), *place)).or_insert_with(|| (now, (**told).clone()));
            now.since(*began) >= STUCK_MS
        };
        // Every game is looked at: no `any`.
        differing.iter().map(stuck).fold(false, |one, other| one | other)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flagfall_events::Words;

    fn judged(line: &str, differs: bool) -> Judged {
        let told = Told::new(line.split(' '), None);
        Judged { place: Place { round: 1, pairing: 1 }, told, differs: differs.then(|| Words::new("x", "x")), ..Judged::default() }
    }

    #[test]
    fn what_is_sent_late_is_on_its_way_and_what_stays_wrong_is_not() {
        let stuck = Stuck::new();
        let look = |s: u64, game: Judged| stuck.look_at(Mono::from_millis(s * 1000), "page", &[game]);
        assert!(!look(0, judged("e4", true)));
        assert!(!look(9, judged("e4 e5", true)), "another move was sent");
        assert!(!look(18, judged("e4 e5", true)));
        assert!(look(19, judged("e4 e5", true)));
        assert!(!stuck.look_at(Mono::from_millis(19_000), "pgn", &[judged("e4 e5", true)]), "another outlet");
        assert!(!look(20, judged("e4 e5", false)));
        assert!(!look(90, judged("e4 e5", true)));
    }
}

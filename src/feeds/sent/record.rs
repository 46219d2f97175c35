//! What the record says of every game.
use crate::event_info::Tournament;
use crate::ledger::place::Place;
use crate::ledger::told::Told;
use std::collections::BTreeMap;
use std::sync::Arc;

/// A game as the record has it.
#[derive(Clone, Debug)]
pub(super) struct Right {
    pub(super) told: Told,
    pub(super) board: Option<Arc<str>>,
    /// Its round is the one that is played.
    pub(super) current: bool,
}

/// Every game of an event.
#[derive(Clone, Debug)]
pub(super) struct Record {
    event: Arc<Tournament>,
    pub(super) games: Arc<BTreeMap<Place, Right>>,
}

impl Record {
    pub(super) fn of(event: &Arc<Tournament>) -> Self {
        let mut games = BTreeMap::new();
        for round in &event.rounds {
            for pairing in &round.pairings {
                let told = Told::of_record(pairing.game.as_deref(), pairing.result);
                let right = Right { told, board: pairing.board.clone(), current: round.number == event.current };
                games.insert(Place { round: round.number, pairing: pairing.number }, right);
            }
        }
        Self { event: event.clone(), games: Arc::new(games) }
    }

    /// The games that an outlet was to send by now; what else is known of them is as `live` says.
    pub(super) fn due(due: &BTreeMap<Place, Told>, live: &Self) -> Self {
        let known = due.iter().filter_map(|(place, told)| {
            let right = live.games.get(place)?;
            Some((*place, Right { told: told.clone(), ..right.clone() }))
        });
        Self { event: live.event.clone(), games: Arc::new(known.collect()) }
    }

    /// Where the game is that a board shows; `None`: it is none of the event's.
    pub(super) fn place(&self, board: &str, game: Option<u32>) -> Option<Place> {
        match game.and_then(|game| self.event.game(board, game)) {
            Some(played) => Some(Place { round: played.round, pairing: played.pairing }),
            // Before its first move it is the one that will be played there.
            None => {
                let (round, pairing) = self.event.pairing_of(board)?;
                pairing.game.is_none().then_some(Place { round, pairing: pairing.number })
            }
        }
    }
}

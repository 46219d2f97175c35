//! Tournaments, rounds and games as REST clients see them: the event's own model under the keys of this API.
use super::objects::{Game, Pairing, Player, Round, Tournament, TournamentEntry};
use super::picture::Picture;
use crate::cloud;
use crate::delay::Lag;
use crate::event_info::{self, EventInfo};
use crate::players;
use std::sync::Arc;

/// What is known of the event.
#[derive(Debug)]
pub(crate) struct Tournaments {
    event: Arc<EventInfo>,
    lag: Lag,
}

impl Tournaments {
    /// As it stood `lag` ago.
    pub(crate) const fn new(event: Arc<EventInfo>, lag: Lag) -> Self {
        Self { event, lag }
    }

    pub(crate) fn list(&self) -> Vec<TournamentEntry> {
        let event = self.event.now();
        vec![TournamentEntry { uuid: event.uuid.clone(), description: event.name.clone(), rounds: event.rounds.len() }]
    }

    pub(crate) fn tournament(&self, uuid: &str, pictures: &[Arc<Picture>]) -> Option<Tournament> {
        let event = self.event.now();
        (uuid == event.uuid).then(|| Tournament {
            uuid: event.uuid.clone(),
            name: event.name.clone(),
            description: event.time_control.clone(),
            location: event.city.clone(),
            country: event.country.clone(),
            rounds: event.rounds.len(),
            eboards: serials(&event, pictures),
        })
    }

    /// Round `index`, from 0.
    pub(crate) fn round(&self, uuid: &str, index: usize) -> Option<Round> {
        let event = self.event.now();
        let round = event.rounds.get(index).filter(|_| uuid == event.uuid)?;
        let pairing = |pairing: &event_info::Pairing| Pairing {
            nr: pairing.number,
            uuid: pairing.uuid.clone(),
            white: Some(player(&pairing.white)),
            black: Some(player(&pairing.black)),
            live: pairing.live,
            result: pairing.result_word(),
        };
        Some(Round { nr: round.number, date: round.date.clone(), pairings: round.pairings.iter().map(pairing).collect() })
    }

    pub(crate) fn game(&self, uuid: &str) -> Option<Game> {
        let event = self.event.now();
        let (_, pairing) = event.pairing(uuid)?;
        let record = pairing.game.as_deref();
        let (moves, comment) = cloud::shown(record);
        Some(Game {
            chess960: record.and_then(flagfall_score::kept::GameRecord::start_number).unwrap_or(518),
            result: pairing.result_word(),
            comment,
            clock: record.and_then(|r| r.clock.as_ref()).filter(|_| pairing.live).and_then(|clock| cloud::CloudClock::new(clock, self.lag)),
            moves,
        })
    }

    /// The e-boards of the round that is played; the index is the pairing's number less one.
    pub(crate) fn serials(&self, pictures: &[Arc<Picture>]) -> Vec<Arc<str>> {
        serials(&self.event.now(), pictures)
    }
}

/// As long as the last pairing with an e-board. A pairing between that has none is there under its label.
fn serials(event: &event_info::Tournament, pictures: &[Arc<Picture>]) -> Vec<Arc<str>> {
    let Some(round) = event.now_playing() else { return Vec::new() };
    let last = round.pairings.iter().rposition(|pairing| pairing.board.is_some()).map_or(0, |i| i + 1);
    let serialnr = |pairing: &event_info::Pairing| {
        let name = pairing.board.as_deref().unwrap_or(&pairing.label);
        let picture = pictures.iter().find(|picture| pairing.board.is_some() && *picture.board == *name);
        // Two boards may say the same number; what clients list is unique.
        picture.map_or_else(|| name.into(), |picture| picture.serialnr.clone())
    };
    round.pairings[..last].iter().map(serialnr).collect()
}

fn player(player: &players::Player) -> Player {
    Player {
        fname: player.fname.clone(),
        mname: player.mname.clone(),
        lname: player.lname.clone(),
        title: player.title.clone(),
        federation: player.federation.clone(),
        gender: player.gender.clone(),
        fideid: player.fideid,
    }
}

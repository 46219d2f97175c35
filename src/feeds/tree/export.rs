//! The JSON that LiveChess writes beside its PGN files: fewer keys than the cloud's.
use crate::cloud::{Count, counts};
use crate::event_info::{Round, Tournament};
use crate::players::Player;
use serde::Serialize;

#[derive(Serialize)]
pub(super) struct ExportTournament<'a> {
    id: &'a str,
    name: &'a str,
    rounds: Vec<Count>,
}

#[derive(Serialize)]
pub(super) struct ExportRound<'a> {
    pairings: Vec<ExportPairing<'a>>,
}

#[derive(Serialize)]
struct ExportPairing<'a> {
    white: ExportPlayer<'a>,
    black: ExportPlayer<'a>,
    result: &'static str,
    live: bool,
}

#[derive(Serialize)]
struct ExportPlayer<'a> {
    fname: Option<&'a str>,
    mname: Option<&'a str>,
    lname: Option<&'a str>,
    title: Option<&'a str>,
    federation: Option<&'a str>,
}

pub(super) fn tournament(event: &Tournament) -> ExportTournament<'_> {
    ExportTournament { id: &event.id, name: &event.name, rounds: counts(event) }
}

pub(super) fn round(round: &Round) -> ExportRound<'_> {
    let pairings = round.pairings.iter();
    let pairings =
        pairings.map(|p| ExportPairing { white: player(&p.white), black: player(&p.black), result: p.result.as_str(), live: p.live });
    ExportRound { pairings: pairings.collect() }
}

fn player(player: &Player) -> ExportPlayer<'_> {
    ExportPlayer {
        fname: player.fname.as_deref(),
        mname: player.mname.as_deref(),
        lname: player.lname.as_deref(),
        title: player.title.as_deref(),
        federation: player.federation.as_deref(),
    }
}

//! The event as the public page knows it: who plays, how it stands, round by round.
use super::standings::{self, Standing};
use crate::event_info::{Round, Tournament};
use crate::players::Player;
use flagfall_events::GameResult;
use serde::Serialize;

/// The event.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub(crate) struct EventView<'a> {
    name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    city: Option<&'a str>,
    /// Two letters (ISO 3166).
    #[serde(skip_serializing_if = "Option::is_none")]
    country: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    website: Option<&'a str>,
    /// In words.
    #[serde(skip_serializing_if = "Option::is_none")]
    time_control: Option<&'a str>,
    /// The round now playing, from 1.
    round: u32,
    rounds: Vec<RoundHead<'a>>,
    /// Points, most first; empty where lists and report do not know all rounds until now, and in team events. There are no tie-breaks.
    standings: Vec<Ranked<'a>>,
    /// Byes, and rounds that are not listed here, count as the tournament report has them; without one they are not in the standings.
    reported: bool,
}

/// What there is of a round.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub(crate) struct RoundHead<'a> {
    round: u32,
    /// `YYYY-MM-DD`.
    #[serde(skip_serializing_if = "Option::is_none")]
    date: Option<&'a str>,
    pairings: usize,
    /// Games that are being played on e-boards.
    live: usize,
    /// Games that have a result.
    results: usize,
}

/// Where a player stands.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub(crate) struct Ranked<'a> {
    /// From 1; the same for equal points.
    place: usize,
    #[serde(flatten)]
    player: PlayerView<'a>,
    /// Points of the games below, and of byes where a report has them.
    points: f64,
    /// How many of the player's games have a result.
    games: u32,
}

/// A player.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub(crate) struct PlayerView<'a> {
    /// `Last, First Middle`.
    name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    elo: Option<u16>,
    /// FIDE's three letters.
    #[serde(skip_serializing_if = "Option::is_none")]
    federation: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    team: Option<&'a str>,
}

/// A round.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub(crate) struct RoundView<'a> {
    round: u32,
    /// `YYYY-MM-DD`.
    #[serde(skip_serializing_if = "Option::is_none")]
    date: Option<&'a str>,
    pairings: Vec<PairingView<'a>>,
}

/// A pairing.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub(crate) struct PairingView<'a> {
    /// From 1: `/pgn/round-N/game-M.pgn`.
    number: u32,
    /// The board or table as the list calls it.
    label: &'a str,
    /// The e-board it is played on.
    #[serde(skip_serializing_if = "Option::is_none")]
    board: Option<&'a str>,
    /// The number of its game on that board.
    #[serde(skip_serializing_if = "Option::is_none")]
    game: Option<u32>,
    white: PlayerView<'a>,
    black: PlayerView<'a>,
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    result: GameResult,
    /// It has begun on an e-board and has no result.
    live: bool,
    /// Moves of it are known.
    played: bool,
}

pub(super) fn event(event: &Tournament) -> EventView<'_> {
    let head = |round: &'_ Round| {
        let of = |wanted: &dyn Fn(&crate::event_info::Pairing) -> bool| round.pairings.iter().filter(|p| wanted(p)).count();
        (round.number, round.pairings.len(), of(&|p| p.live), of(&|p| p.result != GameResult::Open))
    };
    let heads = event.rounds.iter().map(|round| {
        let (number, pairings, live, results) = head(round);
        RoundHead { round: number, date: round.date.as_deref(), pairings, live, results }
    });
    EventView {
        name: &event.name,
        city: event.city.as_deref(),
        country: event.country.as_deref(),
        website: event.website.as_deref(),
        time_control: event.time_control.as_deref(),
        round: event.current,
        rounds: heads.collect(),
        standings: ranked(standings::of(event)),
        reported: !event.scores.is_empty(),
    }
}

pub(super) fn round(round: &Round) -> RoundView<'_> {
    let pairings = round.pairings.iter().map(|pairing| PairingView {
        number: pairing.number,
        label: &pairing.label,
        board: pairing.board.as_deref(),
        game: pairing.game.as_ref().and_then(|game| game.game),
        white: player(&pairing.white),
        black: player(&pairing.black),
        result: pairing.result,
        live: pairing.live,
        played: pairing.game.as_ref().is_some_and(|game| game.has_begun()),
    });
    RoundView { round: round.number, date: round.date.as_deref(), pairings: pairings.collect() }
}

pub(super) fn player(player: &Player) -> PlayerView<'_> {
    PlayerView {
        name: player.pgn_name(),
        title: player.title.as_deref(),
        elo: player.elo,
        federation: player.federation.as_deref(),
        team: player.team.as_deref(),
    }
}

/// With places: the same one for equal points.
fn ranked(standings: Vec<Standing<'_>>) -> Vec<Ranked<'_>> {
    let place = |halves: u32| standings.iter().filter(|other| other.halves > halves).count() + 1;
    let ranked = |one: &Standing<'_>| (place(one.halves), f64::from(one.halves) / 2.0, one.games);
    let places: Vec<_> = standings.iter().map(ranked).collect();
    let all = standings.into_iter().zip(places);
    all.map(|(one, (place, points, games))| Ranked { place, player: player(one.player), points, games }).collect()
}

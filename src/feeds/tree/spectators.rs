//! The event as the public page knows it: who plays, how it stands, round by round.
use crate::event_info::{Round, Tournament};
use crate::players::Player;
use flagfall_events::GameResult;
use serde::Serialize;
use std::collections::BTreeMap;

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
    /// Points of the games that are listed here, most first; empty where the list does not know all rounds until now, and in team events. There are
    /// no tie-breaks.
    standings: Vec<Ranked<'a>>,
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
    /// Points of the games below.
    points: f64,
    /// How many of the player's games here have a result.
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
        standings: standings(event),
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
    });
    RoundView { round: round.number, date: round.date.as_deref(), pairings: pairings.collect() }
}

fn player(player: &Player) -> PlayerView<'_> {
    PlayerView {
        name: player.pgn_name(),
        title: player.title.as_deref(),
        elo: player.elo,
        federation: player.federation.as_deref(),
        team: player.team.as_deref(),
    }
}

/// Half points and games of everybody who is named, where every round until now is listed.
fn standings(event: &Tournament) -> Vec<Ranked<'_>> {
    let rounds = || event.rounds.iter().filter(|round| round.number <= event.current);
    let pairings = || rounds().flat_map(|round| &round.pairings);
    let nobody = |player: &Player| player.is_of_board();
    let whole = rounds().all(|round| !round.pairings.is_empty()) && !pairings().any(|p| nobody(&p.white) || nobody(&p.black));
    // In a round before, a game without a result is one that nobody knows of.
    let known =
        rounds().filter(|round| round.number < event.current).all(|round| round.pairings.iter().all(|p| p.result != GameResult::Open));
    if !whole || !known || pairings().any(|p| p.white.team.is_some()) || !pairings().any(|p| p.result != GameResult::Open) {
        return Vec::new();
    }
    let mut all: BTreeMap<String, (&Player, u32, u32)> = BTreeMap::new();
    for pairing in pairings() {
        let halves = match pairing.result {
            GameResult::WhiteWins => Some([2, 0]),
            GameResult::BlackWins => Some([0, 2]),
            GameResult::Draw => Some([1, 1]),
            GameResult::Open => None,
        };
        for (side, who) in [&pairing.white, &pairing.black].into_iter().enumerate() {
            let key = who.fideid.map_or_else(|| who.key(), |id| id.to_string());
            let (player, points, games) = all.entry(key).or_insert((who, 0, 0));
            *player = who;
            *points += halves.map_or(0, |halves| halves[side]);
            *games += u32::from(halves.is_some());
        }
    }
    let mut all: Vec<_> = all.into_values().collect();
    all.sort_by(|(one, a, _), (two, b, _)| b.cmp(a).then_with(|| one.pgn_name().cmp(&two.pgn_name())));
    let place = |points: u32| all.iter().filter(|(_, other, _)| *other > points).count() + 1;
    all.iter()
        .map(|(who, points, games)| Ranked { place: place(*points), player: player(who), points: f64::from(*points) / 2.0, games: *games })
        .collect()
}

//! The event as LiveChess's cloud shapes it: what custom viewers read. Key for key, with the types its readers insist on.
use crate::delay::Lag;
use crate::event_info::{Pairing, Round, Tournament};
use crate::players::Player;
use flagfall_events::Colour;
use flagfall_score::kept::{Cut, GameRecord, LiveClock, Ply};
use serde::Serialize;

/// `tournament.json`.
#[derive(Debug, Serialize)]
pub struct CloudTournament<'a> {
    id: &'a str,
    name: &'a str,
    location: Option<&'a str>,
    country: Option<&'a str>,
    website: Option<&'a str>,
    rules: &'static str,
    chess960: &'static str,
    timecontrol: Option<&'a str>,
    rounds: Vec<Count>,
    eboards: Vec<&'a str>,
}

/// How many pairings a round has, and how many of them are being played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Count {
    count: usize,
    live: usize,
}

/// `round-N/index.json`.
#[derive(Debug, Serialize)]
pub struct CloudRound<'a> {
    date: Option<&'a str>,
    pairings: Vec<CloudPairing<'a>>,
}

#[derive(Debug, Serialize)]
struct CloudPairing<'a> {
    white: CloudPlayer<'a>,
    black: CloudPlayer<'a>,
    result: &'static str,
    live: bool,
}

/// A player: seven keys.
#[derive(Debug, Serialize)]
pub struct CloudPlayer<'a> {
    fname: Option<&'a str>,
    mname: Option<&'a str>,
    lname: Option<&'a str>,
    title: Option<&'a str>,
    federation: Option<&'a str>,
    gender: Option<&'a str>,
    fideid: Option<u32>,
}

/// `round-N/game-M.json`.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CloudGame<'a> {
    live: bool,
    serial_nr: Option<&'a str>,
    first_move: Option<i64>,
    chess960: u16,
    result: Option<&'static str>,
    comment: Option<String>,
    clock: Option<CloudClock>,
    moves: Vec<String>,
}

/// A clock: seconds, who runs, when it was read (milliseconds since 1970).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct CloudClock {
    white: u32,
    black: u32,
    run: Option<bool>,
    time: i64,
}

impl CloudClock {
    /// `None` unless both sides were read. A viewer takes what passed since `time` off the running side.
    pub fn new(clock: &LiveClock, lag: Lag) -> Option<Self> {
        Some(Self {
            white: clock.white?,
            black: clock.black?,
            run: clock.run.map(|run| run == Colour::White),
            time: lag.moved(clock.at).timestamp().as_millisecond(),
        })
    }
}

/// How many games each round has.
pub(crate) fn counts(event: &Tournament) -> Vec<Count> {
    event.rounds.iter().map(|r| Count { count: r.pairings.len(), live: r.pairings.iter().filter(|p| p.live).count() }).collect()
}

/// `tournament.json`.
pub fn tournament(event: &Tournament) -> CloudTournament<'_> {
    let any960 = event.rounds.iter().flat_map(|r| &r.pairings).any(|p| p.game.as_ref().is_some_and(|g| g.chess960));
    CloudTournament {
        id: &event.id,
        name: &event.name,
        location: event.city.as_deref(),
        country: event.country.as_deref(),
        website: event.website.as_deref(),
        rules: "STANDARD",
        chess960: if any960 { "ANY" } else { "STANDARD" },
        timecontrol: event.time_control.as_deref(),
        rounds: counts(event),
        eboards: event.eboards(),
    }
}

/// `round-N/index.json`.
pub fn round(round: &Round) -> CloudRound<'_> {
    CloudRound {
        date: round.date.as_deref(),
        pairings: round
            .pairings
            .iter()
            .map(|p| CloudPairing { white: player(&p.white), black: player(&p.black), result: p.result.as_str(), live: p.live })
            .collect(),
    }
}

/// A player as the cloud has him.
pub fn player(player: &Player) -> CloudPlayer<'_> {
    CloudPlayer {
        fname: player.fname.as_deref(),
        mname: player.mname.as_deref(),
        lname: player.lname.as_deref(),
        title: player.title.as_deref(),
        federation: player.federation.as_deref(),
        gender: player.gender.as_deref(),
        fideid: player.fideid,
    }
}

/// `round-N/game-M.json`, as it stood `lag` ago.
pub fn game<'a>(event: &'a Tournament, pairing: &'a Pairing, lag: Lag) -> CloudGame<'a> {
    let record = pairing.game.as_deref();
    let (moves, comment) = shown(record);
    CloudGame {
        live: pairing.live,
        serial_nr: pairing.board.as_deref().map(|board| event.serial(board)),
        first_move: record.and_then(|r| r.first_move_at).map(|at| lag.moved(at).timestamp().as_millisecond()),
        chess960: record.and_then(GameRecord::start_number).unwrap_or(518),
        result: pairing.result_word(),
        comment,
        clock: record.and_then(|r| r.clock.as_ref()).filter(|_| pairing.live).and_then(|clock| CloudClock::new(clock, lag)),
        moves,
    }
}

/// The moves and the comment. A game from a position that has no number cannot be replayed by readers: its moves stand in the comment.
pub(crate) fn shown(record: Option<&GameRecord>) -> (Vec<String>, Option<String>) {
    let Some(record) = record else { return (Vec::new(), None) };
    let cut = record.cut.as_ref().and_then(Cut::told);
    match (&record.start, record.start_number()) {
        (Some(fen), None) => {
            let sans: Vec<&str> = record.moves.iter().map(|ply| ply.san.as_str()).collect();
            let told = [Some(format!("Set-up position {fen}: {}", sans.join(" "))), cut];
            (Vec::new(), Some(told.into_iter().flatten().collect::<Vec<_>>().join(". ")))
        }
        _ => (move_strings(record), cut),
    }
}

/// `SAN`, `SAN clk`, `SAN +emt`, `SAN clk+emt`. Numbers are left out where the move was not seen to be played; the last one always has one.
pub fn move_strings(record: &GameRecord) -> Vec<String> {
    let last = record.moves.len().saturating_sub(1);
    record
        .moves
        .iter()
        .enumerate()
        .map(|(i, ply)| match (i == last, ply.guessed && ply.estimated) {
            (true, _) => last_string(record, ply),
            (false, true) => string(&ply.san, None, None),
            (false, false) => string(&ply.san, ply.clk, ply.emt),
        })
        .collect()
}

/// What was not seen at the press is read from the clock now: the mover's side has not run since. Where there is no clock either, no time was seen to be spent.
fn last_string(record: &GameRecord, ply: &Ply) -> String {
    if ply.clk.is_some() || ply.emt.is_some() {
        return string(&ply.san, ply.clk, ply.emt);
    }
    let now = record.clock.as_ref().filter(|clock| clock.run != Some(ply.by)).and_then(|clock| match ply.by {
        Colour::White => clock.white,
        Colour::Black => clock.black,
    });
    string(&ply.san, now, if now.is_some() { None } else { Some(0) })
}

fn string(san: &str, clk: Option<u32>, emt: Option<u32>) -> String {
    match (clk, emt) {
        (Some(clk), Some(emt)) => format!("{san} {clk}+{emt}"),
        (Some(clk), None) => format!("{san} {clk}"),
        (None, Some(emt)) => format!("{san} +{emt}"),
        (None, None) => String::from(san),
    }
}

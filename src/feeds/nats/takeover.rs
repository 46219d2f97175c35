//! A board whose last events in the stream are of another numbering: another machine had it, its card is empty, or its journal has lost its end. A hall,
//! which has read the stream, is asked for the game. Where it knows more of it than this machine, that game goes on here: the same game, recovered
//! plies, another numbering. A Pi's account may not read the stream itself.
use super::ask::{self, Asked};
use super::board::Board;
use super::records::{self, Goes, Here, Record};
use super::station::Station;
use super::wire::{self, GameAnswer, GameAsked};
use async_nats::Client;
use flagfall_events::{Body, Entry, Event, GameResult, Order, ResultSource, TakenResult, UNREAD};
use flagfall_journal::backlog::Backlog;
use flagfall_score::board::{BoardState, Games};
use flagfall_score::pgn::pgn;
use flagfall_web::boards::Refusal;
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::sleep;

/// Who says so in the board's record.
pub(crate) const WHO: &str = "flagfall";
/// Between two tries where a hall or the board is busy.
const PAUSE: Duration = Duration::from_millis(300);

/// A record that was taken over.
#[derive(Clone, Copy, Debug)]
pub(super) struct Taken {
    /// The board is published after this event …
    pub(super) after: u64,
    /// … and up to this one all that it says takes the place of what the stream has.
    pub(super) to: u64,
}

/// Asks whether another machine serves the board, and for its game. The board's last message in the stream is `number`. `Some`: the hall's record was
/// taken over. An error where no hall answers: until one does nothing of a board is published whose game is
/// unknown here, since it would be shown in place of it.
pub(super) async fn ask_hall(station: &Station, board: &Board, client: &Client, number: u64) -> Result<Option<Taken>, Asked> {
    let subject = station.names.game(&wire::token(&board.name));
    let asked = serde_json::to_vec(&GameAsked { number, pi: station.token.clone() }).unwrap_or_default();
    loop {
        let at = |n: &str| station.names.answer(&station.token, n);
        let answer = ask::hall(client, subject.clone(), at, asked.clone().into()).await.map_err(|error| match error {
            Asked::Nobody | Asked::Late => Asked::NoHall,
            error => error,
        })?;
        match serde_json::from_slice(&answer.payload) {
            Ok(GameAnswer::Game(entry)) => {
                let quiet_ms = answer.headers.as_ref().and_then(|headers| headers.get(wire::QUIET)?.as_str().parse().ok());
                return Ok(take_over(station, board, *entry, quiet_ms).await);
            }
            Ok(GameAnswer::None {}) => return Ok(None),
            Ok(GameAnswer::Served { by }) => return Err(Asked::Served(by)),
            Ok(GameAnswer::Later {}) => sleep(PAUSE).await,
            Err(error) => {
                tracing::warn!("board {}: a hall's answer about its game is not understood: {error}; is the hall older?", board.name);
                return Err(Asked::NoHall);
            }
        }
    }
}

/// The record that the board goes on with is the hall's, where that has all of this one and more; or both in one. `quiet_ms`: how long ago the stream had its
/// last message of the board.
async fn take_over(station: &Station, board: &Board, entry: Entry, quiet_ms: Option<u64>) -> Option<Taken> {
    let hall = record(&entry)?;
    loop {
        let own = station.hub.arbiters().look(&board.name, |office| Record::of(office.state().board())).unwrap_or_default();
        let (first, later) = what_goes_on(station, board, &entry, &hall, &own, quiet_ms).await?;
        let (after, number) = (board.taken_after(), record(&first)?.number?);
        match enter(station, board, first).await {
            Entered::Here(to) => {
                tracing::warn!(
                    "board {}: the hall's game {number} of {} plies goes on here, where {} were known",
                    board.name,
                    hall.plies.len(),
                    own.plies.len()
                );
                return Some(Taken { after, to: enter_later(station, board, later, number, &own).await.unwrap_or(to) });
            }
            // Its task may not listen yet, and knows more by then.
            Entered::Later => sleep(PAUSE).await,
            Entered::Nowhere => return None,
        }
    }
}

/// A game that was recorded here.
type Game = (Here, BoardState);

/// The entry that takes the hall's game over, and the games recorded here that come after it. `None`: those go on as they are.
async fn what_goes_on(
    station: &Station,
    board: &Board,
    entry: &Entry,
    hall: &Record,
    own: &Record,
    quiet_ms: Option<u64>,
) -> Option<(Entry, Vec<Game>)> {
    let published = board.stand().is_some_and(|stand| stand.acked > stand.from);
    let mut games = if published || own.number.is_none() { Vec::new() } else { recorded_here(station, board).await };
    let here: Vec<Here> = games.iter().map(|(here, _)| here.clone()).collect();
    let mut first = entry.clone();
    match records::which(own, &here, hall, published, quiet_ms) {
        Goes::Own => {
            if !own.plies.is_empty() && own.plies != hall.plies {
                tracing::warn!(
                    "board {}: {} plies are recorded here, and {} in the hall; the record here goes on",
                    board.name,
                    own.plies.len(),
                    hall.plies.len()
                );
            }
            return None;
        }
        Goes::Hall => {
            let same = own.plies.is_empty() || own.is_same_as(hall) || own.is_of(hall);
            count_from(&mut first, own.number.map(|known| known + u32::from(!same)));
            games.clear();
        }
        Goes::Same(index) => {
            let later = games.split_off(index + 1);
            let (here, state) = games.pop()?;
            first = both(first, &state, here.record.number == own.number);
            first.note = Some(String::from("as it was published, and as it was recorded here before a hall answered"));
            count_from(&mut first, here.record.number);
            games = later;
        }
        Goes::Before => first = both(first, &BoardState::new(board.name.clone()), false),
    }
    Some((first, games))
}

/// Games count on at every machine: it has this number at least.
fn count_from(entry: &mut Entry, number: Option<u32>) {
    if let Order::TakeOver { game, .. } = &mut entry.order {
        *game = (*game).max(number.unwrap_or(0));
    }
}

/// The games that were recorded here come after game `number`; the last event that came of it.
async fn enter_later(station: &Station, board: &Board, later: Vec<Game>, mut number: u32, own: &Record) -> Option<u64> {
    let mut to = None;
    for (here, state) in later {
        number += 1;
        // What is on the board may go on as it is.
        let on = station.hub.arbiters().look(&board.name, |office| office.state().board().game().number).flatten();
        if on == Some(number) {
            continue;
        }
        let order = Order::TakeOver { game: number, began: here.record.began, pgn: pgn(&state, &[]), ended: None };
        let note = Some(String::from("as it was recorded here before a hall answered"));
        let entry = both(Entry { who: Some(String::from(WHO)), note, ..Entry::new(order) }, &state, here.record.number == own.number);
        loop {
            match enter(station, board, entry.clone()).await {
                Entered::Here(seq) => to = Some(seq),
                Entered::Later => {
                    sleep(PAUSE).await;
                    continue;
                }
                Entered::Nowhere => return to,
            }
            break;
        }
    }
    to
}

/// The entry with what was recorded here of the same game: its later plies, and its end. One that is not `on` the board any more has ended.
fn both(entry: Entry, here: &BoardState, on: bool) -> Entry {
    let Order::TakeOver { game, began, pgn: known, ended } = entry.order else { return entry };
    let recorded = here.is_over().then(|| TakenResult {
        result: here.game().result,
        reason: here.game().reason.clone().unwrap_or_default(),
        source: here.ended().unwrap_or(ResultSource::Operator),
    });
    let unread = || TakenResult { result: GameResult::Open, reason: String::from(UNREAD), source: ResultSource::Setup };
    let ended = ended.or(recorded).or_else(|| (!on).then(unread));
    let joined = flagfall_game::pgn::joined(&known, &pgn(here, &[])).unwrap_or(known);
    Entry { order: Order::TakeOver { game, began, pgn: joined, ended }, ..entry }
}

/// The games with moves that this numbering has of the board, the newest one last.
async fn recorded_here(station: &Station, board: &Board) -> Vec<Game> {
    let Some(stand) = board.stand() else { return Vec::new() };
    let (mut backlog, name) = (Backlog::new(&station.data_dir, &board.name), board.name.clone());
    let read = move || {
        let (mut games, mut starts) = (Games::new(name), HashMap::new());
        let read = backlog.each(stand.from + 1, stand.said, |event| {
            if matches!(event.body, Body::GameStart { .. }) {
                starts.entry(event.game).or_insert_with(|| event.clone());
            }
            games.take(event);
        });
        read.map(|()| games.played().filter_map(|game| Some((starts.get(&game.game().number)?.clone(), game.clone()))).collect::<Vec<_>>())
    };
    match tokio::task::spawn_blocking(read).await {
        Ok(Ok(games)) => {
            let here = |(start, state): (Arc<Event>, BoardState)| {
                (Here { record: Record::of(&state), age_ms: board.age(&start, station.stopwatch) }, state)
            };
            games.into_iter().map(here).collect()
        }
        Ok(Err(error)) => {
            tracing::warn!(
                "board {}: its journals cannot be read back: {error}; its earlier games are not compared with the hall's",
                board.name
            );
            Vec::new()
        }
        Err(_) => Vec::new(),
    }
}

/// What became of an entry.
enum Entered {
    /// The last event that came of it.
    Here(u64),
    /// The board is busy, or its task does not listen yet.
    Later,
    /// It was refused.
    Nowhere,
}

async fn enter(station: &Station, board: &Board, entry: Entry) -> Entered {
    match station.entries.enter(&board.name, entry).await {
        Ok(taken) => Entered::Here(taken.seq),
        Err(Refusal::Busy | Refusal::UnknownBoard(_)) => Entered::Later,
        Err(why) => {
            tracing::warn!("board {}: the game that the hall knows is not taken over: {why}", board.name);
            Entered::Nowhere
        }
    }
}

/// What an entry that takes a game over says of it.
fn record(entry: &Entry) -> Option<Record> {
    let Order::TakeOver { game, began, pgn, ended } = &entry.order else { return None };
    let (start, plies) = flagfall_game::pgn::line(pgn).ok()?;
    Some(Record { number: Some(*game), began: *began, start, plies, over: ended.is_some(), unseen: false })
}

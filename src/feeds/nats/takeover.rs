//! A board whose last events in the stream are of another numbering: another machine had it, its card is empty, or its journal has lost its end. A hall,
//! which has read the stream, is asked for the game. Where it knows more of it than this machine, that game goes on here: the same game, recovered
//! plies, another numbering. A Pi's account may not read the stream itself.
use super::ask::{self, Asked};
use super::board::Board;
use super::records::{self, Record};
use super::station::Station;
use super::wire::{self, GameAnswer, GameAsked};
use async_nats::Client;
use flagfall_events::{Entry, Order};
use flagfall_web::boards::Refusal;
use std::time::Duration;
use tokio::time::sleep;

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
            Ok(GameAnswer::Game(entry)) => return Ok(take_over(station, board, *entry).await),
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

/// The record that the board goes on with is the hall's, where that has all of this one and more.
async fn take_over(station: &Station, board: &Board, mut entry: Entry) -> Option<Taken> {
    loop {
        let own = station.hub.arbiters().look(&board.name, |office| Record::of(office.state().board())).unwrap_or_default();
        let hall = record(&entry)?;
        let published = board.stand().is_some_and(|stand| stand.acked > stand.from);
        if !records::gives_way(&own, &hall, published) {
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
        if let Order::TakeOver { game, .. } = &mut entry.order {
            // Games count on at every machine.
            let next = own.number.map_or(0, |known| known + u32::from(own.began != hall.began));
            *game = (*game).max(next);
        }
        let after = board.taken_after();
        match station.entries.enter(&board.name, entry.clone()).await {
            Ok(taken) => {
                tracing::warn!(
                    "board {}: the hall knows more of its game ({} plies) than this machine ({}), and that goes on",
                    board.name,
                    hall.plies.len(),
                    own.plies.len()
                );
                return Some(Taken { after, to: taken.seq });
            }
            // Its task may not listen yet.
            Err(Refusal::Busy | Refusal::UnknownBoard(_)) => sleep(PAUSE).await,
            Err(why) => {
                tracing::warn!("board {}: the game that the hall knows is not taken over: {why}", board.name);
                return None;
            }
        }
    }
}

/// What an entry that takes a game over says of it.
fn record(entry: &Entry) -> Option<Record> {
    let Order::TakeOver { game, began, pgn, ended } = &entry.order else { return None };
    let (start, plies) = flagfall_game::pgn::line(pgn).ok()?;
    Some(Record { number: Some(*game), began: *began, start, plies, over: ended.is_some(), unseen: false })
}

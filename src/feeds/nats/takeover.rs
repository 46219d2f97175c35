//! A board of which this machine knows no game, and the stream does: the machine before this one is gone, or its card is empty. A hall, which has read the
//! stream, is asked for the game; the board goes on with the next ply: the same game, recovered plies, another numbering. A Pi's account may not read the
//! stream itself.
use super::ask::{self, Asked};
use super::board::Board;
use super::station::Station;
use super::wire::{self, GameAnswer, GameAsked};
use async_nats::Client;
use flagfall_web::boards::Refusal;
use std::time::Duration;
use tokio::time::sleep;

/// Between two tries where a hall or the board is busy.
const PAUSE: Duration = Duration::from_millis(300);

/// Asks whether another machine serves the board, and for its game where none is known here. The board's last message in the stream is `number`. An error where no hall answers: until one does
/// nothing of the board is published, since a board without its game would be shown in place of it.
pub(super) async fn ask_hall(station: &Station, board: &Board, client: &Client, number: u64) -> Result<(), Asked> {
    let subject = station.names.game(&wire::token(&board.name));
    let asked = serde_json::to_vec(&GameAsked { number, pi: station.token.clone() }).unwrap_or_default();
    let entry = loop {
        let answer = ask::request(client, subject.clone(), None, asked.clone().into()).await.map_err(|error| match error {
            Asked::Nobody | Asked::Late => Asked::NoHall,
            error => error,
        })?;
        match serde_json::from_slice(&answer.payload) {
            Ok(GameAnswer::Game(entry)) => break entry,
            Ok(GameAnswer::None {}) => {
                board.has_game(None);
                return Ok(());
            }
            Ok(GameAnswer::Served { by }) => return Err(Asked::Served(by)),
            Ok(GameAnswer::Later {}) => sleep(PAUSE).await,
            Err(error) => {
                tracing::warn!("board {}: a hall's answer about its game is not understood: {error}; is the hall older?", board.name);
                return Err(Asked::NoHall);
            }
        }
    };
    // A machine that has games of the board keeps them; it was asked only whether another one serves it.
    if !board.is_bare() {
        return Ok(());
    }
    loop {
        match station.entries.enter(&board.name, (*entry).clone()).await {
            Ok(taken) => {
                tracing::warn!("board {}: no game of it was known here; the one that the hall knows goes on", board.name);
                board.has_game(Some(taken.seq));
                return Ok(());
            }
            // Its task may not listen yet.
            Err(Refusal::Busy | Refusal::UnknownBoard(_)) => sleep(PAUSE).await,
            Err(why) => {
                tracing::warn!("board {}: the game that the hall knows is not taken over: {why}", board.name);
                board.has_game(None);
                return Ok(());
            }
        }
    }
}

//! Orders from halls: each is carried out once, however often it comes, and answered when it is in the journal.
use super::board::Board;
use super::station::Station;
use super::wire::{self, Answer, Asked, Inquiry, Order};
use async_nats::{Client, Message};
use flagfall_config::nats::plain;
use flagfall_journal::backlog::Backlog;
use flagfall_web::boards::Refusal;
use flagfall_web::boards::asked::Unanswered;
use futures_util::StreamExt as _;
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// Orders of one board that wait at most.
const WAITING: usize = 32;

/// Takes a board's orders until the connection ends.
pub(super) async fn listen(station: Arc<Station>, board: Arc<Board>, client: Client) {
    let Ok(mut orders) = client.subscribe(station.names.order(&board.name)).await else { return };
    while let Some(message) = orders.next().await {
        if message.headers.as_ref().is_some_and(|headers| headers.get(wire::FORGED).is_some()) {
            tracing::error!("board {}: an order that no hall sent was ignored; look at the broker's accounts", board.name);
            continue;
        }
        // On its own: an order that was begun is not dropped with the connection.
        station.tasks.spawn(take(station.clone(), board.clone(), client.clone(), message));
    }
}

async fn take(station: Arc<Station>, board: Arc<Board>, client: Client, message: Message) {
    let answer = if board.waiting.fetch_add(1, Ordering::Relaxed) < WAITING {
        carry_out(&station, &board, &message.payload).await
    } else {
        Answer::Later { reason: String::from("too many orders wait for this board") }
    };
    board.waiting.fetch_sub(1, Ordering::Relaxed);
    station.metrics.order(match answer {
        Answer::Taken { .. } => "taken",
        Answer::Refused { .. } => "refused",
        Answer::Later { .. } => "later",
        Answer::Previewed(_) => "previewed",
        Answer::Told(_) => "told",
    });
    if let Some(reply) = message.reply {
        let mut bytes = serde_json::to_vec(&answer).unwrap_or_default();
        if bytes.len() > client.server_info().max_payload {
            let reason = String::from("the answer is larger than the broker carries");
            let hint = String::from("open it on the page of the board's own machine");
            bytes = serde_json::to_vec(&Answer::Refused { reason, hint, meanwhile: Vec::new() }).unwrap_or_default();
        }
        // Who asked may be gone, and asks again.
        _ = client.publish(reply, bytes.into()).await;
    }
}

async fn carry_out(station: &Station, board: &Board, payload: &[u8]) -> Answer {
    let refused = |reason: String, hint: &str| Answer::Refused { reason, hint: String::from(hint), meanwhile: Vec::new() };
    if let Ok(Asked { preview: entry }) = serde_json::from_slice(payload) {
        return match station.entries.preview(&board.name, entry).await {
            Ok(preview) => Answer::Previewed(Box::new(preview)),
            Err(why) => refusal(why),
        };
    }
    if let Ok(Inquiry { ask }) = serde_json::from_slice(payload) {
        let Some(here) = station.entries.here() else { return Answer::Later { reason: String::from("flagfall has only just begun") } };
        return match here(board.name.to_string(), ask).await {
            Ok(reply) => Answer::Told(Box::new(reply)),
            Err(Unanswered { reason, hint }) => refused(reason, &hint),
        };
    }
    let order: Order = match serde_json::from_slice(payload) {
        Ok(order) => order,
        Err(error) => {
            return refused(
                format!("the order is not understood: {error}"),
                "hall and machine must run the same version; upgrade the older one",
            );
        }
    };
    if !plain(&order.key) {
        return refused(format!("{:?} is no key", order.key), "send 1 to 64 letters, digits, - and _, new for each order");
    }
    let mut answers = board.answers.lock().await;
    if answers.taken.is_none() {
        let backlog = Backlog::new(&station.data_dir, &board.name);
        match tokio::task::spawn_blocking(move || backlog.orders()).await {
            Ok(Ok(taken)) => answers.taken = Some(taken),
            Ok(Err(error)) => return Answer::Later { reason: format!("the board's journals cannot be read: {error}") },
            Err(_) => return Answer::Later { reason: String::from("a mistake in flagfall") },
        }
    }
    if let Some(answer) = answers.of(&order.key) {
        return answer;
    }
    let mut entry = order.entry;
    entry.order_key = Some(order.key.clone());
    entry.who.get_or_insert_with(|| String::from("hall"));
    tracing::info!("board {}: order {} of {}", board.name, order.key, entry.who.as_deref().unwrap_or_default());
    let answer = match station.entries.enter(&board.name, entry).await {
        Ok(taken) => Answer::Taken { seq: taken.seq, recovered: taken.recovered },
        Err(why) => refusal(why),
    };
    answers.keep(&order.key, &answer);
    answer
}

/// What a board's refusal is to a hall.
fn refusal(why: Refusal) -> Answer {
    let (reason, hint) = (why.to_string(), String::from("look at the board as it is now, then decide again"));
    match why {
        Refusal::Busy => Answer::Later { reason },
        Refusal::Meanwhile(meanwhile) => Answer::Refused { reason, hint, meanwhile },
        _ => Answer::Refused { reason, hint, meanwhile: Vec::new() },
    }
}

//! Orders to boards. Each is in the bucket before it is sent, so that it survives its hall, and changes there by compare-and-set only: what was withdrawn is
//! never sent, and what was sent is never withdrawn. Its key makes a repeat harmless, so one that was not answered is sent until it is.
//!
//! The hall that an arbiter speaks to sends at once where the board's Pi is heard; what waits is sent by the hall that speaks when the board's Pi is there again.
use super::bucket;
use super::house::{Broker, House};
use crate::nats::wire::{self, Answer, Asked, Order, OrderState, WaitingOrder};
use async_nats::jetstream::Context;
use async_nats::jetstream::kv::{Operation, Store};
use async_nats::{RequestErrorKind, client::Request};
use flagfall_config::nats::plain;
use flagfall_events::Entry;
use flagfall_web::boards::preview::Preview;
use flagfall_web::boards::{Answer as Reply, Inbox, Refusal, Submission, Taken, Withdrawal};
use flagfall_web::stage::json;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc;

/// A board answers within this, or the order is sent again.
const PATIENCE: Duration = Duration::from_secs(4);
/// How often it is looked what may be sent.
const LOOK: Duration = Duration::from_secs(2);
/// A board that is busy is asked so often at once.
const TRIES: u32 = 3;
/// With these pauses.
const PAUSE: Duration = Duration::from_millis(300);

/// What one sending came to.
enum Sent {
    Answered(Answer),
    /// Nobody is there who could have got it.
    Nobody,
    /// It may have arrived.
    Unknown,
}

/// Takes what is entered for one board, for ever.
pub(super) async fn desk(house: Arc<House>, board: Arc<str>, mut inbox: Inbox) {
    while let Some(Submission { entry, answer }) = inbox.recv().await {
        let (house, board) = (house.clone(), board.clone());
        // Whoever asked may be gone.
        tokio::spawn(async move {
            match answer {
                Reply::Taken(answer) => _ = answer.send(enter(&house, &board, entry).await),
                Reply::Previewed(answer) => _ = answer.send(preview(&house, &board, entry).await),
            }
        });
    }
}

async fn enter(house: &Arc<House>, board: &str, mut entry: Entry) -> Result<Taken, Refusal> {
    let away = || Refusal::Impossible(String::from("the broker does not answer; nothing was sent, try again"));
    let broker = house.broker.borrow().clone().ok_or_else(away)?;
    let store = store(house, &broker.jetstream).await.map_err(|_| away())?;
    let key = entry.order_key.take().filter(|key| plain(key)).unwrap_or_else(|| wire::random(16));
    if let Some(line) = house.book().get(board, &key).cloned() {
        return outcome(&line.order);
    }
    // What was given before goes first. To a Pi that is not heard nothing is sent: a connection that only seems to stand would take it, and nobody could withdraw it.
    let queued = house.book().is_busy(board) || is_away(house, board);
    let state = if queued { OrderState::Waiting } else { OrderState::Sent };
    let mut order = WaitingOrder {
        board: String::from(board),
        key,
        entry,
        at: flagfall_time::now(),
        state,
        seq: None,
        reason: None,
        meanwhile: Vec::new(),
        recovered: Vec::new(),
    };
    let place = wire::order_key(board, &order.key);
    let Ok(revision) = store.create(&place, json(&order).into()).await else {
        // A repeat, perhaps by way of the other hall; or nobody answered.
        let there = store.entry(place.clone()).await.ok().flatten();
        return match there.and_then(|entry| serde_json::from_slice::<WaitingOrder>(&entry.value).ok()) {
            Some(order) => outcome(&order),
            None => Err(away()),
        };
    };
    note(house, order.clone(), revision);
    if queued {
        house.poke.notify_one();
        return Err(Refusal::Waits(order.key));
    }
    house.book().begin(board, &order.key, house.stopwatch.now().millis());
    let sent = send(house, &broker, &order).await;
    house.book().end(board, &order.key);
    settle(house, &store, &mut order, revision, sent, true).await;
    outcome(&order)
}

/// Asks a board's machine what an entry would do. Nothing is written down: nothing is ordered.
async fn preview(house: &House, board: &str, entry: Entry) -> Result<Preview, Refusal> {
    let away = || Refusal::Impossible(String::from("the board's Pi is away; what this would do is known when that returns"));
    let broker = house.broker.borrow().clone().filter(|_| !is_away(house, board)).ok_or_else(away)?;
    let request = Request::new().payload(json(&Asked { preview: entry }).into()).timeout(Some(PATIENCE));
    let answer = broker.client.send_request(house.names.order(board), request).await.map_err(|_| away())?;
    match serde_json::from_slice::<Answer>(&answer.payload) {
        Ok(Answer::Previewed(preview)) => Ok(*preview),
        Ok(Answer::Refused { meanwhile, .. }) if !meanwhile.is_empty() => Err(Refusal::Meanwhile(meanwhile)),
        Ok(Answer::Refused { reason, .. }) => Err(Refusal::Impossible(reason)),
        Ok(Answer::Later { .. } | Answer::Taken { .. } | Answer::Told(_)) | Err(_) => Err(Refusal::Busy),
    }
}

/// What the arbiter is told of an order as it stands.
fn outcome(order: &WaitingOrder) -> Result<Taken, Refusal> {
    match order.state {
        OrderState::Journaled => Ok(Taken { seq: order.seq.unwrap_or(0), recovered: order.recovered.clone() }),
        OrderState::Refused if !order.meanwhile.is_empty() => Err(Refusal::Meanwhile(order.meanwhile.clone())),
        OrderState::Refused => Err(Refusal::Impossible(order.reason.clone().unwrap_or_else(|| String::from("the board refused it")))),
        OrderState::Withdrawn => Err(Refusal::Impossible(String::from("it was withdrawn"))),
        OrderState::Waiting | OrderState::Sent => Err(Refusal::Waits(order.key.clone())),
    }
}

/// Sends an order and waits for its answer.
async fn send(house: &House, broker: &Broker, order: &WaitingOrder) -> Sent {
    let order_body = Order { key: order.key.clone(), sent_at: flagfall_time::now(), entry: order.entry.clone() };
    let (subject, body) = (house.names.order(&order.board), json(&order_body));
    for _ in 0..TRIES {
        let request = Request::new().payload(body.clone().into()).timeout(Some(PATIENCE));
        match broker.client.send_request(subject.clone(), request).await {
            Ok(message) => match serde_json::from_slice::<Answer>(&message.payload) {
                Ok(Answer::Later { .. }) => tokio::time::sleep(PAUSE).await,
                Ok(answer) => return Sent::Answered(answer),
                Err(_) => return Sent::Unknown,
            },
            Err(error) if error.kind() == RequestErrorKind::NoResponders => return Sent::Nobody,
            Err(_) => return Sent::Unknown,
        }
    }
    Sent::Unknown
}

/// Writes down what a sending came to. `first`: it was never sent before.
async fn settle(house: &House, store: &Store, order: &mut WaitingOrder, revision: u64, sent: Sent, first: bool) {
    let mut next = order.clone();
    match sent {
        Sent::Answered(Answer::Taken { seq, recovered }) => {
            (next.state, next.seq, next.recovered) = (OrderState::Journaled, Some(seq), recovered);
        }
        Sent::Answered(Answer::Refused { reason, hint, meanwhile }) => {
            let reason = if hint.is_empty() { reason } else { format!("{reason}; {hint}") };
            (next.state, next.reason, next.meanwhile) = (OrderState::Refused, Some(reason), meanwhile);
        }
        Sent::Nobody if first => next.state = OrderState::Waiting,
        _ => return,
    }
    // Another hall may have written the same answer first; the board's is the same for both.
    let written = store.update(wire::order_key(&order.board, &order.key), json(&next).into(), revision).await;
    if let Ok(revision) = written {
        note(house, next.clone(), revision);
    }
    *order = next;
}

/// Knows an order as it stands, and shows it.
fn note(house: &House, order: WaitingOrder, revision: u64) {
    let now = house.stopwatch.now().millis();
    let board = house.book().take(order, revision, now);
    if let Some(board) = board {
        show(house, &board);
    }
}

fn show(house: &House, board: &str) {
    let (orders, open) = {
        let book = house.book();
        (book.of(board), book.open())
    };
    house.hub().set_orders(board, orders);
    house.figures.waiting.set(i64::try_from(open).unwrap_or(i64::MAX));
    house.state.change(|health| health.orders_waiting = open);
}

async fn store(house: &House, jetstream: &Context) -> Result<Store, String> {
    jetstream.get_key_value(house.names.orders()).await.map_err(|error| format!("the bucket of orders: {error}"))
}

/// Follows the bucket and sends what waits, for as long as it can; why it ended.
pub(super) async fn run(house: Arc<House>, jetstream: Context) -> String {
    let store = match store(&house, &jetstream).await {
        Ok(store) => store,
        Err(why) => return why,
    };
    let mut changes = match bucket::changes(&jetstream, &house.names.orders(), true).await {
        Ok(changes) => changes,
        Err(why) => return why,
    };
    let mut ticks = tokio::time::interval(LOOK);
    loop {
        tokio::select! {
            change = changes.next() => match change {
                Ok(bucket::Change { key, revision, value: Some(value) }) => match serde_json::from_slice::<WaitingOrder>(&value) {
                    Ok(order) if wire::order_key(&order.board, &order.key) == key => note(&house, order, revision),
                    _ => tracing::warn!("what stands at {key} in the bucket of orders is no order"),
                },
                Ok(_) => {}
                Err(why) => return why,
            },
            () = house.poke.notified() => send_waiting(&house, &store),
            _ = ticks.tick() => {
                let boards = house.book().sweep(house.stopwatch.now().millis());
                boards.iter().for_each(|board| show(&house, board));
                send_waiting(&house, &store);
            }
        }
    }
}

/// Sends what waits for boards that are there; only the hall that speaks does.
fn send_waiting(house: &Arc<House>, store: &Store) {
    if !house.voice.speaks() {
        return;
    }
    let due = house.book().due(house.stopwatch.now().millis());
    for line in due {
        let away = is_away(house, &line.order.board);
        let Some(broker) = house.broker.borrow().clone().filter(|_| !away) else { continue };
        house.book().begin(&line.order.board, &line.order.key, house.stopwatch.now().millis());
        let (house, store) = (house.clone(), store.clone());
        tokio::spawn(async move {
            let (board, key) = (line.order.board.clone(), line.order.key.clone());
            again(&house, &store, &broker, line.order, line.revision).await;
            house.book().end(&board, &key);
            house.poke.notify_one();
        });
    }
}

/// Whether the Pi of a board is not heard.
pub(super) fn is_away(house: &House, board: &str) -> bool {
    house.known().is_away(board)
}

async fn again(house: &Arc<House>, store: &Store, broker: &Broker, mut order: WaitingOrder, mut revision: u64) {
    let first = order.state == OrderState::Waiting;
    if first {
        order.state = OrderState::Sent;
        // Whoever withdrew it meanwhile wrote first.
        match store.update(wire::order_key(&order.board, &order.key), json(&order).into(), revision).await {
            Ok(next) => revision = next,
            Err(_) => return,
        }
        note(house, order.clone(), revision);
    }
    let sent = send(house, broker, &order).await;
    settle(house, store, &mut order, revision, sent, first).await;
}

/// Withdraws what waits, for ever.
pub(super) async fn withdrawals(house: Arc<House>, mut inbox: mpsc::Receiver<Withdrawal>) {
    while let Some(Withdrawal { board, key, who, answer }) = inbox.recv().await {
        let outcome = withdraw(&house, &board, &key, who).await;
        let _ = answer.send(outcome);
    }
}

/// While it is looked whether the machine is there, an order is under way for a moment.
async fn withdraw(house: &House, board: &str, key: &str, who: Option<String>) -> Result<(), Refusal> {
    for _ in 0..TRIES {
        match withdraw_now(house, board, key, who.clone()).await {
            Err(Refusal::Busy) => tokio::time::sleep(PAUSE).await,
            done => return done,
        }
    }
    Err(Refusal::Impossible(String::from("it was sent and may have arrived; it can no longer be withdrawn")))
}

async fn withdraw_now(house: &House, board: &str, key: &str, who: Option<String>) -> Result<(), Refusal> {
    let away = |_| Refusal::Impossible(String::from("the broker does not answer; nothing was withdrawn, try again"));
    let broker = house.broker.borrow().clone().ok_or(()).map_err(away)?;
    let store = store(house, &broker.jetstream).await.map_err(|_| away(()))?;
    let place = wire::order_key(board, key);
    let entry = store.entry(place.clone()).await.map_err(|_| away(()))?;
    let unknown = || Refusal::UnknownBoard(String::from(board));
    let entry = entry.filter(|entry| entry.operation == Operation::Put).ok_or_else(unknown)?;
    let mut order = serde_json::from_slice::<WaitingOrder>(&entry.value).map_err(|_| unknown())?;
    match order.state {
        OrderState::Withdrawn => return Ok(()),
        OrderState::Waiting => {}
        OrderState::Sent => return Err(Refusal::Busy),
        OrderState::Journaled | OrderState::Refused => {
            return Err(Refusal::Impossible(String::from("it was answered already; it can no longer be withdrawn")));
        }
    }
    order.state = OrderState::Withdrawn;
    order.reason = who.map(|who| format!("withdrawn by {who}"));
    let written = store.update(place, json(&order).into(), entry.revision).await;
    let revision = written.map_err(|_| Refusal::Busy)?;
    note(house, order, revision);
    house.poke.notify_one();
    Ok(())
}

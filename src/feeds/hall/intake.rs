//! The stream's events: a durable consumer says where this hall stopped. What was taken before is folded anew at start, as a daemon does with its
//! journals; what came since is news. A message that is missing in between is fetched by its number before the next one is taken.
use super::boards;
use super::differ;
use super::house::House;
use super::known::{self, Seat, Step};
use crate::nats::wire;
use async_nats::HeaderMap;
use async_nats::jetstream::consumer::{AckPolicy, DeliverPolicy, pull};
use async_nats::jetstream::message::StreamMessage;
use async_nats::jetstream::stream::{RawMessageErrorKind, Stream};
use async_nats::jetstream::{Context, Message};
use flagfall_events::{Body, Event};
use flagfall_journal::Said;
use futures_util::StreamExt as _;
use std::collections::HashMap;
use std::convert::Infallible;
use std::sync::{Arc, PoisonError};
use std::time::Duration;
use tokio::time::timeout;

/// What is folded at once.
const BATCH: usize = 20_000;
/// Messages on the way to this hall at most.
const AHEAD: usize = 1_000;
/// Acknowledged at the latest after so many …
const ACK_EVERY: u32 = 200;
/// … or so long, milliseconds.
const ACK_AFTER: u64 = 500;
/// An unacknowledged message comes again after this.
const ACK_WAIT: Duration = Duration::from_secs(10);
/// A server that sends neither messages nor heartbeats is gone.
const HEARTBEAT: Duration = Duration::from_secs(2);
/// For one message of what is known to be there.
const PATIENCE: Duration = Duration::from_secs(10);
/// Queues that are half full are waited for, milliseconds at most …
const ROOM_PATIENCE: u64 = 5_000;
/// … and looked at so often.
const ROOM_LOOK: Duration = Duration::from_millis(5);
/// How far it is behind is said after so many.
const SAY_EVERY: u64 = 200;

/// Events by board, each with the number of its message.
type Gathered = HashMap<Arc<str>, Vec<(u64, Arc<Event>)>>;

/// How events are handed on.
enum How<'a> {
    /// Nobody gets them as news; gathered by board.
    Before(&'a mut Gathered),
    /// As they come.
    News,
}

/// Takes events for as long as it can; why it ended.
pub(super) async fn run(house: Arc<House>, jetstream: Context) -> String {
    match follow(&house, &jetstream).await {
        Ok(never) => match never {},
        Err(why) => format!("the stream: {why}"),
    }
}

async fn follow(house: &Arc<House>, jetstream: &Context) -> Result<Infallible, String> {
    let stream = jetstream.get_stream(house.names.stream()).await.map_err(|e| e.to_string())?;
    let last = stream.cached_info().state.last_sequence;
    let made = stream.cached_info().created.to_string();
    if let (Some(later), Some(arrivals)) = (&house.outlets.later, house.arrivals.lock().unwrap_or_else(PoisonError::into_inner).take()) {
        later.go_on(arrivals, &made);
    }
    if last < house.known().position {
        tracing::warn!("the stream was made anew; it is read from its beginning");
        let mut known = house.known();
        (known.position, known.before) = (0, 0);
    }
    let position = house.known().position;
    let durable = format!("hall-{}", wire::token(&house.name));
    let existing = stream.get_consumer::<pull::Config>(&durable).await;
    let began = house.stopwatch.now();
    let (consumer, news_from) = match existing {
        Ok(mut consumer) => {
            let info = consumer.info().await.map_err(|e| e.to_string())?;
            let (floor, delivered) = (info.ack_floor.stream_sequence, info.delivered.stream_sequence);
            (consumer, Some((floor.min(last), delivered.min(last))))
        }
        Err(_) => {
            // A hall that is new here tells nobody what was before it.
            let start = if position == 0 { last } else { position };
            let config = pull::Config {
                durable_name: Some(durable.clone()),
                description: Some(format!("hall {}", house.name)),
                deliver_policy: DeliverPolicy::ByStartSequence { start_sequence: start + 1 },
                ack_policy: AckPolicy::All,
                ack_wait: ACK_WAIT,
                max_ack_pending: 20_000,
                ..pull::Config::default()
            };
            let consumer = stream.create_consumer(config).await.map_err(|e| e.to_string())?;
            (consumer, (position == 0 || position < house.known().before).then_some((last, last)))
        }
    };
    if let Some((floor, delivered)) = news_from {
        // Where the connection broke meanwhile the rest of it is no news either.
        let floor = {
            let mut known = house.known();
            if position == 0 {
                known.before = floor;
            }
            known.before
        };
        if position < floor {
            before(house, &stream, floor).await?;
            let count = house.known().boards.len();
            tracing::info!("{} messages of {count} boards were folded in {} ms", floor - position, house.stopwatch.now().since(began));
        }
        if delivered > house.known().position {
            fill(house, &stream, delivered, &mut How::News).await?;
        }
    }
    let (stand, position) = (consumer.cached_info().num_pending, house.known().position);
    if stand == 0 || position >= last {
        caught_up(house);
    }
    let messages = consumer.stream().max_messages_per_batch(AHEAD).heartbeat(HEARTBEAT).expires(Duration::from_secs(30)).messages();
    let mut messages = messages.await.map_err(|e| e.to_string())?;
    let (mut unacknowledged, mut acknowledged_at) = (0_u32, house.stopwatch.now());
    loop {
        let message = match messages.next().await {
            Some(Ok(message)) => message,
            Some(Err(error)) => return Err(error.to_string()),
            None => return Err(String::from("its consumer ended")),
        };
        room(house).await;
        let info = message.info().map_err(|e| e.to_string())?;
        let (number, pending) = (info.stream_sequence, info.pending);
        let position = house.known().position;
        if number > position + 1 {
            fill(house, &stream, number - 1, &mut How::News).await?;
        }
        if number > house.known().position
            && let Some(told) = Told::of(&message)
        {
            take(house, &told, &mut How::News);
        }
        let now = house.stopwatch.now();
        unacknowledged += 1;
        if pending == 0 || unacknowledged >= ACK_EVERY || now.since(acknowledged_at) >= ACK_AFTER {
            // One that is lost is followed by another one.
            let _ = message.ack().await;
            (unacknowledged, acknowledged_at) = (0, now);
            house.figures.behind.set(i64::try_from(pending).unwrap_or(i64::MAX));
            house.state.change(|health| health.behind = pending);
        }
        if (number >= last || pending == 0) && !*house.caught_up.borrow() {
            caught_up(house);
        }
    }
}

/// Everything up to `to` that was taken before this process began.
async fn before(house: &Arc<House>, stream: &Stream, to: u64) -> Result<(), String> {
    let mut gathered = HashMap::new();
    let done = fill(house, stream, to, &mut How::Before(&mut gathered)).await;
    restore(house, &mut gathered);
    done
}

fn restore(house: &House, gathered: &mut Gathered) {
    for (board, events) in gathered.drain() {
        house.outlets.restore_in_hall(&board, &events);
    }
}

/// Takes the messages after the last one up to `to`, in order.
async fn fill(house: &Arc<House>, stream: &Stream, to: u64, how: &mut How<'_>) -> Result<(), String> {
    let from = house.known().position + 1;
    let config =
        pull::OrderedConfig { deliver_policy: DeliverPolicy::ByStartSequence { start_sequence: from }, ..pull::OrderedConfig::default() };
    let consumer = stream.create_consumer(config).await.map_err(|e| e.to_string())?;
    let mut messages = consumer.messages().await.map_err(|e| e.to_string())?;
    while house.known().position < to {
        let message = match timeout(PATIENCE, messages.next()).await {
            Ok(Some(Ok(message))) => message,
            Ok(Some(Err(error))) => return Err(error.to_string()),
            Ok(None) => return Err(String::from("its consumer ended")),
            Err(_) => {
                // What was deleted does not come.
                if stream.get_info().await.is_ok_and(|info| info.state.last_sequence >= to) {
                    left_out(house, stream, to + 1, how).await?;
                    house.known().position = to;
                    break;
                }
                return Err(format!("nothing came within {} s", PATIENCE.as_secs()));
            }
        };
        room(house).await;
        let info = message.info().map_err(|e| e.to_string())?;
        let number = info.stream_sequence;
        left_out(house, stream, number.min(to + 1), how).await?;
        if number % SAY_EVERY == 0 {
            house.state.change(|health| health.behind = to.saturating_sub(number));
        }
        if number > to {
            house.known().position = to;
            break;
        }
        if number > house.known().position
            && let Some(told) = Told::of(&message)
        {
            take(house, &told, how);
        }
        relieve(house, how).await;
    }
    Ok(())
}

/// Hands on what is gathered, where that is much.
async fn relieve(house: &House, how: &mut How<'_>) {
    if let How::Before(gathered) = how
        && gathered.values().map(Vec::len).sum::<usize>() >= BATCH
    {
        restore(house, gathered);
        // Readers of what is restored get a turn.
        tokio::task::yield_now().await;
    }
}

/// Whoever has a queue takes what is there before more comes: what waits in the stream is safe there. One that takes nothing keeps nobody for long.
async fn room(house: &House) {
    let began = house.stopwatch.now();
    while house.outlets.is_busy() && house.stopwatch.now().since(began) < ROOM_PATIENCE {
        tokio::time::sleep(ROOM_LOOK).await;
    }
}

/// Takes what a consumer left out before message `number`. A server that was killed has been seen to leave out messages that its stream has, and one
/// that is busy to deliver nothing for a while; what the stream itself does not have was deleted.
async fn left_out(house: &Arc<House>, stream: &Stream, number: u64, how: &mut How<'_>) -> Result<(), String> {
    let began = house.known().position + 1;
    let mut count = 0_u64;
    let all = loop {
        let from = house.known().position + 1;
        if from >= number {
            break Ok(());
        }
        match stream.get_first_raw_message_by_subject(">", from).await {
            Ok(message) if message.sequence < number => {
                room(house).await;
                take(house, &Told::of_stored(&message), how);
                relieve(house, how).await;
                count += 1;
            }
            Ok(_) => break Ok(()),
            Err(error) if error.kind() == RawMessageErrorKind::NoMessageFound => break Ok(()),
            Err(error) => break Err(error.to_string()),
        }
    };
    if count > 0 {
        tracing::warn!("{count} messages of the stream from {began} on were left out by a consumer, and are taken now");
    }
    all
}

/// A message of the stream, however it came.
struct Told<'a> {
    subject: &'a str,
    headers: Option<&'a HeaderMap>,
    payload: &'a [u8],
    /// Its number in the stream.
    number: u64,
    /// When the broker took it, milliseconds of its own clock.
    published: i64,
}

impl<'a> Told<'a> {
    fn of(message: &'a Message) -> Option<Self> {
        let info = message.info().ok()?;
        let published = i64::try_from(info.published.unix_timestamp_nanos() / 1_000_000).unwrap_or(0);
        let number = info.stream_sequence;
        Some(Self { subject: &message.subject, headers: message.headers.as_ref(), payload: &message.payload, number, published })
    }

    fn of_stored(message: &'a StreamMessage) -> Self {
        let published = i64::try_from(message.time.unix_timestamp_nanos() / 1_000_000).unwrap_or(0);
        Self { subject: &message.subject, headers: Some(&message.headers), payload: &message.payload, number: message.sequence, published }
    }
}

/// Takes one message.
fn take(house: &Arc<House>, message: &Told<'_>, how: &mut How<'_>) {
    let published = message.published;
    let now = house.stopwatch.now().millis();
    let header = |name: &str| message.headers.and_then(|headers| headers.get(name)).map(|value| value.as_str());
    let number = |name: &str| header(name).and_then(|text| text.parse::<u64>().ok());
    let (epoch, pi) = (header(wire::EPOCH).filter(|epoch| wire::is_epoch(epoch)), header(wire::PI));
    let event = serde_json::from_slice::<Event>(message.payload);
    let mut known = house.known();
    known.position = message.number;
    known.transit.take(now, published);
    let board = wire::board_of(message.subject).map(|(board, _)| board);
    let forged = message.headers.is_some_and(super::bucket::is_forged);
    if message.subject.ends_with(".public") && header(wire::MSG_ID).is_none() {
        // For readers of that subject: the same stands on the other one, whole.
        return;
    }
    let named = |board: &str, epoch: &str, seq| header(wire::MSG_ID).is_some_and(|id| id == wire::msg_id(board, epoch, seq));
    let (Ok(event), Some(epoch), Some(pi), Some(board), false) = (event, epoch, pi, board, forged) else {
        house.figures.odd.inc();
        tracing::debug!("message {} of the stream is no event", message.number);
        return;
    };
    // What a Pi may publish is decided by the subject, not by what it writes.
    if *event.board != *board || !named(&board, epoch, event.seq) || (message.subject.ends_with(".public") && !event.body.is_public()) {
        house.figures.odd.inc();
        tracing::warn!("a message on {} is not of that board or not public; it is left out", message.subject);
        return;
    }
    let event = Arc::new(event);
    let is_new = !known.boards.contains_key(&event.board);
    let ago = known.transit.ago(now, published);
    let seat = known.boards.entry(event.board.clone()).or_default();
    let step = seat.step(epoch, event.seq);
    if step == Step::Repeated {
        house.figures.repeated.inc();
        return;
    }
    if let Step::After(count) = step {
        house.figures.missing.inc_by(count);
        tracing::warn!("board {}: {count} events before {} are not in the stream", event.board, event.seq);
    }
    house.figures.taken.inc();
    let age = number(wire::AGE).unwrap_or(0);
    seat.published = published;
    if matches!(event.body, Body::Clock(_)) {
        seat.clock = Some((age, published));
    } else if step == Step::Anew {
        seat.clock = None;
    }
    match how {
        // Who is there is not known yet.
        How::Before(_) => seat.pi = if *seat.pi == *pi { seat.pi.clone() } else { pi.into() },
        How::News => {
            let link = if let Body::Link { state, .. } = &event.body { Some(*state) } else { None };
            known.spoke(&event.board, pi, link);
        }
    }
    let Some(seat) = known.boards.get_mut(&event.board) else { return };
    let taken_over = match hold(seat, step, number(wire::UNTIL), message.number, &event) {
        Held::Until => return,
        Held::All(events) => Some(events),
        Held::Nothing => None,
    };
    let author = std::mem::replace(&mut seat.author, pi.into());
    drop(known);
    if is_new {
        boards::open(house, &event.board, pi);
    }
    if header(wire::TOUCHES).is_some() {
        house.outlets.keep_touches(&event.board);
    }
    if let Some(events) = taken_over {
        match how {
            How::Before(gathered) => {
                if let Some(events) = gathered.remove(&event.board) {
                    house.outlets.restore_in_hall(&event.board, &events);
                }
                differ::compare(house, &event.board, (&author, pi), &events);
                house.outlets.taken_over(&event.board, &events);
            }
            How::News => {
                differ::compare(house, &event.board, (&author, pi), &events);
                house.outlets.taken_over(&event.board, &events);
                if let Some(seat) = house.known().boards.get_mut(&event.board) {
                    seat.shown = None;
                }
                boards::show_all(house);
            }
        }
        return;
    }
    differ::heard(house, &event);
    match how {
        How::Before(gathered) => {
            if step == Step::Anew {
                if let Some(events) = gathered.remove(&event.board) {
                    house.outlets.restore_in_hall(&event.board, &events);
                }
                house.outlets.anew(&event.board, message.number);
            }
            gathered.entry(event.board.clone()).or_default().push((message.number, event));
        }
        How::News => {
            if step == Step::Anew {
                house.outlets.anew(&event.board, message.number);
            }
            house.outlets.publish_aged(&Said::of(event), age + ago, message.number);
        }
    }
}

/// What becomes of an event where another numbering goes on with a board's game.
enum Held {
    /// It is as any other.
    Nothing,
    /// It waits until the numbering is as far as the one before.
    Until,
    /// It is: these, at once.
    All(Vec<(u64, Arc<Event>)>),
}

fn hold(seat: &mut Seat, step: Step, until: Option<u64>, message: u64, event: &Arc<Event>) -> Held {
    if step == Step::Anew {
        seat.held = until.map(|until| known::Held { until, events: Vec::new() });
    }
    let Some(held) = &mut seat.held else { return Held::Nothing };
    held.events.push((message, event.clone()));
    if event.seq < held.until { Held::Until } else { seat.held.take().map_or(Held::Nothing, |held| Held::All(held.events)) }
}

/// Everything is as it was, and how old it is can be said.
fn caught_up(house: &House) {
    let mut known = house.known();
    known.boards.values_mut().for_each(|seat| seat.shown = None);
    drop(known);
    boards::show_all(house);
    house.caught_up.send_replace(true);
    house.state.set_reading(false);
}

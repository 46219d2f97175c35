//! Which hall speaks: whoever holds the lease, a key that is written by compare-and-set and renewed every few seconds. Compared is the number of the
//! bucket's last message, which holds nothing else: the last one of a key is not always known to a server that was down while all of a bucket ran out
//! (seen with 2.9.10: every hall may then write, and two speak).
//!
//! Its holder speaks until a moment of its own stopwatch, counted from before the renewal was asked for and shorter than the lease: whoever cannot renew
//! is silent before another one may speak. Whoever waits takes the lease when the key is gone, or when it saw the same revision for the
//! lease's whole time by its own stopwatch; nobody compares clocks.
use super::house::House;
use crate::nats::wire::{self, LEASE_EVERY_S, LEASE_KEY, LEASE_TTL_S, Lease};
use async_nats::jetstream::Context;
use async_nats::jetstream::context::PublishErrorKind;
use async_nats::jetstream::message::PublishMessage;
use async_nats::jetstream::stream::{RawMessageErrorKind, Stream};
use flagfall_events::{Mono, Wall};
use std::future::IntoFuture as _;
use std::sync::Arc;
use std::time::Duration;

/// Whoever waits looks so often; whoever holds it and could not renew tries so often.
const LOOK: Duration = Duration::from_secs(1);
/// The holder falls silent so long before the lease ends, milliseconds.
const MARGIN: u64 = 2_000;
/// A request may take so long.
const PATIENCE: Duration = Duration::from_secs(2);

/// What this hall has of the lease.
enum Stand {
    /// It holds it, written as this message.
    Holds { number: u64, lease: Lease },
    /// Another one does, or nobody: what was seen, and since when.
    Waits { seen: Option<(u64, Mono)> },
}

/// Keeps or waits for the lease for as long as it can; why it ended.
pub(super) async fn run(house: Arc<House>, jetstream: Context) -> String {
    if !house.speaks {
        return watch(&house, &jetstream).await;
    }
    // Whoever speaks must know what to say.
    let _ = house.caught_up.subscribe().wait_for(|done| *done).await;
    let bucket = match Bucket::open(&house, &jetstream).await {
        Ok(bucket) => bucket,
        Err(why) => return why,
    };
    let mut stand = Stand::Waits { seen: None };
    // A connection that broke may have been ours to speak with.
    if let Ok((number, Some(lease))) = bucket.read().await
        && is_own(&house, &lease)
    {
        stand = Stand::Holds { number, lease };
    }
    loop {
        let pause;
        (stand, pause) = turn(&house, &bucket, stand).await;
        house.figures.speaks.set(i64::from(house.voice.speaks()));
        let speaks = house.voice.speaks();
        house.state.change(|health| health.speaks = speaks);
        tokio::time::sleep(pause).await;
    }
}

/// A hall that never speaks only says who does.
async fn watch(house: &House, jetstream: &Context) -> String {
    let bucket = match Bucket::open(house, jetstream).await {
        Ok(bucket) => bucket,
        Err(why) => return why,
    };
    loop {
        let speaker = bucket.read().await.ok().and_then(|(_, lease)| lease).map(|lease| lease.hall);
        house.state.change(|health| health.speaker = speaker);
        tokio::time::sleep(LOOK).await;
    }
}

async fn turn(house: &House, bucket: &Bucket, stand: Stand) -> (Stand, Duration) {
    let asked = house.stopwatch.now();
    match stand {
        Stand::Holds { number, lease } => {
            let next = Lease { at: flagfall_time::now(), ..lease };
            match bucket.write(&next, number).await {
                Ok(number) => {
                    speak(house, asked);
                    (Stand::Holds { number, lease: next }, Duration::from_secs(LEASE_EVERY_S))
                }
                Err(Failed::Moved) => match bucket.read().await {
                    // An answer that was lost.
                    Ok((number, Some(lease))) if is_own(house, &lease) => (Stand::Holds { number, lease }, Duration::ZERO),
                    Ok(_) => {
                        tracing::warn!("another hall speaks now; this one is silent");
                        silence(house);
                        (Stand::Waits { seen: None }, Duration::ZERO)
                    }
                    Err(()) => (Stand::Holds { number, lease: next }, LOOK),
                },
                // Its right ends by itself if this lasts.
                Err(Failed::Unknown) => (Stand::Holds { number, lease: next }, LOOK),
            }
        }
        Stand::Waits { seen } => {
            silence(house);
            let Ok((number, lease)) = bucket.read().await else { return (Stand::Waits { seen }, LOOK) };
            let speaker = lease.as_ref().map(|lease| lease.hall.clone());
            house.state.change(|health| health.speaker = speaker);
            let free = match (&lease, seen) {
                (None, _) => true,
                // What nobody wrote need not run out.
                (Some(other), Some((before, since))) if number == before => {
                    other.since == Wall::EPOCH || asked.since(since) > (LEASE_TTL_S + 1) * 1_000
                }
                (Some(_), _) => return (Stand::Waits { seen: Some((number, asked)) }, LOOK),
            };
            if !free {
                return (Stand::Waits { seen }, LOOK);
            }
            let lease = fresh(house);
            match bucket.write(&lease, number).await {
                Ok(number) => {
                    tracing::warn!("this hall speaks now: Lichess, the tree, uploads and alerts are its");
                    speak(house, asked);
                    (Stand::Holds { number, lease }, Duration::from_secs(LEASE_EVERY_S))
                }
                Err(_) => (Stand::Waits { seen: None }, LOOK),
            }
        }
    }
}

fn speak(house: &House, asked: Mono) {
    house.speaker.speak(asked + (LEASE_TTL_S * 1_000 - MARGIN));
    let name = house.name.clone();
    house.state.change(|health| health.speaker = Some(name));
    house.poke.notify_one();
}

fn silence(house: &House) {
    house.speaker.silence();
}

fn fresh(house: &House) -> Lease {
    Lease { hall: house.name.clone(), since: house.stopwatch.opened_at(), at: flagfall_time::now() }
}

/// Written by this very process.
fn is_own(house: &House, lease: &Lease) -> bool {
    lease.hall == house.name && lease.since == house.stopwatch.opened_at()
}

/// Why nothing was written, or nobody knows.
enum Failed {
    /// Something else was written meanwhile.
    Moved,
    Unknown,
}

/// Where the lease is.
struct Bucket {
    jetstream: Context,
    stream: Stream,
    subject: String,
}

impl Bucket {
    async fn open(house: &House, jetstream: &Context) -> Result<Self, String> {
        let bucket = house.names.lease();
        let stream = jetstream.get_stream(wire::bucket_stream(&bucket)).await.map_err(|error| format!("the lease: {error}"))?;
        Ok(Self { jetstream: jetstream.clone(), stream, subject: wire::bucket_subject(&bucket, LEASE_KEY) })
    }

    /// The number of the bucket's last message, and the lease that it is; `None`: it ran out or was given back. An error where nobody can say. One
    /// that somebody had the server write there is nobody's. The stream's leader is asked: others may be behind.
    async fn read(&self) -> Result<(u64, Option<Lease>), ()> {
        let info = tokio::time::timeout(PATIENCE, self.stream.get_info()).await.map_err(|_| ())?.map_err(|_| ())?;
        let number = info.state.last_sequence;
        if number == 0 {
            return Ok((0, None));
        }
        let message = match tokio::time::timeout(PATIENCE, self.stream.get_raw_message(number)).await.map_err(|_| ())? {
            Ok(message) => message,
            Err(error) if error.kind() == RawMessageErrorKind::NoMessageFound => return Ok((number, None)),
            Err(_) => return Err(()),
        };
        if message.headers.get("KV-Operation").is_some() {
            return Ok((number, None));
        }
        let nobody = || Lease { hall: String::from("?"), since: Wall::EPOCH, at: Wall::EPOCH };
        let forged = message.headers.get(wire::FORGED).is_some() || *message.subject != *self.subject;
        let lease = if forged { nobody() } else { serde_json::from_slice(&message.payload).unwrap_or_else(|_| nobody()) };
        Ok((number, Some(lease)))
    }

    /// Writes the lease where `number` is the bucket's last message; its own number.
    async fn write(&self, lease: &Lease, number: u64) -> Result<u64, Failed> {
        let body = flagfall_web::stage::json(lease);
        self.put(PublishMessage::build().payload(body.into()), number).await
    }

    async fn put(&self, message: PublishMessage, number: u64) -> Result<u64, Failed> {
        let sent = self.jetstream.send_publish(self.subject.clone(), message.expected_last_sequence(number));
        let written = async { sent.await?.into_future().await };
        match tokio::time::timeout(PATIENCE, written).await {
            Ok(Ok(ack)) => Ok(ack.sequence),
            Ok(Err(error)) if error.kind() == PublishErrorKind::WrongLastSequence => Err(Failed::Moved),
            _ => Err(Failed::Unknown),
        }
    }
}

/// This hall ends: another one may speak at once.
pub(super) async fn give_back(house: &House, jetstream: &Context) {
    house.speaker.silence();
    let Ok(bucket) = Bucket::open(house, jetstream).await else { return };
    if let Ok((number, Some(lease))) = bucket.read().await
        && is_own(house, &lease)
    {
        _ = bucket.put(PublishMessage::build().header("KV-Operation", "DEL"), number).await;
    }
}

//! Which hall speaks: whoever holds the lease, a key that is written by compare-and-set and renewed every few seconds.
//!
//! Its holder speaks until a moment of its own stopwatch, counted from before the renewal was asked for and shorter than the lease: whoever cannot renew
//! is silent before another one may speak. Whoever waits takes the lease when the key is gone, or when it saw the same revision for the
//! lease's whole time by its own stopwatch; nobody compares clocks.
use super::House;
use crate::publish::nats::wire::{self, LEASE_EVERY_S, LEASE_KEY, LEASE_TTL_S, Lease};
use crate::time::{Mono, Wall};
use async_nats::jetstream::Context;
use async_nats::jetstream::kv::{Store, UpdateErrorKind};
use async_nats::jetstream::stream::DirectGetErrorKind;
use bytes::Bytes;
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
    /// It holds it, written as this revision.
    Holds { revision: u64, lease: Lease },
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
    let store = match jetstream.get_key_value(house.names.lease()).await {
        Ok(store) => store,
        Err(error) => return format!("the lease: {error}"),
    };
    let mut stand = Stand::Waits { seen: None };
    // A connection that broke may have been ours to speak with.
    if let Ok(Some((revision, lease))) = read(&store).await
        && is_own(&house, &lease)
    {
        stand = Stand::Holds { revision, lease };
    }
    loop {
        let pause;
        (stand, pause) = turn(&house, &store, stand).await;
        house.figures.speaks.set(i64::from(house.voice.speaks()));
        let speaks = house.voice.speaks();
        house.state.change(|health| health.speaks = speaks);
        tokio::time::sleep(pause).await;
    }
}

/// A hall that never speaks only says who does.
async fn watch(house: &House, jetstream: &Context) -> String {
    let Ok(store) = jetstream.get_key_value(house.names.lease()).await else { return String::from("the lease: its bucket is missing") };
    loop {
        let speaker = read(&store).await.ok().flatten().map(|(_, lease)| lease.hall);
        house.state.change(|health| health.speaker = speaker);
        tokio::time::sleep(LOOK).await;
    }
}

async fn turn(house: &House, store: &Store, stand: Stand) -> (Stand, Duration) {
    let asked = house.stopwatch.now();
    match stand {
        Stand::Holds { revision, lease } => {
            let next = Lease { at: Wall::now(), ..lease };
            let renewed = tokio::time::timeout(PATIENCE, store.update(LEASE_KEY, body(&next), revision)).await;
            match renewed {
                Ok(Ok(revision)) => {
                    speak(house, asked);
                    (Stand::Holds { revision, lease: next }, Duration::from_secs(LEASE_EVERY_S))
                }
                Ok(Err(error)) if error.kind() == UpdateErrorKind::WrongLastRevision => match read(store).await {
                    // An answer that was lost.
                    Ok(Some((revision, lease))) if is_own(house, &lease) => (Stand::Holds { revision, lease }, Duration::ZERO),
                    Ok(_) => {
                        tracing::warn!("another hall speaks now; this one is silent");
                        silence(house);
                        (Stand::Waits { seen: None }, Duration::ZERO)
                    }
                    Err(()) => (Stand::Holds { revision, lease: next }, LOOK),
                },
                // Its right ends by itself if this lasts.
                _ => (Stand::Holds { revision, lease: next }, LOOK),
            }
        }
        Stand::Waits { seen } => {
            silence(house);
            let Ok(entry) = read(store).await else { return (Stand::Waits { seen }, LOOK) };
            let speaker = entry.as_ref().map(|(_, lease)| lease.hall.clone());
            house.state.change(|health| health.speaker = speaker);
            let taken = match (entry, seen) {
                (None, _) => {
                    let lease = fresh(house);
                    let made = tokio::time::timeout(PATIENCE, store.create(LEASE_KEY, body(&lease))).await;
                    made.ok().and_then(Result::ok).map(|revision| (revision, lease))
                }
                // What nobody wrote need not run out.
                (Some((revision, other)), Some((before, since)))
                    if revision == before && (other.since == Wall::EPOCH || asked.since(since) > (LEASE_TTL_S + 1) * 1_000) =>
                {
                    let lease = fresh(house);
                    let made = tokio::time::timeout(PATIENCE, store.update(LEASE_KEY, body(&lease), revision)).await;
                    made.ok().and_then(Result::ok).map(|revision| (revision, lease))
                }
                (Some((revision, _)), Some((before, _))) if revision == before => return (Stand::Waits { seen }, LOOK),
                (Some((revision, _)), _) => return (Stand::Waits { seen: Some((revision, asked)) }, LOOK),
            };
            match taken {
                Some((revision, lease)) => {
                    tracing::warn!("this hall speaks now: Lichess, the tree, uploads and alerts are its");
                    speak(house, asked);
                    (Stand::Holds { revision, lease }, Duration::from_secs(LEASE_EVERY_S))
                }
                None => (Stand::Waits { seen: None }, LOOK),
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
    Lease { hall: house.name.clone(), since: house.stopwatch.opened_at(), at: Wall::now() }
}

/// Written by this very process.
fn is_own(house: &House, lease: &Lease) -> bool {
    lease.hall == house.name && lease.since == house.stopwatch.opened_at()
}

fn body(lease: &Lease) -> Bytes {
    crate::publish::stage::json(lease).into()
}

/// The lease that stands, with its revision; an error where nobody can say. One that somebody had the server write there is nobody's.
async fn read(store: &Store) -> Result<Option<(u64, Lease)>, ()> {
    let asked = store.stream.direct_get_last_for_subject(format!("{}{LEASE_KEY}", store.prefix));
    let message = match tokio::time::timeout(PATIENCE, asked).await.map_err(|_| ())? {
        Ok(message) => message,
        Err(error) if error.kind() == DirectGetErrorKind::NotFound => return Ok(None),
        Err(_) => return Err(()),
    };
    if message.headers.get("KV-Operation").is_some() {
        return Ok(None);
    }
    let nobody = || Lease { hall: String::from("?"), since: Wall::EPOCH, at: Wall::EPOCH };
    // The server's own answer has this header once.
    let forged = message.headers.get_all(wire::FORGED).count() > 1;
    let lease = if forged { nobody() } else { serde_json::from_slice(&message.payload).unwrap_or_else(|_| nobody()) };
    Ok(Some((message.sequence, lease)))
}

/// This hall ends: another one may speak at once.
pub(super) async fn give_back(house: &House, jetstream: &Context) {
    house.speaker.silence();
    let Ok(store) = jetstream.get_key_value(house.names.lease()).await else { return };
    if let Ok(Some((revision, lease))) = read(&store).await
        && is_own(house, &lease)
    {
        let _ = store.delete_expect_revision(LEASE_KEY, Some(revision)).await;
    }
}

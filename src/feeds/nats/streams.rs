//! The stream and the buckets of an event. Halls make them; a Pi's account may not.
use super::wire::{self, Names};
use async_nats::jetstream::Context;
use async_nats::jetstream::stream::{Config, DiscardPolicy, StorageType};
use std::time::Duration;

/// The stream of all events.
pub fn stream(names: &Names, replicas: usize) -> Config {
    Config {
        name: names.stream(),
        description: Some(String::from("flagfall: a copy of every board's journal")),
        subjects: names.stream_subjects(),
        storage: StorageType::File,
        num_replicas: replicas,
        allow_direct: true,
        duplicate_window: Duration::from_secs(wire::DUPLICATES_S),
        // A full disk refuses what is new; what is there is evidence's copy.
        discard: DiscardPolicy::New,
        ..Config::default()
    }
}

/// The streams of the buckets: who is there, orders that wait, who speaks, settings. Made as streams: what the client asks of a server before it makes a
/// bucket, older servers do not answer in full.
pub fn buckets(names: &Names, replicas: usize) -> [Config; 4] {
    let bucket = |bucket: String, history, ttl_s| Config {
        name: wire::bucket_stream(&bucket),
        subjects: vec![wire::bucket_subject(&bucket, ">")],
        max_messages_per_subject: history,
        max_age: Duration::from_secs(ttl_s),
        duplicate_window: Duration::from_secs(if ttl_s == 0 { wire::DUPLICATES_S } else { ttl_s.min(wire::DUPLICATES_S) }),
        storage: StorageType::File,
        num_replicas: replicas,
        allow_direct: true,
        allow_rollup: true,
        deny_delete: true,
        discard: DiscardPolicy::New,
        ..Config::default()
    };
    [
        bucket(names.presence(), 1, wire::PRESENCE_TTL_S),
        bucket(names.orders(), 8, 0),
        bucket(names.lease(), 1, wire::LEASE_TTL_S),
        bucket(names.settings(), 64, 0),
    ]
}

/// Makes what is missing; what is there stays as it is.
///
/// # Errors
/// In words: what cannot be made, what to do.
pub async fn ensure(jetstream: &Context, names: &Names, replicas: usize) -> Result<(), String> {
    let failed = |what: &str, error: String| {
        format!("{what} cannot be made: {error}; do {replicas} servers run with JetStream on, and may this account make streams?")
    };
    for stream in std::iter::once(stream(names, replicas)).chain(buckets(names, replicas)) {
        if jetstream.get_stream(&stream.name).await.is_err() {
            let name = stream.name.clone();
            jetstream.create_stream(stream).await.map_err(|error| failed(&format!("the stream {name}"), error.to_string()))?;
        }
    }
    Ok(())
}

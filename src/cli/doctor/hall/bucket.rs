//! What stands in a bucket.
use async_nats::jetstream::Context;
use async_nats::jetstream::kv::{Operation, Store};
use futures_util::TryStreamExt as _;

/// What every key of a bucket holds.
pub(in crate::cli) async fn entries(jetstream: &Context, bucket: String) -> Vec<(String, Vec<u8>)> {
    let Ok(store) = jetstream.get_key_value(bucket).await else { return Vec::new() };
    let keys: Vec<String> = match store.keys().await {
        Ok(keys) => keys.try_collect().await.unwrap_or_default(),
        Err(_) => Vec::new(),
    };
    let mut found = Vec::new();
    for key in keys {
        if let Some(value) = value(&store, &key).await {
            found.push((key, value));
        }
    }
    found.sort();
    found
}

async fn value(store: &Store, key: &str) -> Option<Vec<u8>> {
    let entry = store.entry(key).await.ok()??;
    (entry.operation == Operation::Put).then(|| entry.value.to_vec())
}

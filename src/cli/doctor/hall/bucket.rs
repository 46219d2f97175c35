//! What stands in a bucket.
use crate::feeds::nats::wire::bucket_subject;
use async_nats::jetstream::Context;
use async_nats::jetstream::kv::{Operation, Store};
use futures_util::TryStreamExt as _;

/// What every key of a bucket holds. The stream is asked for its subjects: a consumer's "no more" may never come while somebody writes.
pub(in crate::cli) async fn entries(jetstream: &Context, bucket: String) -> Vec<(String, Vec<u8>)> {
    let Ok(store) = jetstream.get_key_value(bucket).await else { return Vec::new() };
    let before = bucket_subject(&store.name, "");
    let subjects: Vec<(String, usize)> = match store.stream.info_with_subjects(bucket_subject(&store.name, ">")).await {
        Ok(subjects) => subjects.try_collect().await.unwrap_or_default(),
        Err(_) => Vec::new(),
    };
    let mut found = Vec::new();
    for key in subjects.iter().filter_map(|(subject, _)| subject.strip_prefix(&before)) {
        if let Some(value) = value(&store, key).await {
            found.push((String::from(key), value));
        }
    }
    found.sort();
    found
}

async fn value(store: &Store, key: &str) -> Option<Vec<u8>> {
    let entry = store.entry(key).await.ok()??;
    (entry.operation == Operation::Put).then(|| entry.value.to_vec())
}

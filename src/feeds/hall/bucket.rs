//! What comes into a bucket, with its headers: an account of a Pi can have the server send an answer to any subject, and only the header that the server
//! puts on it tells.
use crate::nats::wire;
use async_nats::HeaderMap;
use async_nats::jetstream::Context;
use async_nats::jetstream::consumer::{DeliverPolicy, pull};
use bytes::Bytes;
use futures_util::StreamExt as _;

/// Header of a key that was taken away.
const OPERATION: &str = "KV-Operation";

/// One change of a key.
#[derive(Debug)]
pub(super) struct Change {
    pub(super) key: String,
    pub(super) revision: u64,
    /// `None`: it was taken away.
    pub(super) value: Option<Bytes>,
}

/// A reader of a bucket's changes.
pub(super) struct Changes {
    messages: pull::Ordered,
    bucket: String,
}

/// The changes of `bucket` from now on; with `all` those that it still holds first.
pub(super) async fn changes(jetstream: &Context, bucket: &str, all: bool) -> Result<Changes, String> {
    let failed = |error: String| format!("the bucket {bucket}: {error}");
    let stream = jetstream.get_stream(wire::bucket_stream(bucket)).await.map_err(|e| failed(e.to_string()))?;
    let deliver_policy = if all { DeliverPolicy::All } else { DeliverPolicy::New };
    let config = pull::OrderedConfig { deliver_policy, ..pull::OrderedConfig::default() };
    let consumer = stream.create_consumer(config).await.map_err(|e| failed(e.to_string()))?;
    let messages = consumer.messages().await.map_err(|e| failed(e.to_string()))?;
    Ok(Changes { messages, bucket: String::from(bucket) })
}

impl Changes {
    /// The next one. Safe to cancel.
    pub(super) async fn next(&mut self) -> Result<Change, String> {
        loop {
            let message = match self.messages.next().await {
                Some(Ok(message)) => message,
                Some(Err(error)) => return Err(format!("the bucket {}: {error}", self.bucket)),
                None => return Err(format!("the bucket {}: its consumer ended", self.bucket)),
            };
            let Some(key) = message.subject.strip_prefix(&wire::bucket_subject(&self.bucket, "")) else { continue };
            if message.headers.as_ref().is_some_and(is_forged) {
                tracing::warn!("somebody had the server write {key} into the bucket {}; it is left out", self.bucket);
                continue;
            }
            let Ok(info) = message.info() else { continue };
            let gone = message.headers.as_ref().is_some_and(|headers| headers.get(OPERATION).is_some());
            return Ok(Change { key: String::from(key), revision: info.stream_sequence, value: (!gone).then(|| message.payload.clone()) });
        }
    }
}

/// Whether a message of a stream is an answer that somebody had the server send there.
pub(super) fn is_forged(headers: &HeaderMap) -> bool {
    headers.get(wire::FORGED).is_some()
}

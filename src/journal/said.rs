//! An event on its way to journal and world.
use bytes::Bytes;
use flagfall_events::Event;
use std::sync::Arc;

/// An event and its JSON, which is made once: journal, streams and broker share its bytes.
#[derive(Clone, Debug)]
pub struct Said {
    /// The event.
    pub event: Arc<Event>,
    /// The same as it is written.
    pub json: Bytes,
}

impl Said {
    /// Writes an event.
    pub fn of(event: Arc<Event>) -> Self {
        // Our own types have string keys and finite numbers only; serde_json cannot refuse them.
        let json = serde_json::to_vec(&*event).unwrap_or_default().into();
        Self { event, json }
    }
}

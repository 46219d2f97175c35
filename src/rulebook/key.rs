//! Meanings of irregularities.
pub use flagfall_events::{Grade, Key, UnknownKey};

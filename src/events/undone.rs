//! What an undo takes back.
use alloc::string::String;
use alloc::vec::Vec;
use serde::{Deserialize, Serialize};

/// So long after an entry it can be undone, milliseconds, by the times of the two entries.
pub const UNDO_MS: u64 = 8_000;

/// What the `ruling` event of an undo says besides the entry.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Undone {
    /// What was entered, as entries write it in `do`.
    pub undid: String,
    /// Everything that it caused: first and last `seq` of each row of events, in order.
    pub undone: Vec<[u64; 2]>,
    /// First and last `seq` of the events that take that back; missing where it had changed nothing. What comes after them happened meanwhile.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub by_events: Option<[u64; 2]>,
}

impl Undone {
    /// Whether the event with this number was caused by what is undone.
    pub fn took_back(&self, seq: u64) -> bool {
        self.undone.iter().any(|[first, last]| (*first..=*last).contains(&seq))
    }

    /// Whether the event with this number does nothing but take back.
    pub fn took_back_by(&self, seq: u64) -> bool {
        self.by_events.is_some_and(|[first, last]| (first..=last).contains(&seq))
    }

    /// The first event that it caused.
    pub fn first(&self) -> Option<u64> {
        self.undone.first().map(|[first, _]| *first)
    }
}

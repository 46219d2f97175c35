//! The circumstances under which pictures are weighed.
use flagfall_events::Mono;

/// What is asked of the circumstances.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Table {
    pub(crate) now: Mono,
    /// How far the sensors may lag.
    pub(crate) scan_ms: u64,
    /// Moves are pressed.
    pub(crate) clock: bool,
    /// The clocks stand, and nobody's hand is over the board any more.
    pub(crate) over: bool,
}

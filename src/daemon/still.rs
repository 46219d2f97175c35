//! A machine that stood still: suspended, starved of its processor or its memory, or stopped by a signal. What the board said meanwhile is read
//! in one go afterwards; its order is right and its times are reckoned. Without this, a clock would seem to have stood, and quick moves would lose their order.
use flagfall_events::Mono;
use std::time::Duration;

/// A board's task wakes at least so often.
pub(super) const TURN: Duration = Duration::from_secs(1);

/// A task that wakes so long after its last turn did not run, milliseconds.
pub(super) const STILL: u64 = 2_500;

/// So long after that, what had waited has been read, milliseconds.
pub(super) const CATCH_UP: u64 = 250;

/// While a board catches up.
#[derive(Clone, Copy, Debug)]
pub(super) struct Still {
    /// When the task turned last before it stood still; what is read now came then, at the earliest.
    pub(super) since: Mono,
    /// When it turned again.
    pub(super) woke: Mono,
    /// When all of it has been read.
    pub(super) until: Mono,
}

/// Message by message: each begins with a byte from 80 on.
pub(super) fn messages(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    bytes.chunk_by(|_, next| *next < 0x80)
}

//! A board's own time beside the daemon's: its journal may be older than the daemon, or younger.
use crate::time::Stopwatch;
use flagfall_events::{Mono, Wall};
use std::time::Instant;

/// How a board's milliseconds lie to the stopwatch's.
#[derive(Clone, Copy, Debug)]
pub(super) struct Times {
    stopwatch: Stopwatch,
    /// The board's time is the stopwatch's and so much.
    shift: i64,
    /// The wall time of the board's millisecond 0.
    pub(super) opened_at: Wall,
}

impl Times {
    /// A board whose time is the stopwatch's.
    pub(super) const fn of(stopwatch: Stopwatch) -> Self {
        Self { stopwatch, shift: 0, opened_at: stopwatch.opened_at() }
    }

    /// The same stopwatch for a board whose time began at `opened_at` and is `now` at this moment.
    pub(super) fn set(&mut self, opened_at: Wall, now: Mono) {
        let is = i64::try_from(now.millis()).unwrap_or(i64::MAX);
        let daemon = i64::try_from(self.stopwatch.now().millis()).unwrap_or(i64::MAX);
        (self.shift, self.opened_at) = (is.saturating_sub(daemon), opened_at);
    }

    /// The board's time now.
    pub(super) fn now(&self) -> Mono {
        self.of_board(self.stopwatch.now())
    }

    /// The daemon's time as the board's.
    pub(super) fn of_board(&self, daemon: Mono) -> Mono {
        Mono::from_millis(daemon.millis().saturating_add_signed(self.shift))
    }

    /// The board's time as the daemon's.
    pub(super) fn of_daemon(&self, board: Mono) -> Mono {
        Mono::from_millis(board.millis().saturating_add_signed(self.shift.saturating_neg()))
    }

    /// The machine's moment of the board's time `t`.
    pub(super) fn instant(&self, t: Mono) -> Instant {
        self.stopwatch.instant(self.of_daemon(t))
    }
}

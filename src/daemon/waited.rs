//! A board's task after its machine stood still: what had waited is read, and from then on times are right again.
use super::desk::Desk;
use super::still::{CATCH_UP, STILL, Still, messages};
use flagfall_events::{LinkState, Mono};
use flagfall_game::board::Board;

impl Desk {
    /// The task runs at `woke`, and did so last at `turned`.
    pub(super) async fn notice_still(&mut self, board: &mut Board, turned: Mono, woke: Mono) {
        if woke.since(turned) < STILL || self.commands.is_none() || self.still.is_some() {
            return;
        }
        tracing::warn!("board {}: the machine stood still for {:.1} s", self.name, woke.since(turned) as f64 / 1000.0);
        let since = turned.max(self.last);
        self.still = Some(Still { since, woke, until: self.times.now() + CATCH_UP });
        self.last = since;
        // "Up" while it is up: what comes now may have waited.
        self.link(board, LinkState::Up, None, None).await;
    }

    /// What had waited is taken as if it had come evenly since the task was last awake: what has one time has no order, and sensors that lag need theirs.
    pub(super) async fn waited(&mut self, board: &mut Board, bytes: &[u8]) {
        let (since, woke) = (self.last, self.still.map_or(self.last, |still| still.woke).max(self.last));
        let shares = messages(bytes).count() as u64 + 1;
        for (n, message) in (1..).zip(messages(bytes)) {
            let t = since + woke.since(since) * n / shares;
            self.expire(board, t).await;
            self.last = self.last.max(t);
            self.link(board, LinkState::Up, None, None).await;
            self.bytes(board, message).await;
        }
    }

    /// All that had waited was read: from here on, times are right again.
    pub(super) async fn caught_up(&mut self, board: &mut Board) {
        if self.still.is_some_and(|still| still.until <= self.times.now()) {
            self.still = None;
            self.catch_up(board).await;
            if self.commands.is_some() {
                self.link(board, LinkState::Up, None, None).await;
            }
        }
    }
}

#[cfg(test)]
#[path = "waited_tests.rs"]
mod tests;

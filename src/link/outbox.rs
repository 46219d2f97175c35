//! What a connection has for its board's task: kept in order while the task is busy, and given to it as soon as it has room.
use super::event::{Events, LinkEvent, Up};
use flagfall_events::Mono;
use std::collections::VecDeque;
use tokio::sync::mpsc;

/// So many events wait in memory: more than a quarter of an hour of a board's bytes. Then they wait where they come from.
const BACKLOG: usize = 100_000;

/// The board's task is gone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Gone;

/// What a board's task did not get yet.
#[derive(Debug, Default)]
pub(super) struct Outbox(VecDeque<(Mono, LinkEvent)>);

impl Outbox {
    pub(super) fn push(&mut self, t: Mono, event: LinkEvent) {
        self.0.push_back((t, event));
    }

    /// The news that the link is up comes before everything that was said on it.
    pub(super) fn begin(&mut self, now: Mono, up: Up) {
        let since = self.0.front().map_or(now, |(t, _)| *t);
        self.0.push_front((since, LinkEvent::Up(up)));
    }

    /// Gives as much as there is room for.
    pub(super) fn flush(&mut self, events: &Events) -> Result<(), Gone> {
        while let Some(event) = self.0.pop_front() {
            match events.try_send(event) {
                Ok(()) => {}
                Err(mpsc::error::TrySendError::Full(event)) => {
                    self.0.push_front(event);
                    return Ok(());
                }
                Err(mpsc::error::TrySendError::Closed(_)) => return Err(Gone),
            }
        }
        Ok(())
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// No more is read before some of it is given.
    pub(super) fn is_full(&self) -> bool {
        self.0.len() >= BACKLOG
    }

    /// Gives all of it, however long that takes; the news that the link is `down`, and why, comes last.
    pub(super) async fn finish(mut self, events: &Events, down: Option<(Mono, String)>) {
        self.0.extend(down.map(|(t, why)| (t, LinkEvent::Down(why))));
        for event in self.0 {
            // A task that is gone needs no news.
            if events.send(event).await.is_err() {
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bytes::Bytes;

    fn said(byte: u8) -> LinkEvent {
        LinkEvent::Bytes(Bytes::copy_from_slice(&[byte]))
    }

    #[tokio::test]
    async fn a_busy_task_gets_everything_in_order_and_the_end_last() {
        let (events, mut task) = mpsc::channel(2);
        let mut outbox = Outbox::default();
        (1..=5).for_each(|n| outbox.push(Mono::from_millis(u64::from(n)), said(n)));
        assert_eq!(outbox.flush(&events), Ok(()));
        assert!(!outbox.is_empty() && !outbox.is_full());
        let finishing = tokio::spawn(async move { outbox.finish(&events, Some((Mono::from_millis(9), String::from("unplugged")))).await });
        for n in 1..=5 {
            let (t, event) = task.recv().await.unwrap();
            assert!(t.millis() == n && matches!(&event, LinkEvent::Bytes(bytes) if u64::from(bytes[0]) == n), "{event:?}");
        }
        assert!(matches!(task.recv().await, Some((t, LinkEvent::Down(why))) if t.millis() == 9 && why == "unplugged"));
        finishing.await.unwrap();
    }

    #[tokio::test]
    async fn a_task_that_is_gone_is_told() {
        let (events, task) = mpsc::channel(1);
        drop(task);
        let mut outbox = Outbox::default();
        outbox.push(Mono::ZERO, said(0));
        assert_eq!(outbox.flush(&events), Err(Gone));
    }
}

//! The line before the door, as it goes by: who may try a password waits here until it is his turn. What the order is: [`super::attempts`].
use super::attempts::{Attempts, Crowded, Next, Ticket, Try};
use flagfall_events::Mono;
use flagfall_time::Stopwatch;
use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::oneshot;

/// Whoever waits longer for a turn is sent away.
const PATIENCE: Duration = Duration::from_secs(10);

/// Everybody's turns.
pub(super) struct Turns {
    stopwatch: Stopwatch,
    inner: Mutex<Inner>,
}

#[derive(Default)]
struct Inner {
    attempts: Attempts,
    calls: HashMap<Ticket, oneshot::Sender<()>>,
    /// Somebody looks again then.
    alarm: Option<Mono>,
}

/// A place in line, or at the door; it is left when this is dropped.
pub(super) struct Turn {
    turns: Arc<Turns>,
    ticket: Ticket,
    /// Whether this name came in from this device or address before.
    pub(super) known: bool,
    /// Whether the password was right, once that is known.
    pub(super) right: Option<bool>,
}

impl Turns {
    pub(super) fn new() -> Arc<Self> {
        Arc::new(Self { stopwatch: Stopwatch::start(), inner: Mutex::default() })
    }

    /// Gets in line; `known` is told before the wait begins.
    pub(super) async fn wait(self: &Arc<Self>, who: Try, joined: impl FnOnce(bool)) -> Result<Turn, Crowded> {
        let (call, called) = oneshot::channel();
        let turn = {
            let mut inner = self.lock();
            let (ticket, displaced) = inner.attempts.join(who, self.stopwatch.now())?;
            // Without its sender it knows that it has lost its place.
            displaced.inspect(|other| drop(inner.calls.remove(other)));
            inner.calls.insert(ticket, call);
            Turn { turns: self.clone(), ticket, known: inner.attempts.is_known(ticket), right: None }
        };
        joined(turn.known);
        self.look();
        match tokio::time::timeout(PATIENCE, called).await {
            Ok(Ok(())) => Ok(turn),
            Ok(Err(_)) | Err(_) => Err(Crowded),
        }
    }

    /// Calls whoever is next.
    fn look(self: &Arc<Self>) {
        let now = self.stopwatch.now();
        let mut inner = self.lock();
        loop {
            match inner.attempts.next(now) {
                Next::Now(ticket) => {
                    // Who has hung up leaves by himself, and somebody looks again.
                    let call = inner.calls.remove(&ticket);
                    call.map(|call| call.send(()));
                }
                Next::At(until) => {
                    if inner.alarm.is_none_or(|alarm| until < alarm || alarm <= now) {
                        inner.alarm = Some(until);
                        let turns = self.clone();
                        tokio::spawn(async move {
                            tokio::time::sleep(Duration::from_millis(until.since(now))).await;
                            turns.lock().alarm = None;
                            turns.look();
                        });
                    }
                    return;
                }
                Next::Nobody => return,
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        {
            let mut inner = self.turns.lock();
            inner.calls.remove(&self.ticket);
            let now = self.turns.stopwatch.now();
            inner.attempts.gone(self.ticket, self.right, now);
        }
        self.turns.look();
    }
}

impl fmt::Debug for Turns {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Turns").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::{IpAddr, Ipv4Addr};

    fn who(n: u8) -> Try {
        Try { name: String::from("Olga"), address: IpAddr::V4(Ipv4Addr::new(192, 0, 2, n)), device: None }
    }

    #[tokio::test]
    async fn turns_come_one_after_the_other_and_who_leaves_is_not_waited_for() {
        let turns = Turns::new();
        let first = turns.wait(who(1), |_| ()).await.unwrap();
        let waiting: Vec<_> = (2..6)
            .map(|n| {
                tokio::spawn({
                    let turns = turns.clone();
                    async move { turns.wait(who(n), |_| ()).await.map(drop) }
                })
            })
            .collect();
        tokio::task::yield_now().await;
        waiting[0].abort();
        tokio::task::yield_now().await;
        drop(first);
        for (n, other) in waiting.into_iter().enumerate() {
            assert_eq!(other.await.is_ok_and(|done| done.is_ok()), n != 0);
        }
        assert!(turns.lock().calls.is_empty());
    }
}

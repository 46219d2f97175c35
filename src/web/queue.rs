//! A consumer's queue of what boards say, with a bound and a policy: where an event does not fit it is dropped, the board counts as behind, and nothing
//! more of it is queued until the consumer has asked how the board stands. Nobody who puts something in ever waits.
use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::mpsc;
use tokio::sync::mpsc::error::TryRecvError;

/// Places that events leave to everything else: what is asked for, and that a board begins anew.
const RESERVED: usize = 256;

/// The way in. Clones lead to the same queue.
pub struct Feeder<T, M = ()> {
    queue: mpsc::Sender<T>,
    behind: Arc<Mutex<Behind<M>>>,
    name: &'static str,
}

/// The boards of which something was dropped, each with what is kept of that.
type Behind<M> = BTreeMap<Arc<str>, M>;

/// The consumer's end.
pub struct Queue<T, M = ()> {
    queue: mpsc::Receiver<T>,
    behind: Arc<Mutex<Behind<M>>>,
}

/// What a consumer takes next.
#[derive(Debug, PartialEq, Eq)]
pub enum Next<T, M = ()> {
    /// What was put in.
    News(T),
    /// Of these boards events were dropped; what was queued before was taken. How they stand is to be asked anew.
    Behind(Vec<(Arc<str>, M)>),
    /// Nothing more comes.
    End,
}

/// A queue for `name` with room for so many events.
pub fn bounded<T, M>(name: &'static str, most: usize) -> (Feeder<T, M>, Queue<T, M>) {
    let (sender, receiver) = mpsc::channel(most + RESERVED);
    let behind = Arc::new(Mutex::new(Behind::default()));
    (Feeder { queue: sender, behind: behind.clone(), name }, Queue { queue: receiver, behind })
}

impl<T, M: Default> Feeder<T, M> {
    /// Puts in what a board said. Never waits.
    pub fn event(&self, board: &Arc<str>, event: T) {
        self.event_or(board, event, |_| ());
    }

    /// The same; of what is dropped `keep` may keep something for the consumer. Never waits, if that does not.
    pub fn event_or(&self, board: &Arc<str>, event: T, keep: impl FnOnce(&mut M)) {
        let mut behind = lock(&self.behind);
        if let Some(kept) = behind.get_mut(board) {
            return keep(kept);
        }
        let full = self.queue.capacity() <= RESERVED || matches!(self.queue.try_send(event), Err(mpsc::error::TrySendError::Full(_)));
        if full {
            tracing::warn!("{}: {} events wait; board {board} is looked at anew when they are taken", self.name, self.waiting());
            keep(behind.entry(board.clone()).or_default());
        }
    }

    /// Nothing that was kept of what was dropped of a board holds any more.
    pub fn forget(&self, board: &str) {
        if let Some(kept) = lock(&self.behind).get_mut(board) {
            *kept = M::default();
        }
    }
}

impl<T, M> Feeder<T, M> {
    /// Puts in what is no event and must not be lost; gives it back where not even that has room, or nobody takes it any more. Never waits.
    pub fn tell(&self, news: T) -> Result<(), T> {
        self.queue.try_send(news).map_err(|error| {
            tracing::warn!("{}: it does not answer, and something that was asked of it is not done", self.name);
            error.into_inner()
        })
    }

    /// How much waits.
    pub fn waiting(&self) -> usize {
        self.queue.max_capacity() - self.queue.capacity()
    }
}

impl<T, M> Queue<T, M> {
    /// What comes next. Safe to cancel: nothing is lost.
    pub async fn next(&mut self) -> Next<T, M> {
        match self.try_next() {
            Some(next) => next,
            // A board falls behind only while the queue is full, so whoever waits here is behind with none.
            None => self.queue.recv().await.map_or(Next::End, Next::News),
        }
    }

    /// The same where it is there already.
    pub fn try_next(&mut self) -> Option<Next<T, M>> {
        match self.queue.try_recv() {
            Ok(news) => Some(Next::News(news)),
            Err(error) => {
                let boards = std::mem::take(&mut *lock(&self.behind));
                let ended = error == TryRecvError::Disconnected;
                if boards.is_empty() { ended.then_some(Next::End) } else { Some(Next::Behind(boards.into_iter().collect())) }
            }
        }
    }
}

fn lock<M>(behind: &Mutex<Behind<M>>) -> MutexGuard<'_, Behind<M>> {
    // Every change under the lock is complete before the next begins.
    behind.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<T, M> Clone for Feeder<T, M> {
    fn clone(&self) -> Self {
        Self { queue: self.queue.clone(), behind: self.behind.clone(), name: self.name }
    }
}

impl<T, M> fmt::Debug for Feeder<T, M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Feeder").field("name", &self.name).field("waiting", &self.waiting()).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn what_does_not_fit_is_dropped_and_the_board_is_asked_for_anew() {
        let (feeder, mut queue) = bounded("test", 3);
        let board = |name: &str| Arc::<str>::from(name);
        for n in 0..5 {
            feeder.event(&board("1"), n);
        }
        feeder.event(&board("2"), 10);
        feeder.tell(99).unwrap();
        assert_eq!(feeder.waiting(), 4, "three events and what is no event");
        let mut taken = Vec::new();
        loop {
            match queue.next().await {
                Next::News(news) => taken.push(news),
                next => break assert_eq!(next, Next::Behind(vec![(board("1"), ()), (board("2"), ())])),
            }
        }
        assert_eq!(taken, [0, 1, 2, 99]);
        feeder.event(&board("1"), 6);
        assert_eq!(queue.next().await, Next::News(6), "from here on it is told again");
        drop(feeder);
        assert_eq!(queue.next().await, Next::End);
    }

    #[test]
    fn a_consumer_that_hangs_costs_so_much_memory_and_no_more() {
        let (feeder, _queue) = bounded::<_, ()>("test", 100);
        for n in 0..1_000_000 {
            feeder.event(&"1".into(), n);
            // Not even those who ask for something get beyond the bound.
            _ = feeder.tell(n);
        }
        assert_eq!(feeder.waiting(), 100 + RESERVED);
    }
}

//! The patience with which a service ends: time in which its machine stood still is not taken from it.
use std::future::Future;
use std::pin::pin;
use std::time::Duration;

/// A machine that stands still takes at most so much of the patience.
const TURN: Duration = Duration::from_millis(100);

/// Whether `ended` ended while this process turned for `patience`.
pub(super) async fn within(patience: Duration, ended: impl Future<Output = ()>) -> bool {
    let mut ended = pin!(ended);
    let mut left = patience;
    while !left.is_zero() {
        let turn = left.min(TURN);
        if tokio::time::timeout(turn, &mut ended).await.is_ok() {
            return true;
        }
        left -= turn;
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_machine_that_stands_still_longer_than_that_has_its_patience_afterwards() {
        let patience = Duration::from_secs(1);
        let ends = async {
            tokio::time::sleep(Duration::from_millis(10)).await;
            // Everything stands still, this task and its timers too.
            std::thread::sleep(2 * patience);
            tokio::time::sleep(Duration::from_millis(10)).await;
        };
        assert!(within(patience, ends).await);
    }

    #[tokio::test(start_paused = true)]
    async fn what_does_not_end_is_left_when_the_patience_is_over() {
        assert!(!within(Duration::from_millis(250), std::future::pending()).await);
    }
}

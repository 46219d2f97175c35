//! A task that starts again after a mistake.
use futures_util::FutureExt as _;
use std::panic::AssertUnwindSafe;
use std::time::Duration;
use tokio_util::sync::CancellationToken;

/// After a panic in a link, before the next try.
const BREATH: Duration = Duration::from_secs(1);

/// Runs `task` again after a panic, until it ends by itself or `token` is cancelled.
pub(super) async fn guarded<F: Future<Output = ()>>(token: CancellationToken, task: impl Fn() -> F) {
    while AssertUnwindSafe(task()).catch_unwind().await.is_err() && !token.is_cancelled() {
        tracing::error!("a mistake in flagfall; this link starts anew");
        tokio::time::sleep(BREATH).await;
    }
}

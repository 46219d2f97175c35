//! Server-sent events: what a listener missed or a snapshot, then live, with a comment now and then so that nobody hangs up.
use crate::audience::Audience;
use crate::stage::{Listener, Next};
use axum::body::Body;
use axum::http::{HeaderName, header};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use futures_util::stream;
use std::collections::VecDeque;
use std::convert::Infallible;
use std::time::Duration;
use tokio_util::sync::CancellationToken;

/// A silent stream says that it lives: well under the minute after which proxies hang up.
const KEEP_ALIVE: Duration = Duration::from_secs(15);
/// Browsers wait this long before they come back.
const PREAMBLE: &[u8] = b"retry: 1500\n\n";

struct Place<A: Audience> {
    waiting: VecDeque<Bytes>,
    listener: Listener<A>,
    stop: CancellationToken,
}

/// The stream as an answer; it ends when `stop` is cancelled.
pub(crate) fn answer<A: Audience>(first: Vec<Bytes>, listener: Listener<A>, stop: CancellationToken) -> Response {
    let mut waiting = VecDeque::from(first);
    waiting.push_front(Bytes::from_static(PREAMBLE));
    let frames = stream::unfold(Place { waiting, listener, stop }, |mut place| async move {
        let frame = place.next().await?;
        Some((Ok::<_, Infallible>(frame), place))
    });
    let headers = [
        (header::CONTENT_TYPE, "text/event-stream"),
        (header::CACHE_CONTROL, "no-cache, no-transform"),
        // Asks nginx not to collect events before it passes them on.
        (HeaderName::from_static("x-accel-buffering"), "no"),
    ];
    (headers, Body::from_stream(frames)).into_response()
}

impl<A: Audience> Place<A> {
    async fn next(&mut self) -> Option<Bytes> {
        loop {
            if self.stop.is_cancelled() {
                return None;
            }
            if let Some(frame) = self.waiting.pop_front() {
                return Some(frame);
            }
            tokio::select! {
                () = self.stop.cancelled() => return None,
                next = self.listener.next() => match next {
                    Next::Event(frame) => return Some(frame),
                    Next::Snapshot(frames) => self.waiting.extend(frames),
                    Next::End => return None,
                },
                () = tokio::time::sleep(KEEP_ALIVE) => return Some(Bytes::from_static(b": still here\n\n")),
            }
        }
    }
}

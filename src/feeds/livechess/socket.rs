//! The WebSocket of one client: reads calls, writes frames, and lets go of a client that takes nothing.
//!
//! Between the boards and a client stand only pictures that everybody shares, so a client that stalls keeps nobody waiting: it loses its
//! place, later gets what stands then, and is cut when it takes nothing for too long.
use super::session::LiveChessSession;
use super::shared::Shared;
use axum::extract::ws::{CloseFrame, Message, WebSocket, close_code};
use bytes::Bytes;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::{MissedTickBehavior, interval, timeout};

/// A frame that cannot be written for this long ends the connection.
const STALLED: Duration = Duration::from_secs(10);
/// How often a silent client is asked whether it lives; a proxy that hears nothing for a minute hangs up.
const PING: Duration = Duration::from_secs(20);
/// Pings without any answer until a client counts as gone.
const UNANSWERED: u32 = 3;
/// Frames in a row that are no calls until a client is sent away.
const NONSENSE: u32 = 100;
/// The biggest frame a client may send; the biggest call is well below one kilobyte.
pub(super) const BIGGEST: usize = 64 * 1024;

/// Serves until the client leaves, stalls, or the daemon stops.
pub(super) async fn serve(mut socket: WebSocket, shared: Arc<Shared>) {
    let stop = shared.stop.clone();
    let mut session = LiveChessSession::new(shared);
    let mut ticks = interval(PING);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    // The first tick is now; a client that just came lives.
    ticks.tick().await;
    let (mut unanswered, mut nonsense) = (0, 0);
    loop {
        // What the boards did before a call is told before its answer.
        let frames = tokio::select! {
            biased;
            () = stop.cancelled() => return close(socket, close_code::AWAY, "flagfall stops").await,
            frames = session.changed() => frames,
            received = socket.recv() => {
                unanswered = 0;
                match received {
                    Some(Ok(Message::Text(text))) => {
                        let frames = session.asked(&text);
                        nonsense = if frames.first().is_some_and(|f| f.starts_with("{\"response\":\"error\"")) { nonsense + 1 } else { 0 };
                        frames
                    }
                    Some(Ok(Message::Binary(_))) => {
                        nonsense += 1;
                        vec![session.no_text()]
                    }
                    Some(Ok(Message::Ping(_) | Message::Pong(_))) => Vec::new(),
                    Some(Ok(Message::Close(_)) | Err(_)) | None => return,
                }
            }
            _ = ticks.tick() => {
                unanswered += 1;
                if unanswered > UNANSWERED || !send(&mut socket, Message::Ping(Bytes::new())).await {
                    return;
                }
                Vec::new()
            }
        };
        for frame in frames {
            if !send(&mut socket, Message::Text(frame.into())).await {
                tracing::info!("livechess: a client took nothing for {} s and was cut off, or it left", STALLED.as_secs());
                return;
            }
        }
        if nonsense >= NONSENSE {
            return close(socket, close_code::POLICY, "too many frames that are no calls").await;
        }
    }
}

async fn send(socket: &mut WebSocket, message: Message) -> bool {
    matches!(timeout(STALLED, socket.send(message)).await, Ok(Ok(())))
}

async fn close(mut socket: WebSocket, code: u16, reason: &'static str) {
    let message = Message::Close(Some(CloseFrame { code, reason: reason.into() }));
    // A client that is gone needs no farewell.
    let _ = timeout(Duration::from_secs(1), socket.send(message)).await;
}

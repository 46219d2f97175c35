//! Connections of all addresses together: how many at once, and how long one may be idle.
use axum::serve::Listener;
use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Sleep, sleep};

/// At most this many at once: a quarter of the file descriptors that a service usually gets.
pub(super) const MOST: usize = 256;
/// A connection on which nothing moves either way is closed. WebSockets are asked more often than this.
const IDLE: Duration = Duration::from_secs(60);

/// A listener that turns away connections when all places are taken.
pub(super) struct Limited {
    pub(super) listener: TcpListener,
    pub(super) places: Arc<Semaphore>,
    /// The last one was turned away: said once, not a thousand times.
    pub(super) full: bool,
}

impl Listener for Limited {
    type Io = Connection;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Connection, SocketAddr) {
        loop {
            let (stream, address) = Listener::accept(&mut self.listener).await;
            let Ok(place) = self.places.clone().try_acquire_owned() else {
                if !self.full {
                    tracing::warn!(%address, most = MOST, "livechess: connections are turned away: too many are open");
                }
                self.full = true;
                continue;
            };
            self.full = false;
            // Small frames must not wait for more bytes; without it they only come later.
            _ = stream.set_nodelay(true);
            return (Connection { stream, idle: Box::pin(sleep(IDLE)), _place: place }, address);
        }
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }
}

/// One connection and its place.
pub(super) struct Connection {
    stream: TcpStream,
    idle: Pin<Box<Sleep>>,
    _place: OwnedSemaphorePermit,
}

impl Connection {
    /// Passes on what the socket says; a socket that says nothing for [`IDLE`] fails.
    fn watch<T>(&mut self, cx: &mut Context<'_>, poll: Poll<io::Result<T>>) -> Poll<io::Result<T>> {
        if poll.is_ready() {
            self.idle.set(sleep(IDLE));
            return poll;
        }
        self.idle.as_mut().poll(cx).map(|()| Err(io::ErrorKind::TimedOut.into()))
    }
}

impl AsyncRead for Connection {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let poll = Pin::new(&mut self.stream).poll_read(cx, buf);
        self.watch(cx, poll)
    }
}

impl AsyncWrite for Connection {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        let poll = Pin::new(&mut self.stream).poll_write(cx, buf);
        self.watch(cx, poll)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}

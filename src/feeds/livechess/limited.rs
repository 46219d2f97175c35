//! Connections: how many at once, as for the pages, and how long one may be idle.
use axum::extract::connect_info::Connected;
use axum::serve::{IncomingStream, Listener};
use flagfall_web::places::{Place, Places};
use std::future::Future;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::{Sleep, sleep};
use tokio_util::sync::WaitForCancellationFutureOwned;

/// At most this many that are no WebSockets; those have places of their own, as the pages' streams have.
pub(super) const MOST: usize = 64;
/// A connection on which nothing moves either way is closed. WebSockets are asked more often than this.
const IDLE: Duration = Duration::from_secs(60);

/// A listener where somebody makes room for whoever comes when all places are taken.
pub(super) struct Limited {
    pub(super) listener: TcpListener,
    pub(super) places: Arc<Places>,
}

/// Who is at the other end, for handlers.
#[derive(Clone, Debug)]
pub(super) struct Guest(Option<Arc<Place>>, bool);

impl Guest {
    /// A program of this machine.
    pub(super) const fn is_here(&self) -> bool {
        self.1
    }

    /// A request came.
    pub(super) fn asked(&self) {
        self.0.iter().for_each(|place| place.asked());
    }

    /// A WebSocket begins; whether there is a place for it.
    pub(super) fn stays(&self) -> bool {
        self.0.as_ref().is_none_or(|place| place.stream())
    }
}

impl Connected<IncomingStream<'_, Limited>> for Guest {
    fn connect_info(stream: IncomingStream<'_, Limited>) -> Self {
        stream.remote_addr().clone()
    }
}

impl Listener for Limited {
    type Io = Connection;
    type Addr = Guest;

    async fn accept(&mut self) -> (Connection, Guest) {
        let (stream, address) = Listener::accept(&mut self.listener).await;
        let place = Places::take(&self.places, address.ip());
        // Small frames must not wait for more bytes; without it they only come later.
        _ = stream.set_nodelay(true);
        let guest = Guest(Some(place.clone()), address.ip().to_canonical().is_loopback());
        (Connection { stream, idle: Box::pin(sleep(IDLE)), turned_out: Box::pin(place.turned_out()), _place: place }, guest)
    }

    fn local_addr(&self) -> io::Result<Guest> {
        Ok(Guest(None, true))
    }
}

/// One connection and its place.
pub(super) struct Connection {
    stream: TcpStream,
    idle: Pin<Box<Sleep>>,
    /// Somebody else needs the place more.
    turned_out: Pin<Box<WaitForCancellationFutureOwned>>,
    _place: Arc<Place>,
}

impl Connection {
    /// Passes on what the socket says; a socket that says nothing for [`IDLE`] fails, and so does one whose place somebody else gets.
    fn watch<T>(&mut self, cx: &mut Context<'_>, poll: Poll<io::Result<T>>) -> Poll<io::Result<T>> {
        if poll.is_ready() {
            self.idle.set(sleep(IDLE));
            return poll;
        }
        let late = self.idle.as_mut().poll(cx).is_ready() || self.turned_out.as_mut().poll(cx).is_ready();
        if late { Poll::Ready(Err(io::ErrorKind::TimedOut.into())) } else { Poll::Pending }
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

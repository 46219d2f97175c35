//! Connections: how many at once, how long one may say nothing, dawdle over a request or leave an answer unread. Stands between the
//! socket and the HTTP server.
use crate::local::Local;
use crate::places::{Place, Places};
use crate::tls::Wire;
use axum::extract::connect_info::Connected;
use axum::serve::{IncomingStream, Listener};
use std::future::Future;
use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpListener;
use tokio::time::{Sleep, sleep};
use tokio_rustls::TlsAcceptor;
use tokio_util::sync::WaitForCancellationFutureOwned;

/// A connection on which nothing moves either way is closed. Event streams speak more often than this.
const IDLE: Duration = Duration::from_secs(60);
/// Until the first byte of the first request, the handshake included.
const FIRST: Duration = Duration::from_secs(10);
/// From the first byte of a request to the first of its answer.
const REQUEST: Duration = Duration::from_secs(20);
/// A reader that takes nothing for this long is given up.
const STALL: Duration = Duration::from_secs(20);
/// A request is never larger, headers and body together.
const MOST_BYTES: usize = 128 * 1024;

/// A listener that keeps its connections within bounds.
pub(crate) struct Limited {
    listener: TcpListener,
    places: Arc<Places>,
    tls: Option<TlsAcceptor>,
}

impl Limited {
    pub(crate) fn new(listener: TcpListener, tls: Option<TlsAcceptor>) -> Self {
        Self { listener, places: Arc::new(Places::of_process()), tls }
    }
}

/// Who is at the other end, for handlers.
#[derive(Clone, Debug)]
pub struct Peer {
    /// Where the connection comes from.
    pub caller: Caller,
    /// It is encrypted.
    pub secure: bool,
    pub(crate) place: Option<Arc<Place>>,
}

/// Where a connection comes from.
#[derive(Clone, Debug)]
pub enum Caller {
    /// A network, this machine's loopback included: whoever is there may speak for anybody. No right follows from it.
    Network(SocketAddr),
    /// The machine's own socket; the kernel says that this user may use it.
    Machine(Arc<str>),
}

/// The address is this machine's own loopback.
pub(crate) fn is_local(address: IpAddr) -> bool {
    address.to_canonical().is_loopback()
}

impl Peer {
    /// The address, where there is one.
    pub fn address(&self) -> Option<IpAddr> {
        match &self.caller {
            Caller::Network(address) => Some(address.ip()),
            Caller::Machine(_) => None,
        }
    }

    /// Who of this machine it is, where it came by the machine's own socket.
    pub fn user(&self) -> Option<&str> {
        match &self.caller {
            Caller::Network(_) => None,
            Caller::Machine(user) => Some(user),
        }
    }

    /// This is an arbiter or an operator: the public does not get the place.
    pub(crate) fn keep(&self, who: &str) {
        self.place.iter().for_each(|place| place.keep(who));
    }

    /// Nobody between reads along, as far as this machine can see.
    pub(crate) fn unheard(&self) -> bool {
        self.secure || self.address().is_none_or(is_local)
    }
}

impl Connected<IncomingStream<'_, Limited>> for Peer {
    fn connect_info(stream: IncomingStream<'_, Limited>) -> Self {
        stream.remote_addr().clone()
    }
}

impl Listener for Limited {
    type Io = Connection;
    type Addr = Peer;

    async fn accept(&mut self) -> (Connection, Peer) {
        let (stream, address) = Listener::accept(&mut self.listener).await;
        let place = Places::take(&self.places, address.ip());
        // Small events must not wait for more bytes; without it they only come later.
        _ = stream.set_nodelay(true);
        let peer = Peer { caller: Caller::Network(address), secure: self.tls.is_some(), place: Some(place.clone()) };
        (Connection::new(Wire::new(stream, self.tls.clone()), place), peer)
    }

    fn local_addr(&self) -> io::Result<Peer> {
        Ok(Peer { caller: Caller::Network(self.listener.local_addr()?), secure: self.tls.is_some(), place: None })
    }
}

/// The machine's own listener, with places that nobody else can take.
pub(crate) struct OwnListener {
    local: Local,
    places: Arc<Places>,
}

impl OwnListener {
    pub(crate) fn new(local: Local) -> Self {
        Self { local, places: Arc::default() }
    }
}

impl Connected<IncomingStream<'_, OwnListener>> for Peer {
    fn connect_info(stream: IncomingStream<'_, OwnListener>) -> Self {
        stream.remote_addr().clone()
    }
}

impl Listener for OwnListener {
    type Io = Connection;
    type Addr = Peer;

    async fn accept(&mut self) -> (Connection, Peer) {
        loop {
            match self.local.accept().await {
                Ok((stream, user)) => {
                    let place = Places::take(&self.places, IpAddr::V4(Ipv4Addr::LOCALHOST));
                    let peer = Peer { caller: Caller::Machine(user.into()), secure: false, place: Some(place.clone()) };
                    return (Connection::new(Wire::Local(stream), place), peer);
                }
                // Too many files are open; it passes.
                Err(error) => {
                    tracing::warn!("the machine's own socket: {error}");
                    sleep(Duration::from_secs(1)).await;
                }
            }
        }
    }

    fn local_addr(&self) -> io::Result<Peer> {
        Ok(Peer { caller: Caller::Machine("".into()), secure: false, place: None })
    }
}

/// One connection and its place.
pub(crate) struct Connection {
    wire: Wire,
    idle: Pin<Box<Sleep>>,
    /// Runs while a request is coming in, and before the first.
    request: Option<Pin<Box<Sleep>>>,
    /// Bytes of the request so far.
    unanswered: usize,
    /// Runs while the reader takes nothing.
    stall: Option<Pin<Box<Sleep>>>,
    /// Somebody else needs the place more.
    turned_out: Pin<Box<WaitForCancellationFutureOwned>>,
    _place: Arc<Place>,
}

fn expired(timer: &mut Pin<Box<Sleep>>, cx: &mut Context<'_>) -> bool {
    timer.as_mut().poll(cx).is_ready()
}

impl Connection {
    fn new(wire: Wire, place: Arc<Place>) -> Self {
        Self {
            wire,
            idle: Box::pin(sleep(IDLE)),
            request: Some(Box::pin(sleep(FIRST))),
            unanswered: 0,
            stall: None,
            turned_out: Box::pin(place.turned_out()),
            _place: place,
        }
    }

    /// Something moved.
    fn moved(&mut self) {
        self.idle.set(sleep(IDLE));
    }

    /// Why the connection ends although the socket says nothing.
    fn patience(&mut self, cx: &mut Context<'_>) -> io::Result<()> {
        let late = expired(&mut self.idle, cx)
            || self.request.as_mut().is_some_and(|timer| expired(timer, cx))
            || self.stall.as_mut().is_some_and(|timer| expired(timer, cx))
            || self.turned_out.as_mut().poll(cx).is_ready();
        if late { Err(io::ErrorKind::TimedOut.into()) } else { Ok(()) }
    }

    fn wrote(&mut self, cx: &mut Context<'_>, poll: Poll<io::Result<usize>>) -> Poll<io::Result<usize>> {
        match &poll {
            Poll::Ready(Ok(bytes)) if *bytes > 0 => {
                (self.request, self.unanswered, self.stall) = (None, 0, None);
                self.moved();
            }
            Poll::Ready(_) => {}
            Poll::Pending => {
                self.stall.get_or_insert_with(|| Box::pin(sleep(STALL)));
                self.patience(cx)?;
            }
        }
        poll
    }
}

impl AsyncRead for Connection {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let before = buf.filled().len();
        let poll = Pin::new(&mut self.wire).poll_read(cx, buf);
        if poll.is_pending() {
            self.patience(cx)?;
            return Poll::Pending;
        }
        ready!(poll)?;
        let came = buf.filled().len().saturating_sub(before);
        if came > 0 {
            if self.unanswered == 0 {
                self.request = Some(Box::pin(sleep(REQUEST)));
            }
            self.unanswered = self.unanswered.saturating_add(came);
            if self.unanswered > MOST_BYTES {
                return Poll::Ready(Err(io::ErrorKind::InvalidData.into()));
            }
            self.moved();
        }
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for Connection {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        let poll = Pin::new(&mut self.wire).poll_write(cx, buf);
        self.wrote(cx, poll)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let poll = Pin::new(&mut self.wire).poll_flush(cx);
        if poll.is_pending() {
            // Encrypted bytes wait here, not in `poll_write`.
            self.stall.get_or_insert_with(|| Box::pin(sleep(STALL)));
            self.patience(cx)?;
        } else {
            self.stall = None;
        }
        poll
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let poll = Pin::new(&mut self.wire).poll_shutdown(cx);
        if poll.is_pending() {
            self.patience(cx)?;
        }
        poll
    }

    fn poll_write_vectored(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bufs: &[io::IoSlice<'_>]) -> Poll<io::Result<usize>> {
        let poll = Pin::new(&mut self.wire).poll_write_vectored(cx, bufs);
        self.wrote(cx, poll)
    }

    fn is_write_vectored(&self) -> bool {
        self.wire.is_write_vectored()
    }
}

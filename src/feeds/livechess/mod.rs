//! The API that DGT LiveChess offers on port 1982, so that everything that speaks to it speaks to flagfall: WebSocket and REST below
//! `/api/v1.0`.
//!
//! It lives on a thread of its own: events come in through a queue with a bound that nobody waits for, and whatever its clients do, no board notices.
//!
//! | to change | go to |
//! |---|---|
//! | what clients may ask, how ids are echoed | `call.rs` |
//! | the objects, their keys and order | `objects.rs` |
//! | what is known of a board | `picture.rs`, of its game `src/score/livechess.rs`, of all boards `hall.rs` |
//! | which frames a feed sends | `feed.rs`, its list of moves `list.rs`, positions beside the game `own.rs` |
//! | one connection | `session.rs`, its socket `socket.rs`; what all share `shared.rs` |
//! | addresses, routes | `server.rs`; who is let in `origins.rs`; how many `limited.rs` |
//! | REST | `rest.rs`; tournaments, rounds, games `tournament.rs` |
mod call;
mod feed;
mod hall;
mod limited;
mod list;
mod objects;
mod origins;
mod own;
pub(super) mod picture;
mod rest;
mod server;
mod session;
mod shared;
mod socket;
#[cfg(test)]
pub(crate) mod table;
mod tournament;

use crate::delay::Lag;
use crate::event_info::EventInfo;
use flagfall_config::LiveChess as Config;
use flagfall_events::{Event, Wall};
use flagfall_score::board::BoardState;
use flagfall_time::Stopwatch;
use flagfall_web::guard::Hosts;
use flagfall_web::places::Places;
use flagfall_web::queue::{self, Feeder, Next, Queue};
use hall::Pictures;
use limited::{Guest, Limited, MOST};
use origins::Origins;
use picture::Picture;
use shared::Shared;
use std::io::{self, ErrorKind};
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::thread;
use std::time::Duration;
use tokio_util::sync::CancellationToken;
use tournament::Tournaments;

/// Events that wait at most; a board of which one did not fit is shown anew.
const WAITING: usize = 4096;

/// How long open connections may take to end once the daemon stops.
const FAREWELL: Duration = Duration::from_secs(2);

enum News {
    Board {
        name: String,
        link: String,
    },
    Event(Arc<Event>),
    /// What was published of a board before this process began.
    Restore(Vec<Arc<Event>>),
    /// The board's Pi is not heard any more, or it is again.
    Silent {
        name: String,
        silent: bool,
    },
    /// What a board with a battery says of it, percent.
    Battery {
        name: String,
        percent: Option<u8>,
    },
    /// The board's numbering begins anew.
    Anew(String),
    /// It does, and these events go on with the game.
    TakenOver(String, Vec<Arc<Event>>),
    /// Says so when it is reached.
    Mark(std::sync::mpsc::Sender<()>),
}

/// Between two tries to get an address that another program has.
const AGAIN: Duration = Duration::from_secs(5);

/// The way to the running API. Clones lead to the same one; where it is not enabled, everything that is handed in is dropped.
#[derive(Clone, Debug, Default)]
pub struct LiveChess {
    news: Option<Feeder<News>>,
    addresses: Vec<SocketAddr>,
    boards: Option<Arc<Pictures>>,
}

/// The game that a board shows to clients.
#[derive(Clone, Debug)]
pub struct ShownGame {
    /// The board's name.
    pub board: Arc<str>,
    /// Which game of the board, from 1.
    pub game: Option<u32>,
    /// Its moves, English letters.
    pub sans: Vec<Arc<str>>,
    /// When something of it changed last.
    pub at: Option<Wall>,
}

/// To whom it shows what.
#[derive(Clone, Debug)]
pub struct Terms {
    /// How long ago what is handed in stood so.
    pub lag: Lag,
    /// While this says no, only programs of this machine are served.
    pub open: Arc<AtomicBool>,
}

impl Default for Terms {
    fn default() -> Self {
        Self { lag: Lag::NONE, open: Arc::new(AtomicBool::new(true)) }
    }
}

/// The thread of the API; `None` where it is not enabled.
pub type Thread = Option<thread::JoinHandle<()>>;

impl LiveChess {
    /// Starts the API where it is enabled. It ends when `stop` is cancelled. An address that cannot be listened on is no failure: the boards
    /// matter more. `event` names the tournament and its pairings, `stands` says how a board stands now. `tell` gets a sentence for the operator then, at once, and `None` when the address was free later: it is tried again.
    ///
    /// # Errors
    /// When the system gives no thread.
    pub fn start(
        config: &Config,
        stopwatch: Stopwatch,
        stop: CancellationToken,
        event: Arc<EventInfo>,
        stands: impl Fn(&str) -> Option<BoardState> + Send + 'static,
        tell: impl Fn(Option<String>) + Send + 'static,
    ) -> io::Result<(Self, Thread)> {
        Self::start_on(config, Terms::default(), stopwatch, stop, event, stands, tell)
    }

    /// The same on these terms.
    ///
    /// # Errors
    /// When the system gives no thread.
    pub fn start_on(
        config: &Config,
        terms: Terms,
        stopwatch: Stopwatch,
        stop: CancellationToken,
        event: Arc<EventInfo>,
        stands: impl Fn(&str) -> Option<BoardState> + Send + 'static,
        tell: impl Fn(Option<String>) + Send + 'static,
    ) -> io::Result<(Self, Thread)> {
        if !config.enabled {
            return Ok((Self::default(), None));
        }
        let listeners = listen(config.listen).unwrap_or_else(|error| {
            tell(Some(explain(config.listen, &error)));
            Vec::new()
        });
        let addresses = addresses(&listeners);
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let (news, inbox) = queue::bounded("livechess", WAITING);
        let shared = Arc::new(Shared::new(Tournaments::new(event, terms.lag), terms.lag, stopwatch, stop));
        let (config, open, boards) = (config.clone(), terms.open, shared.hall.clone());
        let thread = thread::Builder::new().name(String::from("livechess")).spawn(move || {
            runtime.block_on(run((config, open), listeners, shared, inbox, stands, tell));
            runtime.shutdown_background();
        })?;
        Ok((Self { news: Some(news), addresses, boards: Some(boards) }, Some(thread)))
    }

    /// Where it listens.
    pub fn addresses(&self) -> &[SocketAddr] {
        &self.addresses
    }

    /// Makes a board known before its first event; `link` is where it is plugged in, as configured.
    pub fn register(&self, name: &str, link: &str) {
        self.tell(News::Board { name: name.to_owned(), link: link.to_owned() });
    }

    /// Takes an event that is in the journal. Never waits.
    pub fn publish(&self, event: &Arc<Event>) {
        if let Some(news) = &self.news {
            news.event(&event.board, News::Event(event.clone()));
        }
    }

    /// The game that each board shows to clients, as far as a list of moves goes from its start, and when something of it changed last.
    pub fn shown(&self) -> Vec<ShownGame> {
        let pictures = self.boards.as_ref().map(|boards| boards.pictures()).unwrap_or_default();
        let shown = |picture: &Arc<Picture>| ShownGame {
            board: picture.board.clone(),
            game: picture.game,
            sans: picture.sheet.line(0).into_iter().map(|(san, _)| san).collect(),
            at: picture.at,
        };
        pictures.iter().map(shown).collect()
    }

    /// Half of what may wait does.
    pub(crate) fn is_busy(&self) -> bool {
        self.waiting() > WAITING / 2
    }

    /// How much waits to be shown.
    pub fn waiting(&self) -> usize {
        self.news.as_ref().map_or(0, Feeder::waiting)
    }

    /// Takes what was published of a board before this process began.
    pub fn restore(&self, events: &[Arc<Event>]) {
        self.tell(News::Restore(events.to_vec()));
    }

    /// The board's Pi is not heard any more, or it is again.
    pub fn silent(&self, name: &str, silent: bool) {
        self.tell(News::Silent { name: name.to_owned(), silent });
    }

    /// What a board with a battery says of it, percent; `None`: it has none, or says nothing.
    pub fn battery(&self, name: &str, percent: Option<u8>) {
        self.tell(News::Battery { name: name.to_owned(), percent });
    }

    /// The board's numbering begins anew.
    pub fn anew(&self, name: &str) {
        self.tell(News::Anew(name.to_owned()));
    }

    /// The same where these events go on with the game: no client sees less of it meanwhile.
    pub fn taken_over(&self, name: &str, events: &[Arc<Event>]) {
        self.tell(News::TakenOver(name.to_owned(), events.to_vec()));
    }

    /// Blocks until clients can see everything that was handed in so far. For tests and benches; a board never waits.
    pub fn catch_up(&self) {
        let (reached, mark) = std::sync::mpsc::channel();
        self.tell(News::Mark(reached));
        // An error says that the API has ended: nobody sees anything any more.
        _ = mark.recv();
    }

    fn tell(&self, news: News) {
        // When the API has ended, nobody wants to know.
        _ = self.news.as_ref().map(|feeder| feeder.tell(news));
    }
}

/// The configured address, and `[::1]` beside 127.0.0.1: some clients find `localhost` there first.
fn listen(address: SocketAddr) -> io::Result<Vec<std::net::TcpListener>> {
    let first = std::net::TcpListener::bind(address)?;
    let port = first.local_addr()?.port();
    let mut listeners = vec![first];
    if address.ip() == Ipv4Addr::LOCALHOST {
        match std::net::TcpListener::bind((Ipv6Addr::LOCALHOST, port)) {
            Ok(second) => listeners.push(second),
            Err(error) if error.kind() == ErrorKind::AddrInUse => {
                tracing::warn!("livechess: [::1]:{port} is in use; clients that find localhost there speak to another program");
            }
            Err(error) => tracing::debug!("livechess: not on [::1]:{port}: {error}"),
        }
    }
    for listener in &listeners {
        listener.set_nonblocking(true)?;
    }
    Ok(listeners)
}

fn explain(address: SocketAddr, error: &io::Error) -> String {
    match error.kind() {
        ErrorKind::AddrInUse => format!(
            "{address} is in use, by DGT LiveChess or another flagfall perhaps; the boards are read all the same, and the address is taken as soon as \
             it is free. Stop that program, choose another port with [livechess] listen, or say enabled = false there"
        ),
        _ => {
            format!("cannot listen on {address}: {error}; the boards are read all the same. Choose another address with [livechess] listen")
        }
    }
}

fn addresses(listeners: &[std::net::TcpListener]) -> Vec<SocketAddr> {
    listeners.iter().filter_map(|listener| listener.local_addr().ok()).collect()
}

async fn run(
    (config, open): (Config, Arc<AtomicBool>),
    listeners: Vec<std::net::TcpListener>,
    shared: Arc<Shared>,
    mut inbox: Queue<News>,
    stands: impl Fn(&str) -> Option<BoardState>,
    tell: impl Fn(Option<String>),
) {
    let places = Arc::new(Places::with_door(MOST));
    let mut waiting = listeners.is_empty();
    serve(listeners, (&config, &open), &shared, &places);
    let mut again = tokio::time::interval(AGAIN);
    loop {
        tokio::select! {
            news = inbox.next() => match news {
                Next::News(News::Board { name, link }) => shared.hall.register(&name, &link),
                Next::News(News::Event(event)) => apply(&shared, &event),
                Next::News(News::Restore(events)) => events.iter().for_each(|event| apply(&shared, event)),
                Next::Behind(boards) => {
                    for state in boards.iter().filter_map(|(board, ())| stands(board)) {
                        shared.hall.again(&state);
                    }
                }
                Next::News(News::Silent { name, silent }) => shared.hall.change(&name, |picture| picture.silent = silent),
                Next::News(News::Battery { name, percent }) => shared.hall.change(&name, |picture| picture.battery = percent),
                Next::News(News::Anew(name)) => shared.hall.change(&name, Picture::anew),
                Next::News(News::TakenOver(name, events)) => shared.hall.change(&name, |picture| {
                    picture.anew();
                    events.iter().for_each(|event| _ = picture.apply(event));
                }),
                Next::News(News::Mark(reached)) => _ = reached.send(()),
                Next::End => break,
            },
            _ = again.tick(), if waiting => if let Ok(listeners) = listen(config.listen) {
                tracing::warn!("livechess: {} is free now and is listened on", config.listen);
                tell(None);
                serve(listeners, (&config, &open), &shared, &places);
                waiting = false;
            },
            () = shared.stop.cancelled() => break,
        }
    }
    // The sockets say goodbye meanwhile.
    let all = async {
        while !places.are_free() {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    _ = tokio::time::timeout(FAREWELL, all).await;
}

/// A mistake in the fold costs one event, not the API.
fn apply(shared: &Shared, event: &Event) {
    if catch_unwind(AssertUnwindSafe(|| shared.hall.apply(event))).is_err() {
        tracing::error!(board = &*event.board, seq = event.seq, "livechess: a mistake in flagfall; this event is not shown");
    }
}

fn serve(listeners: Vec<std::net::TcpListener>, (config, open): (&Config, &Arc<AtomicBool>), shared: &Arc<Shared>, places: &Arc<Places>) {
    let origins = Origins::new(&addresses(&listeners), &config.origins);
    let app = server::router(shared.clone(), origins, Hosts::new(&config.hosts), open.clone());
    for listener in listeners {
        let listener = match tokio::net::TcpListener::from_std(listener) {
            Ok(listener) => Limited { listener, places: places.clone() },
            Err(error) => {
                tracing::error!("livechess: {error}; restart flagfall to get this address back");
                continue;
            }
        };
        let serving = axum::serve(listener, app.clone().into_make_service_with_connect_info::<Guest>())
            .with_graceful_shutdown(shared.stop.clone().cancelled_owned());
        tokio::spawn(async move { serving.await });
    }
}

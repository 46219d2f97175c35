//! What stands between boards and world: every publisher and the arbiters' console over one hub. A machine with boards (`flagfall run`) and a
//! hall (`flagfall hall`) have the same; they differ in where events come from and where entries go.
use super::listen;
use crate::config::Config;
use crate::exit::ExitError;
use crate::feeds::alarms::Alarms;
use crate::feeds::delay::Lag;
use crate::feeds::event_info::desk::EventDesk;
use crate::feeds::event_info::{operator, task};
use crate::feeds::later::Later;
use crate::feeds::livechess::{LiveChess, Terms};
use crate::feeds::outlets::Outlets;
use crate::feeds::push::Push;
use crate::feeds::running::{self, Feeds};
use crate::feeds::shown::Shown;
use crate::feeds::tree::{self, Broadcast};
use crate::feeds::{lichess, nats, ringing, sent};
use crate::journal::Journal;
use crate::output;
use crate::time::Stopwatch;
use crate::web::arbiter::door::{Access, Door};
use crate::web::arbiter::members::Members;
use crate::web::arbiter::{self, Office};
use crate::web::boards::Boards;
use crate::web::guard;
use crate::web::health::HallState;
use crate::web::hub::Hub;
use crate::web::local::{self, Local};
use crate::web::operator::Addresses as Reached;
use crate::web::public::{self, Listening, ServeInfo};
use crate::web::qr;
use crate::web::reading;
use crate::web::serve;
use crate::web::tls;
use axum::middleware;
use flagfall_config::delay::Delay;
use flagfall_events::Touches;
use flagfall_solver::child;
use std::io::{self, IsTerminal as _};
use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use tokio_rustls::TlsAcceptor;
use tokio_util::sync::CancellationToken;

/// A thread that is waited for at the end.
type JoinThread = std::thread::JoinHandle<()>;

/// The publishers and the console, standing.
pub(crate) struct Front {
    pub(crate) outlets: Outlets,
    /// The event's broker, as a machine with boards knows it.
    pub(crate) nats: nats::Nats,
    /// Accounts and sessions.
    pub(crate) members: Members,
    livechess: Vec<JoinThread>,
    keeping: Vec<JoinHandle<()>>,
    listener: TcpListener,
    tls: Option<TlsAcceptor>,
    /// For the machine's own commands.
    local: Option<Local>,
    app: axum::Router,
    /// Where all this is found.
    pub(crate) addresses: Addresses,
}

/// Where a daemon is found, as it says it at its start.
#[derive(Clone, Debug)]
pub struct Addresses {
    /// Its page: `http://127.0.0.1:8064`.
    pub page: String,
    /// The link that lets one browser in as an arbiter, once, where there are no accounts.
    pub arbiters: Option<String>,
    /// The socket for the machine's own commands.
    pub socket: Option<PathBuf>,
}

/// What of it is still there when nothing new may come.
pub(crate) struct Back {
    pub(crate) livechess: Vec<JoinThread>,
    chronicles: Vec<EventDesk>,
    keeping: Vec<JoinHandle<()>>,
    serving: Vec<JoinHandle<()>>,
}

/// What a front needs beside the configuration.
pub(crate) struct Needs {
    pub(crate) hub: Arc<Hub>,
    pub(crate) stopwatch: Stopwatch,
    /// Where entries go.
    pub(crate) boards: Boards,
    /// Where evidence is, if it is here.
    pub(crate) journal: Option<Arc<Journal>>,
    /// Where the page listens.
    pub(crate) web: (TcpListener, SocketAddr),
    /// How a hall is doing, where this is one.
    pub(crate) hall: Option<Arc<HallState>>,
}

impl Front {
    /// What of the publishers may change while they run is given beside it.
    ///
    /// Starts everything but the page, which shows boards only when they are as they were.
    pub(crate) fn start(config: &Config, needs: Needs, token: &CancellationToken) -> Result<(Self, Feeds), ExitError> {
        let Needs { hub, stopwatch, boards, journal, web: (listener, address), hall } = needs;
        let hosts = config.web_access.names();
        let names = guard::Hosts::new(&hosts);
        let certificate = tls::certificate(&config.web_access.tls, config.data_dir.as_deref(), address.ip(), names.names())?;
        // Before the address is said: whoever reads it finds the socket.
        let local = own_socket(config, address);
        let page = format!("{}://{address}", if certificate.is_some() { "https" } else { "http" });
        output::complain(&format!("web: {page}/"));
        if let Some(certificate) = &certificate {
            output::complain(&format!("web: the certificate's fingerprint (SHA-256) is {}", certificate.fingerprint));
        }
        match &local {
            Ok(local) => output::complain(&format!("local: {}", local.path().display())),
            Err(error) => output::complain(&format!(
                "local: no socket for `flagfall rule`, `watch` and `account link`: {error}; set XDG_RUNTIME_DIR to a folder of your own"
            )),
        }
        let listeners = vec![Listening { name: String::from("web"), address: address.to_string() }];
        let reached = reached(config, address, certificate.is_some());
        show_code(&reached);
        let mut info = ServeInfo { listeners, hall, addresses: reached, ..ServeInfo::default() };
        // Whether there is anything public here; a hall may say that there is not.
        let open = Arc::new(AtomicBool::new(config.lan_public));
        let around = Around { hub: &hub, boards: &boards, stopwatch, token, open: &open };
        let Sides { later, live, world, chronicle, livechess, threads, keeping } = sides(config, &around, &mut info)?;
        let alarms = Alarms::start(hub.clone(), &live.event, stopwatch, token.clone());
        info.now = Some(world.event.clone());
        let access = access(config, address, certificate.is_some());
        hub.set_root(access.root.clone());
        // Before anything may go wrong that somebody is to be told.
        let door = Door::new(&config.accounts, access, token.clone());
        let members = door.members().clone();
        let known = members.clone();
        let push = Push::open(config.data_dir.as_deref(), Arc::new(move |name| known.is_arbiter(name)));
        let feeds = running::start(config, (&world, &live), &hub, &push, token);
        // A hall has a hand of its own on the broker.
        let (nats, said) = match info.hall {
            None => nats::start(config, journal.as_ref(), &hub, &boards, &chronicle, &open, stopwatch),
            Some(_) => (nats::Nats::default(), None),
        };
        said.iter().for_each(|said| output::complain(said));
        info.nats = Some(Arc::new(nats.clone()));
        let course_routes = operator::routes(live.event.clone(), chronicle.clone());
        let arbiters = door.link();
        if let Some(link) = &arbiters {
            output::complain(&format!("arbiters: {link}"));
            output::complain("  that link lets one browser in, once; `flagfall account link` makes another one");
        }
        let shown = later.as_ref().filter(|_| config.delay.is_on()).map_or_else(|| hub.clone(), |later| later.shown().hub.clone());
        // The API that shows what is so now, and those that are behind.
        let behind = later.as_ref().map(|later| (later.shown().livechess.clone(), later.delay())).unwrap_or_default();
        let apis = [(livechess.clone(), Delay::default())].into_iter().chain(behind.0.into_iter().map(|api| (api, behind.1)));
        let outlets = sent::Sides {
            delay: config.delay,
            live: live.event.clone(),
            world: world.clone(),
            shown: shown.clone(),
            livechess: apis.collect(),
            nats: nats.clone(),
        };
        let (boards_of_all, rest) = public::public(shown, info.clone(), token.clone());
        let office = arbiter::router(Office {
            hub: hub.clone(),
            boards,
            door,
            journal,
            // By its number: behind another program it would be that one's own.
            program: child::program().map(|_| format!("/proc/{}/exe", std::process::id()).into()),
            operators: lichess::operator::routes(feeds.rounds())
                .merge(sent::routes(outlets, &feeds))
                .merge(alarms.clone().routes())
                .merge(course_routes)
                .merge(public::operators(hub.clone(), info.clone(), token.clone())),
            arbiters: ringing::routes(hub.clone(), feeds.alerts(), push),
            guests: boards_of_all.merge(tree::http::router(world.documents)),
            open,
        });
        let office = match &info.hall {
            Some(hall) => office.layer(middleware::from_fn_with_state(hall.clone(), reading::when_read)),
            None => office,
        };
        let app = public::serving(office.merge(rest), &hosts);
        let outlets = Outlets { hub, livechess, alarms, chronicle, later };
        outlets.hub.set_touches(config.defaults.touches, touches(config));
        if let Some(later) = &outlets.later {
            later.shown().hub.set_touches(config.defaults.touches, touches(config));
        }
        let broker = nats.clone();
        tokio::spawn(outlets.clone().let_go(token.clone(), move |event| broker.board(&event.board).show(event)));
        let local = local.ok();
        let addresses = Addresses { page, arbiters, socket: local.as_ref().map(|local| local.path().to_owned()) };
        let tls = certificate.map(|c| c.acceptor);
        Ok((Self { outlets, nats, members, livechess: threads, keeping, listener, tls, local, app, addresses }, feeds))
    }

    /// The boards are as their journals left them: from now on anybody may ask.
    pub(crate) fn serve(self, token: &CancellationToken) -> Back {
        let mut serving = Vec::new();
        if let Some(local) = self.local {
            serving.push(tokio::spawn(serve_local(local, self.app.clone(), token.clone())));
        }
        serving.push(tokio::spawn(serve(self.listener, self.tls, self.app, token.clone())));
        let later = self.outlets.later.map(|later| later.shown().chronicle.clone());
        let chronicles = [self.outlets.chronicle].into_iter().chain(later).collect();
        Back { livechess: self.livechess, chronicles, keeping: self.keeping, serving }
    }
}

impl Back {
    /// After the last event: documents are written, pages end.
    pub(crate) async fn end(self) {
        self.chronicles.iter().for_each(EventDesk::end);
        for keeping in self.keeping {
            let _ = keeping.await;
        }
        for serving in self.serving {
            let _ = serving.await;
        }
    }
}

/// What boards and arbiters have, and what the world sees.
struct Sides {
    /// Where it is behind.
    later: Option<Arc<Later>>,
    /// The event as it is now, and its desk.
    live: Broadcast,
    chronicle: EventDesk,
    /// The event as the world sees it.
    world: Broadcast,
    /// The API that shows what is so now.
    livechess: LiveChess,
    threads: Vec<JoinThread>,
    keeping: Vec<JoinHandle<()>>,
}

/// What both sides stand on.
struct Around<'a> {
    hub: &'a Arc<Hub>,
    boards: &'a Boards,
    stopwatch: Stopwatch,
    token: &'a CancellationToken,
    open: &'a Arc<AtomicBool>,
}

fn sides(config: &Config, around: &Around<'_>, info: &mut ServeInfo) -> Result<Sides, ExitError> {
    let &Around { hub, boards, stopwatch, token, open } = around;
    let terms = |lag: Lag| Terms { lag, open: open.clone() };
    let (data_dir, event) = (config.data_dir.clone(), config.event.clone());
    let port = config.livechess.delayed.filter(|_| config.livechess.enabled);
    let delay = match port {
        _ if config.delay.is_on() => config.delay,
        Some(port) => Delay { by: port.by, until_end: false },
        None => Delay::default(),
    };
    if !delay.is_on() {
        let (live, chronicle, keeping) = task::start(event, data_dir, hub.clone(), boards.clone());
        let (livechess, thread) =
            listen::livechess(&config.livechess, terms(Lag::NONE), (stopwatch, token), (hub, hub), live.event.clone(), info)?;
        let (threads, keeping) = (thread.into_iter().collect(), vec![keeping]);
        return Ok(Sides { later: None, world: live.clone(), live, chronicle, livechess, threads, keeping });
    }
    config.advice().iter().filter(|text| text.contains("early = true")).for_each(|text| tracing::warn!("{text}"));
    let shown = hub.shown_later(delay, stopwatch);
    let lag = Lag::general(delay);
    // Where only the second port of the API is behind, the documents are not.
    let all = config.delay.is_on();
    let (world, desk, behind) = task::start_behind(event.clone(), data_dir.clone(), (shown.clone(), hub.clone()), lag, all);
    let mut apis = Vec::new();
    let mut threads = Vec::new();
    let is_live = !all || config.livechess.early;
    let mut start = |config: &crate::config::LiveChess, info: &mut ServeInfo| {
        let (api, thread) = listen::livechess(config, terms(lag), (stopwatch, token), (hub, &shown), world.event.clone(), info)?;
        apis.push(api);
        threads.extend(thread);
        Ok::<_, ExitError>(())
    };
    if !is_live {
        start(&config.livechess, info)?;
    }
    if let Some(port) = port {
        start(&crate::config::LiveChess { listen: port.listen, ..config.livechess.clone() }, info)?;
    }
    let later = Later::new(Shown { hub: shown.clone(), livechess: apis, chronicle: desk.clone() }, delay, stopwatch);
    tokio::spawn(later.clone().run(token.clone()));
    let (live, chronicle, keeping) = {
        let passes = later.clone();
        let in_time: task::InTime = Arc::new(move |act| passes.change(move |_| act()));
        task::start_before(event, data_dir, hub.clone(), boards.clone(), task::Behind { desk, in_time }, !all)
    };
    let livechess = if is_live {
        let (api, thread) =
            listen::livechess(&config.livechess, terms(Lag::NONE), (stopwatch, token), (hub, hub), live.event.clone(), info)?;
        threads.extend(thread);
        api
    } else {
        LiveChess::default()
    };
    let world = if all { world } else { live.clone() };
    Ok(Sides { later: Some(later), live, chronicle, world, livechess, threads, keeping: vec![keeping, behind] })
}

/// The pages. Their end is not the boards' end.
async fn serve(listener: TcpListener, tls: Option<TlsAcceptor>, app: axum::Router, token: CancellationToken) {
    if let Err(error) = serve::serve_app(listener, tls, app, token).await {
        tracing::error!("web: {error}; the boards are still read, restart flagfall to get the page back");
    }
}

/// The machine's own commands. Their end is not the boards' end either.
async fn serve_local(local: Local, app: axum::Router, token: CancellationToken) {
    if let Err(error) = serve::serve_local(local, app, token).await {
        tracing::error!("the machine's own socket: {error}; restart flagfall to get it back");
    }
}

/// The socket for the machine's own commands. Where there can be none the boards are read all the same.
fn own_socket(config: &Config, address: SocketAddr) -> io::Result<Local> {
    Local::listen(&local::own_folders(|name| std::env::var_os(name), config.data_dir.as_deref()), address.port())
}

/// How the door is reached, as the configuration says it.
fn access(config: &Config, address: SocketAddr, encrypted: bool) -> Access {
    let reachable = encrypted || config.web_access.allow_clear_text;
    let host = match address.ip() {
        ip if !ip.is_unspecified() => ip,
        // Without encryption arbiters are served on this machine only.
        _ => tls::own_address().filter(|_| reachable).unwrap_or_else(|| Ipv4Addr::LOCALHOST.into()),
    };
    let scheme = if encrypted { "https" } else { "http" };
    let root = config.web_access.public_url.clone().unwrap_or_else(|| format!("{scheme}://{}", SocketAddr::new(host, address.port())));
    Access {
        allow_clear_text: config.web_access.allow_clear_text,
        port: address.port(),
        root,
        data_dir: config.data_dir.clone(),
        encrypted_outside: config.web_access.behind_tls(),
    }
}

/// Where others reach the pages.
fn reached(config: &Config, address: SocketAddr, encrypted: bool) -> Reached {
    let given = config.web_access.public_url.clone();
    let ip = if address.ip().is_unspecified() { tls::own_address().unwrap_or_else(|| Ipv4Addr::LOCALHOST.into()) } else { address.ip() };
    let only_here = given.is_none() && ip.is_loopback();
    let scheme = if encrypted { "https" } else { "http" };
    let root = given.unwrap_or_else(|| format!("{scheme}://{}", SocketAddr::new(ip, address.port())));
    Reached { root: root.trim_end_matches('/').to_owned(), only_here }
}

/// For the phones of those who stand around: the page's address as a QR code, where somebody looks and phones reach it.
fn show_code(reached: &Reached) {
    if reached.only_here || !io::stderr().is_terminal() {
        return;
    }
    if let Some(code) = qr::terminal(&format!("{}/", reached.root)) {
        output::complain(&format!("{}/ for phones:\n{code}", reached.root));
    }
}

/// Whose touches are, board by board: followed at once.
pub(super) fn touches(config: &Config) -> impl Iterator<Item = (String, Touches)> {
    config.boards.iter().map(|board| (board.name.clone(), board.settings.touches))
}

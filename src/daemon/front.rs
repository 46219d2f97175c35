//! What stands between boards and world: every publisher and the arbiters' console over one hub. A machine with boards (`flagfall run`) and a
//! hall (`flagfall hall`) have the same; they differ in where events come from and where entries go.
use super::listen;
use crate::config::Config;
use crate::exit::ExitError;
use crate::feeds::alarms::Alarms;
use crate::feeds::event_info::desk::EventDesk;
use crate::feeds::event_info::{operator, task};
use crate::feeds::livechess::Thread;
use crate::feeds::outlets::Outlets;
use crate::feeds::running::{self, Feeds};
use crate::feeds::tree;
use crate::feeds::{lichess, nats, sent};
use crate::journal::Journal;
use crate::output;
use crate::time::Stopwatch;
use crate::web::arbiter::door::{Access, Door};
use crate::web::arbiter::{self, Office};
use crate::web::boards::Boards;
use crate::web::guard;
use crate::web::health::HallState;
use crate::web::hub::Hub;
use crate::web::local::{self, Local};
use crate::web::public::{self, Listening, ServeInfo};
use crate::web::serve;
use crate::web::tls;
use flagfall_events::Touches;
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use tokio_rustls::TlsAcceptor;
use tokio_util::sync::CancellationToken;

/// The publishers and the console, standing.
pub(crate) struct Front {
    pub(crate) outlets: Outlets,
    /// The event's broker, as a machine with boards knows it.
    pub(crate) nats: nats::Nats,
    livechess: Thread,
    keeping: JoinHandle<()>,
    listener: TcpListener,
    tls: Option<TlsAcceptor>,
    /// For the machine's own commands.
    local: Option<Local>,
    app: axum::Router,
}

/// What of it is still there when nothing new may come.
pub(crate) struct Back {
    pub(crate) livechess: Thread,
    chronicle: EventDesk,
    keeping: JoinHandle<()>,
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
        hub.set_touches(config.defaults.touches, touches(config));
        let hosts = config.web_access.names();
        let names = guard::Hosts::new(&hosts);
        let certificate = tls::certificate(&config.web_access.tls, config.data_dir.as_deref(), address.ip(), names.names())?;
        // Before the address is said: whoever reads it finds the socket.
        let local = own_socket(config, address);
        output::complain(&format!("web: {}://{address}/", if certificate.is_some() { "https" } else { "http" }));
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
        let mut info = ServeInfo { listeners, hall, ..ServeInfo::default() };
        let (course, chronicle, keeping) = task::start(config.event.clone(), config.data_dir.clone(), hub.clone(), boards.clone());
        let alarms = Alarms::start(hub.clone(), &course.event, stopwatch, token.clone());
        info.now = Some(course.event.clone());
        let (livechess, thread) = listen::livechess(&config.livechess, stopwatch, token, &hub, course.event.clone(), &mut info)?;
        // Before anything may go wrong that somebody is to be told.
        let feeds = running::start(config, &course, &hub, token);
        // A hall has a hand of its own on the broker.
        let (nats, said) = match info.hall {
            None => nats::start(config, journal.as_ref(), &hub, &boards, &chronicle, stopwatch),
            Some(_) => (nats::Nats::default(), None),
        };
        said.iter().for_each(|said| output::complain(said));
        info.nats = Some(Arc::new(nats.clone()));
        let course_routes = operator::routes(course.event.clone(), chronicle.clone());
        let door = Door::new(&config.accounts, access(config, address, certificate.is_some()), token.clone());
        if let Some(link) = door.link() {
            output::complain(&format!("arbiters: {link}"));
            output::complain("  that link lets one browser in, once; `flagfall account link` makes another one");
        }
        let office = arbiter::router(Office {
            hub: hub.clone(),
            boards,
            door,
            journal,
            operators: lichess::operator::routes(feeds.rounds())
                .merge(sent::routes(feeds.rounds(), feeds.targets()))
                .merge(alarms.clone().routes())
                .merge(course_routes)
                .merge(public::operators(hub.clone(), info.clone(), token.clone())),
        });
        let more = office.merge(tree::http::router(course.documents));
        let app = public::router_with(hub.clone(), info, token.clone(), &hosts, more);
        let outlets = Outlets { hub, livechess, alarms, chronicle };
        Ok((
            Self { outlets, nats, livechess: thread, keeping, listener, tls: certificate.map(|c| c.acceptor), local: local.ok(), app },
            feeds,
        ))
    }

    /// The boards are as their journals left them: from now on anybody may ask.
    pub(crate) fn serve(self, token: &CancellationToken) -> Back {
        let mut serving = Vec::new();
        if let Some(local) = self.local {
            serving.push(tokio::spawn(serve_local(local, self.app.clone(), token.clone())));
        }
        serving.push(tokio::spawn(serve(self.listener, self.tls, self.app, token.clone())));
        Back { livechess: self.livechess, chronicle: self.outlets.chronicle, keeping: self.keeping, serving }
    }
}

impl Back {
    /// After the last event: documents are written, pages end.
    pub(crate) async fn end(self) {
        self.chronicle.end();
        let _ = self.keeping.await;
        for serving in self.serving {
            let _ = serving.await;
        }
    }
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

/// Whose touches are, board by board: followed at once.
pub(super) fn touches(config: &Config) -> impl Iterator<Item = (String, Touches)> {
    config.boards.iter().map(|board| (board.name.clone(), board.settings.touches))
}

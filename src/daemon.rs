//! `flagfall run`: links, boards and publishers wired together; signals, systemd, and the order in which everything ends.
//!
//! | to change | go to |
//! |---|---|
//! | what happens to one board's bytes, entries and verdicts | `daemon/desk.rs` |
//! | its deadlines; what it says: events, commands, questions | `daemon/saying.rs` |
//! | how a board begins: from its journal, after a mistake, on a new day | `daemon/begin.rs` |
//! | a board's time beside the daemon's | `daemon/times.rs` |
//! | captures of what the boards say | `daemon/recorder.rs` |
//! | how far the world was told, where it is behind | `daemon/marks.rs` |
//! | what the boards share, and how one is added | `daemon/hall.rs` |
//! | publishers and console, the same for a machine with boards and for a hall | `daemon/front.rs` |
//! | a machine that stood still, and read late what boards had said | `daemon/still.rs`, `daemon/waited.rs`; its patience at the end: `daemon/farewell.rs` |
//! | how much a board may say | `daemon/throttle.rs` |
//! | how many files and connections may be open | `daemon/descriptors.rs` |
//! | opening the listeners | `daemon/listen.rs` |
//! | a task that starts again after a mistake | `daemon/guarded.rs` |
//! | what systemd is told | `daemon/service.rs` |
//! | SIGHUP | `daemon/reload.rs` |
//! | the log | `daemon/logging.rs` |
//! | whose board is on which cable | `daemon/homes.rs`, `daemon/stranger.rs` |
//! | power, temperature, disk, time of day | `daemon/machine.rs` |
//! | figures of boards, queues and the process | `daemon/figures.rs` |
//! | Bluetooth boards | `daemon/bluetooth.rs` |
//! | lines with several boards | `daemon/buses.rs` |
//! | which tasks there are, what ends when | this file |
mod begin;
mod bluetooth;
mod buses;
pub(crate) mod descriptors;
mod desk;
mod farewell;
mod figures;
pub(crate) mod front;
mod guarded;
mod hall;
mod homes;
pub(crate) mod listen;
pub mod logging;
mod machine;
mod marks;
mod recorder;
pub(crate) mod reload;
mod saying;
pub(crate) mod service;
mod still;
mod stranger;
mod throttle;
mod times;
mod waited;

pub use front::Addresses;
pub use reload::Reread;

use crate::beats::{Beat, Beats};
use crate::config::{Config, LinkAddress};
use crate::exit::ExitError;
use crate::feeds::outlets::Outlets;
use crate::feeds::witness;
use crate::journal::{Journal, JournalError};
use crate::link::discovery::candidates;
use crate::link::serial;
use crate::link::watch::{Watch, watch};
use crate::output;
use crate::time::Stopwatch;
use crate::web::boards::Boards;
use crate::web::hub::Hub;
use flagfall_solver::{child, worker::Worker};
use front::{Front, Needs};
use guarded::guarded;
use hall::{Outboxes, PlayingHall};
use homes::Homes;
use machine::{Machine, Places};
use marks::{Keeper, Marks};
use recorder::Recorder;
use reload::Following;
use service::Service;
use std::collections::HashSet;
use std::future::Future;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tracing::Instrument as _;

/// How often systemd's line is compared with how things are.
const LOOK: Duration = Duration::from_secs(1);

/// How often it is kept how far the world was told, where it is behind.
const MARKS: Duration = Duration::from_secs(5);

/// From the first signal on everything has so long to end; the unit gives ten seconds.
const FAREWELL: Duration = Duration::from_secs(8);

/// Where the daemon finds the machine it runs on, and its configuration when it is asked to read it again.
#[derive(Clone, Debug)]
pub struct Options {
    /// The folder of devices.
    pub dev: PathBuf,
    /// Where the kernel tells about devices.
    pub sys: PathBuf,
    /// Where running services tell about themselves.
    pub run: PathBuf,
    /// What SIGHUP reads; without it only the lists of pairings.
    pub reread: Option<Reread>,
    /// Who in this process is told once it can be found.
    pub found_at: Option<mpsc::UnboundedSender<Addresses>>,
}

impl Options {
    /// Tells where it is found.
    pub(crate) fn tell(&self, addresses: &Addresses) {
        if let Some(found_at) = &self.found_at {
            // Whoever asked may not care any more.
            let _ = found_at.send(addresses.clone());
        }
    }
}

impl Default for Options {
    fn default() -> Self {
        Self { dev: PathBuf::from("/dev"), sys: PathBuf::from("/sys"), run: PathBuf::from("/run"), reread: None, found_at: None }
    }
}

/// Runs `main` on a runtime of its own until it ends. The first SIGTERM or SIGINT cancels its token, a second one ends everything at once.
///
/// # Errors
/// What `main` says; 74 after a second signal.
pub fn block_on<F>(main: impl FnOnce(CancellationToken) -> F) -> Result<(), ExitError>
where
    F: Future<Output = Result<(), ExitError>>,
{
    let cannot = |error: io::Error| ExitError::unavailable(format_args!("cannot start: {error}; is the system out of memory or files?"));
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().map_err(cannot)?;
    let ended = runtime.block_on(async {
        let (terminate, interrupt) = (signal(SignalKind::terminate()).map_err(cannot)?, signal(SignalKind::interrupt()).map_err(cannot)?);
        let token = CancellationToken::new();
        tokio::select! {
            ended = main(token.clone()) => ended,
            () = second_signal(terminate, interrupt, token) => {
                Err(ExitError::io("stopped at once by a second signal; the last second of the captures may be missing"))
            }
        }
    });
    // A port that is being opened may hold its thread for long.
    runtime.shutdown_background();
    ended
}

async fn second_signal(mut terminate: Signal, mut interrupt: Signal, token: CancellationToken) {
    for _ in 0..2 {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
        if !token.is_cancelled() {
            token.cancel();
            continue;
        }
        break;
    }
}

/// Runs the daemon until `token` is cancelled; returns when everything is flushed.
///
/// # Errors
/// What keeps it from starting: a link this build does not serve (78), an address that cannot be listened on (69, 77), a folder for
/// captures that cannot be written (74, 77). Once started it stays: a board that is missing is a state.
pub async fn run(config: Config, options: Options, token: CancellationToken) -> Result<(), ExitError> {
    bluetooth::check(&config)?;
    descriptors::ask_for_enough();
    // From here on a hang-up ends nothing.
    let hangups = hangups()?;
    let stopwatch = Stopwatch::start();
    let beats = Beats::of_systemd(stopwatch);
    let own = beats.join("the daemon");
    let (listener, address) = listen::listen("web", config.web).await?;
    let recorder = match &config.capture {
        Some(folder) => Some(Recorder::start(folder.clone(), stopwatch).map_err(|error| ExitError::writing(folder, &error))?),
        None => None,
    };
    let (recorder, writer) = recorder.unzip();
    let hub = Hub::new();
    let no_evidence = Arc::new(Mutex::new(None));
    let journal = journal(&config, &hub, stopwatch, &token, &no_evidence)?;
    journal.iter().for_each(|journal| {
        let beat = beats.join("the journal");
        journal.beating(beat.every(), move || beat.turn());
    });
    let boards = Boards::default();
    let needs =
        Needs { hub: hub.clone(), stopwatch, boards: boards.clone(), journal: journal.clone(), web: (listener, address), hall: None };
    let (front, feeds) = Front::start(&config, needs, &token)?;
    options.tell(&front.addresses);
    let places = Places { sys: options.sys.clone(), run: options.run.clone(), data: config.data_dir.clone() };
    let nats = front.nats.clone();
    let following = Following { config: config.clone(), reread: options.reread.clone(), feeds, members: front.members.clone() };
    let later = front.outlets.later.is_some();
    let marks = if later { Marks::load(config.data_dir.as_deref(), stopwatch) } else { Marks::default() };
    let keeper = config.data_dir.as_deref().filter(|_| journal.is_some()).and_then(|folder| {
        if !later {
            marks::forget(folder);
        }
        Keeper::new(folder, &marks).filter(|_| later)
    });
    let hall = Arc::new(PlayingHall {
        marks,
        defaults: Mutex::new(config.defaults.clone()),
        wanted: Mutex::default(),
        beats: beats.clone(),
        homes: Homes::load(config.data_dir.as_deref()),
        machine: Machine::start(places, &hub, stopwatch, token.clone()),
        config,
        stopwatch,
        outlets: front.outlets.clone(),
        recorder,
        journal: journal.clone(),
        desks: TaskTracker::new(),
        solver: solver(),
        boards,
        nats: nats.clone(),
        open: Mutex::default(),
        outboxes: Outboxes::default(),
    });
    let searching = hall.config.boards.is_empty() && hall.config.buses.is_empty() && hall.config.discovery.serial;
    if searching && candidates(&options.dev, &options.sys).is_ok_and(|found| found.is_empty()) {
        output::complain(
            "no board is plugged in yet; one that is plugged in appears by itself, else `flagfall doctor` says what stands in the way",
        );
    }
    if let Some(journal) = &journal {
        journal.read_ahead(
            &hall.config.boards.iter().map(|board| (board.name.as_str(), &board.settings)).collect::<Vec<_>>(),
            &service::at_work(stopwatch),
        );
    }
    let links = links(&hall, &options, &token);
    // The boards are as their journals left them before anybody asks for them.
    let mut back = front.serve(&token);
    match &journal {
        Some(journal) => witness::start(&hall.config.witnesses, journal, &hub, &token),
        None if !hall.config.witnesses.is_empty() => {
            output::complain("[[witness]]: without journals there is nothing to witness; set data_dir or --data-dir")
        }
        None => {}
    }
    figures::register(&hall);
    let keeping = keeper.map(|keeper| tokio::spawn(keep_marks(hall.outboxes.clone(), keeper, token.clone())));
    let service = turn(&hall.outlets, |config| hall.want(config), following, hangups, own, &token).await;
    service.stopping();
    let ending = Arc::new(Mutex::new("the links"));
    let stage = ending.clone();
    let ends = move |what| *stage.lock().unwrap_or_else(PoisonError::into_inner) = what;
    let ended = async move {
        // Links first: what they have read still reaches the boards; then the boards; then the disk.
        links.close();
        links.wait().await;
        hall.open.lock().unwrap_or_else(PoisonError::into_inner).clear();
        ends("the boards");
        hall.desks.close();
        hall.desks.wait().await;
        ends("the journals");
        let outboxes = hall.outboxes.clone();
        drop(hall);
        let mut keeper = match keeping {
            Some(keeping) => keeping.await.ok(),
            None => None,
        };
        let livechess = std::mem::take(&mut back.livechess);
        // The threads only end or have panicked; either way nothing more is written.
        let _ = tokio::task::spawn_blocking(move || {
            journal.inspect(|journal| journal.finish());
            // Everything that the journals have is published.
            if let Some(keeper) = &mut keeper {
                outboxes.save(keeper);
            }
            outboxes.end();
            writer.into_iter().chain(livechess).map(std::thread::JoinHandle::join).for_each(drop);
        })
        .await;
        // After the last event that was published.
        ends("the broker");
        nats.end().await;
        ends("the publishers");
        back.end().await;
    };
    if !farewell::within(FAREWELL, ended).await {
        let ending = *ending.lock().unwrap_or_else(PoisonError::into_inner);
        return Err(ExitError::io(format_args!(
            "{ending} could not be ended in {} s, the last lines of the journals may be missing; look at the disk or card (dmesg)",
            FAREWELL.as_secs()
        )));
    }
    let why = no_evidence.lock().unwrap_or_else(PoisonError::into_inner).take();
    why.map_or(Ok(()), |why: String| Err(ExitError::io(format_args!("evidence is required and cannot be kept: {why}"))))
}

/// SIGHUP, which ends nothing from now on.
pub(crate) fn hangups() -> Result<Signal, ExitError> {
    signal(SignalKind::hangup()).map_err(|error| ExitError::unavailable(format_args!("cannot listen to signals: {error}")))
}

/// The daemon's own loop: signals, and what systemd is told; `want` tells the boards of another configuration. Ends with `token`.
pub(crate) async fn turn(
    outlets: &Outlets,
    want: impl Fn(&Config),
    mut following: Following,
    mut hangups: Signal,
    own: Beat,
    token: &CancellationToken,
) -> Service {
    let mut service = Service::default();
    service.ready(&outlets.hub);
    let mut ticks = tokio::time::interval(LOOK.min(own.every()));
    loop {
        own.turn();
        tokio::select! {
            () = token.cancelled() => return service,
            Some(()) = hangups.recv() => {
                service.reloading();
                let done = following.reload(outlets, &want).await;
                match &done {
                    Ok(()) => tracing::info!("the configuration was read again"),
                    Err(why) => tracing::error!("the configuration is refused, the old one stays: {why}"),
                }
                service.note(done.err().map(|why| format!("configuration refused: {why}")));
                service.ready(&outlets.hub);
            }
            _ = ticks.tick() => service.status(&outlets.hub),
        }
    }
}

/// Keeps how far the world was told, until `token` is cancelled; gives the keeper back for the last time.
async fn keep_marks(outboxes: Outboxes, mut keeper: Keeper, token: CancellationToken) -> Keeper {
    loop {
        let saved = outboxes.clone();
        let done = tokio::task::spawn_blocking(move || {
            saved.save(&mut keeper);
            keeper
        });
        keeper = match done.await {
            Ok(keeper) => keeper,
            // A mistake of ours: the next start knows less.
            Err(_) => std::future::pending().await,
        };
        tokio::select! {
            () = token.cancelled() => return keeper,
            () = tokio::time::sleep(MARKS) => {}
        }
    }
}

/// The journals, where there is a place for them. What ends them where they are required goes into `why`, and the daemon ends.
fn journal(
    config: &Config,
    hub: &Arc<Hub>,
    stopwatch: Stopwatch,
    token: &CancellationToken,
    why: &Arc<Mutex<Option<String>>>,
) -> Result<Option<Arc<Journal>>, ExitError> {
    let Some(folder) = &config.data_dir else {
        return if config.journal.required {
            Err(ExitError::config("journal.required = true, but there is no place for journals; set data_dir or --data-dir"))
        } else {
            output::complain("no place for journals: nothing is recorded; set data_dir or --data-dir");
            Ok(None)
        };
    };
    let (why, token) = (why.clone(), token.clone());
    let fatal = Arc::new(move |reason| {
        why.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(reason);
        token.cancel();
    });
    let started = Journal::start(folder, config.journal.clone(), hub.clone(), stopwatch, fatal);
    started.map(|journal| Some(Arc::new(journal))).map_err(|error| match error {
        JournalError::InUse { .. } => ExitError::unavailable(error),
        JournalError::Io(path, error) => ExitError::writing(&path, &error),
    })
}

fn solver() -> Option<Arc<Worker>> {
    let started = Worker::start(flagfall_solver::Settings::default(), child::program());
    started.map(Arc::new).map_err(|error| tracing::error!("the solver cannot be started: {error}; dead positions are not recognised")).ok()
}

/// Starts every link; the tracker knows when all have ended.
fn links(hall: &Arc<PlayingHall>, options: &Options, token: &CancellationToken) -> TaskTracker {
    let links = TaskTracker::new();
    let stopwatch = hall.stopwatch;
    let mut named = Vec::new();
    for board in &hall.config.boards {
        let LinkAddress::Serial(path) = &board.link else { continue };
        let (path, token) = (path.clone(), token.clone());
        let events = hall.desk(&board.name, || board.settings.clone());
        named.push(path.clone());
        let span = tracing::info_span!("board", board = board.name);
        let link = guarded(token.clone(), move || {
            let (path, events, token) = (path.clone(), events.clone(), token.clone());
            async move { serial::keep(&path, &events, stopwatch, &token).await }
        });
        links.spawn(link.instrument(span));
    }
    buses::start(hall, &links, token, &mut named);
    if hall.config.discovery.serial {
        let hall = hall.clone();
        let taken: HashSet<_> = hall.config.boards.iter().map(|board| board.name.clone()).collect();
        let attach = move |name: &str, port: &Path| {
            let link = LinkAddress::Serial(port.to_owned()).to_string();
            hall.desk(name, || hall.found(link))
        };
        let watched = Watch { dev: options.dev.clone(), sys: options.sys.clone(), named, taken, stopwatch, attach: Arc::new(attach) };
        let token = token.clone();
        links.spawn(guarded(token.clone(), move || {
            let (watched, token) = (watched.clone(), token.clone());
            async move { watch(watched, &token).await }
        }));
    }
    bluetooth::start(hall, &links, token);
    links
}

//! What the daemon sees of it: its start, the way in for a board's events, its end.
use super::board::{Board, Stand};
use super::cursor::{self, Cursors};
use super::figures::Metrics;
use super::station::Station;
use super::wire::{self, Names};
use super::witnessed::Witnessed;
use super::{session, status};
use crate::event_info::desk::EventDesk;
use crate::ledger::{Book, Ledger};
use flagfall_config::Config;
use flagfall_events::Event;
use flagfall_journal::way::Ways;
use flagfall_journal::{Journal, Recovered, Said};
use flagfall_time::Stopwatch;
use flagfall_web::boards::Boards;
use flagfall_web::health::{Broker, NatsHealth};
use flagfall_web::hub::Hub;
use std::fmt;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

/// When the daemon ends, the last events have so long to go out; the next start sends the rest.
const FAREWELL: Duration = Duration::from_millis(1_500);

/// The daemon's hand on it; clones lead to the same.
#[derive(Clone, Default)]
pub struct Nats(Option<Arc<Station>>);

impl fmt::Debug for Nats {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Nats").field("on", &self.0.is_some()).finish_non_exhaustive()
    }
}

/// Begins to publish, where the configuration says so; `open` is whether there is anything public here, which a hall may change. Without a journal there is nothing to publish from. Beside it, what is said at the start.
pub fn start(
    config: &Config,
    journal: Option<&Arc<Journal>>,
    hub: &Arc<Hub>,
    entries: &Boards,
    chronicle: &EventDesk,
    open: &Arc<AtomicBool>,
    stopwatch: Stopwatch,
) -> (Nats, Option<String>) {
    let Some(settings) = config.nats.clone() else { return (Nats::default(), None) };
    let Some(journal) = journal else {
        let text = "there are no journals, and only what is journaled is published; set data_dir or --data-dir";
        hub.alarm("feed-failing", "nats", Some(String::from(text)));
        return (Nats::default(), Some(format!("nats: {text}")));
    };
    let pi = settings.pi();
    let station = Arc::new(Station {
        names: Names::new(&settings.event),
        token: wire::token(&pi),
        pi,
        data_dir: journal.data_dir().to_owned(),
        hub: hub.clone(),
        entries: entries.clone(),
        chronicle: chronicle.clone(),
        stopwatch,
        boards: Mutex::default(),
        journal: journal.clone(),
        witnessed: Witnessed::default(),
        ways: Ways::default(),
        grown: watch::Sender::new(0),
        open: open.clone(),
        lan_public: config.lan_public,
        delay_ms: config.delay.is_on().then(|| config.delay.millis()),
        cursors: Cursors::load(journal.data_dir(), &settings.event),
        metrics: Metrics::new(hub.metrics()),
        ledger: Ledger::default(),
        away: Mutex::new(Some((stopwatch.now(), String::from("no server has answered yet")))),
        given: Mutex::default(),
        tasks: TaskTracker::new(),
        stop: CancellationToken::new(),
        config: settings,
    });
    let said = format!("nats: event {} as {}, {}", station.names.event(), station.pi, station.config.servers.join(", "));
    station.tasks.spawn(session::run(station.clone()));
    station.tasks.spawn(status::watch(station.clone()));
    (Nats(Some(station)), Some(said))
}

impl Nats {
    /// The way in for a board's events.
    pub fn board(&self, name: &str) -> Feed {
        let Some(station) = &self.0 else { return Feed(None) };
        let mut boards = station.boards.lock().unwrap_or_else(PoisonError::into_inner);
        let board = boards.entry(String::from(name)).or_insert_with(|| Board::new(name)).clone();
        station.grown.send_replace(boards.len());
        Feed(Some((station.clone(), board)))
    }

    /// What the stream took; `None`: there is none.
    pub fn sent(&self) -> Option<Book> {
        self.0.as_ref().map(|station| station.ledger.book())
    }

    /// After the last event: lets what is on its way arrive, writes the cursor, ends.
    pub async fn end(&self) {
        let Some(station) = &self.0 else { return };
        let arrived = async {
            while station.behind() > 0 && station.trouble().is_none() {
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        };
        // The rest is sent at the next start.
        _ = tokio::time::timeout(FAREWELL, arrived).await;
        station.stop.cancel();
        station.tasks.close();
        _ = tokio::time::timeout(FAREWELL, station.tasks.wait()).await;
        let saved = station.clone();
        _ = tokio::task::spawn_blocking(move || saved.cursors.save()).await;
    }
}

impl Broker for Nats {
    fn health(&self) -> Option<NatsHealth> {
        let station = self.0.as_ref()?;
        // One lock after the other, never two at once.
        let connected = station.away.lock().unwrap_or_else(PoisonError::into_inner).is_none();
        let settings = station.given.lock().unwrap_or_else(PoisonError::into_inner).values().map(|(given, _)| given.clone()).collect();
        Some(NatsHealth {
            connected,
            reason: station.trouble().map(|(_, why)| why),
            behind: station.behind(),
            event: String::from(station.names.event()),
            pi: station.pi.clone(),
            settings,
        })
    }
}

/// The way in for one board's events.
#[derive(Clone)]
pub struct Feed(Option<(Arc<Station>, Arc<Board>)>);

impl fmt::Debug for Feed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Feed").finish_non_exhaustive()
    }
}

impl Feed {
    /// The board's journal is read: from here on its events are published. Reads and writes a small file.
    pub fn begin(&self, recovered: &Recovered) {
        let Some((station, board)) = &self.0 else { return };
        let said = recovered.seq.saturating_sub(recovered.unseen.len() as u64);
        // A journal that begins anew after another one: the other one is of another day.
        let first = recovered.events.first().filter(|_| !recovered.fresh).map_or(said, |event| event.seq.saturating_sub(1));
        let mut stand = Stand { epoch: cursor::epoch(&station.data_dir, &board.name), from: first, said, acked: first };
        if let Some(cursor) = station.cursors.get(&board.name).filter(|cursor| cursor.epoch == stand.epoch) {
            if cursor.seq > said {
                tracing::warn!("board {}: its journal has lost what was published; it is published anew", board.name);
                stand.epoch = cursor::new_epoch(&station.data_dir, &board.name);
            } else {
                (stand.from, stand.acked) = (cursor.from, cursor.seq.max(cursor.from));
            }
        }
        let kept = cursor::Cursor { epoch: stand.epoch.clone(), from: stand.from, seq: stand.acked };
        station.cursors.set(&board.name, kept);
        board.begin(stand, recovered.board.games() == 0);
        station.grown.send_modify(|_| ());
    }

    /// This is public by now, where that is behind. Never waits.
    pub fn show(&self, public: &Arc<Event>) {
        if let Some((_, board)) = &self.0 {
            board.show(public);
        }
    }

    /// Takes an event that is safe in the journal. Never waits.
    pub fn publish(&self, said: &Said) {
        if let Some((station, board)) = &self.0 {
            board.say(said, station.stopwatch);
        }
    }
}

//! All boards of this API: who has which serial number, what each shows now, and who is told when it changes.
//!
//! Fed by one task; the clients' sessions read.
use super::feed::Named;
use super::objects::{EBoard, Source, State};
use super::picture::Picture;
use crate::delay::Lag;
use flagfall_events::{Body, Event};
use flagfall_score::board::BoardState;
use flagfall_web::stage::BoardOrder;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::{broadcast, watch};

/// Pictures a client may lag behind; then it gets the newest one.
const LAG: usize = 64;

/// All boards.
#[derive(Debug)]
pub(crate) struct Pictures {
    tables: Mutex<BTreeMap<BoardOrder, Table>>,
    lag: Lag,
    /// Counts the changes of serial numbers.
    seating: watch::Sender<u64>,
}

#[derive(Debug)]
struct Table {
    now: Arc<Picture>,
    live: broadcast::Sender<Arc<Picture>>,
}

impl Pictures {
    pub(crate) fn new(lag: Lag) -> Self {
        Self { lag, tables: Mutex::default(), seating: watch::channel(0).0 }
    }

    /// Makes a board known before its first event.
    pub(crate) fn register(&self, board: &str, link: &str) {
        let mut tables = self.lock();
        if !tables.contains_key(&BoardOrder::new(board)) {
            let mut picture = Picture::new(board.into(), link, self.lag);
            picture.serialnr = free_serialnr(&tables, board, board);
            tables.insert(BoardOrder::new(board), Table { now: Arc::new(picture), live: broadcast::channel(LAG).0 });
        }
    }

    /// Takes an event that was published.
    pub(crate) fn apply(&self, event: &Event) {
        self.register(&event.board, "");
        let mut tables = self.lock();
        let key = BoardOrder::new(&event.board);
        let reseated = match &event.body {
            Body::Identity { serial, .. } => seat(&mut tables, &key, serial.as_deref().unwrap_or(&event.board)),
            _ => false,
        };
        if let Some(table) = tables.get_mut(&key) {
            let mut picture = table.now.as_ref().clone();
            if picture.apply(event) {
                table.now = Arc::new(picture);
                // Nobody listening is no failure.
                _ = table.live.send(table.now.clone());
            }
        }
        drop(tables);
        if reseated {
            self.seating.send_modify(|n| *n += 1);
        }
    }

    /// Shows a board as it stands now, where events of it were not told.
    pub(crate) fn again(&self, state: &BoardState) {
        self.register(state.board(), "");
        let serial = state.identity().and_then(|identity| identity.serial.as_deref());
        let reseated = serial.is_some_and(|serial| seat(&mut self.lock(), &BoardOrder::new(state.board()), serial));
        self.change(state.board(), |picture| picture.again(state));
        if reseated {
            self.seating.send_modify(|n| *n += 1);
        }
    }

    /// Changes what is known of a board beside its events.
    pub(crate) fn change(&self, board: &str, change: impl FnOnce(&mut Picture)) {
        if let Some(table) = self.lock().get_mut(&BoardOrder::new(board)) {
            let mut picture = table.now.as_ref().clone();
            change(&mut picture);
            picture.version += 1;
            table.now = Arc::new(picture);
            // Nobody listening is no failure.
            _ = table.live.send(table.now.clone());
        }
    }

    /// What a client means by `name`: a serial number, else a board's name.
    pub(crate) fn find(&self, name: &str) -> Option<(Named, Arc<Picture>)> {
        let tables = self.lock();
        let by_serial = tables.values().find(|t| &*t.now.serialnr == name && t.now.serialnr != t.now.board);
        let by_name = || tables.values().find(|t| &*t.now.board == name || &*t.now.serialnr == name);
        match by_serial {
            Some(table) => Some((Named::Serial(name.into()), table.now.clone())),
            None => by_name().map(|table| (Named::Table(name.into()), table.now.clone())),
        }
    }

    /// The newest picture of a board, and those that follow.
    pub(crate) fn watch(&self, board: &str) -> Option<(Arc<Picture>, broadcast::Receiver<Arc<Picture>>)> {
        let tables = self.lock();
        let table = tables.get(&BoardOrder::new(board))?;
        Some((table.now.clone(), table.live.subscribe()))
    }

    /// Changes when a serial number goes to another board.
    pub(crate) fn seating(&self) -> watch::Receiver<u64> {
        self.seating.subscribe()
    }

    /// All boards in the order of their numbers.
    pub(crate) fn pictures(&self) -> Vec<Arc<Picture>> {
        self.lock().values().map(|table| table.now.clone()).collect()
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<BoardOrder, Table>> {
        // Every change under the lock is complete before the next begins.
        self.tables.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Gives `serial` to the board at `key`; whether anything changed.
fn seat(tables: &mut BTreeMap<BoardOrder, Table>, key: &BoardOrder, serial: &str) -> bool {
    let board = key.name().clone();
    if tables.get(key).is_none_or(|table| &*table.now.serialnr == serial) {
        return false;
    }
    // An e-board that was carried to another table: where it is gone from, the table's name is left.
    let left: Vec<BoardOrder> =
        tables.iter().filter(|(k, t)| *k != key && &*t.now.serialnr == serial && !t.now.up).map(|(k, _)| k.clone()).collect();
    for key in left {
        let name = free_serialnr(tables, key.name(), key.name());
        rename(tables, &key, name);
    }
    let serialnr = free_serialnr(tables, serial, &board);
    rename(tables, key, serialnr);
    true
}

fn rename(tables: &mut BTreeMap<BoardOrder, Table>, key: &BoardOrder, serialnr: Arc<str>) {
    if let Some(table) = tables.get_mut(key) {
        let picture = table.now.as_ref();
        table.now = Arc::new(Picture { serialnr, version: picture.version + 1, ..picture.clone() });
    }
}

/// `wanted` unless another board has it: then the board's name, or that with a number behind.
fn free_serialnr(tables: &BTreeMap<BoardOrder, Table>, wanted: &str, board: &str) -> Arc<str> {
    let taken = |name: &str| tables.values().any(|t| &*t.now.board != board && &*t.now.serialnr == name);
    let mut names = [wanted, board].map(String::from).into_iter().chain((2..).map(|n| format!("{board}-{n}")));
    names.find(|name| !taken(name)).unwrap_or_else(|| board.to_owned()).into()
}

/// The e-boards as clients list them: those that answer first, then by number.
pub(crate) fn eboards(pictures: &[Arc<Picture>]) -> Vec<EBoard> {
    let mut boards: Vec<EBoard> = pictures.iter().map(|picture| eboard(picture)).collect();
    // The sort keeps the order of numbers within each state.
    boards.sort_by_key(|board| board.state != Some(State::Active));
    boards
}

/// An e-board that is not there.
pub(crate) const fn absent(serialnr: Arc<str>) -> EBoard {
    EBoard { serialnr, source: None, state: Some(State::Inactive), battery: None, comment: None, board: None, flipped: false, clock: None }
}

fn eboard(picture: &Picture) -> EBoard {
    let (device, present) = device(picture);
    let state = match (picture.up, present) {
        (true, _) if picture.silent => State::NotResponding,
        (true, _) => State::Active,
        (false, true) => State::NotResponding,
        (false, false) => State::Inactive,
    };
    EBoard {
        source: (state != State::Inactive).then_some(device),
        state: Some(state),
        battery: picture.battery.filter(|_| picture.up).map(|percent| format!("{percent}%")),
        board: picture.placement.clone(),
        clock: picture.clock(),
        ..absent(picture.serialnr.clone())
    }
}

/// Where boards are or should be plugged in.
pub(crate) fn sources(pictures: &[Arc<Picture>]) -> Vec<Source> {
    let source = |picture: &Arc<Picture>| {
        let (device, present) = device(picture);
        let kind = if picture.link.starts_with("ble:") || picture.link.starts_with("rfcomm:") { "BLUETOOTH" } else { "SERIAL" };
        Source { r#type: kind, device, name: None, present, active: picture.up, status: None }
    };
    pictures.iter().map(source).collect()
}

/// The port's name as the system has it, and whether it is there. A stable link is followed to the port.
fn device(picture: &Picture) -> (String, bool) {
    let (kind, address) = picture.link.split_once(':').unwrap_or(("", &picture.link));
    if kind != "serial" {
        return (address.to_owned(), picture.up);
    }
    let name = |path: &Path| path.file_name().map(|name| name.to_string_lossy().into_owned());
    if picture.lag.is_behind() {
        // What is plugged in now is not what was.
        return (name(Path::new(address)).unwrap_or_else(|| address.to_owned()), picture.up);
    }
    let port = std::fs::canonicalize(address);
    let shown = name(port.as_deref().unwrap_or_else(|_| Path::new(address))).unwrap_or_else(|| address.to_owned());
    (shown, picture.up || port.is_ok())
}

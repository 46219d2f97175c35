//! Lines with several boards: which there are, who gets what their boards say, where every byte of them is kept.
use super::guarded::guarded;
use super::hall::PlayingHall;
use crate::config::{Bus, LinkAddress};
use crate::journal::what::What;
use crate::journal::{Carried, Journal, Track};
use crate::link::bus::{self, BusSetup, Direction, Record, Seat, Tell, Trouble};
use crate::time::Stopwatch;
use dgt_protocol::bus::BusAddress;
use flagfall_events::Mono;
use flagfall_game::settings::Settings;
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tracing::Instrument as _;

/// On which line a board was met last.
type Met = Arc<Mutex<HashMap<BusAddress, String>>>;

/// Starts all lines; the ports that they take are `named`, so that nobody else asks there.
pub(super) fn start(hall: &Arc<PlayingHall>, links: &TaskTracker, token: &CancellationToken, named: &mut Vec<PathBuf>) {
    let met = Met::default();
    for bus in &hall.config.buses {
        // Boards that were named are known before they answer, in the order of the file.
        for (board, _) in hall.config.boards_on(bus) {
            hall.desk(&board.name, || board.settings.clone());
        }
        named.push(bus.path.clone());
        let setup = setup(hall, bus, &met);
        let link = {
            let token = token.clone();
            guarded(token.clone(), move || {
                let (setup, token) = (setup.clone(), token.clone());
                async move { bus::keep(&setup, &token).await }
            })
        };
        links.spawn(link.instrument(tracing::info_span!("line", line = bus.name)));
    }
}

fn setup(hall: &Arc<PlayingHall>, bus: &Bus, met: &Met) -> BusSetup {
    let stopwatch = hall.stopwatch;
    let link = LinkAddress::Bus(bus.path.clone()).to_string();
    BusSetup {
        path: bus.path.clone(),
        name: bus.name.clone(),
        dtr: bus.dtr,
        rts: bus.rts,
        expected: hall.config.boards_on(bus).map(|(_, address)| address).collect(),
        discover: bus.discover,
        stopwatch,
        attach: attach(hall.clone(), bus.name.clone(), link.clone(), met.clone()),
        record: hall.journal.as_ref().map(|journal| record(journal, &bus.name, link, stopwatch)),
        tell: tell(hall, &bus.name),
        time_of_day: Arc::new(move |t| crate::time::local_time(stopwatch.opened_at().after(t))),
    }
}

/// A board keeps its name on whichever line it is: its address is its serial number. One that nobody named is called by that.
fn attach(hall: Arc<PlayingHall>, line: String, link: String, met: Met) -> bus::Attach {
    Arc::new(move |address| {
        let before = met.lock().unwrap_or_else(PoisonError::into_inner).insert(address, line.clone());
        let named = hall.config.boards.iter().find(|board| board.address == Some(address));
        let name = named.map_or_else(|| format!("{:05}", address.number()), |board| board.name.clone());
        if let Some(before) = before.filter(|before| *before != line) {
            tracing::warn!("board {name} answers on {line}; it was on {before}");
        }
        let events = match named {
            Some(board) => hall.desk(&name, || board.settings.clone()),
            None => hall.desk(&name, || hall.found(link.clone())),
        };
        Some(Seat { name, events })
    })
}

/// What operators are told of a line.
fn tell(hall: &Arc<PlayingHall>, line: &str) -> Tell {
    let (hub, line) = (hall.outlets.hub.clone(), String::from(line));
    Arc::new(move |trouble, text| {
        if let Some(text) = &text {
            tracing::warn!("{text}");
        }
        let (key, about) = match trouble {
            Trouble::Line => ("line-failing", line.clone()),
            Trouble::Cut => ("line-cut", line.clone()),
            Trouble::Noise => ("line-noisy", line.clone()),
            Trouble::Twice(address) => ("address-twice", format!("{line}, address {}", address.number())),
            Trouble::TooMany => ("line-full", line.clone()),
        };
        hub.alarm(key, &about, text);
    })
}

/// The journal of one line.
struct Kept {
    track: Track,
    settings: Settings,
    stopwatch: Stopwatch,
    /// The daemon's time at which the journal that is written began, and the day it is of.
    began: Mono,
    day: Option<String>,
}

impl Kept {
    /// A new journal with every start and every day.
    async fn add(&mut self, t: Mono, direction: Direction, bytes: Vec<u8>) {
        let day = crate::time::local_day(self.stopwatch.opened_at().after(t)).to_string();
        if self.day.as_ref() != Some(&day) {
            self.track.next_journal(&self.settings, 0, Carried::default(), None).await;
            (self.day, self.began) = (Some(day), t);
        }
        let what = match direction {
            Direction::Heard => What::Heard(bytes),
            Direction::Sent => What::Out(bytes),
        };
        self.track.line(Mono::from_millis(t.since(self.began)), what).await;
    }
}

/// Keeps every byte of a line in a journal of its own, beside those of its boards.
fn record(journal: &Arc<Journal>, line: &str, link: String, stopwatch: Stopwatch) -> Record {
    let track = journal.track(&format!("bus {line}"), Arc::new(|_| ()));
    let settings = Settings { link, ..Settings::default() };
    let kept = Arc::new(tokio::sync::Mutex::new(Kept { track, settings, stopwatch, began: Mono::ZERO, day: None }));
    Arc::new(move |t, direction, bytes| {
        let kept = kept.clone();
        Box::pin(async move { kept.lock().await.add(t, direction, bytes).await })
    })
}

//! Which boards are wanted, which were seen, and when each may be talked to next.
use super::candidate::{Candidate, End, Wanted};
use super::connection::Device;
use super::names::Names;
use super::session::Loss;
use super::setup::Setup;
use crate::back_off::BackOff;
use crate::event::{Events, LinkEvent};
use flagfall_events::Mono;
use flagfall_time::Stopwatch;
use std::collections::HashMap;
use std::sync::Arc;

/// A named board that was not heard for so long is told, milliseconds.
const MISSING: u64 = 10_000;
/// What no waiting mends: a missing key, a board that was never calibrated.
const BY_HAND: u64 = 30_000;
/// Something else that uses the same service is asked again after so long.
const OTHER: u64 = 600_000;

struct Entry {
    candidate: Candidate,
    busy: bool,
    /// It was heard since the last talk.
    heard: bool,
    not_before: Mono,
    back_off: BackOff,
    told: Option<String>,
}

struct Named {
    /// In capitals: its address, or its name until the address is known.
    target: String,
    address: Option<String>,
    events: Events,
    told: Option<String>,
}

/// The register.
pub(super) struct Boards {
    named: Vec<Named>,
    finding: bool,
    entries: HashMap<String, Entry>,
    names: Names,
    stopwatch: Stopwatch,
    searching_since: Mono,
}

impl Boards {
    pub(super) fn new(setup: &Setup) -> Self {
        let named = setup.named.iter().map(|named| {
            let target = named.target.trim().to_uppercase();
            let address = is_address(&target).then(|| target.clone());
            Named { target, address, events: named.events.clone(), told: None }
        });
        Self {
            named: named.collect(),
            finding: setup.discover.is_some(),
            entries: HashMap::new(),
            names: Names::default(),
            stopwatch: setup.stopwatch,
            searching_since: setup.stopwatch.now(),
        }
    }

    pub(super) fn names(&self) -> Names {
        self.names.clone()
    }

    /// Whether this device is wanted. A name counts once: after its first connection a board may come with another one, its address stays.
    pub(super) fn recognise(&mut self, address: &str, names: [Option<&str>; 2], offers: bool) -> Option<Wanted> {
        if let Some(index) = self.named.iter().position(|named| named.address.as_deref() == Some(address)) {
            return Some(Wanted::Named(index));
        }
        if !offers {
            return None;
        }
        let is_it =
            |named: &Named| named.address.is_none() && names.iter().flatten().any(|name| name.trim().to_uppercase() == named.target);
        if let Some(index) = self.named.iter().position(is_it) {
            self.named[index].address = Some(String::from(address));
            return Some(Wanted::Named(index));
        }
        // Its name may come a moment later, and be one that is wanted.
        let nameless = names.iter().all(Option::is_none) && self.named.iter().any(|named| named.address.is_none());
        (self.finding && !nameless).then_some(Wanted::Found)
    }

    /// A wanted device; `here`: it was heard just now, or is connected.
    pub(super) fn seen(&mut self, address: &str, wanted: Wanted, device: Arc<Device>, trusted: bool, here: bool) {
        let candidate = Candidate { device, wanted, trusted };
        match self.entries.get_mut(address) {
            Some(entry) => {
                entry.heard |= here;
                if !entry.busy {
                    entry.candidate = candidate;
                }
            }
            None => {
                let entry = Entry { candidate, busy: false, heard: here, not_before: Mono::ZERO, back_off: BackOff::new(), told: None };
                self.entries.insert(String::from(address), entry);
            }
        }
    }

    /// Its radio was heard.
    pub(super) fn heard(&mut self, address: &str) {
        if let Some(entry) = self.entries.get_mut(address) {
            entry.heard = true;
        }
    }

    /// Somebody talks to it.
    pub(super) fn is_busy(&self, address: &str) -> bool {
        self.entries.get(address).is_some_and(|entry| entry.busy)
    }

    /// Whom to talk to now; they are busy from here on.
    pub(super) fn take_ready(&mut self) -> Vec<(String, Candidate)> {
        let now = self.stopwatch.now();
        let ready = self.entries.iter_mut().filter(|(_, entry)| entry.heard && !entry.busy && entry.not_before <= now);
        ready
            .map(|(address, entry)| {
                (entry.busy, entry.heard) = (true, false);
                (address.clone(), entry.candidate.clone())
            })
            .collect()
    }

    /// Whether anything has to be looked for.
    pub(super) fn is_any_missing(&self) -> bool {
        self.finding || self.named.iter().any(|named| named.address.as_deref().is_none_or(|address| !self.is_busy(address)))
    }

    /// Looking begins, or begins again.
    pub(super) fn search(&mut self) {
        self.searching_since = self.stopwatch.now();
    }

    /// A talk has ended.
    pub(super) fn ended(&mut self, address: &str, end: End) {
        let now = self.stopwatch.now();
        let Some(entry) = self.entries.get_mut(address) else { return };
        entry.busy = false;
        entry.not_before = now + u64::try_from(entry.back_off.next().as_millis()).unwrap_or(0);
        let (news, by_hand) = match end {
            End::Stopped => return,
            End::Lost(loss) => {
                (entry.back_off, entry.told) = (BackOff::new(), None);
                entry.not_before = now + 250;
                tracing::warn!("{address}: {loss}");
                self.searching_since = now;
                // Its board's task knows already.
                let index = entry.candidate.wanted;
                if let Wanted::Named(index) = index {
                    self.named[index].told = Some(loss.to_string());
                }
                return;
            }
            End::Unconnected(why) => (why, false),
            End::Refused(loss) => {
                match loss {
                    Loss::NotABoard => entry.not_before = now + OTHER,
                    Loss::Locked | Loss::KeyRefused | Loss::Uncalibrated => entry.not_before = now + BY_HAND,
                    _ => {}
                }
                let by_hand = matches!(loss, Loss::Locked | Loss::KeyRefused | Loss::Uncalibrated);
                (loss.to_string(), by_hand)
            }
        };
        if entry.told.as_ref() != Some(&news) {
            match entry.candidate.wanted {
                // What uses the same service and is no board is nobody's business.
                Wanted::Found if !by_hand => tracing::info!("{address}: {news}"),
                _ => tracing::warn!("{address}: {news}"),
            }
            entry.told = Some(news.clone());
        }
        if let Wanted::Named(index) = entry.candidate.wanted {
            tell(&mut self.named[index], now, &news);
        }
    }

    /// Says of named boards that nobody hears them.
    pub(super) fn not_found(&mut self) {
        let now = self.stopwatch.now();
        if now.since(self.searching_since) < MISSING {
            return;
        }
        let entries = &self.entries;
        let unheard = |named: &&mut Named| {
            named.told.is_none()
                && named.address.as_ref().and_then(|address| entries.get(address)).is_none_or(|entry| !entry.busy && !entry.heard)
        };
        for named in self.named.iter_mut().filter(unheard) {
            let news = "not heard; switch the board on, and disconnect the phone or program that may hold it";
            tracing::warn!("ble:{}: {news}", named.target);
            tell(named, now, news);
        }
    }

    /// Something keeps all of them away.
    pub(super) fn tell_all(&mut self, news: &str) {
        let now = self.stopwatch.now();
        self.named.iter_mut().for_each(|named| tell(named, now, news));
    }
}

/// Once for each reason. Must not wait: a board's task that is that busy hears of it when it has time.
fn tell(named: &mut Named, now: Mono, news: &str) {
    if named.told.as_deref() != Some(news) {
        named.told = Some(String::from(news));
        let _ = named.events.try_send((now, LinkEvent::Down(String::from(news))));
    }
}

/// `AA:BB:CC:DD:EE:FF`.
fn is_address(text: &str) -> bool {
    text.len() == 17 && text.split(':').count() == 6 && text.split(':').all(|p| p.len() == 2 && p.bytes().all(|b| b.is_ascii_hexdigit()))
}

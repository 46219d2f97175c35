//! In which order passwords are tried, and how often. Each address waits in a short line of its own, and the lines are served in turn; devices and
//! addresses from which that name came in before have places that nobody else can take. Failures slow down the pair of name and address, and the
//! name from unknown addresses; never who is known by a device, and hardly an address that is known.
//!
//! Knows no clock: the time is an argument.
use super::devices::Device;
use crate::places::network;
use flagfall_events::Mono;
use std::cmp::Ordering;
use std::collections::{HashMap, HashSet};
use std::hash::Hash;
use std::net::IpAddr;

/// So many wrong passwords cost nothing but the time they take.
const FREE: u32 = 5;
/// The longest rest of a name at an unknown address after another wrong password there, milliseconds: shorter than anybody waits in line, so that
/// the right password is never refused for somebody else's wrong ones.
const LONGEST_PAIR: u64 = 4_000;
/// The same where the name came in from that address before.
const LONGEST_KNOWN: u64 = 1_000;
/// The longest rest of a name after wrong passwords from unknown addresses, all together.
const LONGEST_NAME: u64 = 2_000;
/// A device is no longer known after so many wrong passwords in a row.
const DEVICE_TRIES: u32 = 10;
/// Forgotten after this long without another one, milliseconds.
const MEMORY: u64 = 15 * 60_000;
/// Pairs, names and addresses remembered at most, each.
const MOST: usize = 4096;
/// Checks at once, and how many of them may be of strangers, or of known addresses.
pub(super) const AT_ONCE: usize = 2;
const OTHERS_AT_ONCE: usize = 1;
/// Strangers in the line of one address, and in all lines together.
const IN_LINE: usize = 3;
const IN_ALL_LINES: usize = 96;
/// The same for one device, and for one name at an address that is known.
const KNOWN_IN_LINE: usize = 2;
const KNOWN_IN_ALL_LINES: usize = 32;

/// Who wants to try a password.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Try {
    pub(super) name: String,
    pub(super) address: IpAddr,
    /// The device, where this name came in from it before.
    pub(super) device: Option<Device>,
}

/// One in line, or at the door.
pub(super) type Ticket = u64;

/// Why a password is not even looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Crowded;

/// Who is next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Next {
    /// This one, now.
    Now(Ticket),
    /// Nobody before then.
    At(Mono),
    /// Nobody until somebody has ended or come.
    Nobody,
}

#[derive(Clone, Copy, Debug, Default)]
struct Failures {
    count: u32,
    last: Mono,
    until: Mono,
}

/// Where one waits: who is known has a line for each device, or for each name at an address; a stranger has the line of the address.
#[derive(Clone, Debug, PartialEq, Eq)]
enum WaitingLine {
    Device(Device),
    Known(IpAddr, String),
    Stranger(IpAddr),
}

impl WaitingLine {
    const fn is_known(&self) -> bool {
        !matches!(self, Self::Stranger(_))
    }

    /// Who is served first: devices, then known addresses, then strangers. Each kind has places of its own.
    const fn kind(&self) -> u8 {
        match self {
            Self::Device(_) => 0,
            Self::Known(..) => 1,
            Self::Stranger(_) => 2,
        }
    }
}

#[derive(Clone, Debug)]
struct Waiting {
    ticket: Ticket,
    line: WaitingLine,
    name: String,
    network: IpAddr,
}

/// Who waits, who is at the door, and what is remembered of wrong passwords.
#[derive(Debug, Default)]
pub(super) struct Attempts {
    pairs: HashMap<(IpAddr, String), Failures>,
    names: HashMap<String, Failures>,
    addresses: HashMap<IpAddr, Failures>,
    devices: HashMap<Device, Failures>,
    /// From where names have come in before.
    known: HashSet<(String, IpAddr)>,
    /// In the order in which they came.
    waiting: Vec<Waiting>,
    running: Vec<Waiting>,
    next: Ticket,
}

impl Attempts {
    /// Takes a place in line, perhaps that of somebody else, who is named beside it.
    pub(super) fn join(&mut self, who: Try, now: Mono) -> Result<(Ticket, Option<Ticket>), Crowded> {
        let network = network(who.address);
        let line = self.line(&who, network);
        let burden = self.burden(network, now);
        if !line.is_known() {
            // Whoever comes often stands behind who comes seldom, whether he is looked at or not.
            count(&mut self.addresses, network, 0, now);
        }
        let of_line = self.waiting.iter().filter(|waiting| waiting.line == line).count();
        let of_kind = self.waiting.iter().filter(|waiting| waiting.line.kind() == line.kind()).count();
        let (most_in_line, most) = if line.is_known() { (KNOWN_IN_LINE, KNOWN_IN_ALL_LINES) } else { (IN_LINE, IN_ALL_LINES) };
        if of_line >= most_in_line {
            return Err(Crowded);
        }
        let mut displaced = None;
        if of_kind >= most {
            if line.is_known() {
                return Err(Crowded);
            }
            // Who tried most makes room for who tried less.
            let strangers = self.waiting.iter().filter(|waiting| !waiting.line.is_known());
            let worst = strangers.map(|waiting| (self.burden(waiting.network, now), waiting.ticket)).max().ok_or(Crowded)?;
            if worst.0 <= burden + 1 {
                return Err(Crowded);
            }
            self.waiting.retain(|waiting| waiting.ticket != worst.1);
            displaced = Some(worst.1);
        }
        let ticket = self.next;
        self.next += 1;
        self.waiting.push(Waiting { ticket, line, name: who.name, network });
        Ok((ticket, displaced))
    }

    /// Whether this one is known, by a device or an address.
    pub(super) fn is_known(&self, ticket: Ticket) -> bool {
        self.waiting.iter().chain(&self.running).any(|one| one.ticket == ticket && one.line.is_known())
    }

    /// Who is to be let to the door, if there is room. Ask again until it is nobody.
    pub(super) fn next(&mut self, now: Mono) -> Next {
        if self.running.len() >= AT_ONCE {
            return Next::Nobody;
        }
        let mut best: Option<((u8, u32, Ticket), usize)> = None;
        let mut earliest: Option<Mono> = None;
        for (index, one) in self.waiting.iter().enumerate() {
            let kind = one.line.kind();
            let of_kind = self.running.iter().filter(|running| running.line.kind() == kind).count();
            if (kind > 0 && of_kind >= OTHERS_AT_ONCE) || self.running.iter().any(|running| running.line == one.line) {
                continue;
            }
            let until = self.rests_until(one);
            if until > now {
                earliest = Some(earliest.map_or(until, |before| before.min(until)));
                continue;
            }
            // Strangers' addresses in turn: who tried less is served first, then who came first.
            let rank = (kind, if one.line.is_known() { 0 } else { self.burden(one.network, now) }, one.ticket);
            if best.is_none_or(|(before, _)| rank < before) {
                best = Some((rank, index));
            }
        }
        match (best, earliest) {
            (Some((_, index)), _) => {
                let one = self.waiting.remove(index);
                let ticket = one.ticket;
                self.running.push(one);
                Next::Now(ticket)
            }
            (None, Some(until)) => Next::At(until),
            (None, None) => Next::Nobody,
        }
    }

    /// One has gone: from the line, or from the door. `Some`: whether the password was right; `None`: it was not looked at after all.
    pub(super) fn gone(&mut self, ticket: Ticket, right: Option<bool>, now: Mono) {
        self.waiting.retain(|one| one.ticket != ticket);
        let Some(index) = self.running.iter().position(|one| one.ticket == ticket) else { return };
        let one = self.running.remove(index);
        let pair = (one.network, one.name.clone());
        match right {
            None => {}
            Some(true) => {
                self.pairs.remove(&pair);
                self.names.remove(&one.name);
                self.addresses.remove(&one.network);
                if let WaitingLine::Device(device) = one.line {
                    self.devices.remove(&device);
                }
                if self.known.len() >= MOST {
                    self.known.clear();
                }
                self.known.insert((one.name, one.network));
            }
            Some(false) => match one.line {
                WaitingLine::Device(device) => count(&mut self.devices, device, 0, now),
                WaitingLine::Known(..) => count(&mut self.pairs, pair, LONGEST_KNOWN, now),
                WaitingLine::Stranger(_) => {
                    count(&mut self.pairs, pair, LONGEST_PAIR, now);
                    count(&mut self.names, one.name, LONGEST_NAME, now);
                }
            },
        }
    }

    fn line(&self, who: &Try, network: IpAddr) -> WaitingLine {
        if let Some(device) = who.device
            && self.devices.get(&device).is_none_or(|failures| failures.count < DEVICE_TRIES)
        {
            return WaitingLine::Device(device);
        }
        if self.known.contains(&(who.name.clone(), network)) {
            return WaitingLine::Known(network, who.name.clone());
        }
        WaitingLine::Stranger(network)
    }

    fn rests_until(&self, one: &Waiting) -> Mono {
        let pair = || self.pairs.get(&(one.network, one.name.clone())).map(|failures| failures.until);
        match one.line {
            WaitingLine::Device(_) => Mono::ZERO,
            WaitingLine::Known(..) => pair().unwrap_or_default(),
            WaitingLine::Stranger(_) => pair().max(self.names.get(&one.name).map(|failures| failures.until)).unwrap_or_default(),
        }
    }

    /// How many passwords came from there lately, since the last right one.
    fn burden(&self, network: IpAddr, now: Mono) -> u32 {
        self.addresses.get(&network).filter(|failures| now.since(failures.last) < MEMORY).map_or(0, |failures| failures.count)
    }
}

fn count<K: Eq + Hash + Clone>(all: &mut HashMap<K, Failures>, key: K, longest: u64, now: Mono) {
    if all.len() >= MOST && !all.contains_key(&key) {
        all.retain(|_, failures| now.since(failures.last) < MEMORY);
        // Still full: the half that is less of a burden is forgotten, all at once, so that it is seldom.
        let mut counts: Vec<(u32, Mono)> = all.values().map(|failures| (failures.count, failures.last)).collect();
        if counts.len() >= MOST {
            let middle = counts.len() / 2;
            let (_, middle, _) = counts.select_nth_unstable(middle);
            let middle = *middle;
            let mut equals = MOST / 2;
            all.retain(|_, failures| match (failures.count, failures.last).cmp(&middle) {
                Ordering::Greater => true,
                Ordering::Less => false,
                // Where all are alike, half of them.
                Ordering::Equal => {
                    equals = equals.saturating_sub(1);
                    equals > 0
                }
            });
        }
    }
    let failures = all.entry(key).or_default();
    if now.since(failures.last) >= MEMORY {
        failures.count = 0;
    }
    failures.count = failures.count.saturating_add(1);
    failures.last = now;
    let doubled = failures.count.checked_sub(FREE).map_or(0, |over| 1000_u64.checked_shl(over).unwrap_or(u64::MAX).min(longest));
    failures.until = now + doubled;
}

#[cfg(test)]
#[path = "attempts_tests.rs"]
mod tests;

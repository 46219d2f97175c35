//! Several boards on one RS-232 line, as a host sees them: they hear every byte, and where two speak at once their bits are ORed.
//!
//! Pure, like the boards: bytes from the host and time in, bytes and time out, in milliseconds. What can be wrong with a line is a [`LineFault`].
use super::bus_side::BusManner;
use super::device::{Device, DeviceConfig, DeviceOutput};
use super::games::bundled;
use super::pace::Kind;
use super::stream::Options;
use super::wire::{BYTE, Split};
use flagfall_events::Mono;
use rand::{Rng as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;
use std::collections::{BTreeMap, VecDeque};
use std::str::FromStr;

/// What is wrong with a line. Boards are counted from 1, from the host outwards.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LineFault {
    /// This board does not hear or say anything; it has its power and keeps its log.
    Dead(usize),
    /// This board's plug is out, and it has no power.
    Unplugged(usize),
    /// The return line is held: only 00 comes.
    Zeros,
    /// The return line is held: only FF comes.
    Ones,
    /// Nothing comes, from anybody.
    Silence,
    /// Bytes are changed, this share of them, and others come from nowhere.
    Noise(f64),
    /// The boards behind this one are cut off; they have their power and keep their logs.
    Cut(usize),
    /// The adapter does not raise the line that feeds the boards' transmitters: nothing comes.
    NoDtr,
    /// A board with this one's address is plugged in beside it.
    Twice(usize),
}

/// Not a fault of a line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is no fault of a line; give dead:N, unplugged:N, zeros, ones, silence, noise:SHARE, cut:N, no-dtr or twice:N")]
pub struct LineFaultError(String);

impl FromStr for LineFault {
    type Err = LineFaultError;

    fn from_str(text: &str) -> Result<Self, LineFaultError> {
        let bad = || LineFaultError(String::from(text));
        let (name, value) = text.split_once(':').map_or((text, None), |(name, value)| (name, Some(value)));
        let board = || value.and_then(|n| n.parse().ok()).filter(|n| *n > 0).ok_or_else(bad);
        Ok(match name {
            "dead" => Self::Dead(board()?),
            "unplugged" => Self::Unplugged(board()?),
            "zeros" if value.is_none() => Self::Zeros,
            "ones" if value.is_none() => Self::Ones,
            "silence" if value.is_none() => Self::Silence,
            "noise" => Self::Noise(value.and_then(|share| share.parse().ok()).filter(|share| (0.0..=1.0).contains(share)).ok_or_else(bad)?),
            "cut" => Self::Cut(board()?),
            "no-dtr" if value.is_none() => Self::NoDtr,
            "twice" => Self::Twice(board()?),
            _ => return Err(bad()),
        })
    }
}

/// The line.
#[derive(Debug)]
pub struct BusLine {
    boards: Vec<Device>,
    /// Boards with the address of the one with this index.
    twins: Vec<(usize, Device)>,
    /// What the host has written and is still on the wire.
    writes: VecDeque<(u64, Vec<u8>)>,
    host_free_at: u64,
    /// A byte a millisecond: what boards say in the same one is ORed.
    slots: BTreeMap<u64, u8>,
    faults: Vec<LineFault>,
    rng: ChaCha8Rng,
    /// Bytes of a fault are made up to here.
    made: u64,
    now: u64,
}

impl BusLine {
    /// A line with these boards, in the order of the cable.
    pub fn new(seed: u64, boards: Vec<Device>) -> Self {
        Self {
            boards,
            twins: Vec::new(),
            writes: VecDeque::new(),
            host_free_at: 0,
            slots: BTreeMap::new(),
            faults: Vec::new(),
            rng: ChaCha8Rng::seed_from_u64(seed ^ 0x0B05_11AE),
            made: 0,
            now: 0,
        }
    }

    /// How a device is to be made for a place on a line: its address is its serial number.
    pub fn config(address: u16, manner: BusManner, config: DeviceConfig) -> DeviceConfig {
        DeviceConfig { serial: address, bus: Some(manner), split: Split::Bytes, damage: 0.0, ..config }
    }

    /// The boards.
    pub fn boards(&self) -> &[Device] {
        &self.boards
    }

    /// A board, counted from 0.
    pub fn board_mut(&mut self, index: usize) -> Option<&mut Device> {
        self.boards.get_mut(index)
    }

    /// From `t` on this is wrong, beside what is wrong already.
    pub fn fail(&mut self, t: Mono, fault: LineFault) {
        self.advance(t);
        if let LineFault::Unplugged(board) = fault
            && let Some(device) = board.checked_sub(1).and_then(|index| self.boards.get_mut(index))
        {
            device.unplug(t);
        }
        if let LineFault::Twice(board) = fault
            && let Some((index, device)) = board.checked_sub(1).and_then(|index| Some((index, self.boards.get(index)?)))
        {
            let options = Options::new(Kind::Clean, device.config().seed ^ 0x7717);
            let config = DeviceConfig { seed: options.seed, ..device.config().clone() };
            if let Some(game) = bundled().first() {
                self.twins.push((index, Device::new(config, options.script(0, game, None))));
            }
        }
        self.made = self.now;
        self.faults.push(fault);
    }

    /// From `t` on nothing is wrong; boards whose plug was out boot.
    pub fn mend(&mut self, t: Mono) {
        self.advance(t);
        self.twins.clear();
        for fault in std::mem::take(&mut self.faults) {
            if let LineFault::Unplugged(board) = fault
                && let Some(device) = board.checked_sub(1).and_then(|index| self.boards.get_mut(index))
            {
                device.replug(t);
            }
        }
    }

    /// Bytes from the host, written at `t`; the boards have them when the wire has.
    pub fn handle(&mut self, t: Mono, bytes: &[u8]) {
        self.advance(t);
        let at = self.host_free_at.max(t.millis() * 1_000) + BYTE * bytes.len() as u64;
        self.host_free_at = at;
        self.writes.push_back((at.div_ceil(1_000), bytes.to_vec()));
    }

    /// Lets the time go by until `t`.
    pub fn advance(&mut self, t: Mono) {
        let t = t.millis().max(self.now);
        while let Some((at, bytes)) = self.writes.pop_front_if(|(at, _)| *at <= t) {
            self.step(at);
            for (index, board) in everybody(&mut self.boards, &mut self.twins) {
                if reaches(&self.faults, index) {
                    board.handle(Mono::from_millis(at), &bytes);
                }
            }
        }
        self.step(t);
    }

    /// All boards live until `t`, and what they say is on the line.
    fn step(&mut self, t: u64) {
        self.now = self.now.max(t);
        for (index, board) in everybody(&mut self.boards, &mut self.twins) {
            board.advance(Mono::from_millis(t));
            while let Some((at, output)) = board.poll() {
                let DeviceOutput::Bytes(bytes) = output else { continue };
                if reaches(&self.faults, index) && !self.faults.iter().any(|fault| drowns(*fault)) {
                    for (byte, at) in bytes.into_iter().zip(at.millis()..) {
                        *self.slots.entry(at).or_default() |= byte;
                    }
                }
            }
        }
        self.disturb(t);
    }

    fn disturb(&mut self, t: u64) {
        let from = self.made;
        self.made = from.max(t);
        for fault in &self.faults {
            match *fault {
                LineFault::Zeros => self.slots.extend((from..t).map(|at| (at + 1, 0x00))),
                LineFault::Ones => self.slots.extend((from..t).map(|at| (at + 1, 0xFF))),
                LineFault::Noise(share) => {
                    for at in from..t {
                        // What boards say has its share, the silence between a tenth of it.
                        match self.slots.get_mut(&(at + 1)) {
                            Some(byte) if self.rng.random_bool(share) => *byte ^= 1 << self.rng.random_range(0..8),
                            None if self.rng.random_bool(share / 10.0) => {
                                let byte = self.rng.random();
                                self.slots.insert(at + 1, byte);
                            }
                            _ => {}
                        }
                    }
                }
                _ => {}
            }
        }
    }

    /// When something happens next by itself.
    pub fn deadline(&self) -> Option<Mono> {
        let boards = self.boards.iter().chain(self.twins.iter().map(|(_, twin)| twin)).filter_map(Device::deadline).map(Mono::millis);
        let write = self.writes.front().map(|(at, _)| *at);
        let slot = self.slots.keys().next().copied();
        let makes = self.faults.iter().any(|fault| matches!(fault, LineFault::Zeros | LineFault::Ones | LineFault::Noise(_)));
        let made = makes.then_some(self.made + 8);
        boards.chain(write).chain(slot).chain(made).min().map(|at| Mono::from_millis(at.max(self.now)))
    }

    /// What the host can read by now: bytes that follow each other without a pause come together.
    pub fn poll(&mut self) -> Option<(Mono, Vec<u8>)> {
        let mut bytes = Vec::new();
        let mut last = None;
        while let Some(slot) = self.slots.first_entry().filter(|slot| *slot.key() <= self.now) {
            if last.is_some_and(|last| *slot.key() > last + 2) || bytes.len() >= 64 {
                break;
            }
            last = Some(*slot.key());
            bytes.push(slot.remove());
        }
        last.map(|at| (Mono::from_millis(at), bytes))
    }

    /// All games are over.
    pub fn is_done(&self) -> bool {
        self.boards.iter().all(Device::is_done)
    }
}

/// All boards, each with its place on the cable.
fn everybody<'a>(boards: &'a mut [Device], twins: &'a mut [(usize, Device)]) -> impl Iterator<Item = (usize, &'a mut Device)> {
    boards.iter_mut().enumerate().chain(twins.iter_mut().map(|(index, twin)| (*index, twin)))
}

/// Whether the board with this index is on the line.
fn reaches(faults: &[LineFault], index: usize) -> bool {
    !faults.iter().any(|fault| match *fault {
        LineFault::Dead(board) | LineFault::Unplugged(board) => board == index + 1,
        LineFault::Cut(behind) => index >= behind,
        _ => false,
    })
}

/// Whether nothing that a board says comes through.
const fn drowns(fault: LineFault) -> bool {
    matches!(fault, LineFault::Zeros | LineFault::Ones | LineFault::Silence | LineFault::NoDtr)
}

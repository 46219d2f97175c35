//! What a board keeps of its bus: the answer it owes, what of its log was sent, and the ping that it skips.
use super::memory::Memory;
use dgt_protocol::clock::ClockTimes;
use std::collections::VecDeque;

/// The board writes its memory so long after a change, microseconds.
const WRITES: u64 = 20_000;

/// How a board behaves on a bus, where boards differ.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BusManner {
    /// Newer boards send their changes as 85 and 8B in turn.
    pub alternates: bool,
}

/// What a board keeps of its bus.
#[derive(Clone, Debug)]
pub(super) struct BusSide {
    pub(super) buffer: Vec<u8>,
    pub(super) answers: VecDeque<(u64, Vec<u8>)>,
    /// Entries of the log from here on were never sent.
    pub(super) owed: u64,
    /// What was sent last, and as what.
    pub(super) last: (u64, u64, bool),
    /// Where the start tag stands.
    pub(super) start: u64,
    pub(super) skips_ping: bool,
    pub(super) writes_until: u64,
    /// It restarts, and hears nothing.
    pub(super) deaf_until: u64,
    /// What the board knows of its clock.
    pub(super) clock: Option<ClockTimes>,
}

impl BusSide {
    pub(super) fn new(memory: &Memory) -> Self {
        let end = memory.end();
        Self {
            buffer: Vec::new(),
            answers: VecDeque::new(),
            owed: end,
            last: (end, end, false),
            start: 0,
            skips_ping: false,
            writes_until: 0,
            deaf_until: 0,
            clock: None,
        }
    }

    pub(super) fn clear(&mut self) {
        self.buffer.clear();
        self.answers.clear();
    }

    /// Power came: what follows in the log was never sent, and nothing is left to be repeated.
    pub(super) fn booted(&mut self, memory: &Memory) {
        *self = Self { start: self.start, clock: self.clock, ..Self::new(memory) };
    }

    /// Something is written into the memory.
    pub(super) fn wrote(&mut self, at: u64) {
        self.writes_until = self.writes_until.max(at + WRITES);
    }

    pub(super) fn deadline(&self) -> Option<u64> {
        self.answers.iter().map(|(at, _)| *at).min()
    }
}

//! The board's own move memory (commands 49, answer 8F): what changed on the fields and what the clock showed at each press.
use dgt_protocol::square::{PieceCode, WirePlacement, WireSquare};

/// Bytes of the ring.
pub const SIZE: usize = 0x1F00;
const POWER_UP: [u8; 4] = [0x7F, 0x7F, 0x7F, 0x6A];
const END: u8 = 0x6B;
const DOWNLOADED: u8 = 0x6E;
const START: u8 = 0x6F;
const START_TURNED: u8 = 0x7A;
const START_TAG: u8 = 0x7B;

/// The log, oldest entry first.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    log: Vec<u8>,
    /// Bytes that were written before those that are left.
    forgotten: u64,
    last_change: Option<u64>,
}

impl Memory {
    /// Power came up with these pieces on the board.
    pub fn power_up(&mut self, pieces: &WirePlacement) {
        self.push(&POWER_UP);
        self.list(pieces);
    }

    /// A field changed at `t` microseconds.
    pub fn change(&mut self, t: u64, square: WireSquare, piece: PieceCode) {
        let quick = self.last_change.is_some_and(|last| t.saturating_sub(last) < 250_000);
        self.last_change = Some(t);
        self.push(&[0x40 | if quick { 0x10 } else { 0 } | piece as u8, square.index()]);
    }

    /// The start position stands, `turned` when White is at the board's other side.
    pub fn start_position(&mut self, turned: bool) {
        self.push(&[if turned { START_TURNED } else { START }]);
    }

    /// The lever changed; the side just stopped shows this many seconds.
    pub fn clock(&mut self, right: bool, seconds: u32) {
        let bcd = |n: u32| u8::try_from(n / 10 * 16 + n % 10).unwrap_or(0);
        let hours = u8::try_from(seconds / 3600 % 10).unwrap_or(0);
        self.push(&[if right { 0x60 } else { 0x70 } | hours, bcd(seconds / 60 % 60), bcd(seconds % 60)]);
    }

    /// The log as it is sent, and the mark that it was.
    pub fn download(&mut self) -> Vec<u8> {
        self.push(&[DOWNLOADED]);
        let mut bytes = self.log.clone();
        bytes.push(END);
        bytes.resize(SIZE, 0);
        bytes
    }

    /// A game begins by order of the host, with these pieces.
    pub fn start_tag(&mut self, pieces: &WirePlacement) {
        self.push(&[START_TAG]);
        self.list(pieces);
    }

    /// Where the next entry will stand, in bytes since the memory was new.
    pub fn end(&self) -> u64 {
        self.forgotten + self.log.len() as u64
    }

    /// What was written from there up to there, as far as it is left.
    pub fn between(&self, from: u64, to: u64) -> &[u8] {
        let place = |at: u64| usize::try_from(at.saturating_sub(self.forgotten)).unwrap_or(usize::MAX).min(self.log.len());
        self.log.get(place(from)..place(to)).unwrap_or_default()
    }

    fn list(&mut self, pieces: &WirePlacement) {
        for (index, piece) in pieces.iter().enumerate().filter(|(_, piece)| **piece != PieceCode::Empty) {
            self.push(&[0x40 | *piece as u8, u8::try_from(index).unwrap_or(0)]);
        }
    }

    fn push(&mut self, entry: &[u8]) {
        self.log.extend_from_slice(entry);
        // The oldest entries make room, as in the ring; one byte stays free for the end mark.
        let surplus = self.log.len().saturating_sub(SIZE - 1);
        self.log.drain(..surplus);
        self.forgotten += surplus as u64;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_written_as_the_reference_shows_them() {
        let mut memory = Memory::default();
        let e2 = WireSquare::new(0x34).unwrap();
        let e4 = WireSquare::new(0x24).unwrap();
        memory.change(1_000_000, e2, PieceCode::Empty);
        memory.change(1_100_000, e4, PieceCode::WhitePawn);
        memory.clock(true, 5370);
        memory.clock(false, 178);
        let bytes = memory.download();
        assert_eq!(bytes.len(), SIZE);
        assert_eq!(bytes[..12], [0x40, 0x34, 0x51, 0x24, 0x61, 0x29, 0x30, 0x70, 0x02, 0x58, DOWNLOADED, END]);
    }

    #[test]
    fn a_full_log_forgets_its_oldest_entries() {
        let mut memory = Memory::default();
        for _ in 0..SIZE {
            memory.clock(true, 59);
        }
        let bytes = memory.download();
        assert_eq!((bytes.len(), bytes[SIZE - 1]), (SIZE, END));
        assert!(bytes.iter().all(|b| *b < 0x80));
    }
}

//! The board's own move memory: the payload of 8F, and the data of bus answers 85, 86 and 8B.
//!
//! ```text
//! 40–5F  2 bytes   0 1 0 r nnnn   nnnn = piece, r = less than about 250 ms since the entry before; then the field
//! 60–69  3 bytes   right clock side: low nibble hours; minutes BCD; seconds BCD
//! 70–79  3 bytes   left clock side, the same
//! 6A 6B 6C 6D 6E 6F 7A 7B 7C 7D 7E 7F 00   1 byte, tags
//! ```
//!
//! The memory is a ring of 1F00 bytes, oldest entry first. Bytes after the end mark are undefined. Where the ring wrapped,
//! the first entry may be cut, and what is left of it can look like another one: distrust what comes before the first
//! entry that [`Entry::is_anchor`].
//!
//! What the log means: piece entries equal field updates, but a flickering piece overwrites its own entry. A time is written
//! when the lever changes, for the side just stopped; initial times are not in it.
use crate::clock::{Side, SideTime};
use crate::parse::{self, Step, any, field, sixtieth};
use crate::square::{PieceCode, WireSquare};
use bytes::BufMut;
use core::fmt;
use nom::Parser;

/// One entry of the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Entry {
    /// 40–5F: one field now reads this piece.
    Piece {
        /// Which field.
        square: WireSquare,
        /// What it reads now.
        piece: PieceCode,
        /// Bit r: less than about 250 ms since the entry before. A hint at best.
        quick: bool,
    },
    /// 60–69, 70–79: the time of the side that was just stopped.
    Time {
        /// Which side of the clock, never swapped for a turned board.
        side: Side,
        /// What it showed. The log has no flags.
        time: SideTime,
    },
    /// 6A: power-up. Three [`Entry::Nop`] precede it; an entry for every piece on the board follows.
    PowerUp,
    /// 6B: the end of the log.
    End,
    /// 6C: set up on the outer four rows but not the normal start, as in Chess960. A hint: look at the pieces.
    FourRows,
    /// 6D: no piece on the board.
    EmptyBoard,
    /// 6E: the log was read at this point.
    Downloaded,
    /// 6F: the start position, connector at White's left.
    BeginPosition,
    /// 7A: the start position, board turned by half.
    BeginPositionTurned,
    /// 7B: a game was begun by bus command 85.
    StartTag,
    /// 7C: the watchdog acted.
    Watchdog,
    /// 7D: reserved by the header; newer boards may log a clock state with it.
    Future1,
    /// 7E: reserved by the header; newer boards may log a bus address with it.
    Future2,
    /// 7F: nothing.
    Nop,
    /// 00: nothing, the second form.
    Nop2,
}

/// Entries that are one byte.
const TAGS: [(u8, Entry); 13] = [
    (0x00, Entry::Nop2),
    (0x6A, Entry::PowerUp),
    (0x6B, Entry::End),
    (0x6C, Entry::FourRows),
    (0x6D, Entry::EmptyBoard),
    (0x6E, Entry::Downloaded),
    (0x6F, Entry::BeginPosition),
    (0x7A, Entry::BeginPositionTurned),
    (0x7B, Entry::StartTag),
    (0x7C, Entry::Watchdog),
    (0x7D, Entry::Future1),
    (0x7E, Entry::Future2),
    (0x7F, Entry::Nop),
];

impl Entry {
    /// Appends its one to three bytes. Times out of range become the highest in range; flags are not logged.
    pub fn write_to(&self, out: &mut impl BufMut) {
        match self {
            Self::Piece { square, piece, quick } => {
                out.put_slice(&[0x40 | u8::from(*quick) << 4 | piece.to_byte(), square.index()]);
            }
            Self::Time { side, time } => {
                let first = match side {
                    Side::Right => 0x60,
                    Side::Left => 0x70,
                };
                out.put_slice(&[first | time.hours.min(9), parse::to_bcd(time.minutes), parse::to_bcd(time.seconds)]);
            }
            tag => TAGS.iter().filter(|(_, entry)| entry == tag).for_each(|(byte, _)| out.put_u8(*byte)),
        }
    }

    /// After it entries can be trusted even where the ring wrapped: power-up, a start position or tag, an empty board.
    pub const fn is_anchor(&self) -> bool {
        matches!(self, Self::PowerUp | Self::BeginPosition | Self::BeginPositionTurned | Self::StartTag | Self::EmptyBoard)
    }
}

/// The entries of a log, one at a time, up to and including the first end mark.
///
/// What is no entry costs one byte and is counted; so are the bytes below 40 at the beginning, which are the rest of a lost
/// entry.
///
/// ```
/// use dgt_protocol::memory::{Entries, Entry};
/// let mut log = Entries::new(&[0x40, 0x34, 0x51, 0x24, 0x61, 0x29, 0x30, 0x6B, 0x12]);
/// let lines: Vec<String> = log.by_ref().map(|entry| entry.to_string()).collect();
/// assert_eq!(lines, ["e2 empty", "e4 P, quick", "right 1:29:30", "end of log"]);
/// assert_eq!(log.skipped(), 0);
/// ```
#[derive(Clone, Debug)]
pub struct Entries<'a> {
    rest: &'a [u8],
    skipped: usize,
    ended: bool,
}

impl<'a> Entries<'a> {
    /// Reads a whole memory, or the data of a bus answer. Bytes below 40 at the front are skipped.
    pub fn new(log: &'a [u8]) -> Self {
        let cut = log.iter().take_while(|&&byte| byte < 0x40).count();
        Self { rest: log.get(cut..).unwrap_or_default(), skipped: cut, ended: false }
    }
    /// Bytes so far that were no entry.
    pub const fn skipped(&self) -> usize {
        self.skipped
    }
    /// The end mark was met. A log without one is damaged or longer than the ring.
    pub const fn ended(&self) -> bool {
        self.ended
    }
    /// What was not read: after the end mark, the undefined bytes.
    pub const fn remainder(&self) -> &'a [u8] {
        self.rest
    }
}

impl Iterator for Entries<'_> {
    type Item = Entry;

    fn next(&mut self) -> Option<Entry> {
        while !self.ended && !self.rest.is_empty() {
            if let Ok((rest, entry)) = entry(self.rest) {
                self.rest = rest;
                self.ended = entry == Entry::End;
                return Some(entry);
            }
            self.rest = self.rest.get(1..).unwrap_or_default();
            self.skipped += 1;
        }
        None
    }
}

fn entry(input: &[u8]) -> Step<'_, Entry> {
    let (rest, first) = any(input)?;
    match first {
        0x40..=0x5F => {
            field.map(|square| Entry::Piece { square, piece: PieceCode::from_nibble(first), quick: first & 0x10 != 0 }).parse(rest)
        }
        0x60..=0x69 => time(Side::Right, first & 0x0F, rest),
        0x70..=0x79 => time(Side::Left, first & 0x0F, rest),
        _ => parse::one("a log entry", |byte| TAGS.iter().find_map(|(tag, entry)| (*tag == byte).then_some(*entry)))(input),
    }
}

fn time(side: Side, hours: u8, input: &[u8]) -> Step<'_, Entry> {
    (sixtieth, sixtieth)
        .map(|(minutes, seconds)| Entry::Time { side, time: SideTime { hours, minutes, seconds, ..SideTime::default() } })
        .parse(input)
}

impl fmt::Display for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Piece { square, piece, quick } => {
                let quick = if *quick { ", quick" } else { "" };
                return if piece.is_empty() { write!(f, "{square} empty{quick}") } else { write!(f, "{square} {piece}{quick}") };
            }
            Self::Time { side: Side::Left, time } => return write!(f, "left {time}"),
            Self::Time { side: Side::Right, time } => return write!(f, "right {time}"),
            Self::PowerUp => "power-up",
            Self::End => "end of log",
            Self::FourRows => "four rows",
            Self::EmptyBoard => "empty board",
            Self::Downloaded => "downloaded",
            Self::BeginPosition => "start position",
            Self::BeginPositionTurned => "start position, board turned",
            Self::StartTag => "start of a game",
            Self::Watchdog => "watchdog",
            Self::Future1 => "reserved 7D",
            Self::Future2 => "reserved 7E",
            Self::Nop => "nothing",
            Self::Nop2 => "nothing, 00",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::{vec, vec::Vec};

    #[test]
    fn every_tag_comes_back() {
        for (byte, tag) in TAGS {
            let mut bytes = Vec::new();
            tag.write_to(&mut bytes);
            assert_eq!(bytes, [byte]);
            // A byte below 40 would be taken for the rest of a lost entry at the front of a log.
            bytes.insert(0, 0x7F);
            assert_eq!(Entries::new(&bytes).last(), Some(tag));
        }
    }

    #[test]
    fn what_is_no_entry_costs_one_byte() {
        // The rest of a lost time; a piece on field 7F; a time with 6A seconds, whose last byte is then a power-up; 10 unknown.
        let log = [0x29, 0x30, 0x41, 0x7F, 0x61, 0x10, 0x6A, 0x10, 0x6F, 0x6B, 0x40];
        let mut entries = Entries::new(&log);
        let found: Vec<_> = entries.by_ref().collect();
        assert_eq!(found, vec![Entry::Nop, Entry::PowerUp, Entry::BeginPosition, Entry::End]);
        assert_eq!((entries.skipped(), entries.ended(), entries.remainder()), (6, true, &[0x40][..]));
    }

    #[test]
    fn an_end_mark_inside_another_entry_is_not_the_end() {
        // 6B cannot stand in a whole entry (fields end at 3F, BCD at 59), only in a damaged one, where it is read by itself.
        let mut entries = Entries::new(&[0x40, 0x6B, 0x41, 0x24]);
        assert_eq!(entries.next(), Some(Entry::End));
        assert_eq!(entries.next(), None);
        let mut open = Entries::new(&[0x41]);
        assert_eq!((open.next(), open.skipped(), open.ended()), (None, 1, false));
    }
}

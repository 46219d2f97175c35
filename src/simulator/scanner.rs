//! The board's sensors: 64 fields read one after another, again and again.
//!
//! A pass takes 200–250 ms. A field is reported when the pass comes by it and it reads differently from the last time: so a piece may be seen
//! on its new square before the old one reads empty, and what comes and goes between two passes is never seen.
use dgt_protocol::square::{PieceCode, WirePlacement, WireSquare};

/// In which order a pass goes over the fields, in the board's own numbering.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ScanOrder {
    /// Row by row.
    #[default]
    Rows,
    /// Column by column.
    Columns,
    /// Row by row, every other one from its end.
    Snake,
    /// Row by row from the last field to the first.
    Backwards,
}

impl ScanOrder {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Rows, Self::Columns, Self::Snake, Self::Backwards];

    /// As files write it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Rows => "rows",
            Self::Columns => "columns",
            Self::Snake => "snake",
            Self::Backwards => "backwards",
        }
    }

    /// The how manieth field of a pass this one is, from 0.
    pub const fn place(self, index: u8) -> u8 {
        let (row, column) = (index / 8, index % 8);
        match self {
            Self::Rows => index,
            Self::Columns => column * 8 + row,
            Self::Snake if row % 2 == 1 => row * 8 + 7 - column,
            Self::Snake => index,
            Self::Backwards => 63 - index,
        }
    }
}

/// The fields as they are, and as they were last read. Times are microseconds.
#[derive(Clone, Debug)]
pub struct Scanner {
    physical: WirePlacement,
    image: WirePlacement,
    period: u64,
    phase: u64,
    order: ScanOrder,
    /// Fields touched since they were last read, with the moment they are read next.
    due: Vec<(u64, u8)>,
}

impl Scanner {
    /// A board on which `pieces` stand and have been read. `period` is one pass in microseconds, at least 64; `phase` shifts it.
    pub fn new(pieces: WirePlacement, period: u64, phase: u64) -> Self {
        let period = period.max(64);
        Self { physical: pieces, image: pieces, period, phase: phase % period, order: ScanOrder::Rows, due: Vec::new() }
    }

    /// The same sensors, read in this order.
    #[must_use]
    pub fn in_order(self, order: ScanOrder) -> Self {
        Self { order, ..self }
    }

    /// One pass, microseconds.
    pub const fn period(&self) -> u64 {
        self.period
    }

    /// What the fields read at the last pass.
    pub const fn image(&self) -> &WirePlacement {
        &self.image
    }

    /// What stands on the fields now.
    pub const fn physical(&self) -> &WirePlacement {
        &self.physical
    }

    /// A hand changed a field at `t`.
    pub fn set(&mut self, t: u64, square: WireSquare, piece: PieceCode) {
        let index = square.index();
        self.physical[usize::from(index)] = piece;
        if !self.due.iter().any(|(_, i)| *i == index) {
            self.due.push((self.next_read(t, index), index));
        }
    }

    /// When the next touched field is read.
    pub fn deadline(&self) -> Option<u64> {
        self.due.iter().map(|(at, _)| *at).min()
    }

    /// The field read next, if that is at or before `t` and it reads differently; fields that read the same are passed over.
    pub fn poll(&mut self, t: u64) -> Option<(u64, WireSquare, PieceCode)> {
        loop {
            let (slot, &(at, index)) = self.due.iter().enumerate().min_by_key(|(_, due)| **due)?;
            if at > t {
                return None;
            }
            self.due.swap_remove(slot);
            let field = usize::from(index);
            if self.image[field] != self.physical[field] {
                self.image[field] = self.physical[field];
                return Some((at, WireSquare::new(index)?, self.image[field]));
            }
        }
    }

    /// Power came back: everything is read afresh.
    pub fn restart(&mut self) {
        self.image = self.physical;
        self.due.clear();
    }

    fn next_read(&self, t: u64, index: u8) -> u64 {
        let offset = (self.phase + u64::from(self.order.place(index)) * self.period / 64) % self.period;
        if t <= offset {
            return offset;
        }
        let passes = (t - offset).div_ceil(self.period);
        offset + passes * self.period
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use PieceCode::{Empty, WhitePawn};

    fn field(index: u8) -> WireSquare {
        WireSquare::new(index).unwrap()
    }

    fn board() -> Scanner {
        let mut pieces = [Empty; 64];
        pieces[52] = WhitePawn;
        Scanner::new(pieces, 64_000, 0)
    }

    #[test]
    fn a_piece_appears_before_its_old_square_reads_empty() {
        let mut board = board();
        board.set(10_000, field(52), Empty);
        board.set(20_000, field(36), WhitePawn);
        assert_eq!(board.poll(100_000), Some((36_000, field(36), WhitePawn)));
        assert_eq!(board.poll(100_000), Some((52_000, field(52), Empty)));
        assert_eq!((board.poll(100_000), board.deadline()), (None, None));
    }

    #[test]
    fn every_order_reads_every_field_once_a_pass() {
        for order in ScanOrder::ALL {
            let mut places: Vec<u8> = (0..64).map(|index| order.place(index)).collect();
            places.sort_unstable();
            assert_eq!(places, (0..64).collect::<Vec<u8>>(), "{order:?}");
        }
        // From the top left corner: the second field of the first row, of the first column, the last of the second row, the first of all.
        let second = |order: ScanOrder| (0..64).find(|index| order.place(*index) == 1);
        assert_eq!([second(ScanOrder::Rows), second(ScanOrder::Columns), second(ScanOrder::Backwards)], [Some(1), Some(8), Some(62)]);
        assert_eq!(ScanOrder::Snake.place(15), 8);
        let mut board = board().in_order(ScanOrder::Backwards);
        board.set(0, field(52), Empty);
        assert_eq!(board.poll(100_000), Some((11_000, field(52), Empty)));
    }

    #[test]
    fn what_happens_between_two_passes_is_not_seen() {
        let mut board = board();
        board.set(37_000, field(36), WhitePawn);
        board.set(90_000, field(36), Empty);
        assert_eq!(board.deadline(), Some(100_000));
        assert_eq!(board.poll(200_000), None);
    }

    #[test]
    fn nothing_is_read_before_its_time() {
        let mut board = board();
        board.set(10_000, field(36), WhitePawn);
        assert_eq!(board.poll(35_999), None);
        assert_eq!(board.image()[36], Empty);
        assert!(board.poll(36_000).is_some());
    }

    #[test]
    fn a_field_is_read_within_one_pass() {
        let mut board = board();
        for t in (0..300_000).step_by(777) {
            for index in 0..64 {
                let next = board.next_read(t, index);
                assert!((t..t + 64_000).contains(&next), "{t} {index} {next}");
            }
        }
        board.set(5, field(0), WhitePawn);
    }
}

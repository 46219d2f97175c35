//! What fields of a Bluetooth LE board read: occupied or empty, never a piece.
use core::fmt;

/// What one field reads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Field {
    /// 00: nothing stands here.
    #[default]
    Empty,
    /// Anything but 00 and 7F: a piece stands here; which one is not known.
    Occupied,
    /// 7F: the board is locked and tells nothing.
    Locked,
}

impl Field {
    pub(crate) const fn of(byte: u8) -> Self {
        match byte {
            0x00 => Self::Empty,
            0x7F => Self::Locked,
            _ => Self::Occupied,
        }
    }

    pub(crate) const fn byte(self) -> u8 {
        match self {
            Self::Empty => 0x00,
            Self::Occupied => 0x01,
            Self::Locked => 0x7F,
        }
    }
}

/// The 64 fields of a dump, wire square 0 (a8) first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Dump(pub [Field; 64]);

impl Dump {
    /// The board has no accepted developer key: every field reads 7F.
    pub fn is_locked(&self) -> bool {
        self.0.iter().all(|field| *field == Field::Locked)
    }

    /// A piece on every field: no position, but a board that was never calibrated.
    pub fn is_full(&self) -> bool {
        self.0.iter().all(|field| *field == Field::Occupied)
    }

    /// Bit `i`: wire square `i` is occupied.
    pub fn occupied(&self) -> u64 {
        let bits = self.0.iter().enumerate().filter(|(_, field)| **field == Field::Occupied);
        bits.fold(0, |set, (index, _)| set | 1 << index)
    }

    /// The dump in which exactly these wire squares are occupied.
    pub fn of(occupied: u64) -> Self {
        Self(core::array::from_fn(|index| if occupied >> index & 1 == 1 { Field::Occupied } else { Field::Empty }))
    }
}

impl fmt::Display for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Empty => "empty",
            Self::Occupied => "occupied",
            Self::Locked => "locked",
        })
    }
}

impl fmt::Display for Dump {
    /// Eight ranks of eight fields, a8 first: `.` empty, `o` occupied, `?` locked; `locked` where all are.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_locked() {
            return f.write_str("locked");
        }
        for (index, field) in self.0.iter().enumerate() {
            let gap = if index > 0 && index % 8 == 0 { "/" } else { "" };
            let shown = match field {
                Field::Empty => '.',
                Field::Occupied => 'o',
                Field::Locked => '?',
            };
            write!(f, "{gap}{shown}")?;
        }
        Ok(())
    }
}

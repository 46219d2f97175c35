//! Who is meant on a bus, and the checksum behind everything said there.
use core::fmt;

/// A board on a bus: its serial number as a 14-bit number. How serials above 16383 map is not documented; ask 46.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BusAddress(u16);

impl BusAddress {
    /// Address 0: every board on the line.
    pub const ALL: Self = Self(0);

    /// `None` above 16383.
    pub const fn new(address: u16) -> Option<Self> {
        if address < 1 << 14 { Some(Self(address)) } else { None }
    }
    /// The number, 0..=16383.
    pub const fn number(self) -> u16 {
        self.0
    }
    /// The two bytes on the wire, each below 80.
    pub const fn bytes(self) -> [u8; 2] {
        [(self.0 >> 7) as u8, (self.0 & 0x7F) as u8]
    }
    /// From the two bytes on the wire; D7 of both is ignored.
    pub const fn from_bytes([high, low]: [u8; 2]) -> Self {
        Self(((high & 0x7F) as u16) << 7 | (low & 0x7F) as u16)
    }
}

impl fmt::Display for BusAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == Self::ALL { f.write_str("all boards") } else { write!(f, "board {}", self.0) }
    }
}

/// The sum of `bytes`, & 7F: the last byte of every command and answer on a bus.
pub fn checksum(bytes: &[u8]) -> u8 {
    bytes.iter().fold(0u8, |sum, byte| sum.wrapping_add(*byte)) & 0x7F
}

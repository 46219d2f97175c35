//! Messages of one board, with their ids, names and lengths.
use crate::clock::ClockReport;
use crate::frame::{MEMORY_SIZE, PAYLOAD, TEXT_MAX};
use crate::pegasus::{Dump, Field};
use crate::square::{PieceCode, WirePlacement, WireSquare};
use alloc::{boxed::Box, string::String, vec::Vec};

/// One whole, checked message from one board: on a wire, or over Bluetooth LE, where fields read occupied or empty.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Message {
    /// 86: all 64 fields.
    BoardDump(Box<WirePlacement>),
    /// 86 with 103 bytes: a 10×10 draughts board, 100 fields, raw.
    TenByTenDump(Vec<u8>),
    /// 8D: clock times, acknowledgement, null, or no clock.
    Clock(ClockReport),
    /// 8E: one field now reads this piece.
    FieldUpdate {
        /// Which field.
        square: WireSquare,
        /// What it reads now.
        piece: PieceCode,
    },
    /// 86 from a Bluetooth LE board: which of the 64 fields are occupied.
    Occupancy(Box<Dump>),
    /// 8E from a Bluetooth LE board: one field is occupied or empty now.
    FieldOccupancy {
        /// Which field.
        square: WireSquare,
        /// What it reads now.
        field: Field,
    },
    /// 8F: the board's move memory, 7936 raw bytes.
    MoveMemory(Vec<u8>),
    /// 90: bus address, 0..=16383.
    BusAddress(u16),
    /// 91: five ASCII digits (the first five of a frame of 12).
    SerialNumber([u8; 5]),
    /// 92: trade-mark text, non-ASCII replaced.
    Trademark(String),
    /// 93: firmware version; print `{main}.{sub:02}`.
    Version {
        /// Main number.
        main: u8,
        /// Sub number.
        sub: u8,
    },
    /// 94 or 95: draughts boards, 50 fields, raw.
    DraughtsDump {
        /// 95: the white squares.
        white: bool,
        /// 50 raw bytes.
        fields: Vec<u8>,
    },
    /// 96: hardware version.
    HardwareVersion {
        /// Main number.
        main: u8,
        /// Sub number.
        sub: u8,
    },
    /// A0: battery.
    Battery(Battery),
    /// A2: ten ASCII characters.
    LongSerialNumber([u8; 10]),
    /// A3: layout not public.
    I2cClock(Vec<u8>),
    /// A4: Pegasus lock state.
    LockState(u8),
    /// A5: Pegasus developer key state.
    KeyState(u8),
    /// An id that the reference does not know, consumed by its length.
    Unknown {
        /// b0.
        id: u8,
        /// From b3 on.
        payload: Vec<u8>,
    },
}

/// A0, nine payload bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Battery {
    /// b3: charge in percent.
    pub percent: u8,
    /// b4 b5: hours and minutes left to run or to charge; `None` where the board says 7F in either.
    pub remaining: Option<(u8, u8)>,
    /// b6 b7: hours and minutes switched on.
    pub on: (u8, u8),
    /// b8 b9 b10: days, hours, minutes in stand-by.
    pub standby: (u8, u8, u8),
    /// b11, raw: D0 charging, D1 discharging, D2 low, D3 empty.
    pub status: u8,
}

impl Battery {
    /// b11 D0. The sense is disputed: trust it little.
    pub const CHARGING: u8 = 0x01;
    /// b11 D1. The sense is disputed: trust it little.
    pub const DISCHARGING: u8 = 0x02;
    /// b11 D2, newer boards.
    pub const LOW: u8 = 0x04;
    /// b11 D3, newer boards.
    pub const EMPTY: u8 = 0x08;

    /// b11 D0: charging, as far as the sources can be trusted.
    pub const fn is_charging(&self) -> bool {
        self.status & Self::CHARGING != 0
    }
    /// b11 D1: running on the battery, as far as the sources can be trusted.
    pub const fn is_discharging(&self) -> bool {
        self.status & Self::DISCHARGING != 0
    }
    /// b11 D2 or D3: low or empty.
    pub const fn is_low(&self) -> bool {
        self.status & (Self::LOW | Self::EMPTY) != 0
    }
    /// Minutes left to run or to charge; `None` where the board does not know.
    pub fn remaining_minutes(&self) -> Option<u16> {
        self.remaining.map(|(hours, minutes)| u16::from(hours) * 60 + u16::from(minutes))
    }
}

/// R3 and R5: whether a message `id` may have this total length.
pub(crate) const fn length_fits(id: u8, length: usize) -> bool {
    match id {
        0x86 => matches!(length, 67 | 103),
        0x8D => length == 10,
        0x8E | 0x90 | 0x93 | 0x96 => length == 5,
        0x8F => length == PAYLOAD + MEMORY_SIZE,
        0x91 => matches!(length, 8 | 12),
        0x94 | 0x95 => length == 53,
        0xA0 => length == 12,
        0xA2 => length == 13,
        0xA4 | 0xA5 => length == 4,
        _ => length >= PAYLOAD && length <= PAYLOAD + TEXT_MAX,
    }
}

impl Message {
    /// b0, 81..=FF.
    pub const fn id(&self) -> u8 {
        match self {
            Self::BoardDump(_) | Self::TenByTenDump(_) | Self::Occupancy(_) => 0x86,
            Self::Clock(_) => 0x8D,
            Self::FieldUpdate { .. } | Self::FieldOccupancy { .. } => 0x8E,
            Self::MoveMemory(_) => 0x8F,
            Self::BusAddress(_) => 0x90,
            Self::SerialNumber(_) => 0x91,
            Self::Trademark(_) => 0x92,
            Self::Version { .. } => 0x93,
            Self::DraughtsDump { white: false, .. } => 0x94,
            Self::DraughtsDump { white: true, .. } => 0x95,
            Self::HardwareVersion { .. } => 0x96,
            Self::Battery(_) => 0xA0,
            Self::LongSerialNumber(_) => 0xA2,
            Self::I2cClock(_) => 0xA3,
            Self::LockState(_) => 0xA4,
            Self::KeyState(_) => 0xA5,
            Self::Unknown { id, .. } => *id | 0x80,
        }
    }

    /// What people call it.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::BoardDump(_) | Self::Occupancy(_) => "board dump",
            Self::TenByTenDump(_) => "10x10 board dump",
            Self::Clock(ClockReport::Ack(_)) => "clock ack",
            Self::Clock(_) => "clock",
            Self::FieldUpdate { .. } | Self::FieldOccupancy { .. } => "field update",
            Self::MoveMemory(_) => "move memory",
            Self::BusAddress(_) => "bus address",
            Self::SerialNumber(_) => "serial number",
            Self::Trademark(_) => "trade mark",
            Self::Version { .. } => "version",
            Self::DraughtsDump { .. } => "draughts dump",
            Self::HardwareVersion { .. } => "hardware version",
            Self::Battery(_) => "battery",
            Self::LongSerialNumber(_) => "long serial number",
            Self::I2cClock(_) => "I2C clock",
            Self::LockState(_) => "lock state",
            Self::KeyState(_) => "key state",
            Self::Unknown { .. } => "unknown message",
        }
    }
}

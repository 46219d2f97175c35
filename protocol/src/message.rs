//! Everything a board may say, and its encoder.
use crate::clock::ClockReport;
use crate::square::{PieceCode, WirePlacement, WireSquare};
use alloc::{boxed::Box, string::String, vec::Vec};

/// One whole, checked message from a board in single-board mode.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Message {
    /// 86: all 64 fields.
    BoardDump(Box<WirePlacement>),
    /// 8D: clock times, acknowledgement, null, or no clock.
    Clock(ClockReport),
    /// 8E: one field now reads this piece.
    FieldUpdate {
        /// Which field.
        square: WireSquare,
        /// What it reads now.
        piece: PieceCode,
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
    /// b4 b5: hours and minutes left; `None` where the board says 7F.
    pub remaining: Option<(u8, u8)>,
    /// b6 b7: hours and minutes switched on.
    pub on: (u8, u8),
    /// b8 b9 b10: days, hours, minutes in stand-by.
    pub standby: (u8, u8, u8),
    /// b11, raw: D0 charging, D1 discharging, D2 low, D3 empty.
    pub status: u8,
}

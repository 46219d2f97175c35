//! Everything a host may say to one board, and its decoder.
use alloc::vec::Vec;

/// One command to a board in single-board mode. One command is one `write`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Command {
    /// 40: mode IDLE, no answer.
    Reset,
    /// 41: one 8D.
    SendClock,
    /// 42: one 86.
    SendBoard,
    /// 43: mode UPDATE.
    SendUpdate,
    /// 44: mode UPDATE_BOARD.
    SendUpdateBoard,
    /// 45: answer 91; also the keep-alive.
    SendSerialNumber,
    /// 46: answer 90.
    SendBusAddress,
    /// 47: answer 92.
    SendTrademark,
    /// 48: answer 96.
    SendHardwareVersion,
    /// 49: answer 8F, 8.3 s on the wire.
    SendMoveMemory,
    /// 4B: mode UPDATE_NICE, the one to use.
    SendUpdateNice,
    /// 4C: answer A0.
    SendBattery,
    /// 4D: answer 93.
    SendVersion,
    /// 55: answer A2.
    SendLongSerialNumber,
    /// 2B: a clock command.
    Clock(ClockCommand),
    /// 60: LEDs of a Revelation II only; an ordinary board freezes.
    RevelationLeds {
        /// Pattern.
        pattern: u8,
        /// First field; 40 with pattern 0 means all.
        start: u8,
        /// Last field.
        end: u8,
    },
    /// A byte the host should never send to a single board (4A, 4E, 51, 53, 54, ≥ 80), or one the reference does not know.
    /// Only the decoder makes it; it has no encoding.
    Other(u8),
}

/// What follows 2B. Texts are ASCII 20–7E, padded with blanks.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ClockCommand {
    /// 01: segments of six digits in display order A B C D E F, icon bits, beep.
    Display {
        /// Segment patterns in display order.
        digits: [u8; 6],
        /// Dots, colons and ones.
        icons: u8,
        /// 03 beep, 01 none.
        beep: u8,
    },
    /// 02: eight raw payload bytes.
    Icons([u8; 8]),
    /// 03: back to the times.
    End,
    /// 08: useless query.
    Button,
    /// 09: which clock.
    Version,
    /// 0A: set and run; works in remote mode only.
    SetAndRun(SetAndRun),
    /// 0B: N × 64 ms, below 40 hex.
    Beep(u8),
    /// 0C: DGT3000 text.
    Ascii {
        /// Eight characters.
        text: [u8; 8],
        /// 0 none; n × 62.5 ms.
        beep: u8,
    },
    /// 0D: Revelation II text.
    RevelationAscii {
        /// Eleven characters.
        text: [u8; 11],
        /// 0 none.
        beep: u8,
    },
    /// Command byte and content that the reference does not know; only the decoder makes it.
    Other(Vec<u8>),
}

/// SETNRUN: plain binary, left first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SetAndRun {
    /// Hours 0..=9, minutes, seconds of the left side.
    pub left: (u8, u8, u8),
    /// The same of the right side.
    pub right: (u8, u8, u8),
    /// RUN byte: 01 left counts down, 02 right, 04 pause; 08 OR-ed: follows the lever.
    pub run: u8,
}

//! Commands to a board, their names and answers.
use super::clock::ClockCommand;
use crate::pegasus::Leds;
use core::fmt;

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
    /// 43: mode UPDATE: field updates, and clock messages at least once a second.
    SendUpdate,
    /// 44: mode UPDATE_BOARD: no clock messages and no clock acknowledgements.
    SendUpdateBoard,
    /// 45: answer 91; also the keep-alive.
    SendSerialNumber,
    /// 46: answer 90.
    SendBusAddress,
    /// 47: answer 92.
    SendTrademark,
    /// 48: answer 96.
    SendHardwareVersion,
    /// 49: answer 8F, 8.3 s on the wire. Only on purpose: it also leaves a mark in the board's log.
    SendMoveMemory,
    /// 4B: mode UPDATE_NICE, the one to use: clock messages only when something changed.
    SendUpdateNice,
    /// 4C: answer A0.
    SendBattery,
    /// 4D: answer 93.
    SendVersion,
    /// 50: answer 94; draughts, the black squares.
    SendDraughtsBlack,
    /// 52: answer 95; draughts, the white squares.
    SendDraughtsWhite,
    /// 55: answer A2.
    SendLongSerialNumber,
    /// 56: answer A3, newer boards; its layout is not public.
    SendI2cClock,
    /// 57: a stream of A3, newer boards; its layout is not public.
    SendI2cUpdate,
    /// 58: a stream of A3, newer boards; its layout is not public.
    SendI2cUpdateNice,
    /// 2B: a clock command.
    Clock(ClockCommand),
    /// 60: LEDs of a Revelation II only; an ordinary board freezes.
    RevelationLeds {
        /// Pattern: 00 off, 01 on, 02 a setting.
        pattern: u8,
        /// First field; 40 with pattern 0 means all.
        start: u8,
        /// Last field.
        end: u8,
    },
    /// LEDs of a Bluetooth LE board. They have no encoding here, since their bytes would freeze a board on a wire:
    /// [`pegasus::Command`](crate::pegasus::Command) writes them.
    PegasusLeds(Leds),
    /// A byte the host should never send to a single board (4A, 4E, 51, 53, 54, ≥ 80), or one the reference does not know.
    /// Only the decoder makes it; it has no encoding.
    Other(u8),
}

/// The commands that are one byte.
pub(super) const SINGLE: [(u8, Command); 19] = [
    (0x40, Command::Reset),
    (0x41, Command::SendClock),
    (0x42, Command::SendBoard),
    (0x43, Command::SendUpdate),
    (0x44, Command::SendUpdateBoard),
    (0x45, Command::SendSerialNumber),
    (0x46, Command::SendBusAddress),
    (0x47, Command::SendTrademark),
    (0x48, Command::SendHardwareVersion),
    (0x49, Command::SendMoveMemory),
    (0x4B, Command::SendUpdateNice),
    (0x4C, Command::SendBattery),
    (0x4D, Command::SendVersion),
    (0x50, Command::SendDraughtsBlack),
    (0x52, Command::SendDraughtsWhite),
    (0x55, Command::SendLongSerialNumber),
    (0x56, Command::SendI2cClock),
    (0x57, Command::SendI2cUpdate),
    (0x58, Command::SendI2cUpdateNice),
];

impl Command {
    /// All LEDs of a Revelation II off: `60 04 00 40 40 00`.
    pub const LEDS_OFF: Self = Self::RevelationLeds { pattern: 0, start: 0x40, end: 0x40 };

    /// Every command that is one byte, in the order of the bytes.
    pub fn singles() -> impl Iterator<Item = Self> {
        SINGLE.into_iter().map(|(_, command)| command)
    }

    /// The first byte on the wire; for [`Command::Other`] the byte that came.
    pub fn opcode(&self) -> u8 {
        match self {
            Self::Clock(_) => 0x2B,
            Self::RevelationLeds { .. } | Self::PegasusLeds(_) => 0x60,
            Self::Other(byte) => *byte,
            single => SINGLE.iter().find_map(|(byte, command)| (command == single).then_some(*byte)).unwrap_or_default(),
        }
    }

    /// What people call it.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Reset => "reset",
            Self::SendClock => "send clock",
            Self::SendBoard => "send board",
            Self::SendUpdate => "send updates",
            Self::SendUpdateBoard => "send board updates",
            Self::SendSerialNumber => "send serial number",
            Self::SendBusAddress => "send bus address",
            Self::SendTrademark => "send trade mark",
            Self::SendHardwareVersion => "send hardware version",
            Self::SendMoveMemory => "send move memory",
            Self::SendUpdateNice => "send updates, nice",
            Self::SendBattery => "send battery",
            Self::SendVersion => "send version",
            Self::SendDraughtsBlack => "send draughts board, black squares",
            Self::SendDraughtsWhite => "send draughts board, white squares",
            Self::SendLongSerialNumber => "send long serial number",
            Self::SendI2cClock => "send I2C clock",
            Self::SendI2cUpdate => "send I2C updates",
            Self::SendI2cUpdateNice => "send I2C updates, nice",
            Self::Clock(command) => command.name(),
            Self::RevelationLeds { .. } => "Revelation LEDs",
            Self::PegasusLeds(_) => "Pegasus LEDs",
            Self::Other(_) => "other byte",
        }
    }

    /// The id of the message that answers it. `None` where nothing answers; a clock command is answered by an
    /// acknowledgement inside 8D, and only in UPDATE and UPDATE_NICE.
    pub const fn answer(&self) -> Option<u8> {
        Some(match self {
            Self::SendClock | Self::Clock(_) => 0x8D,
            Self::SendBoard => 0x86,
            Self::SendSerialNumber => 0x91,
            Self::SendBusAddress => 0x90,
            Self::SendTrademark => 0x92,
            Self::SendHardwareVersion => 0x96,
            Self::SendMoveMemory => 0x8F,
            Self::SendBattery => 0xA0,
            Self::SendVersion => 0x93,
            Self::SendDraughtsBlack => 0x94,
            Self::SendDraughtsWhite => 0x95,
            Self::SendLongSerialNumber => 0xA2,
            Self::SendI2cClock => 0xA3,
            _ => return None,
        })
    }

    /// It changes the board's mode: IDLE, UPDATE, UPDATE_BOARD, UPDATE_NICE or one of the I2C streams.
    pub const fn sets_mode(&self) -> bool {
        matches!(
            self,
            Self::Reset | Self::SendUpdate | Self::SendUpdateBoard | Self::SendUpdateNice | Self::SendI2cUpdate | Self::SendI2cUpdateNice
        )
    }

    /// Sending the same bytes a second time does no harm. Not so for set-and-run, which would set a running clock back; for
    /// a beep; and for the move memory, which keeps the line busy for another 8.3 s.
    pub const fn repeatable(&self) -> bool {
        match self {
            Self::Clock(command) => command.repeatable(),
            Self::SendMoveMemory | Self::Other(_) => false,
            _ => true,
        }
    }
}

impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Clock(command) => command.fmt(f),
            Self::RevelationLeds { pattern, start, end } => write!(f, "{} {pattern:02X} {start:02X} {end:02X}", self.name()),
            Self::PegasusLeds(leds) => leds.fmt(f),
            Self::Other(byte) => write!(f, "{} {byte:02X}", self.name()),
            _ => f.write_str(self.name()),
        }
    }
}

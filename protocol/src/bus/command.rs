//! What a host says on a bus.
use super::address::{BusAddress, checksum};
use super::answer::BusError;
use alloc::vec::Vec;
use core::fmt;

macro_rules! opcodes {
    ($($(#[$doc:meta])* $name:ident = $byte:literal, $words:literal, $answer:expr;)*) => {
        /// The first byte of a bus command.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum BusOpcode {
            $($(#[$doc])* $name,)*
            /// A byte that the reference does not name; 80..=FF.
            Other(u8),
        }

        impl BusOpcode {
            /// Every named opcode, in the order of the bytes.
            pub const ALL: &[Self] = &[$(Self::$name),*];

            /// By the byte on the wire.
            pub const fn from_byte(byte: u8) -> Self {
                match byte {
                    $($byte => Self::$name,)*
                    other => Self::Other(other | 0x80),
                }
            }
            /// The byte on the wire.
            pub const fn byte(self) -> u8 {
                match self {
                    $(Self::$name => $byte,)*
                    Self::Other(byte) => byte | 0x80,
                }
            }
            /// What people call it.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$name => $words,)*
                    Self::Other(_) => "other bus command",
                }
            }
            /// The type of the answer; `None` where none comes or none is known. CHANGES may also be answered by 8B, ALL_D is
            /// answered by 85, 84 and 83 in turn, a repeated command as the one it repeats.
            pub const fn answer(self) -> Option<u8> {
                match self {
                    $(Self::$name => $answer,)*
                    Self::Other(_) => None,
                }
            }
        }
    };
}

opcodes! {
    /// 81: answer 84.
    SendClock = 0x81, "bus send clock", Some(0x84);
    /// 82: answer 83.
    SendBoard = 0x82, "bus send board", Some(0x83);
    /// 83: answer 85 or 8B: all changes since the last 83, as entries of the move memory.
    SendChanges = 0x83, "bus send changes", Some(0x85);
    /// 84: the last answer to 83 once more; the one to use after a checksum error.
    RepeatChanges = 0x84, "bus repeat changes", Some(0x85);
    /// 85: answer 88 after about 70 ms; writes the start tag and all pieces into the log.
    SetStartGame = 0x85, "bus set start of game", Some(0x88);
    /// 86: answer 86: the log since the start tag, without what 83 still owes.
    SendFromStart = 0x86, "bus send from start", Some(0x86);
    /// 87: answer 87. To address 0 every board answers at a random moment within 1100 ms.
    Ping = 0x87, "bus ping", Some(0x87);
    /// 88: back to single-board mode, no answer.
    EndBusMode = 0x88, "bus end bus mode", None;
    /// 89: full restart, no answer; takes some seconds.
    Reset = 0x89, "bus reset", None;
    /// 8A: answer 87 at once; that board skips the next ping to address 0.
    IgnoreNextPing = 0x8A, "bus ignore next ping", Some(0x87);
    /// 8B: answer 89.
    SendVersion = 0x8B, "bus send version", Some(0x89);
    /// 8C: answer 8A; draughts.
    SendDraughtsBlack = 0x8C, "bus send draughts board", Some(0x8A);
    /// 8D: answers 85, 84, 83: changes, clock, board.
    SendAllD = 0x8D, "bus send all", Some(0x85);
    /// 91: answer B0, layout not public.
    SerialNumber = 0x91, "bus serial number", Some(0xB0);
    /// 92: answer 87.
    RandomPing = 0x92, "bus random ping", Some(0x87);
    /// 93: answer B1, layout not public.
    I2cClock = 0x93, "bus I2C clock", Some(0xB1);
    /// 94: answer B1, layout not public.
    I2cButton = 0x94, "bus I2C button", Some(0xB1);
    /// 95: answer B1, layout not public.
    I2cAck = 0x95, "bus I2C ack", Some(0xB1);
    /// 96: answer B2, layout not public.
    Statistics = 0x96, "bus statistics", Some(0xB2);
    /// 97: answer B4, layout not public.
    Trademark = 0x97, "bus trade mark", Some(0xB4);
    /// 98: answer B5, layout not public.
    Battery = 0x98, "bus battery", Some(0xB5);
    /// 99: the last I2C button once more.
    RepeatI2cButton = 0x99, "bus repeat I2C button", Some(0xB1);
    /// 9A: the last I2C ack once more.
    RepeatI2cAck = 0x9A, "bus repeat I2C ack", Some(0xB1);
    /// 9B: answer 8C, layout not public.
    HardwareVersion = 0x9B, "bus hardware version", Some(0x8C);
    /// A0: answer B3, layout not public.
    Configuration = 0xA0, "bus configuration", Some(0xB3);
    /// A1: a clock message over SBI, layout not public.
    ClockMessageSbi = 0xA1, "bus clock message, SBI", None;
    /// A2: a clock message over I2C, layout not public.
    ClockMessageI2c = 0xA2, "bus clock message, I2C", None;
}

/// One command on a bus: always four bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BusCommand {
    /// What to do.
    pub opcode: BusOpcode,
    /// Who should do it.
    pub address: BusAddress,
}

impl BusCommand {
    /// Opcode, address, checksum. `87 00 00 07` pings all boards.
    pub fn encode(&self) -> [u8; 4] {
        let [high, low] = self.address.bytes();
        let bytes = [self.opcode.byte(), high, low];
        [bytes[0], high, low, checksum(&bytes)]
    }
}

impl fmt::Display for BusCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, {}", self.opcode.name(), self.address)
    }
}

/// The boards' side: a host's bytes become bus commands, in any portions.
///
/// A byte below 80 where a command should begin is stray; a byte from 80 on inside an unfinished command begins the next one.
#[derive(Clone, Debug, Default)]
pub struct BusCommandDecoder {
    buffer: Vec<u8>,
    cursor: usize,
}

impl BusCommandDecoder {
    /// An empty decoder.
    pub fn new() -> Self {
        Self::default()
    }
    /// Takes bytes as they were read, in any portions.
    pub fn feed(&mut self, bytes: &[u8]) {
        self.buffer.drain(..self.cursor);
        self.cursor = 0;
        self.buffer.extend_from_slice(bytes);
    }
    /// The bytes of an unfinished command; empty when the line is quiet. Ask when all commands have been taken.
    pub fn pending(&self) -> &[u8] {
        self.buffer.get(self.cursor..).unwrap_or_default()
    }
    /// Forgets an unfinished command.
    pub fn clear(&mut self) {
        self.buffer.clear();
        self.cursor = 0;
    }
}

impl Iterator for BusCommandDecoder {
    type Item = Result<BusCommand, BusError>;

    /// The next command or the next damage; `None` until more is fed.
    fn next(&mut self) -> Option<Self::Item> {
        let waiting = self.buffer.get(self.cursor..)?;
        let &id = waiting.first()?;
        if id < 0x80 {
            self.cursor += 1;
            return Some(Err(BusError::StrayByte(id)));
        }
        if let Some(below) = waiting.iter().take(4).skip(1).position(|&byte| byte >= 0x80) {
            self.cursor += 1 + below;
            return Some(Err(BusError::Frame(crate::frame::FrameError::CutShort { id, received: 1 + below })));
        }
        let &[_, high, low, found] = waiting.first_chunk::<4>()?;
        self.cursor += 4;
        let expected = checksum(&[id, high, low]);
        if found != expected {
            return Some(Err(BusError::Checksum { id, expected, found }));
        }
        Some(Ok(BusCommand { opcode: BusOpcode::from_byte(id), address: BusAddress::from_bytes([high, low]) }))
    }
}

//! Everything a host may say to a Bluetooth LE board, and the board's side of it.
use super::leds::Leds;
use alloc::vec::Vec;
use core::fmt;
use core::str::FromStr;

/// Identifies an application to the board; given out by the maker. Nothing prints it.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct DeveloperKey([u8; 6]);

/// Not twelve hexadecimal digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a developer key is six bytes, twelve hexadecimal digits")]
pub struct KeyError;

impl DeveloperKey {
    /// From its six bytes.
    pub const fn new(bytes: [u8; 6]) -> Self {
        Self(bytes)
    }
}

impl FromStr for DeveloperKey {
    type Err = KeyError;

    /// Twelve hexadecimal digits; blanks, colons, dashes and line ends between them do not matter.
    fn from_str(text: &str) -> Result<Self, KeyError> {
        let mut digits = text.chars().filter(|c| !c.is_whitespace() && !matches!(c, ':' | '-'));
        let mut key = [0; 6];
        for byte in &mut key {
            let (high, low) = (digits.next().ok_or(KeyError)?, digits.next().ok_or(KeyError)?);
            let (high, low) = (high.to_digit(16).ok_or(KeyError)?, low.to_digit(16).ok_or(KeyError)?);
            *byte = u8::try_from(high * 16 + low).map_err(|_| KeyError)?;
        }
        if digits.next().is_some() { Err(KeyError) } else { Ok(Self(key)) }
    }
}

impl fmt::Debug for DeveloperKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("DeveloperKey(…)")
    }
}

/// One command; one is one write of at most 20 bytes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Command {
    /// 40: leaves update mode; no answer from a real board.
    Reset,
    /// 42: answer 86.
    SendBoard,
    /// 44: field updates from now on; no answer.
    SendUpdates,
    /// 45: answer 91; also the keep-alive.
    SendSerialNumber,
    /// 46: answer 90.
    SendBusAddress,
    /// 47: answer 92.
    SendTrademark,
    /// 48: answer 96.
    SendHardwareVersion,
    /// 4C: answer A0, and another one at every percent of change.
    SendBattery,
    /// 4D: answer 93, main number 1.
    SendVersion,
    /// 55: answer A2.
    SendLongSerialNumber,
    /// 59: answer A4.
    SendLockState,
    /// 5A: answer A5.
    SendKeyState,
    /// 60: LEDs; no answer from a real board.
    Leds(Leds),
    /// 63: the developer key; answered by A5, or by nothing.
    Key(DeveloperKey),
    /// A byte that these boards do not know. Only the decoder makes it; it has no encoding.
    Other(u8),
}

/// The commands that are one byte.
const SINGLE: [(u8, Command); 12] = [
    (0x40, Command::Reset),
    (0x42, Command::SendBoard),
    (0x44, Command::SendUpdates),
    (0x45, Command::SendSerialNumber),
    (0x46, Command::SendBusAddress),
    (0x47, Command::SendTrademark),
    (0x48, Command::SendHardwareVersion),
    (0x4C, Command::SendBattery),
    (0x4D, Command::SendVersion),
    (0x55, Command::SendLongSerialNumber),
    (0x59, Command::SendLockState),
    (0x5A, Command::SendKeyState),
];

impl Command {
    /// The commands that are one byte.
    pub fn singles() -> impl Iterator<Item = Self> {
        SINGLE.into_iter().map(|(_, command)| command)
    }

    /// The bytes of one write; empty for [`Command::Other`].
    pub fn encode(&self) -> Vec<u8> {
        match self {
            Self::Other(_) => Vec::new(),
            Self::Leds(leds) => long(0x60, leds.payload()),
            Self::Key(DeveloperKey(key)) => long(0x63, [key.as_slice(), &[0x00]].concat()),
            single => SINGLE.iter().find_map(|(byte, command)| (command == single).then_some(*byte)).into_iter().collect(),
        }
    }

    /// What people call it.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Reset => "reset",
            Self::SendBoard => "send board",
            Self::SendUpdates => "send updates",
            Self::SendSerialNumber => "send serial number",
            Self::SendBusAddress => "send bus address",
            Self::SendTrademark => "send trade mark",
            Self::SendHardwareVersion => "send hardware version",
            Self::SendBattery => "send battery",
            Self::SendVersion => "send version",
            Self::SendLongSerialNumber => "send long serial number",
            Self::SendLockState => "send lock state",
            Self::SendKeyState => "send key state",
            Self::Leds(_) => "LEDs",
            Self::Key(_) => "developer key",
            Self::Other(_) => "other byte",
        }
    }

    /// The id of the message that answers it; `None` where a real board says nothing.
    pub const fn answer(&self) -> Option<u8> {
        Some(match self {
            Self::SendBoard => 0x86,
            Self::SendSerialNumber => 0x91,
            Self::SendBusAddress => 0x90,
            Self::SendTrademark => 0x92,
            Self::SendHardwareVersion => 0x96,
            Self::SendBattery => 0xA0,
            Self::SendVersion => 0x93,
            Self::SendLongSerialNumber => 0xA2,
            Self::SendLockState => 0xA4,
            Self::SendKeyState => 0xA5,
            _ => return None,
        })
    }
}

fn long(opcode: u8, payload: Vec<u8>) -> Vec<u8> {
    // Every payload made here is shorter than 20 bytes.
    let length = u8::try_from(payload.len()).unwrap_or(u8::MAX);
    let mut out = Vec::with_capacity(2 + payload.len());
    out.extend([opcode, length]);
    out.extend(payload);
    out
}

impl fmt::Display for Command {
    /// Without the key.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Leds(leds) => leds.fmt(f),
            Self::Other(byte) => write!(f, "{} {byte:02X}", self.name()),
            _ => f.write_str(self.name()),
        }
    }
}

/// Makes commands out of a host's bytes, in any portions: the board's side. A byte that begins no known command is an `Other`.
#[derive(Clone, Debug, Default)]
pub struct CommandDecoder {
    buffer: Vec<u8>,
}

impl CommandDecoder {
    /// An empty decoder.
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes bytes as they were written, in any portions.
    pub fn feed(&mut self, bytes: &[u8]) {
        self.buffer.extend_from_slice(bytes);
    }

    /// Forgets an unfinished command.
    pub fn clear(&mut self) {
        self.buffer.clear();
    }
}

impl Iterator for CommandDecoder {
    type Item = Command;

    /// The next command; `None` until more is fed.
    fn next(&mut self) -> Option<Command> {
        let (command, length) = take(&self.buffer)?;
        self.buffer.drain(..length);
        Some(command)
    }
}

/// The command at the front of `input` and its length; `None` while bytes are missing.
fn take(input: &[u8]) -> Option<(Command, usize)> {
    let &opcode = input.first()?;
    if !matches!(opcode, 0x60 | 0x63) {
        let single = SINGLE.into_iter().find_map(|(byte, command)| (byte == opcode).then_some(command));
        return Some((single.unwrap_or(Command::Other(opcode)), 1));
    }
    let length = usize::from(*input.get(1)?);
    // Longer than any pattern: what came before was not the command it looked like.
    if !(0x02..=0x40).contains(&length) {
        return Some((Command::Other(opcode), 1));
    }
    let payload = input.get(2..2 + length)?;
    let command = match (opcode, payload) {
        (0x60, payload) => Leds::parse(payload).map(Command::Leds),
        (_, &[a, b, c, d, e, f, 0x00]) => Some(Command::Key(DeveloperKey([a, b, c, d, e, f]))),
        _ => None,
    };
    Some((command.unwrap_or(Command::Other(opcode)), 2 + length))
}

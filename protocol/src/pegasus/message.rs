//! Everything a Bluetooth LE board may say, its encoder, and bytes in any portions become messages.
use crate::assembler::Assembler;
use crate::frame::{ContentError, Counters, FrameError};
use crate::message::{self as wired, Battery};
use crate::square::WireSquare;
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

/// Offset of the first payload byte: b3.
const PAYLOAD: usize = 3;
/// The longest payload believed of a text or an unknown id.
const TEXT_MAX: usize = 256;

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
    const fn of(byte: u8) -> Self {
        match byte {
            0x00 => Self::Empty,
            0x7F => Self::Locked,
            _ => Self::Occupied,
        }
    }

    const fn byte(self) -> u8 {
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

/// One whole, checked message from a Bluetooth LE board.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Message {
    /// 86: all 64 fields.
    Dump(Box<Dump>),
    /// 8E: one field reads something else now.
    Field {
        /// Which field.
        square: WireSquare,
        /// What it reads.
        field: Field,
    },
    /// 90: bus address.
    BusAddress(u16),
    /// 91: five ASCII characters.
    SerialNumber([u8; 5]),
    /// 92: trade-mark text, non-ASCII replaced.
    Trademark(String),
    /// 93: version; the main number is 1.
    Version {
        /// Main number.
        main: u8,
        /// Sub number.
        sub: u8,
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
    /// A4: lock state; 00 is unlocked.
    LockState(u8),
    /// A5: developer key state; 01 is accepted.
    KeyState(u8),
    /// Any other id, consumed by its length.
    Unknown {
        /// b0.
        id: u8,
        /// From b3 on.
        payload: Vec<u8>,
    },
}

impl Message {
    /// b0, 81..=FF.
    pub const fn id(&self) -> u8 {
        match self {
            Self::Dump(_) => 0x86,
            Self::Field { .. } => 0x8E,
            Self::BusAddress(_) => 0x90,
            Self::SerialNumber(_) => 0x91,
            Self::Trademark(_) => 0x92,
            Self::Version { .. } => 0x93,
            Self::HardwareVersion { .. } => 0x96,
            Self::Battery(_) => 0xA0,
            Self::LongSerialNumber(_) => 0xA2,
            Self::LockState(_) => 0xA4,
            Self::KeyState(_) => 0xA5,
            Self::Unknown { id, .. } => *id | 0x80,
        }
    }

    /// The frame, header included: one that a receiver takes.
    pub fn encode(&self) -> Vec<u8> {
        let id = self.id();
        let frame = |payload: &[u8]| {
            let payload = payload.get(..TEXT_MAX).unwrap_or(payload);
            let length = PAYLOAD + payload.len();
            let mut out = alloc::vec![id, (length >> 7) as u8, (length & 0x7F) as u8];
            out.extend(payload.iter().map(|byte| byte & 0x7F));
            out
        };
        match self {
            Self::Dump(dump) => frame(&dump.0.map(Field::byte)),
            Self::Field { square, field } => frame(&[square.index(), field.byte()]),
            Self::LockState(state) | Self::KeyState(state) => frame(&[*state]),
            Self::Unknown { payload, .. } => frame(payload),
            // The rest is said as on a wire.
            Self::BusAddress(address) => wired::Message::BusAddress(*address).encode(),
            Self::SerialNumber(digits) => wired::Message::SerialNumber(*digits).encode(),
            Self::Trademark(text) => wired::Message::Trademark(text.clone()).encode(),
            Self::Version { main, sub } => wired::Message::Version { main: *main, sub: *sub }.encode(),
            Self::HardwareVersion { main, sub } => wired::Message::HardwareVersion { main: *main, sub: *sub }.encode(),
            Self::Battery(battery) => wired::Message::Battery(*battery).encode(),
            Self::LongSerialNumber(characters) => wired::Message::LongSerialNumber(*characters).encode(),
        }
    }

    /// What people call it.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Dump(_) => "board dump",
            Self::Field { .. } => "field update",
            Self::BusAddress(_) => "bus address",
            Self::SerialNumber(_) => "serial number",
            Self::Trademark(_) => "trade mark",
            Self::Version { .. } => "version",
            Self::HardwareVersion { .. } => "hardware version",
            Self::Battery(_) => "battery",
            Self::LongSerialNumber(_) => "long serial number",
            Self::LockState(_) => "lock state",
            Self::KeyState(_) => "key state",
            Self::Unknown { .. } => "unknown message",
        }
    }
}

impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let characters = |f: &mut fmt::Formatter<'_>, text: &[u8]| {
            write!(f, "{} ", self.name())?;
            text.iter().try_for_each(|byte| write!(f, "{}", if byte.is_ascii_graphic() { char::from(*byte) } else { '.' }))
        };
        match self {
            Self::Dump(dump) if dump.is_locked() => write!(f, "{} locked", self.name()),
            Self::Dump(dump) => {
                write!(f, "{} ", self.name())?;
                for (index, field) in dump.0.iter().enumerate() {
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
            Self::Field { square, field } => {
                let shown = match field {
                    Field::Empty => "empty",
                    Field::Occupied => "occupied",
                    Field::Locked => "locked",
                };
                write!(f, "{} {square} {shown}", self.name())
            }
            Self::BusAddress(address) => write!(f, "{} {address}", self.name()),
            Self::SerialNumber(text) => characters(f, text),
            Self::LongSerialNumber(text) => characters(f, text),
            Self::Trademark(text) => write!(f, "{} {text:?}", self.name()),
            Self::Version { main, sub } | Self::HardwareVersion { main, sub } => write!(f, "{} {main}.{sub:02}", self.name()),
            Self::Battery(battery) => write!(f, "{} {battery}", self.name()),
            Self::LockState(state) | Self::KeyState(state) => write!(f, "{} {state:02X}", self.name()),
            Self::Unknown { id, payload } => {
                write!(f, "{} {id:02X}:", self.name())?;
                payload.iter().try_for_each(|byte| write!(f, " {byte:02X}"))
            }
        }
    }
}

/// Whether a message `id` may have this total length.
const fn length_fits(id: u8, length: usize) -> bool {
    match id {
        0x86 => length == 67,
        0x8E | 0x90 | 0x93 | 0x96 => length == 5,
        0x91 => matches!(length, 8 | 12),
        0xA0 => length == 12,
        0xA2 => length == 13,
        0xA4 | 0xA5 => length == 4,
        _ => length >= PAYLOAD && length <= PAYLOAD + TEXT_MAX,
    }
}

/// Reads a whole frame whose length fits its id.
fn contents(frame: &[u8]) -> Result<Message, FrameError> {
    let (header, payload) = frame.split_at_checked(PAYLOAD).unwrap_or((frame, &[]));
    let id = header.first().copied().unwrap_or_default();
    if let (0x86, Ok(fields)) = (id, <[u8; 64]>::try_from(payload)) {
        return Ok(Message::Dump(Box::new(Dump(fields.map(Field::of)))));
    }
    if let (0x8E, &[index, byte]) = (id, payload) {
        let fault = ContentError { offset: PAYLOAD, value: Some(index), expected: "a field 00..=3F" };
        let square = WireSquare::new(index).ok_or(FrameError::Content { id, fault })?;
        return Ok(Message::Field { square, field: Field::of(byte) });
    }
    if !matches!(id, 0x90..=0x93 | 0x96 | 0xA0 | 0xA2 | 0xA4 | 0xA5) {
        return Ok(Message::Unknown { id, payload: payload.into() });
    }
    Ok(match wired::contents(frame)? {
        wired::Message::BusAddress(address) => Message::BusAddress(address),
        wired::Message::SerialNumber(digits) => Message::SerialNumber(digits),
        wired::Message::Trademark(text) => Message::Trademark(text),
        wired::Message::Version { main, sub } => Message::Version { main, sub },
        wired::Message::HardwareVersion { main, sub } => Message::HardwareVersion { main, sub },
        wired::Message::Battery(battery) => Message::Battery(battery),
        wired::Message::LongSerialNumber(characters) => Message::LongSerialNumber(characters),
        wired::Message::LockState(state) => Message::LockState(state),
        wired::Message::KeyState(state) => Message::KeyState(state),
        _ => Message::Unknown { id, payload: payload.into() },
    })
}

/// Makes messages out of a board's notifications, which are one stream of bytes: feed each as it came, then take messages
/// until there are none. The receiver rules are those of [`frame::Decoder`](crate::frame::Decoder).
///
/// ```
/// use dgt_protocol::pegasus::Decoder;
/// let mut decoder = Decoder::new();
/// decoder.feed(&[0x8E, 0x00, 0x05]);
/// assert!(decoder.next().is_none());
/// decoder.feed(&[0x34, 0x00]);
/// assert_eq!(decoder.next().unwrap().unwrap().to_string(), "field update e2 empty");
/// ```
#[derive(Clone, Debug, Default)]
pub struct Decoder {
    bytes: Assembler,
    counters: Counters,
}

impl Decoder {
    /// An empty decoder.
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes the bytes of one notification.
    pub fn feed(&mut self, bytes: &[u8]) {
        self.bytes.feed(bytes);
    }

    /// No byte came for a second, so the unfinished frame is given up. `None` where nothing was unfinished, or where messages
    /// are still to be taken.
    pub fn give_up(&mut self) -> Option<FrameError> {
        self.bytes.give_up(&mut self.counters)
    }

    /// The id of the unfinished frame. Ask when all messages have been taken.
    pub fn frame_in_progress(&self) -> Option<u8> {
        self.bytes.in_progress()
    }

    /// Forgets what is unfinished, for use after a loss of the link.
    pub fn clear(&mut self) {
        self.bytes.clear(&mut self.counters);
    }

    /// What was met since the decoder was made; `extra_bits` is not counted here.
    pub const fn counters(&self) -> &Counters {
        &self.counters
    }
}

impl Iterator for Decoder {
    type Item = Result<Message, FrameError>;

    /// The next message or the next piece of damage; `None` until more is fed.
    fn next(&mut self) -> Option<Self::Item> {
        let read = match self.bytes.next_frame(&mut self.counters, length_fits)? {
            Ok(frame) => contents(frame),
            Err(error) => return Some(Err(error)),
        };
        match &read {
            Ok(message) => {
                self.counters.frames_good += 1;
                self.counters.unknown_ids += u64::from(matches!(message, Message::Unknown { .. }));
            }
            Err(_) => self.counters.failed_contents += 1,
        }
        Some(read)
    }
}

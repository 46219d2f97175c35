//! Clock commands: what follows 2B.
//!
//! `2B SIZE 03 CMD content… 00`; SIZE counts the bytes after itself, the closing 00 included.
use crate::clock::{SideTime, command_name};
use alloc::vec::Vec;
use core::fmt;

/// What follows 2B. Texts are ASCII 20–7E, padded with blanks.
///
/// Command bytes are ASCII capitals. If a board misses the 2B it may run the letters of a text as commands, so use lower
/// case and digits in texts where you can; the encoder keeps everything else out.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ClockCommand {
    /// 01: segments of six digits in display order A B C D E F, icon bits, beep.
    Display {
        /// Segment patterns in display order; see [`segments`](crate::clock::segments).
        digits: [u8; 6],
        /// Dots, colons and ones; see [`icon`](crate::clock::icon).
        icons: u8,
        /// 03 beep, 01 none.
        beep: u8,
    },
    /// 02: eight raw payload bytes; see [`Icons`](crate::clock::Icons).
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
        /// 0 none; 1..=15: 62.5 ms × (n + 1).
        beep: u8,
    },
    /// 0D: Revelation II text.
    RevelationAscii {
        /// Eleven characters.
        text: [u8; 11],
        /// 0 none.
        beep: u8,
    },
    /// Command byte and content that the reference does not know; only the decoder makes it, and it has no encoding.
    Other(Vec<u8>),
}

/// SETNRUN: plain binary, left first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SetAndRun {
    /// Hours 0..=9 (with 10 hex OR-ed in, that side counts up; a DGT XL up to 1.14 cannot), minutes, seconds of the left side.
    pub left: (u8, u8, u8),
    /// The same of the right side.
    pub right: (u8, u8, u8),
    /// RUN byte, see [`Run`]: 01 left counts down, 02 right, 04 pause; 08 OR-ed: follows the lever.
    pub run: u8,
}

/// Named values of the RUN byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Run {
    /// 01: the left side counts down.
    Left = 0x01,
    /// 02: the right side counts down.
    Right = 0x02,
    /// 04: set and stop. 00 stops too, but 04 is what is used.
    Stopped = 0x04,
    /// 09: left counts down; the running side then changes with the lever.
    LeftThenLever = 0x09,
    /// 0A: right counts down; the running side then changes with the lever.
    RightThenLever = 0x0A,
}

impl SetAndRun {
    /// OR-ed into the hours: the side counts up.
    pub const COUNT_UP: u8 = 0x10;

    /// Two times and a named RUN byte. Flags and indicators of the times are not sent.
    pub const fn new(left: SideTime, right: SideTime, run: Run) -> Self {
        Self { left: (left.hours, left.minutes, left.seconds), right: (right.hours, right.minutes, right.seconds), run: run as u8 }
    }
    /// The left time as the display will show it.
    pub fn left_time(&self) -> SideTime {
        time(self.left)
    }
    /// The right time as the display will show it.
    pub fn right_time(&self) -> SideTime {
        time(self.right)
    }
    /// The left side counts (D0).
    pub const fn runs_left(&self) -> bool {
        self.run & 0x01 != 0
    }
    /// The right side counts (D1).
    pub const fn runs_right(&self) -> bool {
        self.run & 0x02 != 0
    }
    /// The running side changes with the lever (D3).
    pub const fn follows_lever(&self) -> bool {
        self.run & 0x08 != 0
    }
}

fn time((hours, minutes, seconds): (u8, u8, u8)) -> SideTime {
    SideTime { hours: hours & 0x0F, minutes, seconds, ..SideTime::default() }
}

impl ClockCommand {
    /// The DGT3000 text command for a text of up to eight characters, padded with blanks; what is not ASCII 20–7E becomes `?`.
    pub fn ascii(text: &str, beep: u8) -> Self {
        Self::Ascii { text: padded(text), beep }
    }
    /// The Revelation II text command for a text of up to eleven characters.
    pub fn revelation_ascii(text: &str, beep: u8) -> Self {
        Self::RevelationAscii { text: padded(text), beep }
    }
    /// The segment display command for a text of up to six characters, without icons; a character without a glyph stays dark.
    pub fn display(text: &str, beep: bool) -> Self {
        Self::Display { digits: crate::clock::segments(text), icons: 0, beep: if beep { 0x03 } else { 0x01 } }
    }

    /// The command byte, which is also ack1 of its answer; for an unknown command the byte that came, 0 where none did.
    pub fn code(&self) -> u8 {
        match self {
            Self::Display { .. } => 0x01,
            Self::Icons(_) => 0x02,
            Self::End => 0x03,
            Self::Button => 0x08,
            Self::Version => 0x09,
            Self::SetAndRun(_) => 0x0A,
            Self::Beep(_) => 0x0B,
            Self::Ascii { .. } => 0x0C,
            Self::RevelationAscii { .. } => 0x0D,
            Self::Other(bytes) => bytes.first().copied().unwrap_or_default(),
        }
    }
    /// What people call it.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Display { .. } => command_name(0x01),
            Self::Icons(_) => command_name(0x02),
            Self::End => command_name(0x03),
            Self::Button => command_name(0x08),
            Self::Version => command_name(0x09),
            Self::SetAndRun(_) => command_name(0x0A),
            Self::Beep(_) => command_name(0x0B),
            Self::Ascii { .. } => command_name(0x0C),
            Self::RevelationAscii { .. } => command_name(0x0D),
            Self::Other(_) => command_name(0),
        }
    }
    /// Resending it as it is does no harm. Set-and-run must be rebuilt with current times; a beep may beep twice.
    pub const fn repeatable(&self) -> bool {
        !matches!(self, Self::SetAndRun(_) | Self::Beep(_) | Self::Other(_))
    }
}

fn padded<const N: usize>(text: &str) -> [u8; N] {
    let mut bytes = [b' '; N];
    for (byte, character) in bytes.iter_mut().zip(text.chars()) {
        *byte = if matches!(character, ' '..='~') { character as u8 } else { b'?' };
    }
    bytes
}

impl fmt::Display for ClockCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())?;
        match self {
            Self::Display { digits, icons, beep } => {
                hex(f, digits)?;
                write!(f, ", icons {icons:02X}, beep {beep:02X}")
            }
            Self::Icons(bytes) => hex(f, bytes),
            Self::End | Self::Button | Self::Version => Ok(()),
            Self::SetAndRun(set) => {
                let (left, right) = (set.left_time(), set.right_time());
                write!(f, " left {left} right {right}, run {:02X}", set.run)
            }
            Self::Beep(count) => write!(f, " {} ms", u32::from(*count) * 64),
            Self::Ascii { text, beep } => write!(f, " \"{}\", beep {beep}", text.escape_ascii()),
            Self::RevelationAscii { text, beep } => write!(f, " \"{}\", beep {beep}", text.escape_ascii()),
            Self::Other(bytes) => hex(f, bytes),
        }
    }
}

fn hex(f: &mut fmt::Formatter<'_>, bytes: &[u8]) -> fmt::Result {
    bytes.iter().try_for_each(|byte| write!(f, " {byte:02X}"))
}

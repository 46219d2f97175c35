//! LED patterns: `60 length 05 speed mode intensity square… 00`; `60 02 00 00` is off.
use super::service::WRITE_MAX;
use crate::square::WireSquare;
use alloc::vec::Vec;
use core::fmt;

/// Squares that fit into one write of 20 bytes.
pub const LED_SQUARES: usize = WRITE_MAX - 7;

/// How fast the board walks along the squares of a pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Speed {
    /// 02: two squares light in turn, to be seen as such.
    Walk,
    /// 07: fast.
    Run,
    /// 40: as if all were lit together.
    Together,
    /// FF: one breath that fades within two seconds.
    Pulse,
    /// Another value.
    Raw(u8),
}

impl Speed {
    const fn byte(self) -> u8 {
        match self {
            Self::Walk => 0x02,
            Self::Run => 0x07,
            Self::Together => 0x40,
            Self::Pulse => 0xFF,
            Self::Raw(byte) => byte,
        }
    }

    const fn of(byte: u8) -> Self {
        match byte {
            0x02 => Self::Walk,
            0x07 => Self::Run,
            0x40 => Self::Together,
            0xFF => Self::Pulse,
            byte => Self::Raw(byte),
        }
    }
}

/// How long a pattern lasts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Repeat {
    /// 00: until another pattern, or until the occupancy of one of its squares changes.
    Stays,
    /// 01: one flash of half a second. Other numbers are so many flashes.
    Flashes(u8),
}

/// How bright. The scale on the wire is upside down: 01 is brightest, 00 is dark.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Brightness {
    /// 01.
    Brightest,
    /// 04: for a dark room.
    Dim,
    /// Another value; 00 is dark, larger is dimmer.
    Raw(u8),
}

impl Brightness {
    const fn byte(self) -> u8 {
        match self {
            Self::Brightest => 0x01,
            Self::Dim => 0x04,
            Self::Raw(byte) => byte,
        }
    }

    const fn of(byte: u8) -> Self {
        match byte {
            0x01 => Self::Brightest,
            0x04 => Self::Dim,
            byte => Self::Raw(byte),
        }
    }
}

/// What the board's LEDs show. Not the Revelation's LED command, which has the same opcode and another payload.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Leds {
    /// Everything dark.
    Off,
    /// The board walks along these squares in this order.
    Pattern {
        /// Wire squares, 1 to [`LED_SQUARES`]; the rest is not sent.
        squares: Vec<WireSquare>,
        /// How fast.
        speed: Speed,
        /// How long.
        repeat: Repeat,
        /// How bright.
        brightness: Brightness,
    },
}

impl Leds {
    /// From one square to another, again and again: a move to make.
    pub fn path(squares: impl IntoIterator<Item = WireSquare>) -> Self {
        Self::lasting(squares, Speed::Walk)
    }

    /// These squares at the same time, until something changes on one of them; off where there are none.
    pub fn together(squares: impl IntoIterator<Item = WireSquare>) -> Self {
        Self::lasting(squares, Speed::Together)
    }

    fn lasting(squares: impl IntoIterator<Item = WireSquare>, speed: Speed) -> Self {
        let squares: Vec<_> = squares.into_iter().take(LED_SQUARES).collect();
        if squares.is_empty() {
            return Self::Off;
        }
        Self::Pattern { squares, speed, repeat: Repeat::Stays, brightness: Brightness::Brightest }
    }

    /// The squares that are lit.
    pub fn squares(&self) -> &[WireSquare] {
        match self {
            Self::Off => &[],
            Self::Pattern { squares, .. } => squares,
        }
    }

    /// What follows `60 length`, the closing 00 included.
    pub(super) fn payload(&self) -> Vec<u8> {
        let mut out = Vec::new();
        match self {
            Self::Off => out.push(0x00),
            Self::Pattern { squares, speed, repeat, brightness } => {
                let repeat = match *repeat {
                    Repeat::Stays => 0x00,
                    Repeat::Flashes(times) => times,
                };
                out.extend([0x05, speed.byte(), repeat, brightness.byte()]);
                out.extend(squares.iter().take(LED_SQUARES).map(|square| square.index()));
            }
        }
        out.push(0x00);
        out
    }

    /// The inverse; `None`: no pattern that is known.
    pub(super) fn parse(payload: &[u8]) -> Option<Self> {
        match *payload {
            [0x00, 0x00] => Some(Self::Off),
            [0x05, speed, repeat, brightness, ref squares @ .., 0x00] => {
                let squares: Option<Vec<_>> = squares.iter().map(|&index| WireSquare::new(index)).collect();
                let squares = squares.filter(|squares| (1..=LED_SQUARES).contains(&squares.len()))?;
                let repeat = if repeat == 0 { Repeat::Stays } else { Repeat::Flashes(repeat) };
                Some(Self::Pattern { squares, speed: Speed::of(speed), repeat, brightness: Brightness::of(brightness) })
            }
            _ => None,
        }
    }
}

impl fmt::Display for Leds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self::Pattern { squares, speed, repeat, brightness } = self else { return f.write_str("LEDs off") };
        f.write_str("LEDs")?;
        squares.iter().try_for_each(|square| write!(f, " {square}"))?;
        write!(f, ", speed {:02X}", speed.byte())?;
        if let Repeat::Flashes(times) = repeat {
            write!(f, ", {times} times")?;
        }
        write!(f, ", intensity {:02X}", brightness.byte())
    }
}

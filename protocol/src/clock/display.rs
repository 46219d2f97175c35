//! What the display commands show: segments, glyphs and icons.

/// Bits of a digit's segment pattern.
pub mod segment {
    /// The upper bar.
    pub const TOP: u8 = 0x01;
    /// Upper right.
    pub const RIGHT_TOP: u8 = 0x02;
    /// Lower right.
    pub const RIGHT_BOTTOM: u8 = 0x04;
    /// The lower bar.
    pub const BOTTOM: u8 = 0x08;
    /// Lower left.
    pub const LEFT_BOTTOM: u8 = 0x10;
    /// Upper left.
    pub const LEFT_TOP: u8 = 0x20;
    /// The bar in the middle.
    pub const MIDDLE: u8 = 0x40;
}

/// Bits of the ICONS byte of DISPLAY. The display reads `1A:BC 1D:EF`.
pub mod icon {
    /// Dot of the right half.
    pub const RIGHT_DOT: u8 = 0x01;
    /// Colon of the right half.
    pub const RIGHT_COLON: u8 = 0x02;
    /// The leading 1 of the right half.
    pub const RIGHT_ONE: u8 = 0x04;
    /// Dot of the left half.
    pub const LEFT_DOT: u8 = 0x08;
    /// Colon of the left half.
    pub const LEFT_COLON: u8 = 0x10;
    /// The leading 1 of the left half.
    pub const LEFT_ONE: u8 = 0x20;
}

/// Segment patterns in use for 0–9, then a–z.
const ALPHANUMERIC: [u8; 36] = [
    0x3F, 0x06, 0x5B, 0x4F, 0x66, 0x6D, 0x7D, 0x07, 0x7F, 0x6F, // 0–9
    0x5F, 0x7C, 0x58, 0x5E, 0x7B, 0x71, 0x3D, 0x74, 0x10, 0x1E, 0x75, 0x38, 0x55, // a–m
    0x54, 0x5C, 0x73, 0x67, 0x50, 0x6D, 0x78, 0x3E, 0x2A, 0x7E, 0x64, 0x6E, 0x5B, // n–z
];

/// The usual segment pattern of a character, capitals as small letters; `None` where none is in use.
pub fn glyph(character: char) -> Option<u8> {
    Some(match character {
        ' ' => 0x00,
        '-' => 0x40,
        '_' => 0x08,
        '=' => 0x48,
        '/' => 0x52,
        '\\' => 0x64,
        '|' => 0x36,
        '?' => 0x53,
        '@' => 0x65,
        other => ALPHANUMERIC[usize::try_from(other.to_digit(36)?).ok()?],
    })
}

/// The digits of DISPLAY, A to F from left to right, for a text: six characters at most, padded with blanks; a character
/// without a glyph stays dark.
pub fn segments(text: &str) -> [u8; 6] {
    let mut digits = [0; 6];
    for (digit, character) in digits.iter_mut().zip(text.chars()) {
        *digit = glyph(character).unwrap_or(0);
    }
    digits
}

/// Bits of i0 and i1: the timing method shown on a side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Mode {
    /// TIME
    Time = 0x01,
    /// FISCH
    Fischer = 0x02,
    /// DELAY
    Delay = 0x04,
    /// HGLASS
    Hourglass = 0x08,
    /// UPCNT
    UpCount = 0x10,
    /// BYO
    Byoyomi = 0x20,
    /// END
    End = 0x40,
}

/// One side of the clock, seen from its front.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// b6–b8 of a time message; White's with the board in normal orientation.
    Left,
    /// b3–b5 of a time message.
    Right,
}

/// The payload of ICONS, built by name: `i0 i1 i2 i3 S 00 00 00`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Icons([u8; 8]);

impl Icons {
    /// S: put all icons out.
    pub const CLEAR: u8 = 0x01;
    /// S: sound.
    pub const SOUND: u8 = 0x02;
    /// S: black-white.
    pub const BLACK_WHITE: u8 = 0x04;
    /// S: white-black.
    pub const WHITE_BLACK: u8 = 0x08;
    /// S: battery.
    pub const BATTERY: u8 = 0x10;
    /// S: sound, a second bit of the header.
    pub const SOUND_AGAIN: u8 = 0x20;
    /// S: keep the icons after a time change.
    pub const KEEP: u8 = 0x40;

    /// No icon.
    pub const fn new() -> Self {
        Self([0; 8])
    }
    /// Shows a timing method on a side.
    #[must_use]
    pub const fn mode(mut self, side: Side, mode: Mode) -> Self {
        self.0[side as usize] |= mode as u8;
        self
    }
    /// Shows the digit of a period, 1..=5; other numbers show nothing.
    #[must_use]
    pub const fn period(mut self, side: Side, number: u8) -> Self {
        if number >= 1 && number <= 5 {
            self.0[2 + side as usize] |= 1 << (number - 1);
        }
        self
    }
    /// Shows the flag of a side.
    #[must_use]
    pub const fn flag(mut self, side: Side) -> Self {
        self.0[2 + side as usize] |= 0x20;
        self
    }
    /// Sets bits of S, such as [`Icons::SOUND`].
    #[must_use]
    pub const fn special(mut self, bits: u8) -> Self {
        self.0[4] |= bits & 0x7F;
        self
    }
    /// The eight bytes for [`ClockCommand::Icons`](crate::command::ClockCommand::Icons).
    pub const fn bytes(self) -> [u8; 8] {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_become_segments() {
        assert_eq!(segments(" e2e4"), [0x00, 0x7B, 0x5B, 0x7B, 0x66, 0x00]);
        assert_eq!(segments("E9-é"), [0x7B, 0x6F, 0x40, 0, 0, 0]);
    }

    #[test]
    fn icons_fall_on_their_bits() {
        let icons = Icons::new()
            .mode(Side::Left, Mode::Fischer)
            .flag(Side::Right)
            .period(Side::Right, 2)
            .period(Side::Left, 6)
            .special(Icons::KEEP);
        assert_eq!(icons.bytes(), [0x02, 0, 0, 0x22, 0x40, 0, 0, 0]);
    }
}

//! Clock reports (8D): times, acknowledgements, no clock.
//!
//! | to change | go to |
//! |---|---|
//! | the seven payload bytes as times | here |
//! | the acknowledgement's bit puzzle and what acks mean | [`Ack`], `ack.rs` |
//! | glyphs, segments and icons for the display commands | [`segments`], `display.rs` |
//!
//! ```text
//!      D7 D6      D5      D4      D3 D2 D1 D0
//! b3   0  flag    per     flag    hours 0–9         right side
//!         shown   move    blocked
//! b4   0  minutes, tens   |       minutes, ones     BCD 00–59
//! b5   0  seconds, tens   |       seconds, ones     BCD 00–59
//! b6 b7 b8                                          left side, the same three
//! b9   0  0       no      turn    turn  batt lever running
//!                 clock   (right?)(left?) low 1 = /
//! ```
mod ack;
mod display;

pub(crate) use ack::command_name;
pub use ack::{Ack, AckKind, Button, Buttons, ClockModel, Outcome};
pub use display::{Icons, Mode, Side, glyph, icon, segment, segments};

use crate::frame::{ContentError, PAYLOAD};
use crate::parse::{self, Step};
use core::fmt;
use nom::Parser;

/// b9 D0.
const RUNNING: u8 = 0x01;
/// b9 D1.
const RIGHT_HIGH: u8 = 0x02;
/// b9 D2.
const BATTERY_LOW: u8 = 0x04;
/// b9 D3 and D4.
const TURN_BITS: u8 = 0x18;
/// b9 D5.
const NO_CLOCK: u8 = 0x20;

/// One 8D message, told apart in the order of the reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ClockReport {
    /// Seven zero bytes: nothing; Bluetooth boards send it around clock commands.
    Null,
    /// An acknowledgement or a spontaneous event of the clock.
    Ack(Ack),
    /// D5 of b9: no clock on the jack; the reading is invalid.
    NoClock,
    /// Times, flags and lever.
    Time(ClockTimes),
}

/// A valid time message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ClockTimes {
    /// Right side of the clock seen from its front: b3–b5.
    pub right: SideTime,
    /// Left side of the clock: b6–b8.
    pub left: SideTime,
    /// b9 D0: a side is running.
    pub running: bool,
    /// b9 D1.
    pub lever: Lever,
    /// b9 D2.
    pub battery_low: bool,
    /// b9 D3 and D4, as they came: disputed turn bits, for the record only.
    pub turn_bits: u8,
}

/// One side's display.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct SideTime {
    /// 0..=9
    pub hours: u8,
    /// 0..=59
    pub minutes: u8,
    /// 0..=59
    pub seconds: u8,
    /// D4: flag fallen, clock blocked at zero.
    pub flag_blocked: bool,
    /// D5: "time per move" indicator (Fischer, Bronstein, delay).
    pub per_move: bool,
    /// D6: flag fallen and shown; the clock may still run (next period).
    pub flag_shown: bool,
}

impl SideTime {
    /// Seconds on the display, 0..=35,999.
    pub const fn total_seconds(&self) -> u32 {
        self.hours as u32 * 3600 + self.minutes as u32 * 60 + self.seconds as u32
    }
    /// A display of so many seconds without flags or indicator; `None` above 35,999.
    pub const fn from_seconds(seconds: u32) -> Option<Self> {
        if seconds > 35_999 {
            return None;
        }
        Some(Self {
            hours: (seconds / 3600) as u8,
            minutes: (seconds / 60 % 60) as u8,
            seconds: (seconds % 60) as u8,
            flag_blocked: false,
            per_move: false,
            flag_shown: false,
        })
    }
    /// Either flag bit.
    pub const fn flag(&self) -> bool {
        self.flag_blocked || self.flag_shown
    }

    fn parse(input: &[u8]) -> Step<'_, Self> {
        let hours = parse::one("hours 0..=9 in its low four bits", |byte| (byte & 0x0F <= 9).then_some(byte));
        (hours, parse::sixtieth, parse::sixtieth)
            .map(|(first, minutes, seconds)| Self {
                hours: first & 0x0F,
                minutes,
                seconds,
                flag_blocked: first & 0x10 != 0,
                per_move: first & 0x20 != 0,
                flag_shown: first & 0x40 != 0,
            })
            .parse(input)
    }

    /// Three payload bytes; values out of range become the highest in range.
    const fn encode(&self) -> [u8; 3] {
        let hours = if self.hours > 9 { 9 } else { self.hours };
        let first = hours | (self.flag_blocked as u8) << 4 | (self.per_move as u8) << 5 | (self.flag_shown as u8) << 6;
        [first, parse::to_bcd(self.minutes), parse::to_bcd(self.seconds)]
    }
}

impl fmt::Display for SideTime {
    /// `1:02:03`, with `flag` behind it when one is down.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{:02}:{:02}", self.hours, self.minutes, self.seconds)?;
        if self.flag() { f.write_str(" flag") } else { Ok(()) }
    }
}

/// The lever. The high side belongs to the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Lever {
    /// D1 = 0, `\`: the left player's time runs.
    LeftHigh,
    /// D1 = 1, `/`: the right player's time runs.
    RightHigh,
}

impl Lever {
    /// The lever after a press on the side that is high.
    #[must_use]
    pub const fn pressed(self) -> Self {
        match self {
            Self::LeftHigh => Self::RightHigh,
            Self::RightHigh => Self::LeftHigh,
        }
    }
    /// The turn bits that real clocks outside remote mode send with this lever: D3 with left high, D4 with right high.
    pub const fn usual_turn_bits(self) -> u8 {
        match self {
            Self::LeftHigh => 0x08,
            Self::RightHigh => 0x10,
        }
    }
}

impl ClockReport {
    /// Tells seven payload bytes (b3–b9, each below 80) apart: null, acknowledgement, no clock, ranges, time.
    ///
    /// # Errors
    /// The first byte of a time that is out of range (R6). Offsets count from the frame's b0.
    pub fn parse(payload: &[u8; 7]) -> Result<Self, ContentError> {
        if *payload == [0; 7] {
            return Ok(Self::Null);
        }
        if let Some(ack) = Ack::parse(payload) {
            return Ok(Self::Ack(ack));
        }
        if payload[6] & NO_CLOCK != 0 {
            return Ok(Self::NoClock);
        }
        let step = (SideTime::parse, SideTime::parse, parse::any)
            .map(|(right, left, status)| {
                Self::Time(ClockTimes {
                    right,
                    left,
                    running: status & RUNNING != 0,
                    lever: if status & RIGHT_HIGH != 0 { Lever::RightHigh } else { Lever::LeftHigh },
                    battery_low: status & BATTERY_LOW != 0,
                    turn_bits: status & TURN_BITS,
                })
            })
            .parse(payload);
        parse::finish(payload, PAYLOAD, step)
    }

    /// The seven payload bytes. b9 of an acknowledgement is unspecified and 00 here; [`Ack::encode`] takes another.
    ///
    /// A stopped clock at 0:00:00 on both sides with the left side high, no flags, no indicator and no turn bits would
    /// be a null message; real clocks send [`Lever::usual_turn_bits`].
    pub const fn encode(&self) -> [u8; 7] {
        match self {
            Self::Null => [0; 7],
            Self::Ack(ack) => ack.encode(0),
            Self::NoClock => [0, 0, 0, 0, 0, 0, NO_CLOCK],
            Self::Time(times) => times.encode(),
        }
    }
}

impl ClockTimes {
    /// The side that is high: the one whose time runs, or would run.
    pub const fn high_side(&self) -> &SideTime {
        match self.lever {
            Lever::LeftHigh => &self.left,
            Lever::RightHigh => &self.right,
        }
    }

    const fn encode(&self) -> [u8; 7] {
        let [b3, b4, b5] = self.right.encode();
        let [b6, b7, b8] = self.left.encode();
        let lever = match self.lever {
            Lever::LeftHigh => 0,
            Lever::RightHigh => RIGHT_HIGH,
        };
        let battery = if self.battery_low { BATTERY_LOW } else { 0 };
        [b3, b4, b5, b6, b7, b8, self.running as u8 | lever | battery | self.turn_bits & TURN_BITS]
    }
}

impl fmt::Display for ClockReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Null => f.write_str("clock: null message"),
            Self::Ack(ack) => write!(f, "clock {ack}"),
            Self::NoClock => f.write_str("clock: none connected"),
            Self::Time(times) => write!(f, "clock {times}"),
        }
    }
}

impl fmt::Display for ClockTimes {
    /// `left 0:03:01 right 0:03:02 running, left high`
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let state = if self.running { "running" } else { "stopped" };
        write!(f, "left {} right {} {state}, {}", self.left, self.right, self.lever)?;
        if self.battery_low { f.write_str(", battery low") } else { Ok(()) }
    }
}

impl fmt::Display for Lever {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::LeftHigh => "left high",
            Self::RightHigh => "right high",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_of_tests_decides() {
        assert_eq!(ClockReport::parse(&[0; 7]), Ok(ClockReport::Null));
        // An acknowledgement with D5 of b9 set is still an acknowledgement.
        assert!(matches!(ClockReport::parse(&[0x0A, 0x10, 0x09, 0x0A, 0x20, 0, 0x20]), Ok(ClockReport::Ack(_))));
        // No clock: an impossible time does not matter.
        assert_eq!(ClockReport::parse(&[0x0C, 0x7F, 0x7F, 0x0B, 0x7F, 0x7F, 0x20]), Ok(ClockReport::NoClock));
    }

    #[test]
    fn impossible_times_name_their_byte() {
        for (at, value) in [(0, 0x0C), (1, 0x60), (1, 0x1A), (2, 0x6A), (3, 0x0B), (4, 0x0A), (5, 0x7F)] {
            let mut payload = [0, 0, 0, 0, 0, 0, 0x08];
            payload[at] = value;
            let fault = ClockReport::parse(&payload).unwrap_err();
            assert_eq!((fault.offset, fault.value), (PAYLOAD + at, Some(value)));
        }
    }
}

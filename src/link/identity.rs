//! What a board and its clock said about themselves.
use dgt_protocol::clock::{Ack, ClockReport};
use dgt_protocol::message::{Battery, Message};

/// What is known of a clock on the board's jack.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ClockPresence {
    /// Nothing was heard of it yet.
    #[default]
    Unknown,
    /// The board says that there is none.
    Absent,
    /// It reports times; whether it takes commands is not known.
    Times,
    /// It answered the version query.
    Answers {
        /// 1: DGT XL, 2: DGT3000.
        main: u8,
        /// Sub number.
        sub: u8,
    },
}

/// What a board answered to the identity queries. Old boards leave some of them unanswered.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Identity {
    /// Five digits (91).
    pub serial: Option<String>,
    /// Ten characters (A2).
    pub long_serial: Option<String>,
    /// Firmware, main and sub (93).
    pub firmware: Option<(u8, u8)>,
    /// Hardware, main and sub (96).
    pub hardware: Option<(u8, u8)>,
    /// Battery (A0).
    pub battery: Option<Battery>,
    /// The clock.
    pub clock: ClockPresence,
}

/// What a message says of the board's battery, percent; `None`: nothing, or nothing that can be.
pub(crate) fn percent(message: &Message) -> Option<u8> {
    match message {
        Message::Battery(battery) => Some(battery.percent).filter(|percent| *percent <= 100),
        _ => None,
    }
}

impl Identity {
    /// Takes from a message what it says about the board.
    pub fn learn(&mut self, message: &Message) {
        match message {
            Message::SerialNumber(digits) => self.serial = printable(digits),
            Message::LongSerialNumber(characters) => self.long_serial = printable(characters),
            Message::Version { main, sub } => self.firmware = Some((*main, *sub)),
            Message::HardwareVersion { main, sub } => self.hardware = Some((*main, *sub)),
            Message::Battery(battery) => self.battery = Some(*battery),
            Message::Clock(ClockReport::NoClock) => self.clock = ClockPresence::Absent,
            Message::Clock(ClockReport::Time(_)) if !matches!(self.clock, ClockPresence::Answers { .. }) => {
                self.clock = ClockPresence::Times
            }
            Message::Clock(ClockReport::Ack(Ack { ack0: 0x10, ack1: 0x09, ack2, .. })) => {
                self.clock = ClockPresence::Answers { main: ack2 >> 4, sub: ack2 & 0x0F };
            }
            _ => {}
        }
    }

    /// Firmware as people write it, `1.02`.
    pub fn firmware_text(&self) -> Option<String> {
        self.firmware.map(|(main, sub)| format!("{main}.{sub:02}"))
    }
}

/// Trimmed printable ASCII, `None` where nothing is left.
fn printable(bytes: &[u8]) -> Option<String> {
    let text: String = bytes.iter().map(|b| char::from(*b)).filter(char::is_ascii_graphic).collect();
    (!text.is_empty()).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_serial_number_of_blanks_is_none() {
        let mut identity = Identity::default();
        identity.learn(&Message::SerialNumber(*b"     "));
        assert_eq!(identity.serial, None);
        identity.learn(&Message::SerialNumber(*b"01025"));
        assert_eq!(identity.serial.as_deref(), Some("01025"));
    }

    #[test]
    fn a_battery_that_cannot_be_says_nothing() {
        let battery = |percent| Message::Battery(Battery { percent, remaining: None, on: (0, 0), standby: (0, 0, 0), status: 2 });
        assert_eq!([88, 100, 127].map(|n| percent(&battery(n))), [Some(88), Some(100), None]);
        assert_eq!(percent(&Message::SerialNumber(*b"01025")), None);
    }

    #[test]
    fn a_clock_that_answered_stays_known_while_times_come() {
        let mut identity = Identity::default();
        identity.learn(&Message::Clock(ClockReport::Ack(Ack { ack0: 0x10, ack1: 0x09, ack2: 0x20, ack3: 0 })));
        assert_eq!(identity.clock, ClockPresence::Answers { main: 2, sub: 0 });
        identity.learn(&Message::Clock(ClockReport::NoClock));
        assert_eq!(identity.clock, ClockPresence::Absent);
    }
}

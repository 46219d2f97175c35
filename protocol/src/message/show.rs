//! Messages as people read them: one line each, without its line end.
use super::board::{Battery, Message};
use crate::square::Fen;
use core::fmt::{self, Write as _};

impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BoardDump(placement) => write!(f, "{} {}", self.name(), Fen(placement)),
            Self::Clock(report) => report.fmt(f),
            Self::FieldUpdate { square, piece } if piece.is_empty() => write!(f, "{} {square} empty", self.name()),
            Self::FieldUpdate { square, piece } => write!(f, "{} {square} {piece}", self.name()),
            Self::Occupancy(dump) => write!(f, "{} {dump}", self.name()),
            Self::FieldOccupancy { square, field } => write!(f, "{} {square} {field}", self.name()),
            Self::MoveMemory(bytes) => write!(f, "{}, {} bytes", self.name(), bytes.len()),
            Self::BusAddress(address) => write!(f, "{} {address}", self.name()),
            Self::SerialNumber(digits) => characters(f, self.name(), digits),
            Self::LongSerialNumber(digits) => characters(f, self.name(), digits),
            Self::Trademark(text) => write!(f, "{} {text:?}", self.name()),
            Self::Version { main, sub } | Self::HardwareVersion { main, sub } => write!(f, "{} {main}.{sub:02}", self.name()),
            Self::Battery(battery) => write!(f, "{} {battery}", self.name()),
            Self::DraughtsDump { white, fields } => {
                write!(f, "{}, {} squares:", self.name(), if *white { "white" } else { "black" })?;
                hex(f, fields)
            }
            Self::TenByTenDump(fields) => hex(named(f, self.name(), ":")?, fields),
            Self::I2cClock(payload) => hex(named(f, self.name(), ":")?, payload),
            Self::LockState(state) | Self::KeyState(state) => write!(f, "{} {state:02X}", self.name()),
            Self::Unknown { id, payload } => {
                write!(f, "{} {id:02X}:", self.name())?;
                hex(f, payload)
            }
        }
    }
}

fn named<'a, 'b>(f: &'a mut fmt::Formatter<'b>, name: &str, after: &str) -> Result<&'a mut fmt::Formatter<'b>, fmt::Error> {
    f.write_str(name)?;
    f.write_str(after)?;
    Ok(f)
}

fn characters(f: &mut fmt::Formatter<'_>, name: &str, text: &[u8]) -> fmt::Result {
    f.write_str(name)?;
    f.write_char(' ')?;
    text.iter().try_for_each(|byte| f.write_char(if byte.is_ascii_graphic() { char::from(*byte) } else { '.' }))
}

fn hex(f: &mut fmt::Formatter<'_>, bytes: &[u8]) -> fmt::Result {
    bytes.iter().try_for_each(|byte| write!(f, " {byte:02X}"))
}

impl fmt::Display for Battery {
    /// `87 %, 5:20 left, discharging`
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} %", self.percent)?;
        if let Some((hours, minutes)) = self.remaining {
            write!(f, ", {hours}:{minutes:02} left")?;
        }
        let states = [(Self::CHARGING, "charging"), (Self::DISCHARGING, "discharging"), (Self::LOW, "low"), (Self::EMPTY, "empty")];
        states.into_iter().filter(|(bit, _)| self.status & bit != 0).try_for_each(|(_, name)| write!(f, ", {name}"))
    }
}

//! Where a board is plugged in, as configuration, events and `doctor` write it.
use std::{fmt, path::PathBuf, str::FromStr};

/// Where a board is plugged in.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum LinkAddress {
    /// `serial:PATH`: a serial port.
    Serial(PathBuf),
    /// `bus:PATH`: a serial port with several boards on its line; the board's address stands beside it.
    Bus(PathBuf),
    /// `rfcomm:ADDRESS`: classic Bluetooth, six bytes.
    Rfcomm([u8; 6]),
    /// `ble:ADDRESS` or `ble:NAME`: Bluetooth LE, as it was written.
    Ble(String),
}

/// Not a link.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{0:?} is no link; write serial:PATH, bus:PATH, rfcomm:ADDRESS, ble:ADDRESS or ble:NAME, for example \"serial:/dev/serial/by-id/usb-FTDI_0001-if00\""
)]
pub struct LinkAddressError(String);

impl FromStr for LinkAddress {
    type Err = LinkAddressError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let bad = || LinkAddressError(String::from(text));
        let (kind, place) = text.split_once(':').ok_or_else(bad)?;
        if place.trim().is_empty() || place.chars().any(char::is_control) {
            return Err(bad());
        }
        match kind {
            "serial" if place.starts_with('/') => Ok(Self::Serial(PathBuf::from(place))),
            "bus" if place.starts_with('/') => Ok(Self::Bus(PathBuf::from(place))),
            "rfcomm" => bluetooth(place).map(Self::Rfcomm).ok_or_else(bad),
            "ble" => Ok(Self::Ble(String::from(place.trim()))),
            _ => Err(bad()),
        }
    }
}

/// `AA:BB:CC:DD:EE:FF`.
fn bluetooth(text: &str) -> Option<[u8; 6]> {
    let mut address = [0; 6];
    let mut parts = text.split(':');
    for byte in &mut address {
        *byte = parts
            .next()
            .filter(|p| p.len() == 2 && p.bytes().all(|b| b.is_ascii_hexdigit()))
            .and_then(|p| u8::from_str_radix(p, 16).ok())?;
    }
    parts.next().is_none().then_some(address)
}

impl fmt::Display for LinkAddress {
    /// As [`FromStr`] reads it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Serial(path) => write!(f, "serial:{}", path.display()),
            Self::Bus(path) => write!(f, "bus:{}", path.display()),
            Self::Rfcomm([a, b, c, d, e, g]) => write!(f, "rfcomm:{a:02X}:{b:02X}:{c:02X}:{d:02X}:{e:02X}:{g:02X}"),
            Self::Ble(name) => write!(f, "ble:{name}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_go_in_and_out() {
        for text in ["serial:/dev/ttyUSB0", "bus:/dev/ttyUSB0", "rfcomm:00:1A:7D:DA:71:13", "ble:PCS-REVII-081500", "ble:00:1A:7D:DA:71:13"]
        {
            assert_eq!(text.parse::<LinkAddress>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn half_addresses_are_refused() {
        for text in [
            "",
            "serial:",
            "serial:ttyUSB0",
            "bus:ttyUSB0",
            "/dev/ttyUSB0",
            "rfcomm:00:1A:7D",
            "rfcomm:00:1A:7D:DA:71:13:00",
            "rfcomm:+0:1A:7D:DA:71:13",
            "usb:1",
            "ble: ",
        ] {
            assert!(text.parse::<LinkAddress>().is_err(), "{text}");
        }
    }
}

//! `[[bus]]`: lines with several boards; and which board is where on one.
use super::quoted::{line, quoted};
use super::reader::{Reader, shown};
use dgt_protocol::bus::BusAddress;
use std::collections::HashMap;
use std::path::PathBuf;
use toml::Spanned;
use toml::de::DeValue;

const KEYS: [&str; 5] = ["path", "name", "discover", "dtr", "rts"];

/// One line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bus {
    /// Its port.
    pub path: PathBuf,
    /// What people call it.
    pub name: String,
    /// Boards that no `[[board]]` names are taken, under their serial numbers.
    pub discover: bool,
    /// Whether these two of the port's lines are raised.
    pub dtr: bool,
    /// See `dtr`.
    pub rts: bool,
}

impl Bus {
    pub(super) fn new(path: PathBuf, name: String) -> Self {
        Self { path, name, discover: true, dtr: false, rts: false }
    }
}

/// What a board's `address` says.
pub(super) fn address(reader: &mut Reader<'_>, value: &Spanned<DeValue<'_>>) -> Option<BusAddress> {
    let number = value.get_ref().as_integer().and_then(|n| n.to_string().parse::<u16>().ok());
    let address = number.filter(|n| *n > 0).and_then(BusAddress::new);
    if address.is_none() {
        let text = "is no address: the number under the board, 1 to 16383; for example address = 1025";
        reader.mistake(value.span(), "board.address", format!("{} {text}", shown(value)));
    }
    address
}

pub(super) fn read(reader: &mut Reader<'_>, value: &Spanned<DeValue<'_>>) -> Vec<Bus> {
    let (mut buses, mut paths, mut names): (Vec<Bus>, _, _) = (Vec::new(), HashMap::new(), HashMap::new());
    for (span, table) in reader.tables("bus", value) {
        let mut bus = Bus::new(PathBuf::new(), format!("line {}", buses.len() + 1));
        for (key, value) in table {
            let name = key.get_ref().as_ref();
            let full = format!("bus.{name}");
            match name {
                "path" => {
                    let absolute = value.get_ref().as_str().filter(|path| path.starts_with('/'));
                    if let Some(path) = absolute {
                        bus.path = PathBuf::from(path);
                        let earlier = paths.insert(bus.path.clone(), reader.line(value.span().start));
                        reader.twice(earlier, value, &full, "one line, one [[bus]]");
                    } else {
                        let text = "is no port; for example path = \"/dev/serial/by-id/usb-FTDI_0001-if00-port0\"";
                        reader.mistake(value.span(), &full, format!("{} {text}", shown(value)));
                    }
                }
                "name" => {
                    let fits = |s: &&str| (1..=64).contains(&s.len()) && s.trim() == *s && !s.chars().any(char::is_control);
                    match value.get_ref().as_str().filter(fits) {
                        Some(name) => bus.name = String::from(name),
                        None => {
                            let text = format!("{} is no name: 1 to 64 bytes in quotes; for example name = \"line 1\"", shown(value));
                            reader.mistake(value.span(), &full, text);
                        }
                    }
                }
                "discover" => bus.discover = reader.flag(&full, value).unwrap_or(bus.discover),
                "dtr" => bus.dtr = reader.flag(&full, value).unwrap_or(bus.dtr),
                "rts" => bus.rts = reader.flag(&full, value).unwrap_or(bus.rts),
                _ => reader.unknown(key.span(), &full, name, KEYS.into_iter()),
            }
        }
        if !table.iter().any(|(key, _)| key.get_ref() == "path") {
            reader.mistake(span.clone(), "bus.path", "is missing; add for example path = \"/dev/ttyUSB0\"");
        }
        if names.insert(bus.name.clone(), ()).is_some() {
            reader.mistake(span, "bus.name", format!("{:?} is the name of another line; give each its own", bus.name));
        }
        buses.push(bus);
    }
    buses
}

pub(super) fn print(out: &mut String, buses: &[Bus]) {
    for bus in buses {
        out.push_str("\n[[bus]]\n");
        line(out, "path", quoted(&bus.path.display().to_string()));
        line(out, "name", quoted(&bus.name));
        line(out, "discover", bus.discover);
        line(out, "dtr", bus.dtr);
        line(out, "rts", bus.rts);
    }
}

#[cfg(test)]
mod tests {
    use crate::Config;

    const TWO: &str = "[[board]]\nname = \"1\"\nlink = \"bus:/dev/a\"\naddress = 1025\n\
                       [[board]]\nname = \"2\"\nlink = \"bus:/dev/a\"\naddress = 7\n";

    fn mistakes(text: &str) -> Vec<(usize, String)> {
        let error = Config::parse("f", text).unwrap_err();
        error.mistakes.into_iter().map(|m| (m.line, format!("{}: {}", m.key, m.text))).collect()
    }

    #[test]
    fn boards_share_a_line_by_their_addresses() {
        let config = Config::parse("f", TWO).unwrap();
        assert_eq!(config.buses.len(), 1);
        assert_eq!((config.buses[0].name.as_str(), config.buses[0].discover, config.buses[0].dtr), ("line 1", true, false));
        let on: Vec<_> = config.boards_on(&config.buses[0]).map(|(board, address)| (board.name.as_str(), address.number())).collect();
        assert_eq!(on, [("1", 1025), ("2", 7)]);
        assert_eq!(Config::parse("f", &config.to_toml()).unwrap(), config);
    }

    #[test]
    fn a_line_may_have_nobody_named() {
        let config = Config::parse("f", "[[bus]]\npath = \"/dev/a\"\nname = \"left\"\ndtr = true\n").unwrap();
        assert_eq!((config.buses[0].name.as_str(), config.buses[0].dtr), ("left", true));
        assert_eq!(Config::parse("f", &config.to_toml()).unwrap(), config);
    }

    #[test]
    fn what_cannot_be_on_a_line_is_told() {
        let found = mistakes("[[board]]\nname = \"1\"\nlink = \"bus:/dev/a\"\n");
        assert!(found[0].1.contains("address") && found[0].1.contains("under the board"), "{found:?}");
        let found = mistakes("[[board]]\nname = \"1\"\nlink = \"serial:/dev/a\"\naddress = 5\n");
        assert!(found[0].1.contains("bus:PATH"), "{found:?}");
        for address in ["0", "16384", "\"5\"", "-1"] {
            let found = mistakes(&format!("[[board]]\nname = \"1\"\nlink = \"bus:/dev/a\"\naddress = {address}\n"));
            assert!(found[0].0 == 4 && found[0].1.contains("1 to 16383"), "{address}: {found:?}");
        }
        let twice = format!("{TWO}[[board]]\nname = \"3\"\nlink = \"bus:/dev/b\"\naddress = 7\n");
        assert!(mistakes(&twice)[0].1.contains("already in line"), "a board keeps its number on any line");
        let both = format!("{TWO}[[board]]\nname = \"3\"\nlink = \"serial:/dev/a\"\n");
        assert!(mistakes(&both)[0].1.contains("one board alone"), "{:?}", mistakes(&both));
        assert_eq!(mistakes("[[bus]]\nname = \"a\"\n[[bus]]\npath = \"ttyUSB0\"\nbaud = 1\n").len(), 3);
    }
}

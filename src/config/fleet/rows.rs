//! The rows of a table list: machines and boards, each once.
use super::super::bus;
use super::super::nats::plain;
use super::super::reader::{Reader, shown};
use super::whole::Board;
use flagfall_game::settings::Settings;
use flagfall_link::address::LinkAddress;
use std::collections::HashMap;
use toml::de::{DeTable, DeValue};
use toml::{Spanned, Table, Value};

/// Accounts of the broker that are no Pi's, and names of folders among the files that are made.
const TAKEN: [&str; 8] = ["arbiter", "broker", "hall", "operator", "passwords", "public", "route", "system"];
const OF_PI: [&str; 5] = ["name", "ssh", "bus", "boards", "config"];
/// What the list itself says, so that no fragment of a configuration may.
const OURS: [&str; 3] = ["nats", "board", "hall"];

/// What must not come twice, with the line where it stood.
#[derive(Default)]
pub(super) struct Rows {
    machines: HashMap<String, usize>,
    boards: HashMap<String, usize>,
    addresses: HashMap<u16, usize>,
    sticks: HashMap<String, usize>,
    serials: HashMap<String, usize>,
}

/// A Pi as the list has it, before its configuration is made.
#[derive(Default)]
pub(super) struct Row {
    pub(super) name: String,
    pub(super) ssh: Option<String>,
    pub(super) boards: Vec<Board>,
    /// The same as `[[board]]`.
    pub(super) tables: Vec<Value>,
}

impl Rows {
    /// The name of a machine, which is a folder, an account and a word of subjects.
    pub(super) fn machine(&mut self, reader: &mut Reader<'_>, key: &str, value: &Spanned<DeValue<'_>>, example: &str) -> Option<String> {
        let Some(name) = value.get_ref().as_str().filter(|name| plain(name)) else {
            let text = format!("is no machine's name: letters, digits, - and _, at most 64; for example name = \"{example}\"");
            reader.mistake(value.span(), key, format!("{} {text}", shown(value)));
            return None;
        };
        if TAKEN.contains(&name.to_ascii_lowercase().as_str()) {
            reader.mistake(value.span(), key, format!("{name} is an account of the broker or a folder; for example name = \"{example}\""));
        }
        // Some disks do not tell a folder PI-1 from pi-1, and two variables of the broker's file would be one.
        let earlier = self.machines.insert(name.to_ascii_lowercase().replace('-', "_"), reader.line(value.span().start));
        reader.twice(earlier, value, key, "give each machine a name of its own; - and _ are the same here");
        Some(String::from(name))
    }

    /// Keys of a configuration that the list does not make itself.
    pub(super) fn fragment(reader: &mut Reader<'_>, name: &str, value: &Spanned<DeValue<'_>>) {
        let DeValue::Table(table) = value.get_ref() else {
            return reader.mistake(value.span(), name, format!("expected a table; write [{name}] on a line of its own"));
        };
        for (key, _) in table.iter().filter(|(key, _)| OURS.contains(&key.get_ref().as_ref())) {
            reader.mistake(key.span(), &format!("{name}.{}", key.get_ref()), "is made of the list; take it out here");
        }
    }

    pub(super) fn pi(&mut self, reader: &mut Reader<'_>, span: std::ops::Range<usize>, table: &DeTable<'_>) -> Row {
        let (mut row, mut line) = (Row::default(), None);
        for (key, value) in table {
            let name = key.get_ref().as_ref();
            match name {
                "name" => row.name = self.machine(reader, "pi.name", value, "pi-7").unwrap_or_default(),
                "ssh" => match value.get_ref().as_str().filter(|text| is_destination(text)) {
                    Some(text) => row.ssh = Some(String::from(text)),
                    None => {
                        let text = "is nothing that ssh connects to; for example ssh = \"pi@10.0.0.17\"";
                        reader.mistake(value.span(), "pi.ssh", format!("{} {text}", shown(value)));
                    }
                },
                "bus" => match value.get_ref().as_str().filter(|path| path.starts_with('/')) {
                    Some(path) => line = Some(String::from(path)),
                    None => {
                        let text = "is no port; for example bus = \"/dev/serial/by-id/usb-FTDI_0001-if00-port0\"";
                        reader.mistake(value.span(), "pi.bus", format!("{} {text}", shown(value)));
                    }
                },
                "config" => Self::fragment(reader, "pi.config", value),
                "boards" => {}
                _ => reader.unknown(key.span(), &format!("pi.{name}"), name, OF_PI.into_iter()),
            }
        }
        if !table.iter().any(|(key, _)| key.get_ref() == "name") {
            reader.mistake(span.clone(), "pi.name", "is missing; add for example name = \"pi-7\"");
        }
        let Some(boards) = table.get("boards") else {
            reader.mistake(
                span,
                "pi.boards",
                "is missing; add boards = [ { name = \"61\", usb = \"A10ABCDE\" }, … ], a line for each table",
            );
            return row;
        };
        let mut links = HashMap::new();
        let items: Vec<_> = boards.get_ref().as_array().map(|array| array.iter().collect()).unwrap_or_default();
        if boards.get_ref().as_array().is_none() {
            reader.mistake(boards.span(), "pi.boards", "expected a list; write boards = [ { name = \"61\", usb = \"A10ABCDE\" }, … ]");
        }
        for item in items {
            let DeValue::Table(table) = item.get_ref() else {
                reader.mistake(item.span(), "pi.boards", "expected { name = \"61\", usb = \"A10ABCDE\" }, a line for each table");
                continue;
            };
            if let Some((board, table)) = self.board(reader, item, table, line.as_deref(), &mut links) {
                row.boards.push(board);
                row.tables.push(Value::Table(table));
            }
        }
        row
    }

    fn board(
        &mut self,
        reader: &mut Reader<'_>,
        item: &Spanned<DeValue<'_>>,
        table: &DeTable<'_>,
        line: Option<&str>,
        links: &mut HashMap<String, usize>,
    ) -> Option<(Board, Table)> {
        let (mut name, mut serial, mut link, mut address) = (None, None, None, None);
        let mut whole = Table::new();
        let word = |text: &&str| (1..=64).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_graphic() && b != b'/');
        for (key, value) in table {
            let at = reader.line(value.span().start);
            match key.get_ref().as_ref() {
                "name" => {
                    name = reader.name(value);
                    let earlier = name.clone().and_then(|name| self.boards.insert(name, at));
                    reader.twice(
                        earlier,
                        value,
                        "board.name",
                        "number the tables of the event, not those of a Pi: each board has a name of its own",
                    );
                }
                "serial" => match value.get_ref().as_str().filter(word) {
                    Some(text) => {
                        serial = Some(String::from(text));
                        reader.twice(self.serials.insert(String::from(text), at), value, "board.serial", "each board has its own");
                    }
                    None => {
                        let text = "is no serial number; in quotes, as `flagfall doctor` says it: serial = \"25071\"";
                        reader.mistake(value.span(), "board.serial", format!("{} {text}", shown(value)));
                    }
                },
                "usb" => match value.get_ref().as_str().filter(word) {
                    Some(text) => {
                        link = Some(format!("serial:/dev/flagfall/board-{text}"));
                        let remedy = "each cable has its own; give this one's path as link, where two say the same";
                        reader.twice(self.sticks.insert(String::from(text), at), value, "board.usb", remedy);
                    }
                    None => {
                        let text = "is no USB serial number; on the Pi `ls /dev/flagfall` shows board-A10ABCDE: usb = \"A10ABCDE\"";
                        reader.mistake(value.span(), "board.usb", format!("{} {text}", shown(value)));
                    }
                },
                "link" => {
                    let read: Option<LinkAddress> = reader.link(value);
                    link = read.as_ref().map(ToString::to_string);
                    if let Some(LinkAddress::Serial(_) | LinkAddress::Rfcomm(_) | LinkAddress::Ble(_)) = &read {
                        let earlier = link.clone().and_then(|link| links.insert(link, at));
                        reader.twice(earlier, value, "board.link", "one board, one link");
                    }
                }
                "address" => {
                    address = bus::address(reader, value).map(|address| address.number());
                    let earlier = address.and_then(|address| self.addresses.insert(address, at));
                    reader.twice(earlier, value, "board.address", "a board keeps its number on any line; give each its own");
                }
                key_name => {
                    let mut settings = Settings::default();
                    reader.setting("board.", &mut settings, key, value, &["name", "usb", "link", "address", "serial"]);
                    whole.insert(String::from(key_name), Value::from(value.get_ref().as_str().unwrap_or_default()));
                }
            }
        }
        let has = |key: &str| table.iter().any(|(k, _)| k.get_ref() == key);
        if has("usb") && has("link") {
            reader.mistake(item.span(), "board.usb", "usb and link both say where the board is; take one out");
        }
        if !has("name") {
            reader.mistake(item.span(), "board.name", "is missing; add for example name = \"61\", the number of the table");
        }
        if !has("usb") && !has("link") {
            match (line, has("address")) {
                (Some(line), true) => link = Some(format!("bus:{line}")),
                (None, true) => {
                    reader.mistake(item.span(), "board.address", "on which line? Add to its [[pi]] for example bus = \"/dev/ttyUSB0\"");
                }
                _ => reader.mistake(
                    item.span(),
                    "board.usb",
                    "where is it? Add usb = \"A10ABCDE\" (on the Pi: ls /dev/flagfall), link = \"serial:PATH\", or on a bus line its address",
                ),
            }
        }
        let on_bus = link.as_ref().is_some_and(|link| link.starts_with("bus:"));
        if link.is_some() && on_bus != has("address") {
            let text = "a board on a bus line (link = \"bus:PATH\") has an address, and no other has; for example address = 1025";
            reader.mistake(item.span(), "board.address", text);
        }
        whole.insert(String::from("name"), Value::from(name.clone()?));
        whole.insert(String::from("link"), Value::from(link?));
        if let Some(address) = address {
            whole.insert(String::from("address"), Value::from(i64::from(address)));
        }
        Some((Board { name: name?, serial, line: reader.line(item.span().start) }, whole))
    }
}

/// `ssh` must not take it for an option, nor the shell for anything else.
fn is_destination(text: &str) -> bool {
    (1..=255).contains(&text.len())
        && !text.starts_with('-')
        && text.bytes().all(|b| b.is_ascii_alphanumeric() || b"@.-_:%[]/".contains(&b))
}

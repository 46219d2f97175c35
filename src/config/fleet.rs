//! The table list of an event, of which `flagfall fleet` makes every machine's files: TOML, all mistakes at once, each with its line.
use super::nats::{plain, servers};
use super::reader::{ConfigError, Mistake, Reader, shown};
use super::{Config, bus};
use flagfall_game::settings::Settings;
use flagfall_link::address::LinkAddress;
use std::collections::HashMap;
use std::path::PathBuf;
use toml::de::{DeTable, DeValue};
use toml::{Spanned, Table, Value};

/// A whole event.
#[derive(Clone, Debug, PartialEq)]
pub struct Fleet {
    /// Its word in every subject of the broker.
    pub event: String,
    /// The broker's servers, one or three, as Pis and halls reach them.
    pub servers: Vec<String>,
    /// The certificates that sign the servers', a file beside the list.
    pub tls_ca: Option<PathBuf>,
    /// Where things lie on the broker's machines.
    pub broker: Broker,
    /// The halls; at least one.
    pub halls: Vec<Hall>,
    /// The Pis in the order of the list.
    pub pis: Vec<Pi>,
}

/// Paths on the broker's machines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Broker {
    /// Where the streams are kept.
    pub streams: String,
    /// The server's certificate, with `tls://` only.
    pub cert: String,
    /// Its private key.
    pub key: String,
    /// What the servers trust each other by.
    pub ca: String,
}

/// A machine that shows all boards.
#[derive(Clone, Debug, PartialEq)]
pub struct Hall {
    /// Its name.
    pub name: String,
    /// Its whole configuration.
    pub toml: String,
}

/// A Raspberry Pi, or any other machine with boards.
#[derive(Clone, Debug, PartialEq)]
pub struct Pi {
    /// Its name, which is its account's, too.
    pub name: String,
    /// Where `ssh` finds it; `None`: under its name.
    pub ssh: Option<String>,
    /// Its boards.
    pub boards: Vec<Board>,
    /// Its whole configuration.
    pub toml: String,
}

impl Pi {
    /// What `ssh` is given.
    pub fn destination(&self) -> &str {
        self.ssh.as_deref().unwrap_or(&self.name)
    }
}

/// A board at its table.
#[derive(Clone, Debug, PartialEq)]
pub struct Board {
    /// Its name in the event.
    pub name: String,
    /// The serial number that the board itself tells, where the list has it.
    pub serial: Option<String>,
    /// Its line in the list.
    pub line: usize,
}

/// Where the package expects the files on a machine.
pub const FOLDER: &str = "/etc/flagfall";
/// The file with the broker's certificates there.
pub const CA: &str = "nats-ca.pem";
/// The file with the account's password there.
pub const PASSWORD: &str = "nats.password";

/// Accounts of the broker that are no Pi's, and names of folders among the files that are made.
const TAKEN: [&str; 8] = ["arbiter", "broker", "hall", "operator", "passwords", "public", "route", "system"];
const KEYS: [&str; 8] = ["event", "servers", "tls_ca", "broker", "config", "hall_config", "hall", "pi"];
const OF_PI: [&str; 5] = ["name", "ssh", "bus", "boards", "config"];
/// What the list itself says, so that no fragment of a configuration may.
const OURS: [&str; 3] = ["nats", "board", "hall"];

/// Reads a list; `file` is only for the messages.
///
/// # Errors
/// All mistakes at once, each with its line.
pub fn parse(file: &str, text: &str) -> Result<Fleet, ConfigError> {
    let mut reader = Reader::new(text);
    let (table, errors) = DeTable::parse_recoverable(text);
    for error in &errors {
        let text = format!("{}; see https://toml.io for the notation", error.message().replace('\n', ", "));
        reader.mistake(error.span().unwrap_or_default(), "", text);
    }
    let fleet = match toml::from_str::<Table>(text) {
        Ok(plain) if errors.is_empty() => Rows::default().read(&mut reader, table.get_ref(), &plain),
        _ => None,
    };
    let mistakes = reader.into_mistakes();
    match fleet {
        Some(fleet) if mistakes.is_empty() => Ok(fleet),
        _ => Err(ConfigError { file: String::from(file), mistakes }),
    }
}

/// What must not come twice, with the line where it stood.
#[derive(Default)]
struct Rows {
    machines: HashMap<String, usize>,
    boards: HashMap<String, usize>,
    addresses: HashMap<u16, usize>,
    sticks: HashMap<String, usize>,
    serials: HashMap<String, usize>,
}

/// A Pi as the list has it, before its configuration is made.
#[derive(Default)]
struct Row {
    name: String,
    ssh: Option<String>,
    boards: Vec<Board>,
    /// The same as `[[board]]`.
    tables: Vec<Value>,
}

impl Rows {
    fn read(mut self, reader: &mut Reader<'_>, table: &DeTable<'_>, plain_table: &Table) -> Option<Fleet> {
        let (mut event, mut list, mut tls_ca) = (String::new(), Vec::new(), None);
        let mut broker = Broker {
            streams: String::from("/var/lib/nats/flagfall"),
            cert: String::from("/etc/nats-server/server.pem"),
            key: String::from("/etc/nats-server/server.key"),
            ca: String::from("/etc/nats-server/ca.pem"),
        };
        let (mut halls, mut rows) = (Vec::new(), Vec::new());
        for (key, value) in table {
            let name = key.get_ref().as_ref();
            match name {
                "event" => match value.get_ref().as_str().filter(|text| plain(text)) {
                    Some(text) => event = String::from(text),
                    None => {
                        let text = "is no plain word: letters, digits, - and _, at most 64; for example event = \"open-2026\"";
                        reader.mistake(value.span(), name, format!("{} {text}", shown(value)));
                    }
                },
                "servers" => {
                    list = servers(reader, name, value);
                    if !matches!(list.len(), 0 | 1 | 3) {
                        reader.mistake(value.span(), name, "one server, or three of which any may fail; two are no better than one");
                    }
                }
                "tls_ca" => tls_ca = reader.path(name, value),
                "broker" => reader.section(name, value, &["streams", "cert", "key", "ca"], |reader, name, key, value| {
                    let Some(path) = value.get_ref().as_str().filter(|path| path.starts_with('/') && !path.contains(['"', '\\'])) else {
                        let text = "is no path on the server; for example streams = \"/var/lib/nats/flagfall\"";
                        return reader.mistake(value.span(), key, format!("{} {text}", shown(value)));
                    };
                    let place = match name {
                        "streams" => &mut broker.streams,
                        "cert" => &mut broker.cert,
                        "key" => &mut broker.key,
                        _ => &mut broker.ca,
                    };
                    *place = String::from(path);
                }),
                "config" | "hall_config" => self.fragment(reader, name, value),
                "hall" => {
                    for (span, table) in reader.tables(name, value) {
                        let mut hall = None;
                        for (key, value) in table {
                            match key.get_ref().as_ref() {
                                "name" => hall = self.machine(reader, "hall.name", value, "hall-a"),
                                other => reader.unknown(key.span(), &format!("hall.{other}"), other, ["name"].into_iter()),
                            }
                        }
                        if !table.iter().any(|(key, _)| key.get_ref() == "name") {
                            reader.mistake(span, "hall.name", "is missing; add for example name = \"hall-a\"");
                        }
                        halls.extend(hall);
                    }
                }
                "pi" => {
                    for (span, table) in reader.tables(name, value) {
                        rows.push(self.pi(reader, span, table));
                    }
                }
                _ => reader.unknown(key.span(), name, name, KEYS.into_iter()),
            }
        }
        let has = |key: &str| table.iter().any(|(k, _)| k.get_ref() == key);
        for (key, example) in [
            ("event", "a word that all machines share, for example event = \"open-2026\""),
            ("servers", "where the broker is, for example servers = [\"nats://10.0.0.1:4222\"]"),
            ("pi", "a [[pi]] for each machine with boards"),
        ] {
            if !has(key) {
                reader.mistake(0..0, key, format!("is missing; add {example}"));
            }
        }
        let tls = list.iter().filter(|server| server.starts_with("tls://")).count();
        if tls_ca.is_some() && tls < list.len() {
            reader.mistake(0..0, "servers", "with tls_ca all servers are tls://HOST:PORT; write them so, or take tls_ca out");
        }
        if reader.mistakes() > 0 {
            return None;
        }
        if halls.is_empty() {
            halls.push(String::from("hall-a"));
        }
        let fragment = |key: &str| plain_table.get(key).and_then(Value::as_table).cloned().unwrap_or_default();
        let nats = |name: &str, user: &str| nats(&event, &list, tls_ca.is_some(), name, user);
        let mut pis = Vec::new();
        for (n, row) in rows.into_iter().enumerate() {
            let mut whole = fragment("config");
            let own = plain_table.get("pi").and_then(|pis| pis.get(n)).and_then(|pi| pi.get("config"));
            merge(&mut whole, own.and_then(Value::as_table));
            whole.insert(String::from("nats"), nats(&row.name, &row.name));
            whole.insert(String::from("board"), Value::Array(row.tables));
            let own = table.get("pi").and_then(|pis| pis.get_ref().get(n)).and_then(|pi| pi.get_ref().get("config"));
            let toml = checked(reader, &whole, &[("pi.config", own), ("config", table.get("config"))]);
            pis.push(Pi { name: row.name, ssh: row.ssh, boards: row.boards, toml });
        }
        let halls = halls.into_iter().map(|name| {
            let mut whole = fragment("hall_config");
            whole.insert(String::from("nats"), nats(&name, "hall"));
            whole.insert(String::from("hall"), Value::Table(Table::from_iter([(String::from("name"), Value::from(name.as_str()))])));
            let toml = checked(reader, &whole, &[("hall_config", table.get("hall_config"))]);
            Hall { name, toml }
        });
        let halls = halls.collect();
        Some(Fleet { event, servers: list, tls_ca, broker, halls, pis })
    }

    /// The name of a machine, which is a folder, an account and a word of subjects.
    fn machine(&mut self, reader: &mut Reader<'_>, key: &str, value: &Spanned<DeValue<'_>>, example: &str) -> Option<String> {
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
    fn fragment(&self, reader: &mut Reader<'_>, name: &str, value: &Spanned<DeValue<'_>>) {
        let DeValue::Table(table) = value.get_ref() else {
            return reader.mistake(value.span(), name, format!("expected a table; write [{name}] on a line of its own"));
        };
        for (key, _) in table.iter().filter(|(key, _)| OURS.contains(&key.get_ref().as_ref())) {
            reader.mistake(key.span(), &format!("{name}.{}", key.get_ref()), "is made of the list; take it out here");
        }
    }

    fn pi(&mut self, reader: &mut Reader<'_>, span: std::ops::Range<usize>, table: &DeTable<'_>) -> Row {
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
                "config" => self.fragment(reader, "pi.config", value),
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

fn nats(event: &str, servers: &[String], has_ca: bool, name: &str, user: &str) -> Value {
    let mut nats = Table::new();
    let mut put = |key: &str, value: Value| _ = nats.insert(String::from(key), value);
    put("servers", Value::from(servers.to_vec()));
    put("event", Value::from(event));
    put("name", Value::from(name));
    put("user", Value::from(user));
    put("password_file", Value::from(format!("{FOLDER}/{PASSWORD}")));
    if has_ca {
        put("tls_ca", Value::from(format!("{FOLDER}/{CA}")));
    }
    if user == "hall" {
        put("replicas", Value::from(if servers.len() == 3 { 3 } else { 1 }));
    }
    Value::Table(nats)
}

/// What a Pi says of its own goes over what all say.
fn merge(whole: &mut Table, own: Option<&Table>) {
    for (key, value) in own.into_iter().flatten() {
        match (whole.get_mut(key), value) {
            (Some(Value::Table(there)), Value::Table(own)) => merge(there, Some(own)),
            _ => _ = whole.insert(key.clone(), value.clone()),
        }
    }
}

/// The text of a configuration; its mistakes are told where the list has them. `parts`: what it was made of, the strongest first.
fn checked(reader: &mut Reader<'_>, whole: &Table, parts: &[(&str, Option<&Spanned<DeValue<'_>>>)]) -> String {
    let text = match toml::to_string(whole) {
        Ok(text) => text,
        Err(error) => {
            reader.mistake(0..0, parts.first().map_or("", |part| part.0), format!("{error}; write it otherwise"));
            return String::new();
        }
    };
    let Err(error) = Config::parse("list", &text) else { return text };
    for Mistake { key, text, .. } in error.mistakes {
        let found = parts.iter().find_map(|(part, value)| Some((part, place((*value)?, &key)?)));
        let (part, span) = match found {
            Some((part, span)) => (*part, span),
            None => parts.iter().find_map(|(part, value)| Some((*part, value.as_ref()?.span()))).unwrap_or_default(),
        };
        let before = reader.told(&span, &text);
        if !before {
            reader.mistake(span, &format!("{part}.{key}"), text);
        }
    }
    String::new()
}

/// Where a key such as `web.listen` stands; of a table that is there without the key, the table's own place.
fn place(value: &Spanned<DeValue<'_>>, key: &str) -> Option<std::ops::Range<usize>> {
    let (mut at, mut found) = (value, None);
    for word in key.split('.') {
        let next = match at.get_ref() {
            DeValue::Table(table) => table.get(word),
            DeValue::Array(array) => array.iter().find_map(|item| item.get_ref().get(word)),
            _ => None,
        };
        let Some(next) = next else { break };
        at = next;
        found = Some(next.span());
    }
    found
}

#[cfg(test)]
#[path = "fleet_tests.rs"]
mod tests;

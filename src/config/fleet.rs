//! The table list of an event, of which `flagfall fleet` makes every machine's files: TOML, all mistakes at once, each with its line.
//!
//! | file | holds |
//! |---|---|
//! | `whole` | [`Fleet`] |
//! | `rows` | its machines and boards, each once |
//! | `made` | the configuration of a machine |
mod made;
mod rows;
mod whole;

pub use whole::{Board, Broker, CA, FOLDER, Fleet, Hall, PASSWORD, Pi};

use super::nats::{plain, servers};
use super::reader::{ConfigError, Reader, shown};
use made::{checked, merge, nats};
use rows::Rows;
use toml::de::DeTable;
use toml::{Table, Value};

const KEYS: [&str; 8] = ["event", "servers", "tls_ca", "broker", "config", "hall_config", "hall", "pi"];

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
        Ok(plain) if errors.is_empty() => read(&mut reader, table.get_ref(), &plain),
        _ => None,
    };
    let mistakes = reader.into_mistakes();
    match fleet {
        Some(fleet) if mistakes.is_empty() => Ok(fleet),
        _ => Err(ConfigError { file: String::from(file), mistakes }),
    }
}

fn read(reader: &mut Reader<'_>, table: &DeTable<'_>, plain_table: &Table) -> Option<Fleet> {
    let (mut event, mut list, mut tls_ca) = (String::new(), Vec::new(), None);
    let mut broker = Broker {
        streams: String::from("/var/lib/nats/flagfall"),
        cert: String::from("/etc/nats-server/server.pem"),
        key: String::from("/etc/nats-server/server.key"),
        ca: String::from("/etc/nats-server/ca.pem"),
    };
    let (mut halls, mut rows, mut machines) = (Vec::new(), Vec::new(), Rows::default());
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
            "config" | "hall_config" => Rows::fragment(reader, name, value),
            "hall" => {
                for (span, table) in reader.tables(name, value) {
                    let mut hall = None;
                    for (key, value) in table {
                        match key.get_ref().as_ref() {
                            "name" => hall = machines.machine(reader, "hall.name", value, "hall-a"),
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
                    rows.push(machines.pi(reader, span, table));
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

#[cfg(test)]
#[path = "fleet_tests.rs"]
mod tests;

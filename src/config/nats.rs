//! `[nats]`: the broker that joins the boards of many machines.
use super::quoted::{line, quoted};
use super::reader::{Reader, shown};
use std::path::{Path, PathBuf};
use toml::Spanned;
use toml::de::DeValue;

/// `[nats]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Nats {
    /// One or more of the cluster's servers, `nats://HOST:PORT` or `tls://HOST:PORT`.
    pub servers: Vec<String>,
    /// Whose boards these are: a word of every subject.
    pub event: String,
    /// This machine's name; `None`: its host name.
    pub name: Option<String>,
    /// The account's user.
    pub user: Option<String>,
    /// The file with its password.
    pub password_file: Option<PathBuf>,
    /// The file with an NKey's seed, instead of user and password.
    pub nkey_file: Option<PathBuf>,
    /// The certificates that sign the servers', instead of the system's.
    pub tls_ca: Option<PathBuf>,
    /// On how many servers a hall keeps the streams that it makes: 1 or 3.
    pub replicas: u8,
}

impl Nats {
    /// This machine's name among the Pis: as configured, else the host's.
    pub fn pi(&self) -> String {
        self.name.clone().or_else(host).unwrap_or_else(|| String::from("flagfall"))
    }
}

/// Whether a text is a plain word: 1 to 64 letters, digits, `-` and `_`.
pub fn plain(text: &str) -> bool {
    (1..=64).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_'))
}

/// The host's name; without the system call, for which another crate would be needed.
fn host() -> Option<String> {
    let read = |path: &Path| std::fs::read_to_string(path).ok().map(|text| String::from(text.trim())).filter(|name| !name.is_empty());
    read(Path::new("/proc/sys/kernel/hostname")).or_else(|| read(Path::new("/etc/hostname")))
}

const KEYS: [&str; 8] = ["servers", "event", "name", "user", "password_file", "nkey_file", "tls_ca", "replicas"];
const DEFAULT_REPLICAS: u8 = 1;

pub(super) fn read(reader: &mut Reader<'_>, value: &Spanned<DeValue<'_>>) -> Option<Nats> {
    let before = reader.mistakes();
    let mut nats = Nats {
        servers: Vec::new(),
        event: String::new(),
        name: None,
        user: None,
        password_file: None,
        nkey_file: None,
        tls_ca: None,
        replicas: DEFAULT_REPLICAS,
    };
    let mut seen = Vec::new();
    reader.section("nats", value, &KEYS, |reader, name, key, value| {
        seen.push(String::from(name));
        let text = value.get_ref().as_str();
        match name {
            "servers" => nats.servers = servers(reader, key, value),
            "event" => match text.filter(|text| plain(text)) {
                Some(text) => nats.event = String::from(text),
                None => reader.mistake(
                    value.span(),
                    key,
                    format!("{} is no plain word: letters, digits, - and _, at most 64; for example event = \"open-2026\"", shown(value)),
                ),
            },
            "name" | "user" => match text.filter(|text| is_name(text)) {
                Some(text) if name == "name" => nats.name = Some(String::from(text)),
                Some(text) => nats.user = Some(String::from(text)),
                None => reader.mistake(value.span(), key, format!("{} is no name; for example {name} = \"pi-7\"", shown(value))),
            },
            "password_file" => nats.password_file = reader.path(key, value),
            "nkey_file" => nats.nkey_file = reader.path(key, value),
            "tls_ca" => nats.tls_ca = reader.path(key, value),
            _ => match value.get_ref().as_integer().map(|n| n.as_str().to_owned()).as_deref() {
                Some("1") => nats.replicas = 1,
                Some("3") => nats.replicas = 3,
                _ => reader.mistake(
                    value.span(),
                    key,
                    format!("expected 1 or 3 (with three servers), not {}; for example replicas = 3", shown(value)),
                ),
            },
        }
    });
    let has = |key: &str| seen.iter().any(|name| name == key);
    let mut missing = |key: &str, text: &str| reader.mistake(value.span(), &format!("nats.{key}"), text);
    if !has("servers") {
        missing("servers", "is missing; add for example servers = [\"nats://10.0.0.1:4222\"]");
    }
    if !has("event") {
        missing("event", "is missing; add a word that all machines of the event share, for example event = \"open-2026\"");
    }
    if has("user") != has("password_file") {
        missing("user", "a user needs a password_file, and the file a user; or give an nkey_file instead of both");
    }
    if has("nkey_file") && has("user") {
        missing("nkey_file", "an account has either an nkey_file or a user with a password_file; remove one of them");
    }
    (reader.mistakes() == before).then_some(nats)
}

fn is_name(text: &str) -> bool {
    (1..=64).contains(&text.len()) && text.trim() == text && !text.chars().any(char::is_control)
}

/// `nats://HOST:PORT`, `tls://HOST:PORT`; the scheme and the port may be missing.
fn is_server(text: &str) -> bool {
    let rest = text.strip_prefix("nats://").or_else(|| text.strip_prefix("tls://")).unwrap_or(text);
    let host = rest.rsplit_once(':').filter(|(_, port)| port.bytes().all(|b| b.is_ascii_digit())).map_or(rest, |(host, _)| host);
    !host.is_empty() && !rest.contains(['/', '@', ' ', ','])
}

pub(super) fn servers(reader: &mut Reader<'_>, key: &str, value: &Spanned<DeValue<'_>>) -> Vec<String> {
    let one = |value: &Spanned<DeValue<'_>>| value.get_ref().as_str().filter(|text| is_server(text)).map(String::from);
    let list: Option<Vec<String>> = match value.get_ref().as_array() {
        Some(list) => list.iter().map(one).collect(),
        None => one(value).map(|server| vec![server]),
    };
    let list = list.filter(|list| !list.is_empty());
    if list.is_none() {
        let text = "expected a list of addresses without user or password; for example servers = [\"nats://10.0.0.1:4222\", \"nats://10.0.0.2:4222\"]";
        reader.mistake(value.span(), key, text);
    }
    list.unwrap_or_default()
}

pub(super) fn print(out: &mut String, nats: Option<&Nats>) {
    let Some(nats) = nats else { return };
    out.push_str("\n[nats]\n");
    line(out, "servers", toml::Value::from(nats.servers.clone()));
    line(out, "event", quoted(&nats.event));
    for (key, text) in [("name", &nats.name), ("user", &nats.user)] {
        if let Some(text) = text {
            line(out, key, quoted(text));
        }
    }
    for (key, path) in [("password_file", &nats.password_file), ("nkey_file", &nats.nkey_file), ("tls_ca", &nats.tls_ca)] {
        if let Some(path) = path {
            line(out, key, quoted(&path.display().to_string()));
        }
    }
    line(out, "replicas", nats.replicas);
}

/// What is legal but unwise.
pub(super) fn advice(nats: Option<&Nats>) -> Vec<String> {
    let Some(nats) = nats else { return Vec::new() };
    let mut advice = Vec::new();
    let plain = |server: &&String| !server.starts_with("tls://") && !is_here(server);
    if let Some(server) = nats.servers.iter().find(plain) {
        let what = if nats.user.is_some() { "the password and the findings go" } else { "findings go" };
        advice
            .push(format!("nats.servers: {server} has no tls://, so {what} through the network in clear text; see nats-server/README.md"));
    }
    if nats.user.is_none() && nats.nkey_file.is_none() {
        advice.push(String::from(
            "nats: without user or nkey_file anybody on the network may be this machine; give each machine an account of its own",
        ));
    }
    if nats.replicas == 3 && nats.servers.len() < 3 {
        advice.push(String::from(
            "nats.replicas = 3, but fewer than three servers are named; name all, so that the others are found when one is down",
        ));
    }
    if cfg!(not(feature = "nats")) {
        advice.push(String::from("[nats]: this flagfall was built without NATS; the section does nothing, install the package with it"));
    }
    advice
}

fn is_here(server: &str) -> bool {
    let rest = server.strip_prefix("nats://").unwrap_or(server);
    ["127.", "localhost", "[::1]"].iter().any(|here| rest.starts_with(here))
}

#[cfg(test)]
mod tests {
    use super::plain;
    use crate::Config;

    fn mistakes(text: &str) -> String {
        Config::parse("f", text).unwrap_err().to_string()
    }

    #[test]
    fn events_are_plain_words() {
        assert!(plain("open-2026_A") && !plain("") && !plain("a.b") && !plain("a b") && !plain(&"x".repeat(65)));
    }

    #[test]
    fn a_section_reads_back_as_it_prints() {
        let whole = "[nats]\nservers = [\"tls://a.example:4222\", \"tls://b:4222\", \"tls://[2001:db8::1]:4222\"]\nevent = \"open-2026\"\nname = \"pi 7\"\n\
                     user = \"pi7\"\npassword_file = \"/p\"\ntls_ca = \"/ca.pem\"\nreplicas = 3\n";
        for text in [whole, "[nats]\nservers = \"127.0.0.1\"\nevent = \"x\"\nnkey_file = \"/k\"\n"] {
            let config = Config::parse("f", text).unwrap();
            assert!(config.nats.is_some());
            assert_eq!(Config::parse("printed", &config.to_toml()).unwrap(), config);
            if cfg!(feature = "nats") {
                assert_eq!(config.advice(), Vec::<String>::new());
            }
        }
        assert_eq!(Config::parse("f", whole).unwrap().nats.unwrap().pi(), "pi 7");
        assert!(!Config::parse("f", "[nats]\nservers = \"h\"\nevent = \"x\"\n").unwrap().nats.unwrap().pi().is_empty());
    }

    #[test]
    fn mistakes_say_what_was_expected() {
        for (text, word) in [
            ("[nats]\nevent = \"x\"\n", "f:1: nats.servers: is missing"),
            ("[nats]\nservers = \"h\"\n", "f:1: nats.event: is missing"),
            ("[nats]\nservers = []\nevent = \"x\"\n", "f:2: nats.servers: expected a list"),
            ("[nats]\nservers = \"nats://u:p@h\"\nevent = \"x\"\n", "f:2: nats.servers: expected a list of addresses without user"),
            ("[nats]\nservers = \"http://h\"\nevent = \"x\"\n", "f:2: nats.servers"),
            ("[nats]\nservers = \"h\"\nevent = \"open.2026\"\n", "f:3: nats.event: \"open.2026\" is no plain word"),
            ("[nats]\nservers = \"h\"\nevent = \"x\"\nuser = \"u\"\n", "nats.user: a user needs a password_file"),
            ("[nats]\nservers = \"h\"\nevent = \"x\"\nuser = \"u\"\npassword_file = \"/p\"\nnkey_file = \"/k\"\n", "remove one of them"),
            ("[nats]\nservers = \"h\"\nevent = \"x\"\nreplicas = 2\n", "f:4: nats.replicas: expected 1 or 3"),
            ("[nats]\nservers = \"h\"\nevent = \"x\"\npassword = \"p\"\n", "nats.password: there is no such key; perhaps password_file"),
        ] {
            let found = mistakes(text);
            assert!(found.contains(word), "{word}: {found}");
        }
    }

    #[test]
    fn clear_text_and_missing_accounts_are_told() {
        let advice = |text: &str| Config::parse("f", text).unwrap().advice().join("\n");
        let open = advice("[nats]\nservers = \"10.0.0.1:4222\"\nevent = \"x\"\nuser = \"u\"\npassword_file = \"/p\"\n");
        assert!(open.contains("clear text"), "{open}");
        assert!(advice("[nats]\nservers = \"127.0.0.1\"\nevent = \"x\"\n").contains("account of its own"));
        assert!(advice("[nats]\nservers = \"127.0.0.1\"\nevent = \"x\"\nreplicas = 3\n").contains("fewer than three"));
    }
}

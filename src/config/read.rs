//! TOML text to [`Config`]: every mistake is collected with its line, so that one look at the output is enough to mend the file.
use super::{BoardConfig, Config, LinkAddress, accounts, alerts, ble, event, journal, lichess, livechess, log, nats, setting, upload, web};
use crate::game::settings::Settings;
use std::collections::HashMap;
use std::fmt;
use std::net::SocketAddr;
use std::ops::Range;
use std::path::PathBuf;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// One mistake in a configuration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistake {
    /// From 1.
    pub line: usize,
    /// The key with its table, `web.listen`; empty for a syntax error.
    pub key: String,
    /// What is wrong, what was expected, and an example.
    pub text: String,
}

/// A configuration with mistakes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfigError {
    /// The file's name as given.
    pub file: String,
    /// In the order of their lines; never empty.
    pub mistakes: Vec<Mistake>,
}

impl std::error::Error for ConfigError {}

impl fmt::Display for ConfigError {
    /// One line a mistake: `FILE:LINE: KEY: what, what was expected, example`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, Mistake { line, key, text }) in self.mistakes.iter().enumerate() {
            let (end, colon) = (if i > 0 { "\n" } else { "" }, if key.is_empty() { "" } else { ": " });
            write!(f, "{end}{}:{line}: {key}{colon}{text}", self.file)?;
        }
        Ok(())
    }
}

type Entry<'a, 't> = (&'a Spanned<toml::de::DeString<'t>>, &'a Spanned<DeValue<'t>>);

pub(super) struct Reader<'t> {
    text: &'t str,
    mistakes: Vec<Mistake>,
}

pub(super) fn config(file: &str, text: &str) -> Result<Config, ConfigError> {
    let mut reader = Reader { text, mistakes: Vec::new() };
    let (table, errors) = DeTable::parse_recoverable(text);
    for error in &errors {
        let text = format!("{}; see https://toml.io for the notation", error.message().replace('\n', ", "));
        reader.mistake(error.span().unwrap_or_default(), "", text);
    }
    let config = if errors.is_empty() { reader.root(table.get_ref()) } else { Config::default() };
    if reader.mistakes.is_empty() {
        return Ok(config);
    }
    reader.mistakes.sort_by_key(|m| m.line);
    Err(ConfigError { file: String::from(file), mistakes: reader.mistakes })
}

impl Reader<'_> {
    pub(super) fn line(&self, at: usize) -> usize {
        1 + self.text.as_bytes().iter().take(at).filter(|b| **b == b'\n').count()
    }

    /// How many mistakes were found so far.
    pub(super) const fn mistakes(&self) -> usize {
        self.mistakes.len()
    }

    pub(super) fn mistake(&mut self, span: Range<usize>, key: &str, text: impl Into<String>) {
        let line = self.line(span.start);
        self.mistakes.push(Mistake { line, key: String::from(key), text: text.into() });
    }

    fn root(&mut self, table: &DeTable<'_>) -> Config {
        let mut config = Config::default();
        // Boards start from the settings of the file's head, wherever these stand in the table's order.
        let (boards, rest): (Vec<Entry<'_, '_>>, Vec<_>) = table.iter().partition(|(key, _)| key.get_ref() == "board");
        for (key, value) in rest {
            let name = key.get_ref().as_ref();
            match name {
                "data_dir" => config.data_dir = self.path(name, value).or(config.data_dir),
                "capture" => config.capture = self.path(name, value).or(config.capture),
                "web" => web::read(self, value, &mut config.web, &mut config.web_access),
                "account" => config.accounts = accounts::read(self, value),
                "alert" => config.alerts = alerts::read(self, value),
                "livechess" => livechess::read(self, value, &mut config.livechess),
                "ble" => config.ble = ble::read(self, value),
                "lichess" => config.lichess = lichess::read(self, value),
                "nats" => config.nats = nats::read(self, value),
                "hall" => config.hall = super::hall::read(self, value),
                "journal" => self.section("journal", value, &journal::KEYS, |reader, name, key, value| {
                    journal::read(reader, &mut config.journal, name, key, value);
                }),
                "log" => log::read(self, value, &mut config.log),
                "upload" => config.uploads = upload::read(self, value),
                "discovery" => self.section("discovery", value, &["serial", "ble"], |reader, name, key, value| match name {
                    "serial" => config.discovery.serial = reader.flag(key, value).unwrap_or(config.discovery.serial),
                    _ => config.discovery.ble = reader.flag(key, value).unwrap_or(config.discovery.ble),
                }),
                _ if event::SECTIONS.contains(&name) => event::read(&mut config.event, self, name, value),
                _ => {
                    const OTHERS: &[&str] = &[
                        "data_dir",
                        "capture",
                        "web",
                        "account",
                        "alert",
                        "livechess",
                        "lichess",
                        "nats",
                        "hall",
                        "upload",
                        "journal",
                        "log",
                        "ble",
                        "discovery",
                        "board",
                        "event",
                        "tree",
                        "cloud",
                    ];
                    self.setting("", &mut config.defaults, key, value, OTHERS);
                }
            }
        }
        config.livechess.hosts = config.web_access.names();
        if config.livechess.enabled && config.web == config.livechess.listen && config.web.port() != 0 {
            let span = table.iter().find(|(key, _)| key.get_ref() == "livechess").map_or(0..0, |(key, _)| key.span());
            self.mistake(
                span,
                "livechess.listen",
                format!("{} is also web.listen; give each its own port, for example \"127.0.0.1:1982\"", config.web),
            );
        }
        for (_, value) in boards {
            config.boards = self.boards(value, &config.defaults);
        }
        config
    }

    /// A table of a fixed set of keys.
    pub(super) fn section(
        &mut self,
        section: &str,
        value: &Spanned<DeValue<'_>>,
        known: &[&str],
        mut each: impl FnMut(&mut Self, &str, &str, &Spanned<DeValue<'_>>),
    ) {
        let DeValue::Table(table) = value.get_ref() else {
            return self.mistake(value.span(), section, format!("expected a table; write [{section}] on a line of its own"));
        };
        for (key, value) in table {
            let name = key.get_ref().as_ref();
            let full = format!("{section}.{name}");
            if known.contains(&name) {
                each(self, name, &full, value);
            } else {
                self.unknown(key.span(), &full, name, known.iter().copied());
            }
        }
    }

    /// `[name]` once or `[[name]]` any number of times, each with its place in the text.
    pub(super) fn tables<'v, 't>(&mut self, name: &str, value: &'v Spanned<DeValue<'t>>) -> Vec<(Range<usize>, &'v DeTable<'t>)> {
        let items: Vec<_> = match value.get_ref() {
            DeValue::Table(table) => return vec![(value.span(), table)],
            DeValue::Array(array) => array.iter().collect(),
            _ => vec![value],
        };
        let mut tables = Vec::new();
        for item in items {
            match item.get_ref() {
                DeValue::Table(table) => tables.push((item.span(), table)),
                _ => self.mistake(item.span(), name, format!("expected a table; write [{name}], or [[{name}]] before each of several")),
            }
        }
        tables
    }

    fn boards(&mut self, value: &Spanned<DeValue<'_>>, defaults: &Settings) -> Vec<BoardConfig> {
        let DeValue::Array(array) = value.get_ref() else {
            self.mistake(value.span(), "board", "expected a list of boards; write [[board]] with two brackets before each");
            return Vec::new();
        };
        let (mut boards, mut names, mut links) = (Vec::new(), HashMap::new(), HashMap::new());
        for item in array.iter() {
            let DeValue::Table(table) = item.get_ref() else {
                self.mistake(item.span(), "board", "expected a table; write [[board]] on a line of its own");
                continue;
            };
            let mut settings = defaults.clone();
            let (mut name, mut link) = (None, None);
            for (key, value) in table {
                match key.get_ref().as_ref() {
                    "name" => {
                        name = self.name(value);
                        let line = self.line(value.span().start);
                        let earlier = name.clone().and_then(|name| names.insert(name, line));
                        self.twice(earlier, value, "board.name", "give each board a name of its own");
                    }
                    "link" => {
                        link = self.link(value);
                        let line = self.line(value.span().start);
                        let earlier = link.clone().and_then(|link: LinkAddress| links.insert(link, line));
                        self.twice(earlier, value, "board.link", "one board, one link");
                    }
                    _ => self.setting("board.", &mut settings, key, value, &["name", "link"]),
                }
            }
            for (key, example) in [("name", "name = \"1\""), ("link", "link = \"serial:/dev/ttyUSB0\"")] {
                if !table.iter().any(|(k, _)| k.get_ref() == key) {
                    self.mistake(item.span(), &format!("board.{key}"), format!("is missing; add for example {example}"));
                }
            }
            if let (Some(name), Some(link)) = (name, link) {
                settings.link = link.to_string();
                boards.push(BoardConfig { name, link, settings });
            }
        }
        boards
    }

    pub(super) fn twice(&mut self, earlier: Option<usize>, value: &Spanned<DeValue<'_>>, key: &str, remedy: &str) {
        if let Some(line) = earlier {
            self.mistake(value.span(), key, format!("{} is already in line {line}; {remedy}", shown(value)));
        }
    }

    /// A game's setting, or an unknown key.
    fn setting(
        &mut self,
        prefix: &str,
        settings: &mut Settings,
        key: &Spanned<toml::de::DeString<'_>>,
        value: &Spanned<DeValue<'_>>,
        others: &[&str],
    ) {
        let name = key.get_ref().as_ref();
        let full = format!("{prefix}{name}");
        if !setting::NAMES.contains(&name) {
            return self.unknown(key.span(), &full, name, setting::NAMES.into_iter().chain(others.iter().copied()));
        }
        // A value that is no string cannot be right: the empty one brings up what was expected.
        let text = value.get_ref().as_str().unwrap_or("");
        if let Some(Err(wrong)) = setting::apply(settings, name, text) {
            let setting::Wrong { expected, example } = wrong;
            self.mistake(value.span(), &full, format!("expected {expected}, not {}; for example {name} = \"{example}\"", shown(value)));
        }
    }

    pub(super) fn unknown<'k>(&mut self, span: Range<usize>, full: &str, name: &str, known: impl Iterator<Item = &'k str>) {
        let known: Vec<_> = known.collect();
        let plain = name.replace('-', "_").to_lowercase();
        let hint = match known.iter().find(|k| **k == plain || k.starts_with(&plain) || plain.starts_with(**k)) {
            Some(near) => format!("perhaps {near} is meant"),
            None => format!("expected one of {}", known.join(", ")),
        };
        self.mistake(span, full, format!("there is no such key; {hint}"));
    }

    fn name(&mut self, value: &Spanned<DeValue<'_>>) -> Option<String> {
        // The name stands in paths and addresses.
        let fits = |s: &&str| {
            (1..=64).contains(&s.len())
                && s.trim() == *s
                && !s.starts_with('.')
                && !s.contains(['/', '\\'])
                && !s.chars().any(char::is_control)
        };
        let name = value.get_ref().as_str().filter(fits).map(String::from);
        if name.is_none() {
            let text = "is no name: 1 to 64 bytes in quotes, no slash, no dot or blank first; for example name = \"1\"";
            self.mistake(value.span(), "board.name", format!("{} {text}", shown(value)));
        }
        name
    }

    fn link(&mut self, value: &Spanned<DeValue<'_>>) -> Option<LinkAddress> {
        match value.get_ref().as_str().unwrap_or("").parse() {
            Ok(link) => Some(link),
            Err(_) => {
                let text = "is no link: serial:PATH, rfcomm:ADDRESS, ble:ADDRESS or ble:NAME; for example link = \"serial:/dev/ttyUSB0\"";
                self.mistake(value.span(), "board.link", format!("{} {text}", shown(value)));
                None
            }
        }
    }

    pub(super) fn path(&mut self, key: &str, value: &Spanned<DeValue<'_>>) -> Option<PathBuf> {
        let path = value.get_ref().as_str().filter(|s| !s.is_empty()).map(PathBuf::from);
        if path.is_none() {
            self.mistake(value.span(), key, format!("{} is no folder; for example {key} = \"/var/lib/flagfall\"", shown(value)));
        }
        path
    }

    pub(super) fn address(&mut self, key: &str, value: &Spanned<DeValue<'_>>, example: &str) -> Option<SocketAddr> {
        let address = value.get_ref().as_str().and_then(|s| s.parse().ok());
        if address.is_none() {
            self.mistake(value.span(), key, format!("{} is no address with a port; for example listen = \"{example}\"", shown(value)));
        }
        address
    }

    pub(super) fn flag(&mut self, key: &str, value: &Spanned<DeValue<'_>>) -> Option<bool> {
        let flag = value.get_ref().as_bool();
        if flag.is_none() {
            let name = key.rsplit('.').next().unwrap_or(key);
            self.mistake(value.span(), key, format!("{} is not true or false; for example {name} = true", shown(value)));
        }
        flag
    }
}

/// A value as the file has it, or what kind of thing it is.
pub(super) fn shown(value: &Spanned<DeValue<'_>>) -> String {
    match value.get_ref() {
        DeValue::String(s) => format!("{s:?}"),
        DeValue::Integer(n) => n.to_string(),
        DeValue::Float(n) => n.to_string(),
        DeValue::Boolean(b) => b.to_string(),
        DeValue::Datetime(d) => d.to_string(),
        DeValue::Array(_) => String::from("a list"),
        DeValue::Table(_) => String::from("a table"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WHOLE: &str = include_str!("../../docs/flagfall.toml");

    fn mistakes(text: &str) -> Vec<(usize, String)> {
        let error = Config::parse("f.toml", text).unwrap_err();
        error.mistakes.into_iter().map(|m| (m.line, format!("{}: {}", m.key, m.text))).collect()
    }

    #[test]
    fn the_shipped_example_reads_and_prints_back_the_same() {
        let config = Config::parse("docs/flagfall.toml", WHOLE).unwrap();
        assert!(!config.boards.is_empty());
        assert_eq!(config.boards[0].settings.link, config.boards[0].link.to_string());
        assert_eq!(Config::parse("printed", &config.to_toml()).unwrap(), config);
        assert_eq!(config.advice(), Vec::<String>::new());
    }

    #[test]
    fn every_line_of_the_example_that_is_commented_out_is_right_too() {
        let all: String = WHOLE.lines().map(|l| l.strip_prefix("#:").unwrap_or(l).trim_start()).flat_map(|l| [l, "\n"]).collect();
        let config = Config::parse("docs/flagfall.toml", &all).unwrap();
        assert_eq!(Config::parse("printed", &config.to_toml()).unwrap(), config);
        for key in setting::NAMES {
            assert!(all.contains(&format!("{key} = ")), "the example does not mention {key}");
        }
    }

    #[test]
    fn nothing_at_all_is_a_configuration() {
        assert_eq!(Config::parse("f.toml", "").unwrap(), Config::default());
    }

    #[test]
    fn a_board_takes_what_the_head_of_the_file_says_and_may_say_otherwise() {
        let text = "play = \"rapid\"\nrules = \"fide-2018\"\n[[board]]\nname = \"a\"\nlink = \"ble:x\"\nplay = \"blitz\"\n";
        let config = Config::parse("f.toml", text).unwrap();
        assert_eq!(config.boards[0].settings.play, crate::game::settings::Play::Blitz);
        assert_eq!(config.boards[0].settings.rules, crate::game::settings::Rules::Fide2018);
        assert_eq!(config.defaults.play, crate::game::settings::Play::Rapid);
    }

    #[test]
    fn all_mistakes_come_at_once_each_with_its_line() {
        let text = "rules = \"fide-2022\"\ntime-control = \"5400\"\n[web]\nlisten = 8064\nport = 1\n[livechess]\nenabled = \"no\"\n\
                    [[board]]\nname = \"1\"\nlink = \"usb\"\n[[board]]\nname = \"1\"\nlink = \"ble:x\"\n[[board]]\nlink = \"ble:x\"\n";
        let found = mistakes(text);
        let lines: Vec<_> = found.iter().map(|m| m.0).collect();
        assert_eq!(lines, [1, 2, 4, 5, 7, 10, 12, 14, 15], "{found:#?}");
        for (i, word) in [
            (0, "for example rules = \"fide-2023\""),
            (1, "perhaps time_control is meant"),
            (2, "8064 is no address with a port"),
            (3, "web.port: there is no such key; expected one of listen"),
            (4, "not true or false"),
            (5, "serial:PATH"),
            (6, "already in line 9"),
            (7, "board.name: is missing"),
            (8, "already in line 13"),
        ] {
            assert!(found[i].1.contains(word), "{word}: {found:#?}");
        }
    }

    #[test]
    fn broken_toml_is_told_with_its_line() {
        let found = mistakes("play = \"blitz\"\nrules = \n");
        assert_eq!(found[0].0, 2, "{found:?}");
    }

    #[test]
    fn two_listeners_cannot_share_a_port() {
        let found = mistakes("[web]\nlisten = \"127.0.0.1:1982\"\n[livechess]\n");
        assert!(found[0].1.contains("also web.listen"), "{found:?}");
        assert!(Config::parse("f", "[web]\nlisten = \"127.0.0.1:1982\"\n[livechess]\nenabled = false\n").is_ok());
    }

    #[test]
    fn names_that_would_break_a_path_are_refused() {
        for name in ["", "..", "a/b", " a", "a\\\\b", "a\\nb"] {
            let found = mistakes(&format!("[[board]]\nname = \"{name}\"\nlink = \"ble:x\"\n"));
            assert!(found[0].1.contains("is no name"), "{name}: {found:?}");
        }
    }
}

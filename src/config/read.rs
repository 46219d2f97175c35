//! TOML text to [`Config`]: every mistake is collected with its line, so that one look at the output is enough to mend the file.
use super::bus::Bus;
use super::reader::{ConfigError, Reader, shown};
use super::whole::{BoardConfig, Config};
use super::{accounts, alerts, ble, bus, delay, event, hall, journal, lichess, livechess, log, nats, upload, web, witness};
use flagfall_game::setting;
use flagfall_game::settings::Settings;
use flagfall_link::address::LinkAddress;
use std::collections::HashMap;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

type KeyValue<'a, 't> = (&'a Spanned<toml::de::DeString<'t>>, &'a Spanned<DeValue<'t>>);

pub(super) fn config(file: &str, text: &str) -> Result<Config, ConfigError> {
    let mut reader = Reader::new(text);
    let (table, errors) = DeTable::parse_recoverable(text);
    for error in &errors {
        let text = format!("{}; see https://toml.io for the notation", error.message().replace('\n', ", "));
        reader.mistake(error.span().unwrap_or_default(), "", text);
    }
    let config = if errors.is_empty() { reader.root(table.get_ref()) } else { Config::default() };
    let mistakes = reader.into_mistakes();
    if mistakes.is_empty() { Ok(config) } else { Err(ConfigError { file: String::from(file), mistakes }) }
}

/// Lines that only boards name are lines, too.
fn complete(buses: &mut Vec<Bus>, boards: &[BoardConfig]) {
    for board in boards {
        let LinkAddress::Bus(path) = &board.link else { continue };
        if !buses.iter().any(|bus| bus.path == *path) {
            let taken = |name: &String| buses.iter().any(|bus| bus.name == *name);
            let name = (1..).map(|n| format!("line {n}")).find(|name| !taken(name)).unwrap_or_default();
            buses.push(Bus::new(path.clone(), name));
        }
    }
}

impl Reader<'_> {
    fn root(&mut self, table: &DeTable<'_>) -> Config {
        let mut config = Config { delay: delay::read(self, table), ..Config::default() };
        // Boards start from the settings of the file's head, wherever these stand in the table's order.
        let (boards, rest): (Vec<KeyValue<'_, '_>>, Vec<_>) = table.iter().partition(|(key, _)| key.get_ref() == "board");
        for (key, value) in rest {
            let name = key.get_ref().as_ref();
            match name {
                "data_dir" => config.data_dir = self.path(name, value).or(config.data_dir),
                "capture" => config.capture = self.path(name, value).or(config.capture),
                "delay" | "until" => {}
                "lan_public" => config.lan_public = self.flag(name, value).unwrap_or(config.lan_public),
                "web" => web::read(self, value, &mut config.web, &mut config.web_access),
                "account" => config.accounts = accounts::read(self, value),
                "alert" => config.alerts = alerts::read(self, value),
                "witness" => config.witnesses = witness::read(self, value),
                "livechess" => livechess::read(self, value, config.delay, &mut config.livechess),
                "ble" => config.ble = ble::read(self, value),
                "bus" => config.buses = bus::read(self, value),
                "lichess" => config.lichess = lichess::read(self, value, config.delay),
                "nats" => config.nats = nats::read(self, value),
                "hall" => config.hall = hall::read(self, value),
                "journal" => self.section("journal", value, &journal::KEYS, |reader, name, key, value| {
                    journal::read(reader, &mut config.journal, name, key, value);
                }),
                "log" => log::read(self, value, &mut config.log),
                "upload" => config.uploads = upload::read(self, value, config.delay),
                "discovery" => self.section("discovery", value, &["serial", "ble"], |reader, name, key, value| match name {
                    "serial" => config.discovery.serial = reader.flag(key, value).unwrap_or(config.discovery.serial),
                    _ => config.discovery.ble = reader.flag(key, value).unwrap_or(config.discovery.ble),
                }),
                _ if event::SECTIONS.contains(&name) => event::read(&mut config.event, self, name, value),
                _ => {
                    const OTHERS: &[&str] = &[
                        "data_dir",
                        "capture",
                        "delay",
                        "until",
                        "lan_public",
                        "web",
                        "account",
                        "alert",
                        "witness",
                        "livechess",
                        "lichess",
                        "nats",
                        "hall",
                        "upload",
                        "journal",
                        "log",
                        "ble",
                        "bus",
                        "discovery",
                        "board",
                        "event",
                        "tree",
                        "cloud",
                        "archive",
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
        complete(&mut config.buses, &config.boards);
        config
    }

    fn boards(&mut self, value: &Spanned<DeValue<'_>>, defaults: &Settings) -> Vec<BoardConfig> {
        let DeValue::Array(array) = value.get_ref() else {
            self.mistake(value.span(), "board", "expected a list of boards; write [[board]] with two brackets before each");
            return Vec::new();
        };
        let (mut boards, mut names, mut links): (Vec<BoardConfig>, _, _) = (Vec::new(), HashMap::new(), HashMap::new());
        let (mut addresses, mut ports) = (HashMap::new(), HashMap::new());
        for item in array.iter() {
            let DeValue::Table(table) = item.get_ref() else {
                self.mistake(item.span(), "board", "expected a table; write [[board]] on a line of its own");
                continue;
            };
            let mut settings = defaults.clone();
            let (mut name, mut link, mut address) = (None, None, None);
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
                        let alone = link.clone().filter(|link| !matches!(link, LinkAddress::Bus(_)));
                        let earlier = alone.and_then(|link: LinkAddress| links.insert(link, line));
                        self.twice(earlier, value, "board.link", "one board, one link");
                        if let Some(LinkAddress::Bus(port) | LinkAddress::Serial(port)) = &link {
                            let shares = matches!(link, Some(LinkAddress::Bus(_)));
                            if ports.insert(port.clone(), shares).is_some_and(|shared| shared != shares) {
                                let text = format!("{} has one board alone or several on a bus, not both", port.display());
                                self.mistake(value.span(), "board.link", text);
                            }
                        }
                    }
                    "address" => {
                        address = bus::address(self, value);
                        let line = self.line(value.span().start);
                        let earlier = address.and_then(|address| addresses.insert(address, line));
                        self.twice(earlier, value, "board.address", "a board keeps its number on any line; give each its own");
                    }
                    _ => self.setting("board.", &mut settings, key, value, &["name", "link", "address"]),
                }
            }
            for (key, example) in [("name", "name = \"1\""), ("link", "link = \"serial:/dev/ttyUSB0\"")] {
                if !table.iter().any(|(k, _)| k.get_ref() == key) {
                    self.mistake(item.span(), &format!("board.{key}"), format!("is missing; add for example {example}"));
                }
            }
            let addressed = table.iter().any(|(key, _)| key.get_ref() == "address");
            match &link {
                Some(LinkAddress::Bus(_)) if !addressed => {
                    let text = "is missing: the number under the board says which of the line it is; add for example address = 1025";
                    self.mistake(item.span(), "board.address", text);
                }
                Some(other) if addressed && !matches!(other, LinkAddress::Bus(_)) => {
                    self.mistake(
                        item.span(),
                        "board.address",
                        "only boards on a bus have one: write link = \"bus:PATH\", or take address out",
                    );
                }
                _ => {}
            }
            if let (Some(name), Some(link)) = (name, link) {
                settings.link = link.to_string();
                boards.push(BoardConfig { name, link, address, settings });
            }
        }
        boards
    }

    /// A game's setting, or an unknown key.
    pub(super) fn setting(
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

    pub(super) fn name(&mut self, value: &Spanned<DeValue<'_>>) -> Option<String> {
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

    pub(super) fn link(&mut self, value: &Spanned<DeValue<'_>>) -> Option<LinkAddress> {
        match value.get_ref().as_str().unwrap_or("").parse() {
            Ok(link) => Some(link),
            Err(_) => {
                let text = "is no link: serial:PATH, bus:PATH, rfcomm:ADDRESS, ble:ADDRESS or ble:NAME; for example link = \"serial:/dev/ttyUSB0\"";
                self.mistake(value.span(), "board.link", format!("{} {text}", shown(value)));
                None
            }
        }
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
        assert_eq!(config.boards[0].settings.play, flagfall_events::Play::Blitz);
        assert_eq!(config.boards[0].settings.rules, flagfall_events::Rules::Fide2018);
        assert_eq!(config.defaults.play, flagfall_events::Play::Rapid);
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

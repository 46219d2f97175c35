//! `[event]`, `[tree]`, `[cloud]` and `[archive]`: the event, its pairings, and the folders its documents are written to.
use super::country;
use super::date::date;
use super::list_source::ListSource;
use super::quoted::{line, quoted};
use super::reader::{Reader, shown};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::PathBuf;
use toml::Spanned;
use toml::de::DeValue;

/// What the configuration says of the event; see `[event]`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct About {
    /// The name.
    pub name: Option<String>,
    /// The short title; the name where it is missing.
    pub id: Option<String>,
    /// Instead of the one made from name and place.
    pub uuid: Option<String>,
    /// City.
    pub city: Option<String>,
    /// Country: code or English name.
    pub country: Option<String>,
    /// Its page.
    pub website: Option<String>,
    /// The first day, `YYYY-MM-DD`.
    pub date: Option<String>,
    /// How many rounds there will be.
    pub rounds: Option<u32>,
    /// The round to play, if the list does not decide it.
    pub round: Option<u32>,
    /// Time control in words.
    pub time_control: Option<String>,
    /// Which pairing is played where.
    #[serde(default)]
    pub seating: Seating,
}

/// Which e-board a pairing is played on, where labels do not say it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Seating {
    /// `event.seats`: e-boards by a pairing's label (one), or by the number of a match (in the order of its boards).
    pub tables: BTreeMap<String, Vec<String>>,
    /// `event.match_boards`: how many boards a match of a team event has; `None`: as many as the list shows.
    pub match_boards: Option<u32>,
}

impl Seating {
    /// The e-board that was named for a label.
    pub fn table(&self, label: &str) -> Option<&str> {
        if let Some(board) = self.tables.get(label).and_then(|boards| boards.first()) {
            return Some(board);
        }
        let (of, board) = label.split_once('.')?;
        let place = board.parse::<usize>().ok()?.checked_sub(1)?;
        self.tables.get(of)?.get(place).map(String::as_str)
    }
}

/// What broadcast software is told of the event, and where that is written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EventConfig {
    /// What it is called, where and when it is.
    pub about: About,
    /// `event.pairings`: the pairing list.
    pub pairings: Option<ListSource>,
    /// `event.players`: the tournament report, TRF.
    pub players: Option<ListSource>,
    /// `tree.folder`: LiveChess's tree of PGN files.
    pub tree: Option<PathBuf>,
    /// `cloud.folder`: the cloud's JSON, in `get/UUID` below it.
    pub cloud: Option<PathBuf>,
    /// `archive.folder`: a page with rounds, results and games, for any web server.
    pub archive: Option<PathBuf>,
}

const EVENT: [&str; 14] = [
    "name",
    "id",
    "uuid",
    "city",
    "country",
    "website",
    "date",
    "rounds",
    "round",
    "time_control",
    "pairings",
    "players",
    "match_boards",
    "seats",
];
const FOLDER: [&str; 1] = ["folder"];

/// The sections that stand here.
pub(super) const SECTIONS: [&str; 4] = ["event", "tree", "cloud", "archive"];

/// Reads one of [`SECTIONS`].
pub(super) fn read(config: &mut EventConfig, reader: &mut Reader<'_>, section: &str, value: &Spanned<DeValue<'_>>) {
    match section {
        "tree" => reader.section(section, value, &FOLDER, |reader, _, key, value| {
            config.tree = text(reader, key, value, "a folder", "/srv/www/pgn").map(PathBuf::from);
        }),
        "cloud" => reader.section(section, value, &FOLDER, |reader, _, key, value| {
            config.cloud = text(reader, key, value, "a folder", "/srv/www").map(PathBuf::from);
        }),
        "archive" => reader.section(section, value, &FOLDER, |reader, _, key, value| {
            config.archive = text(reader, key, value, "a folder", "/srv/www/archive").map(PathBuf::from);
        }),
        _ => reader.section(section, value, &EVENT, |reader, name, key, value| event(config, reader, name, key, value)),
    }
}

fn event(config: &mut EventConfig, reader: &mut Reader<'_>, name: &str, key: &str, value: &Spanned<DeValue<'_>>) {
    let about = &mut config.about;
    match name {
        "name" => about.name = text(reader, key, value, "a name", "Club Championship 2026"),
        "id" => about.id = text(reader, key, value, "a short title", "Club 2026"),
        "uuid" => {
            about.uuid = fitting(reader, key, value, "a UUID", "5f6a3c1e-0b7d-8c2a-9e41-3d5b7a90c1f2", |text| {
                let fits = text.len() == 36 && text.split('-').map(str::len).eq([8, 4, 4, 4, 12]);
                (fits && text.chars().all(|c| c == '-' || c.is_ascii_hexdigit())).then(|| text.to_lowercase())
            });
        }
        "city" => about.city = text(reader, key, value, "a city", "Bergen"),
        "country" => {
            about.country = fitting(reader, key, value, "a country: its two letters or its English name", "NO", |text| {
                country::find(text).map(|(code, _)| String::from(code))
            });
        }
        "website" => about.website = text(reader, key, value, "an address", "https://example.org/"),
        "date" => about.date = fitting(reader, key, value, "a day", "2026-11-21", date),
        "rounds" => about.rounds = number(reader, key, value, "9"),
        "round" => about.round = number(reader, key, value, "1"),
        "time_control" => about.time_control = text(reader, key, value, "a time control in words", "90 min + 30 s a move"),
        "match_boards" => about.seating.match_boards = number(reader, key, value, "4"),
        "seats" => about.seating.tables = tables(reader, key, value),
        "pairings" => config.pairings = source(reader, key, value, "/var/lib/flagfall/pairings.csv"),
        _ => config.players = source(reader, key, value, "/var/lib/flagfall/players.trf"),
    }
}

/// A file or an address.
fn source(reader: &mut Reader<'_>, key: &str, value: &Spanned<DeValue<'_>>, example: &str) -> Option<ListSource> {
    let given = value.get_ref().as_str().ok_or_else(|| String::from("is no file and no address")).and_then(ListSource::parse);
    given
        .map_err(|why| {
            let name = key.rsplit('.').next().unwrap_or(key);
            reader.mistake(value.span(), key, format!("{}: {why}; for example {name} = \"{example}\"", shown(value)));
        })
        .ok()
}

/// `"3.2" = "14"`, or for a whole match `"3" = ["9", "10", "11", "12"]`.
fn tables(reader: &mut Reader<'_>, key: &str, value: &Spanned<DeValue<'_>>) -> BTreeMap<String, Vec<String>> {
    let mut tables = BTreeMap::new();
    let mut given: BTreeMap<String, String> = BTreeMap::new();
    let Some(table) = value.get_ref().as_table() else {
        let text = format!("{} names no boards; for example seats = {{ \"3.2\" = \"14\" }}", shown(value));
        reader.mistake(value.span(), key, text);
        return tables;
    };
    for (label, value) in table {
        let label = label.get_ref().trim().to_owned();
        let key = format!("{key}.{label}");
        let names: Option<Vec<String>> = match value.get_ref() {
            DeValue::Array(names) => names.iter().map(|name| name.get_ref().as_str().map(String::from)).collect(),
            one => one.as_str().map(|name| vec![String::from(name)]),
        };
        let Some(names) = names.filter(|names| !names.is_empty() && names.iter().all(|name| !name.trim().is_empty())) else {
            let text = format!(
                "{} is no e-board's name; for example \"{label}\" = \"14\", for a whole match \"3\" = [\"9\", \"10\", \"11\", \"12\"]",
                shown(value)
            );
            reader.mistake(value.span(), &key, text);
            continue;
        };
        for name in &names {
            if let Some(before) = given.insert(name.to_lowercase(), label.clone()) {
                let text = format!("board {name} is given to {before} and to {label}; each board once, for example \"{label}\" = \"14\"");
                reader.mistake(value.span(), &key, text);
            }
        }
        tables.insert(label, names);
    }
    tables
}

fn text(reader: &mut Reader<'_>, key: &str, value: &Spanned<DeValue<'_>>, what: &str, example: &str) -> Option<String> {
    let fits = |text: &str| (!text.trim().is_empty() && !text.chars().any(char::is_control)).then(|| String::from(text.trim()));
    fitting(reader, key, value, what, example, fits)
}

fn fitting<T>(
    reader: &mut Reader<'_>,
    key: &str,
    value: &Spanned<DeValue<'_>>,
    what: &str,
    example: &str,
    fit: impl Fn(&str) -> Option<T>,
) -> Option<T> {
    let found = value.get_ref().as_str().and_then(fit);
    if found.is_none() {
        let name = key.rsplit('.').next().unwrap_or(key);
        reader.mistake(value.span(), key, format!("{} is not {what}; for example {name} = \"{example}\"", shown(value)));
    }
    found
}

fn number(reader: &mut Reader<'_>, key: &str, value: &Spanned<DeValue<'_>>, example: &str) -> Option<u32> {
    let digits = value.get_ref().as_integer().map(ToString::to_string);
    let found = digits.and_then(|n| n.parse::<u32>().ok()).filter(|n| (1..=99).contains(n));
    if found.is_none() {
        let name = key.rsplit('.').next().unwrap_or(key);
        let text = format!("{} is not a number from 1 to 99; for example {name} = {example}", shown(value));
        reader.mistake(value.span(), key, text);
    }
    found
}

/// The sections that say something.
pub(super) fn print(out: &mut String, config: &EventConfig) {
    let about = &config.about;
    let path = |path: &Option<PathBuf>| path.as_ref().map(|p| p.display().to_string());
    let texts = [
        ("name", about.name.clone()),
        ("id", about.id.clone()),
        ("uuid", about.uuid.clone()),
        ("city", about.city.clone()),
        ("country", about.country.clone()),
        ("website", about.website.clone()),
        ("date", about.date.clone()),
        ("time_control", about.time_control.clone()),
        ("pairings", config.pairings.as_ref().map(ListSource::given)),
        ("players", config.players.as_ref().map(ListSource::given)),
    ];
    let numbers = [("rounds", about.rounds), ("round", about.round), ("match_boards", about.seating.match_boards)];
    if texts.iter().any(|(_, text)| text.is_some()) || !about.seating.tables.is_empty() || numbers.iter().any(|(_, n)| n.is_some()) {
        out.push_str("\n[event]\n");
    }
    for (key, text) in texts {
        if let Some(text) = text {
            line(out, key, quoted(&text));
        }
    }
    for (key, n) in numbers {
        if let Some(n) = n {
            line(out, key, n);
        }
    }
    if !about.seating.tables.is_empty() {
        out.push_str("\n[event.seats]\n");
        for (label, boards) in &about.seating.tables {
            let boards: Vec<String> = boards.iter().map(|board| quoted(board)).collect();
            line(out, &quoted(label), format!("[{}]", boards.join(", ")));
        }
    }
    for (section, folder) in [("tree", &config.tree), ("cloud", &config.cloud), ("archive", &config.archive)] {
        if let Some(folder) = path(folder) {
            out.push_str(&format!("\n[{section}]\n"));
            line(out, "folder", quoted(&folder));
        }
    }
}

/// What is legal but unwise.
pub(super) fn advice(config: &EventConfig) -> Vec<String> {
    let mut advice = Vec::new();
    if config.tree.is_some() && config.tree == config.cloud {
        advice.push(String::from(
            "tree.folder and cloud.folder are the same; that works (the JSON goes to get/ below it), but two folders are easier to serve",
        ));
    }
    if (config.tree.is_some() || config.cloud.is_some() || config.pairings.is_some())
        && config.about.name.is_none()
        && config.pairings.is_none()
    {
        advice.push(String::from(
            "event.name is missing: broadcast services tell events apart by it; for example name = \"Club Championship 2026\"",
        ));
    }
    advice
}

#[cfg(test)]
mod tests {
    use super::super::Config;

    const WHOLE: &str = "[event]\nname = \"Club\"\nid = \"C\"\nuuid = \"5F6A3C1E-0b7d-8c2a-9e41-3d5b7a90c1f2\"\ncity = \"Bergen\"\ncountry = \"Norway\"\n\
                         website = \"https://example.org/\"\ndate = \"21.11.2026\"\nrounds = 9\nround = 2\ntime_control = \"90 min\"\n\
                         pairings = \"p.csv\"\nplayers = \"t.trf\"\nmatch_boards = 4\nseats = { \"3.2\" = \"14\", \"4\" = [\"13\", \"A B\"] }\n[tree]\nfolder = \"/a\"\n[cloud]\nfolder = \"/b\"\n[archive]\nfolder = \"/c\"\n";

    #[test]
    fn every_key_is_read_and_printed_back() {
        let config = Config::parse("f", WHOLE).unwrap();
        let about = &config.event.about;
        assert_eq!(
            (about.country.as_deref(), about.date.as_deref(), about.rounds, about.round),
            (Some("NO"), Some("2026-11-21"), Some(9), Some(2))
        );
        assert_eq!(about.uuid.as_deref(), Some("5f6a3c1e-0b7d-8c2a-9e41-3d5b7a90c1f2"));
        let seating = &about.seating;
        let tables = ["3.2", "4.1", "4.2", "4.3", "5.1"].map(|label| seating.table(label));
        assert_eq!((tables, seating.match_boards), ([Some("14"), Some("13"), Some("A B"), None, None], Some(4)));
        assert_eq!(Config::parse("printed", &config.to_toml()).unwrap(), config);
        assert_eq!(config.advice(), Vec::<String>::new());
    }

    #[test]
    fn mistakes_have_their_lines_and_an_example() {
        let text = "[event]\nname = 5\ncountry = \"Atlantis\"\ndate = \"soon\"\nrounds = 0\nuuid = \"x\"\nvenue = \"x\"\n[event.seats]\n1 = 5\n2 = \"a\"\n3 = \"A\"\n[tree]\nfolder = \"\"\n";
        let error = Config::parse("f", text).unwrap_err();
        let lines: Vec<usize> = error.mistakes.iter().map(|m| m.line).collect();
        assert_eq!(lines, [2, 3, 4, 5, 6, 7, 9, 11, 13], "{error}");
        assert!(error.mistakes.iter().all(|m| m.text.contains("for example") || m.text.contains("expected one of")), "{error}");
    }
}

//! `[lichess]`, or `[[lichess]]` for several rounds: where Lichess gets its games from.
use super::delay::{Delay, OwnDelay};
use super::quoted::{line, quoted};
use super::reader::{Reader, shown};
use super::{secret, source_url};
use flagfall_events::duration;
use std::path::PathBuf;
use std::time::Duration;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// The Lichess that everybody means.
const LICHESS: &str = "https://lichess.org";
const KEYS: [&str; 9] = ["round", "token_file", "event_round", "boards", "base_url", "delay", "early", "interval", "source_url"];

/// One round on Lichess.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Lichess {
    /// flagfall sends it every change.
    Push(Push),
    /// Lichess fetches this address; flagfall only looks whether it can.
    Polls(String),
}

/// A round that is pushed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Push {
    /// The eight characters at the end of the round's address.
    pub round: String,
    /// File with the token, scope `study:write`.
    pub token_file: PathBuf,
    /// Which round of the event goes there, from 1; without it the one that is playing when the first move is made.
    pub event_round: Option<u32>,
    /// Which boards; all without it.
    pub boards: Option<Boards>,
    /// Another Lichess.
    pub base_url: String,
    /// What goes out stood so on the boards this long ago.
    pub delay: OwnDelay,
    /// At least this long between an answer and the next push; a second or more.
    pub interval: Duration,
}

/// Some of the boards: `1-64,70,A`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Boards(Vec<Part>);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Part {
    Range(u32, u32),
    Name(String),
}

impl Boards {
    /// Ranges of numbers and names with commas between.
    pub fn parse(text: &str) -> Option<Self> {
        let part = |part: &str| {
            let part = part.trim();
            match part.split_once('-').map(|(from, to)| (from.trim().parse(), to.trim().parse())) {
                Some((Ok(from), Ok(to))) if from <= to => Some(Part::Range(from, to)),
                Some((Ok(_), Ok(_))) => None,
                _ => (!part.is_empty()).then(|| Part::Name(String::from(part))),
            }
        };
        text.split(',').map(part).collect::<Option<Vec<_>>>().map(Self)
    }

    /// Whether `board`, a name or a number, is one of them.
    pub fn has(&self, board: &str) -> bool {
        self.0.iter().any(|part| match part {
            Part::Range(from, to) => board.parse::<u32>().is_ok_and(|n| (from..=to).contains(&&n)),
            Part::Name(name) => name == board,
        })
    }
}

impl std::fmt::Display for Boards {
    /// As [`Boards::parse`] reads it.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (i, part) in self.0.iter().enumerate() {
            let comma = if i > 0 { "," } else { "" };
            match part {
                Part::Range(from, to) => write!(f, "{comma}{from}-{to}")?,
                Part::Name(name) => write!(f, "{comma}{name}")?,
            }
        }
        Ok(())
    }
}

pub(super) fn read(reader: &mut Reader<'_>, value: &Spanned<DeValue<'_>>, general: Delay) -> Vec<Lichess> {
    let mut found = Vec::new();
    for (span, table) in reader.tables("lichess", value) {
        let before = reader.mistakes();
        let one = one(reader, span.clone(), table, general);
        let Some(one) = one.filter(|_| reader.mistakes() == before) else { continue };
        let round = |l: &Lichess| if let Lichess::Push(push) = l { Some((push.base_url.clone(), push.round.clone())) } else { None };
        if round(&one).is_some() && found.iter().any(|earlier| round(earlier) == round(&one)) {
            reader.mistake(span, "lichess.round", "is there twice; give each [[lichess]] a round of its own");
        }
        found.push(one);
    }
    found
}

fn one(reader: &mut Reader<'_>, span: std::ops::Range<usize>, table: &DeTable<'_>, general: Delay) -> Option<Lichess> {
    let (mut round, mut token_file, mut event_round, mut boards, mut source) = (None, None, None, None, None);
    let (mut base_url, mut delay, mut early, mut interval) = (String::from(LICHESS), None, false, Duration::from_secs(1));
    let mut delay_at = span.clone();
    for (key, value) in table {
        let text = value.get_ref().as_str().map(str::trim);
        let mut wrong = |expected: &str| reader.mistake(value.span(), &format!("lichess.{}", key.get_ref()), expected_for(value, expected));
        match key.get_ref().as_ref() {
            "round" => match text.filter(|s| s.len() == 8 && s.bytes().all(|b| b.is_ascii_alphanumeric())) {
                Some(text) => round = Some(String::from(text)),
                None => wrong("the eight letters and digits at the end of the round's address, for example round = \"xVEzYJHf\""),
            },
            "token_file" => token_file = reader.path("lichess.token_file", value),
            "event_round" => match value.get_ref().as_integer().and_then(|n| n.as_str().parse::<u32>().ok()).filter(|n| *n > 0) {
                Some(number) => event_round = Some(number),
                None => wrong("the number of a round, for example event_round = 3"),
            },
            "boards" => match text.and_then(Boards::parse) {
                Some(some) => boards = Some(some),
                None => wrong("numbers, ranges and names, for example boards = \"1-64,70\""),
            },
            "base_url" => match text.filter(|s| is_web(s)) {
                Some(text) => base_url = String::from(text.trim_end_matches('/')),
                None => wrong("an address, for example base_url = \"https://lichess.org\""),
            },
            "delay" => match text.and_then(duration::parse).filter(|d| d.as_secs() <= 4 * 3600) {
                Some(time) => (delay, delay_at) = (Some(time), value.span()),
                None => wrong("a duration with its unit, at most 4h, for example delay = \"15m\""),
            },
            "early" => early = reader.flag("lichess.early", value).unwrap_or_default(),
            "interval" => match text.and_then(duration::parse).filter(|d| (1..=60).contains(&d.as_secs())) {
                Some(time) => interval = time,
                None => wrong("1s to 60s, for example interval = \"2s\""),
            },
            "source_url" => match text.filter(|s| is_web(s)) {
                Some(text) => source = Some(String::from(text)),
                None => wrong("an address, for example source_url = \"https://chess.example.org/pgn/round-1/games.pgn\""),
            },
            name => reader.unknown(key.span(), &format!("lichess.{name}"), name, KEYS.into_iter()),
        }
    }
    let has = |name: &str| table.iter().any(|(key, _)| key.get_ref() == name);
    if has("source_url") {
        if has("round") || has("token_file") {
            reader.mistake(
                span,
                "lichess.source_url",
                "a round either is pushed (round, token_file) or has a source address; Lichess takes no pushes for one that has",
            );
        }
        return source.map(Lichess::Polls);
    }
    for (name, example) in [("round", "round = \"xVEzYJHf\""), ("token_file", "token_file = \"/etc/flagfall/lichess.token\"")] {
        if !has(name) {
            reader.mistake(span.clone(), &format!("lichess.{name}"), format!("is missing; add for example {example}"));
        }
    }
    let delay = OwnDelay::of(reader, general, (delay, early), (delay_at, "lichess.delay"));
    Some(Lichess::Push(Push { round: round?, token_file: token_file?, event_round, boards, base_url, delay, interval }))
}

fn expected_for(value: &Spanned<DeValue<'_>>, expected: &str) -> String {
    format!("expected {expected}, not {}", shown(value))
}

fn is_web(text: &str) -> bool {
    url::Url::parse(text).is_ok_and(|url| ["http", "https"].contains(&url.scheme()) && url.has_host())
}

pub(super) fn print(out: &mut String, rounds: &[Lichess]) {
    for round in rounds {
        out.push_str("\n[[lichess]]\n");
        match round {
            Lichess::Polls(url) => line(out, "source_url", quoted(url)),
            Lichess::Push(push) => {
                line(out, "round", quoted(&push.round));
                line(out, "token_file", quoted(&push.token_file.display().to_string()));
                if let Some(number) = push.event_round {
                    line(out, "event_round", number);
                }
                if let Some(boards) = &push.boards {
                    line(out, "boards", quoted(&boards.to_string()));
                }
                line(out, "base_url", quoted(&push.base_url));
                push.delay.print(out);
                line(out, "interval", quoted(&duration::print(push.interval)));
            }
        }
    }
}

pub(super) fn advice(rounds: &[Lichess]) -> Vec<String> {
    let mut advice = Vec::new();
    for round in rounds {
        match round {
            Lichess::Polls(url) => {
                let hurdles = source_url::hurdles(url);
                advice.extend(hurdles.into_iter().map(|hurdle| format!("lichess.source_url = \"{url}\": {hurdle}")));
            }
            Lichess::Push(push) => {
                let exposed = secret::advice(&push.token_file);
                advice.extend(exposed.map(|text| format!("lichess.token_file: {text}")));
                let url = url::Url::parse(&push.base_url);
                if url.is_ok_and(|url| url.scheme() == "http" && !source_url::is_here(&url)) {
                    advice.push(format!(
                        "lichess.base_url = \"{}\": the token goes over the network in plain text; use https",
                        push.base_url
                    ));
                }
            }
        }
    }
    advice
}

#[cfg(test)]
mod tests {
    use super::super::Config;
    use super::*;

    fn config(text: &str) -> Config {
        Config::parse("f.toml", text).unwrap()
    }

    fn mistakes(text: &str) -> Vec<String> {
        let error = Config::parse("f.toml", text).unwrap_err();
        error.mistakes.into_iter().map(|m| format!("{}:{}: {}", m.line, m.key, m.text)).collect()
    }

    #[test]
    fn one_round_or_several_come_back_as_they_were_printed() {
        let one = config("[lichess]\nround = \"xVEzYJHf\"\ntoken_file = \"/t\"\n");
        let several = config(
            "[[lichess]]\nround = \"xVEzYJHf\"\ntoken_file = \"/t\"\nboards = \"1-64, A\"\nevent_round = 3\ndelay = \"15m\"\ninterval = \"2s\"\nbase_url = \"https://lichess.dev/\"\n\
             [[lichess]]\nround = \"akARCJwy\"\ntoken_file = \"/t\"\nboards = \"65-128\"\n[[lichess]]\nsource_url = \"https://a.example/games.pgn\"\n",
        );
        assert_eq!((one.lichess.len(), several.lichess.len()), (1, 3));
        for config in [one, several] {
            assert_eq!(Config::parse("printed", &config.to_toml()).unwrap(), config);
        }
    }

    #[test]
    fn boards_are_numbers_ranges_and_names() {
        let boards = Boards::parse("1-64,70, A1,final-2").unwrap();
        for (board, has) in [("1", true), ("64", true), ("65", false), ("70", true), ("A1", true), ("A2", false), ("final-2", true)] {
            assert_eq!(boards.has(board), has, "{board}");
        }
        for wrong in ["", "1,", "5-3"] {
            assert_eq!(Boards::parse(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn mistakes_say_what_was_expected() {
        for (text, word) in [
            ("[lichess]\nround = \"https://lichess.org/x\"\ntoken_file = \"/t\"\n", "2:lichess.round: expected the eight letters"),
            ("[lichess]\nround = \"xVEzYJHf\"\n", "1:lichess.token_file: is missing"),
            ("[lichess]\ntoken_file = \"/t\"\n", "1:lichess.round: is missing"),
            ("[lichess]\nround = \"xVEzYJHf\"\ntoken_file = \"/t\"\ndelay = \"15\"\n", "4:lichess.delay: expected a duration"),
            ("[lichess]\nround = \"xVEzYJHf\"\ntoken_file = \"/t\"\ninterval = \"0s\"\n", "4:lichess.interval: expected 1s to 60s"),
            (
                "[lichess]\nround = \"xVEzYJHf\"\ntoken_file = \"/t\"\ntoken = \"x\"\n",
                "4:lichess.token: there is no such key; perhaps token_file",
            ),
            (
                "[lichess]\nround = \"xVEzYJHf\"\ntoken_file = \"/t\"\nsource_url = \"https://a.example/\"\n",
                "source_url: a round either is pushed",
            ),
            ("[lichess]\nround = \"xVEzYJHf\"\ntoken_file = \"/t\"\nevent_round = 0\n", "4:lichess.event_round: expected the number"),
            ("[lichess]\nsource_url = \"games.pgn\"\n", "2:lichess.source_url: expected an address"),
            ("lichess = 3\n", "1:lichess: expected"),
            (
                "[[lichess]]\nround = \"xVEzYJHf\"\ntoken_file = \"/t\"\n[[lichess]]\nround = \"xVEzYJHf\"\ntoken_file = \"/u\"\n",
                "lichess.round: is there twice",
            ),
        ] {
            let found = mistakes(text);
            assert_eq!(found.len(), 1, "{text}: {found:?}");
            assert!(found[0].contains(word), "{word}: {found:?}");
        }
    }

    #[test]
    fn an_address_that_lichess_cannot_poll_is_told() {
        let advice = |url: &str| config(&format!("[lichess]\nsource_url = \"{url}\"\n")).advice();
        assert_eq!(advice("https://chess.example.org/pgn/round-1/games.pgn"), Vec::<String>::new());
        for (url, word) in [("http://chess.example.org:8064/games.pgn", "8064"), ("http://127.0.0.1/games.pgn", "this machine only")] {
            let found = advice(url);
            assert!(found.len() == 1 && found[0].contains(word), "{found:?}");
        }
        let plain = "[lichess]\nround = \"xVEzYJHf\"\ntoken_file = \"/t\"\nbase_url = \"http://lila.example.org\"\n";
        assert!(config(plain).advice().iter().any(|text| text.contains("plain text")));
    }
}

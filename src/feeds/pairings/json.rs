//! A pairing list as JSON, as programs post it: `{"round": 3, "pairings": [{"board": "3.2", "white": {"name": …}, "black": …}]}`.
//!
//! A player is a name, or an object with `name` and whatever is known: `title`, `elo`, `fideid`, `federation`, `gender`, `team`.
use super::label::Label;
use super::list::{Line, List, Mistake, Side};
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;
use std::collections::BTreeMap;

#[derive(Deserialize)]
struct Whole<'a> {
    event: Option<String>,
    site: Option<String>,
    round: Option<Value>,
    #[serde(borrow)]
    pairings: Vec<&'a RawValue>,
}

#[derive(Deserialize)]
struct One {
    board: Option<Value>,
    #[serde(rename = "match")]
    of: Option<Value>,
    round: Option<Value>,
    #[serde(default)]
    white: Person,
    #[serde(default)]
    black: Person,
    result: Option<Value>,
    date: Option<String>,
}

/// A name alone, nothing, or what is known.
#[derive(Default, Deserialize)]
#[serde(untagged)]
enum Person {
    Name(String),
    Known(BTreeMap<String, Value>),
    #[default]
    Nobody,
}

pub(super) fn read(text: &str) -> Result<List, Vec<Mistake>> {
    let whole: Whole<'_> = serde_json::from_str(text).map_err(|error| vec![of(&error, 1)])?;
    let mut list = List { event: whole.event, site: whole.site, ..List::default() };
    let mut mistakes = Vec::new();
    for raw in whole.pairings {
        // The raw value is a part of the text.
        let before = (raw.get().as_ptr() as usize).saturating_sub(text.as_ptr() as usize).min(text.len());
        let line = 1 + text.as_bytes()[..before].iter().filter(|b| **b == b'\n').count();
        let one: One = match serde_json::from_str(raw.get()) {
            Ok(one) => one,
            Err(error) => {
                mistakes.push(of(&error, line));
                continue;
            }
        };
        let given = |value: &Option<Value>| value.as_ref().map(plain).unwrap_or_default();
        let round = match [given(&one.round), given(&whole.round)].into_iter().find(|text| !text.is_empty()) {
            None => None,
            Some(text) => match text.parse::<u32>() {
                Ok(n) if (1..=999).contains(&n) => Some(n),
                _ => {
                    mistakes.push(Mistake { line, text: format!("{text:?} is no round; write its number, from 1") });
                    continue;
                }
            },
        };
        let (white, black) = (one.white.known(), one.black.known());
        let (white, black) = (side(&white), side(&black));
        let board = given(&one.board);
        if board.is_empty() && !white.is_bye() && !black.is_bye() {
            mistakes.push(Mistake { line, text: String::from("has no board; write for example \"board\": \"7\"") });
            continue;
        }
        let label = match given(&one.of) {
            of if of.is_empty() => Label::new(&board),
            of => Label::in_match(&of, &board),
        };
        let date = one.date.unwrap_or_default();
        list.take(&Line { round, label, white, black, result: &given(&one.result), date: &date, line });
    }
    if mistakes.is_empty() { Ok(list) } else { Err(mistakes) }
}

impl Person {
    fn known(self) -> BTreeMap<String, String> {
        match self {
            Self::Name(name) => BTreeMap::from([(String::from("name"), name)]),
            Self::Known(known) => known.iter().map(|(key, value)| (key.to_lowercase(), plain(value))).collect(),
            Self::Nobody => BTreeMap::new(),
        }
    }
}

fn side(known: &BTreeMap<String, String>) -> Side<'_> {
    let get = |names: [&str; 2]| names.into_iter().find_map(|name| known.get(name)).map_or("", String::as_str);
    Side {
        name: get(["name", "player"]),
        title: get(["title", "title"]),
        elo: get(["elo", "rating"]),
        fideid: get(["fideid", "fide_id"]),
        federation: get(["federation", "fed"]),
        gender: get(["gender", "sex"]),
        team: get(["team", "club"]),
    }
}

/// A text or a number as text; anything else is nothing.
fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => String::from(text.trim()),
        Value::Number(number) => number.to_string(),
        _ => String::new(),
    }
}

/// `first`: the line where what was read begins.
fn of(error: &serde_json::Error, first: usize) -> Mistake {
    // The position is said as line and column; people are told the line.
    let words = error.to_string();
    let words = words.split(" at line ").next().unwrap_or_default();
    let example = r#"{"round": 3, "pairings": [{"board": "7", "white": "Adams, Mary", "black": {"name": "Clark", "elo": 2100}}]}"#;
    Mistake {
        line: first + error.line().saturating_sub(1),
        text: format!("is not the JSON that is expected ({words}); for example {example}"),
    }
}

//! A pairing list as CSV: a header line, then one line a board. Comma, semicolon or tab; the names of the columns in any order and case.
use super::list::{List, Listed, Mistake, is_bye, player, result};
use crate::players::{self, Player};
use flagfall_config::date::date;
use flagfall_events::GameResult;
use std::borrow::Cow;

/// Columns that are known, with other spellings.
const COLUMNS: [(&str, &[&str]); 20] = [
    ("board", &["table", "brett", "доска", "nr", "no"]),
    ("white", &["whitename", "weiss", "weiß", "белые"]),
    ("black", &["blackname", "schwarz", "чёрные", "черные"]),
    ("round", &["runde", "тур"]),
    ("result", &["ergebnis", "результат"]),
    ("date", &["datum", "дата"]),
    ("event", &[]),
    ("site", &[]),
    ("whitetitle", &[]),
    ("blacktitle", &[]),
    ("whiteelo", &["whiterating"]),
    ("blackelo", &["blackrating"]),
    ("whitefideid", &["whitefide", "whiteid"]),
    ("blackfideid", &["blackfide", "blackid"]),
    ("whitefederation", &["whitefed"]),
    ("blackfederation", &["blackfed"]),
    ("whitegender", &["whitesex"]),
    ("blackgender", &["blacksex"]),
    ("whiteteam", &[]),
    ("blackteam", &[]),
];

pub(super) fn read(text: &str) -> Result<List, Vec<Mistake>> {
    let head = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    let count = |separator: char| head.matches(separator).count();
    let separator = [';', '\t'].into_iter().find(|s| count(*s) > 0 && count(*s) >= count(',')).unwrap_or(',');
    let mut reader = csv::ReaderBuilder::new();
    let reader = reader.delimiter(u8::try_from(separator).unwrap_or(b',')).has_headers(false).flexible(true).trim(csv::Trim::All);
    let text = quotes_first(text, separator);
    // The reader's own numbers stop before blank lines.
    let line = |p: &csv::Position| {
        let before = usize::try_from(p.byte()).unwrap_or(usize::MAX).min(text.len());
        let blank = text.as_bytes()[before..].iter().take_while(|b| b.is_ascii_whitespace()).count();
        1 + text.as_bytes()[..before + blank].iter().filter(|b| **b == b'\n').count()
    };
    let mut rows = reader.from_reader(text.as_bytes());
    let mut record = csv::ByteRecord::new();
    let mut columns: Option<Vec<Option<&str>>> = None;
    let (mut list, mut mistakes) = (List::default(), Vec::new());
    loop {
        match rows.read_byte_record(&mut record) {
            Ok(true) => {}
            Ok(false) => break,
            Err(error) => {
                let line = error.position().map_or(1, line);
                mistakes.push(Mistake { line, text: format!("is no CSV: {error}") });
                break;
            }
        }
        let line = record.position().map_or(1, line);
        let fields: Vec<Cow<'_, str>> = record.iter().map(String::from_utf8_lossy).collect();
        if fields.iter().all(|f| f.is_empty()) {
            continue;
        }
        match &columns {
            None => match header(&fields, line) {
                Ok(found) => columns = Some(found),
                Err(mistake) => return Err(vec![mistake]),
            },
            Some(columns) => row(columns, &fields, line, &mut list, &mut mistakes),
        }
    }
    if mistakes.is_empty() { Ok(list) } else { Err(mistakes) }
}

/// Without the blanks before an opening quote, which would make it part of the field.
fn quotes_first(text: &str, separator: char) -> String {
    let mut out = String::with_capacity(text.len());
    let mut quoted = false;
    for c in text.chars() {
        if c == '"' {
            let field = out.trim_end_matches(' ');
            if !quoted && (field.is_empty() || field.ends_with([separator, '\n'])) {
                out.truncate(field.len());
            }
            quoted = !quoted;
        }
        out.push(c);
    }
    out
}

fn header(fields: &[Cow<'_, str>], line: usize) -> Result<Vec<Option<&'static str>>, Mistake> {
    let plain = |field: &str| field.to_lowercase().replace([' ', '_', '-', '.'], "");
    let known = |field: &Cow<'_, str>| {
        let field = plain(field);
        COLUMNS.iter().find(|(name, others)| *name == field || others.contains(&field.as_str())).map(|(name, _)| *name)
    };
    let found: Vec<Option<&str>> = fields.iter().map(known).collect();
    match ["board", "white", "black"].into_iter().find(|wanted| !found.contains(&Some(wanted))) {
        None => Ok(found),
        Some(missing) => Err(Mistake {
            line,
            text: format!(
                "the header has no column {missing}; the first line must be for example `board,white,black`, commas or semicolons between"
            ),
        }),
    }
}

fn row(columns: &[Option<&str>], fields: &[Cow<'_, str>], line: usize, list: &mut List, mistakes: &mut Vec<Mistake>) {
    let get = |name: &str| columns.iter().position(|c| *c == Some(name)).and_then(|i| fields.get(i)).map_or("", |f| f.as_ref());
    let mut mistake = |text: String| mistakes.push(Mistake { line, text });
    if fields.len() > columns.len() && fields[columns.len()..].iter().any(|f| !f.is_empty()) {
        return mistake(format!(
            "has {} fields, the header {}; a name with a comma stands in quotes: \"Adams, Mary\" (or separate the columns with semicolons)",
            fields.len(),
            columns.len()
        ));
    }
    let board = get("board");
    if board.is_empty() {
        return mistake(String::from("has no board; write its number or name"));
    }
    let round = match get("round") {
        "" => None,
        text => match text.parse::<u32>() {
            Ok(n) if (1..=999).contains(&n) => Some(n),
            _ => return mistake(format!("{text:?} is no round; write its number, from 1")),
        },
    };
    if is_bye(get("white")) || is_bye(get("black")) {
        return;
    }
    let mut side = |name: &str| -> Option<Player> {
        let mut found = player(get(name), line, &mut list.notes)?;
        let more = |what: &str| Some(get(&format!("{name}{what}"))).filter(|v| !v.is_empty());
        found.gender = more("gender").and_then(gender);
        found.title = more("title").and_then(|t| players::title(t, found.gender.as_deref() == Some("F")));
        found.elo = more("elo").and_then(players::number);
        found.fideid = more("fideid").and_then(players::number);
        found.federation = more("federation").map(str::to_uppercase).filter(|f| f.len() == 3);
        Some(found)
    };
    let (white, black) = (side("white"), side("black"));
    let listed = Listed {
        round,
        label: board.parse::<u32>().map_or_else(|_| String::from(board), |n| n.to_string()),
        white,
        black,
        result: Some(get("result")).filter(|r| !r.is_empty()).map_or(GameResult::Open, result),
        date: date(get("date")),
        line,
    };
    let known = |text: &str| Some(String::from(text)).filter(|t| !t.is_empty());
    list.event = list.event.take().or_else(|| known(get("event")));
    list.site = list.site.take().or_else(|| known(get("site")));
    list.pairings.push(listed);
}

/// `M` or `F`.
pub(super) fn gender(text: &str) -> Option<String> {
    match text.trim().to_lowercase().as_str() {
        "m" => Some(String::from("M")),
        "w" | "f" => Some(String::from("F")),
        _ => None,
    }
}

//! A pairing list as CSV: a header line, then one line a board. Comma, semicolon or tab; the names of the columns in any order and case.
use super::label::Label;
use super::list::{Line, List, Mistake, Side};
use std::borrow::Cow;

/// Columns that are known, with other spellings.
const COLUMNS: [(&str, &[&str]); 21] = [
    ("board", &["table", "brett", "доска", "стол", "nr", "no"]),
    ("white", &["whitename", "weiss", "weiß", "белые"]),
    ("black", &["blackname", "schwarz", "чёрные", "черные"]),
    ("round", &["runde", "тур"]),
    ("match", &["kampf", "paarung", "матч"]),
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
    ("whiteteam", &["teamwhite", "whiteclub", "командабелых"]),
    ("blackteam", &["teamblack", "blackclub", "командачёрных", "командачерных"]),
];

pub(super) fn read(text: &str) -> Result<List, Vec<Mistake>> {
    let head = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    let count = |separator: char| head.matches(separator).count();
    let separator = [';', '\t'].into_iter().find(|s| count(*s) > 0 && count(*s) >= count(',')).unwrap_or(',');
    let mut reader = csv::ReaderBuilder::new();
    let reader = reader.delimiter(u8::try_from(separator).unwrap_or(b',')).has_headers(false).flexible(true).trim(csv::Trim::All);
    let text = quotes_first(text, separator);
    let mut lines = Lines { text: &text, at: 0, line: 1 };
    let mut rows = reader.from_reader(text.as_bytes());
    let mut record = csv::ByteRecord::new();
    let mut columns: Option<Vec<Option<&str>>> = None;
    let (mut list, mut mistakes) = (List::default(), Vec::new());
    loop {
        match rows.read_byte_record(&mut record) {
            Ok(true) => {}
            Ok(false) => break,
            Err(error) => {
                let line = error.position().map_or(1, |p| lines.of(p));
                mistakes.push(Mistake { line, text: format!("is no CSV: {error}") });
                break;
            }
        }
        let line = record.position().map_or(1, |p| lines.of(p));
        let fields: Vec<Cow<'_, str>> = record.iter().map(String::from_utf8_lossy).collect();
        if fields.iter().all(|f| f.is_empty()) {
            continue;
        }
        match &columns {
            None => match header(&fields, line) {
                Ok((found, unknown)) => {
                    columns = Some(found);
                    list.remarks.extend(unknown);
                }
                Err(mistake) => return Err(vec![mistake]),
            },
            Some(columns) => row(columns, &fields, line, &mut list, &mut mistakes),
        }
    }
    if mistakes.is_empty() { Ok(list) } else { Err(mistakes) }
}

/// The numbers of lines by their place in the text, which only grows. The reader's own numbers stop before blank lines.
struct Lines<'a> {
    text: &'a str,
    at: usize,
    line: usize,
}

impl Lines<'_> {
    fn of(&mut self, position: &csv::Position) -> usize {
        let bytes = self.text.as_bytes();
        let before = usize::try_from(position.byte()).unwrap_or(usize::MAX).clamp(self.at, bytes.len());
        let to = before + bytes[before..].iter().take_while(|b| b.is_ascii_whitespace()).count();
        self.line += bytes[self.at..to].iter().filter(|b| **b == b'\n').count();
        self.at = to;
        self.line
    }
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

type Columns = Vec<Option<&'static str>>;

fn header(fields: &[Cow<'_, str>], line: usize) -> Result<(Columns, Option<Mistake>), Mistake> {
    let plain = |field: &str| field.to_lowercase().replace([' ', '_', '-', '.'], "");
    let known = |field: &Cow<'_, str>| {
        let field = plain(field);
        COLUMNS.iter().find(|(name, others)| *name == field || others.contains(&field.as_str())).map(|(name, _)| *name)
    };
    let found: Columns = fields.iter().map(known).collect();
    if let Some(missing) = ["board", "white", "black"].into_iter().find(|wanted| !found.contains(&Some(wanted))) {
        return Err(Mistake {
            line,
            text: format!(
                "the header has no column {missing}; the first line must be for example `board,white,black`, commas or semicolons between"
            ),
        });
    }
    let others = fields.iter().zip(&found).filter(|(field, known)| known.is_none() && !field.is_empty());
    let others: Vec<&str> = others.map(|(field, _)| field.as_ref()).collect();
    let unknown =
        (!others.is_empty()).then(|| Mistake { line, text: format!("these columns are not known and not read: {}", others.join(", ")) });
    Ok((found, unknown))
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
    let round = match get("round") {
        "" => None,
        text => match text.parse::<u32>() {
            Ok(n) if (1..=999).contains(&n) => Some(n),
            _ => return mistake(format!("{text:?} is no round; write its number, from 1")),
        },
    };
    let white = Side {
        name: get("white"),
        title: get("whitetitle"),
        elo: get("whiteelo"),
        fideid: get("whitefideid"),
        federation: get("whitefederation"),
        gender: get("whitegender"),
        team: get("whiteteam"),
    };
    let black = Side {
        name: get("black"),
        title: get("blacktitle"),
        elo: get("blackelo"),
        fideid: get("blackfideid"),
        federation: get("blackfederation"),
        gender: get("blackgender"),
        team: get("blackteam"),
    };
    if board.is_empty() && !white.is_bye() && !black.is_bye() {
        return mistake(String::from("has no board; write its number or name"));
    }
    let label = match get("match") {
        "" => Label::new(board),
        of => Label::in_match(of, board),
    };
    list.take(&Line { round, label, white, black, result: get("result"), date: get("date"), line });
    let known = |text: &str| Some(String::from(text)).filter(|t| !t.is_empty());
    list.event = list.event.take().or_else(|| known(get("event")));
    list.site = list.site.take().or_else(|| known(get("site")));
}

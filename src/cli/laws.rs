//! `flagfall laws`: the clause table, the policies and the articles of every key, from the data that the rulebook uses.
use super::{ExitError, output};
use clap::ValueEnum;
use flagfall_events::{Grade, Key, Rules, Words};
use flagfall_laws::table::{EDITIONS, Row, policies, rows};
use flagfall_laws::{Edition, edition_title, title};
use serde_json::json;
use std::fmt::Write as _;

/// Arguments of `laws`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// One edition of the Laws instead of all
    #[arg(long, value_parser = edition, value_name = "EDITION")]
    rules: Option<Rules>,
    /// The language
    #[arg(long, value_enum, default_value_t = Lang::En)]
    lang: Lang,
    /// How to print it; json has both languages
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

/// English or Russian.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Lang {
    /// English
    En,
    /// Russian
    Ru,
}

impl Lang {
    fn of(self, words: impl Into<Words>) -> String {
        let Words { en, ru } = words.into();
        match self {
            Self::En => en,
            Self::Ru => ru,
        }
    }

    const fn pick(self, en: &'static str, ru: &'static str) -> &'static str {
        match self {
            Self::En => en,
            Self::Ru => ru,
        }
    }
}

/// How to print it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Paragraphs for a terminal
    Text,
    /// Tables, as in docs/laws.md
    Markdown,
    /// One object a clause
    Json,
}

fn edition(name: &str) -> Result<Rules, String> {
    let known = || EDITIONS.map(Rules::as_str).join(", ");
    EDITIONS.into_iter().find(|rules| rules.as_str() == name).ok_or_else(|| format!("there is no such edition; choose one of {}", known()))
}

/// Prints the table.
pub fn run(args: Args) -> Result<(), ExitError> {
    let editions: Vec<Rules> = args.rules.map_or_else(|| EDITIONS.to_vec(), |one| vec![one]);
    output::print(&match args.format {
        Format::Text => text(&editions, args.lang),
        Format::Markdown => markdown(&editions, args.lang),
        Format::Json => json(&editions),
    })
}

/// The rows that one of these editions has.
fn rows_of(editions: &[Rules]) -> impl Iterator<Item = &'static Row> {
    rows().filter(move |row| editions.iter().any(|rules| row.editions.contains(rules)))
}

fn standing(row: &Row, lang: Lang) -> String {
    row.standing.iter().map(|s| lang.of(s.words())).collect::<Vec<_>>().join(" + ")
}

fn keys(row: &Row) -> String {
    if row.keys.is_empty() { String::from("–") } else { row.keys.join(", ") }
}

fn editions_of(row: &Row) -> String {
    row.editions.iter().map(|rules| rules.as_str()).collect::<Vec<_>>().join(", ")
}

/// One clause a paragraph.
fn text(editions: &[Rules], lang: Lang) -> String {
    let mut out = String::new();
    for row in rows_of(editions) {
        let _ = writeln!(out, "{} ({})  {}  [{}]", row.article, editions_of(row), keys(row), standing(row, lang));
        let _ = writeln!(out, "    {}: {}", lang.pick("sensors", "датчики"), lang.of(row.sensors));
        let _ = writeln!(out, "    flagfall: {}\n", lang.of(row.flagfall));
    }
    out
}

fn json(editions: &[Rules]) -> String {
    let list: Vec<_> = rows_of(editions).collect();
    format!("{}\n", serde_json::to_string_pretty(&json!(list)).unwrap_or_default())
}

/// The tables of `docs/laws.md`.
pub fn markdown(editions: &[Rules], lang: Lang) -> String {
    let mut out = String::new();
    let _ = writeln!(out, "## {}\n", lang.pick("Findings", "Отметки"));
    articles(&mut out, editions, lang);
    let _ = writeln!(out, "\n## {}\n", lang.pick("Policies", "Различия редакций"));
    differences(&mut out, editions, lang);
    let mut done: Vec<&Row> = Vec::new();
    for rules in editions {
        let own: Vec<&Row> = rows_of(&[*rules]).filter(|row| !done.contains(row)).collect();
        let shared = done.iter().any(|row| row.editions.contains(rules));
        let _ = write!(out, "\n## {} ({})", lang.of(edition_title(*rules)), rules.as_str());
        if shared {
            let also = lang.pick(
                "\n\nEvery clause of the table above that is marked with this edition, and:",
                "\n\nВсе пункты таблицы выше, отмеченные этой редакцией, и:",
            );
            out.push_str(also);
        }
        out.push_str("\n\n");
        clauses(&mut out, &own, lang);
        done.extend(own);
    }
    out
}

/// What each key means, how loud it is, and which article every edition cites for it.
fn articles(out: &mut String, editions: &[Rules], lang: Lang) {
    let names: Vec<&str> = editions.iter().map(|rules| rules.as_str()).collect();
    let _ = writeln!(out, "| {} | {} |", lang.pick("key | meaning | grade", "ключ | что это | степень"), names.join(" | "));
    let _ = writeln!(out, "|---|---|---|{}", "---|".repeat(names.len()));
    for key in Key::ALL {
        let grade = match key.grade() {
            Grade::Ruling => lang.pick("ruling", "решение"),
            Grade::Attention => lang.pick("attention", "внимание"),
            Grade::Note => lang.pick("note", "запись"),
        };
        let cited: Vec<&str> = editions.iter().map(|rules| Edition::of(*rules).article(*key).unwrap_or("–")).collect();
        let _ = writeln!(out, "| `{key}` | {} | {grade} | {} |", lang.of(title(*key)), cited.join(" | "));
    }
}

fn differences(out: &mut String, editions: &[Rules], lang: Lang) {
    let all: Vec<_> = editions.iter().map(|rules| policies(*rules)).collect();
    let names: Vec<&str> = editions.iter().map(|rules| rules.as_str()).collect();
    let _ = writeln!(out, "| | {} |\n|---|{}", names.join(" | "), "---|".repeat(names.len()));
    for (i, policy) in all.first().into_iter().flatten().enumerate() {
        let does: Vec<String> = all.iter().filter_map(|one| one.get(i)).map(|p| lang.of(p.does.clone())).collect();
        let _ = writeln!(out, "| {} | {} |", lang.of(policy.about.clone()), does.join(" | "));
    }
}

fn clauses(out: &mut String, list: &[&Row], lang: Lang) {
    let head = lang.pick("article | editions | key | standing | sensors | flagfall", "пункт | редакции | ключ | как | датчики | flagfall");
    let _ = writeln!(out, "| {head} |\n|---|---|---|---|---|---|");
    for row in list {
        let why = row.untested.map(|why| format!(" ({}: {})", lang.pick("no scenario", "без сценария"), lang.of(why))).unwrap_or_default();
        let (key, how) = (keys(row), standing(row, lang));
        let (sensors, does) = (lang.of(row.sensors), lang.of(row.flagfall));
        let _ = writeln!(out, "| {} | {} | {key} | {how} | {sensors} | {does}{why} |", row.article, editions_of(row));
    }
}

/// What `docs/laws.md` holds above its last line of generated text.
pub fn document() -> String {
    let intro = "# The Laws, clause by clause\n\n\
        What the sensors of an e-board and a clock can show of every clause, and what flagfall does about it. This file is made by\n\
        `FLAGFALL_BLESS=1 cargo test --test cli laws_table` from the tables that the rulebook itself uses; `flagfall laws` prints the same for a\n\
        terminal. *Applied*: flagfall's own state follows the clause. *Proposed*: a finding with a proposed ruling; only the arbiter's ruling\n\
        takes effect. *Note*: recorded, never an alarm. *Arbiter*: sensors cannot see it, the arbiter enters it. *Setting*: fixed before the game.\n\n";
    let russian = "\n# Правила, пункт за пунктом\n\n\
        Что датчики доски и часов могут показать по каждому пункту и что с этим делает flagfall. *Применяется*: состояние flagfall следует\n\
        пункту само. *Предлагается*: отметка с предложенным решением, действует только решение арбитра. *Отмечается*: запись без тревоги.\n\
        *Вносит арбитр*: датчики этого не видят. *Настройка*: задано до игры.\n\n";
    format!("{intro}{}{russian}{}", markdown(&EDITIONS, Lang::En), markdown(&EDITIONS, Lang::Ru))
}

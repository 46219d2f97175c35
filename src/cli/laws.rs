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
    /// Only these articles and what is below them, or what leads to these findings: `7.5`, `illegal-move`
    #[arg(value_name = "ARTICLE|KEY")]
    clauses: Vec<String>,
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
    /// A section a clause, as in docs/laws.md
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
    let all = || rows_of(&editions);
    if let Some(unknown) = args.clauses.iter().find(|name| !all().any(|row| is_of(row, name))) {
        return Err(ExitError::usage(format_args!("no article and no finding is called {unknown}; `flagfall laws` lists them all")));
    }
    let list: Vec<&Row> = all().filter(|row| args.clauses.is_empty() || args.clauses.iter().any(|name| is_of(row, name))).collect();
    output::print(&match args.format {
        Format::Text => text(&list, args.lang),
        Format::Markdown if args.clauses.is_empty() => markdown(&editions, args.lang),
        Format::Markdown => {
            let mut out = String::new();
            clauses(&mut out, &list, args.lang);
            out
        }
        Format::Json => format!("{}\n", serde_json::to_string_pretty(&json!(list)).unwrap_or_default()),
    })
}

/// The rows that one of these editions has.
fn rows_of(editions: &[Rules]) -> impl Iterator<Item = &'static Row> {
    rows().filter(move |row| editions.iter().any(|rules| row.editions.contains(rules)))
}

/// Whether this is its article, one above it, or the key of one of its findings.
fn is_of(row: &Row, name: &str) -> bool {
    let below = |rest: &str| rest.is_empty() || rest.starts_with('.');
    row.article.strip_prefix(name.trim_end_matches('.')).is_some_and(below) || row.keys.contains(&name)
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
fn text(list: &[&Row], lang: Lang) -> String {
    let mut out = String::new();
    for row in list {
        let _ = writeln!(out, "{} ({})  {}  [{}]", row.article, editions_of(row), keys(row), standing(row, lang));
        let _ = writeln!(out, "    {}: {}", lang.pick("sensors", "датчики"), lang.of(row.sensors));
        let _ = writeln!(out, "    flagfall: {}\n", lang.of(row.flagfall));
    }
    out
}

/// What `docs/laws.md` holds, a clause a section: it is read on a phone, beside a board.
pub fn markdown(editions: &[Rules], lang: Lang) -> String {
    let mut out = String::new();
    let _ = writeln!(out, "## {}\n", lang.pick("Findings", "Отметки"));
    findings(&mut out, editions, lang);
    let _ = writeln!(out, "\n## {}", lang.pick("Where the editions differ", "Различия редакций"));
    differences(&mut out, editions, lang);
    let mut done: Vec<&Row> = Vec::new();
    for rules in editions {
        let own: Vec<&Row> = rows_of(&[*rules]).filter(|row| !done.contains(row)).collect();
        let shared = done.iter().any(|row| row.editions.contains(rules));
        let _ = writeln!(out, "\n## {} ({})", lang.of(edition_title(*rules)), rules.as_str());
        if shared {
            let also = lang.pick("Every clause above that names this edition, and:", "Все пункты выше, в которых названа эта редакция, и:");
            let _ = writeln!(out, "\n{also}");
        }
        clauses(&mut out, &own, lang);
        done.extend(own);
    }
    out
}

/// What each key means, how loud it is, and which article every edition cites for it.
fn findings(out: &mut String, editions: &[Rules], lang: Lang) {
    for key in Key::ALL {
        let grade = match key.grade() {
            Grade::Ruling => lang.pick("ruling", "решение"),
            Grade::Attention => lang.pick("attention", "внимание"),
            Grade::Note => lang.pick("note", "запись"),
        };
        let cited = editions.iter().filter_map(|rules| Some((*rules, link(Edition::of(*rules).article(*key)?, *rules, lang))));
        let cited: Vec<_> = together(cited).into_iter().map(|(article, names)| format!("{article} {names}")).collect();
        let none = || String::from(lang.pick("not in this edition", "в этой редакции нет"));
        let cited = if cited.is_empty() { none() } else { cited.join("; ") };
        let _ = writeln!(out, "- **{}** (`{key}`, {grade}): {cited}", lang.of(title(*key)));
    }
}

fn differences(out: &mut String, editions: &[Rules], lang: Lang) {
    let all: Vec<_> = editions.iter().map(|rules| (*rules, policies(*rules))).collect();
    for (i, policy) in all.first().into_iter().flat_map(|(_, list)| list).enumerate() {
        let _ = writeln!(out, "\n### {}\n", capital(&lang.of(policy.about.clone())));
        let does = all.iter().filter_map(|(rules, list)| Some((*rules, lang.of(list.get(i)?.does.clone()))));
        for (does, names) in together(does) {
            let _ = writeln!(out, "- {names}: {does}");
        }
    }
}

fn clauses(out: &mut String, list: &[&Row], lang: Lang) {
    let mut done: Vec<&str> = Vec::new();
    for first in list {
        if done.contains(&first.article) {
            continue;
        }
        done.push(first.article);
        let _ = writeln!(out, "\n### {}", heading(first, lang));
        for row in list.iter().filter(|row| row.article == first.article) {
            let keys: Vec<_> = row.keys.iter().map(|key| format!(" · `{key}`")).collect();
            let _ = writeln!(out, "\n*{}*{} · {}\n", standing(row, lang), keys.concat(), editions_of(row));
            let _ = writeln!(out, "- {}: {}", lang.pick("sensors", "датчики"), lang.of(row.sensors));
            let _ = writeln!(out, "- flagfall: {}", lang.of(row.flagfall));
            if let Some(why) = row.untested {
                let _ = writeln!(out, "- {}: {}", lang.pick("no scenario", "без сценария"), lang.of(why));
            }
        }
    }
}

/// The heading of a clause; no two are the same, in either language, so a link finds it.
fn heading(row: &Row, lang: Lang) -> String {
    let year = if row.editions == [Rules::Fide1997] { " (1997)" } else { "" };
    format!("{} {}{year}", lang.pick("Article", "Пункт"), row.article)
}

/// The article, with a link to its section.
fn link(article: &str, rules: Rules, lang: Lang) -> String {
    let row = rows().find(|row| row.article == article && row.editions.contains(&rules));
    row.map_or_else(|| article.into(), |row| format!("[{article}](#{})", anchor(&heading(row, lang))))
}

/// How a heading is named in links.
pub fn anchor(heading: &str) -> String {
    let kept = heading.chars().filter(|c| c.is_alphanumeric() || [' ', '-', '_'].contains(c));
    kept.flat_map(char::to_lowercase).map(|c| if c == ' ' { '-' } else { c }).collect()
}

/// Each text once, with the editions that say it.
fn together(said: impl Iterator<Item = (Rules, String)>) -> Vec<(String, String)> {
    let mut found: Vec<(String, Vec<&str>)> = Vec::new();
    for (rules, text) in said {
        match found.iter_mut().find(|(known, _)| *known == text) {
            Some((_, names)) => names.push(rules.as_str()),
            None => found.push((text, vec![rules.as_str()])),
        }
    }
    found.into_iter().map(|(text, names)| (text, names.join(", "))).collect()
}

fn capital(text: &str) -> String {
    let mut rest = text.chars();
    rest.next().map_or_else(String::new, |first| first.to_uppercase().chain(rest).collect())
}

/// All of `docs/laws.md`.
pub fn document() -> String {
    let intro = "# The Laws, clause by clause\n\n\
        What an e-board and a clock can show of every clause, and what flagfall does about it. [По-русски](#правила-пункт-за-пунктом).\n\n\
        Each clause has a section. Its first line says how flagfall treats it:\n\n\
        - *applied*: flagfall's own record follows the clause\n\
        - *proposed*: a finding with a proposed ruling; only the arbiter's ruling takes effect\n\
        - *note*: recorded, never an alarm\n\
        - *arbiter*: sensors cannot see it, the arbiter enters it\n\
        - *setting*: fixed before the game\n\n\
        Then come the keys of its findings and the editions that have it.\n\n\
        `flagfall laws` prints the same in a terminal. This file is made from the rulebook's own tables, by\n\
        `FLAGFALL_BLESS=1 cargo test --test cli laws_table`.\n\n";
    let russian = "\n# Правила, пункт за пунктом\n\n\
        Что доска и часы могут показать по каждому пункту и что с этим делает flagfall. [In English](#the-laws-clause-by-clause).\n\n\
        У каждого пункта свой раздел. Первая строка говорит, как с ним обращается flagfall:\n\n\
        - *применяется*: запись flagfall сама следует пункту\n\
        - *предлагается*: отметка с предложенным решением; действует только решение арбитра\n\
        - *отмечается*: запись без тревоги\n\
        - *вносит арбитр*: датчики этого не видят\n\
        - *настройка*: задано до игры\n\n\
        Затем — ключи отметок и редакции, в которых пункт есть.\n\n";
    format!("{intro}{}{russian}{}", markdown(&EDITIONS, Lang::En), markdown(&EDITIONS, Lang::Ru))
}

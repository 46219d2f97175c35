//! The clause table is complete, tested and written down: `docs/laws.md` is what the code prints, every row has a scenario in `tests/laws/` or says
//! why not, every key of the code stands in the table under the article that findings cite, and every scenario names rows that exist.
//!
//! `FLAGFALL_BLESS=1 cargo test --test cli laws_table` writes `docs/laws.md`.
#![allow(clippy::unwrap_used, reason = "a test ends at the first surprise")]

use flagfall::cli::laws::{anchor, document};
use flagfall_events::{Key, Rules};
use flagfall_laws::Edition;
use flagfall_laws::table::{EDITIONS, rows};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

#[test]
fn the_document_is_what_the_code_prints() {
    let path = Path::new(ROOT).join("docs/laws.md");
    let written = fs::read_to_string(&path).unwrap_or_default();
    let wanted = document();
    if std::env::var_os("FLAGFALL_BLESS").is_some() {
        fs::write(&path, wanted).unwrap();
        return;
    }
    let differs = wanted.lines().zip(written.lines()).find(|(a, b)| a != b);
    assert!(
        wanted == written,
        "docs/laws.md is stale, run FLAGFALL_BLESS=1 cargo test --test cli laws_table; first difference: {differs:?}"
    );
}

/// On a phone a wide table is cut off, and a link to one of two headings leads to the first.
#[test]
fn the_document_has_no_tables_and_no_heading_twice() {
    let document = document();
    assert!(!document.lines().any(|line| line.starts_with('|')));
    let mut seen = BTreeSet::new();
    for heading in document.lines().filter_map(|line| line.strip_prefix("###")) {
        assert!(seen.insert(anchor(heading.trim())), "two sections: {heading}");
    }
}

/// A row that a scenario names: the editions it runs under, article, key.
#[derive(Debug)]
struct Named {
    file: String,
    editions: Vec<Rules>,
    article: String,
    key: String,
}

fn editions_of(words: &str) -> Option<Vec<Rules>> {
    words.split(' ').map(|word| EDITIONS.into_iter().find(|rules| rules.as_str() == word)).collect()
}

/// Every `EDITIONS, &["ARTICLE KEY", …]` in the scenarios; `EDITIONS` is a literal or a constant of the file.
fn named() -> Vec<Named> {
    let mut found = Vec::new();
    for entry in fs::read_dir(Path::new(ROOT).join("tests/laws")).unwrap() {
        let path = entry.unwrap().path();
        let file = path.file_name().unwrap().to_string_lossy().into_owned();
        let text = fs::read_to_string(&path).unwrap();
        let mut constants: BTreeMap<&str, &str> = BTreeMap::new();
        for line in text.lines() {
            let declared =
                line.trim_start().trim_start_matches("pub(super) ").strip_prefix("const ").and_then(|l| l.split_once(": &str = \""));
            if let Some((name, value)) = declared {
                constants.insert(name, value.trim_end_matches("\";"));
            }
        }
        for (at, _) in text.match_indices("&[\"") {
            let before = text[..at].trim_end().trim_end_matches(',');
            let literal = before.strip_suffix('"').and_then(|b| b.rsplit('"').next());
            let word = before.rsplit(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default();
            let Some(editions) = literal.or_else(|| constants.get(word).copied()).and_then(editions_of) else { continue };
            let list = text[at + 2..].split(']').next().unwrap();
            for row in list.split('"').skip(1).step_by(2) {
                let (article, key) = row.split_once(' ').unwrap_or_else(|| panic!("{file}: {row:?} is no row"));
                found.push(Named { file: file.clone(), editions: editions.clone(), article: article.into(), key: key.into() });
            }
        }
    }
    found
}

#[test]
fn every_row_has_a_scenario_or_says_why_not() {
    let named = named();
    assert!(named.len() > 100, "scenarios are not found: {}", named.len());
    let tested =
        |row: &flagfall_laws::table::Row| named.iter().any(|n| n.editions.iter().any(|rules| row.is_named(*rules, &n.article, &n.key)));
    let missing: Vec<String> = rows()
        .filter(|row| row.needs_scenario() && row.untested.is_none() && !tested(row))
        .map(|row| format!("{} {:?} ({:?})", row.article, row.keys, row.editions))
        .collect();
    assert!(missing.is_empty(), "no scenario and no reason:\n{}", missing.join("\n"));
}

#[test]
fn every_scenario_names_rows_that_exist() {
    let unknown: BTreeSet<String> = named()
        .iter()
        // Under another edition a scenario may show that its own text has no such clause.
        .filter(|n| !rows().any(|row| EDITIONS.into_iter().any(|rules| row.is_named(rules, &n.article, &n.key))))
        .map(|n| format!("{}: \"{} {}\" under {:?}", n.file, n.article, n.key, n.editions))
        .collect();
    assert!(unknown.is_empty(), "no such row in the clause table:\n{}", unknown.into_iter().collect::<Vec<_>>().join("\n"));
}

#[test]
fn every_key_stands_in_the_table_under_the_article_it_cites() {
    for rules in EDITIONS {
        for key in Key::ALL {
            let Some(article) = Edition::of(rules).article(*key) else { continue };
            let stands = rows().any(|row| row.is_named(rules, article, key.as_str()));
            assert!(stands, "{}: {key} cites {article}, and no row of the table has both", rules.as_str());
        }
    }
}

#[test]
fn the_table_names_keys_of_the_code_only() {
    for row in rows() {
        for key in row.keys {
            let known = key.parse::<Key>().is_ok() || ["touched-piece", "draw-claim"].contains(key);
            assert!(known, "{}: {key} is no key", row.article);
        }
        assert!(!row.standing.is_empty() && !row.editions.is_empty(), "{}", row.article);
        for text in [row.sensors, row.flagfall] {
            assert!(!text.en.is_empty() && text.ru.chars().any(|c| ('а'..='я').contains(&c)), "{}: {text:?}", row.article);
            assert!(!text.en.contains('|') && !text.ru.contains('|'), "{}: {text:?}", row.article);
        }
    }
}

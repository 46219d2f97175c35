//! `[journal]`: how long evidence is kept, and whether there is play without it.
use super::quoted::quoted;
use super::reader::Reader;
use flagfall_journal::keeping::{Keeping, keep_text, parse_keep};
use std::time::Duration;
use toml::Spanned;
use toml::de::DeValue;

/// Kept for less, evidence is gone before it is asked for.
const WEEK: Duration = Duration::from_secs(7 * 86_400);

pub(super) const KEYS: [&str; 3] = ["required", "keep", "key"];

/// One key of the section.
pub(super) fn read(reader: &mut Reader<'_>, journal: &mut Keeping, name: &str, key: &str, value: &Spanned<DeValue<'_>>) {
    match name {
        "required" => journal.required = reader.flag(key, value).unwrap_or(journal.required),
        "key" => journal.key = reader.path(key, value),
        _ => match value.get_ref().as_str().and_then(parse_keep) {
            Some(keep) => journal.keep = keep,
            None => reader.mistake(value.span(), key, "expected a number of days or \"forever\"; for example keep = \"90d\""),
        },
    }
}

/// The section as TOML.
pub(super) fn print(journal: &Keeping) -> String {
    let key = journal.key.as_ref().map(|path| format!("key = {}\n", quoted(&path.display().to_string()))).unwrap_or_default();
    format!("\n[journal]\nrequired = {}\nkeep = \"{}\"\n{key}", journal.required, keep_text(journal.keep))
}

/// What is legal but unwise.
pub(super) fn advice(journal: &Keeping) -> Option<String> {
    let short = journal.keep.filter(|keep| *keep < WEEK)?;
    let text = keep_text(Some(short));
    Some(format!("journal.keep = \"{text}\": appeals and rating reports come later than that; a week is the least"))
}

//! `[journal]`: how long evidence is kept, and whether there is play without it.
use super::reader::Reader;
use std::time::Duration;
use toml::Spanned;
use toml::de::DeValue;

/// `[journal]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Journal {
    /// The daemon ends (74) when evidence cannot be kept.
    pub required: bool,
    /// How long a journal is kept after its game day, whole days; `None`: for ever.
    pub keep: Option<Duration>,
}

impl Default for Journal {
    fn default() -> Self {
        Self { required: false, keep: Some(days(90)) }
    }
}

const fn days(n: u64) -> Duration {
    Duration::from_secs(n * 86_400)
}

/// `90d`, or `forever`.
pub fn keep_text(keep: Option<Duration>) -> String {
    keep.map_or_else(|| String::from("forever"), |keep| format!("{}d", keep.as_secs() / 86_400))
}

/// Reads `90d` or `forever`; `None` for anything else.
pub fn parse_keep(text: &str) -> Option<Option<Duration>> {
    if text == "forever" {
        return Some(None);
    }
    let n: u64 = text.strip_suffix('d')?.parse().ok()?;
    (1..=36_500).contains(&n).then(|| Some(days(n)))
}

pub(super) const KEYS: [&str; 2] = ["required", "keep"];

/// One key of the section.
pub(super) fn read(reader: &mut Reader<'_>, journal: &mut Journal, name: &str, key: &str, value: &Spanned<DeValue<'_>>) {
    match name {
        "required" => journal.required = reader.flag(key, value).unwrap_or(journal.required),
        _ => match value.get_ref().as_str().and_then(parse_keep) {
            Some(keep) => journal.keep = keep,
            None => reader.mistake(value.span(), key, "expected a number of days or \"forever\"; for example keep = \"90d\""),
        },
    }
}

/// The section as TOML.
pub(super) fn print(journal: &Journal) -> String {
    format!("\n[journal]\nrequired = {}\nkeep = \"{}\"\n", journal.required, keep_text(journal.keep))
}

/// What is legal but unwise.
pub(super) fn advice(journal: &Journal) -> Option<String> {
    let short = journal.keep.filter(|keep| *keep < days(7))?;
    let text = keep_text(Some(short));
    Some(format!("journal.keep = \"{text}\": appeals and rating reports come later than that; a week is the least"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn how_long_reads_back_as_it_prints() {
        for text in ["1d", "90d", "365d", "forever"] {
            assert_eq!(parse_keep(text).map(keep_text).as_deref(), Some(text));
        }
        for text in ["", "90", "0d", "d", "-1d", "1.5d", "2w", "99999d", "for ever"] {
            assert_eq!(parse_keep(text), None, "{text}");
        }
    }
}

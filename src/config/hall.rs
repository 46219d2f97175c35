//! `[hall]`: a machine that shows all boards of an event.
use super::quoted::{line, quoted};
use super::reader::{Reader, shown};
use toml::Spanned;
use toml::de::DeValue;

/// `[hall]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HallConfig {
    /// This hall's name; `None`: that of `[nats]`, else the host's.
    pub name: Option<String>,
    /// It may write to Lichess, the tree, uploads and alerts, as one of several that take turns; false: it only shows, and takes rulings.
    pub speaks: bool,
}

impl Default for HallConfig {
    fn default() -> Self {
        Self { name: None, speaks: true }
    }
}

pub(super) fn read(reader: &mut Reader<'_>, value: &Spanned<DeValue<'_>>) -> HallConfig {
    let mut hall = HallConfig::default();
    reader.section("hall", value, &["name", "speaks"], |reader, name, key, value| match name {
        "name" => match value.get_ref().as_str().filter(|text| is_name(text)) {
            Some(text) => hall.name = Some(String::from(text)),
            None => reader.mistake(value.span(), key, format!("{} is no name; for example name = \"hall-a\"", shown(value))),
        },
        _ => hall.speaks = reader.flag(key, value).unwrap_or(true),
    });
    hall
}

fn is_name(text: &str) -> bool {
    (1..=64).contains(&text.len()) && text.trim() == text && !text.chars().any(char::is_control)
}

pub(super) fn print(out: &mut String, hall: &HallConfig) {
    if *hall == HallConfig::default() {
        return;
    }
    out.push_str("\n[hall]\n");
    if let Some(name) = &hall.name {
        line(out, "name", quoted(name));
    }
    line(out, "speaks", hall.speaks);
}

#[cfg(test)]
mod tests {
    use crate::Config;

    #[test]
    fn a_section_reads_back_as_it_prints_and_mistakes_are_named() {
        let config = Config::parse("f", "[hall]\nname = \"hall a\"\nspeaks = false\n").unwrap();
        assert_eq!((config.hall.name.as_deref(), config.hall.speaks), (Some("hall a"), false));
        assert_eq!(Config::parse("printed", &config.to_toml()).unwrap(), config);
        let wrong = Config::parse("f", "[hall]\nname = \"\"\nspeaks = 1\nvoice = true\n").unwrap_err();
        assert_eq!(wrong.mistakes.iter().map(|m| m.line).collect::<Vec<_>>(), [2, 3, 4], "{wrong}");
    }
}

//! A row of the table.
use flagfall_events::{Rules, Words};
use serde::Serialize;

/// English and Russian.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Text {
    /// English.
    pub en: &'static str,
    /// Russian.
    pub ru: &'static str,
}

impl From<Text> for Words {
    fn from(text: Text) -> Self {
        Self::new(text.en, text.ru)
    }
}

/// How a clause and flagfall stand to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Standing {
    /// flagfall's own state follows the clause without asking.
    Applied,
    /// flagfall raises a finding with a proposed ruling.
    Proposed,
    /// flagfall records a note.
    Note,
    /// The arbiter enters the fact, flagfall computes the consequences.
    Arbiter,
    /// Fixed before the game, checked where the sensors can check it.
    Setting,
    /// Neither seen nor computed.
    Unobservable,
}

impl Standing {
    /// In both languages.
    pub const fn words(self) -> Text {
        match self {
            Self::Applied => Text { en: "applied", ru: "применяется" },
            Self::Proposed => Text { en: "proposed", ru: "предлагается" },
            Self::Note => Text { en: "note", ru: "отмечается" },
            Self::Arbiter => Text { en: "arbiter", ru: "вносит арбитр" },
            Self::Setting => Text { en: "setting", ru: "настройка" },
            Self::Unobservable => Text { en: "unobservable", ru: "не наблюдается" },
        }
    }
}

/// One clause.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Row {
    /// Editions that have it under this number.
    pub editions: &'static [Rules],
    /// Its number.
    pub article: &'static str,
    /// Keys of its findings, and the events `touched-piece` and `draw-claim`.
    pub keys: &'static [&'static str],
    /// How flagfall stands to it.
    pub standing: &'static [Standing],
    /// What the sensors show.
    pub sensors: Text,
    /// What flagfall does.
    pub flagfall: Text,
    /// Why no scenario tests it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub untested: Option<Text>,
}

impl Row {
    /// Why no scenario tests it.
    pub(super) const fn untested(mut self, en: &'static str, ru: &'static str) -> Self {
        self.untested = Some(Text { en, ru });
        self
    }

    /// Whether a scenario must test it, unless it says why none does.
    pub fn needs_scenario(&self) -> bool {
        self.standing.iter().any(|s| !matches!(s, Standing::Setting | Standing::Unobservable))
    }

    /// Whether a scenario that names `"ARTICLE KEY"` (`-` for none) under this edition means this row.
    pub fn is_named(&self, rules: Rules, article: &str, key: &str) -> bool {
        self.editions.contains(&rules) && self.article == article && (key == "-" || self.keys.contains(&key))
    }
}

/// FIDE's editions of 2018 and 2023.
pub(super) const FIDE: &[Rules] = &[Rules::Fide2018, Rules::Fide2023];

/// A clause in a line of the table.
pub(super) const fn row(
    editions: &'static [Rules],
    article: &'static str,
    keys: &'static [&'static str],
    standing: &'static [Standing],
    sensors: [&'static str; 2],
    flagfall: [&'static str; 2],
) -> Row {
    Row {
        editions,
        article,
        keys,
        standing,
        sensors: Text { en: sensors[0], ru: sensors[1] },
        flagfall: Text { en: flagfall[0], ru: flagfall[1] },
        untested: None,
    }
}

/// Nothing.
pub(super) const NONE: [&str; 2] = ["nothing", "не видят"];

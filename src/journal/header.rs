//! A journal's first line: whose journal it is and what was in effect.
use flagfall_events::{AlarmKey, Touches, Wall, Word};
use flagfall_game::board::{Board, Stands};
use flagfall_game::setting;
use flagfall_game::settings::Settings;
use flagfall_score::public::PublicView;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The format that is written.
pub const FORMAT: u32 = 2;
/// The formats that are read.
pub const READ: std::ops::RangeInclusive<u32> = 1..=FORMAT;

/// The first line of a journal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Open {
    /// The version of the format.
    pub format: u32,
    /// A number that no other journal has, 16 hex digits. Format 1 has none.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub log: Option<String>,
    /// Which flagfall wrote it.
    pub flagfall: String,
    /// What it recognised by: [`flagfall_game::RECOGNITION`] of the program that wrote it. Journals of earlier builds have none.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub recognition: Option<u32>,
    /// The board's name.
    pub board: String,
    /// The game day, local time.
    pub day: String,
    /// The wall time of millisecond 0.
    pub recorded_at: Wall,
    /// The last event's number in the journal before this one, 0 where there is none.
    pub seq: u64,
    /// The game's settings in effect, by the configuration's names; `link` is where the board was.
    pub settings: BTreeMap<String, String>,
    /// How long this journal is to be kept, as the configuration said.
    pub keep: String,
    /// The Ed25519 key that signs, hex.
    pub key: String,
    /// The last public event's number until then.
    #[serde(default)]
    pub public: u64,
    /// How many games were played on the board before; the next one has the number after it.
    #[serde(skip_serializing_if = "is_zero", default)]
    pub games: u32,
    /// Alarms that stood on the board when it began.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub raised: Vec<Word<AlarmKey>>,
    /// What stands where the journal begins between two games of a day.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub stands: Option<Stands>,
    /// The journal before this one.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub before: Option<Before>,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde hands references")]
const fn is_zero(n: &u32) -> bool {
    *n == 0
}

/// The journal that another one follows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Before {
    /// Its file's name.
    pub file: String,
    /// How many lines it had.
    pub lines: u64,
    /// Its chain's hash over them, hex.
    pub chain: String,
    /// What was wrong with it, if anything: it was left as it is.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub damaged: Option<String>,
}

/// Settings by name.
pub fn named(settings: &Settings) -> BTreeMap<String, String> {
    let mut named: BTreeMap<_, _> =
        setting::NAMES.into_iter().filter_map(|name| Some((String::from(name), setting::value(settings, name)?))).collect();
    named.insert(String::from("link"), settings.link.clone());
    named
}

impl Open {
    /// Of a journal with this number, with nothing in it that matters.
    #[cfg(test)]
    pub(super) fn for_test(board: &str, log: &str, key: &str) -> Self {
        Self {
            format: FORMAT,
            log: Some(String::from(log)),
            flagfall: String::from("0"),
            recognition: None,
            board: String::from(board),
            day: String::from("2026-11-21"),
            recorded_at: Wall::EPOCH,
            seq: 0,
            settings: BTreeMap::new(),
            keep: String::new(),
            key: String::from(key),
            public: 0,
            games: 0,
            raised: Vec::new(),
            stands: None,
            before: None,
        }
    }

    /// What of its events is public before the first, where no journal stands before it.
    pub fn public_view(&self) -> PublicView {
        PublicView::new(self.touches(), self.public)
    }

    /// Whose touches were when it was begun.
    pub fn touches(&self) -> Touches {
        self.settings().map(|settings| settings.touches).unwrap_or_default()
    }

    /// The board with which the journal begins.
    pub fn begin(&self, settings: Settings) -> Board {
        let board = Board::new(&self.board, self.recorded_at, settings).numbered_after(self.seq).games_after(self.games);
        let board = match &self.stands {
            Some(stands) => board.standing(stands),
            None => board,
        };
        board.alarmed(&self.raised)
    }

    /// The settings, as a board takes them.
    ///
    /// # Errors
    /// In words: a setting that this version does not know.
    pub fn settings(&self) -> Result<Settings, String> {
        let mut settings = Settings::default();
        for (name, value) in &self.settings {
            if name == "link" {
                settings.link.clone_from(value);
            } else if setting::apply(&mut settings, name, value) != Some(Ok(())) {
                return Err(format!("its setting {name} = {value:?} is not known here; a newer flagfall wrote it and may read it"));
            }
        }
        Ok(settings)
    }
}

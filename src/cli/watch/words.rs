//! Words and figures of what boards say, in the arbiter's language.
use flagfall_events::Key;
use flagfall_laws::title;
use serde_json::Value;

/// In which language an arbiter reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Lang {
    /// English.
    En,
    /// Russian.
    Ru,
}

impl Lang {
    pub(in crate::cli) const fn pick<T>(self, en: T, ru: T) -> T
    where
        T: Copy,
    {
        match self {
            Self::En => en,
            Self::Ru => ru,
        }
    }
}

pub(super) fn text<'a>(event: &'a Value, key: &str) -> &'a str {
    event[key].as_str().unwrap_or_default()
}

pub(super) fn key_title(key: &str, lang: Lang) -> String {
    let Ok(found) = key.parse::<Key>() else { return String::from(key) };
    let words = title(found);
    lang.pick(&words.en, &words.ru).clone()
}

pub(super) fn action(action: &str, lang: Lang) -> &str {
    match action {
        "restore-position" => lang.pick("restore the position", "восстановить позицию"),
        "replace-with-queen" => lang.pick("the pawn is a queen", "пешка становится ферзём"),
        "set-clock" => lang.pick("set the clocks", "установить часы"),
        "declare-loss" => lang.pick("declare the loss", "объявить поражение"),
        "declare-draw" => lang.pick("declare the draw", "объявить ничью"),
        "warn" => lang.pick("warn", "предупредить"),
        "cancel-game" => lang.pick("cancel the game", "отменить партию"),
        "continue" => lang.pick("the game goes on", "партия продолжается"),
        _ => "",
    }
}

pub(super) fn run_word(run: &str, lang: Lang) -> &str {
    match run {
        "white" => lang.pick("White runs", "идут часы белых"),
        "black" => lang.pick("Black runs", "идут часы чёрных"),
        _ => lang.pick("both stand", "часы стоят"),
    }
}

/// `12.` or `12…`, numbered from the game's first move.
pub(super) fn number(ply: u64) -> String {
    format!("{}{}", ply.div_ceil(2), if ply % 2 == 1 { "." } else { "…" })
}

/// A display in whole seconds.
pub(super) fn shown(ms: i64) -> String {
    let s = ms.max(0) / 1000;
    format!("{}:{:02}:{:02}", s / 3600, s / 60 % 60, s % 60)
}

/// The hour at this place.
pub(super) fn hour(event: &Value) -> String {
    let at = event["at"].as_str().or_else(|| event["clock"]["at"].as_str()).and_then(|at| at.parse::<jiff::Timestamp>().ok());
    at.map_or_else(|| String::from("        "), |at| at.to_zoned(jiff::tz::TimeZone::system()).strftime("%H:%M:%S").to_string())
}

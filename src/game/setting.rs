//! The settings of a game by name: the same words in the configuration (`time_control`) and in a capture's header (`time-control`).
use crate::settings::{ClockWhite, Settings, Touches};
use alloc::string::String;
use alloc::string::ToString;
use flagfall_events::duration;
use flagfall_events::{BoardKind, Play, Rules, Supervision, Wall};

/// What a setting's value should have been.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wrong {
    /// In words.
    pub expected: &'static str,
    /// A value that would do.
    pub example: &'static str,
}

/// The names, in the configuration's spelling. `board` of a capture's header is `kind` in the configuration, where `board` is a table.
pub const NAMES: [&str; 11] = [
    "rules",
    "play",
    "supervision",
    "time_control",
    "default_time",
    "start_at",
    "clock_white",
    "start_fen",
    "queen_after",
    "kind",
    "touches",
];

/// Sets what `name` names (with `-` or `_`). `None`: there is no such setting.
pub fn apply(settings: &mut Settings, name: &str, value: &str) -> Option<Result<(), Wrong>> {
    let wrong = |expected, example| Err(Wrong { expected, example });
    let done = match name.replace('-', "_").as_str() {
        "rules" => match word(value) {
            Some(rules) => put(&mut settings.rules, rules),
            None => wrong("fide-2023, fide-2018, fide-1997 or russia-1.16", "fide-2023"),
        },
        "play" => match word(value) {
            Some(play) => put(&mut settings.play, play),
            None => wrong("standard, rapid or blitz", "rapid"),
        },
        "supervision" => match word(value) {
            Some(supervision) => put(&mut settings.supervision, supervision),
            None => wrong("full or partial", "full"),
        },
        // PGN's sign for none: a board may take back what the file's head says for all.
        "time_control" if value.trim() == "-" => put(&mut settings.time_control, None),
        "time_control" => match value.parse() {
            Ok(control) => put(&mut settings.time_control, Some(control)),
            Err(_) => wrong("a time control in PGN notation, or \"-\" for none", "40/5400+30:1800+30"),
        },
        "default_time" => match duration::parse(value) {
            Some(time) => put(&mut settings.default_time, Some(time)),
            None => wrong("a duration with its unit", "30m"),
        },
        "start_at" => match value.parse() {
            Ok(at) => put(&mut settings.start_at, Some(Wall::from_timestamp(at))),
            Err(_) => wrong("a time in RFC 3339", "2026-11-21T15:00:00Z"),
        },
        "clock_white" => match word(value) {
            Some(side) => put(&mut settings.clock_white, side),
            None => wrong("left, right, auto or none", "auto"),
        },
        "start_fen" => match start_position(value) {
            Some(fen) => put(&mut settings.start_fen, Some(fen)),
            None => wrong("the FEN of a legal position", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"),
        },
        "queen_after" => match duration::parse(value) {
            Some(time) => put(&mut settings.queen_after, Some(time)),
            None => wrong("a duration with its unit", "30s"),
        },
        "kind" => match word(value) {
            Some(kind) => put(&mut settings.kind, kind),
            None => wrong("dgt, occupancy or pegasus", "dgt"),
        },
        "touches" => match word(value) {
            Some(touches) => put(&mut settings.touches, touches),
            None => wrong("public or arbiter", "arbiter"),
        },
        _ => return None,
    };
    Some(done)
}

/// The value of `name` in `settings`, as [`apply`] reads it; `None` where it is not set, or there is no such setting.
pub fn value(settings: &Settings, name: &str) -> Option<String> {
    let fixed = |s: &str| Some(String::from(s));
    match name {
        "rules" => fixed(settings.rules.as_str()),
        "play" => fixed(settings.play.as_str()),
        "supervision" => fixed(match settings.supervision {
            Supervision::Full => "full",
            Supervision::Partial => "partial",
        }),
        "time_control" => settings.time_control.as_ref().map(ToString::to_string),
        "default_time" => settings.default_time.map(duration::print),
        "start_at" => settings.start_at.map(|at| at.to_string()),
        "clock_white" => fixed(match settings.clock_white {
            ClockWhite::Left => "left",
            ClockWhite::Right => "right",
            ClockWhite::Auto => "auto",
            ClockWhite::None => "none",
        }),
        "start_fen" => settings.start_fen.clone(),
        "queen_after" => settings.queen_after.map(duration::print),
        "kind" => fixed(settings.kind.as_str()),
        "touches" => fixed(settings.touches.as_str()),
        _ => None,
    }
}

fn put<T>(place: &mut T, value: T) -> Result<(), Wrong> {
    *place = value;
    Ok(())
}

/// One of the words that serde knows for `T`.
fn word<T: serde::de::DeserializeOwned + Words>(value: &str) -> Option<T> {
    serde_json::from_value(serde_json::Value::from(value)).ok()
}

/// The types whose values are single words.
trait Words {}
impl Words for Rules {}
impl Words for Play {}
impl Words for Supervision {}
impl Words for ClockWhite {}
impl Words for BoardKind {}
impl Words for Touches {}

/// The FEN in its normal form, if a game can start there.
fn start_position(fen: &str) -> Option<String> {
    use shakmaty::{CastlingMode, Chess, EnPassantMode, fen::Fen};
    let parsed: Fen = fen.parse().ok()?;
    let mode = CastlingMode::detect(parsed.as_setup());
    let position: Chess = parsed.into_position(mode).ok()?;
    Some(Fen::from_position(&position, EnPassantMode::Legal).to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_setting_reads_back_what_it_prints() {
        let values = [
            ("rules", "russia-1.16"),
            ("play", "blitz"),
            ("supervision", "partial"),
            ("time_control", "40/5400+30:1800+30"),
            ("default_time", "1h30m"),
            ("start_at", "2026-11-21T15:00:00Z"),
            ("clock_white", "none"),
            ("start_fen", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"),
            ("queen_after", "30s"),
            ("kind", "occupancy"),
            ("touches", "arbiter"),
        ];
        let mut settings = Settings::default();
        for (name, text) in values {
            assert_eq!(apply(&mut settings, name, text), Some(Ok(())), "{name}");
            assert_eq!(value(&settings, name).as_deref(), Some(text), "{name}");
        }
        assert_eq!(values.map(|v| v.0), NAMES);
    }

    #[test]
    fn no_time_control_takes_one_back() {
        let mut settings = Settings::default();
        for (text, control) in [("5400+30", Some("5400+30")), ("-", None)] {
            assert_eq!(apply(&mut settings, "time_control", text), Some(Ok(())));
            assert_eq!(value(&settings, "time_control").as_deref(), control);
        }
        assert_eq!(apply(&mut settings, "time-control", "-"), Some(Ok(())));
    }

    #[test]
    fn wrong_words_come_with_an_example_that_would_do() {
        for name in NAMES {
            let mut settings = Settings::default();
            let Some(Err(wrong)) = apply(&mut settings, name, "nonsense") else { panic!("{name} took nonsense") };
            assert_eq!(settings, Settings::default());
            assert_eq!(apply(&mut settings, name, wrong.example), Some(Ok(())), "{name}");
        }
        assert_eq!(apply(&mut Settings::default(), "colour", "red"), None);
    }

    #[test]
    fn a_position_nobody_can_play_from_is_no_start() {
        assert_eq!(start_position("8/8/8/8/8/8/8/8 w - - 0 1"), None);
        assert_eq!(start_position("4k3/8/8/8/8/8/8/4K3"), Some(String::from("4k3/8/8/8/8/8/8/4K3 w - - 0 1")));
    }
}

//! `[log]`: how much the log says.
use super::quoted::{line, quoted};
use super::reader::{Reader, shown};
use toml::Spanned;
use toml::de::DeValue;

/// `[log]`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Log {
    /// What is said and what is not.
    pub level: Level,
}

/// What is said; each one says what those before it say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Level {
    /// The operator must act.
    Error,
    /// An arbiter might ask about it.
    Warn,
    /// A handful of lines a game: links, beginnings, results.
    #[default]
    Info,
    /// Every message of a board.
    Debug,
    /// Every byte.
    Trace,
}

impl Level {
    /// As configurations write it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warn => "warn",
            Self::Info => "info",
            Self::Debug => "debug",
            Self::Trace => "trace",
        }
    }
}

const LEVELS: [Level; 5] = [Level::Error, Level::Warn, Level::Info, Level::Debug, Level::Trace];

pub(super) fn read(reader: &mut Reader<'_>, value: &Spanned<DeValue<'_>>, log: &mut Log) {
    reader.section("log", value, &["level"], |reader, _, key, value| {
        match value.get_ref().as_str().and_then(|text| LEVELS.into_iter().find(|level| level.as_str() == text)) {
            Some(level) => log.level = level,
            None => {
                let text = format!("{} is none of error, warn, info, debug, trace; for example level = \"warn\"", shown(value));
                reader.mistake(value.span(), key, text);
            }
        }
    });
}

pub(super) fn print(log: &Log, out: &mut String) {
    out.push_str("\n[log]\n");
    line(out, "level", quoted(log.level.as_str()));
}

//! The log: to systemd's journal with fields where stderr leads there, else as text on stderr. Quiet by default: nothing per move.
//!
//! Fields of the journal: `BOARD`, `SEQ` (the event's number on that board), `FINDING` and `FINDING_KEY` (a finding's number and key), besides what systemd adds.
//! What is said: `--log`, else `FLAGFALL_LOG`, else `RUST_LOG`, else `log.level` of the configuration.
use crate::config::log::Log;
use crate::exit::ExitError;
use crate::output;
use flagfall_events::{AlarmState, Body, Event, Grade, LinkState, Status};
use std::ffi::OsStr;
use std::io::{self, IsTerminal as _};
use std::sync::OnceLock;
use std::{env, fmt};
use tracing_journald::{Priority, PriorityMappings};
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;
use tracing_subscriber::{EnvFilter, Registry, fmt as text, reload};

/// The filter that is in force, where the configuration decides it.
static CONFIGURED: OnceLock<reload::Handle<EnvFilter, Registry>> = OnceLock::new();

/// Variables that say what is logged, the strongest first.
const VARIABLES: [&str; 2] = ["FLAGFALL_LOG", "RUST_LOG"];

/// Begins to log. `wish` is what the command line says: a level, or directives as `RUST_LOG` has them. A second call changes nothing.
///
/// # Errors
/// Usage (64), where `wish` cannot be read.
pub fn start(wish: Option<&str>, config: &Log) -> Result<(), ExitError> {
    let wished = wish.map(|wish| {
        parse(wish)
            .map_err(|error| ExitError::usage(format_args!("--log {wish}: {error}; for example --log debug, or --log flagfall_link=trace")))
    });
    let filter = wished.transpose()?.or_else(of_environment);
    let configured = filter.is_none();
    let (filter, handle) = reload::Layer::new(filter.unwrap_or_else(|| of(config)));
    let journal = if leads_to_journal() { journal() } else { None };
    let text = journal.is_none().then(|| text::layer().with_writer(io::stderr).with_target(false).with_ansi(io::stderr().is_terminal()));
    // Another one is in force already: a test's.
    if tracing_subscriber::registry().with(filter).with(journal).with(text).try_init().is_ok() && configured {
        let _ = CONFIGURED.set(handle);
    }
    Ok(())
}

/// Logs what `config` says from now on, unless command line or environment decided it.
pub(super) fn set(config: &Log) {
    if let Some(handle) = CONFIGURED.get()
        && let Err(error) = handle.reload(of(config))
    {
        tracing::error!("log.level stays as it was: {error}");
    }
}

/// Ours only: libraries speak of things that flagfall says in its own words.
fn of(config: &Log) -> EnvFilter {
    EnvFilter::new(format!("flagfall={}", config.level.as_str()))
}

/// A level is meant for flagfall alone.
fn parse(text: &str) -> Result<EnvFilter, impl fmt::Display + use<>> {
    let level = text.parse::<tracing::Level>().is_ok();
    EnvFilter::builder().parse(if level { format!("flagfall={text}") } else { String::from(text) })
}

fn of_environment() -> Option<EnvFilter> {
    let (name, text) = VARIABLES.iter().find_map(|name| Some((name, env::var(name).ok().filter(|text| !text.is_empty())?)))?;
    match parse(&text) {
        Ok(filter) => Some(filter),
        Err(error) => {
            output::complain(&format!("{name}={text}: {error}; it is not used"));
            None
        }
    }
}

fn journal() -> Option<tracing_journald::Layer> {
    let priorities = PriorityMappings {
        error: Priority::Error,
        warn: Priority::Warning,
        info: Priority::Informational,
        debug: Priority::Debug,
        trace: Priority::Debug,
    };
    // Without its socket the lines go to stderr, which leads there as well.
    let layer = tracing_journald::layer().ok()?;
    Some(layer.with_field_prefix(None).with_syslog_identifier(String::from("flagfall")).with_priority_mappings(priorities))
}

/// Whether standard error is the stream that systemd names in `JOURNAL_STREAM`.
fn leads_to_journal() -> bool {
    let Ok(stderr) = rustix::fs::fstat(io::stderr()) else { return false };
    #[allow(clippy::useless_conversion, reason = "the types are narrower on some machines")]
    env::var_os("JOURNAL_STREAM").is_some_and(|stream| is_stream(&stream, u64::from(stderr.st_dev), u64::from(stderr.st_ino)))
}

/// `DEVICE:INODE` in decimal.
fn is_stream(stream: &OsStr, device: u64, inode: u64) -> bool {
    stream.to_str().and_then(|text| text.split_once(':')) == Some((&*device.to_string(), &*inode.to_string()))
}

const fn became(status: Status) -> &'static str {
    match status {
        Status::Withdrawn => "withdrawn",
        Status::Confirmed => "confirmed",
        Status::Dismissed => "dismissed",
        Status::Amended => "amended",
        Status::Revised => "revised",
    }
}

/// Says of an event what whoever looks after the machine wants to read: a handful of lines a game.
pub(super) fn tell(event: &Event) {
    let (board, seq) = (&*event.board, event.seq);
    match &event.body {
        Body::Link { state: LinkState::Up, .. } => tracing::info!(board, seq, "board {board}: answers"),
        // Why, the link has said.
        Body::Link { state: LinkState::Down, .. } => tracing::info!(board, seq, "board {board}: is gone"),
        Body::GameStart { .. } => tracing::info!(board, seq, "board {board}: a game begins"),
        Body::Result { result, reason, .. } => {
            let game = event.game.map(|number| format!("game {number}: ")).unwrap_or_default();
            tracing::info!(board, seq, "board {board}: {game}{} ({reason})", result.as_str());
        }
        Body::Finding(finding) if finding.grade != Grade::Note => {
            let (id, key) = (finding.id, finding.key.as_str());
            tracing::info!(board, seq, finding = id, finding_key = key, "board {board}: finding {id}: {}", finding.summary.en);
        }
        Body::FindingUpdate(update) if update.status != Status::Revised => {
            tracing::info!(board, seq, finding = update.id, "board {board}: finding {} is {}", update.id, became(update.status));
        }
        Body::Alarm { key, state: AlarmState::Raised, .. } => tracing::warn!(board, seq, "board {board}: alarm {key}"),
        Body::Alarm { key, state: AlarmState::Cleared, .. } => tracing::info!(board, seq, "board {board}: alarm {key} is over"),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_journal_is_taken_only_where_its_stream_is_the_one_that_is_open() {
        assert!(is_stream(OsStr::new("9:51234"), 9, 51_234));
        for other in ["", "9", "9:", "9:5123", "8:51234", ":51234", "9:51234:1"] {
            assert!(!is_stream(OsStr::new(other), 9, 51_234), "{other}");
        }
    }

    #[test]
    fn a_level_is_meant_for_flagfall_alone_and_directives_for_whom_they_name() {
        assert_eq!(parse("debug").map_err(|e| e.to_string()).unwrap().to_string(), "flagfall=debug");
        assert_eq!(parse("flagfall_link=trace").map_err(|e| e.to_string()).unwrap().to_string(), "flagfall_link=trace");
        assert!(parse("flagfall=loud").is_err());
    }
}

//! A journal that is damaged in its middle, or that was refused: the file is evidence and stays as it is. A new one takes over what counts of it.
use super::begin::Begin;
use super::header::{Before, Open};
use super::line::{Chain, Line};
use super::read::{self, Bad};
use super::recovered::{Recovered, begun, key_change};
use super::replay::Replay;
use super::vouched::Earlier;
use super::what::What;
use flagfall_events::{AlarmKey, Event, Mono};
use flagfall_game::settings::Settings;
use std::path::Path;
use std::sync::Arc;

/// A journal that another one takes over from.
pub(super) struct From<'a> {
    path: &'a Path,
    bytes: &'a [u8],
    /// What is wrong with it.
    why: String,
    /// Its lines before that.
    stands: Chain,
    /// The last line that counts.
    last: u64,
    alarm: Option<AlarmKey>,
}

impl<'a> From<'a> {
    /// Lines stand after a damaged one: every line that can be read counts.
    pub(super) fn damaged(path: &'a Path, bytes: &'a [u8], bad: &Bad, stands: Chain) -> Self {
        let why = format!("line {}: {}", bad.line, bad.wrong);
        tracing::error!(
            "{}:{}: {}; it held {}. The file is left as it is; a new journal goes on with what can be read. Run `flagfall verify` on it",
            path.display(),
            bad.line,
            bad.wrong,
            bad.held
        );
        Self { path, bytes, why, stands, last: u64::MAX, alarm: Some(AlarmKey::JournalDamaged) }
    }

    /// This machine did not write it so: what its key has signed counts.
    pub(super) fn refused(path: &'a Path, bytes: &'a [u8], (line, why): (u64, &str), proved: Chain) -> Self {
        Self { path, bytes, why: format!("line {line}: {why}"), stands: proved, last: proved.lines(), alarm: None }
    }
}

/// The board after the inputs that count, and the lines with which its new journal begins.
pub(super) fn repaired(from: &From<'_>, (mut open, earlier_keys): (Open, &Earlier), settings: &Settings, folder: &Path) -> Recovered {
    let From { path, bytes, why, stands, last, alarm } = from;
    let mut readable = read::readable(bytes);
    // Numbers that were given out are not given out again, whatever they stood for.
    let numbered = readable.iter().filter(|line| line.key == "event").filter_map(|line| read::seq_of(line.value)).max().unwrap_or(0);
    readable.retain(|line| line.number <= *last);
    let file = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let damaged = Some(why.clone());
    open.before = Some(Before { file, lines: stands.lines(), chain: stands.hex(), damaged });
    let mut settings = settings.clone();
    let earlier = readable.iter().find(|line| line.key == "open").map(Line::what);
    let mut signer = String::new();
    if let Some(Ok(What::Open(earlier))) = earlier {
        signer.clone_from(&earlier.key);
        if let Ok(before) = earlier.settings() {
            (settings, open.settings) = (before, earlier.settings.clone());
        }
        (open.recorded_at, open.seq, open.day) = (earlier.recorded_at, earlier.seq, earlier.day.clone());
        (open.public, open.games, open.stands) = (earlier.public, earlier.games, earlier.stands.clone());
        open.raised.clone_from(&earlier.raised);
    }
    let seen = read::events_of(&readable);
    let changes = readable.iter().filter(|line| line.key == "key").filter_map(|line| line.what().ok());
    for change in changes {
        if let What::Key(change) = change {
            signer = change.public;
        }
    }
    let change = key_change(&signer, &open, earlier_keys);
    let mut fresh = begun(open, &settings, folder);
    fresh.first.extend(change.into_iter().map(|change| (Mono::ZERO, change)));
    let Begin::New { open, .. } = &fresh.begin else { return fresh };
    let mut replay = Replay::default();
    if replay.open(open).is_ok() {
        // Bytes in memory can always be read.
        let skips = read::skips(*bytes).unwrap_or_default();
        let inputs = readable.iter().filter(|line| What::is_input(line.key) && line.key != "anew" && !skips.contains(&line.number));
        for line in inputs {
            let Ok(what) = line.what() else { continue };
            // What came earlier in the file came earlier.
            let t = fresh.last.max(line.t);
            replay.expire(t, &mut said(&mut fresh.first));
            fresh.first.push((t, what.clone()));
            replay.input(t, what, &mut said(&mut fresh.first));
            fresh.last = t;
        }
        let end = seen.iter().map(|event| event.t).fold(fresh.last, Mono::max);
        replay.expire(end, &mut said(&mut fresh.first));
        fresh.last = end.max(replay.last());
        fresh.seq = replay.seq();
        if let Some((board, questions)) = replay.into_board() {
            (fresh.board, fresh.questions) = (board, questions);
        }
    }
    for event in &seen {
        fresh.progress.take(event);
        fresh.public.take(event);
    }
    fresh.seq = fresh.seq.max(numbered);
    (fresh.events, fresh.continued, fresh.alarm) = (seen, true, *alarm);
    fresh
}

fn said(lines: &mut Vec<(Mono, What)>) -> impl FnMut(&Event) {
    |event| lines.push((event.t, What::Event(Arc::new(event.clone()))))
}

//! A journal that is damaged in its middle: the file is evidence and stays as it is. A new one takes over every input that can be read.
use super::begin::Begin;
use super::header::{Before, Open};
use super::line::{Chain, Line};
use super::read::{self, Bad};
use super::recovered::{Recovered, begun, key_change};
use super::replay::Replay;
use super::what::What;
use flagfall_events::{Event, Mono};
use flagfall_game::settings::Settings;
use std::path::Path;
use std::sync::Arc;

/// The board after the inputs that can be read, and the lines with which its new journal begins.
pub(super) fn repaired(
    path: &Path,
    bytes: &[u8],
    bad: &Bad,
    stands: Chain,
    mut open: Open,
    settings: &Settings,
    folder: &Path,
) -> Recovered {
    tracing::error!(
        "{}:{}: {}; it held {}. The file is left as it is; a new journal goes on with what can be read. Run `flagfall verify` on it",
        path.display(),
        bad.line,
        bad.wrong,
        bad.held
    );
    let readable = read::readable(bytes);
    let file = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let damaged = Some(format!("line {}: {}", bad.line, bad.wrong));
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
    }
    let seen = read::events(bytes);
    let changes = readable.iter().filter(|line| line.key == "key").filter_map(|line| line.what().ok());
    for change in changes {
        if let What::Key(change) = change {
            signer = change.public;
        }
    }
    let change = key_change(&signer, &open);
    let mut fresh = begun(open, &settings, folder);
    fresh.first.extend(change.map(|change| (Mono::ZERO, change)));
    let Begin::New { open, .. } = &fresh.begin else { return fresh };
    let mut replay = Replay::default();
    if replay.open(open).is_ok() {
        // Bytes in memory can always be read.
        let skips = read::skips(bytes).unwrap_or_default();
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
    fresh.seq = seen.iter().map(|event| event.seq).fold(fresh.seq, u64::max);
    (fresh.events, fresh.continued, fresh.alarm) = (seen, true, Some(flagfall_events::AlarmKey::JournalDamaged));
    fresh
}

fn said(lines: &mut Vec<(Mono, What)>) -> impl FnMut(&Event) {
    |event| lines.push((event.t, What::Event(Arc::new(event.clone()))))
}

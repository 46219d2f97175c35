//! What evidence costs: checkpoints in a journal, to verify it, to start again on it, and to show a hall that it goes on.
//!
//! ```sh
//! cargo bench -p flagfall-journal --bench evidence
//! ```
#![allow(clippy::unwrap_used, reason = "a bench may")]
#[path = "long_game.rs"]
mod long_game;

use flagfall_capture::CaptureLine;
use flagfall_events::{Body, Event, Mono};
use flagfall_game::RECOGNITION;
use flagfall_journal::checkpoint;
use flagfall_journal::header::{FORMAT, Open, named};
use flagfall_journal::keeping::Keeping;
use flagfall_journal::key::Key;
use flagfall_journal::line::Chain;
use flagfall_journal::replay::Replay;
use flagfall_journal::verify::verify;
use flagfall_journal::way::Ways;
use flagfall_journal::what::{LinkChange, What};
use flagfall_journal::{Attendant, Journal, JournalState};
use flagfall_simulator::stream::Stream;
use flagfall_time::Stopwatch;
use prometheus_client::registry::Registry;
use std::fs;
use std::hint::black_box;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// As the program signs: after so many lines, and before a line that comes so many milliseconds after the first one that is not signed.
const SIGN_EVERY: u64 = 512;
const SIGN_AFTER: u64 = 10_000;
/// Each figure is the median of so many.
const TIMES: usize = 21;
/// A machine shows the hall its newest checkpoint about so often, lines.
const SHOWN_EVERY: u64 = 32;

fn main() {
    println!("| | one hour | five hours |\n|---|---|---|");
    let games = [(1.0, 0.545), (5.0, 0.109)].map(|(hours, speed)| Measured::new(hours, &long_game::stream(speed)));
    let row = |what: &str, of: &dyn Fn(&Measured) -> String| println!("| {what} | {} | {} |", of(&games[0]), of(&games[1]));
    row("plies, lines", &|game| format!("{}, {}", game.plies, game.lines));
    row("bytes a ply without checkpoints", &|game| (game.plain / game.plies).to_string());
    row("bytes a ply that checkpoints add", &|game| ((game.bytes - game.plain) / game.plies).to_string());
    row("checkpoints", &|game| game.checkpoints.to_string());
    row("one checkpoint: the root and the signature", &|game| micros(game.sign));
    row("hashing, a ply: chain, tree, checksum and JSON of its lines", &|game| {
        micros(game.write.saturating_sub(game.sign * game.checkpoints) / u32::try_from(game.plies).unwrap())
    });
    row("checkpoints, a ply", &|game| micros(game.sign * game.checkpoints / u32::try_from(game.plies).unwrap()));
    row("every checksum, the chain and every signature verified", &|game| millis(game.verified));
    row("at a start: checked, replayed, the board as it was", &|game| millis(game.restart));
    row("shown to a hall: what came since the last time", &|game| micros(game.shown));
    row("the same by reading the journal anew", &|game| micros(game.anew));
}

fn micros(time: Duration) -> String {
    format!("{:.1} µs", time.as_secs_f64() * 1e6)
}

fn millis(time: Duration) -> String {
    format!("{:.1} ms", time.as_secs_f64() * 1e3)
}

fn median(of: impl FnMut() -> Duration) -> Duration {
    let mut times: Vec<Duration> = std::iter::repeat_with(of).take(TIMES).collect();
    times.sort_unstable();
    times[times.len() / 2]
}

fn timed<T>(of: impl FnOnce() -> T) -> Duration {
    let began = Stopwatch::start();
    black_box(of());
    Duration::from_micros(began.micros())
}

struct Measured {
    plies: u64,
    lines: u64,
    /// Bytes without and with checkpoints.
    plain: u64,
    bytes: u64,
    checkpoints: u32,
    write: Duration,
    sign: Duration,
    verified: Duration,
    restart: Duration,
    shown: Duration,
    anew: Duration,
}

impl Measured {
    fn new(hours: f64, played: &Stream) -> Self {
        let data = tempfile::tempdir().unwrap();
        let key = Key::of(data.path()).unwrap().key;
        let lines = lines(played, &key);
        let last = lines.last().unwrap().0.millis();
        assert!((last as f64 / 3.6e6 - hours).abs() < 0.3 * hours, "{last} ms are not {hours} hours");
        let plies = lines.iter().filter(|(_, what)| matches!(what, What::Event(event) if is_ply(event))).count() as u64;
        assert_eq!(plies, played.truth.uci().len() as u64, "the replay is the game that was played");
        let (plain, _) = written(&lines, &key, false);
        let (bytes, checkpoints) = written(&lines, &key, true);
        let board = data.path().join("journals/1");
        fs::create_dir_all(&board).unwrap();
        let path = board.join(format!("{}.journal", flagfall_time::local_day(flagfall_time::now())));
        fs::write(&path, &bytes).unwrap();
        let public = key.public();
        assert!(verify(&bytes, Some(&public)).trouble.is_none());
        let mut whole = Chain::default();
        lines.iter().for_each(|(t, what)| whole.write(&mut Vec::new(), *t, what));
        let (shown, anew) = ways(data.path(), &bytes);
        Self {
            plies,
            lines: bytes.iter().filter(|byte| **byte == b'\n').count() as u64,
            plain: plain.len() as u64,
            bytes: bytes.len() as u64,
            checkpoints,
            write: median(|| timed(|| written(&lines, &key, true))),
            sign: median(|| {
                timed(|| (0..100).for_each(|_| drop(black_box(key.checkpoint("flagfall-journal/1/00aa", &whole, Vec::new()))))) / 100
            }),
            verified: median(|| timed(|| verify(&bytes, Some(&public)))),
            restart: median(|| restart(data.path(), played, plies)),
            shown,
            anew,
        }
    }
}

fn is_ply(event: &Event) -> bool {
    matches!(event.body, Body::MoveCompleted { .. })
}

/// The lines of its journal, without checkpoints: what the link would say of the game, and the events that come of it.
fn lines(played: &Stream, key: &Key) -> Vec<(Mono, What)> {
    let now = flagfall_time::now();
    let open = Open {
        raised: Vec::new(),
        format: FORMAT,
        log: Some(String::from("0123456789abcdef")),
        flagfall: String::from(env!("CARGO_PKG_VERSION")),
        recognition: Some(RECOGNITION),
        board: String::from("1"),
        day: flagfall_time::local_day(now).to_string(),
        recorded_at: now,
        seq: 0,
        settings: named(&played.settings),
        keep: String::from("90d"),
        key: key.public(),
        public: 0,
        games: 0,
        stands: None,
        before: None,
    };
    let mut replay = Replay::default();
    replay.open(&open).unwrap();
    let mut lines = vec![(Mono::ZERO, What::Open(Box::new(open)))];
    for (t, line) in played.lines.iter().cloned() {
        let what = match line {
            CaptureLine::FromBoard(bytes) => What::In(bytes),
            CaptureLine::Link(state) => What::Link(LinkChange { state, reason: None, port: None }),
            CaptureLine::Entry(entry) => What::Entry(entry),
            CaptureLine::ToBoard(bytes) => {
                lines.push((t, What::Out(bytes)));
                continue;
            }
        };
        let event = |lines: &mut Vec<(Mono, What)>, event: &Event| lines.push((event.t, What::Event(Arc::new(event.clone()))));
        replay.expire(t, &mut |made| event(&mut lines, made));
        lines.push((t, what.clone()));
        replay.input(t, what, &mut |made| event(&mut lines, made));
    }
    lines
}

/// A journal of these lines, and how many checkpoints it has.
fn written(lines: &[(Mono, What)], key: &Key, signed: bool) -> (Vec<u8>, u32) {
    let What::Open(open) = &lines[0].1 else { panic!("a journal begins with its first line") };
    let log = checkpoint::origin(open).unwrap();
    let (mut bytes, mut chain, mut count, mut since, mut unsigned) = (Vec::new(), Chain::default(), 0, None::<Mono>, 0);
    for (t, what) in lines {
        let marks = matches!(what, What::Event(event) if matches!(event.body, Body::Result { .. } | Body::Ruling(_) | Body::Finding(_) | Body::FindingUpdate(_)));
        if signed && since.is_some_and(|since| *t >= since + SIGN_AFTER || unsigned >= SIGN_EVERY) {
            chain.write(&mut bytes, *t, &What::Checkpoint(key.checkpoint(&log, &chain, Vec::new())));
            (since, unsigned, count) = (None, 0, count + 1);
        }
        chain.write(&mut bytes, *t, what);
        (since, unsigned) = (since.or(Some(*t)), if marks { SIGN_EVERY } else { unsigned + 1 });
    }
    if signed {
        chain.write(&mut bytes, lines.last().unwrap().0, &What::Checkpoint(key.checkpoint(&log, &chain, Vec::new())));
        count += 1;
    }
    (bytes, count)
}

/// Nobody is told how it goes.
struct Nobody;

impl Attendant for Nobody {
    fn journal(&self, _: JournalState) {}
    fn alarm(&self, key: &str, about: &str, text: Option<String>) {
        assert!(text.is_none(), "{key} {about}: {text:?}");
    }
    fn register(&self, _: &mut dyn FnMut(&mut Registry)) {}
}

/// A board as its last journal left it.
fn restart(data: &Path, played: &Stream, plies: u64) -> Duration {
    let keeping = Keeping { required: false, keep: None, key: None };
    let journal = Journal::start(data, keeping, Arc::new(Nobody), Stopwatch::start(), Arc::new(|_| ())).unwrap();
    let began = Stopwatch::start();
    let recovered = journal.recover_board("1", &played.settings).unwrap();
    let took = Duration::from_micros(began.micros());
    assert_eq!(recovered.events.iter().filter(|event| is_ply(event)).count() as u64, plies);
    journal.finish();
    took
}

/// What shows a hall that the journal goes on: near its end, from what it saw last, and by who begins anew.
fn ways(data: &Path, bytes: &[u8]) -> (Duration, Duration) {
    let all = bytes.iter().filter(|byte| **byte == b'\n').count() as u64;
    let log = "flagfall-journal/1/0123456789abcdef";
    let (known, mut size) = (Ways::default(), all - (TIMES as u64 + 1) * SHOWN_EVERY);
    assert!(known.on(data, ("1", log), size - SHOWN_EVERY, size).is_some());
    let shown = median(|| {
        size += SHOWN_EVERY;
        timed(|| known.on(data, ("1", log), size - SHOWN_EVERY, size).unwrap())
    });
    (shown, median(|| timed(|| Ways::default().on(data, ("1", log), all - SHOWN_EVERY, all).unwrap())))
}

//! What the last journal of a board holds when the program starts: a torn tail is cut off, the inputs are played through the board.
use super::day::{Progress, differ};
use super::disk::Slot;
use super::header::{Before, Open};
use super::line::{Chain, Wrong, hex, seems_to_hold};
use super::read::{self, Bad};
use super::repair::repaired;
use super::replay::Replay;
use super::what::{Cut, KeyChange, What};
use super::writer::Begin;
use super::{JournalError, store};
use crate::board::Board;
use crate::game::event::Event;
use crate::game::questions::Question;
use crate::game::settings::Settings;
use crate::time::{Mono, Wall};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Bytes of a cut tail that are kept in the line that tells of it.
const KEPT: usize = 4_096;

/// A board as its journal left it.
pub struct Recovered {
    /// After all inputs that are on disk.
    pub board: Board,
    /// What it was set to.
    pub settings: Settings,
    /// The wall time of millisecond 0, as the header has it.
    pub opened_at: Wall,
    /// The same as the machine's clock said it last.
    pub wall: Wall,
    /// The time of the last line.
    pub last: Mono,
    /// The last event's number.
    pub seq: u64,
    /// What it asked and was not answered.
    pub questions: Vec<Question>,
    /// How far its day is.
    pub progress: Progress,
    /// Every event of the journal, for whoever shows the board's state. They were published before.
    pub events: Vec<Arc<Event>>,
    /// Events that the inputs on disk made and that are not on disk themselves: nobody has seen them.
    pub unseen: Vec<Event>,
    /// What is written before anything else.
    pub first: Vec<(Mono, What)>,
    /// The journal goes on, or one stands before it.
    pub continued: bool,
    /// One stands before it, and the board begins anew.
    pub fresh: bool,
    /// An alarm to raise: what was found is not what was written.
    pub alarm: Option<&'static str>,
    /// Journals of which nothing can be read, in words: whoever looks at the board must know what may be missing.
    pub lost: Vec<String>,
    pub(super) begin: Begin,
}

/// The board's state after its last journal; a new journal where there is none, or where the last one is not to go on.
pub(super) fn recover(data_dir: &Path, open: Open, settings: &Settings, now: Wall) -> Result<Recovered, JournalError> {
    let folder = store::folder(data_dir, &open.board);
    let failed = |path: &Path| {
        let path = path.to_owned();
        move |error: io::Error| JournalError::Io(path, error)
    };
    let mut files = store::journals(data_dir, &open.board).map_err(failed(&folder))?;
    let mut lost = Vec::new();
    let mut recovered = loop {
        let Some(path) = files.pop() else { break begun(open, settings, &folder) };
        let bytes = std::fs::read(&path).map_err(failed(&path))?;
        match found(&path, &bytes) {
            Found::Nothing => lost.push(set_aside(&path, &bytes)),
            Found::Good(found) => break go_on(*found, open, settings, &folder, now),
            Found::Damaged { bad, lines } => break repaired(&path, &bytes, &bad, lines, open, settings, &folder),
        }
    };
    let last = recovered.last;
    for (cut, told) in lost {
        recovered.first.push((last, What::Cut(cut)));
        recovered.lost.push(told);
    }
    Ok(recovered)
}

/// A file without a single line, as a power cut may leave it: what it held is gone. It is kept, under a name that is no journal's.
fn set_aside(path: &Path, bytes: &[u8]) -> (Cut, String) {
    let written = std::fs::metadata(path).and_then(|file| file.modified()).ok().and_then(|at| jiff::Timestamp::try_from(at).ok());
    let written = written.map_or_else(String::new, |at| format!(", written last at {at:.0}"));
    let holds = match bytes.len() {
        0 => String::from("is empty"),
        n if bytes.iter().all(|byte| *byte == 0) => format!("holds {n} zeros"),
        n => format!("holds {n} bytes and no whole line"),
    };
    let name = |n: u32| path.with_extension(if n == 1 { String::from("lost") } else { format!("lost-{n}") });
    let kept = (1..1_000).map(name).find(|aside| !aside.exists());
    let kept = kept.filter(|aside| std::fs::rename(path, aside).is_ok());
    let kept = kept.map_or_else(String::new, |aside| format!("; it is kept as {}", aside.display()));
    let why = format!("{} {holds}{written}", path.display());
    tracing::error!("{why}: what it recorded is lost{kept}. The journal before it counts; compare the moves with the score sheets");
    let held = String::from("nothing that can be read");
    let blake3 = blake3::hash(bytes).to_hex().to_string();
    let told = format!("{why}: what it recorded is lost{kept}");
    (Cut { bytes: bytes.len() as u64, held, why, blake3, data: None }, told)
}

enum Found {
    /// Not even a header, and nothing after it.
    Nothing,
    Good(Box<Good>),
    /// Lines stand after one that does not.
    Damaged {
        bad: Bad,
        lines: Chain,
    },
}

struct Good {
    path: PathBuf,
    open: Open,
    settings: Settings,
    chain: Chain,
    offset: u64,
    replay: Replay,
    events: Vec<Arc<Event>>,
    cut: Option<Cut>,
    /// The public key that signed last.
    signer: String,
}

fn found(path: &Path, bytes: &[u8]) -> Found {
    let mut lines = read::Lines::new(bytes);
    let (mut replay, mut events, mut header) = (Replay::default(), Vec::new(), None);
    let skips = read::skips(bytes);
    let mut bad = None;
    let mut offset = 0;
    let mut signer = String::new();
    let mut chain = Chain::default();
    while let Some(next) = lines.next() {
        let line = match next {
            Ok(line) => line,
            Err(wrong) => {
                bad = Some(wrong);
                break;
            }
        };
        if header.is_none() {
            match line.what() {
                Ok(What::Open(open)) => {
                    signer.clone_from(&open.key);
                    header = Some(*open);
                }
                _ => {
                    bad = Some(Bad { line: line.number, wrong: Wrong::Shape, held: seems_to_hold(line.text.as_bytes()), offset });
                    break;
                }
            }
        }
        let told = replay.line(&line, skips.contains(&line.number), &mut |event| events.push(Arc::new(event.clone())));
        if let Err(why) = told {
            tracing::error!("{}:{}: {why}", path.display(), line.number);
            bad = Some(Bad { line: line.number, wrong: Wrong::Shape, held: why, offset });
            break;
        }
        if let ("key", Ok(What::Key(key))) = (line.key, line.what()) {
            signer = key.public;
        }
        (offset, chain) = (lines.offset(), lines.so_far());
    }
    let rest = bytes.get(offset..).unwrap_or_default();
    let settings = header.as_ref().and_then(|open: &Open| open.settings().ok());
    let (Some(open), Some(settings)) = (header, settings) else {
        return match bad.filter(|_| read::any_line(after_first(rest))) {
            Some(bad) => Found::Damaged { bad, lines: chain },
            None => Found::Nothing,
        };
    };
    let cut = match bad {
        None => None,
        Some(bad) if read::any_line(after_first(rest)) || bad.wrong == Wrong::Shape => return Found::Damaged { bad, lines: chain },
        Some(bad) => Some(cut(rest, &bad)),
    };
    if let Some(differs) = replay.differs() {
        tracing::error!("{}:{}: a replay differs: {}", path.display(), differs.line, differs.text);
        events = read::events(bytes);
    }
    Found::Good(Box::new(Good { path: path.to_owned(), open, settings, chain, offset: offset as u64, replay, events, cut, signer }))
}

/// The line that says that another key than `signer` signs from here on.
pub(super) fn key_change(signer: &str, now: &Open) -> Option<What> {
    let change = || What::Key(KeyChange { public: now.key.clone(), lost: String::from(signer) });
    (!signer.is_empty() && signer != now.key).then(change)
}

fn after_first(bytes: &[u8]) -> &[u8] {
    bytes.iter().position(|b| *b == b'\n').and_then(|end| bytes.get(end + 1..)).unwrap_or_default()
}

fn cut(rest: &[u8], bad: &Bad) -> Cut {
    let data = (rest.len() <= KEPT).then(|| {
        let mut text = Vec::new();
        hex(&mut text, rest);
        String::from_utf8_lossy(&text).into_owned()
    });
    Cut {
        bytes: rest.len() as u64,
        held: bad.held.clone(),
        why: format!("line {}: {}", bad.line, bad.wrong),
        blake3: blake3::hash(rest).to_hex().to_string(),
        data,
    }
}

/// The journal is right up to its end, or up to a torn tail.
fn go_on(found: Good, mut now: Open, settings: &Settings, folder: &Path, wall: Wall) -> Recovered {
    let Good { path, open, settings: earlier, chain, offset, replay, events, cut, signer } = found;
    let key = key_change(&signer, &now);
    if let Some(cut) = &cut {
        let (bytes, held, why) = (cut.bytes, &cut.held, &cut.why);
        tracing::error!("{}: {why}; {bytes} bytes were cut off, which held {held}; all before them stands", path.display());
        if cut.data.is_none() {
            keep_aside(&path, offset);
        }
    }
    let mut progress = Progress::default();
    events.iter().for_each(|event| progress.take(event));
    let seq = events.last().map_or(open.seq, |event| event.seq).max(open.seq);
    let last = replay.last();
    let at = Mono::from_millis(wall.since(replay.opened_at())).max(last);
    if (now.day != open.day || differ(&open, &now)) && progress.is_over(at) {
        // The new journal names this one; what was torn off it stays where it is.
        let file = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let damaged = cut.as_ref().map(|cut| cut.why.clone());
        now.before = Some(Before { file, lines: chain.lines(), chain: chain.hex(), damaged });
        now.seq = seq;
        let alarm = cut.map(|_| "journal-cut");
        let first = key.into_iter().map(|key| (Mono::ZERO, key)).collect();
        return Recovered { events, continued: true, fresh: true, alarm, first, ..begun(now, settings, folder) };
    }
    let unseen = replay.missing().cloned().collect::<Vec<_>>();
    let (opened_at, wall) = (open.recorded_at, replay.opened_at());
    let fresh = || (Board::new(&open.board, opened_at, earlier.clone()).numbered_after(seq), Vec::new());
    let (board, questions) = replay.into_board().unwrap_or_else(fresh);
    let alarm = cut.as_ref().map(|_| "journal-cut");
    let slot = Slot::existing(folder.to_owned(), open.day.clone(), path);
    let published = seq - unseen.len() as u64;
    let events = events.into_iter().filter(|event| event.seq <= published).collect();
    Recovered {
        board,
        settings: earlier,
        opened_at,
        wall,
        last,
        seq,
        questions,
        progress,
        events,
        unseen,
        first: key.into_iter().chain(cut.map(What::Cut)).map(|what| (last, what)).collect(),
        continued: true,
        fresh: false,
        alarm,
        lost: Vec::new(),
        begin: Begin::Continue { slot, open, chain, offset, last, seq: published },
    }
}

/// What is too long for a line is kept in a file of its own.
fn keep_aside(path: &Path, offset: u64) {
    let aside = path.with_extension("cut");
    let kept = std::fs::read(path).and_then(|bytes| {
        let from = usize::try_from(offset).unwrap_or(usize::MAX).min(bytes.len());
        std::fs::write(&aside, &bytes[from..])
    });
    match kept {
        Ok(()) => tracing::warn!("what was cut off is kept in {}", aside.display()),
        Err(error) => tracing::error!("{}: what was cut off cannot be kept: {error}", aside.display()),
    }
}

/// A first journal.
pub(super) fn begun(open: Open, settings: &Settings, folder: &Path) -> Recovered {
    let seq = open.seq;
    Recovered {
        board: Board::new(&open.board, open.recorded_at, settings.clone()).numbered_after(seq),
        settings: settings.clone(),
        opened_at: open.recorded_at,
        wall: open.recorded_at,
        last: Mono::ZERO,
        seq,
        questions: Vec::new(),
        progress: Progress::default(),
        events: Vec::new(),
        unseen: Vec::new(),
        first: Vec::new(),
        continued: false,
        fresh: false,
        alarm: None,
        lost: Vec::new(),
        begin: Begin::New { slot: Slot::new(folder.to_owned(), open.day.clone()), open },
    }
}

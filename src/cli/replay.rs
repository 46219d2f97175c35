//! `flagfall replay`: captures and journals through the same code as the daemon, in simulated time.
mod against;
mod explain;
mod played;

use super::progress::{Part, Progress};
use super::watch::Lang;
use super::{ExitError, output};
use crate::feeds::pgn;
use crate::journal::read::{self, Lines};
use crate::journal::replay::Replay;
use crate::journal::store::EXTENSION;
use against::{Reading, Total};
use explain::Explain;
use flagfall_capture::{Capture, CaptureError};
use flagfall_events::Event;
use flagfall_game::board::Board;
use flagfall_score::board::Games;
use flagfall_score::timeline;
use flagfall_solver::{Solver, child};
use played::Played;
use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::{fs, panic, thread};

/// Arguments of `replay`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
flagfall replay captures --format pgn
flagfall replay game.cap --against game.pgn
flagfall replay recordings --against played --format json
flagfall replay 1.journal --explain 37
With --against each game of a recording is compared with what was played: plies, whether all are read, the first that is not, how many were
completed as another move, are missing or too many, what was found, and how long a completed move took from its press. MOVES is a PGN file, or
UCI with one game a line, for one recording; or the word `played`: what stands behind `# played:` in each recording's header, one line a game.
Exit code 0: every game is exact; 1: not every one.
With --explain a ply of one recording is explained: what could have been played as far as the sensors showed it by then, right after its press and
right after it was completed; by how much each reading is dearer than the best, and for what; and what decided.")]
pub struct Args {
    /// Captures and journals; of a folder every `*.cap` and `*.journal` below it, in path order
    #[arg(required = true, value_name = "FILE|DIR")]
    paths: Vec<PathBuf>,
    /// What to print, in the order of the arguments
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// How well the recordings are read: what was played there, as a PGN or UCI file, or `played` for their own headers
    #[arg(long, value_name = "MOVES")]
    against: Option<PathBuf>,
    /// Why this ply was completed as it was, and when: the readings at its press and at its decision
    #[arg(long, value_name = "PLY", value_parser = clap::value_parser!(u32).range(1..), conflicts_with = "against")]
    explain: Option<u32>,
    /// With --explain: of which game [default: the last one that has this ply]
    #[arg(long, value_name = "N", requires = "explain")]
    game: Option<u32>,
    /// With --explain: language of the sentences
    #[arg(long, value_enum, default_value_t = Lang::En, requires = "explain")]
    lang: Lang,
    /// How many files at once; the output is the same [default: one a processor]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..))]
    jobs: Option<u16>,
}

/// What is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    /// One JSON object a line, every event; `board` is a capture's stem, and the board of a journal
    Events,
    /// Games; the completed moves
    Pgn,
    /// A timeline for people, without placements and clock reports; with --against a line a game, with --explain a page
    Text,
    /// With --against: one JSON object a game; with --explain: one for the ply
    Json,
}

/// How a journal begins.
const JOURNAL: &[u8] = b"{\"n\":1,\"t\":";

/// What became of one file.
struct ReplayedFile {
    text: Vec<u8>,
    error: Option<ExitError>,
    total: Total,
}

/// Replays every file; a bad one does not keep the others from being printed.
pub fn run(args: Args) -> Result<(), ExitError> {
    let mut files = Vec::new();
    for path in &args.paths {
        expand(path, &mut files);
    }
    match (args.against.is_some() || args.explain.is_some(), args.format) {
        (false, Format::Json) => {
            return Err(ExitError::usage("--format json is for --against MOVES and --explain PLY; every event as JSON is --format events"));
        }
        (true, Format::Events | Format::Pgn) => {
            return Err(ExitError::usage("--against MOVES and --explain PLY print --format text or json"));
        }
        _ => {}
    }
    if let Some(ply) = args.explain {
        return explained(&files, Explain::new(ply, args.game, args.lang), args.format == Format::Json);
    }
    let against = args.against.as_deref().map(Played::of).transpose()?;
    if matches!(against, Some(Played::Given(_))) && files.len() > 1 {
        let text = "a file of moves is for one recording; for several write the moves behind `# played:` in each, and say --against played";
        return Err(ExitError::usage(text));
    }
    let (compared, mut total) = (against.is_some(), Total::default());
    let jobs = args.jobs.map_or_else(|| thread::available_parallelism().map_or(1, usize::from), usize::from).min(files.len());
    let several = files.len() > 1;
    let mut out = output::stdout();
    let size = |file: &File| file.as_ref().map_or(0, |path| fs::metadata(path).map_or(0, |file| file.len()));
    let progress = Progress::of("replay", files.iter().map(size).sum());
    let mut first_error = None;
    in_order(
        &files,
        jobs,
        |file| replayed(file, args.format, against.as_ref(), &progress),
        |i, ReplayedFile { text, error, total: of_file }| {
            total.add(of_file);
            progress.aside(|| {
                if several && args.format == Format::Text && !compared {
                    let (gap, path) = (if i > 0 { "\n" } else { "" }, files[i].as_ref().map_or_else(|e| e.0.display(), |p| p.display()));
                    writeln!(out, "{gap}== {path}")?;
                }
                out.write_all(&text)?;
                if let Some(error) = error {
                    // What was replayed stands before the complaint about what was not.
                    out.flush()?;
                    output::fail(&error.to_string());
                    first_error.get_or_insert(error);
                }
                Ok(())
            })
        },
    )?;
    drop(progress);
    if let Some(told) = total.told().filter(|_| args.format == Format::Text) {
        writeln!(out, "{told}")?;
    }
    out.flush()?;
    match first_error {
        Some(error) => Err(error.already_told()),
        None => Ok(()),
    }
}

/// A file to replay, or the path that gave none and why.
pub(super) type File = Result<PathBuf, (PathBuf, ExitError)>;

/// The file itself, or every `*.cap` and journal below a folder.
pub(super) fn expand(path: &Path, files: &mut Vec<File>) {
    if !path.is_dir() {
        files.push(Ok(path.to_path_buf()));
        return;
    }
    let before = files.len();
    let mut found = Vec::new();
    below(path, &mut found, files);
    found.sort();
    files.extend(found.into_iter().map(Ok));
    if files.len() == before {
        let error =
            ExitError::no_input(format_args!("{}: no capture (*.cap) and no journal (*.journal) below this folder", path.display()));
        files.push(Err((path.to_path_buf(), error)));
    }
}

fn below(folder: &Path, found: &mut Vec<PathBuf>, files: &mut Vec<File>) {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) => return files.push(Err((folder.to_path_buf(), ExitError::reading(folder, &error)))),
    };
    for entry in entries.filter_map(Result::ok) {
        let path = entry.path();
        // The type of the entry itself: a link to a folder above would never end.
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            below(&path, found, files);
        } else if path.extension().is_some_and(|e| e == "cap" || e == EXTENSION) && path.is_file() {
            found.push(path);
        }
    }
}

/// Does `work` on every item with `jobs` threads and hands the outcomes to `each` in the items' order.
fn in_order<T: Sync, R: Send>(
    items: &[T],
    jobs: usize,
    work: impl Fn(&T) -> R + Sync,
    mut each: impl FnMut(usize, R) -> Result<(), ExitError>,
) -> Result<(), ExitError> {
    let next = AtomicUsize::new(0);
    thread::scope(|scope| {
        // Bounded, so that a reader that has gone is noticed after a few files.
        let (tx, rx) = mpsc::sync_channel(2 * jobs);
        for _ in 0..jobs {
            let (tx, next, work) = (tx.clone(), &next, &work);
            scope.spawn(move || {
                while let Some((i, item)) = Some(next.fetch_add(1, Ordering::Relaxed)).and_then(|i| Some((i, items.get(i)?))) {
                    if tx.send((i, work(item))).is_err() {
                        break;
                    }
                }
            });
        }
        drop(tx);
        let (mut waiting, mut wanted) = (BTreeMap::new(), 0);
        for (i, outcome) in rx {
            waiting.insert(i, outcome);
            while let Some(outcome) = waiting.remove(&wanted) {
                each(wanted, outcome)?;
                wanted += 1;
            }
        }
        Ok(())
    })
}

/// One file. A mistake of ours in one file does not keep the others from being printed.
fn replayed(file: &File, format: Format, against: Option<&Played>, progress: &Progress) -> ReplayedFile {
    let (mut text, mut total) = (Vec::new(), Total::default());
    let path = match file {
        Ok(path) => path,
        Err((_, error)) => return ReplayedFile { text, error: Some(error.clone()), total },
    };
    let done = panic::catch_unwind(panic::AssertUnwindSafe(|| match against {
        None => print_file(path, format, progress, &mut text),
        Some(played) => compare_file(path, format, played, progress, (&mut text, &mut total)),
    }));
    let error = match done {
        Ok(Ok(())) => None,
        Ok(Err(error)) => Some(error),
        Err(_) => {
            Some(ExitError::bug(format_args!("{}: flagfall itself made a mistake here; please report it with this file", path.display())))
        }
    };
    ReplayedFile { text, error, total }
}

/// Explains a ply of the only file. What cannot be read to its end is explained up to there.
fn explained(files: &[File], mut explain: Explain, json: bool) -> Result<(), ExitError> {
    let path = match files {
        [Ok(path)] => path,
        [Err((_, error))] => return Err(error.clone()),
        _ => return Err(ExitError::usage("--explain PLY is for one recording: name one file")),
    };
    let bytes = fs::read(path).map_err(|e| ExitError::reading(path, &e))?;
    let progress = Progress::of("replay", bytes.len() as u64);
    let mut part = progress.part(&bytes);
    let replayed = replay(path, bytes, &mut part, &mut |board, event| {
        explain.take(board, event);
        Ok(())
    })?;
    drop(part);
    drop(progress);
    let mut text = Vec::new();
    let told = explain.print(path, replayed.differs, json, &mut text);
    let mut out = output::stdout();
    out.write_all(&text)?;
    out.flush()?;
    // Where it is broken before the ply, that is what to say.
    replayed.broken.map_or(told, Err)
}

/// Prints what comes of one file.
fn print_file(path: &Path, format: Format, progress: &Progress, out: &mut Vec<u8>) -> Result<(), ExitError> {
    let bytes = fs::read(path).map_err(|e| ExitError::reading(path, &e))?;
    let mut part = progress.part(&bytes);
    let mut games: Option<Games> = None;
    let replayed = replay(path, bytes, &mut part, &mut |_, event| {
        print(event, format, games.get_or_insert_with(|| Games::new(event.board.clone())), out)
    })?;
    if let Some(games) = &games {
        write_games(out, games, path)?;
    }
    replayed.broken.map_or(Ok(()), Err)
}

/// Prints how well one file is read. Of a file that cannot be read to its end nothing is said but that.
fn compare_file(
    path: &Path,
    format: Format,
    played: &Played,
    progress: &Progress,
    (out, total): (&mut Vec<u8>, &mut Total),
) -> Result<(), ExitError> {
    let bytes = fs::read(path).map_err(|e| ExitError::reading(path, &e))?;
    let (mut reading, mut part) = (Reading::new(), progress.part(&bytes));
    let replayed = replay(path, bytes.clone(), &mut part, &mut |_, event| {
        reading.take(event);
        Ok(())
    })?;
    if let Some(broken) = replayed.broken {
        return Err(broken);
    }
    let rows = reading.compare(path, played, &bytes)?;
    total.print(&rows, path, format == Format::Json, out)
}

/// What came of a file beside its events.
#[derive(Debug, Default)]
struct Replayed {
    /// Why it could not be read to its end: what stands before was handed on.
    broken: Option<ExitError>,
    /// From this line of a journal on its events are not those of the replay.
    differs: Option<u64>,
}

/// Hands on every event of one file, and the board as it is after what it came of.
fn replay(
    path: &Path,
    bytes: Vec<u8>,
    part: &mut Part<'_>,
    each: &mut impl FnMut(&Board, &Event) -> Result<(), ExitError>,
) -> Result<Replayed, ExitError> {
    let each = &mut |board: &Board, event: &Event| {
        part.at(event.t.millis());
        each(board, event)
    };
    if bytes.starts_with(JOURNAL) {
        return replay_journal(path, &bytes, each);
    }
    let malformed = |e: CaptureError| ExitError::bad_data(format_args!("{}:{}: {}", path.display(), e.line, e.text));
    let bytes = flagfall_capture::convert(bytes).map_err(malformed)?;
    let capture = Capture::open(&bytes).map_err(malformed)?;
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    let mut solver = Solver::new(flagfall_solver::Settings::default(), child::program());
    let broken = flagfall_capture::drive_seen(&name, capture, |question| solver.answer(question), |board, event| each(board, &event))?;
    Ok(Replayed { broken: broken.map(malformed), differs: None })
}

/// A journal: its verdicts are its own, so nothing is asked.
fn replay_journal(
    path: &Path,
    bytes: &[u8],
    each: &mut impl FnMut(&Board, &Event) -> Result<(), ExitError>,
) -> Result<Replayed, ExitError> {
    // Bytes in memory can always be read.
    let (mut replay, skips) = (Replay::default(), read::skips(bytes).unwrap_or_default());
    let mut failed = Ok(());
    let mut lines = Lines::new(bytes);
    while let Some(line) = lines.next() {
        let told = match line {
            Ok(line) => {
                let told = replay.line_seen(&line, skips.contains(&line.number), &mut |board, event| {
                    if failed.is_ok() {
                        failed = each(board, event);
                    }
                });
                told.map(drop).map_err(|why| (line.number, why))
            }
            Err(bad) => Err((bad.line, format!("{}; the line holds {}; `flagfall verify` says more", bad.wrong, bad.held))),
        };
        if failed.is_err() {
            break;
        }
        if let Err((line, why)) = told {
            let broken = ExitError::bad_data(format_args!("{}:{line}: {why}", path.display()));
            return Ok(Replayed { broken: Some(broken), differs: replay.differs().map(|differs| differs.line) });
        }
    }
    failed.map(|()| Replayed { broken: None, differs: replay.differs().map(|differs| differs.line) })
}

/// One event in the format that was asked for.
fn print(event: &Event, format: Format, games: &mut Games, out: &mut Vec<u8>) -> Result<(), ExitError> {
    match format {
        Format::Events => {
            serde_json::to_writer(&mut *out, event).map_err(ExitError::bug)?;
            out.push(b'\n');
        }
        Format::Pgn => {
            // Written at the end: a result may come for any of them.
            games.take(event);
        }
        Format::Text | Format::Json => {
            if let Some(line) = timeline::line(event) {
                writeln!(out, "{line}")?;
            }
        }
    }
    Ok(())
}

/// A game without moves is not printed.
fn write_games(out: &mut Vec<u8>, games: &Games, path: &Path) -> Result<(), ExitError> {
    games.played().try_for_each(|game| Ok(writeln!(out, "{}", pgn::pgn(game, &[("Capture", &path.display().to_string())]))?))
}

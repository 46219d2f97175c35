//! `flagfall verify`: whether journals are what was written.
mod beside;
mod proved;
mod report;

use super::progress::Progress;
use super::{ExitError, output};
use crate::journal::checkpoint::{self, Checkpoint};
use crate::journal::cosigner::Cosigner;
use crate::journal::listed;
use crate::journal::receipt::Receipt;
use crate::journal::verify::{Report, Shown, Trouble, verify, verify_seen};
use crate::journal::witness;
use crate::paint::Paint;
pub(super) use beside::journals;
use beside::vouched_before;
use flagfall_game::RECOGNITION;
use proved::{Proof, Sum};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// Arguments of `verify`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Note the public key before the event and keep it elsewhere; give it with --key afterwards. Who made the files could have\n\
                  made the key in them, too: without --key, verify can only say that a journal is whole in itself.\n\n\
                  Exit codes: 0 proved to the end; 1 proved up to a line, the rest is not signed; 2 whole, but no key was given or it was\n\
                  signed with another one; 65 changed, the first bad line is named."
)]
pub struct Args {
    /// Journals; of a folder every `*.journal` below it, in path order. An incident report (HTML) is checked by the proof in it
    #[arg(required = true, value_name = "JOURNAL|DIR")]
    paths: Vec<PathBuf>,
    /// The public key they must be signed with: 64 hex digits, or as a verifier key (NAME+ID+KEY)
    #[arg(long, value_name = "KEY", value_parser = key)]
    key: Option<String>,
    /// Twelve words that were given at a game's end or a ruling: which journal has the checkpoint that they stand for. They prove it without a key
    #[arg(long, value_name = "WORDS", value_parser = Receipt::read)]
    receipt: Option<Receipt>,
    /// Checkpoints that others have seen, signed notes one behind the other: `witnessed/*.notes` of a hall or another machine; a file or a folder of them
    #[arg(long, value_name = "FILE|DIR")]
    witnessed: Option<PathBuf>,
    /// The verifier key of an outside witness (NAME+ID+KEY): the list of all journals' checkpoints in the folder of --witnessed counts as far as it has seen it
    #[arg(long, value_name = "KEY", requires = "witnessed", value_parser = str::parse::<Cosigner>)]
    witness: Vec<Cosigner>,
    /// Print each journal's last checkpoint as a signed note, for tools that read transparency logs
    #[arg(long)]
    checkpoints: bool,
}

fn key(text: &str) -> Result<String, String> {
    let good = text.len() == 64 && text.bytes().all(|b| b.is_ascii_hexdigit());
    let hex = if good { Some(text.to_lowercase()) } else { checkpoint::of_verifier_key(text) };
    hex.ok_or_else(|| String::from("a key is 64 hex digits, or NAME+ID+KEY, as `flagfall verify` prints both"))
}

/// Looks at every journal; one bad one among many does not keep the others from being looked at.
pub fn run(args: Args) -> Result<(), ExitError> {
    let (mut out, mut sum) = (output::stdout(), Sum::default());
    let found: Vec<PathBuf> = args.paths.iter().flat_map(|path| journals(path, &mut |error| sum.complain(error))).collect();
    let progress = Progress::of("verify", found.iter().map(|path| fs::metadata(path).map_or(0, |file| file.len())).sum());
    let paint = Paint::of_stdout();
    let mut seen = match &args.witnessed {
        Some(place) => witnessed(place, !args.witness.is_empty())?,
        None => Vec::new(),
    };
    if let Some(folder) = args.witnessed.as_deref().filter(|_| !args.witness.is_empty()) {
        match with_list(folder, &args.witness, &mut seen) {
            Ok(said) => writeln!(out, "{said}")?,
            Err(error) => sum.complain(error),
        }
    }
    let mut logs = BTreeSet::new();
    for path in &found {
        let bytes = match fs::read(path) {
            Ok(bytes) => bytes,
            Err(error) => {
                progress.aside(|| sum.complain(ExitError::reading(path, &error)));
                continue;
            }
        };
        if bytes.trim_ascii_start().starts_with(b"<") {
            progress.aside(|| report::report(path, &bytes, (args.key.as_deref(), args.receipt), &mut sum, &mut out))?;
            continue;
        }
        let mut part = progress.part(&bytes);
        let (mut report, note) = examined(path, &bytes, args.key.as_deref(), &mut |read| part.read(read));
        if report.trouble.is_none()
            && let Some(what) = witness::contradicted(&bytes, &seen)
        {
            let held = String::from("the header");
            report.trouble = Some(Trouble { line: 1, what, held, shown: Shown::ByProof });
        }
        let received = args.receipt.and_then(|receipt| receipt.covers(&bytes));
        let proof = Proof::of(path, &report, args.key.as_deref(), received);
        sum.take(&proof);
        sum.received |= received.is_some();
        logs.extend(report.open.as_ref().and_then(checkpoint::origin));
        progress.aside(|| {
            write!(out, "{}", told(path, &report, &proof, note.as_deref(), paint))?;
            if let Some(lines) = received {
                writeln!(out, "  the receipt stands for lines 1 to {lines}, and they are as they were then")?;
            }
            if let Some(checkpoint) = report.note.as_ref().filter(|_| args.checkpoints) {
                write!(out, "\n{checkpoint}\n")?;
            }
            if let Some(error) = proof.error(path, &report) {
                out.flush()?;
                match args.key {
                    // That no key was given is said once.
                    None if matches!(proof, Proof::Whole(_)) => sum.count(error),
                    _ => sum.complain(error),
                }
            }
            Ok::<_, ExitError>(())
        })?;
    }
    drop(progress);
    if sum.looked > 1 {
        writeln!(out, "{}", sum.told())?;
    }
    out.flush()?;
    // Of a folder it can be said that something is missing in it.
    let missing: BTreeSet<&String> = seen.iter().map(|(log, _)| log).filter(|log| !logs.contains(*log)).collect();
    for log in missing.iter().filter(|_| args.paths.iter().any(|path| path.is_dir())) {
        sum.complain(ExitError::bad_data(format_args!(
            "the journal {log}, which others have seen, is not here: removed after its time, or replaced"
        )));
    }
    if args.receipt.is_some() && !sum.received {
        sum.complain(ExitError::bad_data(
            "no journal that was given has the checkpoint that the receipt stands for: it was changed or cut off since, or the receipt is of another \
             board or game; give all journals of the board",
        ));
    }
    if args.key.is_none() && sum.whole > 0 {
        output::fail("no key was given, so nothing proves who signed: give the public key that was noted before the event with --key");
    }
    sum.worst.map_or(Ok(()), |error| Err(error.already_told()))
}

/// Looks at one journal and at those beside it; and what is to be said of these.
fn examined(path: &Path, bytes: &[u8], key: Option<&str>, each: &mut dyn FnMut(usize)) -> (Report, Option<String>) {
    let mut report = verify_seen(bytes, key, each);
    // Begun with a key that the one given vouches for: a journal beside it says so.
    if let (Some(given), Some(open)) = (key, &report.open)
        && report.proved == 0
        && report.trouble.is_none()
        && vouched_before(path, &open.key, given)
    {
        report = verify(bytes, Some(&open.key.clone()));
    }
    if report.trouble.is_some() {
        return (report, None);
    }
    match report.follows(path) {
        Ok(said) => (report, said),
        Err(trouble) => {
            report.trouble = Some(trouble);
            (report, None)
        }
    }
}

/// What a journal is worth.
#[cfg(feature = "nats")]
pub(super) struct Verdict {
    /// In a few words.
    pub(super) told: String,
    /// Whose it is.
    pub(super) board: Option<String>,
    /// The key that signed its beginning.
    pub(super) key: Option<String>,
    /// Its lines.
    pub(super) lines: u64,
    /// Why it is not proved to the end.
    pub(super) why: Option<ExitError>,
}

/// The same verdict as this command's, for one journal.
#[cfg(feature = "nats")]
pub(super) fn judged(path: &Path, bytes: &[u8], key: Option<&str>) -> Verdict {
    let (report, _) = examined(path, bytes, key, &mut |_| ());
    let proof = Proof::of(path, &report, key, None);
    let (board, key) = report.open.as_ref().map(|open| (open.board.clone(), open.key.clone())).unzip();
    Verdict { told: proof.told(), board, key, lines: report.lines, why: proof.error(path, &report) }
}

/// Adds the checkpoints of a folder's list, as far as outside witnesses have seen it; what is said of that.
fn with_list(folder: &Path, witnesses: &[Cosigner], seen: &mut Vec<(String, Checkpoint)>) -> Result<String, ExitError> {
    if !folder.is_dir() {
        return Err(ExitError::usage(format_args!("{}: --witness needs the folder that the list is in", folder.display())));
    }
    let mut entries = Vec::new();
    match listed::proved(folder, witnesses, &mut |log, checkpoint| entries.push((log, checkpoint))) {
        Ok(listed::Proved { lines, witness, at }) => {
            seen.append(&mut entries);
            let at = i64::try_from(at).ok().and_then(|at| jiff::Timestamp::from_second(at).ok()).unwrap_or_default();
            Ok(format!("{}: the witness {witness} has seen {lines} checkpoints of this machine's journals, {at}", folder.display()))
        }
        Err(listed::Unproved::Io { path, error }) => Err(ExitError::reading(&path, &error)),
        Err(listed::Unproved::NoNote) => Err(ExitError::bad_data(format_args!(
            "{}: no note in it has a line of that witness; give the folder `witnessed` of the machine's data, and the key in its [[witness]]",
            folder.display()
        ))),
        Err(listed::Unproved::Other(why)) => Err(ExitError::bad_data(why)),
    }
}

/// The checkpoints in a file of them, or in all such files of a folder. `others`: there may be none, for an outside witness's notes count.
fn witnessed(path: &Path, others: bool) -> Result<Vec<(String, Checkpoint)>, ExitError> {
    let notes = |path: &Path| fs::read_to_string(path).map(|text| witness::read(&text)).map_err(|error| ExitError::reading(path, &error));
    let seen = if path.is_dir() {
        let entries = fs::read_dir(path).map_err(|error| ExitError::reading(path, &error))?;
        let files =
            entries.filter_map(|entry| Some(entry.ok()?.path())).filter(|path| path.extension().is_some_and(|e| e == witness::EXTENSION));
        files.map(|path| notes(&path)).collect::<Result<Vec<_>, _>>()?.concat()
    } else {
        notes(path)?
    };
    if seen.is_empty() && !others {
        return Err(ExitError::bad_data(format_args!(
            "{}: no checkpoint is in it; give the folder `witnessed` of a hall's data, or with that of a machine the key of its outside witness (--witness)",
            path.display()
        )));
    }
    Ok(seen)
}

/// What is said of one journal on standard output.
fn told(path: &Path, report: &Report, proof: &Proof, note: Option<&str>, paint: Paint) -> String {
    let mut text = String::new();
    let mut say = |line: String| _ = writeln!(text, "{line}");
    let how = match proof {
        Proof::ToTheEnd => paint.good(&proof.told()),
        Proof::UpTo(..) | Proof::Whole(_) => paint.warn(&proof.told()),
        Proof::Changed => paint.bad(&proof.told()),
    };
    say(format!("{}: {how}", path.display()));
    if let Some(open) = &report.open {
        say(format!("  board {}, game day {}, begun {} by flagfall {}", open.board, open.day, open.recorded_at, open.flagfall));
        say(format!("  public key {}", open.key));
        if let Some(key) = checkpoint::verifier_key(&open.key).filter(|_| open.log.is_some()) {
            say(format!("    as a verifier key: {key}"));
        }
        for (line, change) in &report.keys {
            let why = if change.is_vouched() { "the one before vouches for it" } else { "this machine had lost the one before" };
            say(format!("  public key {} from line {line} on: {why}", change.public));
        }
    }
    let events = report.events.map_or_else(|| String::from("no events"), |(first, last)| format!("events {first} to {last}"));
    match &report.trouble {
        None => {
            let same = match (&report.foreign, report.losses.is_empty()) {
                (Some((1, _)), _) => "not compared with a replay",
                (Some(_), _) => "the first of them are the same in a replay",
                (None, true) => "a replay of the inputs makes the same events",
                (None, false) => "a replay of the inputs makes the same events up to what was lost",
            };
            say(format!("  {} lines, {events}; {same}", report.lines));
            if let Some((line, recognition)) = &report.foreign {
                let theirs = recognition.map_or_else(|| String::from("without a number"), |number| format!("number {number}"));
                say(format!(
                    "    from line {line} on they were recognised by a flagfall whose recognition is {theirs}; this one's is {RECOGNITION}. \
                     Only a flagfall with the same number can replay them"
                ));
            }
        }
        Some(trouble) => {
            say(format!("  line {}: {}", trouble.line, trouble.what));
            say(format!("    it holds {}", trouble.held));
            say(format!("  still stand: {} lines, {events}", report.lines));
        }
    }
    match (report.checkpoints, report.unsigned) {
        (0, _) => say(String::from("  no checkpoint is signed")),
        (n, None) => say(format!("  {n} checkpoints are signed; the last one covers everything")),
        (n, Some(rest)) => {
            say(format!("  {n} checkpoints are signed, the last one over lines 1 to {}; {} lines follow it", report.signed, rest.lines));
        }
    }
    for (line, found) in &report.found {
        say(format!("  line {line}, the checkpoint: {found}"));
    }
    if report.restarts > 0 {
        say(format!("  flagfall was started {} times in the middle of it", report.restarts));
    }
    for (line, cut) in &report.cuts {
        say(format!("  line {line}: {} bytes were cut off a torn end, which held {} ({})", cut.bytes, cut.held, cut.why));
    }
    for (line, lost) in &report.losses {
        let events = lost.first_seq.zip(lost.last_seq).map_or_else(String::new, |(a, b)| format!(", events {a} to {b} among them"));
        say(format!("  line {line}: {} lines were lost{events}: {}", lost.lines, lost.why));
    }
    for (line, mistake) in &report.mistakes {
        say(format!("  line {line}: {mistake}"));
    }
    if let Some(note) = note {
        say(format!("  {note}"));
    }
    if !report.ended && report.trouble.is_none() {
        say(String::from("  it was not ended: flagfall still writes it, or was killed"));
    }
    text
}

//! `flagfall verify`: whether journals are what was written.
use super::progress::Progress;
use super::{ExitError, output};
use crate::journal::store::EXTENSION;
use crate::journal::verify::{Report, Trouble, verify, verify_seen};
use crate::journal::what::KeyChange;
use crate::paint::Paint;
use flagfall_game::RECOGNITION;
use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// Arguments of `verify`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "The first bad line is named, with what it holds and what still stands; exit code 65. A journal is signed with the key of the\n\
                  data folder it was written in: note the key before the event, and give it with --key afterwards. With --key, 1 says that a\n\
                  journal is proved up to a line only, because the key was lost there, and 2 that it is whole but signed with another key."
)]
pub struct Args {
    /// Journals; of a folder every `*.journal` below it, in path order
    #[arg(required = true, value_name = "JOURNAL|DIR")]
    paths: Vec<PathBuf>,
    /// The public key they must be signed with, 64 hex digits
    #[arg(long, value_name = "HEX", value_parser = key)]
    key: Option<String>,
}

fn key(text: &str) -> Result<String, String> {
    let good = text.len() == 64 && text.bytes().all(|b| b.is_ascii_hexdigit());
    good.then(|| text.to_lowercase()).ok_or_else(|| String::from("a key is 64 hex digits, as `flagfall verify` prints it"))
}

/// Looks at every journal; one bad one among many does not keep the others from being looked at.
pub fn run(args: Args) -> Result<(), ExitError> {
    let (mut out, mut first_error) = (output::stdout(), None);
    let mut keep = |error: &ExitError| {
        output::fail(&error.to_string());
        first_error.get_or_insert_with(|| error.clone());
    };
    let found: Vec<PathBuf> = args.paths.iter().flat_map(|path| journals(path, &mut |error| keep(&error))).collect();
    let progress = Progress::of("verify", found.iter().map(|path| fs::metadata(path).map_or(0, |file| file.len())).sum());
    let (mut good, paint) = (0, Paint::of_stdout());
    for path in &found {
        let bytes = match fs::read(path) {
            Ok(bytes) => bytes,
            Err(error) => {
                progress.aside(|| keep(&ExitError::reading(path, &error)));
                continue;
            }
        };
        let mut part = progress.part(&bytes);
        let mut report = verify_seen(&bytes, args.key.as_deref(), &mut |read| part.read(read));
        let mut note = None;
        if report.trouble.is_none() {
            match report.follows(path) {
                Ok(said) => note = said,
                Err(trouble) => report.trouble = Some(trouble),
            }
        }
        let doubt = args.key.as_deref().and_then(|given| unproved(path, &report, given));
        let wrong = match &report.trouble {
            None => doubt,
            Some(Trouble { line, what, held }) => {
                Some(ExitError::bad_data(format_args!("{}:{line}: {what}; the line holds {held}", path.display())))
            }
        };
        good += usize::from(wrong.is_none());
        progress.aside(|| {
            write!(out, "{}", told(path, &report, note.as_deref(), paint))?;
            if let Some(wrong) = &wrong {
                out.flush()?;
                keep(wrong);
            }
            Ok::<_, ExitError>(())
        })?;
    }
    drop(progress);
    let looked = found.len();
    if looked > 1 {
        writeln!(out, "{good} of {looked} journals stand")?;
    }
    out.flush()?;
    first_error.map_or(Ok(()), |error| Err(error.already_told()))
}

/// Why a whole journal is not proved, or not to its end, by the key that was given.
fn unproved(path: &Path, report: &Report, given: &str) -> Option<ExitError> {
    let shown = path.display();
    let open = report.open.as_ref().filter(|_| report.trouble.is_none())?;
    let by_given = |change: &&(u64, KeyChange)| change.1.lost.eq_ignore_ascii_case(given);
    if let Some((line, change)) = report.keys.iter().find(by_given).filter(|_| report.proved > 0) {
        let (proved, public) = (report.proved, &change.public);
        return Some(ExitError::proved_in_part(format_args!(
            "{shown}: proved up to line {proved}; the key that was given was lost, from line {line} on {public} signs, made on the same machine"
        )));
    }
    if report.signer().is_some_and(|key| key.eq_ignore_ascii_case(given)) {
        return None;
    }
    let told = match lost_before(path, &open.key, given) {
        Some(place) => format!("an earlier key of this machine, which is lost: {place} says so, signed with the key given"),
        None => String::from("which is not the one given"),
    };
    Some(ExitError::other_key(format_args!("{shown}: whole, but signed with the key {}, {told}", open.key)))
}

/// Which journal beside this one, signed with the key given, says that `lost` was lost.
fn lost_before(path: &Path, lost: &str, given: &str) -> Option<String> {
    for path in journals(path.parent()?, &mut |_| ()) {
        let Ok(bytes) = fs::read(&path) else { continue };
        let report = verify(&bytes, Some(given));
        let named = report.keys.iter().find(|(line, change)| change.lost == lost && *line <= report.proved);
        if let Some((line, _)) = named.filter(|_| report.trouble.is_none()) {
            return Some(format!("{}:{line}", path.display()));
        }
    }
    None
}

fn journals(path: &Path, complain: &mut impl FnMut(ExitError)) -> Vec<PathBuf> {
    if !path.is_dir() {
        return vec![path.to_owned()];
    }
    let (mut found, mut folders) = (Vec::new(), vec![path.to_owned()]);
    while let Some(folder) = folders.pop() {
        let entries = match fs::read_dir(&folder) {
            Ok(entries) => entries,
            Err(error) => {
                complain(ExitError::reading(&folder, &error));
                continue;
            }
        };
        for entry in entries.filter_map(Result::ok) {
            let path = entry.path();
            // The type of the entry itself: a link to a folder above would never end.
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == EXTENSION) && path.is_file() {
                found.push(path);
            }
        }
    }
    if found.is_empty() {
        complain(ExitError::no_input(format_args!("{}: no journal (*.{EXTENSION}) below this folder", path.display())));
    }
    found.sort();
    found
}

/// What is said of one journal on standard output.
fn told(path: &Path, report: &Report, note: Option<&str>, paint: Paint) -> String {
    let mut text = String::new();
    let mut say = |line: String| _ = writeln!(text, "{line}");
    let stands = if report.trouble.is_none() { paint.good("stands") } else { paint.bad("does not stand") };
    say(format!("{}: {stands}", path.display()));
    if let Some(open) = &report.open {
        say(format!("  board {}, game day {}, begun {} by flagfall {}", open.board, open.day, open.recorded_at, open.flagfall));
        say(format!("  public key {}", open.key));
        for (line, change) in &report.keys {
            say(format!("  public key {} from line {line} on: this machine had lost the one before", change.public));
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
    match (report.checkpoints, report.lines - report.signed) {
        (0, _) => say(String::from("  no checkpoint is signed")),
        (n, 0 | 1) => say(format!("  {n} checkpoints are signed; the last one covers everything")),
        (n, rest) => say(format!("  {n} checkpoints are signed, the last one over lines 1 to {}; {rest} lines follow it", report.signed)),
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

//! `flagfall capture --share`: recordings to send in, without names, serial numbers and times of day, with the moves as they are read here.
mod anonymous;

use super::replay::expand;
use super::{ExitError, output};
use anonymous::Anonymous;
use flagfall_capture::Capture;
use flagfall_game::RECOGNITION;
use flagfall_score::board::{BoardState, Games};
use flagfall_solver::{Solver, child};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

/// Arguments of `capture`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
flagfall capture --share /var/lib/flagfall/journals/7/2026-11-21.journal
flagfall capture --share captures -o to-send
Each recording becomes one file, named after its content. Removed are: names, notes and free words of arbiters, the board's name, address
and serial number, what was sent to it, unknown messages, dates and times of day; times begin at 0. What stays is what the board sensed,
what the clock showed and what was entered. The file says how to complete it: what was really played goes behind `# played:`, one line a
game, in SAN or UCI; `-` where nothing was played. Then `flagfall replay FILE --against played` shows how well it is read.")]
pub struct Args {
    /// Journals and captures; of a folder every `*.cap` and `*.journal` below it, in path order
    #[arg(long, required = true, num_args = 1.., value_name = "FILE|DIR")]
    share: Vec<PathBuf>,
    /// A folder, made where it is missing; - for standard output
    #[arg(short, long, value_name = "DIR", default_value = ".")]
    output: PathBuf,
}

/// Makes a file of every recording; a bad one does not keep the others from being made.
pub fn run(args: Args) -> Result<(), ExitError> {
    let mut files = Vec::new();
    for path in &args.share {
        expand(path, &mut files);
    }
    let (mut out, mut first_error) = (String::new(), None);
    for file in files {
        let done = file.map_err(|(_, error)| error).and_then(|path| shared(&path, &args.output, &mut out));
        output::print(&std::mem::take(&mut out))?;
        if let Err(error) = done {
            output::complain(&format!("flagfall: {error}"));
            first_error.get_or_insert(error);
        }
    }
    first_error.map_or(Ok(()), |error| Err(error.already_told()))
}

/// One file, to be sent in; what was done is told.
fn shared(path: &Path, to: &Path, out: &mut String) -> Result<(), ExitError> {
    let bytes = fs::read(path).map_err(|e| ExitError::reading(path, &e))?;
    let (recording, broken) = Anonymous::of(path, bytes)?;
    let (text, games) = complete(recording);
    if to.as_os_str() == "-" {
        out.push_str(&text);
    } else {
        fs::create_dir_all(to).map_err(|e| ExitError::writing(to, &e))?;
        // The name of the recording may be a day or a person's.
        let name = format!("recording-{}.cap", &blake3::hash(text.as_bytes()).to_hex()[..8]);
        let file = to.join(name);
        fs::write(&file, &text).map_err(|e| ExitError::writing(&file, &e))?;
        let plies: Vec<String> = games.iter().map(usize::to_string).collect();
        let read = if games.is_empty() { String::from("no game is read in it") } else { format!("plies read: {}", plies.join(", ")) };
        let kib = text.len().div_ceil(1024);
        // Writing to a String cannot fail.
        let _ = writeln!(
            out,
            "{}: of {}, {kib} KiB, {read}; now write behind `# played:` what was really played",
            file.display(),
            path.display()
        );
    }
    broken.map_or(Ok(()), Err)
}

/// The file, and how many plies of each game are read in it. Entries that are refused in it (about what was before it began) are left out.
fn complete(mut recording: Anonymous) -> (String, Vec<usize>) {
    loop {
        let mut games = Games::new("recording".into());
        let text = recording.text(&[]);
        let refused = match Capture::open(text.as_bytes()) {
            Ok(capture) => {
                let mut solver = Solver::new(flagfall_solver::Settings::default(), child::program());
                let driven = flagfall_capture::drive(
                    "recording",
                    capture,
                    |question| solver.answer(question),
                    |event| {
                        games.take(&event);
                        Ok::<_, std::convert::Infallible>(())
                    },
                );
                driven.unwrap_or_else(|never| match never {})
            }
            Err(error) => Some(error),
        };
        if refused.is_some_and(|error| recording.leave_out(error.line)) {
            continue;
        }
        let read: Vec<&BoardState> = games.played().collect();
        let plies = read.iter().map(|game| game.moves().len()).collect();
        return (recording.text(&header(&read)), plies);
    }
}

/// What the header says of the games, and how to complete it.
fn header(games: &[&BoardState]) -> Vec<String> {
    let mut lines = vec![
        String::from("Shared by flagfall capture without names, serial numbers and times of day."),
        format!("flagfall: {}, recognition {RECOGNITION}", env!("CARGO_PKG_VERSION")),
        String::from("moves are those that flagfall read. What was really played goes behind played, one line a game, in SAN or UCI;"),
        String::from("- where no game was played. How well it is read: flagfall replay FILE --against played"),
    ];
    for game in games {
        lines.push(format!("moves: {}", movetext(game)));
        lines.push(String::from("played:"));
    }
    if games.is_empty() {
        lines.push(String::from("moves: -"));
        lines.push(String::from("played:"));
    }
    lines
}

/// The moves in one line: numbered SAN, or UCI where a move does not follow from the one before or is not legal.
fn movetext(game: &BoardState) -> String {
    let moves = game.moves();
    if moves.iter().any(|m| m.san.is_none() || m.placement.is_some()) {
        return moves.iter().map(|m| m.uci.as_str()).collect::<Vec<_>>().join(" ");
    }
    // A start position may begin with a later move.
    let begins = game.game().start_fen.as_deref().and_then(|fen| fen.rsplit(' ').next()?.parse().ok());
    let (mut number, mut text): (u32, _) = (begins.unwrap_or(1), String::new());
    for (i, m) in moves.iter().enumerate() {
        let white = m.by == flagfall_events::Colour::White;
        let gap = if i > 0 { " " } else { "" };
        // Writing to a String cannot fail.
        let _ = match (white, i) {
            (true, _) => write!(text, "{gap}{number}. "),
            (false, 0) => write!(text, "{number}... "),
            (false, _) => write!(text, " "),
        };
        text.push_str(m.san.as_deref().unwrap_or(&m.uci));
        number += u32::from(!white);
    }
    text
}

//! `flagfall pgn check`: whether the clock times of PGN files are there and agree.
use super::{ExitError, output};
use crate::feeds::pgn::check::{At, Checked, games};
use serde::Serialize;
use std::ffi::OsStr;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// Arguments of `pgn`.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    /// Count plies without %clk or %emt, and times that contradict each other or the time control
    Check(Check),
}

#[derive(Debug, clap::Args)]
#[command(
    after_help = "A line for each game with trouble, then one for all. Any PGN is read, ours or not; moves are not checked. Games without any %clk miss\n\
                  nothing. What a time control says is taken from the tag TimeControl, in notation or in words; without it from what most moves add.\n\
                  Exit codes: 1 something is missing or contradicts itself, 65 a file is no PGN, 66 it is not there."
)]
struct Check {
    /// PGN files; of a folder every `*.pgn` below it, in path order
    #[arg(required = true, value_name = "FILE|DIR")]
    paths: Vec<PathBuf>,
    /// So many seconds apart %clk and %emt still agree
    #[arg(long, value_name = "SECONDS", default_value_t = 1, value_parser = clap::value_parser!(u32).range(..=3600))]
    within: u32,
    /// How to print it
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

/// How to print it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// Lines for people
    Text,
    /// One object: every game, and the sums
    Json,
}

/// One game of a file.
#[derive(Debug, Serialize)]
struct Game {
    file: String,
    /// Which game of the file, from 1.
    game: usize,
    #[serde(flatten)]
    checked: Checked,
}

/// All of them together.
#[derive(Debug, Default, PartialEq, Eq, Serialize)]
struct Sum {
    files: usize,
    games: usize,
    /// Games without any `%clk`.
    without_clock: usize,
    /// Games in which something is missing or contradicts itself.
    in_trouble: usize,
    /// Plies of games with a clock.
    plies: usize,
    without_clk: usize,
    without_emt: usize,
    estimated: usize,
    corrected: usize,
    contradictions: usize,
}

impl Sum {
    fn add(&mut self, checked: &Checked) {
        self.games += 1;
        self.without_clock += usize::from(!checked.clock);
        self.in_trouble += usize::from(!checked.is_whole());
        self.plies += if checked.clock { checked.plies } else { 0 };
        self.without_clk += checked.without_clk.len();
        self.without_emt += checked.without_emt.len();
        self.estimated += checked.estimated;
        self.corrected += checked.corrected;
        self.contradictions += checked.contradictions.len();
    }
}

/// Does what is asked for.
pub fn run(args: Args) -> Result<(), ExitError> {
    match args.command {
        Command::Check(check) => run_check(&check),
    }
}

fn run_check(args: &Check) -> Result<(), ExitError> {
    let (mut out, mut sum, mut all, mut first_error) = (output::stdout(), Sum::default(), Vec::new(), None);
    let mut complain = |error: ExitError| {
        output::complain(&format!("flagfall: {error}"));
        first_error.get_or_insert(error);
    };
    for path in args.paths.iter().flat_map(|path| files(path, &mut complain)).collect::<Vec<_>>() {
        let file = match fs::File::open(&path) {
            Ok(file) => file,
            Err(error) => {
                complain(ExitError::reading(&path, &error));
                continue;
            }
        };
        sum.files += 1;
        for (n, game) in games(file, args.within).enumerate() {
            let checked = match game {
                Ok(checked) => checked,
                Err(error) => {
                    out.flush()?;
                    complain(ExitError::bad_data(format_args!(
                        "{}: game {} cannot be read: {error}; correct it, and check the rest again",
                        path.display(),
                        n + 1
                    )));
                    break;
                }
            };
            sum.add(&checked);
            let game = Game { file: path.display().to_string(), game: n + 1, checked };
            match args.format {
                Format::Text if !game.checked.is_whole() => writeln!(out, "{}", line(&game))?,
                Format::Text => {}
                Format::Json => all.push(game),
            }
        }
    }
    match args.format {
        Format::Text => writeln!(out, "{}", told(&sum))?,
        Format::Json => writeln!(out, "{}", serde_json::json!({ "games": all, "sum": sum }))?,
    }
    out.flush()?;
    match first_error {
        Some(error) => Err(error.already_told()),
        None if sum.in_trouble > 0 => Err(ExitError::missing_times("")),
        None => Ok(()),
    }
}

/// A file itself; of a folder the PGNs below it.
fn files(path: &Path, complain: &mut impl FnMut(ExitError)) -> Vec<PathBuf> {
    if !path.is_dir() {
        return vec![path.to_owned()];
    }
    let mut entries = match fs::read_dir(path).and_then(Iterator::collect::<Result<Vec<_>, _>>) {
        Ok(entries) => entries.iter().map(fs::DirEntry::path).collect::<Vec<_>>(),
        Err(error) => {
            complain(ExitError::reading(path, &error));
            return Vec::new();
        }
    };
    entries.sort();
    let is_pgn =
        |path: &PathBuf| path.is_dir() || path.extension().and_then(OsStr::to_str).is_some_and(|ext| ext.eq_ignore_ascii_case("pgn"));
    // A link to a folder above would lead round for ever.
    entries
        .into_iter()
        .filter(|path| is_pgn(path) && !(path.is_dir() && path.is_symlink()))
        .flat_map(|path| files(&path, complain))
        .collect()
}

/// `games.pgn:3 Ada - Bob (1.3): 84 plies, without %clk 41... Kg7; 42. Qe2: %emt 0:20, but by %clk it was 0:04`.
fn line(game: &Game) -> String {
    let checked = &game.checked;
    let mut told = vec![count(checked.plies, "ply", "plies")];
    for (what, plies) in [("%clk", &checked.without_clk), ("%emt", &checked.without_emt)] {
        if !plies.is_empty() {
            told.push(format!("{} without {what} ({})", plies.len(), named(plies)));
        }
    }
    told.extend(checked.contradictions.iter().map(ToString::to_string));
    format!("{}:{} {} - {} ({}): {}", game.file, game.game, checked.white, checked.black, checked.round, told.join("; "))
}

/// Moves by their names; of many the first ones.
fn named(plies: &[At]) -> String {
    const NAMED: usize = 4;
    let mut names: Vec<&str> = plies.iter().take(NAMED).map(|at| at.r#move.as_str()).collect();
    if plies.len() > NAMED {
        names.push("…");
    }
    names.join(", ")
}

fn count(n: usize, one: &str, many: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { many })
}

fn told(sum: &Sum) -> String {
    let share = |n: usize| n as f64 * 100.0 / sum.plies.max(1) as f64;
    let mut text = format!(
        "{} of {} in {} in trouble: {}, {} without %clk ({:.1} %), {} without %emt ({:.1} %), {}",
        sum.in_trouble,
        count(sum.games, "game", "games"),
        count(sum.files, "file", "files"),
        count(sum.plies, "ply", "plies"),
        sum.without_clk,
        share(sum.without_clk),
        sum.without_emt,
        share(sum.without_emt),
        count(sum.contradictions, "contradiction", "contradictions")
    );
    for (what, n) in [("estimated", sum.estimated), ("corrected", sum.corrected)] {
        if n > 0 {
            text += &format!("; {n} {what}");
        }
    }
    if sum.without_clock > 0 {
        text += &format!("; {} without any clock", count(sum.without_clock, "game", "games"));
    }
    text
}

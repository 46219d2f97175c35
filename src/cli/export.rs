//! `flagfall export`: a journal's or capture's games as PGN, or its incidents as a report that stands by itself.
use super::progress::Progress;
use super::{ExitError, output};
use crate::feeds::pgn;
use crate::journal::report::{self, Lang, Local, Report, Seating, Source, Style};
use flagfall_capture::{Capture, CaptureError};
use flagfall_events::Event;
use flagfall_score::board::Games;
use flagfall_solver::{Solver, child};
use std::fs;
use std::path::{Path, PathBuf};

/// Arguments of `export`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
flagfall export JOURNAL > game.pgn
flagfall export JOURNAL --format incident --finding 3 --lang ru -o incident.html
Printed, an incident is two pages; the annex follows. Event, round and players are found where the journal
stands in its data directory.
What was damaged in a journal is passed over; `flagfall verify` names it.")]
pub struct Args {
    /// A journal or a capture
    #[arg(value_name = "JOURNAL")]
    file: PathBuf,
    /// What to write
    #[arg(long, value_enum, default_value_t = Format::Pgn)]
    format: Format,
    /// This finding only; without it every one that asked for an arbiter
    #[arg(long, value_name = "ID")]
    finding: Option<u64>,
    /// Language of the report
    #[arg(long, value_enum, default_value_t = super::watch::Lang::En)]
    lang: super::watch::Lang,
    /// Leave the annex out: two pages for an incident, to be signed
    #[arg(long)]
    without_annex: bool,
    /// The hall's time zone, `Europe/Berlin` [default: this machine's]
    #[arg(long, value_name = "ZONE")]
    zone: Option<String>,
    /// Where to [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// What is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    /// Every game, the completed moves with clock times
    Pgn,
    /// The incidents: positions, times, ruling and evidence, as one HTML file
    Incident,
}

/// Reads the file, writes the document.
pub fn run(args: Args) -> Result<(), ExitError> {
    let Recording { events, source, broken } = read(&args.file)?;
    let text = match args.format {
        Format::Pgn => games(&events, &args.file),
        Format::Incident => {
            let mut cases = report::cases(&events);
            if let Some(id) = args.finding {
                cases.retain(|case| case.finding.id == id);
                if cases.is_empty() {
                    let text = format!("{}: there is no finding {id} that asked for an arbiter", args.file.display());
                    return Err(ExitError::bad_data(format!(
                        "{text}; `flagfall export {} --format incident` has all",
                        args.file.display()
                    )));
                }
            }
            let local = match &args.zone {
                None => Local::system(),
                Some(name) => Local::named(name)
                    .ok_or_else(|| ExitError::usage(format_args!("there is no time zone {name:?}; write it like Europe/Berlin")))?,
            };
            report::page(&Report {
                source: &source,
                events: &events,
                cases: &cases,
                seating: &Seating::beside(&args.file),
                lang: args.lang.pick(Lang::En, Lang::Ru),
                local: &local,
                annex: !args.without_annex,
                style: Style::Inside,
            })
        }
    };
    match &args.output {
        Some(path) => fs::write(path, text).map_err(|e| ExitError::writing(path, &e))?,
        None => output::print(&text)?,
    }
    broken.map_or(Ok(()), Err)
}

/// What a file says.
struct Recording {
    events: Vec<Event>,
    source: Source,
    /// Why it could not be read to its end; what comes before is exported.
    broken: Option<ExitError>,
}

fn read(path: &Path) -> Result<Recording, ExitError> {
    let bytes = fs::read(path).map_err(|e| ExitError::reading(path, &e))?;
    // Journals are JSON lines, captures never begin so.
    if bytes.starts_with(b"{") {
        let (source, events) = Source::of_journal(path, &bytes);
        if source.lines.is_empty() {
            return Err(ExitError::bad_data(format_args!("{}: no line of a journal can be read in it", path.display())));
        }
        return Ok(Recording { events, source, broken: None });
    }
    let blake3 = blake3::hash(&bytes).to_hex().to_string();
    let mut source = Source { file: path.file_name().unwrap_or_default().to_string_lossy().into_owned(), blake3, ..Source::default() };
    let malformed = |e: CaptureError| ExitError::bad_data(format_args!("{}:{}: {}", path.display(), e.line, e.text));
    let bytes = flagfall_capture::convert(bytes).map_err(malformed)?;
    let capture = Capture::open(&bytes).map_err(malformed)?;
    let stamped = |line: &str| Some((line.split(' ').next()?.parse().ok()?, String::from(line)));
    source.lines = String::from_utf8_lossy(&bytes).lines().filter_map(stamped).collect();
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    let mut events = Vec::new();
    let progress = Progress::of("export", bytes.len() as u64);
    let mut part = progress.part(&bytes);
    let mut solver = Solver::new(flagfall_solver::Settings::default(), child::program());
    let broken = flagfall_capture::drive(
        &name,
        capture,
        |question| solver.answer(question),
        |event| {
            part.at(event.t.millis());
            events.push(event);
            Ok::<_, ExitError>(())
        },
    )?;
    Ok(Recording { events, source, broken: broken.map(malformed) })
}

/// One game after the other; a game without moves is not written.
fn games(events: &[Event], path: &Path) -> String {
    let Some(first) = events.first() else { return String::new() };
    let mut games = Games::new(first.board.clone());
    events.iter().for_each(|event| games.take(event));
    let name = path.display().to_string();
    games.played().map(|game| format!("{}\n", pgn::pgn(game, &[("Journal", &name)]))).collect()
}

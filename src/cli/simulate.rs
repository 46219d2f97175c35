//! `flagfall simulate`: one simulated board and clock on a pseudo-terminal, or straight into a capture.
mod bus;
mod place;
mod truth;

use super::{ExitError, output};
use clap::ValueEnum;
use flagfall_events::{TimeControl, Wall};
use flagfall_simulator::bus_pty::{BusBoard, BusProgramme};
use flagfall_simulator::bus_side::BusManner;
use flagfall_simulator::clock::Side;
use flagfall_simulator::games::{PgnGame, read_games};
use flagfall_simulator::habits::Habits;
use flagfall_simulator::incident::{self, Incident, When};
use flagfall_simulator::pace::Kind;
use flagfall_simulator::people::Tempo;
use flagfall_simulator::pty::{self, Programme};
use flagfall_simulator::stream::{ClockSide, Options, stream_of};
use place::{no_port, stopped};
use std::fs::File;
use std::io::BufWriter;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tokio_util::sync::CancellationToken;

/// Arguments of `simulate`.
#[derive(Debug, clap::Args)]
#[command(after_help = incidents_help())]
pub struct Args {
    /// The game to play
    #[arg(long, value_name = "FILE")]
    pgn: PathBuf,
    /// Which game of the file
    #[arg(long, value_name = "N", default_value_t = 1)]
    game: usize,
    /// So many games in a row on this board, from --game on and then from the first again
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1000))]
    games: u16,
    /// What the players do between two games: `people` show the result with the kings or not at all, leave the clock, try moves out
    #[arg(long, value_enum, value_name = "WHOSE", default_value_t)]
    habits: Whose,
    /// Two of many people play at this pace, with habits, a board and a clock drawn from wide ranges: even seeds are for fitting, odd ones for tests
    #[arg(long, value_enum, value_name = "PACE", conflicts_with_all = ["hands", "incident"])]
    people: Option<Tempo>,
    /// Write what was really played, when and how, as JSON, one line a game
    #[arg(long, value_name = "FILE", requires = "capture")]
    truth: Option<PathBuf>,
    /// A symbolic link that always leads to the simulated port; without it the port's own path is printed
    #[arg(long, value_name = "PATH", conflicts_with = "capture")]
    link: Option<PathBuf>,
    /// Write a capture instead, as fast as it goes; `-` is standard output
    #[arg(long, value_name = "FILE")]
    capture: Option<PathBuf>,
    /// So many boards on one RS-232 line in bus mode, with the addresses 1001, 1002 and so on; each begins with another of the games
    #[arg(long, value_name = "N", conflicts_with = "capture", value_parser = clap::value_parser!(u16).range(1..=32))]
    bus: Option<u16>,
    /// With --bus: what is wrong with the line, and when, in seconds: dead:N, unplugged:N, cut:N, zeros, ones, silence, noise:SHARE, no-dtr or twice:N; may be given several times
    #[arg(long, value_name = "NAME@FROM-UNTIL", requires = "bus")]
    fault: Vec<bus::Planned>,
    /// The players think X times as fast; hands, sensors and clock keep their pace
    #[arg(long, value_name = "X", default_value_t = 1.0)]
    speed: f64,
    /// How the pieces are moved
    #[arg(long, value_enum, default_value_t)]
    hands: Kind,
    /// Everything random comes from this number
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Something that goes wrong at a ply (from 1) or at the `end`; may be given several times
    #[arg(long, value_name = "NAME@PLY")]
    incident: Vec<Incident>,
    /// What the clock is set to, in PGN notation [default: the game's own, else 5400+30, for blitz hands 180+2; with --people the pace's]
    #[arg(long, value_name = "TC")]
    time_control: Option<TimeControl>,
    /// White sits at the board's other side
    #[arg(long)]
    turned: bool,
    /// White's side of the clock, seen from its front [default: left; right with --turned]
    #[arg(long, value_enum, value_name = "SIDE")]
    clock_white: Option<WhiteSide>,
    /// Every piece reads as a white pawn
    #[arg(long)]
    occupancy: bool,
    /// Milliseconds of one scan of the board [default: 200 to 250, with --people 190 to 260, by the seed]
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..=10_000))]
    scan: Option<u64>,
    /// Share of messages that are lost, doubled or changed on the wire, 0 to 1
    #[arg(long, value_name = "SHARE", default_value_t = 0.0)]
    damage: f64,
}

/// Whose habits the players have between two games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum Whose {
    /// Nobody's: the clock is stopped, the next game is set up
    #[default]
    Nobody,
    /// People's, by the kind of hands
    People,
}

/// White's side of the clock.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum WhiteSide {
    /// Left
    Left,
    /// Right
    Right,
    /// The side where Black's usually is, and the capture does not tell it
    Turned,
    /// There is no clock
    None,
}

fn incidents_help() -> String {
    format!("Incidents: {}", incident::names())
}

/// Does it.
pub fn run(args: Args) -> Result<(), ExitError> {
    if !(args.speed > 0.0 && args.speed.is_finite()) {
        return Err(ExitError::usage(format_args!("--speed {}: give a number above 0, for example 10", args.speed)));
    }
    if !(0.0..=1.0).contains(&args.damage) {
        return Err(ExitError::usage(format_args!("--damage {}: give a share from 0 to 1, for example 0.01", args.damage)));
    }
    // Every board of a line begins with another game.
    let row = args.games.max(args.bus.unwrap_or_default());
    let games = read(&args.pgn, args.game, usize::from(row))?;
    let plies = games[0].moves.len();
    if let Some(beyond) = args.incident.iter().find(|i| matches!(i.when, When::Ply(ply) if ply as usize > plies)) {
        return Err(ExitError::usage(format_args!("--incident {beyond}: the game has {plies} plies; give one of them, or `end`")));
    }
    if let Some(count) = args.bus {
        return bus::port(line(count, &args, &games), &args.fault, &about(&games, &options(&args, &games[0])));
    }
    let options = options(&args, &games[0]);
    match &args.capture {
        Some(path) => capture(path, &args, &games, &options),
        None => port(args.link.clone(), games, options),
    }
}

/// So many games of a file from this number on; never none.
fn read(path: &Path, number: usize, row: usize) -> Result<Vec<PgnGame>, ExitError> {
    let text = std::fs::read(path).map_err(|error| ExitError::reading(path, &error))?;
    let games = read_games(&text).map_err(|error| ExitError::bad_data(format_args!("{}: {error}", path.display())))?;
    let count = games.len();
    let first = number.checked_sub(1).filter(|index| *index < count).ok_or_else(|| {
        ExitError::usage(format_args!("--game {number}: {} holds {count}; give a number from 1 to {count}", path.display()))
    })?;
    Ok(games.into_iter().cycle().skip(first).take(row).collect())
}

fn options(args: &Args, game: &PgnGame) -> Options {
    Options {
        speed: args.speed,
        // A pace is more than the time on the clock: the game's own is for the hands that fit any.
        control: args.time_control.clone().or_else(|| game.time_control.as_ref().filter(|_| args.people.is_none())?.parse().ok()),
        incidents: args.incident.clone(),
        show_result: args.habits == Whose::People,
        habits: match (args.habits, args.people) {
            (Whose::Nobody, _) => Habits::NONE,
            (Whose::People, Some(_)) => Habits::MANY,
            (Whose::People, None) => Habits::people(args.hands),
        },
        people: args.people,
        turned: args.turned,
        occupancy: args.occupancy,
        clock_white: match args.clock_white {
            None => ClockSide::Usual,
            Some(WhiteSide::Left) => ClockSide::At(Side::Left),
            Some(WhiteSide::Right) => ClockSide::At(Side::Right),
            Some(WhiteSide::Turned) => ClockSide::Turned,
            Some(WhiteSide::None) => ClockSide::None,
        },
        scan_ms: args.scan,
        damage: args.damage,
        ..Options::new(args.hands, args.seed)
    }
}

/// The address of a line's first board; the others follow.
const FIRST: u16 = 1_001;

/// So many boards play the games, each beginning with another one.
fn line(count: u16, args: &Args, games: &[PgnGame]) -> BusProgramme {
    let board = |index: u16| {
        let mut games = games.to_vec();
        let first = usize::from(index) % games.len();
        games.rotate_left(first);
        games.truncate(usize::from(args.games));
        let whole = options(args, &games[0]);
        // Many people's seeds are even or odd for good.
        let options = Options { seed: whole.seed.wrapping_add(1_000 * u64::from(index)), ..whole };
        BusBoard { address: FIRST + index, manner: BusManner { alternates: index % 2 == 1 }, games, repeat: false, options }
    };
    BusProgramme { boards: (0..count).map(board).collect(), seed: args.seed, link: args.link.clone() }
}

fn about(games: &[PgnGame], options: &Options) -> String {
    let game = &games[0];
    let [white, black] = &game.players;
    let clock = options.side().map_or_else(|| String::from("no clock"), |_| format!("clock {}", options.control()));
    let hands = match options.people {
        Some(tempo) => format!("many people's {}", tempo.as_str()),
        None => options.hands.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned()),
    };
    let row = if games.len() == 1 { String::new() } else { format!(" and {} games more", games.len() - 1) };
    let habits = if options.habits == Habits::NONE { "" } else { " and habits" };
    format!("{white} - {black}, {} plies{row}, {hands} hands{habits}, {clock}, seed {}", game.moves.len(), options.seed)
}

fn capture(path: &Path, args: &Args, games: &[PgnGame], options: &Options) -> Result<(), ExitError> {
    let stream = stream_of(games, options);
    let mut comment = format!("simulated: {}", about(games, options));
    for incident in &args.incident {
        comment.push_str(&format!(", {incident}"));
    }
    if let Some(path) = &args.truth {
        let file = File::create(path).map_err(|error| ExitError::writing(path, &error))?;
        truth::write(BufWriter::new(file), &stream, options).map_err(|error| ExitError::writing(path, &error))?;
    }
    // A simulated game has no date of its own; a fixed one keeps the file the same for the same seed.
    let opened_at = Wall::from_timestamp(jiff::Timestamp::constant(1_767_261_600, 0));
    if path == Path::new("-") {
        return Ok(stream.write(output::stdout(), opened_at, &comment)?);
    }
    let file = File::create(path).map_err(|error| ExitError::writing(path, &error))?;
    stream.write(BufWriter::new(file), opened_at, &comment).map_err(|error| ExitError::writing(path, &error))?;
    let length = stream.lines.last().map_or(0, |(t, _)| t.millis() / 1000);
    output::print(&format!("{}: {}, {} min {} s\n", path.display(), about(games, options), length / 60, length % 60))
}

fn port(link: Option<PathBuf>, games: Vec<PgnGame>, options: Options) -> Result<(), ExitError> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(|error| {
        ExitError::unavailable(format_args!("cannot start: {error}; the system may be out of memory or of file descriptors"))
    })?;
    let about = about(&games, &options);
    runtime.block_on(async {
        let token = CancellationToken::new();
        let play = Programme { games, repeat: false, options, link };
        let mut board = pty::spawn(play, token.clone()).map_err(no_port)?;
        output::print(&format!("{about}\nboard at {}; the game begins when a program asks it for updates\n", board.path().display()))?;
        let stop = stopped();
        tokio::pin!(stop);
        let (mut complained, mut over) = (false, false);
        loop {
            tokio::select! {
                () = &mut stop => break,
                () = board.finished(), if !over => {
                    over = true;
                    output::complain("the game is over; the board answers until Ctrl-C");
                }
                () = tokio::time::sleep(Duration::from_millis(500)), if !complained => {
                    if let Some(complaint) = board.complaint() {
                        complained = true;
                        output::complain(&complaint);
                    }
                }
            }
        }
        token.cancel();
        board.join().await;
        Ok(())
    })
}

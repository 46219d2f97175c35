//! The daemon killed at random moments while boards play on: what was published and acknowledged, against what the journals hold.
#![allow(clippy::unwrap_used, reason = "a test may")]
pub(crate) mod check;
pub(crate) mod client;

use check::Book;
use client::Client;
use flagfall::time::Stopwatch;
use flagfall_events::Play as Pace;
use flagfall_game::settings::Settings;
use flagfall_simulator::games;
use flagfall_simulator::pace::Kind;
use flagfall_simulator::pty::{self, Programme, PtyHandle};
use flagfall_simulator::stream::Options;
use rand::{Rng as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;
use std::fs;
use std::io::{self, BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;
use tokio_util::sync::CancellationToken;

/// What is done.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plan {
    /// How often the daemon is killed, or one of daemon and hall.
    pub(crate) kills: usize,
    /// How many boards play.
    pub(crate) boards: usize,
    /// Everything random comes from it.
    pub(crate) seed: u64,
    /// A life takes so long at most, milliseconds.
    pub(crate) lives: u64,
}

/// What came of it; everything that must hold was asserted.
#[derive(Debug, Default)]
pub(crate) struct Outcome {
    /// Milliseconds from the start of the program until it answers with the boards as they were.
    pub(crate) restarts: Vec<u64>,
    /// Events that clients received.
    pub(crate) received: usize,
    /// Entries that were acknowledged.
    pub(crate) acknowledged: usize,
    /// Restarts in the middle of a game, boards counted one by one.
    pub(crate) continued: usize,
    /// Kills that left a torn line.
    pub(crate) torn: usize,
    /// Events in the journals at the end.
    pub(crate) journaled: u64,
    /// Moves completed in the journals, and how many of those were found after the link came back.
    pub(crate) moves: (usize, usize),
    /// All in all, milliseconds.
    pub(crate) took: u64,
}

/// Runs it; panics where something was lost, invented or does not go on.
pub(crate) fn run(plan: Plan, mut progress: impl FnMut(usize)) -> Outcome {
    let place = Place(Some(tempfile::tempdir().unwrap()));
    let folder = place.folder();
    let data = folder.join("data");
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    let ended = CancellationToken::new();
    let boards = runtime.block_on(async { boards(folder, plan, &ended) });
    let config = folder.join("flagfall.toml");
    fs::write(&config, configuration(folder, plan.boards)).unwrap();

    let stopwatch = Stopwatch::start();
    let mut random = ChaCha8Rng::seed_from_u64(plan.seed);
    let (mut outcome, mut book) = (Outcome::default(), Book::new(&data));
    for kill in 0..=plan.kills {
        let began = stopwatch.now();
        let mut daemon = Daemon::start(&config, &data);
        let objects = client::boards(&daemon.address, plan.boards);
        outcome.restarts.push(stopwatch.now().since(began));
        outcome.continued += book.goes_on(&objects);
        let client = Client::connect(&daemon.address, plan.boards, kill);
        // The last life is as long as needed for every link to come up.
        let lives = if kill < plan.kills { random.random_range(0..plan.lives) } else { 4_000 };
        std::thread::sleep(Duration::from_millis(lives));
        daemon.kill();
        let said = client.end();
        outcome.received += said.events.len() + said.public.len();
        outcome.acknowledged += said.acknowledged.len();
        book.holds(said);
        progress(kill);
    }
    outcome.took = stopwatch.now().millis();
    // The first start is no restart.
    outcome.restarts.remove(0);
    let whole = book.close();
    (outcome.journaled, outcome.moves, outcome.torn) = (whole.events, whole.moves, whole.torn);
    ended.cancel();
    runtime.block_on(async {
        for board in boards {
            board.join().await;
        }
    });
    outcome
}

/// Where everything is; it stays there when the run fails.
struct Place(Option<tempfile::TempDir>);

impl Place {
    fn folder(&self) -> &Path {
        self.0.as_ref().unwrap().path()
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        if let Some(folder) = self.0.take().filter(|_| std::thread::panicking()) {
            eprintln!("journals and what the daemon said are kept in {}", folder.keep().display());
        }
    }
}

/// Boards that play on, whoever listens.
fn boards(folder: &Path, plan: Plan, ended: &CancellationToken) -> Vec<PtyHandle> {
    let board = |n: usize| {
        let mut games = games::bundled();
        let first = n % games.len();
        games.rotate_left(first);
        let options = Options { speed: 2.0, show_result: true, ..Options::new(Kind::Human, plan.seed + n as u64) };
        let link = Some(folder.join(format!("board-{n}")));
        pty::spawn(Programme { games, repeat: true, options, link }, ended.clone()).unwrap()
    };
    (1..=plan.boards).map(board).collect()
}

fn configuration(folder: &Path, boards: usize) -> String {
    let options = Options::new(Kind::Human, 1);
    let Settings { time_control, .. } = options.settings(&games::bundled()[0]);
    let mut text = format!(
        "play = \"{}\"\n[web]\nlisten = \"127.0.0.1:0\"\n[livechess]\nenabled = false\n[discovery]\nserial = false\n",
        Pace::Standard.as_str()
    );
    if let Some(control) = time_control {
        text = format!("time_control = \"{control}\"\n{text}");
    }
    for n in 1..=boards {
        text += &format!("[[board]]\nname = \"{n}\"\nlink = \"serial:{}\"\n", folder.join(format!("board-{n}")).display());
    }
    text
}

struct Daemon {
    child: Child,
    address: String,
}

impl Daemon {
    fn start(config: &Path, data: &Path) -> Self {
        let mut command = Command::new(std::env::var_os("FLAGFALL_BIN").unwrap_or_else(|| env!("CARGO_BIN_EXE_flagfall").into()));
        command.env_clear().stdin(Stdio::null()).stderr(Stdio::piped());
        let mut child = command.args(["run", "--config"]).arg(config).arg("--data-dir").arg(data).spawn().unwrap();
        let mut stderr = BufReader::new(child.stderr.take().unwrap());
        let (mut line, mut said) = (String::new(), String::new());
        while !line.starts_with("web: ") {
            line.clear();
            assert!(stderr.read_line(&mut line).unwrap() > 0, "it ended before it listened: {said}");
            said += &line;
        }
        // Whoever writes warnings must not be stopped by a full pipe.
        let mut log = fs::OpenOptions::new().create(true).append(true).open(config.with_extension("log")).unwrap();
        log.write_all(said.as_bytes()).unwrap();
        std::thread::spawn(move || io::copy(&mut stderr, &mut log));
        Self { child, address: line["web: http://".len()..].trim_end().trim_end_matches('/').to_owned() }
    }

    /// SIGKILL.
    fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

impl Drop for Daemon {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

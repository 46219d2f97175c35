//! A long event in little time: the real daemon, boards on ptys that play whole games one after the other, and everything compared at the end.
#![allow(clippy::unwrap_used, dead_code, reason = "a test may; each user reads its own part of the outcome")]
use flagfall::journal::read::events;
use flagfall::journal::store::journals;
use flagfall::time::Stopwatch;
use flagfall_events::{Body, GameResult, Play as Pace};
use flagfall_game::settings::Settings;
use flagfall_simulator::games::PgnGame;
use flagfall_simulator::pace::Kind;
use flagfall_simulator::pty::{self, Programme, PtyHandle};
use flagfall_simulator::script::Truth;
use flagfall_simulator::stream::Options;
use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use tokio_util::sync::CancellationToken;

/// What is played.
pub(crate) struct Plan {
    /// How many boards.
    pub(crate) boards: usize,
    /// What they play, one after the other and over again; each begins with another one.
    pub(crate) games: Vec<PgnGame>,
    /// At least so many whole games on every board …
    pub(crate) rounds: usize,
    /// … and for at least so long, seconds.
    pub(crate) seconds: u64,
    /// The players think this many times as fast.
    pub(crate) speed: f64,
    pub(crate) seed: u64,
    /// How often memory and descriptors are looked at, seconds.
    pub(crate) every: u64,
}

/// The process at one moment.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Sample {
    /// Seconds since the start.
    pub(crate) at: u64,
    /// Whole games so far, of all boards.
    pub(crate) games: usize,
    /// Kilobytes (resident).
    pub(crate) memory: u64,
    pub(crate) descriptors: u64,
    pub(crate) threads: u64,
    /// Bytes that the process caused to be written to the disk.
    pub(crate) written: u64,
}

/// What came of it; everything that must hold was asserted.
#[derive(Debug, Default)]
pub(crate) struct Outcome {
    pub(crate) samples: Vec<Sample>,
    /// Whole games, each exactly as it was played.
    pub(crate) games: usize,
    /// Moves in them.
    pub(crate) moves: usize,
    /// Games with the result that was played; kings that were not shown leave it open.
    pub(crate) results: usize,
    /// Results that the operator had to enter: the kings were not read.
    pub(crate) entered: usize,
    /// Events in the journals.
    pub(crate) events: usize,
    /// Events that a reader of the public stream received.
    pub(crate) read: u64,
    /// Bytes of all journals.
    pub(crate) journals: u64,
    /// Processor time of the daemon, seconds.
    pub(crate) processor: f64,
    pub(crate) seconds: u64,
}

/// Runs it; panics where a game is not what was played, or a journal does not verify.
pub(crate) fn run(plan: &Plan, mut progress: impl FnMut(Sample)) -> Outcome {
    // SOAK_KEEP names a folder in which everything is left, for whoever looks for what went wrong.
    let mut folder = std::env::var_os("SOAK_KEEP").map_or_else(tempfile::tempdir, tempfile::tempdir_in).unwrap();
    folder.disable_cleanup(std::env::var_os("SOAK_KEEP").is_some());
    let data = folder.path().join("data");
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    let ended = CancellationToken::new();
    let config = folder.path().join("flagfall.toml");
    fs::write(&config, configuration(folder.path(), plan)).unwrap();
    let boards: Vec<PtyHandle> = runtime.block_on(async { (1..=plan.boards).map(|n| board(folder.path(), plan, n, &ended)).collect() });
    let mut daemon = Daemon::start(&config, &data);
    let read = Arc::new(AtomicU64::new(0));
    let (address, count) = (daemon.address.clone(), read.clone());
    let reader = std::thread::spawn(move || listen(&address, &count));

    let stopwatch = Stopwatch::start();
    let mut outcome = Outcome::default();
    let mut over = vec![0; plan.boards];
    loop {
        for _ in 0..plan.every {
            std::thread::sleep(Duration::from_secs(1));
            for (n, board) in boards.iter().enumerate() {
                outcome.entered += usize::from(operator(&daemon.address, n + 1, &board.games(), &mut over[n]));
            }
        }
        // The game that is being played is the last one.
        let whole: Vec<usize> = boards.iter().map(|board| board.games().len().saturating_sub(1)).collect();
        let sample = Sample { at: stopwatch.now().millis() / 1_000, games: whole.iter().sum(), ..daemon.sample() };
        outcome.samples.push(sample);
        progress(sample);
        if sample.at >= plan.seconds && whole.iter().all(|games| *games >= plan.rounds) {
            break;
        }
    }
    outcome.processor = daemon.processor();
    daemon.terminate();
    reader.join().unwrap();
    let truths: Vec<Vec<Truth>> = boards.iter().map(PtyHandle::games).collect();
    ended.cancel();
    runtime.block_on(async {
        for board in boards {
            board.join().await;
        }
    });
    (outcome.seconds, outcome.read) = (stopwatch.now().millis() / 1_000, read.load(Ordering::Relaxed));
    verified(&data);
    for (n, truths) in (1..).zip(&truths) {
        compare(&data, n, truths, &mut outcome);
    }
    outcome
}

fn board(folder: &Path, plan: &Plan, n: usize, ended: &CancellationToken) -> PtyHandle {
    let mut games = plan.games.clone();
    let first = n % games.len();
    games.rotate_left(first);
    let options = Options { speed: plan.speed, show_result: true, ..Options::new(Kind::Human, plan.seed + n as u64) };
    pty::spawn(Programme { games, repeat: true, options, link: Some(folder.join(format!("board-{n}"))) }, ended.clone()).unwrap()
}

/// What an operator does: where a game is over and its result was not read, it is entered. `over`: games of this board that were looked at.
fn operator(address: &str, n: usize, truths: &[Truth], over: &mut usize) -> bool {
    let whole = truths.len().saturating_sub(1);
    if whole <= *over {
        return false;
    }
    *over = whole;
    let Ok(mut board) = ureq::get(format!("http://{address}/api/v1/boards/{n}")).call() else { return false };
    let board: serde_json::Value = board.body_mut().read_json().unwrap();
    if board["game"]["result"] != "*" || board["plies_completed"] == 0 {
        return false;
    }
    let result = truths[whole - 1].result.as_str();
    let answer = ureq::post(format!("http://{address}/api/v1/arbiter/boards/{n}/entries"))
        .content_type("application/json")
        .header("cookie", crate::signed_in::cookie(address))
        .send(format!(r#"{{"do":"result","result":"{result}"}}"#));
    assert!(answer.is_ok(), "board {n}: {answer:?}");
    true
}

fn configuration(folder: &Path, plan: &Plan) -> String {
    let Settings { time_control, .. } = Options::new(Kind::Human, 1).settings(&plan.games[0]);
    let control = time_control.map(|control| format!("time_control = \"{control}\"\n")).unwrap_or_default();
    let boards: String = (1..=plan.boards)
        .map(|n| format!("[[board]]\nname = \"{n}\"\nlink = \"serial:{}\"\n", folder.join(format!("board-{n}")).display()))
        .collect();
    format!(
        "play = \"{}\"\n{control}[web]\nlisten = \"127.0.0.1:0\"\n[livechess]\nlisten = \"127.0.0.1:0\"\n[discovery]\nserial = false\n\
         [tree]\nfolder = \"{}\"\n{boards}",
        Pace::Standard.as_str(),
        folder.join("tree").display()
    )
}

/// One game as a journal has it.
#[derive(Debug, Default)]
struct Written {
    moves: Vec<String>,
    result: Option<GameResult>,
}

/// Every whole game of board `n` is in its journals exactly as it was played, the one that was being played as far as it goes.
fn compare(data: &Path, n: usize, truths: &[Truth], outcome: &mut Outcome) {
    let mut written: Vec<Written> = Vec::new();
    for path in journals(data, &n.to_string()).unwrap() {
        let bytes = fs::read(path).unwrap();
        outcome.journals += bytes.len() as u64;
        for event in events(&bytes) {
            outcome.events += 1;
            match (&event.body, written.last_mut()) {
                (Body::GameStart { .. }, _) => written.push(Written::default()),
                (Body::MoveCompleted { ply, uci, .. }, Some(game)) => {
                    assert_eq!(*ply as usize, game.moves.len() + 1, "board {n}, game {}", written.len());
                    game.moves.push(uci.clone());
                }
                (Body::MoveWithdrawn { ply, .. }, Some(game)) => game.moves.truncate((*ply as usize).saturating_sub(1)),
                (Body::Result { result, .. }, Some(game)) => game.result = Some(*result),
                _ => {}
            }
        }
    }
    // Pieces that are set up and never moved are no game.
    written.retain(|game| !game.moves.is_empty());
    let whole = truths.len().saturating_sub(1);
    assert!(written.len() >= whole, "board {n}: {} games are written, {whole} were played to the end", written.len());
    for (i, (truth, game)) in truths.iter().zip(&written).enumerate() {
        let played = truth.uci();
        if i < whole {
            assert_eq!(game.moves, played, "board {n}, game {}", i + 1);
            outcome.games += 1;
            outcome.moves += played.len();
            outcome.results += usize::from(game.result == Some(truth.result));
            assert!(
                game.result.is_none_or(|result| result == truth.result || result == GameResult::Open),
                "board {n}, game {}: {game:?}",
                i + 1
            );
        } else {
            // The last one may be a move ahead or behind: the daemon ended in the middle of it.
            let both = game.moves.len().min(played.len());
            assert_eq!(game.moves[..both], played[..both], "board {n}, game {}", i + 1);
        }
    }
}

fn verified(data: &Path) {
    let output = Command::new(binary()).arg("verify").arg(data).output().unwrap();
    // Whole; who signed is not asked.
    assert_eq!(output.status.code(), Some(2), "{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
}

fn binary() -> std::ffi::OsString {
    std::env::var_os("FLAGFALL_BIN").unwrap_or_else(|| env!("CARGO_BIN_EXE_flagfall").into())
}

/// Counts the events of the public stream until it ends.
fn listen(address: &str, count: &AtomicU64) {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.write_all(format!("GET /api/v1/events HTTP/1.1\r\nHost: {address}\r\n\r\n").as_bytes()).unwrap();
    for line in BufReader::new(stream).lines().map_while(Result::ok) {
        count.fetch_add(u64::from(line.starts_with("data: ")), Ordering::Relaxed);
    }
}

/// The daemon; killed when dropped.
struct Daemon {
    child: Child,
    address: String,
}

impl Daemon {
    fn start(config: &Path, data: &Path) -> Self {
        let mut command = Command::new(binary());
        command.env_clear().stdin(Stdio::null()).stderr(Stdio::piped());
        let mut child = command.args(["run", "--log", "error", "--config"]).arg(config).arg("--data-dir").arg(data).spawn().unwrap();
        let mut stderr = BufReader::new(child.stderr.take().unwrap());
        let (mut line, mut said) = (String::new(), String::new());
        while !line.starts_with("web: ") {
            line.clear();
            assert!(stderr.read_line(&mut line).unwrap() > 0, "it ended before it listened: {said}");
            said += &line;
        }
        std::thread::spawn(move || stderr.lines().map_while(Result::ok).for_each(|line| eprintln!("{line}")));
        Self { child, address: line["web: http://".len()..].trim_end().trim_end_matches('/').to_owned() }
    }

    fn proc(&self, file: &str) -> String {
        fs::read_to_string(format!("/proc/{}/{file}", self.child.id())).expect("the daemon runs")
    }

    fn sample(&self) -> Sample {
        let (status, io) = (self.proc("status"), self.proc("io"));
        let field = |text: &str, name: &str| -> u64 {
            let line = text.lines().find_map(|line| line.strip_prefix(name)).unwrap_or_default();
            line.split_whitespace().next().and_then(|n| n.parse().ok()).unwrap_or(0)
        };
        Sample {
            memory: field(&status, "VmRSS:"),
            threads: field(&status, "Threads:"),
            descriptors: fs::read_dir(format!("/proc/{}/fd", self.child.id())).map_or(0, |open| open.count() as u64),
            written: field(&io, "write_bytes:"),
            ..Sample::default()
        }
    }

    /// Seconds in user and system mode; the kernel counts in hundredths.
    fn processor(&self) -> f64 {
        let stat = self.proc("stat");
        let fields: Vec<f64> = stat.rsplit_once(')').unwrap().1.split_whitespace().map(|n| n.parse().unwrap_or(0.0)).collect();
        (fields[11] + fields[12]) / 100.0
    }

    fn terminate(&mut self) {
        assert!(Command::new("sh").args(["-c", &format!("kill -TERM {}", self.child.id())]).status().unwrap().success());
        assert!(self.child.wait().unwrap().success());
    }
}

impl Drop for Daemon {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

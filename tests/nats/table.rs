//! A daemon with simulated boards that play blitz over and over, and a hall's hand on the broker.
use super::compare;
use super::server::{Broker, EVENT, mortal};
use async_nats::jetstream;
use flagfall::feeds::nats::streams;
use flagfall::feeds::nats::wire::{Answer, Names};
use flagfall::time::Stopwatch;
use flagfall_simulator::games;
use flagfall_simulator::pace::Kind;
use flagfall_simulator::people::Tempo;
use flagfall_simulator::pty::{self, Programme, PtyHandle};
use flagfall_simulator::stream::Options;
use serde_json::{Value, json};
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::thread::sleep;
use std::time::Duration;
use tokio::runtime::Runtime;
use tokio_util::sync::CancellationToken;

/// How long anything is waited for, milliseconds; only who gives up learns of it.
const PATIENCE: u64 = 120_000;
/// Events of a board that are some moves.
pub(crate) const SOME: usize = 16;

/// The room: a runtime for boards and clients, a folder.
pub(crate) struct Room {
    pub(crate) home: tempfile::TempDir,
    pub(crate) runtime: Runtime,
    ended: CancellationToken,
    boards: Vec<PtyHandle>,
}

impl Room {
    pub(crate) fn new() -> Self {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
        Self { home: tempfile::tempdir().unwrap(), runtime, ended: CancellationToken::new(), boards: Vec::new() }
    }

    /// Boards that play on, whoever listens; their names are those of the daemon's.
    pub(crate) fn boards(&mut self, names: &[&str], speed: f64) {
        for name in names {
            let mut games = games::bundled();
            let first = self.boards.len() % games.len();
            games.rotate_left(first);
            let options = Options { speed, show_result: true, ..Options::new(Kind::Blitz, self.boards.len() as u64) };
            let play = Programme { games, repeat: true, options, link: Some(self.link(name)) };
            self.boards.push(self.runtime.block_on(async { pty::spawn(play, self.ended.clone()) }).unwrap());
        }
    }

    /// A board on which these games are played over and over by people at blitz pace, whoever listens.
    #[allow(dead_code, reason = "the bench `whole_hall` does not ask")]
    pub(crate) fn games(&mut self, board: &str, speed: f64, games: Vec<games::PgnGame>) {
        let options = Options { speed, show_result: true, ..Options::people(Tempo::Blitz, 1 + self.boards.len() as u64) };
        self.games_by(board, options, games);
    }

    /// The same by such hands.
    #[allow(dead_code, reason = "the bench `whole_hall` does not ask")]
    pub(crate) fn games_by(&mut self, board: &str, options: Options, games: Vec<games::PgnGame>) {
        let play = Programme { games, repeat: true, options, link: Some(self.link(board)) };
        self.boards.push(self.runtime.block_on(async { pty::spawn(play, self.ended.clone()) }).unwrap());
    }

    fn link(&self, board: &str) -> PathBuf {
        self.home.path().join(format!("board-{board}"))
    }

    /// What was begun so far on the first board.
    #[allow(dead_code, reason = "the bench `whole_hall` does not ask")]
    pub(crate) fn begun(&self) -> usize {
        self.boards.first().map_or(0, |board| board.games().len())
    }

    /// Waits until each of these boards, named with their machines, has said something more.
    pub(crate) fn play(&self, boards: &[(&str, &str)]) {
        let said = |(pi, board): &(&str, &str)| compare::journaled(&self.data(pi), board).len();
        let before: Vec<usize> = boards.iter().map(said).collect();
        until("moves", || boards.iter().zip(&before).all(|(board, before)| said(board) >= before + SOME).then_some(()));
    }

    /// The boards fall silent.
    pub(crate) fn quiet(&mut self) {
        self.ended.cancel();
        for board in std::mem::take(&mut self.boards) {
            self.runtime.block_on(board.join());
        }
        self.ended = CancellationToken::new();
    }

    /// The configuration of machine `pi`; its journals are in a folder of its name.
    pub(crate) fn configuration(&self, broker: &Broker, pi: &str, boards: &[&str]) -> String {
        let mut text = format!(
            "play = \"blitz\"\ntime_control = \"180+2\"\n[web]\nlisten = \"127.0.0.1:0\"\n[livechess]\nenabled = false\n[discovery]\nserial = false\n{}",
            broker.section(pi)
        );
        for board in boards {
            text += &format!("[[board]]\nname = \"{board}\"\nlink = \"serial:{}\"\n", self.link(board).display());
        }
        text
    }

    /// Starts it.
    pub(crate) fn daemon(&self, broker: &Broker, pi: &str, boards: &[&str]) -> Daemon {
        let file = self.home.path().join(format!("{pi}.toml"));
        fs::write(&file, self.configuration(broker, pi, boards)).unwrap();
        Daemon::start(self.home.path(), pi, "run", &file, Some(&self.home.path().join(pi)))
    }

    /// Starts `flagfall hall` with the hall's account; its PGN tree is in `tree`.
    pub(crate) fn house(&self, broker: &Broker) -> Daemon {
        let (home, file) = (self.home.path(), self.home.path().join("hall.toml"));
        let tree = home.join("tree");
        let text = format!(
            "[web]\nlisten = \"127.0.0.1:0\"\n[livechess]\nenabled = false\n[tree]\nfolder = \"{}\"\n{}",
            tree.display(),
            broker.section("hall")
        );
        fs::write(&file, text).unwrap();
        Daemon::start(home, "hall", "hall", &file, Some(&home.join("hall")))
    }

    /// The journals of a machine.
    pub(crate) fn data(&self, pi: &str) -> PathBuf {
        self.home.path().join(pi)
    }

    /// A client with a user's account.
    pub(crate) fn client(&self, broker: &Broker, user: &str) -> async_nats::Client {
        let options = async_nats::ConnectOptions::with_user_and_password(user.to_owned(), broker.password(user))
            .custom_inbox_prefix(format!("_INBOX_{user}"));
        self.runtime.block_on(options.retry_on_initial_connect().connect(broker.servers())).unwrap()
    }

    /// What a hall makes, made; and its hand on it.
    pub(crate) fn hall(&self, broker: &Broker) -> jetstream::Context {
        let client = self.client(broker, "hall");
        // It needs a runtime around it.
        let _entered = self.runtime.enter();
        let context = jetstream::new(client);
        until("streams", || self.runtime.block_on(streams::ensure(&context, &names(), broker.count())).ok());
        context
    }

    /// Waits until the stream has all that the daemon has said and equals its journals; how many events.
    pub(crate) fn equal(&self, hall: &jetstream::Context, daemon: &Daemon, pi: &str, boards: &[&str]) -> usize {
        daemon.settled();
        self.compared(hall, pi, boards).0
    }

    /// Waits until stream and journals of these boards are equal: a board says something more when its link is gone. Events, and their bytes.
    pub(crate) fn compared(&self, hall: &jetstream::Context, pi: &str, boards: &[&str]) -> (usize, usize) {
        let mut differ = String::new();
        let since = Stopwatch::start();
        while since.now().millis() < PATIENCE {
            let sent = self.runtime.block_on(compare::sent(hall, &names()));
            let all: Result<Vec<_>, _> = boards.iter().map(|board| compare::compare(&sent, &self.data(pi), board)).collect();
            match all {
                Ok(all) => return all.iter().fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1)),
                Err(why) => differ = why,
            }
            sleep(Duration::from_millis(200));
        }
        panic!("{differ}");
    }

    /// Sends an order until it is answered. A repeat is harmless.
    pub(crate) fn order(&self, hall: &jetstream::Context, board: &str, key: &str, entry: &Value) -> Answer {
        let order = json!({"key": key, "sent_at": "2026-11-21T15:00:00Z", "entry": entry});
        until("an answer", || self.ask(hall, board, &order))
    }

    /// What a board answers to this.
    pub(crate) fn ask(&self, hall: &jetstream::Context, board: &str, order: &Value) -> Option<Answer> {
        let client = hall.client();
        let request = client.request(names().order(board), order.to_string().into());
        let answer = self.runtime.block_on(request).ok()?;
        Some(serde_json::from_slice(&answer.payload).unwrap())
    }
}

pub(crate) fn names() -> Names {
    Names::new(EVENT)
}

/// Asks until there is an answer; the time is only how long to wait before giving up.
pub(crate) fn until<T>(what: &str, mut ask: impl FnMut() -> Option<T>) -> T {
    let since = Stopwatch::start();
    while since.now().millis() < PATIENCE {
        if let Some(answer) = ask() {
            return answer;
        }
        sleep(Duration::from_millis(50));
    }
    panic!("no {what}");
}

/// The real program.
pub(crate) struct Daemon {
    child: Child,
    address: String,
    log: PathBuf,
    /// What its link gave, where it has no socket.
    by_link: OnceLock<String>,
}

impl Daemon {
    pub(crate) fn start(home: &Path, name: &str, subcommand: &str, config: &Path, data: Option<&Path>) -> Self {
        Self::start_in(home, name, subcommand, config, data, &[])
    }

    /// The same with an environment.
    pub(crate) fn start_in(
        home: &Path,
        name: &str,
        subcommand: &str,
        config: &Path,
        data: Option<&Path>,
        environment: &[(&str, &OsStr)],
    ) -> Self {
        let log = home.join(format!("{name}.log"));
        let file = fs::File::create(&log).unwrap();
        let program = std::env::var_os("FLAGFALL_BIN").unwrap_or_else(|| env!("CARGO_BIN_EXE_flagfall").into());
        let mut command = mortal(Path::new(&program));
        command
            .env_clear()
            .envs(environment.iter().copied())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(file)
            .args([subcommand, "--config"])
            .arg(config);
        if let Some(data) = data {
            command.arg("--data-dir").arg(data);
        }
        let mut daemon = Self { child: command.spawn().unwrap(), address: String::new(), log, by_link: OnceLock::new() };
        daemon.address = until("address", || Some(daemon.said().split_once("web: http://")?.1.split_once('/')?.0.to_owned()));
        daemon
    }

    /// Its process.
    #[allow(dead_code, reason = "the bench `whole_hall` asks")]
    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Where its pages are.
    pub(crate) fn address(&self) -> &str {
        &self.address
    }

    /// An arbiter's session.
    fn cookie(&self) -> String {
        if crate::signed_in::socket(&self.address).is_some() {
            return crate::signed_in::cookie(&self.address);
        }
        // Without a folder of its own there is no place for a socket; the link is printed all the same.
        let link = || until("link", || Some(self.said().split_once("arbiters: ")?.1.split_once('\n')?.0.to_owned()));
        self.by_link.get_or_init(|| crate::signed_in::by_link(&self.address, &link())).clone()
    }

    /// What it wrote on stderr.
    pub(crate) fn said(&self) -> String {
        fs::read_to_string(&self.log).unwrap_or_default()
    }

    pub(crate) fn get(&self, path: &str) -> Option<Value> {
        let agent: ureq::Agent = ureq::Agent::config_builder().http_status_as_error(false).build().into();
        let mut answer = agent.get(format!("http://{}{path}", self.address)).header("cookie", self.cookie()).call().ok()?;
        if answer.status() == 200 { answer.body_mut().read_json().ok() } else { None }
    }

    /// Status and body.
    pub(crate) fn post(&self, path: &str, body: &Value) -> (u16, Value) {
        let agent: ureq::Agent = ureq::Agent::config_builder().http_status_as_error(false).build().into();
        let request =
            agent.post(format!("http://{}{path}", self.address)).header("content-type", "application/json").header("cookie", self.cookie());
        let mut answer = request.send(body.to_string()).unwrap();
        let text = answer.body_mut().read_to_string().unwrap_or_default();
        (answer.status().as_u16(), serde_json::from_str(&text).unwrap_or(Value::Null))
    }

    /// A text at `path`.
    pub(crate) fn text(&self, path: &str) -> String {
        ureq::get(format!("http://{}{path}", self.address)).call().unwrap().body_mut().read_to_string().unwrap()
    }

    pub(crate) fn metrics(&self) -> String {
        let request = ureq::get(format!("http://{}/api/v1/operator/metrics", self.address)).header("cookie", self.cookie());
        request.call().unwrap().body_mut().read_to_string().unwrap()
    }

    pub(crate) fn nats(&self) -> Value {
        self.get("/api/v1/operator/health").map(|health| health["nats"].clone()).unwrap_or_default()
    }

    /// The stream has everything.
    pub(crate) fn settled(&self) {
        let mut still = 0;
        until("empty queue", || {
            let nats = self.nats();
            still = if nats["connected"] == true && nats["behind"] == 0 { still + 1 } else { 0 };
            (still > 5).then_some(())
        });
    }

    /// SIGKILL.
    pub(crate) fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// SIGTERM.
    pub(crate) fn end(mut self) {
        assert!(Command::new("kill").args(["-TERM", &self.child.id().to_string()]).status().unwrap().success());
        assert!(self.child.wait().unwrap().success());
    }
}

impl Drop for Daemon {
    fn drop(&mut self) {
        _ = self.child.kill();
        _ = self.child.wait();
        if std::thread::panicking() {
            println!("{}", self.said());
        }
    }
}

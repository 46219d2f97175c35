//! Something in systemd's place: a socket that hears what a service tells, and the service itself with a board that plays.
use flagfall_simulator::games;
use flagfall_simulator::pace::Kind;
use flagfall_simulator::pty::{self, Programme, PtyHandle};
use flagfall_simulator::stream::Options;
use serde_json::Value;
use std::fs;
use std::io::Read as _;
use std::os::unix::net::UnixDatagram;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;
use tempfile::TempDir;
use tokio::runtime::Runtime;
use tokio_util::sync::CancellationToken;

/// One board that plays, a folder for everything, and what the service told so far, one message after the other.
pub(crate) struct Manager {
    pub(crate) folder: TempDir,
    pub(crate) told: Arc<Mutex<Vec<String>>>,
    runtime: Runtime,
    ended: CancellationToken,
    board: Option<PtyHandle>,
}

impl Manager {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let socket = UnixDatagram::bind(folder.path().join("notify")).unwrap();
        let told: Arc<Mutex<Vec<String>>> = Arc::default();
        let heard = told.clone();
        // Ends with the process; it must never keep the service waiting.
        thread::spawn(move || {
            let mut buffer = [0; 65_536];
            while let Ok(n) = socket.recv(&mut buffer) {
                heard.lock().unwrap().push(String::from_utf8_lossy(&buffer[..n]).into_owned());
            }
        });
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
        let (ended, link) = (CancellationToken::new(), folder.path().join("board"));
        let options = Options { speed: 8.0, show_result: true, ..Options::new(Kind::Human, 5) };
        let play = Programme { games: games::bundled(), repeat: true, options, link: Some(link) };
        let board = runtime.block_on(async { pty::spawn(play, ended.clone()) }).unwrap();
        Self { folder, told, runtime, ended, board: Some(board) }
    }

    pub(crate) fn config(&self) -> PathBuf {
        self.folder.path().join("flagfall.toml")
    }

    pub(crate) fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    /// Writes the configuration: one board, no ports of others, and `more`.
    pub(crate) fn configure(&self, more: &str) {
        let control = Options::new(Kind::Human, 5).control();
        let text = format!(
            "time_control = \"{control}\"\n[web]\nlisten = \"127.0.0.1:0\"\n[livechess]\nenabled = false\n[discovery]\nserial = false\n\
             {more}\n[[board]]\nname = \"1\"\nlink = \"serial:{}\"\n",
            self.folder.path().join("board").display()
        );
        fs::write(self.config(), text).unwrap();
    }

    /// The command that starts the service; `wrapped`: a program before it, with its arguments.
    pub(crate) fn command(&self, wrapped: &[&str]) -> Command {
        let flagfall = env!("CARGO_BIN_EXE_flagfall");
        let mut command = match wrapped {
            [] => Command::new(flagfall),
            [program, args @ ..] => {
                let mut command = Command::new(program);
                command.args(args).arg(flagfall);
                command
            }
        };
        command.env_clear().env("PATH", std::env::var_os("PATH").unwrap_or_default());
        command.stdin(Stdio::null()).env("NOTIFY_SOCKET", self.folder.path().join("notify"));
        command.args(["run", "--config"]).arg(self.config()).arg("--data-dir").arg(self.data());
        command
    }

    /// Starts it and waits until it is ready.
    pub(crate) fn start(&self, command: &mut Command) -> Service {
        let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
        let mut stderr = child.stderr.take().unwrap();
        let said = Arc::new(Mutex::new(String::new()));
        let heard = said.clone();
        thread::spawn(move || {
            let mut buffer = [0; 4096];
            while let Ok(n @ 1..) = stderr.read(&mut buffer) {
                heard.lock().unwrap().push_str(&String::from_utf8_lossy(&buffer[..n]));
            }
        });
        let service = Service { child, said };
        until("ready", || self.has("READY=1"));
        service
    }

    /// How many messages hold this line.
    pub(crate) fn count(&self, line: &str) -> usize {
        self.told.lock().unwrap().iter().filter(|message| message.lines().any(|l| l == line)).count()
    }

    pub(crate) fn has(&self, line: &str) -> bool {
        self.count(line) > 0
    }

    /// The last line about how things are.
    pub(crate) fn status(&self) -> String {
        let told = self.told.lock().unwrap();
        told.iter().rev().find_map(|m| m.lines().find_map(|l| l.strip_prefix("STATUS="))).unwrap_or_default().to_owned()
    }

    /// Forgets what was told so far.
    pub(crate) fn forget(&self) {
        self.told.lock().unwrap().clear();
    }
}

impl Drop for Manager {
    fn drop(&mut self) {
        self.ended.cancel();
        if let Some(board) = self.board.take() {
            self.runtime.block_on(board.join());
        }
    }
}

/// The running service; killed when dropped.
pub(crate) struct Service {
    child: Child,
    said: Arc<Mutex<String>>,
}

impl Service {
    pub(crate) fn said(&self) -> String {
        self.said.lock().unwrap().clone()
    }

    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    pub(crate) fn signal(&self, signal: &str) {
        kill(signal, self.id());
    }

    /// Its exit code, once it has ended.
    pub(crate) fn wait(&mut self) -> ExitStatus {
        self.child.wait().unwrap()
    }

    pub(crate) fn get(&self, path: &str) -> Value {
        serde_json::from_str(&self.text(path)).unwrap()
    }

    /// What it says is read by a thread, which may be late.
    fn address(&self) -> String {
        for _ in 0..600 {
            if let Some(line) = self.said().lines().find_map(|line| line.strip_prefix("web: ")) {
                return line.trim_end_matches('/').to_owned();
            }
            thread::sleep(Duration::from_millis(50));
        }
        panic!("it names no address: {}", self.said());
    }

    pub(crate) fn text(&self, path: &str) -> String {
        let address = self.address();
        ureq::get(format!("{address}{path}"))
            .header("cookie", crate::signed_in::cookie(&address))
            .call()
            .unwrap()
            .body_mut()
            .read_to_string()
            .unwrap()
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

pub(crate) fn kill(signal: &str, id: u32) {
    assert!(Command::new("sh").args(["-c", &format!("kill -{signal} {id}")]).status().unwrap().success());
}

/// Asks again and again; the time is only how long to wait before giving up.
pub(crate) fn until(what: &str, mut is: impl FnMut() -> bool) {
    for _ in 0..1_200 {
        if is() {
            return;
        }
        thread::sleep(Duration::from_millis(50));
    }
    panic!("never {what}");
}

/// Every journal below `data` verifies.
pub(crate) fn verified(data: &Path) {
    let output = Command::new(env!("CARGO_BIN_EXE_flagfall")).arg("verify").arg(data).output().unwrap();
    // Whole; who signed is not asked.
    assert_eq!(output.status.code(), Some(2), "{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
}

//! A daemon with boards that play on a real pseudo-terminal, its journals wherever a test wants them.
use flagfall::journal::store::journals;
use flagfall_simulator::games;
use flagfall_simulator::pace::Kind;
use flagfall_simulator::pty::{self, Programme, PtyHandle};
use flagfall_simulator::stream::Options;
use serde_json::Value;
use std::ffi::OsString;
use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;
use tempfile::TempDir;
use tokio::runtime::Runtime;
use tokio_util::sync::CancellationToken;

/// One board, and a folder for everything.
pub(crate) struct Rig {
    pub(crate) folder: TempDir,
    pub(crate) config: PathBuf,
    runtime: Runtime,
    ended: CancellationToken,
    board: Option<PtyHandle>,
}

impl Rig {
    pub(crate) fn new(journal: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
        let (ended, link) = (CancellationToken::new(), folder.path().join("board"));
        let options = Options { speed: 4.0, show_result: true, ..Options::new(Kind::Human, 5) };
        let control = options.control();
        let play = Programme { games: games::bundled(), repeat: true, options, link: Some(link.clone()) };
        let board = runtime.block_on(async { pty::spawn(play, ended.clone()) }).unwrap();
        let config = folder.path().join("flagfall.toml");
        let text = format!(
            "time_control = \"{control}\"\n[web]\nlisten = \"127.0.0.1:0\"\n[livechess]\nenabled = false\n[discovery]\nserial = false\n\
             [journal]\n{journal}\n[[board]]\nname = \"1\"\nlink = \"serial:{}\"\n",
            link.display()
        );
        fs::write(&config, text).unwrap();
        Self { folder, config, runtime, ended, board: Some(board) }
    }

    /// The daemon with its journals in `data`; `wrapped`: a program before it, with its arguments.
    pub(crate) fn start(&self, data: &Path, wrapped: &[&str]) -> Daemon {
        Daemon::start(&self.config, data, wrapped)
    }
}

impl Drop for Rig {
    fn drop(&mut self) {
        self.ended.cancel();
        if let Some(board) = self.board.take() {
            self.runtime.block_on(board.join());
        }
    }
}

/// A running daemon; killed when dropped.
pub(crate) struct Daemon {
    child: Child,
    pub(crate) address: String,
    pub(crate) said: Arc<Mutex<String>>,
    cookie: OnceLock<String>,
}

impl Daemon {
    fn start(config: &Path, data: &Path, wrapped: &[&str]) -> Self {
        let mut child = command(config, data, wrapped).stderr(Stdio::piped()).spawn().unwrap();
        let mut stderr = BufReader::new(child.stderr.take().unwrap());
        let (mut line, said) = (String::new(), Arc::new(Mutex::new(String::new())));
        while !line.starts_with("web: ") {
            line.clear();
            assert!(stderr.read_line(&mut line).unwrap() > 0, "it ended before it listened: {}", said.lock().unwrap());
            said.lock().unwrap().push_str(&line);
        }
        let rest = said.clone();
        std::thread::spawn(move || {
            for line in stderr.lines().map_while(Result::ok) {
                rest.lock().unwrap().push_str(&(line + "\n"));
            }
        });
        Self { child, address: line["web: ".len()..].trim_end().trim_end_matches('/').to_owned(), said, cookie: OnceLock::new() }
    }

    /// What it wrote to stderr so far.
    pub(crate) fn said(&self) -> String {
        self.said.lock().unwrap().clone()
    }

    fn cookie(&self) -> &str {
        self.cookie.get_or_init(|| {
            // On a disk that takes nothing there is no place for a socket; the link is printed all the same.
            if crate::signed_in::socket(&self.address).is_some() {
                return crate::signed_in::cookie(&self.address);
            }
            loop {
                if let Some(link) = self.said().lines().find_map(|line| line.strip_prefix("arbiters: ")) {
                    return crate::signed_in::by_link(&self.address, link);
                }
                std::thread::sleep(Duration::from_millis(20));
            }
        })
    }

    pub(crate) fn get(&self, path: &str) -> Value {
        serde_json::from_str(&self.text(path)).unwrap()
    }

    pub(crate) fn text(&self, path: &str) -> String {
        let mut answer = ureq::get(format!("{}{path}", self.address)).header("cookie", self.cookie()).call().unwrap();
        answer.body_mut().read_to_string().unwrap()
    }

    /// Enters something at the board, as an arbiter does.
    pub(crate) fn enter(&self, entry: &str) {
        let at = format!("{}/api/v1/arbiter/boards/1/entries", self.address);
        ureq::post(at).header("cookie", self.cookie()).content_type("application/json").send(entry).unwrap();
    }

    pub(crate) fn seq(&self) -> u64 {
        self.get("/api/v1/boards/1")["seq"].as_u64().unwrap()
    }

    pub(crate) fn journal(&self) -> String {
        self.get("/healthz")["journal"]["state"].as_str().unwrap().to_owned()
    }

    pub(crate) fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Ends it as systemd does; the exit code.
    pub(crate) fn terminate(mut self) -> i32 {
        let killed = Command::new("sh").args(["-c", &format!("kill -TERM {}", self.child.id())]).status().unwrap();
        assert!(killed.success());
        self.child.wait().unwrap().code().unwrap()
    }

    /// Waits until it ends by itself; the exit code.
    pub(crate) fn ended(mut self) -> i32 {
        self.child.wait().unwrap().code().unwrap()
    }
}

impl Drop for Daemon {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Another build where `FLAGFALL_BIN` names one.
pub(crate) fn program() -> OsString {
    std::env::var_os("FLAGFALL_BIN").unwrap_or_else(|| env!("CARGO_BIN_EXE_flagfall").into())
}

fn command(config: &Path, data: &Path, wrapped: &[&str]) -> Command {
    let flagfall = program();
    let mut command = match wrapped {
        [] => Command::new(&flagfall),
        [program, args @ ..] => {
            let mut command = Command::new(program);
            command.args(args).arg(&flagfall);
            command
        }
    };
    command.stdin(Stdio::null()).args(["run", "--config"]).arg(config).arg("--data-dir").arg(data);
    command
}

/// Starts it and waits for its end.
pub(crate) fn output(config: &Path, data: &Path) -> Output {
    command(config, data, &[]).output().unwrap()
}

/// Asks again and again; the time is only how long to wait before giving up.
pub(crate) fn until(what: &str, mut is: impl FnMut() -> bool) {
    for _ in 0..3_000 {
        if is() {
            return;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    panic!("never {what}");
}

/// The only journal of the board.
pub(crate) fn journal_of(data: &Path) -> PathBuf {
    let files = journals(data, "1").unwrap();
    assert_eq!(files.len(), 1, "{files:?}");
    files.into_iter().next().unwrap()
}

/// `flagfall` with these arguments: exit code, standard output, standard error.
pub(crate) fn flagfall(args: &[&str]) -> (i32, String, String) {
    let output = Command::new(program()).args(args).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code().unwrap(), text(&output.stdout), text(&output.stderr))
}

/// What `verify` says of a journal with this key: exit code, and all its words.
pub(crate) fn verified(key: &str, path: &Path) -> (i32, String) {
    crate::second::agrees(Some(key), &[path.to_owned()]);
    let (code, out, err) = flagfall(&["verify", "--key", key, path.to_str().unwrap()]);
    (code, out + &err)
}

/// A journal verifies, and `replay` prints exactly its events.
pub(crate) fn stands(path: &Path) -> String {
    let (said, events, written) = replayed(path);
    assert!(events == written, "a replay says something else than the journal");
    said
}

/// The same of a copy that was made while it was written: what comes of its last input may be missing.
pub(crate) fn stands_so_far(path: &Path) {
    let (_, events, written) = replayed(path);
    assert!(events.starts_with(&written), "a replay says something else than the journal");
}

/// What `verify` says of a journal, what `replay` says, and which events it holds.
fn replayed(path: &Path) -> (String, String, String) {
    let name = path.to_str().unwrap();
    let report = flagfall::journal::verify::verify(&fs::read(path).unwrap(), None);
    crate::second::agrees(report.signer(), &[path.to_owned()]);
    let (code, said, complaint) = flagfall(&["verify", "--key", report.signer().unwrap(), name]);
    // One that a kill left has an end that is not signed, where that was not by chance a checkpoint.
    let is_signed = report.unsigned.is_none();
    assert!(code == i32::from(!is_signed) && complaint.contains("was killed then") != is_signed, "{code} {said}{complaint}");
    let (code, events, complaint) = flagfall(&["replay", "--format", "events", name]);
    assert_eq!(code, 0, "{complaint}");
    let bytes = fs::read(path).unwrap();
    let lines = flagfall::journal::read::readable(&bytes);
    let written: String = lines.iter().filter(|line| line.key == "event").map(|line| format!("{}\n", line.value)).collect();
    (said, events, written)
}

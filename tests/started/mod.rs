//! A daemon that a test has started in a folder of its own, and what is asked of it as its arbiter.
#![allow(clippy::unwrap_used, dead_code, unreachable_pub, reason = "a test may, and not every test needs all of it")]
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::thread::sleep;
use std::time::Duration;

/// How long something is waited for, however long it takes to ask.
pub const PATIENCE: Duration = Duration::from_secs(120);

/// Killed when dropped.
pub struct Started {
    child: Child,
    home: PathBuf,
    /// Where its page is, `HOST:PORT`.
    pub address: String,
}

impl Started {
    /// With `flagfall.toml` of this folder; journals go to `data`, what it says to `log`.
    pub fn at(home: &Path) -> Self {
        let log = fs::File::create(home.join("log")).unwrap();
        let mut daemon = Command::new(env!("CARGO_BIN_EXE_flagfall"));
        daemon.args(["run", "--listen", "127.0.0.1:0", "--data-dir"]).arg(home.join("data"));
        daemon.arg("--config").arg(home.join("flagfall.toml")).env_clear().env("HOME", home);
        let child = daemon.stdin(Stdio::null()).stdout(Stdio::null()).stderr(log).spawn().unwrap();
        let mut daemon = Self { child, home: home.to_owned(), address: String::new() };
        daemon.address = until("address", || daemon.serves("web: http://"));
        daemon
    }

    /// Where it said that something listens, `HOST:PORT`: the line begins so.
    pub fn serves(&self, begins: &str) -> Option<String> {
        let said = fs::read_to_string(self.home.join("log")).unwrap();
        Some(said.split_once(begins)?.1.split_once('/')?.0.to_owned())
    }

    /// What an arbiter reads there.
    pub fn get(&self, path: &str) -> Option<String> {
        let cookie = crate::signed_in::cookie(&self.address);
        let mut answer = agent().get(format!("http://{}{path}", self.address)).header("cookie", cookie).call().ok()?;
        (answer.status() == 200).then(|| answer.body_mut().read_to_string().unwrap())
    }

    /// The same as JSON; null where there is none.
    pub fn json(&self, path: &str) -> Value {
        self.get(path).and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default()
    }

    /// What it answers to an arbiter's JSON.
    pub fn post(&self, path: &str, body: &str) -> (u16, String) {
        let request = agent().post(format!("http://{}{path}", self.address)).content_type("application/json");
        let mut answer = request.header("cookie", crate::signed_in::cookie(&self.address)).send(body).unwrap();
        (answer.status().as_u16(), answer.body_mut().read_to_string().unwrap())
    }

    /// A subcommand that asks it.
    pub fn asked(&self, args: &[&str]) -> Output {
        let (socket, _) = crate::signed_in::socket(&self.address).unwrap();
        Command::new(env!("CARGO_BIN_EXE_flagfall")).args(args).arg("--socket").arg(socket).output().unwrap()
    }

    pub fn signal(&self, signal: &str) {
        assert!(Command::new("kill").args([signal, &self.child.id().to_string()]).status().unwrap().success());
    }

    /// Ends it as systemd does.
    pub fn end(mut self) {
        self.signal("-TERM");
        assert!(self.child.wait().unwrap().success());
    }
}

impl Drop for Started {
    fn drop(&mut self) {
        _ = self.child.kill();
        _ = self.child.wait();
    }
}

/// Errors are answers, too.
pub fn agent() -> ureq::Agent {
    ureq::Agent::config_builder().http_status_as_error(false).timeout_global(Some(PATIENCE)).build().into()
}

/// All that a command said.
pub fn said(output: Output) -> String {
    String::from_utf8(output.stdout).unwrap() + &String::from_utf8(output.stderr).unwrap()
}

/// Asks until there is an answer; the time is only how long to wait before giving up.
pub fn until<T>(what: &str, mut ask: impl FnMut() -> Option<T>) -> T {
    let since = flagfall_time::Stopwatch::start();
    loop {
        if let Some(answer) = ask() {
            return answer;
        }
        assert!(u128::from(since.now().millis()) < PATIENCE.as_millis(), "no {what}");
        sleep(Duration::from_millis(50));
    }
}

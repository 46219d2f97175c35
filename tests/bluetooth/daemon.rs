//! The real `flagfall run` against a fake Bluetooth, and everything that it says.
use super::bus::Bus;
use serde_json::Value;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// The key that the fake boards want.
pub(crate) const KEY: &str = "010203040506";

/// A running daemon; ended when dropped.
pub(crate) struct Daemon {
    pub(crate) child: Child,
    _folder: tempfile::TempDir,
    address: String,
    said: Arc<Mutex<Vec<String>>>,
    events: Arc<Mutex<Vec<Value>>>,
}

/// `flagfall` with this bus and nothing else of this machine.
pub(crate) fn flagfall(folder: &Path, bus: &str, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_flagfall"));
    command
        .args(args)
        .env_clear()
        .env("HOME", folder)
        .env("TMPDIR", folder)
        .env("DBUS_SYSTEM_BUS_ADDRESS", bus)
        .env("PATH", "/usr/bin:/bin");
    command.stdin(Stdio::null());
    command
}

impl Daemon {
    /// With these lines in its configuration; `[ble]` names the key.
    pub(crate) async fn start(bus: &Bus, lines: &str) -> Self {
        Self::at(&bus.address(), lines).await
    }

    pub(crate) async fn at(bus: &str, lines: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let (config, key, data) = (folder.path().join("f.toml"), folder.path().join("key"), folder.path().join("data"));
        std::fs::write(&key, format!("{KEY}\n")).unwrap();
        let lines = lines.replace("[ble]", &format!("[ble]\nkey_file = \"{}\"", key.display()));
        let text = format!("{lines}\n[web]\nlisten = \"127.0.0.1:0\"\n[livechess]\nenabled = false\n");
        std::fs::write(&config, text).unwrap();
        let args = ["run", "--config", config.to_str().unwrap(), "--data-dir", data.to_str().unwrap()];
        let mut child = flagfall(folder.path(), bus, &args).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        let said = Arc::new(Mutex::new(Vec::new()));
        let (stderr, lines) = (child.stderr.take().unwrap(), said.clone());
        std::thread::spawn(move || {
            for line in BufReader::new(stderr).lines().map_while(Result::ok) {
                lines.lock().unwrap().push(line);
            }
        });
        let mut daemon = Self { child, _folder: folder, address: String::new(), said, events: Arc::default() };
        daemon.address = daemon.until("address", |d| d.saying("web: http://")).await.split("http://").nth(1).unwrap().to_owned();
        let (address, events) = (daemon.address.clone(), daemon.events.clone());
        std::thread::spawn(move || listen(&address, &events));
        daemon
    }

    /// The first line it printed that has these words in it.
    pub(crate) fn saying(&self, words: &str) -> Option<String> {
        self.said.lock().unwrap().iter().find(|line| line.contains(words)).cloned()
    }

    pub(crate) fn times_said(&self, words: &str) -> usize {
        self.said.lock().unwrap().iter().filter(|line| line.contains(words)).count()
    }

    pub(crate) fn said(&self) -> String {
        self.said.lock().unwrap().join("\n")
    }

    pub(crate) fn events(&self, kind: &str) -> Vec<Value> {
        self.events.lock().unwrap().iter().filter(|event| event["type"] == kind).cloned().collect()
    }

    /// A board was down when we began to listen.
    pub(crate) fn began_down(&self) -> bool {
        self.events
            .lock()
            .unwrap()
            .iter()
            .flat_map(|e| e.as_array().cloned().unwrap_or_else(|| vec![e.clone()]))
            .any(|e| e["link"] == "down")
    }

    /// The moves that count, in the order of their plies.
    pub(crate) fn completed(&self) -> Vec<String> {
        let mut moves: Vec<(u64, String)> = Vec::new();
        for event in self.events.lock().unwrap().iter() {
            let ply = event["ply"].as_u64().unwrap_or(0);
            match event["type"].as_str() {
                Some("game-start") => moves.clear(),
                Some("move-completed") => moves.push((ply, event["uci"].as_str().unwrap().to_owned())),
                Some("move-withdrawn") => moves.retain(|(known, _)| *known < ply),
                Some("move-revised") => {
                    let uci = event["uci"].as_str().unwrap();
                    moves.iter_mut().filter(|(known, _)| *known == ply).for_each(|m| m.1 = uci.to_owned());
                }
                _ => {}
            }
        }
        moves.sort();
        moves.into_iter().map(|(_, uci)| uci).collect()
    }

    /// Asks until there is an answer; the time is only how long to wait before giving up.
    pub(crate) async fn until<T>(&mut self, what: &str, mut ask: impl FnMut(&Self) -> Option<T>) -> T {
        for _ in 0..2_400 {
            if let Some(answer) = ask(self) {
                return answer;
            }
            if let Some(status) = self.child.try_wait().unwrap() {
                panic!("it ended ({status}) before {what}:\n{}", self.said());
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        let events = self.events.lock().unwrap();
        let last: Vec<String> = events.iter().rev().take(12).map(Value::to_string).collect();
        panic!("no {what}:\n{}\nnewest events:\n{}", self.said(), last.join("\n"));
    }

    /// Until so many links came up.
    pub(crate) async fn until_up(&mut self, times: usize) {
        self.until("link", |d| (d.events("link").iter().filter(|e| e["state"] == "up").count() >= times).then_some(())).await;
    }

    /// Sends an entry as an operator does: status and body.
    pub(crate) fn enter(&self, board: &str, entry: &Value) -> (u16, String) {
        let agent: ureq::Agent = ureq::Agent::config_builder().http_status_as_error(false).build().into();
        let url = format!("http://{}/api/v1/arbiter/boards/{board}/entries", self.address.trim_end_matches('/'));
        let mut answer = agent.post(&url).header("cookie", crate::signed_in::cookie(&self.address)).send_json(entry).unwrap();
        (answer.status().as_u16(), answer.body_mut().read_to_string().unwrap())
    }

    /// A line of `/proc/PID/status` in kB, and the number of open files and threads.
    pub(crate) fn memory(&self) -> (u64, usize, usize) {
        let proc = format!("/proc/{}", self.child.id());
        let status = std::fs::read_to_string(format!("{proc}/status")).unwrap();
        let kb = status.lines().find_map(|l| l.strip_prefix("VmRSS:")).and_then(|l| l.trim().trim_end_matches(" kB").parse().ok()).unwrap();
        let count = |folder: &str| std::fs::read_dir(format!("{proc}/{folder}")).unwrap().count();
        (kb, count("fd"), count("task"))
    }

    /// SIGTERM, and its end: exit code.
    pub(crate) async fn terminate(mut self) -> Option<i32> {
        let status = Command::new("sh").args(["-c", &format!("kill -TERM {}", self.child.id())]).status().unwrap();
        assert!(status.success());
        for _ in 0..400 {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status.code();
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        panic!("it does not end:\n{}", self.said());
    }
}

impl Drop for Daemon {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Everything that happens, as the arbiter's role hears it, from the first event on.
fn listen(address: &str, events: &Mutex<Vec<Value>>) {
    let address = address.trim_end_matches('/');
    for _ in 0..50 {
        let answer =
            ureq::get(format!("http://{address}/api/v1/arbiter/events")).header("cookie", crate::signed_in::cookie(address)).call();
        let Ok(answer) = answer else {
            std::thread::sleep(Duration::from_millis(20));
            continue;
        };
        for line in BufReader::new(answer.into_body().into_reader()).lines().map_while(Result::ok) {
            let Some(data) = line.strip_prefix("data: ").or_else(|| line.strip_prefix("data:")) else { continue };
            if let Ok(event) = serde_json::from_str(data) {
                events.lock().unwrap().push(event);
            }
        }
        return;
    }
}

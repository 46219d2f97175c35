//! `flagfall run` as a child process, with tables of its own; and `flagfall hall`.
use super::{Browser, Table, program};
use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// Nothing but its own page, on a free port.
const ALONE: &str = "[web]\nlisten = \"127.0.0.1:0\"\n[livechess]\nenabled = false\n[discovery]\nserial = false\n";

/// A running daemon; it ends with the value.
pub(crate) struct Arena {
    child: Child,
    root: String,
    /// What lets one browser in, once; none where there are accounts.
    link: Option<String>,
    folder: PathBuf,
}

impl Arena {
    /// Starts the daemon on these tables; board names count from `first`.
    pub(crate) fn start(test: &str, settings: &str, first: u32, tables: &[Table]) -> Self {
        let mut config = format!("{settings}\n{ALONE}");
        for (name, table) in (first..).zip(tables) {
            writeln!(config, "[[board]]\nname = \"{name}\"\nlink = \"serial:{}\"\nclock_white = \"left\"", table.path.display()).unwrap();
        }
        Self::command(test, "run", &config)
    }

    /// Starts a hall with these settings, else as [`Self::start`].
    pub(crate) fn hall(test: &str, settings: &str) -> Self {
        Self::command(test, "hall", &format!("{settings}\n{ALONE}"))
    }

    fn command(test: &str, subcommand: &str, config: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("flagfall-arena-{}-{test}-{subcommand}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("flagfall.toml"), config).unwrap();
        let mut child = begun(&folder, subcommand, None);
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines().map_while(Result::ok);
        let root = lines
            .find_map(|line| Some(line.strip_prefix("web: ")?.trim_end_matches('/').to_owned()))
            .expect("the daemon names its address");
        let link = (!config.contains("[[account]]"))
            .then(|| lines.find_map(|line| Some(line.strip_prefix("arbiters: ")?.to_owned())).expect("the daemon prints a link"));
        // What it says later must not block it.
        std::thread::spawn(move || lines.for_each(drop));
        Self { child, root, link, folder }
    }

    /// The block that lets somebody in as an arbiter, for the settings.
    pub(crate) fn account(name: &str, password: &str) -> String {
        Self::account_of(name, password, "arbiter")
    }

    /// The same for any role.
    pub(crate) fn account_of(name: &str, password: &str, role: &str) -> String {
        let mut command = Command::new(program());
        command
            .args(["account", "add", name, "--role", role, "--block"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        let mut child = command.spawn().unwrap();
        child.stdin.take().unwrap().write_all(format!("{password}\n").as_bytes()).unwrap();
        String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap()
    }

    /// `path` as an address for the browser.
    pub(crate) fn url(&self, path: &str) -> String {
        format!("{}{path}", self.root)
    }

    /// Comes in by the link where there are no accounts, then opens `path`.
    pub(crate) async fn open(&self, browser: &Browser, path: &str) {
        if let Some(link) = &self.link {
            browser.goto(link).await.unwrap();
            browser.wait_for(".summary, .empty").await;
        }
        browser.goto(&self.url(path)).await.unwrap();
    }

    /// Ends it as systemd does; [`Self::go_on`] starts it again.
    pub(crate) fn stop(&mut self) {
        self.signal("-TERM");
        _ = self.child.wait();
    }

    /// Starts it again in its folder, at the same address.
    pub(crate) fn go_on(&mut self) {
        let address = self.root.split_once("://").map(|(_, address)| address.to_owned());
        self.child = begun(&self.folder, "run", address.as_deref());
        let lines = BufReader::new(self.child.stderr.take().unwrap()).lines().map_while(Result::ok);
        std::thread::spawn(move || lines.for_each(drop));
    }

    /// Stops the process where it stands, as a daemon that hangs; [`Self::resume`] lets it go on.
    pub(crate) fn freeze(&self) {
        self.signal("-STOP");
    }

    /// Lets it go on.
    pub(crate) fn resume(&self) {
        self.signal("-CONT");
    }

    fn signal(&self, signal: &str) {
        _ = Command::new("kill").args([signal, &self.child.id().to_string()]).status();
    }

    /// Waits until the daemon has seen its boards.
    pub(crate) async fn settle(&self) {
        tokio::time::sleep(Duration::from_millis(2500)).await;
    }
}

fn begun(folder: &Path, subcommand: &str, address: Option<&str>) -> Child {
    let mut command = Command::new(program());
    command.arg(subcommand).arg("--config").arg(folder.join("flagfall.toml")).arg("--data-dir").arg(folder.join("data"));
    command.args(address.into_iter().flat_map(|address| ["--listen", address]));
    command.stderr(Stdio::piped()).spawn().expect("the daemon starts")
}

impl Drop for Arena {
    fn drop(&mut self) {
        self.resume();
        self.signal("-TERM");
        _ = self.child.wait();
        _ = std::fs::remove_dir_all(&self.folder);
    }
}

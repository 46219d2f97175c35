//! `flagfall demo` as a child process.
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

/// A running demo; it ends with the value.
pub struct Demo {
    child: Child,
    root: String,
}

impl Demo {
    /// Starts the binary that `FLAGFALL_BIN` names, else the workspace's debug build. Where there is none, says on one line that
    /// `test` is skipped and gives `None`.
    pub fn start(test: &str, boards: u16) -> Option<Self> {
        let built = || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../target/debug/flagfall");
        let binary = std::env::var_os("FLAGFALL_BIN").map_or_else(built, PathBuf::from);
        if !binary.exists() {
            println!("skipped: {test}: there is no {}; cargo build, or FLAGFALL_BIN=PATH", binary.display());
            return None;
        }
        let arguments = ["demo", "--listen", "127.0.0.1:0", "--speed", "30", "--boards", &boards.to_string()].map(String::from);
        let mut child = Command::new(&binary).args(arguments).stderr(Stdio::piped()).spawn().expect("the demo starts");
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines().map_while(Result::ok);
        let root =
            lines.find_map(|line| Some(line.strip_prefix("web: ")?.trim_end_matches('/').to_owned())).expect("the demo names its address");
        // What it says later must not block it.
        std::thread::spawn(move || lines.for_each(drop));
        Some(Self { child, root })
    }

    /// `path` as an address for the browser.
    pub fn url(&self, path: &str) -> String {
        format!("{}{path}", self.root)
    }
}

impl Drop for Demo {
    fn drop(&mut self) {
        // Gently, so that it removes its links.
        _ = Command::new("kill").args(["-TERM", &self.child.id().to_string()]).status();
        _ = self.child.wait();
    }
}

//! `flagfall demo` as a child process.
use super::program;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

/// A running demo; it ends with the value.
pub(crate) struct Demo {
    child: Child,
    root: String,
}

impl Demo {
    /// Starts it with so many boards.
    pub(crate) fn start(boards: u16) -> Self {
        let arguments = ["demo", "--listen", "127.0.0.1:0", "--speed", "30", "--boards", &boards.to_string()].map(String::from);
        let mut child = Command::new(program()).args(arguments).stderr(Stdio::piped()).spawn().expect("the demo starts");
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines().map_while(Result::ok);
        let root =
            lines.find_map(|line| Some(line.strip_prefix("web: ")?.trim_end_matches('/').to_owned())).expect("the demo names its address");
        // What it says later must not block it.
        std::thread::spawn(move || lines.for_each(drop));
        Self { child, root }
    }

    /// `path` as an address for the browser.
    pub(crate) fn url(&self, path: &str) -> String {
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

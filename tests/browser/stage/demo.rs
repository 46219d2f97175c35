//! `flagfall demo` as a child process.
use super::program;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, mpsc};
use std::time::Duration;

/// Long enough for a machine that does many things at once.
const PATIENCE: Duration = Duration::from_mins(2);

/// A running demo; it ends with the value.
pub(crate) struct Demo {
    child: Child,
    root: String,
    lines: Mutex<mpsc::Receiver<String>>,
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
        let (tell, later) = mpsc::channel();
        std::thread::spawn(move || lines.for_each(|line| _ = tell.send(line)));
        Self { child, root, lines: Mutex::new(later) }
    }

    /// The first line from here on that begins so.
    pub(crate) fn line(&self, start: &str) -> String {
        let lines = self.lines.lock().unwrap();
        loop {
            let line = lines.recv_timeout(PATIENCE).unwrap_or_else(|_| panic!("the demo says nothing that begins with {start:?}"));
            if line.starts_with(start) {
                return line;
            }
        }
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

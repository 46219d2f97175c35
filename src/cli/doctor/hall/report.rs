//! What is printed.
use std::fmt::Write as _;

/// What was found: lines for people, and what is wrong.
#[derive(Default)]
pub(super) struct Report {
    pub(super) text: String,
    pub(super) wrong: Vec<String>,
}

impl Report {
    pub(super) fn line(&mut self, what: &str, text: &str) {
        // Writing to a String cannot fail.
        let _ = writeln!(self.text, "{what:10} {text}");
    }

    pub(super) fn wrong(&mut self, what: &str, text: String) {
        self.line(what, &format!("! {text}"));
        self.wrong.push(text);
    }
}

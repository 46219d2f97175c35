//! Colours for people: only where a terminal shows them, and nobody said `NO_COLOR`. What is read by programs has none.
use anstream::{AutoStream, ColorChoice};
use anstyle::{AnsiColor, Style};
use std::io;

/// Whether there are colours, and which.
#[derive(Clone, Copy, Debug)]
pub struct Paint {
    on: bool,
}

impl Paint {
    /// As standard output has them.
    pub fn of_stdout() -> Self {
        Self { on: AutoStream::choice(&io::stdout()) != ColorChoice::Never }
    }

    /// As standard error has them.
    pub fn of_stderr() -> Self {
        Self { on: AutoStream::choice(&io::stderr()) != ColorChoice::Never }
    }

    /// Somebody has to do something.
    pub fn bad(self, text: &str) -> String {
        self.with(AnsiColor::Red.on_default().bold(), text)
    }

    /// Somebody should look.
    pub fn warn(self, text: &str) -> String {
        self.with(AnsiColor::Yellow.on_default(), text)
    }

    /// All is well.
    pub fn good(self, text: &str) -> String {
        self.with(AnsiColor::Green.on_default(), text)
    }

    /// What stands out.
    pub fn bold(self, text: &str) -> String {
        self.with(Style::new().bold(), text)
    }

    fn with(self, style: Style, text: &str) -> String {
        if self.on { format!("{style}{text}{style:#}") } else { String::from(text) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_colours_a_text_is_itself() {
        let plain = Paint { on: false };
        assert_eq!([plain.bad("a"), plain.warn("b"), plain.good("c"), plain.bold("d")], ["a", "b", "c", "d"]);
        let painted = Paint { on: true };
        assert!(painted.bad("a").starts_with("\x1b[") && painted.bad("a").ends_with("\x1b[0m"));
    }
}

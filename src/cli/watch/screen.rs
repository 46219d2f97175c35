//! The terminal, taken for a while: raw, on its other screen, without a cursor. It is given back when the value is dropped, and when anything
//! in the program panics.
use crate::cli::ExitError;
use ratatui::crossterm::event::{self, Event};
use ratatui::{DefaultTerminal, Frame};
use std::io::{self, IsTerminal as _};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;
use tokio::sync::mpsc::{self, UnboundedReceiver};

/// How often the thread that reads keys looks whether anybody still wants them.
const LOOKS: Duration = Duration::from_millis(200);

/// The terminal, as long as it is ours.
pub(super) struct Screen {
    terminal: DefaultTerminal,
}

/// Whether somebody sits in front of a terminal that can do it.
pub(super) fn can_be_taken() -> bool {
    let dumb = std::env::var_os("TERM").is_none_or(|term| term.is_empty() || term == "dumb");
    !dumb && io::stdin().is_terminal() && io::stdout().is_terminal()
}

impl Screen {
    /// Takes it; from here on a panic gives it back before it is told.
    pub(super) fn take() -> Result<Self, ExitError> {
        let cannot = |error: io::Error| ExitError::io(format_args!("the terminal cannot be used: {error}; try --plain"));
        Ok(Self { terminal: ratatui::try_init().map_err(cannot)? })
    }

    /// Draws it anew; only what differs is written.
    pub(super) fn draw(&mut self, draw: impl FnOnce(&mut Frame<'_>)) -> Result<(), ExitError> {
        self.terminal.draw(draw)?;
        Ok(())
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        // A terminal that is gone needs nothing back.
        let _ = self.terminal.show_cursor();
        let _ = ratatui::try_restore();
    }
}

/// Keys and changes of size, until the value is dropped or the terminal is gone.
pub(super) struct Keys {
    pub(super) events: UnboundedReceiver<Event>,
    wanted: Arc<AtomicBool>,
}

impl Keys {
    pub(super) fn read() -> Self {
        let (tell, events) = mpsc::unbounded_channel();
        let wanted = Arc::new(AtomicBool::new(true));
        let still = wanted.clone();
        // Reading blocks, so it has a thread of its own.
        thread::spawn(move || {
            while still.load(Ordering::Relaxed) {
                let told = match event::poll(LOOKS) {
                    Ok(true) => event::read().map(|event| tell.send(event).is_ok()),
                    Ok(false) => Ok(true),
                    Err(error) => Err(error),
                };
                if !told.unwrap_or(false) {
                    break;
                }
            }
        });
        Self { events, wanted }
    }
}

impl Drop for Keys {
    fn drop(&mut self) {
        self.wanted.store(false, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::{Command, Stdio};

    /// Set where the test below runs in a terminal of its own.
    const INSIDE: &str = "FLAGFALL_TEST_SCREEN";

    #[test]
    fn a_panic_gives_the_terminal_back_before_it_is_told() {
        if std::env::var_os(INSIDE).is_some() {
            let mut screen = Screen::take().unwrap();
            screen.draw(|frame| frame.render_widget("drawn", frame.area())).unwrap();
            panic!("on purpose");
        }
        let name = "cli::watch::screen::tests::a_panic_gives_the_terminal_back_before_it_is_told";
        let inside = format!("stty rows 24 cols 80; {} --exact {name} --nocapture; stty -a", std::env::current_exe().unwrap().display());
        let mut script = Command::new("script");
        script.args(["-qec", &inside, "/dev/null"]).env(INSIDE, "1").env("TERM", "xterm").stdin(Stdio::null());
        let said = String::from_utf8_lossy(&script.output().expect("script, of Debian's bsdutils").stdout).into_owned();
        let at = |part: &str| said.find(part).unwrap_or_else(|| panic!("no {part:?} in {said:?}"));
        let (taken, drawn, back, told) = (at("\x1b[?1049h"), at("drawn"), at("\x1b[?1049l"), at("on purpose"));
        assert!(taken < drawn && drawn < back && back < told, "{said:?}");
        assert!(said.rfind("\x1b[?25h") > said.rfind("\x1b[?25l"), "the cursor is seen again: {said:?}");
        let words: Vec<&str> = said.split_whitespace().collect();
        assert!(words.contains(&"icanon") && words.contains(&"echo"), "{said:?}");
    }
}

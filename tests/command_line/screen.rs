//! `flagfall watch` on a whole screen, in a real pseudo-terminal: it draws, is resized, rules, and gives the terminal back.
use super::terminal::Running;
use rustix::fs::{Mode, OFlags};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{LocalModes, Winsize, tcgetattr, tcsetwinsize};
use serde_json::Value;
use std::fs::File;
use std::io::{Read as _, Write as _};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::process::{Child, Command, ExitStatus};
use std::sync::{Arc, Condvar, Mutex};
use std::thread;
use std::time::Duration;

/// Long enough for a machine that does many things at once.
const PATIENCE: Duration = Duration::from_mins(2);

/// What stands on the screen, and whether it changed.
type Shown = Arc<(Mutex<vt100::Parser>, Condvar)>;

/// A program with a terminal of its own, and somebody who looks at it; it is ended when dropped.
pub(super) struct Terminal {
    child: Child,
    master: File,
    /// Open as long as this stands, so that its settings can be read after the program's end.
    slave: OwnedFd,
    shown: Shown,
}

impl Terminal {
    /// flagfall with these arguments.
    fn start(args: &[&str], size: (u16, u16)) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_flagfall"));
        command.args(args).env_clear().envs([("PATH", "/usr/bin:/bin"), ("TERM", "xterm-256color")]);
        Self::of(&command, size)
    }

    /// This command.
    pub(super) fn of(command: &Command, (columns, rows): (u16, u16)) -> Self {
        let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC).unwrap();
        grantpt(&master).unwrap();
        unlockpt(&master).unwrap();
        let path = ptsname(&master, Vec::new()).unwrap();
        let slave = rustix::fs::open(path, OFlags::RDWR | OFlags::NOCTTY | OFlags::CLOEXEC, Mode::empty()).unwrap();
        let shown: Shown = Arc::new((Mutex::new(vt100::Parser::new(rows, columns, 0)), Condvar::new()));
        tcsetwinsize(&master, size(columns, rows)).unwrap();
        let end = || slave.try_clone().unwrap();
        // A session of its own, on this terminal: only there is a change of size told.
        let child = Command::new("setsid")
            .arg("--ctty")
            .arg(command.get_program())
            .args(command.get_args())
            .env_clear()
            .envs(command.get_envs().filter_map(|(name, value)| Some((name, value?))))
            .stdin(end())
            .stdout(end())
            .stderr(end())
            .spawn()
            .expect("setsid, of Debian's util-linux");
        let master = File::from(master);
        let (mut output, seen) = (master.try_clone().unwrap(), shown.clone());
        thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(n @ 1..) = output.read(&mut bytes) {
                seen.0.lock().unwrap().process(&bytes[..n]);
                seen.1.notify_all();
            }
        });
        Self { child, master, slave, shown }
    }

    /// Waits until the screen is so.
    #[track_caller]
    pub(super) fn until(&self, what: &str, is: impl Fn(&vt100::Screen) -> bool) -> String {
        let (parser, changed) = &*self.shown;
        let (parser, late) = changed.wait_timeout_while(parser.lock().unwrap(), PATIENCE, |parser| !is(parser.screen())).unwrap();
        let text = parser.screen().contents();
        assert!(!late.timed_out(), "no {what} on\n{text}");
        text
    }

    /// Waits until this stands there.
    #[track_caller]
    pub(super) fn see(&self, text: &str) -> String {
        self.until(text, |screen| screen.contents().contains(text))
    }

    /// What stands there now.
    pub(super) fn look<T>(&self, at: impl Fn(&vt100::Screen) -> T) -> T {
        at(self.shown.0.lock().unwrap().screen())
    }

    fn press(&self, keys: &str) {
        (&self.master).write_all(keys.as_bytes()).unwrap();
    }

    fn resize(&self, columns: u16, rows: u16) {
        self.shown.0.lock().unwrap().screen_mut().set_size(rows, columns);
        tcsetwinsize(&self.master, size(columns, rows)).unwrap();
    }

    fn signal(&self, name: &str) {
        let sent = Command::new("kill").args([&format!("-{name}"), &self.child.id().to_string()]).status().unwrap();
        assert!(sent.success());
    }

    /// Waits until the program stands still, as a shell does before anybody can tell it to go on.
    fn stopped(&self) {
        let stat = format!("/proc/{}/stat", self.child.id());
        let look = Duration::from_millis(10);
        let stands = || {
            std::fs::read_to_string(&stat).unwrap().contains(") T ") || {
                thread::sleep(look);
                false
            }
        };
        assert!((0..PATIENCE.as_millis() / look.as_millis()).any(|_| stands()), "the program goes on");
    }

    /// Waits for the program's end; the terminal must be as it was.
    #[track_caller]
    pub(super) fn ended(mut self) -> ExitStatus {
        self.until("usual screen with a cursor", |screen| !screen.alternate_screen() && !screen.hide_cursor());
        let status = self.child.wait().unwrap();
        let modes = tcgetattr(&self.slave).unwrap().local_modes;
        assert!(modes.contains(LocalModes::ICANON | LocalModes::ECHO | LocalModes::ISIG), "{modes:?}");
        status
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        _ = self.child.kill();
        _ = self.child.wait();
    }
}

const fn size(columns: u16, rows: u16) -> Winsize {
    Winsize { ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 }
}

/// A demo of two boards with its illegal move, and the socket of its daemon.
fn demo(more: &[&str]) -> (Running, String) {
    let demo = Running::start(&[&["demo", "--boards", "2", "--listen", "127.0.0.1:0"], more].concat());
    let url = demo.line("web: ")["web: ".len()..].trim_end_matches('/').to_owned();
    let (socket, _) = crate::signed_in::socket(&url).unwrap();
    (demo, socket.to_str().unwrap().to_owned())
}

/// How the first finding on board 1 is doing.
fn status(socket: &str) -> String {
    let mut stream = UnixStream::connect(socket).unwrap();
    stream.write_all(b"GET /api/v1/arbiter/boards/1 HTTP/1.0\r\nHost: localhost\r\n\r\n").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    let board: Value = serde_json::from_str(answer.split_once("\r\n\r\n").unwrap().1).unwrap();
    board["findings"][0]["status"].as_str().unwrap().to_owned()
}

#[test]
fn the_table_draws_is_resized_rules_and_gives_the_terminal_back() {
    let (demo, socket) = demo(&["--speed", "1"]);
    demo.line("board 1: illegal move. ");
    let watch = Terminal::start(&["watch", "--socket", &socket], (110, 30));
    // A screen is drawn piece by piece.
    watch.until("wide table", |screen| {
        let text = screen.contents();
        ["№ 1 illegal move", "open findings 1", "Board 1 White", "c confirm"].iter().all(|part| text.contains(part))
    });
    watch.resize(64, 20);
    let narrow = watch.until("narrow table", |screen| {
        let text = screen.contents();
        text.contains("№ 1 illegal move") && !text.contains("Board 1 White")
    });
    assert!(narrow.lines().all(|line| line.chars().count() <= 64), "{narrow}");
    // On to the second board, where nothing is open, and back by the key for what waits.
    watch.press("\x1b[B");
    watch.press("\t\r");
    watch.see("waits for your ruling");
    watch.see("Set the clock to: ");
    watch.press("c");
    watch.see("Confirm as proposed: board 1, № 1 illegal move?");
    watch.press("\r");
    watch.until("no question", |screen| !screen.contents().contains("Confirm as proposed"));
    assert_eq!(status(&socket), "open", "Enter is no yes");
    watch.press("cy");
    watch.see("board 1: № 1 confirmed as proposed");
    watch.see("№ 1 illegal move: confirmed");
    assert_eq!(status(&socket), "confirmed");
    // What is ruled already is not asked about again.
    watch.press("d\x1b");
    watch.see("open findings 0");
    watch.press("q");
    assert!(watch.ended().success());
}

#[test]
fn signals_give_the_terminal_back() {
    let (_demo, socket) = demo(&["--incidents", "off"]);
    for signal in ["TERM", "INT", "HUP", "QUIT"] {
        let watch = Terminal::start(&["watch", "--socket", &socket], (80, 24));
        watch.until("table", |screen| screen.alternate_screen() && screen.contents().contains("boards 2"));
        watch.signal(signal);
        assert!(watch.ended().success(), "{signal}");
    }
    // Stopped and told to go on, it draws everything anew.
    let watch = Terminal::start(&["watch", "--socket", &socket], (80, 24));
    watch.see("boards 2");
    watch.press("\x1a");
    watch.until("usual screen", |screen| !screen.alternate_screen());
    watch.stopped();
    watch.signal("CONT");
    watch.until("table again", |screen| screen.alternate_screen() && screen.contents().contains("boards 2"));
    watch.press("\x03");
    assert!(watch.ended().success());
}

#[test]
fn lines_where_they_are_asked_for_and_no_screen_for_what_goes_wrong() {
    let (_demo, socket) = demo(&["--incidents", "off", "--speed", "20"]);
    let plain = Terminal::start(&["watch", "--plain", "--all", "--socket", &socket], (80, 24));
    plain.see("  1. ");
    assert!(!plain.look(vt100::Screen::alternate_screen));
    plain.signal("TERM");
    assert!(plain.ended().success());
    let nobody = Terminal::start(&["watch", "--socket", "/nowhere/8064.sock"], (80, 24));
    nobody.see("no daemon answers there");
    assert_eq!(nobody.ended().code(), Some(69));
}

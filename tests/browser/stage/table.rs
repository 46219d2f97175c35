//! A board, a clock and the hands at it, on a pseudo-terminal: what a test tells them to do, byte for byte as real ones would say it.
use rustix::fs::{OFlags, fcntl_setfl};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use std::fs::File;
use std::io::{Read as _, Write as _};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// Wire codes of the pieces, from 1.
const CODES: &str = "PRNBKQprnbkq";
/// Between two steps of a hand: longer than the scanner's round.
const HAND: Duration = Duration::from_millis(260);

/// White's and Black's side of the clock.
const SIDES: [&str; 2] = ["white", "black"];

struct Device {
    squares: [u8; 64],
    left_ms: [i64; 2],
    increment_ms: i64,
    up: usize,
    running: bool,
    read_at: Instant,
    said: [i64; 2],
    out: Vec<u8>,
}

/// A table in the hall; it is taken away with the value.
pub(crate) struct Table {
    /// Where a daemon finds it.
    pub(crate) path: PathBuf,
    device: Arc<Mutex<Device>>,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Table {
    /// Sets up the pieces, and the clock to this base and increment in seconds, the first increment granted.
    pub(crate) fn set_up(base_s: i64, increment_s: i64) -> Self {
        let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
        grantpt(&master).unwrap();
        unlockpt(&master).unwrap();
        fcntl_setfl(&master, OFlags::NONBLOCK).unwrap();
        let path = PathBuf::from(ptsname(&master, Vec::new()).unwrap().into_string().unwrap());
        let mut squares = [0; 64];
        for (row, rank) in ["rnbqkbnr", "pppppppp", "", "", "", "", "PPPPPPPP", "RNBQKBNR"].into_iter().enumerate() {
            for (file, piece) in rank.chars().enumerate() {
                squares[row * 8 + file] = code(piece);
            }
        }
        let each = (base_s + increment_s) * 1000;
        let device = Device {
            squares,
            left_ms: [each; 2],
            increment_ms: increment_s * 1000,
            up: 0,
            running: false,
            read_at: Instant::now(),
            said: [0; 2],
            out: Vec::new(),
        };
        let (device, stop) = (Arc::new(Mutex::new(device)), Arc::new(AtomicBool::new(false)));
        let thread = thread::spawn({
            let (device, stop) = (device.clone(), stop.clone());
            move || serve(File::from(master), &device, &stop)
        });
        Self { path, device, stop, thread: Some(thread) }
    }

    fn with(&self, act: impl FnOnce(&mut Device)) {
        act(&mut self.device.lock().unwrap());
    }

    /// Lifts what stands there, or puts a piece down; `.` is nothing.
    pub(crate) async fn change(&self, square: &str, piece: char) {
        self.with(|device| device.put(square, code(piece)));
        tokio::time::sleep(HAND).await;
    }

    /// Carries what stands on a square to another one, taking off what is there.
    pub(crate) async fn carry(&self, from: &str, to: &str) {
        let mut piece = 0;
        self.with(|device| {
            piece = device.squares[index(from)];
            device.put(from, 0);
        });
        tokio::time::sleep(HAND).await;
        self.with(|device| device.put(to, piece));
        tokio::time::sleep(HAND).await;
    }

    /// The side that runs presses.
    pub(crate) async fn press(&self) {
        self.with(Device::press);
        tokio::time::sleep(HAND * 2).await;
    }

    /// Moves and presses.
    pub(crate) async fn play(&self, moves: &str) {
        for uci in moves.split_whitespace() {
            self.carry(&uci[..2], &uci[2..4]).await;
            self.press().await;
        }
    }

    /// Starts the clock; the side that is up runs.
    pub(crate) async fn start(&self) {
        self.with(|device| device.run(true));
        tokio::time::sleep(HAND).await;
    }

    /// Stops it.
    pub(crate) async fn stop_clock(&self) {
        self.with(|device| device.run(false));
        tokio::time::sleep(HAND).await;
    }

    /// The arbiter's hands: both times in seconds, and whose side is up.
    pub(crate) async fn set(&self, white_s: i64, black_s: i64, up: &str) {
        self.with(|device| {
            device.left_ms = [white_s * 1000, black_s * 1000];
            device.up = usize::from(up == SIDES[1]);
            device.report();
        });
        tokio::time::sleep(HAND).await;
    }
}

impl Drop for Table {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            thread.join().unwrap();
        }
    }
}

impl Device {
    fn put(&mut self, square: &str, piece: u8) {
        let at = index(square);
        self.squares[at] = piece;
        self.out.extend([0x8e, 0, 5, u8::try_from(at).unwrap(), piece]);
    }

    /// Takes off what has run since the last look, and says so when a display stepped.
    fn pass(&mut self) {
        let now = Instant::now();
        let gone = now.duration_since(self.read_at).as_millis();
        if self.running {
            self.left_ms[self.up] = (self.left_ms[self.up] - i64::try_from(gone).unwrap()).max(0);
        }
        // What is less than a millisecond counts at the next look; lost, it would be a slow clock.
        self.read_at += Duration::from_millis(u64::try_from(gone).unwrap());
        if self.shown() != self.said {
            self.report();
        }
    }

    fn shown(&self) -> [i64; 2] {
        self.left_ms.map(|ms| (ms + 999) / 1000)
    }

    fn press(&mut self) {
        self.pass();
        if self.running {
            self.left_ms[self.up] += self.increment_ms;
        }
        self.up = 1 - self.up;
        self.report();
    }

    fn run(&mut self, on: bool) {
        self.pass();
        self.running = on;
        self.report();
    }

    /// White is left: the right display comes first.
    fn report(&mut self) {
        self.said = self.shown();
        let byte = |n: i64| u8::try_from(n).unwrap();
        let bcd = |n: i64| byte(n / 10 * 16 + n % 10);
        let side = |s: i64| [byte(s / 3600) | 0x20, bcd(s / 60 % 60), bcd(s % 60)];
        let status = if self.up == 0 { 0x08 } else { 0x12 } | u8::from(self.running);
        self.out.extend([0x8d, 0, 10]);
        self.out.extend(side(self.said[1]));
        self.out.extend(side(self.said[0]));
        self.out.push(status);
    }

    fn answer(&mut self, command: u8) {
        match command {
            0x41 => self.report(),
            0x42 => {
                self.out.extend([0x86, 0, 67]);
                self.out.extend(self.squares);
            }
            0x45 => self.out.extend(b"\x91\x00\x0854321"),
            0x4d => self.out.extend([0x93, 0, 5, 1, 8]),
            0x55 => self.out.extend(b"\xa2\x00\x0d3000054321"),
            _ => {}
        }
    }
}

fn serve(mut master: File, device: &Mutex<Device>, stop: &AtomicBool) {
    let mut buffer = [0; 256];
    // Bytes of a message to the clock that are still to come.
    let mut skip = 0;
    let mut clock_message = false;
    while !stop.load(Ordering::Relaxed) {
        // Nobody has it open, or nothing is there: both are no reason to end.
        let n = master.read(&mut buffer).unwrap_or(0);
        let out = {
            let mut device = device.lock().unwrap();
            for &byte in &buffer[..n] {
                if clock_message {
                    (clock_message, skip) = (false, usize::from(byte));
                } else if skip > 0 {
                    skip -= 1;
                } else if byte == 0x2b {
                    clock_message = true;
                } else {
                    device.answer(byte);
                }
            }
            device.pass();
            std::mem::take(&mut device.out)
        };
        let mut rest = &out[..];
        for _ in 0..200 {
            match master.write(rest) {
                Ok(written) => rest = &rest[written..],
                Err(_) => thread::sleep(Duration::from_millis(3)),
            }
            if rest.is_empty() {
                break;
            }
        }
        thread::sleep(Duration::from_millis(4));
    }
}

fn code(piece: char) -> u8 {
    CODES.find(piece).map_or(0, |i| u8::try_from(i + 1).unwrap())
}

/// The wire counts from a8.
fn index(square: &str) -> usize {
    let [file, rank] = square.as_bytes() else { panic!("{square:?} is no square") };
    usize::from(b'8' - rank) * 8 + usize::from(file - b'a')
}

//! A board on a pty that answers by the book and remembers what it was asked; for tests of the link.
//!
//! It is no second simulator: nobody plays on it, and it has no scanner and no time. `src/simulator` answers as boards do; this one says any bytes
//! at any moment, right or wrong, floods, hangs up, and is a modem or mute, which no player's board should be able to do. Both encode with
//! `dgt-protocol`, whose bytes are checked against the reference by its own tests.
#![allow(clippy::unwrap_used, dead_code, reason = "a test may; each test binary uses its own part")]
use dgt_protocol::clock::{Ack, ClockReport, ClockTimes, Lever, SideTime};
use dgt_protocol::command::{ClockCommand, Command, CommandDecoder};
use dgt_protocol::message::Message;
use dgt_protocol::square::PieceCode;
use rustix::fs::{OFlags, fcntl_setfl};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use std::fs::{self, File};
use std::io::{ErrorKind, Read as _, Write as _};
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, mpsc};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// What sits at the other end.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Kind {
    /// A board with this serial number.
    Board(&'static str),
    /// Something that answers every byte with "OK".
    Modem,
    /// Nothing answers.
    Mute,
}

/// One pty; the other side is closed when it is dropped.
pub(crate) struct ScriptedBoard {
    pub(crate) path: PathBuf,
    asked: Arc<Mutex<Vec<Command>>>,
    orders: mpsc::Sender<Vec<u8>>,
    wire: File,
    thread: Option<JoinHandle<()>>,
}

impl ScriptedBoard {
    pub(crate) fn new(kind: Kind) -> Self {
        let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
        grantpt(&master).unwrap();
        unlockpt(&master).unwrap();
        fcntl_setfl(&master, OFlags::NONBLOCK).unwrap();
        let path = PathBuf::from(ptsname(&master, Vec::new()).unwrap().into_string().unwrap());
        let asked = Arc::new(Mutex::new(Vec::new()));
        let (orders, inbox) = mpsc::channel();
        let log = asked.clone();
        let master = File::from(master);
        let wire = master.try_clone().unwrap();
        let thread = thread::spawn(move || serve(master, kind, &log, &inbox));
        Self { path, asked, orders, wire, thread: Some(thread) }
    }

    /// What it was asked so far.
    pub(crate) fn asked(&self) -> Vec<Command> {
        self.asked.lock().unwrap().clone()
    }

    /// Says this when it has nothing else to say.
    pub(crate) fn say(&self, bytes: &[u8]) {
        self.orders.send(bytes.to_vec()).unwrap();
    }

    /// Says this at once, whatever else it is saying.
    pub(crate) fn say_now(&self, bytes: &[u8]) {
        // The kernel turns a second writer away while the first one, the thread that answers, is inside.
        while let Err(error) = (&self.wire).write(bytes).map(|written| assert_eq!(written, bytes.len())) {
            assert_eq!(error.kind(), ErrorKind::WouldBlock);
            thread::yield_now();
        }
    }

    /// Says as much of it as the kernel takes now; how much that was.
    pub(crate) fn flood(&self, bytes: &[u8]) -> usize {
        let mut said = 0;
        while let Ok(some @ 1..) = (&self.wire).write(&bytes[said..]) {
            said += some;
        }
        said
    }

    /// Makes `link` lead here.
    pub(crate) fn plug(&self, link: &Path) {
        let _ = fs::remove_file(link);
        symlink(&self.path, link).unwrap();
    }

    /// Closes its side; the node is gone afterwards.
    pub(crate) fn hang_up(mut self) {
        self.end();
    }

    fn end(&mut self) {
        let (dead, _) = mpsc::channel();
        self.orders = dead;
        if let Some(thread) = self.thread.take() {
            thread.join().unwrap();
        }
        // The last copy of the descriptor: now the other side hangs up.
        self.wire = File::open("/dev/null").unwrap();
    }
}

impl Drop for ScriptedBoard {
    fn drop(&mut self) {
        self.end();
    }
}

fn serve(mut master: File, kind: Kind, log: &Mutex<Vec<Command>>, inbox: &mpsc::Receiver<Vec<u8>>) {
    let mut decoder = CommandDecoder::new();
    let (mut buffer, mut fields) = ([0; 256], start_position());
    loop {
        match inbox.recv_timeout(Duration::from_millis(3)) {
            Ok(bytes) => {
                // What it said of a field stands in what it says of the whole board.
                if let [0x8e, 0, 5, square, piece] = bytes[..] {
                    fields[usize::from(square)] = PieceCode::from_nibble(piece);
                }
                write(&mut master, &bytes);
            }
            Err(mpsc::RecvTimeoutError::Timeout) => {}
            Err(mpsc::RecvTimeoutError::Disconnected) => return,
        }
        // Nobody has it open, or nothing is there: both are no reason to end.
        let n = master.read(&mut buffer).unwrap_or(0);
        decoder.feed(&buffer[..n]);
        for command in decoder.by_ref() {
            let reply = match kind {
                Kind::Board(serial) => answer(serial, &fields, &command).map(|m| m.encode()),
                Kind::Modem => Some(b"OK\r\n".to_vec()),
                Kind::Mute => None,
            };
            log.lock().unwrap().push(command);
            write(&mut master, &reply.unwrap_or_default());
        }
    }
}

fn write(master: &mut File, mut bytes: &[u8]) {
    for _ in 0..1_000 {
        match master.write(bytes) {
            Ok(n) => bytes = &bytes[n..],
            Err(_) => thread::sleep(Duration::from_millis(3)),
        }
        if bytes.is_empty() {
            return;
        }
    }
}

fn answer(serial: &str, fields: &[PieceCode; 64], command: &Command) -> Option<Message> {
    Some(match command {
        Command::SendVersion => Message::Version { main: 1, sub: 8 },
        Command::SendSerialNumber => Message::SerialNumber(serial.as_bytes().try_into().unwrap()),
        // The oldest boards know no long number, and none of their own.
        Command::SendLongSerialNumber if serial == "00000" => return None,
        Command::SendLongSerialNumber => Message::LongSerialNumber(*b"3000001025"),
        Command::SendHardwareVersion => Message::HardwareVersion { main: 1, sub: 0 },
        Command::SendBoard => Message::BoardDump(Box::new(*fields)),
        Command::SendClock => Message::Clock(ClockReport::Time(ClockTimes {
            right: SideTime { minutes: 5, ..SideTime::default() },
            left: SideTime { minutes: 5, ..SideTime::default() },
            running: false,
            lever: Lever::LeftHigh,
            battery_low: false,
            turn_bits: 1,
        })),
        Command::Clock(ClockCommand::Version) => Message::Clock(ClockReport::Ack(Ack { ack0: 0x10, ack1: 9, ack2: 0x20, ack3: 0 })),
        _ => return None,
    })
}

pub(crate) fn start_position() -> [PieceCode; 64] {
    use PieceCode::*;
    let mut fields = [Empty; 64];
    fields[..8].copy_from_slice(&[BlackRook, BlackKnight, BlackBishop, BlackQueen, BlackKing, BlackBishop, BlackKnight, BlackRook]);
    fields[8..16].fill(BlackPawn);
    fields[48..56].fill(WhitePawn);
    fields[56..].copy_from_slice(&[WhiteRook, WhiteKnight, WhiteBishop, WhiteQueen, WhiteKing, WhiteBishop, WhiteKnight, WhiteRook]);
    fields
}

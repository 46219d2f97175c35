//! A serial link on real ptys.
#![allow(clippy::unwrap_used, reason = "a test may")]
use crate::scripted_board::{Kind, ScriptedBoard};
use dgt_protocol::command::Command;
use flagfall::time::Stopwatch;
use flagfall_events::Mono;
use flagfall_link::event::{LinkEvent, Up};
use flagfall_link::open::OpenError;
use flagfall_link::serial::{self, Connection};
use flagfall_link::startup::Loss;
use std::path::PathBuf;
use std::time::Duration;
use tokio::sync::mpsc;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

const BOARD: Kind = Kind::Board("01025");
/// How long a test waits before it calls something missing.
const PATIENCE: Duration = Duration::from_mins(2);

/// A kept link and what it says.
struct Kept {
    events: mpsc::Receiver<(Mono, LinkEvent)>,
    token: CancellationToken,
    last: Mono,
}

impl Kept {
    fn start(port: PathBuf, capacity: usize) -> Self {
        let (sender, events) = mpsc::channel(capacity);
        let token = CancellationToken::new();
        let stop = token.clone();
        tokio::spawn(async move { serial::keep(&port, &sender, Stopwatch::start(), &stop).await });
        Self { events, token, last: Mono::ZERO }
    }

    async fn next(&mut self) -> LinkEvent {
        let (t, event) = timeout(PATIENCE, self.events.recv()).await.expect("an event in time").expect("a link that lives");
        assert!(t >= self.last, "time runs forward: {t:?} after {:?}", self.last);
        self.last = t;
        event
    }

    async fn up(&mut self) -> Up {
        loop {
            if let LinkEvent::Up(up) = self.next().await {
                return up;
            }
        }
    }

    async fn down(&mut self) -> String {
        loop {
            if let LinkEvent::Down(reason) = self.next().await {
                return reason;
            }
        }
    }

    /// Everything that comes from the board, up to and with `tail`.
    async fn bytes_until(&mut self, tail: &[u8]) -> Vec<u8> {
        let mut all: Vec<u8> = Vec::new();
        loop {
            if let LinkEvent::Bytes(bytes) = self.next().await {
                let from = all.len().saturating_sub(tail.len());
                all.extend_from_slice(&bytes);
                if let Some(at) = all[from..].windows(tail.len()).position(|w| w == tail) {
                    all.truncate(from + at + tail.len());
                    return all;
                }
            }
            assert!(all.len() < 100_000, "never came: {tail:02X?}");
        }
    }
}

#[tokio::test]
async fn a_board_is_greeted_and_its_bytes_arrive_whole() {
    let board = ScriptedBoard::new(BOARD);
    let mut link = Kept::start(board.path.clone(), 64);
    let up = link.up().await;
    assert_eq!(up.identity.serial.as_deref(), Some("01025"));
    assert_eq!(up.identity.firmware_text().as_deref(), Some("1.08"));
    // The acknowledgement of the clock's version ends the start-up.
    let bytes = link.bytes_until(&[0x8D, 0x00, 0x0A, 0x0A, 0x10, 0x09, 0x0A, 0x20, 0x00, 0x00]).await;
    assert_eq!(bytes[..5], [0x93, 0x00, 0x05, 1, 8], "what was read before it was known to be a board is kept");
    // The order of all of them is tested beside the session.
    assert_eq!(board.asked()[..2], [Command::Reset, Command::SendVersion]);
}

#[tokio::test]
async fn commands_of_the_game_are_written_and_told() {
    let board = ScriptedBoard::new(BOARD);
    let mut link = Kept::start(board.path.clone(), 64);
    let up = link.up().await;
    up.commands.send(Command::Other(0x4E)).await.unwrap();
    up.commands.send(Command::SendTrademark).await.unwrap();
    loop {
        match link.next().await {
            LinkEvent::Sent(bytes) if bytes == [0x47].as_slice() => break,
            LinkEvent::Sent(bytes) => assert!(!bytes.is_empty() && bytes != [0x4E].as_slice()),
            _ => {}
        }
    }
    assert!(!board.asked().iter().any(|c| matches!(c, Command::Other(_))));
}

#[tokio::test]
async fn after_a_hang_up_the_stable_link_is_followed_to_the_new_node() {
    let folder = tempfile::tempdir().unwrap();
    let port = folder.path().join("usb-DGT_board");
    let board = ScriptedBoard::new(BOARD);
    board.plug(&port);
    let mut link = Kept::start(port.clone(), 64);
    link.up().await;
    link.bytes_until(&[0x01; 8]).await;
    board.hang_up();
    assert_eq!(link.down().await, Loss::HungUp.to_string());

    let back = ScriptedBoard::new(BOARD);
    back.plug(&port);
    link.up().await;
    let whole_dump = crate::scripted_board::start_position().map(|piece| piece as u8);
    let bytes = link.bytes_until(&whole_dump[56..]).await;
    assert!(bytes.ends_with(&whole_dump));
    assert_eq!(back.asked()[..2], [Command::Reset, Command::SendVersion]);
}

#[tokio::test]
async fn a_port_that_is_not_there_is_told_once_and_waited_for() {
    let folder = tempfile::tempdir().unwrap();
    let port = folder.path().join("ttyUSB0");
    let mut link = Kept::start(port.clone(), 64);
    assert_eq!(link.down().await, OpenError::Missing.to_string());
    tokio::time::sleep(Duration::from_secs(1)).await;
    assert!(link.events.is_empty(), "the second failure is no news");
    let board = ScriptedBoard::new(BOARD);
    board.plug(&port);
    link.up().await;
    drop(board);
}

#[tokio::test]
async fn a_port_in_use_says_so() {
    let board = ScriptedBoard::new(BOARD);
    let stopwatch = Stopwatch::start();
    let first = Connection::open(&board.path, stopwatch).await.unwrap();
    assert_eq!(Connection::open(&board.path, stopwatch).await.unwrap_err(), OpenError::InUse);
    drop(first);
    Connection::open(&board.path, stopwatch).await.unwrap();
}

#[tokio::test]
async fn a_file_is_no_serial_port() {
    let file = tempfile::NamedTempFile::new().unwrap();
    assert_eq!(Connection::open(file.path(), Stopwatch::start()).await.unwrap_err(), OpenError::NotSerial);
    assert_eq!(Connection::open("/dev/null".as_ref(), Stopwatch::start()).await.unwrap_err(), OpenError::NotSerial);
}

#[tokio::test]
async fn what_answers_otherwise_is_told_from_what_is_silent() {
    let probe = |kind| async move {
        let other = ScriptedBoard::new(kind);
        Connection::open(&other.path, Stopwatch::start()).await.unwrap().identify().await.cloned()
    };
    let (modem, mute) = tokio::join!(probe(Kind::Modem), probe(Kind::Mute));
    assert_eq!(modem, Err(Loss::NotABoard));
    assert_eq!(mute, Err(Loss::Mute));
}

#[tokio::test]
async fn a_full_channel_loses_no_byte() {
    let board = ScriptedBoard::new(BOARD);
    let mut link = Kept::start(board.path.clone(), 1);
    link.up().await;
    link.bytes_until(&[0x8D, 0x00, 0x0A, 0x0A, 0x10, 0x09, 0x0A, 0x20, 0x00, 0x00]).await;
    let updates: Vec<u8> = (0..2_000_u16).flat_map(|n| [0x8E, 0x00, 0x05, (n % 64) as u8, (n % 13) as u8]).collect();
    for chunk in updates.chunks(200) {
        board.say(chunk);
    }
    tokio::time::sleep(Duration::from_secs(2)).await;
    board.say(&[0x96, 0x00, 0x05, 0x7F, 0x7F]);
    let mut bytes = link.bytes_until(&[0x96, 0x00, 0x05, 0x7F, 0x7F]).await;
    bytes.truncate(bytes.len() - 5);
    // Answers to keep-alives may stand between; they are whole frames.
    let mut rest = bytes.as_slice();
    let mut seen = Vec::new();
    while let [id, hi, lo, ..] = rest {
        let length = usize::from(*hi) << 7 | usize::from(*lo);
        if *id == 0x8E {
            seen.extend_from_slice(&rest[..length]);
        }
        rest = &rest[length..];
    }
    assert_eq!(seen, updates);
}

#[tokio::test]
async fn cancelling_ends_the_link_and_closes_the_port() {
    let board = ScriptedBoard::new(BOARD);
    let mut link = Kept::start(board.path.clone(), 64);
    link.up().await;
    link.token.cancel();
    while let Some((_, event)) = timeout(PATIENCE, link.events.recv()).await.unwrap() {
        assert!(!matches!(event, LinkEvent::Down(_)), "a stop is no loss");
    }
    Connection::open(&board.path, Stopwatch::start()).await.unwrap();
}

//! A host on the other end of the simulated board's port.
use super::pace::Kind;
use super::pty::{Programme, PtyHandle, spawn};
use super::stream::Options;
use super::stream_tests::game;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio_serial::{SerialPortBuilderExt as _, SerialStream};
use tokio_util::sync::CancellationToken;

const PATIENCE: Duration = Duration::from_secs(20);
const VERSION: [u8; 5] = [0x93, 0x00, 0x05, 0x01, 0x08];

fn board(link: &Path, pgn: &str, token: &CancellationToken) -> PtyHandle {
    let options = Options { speed: 1000.0, ..Options::new(Kind::Blitz, 1) };
    let play = Programme { games: vec![game(pgn)], repeat: false, options, link: Some(link.to_owned()) };
    spawn(play, token.clone()).expect("a pseudo-terminal can be made")
}

fn open(path: &Path, speed: u32) -> SerialStream {
    tokio_serial::new(path.to_string_lossy(), speed).exclusive(true).open_native_async().expect("the port opens")
}

async fn ask(port: &mut SerialStream, question: &[u8], answer: &mut [u8]) {
    port.write_all(question).await.expect("the board takes a command");
    let read = tokio::time::timeout(PATIENCE, port.read_exact(answer)).await;
    read.expect("the board answers").expect("the port stays open");
}

fn place() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let link = folder.path().join("board");
    (folder, link)
}

#[tokio::test]
async fn a_host_that_closes_and_comes_back_finds_the_same_board() {
    let ((_folder, link), token) = (place(), CancellationToken::new());
    let board = board(&link, "1.e4 *", &token);
    for _ in 0..2 {
        let mut port = open(board.path(), 9600);
        let mut answer = [0; 5];
        ask(&mut port, &[0x4D], &mut answer).await;
        assert_eq!(answer, VERSION);
        assert_eq!(board.complaint(), None);
    }
    token.cancel();
    board.join().await;
    assert!(link.symlink_metadata().is_err(), "the link goes with the board");
}

/// The runtime tells of the hang-up when the port is open again already; a board that looks for it in circles would hear nothing but bytes.
#[test]
fn a_host_that_comes_back_before_the_board_has_looked_finds_the_same_board() {
    let (tell, told) = std::sync::mpsc::channel();
    let host = async move {
        let ((_folder, link), token) = (place(), CancellationToken::new());
        let board = board(&link, "1.e4 *", &token);
        for _ in 0..3 {
            let mut port = open(board.path(), 9600);
            for _ in 0..3 {
                ask(&mut port, &[0x4D], &mut [0; 5]).await;
            }
            drop(port);
            // On one thread: the hang-up is known, and the board's turn is after this one.
            tokio::task::yield_now().await;
        }
        // Nobody waits on the other side where the test has failed.
        let _ = tell.send(());
    };
    std::thread::spawn(|| tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime").block_on(host));
    told.recv_timeout(PATIENCE).expect("the board answers each time");
}

#[tokio::test]
async fn a_host_with_the_wrong_speed_is_told() {
    let ((_folder, link), token) = (place(), CancellationToken::new());
    let board = board(&link, "1.e4 *", &token);
    let mut port = open(board.path(), 19_200);
    ask(&mut port, &[0x4D], &mut [0; 5]).await;
    assert!(board.complaint().expect("a complaint").contains("19200"));
    token.cancel();
    board.join().await;
}

/// Python's termios, pyserial and stty change the output's speed and leave the bits of the input's as they were.
#[tokio::test]
async fn a_host_that_sets_its_speed_by_the_older_calls_is_right() {
    use rustix::termios::{OptionalActions, tcgetattr, tcsetattr};
    let ((_folder, link), token) = (place(), CancellationToken::new());
    let board = board(&link, "1.e4 *", &token);
    for (speed, complaint) in [(9600, None), (19_200, Some("the host did not set 9600 8N1: speed 19200 instead of 9600"))] {
        let port = std::fs::OpenOptions::new().read(true).write(true).open(board.path()).expect("the port opens");
        let mut modes = tcgetattr(&port).expect("it has modes");
        modes.set_output_speed(speed).expect("a speed");
        tcsetattr(&port, OptionalActions::Now, &modes).expect("they are set");
        io::Write::write_all(&mut &port, &[0x4D]).expect("the board takes a command");
        let read = tokio::task::spawn_blocking(move || io::Read::read_exact(&mut &port, &mut [0; 5]));
        tokio::time::timeout(PATIENCE, read).await.expect("in time").expect("it reads").expect("the board answers");
        assert_eq!(board.complaint().as_deref(), complaint);
        if complaint.is_none() {
            board.unplug().await;
            board.replug().await.expect("a new port");
        }
    }
    token.cancel();
    board.join().await;
}

#[tokio::test]
async fn an_unplugged_board_hangs_up_and_comes_back_under_its_link_with_moves_played_meanwhile() {
    let ((_folder, link), token) = (place(), CancellationToken::new());
    let board = board(&link, "1.e4 e5 *", &token);
    let mut port = open(&link, 9600);
    let mut dump = [0; 67];
    ask(&mut port, &[0x4B, 0x42], &mut dump).await;
    assert_eq!(dump[..4], [0x86, 0x00, 0x43, 0x08]);
    board.unplug().await;
    let mut rest = Vec::new();
    let end = tokio::time::timeout(PATIENCE, port.read_to_end(&mut rest)).await.expect("a hang-up");
    assert!(end.is_ok() || end.is_err_and(|e| e.kind() != io::ErrorKind::TimedOut));
    drop(port);
    assert!(link.symlink_metadata().is_err(), "an unplugged board has no port");
    // The players go on: half a second after the last move every scan has seen it.
    let last = board.games()[0].plies[1].last_down;
    tokio::time::sleep(Duration::from_millis(last + 500)).await;
    board.replug().await.expect("a new port");
    let mut port = open(&link, 9600);
    ask(&mut port, &[0x4B, 0x42], &mut dump).await;
    assert_eq!((dump[3 + 36], dump[3 + 28]), (0x01, 0x07), "the pawns stand on e4 and e5");
    assert_eq!(board.games()[0].uci(), ["e2e4", "e7e5"]);
    token.cancel();
    board.join().await;
}

#[tokio::test]
async fn what_is_still_queued_when_the_board_ends_can_be_read() {
    let ((_folder, link), token) = (place(), CancellationToken::new());
    let board = board(&link, "1.e4 *", &token);
    let mut port = open(&link, 9600);
    ask(&mut port, &[0x4D], &mut [0; 5]).await;
    port.write_all(&[0x42]).await.unwrap();
    // The dump is on its way: 70 ms of the simulated wire.
    tokio::time::sleep(Duration::from_millis(150)).await;
    token.cancel();
    let mut dump = [0; 67];
    tokio::time::timeout(PATIENCE, port.read_exact(&mut dump)).await.expect("in time").expect("the whole dump");
    assert_eq!(dump[0], 0x86);
    board.join().await;
}

#[tokio::test]
async fn a_file_at_the_links_path_is_left_alone() {
    let ((_folder, link), token) = (place(), CancellationToken::new());
    std::fs::write(&link, "precious").unwrap();
    let play = Programme { games: vec![game("1.e4 *")], repeat: false, options: Options::new(Kind::Clean, 1), link: Some(link.clone()) };
    let error = spawn(play, token).expect_err("refused").to_string();
    assert!(error.contains("choose another path"), "{error}");
    assert_eq!(std::fs::read_to_string(&link).unwrap(), "precious");
}

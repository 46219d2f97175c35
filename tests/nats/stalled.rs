//! A server that delivers nothing of the stream for a while, as one that was killed and is busy does.
use super::server::Broker;
use super::table::{Daemon, Room, until};
use std::fs;
use std::net::{Ipv4Addr, SocketAddr};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, copy};
use tokio::net::{TcpListener, TcpStream};

const BOARDS: [&str; 6] = ["1", "2", "3", "4", "5", "6"];
/// More than anybody would ask for one by one.
const MANY: usize = 1_100;

/// Between a client and a server: what the server's consumers of events deliver is lost, every answer comes.
async fn lay(server: SocketAddr) -> SocketAddr {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
    let end = listener.local_addr().unwrap();
    tokio::spawn(async move {
        while let Ok((client, _)) = listener.accept().await {
            let Ok(server) = TcpStream::connect(server).await else { return };
            let ((mut from_client, to_client), (from_server, mut to_server)) = (client.into_split(), server.into_split());
            tokio::spawn(async move { copy(&mut from_client, &mut to_server).await });
            tokio::spawn(sift(from_server, to_client));
        }
    });
    end
}

async fn sift(mut server: impl tokio::io::AsyncRead + Unpin, mut client: impl tokio::io::AsyncWrite + Unpin) {
    let mut bytes = Vec::new();
    loop {
        while let Some(line) = bytes.windows(2).position(|pair| pair == b"\r\n") {
            let words = String::from_utf8_lossy(&bytes[..line]).into_owned();
            let is_message = words.starts_with("MSG ") || words.starts_with("HMSG ");
            let payload = if is_message { words.rsplit(' ').next().unwrap().parse::<usize>().unwrap() + 2 } else { 0 };
            let end = line + 2 + payload;
            if bytes.len() < end {
                break;
            }
            let frame: Vec<u8> = bytes.drain(..end).collect();
            let is_delivered = is_message && words.contains(" $JS.ACK.") && !words.contains(".KV_");
            if !is_delivered && client.write_all(&frame).await.is_err() {
                return;
            }
        }
        if server.read_buf(&mut bytes).await.unwrap_or(0) == 0 {
            return;
        }
    }
}

#[test]
fn a_hall_to_which_nothing_is_delivered_has_every_event_all_the_same() {
    let Some(broker) = Broker::one(&[("pi-1", &BOARDS)]) else { return };
    let mut room = Room::new();
    let hall = room.hall(&broker);
    room.boards(&BOARDS, 20.0);
    let daemon = room.daemon(&broker, "pi-1", &BOARDS);
    let said = |room: &Room| BOARDS.iter().map(|board| super::compare::journaled(&room.data("pi-1"), board).len()).sum::<usize>();
    until("events", || (said(&room) > MANY).then_some(()));
    room.quiet();
    let count = room.equal(&hall, &daemon, "pi-1", &BOARDS);
    let port = broker.servers()[0].rsplit(':').next().unwrap().parse().unwrap();
    let end = room.runtime.block_on(lay((Ipv4Addr::LOCALHOST, port).into()));
    let file = room.home.path().join("hall.toml");
    let section = broker.section("hall").replace(&format!(":{port}\""), &format!(":{}\"", end.port()));
    fs::write(&file, format!("[web]\nlisten = \"127.0.0.1:0\"\n[livechess]\nenabled = false\n{section}")).unwrap();
    let house = Daemon::start(room.home.path(), "hall", "hall", &file, Some(&room.home.path().join("hall")));
    // Boards whose cable is out may say something more, before the hall starts or later.
    let taken = || {
        let metrics = house.metrics();
        let total = metrics.lines().find_map(|line| line.strip_prefix("flagfall_hall_events_total "))?;
        total.parse().ok()
    };
    until("every event", || taken().filter(|taken| (count..=said(&room)).contains(taken)));
}

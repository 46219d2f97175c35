//! A client that behaves as Lichess's page does: asks for the boards again and again with one id, takes the first of them, subscribes, sets
//! up the game's position, and plays what makes the list longer than the one before.
use super::client::Client;
use super::table::{START, Served, Table};
use serde_json::Value;
use std::net::SocketAddr;

struct Page {
    client: Client,
    /// Length of the last list.
    known: usize,
    /// What it played on its server.
    played: Vec<String>,
}

impl Page {
    fn open(address: SocketAddr, fen: &str) -> Self {
        let mut client = Client::open(address, Some("https://lichess.org")).unwrap();
        let mut serial = String::new();
        for _ in 0..3 {
            client.send(r#"{"id":1,"call":"eboards"}"#);
            let boards = client.json();
            assert!(boards["response"] == "call" && boards["id"] == 1, "{boards}");
            serial = boards["param"][0]["serialnr"].as_str().unwrap().to_owned();
        }
        let call = format!(r#"{{"id":2,"call":"subscribe","param":{{"feed":"eboardevent","id":1,"param":{{"serialnr":"{serial}"}}}}}}"#);
        client.send(&call);
        assert_eq!(client.json()["response"], "call", "the answer comes first");
        client.send(&format!(r#"{{"id":3,"call":"call","param":{{"id":1,"method":"setup","param":{{"fen":"{fen}"}}}}}}"#));
        Self { client, known: 0, played: Vec::new() }
    }

    /// Takes a frame; a list that grew by several moves plays each.
    fn take(&mut self, frame: &Value) {
        let Some(list) = frame["param"]["san"].as_array() else { return };
        let new = list.iter().skip(self.known).map(|san| san.as_str().unwrap().to_owned());
        self.played.extend(new);
        self.known = list.len();
    }

    fn plays_until(&mut self, count: usize) -> String {
        while self.played.len() < count {
            let frame = self.client.json();
            assert_ne!(frame["response"], "error", "{frame}");
            self.take(&frame);
        }
        self.played.join(" ")
    }
}

#[test]
fn it_finds_the_live_board_though_a_dead_one_has_a_lower_number() {
    let served = Served::new();
    drop(served.board("1"));
    let mut table = served.game("7", "30007");
    served.livechess.catch_up();
    let mut page = Page::open(served.address, START);
    table.plays("e2e4 e7e5");
    assert_eq!(page.plays_until(2), "e4 e5");
}

#[test]
fn it_comes_back_in_mid_game_and_misses_nothing() {
    let served = Served::new();
    let mut table: Table = served.game("1", "30017");
    served.livechess.catch_up();
    let mut page = Page::open(served.address, START);
    table.plays("e2e4 e7e5");
    assert_eq!(page.plays_until(2), "e4 e5");
    drop(page);
    table.plays("g1f3 b8c6 f1b5");
    served.livechess.catch_up();
    // Its server knows the first two moves; the board knows five.
    let mut page = Page::open(served.address, "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2");
    assert_eq!(page.plays_until(3), "Nf3 Nc6 Bb5");
    table.plays("a7a6");
    assert_eq!(page.plays_until(4), "Nf3 Nc6 Bb5 a6");
}

#[test]
fn a_client_that_falls_behind_gets_every_move_once() {
    let served = Served::new();
    let mut table = served.game("1", "30017");
    served.livechess.catch_up();
    let mut page = Page::open(served.address, START);
    // More pictures than are kept for a client that does not read yet.
    for _ in 0..60 {
        table.plays("g1f3 g8f6 f3g1 f6g8");
    }
    let played = page.plays_until(240);
    assert_eq!(played, ["Nf3 Nf6 Ng1 Ng8"; 60].join(" "));
}

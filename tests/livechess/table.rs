//! The API on a free port, and boards that are played by hand: each says the events that the daemon would publish.
use super::client::{get, request};
use flagfall::config::Config;
use flagfall::config::event::EventConfig;
use flagfall::feeds::event_info::desk::EventDesk;
use flagfall::feeds::event_info::task;
use flagfall::feeds::livechess::LiveChess;
use flagfall::time::Stopwatch;
use flagfall::web::boards::Boards;
use flagfall::web::hub::Hub;
use serde_json::{Value, json};
use shakmaty::fen::Fen;
use shakmaty::san::SanPlus;
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, Position as _};
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio_util::sync::CancellationToken;

pub(crate) const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// A running API.
pub(crate) struct Served {
    pub(crate) livechess: LiveChess,
    pub(crate) address: SocketAddr,
    hub: Arc<Hub>,
    chronicle: EventDesk,
    stop: CancellationToken,
    thread: Option<std::thread::JoinHandle<()>>,
    runtime: tokio::runtime::Runtime,
}

impl Served {
    pub(crate) fn new() -> Self {
        Self::with(&[])
    }

    pub(crate) fn with(origins: &[&str]) -> Self {
        let mut config = Config::default().livechess;
        config.listen.set_port(0);
        config.origins = origins.iter().map(ToString::to_string).collect();
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
        let stop = CancellationToken::new();
        let hub = Hub::new();
        let (course, chronicle, _) = runtime.block_on(async { task::start(EventConfig::default(), None, hub.clone(), Boards::default()) });
        let tell = |trouble: Option<String>| assert_eq!(trouble, None);
        let (livechess, thread) = LiveChess::start(&config, Stopwatch::start(), stop.clone(), course.event, |_| None, tell).unwrap();
        let address = livechess.addresses()[0];
        Self { livechess, address, hub, chronicle, stop, thread, runtime }
    }

    /// A board that is known and has said nothing.
    pub(crate) fn board(&self, name: &str) -> Table {
        self.hub.register(name);
        self.livechess.register(name, &format!("serial:/nowhere/tty{name}"));
        let (livechess, hub, chronicle) = (self.livechess.clone(), self.hub.clone(), self.chronicle.clone());
        Table { livechess, hub, chronicle, name: name.to_owned(), seq: 0, t: 0, position: Chess::default(), ply: 0, chess960: false }
    }

    /// A board with a game on it.
    pub(crate) fn game(&self, name: &str, serial: &str) -> Table {
        let mut table = self.board(name);
        table.up(serial);
        table.start(START);
        table
    }

    /// The tournament's uuid.
    pub(crate) fn tournament(&self) -> String {
        get(self.address, "tournaments")[0]["uuid"].as_str().unwrap().to_owned()
    }

    /// Waits until the round shows what is wanted of board `nr`: its pairing and its game.
    pub(crate) fn until(&self, nr: u64, mut wanted: impl FnMut(&Value, &Value) -> bool) -> (Value, Value) {
        let mut seen = Value::Null;
        for _ in 0..600 {
            let (status, _, body) = request(self.address, "GET", &format!("/api/v1.0/round/{}/0", self.tournament()), "");
            if status == 200 {
                seen = serde_json::from_str(&body).unwrap();
                if let Some(pairing) = seen["pairings"].as_array().unwrap().iter().find(|pairing| pairing["nr"] == nr) {
                    let game = get(self.address, &format!("game/{}", pairing["uuid"].as_str().unwrap()));
                    if wanted(pairing, &game) {
                        return (pairing.clone(), game);
                    }
                    seen = game;
                }
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        panic!("it did not come to this: {seen}");
    }

    /// Waits until board `nr` has this many moves.
    pub(crate) fn moves(&self, nr: u64, count: usize) -> Vec<String> {
        let (_, game) = self.until(nr, |_, game| game["moves"].as_array().unwrap().len() == count);
        game["moves"].as_array().unwrap().iter().map(|m| m.as_str().unwrap().to_owned()).collect()
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        self.stop.cancel();
        self.chronicle.end();
        if let Some(thread) = self.thread.take() {
            thread.join().unwrap();
        }
        // What waits for a signal would wait for ever.
        let runtime = std::mem::replace(&mut self.runtime, tokio::runtime::Builder::new_current_thread().build().unwrap());
        runtime.shutdown_background();
    }
}

/// One board.
pub(crate) struct Table {
    livechess: LiveChess,
    hub: Arc<Hub>,
    chronicle: EventDesk,
    name: String,
    seq: u64,
    /// Milliseconds; the wall time of 0 is 1780000000000.
    pub(crate) t: u64,
    position: Chess,
    ply: u32,
    chess960: bool,
}

impl Table {
    /// Says an event, a second after the one before.
    pub(crate) fn say(&mut self, body: Value) {
        self.seq += 1;
        self.t += 1000;
        let at = jiff::Timestamp::from_millisecond(1_780_000_000_000 + self.t as i64).unwrap();
        let mut event = json!({ "seq": self.seq, "t": self.t, "at": at, "board": self.name });
        event.as_object_mut().unwrap().extend(body.as_object().unwrap().clone());
        let event = Arc::new(serde_json::from_value(event).unwrap());
        self.livechess.publish(&event);
        self.chronicle.take(&event);
        self.hub.publish(event);
    }

    pub(crate) fn up(&mut self, serial: &str) {
        self.say(json!({"type": "link", "state": "up"}));
        self.say(json!({"type": "identity", "kind": "dgt", "serial": serial, "link": format!("serial:/nowhere/tty{}", self.name)}));
    }

    /// The pieces of `fen` are put up and a game begins.
    pub(crate) fn start(&mut self, fen: &str) {
        let parsed: Fen = fen.parse().unwrap();
        self.chess960 = CastlingMode::detect(parsed.as_setup()) == CastlingMode::Chess960;
        self.position = parsed.into_position(CastlingMode::Chess960).unwrap();
        self.ply = 0;
        self.stands();
        self.say(json!({"type": "game-start", "fen": fen, "rules": "fide-2023", "play": "blitz", "time_control": "180+2", "chess960": self.chess960}));
    }

    /// The board shows the position.
    pub(crate) fn stands(&mut self) {
        let placement = self.position.board().to_string();
        self.shows(&placement);
    }

    pub(crate) fn shows(&mut self, placement: &str) {
        self.say(json!({"type": "placement", "placement": placement, "settled": true}));
    }

    /// Whole seconds on the clock, and whose time runs.
    pub(crate) fn clock(&mut self, white: i64, black: i64, running: &str) {
        let running = if running.is_empty() { Value::Null } else { running.into() };
        self.say(json!({"type": "clock", "white_ms": white * 1000, "black_ms": black * 1000, "running": running, "flag": null,
            "source": "device", "uncertainty_ms": 100}));
    }

    /// A legal move is made.
    pub(crate) fn made(&mut self, uci: &str) {
        let san = self.play(uci);
        self.stands();
        let placement = self.position.board().to_string();
        self.say(json!({"type": "move-made", "ply": self.ply, "by": self.mover(), "uci": uci, "san": san, "legal": true,
            "placement": placement, "provisional": true}));
    }

    /// The last made move is completed.
    pub(crate) fn done(&mut self, uci: &str, san: &str) {
        self.complete(self.ply, uci, Some(san), "press", Some((300, 290)));
    }

    pub(crate) fn complete(&mut self, ply: u32, uci: &str, san: Option<&str>, how: &str, clock: Option<(i64, i64)>) {
        let by = if ply % 2 == 1 { "white" } else { "black" };
        let mut body = json!({"type": "move-completed", "ply": ply, "by": by, "uci": uci, "legal": san.is_some(), "how": how});
        if let Some(san) = san {
            body["san"] = san.into();
        }
        if let Some((white, black)) = clock {
            body["clock"] = json!({"white_ms": white * 1000, "black_ms": black * 1000});
            body["spent_ms"] = 4600.into();
        }
        self.say(body);
    }

    /// Made and completed: `e2e4 e7e5`.
    pub(crate) fn plays(&mut self, moves: &str) {
        for uci in moves.split_whitespace() {
            let mut position = self.position.clone();
            let found = uci.parse::<UciMove>().unwrap().to_move(&position).unwrap();
            let san = SanPlus::from_move_and_play_unchecked(&mut position, found).to_string();
            self.made(uci);
            self.done(uci, &san);
        }
    }

    /// A move that is illegal is made, pressed, and stands.
    pub(crate) fn illegal(&mut self, uci: &str, placement: &str) {
        self.ply += 1;
        self.shows(placement);
        self.say(json!({"type": "move-made", "ply": self.ply, "by": self.mover(), "uci": uci, "legal": false, "placement": placement,
            "provisional": false}));
        self.complete(self.ply, uci, None, "press", Some((300, 290)));
    }

    /// Every ply from `ply` on is taken back, the last one first, and `fen` is the position again.
    pub(crate) fn take_back(&mut self, ply: u32, fen: &str) {
        for ply in (ply..=self.ply).rev() {
            self.say(json!({"type": "move-withdrawn", "ply": ply, "uci": "a1a1"}));
        }
        self.ply = ply - 1;
        self.position = fen.parse::<Fen>().unwrap().into_position(CastlingMode::Chess960).unwrap();
        self.stands();
    }

    fn play(&mut self, uci: &str) -> String {
        let found = uci.parse::<UciMove>().unwrap().to_move(&self.position).unwrap();
        self.ply += 1;
        SanPlus::from_move_and_play_unchecked(&mut self.position, found).to_string()
    }

    const fn mover(&self) -> &'static str {
        if self.ply % 2 == 1 { "white" } else { "black" }
    }
}

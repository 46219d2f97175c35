//! Boards without boards: events made by hand go into a real hub behind a real listener, with everything that the daemon serves.
use flagfall::feeds::event_info::{EventInfo, Tournament};
use flagfall::feeds::tree::{documents::Documents, http};
use flagfall::web::arbiter::door::{Access, Door};
use flagfall::web::arbiter::{self, Office};
use flagfall::web::boards::Boards;
use flagfall::web::hub::Hub;
use flagfall::web::public::{self, ServeInfo};
use flagfall::web::serve::serve_app;
use serde_json::{Value, json};
use shakmaty::{CastlingMode, Chess, EnPassantMode, fen::Fen, san::SanPlus, uci::UciMove};
use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

/// A served hall.
pub(crate) struct Hall {
    hub: Arc<Hub>,
    event: Arc<EventInfo>,
    documents: Arc<Documents>,
    address: SocketAddr,
    /// Lets one browser in as an arbiter, once.
    link: String,
    boards: HashMap<String, Board>,
    stop: CancellationToken,
}

#[derive(Default)]
struct Board {
    seq: u64,
    ply: u32,
    position: Chess,
}

impl Hall {
    /// Serves on a free port.
    pub(crate) async fn open() -> Self {
        Self::open_at("127.0.0.1:0").await
    }

    /// Serves at this address.
    pub(crate) async fn open_at(address: &str) -> Self {
        let listener = TcpListener::bind(address).await.unwrap();
        let address = listener.local_addr().unwrap();
        let (hub, stop) = (Hub::new(), CancellationToken::new());
        let (event, documents) = (EventInfo::new(Tournament::default()), Documents::new());
        let access = Access { port: address.port(), root: format!("http://{address}"), ..Access::default() };
        let door = Door::new(&[], access, stop.clone());
        let link = door.link().unwrap();
        let info = ServeInfo { now: Some(event.clone()), ..ServeInfo::default() };
        let (boards, rest) = public::public(hub.clone(), info.clone(), stop.clone());
        let office = arbiter::router(Office {
            hub: hub.clone(),
            boards: Boards::default(),
            door,
            journal: None,
            program: None,
            operators: public::operators(hub.clone(), info, stop.clone()),
            arbiters: axum::Router::new(),
            guests: boards.merge(http::router(documents.clone())),
            open: Arc::new(AtomicBool::new(true)),
        });
        tokio::spawn(serve_app(listener, None, public::serving(office.merge(rest), &[]), stop.clone()));
        Self { hub, event, documents, address, link, boards: HashMap::new(), stop }
    }

    /// The event is this one from now on.
    pub(crate) fn event(&self, event: Tournament) {
        self.event.put(event);
        self.documents.make(self.event.now());
    }

    /// The link that lets one browser in as an arbiter, once.
    pub(crate) fn link(&self) -> &str {
        &self.link
    }

    /// Where it is served.
    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }

    /// `path` as an address for the browser.
    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// Ends the listener, as a stopping daemon does.
    pub(crate) async fn close(self) {
        self.stop.cancel();
        while TcpListener::bind(self.address).await.is_err() {
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        }
    }

    /// Publishes an event body on a board, numbered and stamped with the machine's time.
    pub(crate) fn tell(&mut self, board: &str, body: Value) {
        let state = self.boards.entry(board.to_owned()).or_default();
        state.seq += 1;
        let stopwatch = flagfall::time::Stopwatch::start();
        let mut event = json!({ "seq": state.seq, "t": state.seq * 100, "at": stopwatch.opened_at(), "board": board });
        event.as_object_mut().unwrap().extend(body.as_object().unwrap().clone());
        self.hub.publish(Arc::new(serde_json::from_value(event).unwrap()));
    }

    /// Plugs a board in and begins a game.
    pub(crate) fn begin(&mut self, board: &str, play: &str, time_control: &str) {
        self.tell(board, json!({"type": "link", "state": "up"}));
        let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        self.tell(board, json!({"type": "placement", "placement": fen.split(' ').next(), "settled": true}));
        self.tell(
            board,
            json!({"type": "game-start", "fen": fen, "rules": "fide-2023", "play": play, "time_control": time_control, "chess960": false}),
        );
        let state = self.boards.entry(board.to_owned()).or_default();
        (state.ply, state.position) = (0, Chess::default());
    }

    /// Names the players.
    pub(crate) fn players(&self, board: &str, white: &str, black: &str) {
        self.hub.set_players(board, Some(white.to_owned()), Some(black.to_owned()));
    }

    /// The board says how its battery is, percent.
    pub(crate) fn battery(&self, board: &str, percent: Option<u8>) {
        self.hub.set_battery(board, percent);
    }

    /// Makes a move and leaves it so.
    pub(crate) fn make(&mut self, board: &str, uci: &str) {
        let state = self.boards.entry(board.to_owned()).or_default();
        let found = uci.parse::<UciMove>().unwrap().to_move(&state.position).unwrap();
        let san = SanPlus::from_move_and_play_unchecked(&mut state.position, found).to_string();
        state.ply += 1;
        let (ply, placement) = (state.ply, Fen::from_position(&state.position, EnPassantMode::Legal).to_string());
        let placement = placement.split(' ').next().unwrap().to_owned();
        self.tell(board, json!({"type": "placement", "placement": placement, "settled": true}));
        self.tell(
            board,
            json!({"type": "move-made", "ply": ply, "by": by(ply), "uci": uci, "san": san, "legal": true, "placement": placement, "provisional": true}),
        );
    }

    /// Completes the last move made; the clocks show these seconds and the other side's runs.
    pub(crate) fn press(&mut self, board: &str, uci: &str, san: &str, white_s: i64, black_s: i64) {
        let ply = self.boards[board].ply;
        let clock = json!({"white_ms": white_s * 1000, "black_ms": black_s * 1000});
        self.tell(
            board,
            json!({"type": "move-completed", "ply": ply, "by": by(ply), "uci": uci, "san": san, "legal": true, "how": "press", "clock": clock}),
        );
        self.clock(board, white_s, black_s, Some(by(ply + 1)), "device");
    }

    /// Says what the clocks show.
    pub(crate) fn clock(&mut self, board: &str, white_s: i64, black_s: i64, running: Option<&str>, source: &str) {
        let uncertainty_ms = if source == "estimate" { 800 } else { 60 };
        self.tell(
            board,
            json!({"type": "clock", "white_ms": white_s * 1000, "black_ms": black_s * 1000, "running": running, "flag": null,
                "source": source, "uncertainty_ms": uncertainty_ms}),
        );
    }

    /// Plays moves in SAN, all completed, each side using three to ten seconds a move.
    pub(crate) fn play(&mut self, board: &str, sans: &str, white_s: i64, black_s: i64) {
        let (mut white, mut black) = (white_s, black_s);
        for san in sans.split_whitespace() {
            let position = &self.boards[board].position;
            let found = san.parse::<SanPlus>().unwrap().san.to_move(position).unwrap();
            let uci = UciMove::from_move(found, CastlingMode::Standard).to_string();
            self.make(board, &uci);
            let ply = self.boards[board].ply;
            let used = 3 + i64::from(ply * 7 % 8);
            *(if ply % 2 == 1 { &mut white } else { &mut black }) -= used;
            self.press(board, &uci, san, white, black);
        }
    }
}

impl Drop for Hall {
    fn drop(&mut self) {
        self.stop.cancel();
    }
}

fn by(ply: u32) -> &'static str {
    if ply % 2 == 1 { "white" } else { "black" }
}

//! Boards whose captures are replayed into one event, without a daemon.
use super::table::Table;
use flagfall::config::event::About;
use flagfall::feeds::event_info::chronicle::Chronicle;
use flagfall::feeds::event_info::{Pairing, Tournament};
use flagfall::feeds::pairings;
use flagfall::feeds::tree::documents::Documents;
use flagfall_capture::{Capture, drive};
use flagfall_events::{Event, Wall};
use flagfall_simulator::games::PgnGame;
use flagfall_simulator::stream::{Options, stream};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::convert::Infallible;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The boards and the event.
pub(crate) struct Hall {
    pub(crate) chronicle: Chronicle,
    pub(crate) documents: Arc<Documents>,
    /// Boards that were asked to begin a new game.
    pub(crate) anew: Vec<Arc<str>>,
    seq: HashMap<String, u64>,
}

impl Hall {
    pub(crate) fn new(boards: &[&str]) -> Self {
        let about = About { name: Some("Test Open".into()), city: Some("Bergen".into()), country: Some("NO".into()), ..About::default() };
        Self::of(about, boards)
    }

    pub(crate) fn of(about: About, boards: &[&str]) -> Self {
        let mut hall = Self { chronicle: Chronicle::new(about, None), documents: Documents::new(), anew: Vec::new(), seq: HashMap::new() };
        let names: Vec<Arc<str>> = boards.iter().map(|name| Arc::from(*name)).collect();
        hall.chronicle.boards(&names, |_| None);
        hall.settle();
        hall
    }

    pub(crate) fn settle(&mut self) {
        let anew = self.chronicle.settle();
        self.anew.extend(anew);
        self.documents.make(Arc::new(self.chronicle.tournament()));
    }

    /// One event of a board, numbered as its board numbers it.
    pub(crate) fn event(&mut self, board: &str, body: Value) {
        let seq = self.seq.entry(String::from(board)).or_default();
        *seq += 1;
        let at = format!("2026-11-21T{:02}:{:02}:{:02}Z", 10 + *seq / 3600, *seq / 60 % 60, *seq % 60);
        let mut event = json!({"seq": *seq, "t": *seq * 1000, "at": at, "board": board});
        event.as_object_mut().unwrap().extend(body.as_object().unwrap().clone());
        self.chronicle.take(&serde_json::from_value(event).unwrap());
        self.settle();
    }

    /// A game from its start to these moves, then this result (`*`: it goes on).
    pub(crate) fn game(&mut self, board: &str, moves: &[&str], result: &str) {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        self.event(
            board,
            json!({"type": "game-start", "fen": start, "rules": "fide-2023", "play": "rapid", "time_control": "900+10", "chess960": false}),
        );
        for (i, uci) in moves.iter().enumerate() {
            let by = if i % 2 == 0 { "white" } else { "black" };
            let clock = json!({"white_ms": 900_000, "black_ms": 900_000});
            self.event(board, json!({"type": "move-completed", "ply": i + 1, "by": by, "uci": uci, "legal": true, "how": "press", "clock": clock, "spent_ms": 2000}));
        }
        if result != "*" {
            self.event(board, json!({"type": "result", "result": result, "reason": "agreed", "source": "operator"}));
        }
    }

    /// What a capture says, as this board's.
    pub(crate) fn capture(&mut self, board: &str, capture: &[u8]) {
        let read = Capture::open(capture).unwrap();
        let broken = drive(board, read, flagfall_solver::answers(), |event: Event| {
            self.chronicle.take(&event);
            Ok::<_, Infallible>(())
        })
        .unwrap();
        assert!(broken.is_none(), "{broken:?}");
        self.settle();
    }

    /// What was played at a table of the scenarios, as board 1's; its events are those that its own story has.
    pub(crate) fn table(&mut self, table: &mut Table) {
        for event in &table.story().events {
            self.chronicle.take(&serde_json::from_value(event.clone()).unwrap());
        }
        self.settle();
    }

    /// A game played with hands and a clock on this board.
    pub(crate) fn played(&mut self, board: &str, game: &PgnGame, options: &Options) {
        let mut capture = Vec::new();
        stream(game, options).write(&mut capture, Wall::EPOCH, "a test").unwrap();
        self.capture(board, &capture);
    }

    pub(crate) fn list(&mut self, text: &str) -> Vec<String> {
        let told = self.chronicle.list(&pairings::read(text.as_bytes()).unwrap());
        self.settle();
        told
    }

    pub(crate) fn event_now(&self) -> Tournament {
        self.chronicle.tournament()
    }

    /// The pairing of round `round` with this number.
    pub(crate) fn pairing(&self, round: u32, number: usize) -> Pairing {
        self.event_now().round(round).unwrap().pairings[number - 1].clone()
    }

    /// `White - Black` of every pairing of a round.
    pub(crate) fn names(&self, round: u32) -> Vec<String> {
        let event = self.event_now();
        let pairings = event.round(round).map_or(&[][..], |r| &r.pairings);
        pairings.iter().map(|p| format!("{} - {}", p.white.pgn_name(), p.black.pgn_name())).collect()
    }

    /// A document of the tree as text.
    pub(crate) fn tree(&self, path: &str) -> String {
        self.text(&format!("pgn/{path}"))
    }

    /// A document of the cloud.
    pub(crate) fn cloud(&self, path: &str) -> Value {
        let uuid = self.event_now().uuid;
        serde_json::from_str(&self.text(&format!("get/{uuid}/{path}"))).unwrap()
    }

    fn text(&self, path: &str) -> String {
        let document = self.documents.get(path).unwrap_or_else(|| panic!("there is no {path}"));
        String::from_utf8(document.bytes.to_vec()).unwrap()
    }
}

/// Data beside the project, or nothing with a word on what is skipped.
pub(crate) fn shared(path: &str, what: &str) -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared").join(path);
    if !path.exists() {
        println!("skipped: {what}: {} is missing", path.display());
        return None;
    }
    Some(path)
}

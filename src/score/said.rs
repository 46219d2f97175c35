//! Streams of events for tests, those of other crates too: played by chance from a seed, or written by hand.
#![allow(dead_code, reason = "each crate's tests take what they need")]
use flagfall_events::{Event, Mono, Wall};
use rand::{Rng as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;
use serde_json::{Value, json};
use shakmaty::san::SanPlus;
use shakmaty::{CastlingMode, Chess, Position as _, fen::Fen, uci::UciMove};

/// Where the usual game starts.
pub(crate) const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
pub(crate) const AFTER_E4: &str = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR";
pub(crate) const AFTER_D4: &str = "rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR";

fn placement_of(fen: &str) -> String {
    fen.split(' ').next().unwrap().into()
}

/// What a board says, with what only arbiters are told in between.
pub(crate) struct Said {
    pub(crate) random: ChaCha8Rng,
    /// What is public, as events without numbers.
    pub(crate) shown: Vec<Value>,
    /// Everything.
    pub(crate) all: Vec<Value>,
    pub(crate) t: u64,
    pub(crate) position: Chess,
    pub(crate) ply: u32,
    findings: u64,
    /// Positions after plies, and such as were set or ruled.
    pub(crate) stood: Vec<String>,
}

impl Said {
    pub(crate) fn new(seed: u64) -> Self {
        Self {
            random: ChaCha8Rng::seed_from_u64(seed),
            shown: Vec::new(),
            all: Vec::new(),
            t: 0,
            position: Chess::default(),
            ply: 0,
            findings: 0,
            stood: vec![placement_of(START)],
        }
    }

    pub(crate) fn stamped(&self, mut body: Value) -> Value {
        body["t"] = self.t.into();
        body["at"] = Wall::EPOCH.after(Mono::from_millis(self.t)).to_string().into();
        body["board"] = "1".into();
        body
    }

    pub(crate) fn everybody(&mut self, body: Value) {
        let event = self.stamped(body);
        self.shown.push(event.clone());
        self.all.push(event);
        self.t += self.random.random_range(1..2_000);
    }

    pub(crate) fn arbiters(&mut self, body: Value) {
        self.all.push(self.stamped(body));
    }

    pub(crate) fn finding(&mut self, key: &str, grade: &str, facts: Value) -> u64 {
        self.findings += 1;
        let summary = json!({"en": "", "ru": ""});
        self.arbiters(json!({"type": "finding", "id": self.findings, "key": key, "article": "7.5.1", "rules": "fide-2023", "grade": grade,
            "summary": summary, "facts": facts, "evidence": [1, 2]}));
        self.findings
    }

    pub(crate) fn update(&mut self, id: u64, status: &str) {
        self.arbiters(json!({"type": "finding-update", "id": id, "status": status}));
    }

    /// Something that only arbiters are told.
    fn aside(&mut self) {
        match self.random.random_range(0..7) {
            0 => {
                let id = self.finding("clock-stopped", "attention", json!({}));
                self.update(id, "revised");
                self.update(id, "withdrawn");
            }
            1 => _ = self.finding("displaced-pieces", "ruling", json!({"ply": self.ply})),
            2 => self.arbiters(json!({"type": "alarm", "key": "board-lost", "state": "raised"})),
            3 => self.arbiters(json!({"type": "draw-claim", "rule": "threefold", "ply": self.ply, "by": "white", "earlier": [1]})),
            4 => self.arbiters(json!({"type": "touched-piece", "by": "white", "piece": "N", "square": "g1", "own": true, "lifted": 5})),
            5 => {
                self.arbiters(json!({"type": "ruling", "do": "report", "key": "two-hands", "who": "Olga"}));
                // What comes with an entry is its doing.
                self.t += 1;
            }
            _ => self.arbiters(json!({"type": "promotion", "ply": self.ply, "square": "e8", "state": "asked"})),
        }
    }

    pub(crate) fn clock(&mut self, source: &str) -> Value {
        json!({"type": "clock", "white_ms": self.random.random_range(0..90_000) * 1000, "black_ms": 5_000_000, "running": "white", "flag": null,
            "source": source, "uncertainty_ms": 20})
    }

    pub(crate) fn start(&mut self) {
        self.everybody(json!({"type": "link", "state": "up"}));
        self.everybody(json!({"type": "placement", "placement": placement_of(START), "settled": true}));
        self.everybody(
            json!({"type": "game-start", "fen": START, "rules": "fide-2023", "play": "standard", "time_control": null, "chess960": false}),
        );
    }

    /// A hand over the board: a piece leaves its square and may come back.
    pub(crate) fn touch(&mut self) -> Value {
        let mut board = self.position.board().clone();
        let occupied: Vec<_> = board.occupied().into_iter().collect();
        board.discard_piece_at(occupied[self.random.random_range(0..occupied.len())]);
        json!({"type": "placement", "placement": board.to_string(), "settled": false})
    }

    pub(crate) fn mover(&self) -> &'static str {
        if self.ply % 2 == 1 { "white" } else { "black" }
    }

    /// A legal move, made and perhaps completed, with whatever happens beside it.
    pub(crate) fn play(&mut self, beside: bool) {
        let moves = self.position.legal_moves();
        let Some(&mv) = moves.get(self.random.random_range(0..moves.len().max(1))) else { return };
        if beside {
            self.aside();
        }
        for _ in 0..self.random.random_range(0..3) {
            let touched = self.touch();
            self.everybody(touched);
        }
        let uci = mv.to_uci(CastlingMode::Standard).to_string();
        let san = SanPlus::from_move_and_play_unchecked(&mut self.position, mv).to_string();
        self.ply += 1;
        let placement = self.position.board().to_string();
        self.stood.push(placement.clone());
        let by = self.mover();
        self.everybody(json!({"type": "move-made", "ply": self.ply, "by": by, "uci": uci, "san": san, "legal": true, "placement": placement, "provisional": true}));
        if beside {
            self.aside();
        }
        if self.random.random_bool(0.9) {
            self.everybody(json!({"type": "placement", "placement": placement, "settled": true}));
            self.everybody(json!({"type": "press", "by": by}));
            let clock = self.clock("device");
            self.everybody(clock);
            self.everybody(
                json!({"type": "move-completed", "ply": self.ply, "by": by, "uci": uci, "san": san, "legal": true, "how": "press"}),
            );
        }
    }

    /// An illegal ply is pressed; its finding is open. Returns that.
    pub(crate) fn offend(&mut self) -> u64 {
        self.ply += 1;
        let by = self.mover();
        self.everybody(json!({"type": "press", "by": by}));
        let placement = self.touch()["placement"].clone();
        self.everybody(json!({"type": "placement", "placement": placement, "settled": true}));
        self.arbiters(json!({"type": "move-made", "ply": self.ply, "by": by, "uci": "a1h8", "legal": false, "placement": placement, "provisional": true}));
        self.arbiters(json!({"type": "move-completed", "ply": self.ply, "by": by, "uci": "a1h8", "legal": false, "how": "press"}));
        self.finding("illegal-move", "ruling", json!({"ply": self.ply, "uci": "a1h8"}))
    }

    /// What everybody is told, or only arbiters, and time passes.
    pub(crate) fn everything(&mut self, body: Value, public: bool) {
        if public { self.everybody(body) } else { self.arbiters(body) }
    }

    /// The last plies are taken back, the last one first.
    pub(crate) fn back(&mut self, plies: u32) {
        for _ in 0..plies.min(self.ply) {
            self.everybody(json!({"type": "move-withdrawn", "ply": self.ply, "uci": "e2e4"}));
            self.ply -= 1;
        }
        let mut position = Chess::default();
        let legal = |event: &&Value| event["type"] == "move-made" && event["ply"].as_u64().is_some_and(|ply| ply <= u64::from(self.ply));
        for event in self.all.iter().filter(legal) {
            let uci: UciMove = event["uci"].as_str().unwrap().parse().unwrap();
            let Ok(mv) = uci.to_move(&position) else { break };
            position.play_unchecked(mv);
        }
        self.position = position;
        let stands = placement_of(&Fen::from_position(&self.position, shakmaty::EnPassantMode::Legal).to_string());
        self.everybody(json!({"type": "placement", "placement": stands, "settled": true}));
    }

    /// A move that may be played now, as UCI and SAN.
    pub(crate) fn another(&mut self) -> (String, String) {
        let moves = self.position.legal_moves();
        let Some(&mv) = moves.get(self.random.random_range(0..moves.len().max(1))) else { return ("a1h8".into(), "x".into()) };
        (mv.to_uci(CastlingMode::Standard).to_string(), SanPlus::from_move(self.position.clone(), mv).to_string())
    }

    /// A position that an arbiter may set: that of the game, the start, or one that no play leads to.
    pub(crate) fn some_position(&mut self) -> String {
        match self.random.random_range(0..4) {
            0 => String::from(START),
            1 => String::from("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"),
            _ => Fen::from_position(&self.position, shakmaty::EnPassantMode::Legal).to_string(),
        }
    }

    /// Another game begins.
    pub(crate) fn begin(&mut self, game: u32) {
        (self.position, self.ply) = (Chess::default(), 0);
        self.everybody(begins(game));
    }

    /// What happens on the board while the finding is open.
    pub(crate) fn go_on(&mut self) {
        self.ply += 1;
        let by = self.mover();
        let placement = self.touch()["placement"].clone();
        self.everybody(json!({"type": "placement", "placement": placement, "settled": true}));
        self.arbiters(json!({"type": "move-made", "ply": self.ply, "by": by, "uci": "b7b6", "san": "b6", "legal": true, "placement": placement, "provisional": true}));
        let clock = self.clock("device");
        self.everybody(clock);
        self.arbiters(
            json!({"type": "move-completed", "ply": self.ply, "by": by, "uci": "b7b6", "san": "b6", "legal": true, "how": "press"}),
        );
        let set = self.clock("arbiter");
        self.arbiters(set);
        let clock = self.clock("device");
        self.everybody(clock);
    }
}

pub(crate) fn numbered(events: &[Value]) -> Vec<Event> {
    let number = |(i, event): (usize, &Value)| {
        let mut event = event.clone();
        event["seq"] = (i + 1).into();
        serde_json::from_value(event).unwrap()
    };
    events.iter().enumerate().map(number).collect()
}

/// Events as they are written here, with numbers.
pub(crate) fn written(bodies: &[Value]) -> Vec<Event> {
    let event = |(n, body): (u64, &Value)| {
        let t = body["t"].as_u64().unwrap_or(n * 100);
        let mut event = json!({"seq": n, "t": t, "at": "2026-01-02T03:04:05Z", "board": "1"});
        event.as_object_mut().unwrap().extend(body.as_object().unwrap().clone());
        serde_json::from_value(event).unwrap()
    };
    (1..).zip(bodies).map(event).collect()
}

pub(crate) fn begins(game: u32) -> Value {
    json!({"type": "game-start", "game": game, "fen": START, "rules": "fide-2023", "play": "blitz", "time_control": null, "chess960": false})
}

pub(crate) fn makes(game: u32, ply: u32, uci: &str, san: &str, placement: &str) -> Value {
    let by = if ply % 2 == 1 { "white" } else { "black" };
    json!({"type": "move-made", "game": game, "ply": ply, "by": by, "uci": uci, "san": san, "legal": true, "placement": placement, "provisional": true})
}

pub(crate) fn stands(placement: &str) -> Value {
    json!({"type": "placement", "placement": placement, "settled": true})
}

pub(crate) fn ends(game: u32, result: &str, reason: &str) -> Value {
    json!({"type": "result", "game": game, "result": result, "reason": reason, "source": "operator"})
}

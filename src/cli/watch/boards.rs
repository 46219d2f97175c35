//! What the table knows of its boards: each begins with the daemon's own account of it, and follows its events.
use super::words::text;
use crate::web::stage::BoardOrder;
use flagfall_events::{GameResult, Mono};
use serde_json::Value;
use std::collections::BTreeMap;
use std::collections::btree_map::Values;

/// All boards, in the order people expect.
#[derive(Debug, Default)]
pub(super) struct Boards {
    boards: BTreeMap<BoardOrder, Watched>,
}

/// One board.
#[derive(Debug)]
pub(super) struct Watched {
    pub(super) name: String,
    /// White and Black, where they are known.
    pub(super) players: [Option<String>; 2],
    pub(super) is_up: bool,
    pub(super) stage: Stage,
    /// The last move as it is written, with its number.
    pub(super) last: Option<(u64, String)>,
    pub(super) clock: Option<Reading>,
    /// By number.
    findings: BTreeMap<u64, Value>,
    /// By key.
    pub(super) alarms: BTreeMap<String, Value>,
    /// Which game of the board is shown.
    game: Option<u64>,
    /// Number of the last event.
    pub(super) seq: u64,
}

/// How far a board's game is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Stage {
    None,
    Playing,
    /// It is over, and nobody showed or entered a result.
    Open,
    Over(String),
}

/// What the clock showed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reading {
    /// Milliseconds: White's, Black's.
    shown: [i64; 2],
    /// Whose time runs.
    running: Option<usize>,
    read: Mono,
}

impl Reading {
    fn of(clock: &Value, now: Mono) -> Option<Self> {
        let shown = [clock["white_ms"].as_i64()?, clock["black_ms"].as_i64()?];
        let running = match clock["running"].as_str() {
            Some("white") => Some(0),
            Some("black") => Some(1),
            _ => None,
        };
        let age = clock["age_ms"].as_u64().unwrap_or(0);
        Some(Self { shown, running, read: Mono::from_millis(now.millis().saturating_sub(age)) })
    }

    /// What a side shows now: a running one goes on between two readings.
    pub(super) fn at(&self, side: usize, now: Mono) -> i64 {
        let gone = if self.running == Some(side) { i64::try_from(now.since(self.read)).unwrap_or(i64::MAX) } else { 0 };
        self.shown[side].saturating_sub(gone).max(0)
    }

    pub(super) fn runs(&self, side: usize) -> bool {
        self.running == Some(side)
    }
}

impl Boards {
    /// Takes what the stream says.
    pub(super) fn take(&mut self, kind: &str, event: &Value, now: Mono) {
        let name = text(event, "board");
        if name.is_empty() {
            return;
        }
        let board = self.boards.entry(BoardOrder::new(name)).or_insert_with(|| Watched::new(name));
        if kind == "snapshot" {
            board.begin(event, now);
        } else {
            board.seq = event["seq"].as_u64().unwrap_or(board.seq);
            board.follow(kind, event, now);
        }
    }

    pub(super) fn all(&self) -> Values<'_, BoardOrder, Watched> {
        self.boards.values()
    }

    pub(super) fn get(&self, name: &str) -> Option<&Watched> {
        self.boards.get(&BoardOrder::new(name))
    }
}

impl Watched {
    fn new(name: &str) -> Self {
        Self {
            name: String::from(name),
            players: [None, None],
            is_up: false,
            stage: Stage::None,
            last: None,
            clock: None,
            findings: BTreeMap::new(),
            alarms: BTreeMap::new(),
            game: None,
            seq: 0,
        }
    }

    /// What somebody has to rule on, or to look at; the most pressing first.
    pub(super) fn open(&self) -> Vec<&Value> {
        let mut open: Vec<&Value> = self.findings.values().filter(|finding| is_open(finding)).collect();
        open.sort_by_key(|finding| (finding["grade"] != "ruling", finding["id"].as_u64()));
        open
    }

    /// What is listed of a board: what is open first, then what was ruled or noted in this game, the newest first.
    pub(super) fn shown(&self) -> Vec<&Value> {
        let mut shown = self.open();
        shown.extend(self.findings.values().rev().filter(|finding| !is_open(finding)));
        shown
    }

    pub(super) fn finding(&self, id: u64) -> Option<&Value> {
        self.findings.get(&id)
    }

    /// The daemon's own account replaces what was known.
    fn begin(&mut self, board: &Value, now: Mono) {
        let game = &board["game"];
        let named = |side: &str| game[side].as_str().map(String::from);
        self.players = [named("white"), named("black")];
        self.is_up = board["link"] == "up";
        self.game = game["number"].as_u64();
        self.stage = if game["rules"].is_null() { Stage::None } else { Stage::of(game) };
        self.last = moved(&board["last"]);
        self.clock = Reading::of(&board["clock"], now);
        let listed = |key: &str| board[key].as_array().into_iter().flatten();
        self.findings = listed("findings").filter_map(|finding| Some((finding["id"].as_u64()?, finding.clone()))).collect();
        self.alarms = listed("alarms").map(|alarm| (String::from(text(alarm, "key")), alarm.clone())).collect();
        self.seq = board["seq"].as_u64().unwrap_or(0);
    }

    fn follow(&mut self, kind: &str, event: &Value, now: Mono) {
        match kind {
            "finding" => {
                let Some(id) = event["id"].as_u64() else { return };
                let mut finding = event.clone();
                finding["status"] = "open".into();
                self.findings.insert(id, finding);
            }
            "finding-update" => {
                let Some(finding) = event["id"].as_u64().and_then(|id| self.findings.get_mut(&id)) else { return };
                for key in ["proposal", "facts", "summary"] {
                    if !event[key].is_null() {
                        finding[key] = event[key].clone();
                    }
                }
                finding["status"] = if event["status"] == "revised" { "open".into() } else { event["status"].clone() };
            }
            "clock" => self.clock = Reading::of(event, now).or(self.clock),
            "move-made" | "move-completed" => self.last = moved(event).or_else(|| self.last.take()),
            "move-withdrawn" => self.last = None,
            "game-start" => (self.stage, self.last, self.game) = (Stage::Playing, None, event["game"].as_u64()),
            // One for an earlier game changes nothing that is shown here.
            "result" if event["game"].as_u64().is_none_or(|game| Some(game) == self.game) => self.stage = Stage::of(event),
            "link" => self.is_up = event["state"] == "up",
            "alarm" => {
                let key = text(event, "key");
                if event["state"] == "cleared" {
                    self.alarms.remove(key);
                } else {
                    self.alarms.insert(String::from(key), event.clone());
                }
            }
            _ => {}
        }
    }
}

impl Stage {
    fn of(game: &Value) -> Self {
        let result = text(game, "result");
        if result.is_empty() || result == GameResult::Open.as_str() {
            // A game that a result was taken back from goes on.
            let over = game["reason"].as_str().is_some_and(|reason| reason != "reopened");
            return if over { Self::Open } else { Self::Playing };
        }
        Self::Over(String::from(result))
    }
}

/// Somebody waits for a ruling, or should look at it.
pub(super) fn is_open(finding: &Value) -> bool {
    finding["status"] == "open" && finding["grade"] != "note"
}

/// A move's number and name.
fn moved(event: &Value) -> Option<(u64, String)> {
    let name = event["san"].as_str().or_else(|| event["uci"].as_str())?;
    Some((event["ply"].as_u64()?, String::from(name)))
}

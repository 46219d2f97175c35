//! One row of the table: an outlet, what it sent, and its lamp.
use super::judged::{Judged, Stuck};
use super::record::Record;
use crate::ledger::{Answer, Book};
use flagfall_config::delay::Delay;
use flagfall_events::{GameResult, Wall, Words};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// One outlet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Outlet {
    /// As alarms name it: `lichess xVEzYJHf`, `upload chess.com`.
    pub outlet: String,
    /// What kind of outlet.
    pub kind: Kind,
    /// How it is doing, in one word.
    pub lamp: Lamp,
    /// How far it is behind the boards on purpose, milliseconds.
    pub delay_ms: u64,
    /// Whole games appear a delay after their result.
    pub until_end: bool,
    /// When something of it was taken last.
    pub sent_at: Option<Wall>,
    /// What was sent last, in numbers.
    pub sent: Sent,
    /// The newest state of the record has been taken, as far as it is due.
    pub up_to_date: bool,
    /// What is seen there is what the record says, as far as it is due; null: it cannot be known. A round on Lichess is read back; a file
    /// counts as seen when the server has taken it.
    pub equal: Option<bool>,
    /// Where it differs.
    pub differs: Vec<Words>,
    /// What stands in the way, or why it cannot be read back.
    pub trouble: Option<Words>,
    /// What came of the last try to send something, where the outlet sends.
    pub answer: Option<Answer>,
    /// Game by game.
    pub games: Vec<SentGame>,
}

/// What kind of outlet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(as = OutletKind))]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// The spectators' page and the API.
    Page,
    /// An API of LiveChess.
    Livechess,
    /// The tree of PGN files: over HTTP, or a folder.
    Pgn,
    /// The cloud's JSON: over HTTP, or a folder.
    Cloud,
    /// A round on Lichess.
    Lichess,
    /// A server that gets files.
    Upload,
    /// Who is told of findings, alarms and results.
    Alert,
    /// The broker of a hall.
    Nats,
}

/// How an outlet is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum Lamp {
    /// It has what it is to have.
    Ok,
    /// Nothing was to be sent yet.
    Idle,
    /// Something newer is on its way.
    Behind,
    /// It shows something else than the record, and has done so for ten seconds without a change.
    Differs,
    /// What is sent is not taken.
    Failing,
}

/// What was sent last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Sent {
    /// What boards show.
    Boards {
        /// Boards.
        boards: usize,
        /// Plies of the games on them.
        plies: usize,
    },
    /// Games.
    Round {
        /// Games in it.
        games: usize,
        /// Plies of their main lines.
        plies: usize,
    },
    /// Files.
    Files {
        /// Files that the server is to have.
        files: usize,
        /// Those that it does not have in their newest version.
        waiting: usize,
    },
    /// Alerts.
    Alerts {
        /// Delivered since the start.
        alerts: u64,
        /// Those that wait.
        waiting: usize,
    },
    /// Events.
    Events {
        /// Acknowledged since the start.
        events: u64,
        /// Those that are not.
        waiting: u64,
    },
}

/// How much is told of games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub(crate) enum Games {
    /// Those of the round that is played, and all that differ.
    #[default]
    All,
    /// Those that differ.
    Differing,
    /// Nothing.
    None,
}

/// A game as an outlet sent it last.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SentGame {
    /// The round, from 1.
    pub round: u32,
    /// The pairing's number in it.
    pub pairing: u32,
    /// The e-board it is played on.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>))]
    pub board: Option<Arc<str>>,
    /// When it was sent; null: not yet.
    pub sent_at: Option<Wall>,
    /// Plies of the main line that was sent.
    pub plies: usize,
    /// The result that was sent; null: this outlet sends none.
    pub result: Option<GameResult>,
    /// What the record says, as far as it is due.
    pub record: RecordGame,
    /// Both are the same.
    pub equal: bool,
    /// Where not.
    pub differs: Option<Words>,
}

/// A game as the record has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct RecordGame {
    /// Plies.
    pub plies: usize,
    /// `*` while it is open.
    pub result: Option<GameResult>,
}

/// A row in the making.
#[derive(Clone, Debug)]
pub(super) struct Row {
    kind: Kind,
    name: String,
    delay: Delay,
    pub(super) sent_at: Option<Wall>,
    pub(super) sent: Sent,
    pub(super) up_to_date: bool,
    pub(super) equal: Option<bool>,
    pub(super) differs: Vec<Words>,
    pub(super) trouble: Option<Words>,
    /// The trouble keeps it from sending.
    pub(super) failing: bool,
    answer: Option<Answer>,
    games: Vec<Judged>,
}

impl Row {
    pub(super) fn new(kind: Kind, name: &str, delay: Delay) -> Self {
        Self {
            kind,
            name: String::from(name),
            delay,
            sent_at: None,
            sent: Sent::Round { games: 0, plies: 0 },
            up_to_date: true,
            equal: None,
            differs: Vec::new(),
            trouble: None,
            failing: false,
            answer: None,
            games: Vec::new(),
        }
    }

    /// Compares every game in `book` with the record; with `all`, one that is not in it is missing.
    pub(super) fn compare(&mut self, record: &Record, book: &Book, all: bool) {
        for (place, right) in &*record.games {
            let sent = book.games.get(place);
            if sent.is_none() && (!all || right.told.is_empty()) {
                continue;
            }
            let (sent_at, told) = sent.map(|(at, told)| (*at, told.clone())).unzip();
            let told = told.unwrap_or_default();
            let differs = told.differs(&right.told);
            let (board, current, right) = (right.board.clone(), right.current, right.told.clone());
            self.games.push(Judged { place: *place, board, current, sent_at, told, right, differs });
        }
        if self.games.iter().any(|game| game.differs.is_some()) {
            (self.equal, self.up_to_date) = (Some(false), false);
        } else if !self.games.is_empty() && self.equal.is_none() && self.kind != Kind::Lichess {
            // What viewers see on Lichess is known only where it was read back.
            self.equal = Some(true);
        }
    }

    /// Plies of the games that were compared.
    pub(super) fn plies(&self) -> usize {
        self.games.iter().map(|game| game.told.plies()).sum()
    }

    /// The same with when something was taken last.
    pub(super) fn with(self, book: &Book) -> Self {
        Self { sent_at: book.sent_at, answer: book.answer.clone(), ..self }
    }

    /// The row as operators get it.
    pub(super) fn judged(self, stuck: &Stuck, wanted: Games) -> Outlet {
        let stays = stuck.look(&self.name, &self.games);
        let said = |game: &Judged| {
            let words = game.differs.as_ref()?;
            let (round, pairing) = (game.place.round, game.place.pairing);
            Some(Words::new(format!("game {round}.{pairing}: {}", words.en), format!("партия {round}.{pairing}: {}", words.ru)))
        };
        let lamp = if self.failing {
            Lamp::Failing
        } else if stays || !self.differs.is_empty() {
            Lamp::Differs
        } else if self.sent_at.is_none() && self.equal != Some(false) && self.games.iter().all(|game| game.right.is_empty()) {
            Lamp::Idle
        } else if self.up_to_date && self.equal != Some(false) {
            Lamp::Ok
        } else {
            Lamp::Behind
        };
        let told = |game: &&Judged| match wanted {
            Games::All => game.current || game.differs.is_some(),
            Games::Differing => game.differs.is_some(),
            Games::None => false,
        };
        Outlet {
            lamp,
            delay_ms: self.delay.millis(),
            until_end: self.delay.until_end,
            differs: self.differs.into_iter().chain(self.games.iter().filter_map(said)).collect(),
            games: self.games.iter().filter(told).map(SentGame::of).collect(),
            outlet: self.name,
            kind: self.kind,
            sent_at: self.sent_at,
            sent: self.sent,
            up_to_date: self.up_to_date,
            equal: self.equal,
            trouble: self.trouble,
            answer: self.answer,
        }
    }
}

impl SentGame {
    fn of(game: &Judged) -> Self {
        Self {
            round: game.place.round,
            pairing: game.place.pairing,
            board: game.board.clone(),
            sent_at: game.sent_at,
            plies: game.told.plies(),
            result: game.told.result(),
            record: RecordGame { plies: game.right.plies(), result: game.right.result() },
            equal: game.differs.is_none(),
            differs: game.differs.clone(),
        }
    }
}

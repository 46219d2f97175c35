//! The event as broadcast software knows it: its name, rounds, pairings, players, and what became of each game.
//!
//! | to change | go to |
//! |---|---|
//! | what a reader sees of the event, and the shared handle | this file |
//! | which game belongs to which pairing, when a round begins | `event_info/chronicle.rs`; pairings and their games as they are kept: `event_info/seats.rs`; what a new pairing list changes: `event_info/listed.rs`, and what waits for somebody's word: `event_info/held.rs`; which e-board a pairing is played on: `event_info/seating.rs` |
//! | one game as documents need it: the legal line, clocks, where it was cut | [`flagfall_score::kept`] |
//! | what survives a restart | `event_info/store.rs` |
//! | what is written, and the thread that does it | `event_info/folders.rs`, `event_info/writing.rs` |
//! | what lists and reports change once they are read, and what is told of it | `event_info/found.rs`; in words: `event_info/changes.rs` |
//! | lists at addresses, as they come | `event_info/polled.rs`; lists that were posted, over a restart: `event_info/posted.rs` |
//! | the way in for events and wishes | `event_info/desk.rs`; operators' routes: `event_info/operator.rs` |
//! | the task that does all this | `event_info/task.rs` |
pub mod changes;
pub mod chronicle;
pub mod desk;
mod folders;
pub mod found;
pub mod held;
mod listed;
pub mod operator;
mod polled;
mod posted;
mod seating;
pub mod seats;
pub mod store;
pub mod task;
mod writing;

use crate::pairings::scored::Scored;
use crate::players::Player;
use flagfall_events::GameResult;
use flagfall_score::kept::GameRecord;
use flagfall_web::public::{Earlier, Games};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use tokio::sync::watch;

/// The event at one moment. Cheap to share; never changes once made.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tournament {
    /// Stable across restarts: made from the name and the place, or given.
    pub uuid: String,
    /// The short title.
    pub id: String,
    /// The name.
    pub name: String,
    /// City.
    pub city: Option<String>,
    /// Country: two letters (ISO 3166).
    pub country: Option<String>,
    /// Where it is played, as the PGN tag `Site` has it: `City, Country`; `?` where nothing is known.
    pub site: String,
    /// Its page.
    pub website: Option<String>,
    /// Time control in words.
    pub time_control: Option<String>,
    /// Time control in PGN notation, where the tournament report has it.
    pub control: Option<String>,
    /// Round 1 first, without gaps; rounds without pairings are there.
    pub rounds: Vec<Round>,
    /// The round now playing, from 1.
    pub current: u32,
    /// Serial numbers by board name, as far as boards have said them.
    pub serials: BTreeMap<Arc<str>, String>,
    /// Games that are kept, by board, in the order in which they were played.
    pub games: BTreeMap<Arc<str>, Vec<Played>>,
    /// Points as a tournament report has them; empty without one.
    pub scores: Arc<Vec<Scored>>,
}

/// A game and where it was played.
#[derive(Clone, Debug, PartialEq)]
pub struct Played {
    /// The round, from 1.
    pub round: u32,
    /// The pairing's number in it.
    pub pairing: u32,
    /// The game.
    pub game: Arc<GameRecord>,
}

/// One round.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Round {
    /// From 1.
    pub number: u32,
    /// `YYYY-MM-DD`.
    pub date: Option<String>,
    /// In board order; pairing M is `game-M` in every document.
    pub pairings: Vec<Pairing>,
}

/// One pairing and its game.
#[derive(Clone, Debug, PartialEq)]
pub struct Pairing {
    /// From 1, without gaps: its place in the round. It does not change once the round has begun.
    pub number: u32,
    /// Stable across restarts and corrections of names.
    pub uuid: String,
    /// The board or table as the pairing list calls it.
    pub label: String,
    /// The e-board it is played on; `None`: it is listed for its result only.
    pub board: Option<Arc<str>>,
    /// White.
    pub white: Player,
    /// Black.
    pub black: Player,
    /// The game's result, else the pairing list's.
    pub result: GameResult,
    /// The game has begun on an e-board and has no result.
    pub live: bool,
    /// The game, once there is one; the same `Arc` as long as nothing changed.
    pub game: Option<Arc<GameRecord>>,
}

impl Tournament {
    /// Round `number`, from 1.
    pub fn round(&self, number: u32) -> Option<&Round> {
        self.rounds.get(usize::try_from(number.checked_sub(1)?).ok()?)
    }

    /// The round now playing.
    pub fn now_playing(&self) -> Option<&Round> {
        self.round(self.current)
    }

    /// A pairing by its uuid, with its round.
    pub fn pairing(&self, uuid: &str) -> Option<(&Round, &Pairing)> {
        self.rounds.iter().find_map(|round| Some((round, round.pairings.iter().find(|p| p.uuid == uuid)?)))
    }

    /// The serial number of a board; its name where it has said none.
    pub fn serial<'a>(&'a self, board: &'a str) -> &'a str {
        self.serials.get(board).map_or(board, String::as_str)
    }

    /// The pairing of the game that a board shows, with its round: until the next game has a move it is the last one's.
    pub fn pairing_of(&self, board: &str) -> Option<(u32, &Pairing)> {
        let number = self.games.get(board).and_then(|games| games.last()).map_or(self.current, |played| played.round);
        Some((number, self.round(number)?.pairings.iter().find(|p| p.board.as_deref() == Some(board))?))
    }

    /// Event, site and round of the game that a board shows, as PGN tags have them.
    pub fn tags_of(&self, board: &str) -> Option<[Option<String>; 3]> {
        let (round, pairing) = self.pairing_of(board)?;
        Some(self.tags(round, pairing.number))
    }

    /// Event, site and round as PGN tags have them.
    pub fn tags(&self, round: u32, pairing: u32) -> [Option<String>; 3] {
        [self.name.clone(), self.site.clone(), format!("{round}.{pairing}")].map(Some)
    }

    /// Game `number` of a board, if it is kept; the newest one where numbers began anew.
    pub fn game(&self, board: &str, number: u32) -> Option<&Played> {
        self.games.get(board)?.iter().rev().find(|played| played.game.game == Some(number))
    }

    /// Which games of a board have no result because nobody showed one.
    pub fn unread(&self, board: &str) -> BTreeSet<u32> {
        let games = self.games.get(board).map_or(&[][..], Vec::as_slice);
        games.iter().filter(|played| played.game.is_unread()).filter_map(|played| played.game.game).collect()
    }

    /// Serial numbers by pairing number of the round now playing: as long as the last pairing that has an e-board. A pairing between that
    /// has none is there under its label.
    pub fn eboards(&self) -> Vec<&str> {
        let Some(round) = self.now_playing() else { return Vec::new() };
        let last = round.pairings.iter().rposition(|p| p.board.is_some()).map_or(0, |i| i + 1);
        round.pairings[..last].iter().map(|p| p.board.as_deref().map_or(p.label.as_str(), |board| self.serial(board))).collect()
    }
}

impl Pairing {
    /// `WHITEWIN`, `BLACKWIN`, `DRAW`, or nothing while there is no result.
    pub const fn result_word(&self) -> Option<&'static str> {
        result_word(self.result)
    }
}

/// LiveChess's words for results; `None` while there is none.
pub const fn result_word(result: GameResult) -> Option<&'static str> {
    match result {
        GameResult::WhiteWins => Some("WHITEWIN"),
        GameResult::BlackWins => Some("BLACKWIN"),
        GameResult::Draw => Some("DRAW"),
        GameResult::Open => None,
    }
}

/// The shared handle: what all publishers read. It changes while they run.
#[derive(Debug)]
pub struct EventInfo {
    now: watch::Sender<Arc<Tournament>>,
}

impl EventInfo {
    /// A handle that shows `first` until something else is put in.
    pub fn new(first: Tournament) -> Arc<Self> {
        Arc::new(Self { now: watch::Sender::new(Arc::new(first)) })
    }

    /// The event as it is now.
    pub fn now(&self) -> Arc<Tournament> {
        self.now.borrow().clone()
    }

    /// To wait for changes; a slow reader sees only the newest.
    pub fn watch(&self) -> watch::Receiver<Arc<Tournament>> {
        self.now.subscribe()
    }

    /// Shows `next` from now on.
    pub fn put(&self, next: Tournament) {
        self.now.send_if_modified(|now| {
            let news = **now != next;
            if news {
                *now = Arc::new(next);
            }
            news
        });
    }
}

impl Games for EventInfo {
    fn tags(&self, board: &str) -> Option<[Option<String>; 3]> {
        self.now().tags_of(board)
    }

    fn game(&self, board: &str, number: u32) -> Option<Earlier> {
        let event = self.now();
        let played = event.game(board, number)?;
        let pairing = event.round(played.round).and_then(|round| round.pairings.iter().find(|p| p.number == played.pairing));
        let name = |player: fn(&Pairing) -> &Player| pairing.map_or_else(|| String::from("?"), |pairing| player(pairing).pgn_name());
        let players = [name(|p| &p.white), name(|p| &p.black)];
        Some(Earlier { game: played.game.clone(), players, tags: event.tags(played.round, played.pairing) })
    }
}

/// A name-based UUID (version 8 of RFC 9562): the same parts give the same one.
pub(crate) fn uuid(parts: &[&str]) -> String {
    let mut hasher = blake3::Hasher::new();
    for part in parts {
        // With its length, so that no two lists of parts look alike.
        hasher.update(&(part.len() as u64).to_le_bytes());
        hasher.update(part.as_bytes());
    }
    let mut b = [0; 16];
    b.copy_from_slice(&hasher.finalize().as_bytes()[..16]);
    b[6] = (b[6] & 0x0f) | 0x80;
    b[8] = (b[8] & 0x3f) | 0x80;
    // Every pairing's is made whenever an event is shown: no formatting.
    let digit = |four: u8| char::from(if four < 10 { b'0' + four } else { b'a' + four - 10 });
    let hex: String = b.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 0x0f)]).collect();
    format!("{}-{}-{}-{}-{}", &hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..])
}

#[cfg(test)]
mod missed_tests;
#[cfg(test)]
mod returned_tests;
#[cfg(test)]
#[path = "event_info/tests.rs"]
mod tests;
#[cfg(test)]
mod two_worlds_tests;

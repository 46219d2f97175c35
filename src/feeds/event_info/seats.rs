//! What is kept of the rounds: their pairings, and the games that belong to each.
use crate::pairings::Listed;
use crate::players::Player;
use flagfall_events::{GameResult, Wall};
use flagfall_score::kept::GameRecord;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Games of one board that are kept in one round.
const GAMES: usize = 16;

/// What survives a restart.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Kept {
    pub(super) uuid: String,
    pub(super) name: String,
    pub(super) place: String,
    pub(super) current: u32,
    pub(super) rounds: BTreeMap<u32, KeptRound>,
    /// Finished games that are still on their boards and belong to no round of this event, by when they began.
    #[serde(default)]
    pub(super) left: BTreeMap<Arc<str>, Wall>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct KeptRound {
    pub(super) date: Option<String>,
    /// A pairing list named it.
    pub(super) listed: bool,
    /// Its list came while the round before was being played: it begins as soon as that is over.
    pub(super) due: bool,
    pub(super) seats: Vec<Seat>,
}

/// One pairing of a round.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Seat {
    pub(super) label: String,
    pub(super) board: Option<Arc<str>>,
    /// As listed; `None`: not named.
    pub(super) white: Option<Player>,
    pub(super) black: Option<Player>,
    pub(super) result: GameResult,
    /// Nobody plays here: one of them, or both, did not come.
    #[serde(default)]
    pub(super) forfeit: bool,
    /// The games of this board since the round began, the last one is on the board.
    pub(super) games: Vec<Arc<GameRecord>>,
}

impl Seat {
    pub(super) fn new(label: &str, board: Option<Arc<str>>) -> Self {
        Self { label: String::from(label), board, white: None, black: None, result: GameResult::Open, forfeit: false, games: Vec::new() }
    }

    /// As a line of a list has it, without a board.
    pub(super) fn listed(listed: &Listed) -> Self {
        let mut seat = Self::new(&listed.label, None);
        seat.fill(listed);
        seat
    }

    /// Takes what a line of a list says of this pairing.
    pub(super) fn fill(&mut self, listed: &Listed) {
        // A result belongs to the two who were listed with it.
        if listed.result != GameResult::Open || !self.may_be(listed) {
            self.result = listed.result;
        }
        self.white.clone_from(&listed.white);
        self.black.clone_from(&listed.black);
        self.forfeit = listed.forfeit;
    }

    /// A list names somebody here.
    pub(super) const fn is_named(&self) -> bool {
        self.white.is_some() || self.black.is_some()
    }

    /// Whether the list may mean the same two with the same colours, written otherwise; nobody was named here, or the same.
    pub(super) fn may_be(&self, listed: &Listed) -> bool {
        let same = |here: &Option<Player>, there: &Option<Player>| match (here, there) {
            (None, _) => true,
            (Some(here), Some(there)) => here.may_be(there),
            (Some(_), None) => false,
        };
        same(&self.white, &listed.white) && same(&self.black, &listed.black)
    }

    /// The game that counts: the one that was played to its end; else the last that has begun. Where nothing is listed, a new game replaces a finished one.
    pub(super) fn shown(&self, listed: bool) -> Option<&Arc<GameRecord>> {
        let finished = if listed { self.games.iter().find(|g| g.stands()) } else { None };
        finished.or_else(|| self.games.iter().rev().find(|g| g.has_begun())).or_else(|| self.games.last())
    }

    pub(super) fn has_begun(&self) -> bool {
        self.games.iter().any(|g| g.has_begun())
    }

    /// It has a result, its game was played to an end, or its board plays another one.
    pub(super) fn is_over(&self) -> bool {
        let another = self.games.split_last().is_some_and(|(_, before)| before.iter().any(|g| g.has_begun()));
        another || self.forfeit || self.result != GameResult::Open || self.games.iter().any(|g| g.stands())
    }

    /// One more game. Of many that were played at this board the oldest goes, but never the one that counts, nor one whose result is missing.
    pub(super) fn add(&mut self, game: Arc<GameRecord>, listed: bool) {
        // One that never began is only the start position standing there.
        self.games.retain(|game| game.has_begun() || game.is_over());
        if self.games.len() >= GAMES {
            let counts = self.shown(listed).cloned();
            let kept = |game: &Arc<GameRecord>| game.is_unread() || counts.as_ref().is_some_and(|counts| Arc::ptr_eq(counts, game));
            let oldest = self.games.iter().position(|game| !kept(game)).unwrap_or(0);
            self.games.remove(oldest);
        }
        self.games.push(game);
    }

    /// The games that were not this round's.
    pub(super) fn take_later(&mut self) -> Vec<Arc<GameRecord>> {
        let keep = match self.games.iter().position(|g| g.stands()) {
            Some(finished) => finished + 1,
            None => self.games.len() - usize::from(self.games.len() > 1),
        };
        self.games.split_off(keep)
    }
}

impl KeptRound {
    pub(super) fn has_begun(&self) -> bool {
        self.seats.iter().any(Seat::has_begun)
    }
}

//! The alarms of one board: those the game raises itself, and those that show only in what happens around it.
//!
//! Pure: time is an argument, any scale of milliseconds that never runs back.
use crate::livechess::squares;
use crate::office::OfficeState;
use crate::sheet::ScoreSheet;
use crate::standing::Standing;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use flagfall_events::{AlarmState, Body, ClockSource, Colour, Event, Flag, GameResult, LinkState, Mono, ResultSource};

/// A board that never answered since the start is gone after this long.
const NEVER_CAME_MS: u64 = 30_000;
/// Clocks stand this long at most while a game is on, before somebody should look.
const STANDS_MS: u64 = 60_000;
/// Clocks may run on this long after a result.
const RUNS_ON_MS: u64 = 15_000;
/// A flag that fell, or pieces that were put away, this long without a result.
const NO_RESULT_MS: u64 = 30_000;
/// More squares than this differ from the game, and the pieces were put away or set up.
const PUT_AWAY: usize = 8;
/// Presses after a result that make a game go on: one may have been the last.
const GOES_ON: u32 = 2;
/// Moves of a game that is worth a result.
const A_GAME: usize = 2;
/// The clock runs this long and nothing is recorded, before somebody should look.
const IDLE_MS: u64 = 8_000;
/// The alarm of a clock that runs while no game is on.
const IDLE: &str = "not-recorded";
/// The alarm of games without a result.
const MISSING: &str = "result-missing";
/// The alarms that are raised here; all others are the game's own.
const LOOKED_FOR: [&str; 9] = [
    "board-lost",
    IDLE,
    MISSING,
    "result-early",
    "result-clock-running",
    "clock-stopped",
    "move-without-clock",
    "feed-cut",
    "sent-move-changed",
];

/// One board.
#[derive(Debug)]
pub struct Watch {
    seq: u64,
    up: Option<bool>,
    known_since: Mono,
    sheet: ScoreSheet,
    /// What was made on a board without a clock and stands there: clients of the LiveChess API have it.
    standing: Standing,
    placement: Option<String>,
    /// The moves that were told to the world, as long as they were a legal line.
    told: Vec<String>,
    /// They are no longer the truth.
    taken_back: bool,
    /// An illegal move stands among the completed ones.
    cut: bool,
    result: Option<(GameResult, ResultSource, Mono)>,
    running: Option<Colour>,
    running_since: Mono,
    turns_after_result: u32,
    /// The clock changed sides so often while no game was on.
    turns_idle: u32,
    /// Since when it runs and no game is on, where none is about to begin.
    idle_since: Option<Mono>,
    has_clock: bool,
    flag: Option<Flag>,
    flag_since: Mono,
    apart_since: Option<Mono>,
    last_move_timed: bool,
    /// Which game of the board is on, or was last.
    game: Option<u32>,
    /// Earlier games, and the last one, that ended without a result; without a number where games have none.
    missing: BTreeSet<Option<u32>>,
    /// The same as the event's own record has it.
    unread: BTreeSet<u32>,
    /// The games that the alarm was told with.
    told_missing: BTreeSet<Option<u32>>,
    raised: BTreeMap<Arc<str>, Mono>,
}

/// An alarm was raised or cleared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// Which.
    pub key: Arc<str>,
    /// Raised, not cleared.
    pub raised: bool,
    /// The game said it: it is in the event stream already.
    pub by_game: bool,
}

impl Watch {
    /// A board that has said nothing yet, known since `now`.
    pub fn new(now: Mono) -> Self {
        Self {
            seq: 0,
            up: None,
            known_since: now,
            sheet: ScoreSheet::default(),
            standing: Standing::default(),
            placement: None,
            told: Vec::new(),
            taken_back: false,
            cut: false,
            result: None,
            running: None,
            running_since: now,
            turns_after_result: 0,
            turns_idle: 0,
            idle_since: None,
            has_clock: false,
            flag: None,
            flag_since: now,
            apart_since: None,
            last_move_timed: true,
            game: None,
            missing: BTreeSet::new(),
            unread: BTreeSet::new(),
            told_missing: BTreeSet::new(),
            raised: BTreeMap::new(),
        }
    }

    /// What stands, and since when.
    pub const fn raised(&self) -> &BTreeMap<Arc<str>, Mono> {
        &self.raised
    }

    /// Takes an event of this board.
    pub fn take(&mut self, event: &Event, now: Mono) -> Vec<Change> {
        if event.seq <= self.seq {
            return Vec::new();
        }
        self.seq = event.seq;
        let mut changes = Vec::new();
        if let Body::Result { result, source, .. } = &event.body {
            let unread = *result == GameResult::Open && *source == ResultSource::Setup;
            if unread {
                self.missing.insert(event.game)
            } else {
                self.missing.remove(&event.game)
            };
            if let Some(game) = event.game.filter(|_| !unread) {
                self.unread.remove(&game);
            }
        }
        match &event.body {
            Body::GameStart { .. } | Body::Alarm { .. } => {}
            _ if event.is_of_another(self.game) => {
                self.look(now, &mut changes);
                return changes;
            }
            _ => {}
        }
        match &event.body {
            Body::Link { state, .. } => self.up = Some(*state == LinkState::Up),
            Body::Identity { .. } => self.up = Some(true),
            // It stands as long as one game is without a result.
            Body::Alarm { key, state, .. } if key.as_str() == MISSING && event.game.is_some() => {
                _ = if *state == AlarmState::Raised { self.missing.insert(event.game) } else { self.missing.remove(&event.game) };
            }
            Body::Alarm { key, state, .. } => self.set(key.as_str(), *state == AlarmState::Raised, true, now, &mut changes),
            Body::Clock(state) => {
                self.has_clock |= state.source == ClockSource::Device;
                if state.running != self.running {
                    let turned = state.running.is_some() && self.running.is_some();
                    self.turns_after_result += u32::from(turned && self.result.is_some());
                    self.turns_idle += u32::from(turned && !self.sheet.is_live());
                    (self.running, self.running_since) = (state.running, now);
                }
                if state.flag != self.flag {
                    (self.flag, self.flag_since) = (state.flag, now);
                }
            }
            Body::Placement { placement, settled } => self.stands(placement, *settled, now),
            Body::Result { result, source, .. } => {
                self.result = (*result != GameResult::Open).then_some((*result, *source, now));
                self.turns_after_result = 0;
                if self.result.is_none() {
                    // No result is an answer, too: only what happens from now on says that one is missing.
                    (self.apart_since, self.flag_since) = (None, now);
                }
            }
            Body::GameStart { .. } => self.new_game(event.game, now),
            Body::MoveCompleted { clock, .. } => self.last_move_timed = clock.is_some(),
            _ => {}
        }
        // A clock that was corrected is no move.
        let moved = self.sheet.take(event) && !matches!(event.body, Body::Clock(_));
        if self.settle(now) || moved {
            self.moved();
        }
        self.look(now, &mut changes);
        changes
    }

    /// Events were not told: the board as its arbiters know it now. What lasts is counted from here where it is another thing than before.
    pub fn again(&mut self, state: &OfficeState, now: Mono) -> Vec<Change> {
        let (board, mut changes) = (state.board(), Vec::new());
        if board.seq() <= self.seq {
            return changes;
        }
        self.seq = board.seq();
        self.up = Some(board.link() == LinkState::Up);
        if board.sheet().epoch() != self.sheet.epoch() || board.game().number != self.game {
            self.new_game(board.game().number, now);
        }
        self.sheet = board.sheet().clone();
        let own: Vec<&str> = state.alarms().iter().filter(|alarm| alarm.seq.is_some()).map(|alarm| alarm.key.as_str()).collect();
        let over: Vec<Arc<str>> =
            self.raised.keys().filter(|key| !LOOKED_FOR.contains(&&***key) && !own.contains(&&***key)).cloned().collect();
        over.iter().for_each(|key| self.set(key, false, true, now, &mut changes));
        own.into_iter().filter(|key| *key != MISSING).for_each(|key| self.set(key, true, true, now, &mut changes));
        if let Some(clock) = board.clock().map(|reading| reading.state) {
            self.has_clock |= clock.source == ClockSource::Device;
            if clock.running != self.running {
                (self.running, self.running_since) = (clock.running, now);
            }
            if clock.flag != self.flag {
                (self.flag, self.flag_since) = (clock.flag, now);
            }
        }
        let result = Some(board.game().result).filter(|result| *result != GameResult::Open).zip(board.ended());
        if result != self.result.map(|(result, source, _)| (result, source)) {
            self.result = result.map(|(result, source)| (result, source, now));
            self.turns_after_result = 0;
        }
        if let Some(timed) = board.moves().iter().rev().find(|m| m.completed).map(|m| m.clock.is_some()) {
            self.last_move_timed = timed;
        }
        if let Some(sensed) = state.sensed() {
            self.stands(sensed, true, now);
        }
        self.settle(now);
        self.moved();
        self.look(now, &mut changes);
        changes
    }

    /// A moment came.
    pub fn tick(&mut self, now: Mono) -> Vec<Change> {
        let mut changes = Vec::new();
        if self.settle(now) {
            self.moved();
        }
        self.look(now, &mut changes);
        changes
    }

    fn new_game(&mut self, game: Option<u32>, now: Mono) {
        // One that was cancelled, or ended without a result by an entry, is no longer live.
        if self.result.is_none() && self.sheet.is_live() && self.told.len() >= A_GAME {
            self.missing.insert(self.game);
        }
        self.game = game;
        (self.result, self.flag, self.apart_since) = (None, None, None);
        (self.turns_after_result, self.turns_idle, self.last_move_timed) = (0, 0, true);
        self.running_since = now;
        self.told.clear();
    }

    /// What stands on a board without a clock is told sooner than the game completes it. Whether more or less of it is told now.
    fn settle(&mut self, now: Mono) -> bool {
        let before = self.standing.ply();
        self.standing.look(&self.sheet, self.placement.as_deref(), self.has_clock, now);
        self.standing.ply() != before
    }

    fn stands(&mut self, placement: &str, settled: bool, now: Mono) {
        self.placement = Some(String::from(placement));
        if !settled {
            return;
        }
        let apart = self.sheet.expected().is_some_and(|expected| {
            let differ = squares(&expected).zip(squares(placement)).filter(|(a, b)| a != b).count();
            differ > PUT_AWAY
        });
        self.apart_since = apart.then(|| self.apart_since.unwrap_or(now));
    }

    /// The record changed: what was told may be told no more.
    fn moved(&mut self) {
        let line: Vec<String> = self.sheet.line(self.standing.ply()).into_iter().map(|(_, step)| step.uci.clone()).collect();
        self.taken_back = !line.starts_with(&self.told);
        self.cut = self.sheet.is_cut();
        if !self.taken_back {
            self.told = line;
        }
    }

    /// What stands is no position that a game is about to begin from: pawns or pieces are not where they start.
    fn is_no_start(&self) -> bool {
        let start = |placement: &str| {
            let mut ranks = placement.split('/');
            let (eighth, seventh, rest) = (ranks.next(), ranks.next(), ranks.by_ref().take(4).all(|rank| rank == "8"));
            let (second, first) = (ranks.next(), ranks.next());
            let whole =
                |rank: Option<&str>| rank.is_some_and(|rank| rank.len() == 8 && rank.bytes().all(|piece| piece.is_ascii_alphabetic()));
            whole(eighth) && seventh == Some("pppppppp") && rest && second == Some("PPPPPPPP") && whole(first)
        };
        // A board that tells only occupied from empty reads pawns everywhere.
        let occupied = |placement: &str| placement == "PPPPPPPP/PPPPPPPP/8/8/8/8/PPPPPPPP/PPPPPPPP";
        self.placement.as_deref().is_some_and(|placement| !start(placement) && !occupied(placement))
    }

    fn look(&mut self, now: Mono, changes: &mut Vec<Change>) {
        let live = self.sheet.is_live() && self.result.is_none();
        let played = !self.told.is_empty();
        let stands_for = now.since(self.running_since);
        let lost = match self.up {
            Some(up) => !up,
            None => now.since(self.known_since) >= NEVER_CAME_MS,
        };
        let put_away = self.apart_since.is_some_and(|since| now.since(since) >= NO_RESULT_MS);
        let flagged = self.flag.is_some() && now.since(self.flag_since) >= NO_RESULT_MS;
        let over = live && self.told.len() >= A_GAME && (put_away || flagged);
        let since_result = self.result.map(|(_, _, at)| now.since(at));
        let runs = self.running.is_some();
        let operator = self.result.is_some_and(|(_, source, _)| source == ResultSource::Operator);
        let goes_on = operator && self.turns_after_result >= GOES_ON && runs;
        let missing = self.missing();
        let idle = runs && self.has_clock && !live && !lost && self.is_no_start() && (self.game.is_none() || self.turns_idle >= GOES_ON);
        self.idle_since = idle.then(|| self.idle_since.unwrap_or(now));
        let unrecorded = self.idle_since.is_some_and(|since| now.since(since) >= IDLE_MS);
        for (key, raised) in [
            ("board-lost", lost),
            (IDLE, unrecorded),
            (MISSING, over || !missing.is_empty()),
            ("result-early", goes_on),
            ("result-clock-running", runs && since_result.is_some_and(|ms| ms >= RUNS_ON_MS)),
            ("clock-stopped", live && played && self.has_clock && !lost && !runs && !over && stands_for >= STANDS_MS),
            ("move-without-clock", live && played && self.has_clock && !self.last_move_timed),
            ("feed-cut", self.cut),
            ("sent-move-changed", self.taken_back),
        ] {
            self.set(key, raised, false, now, changes);
        }
        // The alarm stands, and is about other games now.
        if missing != self.told_missing {
            let told = changes.iter().any(|change| &*change.key == MISSING);
            if !told && self.raised.contains_key(MISSING) {
                changes.push(Change { key: MISSING.into(), raised: true, by_game: false });
            }
            self.told_missing = missing;
        }
    }

    /// Games of this board that are over without a result, by the event's own record.
    pub fn unread(&mut self, games: BTreeSet<u32>, now: Mono) -> Vec<Change> {
        let mut changes = Vec::new();
        if self.unread != games {
            self.unread = games;
            self.look(now, &mut changes);
        }
        changes
    }

    /// The earlier games whose results are missing.
    pub fn missing(&self) -> BTreeSet<Option<u32>> {
        self.missing.iter().copied().chain(self.unread.iter().copied().map(Some)).collect()
    }

    fn set(&mut self, key: &str, raised: bool, by_game: bool, now: Mono, changes: &mut Vec<Change>) {
        if raised == self.raised.contains_key(key) {
            return;
        }
        let key: Arc<str> = key.into();
        if raised {
            self.raised.insert(key.clone(), now);
        } else {
            self.raised.remove(&key);
        }
        changes.push(Change { key, raised, by_game });
    }
}

#[cfg(test)]
#[path = "alarms_tests.rs"]
mod tests;

//! When to send what: one request at a time, the latest state wins, never more often than agreed. Pure: time comes as an argument.
//!
//! ```text
//! offer ──▶ latest ─┐
//! wish  ──▶ reset? ─┼─▶ next(now): Send | At(when) | Idle ──▶ (the shell sends) ──▶ answered(now, outcome): what to tell
//! ```
//!
//! Paces are counted from the answer, not from the request: so they hold at the other end too, whatever the way there costs.
use super::answer::{PushOutcome, Refusal};
use super::round::{Body, MOST_BYTES, Round};
use flagfall_events::{Mono, Words};
use rand::{Rng as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;
use std::collections::BTreeSet;
use std::sync::Arc;

/// What Lichess asks for after a 429.
const REST_MS: u64 = 60_000;
/// No answer makes us stay away longer than this.
const LONGEST_REST_MS: u64 = 3_600_000;
/// After the first failure, doubled after each further one …
const BACK_OFF_MS: u64 = 2_000;
/// … up to this.
const LONGEST_BACK_OFF_MS: u64 = 60_000;
/// After a refusal, which only a person can mend, doubled …
const REFUSED_MS: u64 = 60_000;
/// … up to this.
const LONGEST_REFUSED_MS: u64 = 300_000;
/// A body is never made smaller than this because Lichess finds it too large.
const LEAST_BYTES: usize = 64 * 1024;
/// A single failure is nothing to tell.
const FAILURES_TOLD: u32 = 2;

/// What to send.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Order {
    /// The whole round.
    Push(Arc<Body>),
    /// Empty the round on Lichess.
    Reset,
}

/// What to do now. [`Engine::answered`] answers a `Send`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Next {
    /// Send this now.
    Send(Order),
    /// Nothing before then.
    At(Mono),
    /// Nothing until something changes.
    Idle,
}

/// What an operator wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wish {
    /// Send the whole round again, even if nothing changed.
    Push,
    /// Empty the round on Lichess, then send it whole.
    Reset,
}

/// Something for the operator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tell {
    /// `feed-failing`: nothing arrives; `feed-game-refused`: one board's game does not; `feed-size`: something had to be left out.
    pub key: &'static str,
    /// The board, where it is about one.
    pub board: Option<Arc<str>>,
    /// What is so and what to do; `None` when it is over.
    pub text: Option<Words>,
}

/// How the feed is doing, for people.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Requests that were taken.
    pub taken: u64,
    /// Requests that were not.
    pub failed: u64,
    /// When the last push was taken.
    pub last_taken: Option<Mono>,
    /// The latest state has arrived.
    pub up_to_date: bool,
}

/// One round's feed.
#[derive(Debug)]
pub struct Engine {
    interval_ms: u64,
    most_bytes: usize,
    rng: ChaCha8Rng,
    latest: Option<Round>,
    /// What Lichess has, as far as we know.
    arrived: Option<Round>,
    in_flight: Option<Flight>,
    reset: bool,
    again: bool,
    /// Nothing before, whatever anybody wishes.
    not_before: Mono,
    /// Nothing before, unless the operator wishes it.
    patience: Mono,
    /// He does, since the last request.
    hurry: bool,
    failures: u32,
    failing: Option<Words>,
    refused_boards: BTreeSet<Arc<str>>,
    size: Option<Words>,
    progress: Progress,
}

#[derive(Debug)]
enum Flight {
    Push(Round, Arc<Body>),
    Reset,
}

impl Engine {
    /// A feed that sends at most every `interval_ms`, at least a second. `seed` spreads the retries of many feeds.
    pub fn new(interval_ms: u64, seed: u64) -> Self {
        Self {
            interval_ms: interval_ms.max(1000),
            most_bytes: MOST_BYTES,
            rng: ChaCha8Rng::seed_from_u64(seed),
            latest: None,
            arrived: None,
            in_flight: None,
            reset: false,
            again: false,
            not_before: Mono::ZERO,
            patience: Mono::ZERO,
            hurry: false,
            failures: 0,
            failing: None,
            refused_boards: BTreeSet::new(),
            size: None,
            progress: Progress::default(),
        }
    }

    /// The round as it stands; replaces what was not sent yet.
    pub fn offer(&mut self, round: Round) {
        self.latest = Some(round);
    }

    /// An operator's command.
    pub const fn wish(&mut self, wish: Wish) {
        match wish {
            Wish::Push => self.again = true,
            Wish::Reset => self.reset = true,
        }
        self.hurry = true;
    }

    /// How the feed is doing.
    pub fn progress(&self) -> Progress {
        let waiting = self.reset || self.again || self.in_flight.is_some() || self.latest != self.arrived;
        Progress { up_to_date: !waiting, ..self.progress.clone() }
    }

    /// What stands in the way, if anything does.
    pub const fn failing(&self) -> Option<&Words> {
        self.failing.as_ref()
    }

    /// What to do now; may be asked at any time.
    pub fn next(&mut self, now: Mono) -> Next {
        if self.in_flight.is_some() {
            return Next::Idle;
        }
        // A round without games is none: there is nothing to show, and nothing to take back.
        let push = self.latest.as_ref().filter(|latest| !latest.is_empty() && (self.again || self.arrived.as_ref() != Some(*latest)));
        if !self.reset && push.is_none() {
            return Next::Idle;
        }
        let due = if self.hurry { self.not_before } else { self.not_before.max(self.patience) };
        if now < due {
            return Next::At(due);
        }
        self.hurry = false;
        if self.reset {
            self.in_flight = Some(Flight::Reset);
            return Next::Send(Order::Reset);
        }
        let Some(round) = push.cloned() else { return Next::Idle };
        let body = Arc::new(Body::new(&round, self.most_bytes));
        self.again = false;
        self.in_flight = Some(Flight::Push(round, body.clone()));
        Next::Send(Order::Push(body))
    }

    /// The answer to the last `Send`, and what the operator must know of it.
    pub fn answered(&mut self, now: Mono, outcome: PushOutcome) -> Vec<Tell> {
        let Some(flight) = self.in_flight.take() else { return Vec::new() };
        self.not_before = now + self.interval_ms;
        let entries = match outcome {
            PushOutcome::Taken(entries) => entries,
            other => {
                self.progress.failed += 1;
                if matches!(flight, Flight::Push(..)) {
                    self.again = true;
                }
                return self.held_up(now, other, &flight);
            }
        };
        self.failures = 0;
        self.patience = Mono::ZERO;
        self.progress.taken += 1;
        let mut tells: Vec<Tell> = self.failing.take().map(|_| Tell { key: "feed-failing", board: None, text: None }).into_iter().collect();
        match flight {
            Flight::Reset => {
                self.reset = false;
                self.arrived = None;
            }
            Flight::Push(round, body) => {
                self.progress.last_taken = Some(now);
                self.arrived = Some(round);
                self.tell_games(&body, &entries, &mut tells);
                self.tell_size(&body, &mut tells);
            }
        }
        tells
    }

    fn held_up(&mut self, now: Mono, outcome: PushOutcome, flight: &Flight) -> Vec<Tell> {
        self.failures = self.failures.saturating_add(1);
        let doubled = |first: u64, longest: u64, failures: u32| first.saturating_mul(1 << (failures - 1).min(16)).min(longest);
        let (wait, text) = match outcome {
            PushOutcome::Taken(_) => return Vec::new(),
            PushOutcome::TooMany(after_s) => {
                let rest = after_s.map_or(REST_MS, |s| s.saturating_mul(1000).clamp(REST_MS, LONGEST_REST_MS));
                // Not even an operator shortens it.
                self.not_before = now + rest;
                let s = rest / 1000;
                let en = format!(
                    "Lichess asks for a pause (429): nothing is sent for {s} s, then the latest state; make sure that no other program uses this token"
                );
                let ru = format!(
                    "Lichess просит паузу (429): {s} с ничего не отправляется, затем последнее состояние; проверьте, не использует ли этот токен другая программа"
                );
                (0, Words::new(en, ru))
            }
            PushOutcome::TooLarge => {
                if let Flight::Push(_, body) = flight {
                    self.most_bytes = (body.text.len() / 4 * 3).max(LEAST_BYTES).min(self.most_bytes);
                }
                let en = "Lichess finds the round too large (413): flagfall sends less of it; divide the boards between two rounds, see `boards` in docs/lichess.md";
                let ru = "Lichess считает тур слишком большим (413): flagfall отправляет меньше; разделите доски на два тура, см. `boards` в docs/lichess.md";
                (self.jittered(doubled(BACK_OFF_MS, LONGEST_BACK_OFF_MS, self.failures)), Words::new(en, ru))
            }
            PushOutcome::Refused(refusal) => {
                let wait = doubled(REFUSED_MS, LONGEST_REFUSED_MS, self.failures);
                // A wish was heard; it must not be carried out hours later, when nobody expects it.
                if matches!(flight, Flight::Reset) && !matches!(refusal, Refusal::NoToken(_) | Refusal::BadToken) {
                    self.reset = false;
                }
                (wait, refusal.text())
            }
            PushOutcome::Failed(failure) => {
                let wait = self.jittered(doubled(BACK_OFF_MS, LONGEST_BACK_OFF_MS, self.failures));
                let text = failure.text();
                if self.failures < FAILURES_TOLD {
                    self.patience = now + wait;
                    return Vec::new();
                }
                (wait, text)
            }
        };
        self.patience = now + wait;
        if self.failing.as_ref() == Some(&text) {
            return Vec::new();
        }
        self.failing = Some(text.clone());
        vec![Tell { key: "feed-failing", board: None, text: Some(text) }]
    }

    /// Half of it to all of it.
    fn jittered(&mut self, ms: u64) -> u64 {
        self.rng.random_range(ms / 2..=ms)
    }

    /// Entries come in the order in which the games were sent.
    fn tell_games(&mut self, body: &Body, entries: &[super::answer::GameAnswer], tells: &mut Vec<Tell>) {
        let mut refused = BTreeSet::new();
        for (board, entry) in body.boards.iter().zip(entries) {
            let Some(error) = &entry.error else { continue };
            refused.insert(board.clone());
            let en = format!(
                "Lichess does not take the game of board {board} ({error}); its chapter stands still, the others go on; compare the moves, then `flagfall lichess reset` if the chapter is wrong"
            );
            let ru = format!(
                "Lichess не принимает партию доски {board} ({error}); её глава стоит, остальные обновляются; сверьте ходы, при ошибке в главе: `flagfall lichess reset`"
            );
            if !self.refused_boards.contains(board) {
                tells.push(Tell { key: "feed-game-refused", board: Some(board.clone()), text: Some(Words::new(en, ru)) });
            }
        }
        for over in self.refused_boards.difference(&refused) {
            tells.push(Tell { key: "feed-game-refused", board: Some(over.clone()), text: None });
        }
        self.refused_boards = refused;
    }

    fn tell_size(&mut self, body: &Body, tells: &mut Vec<Tell>) {
        let names = |boards: &[Arc<str>]| boards.join(", ");
        let text = if !body.left_out.is_empty() {
            let boards = names(&body.left_out);
            Some(Words::new(
                format!(
                    "too much for one Lichess round: boards {boards} are not sent; make a second round there and divide the boards with `boards`"
                ),
                format!(
                    "слишком много для одного тура Lichess: доски {boards} не отправляются; создайте там второй тур и разделите доски ключом `boards`"
                ),
            ))
        } else if !body.without_clocks.is_empty() {
            let boards = names(&body.without_clocks);
            Some(Words::new(
                format!("the round is too long for Lichess: boards {boards} are sent without clock times"),
                format!("тур слишком длинный для Lichess: доски {boards} отправляются без времени на часах"),
            ))
        } else {
            None
        };
        if self.size != text {
            self.size.clone_from(&text);
            tells.push(Tell { key: "feed-size", board: None, text });
        }
    }
}

#[cfg(test)]
#[path = "engine_tests.rs"]
mod tests;

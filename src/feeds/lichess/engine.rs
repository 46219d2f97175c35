//! When to send what: one request at a time, the latest state wins, never more often than agreed. Pure: time comes as an argument.
//!
//! ```text
//! offer ──▶ latest ─┐
//! wish  ──▶ reset? ─┼─▶ next(now): Send | At(when) | Idle ──▶ (the shell sends) ──▶ answered(now, outcome): what to tell
//! looks, remedies ──┘   glimpsed(now, games of the stream): what to tell
//! ```
//!
//! Paces are counted from the answer, not from the request: so they hold at the other end too, whatever the way there costs. After a push
//! the round is read back (`proof.rs`). Before the first push it is looked whether Lichess has the state already.
use super::answer::{Failure, Outcome, Refusal};
use super::asked::{Next, Order, Progress, Tell, Wish};
use super::line::Line;
use super::proof::{About, Look, Proof, Replacement};
use super::round::{Body, MOST_BYTES, Round};
use super::said;
use super::stand_in::StandIns;
use flagfall_events::{Mono, Words};
use rand::{Rng as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

/// What Lichess asks for after a 429.
const REST_MS: u64 = 60_000;
/// No answer makes us stay away longer than this.
const LONGEST_REST_MS: u64 = 3_600_000;
/// After the first failure, doubled after each further one …
const BACK_OFF_MS: u64 = 2_000;
/// … up to this in the first minutes …
const FIRST_BACK_OFF_MS: u64 = 3_000;
/// … which are so many milliseconds …
const FIRST_MS: u64 = 300_000;
/// … and to this later.
const LONGEST_BACK_OFF_MS: u64 = 60_000;
/// Between two chapters whose moves are replaced.
const NEXT_CHAPTER_MS: u64 = 250;
/// A look gives way to pushes for so long.
const LOOK_WAITS_MS: u64 = 2_000;
/// After a refusal, which only a person can mend, doubled …
const REFUSED_MS: u64 = 60_000;
/// … up to this.
const LONGEST_REFUSED_MS: u64 = 300_000;
/// A body is never made smaller than this because Lichess finds it too large.
const LEAST_BYTES: usize = 64 * 1024;
/// A single failure is nothing to tell.
const FAILURES_TOLD: u32 = 2;

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
    /// When requests began to fail.
    failing_since: Option<Mono>,
    proof: Proof,
    /// What was told of the proof and stands.
    told: BTreeMap<About, Words>,
    replacements: VecDeque<Replacement>,
    stand_ins: StandIns,
    /// The next chapter's moves may be replaced then.
    next_chapter: Mono,
    /// It was looked what Lichess has already.
    looked: bool,
    blind: bool,
}

#[derive(Debug)]
enum Flight {
    Push(Round, Arc<Body>),
    Reset,
    Moves(Replacement),
    Delay,
    /// With the state that would be pushed, where it is the first look.
    Round(Option<(Round, Arc<Body>)>),
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
            failing_since: None,
            proof: Proof::default(),
            told: BTreeMap::new(),
            replacements: VecDeque::new(),
            stand_ins: StandIns::default(),
            next_chapter: Mono::ZERO,
            looked: false,
            blind: false,
        }
    }

    /// The same without ever reading back what it sent.
    #[must_use]
    pub fn blind(self) -> Self {
        Self { looked: true, blind: true, ..self }
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
        (self.hurry, self.looked) = (true, true);
    }

    /// Single games as Lichess streams them; what the operator must know of it.
    pub fn glimpsed(&mut self, theirs: &[Line]) -> Vec<Tell> {
        if self.proof.glimpsed(theirs) { self.tell_proof() } else { Vec::new() }
    }

    /// Whether the stream of the round would prove anything.
    pub const fn wants_stream(&self) -> bool {
        !self.blind && self.proof.streamable()
    }

    /// The stream of the round is open, or not any more.
    pub const fn streams(&mut self, open: bool) {
        self.proof.streams(open);
    }

    /// How the feed is doing.
    pub fn progress(&self) -> Progress {
        let waiting = self.reset || self.again || self.in_flight.is_some() || self.latest != self.arrived;
        Progress { up_to_date: !waiting, equal: self.proof.equal(), unread: self.proof.why_unread().cloned(), ..self.progress.clone() }
    }

    /// The round as Lichess took it last, and the boards of it that it refused.
    pub fn taken(&self) -> Option<(&Arc<Body>, &BTreeSet<Arc<str>>)> {
        self.proof.last()
    }

    /// What stands in the way, if anything does.
    pub const fn failing(&self) -> Option<&Words> {
        self.failing.as_ref()
    }

    /// Where viewers see something else, one text a game.
    pub fn differs(&self) -> impl Iterator<Item = &Words> {
        self.told.values()
    }

    /// What to do now; may be asked at any time.
    pub fn next(&mut self, now: Mono) -> Next {
        if self.in_flight.is_some() {
            return Next::Idle;
        }
        // What is to be mended is mended before anybody looks again.
        let look =
            self.proof.next().filter(|_| !self.blind && self.replacements.is_empty()).map(|(due, look)| (due.max(self.not_before), look));
        // A round without games is none: there is nothing to show, and nothing to take back.
        let push = self.latest.as_ref().filter(|latest| !latest.is_empty() && (self.again || self.arrived.as_ref() != Some(*latest)));
        if self.reset || push.is_some() || !self.replacements.is_empty() {
            let first = if self.reset || push.is_some() { self.not_before } else { self.next_chapter };
            let patient = if self.hurry { first } else { first.max(self.patience) };
            if now < patient {
                let soonest =
                    look.filter(|(_, look)| self.failures == 0 && *look == Look::Round).map_or(patient, |(due, _)| due.min(patient));
                if now < soonest {
                    return Next::At(soonest);
                }
            } else if self.reset || look.is_none_or(|(due, _)| now < due + LOOK_WAITS_MS) {
                return self.change();
            }
        }
        match look {
            Some((due, look)) if due <= now => {
                let (order, flight) = match look {
                    Look::Delay => (Order::Delay, Flight::Delay),
                    Look::Round => (Order::Round, Flight::Round(None)),
                };
                self.in_flight = Some(flight);
                Next::Send(order)
            }
            Some((due, _)) => Next::At(due),
            None => Next::Idle,
        }
    }

    /// Something is to be changed on Lichess, and now.
    fn change(&mut self) -> Next {
        self.hurry = false;
        if self.reset {
            self.in_flight = Some(Flight::Reset);
            return Next::Send(Order::Reset);
        }
        let push = self.latest.clone().filter(|latest| !latest.is_empty() && (self.again || self.arrived.as_ref() != Some(latest)));
        let Some(round) = push else {
            let Some(replacement) = self.replacements.pop_front() else { return Next::Idle };
            self.in_flight = Some(Flight::Moves(replacement.clone()));
            return Next::Send(Order::Moves(replacement));
        };
        let body = Arc::new(Body::new(&self.stand_ins.put_into(&round), self.most_bytes));
        if !self.looked {
            let (order, flight) = match self.proof.delay() {
                None => (Order::Delay, Flight::Delay),
                Some(_) => (Order::Round, Flight::Round(Some((round, body)))),
            };
            self.in_flight = Some(flight);
            return Next::Send(order);
        }
        self.again = false;
        self.in_flight = Some(Flight::Push(round, body.clone()));
        Next::Send(Order::Push(body))
    }

    /// The answer to the last `Send`, and what the operator must know of it.
    pub fn answered(&mut self, now: Mono, outcome: Outcome) -> Vec<Tell> {
        let Some(flight) = self.in_flight.take() else { return Vec::new() };
        self.not_before = now + self.interval_ms;
        self.next_chapter = self.not_before;
        let (flight, entries) = match (flight, outcome) {
            (Flight::Delay, Outcome::Delay(seconds)) => {
                self.proof.told_delay(now, seconds);
                // What a delayed round shows is old, and says nothing of what Lichess has.
                self.looked |= seconds > 0;
                return self.well();
            }
            (Flight::Round(first), Outcome::Round(theirs)) => return self.read(now, first, &theirs),
            (flight @ (Flight::Delay | Flight::Round(_)), outcome) => return self.unread(now, outcome, &flight),
            (flight, Outcome::Taken(entries)) => (flight, entries),
            (Flight::Moves(_), Outcome::Refused(_) | Outcome::TooLarge | Outcome::Delay(_) | Outcome::Round(_)) => {
                // A Lichess that has no such request, or an account that may only push.
                self.proof.replaced(now, false);
                return Vec::new();
            }
            (flight, outcome) => {
                self.progress.failed += 1;
                match &flight {
                    Flight::Push(..) => self.again = true,
                    Flight::Moves(replacement) => self.replacements.push_front(replacement.clone()),
                    _ => {}
                }
                return self.held_up(now, outcome, &flight);
            }
        };
        let recovered = self.failures > 0;
        self.failures = 0;
        self.failing_since = None;
        self.patience = Mono::ZERO;
        self.progress.taken += 1;
        let mut tells: Vec<Tell> = self.failing.take().map(|_| Tell { key: "feed-failing", board: None, text: None }).into_iter().collect();
        match flight {
            Flight::Push(round, body) => {
                self.progress.last_taken = Some(now);
                let refused = body.boards.iter().zip(&entries).filter(|(_, entry)| entry.error.is_some()).map(|(board, _)| board.clone());
                let refused: BTreeSet<Arc<str>> = refused.collect();
                self.again |= self.stand_ins.pushed(&round, &body, &refused);
                self.arrived = Some(round);
                // A game that has changed since is looked at anew.
                let sent = |wanted: &Replacement| body.boards.iter().position(|board| *board == wanted.board).map(|place| body.game(place));
                let (same, other): (VecDeque<_>, VecDeque<_>) =
                    self.replacements.drain(..).partition(|wanted| sent(wanted) == Some(wanted.pgn.as_str()));
                self.replacements = same;
                other.iter().for_each(|wanted| self.proof.not_replaced(&wanted.board));
                self.tell_games(&body, &entries, &mut tells);
                self.tell_size(&body, &mut tells);
                self.progress.last_size = Some(self.proof.pushed(now, &body, self.refused_boards.clone(), recovered));
            }
            Flight::Moves(_) => {
                self.progress.healed += 1;
                self.proof.replaced(now, true);
                self.next_chapter = now + NEXT_CHAPTER_MS;
            }
            _ => {
                self.reset = false;
                self.arrived = None;
                self.replacements.clear();
                self.stand_ins.clear();
                self.proof.emptied();
            }
        }
        tells
    }

    /// The round was read back.
    fn read(&mut self, now: Mono, first: Option<(Round, Arc<Body>)>, theirs: &[Line]) -> Vec<Tell> {
        self.progress.looks += 1;
        let mut tells = self.well();
        if let Some((round, body)) = first {
            self.looked = true;
            if self.proof.shows(&body, theirs) {
                self.arrived = Some(round);
                self.progress.last_size = Some(self.proof.pushed(now, &body, BTreeSet::new(), false));
            }
            return tells;
        }
        let remedies = self.proof.seen(now, theirs);
        // What waits to be pushed is the remedy where one waits.
        if remedies.push && self.arrived == self.latest {
            self.again = true;
            self.progress.healed += 1;
        }
        self.replacements = remedies.moves.into();
        tells.extend(self.tell_proof());
        tells
    }

    /// A look was answered: where nothing waits, nothing is in the way.
    fn well(&mut self) -> Vec<Tell> {
        if self.reset || self.again || self.latest != self.arrived {
            return Vec::new();
        }
        (self.failures, self.failing_since, self.patience) = (0, None, Mono::ZERO);
        self.failing.take().map(|_| Tell { key: "feed-failing", board: None, text: None }).into_iter().collect()
    }

    /// The round could not be read back: pushes go on.
    fn unread(&mut self, now: Mono, outcome: Outcome, flight: &Flight) -> Vec<Tell> {
        self.looked = true;
        let passing = matches!(outcome, Outcome::Failed(_));
        let why = match outcome {
            Outcome::TooMany(_) => return self.held_up(now, outcome, flight),
            Outcome::Refused(Refusal::NotAllowed | Refusal::NoSuchRound | Refusal::BadToken) => said::unreadable(),
            Outcome::Refused(refusal) => refusal.text(),
            Outcome::Failed(failure) => failure.text(),
            Outcome::Taken(_) | Outcome::TooLarge | Outcome::Delay(_) | Outcome::Round(_) => Failure::Garbled.text(),
        };
        self.proof.unread(now, why, passing);
        Vec::new()
    }

    /// What changed in what the proof has to say.
    fn tell_proof(&mut self) -> Vec<Tell> {
        let now = self.proof.standing().clone();
        let before = std::mem::replace(&mut self.told, now);
        let tell = |about: &About, text: Option<&Words>| Tell { key: about.0, board: about.1.clone(), text: text.cloned() };
        let over = before.keys().filter(|about| !self.told.contains_key(*about)).map(|about| tell(about, None));
        let news = self.told.iter().filter(|(about, text)| before.get(*about) != Some(*text)).map(|(about, text)| tell(about, Some(text)));
        over.chain(news).collect()
    }

    fn held_up(&mut self, now: Mono, outcome: Outcome, flight: &Flight) -> Vec<Tell> {
        self.failures = self.failures.saturating_add(1);
        let since = *self.failing_since.get_or_insert(now);
        let longest = if now.since(since) < FIRST_MS { FIRST_BACK_OFF_MS } else { LONGEST_BACK_OFF_MS };
        let doubled = |first: u64, longest: u64, failures: u32| first.saturating_mul(1 << (failures - 1).min(16)).min(longest);
        let (wait, text) = match outcome {
            Outcome::Taken(_) | Outcome::Delay(_) | Outcome::Round(_) => return Vec::new(),
            Outcome::TooMany(after_s) => {
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
            Outcome::TooLarge => {
                if let Flight::Push(_, body) = flight {
                    self.most_bytes = (body.text.len() / 4 * 3).max(LEAST_BYTES).min(self.most_bytes);
                }
                let en = "Lichess finds the round too large (413): flagfall sends less of it; divide the boards between two rounds, see `boards` in docs/lichess.md";
                let ru = "Lichess считает тур слишком большим (413): flagfall отправляет меньше; разделите доски на два тура, см. `boards` в docs/lichess.md";
                (self.jittered(doubled(BACK_OFF_MS, longest, self.failures)), Words::new(en, ru))
            }
            Outcome::Refused(refusal) => {
                let wait = doubled(REFUSED_MS, LONGEST_REFUSED_MS, self.failures);
                // A wish was heard; it must not be carried out hours later, when nobody expects it.
                if matches!(flight, Flight::Reset) && !matches!(refusal, Refusal::NoToken(_) | Refusal::BadToken) {
                    self.reset = false;
                }
                (wait, refusal.text())
            }
            Outcome::Failed(failure) => {
                let wait = self.jittered(doubled(BACK_OFF_MS, longest, self.failures));
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
            if !self.refused_boards.contains(board) {
                tells.push(Tell { key: "feed-game-refused", board: Some(board.clone()), text: Some(said::refused(board, error)) });
            }
        }
        // What goes out in part is refused still.
        refused.extend(self.stand_ins.boards());
        for over in self.refused_boards.difference(&refused) {
            tells.push(Tell { key: "feed-game-refused", board: Some(over.clone()), text: None });
        }
        self.refused_boards = refused;
    }

    fn tell_size(&mut self, body: &Body, tells: &mut Vec<Tell>) {
        let text = said::size(body);
        if self.size != text {
            self.size.clone_from(&text);
            tells.push(Tell { key: "feed-size", board: None, text });
        }
    }
}

#[cfg(test)]
#[path = "engine_tests.rs"]
mod tests;

#[cfg(test)]
#[path = "healing_tests.rs"]
mod healing;

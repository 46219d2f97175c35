//! Whether viewers see what was sent, when to look, and what helps where they do not. Pure: time comes as an argument.
//!
//! A push that was answered proves nothing: Lichess may hold it back (the round's own delay), apply it in part, or keep a tag that somebody set
//! there by hand. So the round is read back and compared, game by game, with what must be visible by now.
//!
//! | gap | what helps |
//! |---|---|
//! | the game is missing, an older value stands, the moves differ | the push once more |
//! | moves that were taken back still stand, or the push did not help | the chapter's moves replaced by those that were sent |
//! | a tag that was never sent | nothing: it was set by hand there, and wins |
//!
//! What did not help is not done again for the same pair of what was sent and what is seen.
use super::compare::{self, Gap};
use super::line::{Line, TAGS};
use super::round::Body;
use super::said::{self, Differing};
use super::tried::{FREE_TRIES, LATE_MS, Step, Tried, kind_of, pair_of};
use flagfall_events::{Mono, Words};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

/// Between two looks while games go on: a whole round costs Lichess seconds.
const PACE_MS: u64 = 5_000;
/// The stream says by itself what it shows; so long it may take.
const STREAM_MS: u64 = 1_500;
/// Edits by hand and chapters that nobody feeds are looked for so often …
const AUDIT_MS: u64 = 60_000;
/// … and so often once every game has a result and nothing is wrong.
const AUDIT_OVER_MS: u64 = 600_000;
/// Lichess may apply a delayed push a second before its time.
const EARLY_MS: u64 = 2_000;
/// The round's own delay is asked for again so often.
const ASK_MS: u64 = 600_000;
/// Requests that replace moves rest so long after one that was refused.
const NO_REPLACING_MS: u64 = 600_000;
/// Until a round that could not be read is tried again, doubled …
const UNREAD_MS: u64 = 5_000;
/// … up to this.
const LONGEST_UNREAD_MS: u64 = 300_000;
/// So long a tag that was set by hand wins on Lichess.
const HAND_MS: u64 = 6 * 3_600_000 + 60_000;
/// What to ask Lichess for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Look {
    /// How long it holds back what it gets.
    Delay,
    /// What viewers see.
    Round,
}

/// What helps.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Remedies {
    /// The round once more.
    pub(super) push: bool,
    /// These chapters' moves.
    pub(super) moves: Vec<Replacement>,
}

/// The moves that one chapter should have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replacement {
    /// The chapter's eight characters.
    pub chapter: String,
    /// The board.
    pub board: Arc<str>,
    /// The game as it was sent.
    pub pgn: String,
}

/// An alarm's key and the board it is about.
pub(super) type About = (&'static str, Option<Arc<str>>);

#[derive(Debug)]
struct State {
    at: Mono,
    body: Arc<Body>,
    lines: Vec<Arc<Line>>,
    refused: BTreeSet<Arc<str>>,
}

/// What viewers see of one round.
#[derive(Debug, Default)]
pub(super) struct Proof {
    /// The round's own delay; `None`: not known yet.
    delay_ms: Option<u64>,
    ask_at: Mono,
    /// What was taken, oldest first.
    states: VecDeque<State>,
    /// What was found of each board, for the state that was compared.
    settled: BTreeMap<Arc<str>, u64>,
    tried: BTreeMap<(Arc<str>, &'static str), Tried>,
    /// Values of tags that were sent before.
    earlier: BTreeMap<(Arc<str>, &'static str), BTreeSet<String>>,
    orphans: BTreeSet<String>,
    standing: BTreeMap<About, Words>,
    streaming: bool,
    hurried: bool,
    read_at: Option<Mono>,
    read_after: Mono,
    unread: u32,
    /// It may be over with the next push.
    passing: bool,
    why_unread: Option<Words>,
    /// No chapter's moves are replaced before: Lichess refused it.
    no_replacing: Mono,
    equal: Option<bool>,
}

impl Proof {
    /// The round's own delay in milliseconds, where it is known.
    pub(super) const fn delay(&self) -> Option<u64> {
        self.delay_ms
    }

    /// A push was taken but for these boards; `recovered`: after others that were not. Games and plies in it.
    pub(super) fn pushed(&mut self, now: Mono, body: &Arc<Body>, refused: BTreeSet<Arc<str>>, recovered: bool) -> (usize, usize) {
        let lines = self.lines_of(body);
        body.boards.iter().zip(&lines).for_each(|(board, line)| self.sent_once(board, line));
        if self.delay_ms == Some(0) {
            self.states.clear();
        }
        if recovered {
            self.recovered(now);
        }
        let size = (lines.len(), lines.iter().map(|line| line.moves.len()).sum());
        self.states.push_back(State { at: now, body: body.clone(), lines, refused });
        self.forget_old(now);
        if self.equal == Some(true) && !self.is_settled() {
            self.equal = None;
        }
        size
    }

    /// The round as it was taken last, and the boards of it that were not.
    pub(super) fn last(&self) -> Option<(&Arc<Body>, &BTreeSet<Arc<str>>)> {
        self.states.back().map(|state| (&state.body, &state.refused))
    }

    /// The round was emptied.
    pub(super) fn emptied(&mut self) {
        self.states.clear();
        self.settled.clear();
        self.tried.clear();
        self.equal = None;
    }

    /// A chapter's moves were replaced, or Lichess refuses such requests.
    pub(super) fn replaced(&mut self, now: Mono, taken: bool) {
        self.no_replacing = if taken { Mono::ZERO } else { now + NO_REPLACING_MS };
        self.hurried = true;
    }

    /// A chapter's moves were not replaced after all.
    pub(super) fn not_replaced(&mut self, board: &Arc<str>) {
        self.tried.retain(|(b, _), _| b != board);
    }

    /// The round's own delay.
    pub(super) fn told_delay(&mut self, now: Mono, seconds: u64) {
        if self.delay_ms != Some(seconds * 1000) {
            self.settled.clear();
        }
        self.delay_ms = Some(seconds * 1000);
        self.ask_at = now + ASK_MS;
        self.readable();
    }

    /// A look came to nothing. `passing`: it may be over any moment.
    pub(super) fn unread(&mut self, now: Mono, why: Words, passing: bool) {
        self.read_at = Some(now);
        self.passing = passing;
        let wait = UNREAD_MS.saturating_mul(1 << self.unread.min(10)).min(LONGEST_UNREAD_MS);
        self.unread = self.unread.saturating_add(1);
        self.read_after = now + wait;
        if self.delay_ms.is_none() || self.ask_at <= now {
            self.ask_at = now + wait;
        }
        self.why_unread = Some(why);
        self.equal = None;
    }

    /// Whether single games of the round's stream prove anything: it can be read, and nothing is held back.
    pub(super) const fn streamable(&self) -> bool {
        matches!(self.delay_ms, Some(0)) && self.why_unread.is_none()
    }

    /// The stream of the round is open, or not any more.
    pub(super) const fn streams(&mut self, open: bool) {
        self.streaming = open;
    }

    /// The games of a push; those that have not changed are not read again.
    fn lines_of(&self, body: &Body) -> Vec<Arc<Line>> {
        let last = self.states.back();
        let line = |place: usize| {
            let game = body.game(place);
            let known = last.filter(|last| last.body.game(place) == game).and_then(|last| last.lines.get(place).cloned());
            known.unwrap_or_else(|| Arc::new(Line::read(game).pop().unwrap_or_default()))
        };
        (0..body.boards.len()).map(line).collect()
    }

    /// Values that are no surprise there.
    fn sent_once(&mut self, board: &Arc<str>, line: &Line) {
        for name in TAGS {
            let value = line.tag(name).unwrap_or("");
            let values = self.earlier.entry((board.clone(), name)).or_default();
            if !values.contains(value) {
                values.insert(String::from(value));
            }
        }
    }

    /// An outage is over.
    fn recovered(&mut self, now: Mono) {
        if std::mem::take(&mut self.passing) {
            self.readable();
            if self.delay_ms.is_none() {
                self.ask_at = now;
            }
        }
        self.read_at = None;
    }

    fn readable(&mut self) {
        self.unread = 0;
        self.read_after = Mono::ZERO;
        self.why_unread = None;
    }

    /// Why nothing can be read back, where it cannot.
    pub(super) const fn why_unread(&self) -> Option<&Words> {
        self.why_unread.as_ref()
    }

    /// Whether viewers see what was sent; `None`: not known.
    pub(super) const fn equal(&self) -> Option<bool> {
        self.equal
    }

    /// Alarms that stand.
    pub(super) const fn standing(&self) -> &BTreeMap<About, Words> {
        &self.standing
    }

    /// What to ask for, and when.
    pub(super) fn next(&self) -> Option<(Mono, Look)> {
        let last = self.states.back()?;
        let Some(delay) = self.delay_ms else { return Some((self.ask_at.max(self.read_after), Look::Delay)) };
        let since_read = |ms: u64| self.read_at.map_or(Mono::ZERO, |at| at + ms);
        let due = if delay > 0 {
            let first = self.states.front()?;
            (first.at + delay + LATE_MS).max(since_read(if self.hurried { PACE_MS } else { AUDIT_MS }))
        } else if self.is_settled() {
            since_read(match (self.hurried, self.is_over()) {
                (true, _) => PACE_MS,
                (false, true) => AUDIT_OVER_MS,
                (false, false) => AUDIT_MS,
            })
        } else {
            let told = if self.streaming { STREAM_MS } else { 0 };
            (last.at + told).max(since_read(if self.hurried { 0 } else { PACE_MS }))
        };
        let due = due.max(self.read_after);
        // Before the round is read, so that a delay that was set meanwhile is known; not while something is to be mended.
        let calm = delay > 0 || self.is_settled();
        Some(if self.ask_at <= due && calm { (self.ask_at.max(self.read_after), Look::Delay) } else { (due, Look::Round) })
    }

    /// Whether what `body` says can be seen already, in a round without a delay.
    pub(super) fn shows(&mut self, body: &Body, theirs: &[Line]) -> bool {
        let ours = Line::read(&body.text);
        let pairs = compare::pair(&ours, theirs);
        // What stands there may be what this program sent before it was restarted.
        for (board, shown) in body.boards.iter().zip(&pairs.of).filter_map(|(board, found)| Some((board, &theirs[(*found)?]))) {
            self.sent_once(board, shown);
        }
        self.delay_ms == Some(0)
            && ours.iter().zip(&pairs.of).all(|(line, found)| found.is_some_and(|j| compare::gaps(line, &theirs[j]).is_empty()))
    }

    /// Single games of the stream: what is right in them needs no look.
    pub(super) fn glimpsed(&mut self, theirs: &[Line]) -> bool {
        let Some(state) = self.states.back().filter(|_| self.delay_ms == Some(0)) else { return false };
        let mut news = false;
        let pairs = compare::pair(&state.lines, theirs);
        for ((board, ours), found) in state.body.boards.iter().zip(&state.lines).zip(pairs.of) {
            if found.is_some_and(|j| compare::gaps(ours, &theirs[j]).is_empty()) {
                self.settled.insert(board.clone(), ours.print());
                news |= self.standing.remove(&("lichess-differs", Some(board.clone()))).is_some();
                news |= self.standing.remove(&("lichess-override", Some(board.clone()))).is_some();
            }
        }
        let right = self.standing.keys().all(|(key, _)| *key == "lichess-orphan");
        if right && self.is_settled() && self.states.back().is_some_and(|state| state.refused.is_empty()) {
            self.equal = Some(true);
        }
        news
    }

    /// The whole round as viewers see it: what helps where it differs.
    pub(super) fn seen(&mut self, now: Mono, theirs: &[Line]) -> Remedies {
        self.read_at = Some(now);
        self.hurried = false;
        self.readable();
        self.forget_old(now);
        let Some(delay) = self.delay_ms else { return Remedies::default() };
        let states = std::mem::take(&mut self.states);
        let late = |state: &State| if delay == 0 { state.at } else { state.at + delay + LATE_MS };
        let early = |state: &&State| state.at + delay.saturating_sub(EARLY_MS) <= now;
        let mut remedies = Remedies::default();
        if let Some(certain) = states.front().filter(|state| late(state) <= now) {
            let perhaps: Vec<&State> = states.iter().skip(1).take_while(early).collect();
            self.judge(now, certain, &perhaps, theirs, &mut remedies);
        }
        self.states = states;
        self.hurried |= remedies.push;
        remedies
    }

    fn judge(&mut self, now: Mono, certain: &State, perhaps: &[&State], theirs: &[Line], remedies: &mut Remedies) {
        let mut standing = BTreeMap::new();
        let pairs = compare::pair(&certain.lines, theirs);
        let later: Vec<(compare::Pairs, &State)> = perhaps.iter().map(|state| (compare::pair(&state.lines, theirs), *state)).collect();
        let mut equal = true;
        for (i, (board, ours)) in certain.body.boards.iter().zip(&certain.lines).enumerate() {
            if certain.refused.contains(board) {
                equal = false;
                continue;
            }
            let shown = pairs.of[i].map(|j| &theirs[j]);
            let mut gaps = shown.map_or_else(|| vec![Gap::Missing], |shown| compare::gaps(ours, shown));
            let newer = |(pairs, state): &(compare::Pairs, &State)| {
                let place = state.body.boards.iter().position(|b| b == board)?;
                Some(compare::gaps(state.lines.get(place)?, &theirs[(*pairs.of.get(place)?)?]).is_empty())
            };
            if later.iter().any(|one| newer(one) == Some(true)) {
                gaps.clear();
            }
            self.tried.retain(|(b, kind), _| b != board || gaps.iter().any(|gap| kind_of(gap) == *kind));
            let mut stands = Vec::new();
            let mut waits = false;
            for gap in gaps {
                match self.step(now, board, ours, shown, &gap) {
                    Step::Push => (remedies.push, waits) = (true, true),
                    Step::Replace => {
                        waits = true;
                        if let Some(chapter) = shown.and_then(Line::chapter)
                            && !remedies.moves.iter().any(|r| r.board == *board)
                        {
                            let pgn = String::from(certain.body.game(i));
                            remedies.moves.push(Replacement { chapter: String::from(chapter), board: board.clone(), pgn });
                        }
                    }
                    Step::Wait => waits = true,
                    Step::Stand => stands.push(gap),
                }
            }
            equal &= !waits && stands.is_empty();
            if waits {
                self.settled.remove(board);
            } else {
                self.settled.insert(board.clone(), ours.print());
            }
            let (tags, rest): (Vec<Gap>, Vec<Gap>) = stands.into_iter().partition(|gap| matches!(gap, Gap::Tag { .. }));
            for (key, gaps) in [("lichess-override", tags), ("lichess-differs", rest)] {
                if !gaps.is_empty() {
                    let text = said::differs(key, &Differing { board, line: ours, gaps });
                    standing.insert((key, Some(board.clone())), text);
                } else if waits && let Some(text) = self.standing.get(&(key, Some(board.clone()))) {
                    // Something is being tried: what stood stands until it is seen to be over.
                    standing.insert((key, Some(board.clone())), text.clone());
                }
            }
        }
        let orphans: Vec<&Line> = pairs.orphans.iter().map(|&j| &theirs[j]).collect();
        let names: BTreeSet<String> = orphans.iter().map(|line| line.chapter().map_or_else(|| line.names(), String::from)).collect();
        // Once may be a moment between two pushes.
        if !names.is_empty() {
            if names.is_subset(&self.orphans) {
                standing.insert(("lichess-orphan", None), said::orphans(&orphans));
            } else if let Some(text) = self.standing.get(&("lichess-orphan", None)) {
                standing.insert(("lichess-orphan", None), text.clone());
            }
            self.hurried |= names != self.orphans;
        }
        self.orphans = names;
        self.standing = standing;
        self.equal = Some(equal);
    }

    /// What to do about one gap.
    fn step(&mut self, now: Mono, board: &Arc<str>, ours: &Line, theirs: Option<&Line>, gap: &Gap) -> Step {
        let kind = kind_of(gap);
        let by_hand = match gap {
            Gap::Tag { name, theirs, .. } => {
                let stale = theirs.is_empty() || (*name == "Result" && theirs == "*");
                !stale && !self.earlier.get(&(board.clone(), *name)).is_some_and(|values| values.contains(theirs))
            }
            _ => false,
        };
        let pair = pair_of(gap, ours, theirs);
        let delay = self.delay_ms.unwrap_or(0);
        let replaceable = self.no_replacing <= now && theirs.is_some_and(|line| line.chapter().is_some());
        let tried = self.tried.entry((board.clone(), kind)).or_default();
        if tried.pair != pair || now.since(tried.since) >= HAND_MS {
            let again = tried.pair == pair;
            *tried = Tried { pair, since: now, tries: tried.tries, not_before: tried.not_before, ..Tried::default() };
            // After six hours what was set by hand gives way.
            if again {
                tried.tries = 0;
                return tried.took(now, delay, Step::Push);
            }
        }
        if by_hand {
            return Step::Stand;
        }
        if now < tried.not_before {
            return if tried.tries > FREE_TRIES { Step::Stand } else { Step::Wait };
        }
        let (push, replace) = match gap {
            Gap::Missing | Gap::Start | Gap::Tag { .. } => (!tried.pushed, false),
            Gap::Moves { longer: true, .. } => (false, replaceable && !tried.replaced),
            Gap::Moves { .. } | Gap::Clock { .. } => (!tried.pushed, replaceable && !tried.replaced),
        };
        match (push, replace) {
            (true, _) => tried.took(now, delay, Step::Push),
            (false, true) => tried.took(now, 0, Step::Replace),
            (false, false) => Step::Stand,
        }
    }

    /// States that a newer one has certainly replaced.
    fn forget_old(&mut self, now: Mono) {
        let Some(delay) = self.delay_ms else {
            // Nothing is compared before the delay is known; of a long time only the newest counts.
            while self.states.len() > 64 {
                self.states.pop_front();
            }
            return;
        };
        let late = if delay == 0 { 0 } else { delay + LATE_MS };
        while self.states.get(1).is_some_and(|next| next.at + late <= now) {
            self.states.pop_front();
        }
    }

    fn is_settled(&self) -> bool {
        let Some(state) = self.states.back() else { return true };
        let mut boards = state.body.boards.iter().zip(&state.lines);
        boards.all(|(board, line)| state.refused.contains(board) || self.settled.get(board) == Some(&line.print()))
    }

    fn is_over(&self) -> bool {
        self.standing.is_empty() && self.states.back().is_some_and(|state| state.lines.iter().all(|line| line.result() != "*"))
    }
}

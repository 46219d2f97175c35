//! What a target still lacks: each path once, with its newest version. Pure: time comes as an argument.
//!
//! Its size is bounded by the number of paths; a target that is down for a day costs nothing but its back-off. What was first wanted is
//! sent first; a path that fails goes to the end, so that one that cannot be written does not hold up the others.
use flagfall_events::Mono;
use rand::{Rng as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;
use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

/// After the first failure, doubled after each further one …
const BACK_OFF_MS: u64 = 1_000;
/// … up to this.
const LONGEST_BACK_OFF_MS: u64 = 60_000;

/// What to do now. [`Queue::done`] answers a `Send`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Next {
    /// Send this path now, in whatever version is newest.
    Send(Arc<str>, u64),
    /// Nothing before then.
    At(Mono),
    /// Nothing until something changes or an upload ends.
    Idle,
}

/// What changed for the operator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum News {
    /// Nothing arrives; why, in the service's words.
    Failing(String),
    /// Everything arrives again.
    Works,
}

#[derive(Clone, Debug, Default)]
struct File {
    wanted: u64,
    has: Option<u64>,
    sending: Option<u64>,
    /// Place in the line.
    turn: u64,
    not_before: Mono,
    error: Option<String>,
}

impl File {
    fn lacks(&self) -> bool {
        self.has != Some(self.wanted)
    }
}

/// One target's queue.
#[derive(Debug)]
pub struct Queue {
    interval_ms: u64,
    at_once: usize,
    rng: ChaCha8Rng,
    files: BTreeMap<Arc<str>, File>,
    turns: u64,
    sending: usize,
    failures: u32,
    not_before: Mono,
    failing: Option<String>,
    a_second: usize,
    /// When the last requests began, at most `a_second` of them.
    began: VecDeque<Mono>,
}

impl Queue {
    /// A queue for a target that takes `at_once` files at once, each path at most every `interval_ms`.
    pub fn new(interval_ms: u64, at_once: usize, seed: u64) -> Self {
        Self {
            interval_ms,
            at_once: at_once.max(1),
            rng: ChaCha8Rng::seed_from_u64(seed),
            files: BTreeMap::new(),
            turns: 0,
            sending: 0,
            failures: 0,
            not_before: Mono::ZERO,
            failing: None,
            a_second: usize::MAX,
            began: VecDeque::new(),
        }
    }

    /// The same queue; in no second begin more requests than this, however many paths there are.
    pub fn at_most(self, a_second: usize) -> Self {
        Self { a_second: a_second.max(1), ..self }
    }

    /// `path` has this version now. The same version again is no news.
    pub fn offer(&mut self, path: &Arc<str>, version: u64) {
        let turn = self.turns;
        let known = self.files.contains_key(path);
        let file = self.files.entry(path.clone()).or_default();
        let lacked = known && file.lacks();
        file.wanted = version;
        // Who waits already keeps his place.
        if file.lacks() && !lacked {
            file.turn = turn;
            self.turns += 1;
        }
    }

    /// Files that the target does not have in their newest version.
    pub fn lacking(&self) -> usize {
        self.files.values().filter(|file| file.lacks()).count()
    }

    /// The version of `path` that the target has.
    pub fn has(&self, path: &str) -> Option<u64> {
        self.files.get(path)?.has
    }

    /// The target has lost `path`.
    pub fn lost(&mut self, path: &str) {
        let turn = self.turns;
        if let Some(file) = self.files.get_mut(path) {
            self.turns += 1;
            (file.has, file.turn) = (None, turn);
        }
    }

    /// What to do now; may be asked at any time.
    pub fn next(&mut self, now: Mono) -> Next {
        // While nothing arrives, one file at a time tries.
        let room = if self.failures > 0 { 1 } else { self.at_once };
        if self.sending >= room {
            return Next::Idle;
        }
        let waiting = || self.files.iter().filter(|(_, file)| file.lacks() && file.sending.is_none());
        let Some(first) = waiting().map(|(_, file)| file.not_before).min() else { return Next::Idle };
        let full = self.began.front().filter(|_| self.began.len() >= self.a_second).map_or(Mono::ZERO, |oldest| *oldest + 1_000);
        let due = first.max(self.not_before).max(full);
        if now < due {
            return Next::At(due);
        }
        let ready = waiting().filter(|(_, file)| file.not_before <= now).min_by_key(|(_, file)| file.turn);
        let Some(path) = ready.map(|(path, _)| path.clone()) else { return Next::Idle };
        let Some(file) = self.files.get_mut(&path) else { return Next::Idle };
        file.sending = Some(file.wanted);
        self.sending += 1;
        if self.a_second < usize::MAX {
            if self.began.len() >= self.a_second {
                self.began.pop_front();
            }
            self.began.push_back(now);
        }
        Next::Send(path, file.wanted)
    }

    /// What became of a `Send`.
    pub fn done(&mut self, now: Mono, path: &str, result: Result<(), String>) -> Option<News> {
        let file = self.files.get_mut(path)?;
        let version = file.sending.take()?;
        self.sending -= 1;
        file.not_before = now + self.interval_ms;
        match result {
            Ok(()) => {
                file.has = Some(version);
                file.error = None;
                self.failures = 0;
                self.not_before = now;
                if file.lacks() {
                    file.turn = self.turns;
                    self.turns += 1;
                }
            }
            Err(why) => {
                self.failures = self.failures.saturating_add(1);
                let most = BACK_OFF_MS.saturating_mul(1 << (self.failures - 1).min(16)).min(LONGEST_BACK_OFF_MS);
                let wait = self.rng.random_range(most / 2..=most);
                self.not_before = now + wait;
                // Where others arrive, this one alone is patient.
                file.not_before = now + wait.max(self.interval_ms);
                file.error = Some(why);
                file.turn = self.turns;
                self.turns += 1;
            }
        }
        let failing = self.files.iter().find_map(|(path, file)| Some(format!("{path}: {}", file.error.as_ref()?)));
        // One failure is nothing to tell.
        if failing.is_some() && self.failing.is_none() && self.failures < 2 {
            return None;
        }
        match (self.failing.is_some(), failing) {
            (false, Some(why)) => {
                self.failing = Some(why.clone());
                Some(News::Failing(why))
            }
            (true, None) => {
                self.failing = None;
                Some(News::Works)
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn at(ms: u64) -> Mono {
        Mono::from_millis(ms)
    }

    fn path(n: usize) -> Arc<str> {
        format!("round-1/game-{n}.pgn").into()
    }

    fn send(queue: &mut Queue, now: u64) -> Option<(String, u64)> {
        match queue.next(at(now)) {
            Next::Send(path, version) => Some((path.to_string(), version)),
            _ => None,
        }
    }

    #[test]
    fn the_newest_version_goes_out_once_and_what_did_not_change_does_not() {
        let mut queue = Queue::new(1000, 1, 0);
        for version in 1..50 {
            queue.offer(&path(1), version);
            queue.offer(&path(2), 7);
        }
        assert_eq!(send(&mut queue, 0), Some((path(1).to_string(), 49)));
        assert_eq!(queue.next(at(0)), Next::Idle, "two at once");
        queue.offer(&path(1), 50);
        assert_eq!(queue.done(at(100), &path(1), Ok(())), None);
        assert_eq!(send(&mut queue, 100), Some((path(2).to_string(), 7)));
        queue.done(at(200), &path(2), Ok(()));
        assert_eq!(queue.next(at(200)), Next::At(at(1100)), "the same path not twice in a second");
        assert_eq!(send(&mut queue, 1100), Some((path(1).to_string(), 50)));
        queue.done(at(1200), &path(1), Ok(()));
        for _ in 0..5 {
            queue.offer(&path(1), 50);
            queue.offer(&path(2), 7);
        }
        assert_eq!((queue.next(at(9999)), queue.lacking()), (Next::Idle, 0));
    }

    #[test]
    fn as_many_at_once_as_the_target_takes() {
        let mut queue = Queue::new(1000, 3, 0);
        (1..=5).for_each(|n| queue.offer(&path(n), 1));
        assert!((1..=3).all(|n| send(&mut queue, 0) == Some((path(n).to_string(), 1))));
        assert_eq!(queue.next(at(0)), Next::Idle);
        queue.done(at(10), &path(2), Ok(()));
        assert_eq!(send(&mut queue, 10), Some((path(4).to_string(), 1)));
    }

    #[test]
    fn five_hundred_boards_are_no_more_requests_a_second_than_one_may_make_and_every_game_gets_its_turn() {
        let mut queue = Queue::new(1000, 4, 0).at_most(50);
        let (mut sent, mut last, mut games): (Vec<u64>, BTreeMap<String, u64>, BTreeMap<String, u32>) = Default::default();
        for now in 0..60_000 {
            // Blitz: every game changes every two seconds.
            (0..500).filter(|n| (now + n * 4) % 2_000 == 0).for_each(|n| queue.offer(&path(usize::try_from(n).unwrap()), now + 1));
            while let Next::Send(path, version) = queue.next(at(now)) {
                sent.push(now);
                last.insert(path.to_string(), version);
                *games.entry(path.to_string()).or_default() += 1;
                queue.done(at(now), &path, Ok(()));
            }
        }
        for (i, begun) in sent.iter().enumerate() {
            assert!(sent.get(i + 50).is_none_or(|later| later - begun >= 1_000), "51 requests within a second at {begun}");
        }
        assert!((2_900..=3_050).contains(&sent.len()), "{}", sent.len());
        assert_eq!(games.len(), 500);
        assert!(games.values().all(|count| (5..=7).contains(count)), "{games:?}");
        assert!(last.values().all(|version| *version > 45_000), "changes of one game between two turns are one request, with the newest");
    }

    #[test]
    fn one_path_that_cannot_be_written_holds_nobody_up_and_is_told_until_it_can() {
        let mut queue = Queue::new(1000, 1, 0);
        (1..=20).for_each(|n| queue.offer(&path(n), 1));
        let (mut now, mut news) = (0, Vec::new());
        while now < 30_000 {
            match queue.next(at(now)) {
                Next::Send(sent, _) => {
                    now += 10;
                    let result = if *sent == *path(3) { Err(String::from("permission denied")) } else { Ok(()) };
                    news.extend(queue.done(at(now), &sent, result));
                }
                Next::At(t) => now = t.millis(),
                Next::Idle => break,
            }
        }
        assert_eq!(queue.lacking(), 1);
        assert_eq!(news, [News::Failing(String::from("round-1/game-3.pgn: permission denied"))]);
        now += 60_000;
        assert_eq!(send(&mut queue, now), Some((path(3).to_string(), 1)));
        assert_eq!(queue.done(at(now), &path(3), Ok(())), Some(News::Works));
    }

    #[test]
    fn through_an_outage_everything_that_changed_arrives_in_its_last_version() {
        for seed in 0..50 {
            let mut rng = ChaCha8Rng::seed_from_u64(seed);
            let mut queue = Queue::new(1000, 4, seed);
            let (mut now, mut server, mut wanted) = (0_u64, BTreeMap::new(), BTreeMap::new());
            let (mut under_way, mut tries) = (Vec::new(), Vec::new());
            for tick in 0..40_000_u64 {
                now += 20;
                if tick < 20_000 && rng.random_bool(0.05) {
                    let path = path(rng.random_range(1..30));
                    queue.offer(&path, tick);
                    wanted.insert(path.to_string(), tick);
                }
                let down = (5_000..15_000).contains(&tick);
                while let Next::Send(path, _) = queue.next(at(now)) {
                    under_way.push((now + rng.random_range(1..300), path.clone(), wanted[&*path]));
                    if down {
                        tries.push(now);
                    }
                }
                under_way.retain(|(t, path, version)| {
                    if *t > now {
                        return true;
                    }
                    let result = if down { Err(String::from("connection refused")) } else { Ok(()) };
                    if result.is_ok() {
                        server.insert(path.to_string(), *version);
                    }
                    queue.done(at(now), path, result);
                    false
                });
            }
            assert_eq!(server, wanted, "seed {seed}");
            assert!((4..30).contains(&tries.len()), "{} tries in an outage of 200 s", tries.len());
        }
    }

    #[test]
    fn a_file_that_the_target_lost_is_sent_again() {
        let mut queue = Queue::new(0, 1, 0);
        queue.offer(&path(1), 1);
        send(&mut queue, 0);
        queue.done(at(1), &path(1), Ok(()));
        assert_eq!((queue.has(&path(1)), queue.next(at(2))), (Some(1), Next::Idle));
        queue.lost(&path(1));
        assert_eq!(send(&mut queue, 2), Some((path(1).to_string(), 1)));
    }
}

//! The push to Lichess against a Lichess on loopback that answers as documented, and in every way that it must not.
#![allow(clippy::unwrap_used, reason = "a test may")]
mod closed_loop;
mod create;
mod daemon;
pub(crate) mod fake;
pub(crate) mod model;
mod source;

use fake::{Does, Fake, split};
use flagfall::config::Config;
use flagfall::feeds::lichess::asked::Tell;
use flagfall::feeds::lichess::round::{Game, Round};
use flagfall::feeds::lichess::{self, Handle, Teller};
use flagfall::web::voice::Voice;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;
use tokio::runtime::Runtime;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

/// A feed with boards that this test moves.
struct Feed {
    rounds: watch::Sender<Round>,
    handle: Handle,
    tells: Arc<Mutex<Vec<(String, Tell)>>>,
    token: CancellationToken,
    tasks: TaskTracker,
    runtime: Runtime,
    _folder: tempfile::TempDir,
}

impl Feed {
    fn new(fake: &Fake, more: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let token_file = folder.path().join("token");
        std::fs::write(&token_file, "lip_secret\n").unwrap();
        let text =
            format!("[lichess]\nround = \"xVEzYJHf\"\ntoken_file = \"{}\"\nbase_url = \"{}\"\n{more}\n", token_file.display(), fake.base());
        let config = Config::parse("test", &text).unwrap();
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
        let rounds = watch::Sender::new(Round::default());
        let tells: Arc<Mutex<Vec<(String, Tell)>>> = Arc::default();
        let said = tells.clone();
        let tell: Teller = Arc::new(move |about, tell| said.lock().unwrap().push((about.to_owned(), tell)));
        let count: flagfall::feeds::Counter = Arc::new(|_, _| ());
        let (tasks, token) = (TaskTracker::new(), CancellationToken::new());
        let handle = {
            let _inside = runtime.enter();
            lichess::start(&config.lichess, |_| rounds.subscribe(), &tell, &count, &Voice::always(), &tasks, &token)
        };
        Self { rounds, handle, tells, token, tasks, runtime, _folder: folder }
    }

    /// Three boards with this many plies.
    fn plays(&self, plies: usize) {
        self.rounds.send_replace(round(plies));
    }

    fn told(&self) -> Vec<(String, Option<String>)> {
        self.tells.lock().unwrap().iter().map(|(_, tell)| (tell.key.to_owned(), tell.text.as_ref().map(|text| text.en.clone()))).collect()
    }

    /// Waits until Lichess has everything, as far as the feed knows.
    fn settle(&self) {
        for _ in 0..1200 {
            if self.handle.status()[0].up_to_date {
                return;
            }
            thread::sleep(Duration::from_millis(50));
        }
        panic!("still not up to date: {:?}", self.handle.status());
    }
}

impl Drop for Feed {
    fn drop(&mut self) {
        self.token.cancel();
        self.tasks.close();
        self.runtime.block_on(self.tasks.wait());
    }
}

const MOVES: [&str; 6] = ["1. e4", "e5", "2. Nf3", "Nc6", "3. Bb5", "a6"];

fn round(plies: usize) -> Round {
    let games = (1..=3).map(|board| Game {
        board: board.to_string().into(),
        pgn: format!(
            "[Event \"Test\"]\n[Site \"Here\"]\n[Round \"1.{board}\"]\n[White \"White {board}\"]\n[Black \"Black {board}\"]\n[Result \"*\"]\n\n{} {plies} *\n",
            MOVES.iter().cycle().take(plies).copied().collect::<Vec<_>>().join(" ")
        )
        .into(),
        finished: false,
    });
    Arc::new(games.collect())
}

/// How far the games of a body are.
fn plies(body: &str) -> usize {
    body.trim_end_matches(['*', '\n', ' ']).rsplit(' ').next().unwrap().trim().parse().unwrap()
}

#[test]
fn whole_rounds_in_board_order_the_latest_wins_and_nothing_is_sent_twice() {
    let fake = Fake::new([Does::Takes, Does::Slow(1500)]);
    let feed = Feed::new(&fake, "");
    for n in 0..40 {
        feed.plays(n);
        thread::sleep(Duration::from_millis(100));
    }
    let seen = fake.wait("the last state", |seen| seen.last().is_some_and(|s| plies(&s.body) == 39));
    feed.settle();
    assert!(seen.len() <= 6, "{} pushes in four seconds", seen.len());
    for request in &seen {
        let games = split(&request.body);
        let rounds: Vec<_> = games.iter().map(|game| fake::tag(game, "Round").unwrap()).collect();
        assert_eq!(rounds, ["1.1", "1.2", "1.3"], "every board, in board order, always");
        assert_eq!((request.what.as_str(), request.round.as_str()), ("push", "xVEzYJHf"));
    }
    assert!(seen.iter().map(|s| plies(&s.body)).is_sorted());
    thread::sleep(Duration::from_millis(2500));
    assert_eq!(fake.seen().len(), seen.len(), "nothing changed");
    fake.check();
    assert_eq!(feed.told(), []);
}

#[test]
fn through_errors_pages_broken_answers_and_a_dead_server_the_last_state_arrives() {
    let mut fake = Fake::new([Does::Takes, Does::Says(502), Does::Page, Does::Breaks]);
    let feed = Feed::new(&fake, "");
    feed.plays(1);
    fake.wait("the first", |seen| !seen.is_empty());
    for n in 2..5 {
        feed.plays(n);
        fake.wait("a failing push", |seen| seen.len() >= n.min(3));
    }
    fake.kill();
    feed.plays(10);
    thread::sleep(Duration::from_secs(3));
    feed.plays(11);
    fake.start();
    let seen = fake.wait("the last state", |seen| seen.last().is_some_and(|s| plies(&s.body) == 11));
    feed.settle();
    assert!(seen.iter().map(|s| plies(&s.body)).is_sorted(), "an older state after a newer one");
    fake.check();
    let told = feed.told();
    assert_eq!(
        (told.first().unwrap().0.as_str(), told.last().unwrap()),
        ("feed-failing", &(String::from("feed-failing"), None)),
        "{told:?}"
    );
    assert!(told[0].1.as_ref().unwrap().contains("tries again by itself"), "{told:?}");
}

#[test]
fn a_server_that_hangs_is_given_up_and_asked_again() {
    let fake = Fake::new([Does::Hangs]);
    let feed = Feed::new(&fake, "");
    feed.plays(1);
    fake.wait("the first", |seen| seen.len() == 1);
    feed.plays(2);
    fake.wait("the next", |seen| seen.len() == 2 && plies(&seen[1].body) == 2);
    feed.settle();
    fake.check();
}

#[test]
fn refusals_are_told_in_plain_words_not_hammered_and_end_with_a_push_by_hand() {
    for (does, words) in [
        (Does::Says(401), "does not know the token"),
        (Does::Says(403), "make it a contributor"),
        (Does::Says(404), "no such round"),
        (Does::HasSource, "source address of its own"),
    ] {
        let fake = Fake::new([does, does]);
        let feed = Feed::new(&fake, "");
        for n in 1..20 {
            feed.plays(n);
            thread::sleep(Duration::from_millis(100));
        }
        assert_eq!(fake.seen().len(), 1, "{does:?}: hammered");
        let told = feed.told();
        assert!(told.len() == 1 && told[0].1.as_ref().unwrap().contains(words), "{does:?}: {told:?}");
        assert!(feed.handle.repush("xVEzYJHf") && !feed.handle.repush("other"));
        fake.wait("a second try", |seen| seen.len() == 2);
        feed.handle.repush("xVEzYJHf");
        let seen = fake.wait("the last state", |seen| seen.len() == 3);
        assert_eq!(plies(&seen[2].body), 19);
        feed.settle();
        assert_eq!(feed.told().last().unwrap().1, None, "cleared");
        fake.check();
    }
}

#[test]
fn after_a_429_nothing_is_sent_whoever_wishes_it() {
    let fake = Fake::new([Does::Says(429)]);
    let feed = Feed::new(&fake, "");
    feed.plays(1);
    fake.wait("the first", |seen| seen.len() == 1);
    for n in 2..8 {
        thread::sleep(Duration::from_secs(1));
        feed.plays(n);
        feed.handle.repush("xVEzYJHf");
        feed.handle.reset("xVEzYJHf");
    }
    assert_eq!(fake.seen().len(), 1);
    assert!(feed.told()[0].1.as_ref().unwrap().contains("nothing is sent for 60 s"));
}

#[test]
fn a_game_that_lichess_refuses_is_told_with_its_board() {
    let fake = Fake::new([Does::TakesAllButTheSecond]);
    let feed = Feed::new(&fake, "");
    feed.plays(1);
    let seen = fake.wait("the round, and once more what Lichess takes of it", |seen| seen.len() == 2);
    let [first, second] = [&seen[0], &seen[1]].map(|seen| split(&seen.body)[1]);
    assert!(first.contains("1. e4") && second.ends_with("{What was played next is not a move that Lichess takes} *"), "{second}");
    feed.settle();
    feed.plays(2);
    fake.wait("the next", |seen| seen.len() == 3);
    feed.settle();
    let tells = feed.tells.lock().unwrap();
    let found: Vec<_> = tells.iter().map(|(about, tell)| (about.as_str(), tell.key, tell.board.as_deref(), tell.text.is_some())).collect();
    let expected = |raised| ("lichess xVEzYJHf", "feed-game-refused", Some("2"), raised);
    assert_eq!(found, [expected(true), expected(false)]);
}

#[test]
fn a_reset_empties_the_round_and_sends_it_whole() {
    let fake = Fake::new([]);
    let feed = Feed::new(&fake, "");
    feed.plays(3);
    fake.wait("the first", |seen| seen.len() == 1);
    feed.settle();
    assert!(feed.handle.reset("xVEzYJHf"));
    let seen = fake.wait("the round again", |seen| seen.len() == 3);
    assert_eq!(seen.iter().map(|s| s.what.as_str()).collect::<Vec<_>>(), ["push", "reset", "push"]);
    assert_eq!((seen[0].body.as_str(), seen[1].body.as_str()), (seen[2].body.as_str(), ""));
    feed.settle();
    fake.check();
}

#[test]
fn with_a_delay_nothing_newer_goes_out_and_the_rest_follows() {
    let fake = Fake::new([]);
    let feed = Feed::new(&fake, "delay = \"4s\"");
    feed.plays(1);
    thread::sleep(Duration::from_millis(2500));
    feed.plays(2);
    thread::sleep(Duration::from_millis(1000));
    assert_eq!(fake.seen().len(), 0);
    let first = fake.wait("the first", |seen| seen.len() == 1);
    assert_eq!(plies(&first[0].body), 1);
    let all = fake.wait("the second", |seen| seen.len() == 2);
    assert_eq!(plies(&all[1].body), 2);
    fake.check();
}

#[test]
fn a_feed_that_starts_anew_sends_the_whole_state() {
    let fake = Fake::new([]);
    for n in 1..=2 {
        let feed = Feed::new(&fake, "");
        feed.plays(7);
        let seen = fake.wait("the state", |seen| seen.len() == n);
        assert_eq!(plies(&seen[n - 1].body), 7);
        feed.settle();
    }
}

#[test]
fn without_a_token_nothing_is_asked_and_the_file_is_named() {
    let fake = Fake::new([]);
    let feed = Feed::new(&fake, "");
    std::fs::remove_file(feed._folder.path().join("token")).unwrap();
    feed.plays(1);
    for _ in 0..200 {
        if !feed.told().is_empty() {
            break;
        }
        thread::sleep(Duration::from_millis(50));
    }
    assert!(feed.told()[0].1.as_ref().unwrap().contains("there is no token file"));
    assert!(fake.seen().is_empty());
    std::fs::write(feed._folder.path().join("token"), "lip_secret").unwrap();
    feed.handle.repush("xVEzYJHf");
    fake.wait("the state", |seen| seen.len() == 1);
    fake.check();
}

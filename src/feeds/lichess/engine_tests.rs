//! The engine against a Lichess in simulated time: hours of trouble in a moment.
use super::super::answer::{Failure, GameAnswer};
use super::super::round::Game;
use super::*;
use std::collections::VecDeque;

fn round(plies: &[u32]) -> Round {
    let games = plies.iter().enumerate().map(|(i, n)| Game {
        board: (i + 1).to_string().into(),
        pgn: format!("[Round \"1.{}\"]\n\n{n} *\n", i + 1).into(),
        finished: false,
    });
    Arc::new(games.collect())
}

/// Answers by a script, remembers what it was sent and when.
struct Rig {
    engine: Engine,
    now: u64,
    answers: VecDeque<Outcome>,
    /// How long an answer takes.
    takes: u64,
    sent: Vec<(u64, Order)>,
    /// When the last answer was given.
    free: u64,
    tells: Vec<(u64, Tell)>,
}

impl Rig {
    fn new(answers: impl IntoIterator<Item = Outcome>) -> Self {
        let answers = answers.into_iter().collect();
        Self { engine: Engine::new(1000, 7).blind(), now: 0, answers, takes: 80, sent: Vec::new(), free: 0, tells: Vec::new() }
    }

    /// Lets time pass until `end`; the engine is asked whenever it said so.
    fn until(&mut self, end: u64) {
        loop {
            match self.engine.next(Mono::from_millis(self.now)) {
                Next::Send(order) => {
                    assert!(self.sent.is_empty() || self.now >= self.free + 1000, "{} after {}", self.now, self.free);
                    assert_eq!(self.engine.next(Mono::from_millis(self.now)), Next::Idle, "two in flight");
                    self.sent.push((self.now, order));
                    self.now += self.takes;
                    self.free = self.now;
                    let outcome = self.answers.pop_front().unwrap_or(Outcome::Taken(Vec::new()));
                    let tells = self.engine.answered(Mono::from_millis(self.now), outcome);
                    self.tells.extend(tells.into_iter().map(|tell| (self.now, tell)));
                }
                Next::At(t) if t.millis() <= end => {
                    assert!(t.millis() > self.now, "it asks to be asked in the past");
                    self.now = t.millis();
                }
                Next::At(_) | Next::Idle => break,
            }
        }
        self.now = self.now.max(end);
    }

    fn times(&self) -> Vec<u64> {
        self.sent.iter().map(|(t, _)| *t).collect()
    }

    fn last_text(&self) -> &str {
        match &self.sent.last().unwrap().1 {
            Order::Push(body) => &body.text,
            _ => "reset",
        }
    }
}

fn text(round: &Round) -> String {
    Body::new(round, MOST_BYTES).text
}

#[test]
fn a_hundred_changes_in_a_second_are_two_pushes_and_the_last_one_arrives() {
    let mut rig = Rig::new([]);
    for n in 0..100 {
        rig.engine.offer(round(&[n, 0]));
        rig.until(u64::from(n) * 10);
    }
    rig.until(10_000);
    assert_eq!(rig.sent.len(), 2);
    assert_eq!(rig.last_text(), text(&round(&[99, 0])));
    assert!(rig.engine.progress().up_to_date);
    rig.until(100_000);
    assert_eq!(rig.sent.len(), 2, "what has not changed is not sent again");
}

#[test]
fn the_same_state_again_is_no_news_and_no_games_are_no_round() {
    let mut rig = Rig::new([]);
    rig.engine.offer(Arc::default());
    rig.until(5_000);
    assert!(rig.sent.is_empty());
    rig.engine.offer(round(&[1]));
    rig.until(10_000);
    rig.engine.offer(round(&[1]));
    rig.until(20_000);
    assert_eq!(rig.sent.len(), 1);
}

#[test]
fn after_a_429_there_is_a_full_minute_of_rest_even_for_an_impatient_operator() {
    let mut rig = Rig::new([Outcome::TooMany(None), Outcome::TooMany(Some(90)), Outcome::TooMany(Some(3))]);
    rig.engine.offer(round(&[1]));
    rig.until(10_000);
    rig.engine.wish(Wish::Push);
    rig.engine.offer(round(&[2]));
    rig.until(400_000);
    assert_eq!(rig.times(), [0, 60_080, 150_160, 210_240]);
    assert_eq!(rig.last_text(), text(&round(&[2])));
    let texts: Vec<_> = rig.tells.iter().map(|(_, tell)| tell.text.is_some()).collect();
    assert_eq!(texts, [true, true, true, false], "each new length is told, then the end");
}

#[test]
fn an_outage_is_tried_every_few_seconds_then_every_minute_and_ends_with_the_last_state() {
    let mut rig = Rig::new(vec![Outcome::Failed(Failure::Server(502)); 1000]);
    rig.engine.offer(round(&[1]));
    for n in 2..2000_u32 {
        rig.until(u64::from(n) * 1000);
        rig.engine.offer(round(&[n]));
    }
    rig.answers.clear();
    rig.until(2_100_000);
    let times = rig.times();
    let gaps = |from: u64, to: u64| times.windows(2).filter(move |w| (from..to).contains(&w[0])).map(|w| w[1] - w[0]).collect::<Vec<_>>();
    assert!(gaps(0, 1)[0] <= 2_080);
    let (first, later) = (gaps(10_000, 290_000), gaps(310_000, 1_990_000));
    assert!(first.iter().all(|gap| (1_500..=3_080).contains(gap)), "{first:?}");
    assert!(later.iter().all(|gap| (30_000..=60_080).contains(gap)), "{later:?}");
    assert!(later.iter().collect::<BTreeSet<_>>().len() > 10, "no jitter: {later:?}");
    assert_eq!(rig.last_text(), text(&round(&[1999])));
    let told: Vec<_> = rig.tells.iter().map(|(_, tell)| (tell.key, tell.text.is_some())).collect();
    assert_eq!(told, [("feed-failing", true), ("feed-failing", false)], "told once, cleared once");
}

#[test]
fn one_failure_is_not_told() {
    let mut rig = Rig::new([Outcome::Failed(Failure::TimedOut)]);
    rig.engine.offer(round(&[1]));
    rig.until(60_000);
    assert_eq!((rig.sent.len(), rig.tells.len()), (2, 0));
}

#[test]
fn a_refusal_is_told_at_once_and_not_hammered_and_the_operators_push_tries_at_once() {
    for refusal in [Refusal::NotAllowed, Refusal::NoSuchRound, Refusal::SourceUrl, Refusal::BadToken, Refusal::NoToken(String::from("x"))] {
        let mut rig = Rig::new(vec![Outcome::Refused(refusal.clone()); 5]);
        rig.engine.offer(round(&[1]));
        for n in 2..=600_u32 {
            rig.until(u64::from(n) * 1000);
            rig.engine.offer(round(&[n]));
        }
        assert_eq!(rig.times(), [0, 60_080, 180_160, 420_240], "{refusal:?}");
        let told = &rig.tells[0];
        assert_eq!((told.0, told.1.key, told.1.text.clone(), rig.tells.len()), (80, "feed-failing", Some(refusal.text()), 1));
        rig.engine.wish(Wish::Push);
        rig.until(601_000);
        assert_eq!(rig.times().last(), Some(&600_000));
    }
}

#[test]
fn a_game_that_is_refused_is_told_with_its_board_once_and_the_others_arrive() {
    let partial = || {
        Outcome::Taken(vec![
            GameAnswer { moves: Some(1), error: None },
            GameAnswer { moves: None, error: Some(String::from("Cannot move")) },
        ])
    };
    let mut rig = Rig::new([partial(), partial(), Outcome::Taken(vec![GameAnswer::default(), GameAnswer::default()])]);
    for n in 0..3 {
        rig.engine.offer(round(&[n, n]));
        rig.until(u64::from(n + 1) * 10_000);
    }
    let told: Vec<_> = rig.tells.iter().map(|(_, tell)| (tell.key, tell.board.as_deref(), tell.text.is_some())).collect();
    assert_eq!(told, [("feed-game-refused", Some("2"), true), ("feed-game-refused", Some("2"), false)]);
    assert!(rig.tells[0].1.text.as_ref().unwrap().en.contains("board 2 (Cannot move)"));
    assert_eq!(rig.sent.len(), 4, "a refused game is sent once more without its moves, and then not before it changes");
}

#[test]
fn the_result_of_a_game_that_is_refused_arrives_with_the_moves_that_were_taken() {
    let game = |moves: &str, result: &str| -> Round {
        let pgn = format!("[Round \"1.1\"]\n[Result \"{result}\"]\n\n{moves} {result}\n\n");
        Arc::new(vec![Game { board: "1".into(), pgn: pgn.into(), finished: result != "*" }])
    };
    let refused = || Outcome::Taken(vec![GameAnswer { moves: None, error: Some(String::from("Cannot move")) }]);
    let taken = || Outcome::Taken(vec![GameAnswer { moves: Some(1), error: None }]);
    let mut rig = Rig::new([taken(), refused(), refused(), taken()]);
    for (moves, result) in [("1. e4", "*"), ("1. e4 Ke3", "*"), ("1. e4 Ke3", "1-0")] {
        rig.engine.offer(game(moves, result));
        rig.until(rig.now + 10_000);
    }
    assert_eq!(rig.times(), [0, 10_000, 20_000, 21_080], "once more, with what Lichess takes");
    assert!(rig.last_text().contains("[Result \"1-0\"]\n\n1. e4 {What was played next"), "{}", rig.last_text());
    assert_eq!(rig.tells.len(), 1, "the game is refused still: {:?}", rig.tells);
    assert!(rig.engine.progress().up_to_date);
}

#[test]
fn a_reset_is_followed_by_the_whole_round_and_a_refused_one_is_not_kept_for_later() {
    let mut rig = Rig::new([]);
    rig.engine.offer(round(&[1]));
    rig.until(5_000);
    rig.engine.wish(Wish::Reset);
    rig.until(10_000);
    assert_eq!(rig.sent[1].1, Order::Reset);
    assert_eq!(rig.times(), [0, 5_000, 6_080]);
    assert_eq!(rig.last_text(), text(&round(&[1])));

    rig.answers = VecDeque::from([Outcome::Refused(Refusal::NotAllowed)]);
    rig.engine.wish(Wish::Reset);
    rig.until(1_000_000);
    assert_eq!(rig.sent.len(), 4, "the refused reset is the last thing sent");
    rig.answers = VecDeque::from([Outcome::Failed(Failure::TimedOut)]);
    rig.engine.wish(Wish::Reset);
    rig.until(2_000_000);
    assert_eq!(rig.sent[4..].iter().map(|(_, order)| *order == Order::Reset).collect::<Vec<_>>(), [true, true, false]);
}

#[test]
fn a_state_that_was_sent_without_an_answer_is_sent_again_even_if_it_went_back() {
    let mut rig = Rig::new([Outcome::Taken(Vec::new()), Outcome::Failed(Failure::TimedOut)]);
    for n in [1, 2, 1] {
        rig.engine.offer(round(&[n]));
        rig.until(rig.now + 1_050);
    }
    rig.until(100_000);
    assert_eq!(rig.sent.len(), 3, "the second push may have arrived");
    assert_eq!(rig.last_text(), text(&round(&[1])));
}

#[test]
fn what_lichess_finds_too_large_is_made_smaller_and_said() {
    let moves = "1. e4 {[%clk 1:00:00]} e5 {[%clk 1:00:00]} ".repeat(3000);
    let games =
        (1..=3).map(|n: u32| Game { board: n.to_string().into(), pgn: format!("[Round \"1.{n}\"]\n\n{moves}*\n").into(), finished: true });
    let mut rig = Rig::new([Outcome::TooLarge]);
    rig.engine.offer(Arc::new(games.collect()));
    rig.until(60_000);
    let sizes: Vec<_> = rig.sent.iter().map(|(_, order)| if let Order::Push(body) = order { body.text.len() } else { 0 }).collect();
    assert!(sizes.len() == 2 && sizes[1] <= sizes[0] / 4 * 3, "{sizes:?}");
    let keys: Vec<_> = rig.tells.iter().map(|(_, tell)| (tell.key, tell.text.is_some())).collect();
    assert_eq!(keys, [("feed-failing", true), ("feed-failing", false), ("feed-size", true)]);
}

#[test]
fn whatever_happens_the_last_state_arrives_in_order_and_in_time() {
    use rand::Rng as _;
    for seed in 0..200 {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let answers = (0..200).map(|_| match rng.random_range(0..8) {
            0 => Outcome::TooMany(None),
            1 => Outcome::Failed(Failure::Server(500)),
            2 => Outcome::Failed(Failure::TimedOut),
            3 => Outcome::Refused(Refusal::NotAllowed),
            4 => Outcome::TooLarge,
            _ => Outcome::Taken(Vec::new()),
        });
        let mut rig = Rig::new(answers.collect::<Vec<_>>());
        rig.takes = rng.random_range(1..5_000);
        for n in 1..=300_u32 {
            rig.until(u64::from(n) * 3_000);
            rig.engine.offer(round(&[n]));
            if rng.random_bool(0.01) {
                rig.engine.wish(if rng.random_bool(0.5) { Wish::Push } else { Wish::Reset });
            }
        }
        rig.answers.clear();
        rig.until(rig.now + 400_000);
        assert_eq!(rig.last_text(), text(&round(&[300])), "seed {seed}");
        assert!(rig.engine.progress().up_to_date && rig.engine.failing().is_none());
        let plies = rig.sent.iter().filter_map(|(_, order)| match order {
            Order::Push(body) => body.text.split_whitespace().rev().nth(1).and_then(|n| n.parse::<u32>().ok()),
            _ => None,
        });
        assert!(plies.is_sorted(), "seed {seed}: an older state after a newer one");
    }
}

//! The engine against the model of Lichess in simulated time: whatever happens in the hall, on the way or there, viewers see the record within
//! ten seconds. `FLAGFALL_LICHESS=500` sets how many disturbances, `FLAGFALL_LICHESS_SEED` where they begin.
#[path = "../../../tests/lichess/model.rs"]
mod model;

use super::super::answer::{Failure, GameAnswer};
use super::super::round::Game;
use super::*;
use crate::lichess::line::Line;
use model::Lichess;
use rand::Rng;
use shakmaty::san::SanPlus;
use shakmaty::{Chess, Position as _};
use std::collections::HashMap;

/// Viewers see the record so long after the last disturbance.
const HEALED_MS: u64 = 10_000;

/// One board's record.
#[derive(Clone, Debug)]
struct Board {
    moves: Vec<(String, u32)>,
    positions: Vec<Chess>,
    result: &'static str,
    white: String,
}

impl Board {
    fn new(n: usize) -> Self {
        Self { moves: Vec::new(), positions: vec![Chess::default()], result: "*", white: format!("White {n}") }
    }

    fn plays(&mut self, rng: &mut ChaCha8Rng) {
        let mut position = self.positions.last().unwrap().clone();
        let legal = position.legal_moves();
        if legal.is_empty() {
            return;
        }
        let mv = legal[rng.random_range(0..legal.len())];
        let san = SanPlus::from_move_and_play_unchecked(&mut position, mv).to_string();
        let before = self.moves.len().checked_sub(2).map_or(5400, |i| self.moves[i].1);
        self.moves.push((san, before.saturating_sub(rng.random_range(0..60)).max(1)));
        self.positions.push(position);
    }

    fn takes_back(&mut self, plies: usize) {
        let left = self.moves.len().saturating_sub(plies);
        self.moves.truncate(left);
        self.positions.truncate(left + 1);
    }

    fn pgn(&self, n: usize) -> String {
        let mut text = format!(
            "[Event \"Open\"]\n[Site \"Here\"]\n[Round \"1.{n}\"]\n[White \"{}\"]\n[Black \"Black {n}\"]\n[Result \"{}\"]\n[GameId \"game-{n}\"]\n\n",
            self.white, self.result
        );
        for (i, (san, clk)) in self.moves.iter().enumerate() {
            if i % 2 == 0 {
                text += &format!("{}. ", i / 2 + 1);
            }
            text += &format!("{san} {{[%clk {:02}:{:02}:{:02}]}} ", clk / 3600, clk / 60 % 60, clk % 60);
        }
        text + self.result + "\n\n"
    }
}

/// What goes wrong on the way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Trouble {
    Network,
    Hangs,
    Server,
    /// It arrives, but the answer does not.
    AnswerLost,
}

struct Hall {
    rng: ChaCha8Rng,
    lichess: Lichess,
    engine: Engine,
    boards: Vec<Board>,
    now: u64,
    streams: bool,
    trouble: Option<(Trouble, u64)>,
    too_many: bool,
    standing: HashMap<(&'static str, Option<Arc<str>>), String>,
    /// Boards whose results somebody set on Lichess.
    by_hand: BTreeSet<usize>,
    /// Requests that are to change something: all; without effect; the same as one that was answered and had no effect.
    changes: [u64; 3],
    vain: Option<String>,
    looks: u64,
    edits: u64,
    sent_at: Option<u64>,
    /// The last requests, for a test that fails.
    log: VecDeque<String>,
}

impl Hall {
    fn new(seed: u64, boards: usize, delay_s: u64) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let streams = rng.random_bool(0.5);
        let mut hall = Self {
            lichess: Lichess::new(delay_s),
            engine: Engine::new(1000, seed),
            boards: (1..=boards).map(Board::new).collect(),
            now: 0,
            streams,
            trouble: None,
            too_many: false,
            standing: HashMap::new(),
            by_hand: BTreeSet::new(),
            changes: [0; 3],
            vain: None,
            looks: 0,
            edits: 0,
            sent_at: None,
            log: VecDeque::new(),
            rng,
        };
        hall.offer();
        hall
    }

    fn offer(&mut self) {
        let game = |(i, board): (usize, &Board)| Game {
            board: (i + 1).to_string().into(),
            pgn: board.pgn(i + 1).into(),
            finished: board.result != "*",
        };
        self.engine.offer(Arc::new(self.boards.iter().enumerate().map(game).collect()));
    }

    fn hear(&mut self, tells: Vec<Tell>) {
        for tell in tells {
            match tell.text {
                Some(text) => _ = self.standing.insert((tell.key, tell.board), text.en),
                None => assert!(
                    self.standing.remove(&(tell.key, tell.board.clone())).is_some(),
                    "{} {:?} was over before it began: {:#?}",
                    tell.key,
                    tell.board,
                    self.log
                ),
            }
        }
    }

    fn until(&mut self, end: u64) {
        loop {
            if self.streams && self.engine.wants_stream() {
                self.engine.streams(true);
                let text = self.lichess.stream(self.now);
                let tells = self.engine.glimpsed(&Line::read(&text));
                self.hear(tells);
            }
            match self.engine.next(Mono::from_millis(self.now)) {
                Next::Send(order) => {
                    let pause = if matches!(order, Order::Moves(_)) { 250 } else { 1000 };
                    assert!(self.sent_at.is_none_or(|at| self.now >= at + pause), "two requests within a second");
                    let (takes, outcome) = self.answer(&order);
                    let text = |what: &dyn std::fmt::Debug| format!("{what:?}").chars().take(40).collect::<String>();
                    self.log.push_back(format!("{}: {} {takes} ms, {}", self.now, text(&order), text(&outcome)));
                    if self.log.len() > 12 {
                        self.log.pop_front();
                    }
                    self.now += takes;
                    self.sent_at = Some(self.now);
                    let tells = self.engine.answered(Mono::from_millis(self.now), outcome);
                    self.hear(tells);
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

    fn answer(&mut self, order: &Order) -> (u64, Outcome) {
        let quick = self.rng.random_range(50..400);
        if std::mem::take(&mut self.too_many) {
            return (quick, Outcome::TooMany(None));
        }
        match self.trouble.filter(|(_, until)| self.now < *until) {
            Some((Trouble::Network, _)) => return (quick, Outcome::Failed(Failure::Network(String::from("unreachable")))),
            Some((Trouble::Hangs, until)) => {
                let takes = 20_000;
                self.trouble = Some((Trouble::Hangs, until.max(self.now + takes)));
                return (takes, Outcome::Failed(Failure::TimedOut));
            }
            Some((Trouble::Server, _)) => return (quick, Outcome::Failed(Failure::Server(502))),
            Some((Trouble::AnswerLost, _)) => {
                self.trouble = None;
                self.carry_out(order);
                // Nobody knows whether it arrived: to send it again is not in vain.
                self.vain = None;
                return (quick, Outcome::Failed(Failure::Network(String::from("broken"))));
            }
            None => {}
        }
        (if *order == Order::Round { quick + 1000 } else { quick }, self.carry_out(order))
    }

    fn carry_out(&mut self, order: &Order) -> Outcome {
        let before = self.lichess.digest();
        let (sent, outcome) = match order {
            Order::Delay => return Outcome::Delay(self.lichess.delay_s),
            Order::Round => {
                self.looks += 1;
                return Outcome::Round(Line::read(&self.lichess.export(self.now)));
            }
            Order::Push(body) => {
                let entries = self.lichess.push(self.now, &body.text);
                assert!(entries.iter().all(|entry| entry.tags.contains_key("White")));
                let answer = |entry: model::Entry| match entry.moves {
                    Ok(moves) => GameAnswer { moves: Some(moves as u64), error: None },
                    Err(error) => GameAnswer { moves: None, error: Some(error) },
                };
                (body.text.clone(), Outcome::Taken(entries.into_iter().map(answer).collect()))
            }
            Order::Reset => {
                self.lichess.reset();
                (String::from("reset"), Outcome::Taken(Vec::new()))
            }
            Order::Moves(wanted) => {
                let status = self.lichess.replace(self.now, &wanted.chapter, &wanted.pgn);
                (format!("{wanted:?}"), Outcome::of_status(status, None, None, b""))
            }
        };
        self.changes[0] += 1;
        if before == self.lichess.digest() {
            self.changes[1] += 1;
            if self.vain.as_ref() == Some(&sent) {
                self.changes[2] += 1;
            }
            self.vain = Some(sent);
        } else {
            self.vain = None;
        }
        outcome
    }

    /// Where viewers see something else than the record.
    fn wrong(&mut self) -> Option<String> {
        for (i, board) in self.boards.iter().enumerate() {
            let shown = self.lichess.shown(self.now, &format!("1.{}", i + 1));
            let [shown] = shown.as_slice() else { return Some(format!("board {} is there {} times", i + 1, shown.len())) };
            let moves: Vec<&String> = board.moves.iter().map(|(san, _)| san).collect();
            if shown.moves.iter().collect::<Vec<_>>() != moves {
                return Some(format!("board {}: {:?} instead of {moves:?}", i + 1, shown.moves));
            }
            let clocks: Vec<Option<u32>> = board.moves.iter().map(|(_, clk)| Some(*clk)).collect();
            if shown.clocks.iter().rev().take(6).ne(clocks.iter().rev().take(6)) {
                return Some(format!("board {}: clocks {:?} instead of {clocks:?}", i + 1, shown.clocks));
            }
            let result = shown.tags.get("Result").map_or("*", String::as_str);
            // Mate on the board says it by itself.
            let ends = board.positions.last().unwrap().legal_moves().is_empty() && board.result == "*";
            if !ends && !self.by_hand.contains(&i) && result != board.result {
                return Some(format!("board {}: {result} instead of {}", i + 1, board.result));
            }
            if shown.tags.get("White") != Some(&board.white) {
                return Some(format!("board {}: {:?} instead of {}", i + 1, shown.tags.get("White"), board.white));
            }
        }
        None
    }

    /// Something happens in the hall.
    fn happens(&mut self) -> &'static str {
        let i = self.rng.random_range(0..self.boards.len());
        let plies = self.rng.random_range(1..=3);
        let what = self.rng.random_range(0..9);
        let rng = &mut self.rng;
        let board = &mut self.boards[i];
        let said = match what {
            0..=1 => {
                for _ in 0..plies {
                    board.plays(rng);
                }
                "moves"
            }
            2..=3 => {
                board.takes_back(plies);
                for _ in 0..plies {
                    board.plays(rng);
                }
                "a correction"
            }
            4 => {
                board.takes_back(plies);
                "a take-back"
            }
            5 if !self.by_hand.contains(&i) => {
                board.result = ["1-0", "0-1", "1/2-1/2"][rng.random_range(0..3)];
                "a result"
            }
            6 if !self.by_hand.contains(&i) => {
                board.result = "*";
                board.plays(rng);
                "a result reopened"
            }
            7 => {
                if let Some((_, clk)) = board.moves.last_mut() {
                    *clk += rng.random_range(30..600);
                }
                "a clock"
            }
            _ => {
                board.white = format!("White {} {}", i + 1, ["A", "B", "Third"][rng.random_range(0..3)]);
                "a name"
            }
        };
        self.offer();
        said
    }

    /// One disturbance; viewers may see the record ten seconds after it is over.
    fn disturbed(&mut self) -> String {
        let mut said = self.happens().to_owned();
        let more = self.rng.random_range(0..13);
        match more {
            0..=2 => {
                let trouble = [Trouble::Network, Trouble::Hangs, Trouble::Server][more];
                let until = self.now + self.rng.random_range(2_000..120_000);
                self.trouble = Some((trouble, until));
                for _ in 0..3 {
                    let wait = self.rng.random_range(0..20_000);
                    self.until(self.now + wait);
                    self.happens();
                }
                let end = self.trouble.map_or(until, |(_, until)| until);
                self.until(end);
                let end = self.trouble.map_or(until, |(_, until)| until);
                self.until(end);
                said += &format!(" and an outage ({trouble:?})");
            }
            3 => {
                self.trouble = Some((Trouble::AnswerLost, u64::MAX));
                said += " and an answer that is lost";
            }
            4 => {
                self.too_many = true;
                while self.too_many {
                    self.until(self.now + 1_000);
                }
                self.until(self.now + 61_000);
                said += " and a 429";
            }
            5 => {
                self.lichess.loses_next = true;
                said += " and a push that is lost there";
            }
            6 => {
                self.lichess.leaves_variation = true;
                said += " and moves that stay a variation";
            }
            7 => {
                let mut engine = Engine::new(1000, self.rng.random());
                std::mem::swap(&mut self.engine, &mut engine);
                // Alarms of a program that ended are gone with it.
                self.standing.clear();
                self.sent_at = None;
                let wait = self.rng.random_range(0..5_000);
                self.now += wait;
                self.happens();
                self.offer();
                said += " and a restart";
            }
            8 => {
                // Somebody there knows better. He is named, not fought; then he empties the tag again.
                let i = self.rng.random_range(0..self.boards.len());
                let round = format!("1.{}", i + 1);
                self.until(self.now + HEALED_MS);
                self.lichess.edit(self.now, &round, "Black", "Somebody Else");
                let before = self.changes[0];
                // Once every game has a result it is looked less often.
                let over = self.boards.iter().all(|board| board.result != "*");
                self.until(self.now + if over { 700_000 } else { 80_000 });
                let text = self.standing.get(&("lichess-override", Some((i + 1).to_string().into())));
                let named = format!("Black is \"Somebody Else\" there, \"Black {}\" here", i + 1);
                assert!(text.is_some_and(|text| text.contains(&named)), "{text:?}: {:#?}", self.log);
                assert_eq!(self.changes[0], before, "what wins there is not fought");
                self.lichess.edit(self.now, &round, "Black", "");
                self.until(self.now + 80_000);
                assert!(!self.standing.keys().any(|(key, _)| *key == "lichess-override"));
                self.edits += 1;
                said += " and an edit by hand";
            }
            _ => {}
        }
        said
    }
}

impl Hall {
    /// What stands of one kind.
    fn alarm(&self, key: &str) -> Option<&str> {
        self.standing.iter().find(|((k, _), _)| *k == key).map(|(_, text)| text.as_str())
    }

    fn plays(&mut self, board: usize, plies: usize) {
        for _ in 0..plies {
            self.boards[board].plays(&mut self.rng);
        }
        self.offer();
    }
}

#[test]
fn a_tag_set_by_hand_is_named_and_left_alone_until_it_is_emptied_or_six_hours_are_over() {
    for (seed, emptied) in [(1, true), (2, true), (3, false), (4, false)] {
        let mut hall = Hall::new(seed, 3, 0);
        hall.plays(1, 5);
        hall.boards[1].result = "1-0";
        hall.offer();
        hall.until(20_000);
        hall.lichess.edit(hall.now, "1.2", "Result", "0-1");
        hall.by_hand.insert(1);
        let before = hall.changes;
        hall.until(100_000);
        let text = hall.alarm("lichess-override").unwrap();
        for word in ["board 2 (White 2 - Black 2)", "Result is \"0-1\" there, \"1-0\" here", "six hours", "empty the tag"] {
            assert!(text.contains(word), "{word}: {text}");
        }
        assert_eq!((hall.changes, hall.engine.progress().equal), (before, Some(false)), "what wins there is not fought");
        // Other boards go on; the alarm stays.
        for n in 0..5 {
            hall.plays(0, 1);
            hall.until(110_000 + n * 10_000);
        }
        assert_eq!((hall.changes[0] - before[0], hall.changes[1], hall.wrong()), (5, before[1], None), "each change once");
        if emptied {
            hall.lichess.edit(hall.now, "1.2", "Result", "");
            hall.until(hall.now + 80_000);
        } else {
            assert!(hall.alarm("lichess-override").is_some());
            hall.until(hall.now + 6 * 3_600_000 + 200_000);
        }
        hall.by_hand.clear();
        assert_eq!((hall.wrong(), hall.alarm("lichess-override")), (None, None), "seed {seed}");
        assert_eq!((hall.engine.progress().equal, hall.changes[2]), (Some(true), 0));
    }
}

#[test]
fn games_that_no_board_feeds_are_named_until_they_are_gone() {
    let mut hall = Hall::new(5, 4, 0);
    hall.plays(3, 4);
    hall.until(20_000);
    let gone = hall.boards.pop().unwrap();
    hall.offer();
    hall.until(100_000);
    let text = hall.alarm("lichess-orphan").unwrap();
    assert!(text.contains("White 4 - Black 4 1.4 https://lichess.org/broadcast/"), "{text}");
    assert_eq!(hall.engine.progress().equal, Some(true), "what is ours is right");
    hall.boards.push(gone);
    hall.offer();
    hall.until(200_000);
    assert_eq!((hall.wrong(), hall.alarm("lichess-orphan")), (None, None));
}

#[test]
fn where_nothing_helps_it_is_said_once_and_nothing_is_sent_any_more() {
    let mut hall = Hall::new(6, 2, 0);
    hall.lichess.without_replacing = true;
    hall.plays(0, 6);
    hall.until(20_000);
    hall.boards[0].takes_back(2);
    hall.offer();
    hall.until(60_000);
    let text = hall.alarm("lichess-differs").unwrap();
    for word in ["board 1", "moves that were taken back still stand there, from White's move 3 on", "`flagfall lichess reset`"] {
        assert!(text.contains(word), "{word}: {text}");
    }
    let before = hall.changes[0];
    hall.until(3_600_000);
    assert_eq!(hall.changes[0], before);
    assert!(hall.alarm("lichess-differs").is_some());
    // The next move becomes the main line by itself.
    hall.plays(0, 1);
    hall.until(hall.now + 70_000);
    assert_eq!((hall.wrong(), hall.alarm("lichess-differs")), (None, None));
}

#[test]
fn in_a_round_with_a_delay_nothing_is_shown_early_and_what_is_due_is_mended() {
    for seed in 0..2 {
        let delay = 60_000;
        let mut hall = Hall::new(seed, 2, delay / 1000);
        let mut said: Vec<(u64, Vec<String>)> = vec![(0, Vec::new())];
        let line = |hall: &Hall| hall.boards[0].moves.iter().map(|(san, _)| san.clone()).collect::<Vec<_>>();
        for n in 0..200_u64 {
            match n % 10 {
                3 => hall.boards[0].takes_back(2),
                7 if seed % 2 == 1 => hall.lichess.restart(hall.now),
                _ => hall.boards[0].plays(&mut hall.rng),
            }
            hall.offer();
            said.push((hall.now, line(&hall)));
            for _ in 0..15 {
                hall.until(hall.now + 1000);
                if let [shown] = hall.lichess.shown(hall.now, "1.1").as_slice() {
                    let old = said.iter().any(|(at, moves)| at + delay <= hall.now + 2_000 && *moves == shown.moves);
                    // A chapter may hold more than was ever played until it is mended, but never a move before its time.
                    let due = |san: &String| said.iter().any(|(at, moves)| at + delay <= hall.now + 2_000 && moves.contains(san));
                    assert!(old || shown.moves.iter().all(due), "seed {seed}, move {n}: {:?} at {}", shown.moves, hall.now);
                }
            }
        }
        assert_eq!(hall.changes[2], 0, "seed {seed}: sent twice in vain");
        hall.until(hall.now + 5 * delay + 300_000);
        assert_eq!((hall.wrong(), hall.engine.progress().equal), (None, Some(true)), "seed {seed}: {:#?}", hall.log);
    }
}

#[test]
fn a_restart_sends_nothing_that_viewers_see_already() {
    let mut hall = Hall::new(8, 3, 0);
    hall.plays(0, 5);
    hall.until(30_000);
    let before = hall.changes[0];
    hall.engine = Engine::new(1000, 9);
    hall.offer();
    hall.until(60_000);
    assert_eq!((hall.changes[0], hall.engine.progress().up_to_date, hall.engine.progress().equal), (before, true, Some(true)));
}

fn disturbances() -> usize {
    std::env::var("FLAGFALL_LICHESS").ok().and_then(|text| text.parse().ok()).unwrap_or(60)
}

fn first_seed() -> u64 {
    std::env::var("FLAGFALL_LICHESS_SEED").ok().and_then(|text| text.parse().ok()).unwrap_or(0)
}

#[test]
fn viewers_see_the_record_ten_seconds_after_any_disturbance_and_nothing_is_sent_twice_in_vain() {
    let halls = 6;
    let mut sums = [0_u64; 5];
    let mut slowest = 0;
    for seed in first_seed()..first_seed() + halls {
        let mut hall = Hall::new(seed, 4, 0);
        hall.until(10_000);
        assert_eq!(hall.wrong(), None, "at the start");
        for n in 0..disturbances().div_ceil(usize::try_from(halls).unwrap()) {
            let what = hall.disturbed();
            let begin = hall.now;
            let end = begin + HEALED_MS;
            while hall.wrong().is_some() && hall.now < end {
                hall.until(hall.now + 50);
            }
            slowest = slowest.max(hall.now - begin);
            assert_eq!(hall.wrong(), None, "seed {seed}, disturbance {n}, over at {begin}: {what}\n{:#?}", hall.log);
            let rest = hall.rng.random_range(0..90_000);
            hall.until(end.max(hall.now) + rest);
            assert_eq!(hall.wrong(), None, "seed {seed}, disturbance {n}: {what}, later");
            let standing: Vec<_> = hall.standing.iter().filter(|((key, _), _)| key.starts_with("lichess-")).collect();
            assert!(standing.is_empty(), "seed {seed}, disturbance {n}: {what}: {standing:?}");
        }
        hall.until(hall.now + 200_000);
        assert_eq!((hall.engine.progress().equal, hall.engine.progress().up_to_date), (Some(true), true), "seed {seed}");
        assert_eq!(hall.changes[2], 0, "seed {seed}: sent twice in vain");
        for (sum, one) in sums.iter_mut().zip([hall.changes[0], hall.changes[1], hall.changes[2], hall.looks, hall.edits]) {
            *sum += one;
        }
    }
    println!(
        "{} disturbances in {halls} rounds: healed after {slowest} ms at most; {} requests that change something, {} without effect, {} of them twice; {} looks; {} edits by hand, all named",
        disturbances(),
        sums[0],
        sums[1],
        sums[2],
        sums[3],
        sums[4]
    );
}

//! Rulings whose result hangs on a verdict that is still being worked out, and proposals that follow the clock.
use super::*;
use crate::placement::Placement;
use crate::questions::{self, Question};
use crate::settings::Settings;
use crate::{Game, Input, Output};
use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use dgt_protocol::clock::{ClockReport, ClockTimes, Lever, SideTime};
use dgt_protocol::message::Message;
use flagfall_events::{ClockPair, Entry, Key, Mono, Order, PressCounter, Run};
use flagfall_laws::irregularity::{Before, Defect, Phase, PressWithoutMove, Since, UnpromotedPawn, WrongSetting};
use flagfall_laws::mating::{Answer, Proof, Why};
use serde_json::{Value, json};

/// A game that has begun, and what it says.
struct Rig {
    game: Game,
    now: u64,
    said: Vec<(u64, Value)>,
    asked: Vec<Question>,
}

impl Rig {
    fn new() -> Self {
        let settings = Settings { time_control: "5400+30".parse().ok(), ..Settings::default() };
        let mut rig = Self { game: Game::new(settings), now: 0, said: Vec::new(), asked: Vec::new() };
        let start = Placement::of(&shakmaty::Board::default());
        let wire = core::array::from_fn(|i| start.0[(7 - i / 8) * 8 + i % 8]);
        rig.input(Input::Message(Message::BoardDump(Box::new(wire))));
        rig
    }

    /// Something was found, however it came to be seen.
    fn find(&mut self, irregularity: Irregularity) -> Option<u64> {
        let id = self.game.reading().hearing().find(irregularity, 1);
        self.drain();
        id
    }

    fn input(&mut self, input: Input) {
        self.game.handle(Mono::from_millis(self.now), input);
        self.drain();
    }

    fn drain(&mut self) {
        while let Some(output) = self.game.poll() {
            match output {
                Output::Event { body, .. } => self.said.push((self.now, serde_json::to_value(body).unwrap())),
                Output::Question(question) if question.purpose != questions::Purpose::DeadPosition => self.asked.push(question),
                _ => {}
            }
        }
    }

    fn wait(&mut self, ms: u64) {
        let end = self.now + ms;
        while let Some(deadline) = self.game.deadline().map(Mono::millis).filter(|at| *at <= end) {
            self.now = self.now.max(deadline);
            self.input(Input::Timeout);
        }
        self.now = end;
    }

    fn enter(&mut self, entry: Value) {
        let entry: Entry = serde_json::from_value(entry).unwrap();
        assert_eq!(self.game.refusal(&entry), None);
        self.input(Input::Entry(entry));
    }

    fn refusal(&self, entry: Value) -> Option<String> {
        self.game.refusal(&serde_json::from_value(entry).unwrap())
    }

    /// The solver answers the last question.
    fn answer(&mut self, answer: Answer) {
        let question = self.asked.last().unwrap().clone();
        self.input(Input::Verdict(questions::Verdict { question, answer }));
    }

    /// Both displays, and whose runs.
    fn clock(&mut self, white_s: u32, black_s: u32, runs: Option<Colour>) {
        let side = |seconds: u32| SideTime::from_seconds(seconds).unwrap();
        let lever = if runs == Some(Colour::Black) { Lever::RightHigh } else { Lever::LeftHigh };
        let (left, right) = (side(white_s), side(black_s));
        let times = ClockTimes { right, left, running: runs.is_some(), lever, battery_low: false, turn_bits: 0 };
        self.input(Input::Message(Message::Clock(ClockReport::Time(times))));
    }

    /// What was said of this type since the millisecond `from`.
    fn since(&self, from: u64, kind: &str) -> Vec<&Value> {
        self.said.iter().filter(|(t, event)| *t >= from && event["type"] == kind).map(|(_, event)| event).collect()
    }

    /// What was said of a finding since then.
    fn of(&self, id: u64, from: u64) -> Vec<&Value> {
        self.since(from, "finding-update").into_iter().filter(|event| event["id"] == id).collect()
    }

    fn results(&self) -> Vec<&str> {
        self.since(0, "result").into_iter().map(|event| event["result"].as_str().unwrap()).collect()
    }

    fn statuses(&self, id: u64) -> Vec<&str> {
        self.of(id, 0).into_iter().map(|event| event["status"].as_str().unwrap()).collect()
    }
}

fn rule(id: u64, decision: &str) -> Value {
    json!({"do": "rule", "finding": id, "decision": decision})
}

fn mates() -> Answer {
    Answer::Winnable { line: vec![String::from("f2f3")] }
}

#[test]
fn what_is_confirmed_before_the_verdict_is_carried_out_with_it() {
    for (answer, result) in [(mates(), "0-1"), (Answer::Unwinnable { proof: Proof::Closure, positions: 1 }, "1/2-1/2")] {
        let mut rig = Rig::new();
        rig.enter(json!({"do": "flag", "by": "white"}));
        assert_eq!(rig.asked.len(), 1);
        rig.wait(300);
        rig.enter(rule(1, "confirm"));
        rig.wait(1_500);
        assert_eq!((rig.results(), rig.statuses(1)), (vec![], vec![]), "it waits");
        rig.answer(answer);
        assert_eq!((rig.results(), rig.statuses(1)), (vec![result], vec!["confirmed"]));
        let update = rig.since(0, "finding-update")[0];
        assert_eq!(update["proposal"]["result"], result, "what was ruled is in the record");
        assert_eq!(rig.since(0, "ruling").len(), 2);
    }
}

#[test]
fn what_is_not_decided_in_two_seconds_stays_open_with_both_results() {
    let mut rig = Rig::new();
    rig.enter(json!({"do": "flag", "by": "white"}));
    rig.enter(rule(1, "confirm"));
    rig.wait(1_999);
    assert_eq!(rig.since(0, "finding-update").len(), 0);
    rig.wait(1);
    let revised = rig.since(2_000, "finding-update")[0].clone();
    assert_eq!(
        (&revised["status"], &revised["proposal"]["results"], &revised["proposal"]["action"]),
        (&json!("revised"), &json!(["0-1", "1/2-1/2"]), &json!("none"))
    );
    assert!(rig.results().is_empty());
    // Once it has lapsed a verdict decides nothing by itself.
    let why = rig.refusal(rule(1, "confirm")).unwrap();
    assert!(why.contains("\"0-1\" or \"1/2-1/2\""), "{why}");
    assert!(rig.refusal(json!({"do": "rule", "finding": 1, "decision": "confirm", "result": "1-0"})).is_some());
    rig.wait(5_000);
    rig.answer(mates());
    assert_eq!((rig.results(), rig.statuses(1)), (vec![], vec!["revised", "revised"]));
    rig.enter(rule(1, "confirm"));
    assert_eq!(rig.results(), ["0-1"]);
}

#[test]
fn the_arbiter_may_choose_where_nobody_knows() {
    for waits in [false, true] {
        let mut rig = Rig::new();
        rig.enter(json!({"do": "flag", "by": "black"}));
        if !waits {
            rig.answer(Answer::Undecided { why: Why::OutOfTime });
            assert_eq!(rig.since(0, "finding-update")[0]["proposal"]["results"], json!(["1-0", "1/2-1/2"]));
        }
        rig.enter(json!({"do": "rule", "finding": 1, "decision": "confirm", "result": "1/2-1/2"}));
        assert_eq!(rig.results(), ["1/2-1/2"]);
        assert_eq!(rig.since(0, "result")[0]["source"], "flag");
    }
}

#[test]
fn a_report_that_needs_a_verdict_is_raised_open_and_confirmed_by_it() {
    let mut rig = Rig::new();
    rig.enter(json!({"do": "report", "key": "two-hands", "by": "white"}));
    assert_eq!((rig.statuses(1), rig.asked.len()), (vec!["confirmed"], 0), "the first costs time and needs no verdict");
    rig.enter(json!({"do": "report", "key": "two-hands", "by": "white"}));
    assert_eq!((rig.statuses(2), rig.asked.len()), (vec![], 1));
    let rulings: Vec<_> = rig.since(0, "ruling").into_iter().map(|ruling| ruling["finding"].clone()).collect();
    assert_eq!(rulings, [1, 2], "a report names its finding");
    rig.wait(900);
    rig.answer(mates());
    assert_eq!((rig.statuses(2), rig.results()), (vec!["confirmed"], vec!["0-1"]));
    assert_eq!(rig.game.parts.referee.findings.offences.white, 2);
}

#[test]
fn dismissed_while_it_waits_it_is_dismissed() {
    let mut rig = Rig::new();
    rig.enter(json!({"do": "flag", "by": "white"}));
    rig.enter(rule(1, "confirm"));
    rig.enter(rule(1, "dismiss"));
    rig.answer(mates());
    rig.wait(5_000);
    assert_eq!((rig.statuses(1), rig.results()), (vec!["dismissed"], vec![]));
    // Ruled anew the verdict is there.
    rig.enter(rule(1, "confirm"));
    assert_eq!(rig.results(), ["0-1"]);
}

/// Dismissed before the verdict, confirmed after all: it waits like any other.
#[test]
fn ruled_anew_before_the_verdict_it_waits_for_it() {
    for decided in [true, false] {
        let mut rig = Rig::new();
        rig.enter(json!({"do": "flag", "by": "white"}));
        rig.enter(rule(1, "dismiss"));
        rig.enter(rule(1, "confirm"));
        rig.wait(1_000);
        assert_eq!((rig.statuses(1), rig.results()), (vec!["dismissed"], vec![]));
        if decided {
            rig.answer(mates());
            assert_eq!((rig.statuses(1), rig.results()), (vec!["dismissed", "confirmed"], vec!["0-1"]));
        } else {
            rig.wait(1_000);
            assert_eq!(rig.statuses(1), ["dismissed", "revised"], "it is open again");
            assert_eq!(rig.of(1, 0)[1]["proposal"]["results"], json!(["0-1", "1/2-1/2"]));
            assert!(rig.refusal(rule(1, "confirm")).is_some());
        }
    }
}

/// A result that is reached in between stands (6.8).
#[test]
fn a_result_in_between_ends_the_wait() {
    let mut rig = Rig::new();
    rig.enter(json!({"do": "flag", "by": "white"}));
    rig.enter(rule(1, "confirm"));
    rig.enter(json!({"do": "result", "result": "1/2-1/2"}));
    rig.answer(mates());
    rig.wait(5_000);
    assert_eq!((rig.statuses(1), rig.results()), (vec!["withdrawn"], vec!["1/2-1/2"]));
}

fn before() -> Before {
    Before {
        fen: String::from("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"),
        immediate: true,
        presses: PressCounter::of(Colour::White, 1),
        since: Since::Stands,
        ..Before::default()
    }
}

/// Everything whose proposal has times.
fn with_times() -> Vec<Irregularity> {
    let by = Colour::White;
    let pair = ClockPair { white_ms: 5_400_000, black_ms: 5_400_000 };
    let (times, run) = (Some(pair), Run::White);
    let fen = before().fen;
    vec![
        Irregularity::PressWithoutMove(PressWithoutMove { by, ply: 1, before: before() }),
        Irregularity::UnpromotedPawn(UnpromotedPawn {
            by,
            ply: 1,
            uci: String::from("e7e8"),
            square: shakmaty::Square::E8,
            stands: None,
            queen_fen: fen,
            before: before(),
        }),
        Irregularity::TwoMovesInARow { by, ply: 1, moves: [String::from("e2e4"), String::from("d2d4")], before: Some(before()) },
        Irregularity::ClockDefect { defect: Defect::BothRun, times, run, doubt_ppm: 0 },
        Irregularity::ClockDefect { defect: Defect::Lever { by: None }, times, run, doubt_ppm: 0 },
        Irregularity::ClockDefect { defect: Defect::Jump { by, by_ms: 9_000 }, times, run, doubt_ppm: 0 },
        Irregularity::ClockSetting {
            setting: WrongSetting::NoIncrement { should_ms: 30_000 },
            times,
            run,
            press_counter: PressCounter::default(),
            doubt_ppm: 0,
        },
        Irregularity::WrongSideStarted { ran_ms: 4_000 },
        Irregularity::LateStart { late_ms: 300_000, started: Some(pair), ruled: false },
        Irregularity::NeitherPresent { lost_ms: 120_000, arrived: true, ruled: false },
        Irregularity::Reported(Reported {
            key: Key::IllegalMove,
            by: Some(by),
            last: Some((1, String::from("e2e5"))),
            before: Some(before()),
            fen: String::new(),
            start_fen: String::new(),
            phase: Phase::During,
            completed: [1, 0],
            last_period: false,
        }),
    ]
}

fn unchanged(proposal: &Value) -> Option<[i64; 2]> {
    let all = proposal["alternatives"].as_array()?;
    let clock = &all.iter().find(|alternative| alternative["label"] == "unchanged")?["clock"];
    Some(["white_ms", "black_ms"].map(|side| clock[side].as_i64().unwrap() / 1000))
}

/// Every key with times: at a press they are those of the press, within a second; while the clock merely runs on nothing is said.
#[test]
fn times_offered_are_never_older_than_the_last_press() {
    for irregularity in with_times() {
        let what = format!("{irregularity:?}");
        let mut rig = Rig::new();
        rig.clock(5_400, 5_400, Some(Colour::White));
        rig.wait(1_000);
        let id = rig.find(irregularity).unwrap_or_else(|| panic!("{what}"));
        let (mut white, mut black, mut runs) = (5_400, 5_400, Colour::White);
        let mut updates = 0;
        for turn in 0..12 {
            for _ in 0..25 {
                if runs == Colour::White {
                    white -= 1
                } else {
                    black -= 1
                }
                rig.clock(white, black, Some(runs));
                rig.wait(1_000);
            }
            assert_eq!(rig.of(id, 0).len(), updates, "{what}: turn {turn}: a clock that merely runs on");
            if runs == Colour::White {
                white += 30
            } else {
                black += 30
            }
            runs = runs.other();
            let pressed = rig.now;
            rig.clock(white, black, Some(runs));
            rig.wait(1_000);
            let said = rig.of(id, pressed);
            let last = said.last().unwrap_or_else(|| panic!("{what}: nothing was said at press {turn}"));
            assert_eq!(last["status"], "revised", "{what}");
            assert!(said.len() <= 2, "{what}: {said:?}");
            assert_eq!(unchanged(&last["proposal"]), Some([i64::from(white), i64::from(black)]), "{what}: press {turn}");
            updates = rig.of(id, 0).len();
        }
    }
}

#[test]
fn nothing_is_revised_twice_within_a_second() {
    let mut rig = Rig::new();
    rig.clock(5_400, 5_400, Some(Colour::White));
    rig.wait(1_000);
    rig.find(Irregularity::WrongSideStarted { ran_ms: 4_000 }).unwrap();
    let begun = rig.now;
    for n in 0..40_u32 {
        // The clock is stopped and started all the time.
        rig.clock(5_399 - n / 4, 5_400, (n % 2 == 0).then_some(Colour::White));
        rig.wait(100);
    }
    rig.wait(3_000);
    let times: Vec<u64> = rig.said.iter().filter(|(t, e)| *t >= begun && e["type"] == "finding-update").map(|(t, _)| *t).collect();
    assert!(times.windows(2).all(|pair| pair[1] - pair[0] >= 1_000) && (3..=5).contains(&times.len()), "{times:?}");
    let last = rig.since(0, "finding-update").pop().unwrap().clone();
    assert_eq!(unchanged(&last["proposal"]), Some([5_390, 5_400]), "what was put off is said");
}

/// An order and its event still read as they are written.
#[test]
fn a_ruling_with_a_result_is_an_entry() {
    let text = r#"{"do":"rule","finding":3,"decision":"confirm","result":"1/2-1/2","seen":12}"#;
    let entry: Entry = serde_json::from_str(text).unwrap();
    assert_eq!(entry.seen, Some(12));
    assert_eq!(serde_json::to_string(&entry).unwrap(), text);
    let Order::Rule { result, .. } = entry.order else { panic!("{entry:?}") };
    assert_eq!(result, Some(GameResult::Draw));
}

//! A worked ruling: 90 minutes and 30 seconds a move, standard, `fide-2018`. White presses illegal move 23 with 42:10 left; the display
//! then shows 42:40. Black's 55:00 run until the arbiter stops them at 54:40.
use crate::irregularity::{Before, IllegalMove};
use crate::{Irregularity, Offences, Reason, Situation, Verdict, judge};
use flagfall_events::{Action, ClockPair, Colour, GameResult, Play, PressCounter, Rules, Run, SetClock, Supervision};
use shakmaty::{Role, Square};

const fn at(minutes: i64, seconds: i64) -> i64 {
    (minutes * 60 + seconds) * 1000
}

const BEFORE: &str = "4k3/8/8/8/3p4/8/8/3RK3 w - - 0 23";

fn situation(now: SetClock) -> Situation {
    Situation {
        rules: Rules::Fide2018,
        play: Play::Standard,
        supervision: Supervision::Full,
        time_control: "5400+30".parse().ok(),
        clock: Some(now),
        completed: [22, 22],
        turn: Run::White,
        offences: Offences::default(),
        same_move_counted: false,
        verdict: Verdict::Pending,
        irregularity: Irregularity::IllegalMove(IllegalMove {
            by: Colour::White,
            ply: 45,
            uci: String::from("d1d8"),
            reason: Reason::Blocked { piece: Role::Rook, at: Square::D4 },
            before: Before {
                fen: String::from(BEFORE),
                immediate: true,
                at_press: Some(ClockPair { white_ms: at(42, 40), black_ms: at(55, 0) }),
                earned_ms: 30_000,
                later_moves: 0,
                presses: PressCounter::of(Colour::White, 1),
                ..Before::default()
            },
            position: BEFORE.parse::<shakmaty::fen::Fen>().unwrap().into_position(shakmaty::CastlingMode::Standard).ok(),
            chess960: false,
            touched: Vec::new(),
            from: Some(Square::D1),
            twice: None,
        }),
    }
}

fn stopped() -> SetClock {
    SetClock { white_ms: at(42, 40), black_ms: at(54, 40), run: Run::Stopped }
}

#[test]
fn first_offence_sets_both_clocks_to_the_second() {
    let judgement = judge(&situation(stopped())).unwrap();
    assert_eq!((judgement.key.as_str(), judgement.article.as_str(), judgement.by), ("illegal-move", "7.5.1", Some(Colour::White)));
    assert_eq!(judgement.summary.en, "White played 23. d1-d8, an illegal move: the rook cannot pass d4.");
    assert_eq!(judgement.summary.ru, "Невозможный ход белых 23. d1-d8: ладья не может пройти через d4.");
    let p = judgement.proposal.unwrap();
    assert_eq!(p.action, Action::RestorePosition);
    assert_eq!(p.restore_fen.as_deref(), Some(BEFORE));
    assert_eq!(p.clock, Some(SetClock { white_ms: at(42, 10), black_ms: at(56, 40), run: Run::White }));
    assert_eq!(p.press_counter, Some(PressCounter { white: -1, black: 0 }));
    assert_eq!((p.offence, p.article.as_deref()), (Some(1), Some("7.5.5")));
    let alternatives: Vec<_> = p.alternatives.iter().map(|a| (a.label.as_str(), a.clock.white_ms, a.clock.black_ms)).collect();
    assert_eq!(
        alternatives,
        [
            ("20 seconds given back to Black", at(42, 10), at(57, 0)),
            ("unchanged", at(42, 40), at(54, 40)),
            ("custom", at(42, 10), at(56, 40)),
        ]
    );
    assert!(p.alternatives.iter().all(|a| a.clock.run == Run::White));
    assert_eq!(p.replacement.unwrap(), ["d1a1", "d1b1", "d1c1", "d1d2", "d1d3", "d1d4"]);
    assert_eq!(p.result, None);
}

#[test]
fn second_offence_loses_or_is_drawn_when_black_cannot_mate() {
    let mut s = situation(stopped());
    s.offences.white = 1;
    let asked = judge(&s).unwrap();
    let question = asked.question.unwrap();
    assert_eq!((question.fen.as_str(), question.winner), (BEFORE, Colour::Black));
    let p = asked.proposal.unwrap();
    assert_eq!((p.action, p.result, p.offence), (Action::None, None, Some(2)));
    assert!(p.undecided.is_some());

    s.verdict = Verdict::Winnable(vec![String::from("e1d2")]);
    let p = judge(&s).unwrap().proposal.unwrap();
    assert_eq!((p.action, p.result), (Action::DeclareLoss, Some(GameResult::BlackWins)));
    assert_eq!((p.mate.unwrap().len(), p.undecided, p.clock), (1, None, None));

    s.verdict = Verdict::Unwinnable(String::from("12 positions"));
    let p = judge(&s).unwrap().proposal.unwrap();
    assert_eq!((p.action, p.result, p.article.as_deref()), (Action::DeclareDraw, Some(GameResult::Draw), Some("7.5.5")));
}

#[test]
fn found_late_the_clocks_go_back_to_the_irregular_press() {
    let mut s = situation(SetClock { white_ms: at(40, 0), black_ms: at(50, 0), run: Run::Stopped });
    let Irregularity::IllegalMove(fact) = &mut s.irregularity else { panic!() };
    fact.before.later_moves = 3;
    fact.before.presses = PressCounter { white: 2, black: 2 };
    let p = judge(&s).unwrap().proposal.unwrap();
    assert_eq!(p.clock, Some(SetClock { white_ms: at(42, 10), black_ms: at(57, 0), run: Run::White }));
    assert_eq!(p.press_counter, Some(PressCounter { white: -2, black: -2 }));
    let shown_now = p.alternatives.iter().find(|a| a.label == "unchanged").unwrap().clock;
    assert_eq!((shown_now.white_ms, shown_now.black_ms), (at(40, 0), at(50, 0)));
}

#[test]
fn two_faults_in_one_move_count_once() {
    let mut s = situation(stopped());
    s.offences.white = 1;
    s.same_move_counted = true;
    let p = judge(&s).unwrap().proposal.unwrap();
    // The position goes back all the same; the opponent has his time already.
    assert_eq!((p.action, p.offence, p.result), (Action::RestorePosition, Some(1), None));
    assert_eq!(p.clock, Some(SetClock { white_ms: at(42, 10), black_ms: at(54, 40), run: Run::White }));
}

//! What the arbiter reports.
use super::*;
use crate::Verdict;
use crate::irregularity::{Phase, Reported};
use flagfall_events::{Action, GameResult, Key};

fn report(key: Key, by: Option<Colour>) -> Irregularity {
    Irregularity::Reported(Reported {
        key,
        by,
        last: Some((1, String::from("e2e4"))),
        before: Some(pressed_by_white()),
        fen: String::from("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"),
        start_fen: String::from(START),
        phase: Phase::During,
        completed: [1, 0],
        last_period: true,
    })
}

#[test]
fn every_key_can_be_reported_under_every_edition() {
    for rules in EDITIONS {
        for key in Key::ALL {
            for by in [None, Some(Colour::White), Some(Colour::Black)] {
                let judgement = found(rules, report(*key, by));
                assert_eq!((judgement.key, judgement.grade), (*key, key.grade()));
                assert!(!judgement.article.is_empty() && judgement.proposal.is_some(), "{key}");
                for text in [&judgement.summary.en, &judgement.summary.ru] {
                    assert!(text.ends_with('.') && !text.contains("  "), "{text}");
                }
            }
        }
    }
}

#[test]
fn two_hands_add_the_opponents_time_and_nothing_else() {
    let p = proposed(&situation(Rules::Fide2023, report(Key::TwoHands, Some(Colour::White))));
    assert_eq!((p.action, p.offence, p.article.as_deref(), p.press_counter), (Action::SetClock, Some(1), Some("7.5.5"), None));
    assert_eq!(p.clock, Some(clock(600, 600, Run::Black)));
}

#[test]
fn two_hands_reported_after_the_reply_let_the_offender_think_on() {
    let mut irregularity = report(Key::TwoHands, Some(Colour::White));
    if let Irregularity::Reported(r) = &mut irregularity {
        r.fen = String::from("rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2");
    }
    assert_eq!(proposed(&situation(Rules::Fide2023, irregularity)).clock, Some(clock(600, 600, Run::White)));
}

#[test]
fn two_hands_after_a_counted_fault_in_the_same_move_add_nothing() {
    let mut s = situation(Rules::Fide2023, report(Key::TwoHands, Some(Colour::White)));
    s.offences.white = 1;
    s.same_move_counted = true;
    let p = proposed(&s);
    assert_eq!((p.action, p.offence, p.clock), (Action::Continue, Some(1), None));
}

#[test]
fn a_reported_illegal_move_is_taken_back() {
    let p = proposed(&situation(Rules::Fide2023, report(Key::IllegalMove, Some(Colour::White))));
    assert_eq!((p.action, p.restore_fen.as_deref(), p.offence), (Action::RestorePosition, Some(START), Some(1)));
    assert_eq!(p.clock, Some(clock(595, 600, Run::White)));
}

#[test]
fn a_wrong_hand_is_a_warning_with_the_list_of_penalties() {
    let judgement = found(Rules::Fide2018, report(Key::WrongHand, Some(Colour::Black)));
    assert_eq!(judgement.article, "6.2.3");
    assert_eq!(judgement.facts["penalties"].as_array().unwrap().len(), 9);
    let p = judgement.proposal.unwrap();
    assert_eq!((p.action, p.article.as_deref(), p.offence), (Action::Warn, Some("12.9"), None));
}

#[test]
fn in_russia_violations_of_any_kind_add_up() {
    let mut s = situation(Rules::Russia116, report(Key::WrongHand, Some(Colour::Black)));
    assert_eq!((proposed(&s).action, proposed(&s).offence), (Action::Warn, Some(1)));
    s.offences.black = 2;
    assert_eq!((proposed(&s).action, proposed(&s).result), (Action::DeclareLoss, Some(GameResult::WhiteWins)));
}

#[test]
fn stopping_the_clocks_without_a_reason_is_another_article() {
    assert_eq!(found(Rules::Fide2023, report(Key::ClockStopped, Some(Colour::White))).article, "6.11.4");
    assert_eq!(found(Rules::Fide2023, report(Key::ClockStopped, None)).article, "6.11.2");
}

#[test]
fn a_reported_flag_asks_the_solver() {
    let mut s = situation(Rules::Fide2023, report(Key::FlagFall, Some(Colour::White)));
    assert!(judge(&s).unwrap().question.is_some());
    s.verdict = Verdict::Unwinnable(String::from("closure"));
    assert_eq!(proposed(&s).result, Some(GameResult::Draw));
}

#[test]
fn five_moves_are_counted_down_to_a_draw() {
    let at = |done| found(Rules::Russia116, Irregularity::FiveMoves { by: Colour::White, done });
    assert_eq!((at(0).article.as_str(), at(0).proposal.unwrap().action), ("1.16.7", Action::None));
    assert_eq!(at(4).summary.ru, "Остался 1 ход, чтобы белые получили выигранную позицию.");
    assert_eq!(at(5).proposal.unwrap().result, Some(GameResult::Draw));
}

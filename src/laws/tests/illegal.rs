//! 7.4 to 7.6 and their like in other editions.
use super::*;
use crate::Reason;
use crate::Verdict;
use crate::irregularity::{DisplacedPieces, IllegalMove, Misplaced, PressWithoutMove, TwoHands, UnpromotedPawn};
use flagfall_events::{Action, GameResult};
use shakmaty::{Role, Square};

fn illegal_move() -> Irregularity {
    Irregularity::IllegalMove(IllegalMove {
        by: Colour::White,
        ply: 1,
        uci: String::from("a1a3"),
        reason: Reason::Blocked { piece: Role::Rook, at: Square::A2 },
        before: pressed_by_white(),
        position: Some(shakmaty::Chess::default()),
        chess960: false,
        touched: Vec::new(),
        from: Some(Square::A1),
        twice: None,
    })
}

fn press_without_move() -> Irregularity {
    Irregularity::PressWithoutMove(PressWithoutMove { by: Colour::White, ply: 1, before: pressed_by_white() })
}

fn pawn() -> Irregularity {
    Irregularity::UnpromotedPawn(UnpromotedPawn {
        by: Colour::White,
        ply: 1,
        uci: String::from("e7e8"),
        square: Square::E8,
        stands: Some('P'),
        queen_fen: String::from("4Q3/8/8/8/8/8/k7/4K3 b - - 0 1"),
        before: Before { fen: String::from("8/4P3/8/8/8/8/k7/4K3 w - - 0 1"), ..pressed_by_white() },
    })
}

#[test]
fn each_edition_cites_its_own_article() {
    cited(&illegal_move(), ["7.5.1", "7.5.1", "6.13", "1.16.3"]);
    cited(&press_without_move(), ["7.5.3", "7.5.3", "-", "1.16.3"]);
    cited(&pawn(), ["7.5.2", "7.5.2", "6.13", "1.16.3"]);
}

#[test]
fn the_opponent_gets_what_edition_and_play_say() {
    let minutes = |rules, play| {
        let p = proposed(&Situation { play, ..situation(rules, illegal_move()) });
        (p.clock.unwrap().black_ms - 480_000) / 60_000
    };
    let plays = [Play::Standard, Play::Rapid, Play::Blitz];
    assert_eq!(plays.map(|play| minutes(Rules::Fide2018, play)), [2, 2, 1]);
    assert_eq!(plays.map(|play| minutes(Rules::Fide2023, play)), [2, 1, 1]);
    assert_eq!(plays.map(|play| minutes(Rules::Fide1997, play)), [0, 0, 0]);
    assert_eq!(plays.map(|play| minutes(Rules::Russia116, play)), [0, 0, 0]);
}

#[test]
fn in_1997_nothing_is_counted_and_the_clocks_are_a_judgement() {
    let mut s = situation(Rules::Fide1997, illegal_move());
    s.offences.white = 5;
    let p = proposed(&s);
    assert_eq!((p.action, p.offence, p.article, p.result), (Action::RestorePosition, None, None, None));
    assert_eq!(p.clock, Some(clock(595, 480, Run::White)));
    let labels: Vec<_> = p.alternatives.iter().map(|a| a.label.as_str()).collect();
    assert_eq!(labels, ["10 seconds given back to Black", "unchanged", "custom"]);
}

#[test]
fn in_russia_the_times_stay_and_the_third_violation_loses() {
    for (earlier, action) in [(0, Action::RestorePosition), (1, Action::RestorePosition), (2, Action::DeclareLoss)] {
        let mut s = situation(Rules::Russia116, illegal_move());
        s.offences.white = earlier;
        let judgement = judge(&s).unwrap();
        let p = judgement.proposal.unwrap();
        assert_eq!((p.action, p.offence, p.article.as_deref()), (action, Some(earlier + 1), Some("1.16.4")));
        assert_eq!(judgement.question, None, "time and third violation lose whatever the opponent can do");
        let wanted = (earlier < 2).then_some(clock(600, 480, Run::White));
        assert_eq!(p.clock, wanted);
        assert_eq!(p.result, (earlier == 2).then_some(GameResult::BlackWins));
    }
    let p = proposed(&situation(Rules::Russia116, press_without_move()));
    assert_eq!((p.action, p.clock), (Action::Warn, Some(clock(600, 480, Run::White))));
}

#[test]
fn an_illegal_move_stands_only_where_and_when_the_edition_says() {
    let later = |rules, play, supervision, later_moves| {
        let mut irregularity = illegal_move();
        if let Irregularity::IllegalMove(fact) = &mut irregularity {
            fact.before.later_moves = later_moves;
        }
        judge(&Situation { play, supervision, ..situation(rules, irregularity) }).is_none()
    };
    use Supervision::{Full, Partial};
    for rules in [Rules::Fide2018, Rules::Fide2023] {
        assert!(!later(rules, Play::Standard, Partial, 3));
        assert!(!later(rules, Play::Rapid, Full, 3));
        assert!(!later(rules, Play::Blitz, Partial, 0));
        assert!(later(rules, Play::Rapid, Partial, 1));
        assert!(later(rules, Play::Blitz, Partial, 1));
    }
    assert!(!later(Rules::Fide1997, Play::Blitz, Partial, 3));
    assert!(!later(Rules::Russia116, Play::Blitz, Full, 0));
    assert!(later(Rules::Russia116, Play::Blitz, Full, 1));
}

#[test]
fn a_press_without_a_move_takes_nothing_off_the_board() {
    let p = proposed(&situation(Rules::Fide2023, press_without_move()));
    assert_eq!((p.action, p.restore_fen, p.offence), (Action::SetClock, None, Some(1)));
    assert_eq!(p.clock, Some(clock(595, 600, Run::White)));
    assert_eq!(p.press_counter, Some(PressCounter { white: -1, black: 0 }));
}

#[test]
fn a_pawn_becomes_a_queen_and_its_press_stays() {
    let p = proposed(&situation(Rules::Fide2023, pawn()));
    assert_eq!((p.action, p.offence, p.press_counter), (Action::ReplaceWithQueen, Some(1), None));
    assert_eq!(p.clock, Some(clock(600, 600, Run::Black)));
    let p = proposed(&situation(Rules::Fide1997, pawn()));
    assert_eq!(p.action, Action::RestorePosition);
    assert_eq!(p.restore_fen.as_deref(), Some("8/4P3/8/8/8/8/k7/4K3 w - - 0 1"));
}

#[test]
fn after_a_second_pawn_the_question_is_asked_of_the_queen() {
    let mut s = situation(Rules::Fide2023, pawn());
    s.offences.white = 1;
    let question = judge(&s).unwrap().question.unwrap();
    assert_eq!((question.fen.as_str(), question.winner), ("4Q3/8/8/8/8/8/k7/4K3 b - - 0 1", Colour::Black));
    s.verdict = Verdict::Undecided(String::from("out of time"));
    let p = proposed(&s);
    assert_eq!((p.action, p.result, p.undecided.as_deref()), (Action::None, None, Some("out of time")));
}

#[test]
fn a_clock_that_is_not_there_is_not_set() {
    let p = proposed(&Situation { clock: None, ..situation(Rules::Fide2023, illegal_move()) });
    assert_eq!((p.action, p.clock, p.alternatives.len(), p.offence), (Action::RestorePosition, None, 0, Some(1)));
}

#[test]
fn a_running_clock_shows_what_the_opponent_has_now() {
    let p = proposed(&Situation { clock: Some(clock(605, 485, Run::Black)), ..situation(Rules::Fide2023, illegal_move()) });
    assert_eq!(p.clock, Some(clock(600, 605, Run::White)));
}

fn displaced(by: Option<Colour>, found_later: bool) -> Irregularity {
    let squares = [Square::E4, Square::E5, Square::F6].map(|square| Misplaced { square, is: None, should: Some('P') });
    Irregularity::DisplacedPieces(DisplacedPieces {
        by,
        squares: squares.to_vec(),
        fen: String::from(START),
        immediate: true,
        found_later,
        knocked_over: false,
        put_right: false,
    })
}

#[test]
fn displaced_pieces_name_their_squares_and_leave_a_running_clock_alone() {
    cited(&displaced(None, false), ["7.4.1", "7.4.1", "6.13", "1.16.3"]);
    cited(&displaced(None, true), ["7.6", "7.6", "6.13", "1.16.3"]);
    let judgement = found(Rules::Fide2023, displaced(None, false));
    assert_eq!(judgement.summary.en, "Pieces are displaced: 3 squares to put right (e4, e5, f6).");
    assert_eq!(judgement.summary.ru, "Фигуры смещены: исправить 3 поля (e4, e5, f6).");
    assert_eq!(judgement.facts["squares"][0], serde_json::json!({"square": "e4", "is": null, "should": "P"}));
    assert_eq!(judgement.proposal.unwrap().clock, None);

    let running =
        Situation { clock: Some(clock(600, 480, Run::Black)), ..situation(Rules::Fide2023, displaced(Some(Colour::White), false)) };
    assert_eq!(proposed(&running).clock, None);
    let p = proposed(&situation(Rules::Fide2023, displaced(Some(Colour::White), false)));
    assert_eq!(p.clock, Some(clock(600, 480, Run::White)));
}

#[test]
fn two_hands_are_only_a_hint_for_the_sensors() {
    let hint = Irregularity::TwoHandsHint { by: Colour::White, ply: 7, seen: TwoHands::TwoOwnPieces, within_ms: 80 };
    cited(&hint, ["7.5.4", "7.5.4", "-", "1.16.2"]);
    let judgement = found(Rules::Fide2023, hint);
    assert_eq!((judgement.grade, judgement.proposal), (flagfall_events::Grade::Note, None));
}

#[test]
fn two_moves_in_a_row_are_no_illegal_move() {
    let before = Some(Before { fen: String::from("after e4"), presses: PressCounter::default(), ..pressed_by_white() });
    let moves = [String::from("e2e4"), String::from("d2d4")];
    let row = Irregularity::TwoMovesInARow { by: Colour::White, ply: 2, moves, before };
    cited(&row, ["12.9", "12.9", "13.4", "1.16.3"]);
    let judgement = found(Rules::Fide2023, row.clone());
    assert_eq!(judgement.facts["penalties"][0]["article"], "12.9.1");
    let p = judgement.proposal.unwrap();
    assert_eq!((p.action, p.offence, p.restore_fen.as_deref()), (Action::RestorePosition, None, Some("after e4")));
    assert_eq!(p.clock.unwrap().run, Run::Black);
    assert_eq!(proposed(&situation(Rules::Russia116, row)).offence, Some(1));
}

#[test]
fn a_press_in_answer_is_taken_back_with_its_increment() {
    let mut irregularity = illegal_move();
    if let Irregularity::IllegalMove(fact) = &mut irregularity {
        fact.before.presses = PressCounter { white: 1, black: 1 };
    }
    let p = proposed(&situation(Rules::Fide2023, irregularity));
    assert_eq!(p.clock, Some(clock(595, 595, Run::White)));
    assert_eq!(p.press_counter, Some(PressCounter { white: -1, black: -1 }));
}

#[test]
fn moves_after_a_press_without_a_move_stand() {
    let mut irregularity = press_without_move();
    if let Irregularity::PressWithoutMove(fact) = &mut irregularity {
        // Black pressed back, White moved and pressed.
        fact.before.presses = PressCounter { white: 2, black: 1 };
        fact.before.served = PressCounter { white: 1, black: 0 };
        fact.before.later_moves = 1;
    }
    let p = proposed(&situation(Rules::Fide2023, irregularity));
    assert_eq!((p.action, p.restore_fen), (Action::SetClock, None));
    assert_eq!(p.press_counter, Some(PressCounter { white: -1, black: -1 }));
    assert_eq!(p.clock, Some(clock(595, 595, Run::Black)));
}

use super::*;
use crate::questions::Question;
use crate::settings::Settings;
use crate::{Game, Input, Output};
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use flagfall_events::Mono;
use flagfall_laws::mating::Proof;
use flagfall_laws::situation::Verdict as Known;

const ROOK: &str = "4k3/R7/8/8/8/8/8/4K3 w - - 0 1";

fn game() -> Game {
    Game::new(Settings::default())
}

fn asked(game: &mut Game) -> Vec<Question> {
    core::iter::from_fn(|| game.poll()).filter_map(|o| if let Output::Question(question) = o { Some(question) } else { None }).collect()
}

#[test]
fn what_needs_no_search_is_answered_at_once() {
    let mut game = game();
    for (fen, known) in [
        ("4k3/8/8/8/8/8/8/4K2N w - - 0 1", "the material can never mate"),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "play is over in this position"),
        ("k7/1R6/8/8/8/8/8/1K6 b - - 0 1", "the only legal moves lead to no mate (2 positions)"),
    ] {
        assert_eq!(game.reading().hearing().ask(fen, Colour::White, Purpose::FlagFall), Known::Unwinnable(known.into()), "{fen}");
    }
    assert_eq!(
        game.reading().hearing().ask("R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1", Colour::White, Purpose::FlagFall),
        Known::Winnable(Vec::new())
    );
    assert_eq!(asked(&mut game), []);
}

#[test]
fn what_stands_but_is_not_legal_chess_is_not_decided() {
    let mut game = game();
    // A king is missing, the side not to move is in check, a pawn stands on its last rank, nothing at all.
    for fen in ["4k3/8/8/8/8/8/8/R7 w - - 0 1", "4k3/8/8/8/8/8/8/4RK2 w - - 0 1", "P3k3/8/8/8/8/8/8/4K3 w - - 0 1", "nonsense"] {
        assert_eq!(
            game.reading().hearing().ask(fen, Colour::White, Purpose::SecondIllegal),
            Known::Undecided("illegal position".into()),
            "{fen}"
        );
    }
    assert_eq!(asked(&mut game), []);
}

#[test]
fn a_question_is_asked_once_and_its_answer_stays_known() {
    let mut game = game();
    assert_eq!(game.reading().hearing().ask(ROOK, Colour::White, Purpose::FlagFall), Known::Pending);
    assert_eq!(game.reading().hearing().ask(ROOK, Colour::White, Purpose::SecondIllegal), Known::Pending);
    let questions = asked(&mut game);
    let [question] = questions.as_slice() else { panic!("{questions:?}") };
    let mut answer = |answer| {
        game.handle(Mono::ZERO, Input::Verdict(Verdict { question: question.clone(), answer }));
        asked(&mut game);
        game.parts.referee.questions.verdict_on(ROOK, Colour::White)
    };
    assert_eq!(answer(Answer::Undecided { why: Why::NotYet }), Known::Undecided("not decided yet".into()));
    let line = vec![String::from("e1e2")];
    assert_eq!(answer(Answer::Winnable { line: line.clone() }), Known::Winnable(line.clone()));
    // It is answered: what comes after that answers nothing.
    assert_eq!(answer(Answer::Undecided { why: Why::OutOfTime }), Known::Winnable(line));
    assert_eq!(game.parts.referee.questions.verdict_on(ROOK, Colour::Black), Known::Pending, "the other side was not asked about");
}

#[test]
fn a_verdict_that_fits_no_question_changes_nothing() {
    let mut game = game();
    game.reading().hearing().ask(ROOK, Colour::White, Purpose::FlagFall);
    let question = asked(&mut game).remove(0);
    for other in [Question { id: 9, ..question.clone() }, Question { fen: String::from("8/8/8/8/8/8/8/8 w - - 0 1"), ..question }] {
        let answer = Answer::Unwinnable { proof: Proof::Closure, positions: 1 };
        game.handle(Mono::ZERO, Input::Verdict(Verdict { question: other, answer }));
        assert_eq!(game.poll(), None);
    }
    assert_eq!(game.parts.referee.questions.verdict_on(ROOK, Colour::White), Known::Pending);
}

#[test]
fn a_contradiction_raises_an_alarm_and_decides_nothing() {
    let mut game = game();
    game.reading().hearing().ask(ROOK, Colour::White, Purpose::FlagFall);
    let question = asked(&mut game).remove(0);
    game.handle(Mono::ZERO, Input::Verdict(Verdict { question, answer: Answer::Undecided { why: Why::Contradiction } }));
    let said: Vec<Output> = core::iter::from_fn(|| game.poll()).collect();
    assert!(
        matches!(&said[..], [Output::Event { game: None, body: Body::Alarm { key, state: AlarmState::Raised, .. }, .. }] if key.as_str() == "solver-contradiction"),
        "{said:?}"
    );
    assert_eq!(game.parts.referee.questions.verdict_on(ROOK, Colour::White), Known::Undecided("contradiction".into()));
}

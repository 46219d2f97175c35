use super::*;
use flagfall_laws::mating::position;

/// Two kings and four walls: closure proves it, the search says so at once.
const WALL: &str = "4k3/8/8/p1p1p1p1/P1P1P1P1/8/8/4K3 w - - 0 1";

fn limits() -> Limits {
    Limits { slots: 1 << 14, waiting: 1 << 12, order: 0 }
}

fn asked(fen: &str, winner: Winner, settings: &Settings) -> Answer {
    let mut closure = Quick::new(settings.limits);
    answer(&position(fen, false).unwrap(), winner, With { settings, program: None, stop: &|| false }, &mut closure, &mut |_| {})
}

fn patient() -> Settings {
    Settings { first: Duration::from_mins(2), total: Duration::from_mins(4), limits: limits(), more: None }
}

#[test]
fn mates_come_from_the_search_and_proofs_from_closure_whoever_was_first() {
    for _ in 0..5 {
        assert!(matches!(asked(WALL, Winner::White, &patient()), Answer::Unwinnable { proof: Proof::Closure, .. }));
        let Answer::Winnable { line } = asked("4k3/R7/8/8/8/8/8/4K3 w - - 0 1", Winner::White, &patient()) else { panic!("a rook mates") };
        assert!(line::replayed(&position("4k3/R7/8/8/8/8/8/4K3 w - - 0 1", false).unwrap(), &line, Winner::White).is_some());
    }
}

#[test]
fn where_closure_is_too_small_the_search_has_the_word() {
    let settings = Settings { limits: Limits { slots: 64, waiting: 64, order: 0 }, ..patient() };
    assert_eq!(asked(WALL, Winner::White, &settings), Answer::Unwinnable { proof: Proof::Chasolver, positions: 0 });
    let settings = Settings { more: Some(limits()), ..settings };
    assert!(matches!(asked(WALL, Winner::White, &settings), Answer::Unwinnable { proof: Proof::Closure, .. }), "there is more memory");
}

#[test]
fn without_time_nothing_is_decided() {
    let settings = Settings { first: Duration::ZERO, total: Duration::ZERO, limits: limits(), more: None };
    assert_eq!(asked(WALL, Winner::White, &settings), Answer::Undecided { why: Why::OutOfTime });
    let mut closure = Quick::new(limits());
    let with = With { settings: &patient(), program: None, stop: &|| true };
    let stopped = answer(&position(WALL, false).unwrap(), Winner::White, with, &mut closure, &mut |_| {});
    assert_eq!(stopped, Answer::Undecided { why: Why::Stopped });
}

#[test]
fn different_answers_are_no_answer() {
    let root = position(WALL, false).unwrap();
    let mate = (Answer::Winnable { line: Vec::new() }, Progress::Mate(Vec::new()));
    let none = (Answer::Unwinnable { proof: Proof::Closure, positions: 1 }, Progress::Closed { positions: 1 });
    let contradiction = Some(Answer::Undecided { why: Why::Contradiction });
    for (search, closure) in [(&mate.0, &none.1), (&none.0, &mate.1)] {
        let known = Known { search: Some(search.clone()), closure: Some(closure.clone()) };
        for (over, late) in [(false, false), (true, false), (true, true)] {
            assert_eq!(known.answer(&root, over, late), contradiction);
        }
    }
}

#[test]
fn a_word_is_not_taken_for_a_proof_while_a_proof_may_come() {
    let root = position(WALL, false).unwrap();
    let word = Answer::Unwinnable { proof: Proof::Chasolver, positions: 0 };
    let full = Progress::Full { positions: 1 };
    let known = |closure: Option<&Progress>| Known { search: Some(word.clone()), closure: closure.cloned() };
    assert_eq!(known(None).answer(&root, true, false), None);
    assert_eq!(known(None).answer(&root, true, true), Some(word.clone()));
    assert_eq!(known(Some(&full)).answer(&root, true, false), Some(word.clone()));
    let known = Known { search: None, closure: Some(full) };
    assert_eq!(known.answer(&root, false, true), None, "the search goes on");
    assert_eq!(known.answer(&root, true, false), Some(Answer::Undecided { why: Why::TooManyPositions }));
}

#[test]
fn a_line_that_does_not_replay_is_a_contradiction() {
    let root = position(WALL, false).unwrap();
    assert!(heard(&root, Winner::White, Said::Mate(vec![String::from("e1e2")])).is_err());
}

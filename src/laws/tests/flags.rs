//! 6.4, 6.8, 6.9, III.3.1 and their like in other editions.
use super::*;
use crate::Verdict;
use crate::irregularity::{BothFlags, FlagFall, FlagSeen};
use flagfall_events::{Action, GameResult};

fn white(completed: u32, required: Option<u32>, both_down: bool) -> Irregularity {
    let fen = String::from(START);
    Irregularity::FlagFall(FlagFall { by: Colour::White, seen: FlagSeen::FlagBit, completed, required, fen, both_down })
}

#[test]
fn moves_completed_in_time_make_the_flag_mean_nothing() {
    cited(&white(39, Some(40), false), ["6.9", "6.9", "6.9", "1.16.8"]);
    cited(&white(40, Some(40), false), ["-"; 4]);
    cited(&white(40, None, false), ["6.9", "6.9", "6.9", "1.16.8"]);
}

#[test]
fn a_fallen_flag_loses_unless_the_opponent_cannot_mate() {
    for rules in [Rules::Fide2023, Rules::Fide2018, Rules::Fide1997] {
        let mut s = situation(rules, white(20, None, false));
        let question = judge(&s).unwrap().question.unwrap();
        assert_eq!((question.fen.as_str(), question.winner), (START, Colour::Black));
        assert_eq!(proposed(&s).action, Action::None);
        s.verdict = Verdict::Winnable(vec![String::from("f2f3")]);
        assert_eq!((proposed(&s).action, proposed(&s).result), (Action::DeclareLoss, Some(GameResult::BlackWins)));
        s.verdict = Verdict::Unwinnable(String::from("material"));
        assert_eq!((proposed(&s).action, proposed(&s).result), (Action::DeclareDraw, Some(GameResult::Draw)));
        assert_eq!(judge(&s).unwrap().facts["proof"], "material");
        s.verdict = Verdict::Undecided(String::from("out of time"));
        assert_eq!((proposed(&s).result, proposed(&s).undecided.as_deref()), (None, Some("out of time")));
    }
}

#[test]
fn in_russia_nobody_asks_whether_the_opponent_can_mate() {
    let judgement = found(Rules::Russia116, white(20, None, false));
    assert_eq!(judgement.question, None);
    assert_eq!(judgement.proposal.unwrap().result, Some(GameResult::BlackWins));
}

#[test]
fn the_second_flag_matters_in_russia_only() {
    cited(&white(20, None, true), ["6.9", "6.9", "6.9", "-"]);
    let known = Irregularity::BothFlags(BothFlags { first: Some(Colour::White), last_period: true });
    cited(&known, ["-", "-", "-", "1.16.7"]);
    let unknown = |last_period| Irregularity::BothFlags(BothFlags { first: None, last_period });
    cited(&unknown(true), ["III.3.1", "III.3.1", "6.11", "1.16.7"]);
    let action = |rules, last_period| proposed(&situation(rules, unknown(last_period))).action;
    assert_eq!(action(Rules::Fide2023, true), Action::DeclareDraw);
    assert_eq!(action(Rules::Fide2023, false), Action::Continue);
    assert_eq!(action(Rules::Fide1997, true), Action::Continue);
    assert_eq!(action(Rules::Russia116, false), Action::DeclareDraw);
}

//! Rulings by clause: for every finding also what must not raise it. `worked.rs` is the example with its exact numbers.
#![allow(clippy::unwrap_used, reason = "a test ends at the first surprise")]
mod clock;
mod flags;
mod illegal;
mod json;
mod properties;
mod reports;
mod start;
mod worked;

use super::irregularity::Before;
use super::{Irregularity, Judgement, Situation, judge};
use crate::table::EDITIONS;
use flagfall_events::{ClockPair, Colour, Play, PressCounter, Proposal, Rules, Run, SetClock, Supervision};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// A situation with both clocks stopped at 10:00 and 8:00.
fn situation(rules: Rules, irregularity: Irregularity) -> Situation {
    Situation {
        rules,
        play: Play::Standard,
        supervision: Supervision::Full,
        time_control: "600+5".parse().ok(),
        clock: Some(clock(600, 480, Run::Stopped)),
        completed: [0, 0],
        turn: Run::White,
        offences: super::Offences::default(),
        same_move_counted: false,
        verdict: super::Verdict::Pending,
        irregularity,
    }
}

const fn clock(white_s: i64, black_s: i64, run: Run) -> SetClock {
    SetClock { white_ms: white_s * 1000, black_ms: black_s * 1000, run }
}

/// White pressed at 10:05, five seconds of it the increment; Black had 8:10.
fn pressed_by_white() -> Before {
    Before {
        fen: String::from(START),
        immediate: true,
        at_press: Some(ClockPair { white_ms: 605_000, black_ms: 490_000 }),
        earned_ms: 5_000,
        later_moves: 0,
        presses: PressCounter::of(Colour::White, 1),
        ..Before::default()
    }
}

fn found(rules: Rules, irregularity: Irregularity) -> Judgement {
    judge(&situation(rules, irregularity)).unwrap_or_else(|| panic!("nothing under {}", rules.as_str()))
}

fn proposed(s: &Situation) -> Proposal {
    judge(s).unwrap().proposal.unwrap()
}

/// Which article each edition cites, in the order 2023, 2018, 1997, Russia; `-` where it finds nothing.
#[track_caller]
fn cited(irregularity: &Irregularity, articles: [&str; 4]) {
    for (rules, wanted) in EDITIONS.into_iter().zip(articles) {
        let article = judge(&situation(rules, irregularity.clone())).map_or_else(|| String::from("-"), |j| j.article);
        assert_eq!(article, wanted, "{} {irregularity:?}", rules.as_str());
    }
}

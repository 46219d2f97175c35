//! What holds for every proposal, whatever the times are.
use super::*;
use crate::Offences;
use crate::Verdict;
use crate::irregularity::{Defect, Phase, PressWithoutMove, Reported, UnpromotedPawn, WrongSetting};
use flagfall_events::Key;
use proptest::prelude::*;
use shakmaty::Square;

fn before() -> impl Strategy<Value = Before> {
    let pair = proptest::option::of((-5_000..20_000_000_i64, -5_000..20_000_000_i64));
    (pair, 0..40_000_i64, 0..5_u32, 0..5_i32, 0..5_i32).prop_map(|(pair, earned_ms, later_moves, white, black)| Before {
        fen: String::from(START),
        immediate: true,
        at_press: pair.map(|(white_ms, black_ms)| ClockPair { white_ms, black_ms }),
        earned_ms,
        later_moves,
        presses: PressCounter { white, black },
        ..Before::default()
    })
}

fn irregularity() -> impl Strategy<Value = Irregularity> {
    let by = prop_oneof![Just(Colour::White), Just(Colour::Black)];
    let key = proptest::sample::select(Key::ALL);
    let pair = (-5_000..20_000_000_i64, -5_000..20_000_000_i64).prop_map(|(white_ms, black_ms)| ClockPair { white_ms, black_ms });
    (0..9_u8, by, before(), key, pair, -90_000..9_000_000_i64).prop_map(|(which, by, before, key, pair, ms)| {
        let run = Run::White;
        match which {
            0 => Irregularity::PressWithoutMove(PressWithoutMove { by, ply: 3, before }),
            1 => Irregularity::UnpromotedPawn(UnpromotedPawn {
                by,
                ply: 3,
                uci: String::from("e7e8"),
                square: Square::E8,
                stands: None,
                queen_fen: String::from(START),
                before,
            }),
            2 => Irregularity::ClockDefect { defect: Defect::Jump { by, by_ms: ms }, times: Some(pair), run, doubt_ppm: 0 },
            3 => Irregularity::ClockSetting {
                setting: WrongSetting::Base { by: Some(by), off_ms: ms },
                times: Some(pair),
                run,
                press_counter: PressCounter::of(by, 1),
                doubt_ppm: 0,
            },
            4 => Irregularity::WrongSideStarted { ran_ms: ms },
            5 => Irregularity::LateStart { late_ms: ms, started: Some(pair), ruled: ms % 2 == 0 },
            6 => Irregularity::NeitherPresent { lost_ms: ms, arrived: true, ruled: ms % 3 == 0 },
            7 => Irregularity::DefaultTime { by, default_ms: 1_800_000, absent_ms: ms.unsigned_abs(), entered: ms % 2 == 0 },
            _ => Irregularity::Reported(Reported {
                key,
                by: Some(by),
                last: Some((3, String::from("e2e4"))),
                before: Some(before),
                fen: String::from(START),
                start_fen: String::from(START),
                phase: Phase::During,
                completed: [4, 3],
                last_period: false,
            }),
        }
    })
}

proptest! {
    #[test]
    fn proposals_are_whole_seconds_with_a_choice(
        irregularity in irregularity(),
        rules in proptest::sample::select(&EDITIONS[..]),
        play in proptest::sample::select(&[Play::Standard, Play::Rapid, Play::Blitz][..]),
        now in proptest::option::of((-5_000..20_000_000_i64, -5_000..20_000_000_i64)),
        offences in 0..4_u32,
        same_move_counted: bool,
    ) {
        let mut s = situation(rules, irregularity);
        s.play = play;
        s.clock = now.map(|(white_ms, black_ms)| SetClock { white_ms, black_ms, run: Run::Stopped });
        s.offences = Offences { white: offences, black: offences };
        s.same_move_counted = same_move_counted;
        s.verdict = Verdict::Winnable(Vec::new());
        let Some(judgement) = judge(&s) else { return Ok(()) };
        let Some(p) = judgement.proposal else { return Ok(()) };
        let set = p.clock.iter().chain(p.alternatives.iter().map(|a| &a.clock));
        for clock in set {
            for ms in [clock.white_ms, clock.black_ms] {
                prop_assert!(ms >= 0 && ms % 1000 == 0, "{clock:?}");
            }
        }
        let listed = |label: &str| p.alternatives.iter().any(|a| a.label == label);
        if p.clock.is_some() && s.clock.is_some() {
            prop_assert!(listed("unchanged") && listed("custom"), "{p:?}");
        }
        prop_assert!(p.alternatives.iter().all(|a| !a.label.is_empty() && !a.label_ru.is_empty()));
        prop_assert!(p.result.is_none() || p.clock.is_none(), "a game that ends needs no times");
        prop_assert!(p.press_counter.is_none_or(|c| c.white <= 1 && c.black <= 1));
        prop_assert!(judgement.summary.en.ends_with('.') && judgement.summary.ru.ends_with('.'));
    }
}

//! What holds for every game that legal hands can play. The same games each time; others with `PROPTEST_RNG_SEED=2`, more with
//! `PROPTEST_CASES=5000`.
use super::legal_hands::{Manner, Plain, Plan, plan, plan_with_pauses, play, play_without_clock};
use super::report::Report;
use super::rig::Style;
use flagfall_capture::{Capture, drive};
use flagfall_events::Body;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use std::collections::BTreeSet;
use std::convert::Infallible;

/// A little longer than a scan: what happens in this order is sensed in this order.
const SCAN: u64 = 310;

/// The reply's first touch comes before the press where the bit is set.
struct Hasty(u64);

impl Manner for Hasty {
    fn reply_first(&mut self, ply: usize) -> bool {
        self.0 >> (ply % 64) & 1 == 1
    }
}

fn exactly(plan: &Plan, manner: &mut impl Manner) -> Result<Report, TestCaseError> {
    let played = play(plan, manner);
    let report = played.hand.report();
    prop_assert_eq!(report.completed(), played.moves, "\n{}", report.capture);
    Ok(report)
}

fn config() -> ProptestConfig {
    let usual = ProptestConfig::default();
    let rng_seed = if usual.rng_seed == RngSeed::Random { RngSeed::Fixed(1) } else { usual.rng_seed };
    // As many as a few seconds allow, unless somebody asks for more.
    let cases = if std::env::var_os("PROPTEST_CASES").is_some() { usual.cases } else { 96 };
    ProptestConfig { rng_seed, cases, max_shrink_iters: 400, failure_persistence: None, ..usual }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn legal_hands_and_a_press_after_each_move_give_exactly_the_legal_game(plan in plan(40, SCAN)) {
        exactly(&plan, &mut Plain)?;
    }

    #[test]
    fn a_reply_begun_before_the_press_changes_nothing(plan in plan(30, SCAN), hasty in any::<u64>()) {
        exactly(&plan, &mut Hasty(hasty))?;
    }

    #[test]
    fn hands_faster_than_a_scan_are_read_as_well(plan in plan(30, 60)) {
        exactly(&plan, &mut Plain)?;
    }

    #[test]
    fn what_is_completed_is_legal_and_never_revised(plan in plan(30, 15), hasty in any::<u64>()) {
        let report = play(&plan, &mut Hasty(hasty)).hand.report();
        let mut completed = BTreeSet::new();
        for event in &report.events {
            match &event.body {
                Body::MoveCompleted { ply, legal, .. } => {
                    prop_assert!(*legal, "ply {ply}\n{}", report.capture);
                    prop_assert!(completed.insert(*ply), "ply {ply} twice\n{}", report.capture);
                }
                Body::MoveMade { ply, .. } | Body::MoveRevised { ply, .. } | Body::MoveWithdrawn { ply, .. } => {
                    prop_assert!(!completed.contains(ply), "ply {ply} after it was completed\n{}", report.capture);
                }
                _ => {}
            }
        }
    }

    #[test]
    fn without_a_clock_a_game_with_a_pause_after_each_move_is_the_legal_game(plan in plan_with_pauses(24, SCAN, 600)) {
        let played = play_without_clock(&plan);
        let report = played.hand.report();
        prop_assert_eq!(report.completed(), played.moves, "\n{}", report.capture);
    }

    #[test]
    fn early_and_repeated_time_outs_change_nothing(plan in plan(16, SCAN), step in 7..900_u64) {
        let hand = play(&plan, &mut Plain).hand;
        let (plain, nudged) = (hand.report(), hand.report_with(Style { nudge: Some(step), cut: None }));
        prop_assert_eq!(plain.events, nudged.events);
    }

    #[test]
    fn bytes_may_come_in_any_portions(plan in plan(16, SCAN), seed in any::<u64>()) {
        let hand = play(&plan, &mut Plain).hand;
        let (plain, cut) = (hand.report(), hand.report_with(Style { cut: Some(seed), nudge: None }));
        prop_assert_eq!(plain.events, cut.events);
    }

    #[test]
    fn the_same_stream_gives_the_same_events_live_again_and_from_its_capture(plan in plan(16, SCAN)) {
        let hand = play(&plan, &mut Plain).hand;
        let live = hand.report();
        prop_assert_eq!(&live.events, &hand.report().events);
        let mut replayed = Vec::new();
        let ended = drive("1", Capture::open(live.capture.as_bytes()).unwrap(), flagfall_solver::answers(), |event| {
            replayed.push(event);
            Ok::<_, Infallible>(())
        });
        prop_assert_eq!(ended, Ok(None));
        // A capture ends with its last line; live, the deadlines after it were waited for.
        prop_assert_eq!(&live.events[..replayed.len()], &replayed[..]);
        prop_assert!(live.events[replayed.len()..].iter().all(|event| event.t > replayed.last().unwrap().t));
    }
}

//! What readings of a game cost, by part, and which of them the lead of a ply is measured by; in games of quick hands.
use super::legal_hands::{Manner, Plan, plan, play};
use flagfall_capture::{Capture, drive_seen};
use flagfall_game::believed::hands::Snapshot;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use std::convert::Infallible;

/// The reply's first touch comes before the press where the bit is set.
struct Hasty(u64);

impl Manner for Hasty {
    fn reply_first(&mut self, ply: usize) -> bool {
        self.0 >> (ply % 64) & 1 == 1
    }
}

/// Parts add up to costs, the cheapest is first, leads are the distances to rivals.
fn holds(snapshot: &Snapshot) -> Result<(), String> {
    let all = &snapshot.hypotheses;
    let best = all.first().ok_or("nothing is believed")?;
    for one in all {
        let sum: i64 = one.parts.iter().sum();
        if sum != one.cost || one.cost < best.cost {
            return Err(format!("{one:?} beside {best:?}"));
        }
    }
    for lead in &snapshot.leads {
        if best.moves.get(lead.ply as usize - 1) != Some(&lead.mv) {
            return Err(format!("{lead:?} of {best:?}"));
        }
        let rival = snapshot.rival(lead.ply).map(|rival| all[rival].cost - best.cost);
        if rival.unwrap_or_else(|| i64::from(snapshot.most)).min(i64::from(snapshot.most)) != i64::from(lead.lead) {
            return Err(format!("{lead:?}, but the rival costs {rival:?} more"));
        }
    }
    Ok(())
}

/// How many snapshots held, and in how many there was a rival.
fn all_hold(capture: &str) -> Result<(usize, usize), String> {
    let (mut looked, mut rivals) = (0, 0);
    let mut wrong = None;
    let read = Capture::open(capture.as_bytes()).unwrap();
    let ended = drive_seen("1", read, flagfall_solver::answers(), |board, event| {
        let Ok(believed) = board.believed() else { return Ok::<_, Infallible>(()) };
        looked += 1;
        rivals += usize::from(believed.snapshot.leads.first().is_some_and(|lead| believed.snapshot.rival(lead.ply).is_some()));
        if let Err(why) = holds(&believed.snapshot) {
            wrong.get_or_insert_with(|| format!("event {}: {why}\n{capture}", event.seq));
        }
        Ok(())
    });
    assert_eq!(ended, Ok(None));
    wrong.map_or(Ok((looked, rivals)), Err)
}

fn config() -> ProptestConfig {
    let usual = ProptestConfig::default();
    let rng_seed = if usual.rng_seed == RngSeed::Random { RngSeed::Fixed(1) } else { usual.rng_seed };
    let cases = if std::env::var_os("PROPTEST_CASES").is_some() { usual.cases } else { 16 };
    ProptestConfig { rng_seed, cases, max_shrink_iters: 100, failure_persistence: None, ..usual }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn parts_add_up_to_costs_and_a_lead_is_the_distance_to_the_rival(plan in plan(24, 60), hasty in any::<u64>()) {
        let plan: Plan = plan;
        let capture = play(&plan, &mut Hasty(hasty)).hand.report().capture;
        all_hold(&capture).map_err(TestCaseError::fail)?;
    }
}

#[test]
fn so_it_is_in_kept_captures_with_lost_messages_and_both_hands_on_the_board() {
    for name in ["blitz-both-hands", "damaged-line", "rook-first-castling"] {
        let path = format!("{}/tests/captures/{name}.cap", env!("CARGO_MANIFEST_DIR"));
        let (looked, rivals) = all_hold(&std::fs::read_to_string(path).unwrap()).unwrap();
        assert!(looked > 100 && rivals > 20, "{name}: {looked} {rivals}");
    }
}

/// The prices are part of the recognition's number: whoever counts them anew raises `RECOGNITION` and writes both here.
#[test]
fn another_table_of_prices_is_another_recognition() {
    assert_eq!((flagfall_game::RECOGNITION, flagfall_game::believed::hands::habits::TABLE), (23, 0x928c_2439_dc3f_44a6));
}

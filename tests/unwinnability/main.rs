//! Can this side still mate? Positions with known answers, and properties that need none.
//!
//! The normal run asks a seeded part of them; `cargo bench --bench unwinnability` asks all.
#![allow(clippy::unwrap_used, reason = "a test ends at the first surprise")]

mod games;
mod properties;
mod rows;

use flagfall_laws::mating::{Answer, Exact, Limits, Quick, close, facts, line};
use flagfall_solver::helpmate::{Asked, Effort, Said};
use rand::SeedableRng as _;
use rand::seq::IndexedRandom as _;
use rand_chacha::ChaCha8Rng;
use rows::Row;

/// Closures larger than this are left to the bench: a test build is slow.
const SMALL: u64 = 3_000;

/// Some rows of every file, the same at every run.
fn sample(of_each: usize) -> Vec<Row> {
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    let mut sample = Vec::new();
    if rows::folder().is_some() {
        for name in rows::FILES {
            sample.extend(rows::rows(name).choose_multiple(&mut rng, of_each).cloned());
        }
    }
    sample
}

fn memory() -> Limits {
    Limits { slots: 1 << 13, waiting: 1 << 12, order: 0 }
}

#[test]
fn closure_proves_what_is_proved_with_the_same_count() {
    let (mut quick, mut exact, mut closed) = (Quick::new(memory()), Exact::new(memory()), 0);
    for row in sample(60) {
        let Some(count) = row.closed_in().filter(|n| *n <= SMALL) else { continue };
        let root = row.position();
        let answer = close(&mut quick, &root, row.winner);
        assert!(matches!(answer, Answer::Unwinnable { positions, .. } if positions == count), "{row:?}: {answer:?}");
        assert_eq!(close(&mut exact, &root, row.winner), answer, "{row:?}");
        closed += 1;
    }
    assert!(closed > 100 || rows::folder().is_none(), "only {closed} rows were small enough");
}

#[test]
fn closure_never_proves_what_is_not_so() {
    let mut quick = Quick::new(Limits { slots: 1 << 11, waiting: 1 << 11, order: 0 });
    for row in sample(40).iter().filter(|row| row.winnable) {
        let root = row.position();
        let answer = close(&mut quick, &root, row.winner);
        assert!(!answer.is_unwinnable(), "{row:?}: {answer:?}");
        if let Answer::Winnable { line } = &answer {
            assert!(line::replayed(&root, line, row.winner).is_some(), "{row:?}: {line:?}");
        }
    }
}

#[test]
fn facts_without_search_are_right() {
    let mut settled = 0;
    for row in sample(300) {
        let root = row.position();
        let Some(answer) = facts::settled(&root, row.winner) else { continue };
        settled += 1;
        assert_eq!(answer.is_winnable(), row.winnable, "{row:?}: {answer:?}");
        assert_eq!(answer.is_unwinnable(), !row.winnable, "{row:?}: {answer:?}");
    }
    assert!(settled > 300 || rows::folder().is_none(), "only {settled} rows are settled without search");
}

#[test]
fn helpmates_that_are_found_replay_and_none_is_found_where_there_is_none() {
    for row in sample(40).into_iter().filter(|row| row.cert.starts_with("mate:") || row.closed_in().is_some_and(|n| n <= SMALL)) {
        let root = row.position();
        match Asked::new(&root, row.winner, Effort::Search).answer() {
            Said::Mate(found) => assert!(row.winnable && line::replayed(&root, &found, row.winner).is_some(), "{row:?}: {found:?}"),
            Said::None => assert!(!row.winnable, "{row:?}"),
            Said::Unknown => {}
        }
    }
}

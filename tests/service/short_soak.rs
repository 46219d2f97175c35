//! A few seconds of the soak of `cargo bench --bench soak`: whole games one after the other, each exactly as it was played.
#[path = "../soak/mod.rs"]
mod soak;

use flagfall_simulator::games::read_games;

/// Short ones, so that several fit.
const GAMES: &[u8] = b"[Event \"Short\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0\n\n\
                       [Event \"Shorter\"]\n[Result \"0-1\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n";

#[test]
fn whole_games_one_after_the_other_are_exact_and_nothing_is_left_open() {
    let games = read_games(GAMES).unwrap();
    let plan = soak::Plan { boards: 3, games, rounds: 1, seconds: 0, speed: 1_000.0, seed: 7, every: 1 };
    let outcome = soak::run(&plan, |_| {});
    assert!(outcome.games >= 3 && outcome.read > 0 && outcome.events > 0, "{outcome:?}");
    // No descriptor is added by games; a sample may meet a request, or a file that is being written.
    let descriptors: Vec<u64> = outcome.samples.iter().map(|sample| sample.descriptors).collect();
    let (early, late) = (descriptors[descriptors.len() / 2], descriptors[descriptors.len() - 1]);
    assert!(late <= early + 4, "{descriptors:?}");
}

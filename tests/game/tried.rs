//! Games that end with a clock that is stopped, and no more: what is tried out then, and pieces that are put away and set up again, were not played.
#![allow(clippy::unwrap_used, reason = "a test may")]
use crate::rig::Rig;
use flagfall_events::{Body, Event};
use flagfall_simulator::games;
use flagfall_simulator::habits::{Ended, Habits};
use flagfall_simulator::pace::Kind;
use flagfall_simulator::stream::Options;
use std::collections::BTreeMap;

/// What stands at last in the record of each game.
fn records(events: &[Event]) -> BTreeMap<u32, BTreeMap<u32, String>> {
    let mut records: BTreeMap<u32, BTreeMap<u32, String>> = BTreeMap::new();
    for event in events {
        let Some(game) = event.game else { continue };
        let record = records.entry(game).or_default();
        match &event.body {
            Body::MoveMade { ply, uci, .. } | Body::MoveCompleted { ply, uci, .. } | Body::MoveRevised { ply, uci, .. } => {
                record.insert(*ply, uci.clone());
            }
            Body::MoveWithdrawn { ply, .. } => _ = record.remove(ply),
            _ => {}
        }
    }
    records
}

#[test]
fn what_is_done_on_a_stopped_clock_was_not_played() {
    let mut stopped = 0;
    for seed in [21, 23, 25, 27] {
        let games: Vec<_> = games::bundled().into_iter().cycle().take(12).collect();
        let options = Options { speed: 8.0, show_result: true, habits: Habits::people(Kind::Human), ..Options::new(Kind::Human, seed) };
        let mut rig = Rig::of_row(&games, &options);
        let records = records(rig.run());
        for (game, truth) in (1..).zip(rig.device.games()) {
            if truth.ended == Ended::Stopped {
                stopped += 1;
                let read: Vec<_> = records.get(&game).into_iter().flat_map(BTreeMap::values).cloned().collect();
                assert_eq!(read, truth.uci(), "seed {seed}, game {game}");
            }
        }
    }
    assert!(stopped >= 8, "{stopped}");
}

/// Pieces are put away and the clock is set for the next game: rooks that go home and a lever that goes over with them are no plies.
#[test]
fn what_is_put_away_while_the_clock_is_set_was_not_played() {
    let mut left = 0;
    for (kind, seed) in [(Kind::Human, 31), (Kind::Human, 35), (Kind::Blitz, 31), (Kind::Blitz, 51)] {
        let games: Vec<_> = games::bundled().into_iter().cycle().take(6).collect();
        let options = Options { speed: 8.0, show_result: true, habits: Habits::people(kind), ..Options::new(kind, seed) };
        let mut rig = Rig::of_row(&games, &options);
        let records = records(rig.run());
        for (game, truth) in (1..).zip(rig.device.games()) {
            if truth.ended == Ended::Left {
                left += 1;
                let read: Vec<_> = records.get(&game).into_iter().flat_map(BTreeMap::values).cloned().collect();
                assert_eq!(read, truth.uci(), "{kind:?}, seed {seed}, game {game}");
            }
        }
    }
    assert!(left >= 4, "{left}");
}

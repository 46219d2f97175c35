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

/// Games in a row, with people's habits between them: those that ended so are read as they were played. How many there were.
#[track_caller]
fn read_as_played(kind: Kind, seed: u64, games: usize, ended: Ended) -> usize {
    let row: Vec<_> = games::bundled().into_iter().cycle().take(games).collect();
    let options = Options { speed: 8.0, show_result: true, habits: Habits::people(kind), ..Options::new(kind, seed) };
    let mut rig = Rig::of_row(&row, &options);
    let records = records(rig.run());
    let ended_so: Vec<_> = (1..).zip(rig.device.games()).filter(|(_, truth)| truth.ended == ended).collect();
    for (game, truth) in &ended_so {
        let read: Vec<_> = records.get(game).into_iter().flat_map(BTreeMap::values).cloned().collect();
        assert_eq!(read, truth.uci(), "{kind:?}, seed {seed}, game {game}");
    }
    ended_so.len()
}

#[test]
fn what_is_done_on_a_stopped_clock_was_not_played() {
    let stopped: usize = [21, 23, 25, 27].into_iter().map(|seed| read_as_played(Kind::Human, seed, 12, Ended::Stopped)).sum();
    assert!(stopped >= 8, "{stopped}");
}

/// Pieces are put away and the clock is set for the next game: rooks that go home and a lever that goes over with them are no plies.
#[test]
fn what_is_put_away_while_the_clock_is_set_was_not_played() {
    let rows = [(Kind::Human, 31), (Kind::Human, 35), (Kind::Blitz, 31), (Kind::Blitz, 51)];
    let left: usize = rows.into_iter().map(|(kind, seed)| read_as_played(kind, seed, 6, Ended::Left)).sum();
    assert!(left >= 4, "{left}");
}

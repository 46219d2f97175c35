//! Touched pieces, and who can tell them from the placements that the daemon gives out.
use super::daemon::Daemon;
use serde_json::Value;
use std::collections::BTreeSet;
use std::thread;
use std::time::Duration;

/// Everybody's piece but the two pawns that were moved, by wire square (a8 is 0): the code of each in the start position.
const TOUCHED: [(u8, u8); 24] = [
    (0, 8),
    (1, 9),
    (2, 10),
    (3, 12),
    (4, 11),
    (5, 10),
    (6, 9),
    (7, 8),
    (8, 7),
    (9, 7),
    (10, 7),
    (11, 7),
    (51, 1),
    (53, 1),
    (54, 1),
    (55, 1),
    (56, 2),
    (57, 3),
    (58, 4),
    (59, 6),
    (60, 5),
    (61, 4),
    (62, 3),
    (63, 2),
];

/// The wire squares that are empty in a placement.
fn empty(placement: &str) -> BTreeSet<u8> {
    let mut square = 0;
    let mut empty = BTreeSet::new();
    for c in placement.chars().filter(|c| *c != '/') {
        let count = c.to_digit(10).unwrap_or(0) as u8;
        empty.extend(square..square + count);
        square += count.max(1);
    }
    empty
}

/// The touched squares that are seen empty in a stream.
fn told(heard: &str) -> BTreeSet<u8> {
    let events = heard.lines().filter_map(|line| serde_json::from_str::<Value>(line.strip_prefix("data: ")?).ok());
    let seen: BTreeSet<u8> = events.filter_map(|event| Some(empty(event["placement"].as_str()?))).flatten().collect();
    TOUCHED.iter().map(|(square, _)| *square).filter(|square| seen.contains(square)).collect()
}

/// Of 24 pieces that are lifted and put back: how many the public stream and the board's page tell, and how many the arbiters' stream.
fn told_of(touches: &str) -> (usize, usize, usize) {
    let daemon = Daemon::start_where(&format!("touches = \"{touches}\""), true, "");
    let public = daemon.listen();
    let arbiters = daemon.listen_at("/api/v1/arbiter/events", &format!("Authorization: Bearer {}\r\n", daemon.arbiter_token));
    public.expect("event: snapshot");
    arbiters.expect("event: snapshot");
    // The clock runs for White, 1. e4, he presses, 1... e5, she presses.
    let clock = |status: u8| daemon.board.say(&[0x8d, 0, 10, 1, 0, 0, 1, 0, 0, status]);
    let change = |square: u8, piece: u8| {
        daemon.board.say(&[0x8e, 0, 5, square, piece]);
        thread::sleep(Duration::from_millis(120));
    };
    clock(0x13);
    thread::sleep(Duration::from_millis(300));
    for (from, to, pawn, then) in [(52, 36, 1, 0x09), (12, 28, 7, 0x13)] {
        change(from, 0);
        change(to, pawn);
        clock(then);
        thread::sleep(Duration::from_millis(300));
    }
    public.expect("e7e5");
    let mut shown = BTreeSet::new();
    for (square, piece) in TOUCHED {
        change(square, 0);
        // What may be shown is waited for: a machine that computes something else is late.
        for _ in 0..if touches == "public" { 200 } else { 1 } {
            let placement = daemon.get("/api/v1/boards/1", &[]).json()["placement"].clone();
            shown.extend(empty(placement.as_str().unwrap_or_default()).take(&square));
            if shown.contains(&square) {
                break;
            }
            thread::sleep(Duration::from_millis(50));
        }
        change(square, piece);
    }
    arbiters.expect("touched-piece");
    thread::sleep(Duration::from_millis(500));
    daemon.assert_sound();
    let counts = (told(&public.end()).len(), shown.len(), told(&arbiters.end()).len());
    println!(
        "touches = {touches:?}: of 24 touched pieces the public stream tells {}, the board's page {}, the arbiters' stream {}",
        counts.0, counts.1, counts.2
    );
    counts
}

#[test]
fn with_the_arbiters_touches_no_touched_piece_can_be_told_in_public() {
    assert_eq!(told_of("public"), (24, 24, 24), "as the manual says of the default");
    assert_eq!(told_of("arbiter"), (0, 0, 24));
}

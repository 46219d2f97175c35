//! Games in a row on one board, by players with habits: what is recorded of them, in simulated time.
//!
//! `cargo test --test cli in_a_row -- --nocapture` prints the figures; `FLAGFALL_ROWS=40` plays so many rows of each kind of hands instead
//! of one, `FLAGFALL_ROW=7` that one alone, whose events are printed with `FLAGFALL_ROW_EVENTS=1`. The demo's boards are rows of their own: the
//! same hands as in `flagfall demo --speed 4`, `FLAGFALL_ROWS=60` for sixty boards.

use crate::rig::Rig;
use crate::tally::{Played, Tally};
use flagfall_events::{Body, Colour, Grade, Key, Wall};
use flagfall_game::board::Board;
use flagfall_game::settings::Settings;
use flagfall_simulator::games::{self, PgnGame};
use flagfall_simulator::habits::Habits;
use flagfall_simulator::pace::Kind;
use flagfall_simulator::stream::{ClockSide, Options};
use flagfall_simulator::tables::Table;
use std::ops::RangeInclusive;

/// Games of one row.
const GAMES: usize = 6;

/// Which rows are played; each has a seed of its own.
fn rows() -> RangeInclusive<u64> {
    let number = |name| std::env::var(name).ok().and_then(|n| n.parse().ok());
    number("FLAGFALL_ROW").map_or_else(|| 1..=number("FLAGFALL_ROWS").unwrap_or(1), |only| only..=only)
}

/// What is recorded of rows of games that end as people end them.
fn tally(hands: Kind, change: impl Fn(&mut Options)) -> Tally {
    let mut tally = Tally::default();
    for seed in rows() {
        let mut options = Options { show_result: true, habits: Habits::people(hands), ..Options::new(hands, 1000 * seed) };
        change(&mut options);
        let mut games: Vec<PgnGame> = games::bundled();
        let first = seed as usize % games.len();
        games.rotate_left(first);
        games.truncate(GAMES);
        play(&format!("{hands:?}-{seed}"), Rig::of_row(&games, &options), &mut tally);
    }
    tally
}

fn play(name: &str, mut rig: Rig, tally: &mut Tally) {
    rig.run();
    if std::env::var_os("FLAGFALL_ROW_EVENTS").is_some() {
        rig.events.iter().filter_map(|event| serde_json::to_string(event).ok()).for_each(|line| println!("{line}"));
    }
    let played: Vec<Played> = rig.device.games().iter().map(Played::of).collect();
    tally.board(name, &played, &rig.events, |event| event.t.millis(), rig.now.millis());
}

/// The demo's boards in simulated time.
fn demo() -> Tally {
    let mut tally = Tally::default();
    for number in rows() {
        let Table { mut games, options, play: rules } = Table::new(u16::try_from(number).unwrap_or(u16::MAX), 4.0, 0.2);
        games.truncate(GAMES);
        let settings = Settings { play: rules, ..options.settings(&games[0]) };
        let rig = Rig::new(options.device_with(&games), Board::new("1", Wall::EPOCH, settings));
        play(&format!("demo-{number}"), rig, &mut tally);
    }
    tally
}

#[track_caller]
fn nothing_is_stuck(tally: &Tally) {
    println!("{tally}");
    assert_eq!((tally.stuck_games, tally.stuck_boards.len()), (0, 0), "a board was lost for the next game");
    assert_eq!((tally.begun, tally.wrong), (tally.played, 0), "games begun, results that were not played");
}

#[test]
fn clean_hands_in_a_row() {
    nothing_is_stuck(&tally(Kind::Clean, |_| {}));
}

#[test]
fn human_hands_in_a_row() {
    nothing_is_stuck(&tally(Kind::Human, |_| {}));
}

#[test]
fn blitz_hands_in_a_row() {
    nothing_is_stuck(&tally(Kind::Blitz, |o| o.control = Some("60".parse().expect("a time control"))));
}

#[test]
fn human_hands_in_a_row_without_a_clock() {
    nothing_is_stuck(&tally(Kind::Human, |o| o.clock_white = ClockSide::None));
}

#[test]
fn human_hands_with_mishaps_in_a_row() {
    nothing_is_stuck(&tally(Kind::Human, |o| o.habits.mishaps = 0.5));
}

#[test]
fn the_demos_boards_in_a_row() {
    nothing_is_stuck(&demo());
}

#[test]
fn the_demos_first_board_shows_an_illegal_move_within_twenty_seconds_at_any_speed() {
    for speed in [0.01, 0.5, 1.0, 4.0, 20.0, 1000.0] {
        let Table { mut games, options, play: rules } = Table::new(1, speed, 0.2).with_an_illegal_move();
        games.truncate(1);
        let settings = Settings { play: rules, ..options.settings(&games[0]) };
        let mut rig = Rig::new(options.device_with(&games), Board::new("1", Wall::EPOCH, settings));
        rig.run();
        let first = rig.events.iter().find_map(|event| match &event.body {
            Body::Finding(finding) => Some((event.t.millis(), finding)),
            _ => None,
        });
        let (at, finding) = first.unwrap_or_else(|| panic!("speed {speed}: no finding"));
        assert_eq!((finding.key, finding.grade, finding.by), (Key::IllegalMove, Grade::Ruling, Some(Colour::White)), "speed {speed}");
        // Opening the port, and a busy machine, have the rest.
        assert!(at <= 15_000, "speed {speed}: found after {at} ms");
        let plies = rig.device.games()[0].uci().len();
        assert!(plies > 20 && rig.completed().len() > 20, "speed {speed}: the game goes on");
    }
}

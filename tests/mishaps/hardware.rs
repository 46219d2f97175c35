//! Boards, cables, clocks, cards and power that fail in the middle of games. In each walk another table plays on, and its game is whole, too.
use super::Walk;
use super::tables::{ONE, TWO, Tables, alarms, cleared, enter, findings, games, known, raised};
use crate::started::{said, until};
use flagfall_simulator::clock::Side;
use serde_json::json;
use shakmaty::fen::Fen;
use shakmaty::{EnPassantMode, Position as _};
use std::fs;
use std::path::Path;

/// A game that was begun elsewhere: its start position never stands on the board.
const ADJOURNED: &str = "[SetUp \"1\"]\n[FEN \"r1bqkb1r/1ppp1ppp/p1n2n2/4p3/B3P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 2 5\"]\n\n\
                         5.O-O Be7 6.Re1 b5 7.Bb3 d6 8.c3 O-O 9.h3 Nb8 10.d4 Nbd7 11.c4 c6 12.cxb5 axb5 13.Nc3 Bb7 1/2-1/2";

/// A move of each player, and another board in the place of the first table's.
fn another_board(walk: &mut Walk, tables: &Tables) {
    tables.make(&[1], 2);
    walk.step("Stop the game, put another board in its place, with the pieces as they stand", || {
        tables.at(1, |device, _| device.replace(40_001))
    });
}

#[test]
fn a_board_is_dead_and_another_one_takes_its_plug() {
    let mut walk = Walk::of("A board is dead");
    let tables = Tables::new(&[ONE, TWO]);
    let daemon = tables.daemon();
    tables.begin(&daemon, &[1]);
    tables.go_on(&[2]);
    tables.unplug(1);
    raised(&daemon, "board-lost 1");
    another_board(&mut walk, &tables);
    walk.step("into the plug of the old one", || tables.replug(1));
    cleared(&daemon, "board-lost 1");
    tables.well_again(&daemon, &[1]);
    (1..=2).for_each(|n| _ = tables.whole(&daemon, n, n, 0, 1));
    assert_eq!(alarms(&daemon), Vec::<String>::new());
    walk.done("nothing");
}

#[test]
fn a_board_is_dead_and_another_one_is_named_in_the_configuration() {
    let mut walk = Walk::of("A board is dead");
    let tables = Tables::new(&[ONE, TWO]);
    let daemon = tables.daemon();
    tables.begin(&daemon, &[1]);
    tables.go_on(&[2]);
    tables.unplug(1);
    fs::remove_file(tables.port(1)).unwrap();
    raised(&daemon, "board-lost 1");
    another_board(&mut walk, &tables);
    let daemon = walk.step("write the new one's there and `sudo systemctl restart flagfall`", || {
        tables.replug(1);
        // Its adapter has another number.
        tables.cable(1, 41);
        tables.configure(|text| {
            text.replace(
                &format!("{:?}", format!("serial:{}", tables.port(1).display())),
                &format!("{:?}", format!("serial:{}", tables.port(41).display())),
            )
        });
        daemon.end();
        tables.daemon()
    });
    tables.well_again(&daemon, &[1]);
    (1..=2).for_each(|n| _ = tables.whole(&daemon, n, n, 0, 1));
    assert_eq!(alarms(&daemon), Vec::<String>::new());
    walk.done("nothing");
}

#[test]
fn a_card_is_dead_and_the_games_go_on_from_the_broadcast() {
    let mut walk = Walk::of("A Pi or its card is dead, without a hall");
    let tables = Tables::new(&[ONE, TWO]);
    let daemon = tables.daemon();
    tables.begin(&daemon, &[1, 2]);
    let broadcast = |n: usize| tables.home.path().join(format!("broadcast-{n}.pgn"));
    (1..=2).for_each(|n| fs::write(broadcast(n), daemon.get(&format!("/pgn/round-1/game-{n}.pgn")).unwrap()).unwrap());
    // SIGKILL; and nothing of the card can be read.
    drop(daemon);
    tables.make(&[1, 2], 3);
    fs::remove_dir_all(tables.home.path().join("data")).unwrap();
    fs::remove_dir_all(tables.home.path().join("tree")).unwrap();
    let daemon = walk.step("the new card, with the same configuration", || tables.daemon());
    walk.step("`sudo flagfall rule 7 moves GAME.pgn`", || {
        for n in 1..=2 {
            let answer = daemon.asked(&["rule", &n.to_string(), "moves", broadcast(n).to_str().unwrap()]);
            assert!(answer.status.success(), "{}", said(answer));
        }
    });
    tables.well_again(&daemon, &[1, 2]);
    (1..=2).for_each(|n| _ = tables.whole(&daemon, n, n, 0, 1));
    (1..=2).for_each(|n| cleared(&daemon, &format!("not-recorded {n}")));
    walk.done("what the PGN does not have and the board cannot tell");
}

/// What the page says that the clock last showed: White's and Black's seconds.
fn last_shown(board: &serde_json::Value) -> [u32; 2] {
    let row = board["clock_sheet"].as_array().and_then(|rows| rows.last()).unwrap_or_else(|| panic!("no times: {board}"));
    ["white_ms", "black_ms"].map(|side| u32::try_from(row[side].as_u64().unwrap() / 1000).unwrap())
}

#[test]
fn a_clock_is_dead_and_another_one_is_set_to_its_times() {
    let mut walk = Walk::of("A clock is dead");
    let tables = Tables::new(&[ONE, TWO]);
    let daemon = tables.daemon();
    tables.begin(&daemon, &[1, 2]);
    // The clock of the second board dies, too; who sets the other one there is ten minutes off.
    for n in 1..=2 {
        tables.at(n, flagfall_simulator::device::Device::unplug_clock);
        raised(&daemon, &format!("clock-lost {n}"));
    }
    tables.make(&[1, 2], 2);
    walk.step("set another clock to the times on the board's page of `/arbiter` (*it last showed*), and plug it into the board", || {
        for n in 1..=2 {
            let [white, black] = last_shown(&daemon.json(&format!("/api/v1/arbiter/boards/{n}")));
            let more = if n == 1 { 0 } else { 600 };
            tables.at(n, move |device, now| {
                device.stop_clock(now);
                let (left, right) = if device.white() == Some(Side::Left) { (white, black) } else { (black, white) };
                device.set_clock(now, left + more, right);
                device.plug_clock(now);
            });
            cleared(&daemon, &format!("clock-lost {n}"));
        }
    });
    walk.step("Start it", || {
        for n in 1..=2 {
            tables.at(n, |device, now| {
                device.start_clock(now);
                device.go_on(now);
            });
        }
    });
    let wrong = until("finding", || findings(&daemon, 2).into_iter().find(|found| found["key"] == "clock-setting"));
    assert_eq!(wrong["facts"]["wrong"], "exchanged", "{wrong}");
    (1..=2).for_each(|n| _ = tables.whole(&daemon, n, n, 0, 1));
    let keys: Vec<_> =
        findings(&daemon, 1).into_iter().filter(|found| found["grade"] != "note").map(|found| found["key"].clone()).collect();
    assert_eq!(keys, Vec::<serde_json::Value>::new());
    let moves = daemon.json("/api/v1/boards/1")["moves"].as_array().unwrap().clone();
    let is_estimated = |m: &serde_json::Value| m["clock_within_ms"].as_u64().is_some_and(|ms| ms > 1_000);
    assert!(moves.iter().any(is_estimated) && !moves.last().is_some_and(is_estimated), "{moves:#?}");
    walk.done("the times of moves that were played without a clock: they are estimated");
}

#[test]
fn a_clock_runs_and_nothing_is_recorded_until_the_game_is_entered() {
    let mut walk = Walk::of("The clock runs and nothing is recorded");
    let tables = Tables::new(&[ADJOURNED, ADJOURNED]);
    tables.configure(|text| format!("clock_white = \"left\"\n{text}"));
    let daemon = tables.daemon();
    tables.make(&[1, 2], 3);
    (1..=2).for_each(|n| raised(&daemon, &format!("not-recorded {n}")));
    let before = walk.step(
        "*Restore moves* beside the alarm, with the PGN of the game; where nobody has it, enter the position that stands",
        || {
            let before = tables.pressed(1);
            enter(&daemon, 1, &json!({"do": "set-position", "fen": position(ADJOURNED, before)}));
            // What the second table has played so far is on its score sheets.
            let played = tables.truths(2)[0].clone();
            let pgn = pgn_of(ADJOURNED, played.plies.iter().filter(|ply| ply.press.is_some()).count());
            enter(&daemon, 2, &json!({"do": "moves", "pgn": pgn}));
            before
        },
    );
    (1..=2).for_each(|n| cleared(&daemon, &format!("not-recorded {n}")));
    tables.go_on(&[1, 2]);
    let whole = tables.whole(&daemon, 2, 2, 0, 1);
    assert_eq!(whole.start_fen(), games(ADJOURNED)[0].start_fen());
    let read = until("result", || {
        let read = flagfall_simulator::games::read_games(daemon.get("/pgn/round-1/game-1.pgn")?.as_bytes()).ok()?.remove(0);
        (read.result != flagfall_events::GameResult::Open).then_some(read)
    });
    let truth = tables.truths(1)[0].uci();
    assert!(
        truth.ends_with(&read.uci()) && read.uci().len() + before + 1 >= truth.len(),
        "{before} plies were played before: {:?}",
        read.uci()
    );
    walk.done("nothing from then on");
}

/// What stands after the first plies of a game, as FEN.
fn position(text: &str, plies: usize) -> String {
    let game = games(text).remove(0);
    let mut position = game.start;
    game.moves.into_iter().take(plies).for_each(|mv| position.play_unchecked(mv));
    Fen::from_position(&position, EnPassantMode::Legal).to_string()
}

/// The first plies of a game, as PGN.
fn pgn_of(text: &str, plies: usize) -> String {
    let (head, moves) = text.split_once("\n\n").unwrap();
    let words: Vec<&str> = moves.split_whitespace().take(plies).collect();
    format!("{head}\n\n{} *\n", words.join(" "))
}

/// The cables of both boards change places.
fn exchange(tables: &Tables, right: bool) {
    (1..=2).for_each(|n| tables.unplug(n));
    (1..=2).for_each(|n| tables.cable(n, if right { n } else { 3 - n }));
    (1..=2).for_each(|n| tables.replug(n));
}

#[test]
fn two_cables_are_exchanged_and_put_right() {
    let mut walk = Walk::of("Two cables are exchanged");
    let tables = Tables::new(&[ONE, TWO]);
    let daemon = tables.daemon();
    tables.begin(&daemon, &[1, 2]);
    exchange(&tables, false);
    (1..=2).for_each(|n| raised(&daemon, &format!("boards-exchanged {n}")));
    tables.make(&[1, 2], 3);
    assert_eq!([1, 2].map(|n| known(&daemon, n)), [4, 4], "neither is read");
    walk.step("Put the cables right", || exchange(&tables, true));
    (1..=2).for_each(|n| cleared(&daemon, &format!("boards-exchanged {n}")));
    tables.well_again(&daemon, &[1, 2]);
    (1..=2).for_each(|n| _ = tables.whole(&daemon, n, n, 0, 1));
    assert_eq!(alarms(&daemon), Vec::<String>::new());
    walk.done("nothing");
}

#[test]
fn two_boards_are_exchanged_on_purpose() {
    let mut walk = Walk::of("Two boards were exchanged on purpose");
    let short = "1.e4 e5 2.Nf3 Nc6 1-0\n\n";
    let tables = Tables::new(&[&format!("{short}{ONE}"), &format!("{short}{TWO}")]);
    let daemon = tables.daemon();
    tables.go_on(&[1, 2]);
    for n in 1..=2 {
        until("end of the first game", || (tables.truths(n).len() == 2).then_some(()));
        tables.at(n, flagfall_simulator::device::Device::wait);
    }
    until("both results", || (1..=2).all(|n| daemon.json(&format!("/api/v1/boards/{n}"))["game"]["result"] == "1-0").then_some(()));
    exchange(&tables, false);
    (1..=2).for_each(|n| raised(&daemon, &format!("boards-exchanged {n}")));
    walk.step("*New game* at both", || (1..=2).for_each(|n| enter(&daemon, n, &json!({"do": "new-game"}))));
    (1..=2).for_each(|n| cleared(&daemon, &format!("boards-exchanged {n}")));
    tables.go_on(&[1, 2]);
    (1..=2).for_each(|n| _ = tables.whole(&daemon, 3 - n, n, 1, 1));
    walk.done("nothing");
}

#[test]
fn the_power_is_cut_and_comes_back() {
    let mut walk = Walk::of("The power was cut");
    let tables = Tables::new(&[ONE, TWO]);
    let daemon = tables.daemon();
    tables.begin(&daemon, &[1, 2]);
    drop(daemon);
    // Boards have their power from the machine; clocks have batteries.
    (1..=2).for_each(|n| tables.unplug(n));
    (1..=2).for_each(|n| tear(&tables.home.path().join("data/journals").join(n.to_string())));
    tables.make(&[1, 2], 3);
    let daemon = walk.step("Switch on", || {
        (1..=2).for_each(|n| tables.replug(n));
        tables.daemon()
    });
    (1..=2).for_each(|n| raised(&daemon, &format!("journal-cut {n}")));
    tables.well_again(&daemon, &[1, 2]);
    (1..=2).for_each(|n| _ = tables.whole(&daemon, n, n, 0, 1));
    walk.done("nothing that was recorded; at most the torn last line");
}

/// The last line of the journal is written in half.
fn tear(folder: &Path) {
    let path =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).find(|path| path.extension().is_some_and(|e| e == "journal"));
    let path = path.unwrap();
    let bytes = fs::read(&path).unwrap();
    let last = bytes[..bytes.len() - 1].iter().rposition(|byte| *byte == b'\n').unwrap() + 1;
    fs::write(&path, &bytes[..(last + bytes.len()) / 2]).unwrap();
}

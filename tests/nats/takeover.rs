//! A Pi dies in the middle of a game: it comes back with an empty card, or another one takes its board. The game goes on, and nobody sees less of it meanwhile.
use super::server::Broker;
use super::table::{Daemon, Room, until};
use crate::mishaps::Walk;
use flagfall_simulator::games::read_games;
use serde_json::Value;
use std::fs;
use std::sync::atomic::{AtomicBool, Ordering};

const GAME: &[u8] = b"1.e4 e5 2.Nf3 Nc6 3.Bb5 a6 4.Ba4 Nf6 5.O-O Be7 6.Re1 b5 7.Bb3 d6 8.c3 O-O 9.h3 Nb8 10.d4 Nbd7 11.c4 c6 12.cxb5 axb5 \
13.Nc3 Bb7 14.Bg5 b4 15.Nb1 h6 16.Bh4 c5 17.dxe5 Nxe4 18.Bxe7 Qxe7 19.exd6 Qf6 20.Nbd2 Nxd6 21.Nc4 Nxc4 22.Bxc4 Nb6 23.Ne5 Rae8 \
24.Bxf7+ Rxf7 25.Nxf7 Rxe1+ 26.Qxe1 Kxf7 27.Qe3 Qg5 28.Qxg5 hxg5 29.b3 Ke6 30.a3 Kd6 31.axb4 cxb4 32.Ra5 Nd5 33.f3 Bc8 34.Kf2 Bf5 \
35.Ra7 g6 36.Ra6+ Kc5 37.Ke1 Nf4 38.g3 Nxh3 39.Kd2 Kb5 40.Rd6 Kc5 41.Ra6 Nf2 42.g4 Bd3 43.Re6 1-0";

const BOARD: &str = "/api/v1/boards/1";

fn completed(board: &Value) -> Vec<String> {
    let moves = board["moves"].as_array().cloned().unwrap_or_default();
    moves.iter().filter(|m| m["completed"] == true).map(|m| String::from(m["uci"].as_str().unwrap())).collect()
}

/// Waits until the hall has so many completed plies of the board.
fn plies(hall: &Daemon, wanted: usize) -> Value {
    until("plies in the hall", || hall.get(BOARD).filter(|board| completed(board).len() >= wanted))
}

/// What the hall shows while `act` is done never gets shorter.
fn never_shorter<T>(hall: &Daemon, act: impl FnOnce() -> T) -> T {
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let watching = scope.spawn(|| {
            let mut most = 0;
            while !done.load(Ordering::Relaxed) {
                if let Some(board) = hall.get(BOARD) {
                    let shown = completed(&board).len();
                    assert!(shown >= most, "{shown} plies after {most}");
                    most = shown;
                }
            }
        });
        // Also where it fails: who watches would never end.
        let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(act));
        done.store(true, Ordering::Relaxed);
        watching.join().unwrap();
        result.unwrap_or_else(|failure| std::panic::resume_unwind(failure))
    })
}

#[test]
fn a_game_goes_on_at_a_pi_with_an_empty_card_and_at_another_pi() {
    let Some(broker) = Broker::one(&[("pi-1", &["1"]), ("pi-2", &["1"])]) else { return };
    let game = read_games(GAME).unwrap().remove(0);
    let mut room = Room::new();
    let hall = room.house(&broker);
    room.games("1", 4.0, vec![game.clone()]);
    let one = room.daemon(&broker, "pi-1", &["1"]);
    let before = plies(&hall, 8);
    one.kill();
    let mut walk = Walk::of("A Pi or its card is dead, in a hall");
    let (one, after) = never_shorter(&hall, || {
        let one = walk.step("an empty card with the same configuration and account", || {
            fs::remove_dir_all(room.data("pi-1")).unwrap();
            room.daemon(&broker, "pi-1", &["1"])
        });
        let known = completed(&hall.get(BOARD).unwrap()).len();
        (one, plies(&hall, known + 4))
    });
    for field in ["number", "started_at", "start_fen", "result"] {
        assert_eq!(after["game"][field], before["game"][field], "{field}");
    }
    assert!(game.uci().starts_with(&completed(&after)), "{:?}", completed(&after));
    let how = |board: &Value| board["moves"].as_array().unwrap().iter().map(|m| m["how"].clone()).collect::<Vec<_>>();
    assert_eq!(how(&after)[0], "recovered");
    until("a move that is pressed", || hall.get(BOARD).filter(|board| how(board).contains(&"press".into())));
    let alarms = hall.get("/api/v1/arbiter/boards/1").unwrap()["alarms"].clone();
    assert!(alarms.as_array().unwrap().iter().any(|alarm| alarm["key"] == "game-taken-over"), "{alarms}");
    walk.done("findings and offences of the games in progress");

    // The machine is gone for good; another one gets its board.
    one.kill();
    let mut walk = Walk::of("A Pi or its card is dead, in a hall");
    let (two, at_last) = never_shorter(&hall, || {
        let two = walk.step("or plug its boards into another Pi that may publish them", || room.daemon(&broker, "pi-2", &["1"]));
        let known = completed(&hall.get(BOARD).unwrap()).len();
        (two, plies(&hall, known + 4))
    });
    assert_eq!((&at_last["game"]["number"], &at_last["pi"]["name"]), (&before["game"]["number"], &"pi-2".into()));
    assert!(game.uci().starts_with(&completed(&at_last)), "{:?}", completed(&at_last));
    until("one game in the tree", || {
        let tree = fs::read_to_string(room.home.path().join("tree/round-1/games.pgn")).ok()?;
        (tree.matches("[Event ").count() == 1 && tree.contains("5. O-O")).then_some(())
    });
    walk.done("findings and offences of the games in progress");
    // A restart of that one reads its own journal.
    two.kill();
    let two = room.daemon(&broker, "pi-2", &["1"]);
    let known = completed(&at_last).len();
    let more = plies(&hall, known + 2);
    assert!(game.uci().starts_with(&completed(&more)), "{more}");
    assert_eq!(more["game"]["number"], before["game"]["number"]);
    two.end();
}

/// Game 2 of a board is on when its machine dies, and no hall answers the next one, which finds it on the board, or sees the one after it.
fn late_hall(second: &str, plies_before: usize, games_before: usize) -> (Vec<String>, Value, Vec<Vec<String>>) {
    // The board plays on while a machine stands still; then all of it begins anew.
    (0..5).find_map(|_| story_of_a_late_hall(second, plies_before, games_before)).expect("game 2 in the hall, while it is on")
}

/// `None`: game 2 was over before anybody saw it in the hall.
fn story_of_a_late_hall(second: &str, plies_before: usize, games_before: usize) -> Option<(Vec<String>, Value, Vec<Vec<String>>)> {
    let first = read_games(b"1.d4 d5 2.c4 e6 3.Nc3 Nf6 1/2-1/2").unwrap().remove(0);
    let second = read_games(second.as_bytes()).unwrap().remove(0);
    let third = read_games(b"1.c4 e5 2.Nc3 Nf6 3.g3 d5 4.cxd5 Nxd5 5.Bg2 Nb6 6.Nf3 Nc6 7.O-O Be7 8.d3 O-O 9.Be3 Be6 10.Rc1 f5 1-0")
        .unwrap()
        .remove(0);
    let broker = Broker::one(&[("pi-1", &["1"]), ("pi-2", &["1"])]).unwrap();
    let mut room = Room::new();
    let hall = room.house(&broker);
    room.games("1", 4.0, vec![first.clone(), second.clone(), third.clone()]);
    let one = room.daemon(&broker, "pi-1", &["1"]);
    let shown = until("game 2 in the hall", || {
        let board = hall.get(BOARD)?;
        let number = board["game"]["number"].as_u64()?;
        (number > 2 || number == 2 && completed(&board).len() >= plies_before).then_some(board)
    });
    if shown["game"]["number"] != 2 {
        return None;
    }
    one.kill();
    hall.kill();
    until("the game that the other one sees", || (room.begun() >= games_before).then_some(()));
    let two = room.daemon(&broker, "pi-2", &["1"]);
    // It records under a number of its own.
    let own = until("plies there", || two.get(BOARD).filter(|board| completed(board).len() >= 4));
    assert_eq!(own["game"]["number"], 1);
    let hall = room.house(&broker);
    let known = completed(&own);
    let after =
        until("pi-2 in the hall", || hall.get(BOARD).filter(|board| board["pi"]["name"] == "pi-2" && completed(board).starts_with(&known)));
    two.end();
    hall.end();
    Some((completed(&shown), after, [first, second, third].iter().map(flagfall_simulator::games::PgnGame::uci).collect()))
}

#[test]
fn a_game_that_was_found_on_the_board_while_no_hall_answered_has_its_number_and_all_its_plies() {
    if Broker::one(&[("pi-1", &["1"])]).is_none() {
        return;
    }
    let (before, after, games) = late_hall(std::str::from_utf8(GAME).unwrap(), 8, 2);
    assert_eq!(after["game"]["number"], 2, "{after}");
    assert!(completed(&after).len() > before.len() && games[1].starts_with(&completed(&after)), "{:?}", completed(&after));
}

#[test]
fn a_game_that_began_while_no_hall_answered_comes_after_the_one_that_the_hall_knows() {
    if Broker::one(&[("pi-1", &["1"])]).is_none() {
        return;
    }
    let (_, after, games) = late_hall("1.e4 e5 2.Nf3 Nc6 3.Bb5 a6 4.Ba4 Nf6 1/2-1/2", 5, 3);
    assert_eq!(after["game"]["number"], 3, "{after}");
    assert!(games[2].starts_with(&completed(&after)), "{:?}", completed(&after));
}

/// An alarm of a board, with its text.
fn alarm(daemon: &Daemon, key: &str, board: &str) -> Option<String> {
    let alarms = daemon.get("/api/v1/arbiter/hall")?["alarms"].as_array()?.clone();
    let found = alarms.into_iter().find(|alarm| alarm["key"] == key && alarm["about"] == board)?;
    found["text"].as_str().map(String::from)
}

/// The alarm of a board that is not published.
fn unpublished(daemon: &Daemon, board: &str) -> Option<String> {
    alarm(daemon, "board-unpublished", board)
}

/// The machine `pi` with the board at this link as board 1.
fn with_twin(room: &Room, broker: &Broker, pi: &str, link: &str, more: &[&str]) -> Daemon {
    let text = room.configuration(broker, pi, &[&[link], more].concat()).replace(&format!("name = \"{link}\""), "name = \"1\"");
    let file = room.home.path().join(format!("{pi}.toml"));
    fs::write(&file, text).unwrap();
    Daemon::start(room.home.path(), pi, "run", &file, Some(&room.data(pi)))
}

#[test]
fn a_machine_whose_record_is_behind_goes_on_with_what_the_hall_has() {
    let Some(broker) = Broker::one(&[("pi-1", &["1"]), ("pi-2", &["1"])]) else { return };
    let game = read_games(GAME).unwrap().remove(0);
    let mut room = Room::new();
    let hall = room.house(&broker);
    room.games("1", 4.0, vec![game.clone()]);
    let one = room.daemon(&broker, "pi-1", &["1"]);
    let before = plies(&hall, 4);
    one.kill();
    // More plies than anybody could find from a picture of the board.
    let two = never_shorter(&hall, || {
        let two = room.daemon(&broker, "pi-2", &["1"]);
        plies(&hall, 14);
        two
    });
    two.kill();
    let after = never_shorter(&hall, || {
        let one = room.daemon(&broker, "pi-1", &["1"]);
        // What the other one had said may still have been on its way.
        until("pi-1 in the hall", || (hall.get(BOARD)?["pi"]["name"] == "pi-1").then_some(()));
        let known = completed(&hall.get(BOARD).unwrap()).len();
        let after = plies(&hall, known + 4);
        assert_eq!(completed(&one.get(BOARD).unwrap())[..known + 4], game.uci()[..known + 4], "its own page has the whole game");
        assert_eq!(alarm(&one, "journal-rolled-back", "1"), None);
        one.end();
        after
    });
    for field in ["number", "started_at", "start_fen", "result"] {
        assert_eq!(after["game"][field], before["game"][field], "{field}");
    }
    assert!(game.uci().starts_with(&completed(&after)), "{:?}", completed(&after));
    assert_eq!((&after["link"], alarm(&hall, "records-differ", "1")), (&"up".into(), None));
    // Each machine's journal is its own, and goes on where it ended: nobody put an older one back.
    assert_eq!(alarm(&hall, "journal-rolled-back", "1"), None);
}

#[test]
fn of_two_machines_that_recorded_a_game_the_longer_record_is_shown_when_its_owner_dies() {
    let Some(broker) = Broker::one(&[("pi-1", &["1"]), ("pi-2", &["1"])]) else { return };
    let game = read_games(GAME).unwrap().remove(0);
    let mut room = Room::new();
    let hall = room.house(&broker);
    room.games("1", 4.0, vec![game.clone()]);
    let one = room.daemon(&broker, "pi-1", &["1"]);
    plies(&hall, 2);
    until("pi-1 in the hall", || (hall.get(BOARD)?["pi"]["away"] == false).then_some(()));
    // The other machine reads the same game, and is ahead.
    let two = with_twin(&room, &broker, "pi-2", "twin", &[]);
    room.games("twin", 16.0, vec![game.clone()]);
    until("the loser says so", || unpublished(&two, "1"));
    let known = |daemon: &Daemon| daemon.get(BOARD).map_or(0, |board| completed(&board).len());
    until("more plies there", || (known(&two) >= known(&hall) + 4).then_some(()));
    let ahead = never_shorter(&hall, || {
        one.kill();
        until("pi-2 in the hall", || (hall.get(BOARD)?["pi"]["name"] == "pi-2").then_some(()));
        let ahead = known(&two);
        plies(&hall, ahead);
        until("no alarm", || unpublished(&two, "1").is_none().then_some(()));
        ahead
    });
    assert!(known(&hall) >= ahead && game.uci().starts_with(&completed(&hall.get(BOARD).unwrap())));
    assert_eq!(alarm(&hall, "records-differ", "1"), None);
    two.end();
}

#[test]
fn one_board_has_one_owner_and_who_may_not_publish_it_says_so() {
    let Some(broker) = Broker::one(&[("pi-1", &["1"]), ("pi-2", &["1"])]) else { return };
    let game = read_games(GAME).unwrap().remove(0);
    let mut room = Room::new();
    let hall = room.house(&broker);
    room.games("1", 4.0, vec![game.clone()]);
    let one = room.daemon(&broker, "pi-1", &["1"]);
    plies(&hall, 3);
    until("pi-1 in the hall", || (hall.get(BOARD)?["pi"]["away"] == false).then_some(()));
    // Another board, that has the same name at another machine; and one that this machine may not publish.
    let other = read_games(b"1.d4 d5 2.c4 e6 3.Nc3 Nf6 4.Bg5 Be7 5.e3 O-O 6.Nf3 h6 7.Bh4 b6 8.Bd3 Bb7 9.O-O Nbd7 *").unwrap().remove(0);
    room.games("twin", 4.0, vec![other.clone()]);
    room.games("9", 4.0, vec![other]);
    let two = never_shorter(&hall, || {
        let two = with_twin(&room, &broker, "pi-2", "twin", &["9"]);
        for daemon in [&two, &hall] {
            let why = until("the loser says so", || unpublished(daemon, "1"));
            assert!(why.contains("pi-1 serves a board of this name"), "{why}");
        }
        let why = until("the forbidden board says so", || unpublished(&two, "9"));
        assert!(why.contains("may not"), "{why}");
        let known = completed(&hall.get(BOARD).unwrap()).len();
        plies(&hall, known + 3);
        two
    });
    let shown = hall.get(BOARD).unwrap();
    assert_eq!(shown["pi"]["name"], "pi-1");
    assert!(game.uci().starts_with(&completed(&shown)), "{:?}", completed(&shown));
    // It records all the same, and is the board's machine when the other one is gone.
    assert!(two.get(BOARD).unwrap()["plies_completed"].as_u64() > Some(0));
    one.kill();
    until("pi-2 in the hall", || (hall.get(BOARD)?["pi"]["name"] == "pi-2").then_some(()));
    until("no alarm", || unpublished(&two, "1").is_none().then_some(()));
    until("none in the hall", || unpublished(&hall, "1").is_none().then_some(()));
    // It recorded other moves: both records are there, and somebody is told.
    let mut walk = Walk::of("Two machines recorded other moves");
    let why = until("records that differ", || alarm(&hall, "records-differ", "1"));
    assert!(why.contains("pi-1 recorded") && why.contains("The record of pi-2 is shown") && why.contains("from ply 1 on"), "{why}");
    let kept = fs::read_dir(room.data("hall").join("records")).unwrap().next().unwrap().unwrap().path();
    walk.step("The alarm names the file with the one that is not shown", || {
        assert!(why.contains(&kept.display().to_string()), "{why}");
        let pgn = fs::read_to_string(&kept).unwrap();
        assert!(pgn.contains("1. e4"), "{pgn}");
    });
    walk.step("`flagfall rule 7 moves FILE`", || {
        let (socket, _) = crate::signed_in::socket(hall.address()).unwrap();
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_flagfall"));
        let answer = command.args(["rule", "1", "moves"]).arg(&kept).arg("--socket").arg(socket).output().unwrap();
        assert!(answer.status.success(), "{}", String::from_utf8_lossy(&answer.stderr));
    });
    until("the chosen record", || (completed(&hall.get(BOARD)?).first()? == "e2e4").then_some(()));
    until("no alarm of it", || alarm(&hall, "records-differ", "1").is_none().then_some(()));
    walk.done("nothing");
    two.end();
}

#[test]
fn of_two_boards_with_one_name_one_gets_another() {
    let Some(broker) = Broker::one(&[("pi-1", &["1"]), ("pi-2", &["1", "2"])]) else { return };
    let game = read_games(GAME).unwrap().remove(0);
    let mut room = Room::new();
    let hall = room.house(&broker);
    room.games("1", 4.0, vec![game.clone()]);
    // Short ones, one after the other.
    let short = read_games(b"1.d4 d5 2.c4 e6 3.Nc3 Nf6 1/2-1/2").unwrap().remove(0);
    room.games("twin", 4.0, vec![short]);
    let one = room.daemon(&broker, "pi-1", &["1"]);
    plies(&hall, 2);
    let mut walk = Walk::of("Two machines name one board");
    let two = with_twin(&room, &broker, "pi-2", "twin", &[]);
    walk.step("which other machine has a board of this name", || {
        for daemon in [&two, &hall] {
            let why = until("the loser says so", || unpublished(daemon, "1"));
            assert!(why.contains("pi-1 serves a board of this name"), "{why}");
        }
    });
    let known = |board: &str| hall.get(&format!("/api/v1/boards/{board}")).map_or(0, |board| completed(&board).len());
    let two = walk.step("After its game, give one of them another name", || {
        two.end();
        let file = room.home.path().join("pi-2.toml");
        let text = fs::read_to_string(&file).unwrap().replace("name = \"1\"", "name = \"2\"");
        fs::write(&file, text).unwrap();
        Daemon::start(room.home.path(), "pi-2", "run", &file, Some(&room.data("pi-2")))
    });
    for daemon in [&two, &hall] {
        until("no alarm", || unpublished(daemon, "1").is_none().then_some(()));
    }
    until("both boards in the hall", || (known("1") > 2 && known("2") > 0).then_some(()));
    assert!(game.uci().starts_with(&completed(&hall.get(BOARD).unwrap())));
    walk.done("nothing");
    two.end();
    one.end();
}

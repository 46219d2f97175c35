//! What happens at boards, and what broadcast software is told of it: each scenario's PGN and JSON.
use super::hall::Hall;
use super::reading::{Read, game};
use super::table::{Table, White};
use flagfall_simulator::games::bundled;
use flagfall_simulator::pace::Kind;
use flagfall_simulator::stream::{ClockSide, Options};
use serde_json::{Value, json};

/// Plays at a table, as board 1; gives the PGN as read, and the cloud's game.
fn told(name: &'static str, script: impl Fn(&mut Table)) -> (Read, Value) {
    let mut table = Table::new(name, "fide-2023", true);
    script(&mut table);
    table.secs(1);
    let mut hall = Hall::new(&["1"]);
    hall.table(&mut table);
    let alone = hall.tree("round-1/game-1.pgn");
    assert_eq!(alone, hall.tree("round-1/games.pgn"), "both files agree");
    assert!(alone.lines().all(|line| line.chars().count() <= 80), "{alone}");
    let read = game(&alone);
    let index: Value = serde_json::from_str(&hall.tree("round-1/index.json")).unwrap();
    assert_eq!(index["pairings"][0]["result"], json!(read.result), "the index agrees");
    let (cloud, cloud_index) = (hall.cloud("round-1/game-1.json"), hall.cloud("round-1/index.json"));
    assert_eq!(cloud_index["pairings"][0]["result"], json!(read.result), "the cloud's index agrees");
    let word = match read.result.as_str() {
        "1-0" => json!("WHITEWIN"),
        "0-1" => json!("BLACKWIN"),
        "1/2-1/2" => json!("DRAW"),
        _ => Value::Null,
    };
    assert_eq!(cloud["result"], word, "two words for one result");
    let live = json!(read.result == "*" && !read.moves.is_empty());
    assert_eq!((&cloud["live"], &index["pairings"][0]["live"], &cloud_index["pairings"][0]["live"]), (&live, &live, &live));
    (read, cloud)
}

/// The moves of the cloud without their numbers.
fn sans(cloud: &Value) -> Vec<&str> {
    cloud["moves"].as_array().unwrap().iter().map(|m| m.as_str().unwrap().split(' ').next().unwrap()).collect()
}

#[test]
fn a_game_while_it_is_played() {
    let (pgn, cloud) = told("live", |t| {
        t.time("300+3").start().play("e2e4 e7e5 g1f3").secs(20);
    });
    assert_eq!(pgn.moves, ["e4", "e5", "Nf3"]);
    let wanted =
        ["ePGN", "Event", "Site", "Date", "Round", "White", "Black", "Result", "TimeControl", "WhiteClock", "BlackClock", "ReferenceTime"];
    assert_eq!(pgn.names(), wanted);
    assert_eq!((pgn.tag("Round"), pgn.tag("Site"), pgn.tag("White")), (Some("1.1"), Some("Bergen, Norway"), Some("Board 1 White")));
    assert_eq!(pgn.tag("TimeControl"), Some("300+3"));
    // The day depends on where the machine stands.
    let reference = pgn.tag("ReferenceTime").unwrap();
    assert!(reference.starts_with("B/19") && reference.len() == "B/2024-05-15T14:21:57.339+02:00".len(), "{reference}");
    assert!(pgn.times.iter().all(|times| times.iter().all(Option::is_some)), "{pgn:?}");
    // The side that does not run still shows what it had at its press; the other one has run on.
    let hms = |s: u32| format!("{:02}:{:02}:{:02}", s / 3600, s / 60 % 60, s % 60);
    assert_eq!(pgn.tag("WhiteClock"), Some(hms(pgn.times[2][0].unwrap()).as_str()));
    assert!(pgn.tag("BlackClock").unwrap() < hms(pgn.times[1][0].unwrap()).as_str());
    assert_eq!(cloud["clock"]["run"], false);
    assert_eq!(cloud["clock"]["white"], json!(pgn.times[2][0].unwrap()));
    assert!(cloud["clock"]["time"].is_i64() && cloud["firstMove"].is_i64(), "{cloud}");
    assert_eq!(cloud["moves"][2], json!(format!("Nf3 {}+{}", pgn.times[2][0].unwrap(), pgn.times[2][1].unwrap())));
    assert_eq!((&cloud["chess960"], &cloud["comment"]), (&json!(518), &Value::Null));
}

#[test]
fn the_clock_adds_up() {
    let (pgn, _) = told("adds up", |t| {
        t.time("300+3").start();
        for pair in ["e2e4 e7e5", "g1f3 b8c6", "f1b5 a7a6", "b5a4 g8f6"] {
            t.secs(7).play(pair);
        }
    });
    for n in 2..pgn.moves.len() {
        let ([clk, emt], before) = (pgn.times[n], pgn.times[n - 2][0].unwrap());
        let should = i64::from(before) - i64::from(emt.unwrap()) + 3;
        assert!((i64::from(clk.unwrap()) - should).abs() <= 2, "ply {n}: {pgn:?}");
    }
}

#[test]
fn nothing_was_played_yet() {
    let (pgn, cloud) = told("unstarted", |t| {
        t.time("300+3").secs(5);
    });
    assert_eq!((pgn.moves.len(), pgn.result.as_str(), pgn.comments.len()), (0, "*", 0));
    assert_eq!((&cloud["moves"], &cloud["firstMove"], &cloud["clock"]), (&json!([]), &Value::Null, &Value::Null));
}

#[test]
fn an_illegal_move_that_stands_and_the_result_after_it() {
    let (pgn, cloud) = told("illegal", |t| {
        t.time("300+3").start().play("e2e4 e7e5").hand("a1a3").press().secs(2).play("b8c6 g1f3 g8f6").secs(2);
        t.enter(r#"{"do":"result","result":"0-1","reason":"resigned"}"#);
    });
    assert_eq!((pgn.moves.as_slice(), pgn.result.as_str()), (&["e4".into(), "e5".into()][..], "0-1"));
    assert_eq!(pgn.comments.len(), 1, "{pgn:?}");
    assert!(pgn.comments[0].starts_with("Illegal move: a1a3 "), "{pgn:?}");
    assert_eq!(sans(&cloud), ["e4", "e5"]);
    assert!(cloud["comment"].as_str().unwrap().starts_with("Illegal move"), "{cloud}");
}

#[test]
fn an_illegal_move_is_taken_back_by_a_ruling_and_play_goes_on() {
    let (pgn, cloud) = told("restored", |t| {
        t.time("300+3").start().play("e2e4 e7e5").hand("a1a3").press().secs(2).stop().secs(1);
        t.confirm("illegal-move").carry("a3", "a1").secs(1).set("300", "300", White).start().play("g1f3 b8c6").secs(1);
    });
    assert_eq!(pgn.moves, ["e4", "e5", "Nf3", "Nc6"]);
    assert_eq!(pgn.comments, Vec::<String>::new());
    assert_eq!(sans(&cloud), ["e4", "e5", "Nf3", "Nc6"]);
}

#[test]
fn the_position_before_an_illegal_move_is_set_by_hand() {
    let (pgn, _) = told("set back", |t| {
        t.time("300+3").start().play("e2e4 e7e5").hand("a1a3").press().secs(2).stop().secs(1);
        t.enter(r#"{"do":"set-position","fen":"rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"}"#);
        t.carry("a3", "a1").secs(1).set("300", "300", White).start().play("g1f3 b8c6").secs(1);
    });
    assert_eq!(pgn.moves, ["e4", "e5", "Nf3", "Nc6"], "{pgn:?}");
    assert_eq!(pgn.comments, Vec::<String>::new());
}

#[test]
fn a_position_that_a_legal_move_leads_to_is_set() {
    let (pgn, cloud) = told("the next position", |t| {
        t.time("300+3").start().play("e2e4 e7e5").secs(1).stop().secs(1);
        t.enter(r#"{"do":"set-position","fen":"rnbqkbnr/pppp1ppp/8/4p3/3PP3/8/PPP2PPP/RNBQKBNR b KQkq - 0 2"}"#);
        t.carry("d2", "d4").secs(1);
        t.set("300", "300", White.other()).start().play("e5d4").secs(1);
        t.enter(r#"{"do":"result","result":"1/2-1/2","reason":"agreed"}"#);
    });
    assert_eq!((pgn.moves.as_slice(), pgn.result.as_str()), (&["e4", "e5", "d4", "exd4"].map(String::from)[..], "1/2-1/2"), "{pgn:?}");
    assert_eq!((pgn.comments, sans(&cloud)), (Vec::<String>::new(), vec!["e4", "e5", "d4", "exd4"]));
}

#[test]
fn a_position_that_no_legal_move_leads_to_is_set() {
    let (pgn, cloud) = told("another position", |t| {
        t.time("300+3").start().play("e2e4 e7e5").secs(1).stop().secs(1);
        // White's pawn on d2 is gone.
        t.enter(r#"{"do":"set-position","fen":"rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPP2PPP/RNBQKBNR b KQkq - 0 2"}"#);
        t.lift("d2").secs(1);
        t.set("300", "300", White.other()).start().play("b8c6").secs(1);
        t.enter(r#"{"do":"result","result":"1/2-1/2","reason":"agreed"}"#);
    });
    assert_eq!((pgn.moves.as_slice(), pgn.result.as_str()), (&["e4".into(), "e5".into()][..], "1/2-1/2"), "{pgn:?}");
    assert_eq!((pgn.comments, &cloud["comment"]), (Vec::<String>::new(), &Value::Null), "without a word");
    assert_eq!(sans(&cloud), ["e4", "e5"]);
}

#[test]
fn the_kings_in_the_centre_are_no_moves() {
    for (white, black, result) in [("e4", "d5", "1-0"), ("d4", "e5", "0-1"), ("d4", "d5", "1/2-1/2")] {
        let (pgn, cloud) = told("kings", |t| {
            t.time("300+3").start().play("d2d3 e7e6 g1f3 b8c6").secs(3).stop().secs(1).carry("e1", white).carry("e8", black).secs(8);
        });
        assert_eq!((pgn.moves.as_slice(), pgn.result.as_str()), (&["d3", "e6", "Nf3", "Nc6"].map(String::from)[..], result), "{pgn:?}");
        assert_eq!(sans(&cloud), ["d3", "e6", "Nf3", "Nc6"]);
        assert_eq!(cloud["clock"], Value::Null);
    }
}

#[test]
fn a_resignation_a_draw_and_a_result_that_is_corrected() {
    for (entries, result) in [(&["1-0"][..], "1-0"), (&["1/2-1/2"], "1/2-1/2"), (&["1-0", "0-1"], "0-1")] {
        let (pgn, _) = told("entered", |t| {
            t.time("300+3").start().play("e2e4 e7e5").secs(1).stop();
            for entry in entries {
                t.enter(&format!(r#"{{"do":"result","result":"{entry}","reason":"resigned"}}"#)).secs(1);
            }
        });
        assert_eq!((pgn.moves.len(), pgn.result.as_str()), (2, result));
        assert!(pgn.tag("WhiteClock").is_none(), "no clock of a game that is over: {pgn:?}");
    }
}

#[test]
fn a_result_on_the_wrong_board_costs_one_correction_and_no_ply() {
    let played = |t: &mut Table| {
        t.time("300+3").start().play("e2e4 e7e5").secs(1).enter(r#"{"do":"result","result":"1-0","who":"A"}"#);
        t.play("g1f3 b8c6 f1c4").secs(2);
    };
    let (pgn, _) = told("wrong board", played);
    assert_eq!((pgn.moves.len(), pgn.result.as_str()), (2, "1-0"), "{pgn:?}");
    let (pgn, cloud) = told("taken back", |t| {
        played(t);
        t.enter(r#"{"do":"result","result":"*","who":"A"}"#).play("g8f6").secs(2);
    });
    assert_eq!((pgn.moves, pgn.result.as_str()), (["e4", "e5", "Nf3", "Nc6", "Bc4", "Nf6"].map(String::from).to_vec(), "*"));
    assert!(pgn.times.iter().all(|times| times[0].is_some()), "pressed, so every time is known: {:?}", pgn.times);
    assert_eq!((pgn.comments, sans(&cloud).len()), (Vec::<String>::new(), 6));
}

#[test]
fn a_game_without_a_result_is_seen_until_the_next_one_has_a_move_and_is_corrected_then() {
    // The pieces are taken back one by one, the next game is tried out, and the clock is started.
    let set_up = |t: &mut Table| {
        t.time("300+3").start().play("e2e4 e7e5").secs(2).stop().secs(5);
        t.carry("e5", "e7").carry("e4", "e2").secs(4).carry("b1", "c3").secs(2).carry("c3", "b1").secs(2);
    };
    let mut table = Table::new("between", "fide-2023", true);
    set_up(&mut table);
    let mut hall = Hall::new(&["1"]);
    hall.table(&mut table);
    let (pgn, cloud) = (game(&hall.tree("round-1/game-1.pgn")), hall.cloud("round-1/game-1.json"));
    assert_eq!((pgn.moves.len(), pgn.result.as_str(), &cloud["live"]), (2, "*", &json!(false)), "over, and nobody knows how");
    let mut table = Table::new("late", "fide-2023", true);
    set_up(&mut table);
    table.set("303", "303", White).start().play("d2d4 d7d5 c2c4").secs(1);
    table.enter(r#"{"do":"result","game":1,"result":"1-0"}"#).play("e7e6").secs(1);
    let mut hall = Hall::new(&["1"]);
    hall.table(&mut table);
    let event = hall.event_now();
    let games: Vec<_> =
        (1..=2).map(|number| &event.game("1", number).unwrap().game).map(|game| (game.result.as_str(), game.moves.len())).collect();
    assert_eq!(games, [("1-0", 2), ("*", 4)]);
    assert_eq!(game(&hall.tree("round-1/game-1.pgn")).moves, ["d4", "d5", "c4", "e6"]);
}

#[test]
fn a_flag_that_fell() {
    let (pgn, cloud) = told("flag", |t| {
        t.time("300").start().play("e2e4 e7e5 g1f3 b8c6").secs(310);
        t.confirm("flag-fall").secs(1);
    });
    assert_eq!((pgn.moves.len(), pgn.result.as_str()), (4, "0-1"), "{pgn:?}");
    assert_eq!(sans(&cloud).len(), 4);
}

#[test]
fn a_mate_ends_it() {
    let (pgn, cloud) = told("mate", |t| {
        t.time("300+3").start().play("f2f3 e7e5 g2g4 d8h4").secs(2);
    });
    assert_eq!((pgn.moves.as_slice(), pgn.result.as_str()), (&["f3", "e5", "g4", "Qh4#"].map(String::from)[..], "0-1"));
    assert_eq!(cloud["live"], false);
}

#[test]
fn a_game_that_was_not_finished() {
    let (pgn, cloud) = told("unfinished", |t| {
        t.time("300+3").start().play("e2e4 e7e5").secs(5).unplug().secs(30);
    });
    assert_eq!((pgn.moves.len(), pgn.result.as_str()), (2, "*"));
    assert_eq!(cloud["live"], true);
}

#[test]
fn a_move_that_was_made_and_never_completed_stands_in_a_comment_once_the_game_is_over() {
    let script = |t: &mut Table| {
        t.time("300+3").start().play("e2e4 e7e5").hand("g1f3").secs(5);
    };
    assert_eq!(told("made", script).0.comments, Vec::<String>::new());
    let (pgn, _) = told("made, over", |t| {
        script(t);
        t.stop().enter(r#"{"do":"result","result":"1-0","reason":"resigned"}"#).secs(1);
    });
    assert_eq!(pgn.result, "1-0");
    assert!(pgn.moves.len() == 3 || pgn.comments == ["Made, not completed: Nf3"], "{pgn:?}");
}

#[test]
fn promotions_to_any_piece() {
    let start = "6k1/1P6/8/8/8/8/5p2/K7 w - - 0 1";
    let (pgn, cloud) = told("promotion", |t| {
        t.header(&format!("start-fen: {start}")).from(start).time("300+3").start().play("b7b8n f2f1q").secs(1);
    });
    assert_eq!(pgn.moves, ["b8=N", "f1=Q+"]);
    assert_eq!((pgn.tag("SetUp"), pgn.tag("FEN"), pgn.tag("Variant")), (Some("1"), Some(start), None));
    // The cloud cannot tell where such a game begins.
    assert_eq!((sans(&cloud).len(), &cloud["chess960"]), (0, &json!(518)));
    assert!(cloud["comment"].as_str().unwrap().contains("b8=N"), "{cloud}");
}

#[test]
fn chess960_with_its_castling_and_its_number() {
    let start = "rbnnqkbr/pppppppp/8/8/8/8/PPPPPPPP/RBNNQKBR w KQkq - 0 1";
    let moves = [("f2f3", "f3"), ("f7f6", "f6"), ("g1f2", "Bf2"), ("g8f7", "Bf7"), ("f1h1", "O-O"), ("f8h8", "O-O")];
    let mut hall = Hall::new(&["1"]);
    hall.event(
        "1",
        json!({"type": "game-start", "fen": start, "rules": "fide-2023", "play": "rapid", "time_control": "900+10", "chess960": true}),
    );
    for (i, (uci, _)) in moves.iter().enumerate() {
        let by = if i % 2 == 0 { "white" } else { "black" };
        hall.event("1", json!({"type": "move-completed", "ply": i + 1, "by": by, "uci": uci, "legal": true, "how": "press"}));
    }
    let pgn = game(&hall.tree("round-1/game-1.pgn"));
    assert_eq!(pgn.moves, moves.map(|m| m.1));
    assert_eq!(
        (pgn.tag("FEN"), pgn.tag("Variant"), pgn.tag("SetUp")),
        (Some(start.replace("KQkq", "HAha").as_str()), Some("Fischerandom"), None)
    );
    let cloud = hall.cloud("round-1/game-1.json");
    assert_eq!((sans(&cloud), &cloud["chess960"]), (moves.map(|m| m.1).to_vec(), &json!(444)));
    assert_eq!(hall.cloud("tournament.json")["chess960"], "ANY");
}

#[test]
fn a_recovered_move_has_times_that_are_called_estimates_and_no_number_but_the_last_string() {
    let (pgn, cloud) = told("recovered", |t| {
        t.time("300+3")
            .start()
            .play("e2e4 e7e5 g1f3 b8c6")
            .secs(1)
            .unplug()
            .secs(3)
            .carry("f1", "c4")
            .press()
            .carry("f8", "c5")
            .press()
            .secs(2)
            .plug()
            .secs(8);
    });
    assert_eq!(pgn.moves, ["e4", "e5", "Nf3", "Nc6", "Bc4", "Bc5"], "{pgn:?}");
    let last = cloud["moves"][5].as_str().unwrap();
    assert!(last.split_once(' ').is_some_and(|(san, number)| san == "Bc5" && !number.is_empty()), "{cloud}");
    assert!(pgn.times.iter().all(|[clk, emt]| clk.is_some() && emt.is_some()), "{pgn:?}");
    assert!(pgn.tag("ClockEstimated").is_some_and(|plies| plies.starts_with('5')), "{pgn:?}");
    assert_eq!(cloud["moves"][4], "Bc4");
}

#[test]
fn a_board_without_a_clock_has_no_clk_and_still_an_emt() {
    let mut hall = Hall::new(&["1"]);
    let options = Options { clock_white: ClockSide::None, show_result: true, ..Options::new(Kind::Clean, 3) };
    hall.played("1", &bundled()[0], &options);
    let (pgn, cloud) = (game(&hall.tree("round-1/game-1.pgn")), hall.cloud("round-1/game-1.json"));
    assert!(pgn.moves.len() > 10, "{pgn:?}");
    assert!(pgn.times.iter().all(|[clk, _]| clk.is_none()), "{pgn:?}");
    assert!(cloud["moves"].as_array().unwrap().iter().all(|m| m.as_str().unwrap().contains(" +")), "{cloud}");
    assert_eq!(pgn.tag("WhiteClock"), None);
}

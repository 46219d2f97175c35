//! Pairing lists and what they change, round by round.
use super::hall::Hall;
use super::reading::games;
use flagfall::config::event::About;
use flagfall::feeds::event_info::chronicle::Chronicle;
use flagfall::feeds::event_info::seats::Kept;
use flagfall::feeds::pairings::trf;
use flagfall_events::GameResult;
use std::sync::Arc;

const ONE: &str = "board,white,black\n1,\"Adams, Mary\",Clark\n2,Baker,Davis\n";
const TWO: &str = "board,white,black\n1,Baker,\"Adams, Mary\"\n2,Davis,Clark\n";

fn results(hall: &Hall, round: u32) -> Vec<&'static str> {
    hall.event_now().round(round).map_or_else(Vec::new, |r| r.pairings.iter().map(|p| p.result.as_str()).collect())
}

#[test]
fn without_a_list_every_board_has_a_name() {
    let hall = Hall::new(&["1", "2", "10"]);
    assert_eq!(hall.names(1), ["Board 1 White - Board 1 Black", "Board 2 White - Board 2 Black", "Board 10 White - Board 10 Black"]);
    let read = games(&hall.tree("round-1/games.pgn"));
    assert_eq!(read.iter().map(|g| g.tag("Round").unwrap()).collect::<Vec<_>>(), ["1.1", "1.2", "1.3"]);
    assert!(read.iter().all(|g| g.moves.is_empty() && g.result == "*"));
}

#[test]
fn without_a_list_a_new_game_replaces_the_old_one_at_its_first_move() {
    let mut hall = Hall::new(&["1"]);
    hall.game("1", &["e2e4", "e7e5"], "1-0");
    hall.game("1", &[], "*");
    assert_eq!((results(&hall, 1), hall.pairing(1, 1).game.unwrap().moves.len()), (vec!["1-0"], 2));
    hall.game("1", &["d2d4"], "*");
    assert_eq!((results(&hall, 1), hall.pairing(1, 1).game.unwrap().moves[0].san.as_str()), (vec!["*"], "d4"));
}

#[test]
fn nine_rounds_each_list_begins_the_next_when_the_games_are_over() {
    let mut hall = Hall::new(&["1", "2"]);
    for round in 1..=9 {
        let list = if round % 2 == 1 { ONE } else { TWO };
        assert_eq!(hall.list(list), Vec::<String>::new(), "round {round}");
        assert_eq!(hall.chronicle.current(), round);
        hall.game("1", &["e2e4", "e7e5"], "1-0");
        hall.game("2", &["d2d4"], "0-1");
    }
    for round in 1..=9 {
        assert_eq!(results(&hall, round), ["1-0", "0-1"], "round {round}");
        let read = games(&hall.tree(&format!("round-{round}/games.pgn")));
        assert_eq!(read[1].tag("Round"), Some(format!("{round}.2").as_str()));
    }
    // The boards were asked to put the old game away.
    assert_eq!(hall.anew.len(), 16);
    let tournament: serde_json::Value = serde_json::from_str(&hall.tree("tournament.json")).unwrap();
    assert_eq!(tournament["rounds"], serde_json::json!(vec![serde_json::json!({"count": 2, "live": 0}); 9]));
}

#[test]
fn a_list_that_comes_before_the_last_result_waits_for_it() {
    let mut hall = Hall::new(&["1", "2"]);
    hall.list(ONE);
    hall.game("1", &["e2e4", "e7e5"], "1-0");
    hall.game("2", &["d2d4"], "*");
    let told = hall.list(TWO);
    assert!(told.iter().any(|t| t.contains("board 2 of round 1 has no result")), "{told:?}");
    assert_eq!(hall.chronicle.current(), 1);
    // Its names change nothing in the game that is played.
    assert_eq!(hall.names(1), ["Adams, Mary - Clark", "Baker - Davis"]);
    hall.event("2", serde_json::json!({"type": "result", "result": "1/2-1/2", "reason": "agreed", "source": "operator"}));
    assert_eq!((hall.chronicle.current(), results(&hall, 1)), (2, vec!["1-0", "1/2-1/2"]));
    assert_eq!(hall.names(2), ["Baker - Adams, Mary", "Davis - Clark"]);
}

#[test]
fn a_game_that_begins_before_its_list_is_there_waits_for_its_round() {
    let mut hall = Hall::new(&["1", "2"]);
    hall.list(ONE);
    hall.game("1", &["e2e4", "e7e5"], "1-0");
    hall.game("2", &["d2d4"], "0-1");
    hall.game("1", &["c2c4"], "*");
    assert_eq!(results(&hall, 1), ["1-0", "0-1"], "a finished game is never replaced");
    hall.list(TWO);
    assert_eq!(hall.chronicle.current(), 2);
    assert_eq!(hall.pairing(2, 1).game.unwrap().moves[0].san, "c4");
    assert_eq!(hall.pairing(1, 1).game.unwrap().moves.len(), 2);
    assert_eq!(hall.anew, [Arc::from("2")], "board 1 plays already");
    hall.event("1", serde_json::json!({"type": "move-completed", "ply": 2, "by": "black", "uci": "c7c5", "legal": true, "how": "press"}));
    assert_eq!(hall.pairing(2, 1).game.unwrap().moves.len(), 2);
}

#[test]
fn a_result_taken_back_leaves_the_game_live_and_a_cancelled_one_gives_way() {
    let mut hall = Hall::new(&["1", "2"]);
    hall.list(ONE);
    hall.game("1", &["e2e4", "e7e5"], "1-0");
    hall.event("1", serde_json::json!({"type": "result", "result": "*", "reason": "by mistake", "source": "operator"}));
    assert!(hall.pairing(1, 1).live);
    hall.event("1", serde_json::json!({"type": "result", "result": "*", "reason": "cancelled", "source": "ruling"}));
    assert!(!hall.pairing(1, 1).live);
    hall.game("1", &["c2c4"], "*");
    assert_eq!(hall.pairing(1, 1).game.unwrap().moves[0].san, "c4");
}

#[test]
fn a_whole_round_robin_loaded_at_once_goes_round_by_round() {
    let all =
        "round,board,white,black\n1,1,Adams,Clark\n1,2,Baker,Davis\n2,1,Clark,Baker\n2,2,Davis,Adams\n3,1,Adams,Baker\n3,2,Clark,Davis\n";
    let mut hall = Hall::new(&["1", "2"]);
    hall.list(all);
    assert_eq!((hall.chronicle.current(), hall.event_now().rounds.len()), (1, 3));
    hall.game("1", &["e2e4"], "1-0");
    assert_eq!(hall.chronicle.current(), 1, "board 2 has not begun, and nobody loaded anything since");
    hall.game("2", &["e2e4"], "1-0");
    assert_eq!(hall.chronicle.current(), 2);
    hall.list(all);
    assert_eq!(hall.chronicle.current(), 2, "the same list again changes nothing");
}

#[test]
fn names_are_corrected_while_a_game_is_played_and_nobody_is_seated_elsewhere() {
    let mut hall = Hall::new(&["1", "2"]);
    hall.list(ONE);
    hall.game("1", &["e2e4"], "*");
    let uuid = hall.pairing(1, 1).uuid;
    assert_eq!(hall.list("board,white,black\n1,\"Adams, Mary Ann\",Clarke\n2,Baker,Davies\n"), Vec::<String>::new());
    assert_eq!(hall.names(1), ["Adams, Mary Ann - Clarke", "Baker - Davies"]);
    assert_eq!(hall.pairing(1, 1).uuid, uuid);
    // The two tables change places in the list; the game that is played stays where it is.
    let told = hall.list("board,white,black\n1,Baker,Davies\n2,\"Adams, Mary Ann\",Clarke\n");
    assert!(told.iter().any(|t| t.contains("board 1") && t.contains("line 3") || t.contains("line 2")), "{told:?}");
    assert_eq!(hall.names(1)[0], "Adams, Mary Ann - Clarke");
    assert_eq!(hall.pairing(1, 1).game.unwrap().moves.len(), 1);
}

#[test]
fn numbers_stay_once_a_round_has_begun() {
    let mut hall = Hall::new(&["1", "2", "3"]);
    hall.list("board,white,black\n1,Adams,Clark\n2,Baker,Davis\n3,Evans,Frank\n");
    hall.game("3", &["e2e4"], "*");
    let told = hall.list("board,white,black\n1,Adams,Clark\n3,Evans,Frank\n4,Ghosh,Hill\n");
    assert!(told[0].contains("board 2 is no longer in the list"), "{told:?}");
    assert_eq!(hall.names(1), ["Adams - Clark", "Baker - Davis", "Evans - Frank", "Ghosh - Hill"]);
    assert_eq!(hall.pairing(1, 3).game.unwrap().moves.len(), 1);
}

#[test]
fn boards_that_no_label_names_are_seated_in_their_order() {
    let mut hall = Hall::new(&["30017", "30018"]);
    hall.list("board,white,black\n1,Adams,Clark\n2,Baker,Davis\n3,Evans,Frank\n");
    let boards: Vec<_> = hall.event_now().rounds[0].pairings.iter().map(|p| p.board.as_deref().map(String::from)).collect();
    assert_eq!(boards, [Some("30017".into()), Some("30018".into()), None]);
}

#[test]
fn a_list_that_comes_in_the_middle_of_a_game_names_it() {
    let mut hall = Hall::new(&["1", "2"]);
    hall.game("2", &["e2e4", "c7c5"], "*");
    hall.list(&ONE.replace("board", "round,board").replace("\n1", "\n3,1").replace("\n2", "\n3,2"));
    assert_eq!((hall.chronicle.current(), hall.names(3)), (3, vec!["Adams, Mary - Clark".into(), "Baker - Davis".into()]));
    assert_eq!(hall.pairing(3, 2).game.unwrap().moves.len(), 2);
    assert_eq!(hall.event_now().rounds.len(), 3);
}

#[test]
fn results_of_the_list_count_where_no_board_saw_the_game() {
    let mut hall = Hall::new(&["1"]);
    hall.list("board,white,black,result\n1,Adams,Clark,0-1\n2,Baker,Davis,½-½\n");
    assert_eq!(results(&hall, 1), ["0-1", "1/2-1/2"]);
    hall.game("1", &["e2e4"], "*");
    assert_eq!(results(&hall, 1), ["*", "1/2-1/2"], "what is being played has no result yet");
}

#[test]
fn a_tournament_report_completes_names() {
    let mut hall = Hall::new(&["1"]);
    hall.list("board,white,black\n1,Judith Polgar,Clark\n");
    let line = "001    1 wGM  Polgar, Judith                    2735 HUN      735463 1976/07/23 3.5    2     1 b 0\n";
    hall.chronicle.report(trf::read(line.as_bytes()).unwrap());
    hall.settle();
    let read = games(&hall.tree("round-1/games.pgn"));
    let tags = ["White", "WhiteTitle", "WhiteFideId", "WhiteElo", "BlackTitle"].map(|name| read[0].tag(name));
    assert_eq!(tags, [Some("Polgar, Judith"), Some("GM"), Some("735463"), Some("2735"), None]);
    let player = hall.cloud("round-1/index.json")["pairings"][0]["white"].clone();
    assert_eq!((&player["fideid"], &player["gender"], &player["federation"]), (&735_463.into(), &"F".into(), &"HUN".into()));
}

#[test]
fn a_team_round_is_seated_by_match_and_board_and_has_its_teams_in_the_files() {
    let names: Vec<String> = (1..=8).map(|n| n.to_string()).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let mut hall = Hall::new(&names);
    let list = "board,white,black,whiteteam,blackteam,result\n1.1,Adams,Clark,Rooks,\"Knights, 2nd\",\n1.2,Baker,Davis,\"Knights, 2nd\",Rooks,\n\
                1.4,Evans,Frank,Rooks,\"Knights, 2nd\",\n2.1,Ghosh,Hill,Pawns,Kings,- -\n2.3,Ivers,Jones,Kings,Pawns,\n";
    assert_eq!(hall.list(list), Vec::<String>::new());
    let boards: Vec<_> = hall.event_now().rounds[0].pairings.iter().map(|p| p.board.clone().unwrap().to_string()).collect();
    assert_eq!(boards, ["1", "2", "4", "5", "7"]);
    let read = games(&hall.tree("round-1/games.pgn"));
    assert_eq!(["WhiteTeam", "BlackTeam"].map(|name| read[1].tag(name)), [Some("Knights, 2nd"), Some("Rooks")]);
    let player = hall.cloud("round-1/index.json")["pairings"][1]["white"].clone();
    assert_eq!(player.as_object().unwrap().len(), 7, "the cloud has no place for teams: {player}");
    // Nobody came to 2.1: the next round does not wait for it.
    hall.list(&list.replace("board,", "round,board,").replace("\n1", "\n2,1").replace("\n2.", "\n2,2."));
    for board in ["1", "2", "4", "7"] {
        assert_eq!(hall.chronicle.current(), 1, "board {board}");
        hall.game(board, &["e2e4"], "1-0");
    }
    assert_eq!(hall.chronicle.current(), 2);
}

#[test]
fn what_identifies_a_game_stays_the_same_while_the_round_is_played() {
    let mut hall = Hall::of(About::default(), &["1", "2"]);
    let list = |event: &str, names: [&str; 4]| {
        let game = |i: usize| {
            let [white, black] = [names[2 * i], names[2 * i + 1]];
            format!(
                "[Event \"{event}\"]\n[Site \"Sotra, Norway\"]\n[Round \"1.{}\"]\n[White \"{white}\"]\n[Black \"{black}\"]\n\n*\n\n",
                i + 1
            )
        };
        game(0) + &game(1)
    };
    let identity = |hall: &Hall| {
        let read = games(&hall.tree("round-1/games.pgn"));
        read.iter().map(|g| ["Event", "Site", "Round"].map(|name| g.tag(name).unwrap().to_owned())).collect::<Vec<_>>()
    };
    hall.list(&list("Open", ["Adams", "Clark", "Baker", "Davis"]));
    hall.game("1", &["e2e4"], "1-0");
    let (before, uuid) = (identity(&hall), hall.event_now().uuid);
    assert_eq!(before[1], ["Open", "Sotra, Norway", "1.2"]);
    let told = hall.list(&list("Open A", ["Adams, Mary", "Clark", "Baker", "Davis"]));
    assert!(told.iter().any(|t| t.contains("it stays \"Open\"")), "{told:?}");
    hall.chronicle.report(trf::read(b"012 Another name\n022 Oslo\n001    1      Baker, Jo\n").unwrap());
    hall.game("2", &["d2d4"], "*");
    assert_eq!((identity(&hall), hall.event_now().uuid, hall.names(1)[0].as_str()), (before, uuid, "Adams, Mary - Clark"));
    // A new event's list after the last game begins a new event.
    hall.event("2", serde_json::json!({"type": "result", "result": "1-0", "reason": "resigned", "source": "operator"}));
    hall.list(&list("Rapid", ["Adams", "Clark", "Baker", "Davis"]));
    assert_eq!((hall.event_now().name.as_str(), results(&hall, 1)), ("Rapid", vec!["*", "*"]));
    assert_eq!(hall.anew, [Arc::from("1"), Arc::from("2")]);
    hall.game("1", &["c2c4"], "*");
    assert_eq!(hall.pairing(1, 1).game.unwrap().moves.len(), 1);
}

#[test]
fn games_that_tried_out_the_boards_before_the_first_list_are_not_of_the_event() {
    let mut hall = Hall::new(&["1", "2"]);
    hall.game("1", &["e2e4", "e7e5"], "1-0");
    hall.list(ONE);
    assert_eq!((results(&hall, 1), hall.pairing(1, 1).game), (vec!["*", "*"], None));
    assert_eq!(hall.anew, [Arc::from("1")]);
    // Where games are being played the list only came late.
    let mut hall = Hall::new(&["1", "2"]);
    hall.game("1", &["e2e4", "e7e5"], "1-0");
    hall.game("2", &["d2d4"], "*");
    hall.list(ONE);
    assert_eq!(results(&hall, 1), ["1-0", "*"]);
}

#[test]
fn everything_goes_on_after_a_restart() {
    let mut hall = Hall::new(&["1", "2"]);
    hall.list(ONE);
    hall.game("1", &["e2e4", "e7e5"], "1-0");
    hall.game("2", &["d2d4"], "0-1");
    hall.list(TWO);
    hall.game("1", &["c2c4"], "*");
    let before = hall.event_now();
    let kept: Kept = serde_json::from_slice(&serde_json::to_vec(hall.chronicle.kept()).unwrap()).unwrap();
    let about = About { name: Some("Test Open".into()), city: Some("Bergen".into()), country: Some("NO".into()), ..About::default() };
    let again = Chronicle::new(about.clone(), Some(kept.clone()));
    assert_eq!(again.tournament(), before);
    let other = Chronicle::new(About { name: Some("Another".into()), ..about }, Some(kept));
    assert_eq!(other.tournament().rounds[0].pairings.len(), 0, "another event begins with nothing");
}

#[test]
fn a_board_that_nobody_paired_is_shown_once_it_plays() {
    let mut hall = Hall::new(&["1", "2", "3"]);
    hall.list(ONE);
    hall.game("3", &[], "*");
    assert_eq!(hall.names(1).len(), 2);
    hall.game("3", &["e2e4"], "*");
    assert_eq!(hall.names(1)[2], "Board 3 White - Board 3 Black");
    assert_eq!(hall.pairing(1, 3).result, GameResult::Open);
}

#[test]
fn rounds_without_pairings_have_an_index_and_no_empty_file() {
    let about = About { name: Some("Open".into()), rounds: Some(3), ..About::default() };
    let mut hall = Hall::of(about, &["1", "2"]);
    hall.list(ONE);
    let index: serde_json::Value = serde_json::from_str(&hall.tree("round-3/index.json")).unwrap();
    assert_eq!(index, serde_json::json!({"pairings": []}));
    assert!(hall.documents.get("pgn/round-3/games.pgn").is_none());
    assert!(hall.documents.now().under("").all(|d| !d.bytes.is_empty()));
}

#[test]
fn an_operator_begins_a_round_whatever_became_of_the_last() {
    let mut hall = Hall::new(&["1", "2"]);
    hall.list(ONE);
    hall.game("1", &["e2e4", "e7e5"], "*");
    hall.list(&format!("{}\n", TWO));
    assert_eq!(hall.chronicle.current(), 1);
    hall.chronicle.start_round(2);
    hall.settle();
    assert_eq!((hall.chronicle.current(), hall.anew.len()), (2, 0), "a game that is played is not ended");
    hall.event("1", serde_json::json!({"type": "result", "result": "1-0", "reason": "resigned", "source": "operator"}));
    assert_eq!((hall.anew.as_slice(), results(&hall, 1)), (&[Arc::from("1")][..], vec!["1-0", "*"]));
    hall.game("1", &["d2d4"], "*");
    assert_eq!((hall.pairing(1, 1).game.unwrap().moves.len(), hall.pairing(2, 1).game.unwrap().moves.len()), (2, 1));
}

//! A move that was sent is final: the list of a feed only grows.
use super::client::Client;
use super::table::{START, Served};

const AFTER_E4_E5: &str = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";

fn following(served: &Served, serial: &str, fen: &str) -> Client {
    served.livechess.catch_up();
    let mut client = Client::new(served.address);
    client.subscribe(serial);
    client.setup(fen);
    client
}

/// No frame on its way has a list.
fn no_list(served: &Served, client: &mut Client) {
    served.livechess.catch_up();
    for frame in client.rest() {
        assert!(frame["param"].get("san").is_none(), "{frame}");
    }
}

#[test]
fn a_change_of_mind_before_the_press_is_never_seen() {
    let served = Served::new();
    let mut table = served.game("1", "30017");
    // With a clock the press says when a move is done.
    table.clock(300, 300, "white");
    let mut client = following(&served, "30017", START);
    table.made("e2e3");
    table.say(serde_json::json!({"type": "placement", "placement": "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR", "settled": true}));
    table.say(serde_json::json!({"type": "move-revised", "ply": 1, "uci": "e2e4", "san": "e4", "was": "e2e3"}));
    no_list(&served, &mut client);
    table.complete(1, "e2e4", Some("e4"), "press", None);
    assert_eq!(client.list(), "e4");
}

#[test]
fn without_a_clock_a_move_is_sent_once_it_has_stood_and_is_final_then() {
    let served = Served::new();
    let mut table = served.game("1", "30017");
    let mut client = following(&served, "30017", START);
    table.made("e2e4");
    assert_eq!(client.list(), "e4", "nothing has completed it");
    table.complete(1, "e2e4", Some("e4"), "settled", None);
    no_list(&served, &mut client);
    // The answer stands, is sent, and is taken back.
    table.made("e7e5");
    assert_eq!(client.list(), "e4 e5");
    table.take_back(2, "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1");
    table.plays("c7c5 g1f3");
    no_list(&served, &mut client);
    // It goes on where the truth is again what was sent.
    table.take_back(2, "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1");
    table.plays("e7e5");
    table.made("g1f3");
    assert_eq!(client.list(), "e4 e5 Nf3");
    // Who sets up now gets what is completed at once, and the rest when it has stood.
    let mut other = Client::new(served.address);
    served.livechess.catch_up();
    other.subscribe("30017");
    assert_eq!(other.setup(START)["san"], serde_json::json!(["e4", "e5"]));
    assert_eq!(other.list(), "e4 e5 Nf3");
}

#[test]
fn what_is_taken_back_stays_sent_and_the_list_goes_on_where_the_same_moves_come_again() {
    let served = Served::new();
    let mut table = served.game("1", "30017");
    let mut client = following(&served, "30017", START);
    table.plays("e2e4 e7e5 g1f3");
    for list in ["e4", "e4 e5", "e4 e5 Nf3"] {
        assert_eq!(client.list(), list);
    }
    table.take_back(3, AFTER_E4_E5);
    no_list(&served, &mut client);
    table.plays("g1f3");
    no_list(&served, &mut client);
    table.plays("b8c6");
    assert_eq!(client.list(), "e4 e5 Nf3 Nc6");
}

#[test]
fn another_move_in_place_of_a_sent_one_stops_the_list_until_the_client_sets_up_anew() {
    let served = Served::new();
    let mut table = served.game("1", "30017");
    let mut client = following(&served, "30017", START);
    table.plays("e2e4 e7e5 g1f3");
    assert_eq!([client.list(), client.list(), client.list()][2], "e4 e5 Nf3");
    table.take_back(3, AFTER_E4_E5);
    table.plays("f1c4 b8c6");
    no_list(&served, &mut client);
    let told = client.setup(AFTER_E4_E5);
    assert_eq!(told["san"], serde_json::json!(["Bc4", "Nc6"]));
    // Who comes later sees the truth only.
    assert_eq!(following(&served, "30017", START).setup(START)["san"], serde_json::json!(["e4", "e5", "Bc4", "Nc6"]));
}

#[test]
fn a_correction_of_a_completed_move_is_not_sent_as_that_move() {
    let served = Served::new();
    let mut table = served.game("1", "30017");
    let mut client = following(&served, "30017", START);
    table.plays("d2d3");
    assert_eq!(client.list(), "d3");
    table.say(serde_json::json!({"type": "move-revised", "ply": 1, "uci": "d2d4", "san": "d4", "was": "d2d3"}));
    no_list(&served, &mut client);
}

#[test]
fn an_illegal_move_stops_the_list_at_the_legal_prefix_until_it_is_taken_back() {
    let served = Served::new();
    let mut table = served.game("1", "30017");
    let mut client = following(&served, "30017", START);
    table.plays("e2e4");
    assert_eq!(client.list(), "e4");
    table.illegal("e8e6", "rnbq1bnr/pppppppp/4k3/8/4P3/8/PPPP1PPP/RNBQKBNR");
    table.complete(3, "d2d4", Some("d4"), "press", None);
    no_list(&served, &mut client);
    assert_eq!(following(&served, "30017", START).setup(START)["san"], serde_json::json!(["e4"]));
    table.take_back(2, "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1");
    table.plays("e7e5");
    assert_eq!(client.list(), "e4 e5");
}

#[test]
fn a_position_set_by_the_arbiter_ends_the_list_unless_it_is_the_same() {
    let served = Served::new();
    let mut table = served.game("1", "30017");
    let mut client = following(&served, "30017", START);
    table.plays("e2e4 e7e5");
    assert_eq!([client.list(), client.list()][1], "e4 e5");
    table.say(serde_json::json!({"type": "ruling", "do": "set-position", "fen": AFTER_E4_E5}));
    table.shows(AFTER_E4_E5.split(' ').next().unwrap());
    table.plays("g1f3");
    assert_eq!(client.list(), "e4 e5 Nf3");
    let other = "4k3/8/8/8/8/8/4P3/4K3 b - - 0 1";
    table.say(serde_json::json!({"type": "ruling", "do": "set-position", "fen": other}));
    table.shows("4k3/8/8/8/8/8/4P3/4K3");
    table.complete(4, "e8e7", Some("Ke7"), "press", None);
    no_list(&served, &mut client);
    // Who sets up what the arbiter set gets what is played from there.
    assert_eq!(client.setup(other)["san"], serde_json::json!(["Ke7"]));
}

#[test]
fn a_new_game_needs_a_new_setup_unless_nothing_was_sent() {
    let served = Served::new();
    let mut table = served.game("1", "30017");
    let mut played = following(&served, "30017", START);
    table.plays("e2e4");
    assert_eq!(played.list(), "e4");
    let mut waits = Client::new(served.address);
    served.livechess.catch_up();
    waits.subscribe("30017");
    assert_eq!(waits.setup("8/8/8/4k3/8/8/8/4K2R w K - 0 1")["match"], false);
    table.say(serde_json::json!({"type": "result", "result": "1-0", "reason": "resigned", "source": "operator"}));
    table.start("8/8/8/4k3/8/8/8/4K2R w K - 0 1");
    table.plays("e1g1");
    assert_eq!(waits.list(), "O-O");
    no_list(&served, &mut played);
}

#[test]
fn castling_en_passant_and_promotion_are_written_as_chess_players_do() {
    let served = Served::new();
    let mut table = served.game("1", "30017");
    let mut client = following(&served, "30017", START);
    table.plays("e2e4 a7a6 e4e5 d7d5 e5d6 a6a5 d6c7 a5a4 c7b8n a8b8 g1f3 a4a3 f1e2 a3b2 e1g1 b2c1q d1c1");
    let last = (0..17).map(|_| client.list()).last().unwrap();
    assert_eq!(last, "e4 a6 e5 d5 exd6 a5 dxc7 a4 cxb8=N Rxb8 Nf3 a3 Be2 axb2 O-O bxc1=Q Qxc1");
}

#[test]
fn chess960_castles_by_king_and_rook() {
    let served = Served::new();
    let mut table = served.board("1");
    table.up("960");
    let start = "bnrkrbqn/pppppppp/8/8/8/8/PPPPPPPP/BNRKRBQN w KQkq - 0 1";
    table.start(start);
    let mut client = following(&served, "960", &start.replace("KQkq", "qECk"));
    table.plays("b1a3 a7a6 d2d3 b7b6");
    let told = (0..4).map(|_| client.list()).last().unwrap();
    assert_eq!(told, "Na3 a6 d3 b6");
    table.plays("d1c1");
    assert_eq!(client.list(), "Na3 a6 d3 b6 O-O-O");
}

#[test]
fn a_position_beside_the_game_is_played_on_for_this_feed_only() {
    let served = Served::new();
    let mut table = served.game("1", "30017");
    table.plays("e2e4");
    table.say(serde_json::json!({"type": "result", "result": "1/2-1/2", "reason": "agreed", "source": "operator"}));
    table.shows("4k3/8/8/8/8/8/4P3/4K3");
    let mut client = following(&served, "30017", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1");
    let mut other = following(&served, "30017", START);
    table.shows("4k3/8/8/8/8/8/8/4K3");
    table.shows("4k3/8/8/8/4P3/8/8/4K3");
    table.shows("8/4k3/8/8/4P3/8/8/4K3");
    table.shows("8/4k3/8/8/4P3/4K3/8/8");
    assert_eq!(client.list(), "e4");
    assert_eq!(client.list(), "e4 Ke7");
    no_list(&served, &mut other);
    assert_eq!(served.moves(1, 1).len(), 1, "the game never heard of it");
}

#[test]
fn an_old_result_ends_no_game_and_one_that_was_wrong_costs_no_move() {
    let served = Served::new();
    let mut table = served.board("1");
    table.up("30017");
    let start = |number: u32| serde_json::json!({"type": "game-start", "game": number, "fen": START, "rules": "fide-2023", "play": "blitz", "time_control": "180+2", "chess960": false});
    let result = |number: u32, result: &str, reason: &str| serde_json::json!({"type": "result", "game": number, "result": result, "reason": reason, "source": "operator"});
    table.stands();
    table.say(start(2));
    served.livechess.catch_up();
    let mut client = Client::new(served.address);
    client.subscribe("30017");
    client.setup(START);
    table.plays("e2e4");
    table.say(result(1, "1-0", "entered"));
    table.plays("e7e5");
    table.say(result(2, "0-1", "entered"));
    table.say(result(2, "*", "reopened"));
    table.plays("g1f3");
    served.livechess.catch_up();
    let lists: Vec<String> = client.rest().iter().filter_map(|frame| Some(frame["param"]["san"].as_array()?.len().to_string())).collect();
    assert_eq!(lists, ["1", "2", "3"], "one frame a move, and no move lost");
    let (pairing, game) = served.until(1, |pairing, game| game["moves"].as_array().unwrap().len() == 3 && pairing["live"] == true);
    assert_eq!((&pairing["result"], &game["result"]), (&serde_json::Value::Null, &serde_json::Value::Null));
}

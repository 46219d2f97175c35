//! Clients that build typed records: one key too many or too few is an error, and so is a number with a decimal point.
use super::client::{Client, get, request};
use super::table::{START, Served};
use serde::Deserialize;
use serde_json::Value;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(dead_code, reason = "a typed client reads them all")]
struct EBoard {
    serialnr: String,
    #[serde(deserialize_with = "there")]
    source: Option<String>,
    #[serde(deserialize_with = "there")]
    state: Option<String>,
    #[serde(deserialize_with = "there")]
    battery: Option<String>,
    #[serde(deserialize_with = "there")]
    comment: Option<String>,
    #[serde(deserialize_with = "there")]
    board: Option<String>,
    flipped: bool,
    #[serde(deserialize_with = "there")]
    clock: Option<Clock>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(dead_code, reason = "a typed client reads them all")]
struct Clock {
    white: i64,
    black: i64,
    #[serde(deserialize_with = "there")]
    run: Option<bool>,
    time: i64,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(dead_code, reason = "a typed client reads them all")]
struct Source {
    r#type: String,
    device: String,
    #[serde(deserialize_with = "there")]
    name: Option<String>,
    present: bool,
    active: bool,
    #[serde(deserialize_with = "there")]
    status: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(dead_code, reason = "a typed client reads them all")]
struct TournamentEntry {
    uuid: String,
    description: String,
    rounds: u32,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(dead_code, reason = "a typed client reads them all")]
struct Tournament {
    uuid: String,
    name: String,
    #[serde(deserialize_with = "there")]
    description: Option<String>,
    #[serde(deserialize_with = "there")]
    location: Option<String>,
    #[serde(deserialize_with = "there")]
    country: Option<String>,
    rounds: u32,
    eboards: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(dead_code, reason = "a typed client reads them all")]
struct Round {
    nr: u32,
    #[serde(deserialize_with = "there")]
    date: Option<String>,
    pairings: Vec<Pairing>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(dead_code, reason = "a typed client reads them all")]
struct Pairing {
    nr: u32,
    uuid: String,
    #[serde(deserialize_with = "there")]
    white: Option<Player>,
    #[serde(deserialize_with = "there")]
    black: Option<Player>,
    live: bool,
    #[serde(deserialize_with = "there")]
    result: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(dead_code, reason = "a typed client reads them all")]
struct Player {
    #[serde(deserialize_with = "there")]
    fname: Option<String>,
    #[serde(deserialize_with = "there")]
    mname: Option<String>,
    #[serde(deserialize_with = "there")]
    lname: Option<String>,
    #[serde(deserialize_with = "there")]
    title: Option<String>,
    #[serde(deserialize_with = "there")]
    federation: Option<String>,
    #[serde(deserialize_with = "there")]
    gender: Option<String>,
    #[serde(deserialize_with = "there")]
    fideid: Option<u64>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Game {
    chess960: i64,
    #[serde(deserialize_with = "there")]
    result: Option<String>,
    #[serde(deserialize_with = "there")]
    comment: Option<String>,
    #[serde(deserialize_with = "there")]
    clock: Option<Clock>,
    moves: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(dead_code, reason = "a typed client reads them all")]
struct Feed {
    serialnr: String,
    flipped: bool,
    board: Option<String>,
    clock: Option<Clock>,
    start: Option<String>,
    san: Option<Vec<String>>,
    r#match: Option<bool>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(dead_code, reason = "a typed client reads them all")]
struct Frame<T> {
    response: String,
    id: u64,
    param: T,
    time: u64,
}

/// A key that may be null, and may not be missing: serde takes a missing `Option` for null only without this.
fn there<'de, D: serde::Deserializer<'de>, T: Deserialize<'de>>(from: D) -> Result<Option<T>, D::Error> {
    Option::deserialize(from)
}

fn typed<T: for<'de> Deserialize<'de>>(value: &Value) -> T {
    serde_json::from_value(value.clone()).unwrap_or_else(|error| panic!("{error}: {value}"))
}

#[test]
fn a_missing_key_would_be_noticed() {
    assert!(serde_json::from_str::<Clock>(r#"{"white":1,"black":1,"time":1}"#).is_err());
    assert!(serde_json::from_str::<Clock>(r#"{"white":1.0,"black":1,"run":null,"time":1}"#).is_err());
    assert!(serde_json::from_str::<Clock>(r#"{"white":1,"black":1,"run":null,"time":1,"more":1}"#).is_err());
}

#[test]
fn every_object_has_its_keys_and_no_other() {
    let served = Served::new();
    let mut table = served.game("1", "30017");
    drop(served.board("3"));
    table.clock(300, 299, "white");
    table.plays("e2e4 e7e5");
    served.livechess.catch_up();
    let mut client = Client::new(served.address);
    client.send(r#"{"id":1,"call":"eboards"}"#);
    let boards: Frame<Vec<EBoard>> = typed(&client.json());
    assert_eq!(boards.param[0].clock.as_ref().map(|clock| (clock.white, clock.black, clock.run)), Some((300, 299, Some(true))));
    client.send(r#"{"id":1,"call":"sources"}"#);
    typed::<Frame<Vec<Source>>>(&client.json());
    client.subscribe("30017");
    client.setup(START);
    table.clock(298, 299, "black");
    table.plays("g1f3");
    served.livechess.catch_up();
    let frames = client.rest();
    assert!(frames.len() >= 3, "{frames:?}");
    for frame in frames {
        typed::<Frame<Feed>>(&frame);
    }

    served.moves(1, 3);
    typed::<Vec<EBoard>>(&get(served.address, "eboards"));
    let tournaments = get(served.address, "tournaments");
    assert_eq!(typed::<Vec<TournamentEntry>>(&tournaments).len(), 1);
    let uuid = tournaments[0]["uuid"].as_str().unwrap();
    let tournament: Tournament = typed(&get(served.address, &format!("tournament/{uuid}")));
    assert_eq!(tournament.rounds, 1);
    let round: Round = typed(&get(served.address, &format!("round/{uuid}/0")));
    assert_eq!(round.pairings.len(), 2);
    for pairing in &round.pairings {
        let game: Game = typed(&get(served.address, &format!("game/{}", pairing.uuid)));
        assert_eq!((game.chess960, game.result, game.comment), (518, None, None));
        let clock = game.clock.map(|clock| clock.white);
        let (moves, shown) = if pairing.nr == 1 { (3, Some(298)) } else { (0, None) };
        assert_eq!((game.moves.len(), clock), (moves, shown));
        assert!(pairing.white.as_ref().and_then(|player| player.lname.as_ref()).is_some(), "no player is nameless");
    }
}

#[test]
fn every_serial_of_a_tournament_is_among_the_boards() {
    let served = Served::new();
    drop(served.game("1", "30001"));
    drop(served.board("4"));
    let mut gone = served.game("2", "30002");
    gone.say(serde_json::json!({"type": "link", "state": "down", "reason": "unplugged or switched off"}));
    served.livechess.catch_up();
    served.until(3, |_, _| true);
    let tournament: Tournament = typed(&get(served.address, &format!("tournament/{}", served.tournament())));
    assert_eq!(tournament.eboards, ["30001", "30002", "4"]);
    let boards: Vec<EBoard> = typed(&get(served.address, "eboards"));
    for serial in &tournament.eboards {
        let board = boards.iter().find(|board| board.serialnr == *serial).unwrap_or_else(|| panic!("{serial}"));
        let state = (board.state.as_deref(), board.source.is_some());
        assert_eq!(state, if serial == "30001" { (Some("ACTIVE"), true) } else { (Some("INACTIVE"), false) }, "{serial}");
    }
    assert_eq!(boards[0].serialnr, "30001");
}

#[test]
fn rounds_are_counted_from_0_and_what_is_not_there_is_404() {
    let served = Served::new();
    drop(served.game("1", "30001"));
    served.until(1, |_, _| true);
    let uuid = served.tournament();
    let round: Round = typed(&get(served.address, &format!("round/{uuid}/0")));
    assert_eq!((round.nr, round.pairings[0].nr), (1, 1));
    for path in [
        format!("round/{uuid}/1"),
        format!("round/{uuid}/-1"),
        format!("round/{uuid}/x"),
        String::from("round/none/0"),
        String::from("tournament/none"),
        String::from("tournament/%ff"),
        String::from("game/none"),
        String::from("nothing"),
    ] {
        let (status, _, body) = request(served.address, "GET", &format!("/api/v1.0/{path}"), "");
        assert_eq!(status, 404, "{path}: {body}");
    }
    assert_eq!(request(served.address, "POST", "/api/v1.0/eboards", "").0, 405);
    assert_eq!(request(served.address, "GET", "/api/v1.0", "").0, 426);
}

#[test]
fn the_last_move_always_has_its_number_and_bare_ones_were_recovered() {
    let served = Served::new();
    let mut table = served.game("1", "30001");
    table.plays("e2e4 e7e5");
    assert_eq!(served.moves(1, 2), ["e4 300+5", "e5 290+5"]);
    table.made("g1f3");
    table.complete(3, "g1f3", Some("Nf3"), "recovered", None);
    let recovered = served.moves(1, 3)[2].clone();
    assert!(recovered.strip_prefix("Nf3 ").is_some_and(|number| number.trim_start_matches('+').parse::<u32>().is_ok()), "{recovered}");
    table.plays("b8c6");
    assert_eq!(served.moves(1, 4)[2..], ["Nf3", "Nc6 290+5"]);
    table.say(serde_json::json!({"type": "result", "result": "0-1", "reason": "resigned", "source": "operator"}));
    let (pairing, game) = served.until(1, |pairing, _| pairing["live"] == false);
    assert_eq!((&pairing["result"], &game["result"], &game["clock"]), (&"BLACKWIN".into(), &"BLACKWIN".into(), &Value::Null));
}

#[test]
fn two_boards_with_one_serial_number_are_two_boards() {
    let served = Served::new();
    drop(served.game("1", "24680"));
    drop(served.game("2", "24680"));
    served.livechess.catch_up();
    let boards: Vec<EBoard> = typed(&get(served.address, "eboards"));
    assert_eq!(boards.iter().map(|board| board.serialnr.as_str()).collect::<Vec<_>>(), ["24680", "2"]);
}

#[test]
fn a_feed_follows_its_e_board_to_another_table() {
    let served = Served::new();
    let mut first = served.game("1", "30001");
    let mut second = served.board("2");
    served.livechess.catch_up();
    let mut client = Client::new(served.address);
    client.subscribe("30001");
    first.say(serde_json::json!({"type": "link", "state": "down", "reason": "unplugged or switched off"}));
    second.shows("4k3/8/8/8/8/8/8/4K3");
    second.up("30001");
    let moved = client.json();
    assert_eq!((&moved["param"]["serialnr"], &moved["param"]["board"]), (&"30001".into(), &"4k3/8/8/8/8/8/8/4K3".into()));
    first.shows("8/8/8/8/8/8/8/8");
    second.shows("4k3/8/8/8/8/8/8/3K4");
    assert_eq!(client.json()["param"]["board"], "4k3/8/8/8/8/8/8/3K4");
    served.livechess.catch_up();
    assert_eq!(client.rest(), Vec::<Value>::new());
}

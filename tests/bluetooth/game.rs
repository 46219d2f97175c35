//! A whole game on a board that tells only where pieces stand.
use super::bluez::BlueZ;
use super::board::Board;
use super::bus::Bus;
use super::daemon::{Daemon, KEY};
use dgt_protocol::pegasus::Leds;
use flagfall_simulator::pegasus::Quirks;
use serde_json::json;

/// Taking in passing, a promotion that takes, castling on both sides.
const GAME: &str = "1.e4 Nf6 2.e5 d5 3.exd6 g6 4.dxc7 Bg7 5.cxb8=Q O-O 6.Qe5 Bd7 7.Nf3 Re8 8.Be2 Bc6 9.O-O 1-0";
const PLAYED: &str = "e2e4 g8f6 e4e5 d7d5 e5d6 g7g6 d6c7 f8g7 c7b8q e8g8 b8e5 c8d7 g1f3 f8e8 f1e2 d7c6 e1g1";

pub(crate) fn quirks() -> Quirks {
    Quirks { key: Some(KEY.parse().unwrap()), ..Quirks::default() }
}

fn config(more: &str) -> String {
    format!("{more}\n[ble]\n[discovery]\nserial = false\n[[board]]\nname = \"1\"\nlink = \"ble:AA:BB:CC:DD:EE:01\"\n")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_whole_game_is_read_through_two_broken_links_and_its_promotion_is_asked_for() {
    let Some(bus) = Bus::start() else { return };
    let bluez = BlueZ::start(&bus).await;
    let board = bluez.add(Board::new(1, GAME, quirks()));
    let mut daemon = Daemon::start(&bus, &config("queen_after = \"10m\"")).await;
    daemon.until_up(1).await;
    daemon.until("ply", |d| d.events("move-made").iter().any(|e| e["ply"].as_u64() >= Some(3)).then_some(())).await;
    // A piece in the air, twice. What the first break hid may stay open for long: the board knows how far its game is.
    for (ply, up) in [(3, 2), (12, 3)] {
        let played = || {
            let (now, state) = (board.stopwatch.now().millis(), board.state());
            state.pegasus.device().games().first().map_or(0, |game| game.plies.iter().filter(|ply| ply.last_down <= now).count())
        };
        daemon.until("ply on the board", |_| (played() >= ply).then_some(())).await;
        let pieces = || board.state().pegasus.device().physical().iter().filter(|p| !p.is_empty()).count();
        // One may be in the air already: then it comes down first.
        let mut standing = 0;
        let mut in_the_air = || {
            let now = pieces();
            standing = standing.max(now);
            now < standing
        };
        daemon.until("piece in the air", |_| in_the_air().then_some(())).await;
        bluez.hang_up(&board).await;
        daemon.until_up(up).await;
    }
    let asked = daemon.until("question", |d| d.events("promotion").first().cloned()).await;
    assert_eq!((asked["state"].as_str(), asked["square"].as_str(), asked["ply"].as_u64()), (Some("asked"), Some("b8"), Some(9)));
    let b8 = |leds: &Leds| leds.squares().iter().map(ToString::to_string).eq([String::from("b8")]);
    daemon.until("light on b8", |_| board.state().pegasus.leds().iter().any(b8).then_some(())).await;
    assert_eq!(daemon.enter("1", &json!({"do": "promote", "piece": "queen", "who": "Anna"})).0, 200);
    daemon.until("end of the game", |d| (d.completed().len() >= 17).then_some(())).await;
    assert_eq!(daemon.completed().join(" "), PLAYED);
    daemon.until("dark b8", |_| (board.state().pegasus.leds().last() == Some(&Leds::Off)).then_some(())).await;
    assert_eq!(daemon.enter("1", &json!({"do": "promote", "piece": "queen"})).0, 422, "nothing is asked any more");
    // What the broken links hid may be assumed (d7-d6 or d7-d5 and e5xd6 in passing); what was answered is not.
    let promoted = daemon.events("move-completed").into_iter().find(|e| e["ply"] == 9).unwrap();
    assert!(promoted["assumed"].is_null(), "{promoted:#}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_pawn_that_nobody_names_is_a_queen_after_a_while_and_is_marked_so() {
    let Some(bus) = Bus::start() else { return };
    let bluez = BlueZ::start(&bus).await;
    bluez.add(Board::new(1, "1.e4 d5 2.exd5 c6 3.dxc6 Nf6 4.cxb7 Bd7 5.bxa8=Q 1-0", quirks()));
    let mut daemon = Daemon::start(&bus, &config("queen_after = \"2s\"")).await;
    daemon.until("last move", |d| (d.completed().len() >= 9).then_some(())).await;
    let last = daemon.events("move-completed").into_iter().find(|e| e["ply"] == 9).unwrap();
    assert_eq!((last["uci"].as_str(), last["assumed"].as_bool()), (Some("b7a8q"), Some(true)));
    let states: Vec<_> = daemon.events("promotion").iter().map(|e| e["state"].as_str().unwrap().to_owned()).collect();
    assert_eq!(states, ["asked", "assumed"]);
    // The arbiter has seen a knight.
    let (status, said) = daemon.enter("1", &json!({"do": "promote", "piece": "knight"}));
    assert_eq!(status, 200, "{said}");
    let revised = daemon.until("correction", |d| d.events("move-revised").pop()).await;
    assert_eq!((revised["ply"].as_u64(), revised["uci"].as_str(), revised["was"].as_str()), (Some(9), Some("b7a8n"), Some("b7a8q")));
}

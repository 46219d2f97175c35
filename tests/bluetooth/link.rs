//! What BlueZ really does, one behaviour a test.
use super::bluez::BlueZ;
use super::board::{Board, Habits};
use super::bus::Bus;
use super::daemon::Daemon;
use super::game::quirks;
use flagfall_simulator::pegasus::Quirks;

const MOVES: &str = "1.e4 e5 2.Nf3 Nc6 1-0";
const NAMED: &str = "[ble]\n[discovery]\nserial = false\n[[board]]\nname = \"1\"\nlink = \"ble:AA:BB:CC:DD:EE:01\"\n";

#[tokio::test(flavor = "multi_thread")]
async fn a_board_is_found_unlocked_read_and_let_go_at_the_end() {
    let Some(bus) = Bus::start() else { return };
    let bluez = BlueZ::start(&bus).await;
    let board = bluez.add(Board::new(1, MOVES, quirks()));
    let mut daemon = Daemon::start(&bus, NAMED).await;
    daemon.until_up(1).await;
    daemon.until("moves", |d| (d.completed().len() >= 4).then_some(())).await;
    assert_eq!(daemon.completed().join(" "), "e2e4 e7e5 g1f3 b8c6");
    assert!(!daemon.said().to_lowercase().contains(super::daemon::KEY), "the key is nobody's business");
    assert_eq!(daemon.terminate().await, Some(0));
    let state = board.state();
    assert!(!state.connected, "a link that is left up keeps the board from everybody");
    assert!(state.writes.iter().all(|write| write.len() <= 20));
}

#[tokio::test(flavor = "multi_thread")]
async fn notifications_cut_small_doubled_and_late_say_the_same() {
    let Some(bus) = Bus::start() else { return };
    let bluez = BlueZ::start(&bus).await;
    let board = bluez.add(Board::new(1, MOVES, Quirks { loses_updates: Some(3), ..quirks() }));
    board.state().habits = Habits { portion: 7, delay: 5, doubled: true, ..Habits::default() };
    let mut daemon = Daemon::start(&bus, NAMED).await;
    daemon.until("moves", |d| (d.completed().len() >= 4).then_some(())).await;
    assert_eq!(daemon.completed().join(" "), "e2e4 e7e5 g1f3 b8c6", "dumps repair what was lost");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_link_that_breaks_in_the_middle_of_a_dump_is_made_anew_and_read_from_its_beginning() {
    let Some(bus) = Bus::start() else { return };
    let bluez = BlueZ::start(&bus).await;
    // So slowly that no two plies are played while a link is made anew.
    let board = bluez.add(Board::thinking(1, MOVES, quirks(), 3.0));
    let mut daemon = Daemon::start(&bus, NAMED).await;
    daemon.until_up(1).await;
    // 40 of 67 bytes come; after the reconnect notifications go on by themselves, then they do not.
    for (up, resumes) in [(2, true), (3, false)] {
        board.state().habits.resumes = resumes;
        board.state().breaks_after = Some(2);
        daemon.until_up(up).await;
    }
    daemon.until("moves", |d| (d.completed().len() >= 4).then_some(())).await;
    assert_eq!(daemon.completed().join(" "), "e2e4 e7e5 g1f3 b8c6");
    let downs = daemon.events("link").into_iter().filter(|e| e["state"] == "down");
    assert!(downs.into_iter().all(|e| e["reason"].as_str().unwrap().contains("out of reach")));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_board_that_is_forgotten_and_renamed_is_found_again_by_its_address() {
    let Some(bus) = Bus::start() else { return };
    let bluez = BlueZ::start(&bus).await;
    let board = bluez.add(Board::new(1, MOVES, quirks()));
    // By its name, which counts until its address is known.
    let mut daemon = Daemon::start(&bus, &NAMED.replace("AA:BB:CC:DD:EE:01", "dgt_pegasus_00001")).await;
    daemon.until_up(1).await;
    board.state().name = String::from("Анина доска");
    board.state().habits.advertises = false;
    bluez.hang_up(&board).await;
    daemon.until("down", |d| d.events("link").iter().any(|e| e["state"] == "down").then_some(())).await;
    bluez.forget(&board).await;
    board.state().habits.advertises = true;
    daemon.until_up(2).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_connection_that_hangs_is_broken_off_and_tried_again() {
    let Some(bus) = Bus::start() else { return };
    let bluez = BlueZ::start(&bus).await;
    let board = bluez.add(Board::new(1, MOVES, quirks()));
    board.state().habits.hangs = true;
    let mut daemon = Daemon::start(&bus, NAMED).await;
    daemon.until("an attempt that was broken off", |_| (board.state().disconnects > 0).then_some(())).await;
    assert!(daemon.saying("does not answer").is_some() || daemon.until("news", |d| d.saying("does not answer")).await.contains("phone"));
    board.state().habits.hangs = false;
    daemon.until_up(1).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn bluetoothd_and_the_adapter_may_go_and_come_back() {
    let Some(bus) = Bus::start() else { return };
    let bluez = BlueZ::start(&bus).await;
    bluez.add(Board::new(1, MOVES, quirks()));
    let mut daemon = Daemon::start(&bus, NAMED).await;
    daemon.until_up(1).await;
    bluez.die().await;
    daemon.until("news", |d| d.saying("bluetoothd is not running")).await;
    bluez.rise().await;
    daemon.until_up(2).await;
    bluez.unplug().await;
    daemon.until("news", |d| d.saying("there is no Bluetooth adapter")).await;
    bluez.plug_in().await;
    daemon.until_up(3).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_bus_may_die_and_come_back() {
    let Some(mut bus) = Bus::start() else { return };
    let bluez = BlueZ::start(&bus).await;
    bluez.add(Board::new(1, MOVES, quirks()));
    let mut daemon = Daemon::start(&bus, NAMED).await;
    daemon.until_up(1).await;
    bus.kill();
    daemon.until("news", |d| d.saying("there is no system bus")).await;
    drop(bluez);
    bus.wake();
    let bluez = BlueZ::start(&bus).await;
    bluez.add(Board::new(1, MOVES, quirks()));
    daemon.until_up(2).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn boards_that_nobody_named_are_found_and_other_devices_left_alone() {
    let Some(bus) = Bus::start() else { return };
    let bluez = BlueZ::start(&bus).await;
    bluez.add(Board::new(1, MOVES, quirks()));
    let headset = bluez.add(Board::new(2, MOVES, quirks()));
    headset.state().habits.offers = false;
    let foreign = bluez.add(Board::new(3, MOVES, Quirks { main_version: Some(2), ..quirks() }));
    foreign.state().name = String::from("ChessUp");
    let mut daemon = Daemon::start(&bus, "[ble]\n[discovery]\nserial = false\nble = true\n").await;
    daemon.until_up(1).await;
    // Its serial number is its name.
    daemon.until("identity", |d| d.events("identity").iter().any(|e| e["board"] == "24680" && e["kind"] == "pegasus").then_some(())).await;
    daemon.until("an answer of the stranger", |_| (foreign.state().disconnects > 0).then_some(())).await;
    assert_eq!(headset.state().connects, 0);
    let key = |write: &Vec<u8>| write.first() == Some(&0x63);
    assert!(!foreign.state().writes.iter().any(key), "a stranger is not told the key");
    assert_eq!(daemon.events("link").len(), 1);
}

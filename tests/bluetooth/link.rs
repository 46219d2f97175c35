//! What BlueZ really does, one behaviour a test.
use super::bluez::BlueZ;
use super::board::Board;
use super::bus::Bus;
use super::daemon::Daemon;
use super::game::quirks;

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

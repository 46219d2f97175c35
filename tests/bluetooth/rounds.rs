//! Connecting and losing again and again. `FLAGFALL_ROUNDS=200 cargo test --test link bluetooth::rounds -- --nocapture` is the long form.
use super::bluez::BlueZ;
use super::board::Board;
use super::bus::Bus;
use super::daemon::Daemon;
use super::game::quirks;

#[tokio::test(flavor = "multi_thread")]
async fn rounds_of_connecting_leave_nothing_behind() {
    let Some(bus) = Bus::start() else { return };
    let rounds: usize = std::env::var("FLAGFALL_ROUNDS").ok().and_then(|n| n.parse().ok()).unwrap_or(6);
    let bluez = BlueZ::start(&bus).await;
    let board = bluez.add(Board::new(1, "1.e4 e5 1-0", quirks()));
    let mut daemon =
        Daemon::start(&bus, "[ble]\n[discovery]\nserial = false\n[[board]]\nname = \"1\"\nlink = \"ble:AA:BB:CC:DD:EE:01\"\n").await;
    daemon.until_up(1).await;
    let warm = rounds / 10;
    let mut before = (0, 0, 0);
    for round in 1..=rounds {
        if round % 7 == 0 {
            bluez.forget(&board).await;
        }
        bluez.hang_up(&board).await;
        daemon.until_up(round + 1).await;
        if round == warm.max(2) {
            before = daemon.memory();
        }
    }
    let after = daemon.memory();
    println!(
        "{rounds} rounds: memory {} kB after {} rounds, {} kB at the end; files {} and {}; threads {} and {}",
        before.0,
        warm.max(2),
        after.0,
        before.1,
        after.1,
        before.2,
        after.2
    );
    assert!(after.1 <= before.1 + 2, "files are left open: {before:?} {after:?}");
    assert!(after.2 <= before.2 + 8, "threads are left: {before:?} {after:?}");
    assert!(after.0 < before.0 + 8_192, "memory grows: {before:?} {after:?}");
    assert_eq!(daemon.terminate().await, Some(0));
    assert!(!board.state().connected);
}

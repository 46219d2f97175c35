//! Every piece that may be missing, what is said about it, and that the boards with cables are served all the same.
use super::bluez::BlueZ;
use super::board::Board;
use super::bus::Bus;
use super::daemon::{Daemon, flagfall};
use super::game::quirks;
use flagfall_simulator::games::bundled;
use flagfall_simulator::pace::Kind;
use flagfall_simulator::pty::{self, Programme};
use flagfall_simulator::stream::Options;
use std::sync::atomic::Ordering;
use tokio_util::sync::CancellationToken;

const NAMED: &str = "[ble]\n[discovery]\nserial = false\nble = true\n[[board]]\nname = \"1\"\nlink = \"ble:AA:BB:CC:DD:EE:01\"\n";
const NOWHERE: &str = "unix:path=/nonexistent/bus";

/// What `doctor` prints with this bus.
fn doctor(bus: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let devices = folder.path().join("dev");
    std::fs::create_dir(&devices).unwrap();
    let output = flagfall(folder.path(), bus, &["doctor", "--dev-dir", devices.to_str().unwrap()]).output().unwrap();
    String::from_utf8(output.stdout).unwrap()
}

/// The line in the log, and the board that is down: told as an event, or before anybody listened.
async fn reason(daemon: &mut Daemon, words: &str) {
    daemon.until(words, |d| d.saying(words)).await;
    let told = |e: &serde_json::Value| e["state"] == "down" && e["reason"].as_str().is_some_and(|reason| reason.contains(words));
    daemon.until("board that is down", |d| (d.events("link").iter().any(told) || d.began_down()).then_some(())).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_bus_it_is_said_once_and_a_board_with_a_cable_is_served() {
    let folder = tempfile::tempdir().unwrap();
    let token = CancellationToken::new();
    let options = Options { speed: 1000.0, ..Options::new(Kind::Clean, 1) };
    let play = Programme { games: vec![bundled().remove(0)], repeat: false, options, link: Some(folder.path().join("board")) };
    let port = pty::spawn(play, token.clone()).unwrap();
    let serial = format!("{NAMED}[[board]]\nname = \"2\"\nlink = \"serial:{}\"\n", port.path().display());
    let mut daemon = Daemon::at(NOWHERE, &serial).await;
    reason(&mut daemon, "there is no system bus").await;
    daemon.until("moves of the other board", |d| d.events("move-completed").iter().any(|e| e["board"] == "2").then_some(())).await;
    // Several attempts later.
    tokio::time::sleep(std::time::Duration::from_secs(3)).await;
    assert_eq!(daemon.times_said("there is no system bus"), 1, "{}", daemon.said());
    assert_eq!(daemon.terminate().await, Some(0));
    token.cancel();
    assert!(doctor(NOWHERE).contains("Bluetooth: there is no system bus; install and start it"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_daemon_that_is_not_running_is_waited_for() {
    let Some(bus) = Bus::start() else { return };
    let mut daemon = Daemon::start(&bus, NAMED).await;
    reason(&mut daemon, "bluetoothd is not running").await;
    assert!(doctor(&bus.address()).contains("sudo systemctl start bluetooth"));
    let bluez = BlueZ::start(&bus).await;
    bluez.add(Board::new(1, "1.e4 e5 1-0", quirks()));
    daemon.until_up(1).await;
    assert_eq!(daemon.times_said("bluetoothd is not running"), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_missing_adapter_is_told_and_used_when_it_is_plugged_in() {
    let Some(bus) = Bus::start() else { return };
    let bluez = BlueZ::without_adapter(&bus).await;
    let mut daemon = Daemon::start(&bus, NAMED).await;
    reason(&mut daemon, "there is no Bluetooth adapter").await;
    assert!(doctor(&bus.address()).contains("Bluetooth: there is no Bluetooth adapter; plug one in"));
    bluez.plug_in().await;
    bluez.add(Board::new(1, "1.e4 e5 1-0", quirks()));
    daemon.until_up(1).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_adapter_that_stays_off_and_one_that_is_not_there_are_told() {
    let Some(bus) = Bus::start() else { return };
    let bluez = BlueZ::start(&bus).await;
    bluez.adapter.blocked.store(true, Ordering::SeqCst);
    let mut blocked = Daemon::start(&bus, NAMED).await;
    reason(&mut blocked, "the adapter hci0 is switched off and stays off").await;
    assert!(doctor(&bus.address()).contains("sudo rfkill unblock bluetooth"));
    bluez.adapter.blocked.store(false, Ordering::SeqCst);
    let mut other = Daemon::start(&bus, &NAMED.replace("[ble]", "[ble]\nadapter = \"hci7\"")).await;
    reason(&mut other, "there is no adapter hci7").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn who_may_not_use_bluetooth_is_told_which_group_helps() {
    let Some(bus) = Bus::with_policy("<deny send_destination=\"org.bluez\"/>") else { return };
    let _bluez = BlueZ::start(&bus).await;
    let mut daemon = Daemon::start(&bus, NAMED).await;
    reason(&mut daemon, "this user may not use Bluetooth").await;
    assert!(doctor(&bus.address()).contains("usermod -aG bluetooth"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_locked_an_uncalibrated_and_a_foreign_device_are_told_apart() {
    let Some(bus) = Bus::start() else { return };
    let bluez = BlueZ::start(&bus).await;
    let wrong = flagfall_simulator::pegasus::Quirks { key: Some("999999999999".parse().unwrap()), ..quirks() };
    bluez.add(Board::new(1, "1.e4 e5 1-0", wrong));
    bluez.add(Board::new(2, "1.e4 e5 1-0", flagfall_simulator::pegasus::Quirks { uncalibrated: true, ..quirks() }));
    bluez.add(Board::new(3, "1.e4 e5 1-0", flagfall_simulator::pegasus::Quirks { main_version: Some(3), ..quirks() }));
    let three: String = (1..=3).map(|n| format!("[[board]]\nname = \"{n}\"\nlink = \"ble:AA:BB:CC:DD:EE:0{n}\"\n")).collect();
    let mut daemon = Daemon::start(&bus, &format!("[ble]\n[discovery]\nserial = false\n{three}")).await;
    for words in ["refuses the developer key", "not calibrated", "not a board of this kind"] {
        reason(&mut daemon, words).await;
    }
    let heard = doctor(&bus.address());
    assert!(heard.contains("link = \"ble:AA:BB:CC:DD:EE:01\""), "{heard}");
}

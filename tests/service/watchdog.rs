//! The watchdog is fed by the loops themselves.
use crate::manager::{Manager, kill, until};
use std::fs;
use std::process::Stdio;
use std::time::Duration;

/// Impatient, so that the test is short.
const PATIENCE: &str = "1200000";

#[test]
fn a_healthy_daemon_is_ready_says_how_things_are_and_feeds_the_watchdog() {
    let manager = Manager::new();
    manager.configure("");
    let mut service = manager.start(manager.command(&[]).env("WATCHDOG_USEC", PATIENCE));
    assert!(service.said().contains("web: http://127.0.0.1:"), "listeners stand before it is ready");
    until("the status", || manager.status() == "1 board, 1 up, 1 game on; journal ok");
    let before = manager.count("WATCHDOG=1");
    until("it is fed again and again", || manager.count("WATCHDOG=1") > before + 5);
    service.signal("TERM");
    assert!(service.wait().success());
    assert!(manager.has("STOPPING=1"));
}

#[test]
fn a_daemon_without_boards_feeds_the_watchdog_as_well() {
    let manager = Manager::new();
    fs::write(manager.config(), "[web]\nlisten = \"127.0.0.1:0\"\n[livechess]\nenabled = false\n[discovery]\nserial = false\n").unwrap();
    let _service = manager.start(manager.command(&[]).env("WATCHDOG_USEC", PATIENCE));
    until("it is fed again and again", || manager.count("WATCHDOG=1") > 5);
    assert_eq!(manager.status(), "0 boards, 0 up, 0 games on; journal ok");
}

#[test]
fn nothing_is_fed_where_nobody_asked() {
    let manager = Manager::new();
    manager.configure("");
    let _service = manager.start(&mut manager.command(&[]));
    std::thread::sleep(Duration::from_millis(500));
    assert!(!manager.has("WATCHDOG=1"));
}

#[test]
fn a_loop_that_is_stuck_is_not_fed_for_by_the_others() {
    let manager = Manager::new();
    manager.configure("");
    // Nobody reads its log: whoever says much is stuck once the pipe is full.
    let mut child = manager.command(&[]).env("WATCHDOG_USEC", PATIENCE).stderr(Stdio::piped()).spawn().unwrap();
    until("it is ready", || manager.has("READY=1"));
    until("it is fed", || manager.has("WATCHDOG=1"));
    let mistakes: String = (0..400).map(|n| format!("key{n} = \"{}\"\n", "x".repeat(200))).collect();
    fs::write(manager.config(), mistakes).unwrap();
    kill("HUP", child.id());
    until("it reads its configuration and comes to no end", || manager.has("RELOADING=1"));
    // What was stamped before counts for a while.
    std::thread::sleep(Duration::from_millis(1_000));
    manager.forget();
    std::thread::sleep(Duration::from_millis(1_500));
    let told = manager.told.lock().unwrap().clone();
    assert!(told.is_empty(), "the boards' tasks and the journal still turn, and must not feed: {told:?}");
    // Freed again, it goes on as if nothing had been.
    let mut stderr = child.stderr.take().unwrap();
    std::thread::spawn(move || std::io::copy(&mut stderr, &mut std::io::sink()));
    until("it is fed again", || manager.has("WATCHDOG=1") && manager.has("READY=1"));
    assert!(manager.status().contains("configuration refused"), "{}", manager.status());
    kill("TERM", child.id());
    assert!(child.wait().unwrap().success());
}

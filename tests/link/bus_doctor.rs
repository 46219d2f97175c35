//! What `flagfall doctor` and discovery say of a line in bus mode, and that nobody stays thrown out of it.
#![allow(clippy::unwrap_used, reason = "a test may")]
use crate::bus::{ADDRESSES, line};
use crate::started::until;
use flagfall_simulator::bus_line::LineFault;
use flagfall_simulator::bus_pty::BusHandle;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use tokio::runtime::Runtime;
use tokio_util::sync::CancellationToken;

/// A folder of devices with a line in it.
struct Hall {
    _folder: tempfile::TempDir,
    dev: PathBuf,
    runtime: Runtime,
    line: BusHandle,
    _token: tokio_util::sync::DropGuard,
}

impl Hall {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let dev = folder.path().join("dev");
        fs::create_dir(&dev).unwrap();
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
        let token = CancellationToken::new();
        let line = runtime.block_on(async { line(&dev.join("ttyUSB0"), &token) });
        Self { _folder: folder, dev, runtime, line, _token: token.drop_guard() }
    }

    fn port(&self) -> PathBuf {
        self.dev.join("ttyUSB0")
    }

    /// What the doctor answers about the line, and with which code.
    fn asked(&self) -> (Option<i32>, String) {
        said(Command::new(env!("CARGO_BIN_EXE_flagfall")).args(["doctor", "--bus"]).arg(self.port()).output().unwrap())
    }

    fn plainly(&self) -> (Option<i32>, String) {
        let mut doctor = Command::new(env!("CARGO_BIN_EXE_flagfall"));
        said(doctor.args(["doctor", "--no-bluetooth", "--dev-dir"]).arg(&self.dev).output().unwrap())
    }

    fn with(&self, fault: LineFault) -> (Option<i32>, String) {
        self.runtime.block_on(self.line.fail(fault));
        let answer = self.asked();
        self.runtime.block_on(self.line.mend());
        answer
    }
}

fn said(output: Output) -> (Option<i32>, String) {
    (output.status.code(), String::from_utf8(output.stdout).unwrap() + &String::from_utf8(output.stderr).unwrap())
}

#[test]
fn the_doctor_says_who_is_on_a_line_and_what_is_wrong_with_it() {
    let hall = Hall::new();
    let (code, text) = hall.asked();
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains("12 boards answer"), "{text}");
    for address in ADDRESSES {
        let of = |line: &&str| line.trim_start().starts_with(&format!("address = {address} "));
        let line = text.lines().find(of).unwrap_or_else(|| panic!("{address} is missing in:\n{text}"));
        assert!(line.contains("firmware 1.08") && line.contains("32 pieces") && line.contains("clock: left "), "{line}");
    }
    let (code, text) = hall.with(LineFault::Dead(3));
    assert!(code == Some(0) && text.contains("11 boards answer") && !text.contains("address = 3000"), "{text}");
    let (code, text) = hall.with(LineFault::Twice(2));
    let twice = text.lines().find(|line| line.contains("address = 17 ")).unwrap_or_default();
    assert!(code == Some(0) && twice.contains("TWO BOARDS answer to this address"), "{text}");
    for (fault, words) in [
        (LineFault::Silence, "have no power"),
        (LineFault::NoDtr, "dtr = true"),
        (LineFault::Zeros, "only 00 comes"),
        (LineFault::Ones, "only FF comes"),
    ] {
        let (code, text) = hall.with(fault);
        assert!(code == Some(69) && text.contains(words), "{fault:?}: {text}");
    }
    // Held as a program of this kind holds it, by the process of this test.
    let held = fs::File::options().read(true).write(true).open(hall.port()).unwrap();
    held.try_lock().unwrap();
    let (code, text) = hall.asked();
    let whom = format!("(process {})", std::process::id());
    assert!(code == Some(69) && text.contains("in use by ") && text.contains(&whom) && text.contains("end that program"), "{text}");
    drop(held);
    let (code, text) =
        said(Command::new(env!("CARGO_BIN_EXE_flagfall")).args(["doctor", "--bus", "/nonexistent/ttyUSB7"]).output().unwrap());
    assert!(code == Some(69) && text.contains("not there") && text.contains("plug"), "{text}");
}

/// Killed when dropped; where the test failed, its log is shown.
struct Held(std::process::Child, PathBuf);

impl Drop for Held {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("{}", fs::read_to_string(&self.1).unwrap_or_default());
        }
        _ = self.0.kill();
        _ = self.0.wait();
    }
}

fn everybody_is_in_bus_mode(hall: &Hall) {
    let (code, text) = hall.asked();
    assert!(code == Some(0) && text.contains("12 boards answer"), "{text}");
}

#[test]
fn the_doctor_tells_a_line_from_a_single_board_and_leaves_it_in_bus_mode() {
    let hall = Hall::new();
    let (code, text) = hall.plainly();
    assert_eq!(code, Some(0), "{text}");
    let link = format!("link = \"bus:{}\"", hall.port().display());
    assert!(text.contains("12 boards answer") && text.contains("address = 1025") && text.contains(&link), "{text}");
    everybody_is_in_bus_mode(&hall);
}

#[test]
fn a_line_that_nobody_named_is_told_of_and_left_in_bus_mode() {
    let hall = Hall::new();
    let home = tempfile::tempdir().unwrap();
    let log = home.path().join("log");
    let mut daemon = Command::new(env!("CARGO_BIN_EXE_flagfall"));
    daemon.args(["run", "--listen", "127.0.0.1:0", "--dev-dir"]).arg(&hall.dev).arg("--data-dir").arg(home.path().join("data")).env_clear();
    let daemon = Held(daemon.stdout(Stdio::null()).stderr(fs::File::create(&log).unwrap()).spawn().unwrap(), log.clone());
    let read = |log: &Path| fs::read_to_string(log).unwrap();
    until("the word about the line", || read(&log).contains("share this line in bus mode").then_some(()));
    let text = read(&log);
    let told = text.lines().find(|line| line.contains("share this line")).unwrap();
    assert!(told.contains("4, 5, 7, 8, 10, 12, 17, 900, 1025, 1111, 3000, 16000") && told.contains("[[bus]]"), "{told}");
    assert!(!text.contains("a board answers"), "{text}");
    drop(daemon);
    everybody_is_in_bus_mode(&hall);
}

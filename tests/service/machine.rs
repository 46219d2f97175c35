//! The machine under the service: what it tells becomes alarms and figures; a clock that is set; a root that cannot be written.
use crate::manager::{Manager, kill, until, verified};
use std::fs;
use std::path::Path;
use std::process::Command;

fn put(root: &Path, file: &str, text: &str) {
    let path = root.join(file);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

#[test]
fn heat_a_weak_supply_and_an_unknown_time_of_day_are_told_and_end() {
    let manager = Manager::new();
    manager.configure("");
    let (sys, run) = (manager.folder.path().join("sys"), manager.folder.path().join("run"));
    put(&sys, "class/thermal/thermal_zone0/temp", "83500\n");
    put(&sys, "class/thermal/thermal_zone0/type", "cpu-thermal\n");
    put(&sys, "class/hwmon/hwmon0/name", "rpi_volt\n");
    put(&sys, "class/hwmon/hwmon0/in0_lcrit_alarm", "1\n");
    fs::create_dir_all(run.join("systemd/timesync")).unwrap();
    let mut command = manager.command(&[]);
    let service = manager.start(command.arg("--sys-dir").arg(&sys).arg("--run-dir").arg(&run));
    let alarms = || service.get("/api/v1/operator/alarms").to_string();
    until("alarms", || ["machine-hot", "undervoltage", "time-unknown"].iter().all(|key| alarms().contains(key)));
    let metrics = service.text("/metrics");
    for line in ["flagfall_temperature_celsius{sensor=\"cpu-thermal 0\"} 83.5", "flagfall_undervoltage 1", "flagfall_time_known 0"] {
        assert!(metrics.lines().any(|l| l == line), "{line} is missing in\n{metrics}");
    }
    put(&sys, "class/thermal/thermal_zone0/temp", "51000\n");
    put(&run, "systemd/timesync/synchronized", "");
    until("the end of both", || !alarms().contains("machine-hot") && !alarms().contains("time-unknown"));
    assert!(service.text("/metrics").contains("flagfall_time_known 1\n"));
}

#[test]
fn a_clock_that_a_time_server_sets_is_recorded_and_the_game_goes_on_in_its_own_time() {
    let library = "/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1";
    if !Path::new(library).exists() {
        println!("skipped: a clock that is set: libfaketime is missing (apt-get install libfaketime)");
        return;
    }
    let manager = Manager::new();
    manager.configure("");
    let offset = manager.folder.path().join("offset");
    // A Pi without network: its clock is that of the last shutdown.
    fs::write(&offset, "-26h\n").unwrap();
    let start = || {
        let mut command = manager.command(&[]);
        command.env("LD_PRELOAD", library).env("FAKETIME_TIMESTAMP_FILE", &offset);
        command.envs([("FAKETIME_NO_CACHE", "1"), ("FAKETIME_DONT_FAKE_MONOTONIC", "1")]);
        manager.start(&mut command)
    };
    let mut service = start();
    let plies = |service: &crate::manager::Service| service.get("/api/v1/boards/1")["plies_completed"].as_u64().unwrap();
    until("moves", || plies(&service) > 2);
    let started = service.get("/api/v1/boards/1")["game"]["started_at"].clone();
    fs::write(&offset, "+0\n").unwrap();
    until("it is said", || service.said().contains("clock was set by"));
    assert!(service.text("/metrics").contains("flagfall_clock_sets_total 1\n"));
    let before = plies(&service);
    until("the game goes on", || plies(&service) > before + 1);
    // Killed now: the journal was begun on another day, and time must not have jumped in it.
    kill("KILL", service.id());
    service.wait();
    manager.forget();
    let mut service = start();
    let board = service.get("/api/v1/boards/1");
    assert_eq!(board["game"]["started_at"], started, "the same game");
    let before = plies(&service);
    until("the game goes on again", || plies(&service) > before + 1);
    service.signal("TERM");
    assert!(service.wait().success());
    verified(&manager.data());
    let files = flagfall::journal::store::journals(&manager.data(), "1").unwrap();
    assert_eq!(files.len(), 1, "{files:?}");
    let bytes = fs::read(&files[0]).unwrap();
    let lines = flagfall::journal::read::readable(&bytes);
    assert_eq!(lines.iter().filter(|line| line.key == "wall").count(), 1, "the clock was set once");
    let events = flagfall::journal::read::events(&bytes);
    let (first, last) = (events.first().unwrap(), events.last().unwrap());
    assert!(last.t.since(first.t) < 3_600_000, "its own time went on: {} ms", last.t.since(first.t));
    assert!(last.at.since(first.at) > 25 * 3_600_000, "times of day follow the clock: {} to {}", first.at, last.at);
}

#[test]
fn nothing_is_written_but_where_evidence_is_kept() {
    let manager = Manager::new();
    manager.configure("");
    let log = manager.folder.path().join("opened");
    let there = Command::new("strace").args(["-qq", "-o", "/dev/null", "true"]).output().is_ok_and(|output| output.status.success());
    if !there {
        println!("skipped: what is written: strace is missing or may not trace (apt-get install strace)");
        return;
    }
    let log_text = log.to_str().unwrap();
    let calls = "trace=open,openat,creat,mkdir,mkdirat,rename,renameat,renameat2,unlink,unlinkat,truncate,symlink,symlinkat,link,linkat";
    let mut service = manager.start(&mut manager.command(&["strace", "-D", "-f", "-qq", "-y", "-o", log_text, "-e", calls]));
    until("moves", || service.get("/api/v1/boards/1")["plies_completed"].as_u64() > Some(1));
    service.signal("TERM");
    assert!(service.wait().success());
    let (data, board) = (manager.data().display().to_string(), fs::canonicalize(manager.folder.path().join("board")).unwrap());
    let changes = |line: &&str| {
        let opens = line.contains(" open") && !line.contains(" openat(") || line.contains("openat(");
        !opens || ["O_WRONLY", "O_RDWR", "O_CREAT", "O_TRUNC"].iter().any(|flag| line.contains(flag))
    };
    let text = fs::read_to_string(&log).unwrap();
    let elsewhere = |line: &&str| !line.contains(&data) && !line.contains("\"/dev/") && !line.contains(board.to_str().unwrap());
    let own = format!("\"{}\"", manager.folder.path().join("board").display());
    let found: Vec<&str> =
        // A call that another thread interrupted stands on two lines, the first of which has what is asked for. `???` is where strace let a thread go.
        text.lines().filter(|line| line.contains('(') && !line.contains(" resumed>") && !line.contains(" ???(")).filter(changes).filter(elsewhere).filter(|line| !line.contains(&own)).collect();
    assert!(text.contains(&data), "{text}");
    assert!(found.is_empty(), "{found:#?}");
}

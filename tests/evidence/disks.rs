//! Disks that are full, fail, or do not answer: an alarm at once, the board goes on, and nothing is lost when it is over.
use crate::rig::{Daemon, Rig, flagfall, journal_of, stands, stands_so_far, until};
use flagfall::journal::read::events;
use flagfall_events::{AlarmState, Body};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The alarm as the journal has it, raised or cleared, each time.
fn alarms(path: &Path) -> Vec<bool> {
    let told = |body: &Body| match body {
        Body::Alarm { key, state, .. } if key.as_str() == "journal-failing" => Some(*state == AlarmState::Raised),
        _ => None,
    };
    events(&fs::read(path).unwrap()).iter().filter_map(|event| told(&event.body)).collect()
}

/// Events go on while the disk fails.
fn goes_on(daemon: &Daemon) {
    let before = daemon.seq();
    until("an event while the disk fails", || daemon.seq() > before + 2);
}

fn has_alarm(daemon: &Daemon) -> bool {
    daemon.get("/api/v1/arbiter/boards/1")["alarms"].to_string().contains("journal-failing")
}

/// A small disk in memory; unmounted when dropped.
struct SmallDisk(PathBuf);

impl SmallDisk {
    fn mount(at: PathBuf) -> Option<Self> {
        fs::create_dir_all(&at).unwrap();
        let mounted = Command::new("mount").args(["-t", "tmpfs", "-o", "size=256k", "tmpfs"]).arg(&at).output();
        mounted.is_ok_and(|output| output.status.success()).then_some(Self(at))
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("-l").arg(&self.0).status();
    }
}

#[test]
fn a_full_disk_raises_an_alarm_and_loses_nothing_when_there_is_room_again() {
    let rig = Rig::new("");
    let Some(disk) = SmallDisk::mount(rig.folder.path().join("disk")) else {
        println!("skipped: a full disk: no small disk can be mounted here (root is needed)");
        return;
    };
    let data = disk.0.join("data");
    let daemon = rig.start(&data, &[]);
    until("the game begins", || daemon.seq() > 10);
    assert_eq!(daemon.journal(), "ok");
    let filler = disk.0.join("filler");
    // It ends with the error that the disk is full.
    assert!(fs::write(&filler, vec![0; 1 << 20]).is_err());
    until("the failure is told", || daemon.journal() == "failing");
    until("the alarm", || has_alarm(&daemon));
    goes_on(&daemon);
    assert!(daemon.said().contains("make room"), "{}", daemon.said());
    fs::remove_file(&filler).unwrap();
    until("it recovers", || daemon.journal() == "ok");
    until("the alarm is cleared", || !has_alarm(&daemon));
    assert_eq!(daemon.terminate(), 0);
    let path = journal_of(&data);
    stands(&path);
    assert_eq!(alarms(&path), [true, false]);
    let numbers: Vec<u64> = events(&fs::read(&path).unwrap()).iter().map(|event| event.seq).collect();
    assert!(numbers.iter().copied().eq(1..=numbers.len() as u64), "every event, in order");
}

/// strace before the daemon, as a process beside it: the daemon's number is the one that was started.
fn strace(log: &Path, inject: &str) -> Option<Vec<String>> {
    let there = Command::new("strace").args(["-qq", "-o", "/dev/null", "true"]).output().is_ok_and(|output| output.status.success());
    if !there {
        println!("skipped: a failing sync: strace is missing or may not trace (apt-get install strace)");
        return None;
    }
    let args =
        ["strace", "-D", "-f", "-qq", "-o", log.to_str().unwrap(), "-e", "trace=fdatasync", "-e", &format!("inject=fdatasync:{inject}")];
    Some(args.map(String::from).to_vec())
}

#[test]
fn a_sync_that_fails_is_told_and_everything_is_written_again() {
    let rig = Rig::new("");
    let data = rig.folder.path().join("data");
    let Some(args) = strace(&rig.folder.path().join("log"), "error=EIO:when=3..5") else { return };
    let daemon = rig.start(&data, &args.iter().map(String::as_str).collect::<Vec<_>>());
    until("the failure is told", || daemon.said().contains("journal: "));
    until("it recovers", || daemon.journal() == "ok" && daemon.seq() > 10);
    assert_eq!(daemon.terminate(), 0);
    let path = journal_of(&data);
    stands(&path);
    assert_eq!(alarms(&path), [true, false]);
}

#[test]
fn a_disk_that_does_not_answer_stops_nobody() {
    let rig = Rig::new("");
    let data = rig.folder.path().join("data");
    let Some(args) = strace(&rig.folder.path().join("log"), "delay_enter=9000000:when=6") else { return };
    let daemon = rig.start(&data, &args.iter().map(String::as_str).collect::<Vec<_>>());
    until("the failure is told", || daemon.journal() == "failing");
    goes_on(&daemon);
    assert_eq!(daemon.journal(), "failing", "events went on while the disk did not answer");
    until("it recovers", || daemon.journal() == "ok");
    assert_eq!(daemon.terminate(), 0);
    let path = journal_of(&data);
    stands(&path);
    assert_eq!(alarms(&path), [true, false]);
}

#[test]
fn where_evidence_is_required_the_daemon_ends_when_it_cannot_be_kept() {
    let rig = Rig::new("required = true");
    let data = rig.folder.path().join("data");
    let Some(args) = strace(&rig.folder.path().join("log"), "error=ENOSPC:when=3+") else { return };
    let daemon = rig.start(&data, &args.iter().map(String::as_str).collect::<Vec<_>>());
    let said = daemon.said.clone();
    assert_eq!(daemon.ended(), 74, "{}", said.lock().unwrap());
    until("why is told", || said.lock().unwrap().contains("evidence is required and cannot be kept"));
}

#[test]
fn a_disk_that_takes_no_writes_from_the_start_does_not_keep_the_boards_from_being_read() {
    let rig = Rig::new("");
    // A file stands where the folder should be: nobody can write there, not even root.
    let data = rig.folder.path().join("data");
    fs::write(&data, "in the way").unwrap();
    let daemon = rig.start(&data, &[]);
    until("the failure is told", || daemon.journal() == "failing");
    until("the game begins", || daemon.seq() > 10);
    fs::remove_file(&data).unwrap();
    until("it recovers", || daemon.journal() == "ok");
    assert_eq!(daemon.terminate(), 0);
    stands(&journal_of(&data));
}

#[test]
fn a_folder_that_vanishes_is_an_alarm_and_recording_goes_on_when_it_is_back() {
    let rig = Rig::new("");
    let data = rig.folder.path().join("data");
    let daemon = rig.start(&data, &[]);
    until("moves", || daemon.get("/api/v1/boards/1")["plies_completed"].as_u64() >= Some(2));
    let (journals, away) = (data.join("journals"), data.join("away"));
    fs::rename(&journals, &away).unwrap();
    until("the failure is told", || daemon.journal() == "failing");
    until("the alarm", || has_alarm(&daemon));
    goes_on(&daemon);
    fs::rename(&away, &journals).unwrap();
    until("it recovers", || daemon.journal() == "ok");
    until("the alarm is over", || !has_alarm(&daemon));
    // As it is now: the daemon goes on writing.
    let copy = rig.folder.path().join("1.journal");
    fs::copy(journal_of(&data), &copy).unwrap();
    stands_so_far(&copy);
    // Removed for good: what was in it is lost, and that is said.
    fs::remove_dir_all(&journals).unwrap();
    until("the failure is told", || daemon.journal() == "failing");
    goes_on(&daemon);
    fs::create_dir(&journals).unwrap();
    until("it recovers", || daemon.journal() == "ok");
    let seq = daemon.seq();
    until("an event", || daemon.seq() > seq);
    assert_eq!(daemon.terminate(), 0);
    let (code, said, complaint) = flagfall(&["verify", journal_of(&data).to_str().unwrap()]);
    assert_eq!(code, 2, "{said}{complaint}");
    assert!(said.contains("lines were lost, events 1 to"), "{said}");
    // And whoever starts anew goes on from there.
    let daemon = rig.start(&data, &[]);
    assert!(daemon.seq() > seq);
    until("the game is read", || daemon.get("/api/v1/boards/1")["link"] == "up");
}

#[test]
fn where_evidence_is_required_a_folder_that_vanishes_ends_the_daemon() {
    let rig = Rig::new("required = true");
    let data = rig.folder.path().join("data");
    let daemon = rig.start(&data, &[]);
    until("moves", || daemon.get("/api/v1/boards/1")["plies_completed"].as_u64() >= Some(2));
    fs::remove_dir_all(data.join("journals")).unwrap();
    assert_eq!(daemon.ended(), 74);
}

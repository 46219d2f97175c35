//! The end: everything is synced within ten seconds; a second signal does not wait.
use crate::manager::{Manager, Service, kill, until, verified};
use std::path::Path;
use std::process::Command;
use std::time::Instant;

#[test]
fn a_stop_in_mid_game_leaves_journals_that_end_and_verify() {
    let manager = Manager::new();
    manager.configure("");
    let mut service = manager.start(&mut manager.command(&[]));
    until("moves", || service.get("/api/v1/boards/1")["plies_completed"].as_u64() > Some(2));
    service.signal("TERM");
    assert!(service.wait().success());
    verified(&manager.data());
    let journal = flagfall::journal::store::journals(&manager.data(), "1").unwrap().remove(0);
    let report = flagfall::journal::verify::verify(&std::fs::read(journal).unwrap(), None);
    assert!(report.ended && report.trouble.is_none(), "{report:?}");
}

/// Every write to a disk that is synced takes longer than anybody waits.
fn slow_disk(log: &Path) -> Option<Vec<String>> {
    let there = Command::new("strace").args(["-qq", "-o", "/dev/null", "true"]).output().is_ok_and(|output| output.status.success());
    if !there {
        println!("skipped: a disk that does not answer at the end: strace is missing or may not trace (apt-get install strace)");
        return None;
    }
    let args =
        ["strace", "-D", "-f", "-qq", "-o", log.to_str()?, "-e", "trace=fdatasync", "-e", "inject=fdatasync:delay_enter=60000000:when=2+"];
    Some(args.map(String::from).to_vec())
}

/// Ends the strace that holds the process: where a real disk lets a process go, strace does not.
fn release(service: &Service) {
    let status = std::fs::read_to_string(format!("/proc/{}/status", service.id())).unwrap_or_default();
    let tracer = status.lines().find_map(|line| line.strip_prefix("TracerPid:")?.trim().parse::<u32>().ok());
    tracer.filter(|id| *id > 0).iter().for_each(|id| kill("KILL", *id));
}

#[test]
fn a_disk_that_does_not_answer_does_not_hold_the_end_up_beyond_ten_seconds() {
    let manager = Manager::new();
    manager.configure("[journal]\nrequired = true\n");
    let Some(args) = slow_disk(&manager.folder.path().join("log")) else { return };
    let mut service = manager.start(&mut manager.command(&args.iter().map(String::as_str).collect::<Vec<_>>()));
    until("lines that wait for the disk", || {
        let metrics = service.text("/api/v1/operator/metrics");
        metrics.lines().any(|line| line.strip_prefix("flagfall_journal_syncs_total ").is_some_and(|n| n != "0"))
    });
    #[allow(clippy::disallowed_methods, reason = "the time it takes is what is asked")]
    let began = Instant::now();
    service.signal("TERM");
    until("it gives up", || service.said().contains("could not be ended in"));
    assert!(began.elapsed().as_secs() < 10, "{:?}", began.elapsed());
    release(&service);
    assert_eq!(service.wait().code(), Some(74), "{}", service.said());
}

#[test]
fn a_second_signal_leaves_at_once() {
    let manager = Manager::new();
    manager.configure("");
    let Some(args) = slow_disk(&manager.folder.path().join("log")) else { return };
    let mut service = manager.start(&mut manager.command(&args.iter().map(String::as_str).collect::<Vec<_>>()));
    std::thread::sleep(std::time::Duration::from_millis(1_500));
    service.signal("TERM");
    until("it stops", || manager.has("STOPPING=1"));
    service.signal("INT");
    until("it leaves", || service.said().contains("second signal"));
    release(&service);
    assert_eq!(service.wait().code(), Some(74), "{}", service.said());
}

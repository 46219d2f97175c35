//! A daemon and its journals from one start to the next.
use crate::rig::{Rig, journal_of, output, stands, until};
use flagfall::game::event::{Body, ClockSource, LinkState};
use flagfall::journal::read::events;
use flagfall::journal::verify::verify;
use std::fs;
use std::io::Write as _;
use std::os::unix::fs::PermissionsExt as _;

#[test]
fn a_second_daemon_does_not_write_into_the_same_folder() {
    let rig = Rig::new("");
    let data = rig.folder.path().join("data");
    let daemon = rig.start(&data, &[]);
    let refused = output(&rig.config, &data);
    let said = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert_eq!(refused.status.code(), Some(69), "{said}");
    assert!(said.contains("another flagfall (process ") && said.contains("--data-dir"), "{said}");
    assert_eq!(daemon.terminate(), 0);
}

#[test]
fn the_key_is_only_for_its_owner_and_stays_the_same() {
    let rig = Rig::new("");
    let data = rig.folder.path().join("data");
    for _ in 0..2 {
        let daemon = rig.start(&data, &[]);
        until("the game begins", || daemon.seq() > 3);
        assert_eq!(daemon.terminate(), 0);
    }
    assert_eq!(fs::metadata(data.join("journal.key")).unwrap().permissions().mode() & 0o777, 0o600);
    let path = journal_of(&data);
    let report = verify(&fs::read(&path).unwrap(), None);
    assert!(report.trouble.is_none() && report.restarts == 1 && report.ended, "{report:?}");
    assert!(stands(&path).contains(&report.open.unwrap().key));
}

#[test]
fn after_a_kill_the_game_goes_on_and_its_clock_is_unknown_until_it_is_read() {
    let rig = Rig::new("");
    let data = rig.folder.path().join("data");
    let daemon = rig.start(&data, &[]);
    until("two moves are completed", || daemon.get("/api/v1/boards/1")["plies_completed"].as_u64() >= Some(2));
    let before = daemon.get("/api/v1/boards/1");
    daemon.kill();
    // As a power failure leaves it.
    let path = journal_of(&data);
    let half = b"{\"n\":9999,\"t\":99999,\"in\":\"8e0005";
    fs::OpenOptions::new().append(true).open(&path).unwrap().write_all(half).unwrap();

    let daemon = rig.start(&data, &[]);
    let after = daemon.get("/api/v1/boards/1");
    assert_eq!(after["game"]["started_at"], before["game"]["started_at"], "the same game");
    assert!(after["plies_completed"].as_u64() >= before["plies_completed"].as_u64());
    assert!(daemon.said().contains("were cut off"), "{}", daemon.said());
    assert!(daemon.get("/api/v1/arbiter/boards/1")["alarms"].to_string().contains("journal-cut"));
    until("the clock is read again", || daemon.get("/api/v1/boards/1")["clock"]["source"] == "device");
    assert_eq!(daemon.terminate(), 0);
    assert!(stands(&path).contains(&format!("{} bytes were cut off", half.len())));

    let events = events(&fs::read(&path).unwrap());
    let restart = events.iter().position(|e| matches!(&e.body, Body::Link { reason: Some(why), .. } if why.contains("restarted"))).unwrap();
    assert!(matches!(events[restart].body, Body::Link { state: LinkState::Down, .. }));
    let unknown = events[restart..].iter().find_map(|e| if let Body::Clock(clock) = &e.body { Some(*clock) } else { None }).unwrap();
    assert!(unknown.source == ClockSource::None && unknown.white_ms.is_none() && unknown.running.is_none(), "{unknown:?}");
    assert!(events.windows(2).all(|pair| pair[0].seq + 1 == pair[1].seq && pair[0].t <= pair[1].t && pair[0].at <= pair[1].at));
}

#[test]
fn a_journal_damaged_while_flagfall_was_off_is_left_and_the_game_goes_on_in_a_new_one() {
    let rig = Rig::new("");
    let data = rig.folder.path().join("data");
    let daemon = rig.start(&data, &[]);
    until("two moves are completed", || daemon.get("/api/v1/boards/1")["plies_completed"].as_u64() >= Some(2));
    daemon.kill();
    let path = journal_of(&data);
    let mut bytes = fs::read(&path).unwrap();
    let clock = bytes.windows(9).position(|w| w == b"\"out\":\"41").or(bytes.windows(6).position(|w| w == b"\"out\":")).unwrap();
    bytes[clock + 7] ^= 1;
    fs::write(&path, &bytes).unwrap();
    let last = events(&bytes).last().unwrap().seq;

    let daemon = rig.start(&data, &[]);
    assert!(daemon.get("/api/v1/boards/1")["plies_completed"].as_u64() >= Some(2), "the game goes on");
    assert!(daemon.get("/api/v1/arbiter/boards/1")["alarms"].to_string().contains("journal-damaged"));
    assert_eq!(daemon.terminate(), 0);
    assert!(fs::read(&path).unwrap() == bytes, "it is evidence");
    let files = flagfall::journal::store::journals(&data, "1").unwrap();
    assert_eq!(files.len(), 2, "{files:?}");
    let report = verify(&fs::read(&files[1]).unwrap(), None);
    assert!(report.trouble.is_none(), "{report:?}");
    assert!(report.follows(&files[1]).unwrap().unwrap().contains("was damaged then"));
    assert!(report.events.unwrap().1 > last, "no number is used twice");
}

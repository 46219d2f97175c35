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
    until("what was cut is told", || daemon.said().contains("were cut off"));
    until("the alarm", || daemon.get("/api/v1/arbiter/boards/1")["alarms"].to_string().contains("journal-cut"));
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
    let sent = bytes.windows(6).position(|w| w == b"\"out\":").unwrap();
    bytes[sent + 7] ^= 1;
    fs::write(&path, &bytes).unwrap();
    let last = events(&bytes).last().unwrap().seq;

    let daemon = rig.start(&data, &[]);
    assert!(daemon.get("/api/v1/boards/1")["plies_completed"].as_u64() >= Some(2), "the game goes on");
    until("the alarm", || daemon.get("/api/v1/arbiter/boards/1")["alarms"].to_string().contains("journal-damaged"));
    assert_eq!(daemon.terminate(), 0);
    assert!(fs::read(&path).unwrap() == bytes, "it is evidence");
    let files = flagfall::journal::store::journals(&data, "1").unwrap();
    assert_eq!(files.len(), 2, "{files:?}");
    let report = verify(&fs::read(&files[1]).unwrap(), None);
    assert!(report.trouble.is_none(), "{report:?}");
    assert!(report.follows(&files[1]).unwrap().unwrap().contains("was damaged then"));
    assert!(report.events.unwrap().1 > last, "no number is used twice");
}

#[test]
fn other_settings_begin_another_journal_when_no_game_is_in_progress() {
    let rig = Rig::new("");
    let data = rig.folder.path().join("data");
    // Nobody is at the board's port: no game begins.
    let text = fs::read_to_string(&rig.config).unwrap().replace("/board\"", "/nobody\"");
    let mut seqs = Vec::new();
    for rules in ["fide-2023", "fide-2023", "fide-2018"] {
        fs::write(&rig.config, format!("rules = \"{rules}\"\n{text}")).unwrap();
        let daemon = rig.start(&data, &[]);
        until("the board is listed", || daemon.get("/api/v1/boards").as_array().is_some_and(|boards| boards.len() == 1));
        assert_eq!(daemon.terminate(), 0);
        seqs.push(flagfall::journal::store::journals(&data, "1").unwrap().len());
    }
    assert_eq!(seqs, [1, 1, 2]);
    let files = flagfall::journal::store::journals(&data, "1").unwrap();
    let report = verify(&fs::read(&files[1]).unwrap(), None);
    assert!(report.trouble.is_none(), "{report:?}");
    let open = report.open.clone().unwrap();
    assert_eq!((open.settings["rules"].as_str(), open.before.unwrap().damaged), ("fide-2018", None));
    assert_eq!(report.follows(&files[1]), Ok(None));
    // One line less in the journal before it is seen from the one after it.
    let first = fs::read_to_string(&files[0]).unwrap();
    fs::write(&files[0], first.lines().take(2).map(|line| format!("{line}\n")).collect::<String>()).unwrap();
    assert!(report.follows(&files[1]).unwrap_err().what.contains("which it follows, had"));
}

#[test]
fn journals_are_removed_when_their_time_is_over_but_never_the_newest() {
    let rig = Rig::new("keep = \"30d\"");
    let data = rig.folder.path().join("data");
    let daemon = rig.start(&data, &[]);
    until("the journal begins", || daemon.seq() > 1);
    assert_eq!(daemon.terminate(), 0);
    let path = journal_of(&data);
    let later = |days: i64| {
        let now = flagfall::time::Wall::now().timestamp();
        flagfall::time::Wall::from_timestamp(now + jiff::SignedDuration::from_hours(24 * days))
    };
    assert!(flagfall::journal::retention::clean(&data, later(100)).is_empty(), "it is the newest");
    fs::copy(&path, path.with_file_name("2999-01-01.journal")).unwrap();
    assert!(flagfall::journal::retention::clean(&data, later(29)).is_empty());
    assert_eq!(flagfall::journal::retention::clean(&data, later(32)), [path]);
}

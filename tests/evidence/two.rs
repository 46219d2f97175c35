//! A daemon and its journals from one start to the next.
use crate::rig::{Rig, flagfall, journal_of, output, stands, until};
use flagfall::journal::line::Chain;
use flagfall::journal::read::{Lines, events};
use flagfall::journal::retention::clean;
use flagfall::journal::verify::verify;
use flagfall_events::{Body, ClockSource, LinkState};
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
fn journals_are_removed_by_the_evidences_own_days_and_never_by_the_clock() {
    let rig = Rig::new("keep = \"30d\"");
    let data = rig.folder.path().join("data");
    let daemon = rig.start(&data, &[]);
    until("the journal begins", || daemon.seq() > 1);
    assert_eq!(daemon.terminate(), 0);
    let path = journal_of(&data);
    let folder = path.parent().unwrap();
    let today = flagfall::time::local_day(flagfall::time::now());
    // A journal of another day: only its header is read.
    let put = |days: i64, n: u32| {
        let day = today + jiff::Span::new().days(days);
        let text = fs::read_to_string(&path).unwrap();
        let flagfall::journal::what::What::Open(mut open) = Lines::new(text.as_bytes()).next().unwrap().unwrap().what().unwrap() else {
            panic!("no header")
        };
        open.day = day.to_string();
        let mut bytes = Vec::new();
        Chain::default().write(&mut bytes, flagfall_events::Mono::ZERO, &flagfall::journal::what::What::Open(open));
        let path = folder.join(format!("2100-01-01-{n}.journal"));
        fs::write(&path, bytes).unwrap();
        path
    };
    fs::remove_file(folder.join("2100-01-01.journal")).ok();
    // Twelve journals of an event that is on, then a clock 200 days ahead, for two days and two games each.
    let event: Vec<_> = (2..14).map(|n| put(0, n)).collect();
    for (n, days) in [(20, 200), (21, 200), (22, 201)] {
        put(days, n);
    }
    assert_eq!(clean(&data), Vec::<std::path::PathBuf>::new(), "the event in progress stays, whatever the clock says");
    // Put right again: nothing is old.
    put(1, 30);
    assert!(clean(&data).is_empty());
    // Later events, on a right clock: the first event's time is over when another two have come and the evidence is 31 days younger.
    put(20, 31);
    put(30, 32);
    assert!(clean(&data).is_empty(), "thirty days");
    put(31, 33);
    let removed = clean(&data);
    assert!(event.iter().all(|path| removed.contains(path)) && removed.contains(&path), "{removed:?}");
    assert!(folder.join("2100-01-01-31.journal").exists() && folder.join("2100-01-01-32.journal").exists());
}

#[test]
fn when_the_disk_is_short_the_oldest_finished_event_goes_first() {
    let data = tempfile::tempdir().unwrap();
    let keep = |board: &str, n: u32, day: &str, keep: &str| {
        let folder = flagfall::journal::store::folder(data.path(), board);
        fs::create_dir_all(&folder).unwrap();
        let open = format!(
            "{{\"format\":1,\"flagfall\":\"\",\"board\":\"{board}\",\"day\":\"{day}\",\"recorded_at\":\"2026-01-01T00:00:00Z\",\"seq\":0,\"settings\":{{}},\
             \"keep\":\"{keep}\",\"key\":\"\"}}"
        );
        let mut bytes = Vec::new();
        let open = flagfall::journal::what::What::Open(serde_json::from_str(&open).unwrap());
        Chain::default().write(&mut bytes, flagfall_events::Mono::ZERO, &open);
        let path = folder.join(format!("2026-01-01-{n}.journal"));
        fs::write(&path, bytes).unwrap();
        path
    };
    let forever = keep("1", 2, "2025-01-01", "forever");
    let first = [keep("1", 3, "2026-02-01", "90d"), keep("2", 3, "2026-02-02", "90d"), keep("1", 4, "2026-02-03", "90d")];
    let second = keep("2", 4, "2026-04-01", "90d");
    for board in ["1", "2"] {
        keep(board, 6, "2026-06-01", "90d");
        keep(board, 7, "2026-07-01", "90d");
    }
    let sorted = |mut paths: Vec<std::path::PathBuf>| {
        paths.sort();
        paths
    };
    let make_room = || sorted(flagfall::journal::retention::make_room(data.path()));
    assert_eq!(make_room(), sorted(first.to_vec()));
    assert_eq!(make_room(), [second]);
    assert!(make_room().is_empty() && forever.exists(), "the last two events stay, and what is to be kept for ever");
}

/// What is named like a file of ours and is none is left alone, and nobody waits for it.
#[test]
fn a_pipe_or_a_folder_in_a_files_place_does_not_hang_the_start() {
    let rig = Rig::new("");
    let data = rig.folder.path().join("data");
    let board = data.join("journals/1");
    fs::create_dir_all(board.join("2001-01-03.journal")).unwrap();
    for pipe in [board.join("2001-01-01.journal"), board.join("2099-01-01.journal"), data.join("journal.key"), data.join("event.json")] {
        let made = std::process::Command::new("mkfifo").arg(&pipe).status().unwrap();
        assert!(made.success());
    }
    let began = flagfall::time::Stopwatch::start();
    let daemon = rig.start(&data, &[]);
    until("up", || daemon.get("/api/v1/boards/1")["placement"].is_string());
    println!("with pipes in the places of its files the board is up {} ms after the start", began.now().millis());
    assert_eq!(daemon.journal(), "ok");
    daemon.terminate();
    let (code, said, complaint) = flagfall(&["verify", board.to_str().unwrap()]);
    assert_eq!(code, 2, "{said}{complaint}");
}

//! Files of ours that are damaged: they keep nobody from playing, and cost no honest journal its proof.
use crate::rig::{Rig, journal_of, stands, until, verified};
use flagfall::journal::store::journals;
use flagfall::journal::verify::verify;
use flagfall::time::Stopwatch;
use std::fs;

#[test]
fn a_damaged_key_keeps_no_board_dark_and_no_honest_journal_is_called_changed() {
    let rig = Rig::new("");
    let data = rig.folder.path().join("data");
    let daemon = rig.start(&data, &[]);
    until("two moves are completed", || daemon.get("/api/v1/boards/1")["plies_completed"].as_u64() >= Some(2));
    daemon.kill();
    let path = journal_of(&data);
    let lost = verify(&fs::read(&path).unwrap(), None).open.unwrap().key;
    fs::write(data.join("journal.key"), [0; 64]).unwrap();

    for _ in 0..2 {
        let began = Stopwatch::start();
        let daemon = rig.start(&data, &[]);
        let made = daemon.get("/api/v1/boards/1")["plies_completed"].as_u64();
        assert!(made >= Some(2), "the game goes on");
        until("it is read", || daemon.get("/api/v1/boards/1")["link"] == "up");
        println!("with a damaged key the board is read {} ms after the start, its game as it was", began.now().millis());
        until("the alarm says what was lost", || daemon.get("/api/v1/operator/alarms").to_string().contains("journal.key.damaged"));
        assert_eq!(daemon.terminate(), 0);
    }
    assert_eq!(fs::read(data.join("journal.key.damaged")).unwrap(), [0; 64]);
    let report = verify(&fs::read(&path).unwrap(), None);
    assert!(report.trouble.is_none() && report.keys.len() == 1, "{report:?}");
    assert!(stands(&path).contains("this machine had lost the one before"));
    let new = report.signer().unwrap().to_owned();
    assert_ne!(new, lost);
    // Proved by the key that was noted up to where it was lost; by the new one from there on.
    let (code, said) = verified(&lost, &path);
    assert!(code == 1 && said.contains("proved up to line"), "{code} {said}");
    assert_eq!(verified(&new, &path).0, 0);
    let (code, said) = verified(&"ab".repeat(32), &path);
    assert!(code == 2 && said.contains("which is not the one given"), "{code} {said}");
    // A reminder that was read.
    fs::remove_file(data.join("journal.key.damaged")).unwrap();
    let daemon = rig.start(&data, &[]);
    assert!(!daemon.get("/api/v1/operator/alarms").to_string().contains("journal-key-lost"));
    assert_eq!(daemon.terminate(), 0);
    assert_eq!(verify(&fs::read(&path).unwrap(), None).keys.len(), 1, "said once");
}

#[test]
fn a_journal_signed_with_a_lost_key_is_known_by_the_one_after_it() {
    let rig = Rig::new("");
    let data = rig.folder.path().join("data");
    // Nobody is at the board's port: no game begins.
    let text = fs::read_to_string(&rig.config).unwrap().replace("/board\"", "/nobody\"");
    for rules in ["fide-2023", "fide-2018"] {
        fs::write(&rig.config, format!("rules = \"{rules}\"\n{text}")).unwrap();
        let daemon = rig.start(&data, &[]);
        until("the board is listed", || daemon.get("/api/v1/boards").as_array().is_some_and(|boards| boards.len() == 1));
        assert_eq!(daemon.terminate(), 0);
        fs::remove_file(data.join("journal.key")).ok();
    }
    let files = journals(&data, "1").unwrap();
    let new = verify(&fs::read(&files[1]).unwrap(), None).signer().unwrap().to_owned();
    assert_eq!(verified(&new, &files[1]).0, 0);
    let (code, said) = verified(&new, &files[0]);
    assert!(code == 2 && said.contains("an earlier key of this machine, which is lost"), "{code} {said}");
}

#[test]
fn a_journal_of_zeros_is_an_alarm_that_says_what_was_lost() {
    let rig = Rig::new("");
    let data = rig.folder.path().join("data");
    let daemon = rig.start(&data, &[]);
    until("two moves are completed", || daemon.get("/api/v1/boards/1")["plies_completed"].as_u64() >= Some(2));
    daemon.kill();
    let path = journal_of(&data);
    for (n, bytes) in [(7, vec![0; 40_960]), (8, Vec::new())] {
        let lost = path.with_file_name(format!("2100-01-01-{n}.journal"));
        fs::write(&lost, bytes).unwrap();
    }
    let daemon = rig.start(&data, &[]);
    assert!(daemon.get("/api/v1/boards/1")["plies_completed"].as_u64() >= Some(2), "the journal before it counts");
    let alarms = || daemon.get("/api/v1/operator/alarms").to_string();
    until("the alarm", || alarms().contains("holds 40960 zeros") && alarms().contains("2100-01-01-8.journal is empty"));
    assert_eq!(daemon.terminate(), 0);
    assert_eq!(fs::read(path.with_file_name("2100-01-01-7.lost")).unwrap().len(), 40_960, "kept");
    assert!(stands(&path).contains("40960 bytes were cut off"));
}

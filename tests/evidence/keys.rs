//! Keys: exchanged for another one, kept apart from the evidence.
use crate::rig::{Rig, flagfall, journal_of, until, verified};
use flagfall::journal::verify::verify;
use std::fs;

#[test]
fn a_key_that_was_exchanged_vouches_for_the_next_and_what_was_noted_before_still_proves_everything() {
    let rig = Rig::new("");
    let data = rig.folder.path().join("data");
    let folder = data.to_str().unwrap();
    let config = rig.config.to_str().unwrap();
    let (code, _, err) = flagfall(&["key", "show", "--config", config, "--data-dir", folder]);
    assert_eq!(code, 66, "there is none yet: {err}");
    assert!(err.contains("flagfall makes one at its first start"), "{err}");
    let daemon = rig.start(&data, &[]);
    until("two moves are completed", || daemon.get("/api/v1/boards/1")["plies_completed"].as_u64() >= Some(2));
    let (code, _, err) = flagfall(&["key", "rotate", "--config", config, "--data-dir", folder]);
    assert_eq!(code, 69, "not while it runs: {err}");
    assert_eq!(daemon.terminate(), 0);
    let path = journal_of(&data);
    let old = verify(&fs::read(&path).unwrap(), None).open.unwrap().key;
    let (code, shown, err) = flagfall(&["key", "show", "--config", config, "--data-dir", folder]);
    assert!(code == 0 && shown.starts_with(&old) && shown.contains("flagfall/"), "{shown}{err}");

    for _ in 0..2 {
        let (code, said, err) = flagfall(&["key", "rotate", "--config", config, "--data-dir", folder]);
        assert!(code == 0 && said.contains("vouches for it"), "{said}{err}");
    }
    let daemon = rig.start(&data, &[]);
    assert!(daemon.get("/api/v1/boards/1")["plies_completed"].as_u64() >= Some(2), "the game goes on");
    until("it is read", || daemon.get("/api/v1/boards/1")["link"] == "up");
    let alarms = daemon.get("/api/v1/operator/alarms").to_string();
    assert!(
        !alarms.contains("journal-other-key") && !alarms.contains("journal-key-lost") && !alarms.contains("journal-refused"),
        "{alarms}"
    );
    assert_eq!(daemon.terminate(), 0);
    let report = verify(&fs::read(&path).unwrap(), None);
    assert!(report.keys.len() == 2 && report.trouble.is_none(), "{report:?}");
    let new = report.signer().unwrap().to_owned();
    for key in [&old, &new] {
        let (code, said) = verified(key, &path);
        assert!(code == 0 && said.contains("vouches for it"), "{code} {said}");
    }
    assert_eq!(verified(&"ab".repeat(32), &path).0, 2);
}

#[test]
fn a_key_apart_from_the_evidence_signs_and_no_other_is_made() {
    let rig = Rig::new("key = \"KEY\"");
    let apart = rig.folder.path().join("apart/journal.key");
    fs::create_dir(apart.parent().unwrap()).unwrap();
    let secret = "5".repeat(64);
    fs::write(&apart, format!("{secret}\n")).unwrap();
    let text = fs::read_to_string(&rig.config).unwrap();
    fs::write(&rig.config, text.replace("\"KEY\"", &format!("{apart:?}"))).unwrap();
    let data = rig.folder.path().join("data");
    let daemon = rig.start(&data, &[]);
    until("the board is listed", || daemon.get("/api/v1/boards/1").is_object());
    assert_eq!(daemon.terminate(), 0);
    assert!(!data.join("journal.key").exists());
    let (code, shown, err) = flagfall(&["key", "show", "--config", rig.config.to_str().unwrap(), "--data-dir", data.to_str().unwrap()]);
    assert_eq!(code, 0, "{err}");
    assert_eq!(verified(&shown[..64], &journal_of(&data)).0, 0);
}

//! Witnesses: what a hall has seen of a machine's journals cannot be taken back, not even by who holds the machine's key.
use crate::broker::Broker;
use crate::house::House;
use crate::rig::{Rig, flagfall, journal_of, until};
use flagfall::journal::verify::verify;
use flagfall::journal::witness;
use std::fs;

#[test]
fn an_older_copy_that_is_put_back_is_seen_by_the_machine_by_the_hall_and_by_verify() {
    let Some(broker) = Broker::start("witnesses") else { return };
    let house = House::start(&broker, "a");
    let rig = Rig::new(&format!("[nats]\nservers = [\"{}\"]\nevent = \"open\"", broker.url()));
    let data = rig.folder.path().join("data");
    let daemon = rig.start(&data, &[]);
    let seen = broker.folder.path().join("a/data/witnessed/1.notes");
    let size = |file: &std::path::Path| {
        let text = fs::read_to_string(file).unwrap_or_default();
        witness::read(&text).last().map_or(0, |(_, checkpoint)| checkpoint.size)
    };
    until("the hall has seen a checkpoint", || size(&seen) > 0);
    let path = journal_of(&data);
    let mut older = fs::read(&path).unwrap();
    older.truncate(older.iter().rposition(|byte| *byte == b'\n').unwrap() + 1);
    let lines = older.iter().filter(|byte| **byte == b'\n').count() as u64;
    // It goes on from what was seen, which is shown to the hall, and the machine is given what the hall has seen.
    let given = data.join("witnessed/1.notes");
    until("the machine has what the hall saw later", || size(&given) > lines);
    assert!(fs::read_to_string(&given).unwrap().matches('\u{2014}').count() == 2, "signed, and countersigned by the hall");
    let rolled_back = |alarms: &str| alarms.contains("journal-rolled-back");
    assert!(!rolled_back(&house.get("/api/v1/operator/alarms").unwrap().to_string()));
    assert!(!rolled_back(&daemon.get("/api/v1/operator/alarms").to_string()));
    daemon.kill();

    let whole = fs::read(&path).unwrap();
    let key = verify(&whole, None).open.unwrap().key;
    let verified = || {
        let (code, out, err) = flagfall(&["verify", "--key", &key, "--witnessed", seen.to_str().unwrap(), path.to_str().unwrap()]);
        (code, out + &err)
    };
    let (code, said) = verified();
    assert_eq!(code, i32::from(verify(&whole, Some(&key)).unsigned.is_some()), "{said}");
    // Nothing in the copy itself tells: it is proved as far as it goes.
    fs::write(&path, &older).unwrap();
    let (code, said) = verified();
    assert!(code == 65 && said.contains("were witnessed"), "{code} {said}");
    fs::remove_dir_all(data.join("witnessed")).unwrap();
    let daemon = rig.start(&data, &[]);
    until("the machine says so", || rolled_back(&daemon.get("/api/v1/operator/alarms").to_string()));
    house.until("the hall says so", |house| house.get("/api/v1/operator/alarms").is_some_and(|alarms| rolled_back(&alarms.to_string())));
    drop(daemon);
    // Another journal in its place, and the whole folder with another key.
    fs::remove_dir_all(&data).unwrap();
    let daemon = rig.start(&data, &[]);
    until("the machine misses its journal", || daemon.get("/api/v1/operator/alarms").to_string().contains("seen elsewhere, is not here"));
    drop(daemon);
    let folder = data.join("journals");
    let (code, _, said) =
        flagfall(&["verify", "--key", &key, "--witnessed", seen.parent().unwrap().to_str().unwrap(), folder.to_str().unwrap()]);
    assert!(code == 65 && said.contains("which others have seen, is not here"), "{code} {said}");
}

//! Incident reports: each carries its proof, and can be checked without the journal.
use crate::rig::{Rig, flagfall, journal_of, until};
use flagfall::journal::verify::verify;
use std::fs;
use std::path::Path;

fn verified(args: &[&str], path: &Path) -> (i32, String) {
    let (code, out, err) = flagfall(&[&["verify"], args, &[path.to_str().unwrap()]].concat());
    (code, out + &err)
}

#[test]
fn a_report_is_checked_alone_and_a_line_of_it_that_was_changed_is_found() {
    let rig = Rig::new("");
    let data = rig.folder.path().join("data");
    let daemon = rig.start(&data, &[]);
    until("two moves are completed", || daemon.get("/api/v1/boards/1")["plies_completed"].as_u64() >= Some(2));
    daemon.enter(r#"{"do":"report","key":"two-hands","by":"white","who":"Olga"}"#);
    until("the report has a receipt", || daemon.get("/api/v1/arbiter/boards/1").to_string().contains("\"receipt\":"));
    let board = daemon.get("/api/v1/arbiter/boards/1");
    let words = board["rulings"].as_array().unwrap().iter().find_map(|ruling| ruling["receipt"].as_str()).unwrap();
    let served = daemon.text(&format!("/api/v1/boards/1/evidence/{}/report?lang=en", board["findings"][0]["id"]));
    assert_eq!(daemon.terminate(), 0);
    let journal = journal_of(&data);
    let key = verify(&fs::read(&journal).unwrap(), None).open.unwrap().key;
    let alone = rig.folder.path().join("alone");
    fs::create_dir(&alone).unwrap();
    let path = alone.join("incident.html");
    let (code, report, err) = flagfall(&["export", journal.to_str().unwrap(), "--format", "incident"]);
    assert_eq!(code, 0, "{err}");

    for page in [&report, &served] {
        fs::write(&path, page).unwrap();
        let (code, said) = verified(&["--key", &key], &path);
        assert!(code == 0 && said.contains("proved to the end") && said.contains("\"who\":\"Olga\""), "{code} {said}");
        let (code, said) = verified(&[], &path);
        assert!(code == 2 && said.contains("no key was given"), "{code} {said}");
        let (code, said) = verified(&["--key", &"ab".repeat(32)], &path);
        assert!(code == 2 && said.contains(&key), "{code} {said}");
        // The words that were noted at the ruling need no key.
        let (code, said) = verified(&["--receipt", words], &path);
        assert_eq!(code, 0, "{said}");
    }
    for (was, is) in [("Olga", "Vera"), ("\\\"n\\\":1,", "\\\"n\\\":2,"), ("flagfall-journal/1/", "flagfall-journal/2/")] {
        let at = report.find("<template").unwrap();
        assert!(report[at..].contains(was), "{was}");
        fs::write(&path, report[..at].to_owned() + &report[at..].replacen(was, is, 1)).unwrap();
        let (code, said) = verified(&["--key", &key], &path);
        assert!(code == 65 && !said.contains("proved"), "{was}: {code} {said}");
    }
    // Changed with its checksum: it leads to another root.
    let (head, proof) = report.split_at(report.find("<template").unwrap());
    let line = proof.split("\",\"").find(|line| line.contains("Olga")).unwrap().replace("\\\"", "\"");
    let changed = line.replace("Olga", "Vera");
    let summed = &changed[..changed.rfind(",\"crc\"").unwrap()];
    let mended = format!("{summed},\"crc\":\"{:08x}\"}}", crc32fast::hash(summed.as_bytes()));
    let quoted = |text: &str| text.replace('"', "\\\"");
    assert!(proof.contains(&quoted(&line)), "{line}");
    fs::write(&path, head.to_owned() + &proof.replace(&quoted(&line), &quoted(&mended))).unwrap();
    let (code, said) = verified(&["--key", &key], &path);
    assert!(code == 65 && said.contains("do not lead to its checkpoint"), "{code} {said}");
    // A page without a proof is none.
    fs::write(&path, head).unwrap();
    let (code, said) = verified(&["--key", &key], &path);
    assert!(code == 65 && said.contains("carries no proof"), "{code} {said}");
}

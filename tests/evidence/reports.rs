//! Incident reports: each carries its proof, and can be checked without the journal.
use crate::rig::{Daemon, Rig, flagfall, journal_of, until};
use flagfall::journal::verify::verify;
use std::fs;
use std::path::Path;

fn verified(args: &[&str], path: &Path) -> (i32, String) {
    let (code, out, err) = flagfall(&[&["verify"], args, &[path.to_str().unwrap()]].concat());
    (code, out + &err)
}

/// The words that were given last for a ruling.
fn words(daemon: &Daemon, but: &[String]) -> Option<String> {
    let board = daemon.get("/api/v1/arbiter/boards/1");
    let mut given = board["rulings"].as_array()?.iter().filter_map(|ruling| ruling["receipt"].as_str().map(String::from));
    given.rfind(|words| !but.contains(words))
}

#[test]
fn the_receipt_of_each_ruling_proves_its_report_up_to_there() {
    let rig = Rig::new("");
    let data = rig.folder.path().join("data");
    let daemon = rig.start(&data, &[]);
    until("two moves are completed", || daemon.get("/api/v1/boards/1")["plies_completed"].as_u64() >= Some(2));
    let mut given: Vec<String> = Vec::new();
    let received = |given: &mut Vec<String>| {
        until("there is a receipt", || words(&daemon, given).is_some());
        given.push(words(&daemon, given).unwrap());
    };
    daemon.enter(r#"{"do":"report","key":"two-hands","by":"white","who":"Olga"}"#);
    received(&mut given);
    let finding = daemon.get("/api/v1/arbiter/boards/1")["findings"][0]["id"].to_string();
    for (decision, note) in [("confirm", "after a look"), ("dismiss", "after the film")] {
        daemon.enter(&format!(r#"{{"do":"rule","finding":{finding},"decision":"{decision}","who":"Vera","note":"{note}"}}"#));
        received(&mut given);
    }
    assert_eq!(daemon.terminate(), 0);
    let journal = journal_of(&data);
    let (code, report, err) = flagfall(&["export", journal.to_str().unwrap(), "--format", "incident"]);
    assert_eq!(code, 0, "{err}");
    let path = rig.folder.path().join("incident.html");
    fs::write(&path, &report).unwrap();
    for number in 1..=given.len() {
        let id = if number == 1 { String::from("proof") } else { format!("proof-{number}") };
        assert_eq!(report.matches(&format!("<template id=\"{id}\">")).count(), 1, "{id}");
    }
    // Each ruling's words prove what was entered by then, and no more.
    let parts = ["\"who\":\"Olga\"", "after a look", "after the film"];
    let mut ends = Vec::new();
    for (n, words) in given.iter().enumerate() {
        let (code, said) = verified(&["--receipt", words], &path);
        let is_last = n + 1 == given.len();
        assert_eq!(code, i32::from(!is_last), "{said}");
        assert!(said.contains(if is_last { "proved to the end" } else { "proved up to line" }), "{said}");
        assert!(parts.iter().enumerate().all(|(of, part)| said.contains(part) == (of <= n)), "{n}: {said}");
        let line =
            said.split("proved up to line ").nth(1).map(|rest| rest.split(|c: char| !c.is_ascii_digit()).next().unwrap().parse().unwrap());
        ends.push(line.unwrap_or(u64::MAX));
    }
    assert!(ends.is_sorted() && ends[0] < ends[1], "{ends:?}");
    // With the key all of it is proved, whatever words are given besides.
    let key = verify(&fs::read(&journal).unwrap(), None).open.unwrap().key;
    assert_eq!(verified(&["--key", &key, "--receipt", &given[0]], &path).0, 0);
    // A proof that is another page's, however right, is none of this one.
    let other = rig.folder.path().join("other.html");
    let at = report.find("<template id=\"proof-2\">").unwrap();
    let second = report[at..].split("</template>").next().unwrap();
    let swapped =
        report.replacen("<template id=\"proof\">", &format!("{}</template><template id=\"proof\">", second.replacen("-2", "", 1)), 1);
    fs::write(&other, swapped).unwrap();
    let (code, said) = verified(&["--key", &key], &other);
    assert!(code == 65 && said.contains("of different lines"), "{code} {said}");
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

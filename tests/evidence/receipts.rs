//! Receipts: given at a game's end and at each ruling, seen by whoever is at the board, and enough to prove the record without any key.
use crate::recording::starts;
use crate::rig::{Daemon, Rig, flagfall, journal_of, until};
use flagfall::journal::read::readable;
use flagfall::journal::store::journals;
use serde_json::Value;
use std::fs;
use std::path::Path;

fn verified(words: &str, path: &Path) -> (i32, String) {
    let (code, out, err) = flagfall(&["verify", "--receipt", words, path.to_str().unwrap()]);
    (code, out + &err)
}

fn given(daemon: &Daemon, ruling: bool) -> Option<String> {
    let board = daemon.get("/api/v1/arbiter/boards/1");
    let words = if ruling {
        board["rulings"].as_array()?.iter().find_map(|ruling| ruling["receipt"].as_str())?
    } else {
        board["game"]["receipt"].as_str()?
    };
    Some(String::from(words))
}

#[test]
fn twelve_words_prove_a_result_and_a_ruling_without_a_key_and_an_older_copy_does_not_have_them() {
    let rig = Rig::new("");
    let data = rig.folder.path().join("data");
    let daemon = rig.start(&data, &[]);
    until("two moves are completed", || daemon.get("/api/v1/boards/1")["plies_completed"].as_u64() >= Some(2));
    let path = journal_of(&data);
    daemon.enter(r#"{"do":"report","key":"two-hands","by":"white"}"#);
    until("the report has a receipt", || given(&daemon, true).is_some());
    let earlier = fs::read(&path).unwrap();
    let ruling = given(&daemon, true).unwrap();
    daemon.enter(r#"{"do":"result","result":"1-0","reason":"resignation"}"#);
    until("the result has a receipt", || given(&daemon, false).is_some());
    let words = given(&daemon, false).unwrap();
    assert_ne!(words, ruling);
    // It is public, under a number that the public has; that of the ruling is not.
    until("everybody sees it", || daemon.get("/api/v1/boards/1")["game"]["receipt"] == Value::String(words.clone()));
    assert!(daemon.text("/api/v1/boards/1/pgn").contains(&format!("[Receipt \"{words}\"]")));
    assert_eq!(daemon.terminate(), 0);

    let whole = fs::read(&path).unwrap();
    for (given, of, after) in [(&words, "result", "\"after\":\"result\""), (&ruling, "ruling", "\"after\":\"ruling\"")] {
        let (code, said) = verified(given, &path);
        assert!(
            code == 1 && said.contains("proved up to line") && said.contains("the receipt stands for lines 1 to"),
            "{of}: {code} {said}"
        );
        assert!(readable(&whole).iter().any(|line| line.key == "event" && line.value.contains(after)), "{of}");
    }
    // Words are read however they were written down, and one that was misread is named.
    assert_eq!(verified(&words.to_uppercase().replace(' ', ", "), &path).0, 1);
    let (code, said) = verified(&words.replacen(' ', "x ", 1), &path);
    assert!(code == 64 && said.contains("word 1 of the receipt"), "{code} {said}");

    // The copy of before the result: whole in itself, and the receipt is missed.
    fs::write(&path, &earlier).unwrap();
    let (code, said) = verified(&words, &path);
    assert!(code == 65 && said.contains("no journal that was given has the checkpoint"), "{code} {said}");
    assert_eq!(verified(&ruling, &path).0, 1, "that one is in it");
    // Cut off before the checkpoint that the words of the ruling stand for: others may follow it before they are told.
    let (_, said) = verified(&ruling, &path);
    let stands_for = said.split("stands for lines 1 to ").nth(1).unwrap();
    let sealed: usize = stands_for.chars().take_while(char::is_ascii_digit).collect::<String>().parse().unwrap();
    assert_eq!(readable(&earlier)[sealed].key, "checkpoint");
    fs::write(&path, &earlier[..starts(&earlier)[sealed]]).unwrap();
    assert_eq!(verified(&ruling, &path).0, 65);
}

#[test]
fn a_kill_between_result_and_receipt_costs_neither() {
    let rig = Rig::new("");
    let data = rig.folder.path().join("data");
    let daemon = rig.start(&data, &[]);
    until("two moves are completed", || daemon.get("/api/v1/boards/1")["plies_completed"].as_u64() >= Some(2));
    daemon.enter(r#"{"do":"result","result":"1/2-1/2","reason":"agreed"}"#);
    daemon.kill();
    let daemon = rig.start(&data, &[]);
    until("the result has a receipt", || given(&daemon, false).is_some());
    let words = given(&daemon, false).unwrap();
    assert_eq!(daemon.terminate(), 0);
    let files = journals(&data, "1").unwrap();
    let found = files.iter().filter(|path| verified(&words, path).1.contains("the receipt stands for lines 1 to")).count();
    assert_eq!(found, 1);
}

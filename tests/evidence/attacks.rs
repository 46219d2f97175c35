//! Every attack on a journal that the running program wrote, by somebody without and with its key: what `verify` says, what the program does at its start, what
//! a hall's notes show, and whether a receipt still holds. The rows are those of docs/evidence.md.
use crate::forged::{Loose, chained, is_signed, loose, signed_anew, stripped};
use crate::recording::Recording;
use crate::rig::{Daemon, Rig, flagfall, journal_of, until};
use flagfall::journal::checkpoint;
use flagfall::journal::key::Key;
use flagfall::journal::line::Chain;
use flagfall::journal::proof;
use flagfall::journal::verify::verify;
use flagfall::journal::what::What;
use std::fs;
use std::path::{Path, PathBuf};

/// What the program does with a journal at its start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Start {
    /// Not what was forged: it goes on from what its key has signed before.
    Refused,
    /// It goes on, and says that another key signed.
    Marked,
    /// It goes on as if nothing were wrong.
    GoesOn,
}
use Start::{GoesOn, Marked, Refused};

/// What `verify` says with the key, the start, `verify` with the hall's notes, `verify` with the receipt.
type Said = (i32, Start, i32, i32);

/// A game that was played, ruled on and ended, and what was noted of it.
struct Truth {
    rig: Rig,
    data: PathBuf,
    /// The journal's place in a data folder.
    place: PathBuf,
    whole: Vec<u8>,
    key: Key,
    receipt: String,
    notes: PathBuf,
}

impl Truth {
    fn played() -> Self {
        let rig = Rig::new("");
        let data = rig.folder.path().join("data");
        let daemon = rig.start(&data, &[]);
        until("four moves are completed", || daemon.get("/api/v1/boards/1")["plies_completed"].as_u64() >= Some(4));
        daemon.enter(r#"{"do":"report","key":"two-hands","by":"white"}"#);
        daemon.enter(r#"{"do":"result","result":"1-0","reason":"resignation"}"#);
        let receipt = || daemon.get("/api/v1/arbiter/boards/1")["game"]["receipt"].as_str().map(String::from);
        until("the result has a receipt", || receipt().is_some());
        let receipt = receipt().unwrap();
        assert_eq!(daemon.terminate(), 0);
        let path = journal_of(&data);
        let whole = fs::read(&path).unwrap();
        let notes = rig.folder.path().join("1.notes");
        fs::write(&notes, proof::sealed(&whole).iter().map(|sealed| format!("{}\n", sealed.note)).collect::<String>()).unwrap();
        let key = Key::of(&data).unwrap().key;
        Self { place: path.strip_prefix(&data).unwrap().to_owned(), rig, data, whole, key, receipt, notes }
    }

    /// In a data folder with its key.
    fn said_of(&self, forged: &Forged) -> Said {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(&self.place);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, &forged.journal).unwrap();
        let key = folder.path().join("journal.key");
        match &forged.secret {
            Some(secret) => fs::write(&key, secret).unwrap(),
            None => _ = fs::copy(self.data.join("journal.key"), &key).unwrap(),
        }
        let (public, name) = (self.key.public(), path.to_str().unwrap().to_owned());
        let asked = |args: &[&str]| flagfall(&[&["verify"], args, &[&name]].concat()).0;
        let verified = asked(&["--key", &public]);
        // Of a whole folder it is seen, too, that a journal is missing.
        let journals = folder.path().join("journals");
        let notes = self.notes.to_str().unwrap();
        let seen = flagfall(&["verify", "--key", &public, "--witnessed", notes, journals.to_str().unwrap()]).0;
        let received = asked(&["--receipt", &self.receipt]);
        (verified, self.started(folder.path()), seen, received)
    }

    fn started(&self, data: &Path) -> Start {
        let daemon: Daemon = self.rig.start(data, &[]);
        until("the board is listed", || daemon.get("/api/v1/boards/1").is_object());
        let alarms = daemon.get("/api/v1/operator/alarms").to_string();
        let start = match () {
            () if alarms.contains("journal-refused") => Refused,
            () if alarms.contains("journal-other-key") => Marked,
            () => GoesOn,
        };
        daemon.kill();
        start
    }
}

/// What somebody puts in the journal's place.
struct Forged {
    journal: Vec<u8>,
    /// In place of the machine's secret key.
    secret: Option<Vec<u8>>,
}

impl From<Vec<u8>> for Forged {
    fn from(journal: Vec<u8>) -> Self {
        Self { journal, secret: None }
    }
}

/// In these lines one text in place of another.
fn replaced(lines: &[Loose], of: impl Fn(&Loose) -> bool, was: &str, is: &str) -> Vec<Loose> {
    let mut changed = lines.to_vec();
    let mut count = 0;
    for line in changed.iter_mut().filter(|line| of(line) && line.2.contains(was)) {
        line.2 = line.2.replacen(was, is, 1);
        count += 1;
    }
    assert!(count > 0, "{was} is in no line");
    changed
}

/// The first line that differs.
fn first(lines: &[Loose], others: &[Loose]) -> usize {
    lines.iter().zip(others).position(|(one, other)| one != other).unwrap()
}

/// Everything before the checkpoint that ends this share of the lines, in hundredths, and with it.
fn beginning(lines: &[Loose], share: usize) -> Vec<Loose> {
    let end = lines[..lines.len() * share / 100].iter().rposition(is_signed).unwrap();
    lines[..=end].to_vec()
}

/// A journal with a checkpoint over all of it.
fn to_the_end(journal: &[u8], key: &Key) -> Vec<u8> {
    let mut lines = loose(journal);
    lines.push((lines.last().unwrap().0, String::from("checkpoint"), String::new()));
    signed_anew(&lines, key)
}

/// These lines, with checkpoints over others of the same number, signed with the key.
fn signed_over(lines: &[Loose], others: &[Loose], key: &Key) -> Vec<u8> {
    let log = verify(&chained(lines), None).open.and_then(|open| checkpoint::origin(&open)).unwrap();
    let (mut bytes, mut chain, mut other) = (Vec::new(), Chain::default(), Chain::default());
    for (line, (t, kind, value)) in lines.iter().zip(others) {
        let forged = What::Checkpoint(key.checkpoint(&log, &other, Vec::new()));
        if is_signed(line) {
            chain.write(&mut bytes, line.0, &forged);
        } else {
            chain.write_raw(&mut bytes, line.0, &line.1, &line.2);
        }
        other.write_raw(&mut Vec::new(), *t, kind, value);
    }
    bytes
}

/// No kill leaves more than ten seconds unsigned: less is taken over, marked.
fn taken(lines: &[Loose]) -> Start {
    let unsigned = lines.iter().rposition(is_signed).map_or(lines, |last| &lines[last + 1..]);
    let is_long = unsigned.first().zip(unsigned.last()).is_some_and(|(first, last)| last.0.since(first.0) >= 10_000);
    if is_long { Refused } else { GoesOn }
}

#[test]
fn every_attack_without_and_with_the_key_is_seen_where_the_table_says_so() {
    let truth = Truth::played();
    let lines = loose(&truth.whole);
    let key = &truth.key;
    let folder = tempfile::tempdir().unwrap();
    let other = Key::of(folder.path()).unwrap().key;
    let secret = fs::read(folder.path().join("journal.key")).unwrap();
    let by_other = |lines: &[Loose]| signed_anew(&replaced(lines, |line| line.1 == "open", &key.public(), &other.public()), &other);
    let result = replaced(&lines, |_| true, "\"result\":\"1-0\"", "\"result\":\"0-1\"");
    let is_move = |line: &Loose| line.1 == "event" && line.2.contains("\"type\":\"move-completed\"") && line.2.contains("\"ply\":1,");
    let mv = replaced(&lines, is_move, "\"legal\":true", "\"legal\":false");
    let is_clock = |line: &Loose| line.1 == "event" && line.2.contains("\"type\":\"clock\"") && !line.2.contains("\"white_ms\":null");
    let time = replaced(&lines, is_clock, "\"white_ms\":", "\"white_ms\":1");
    let ruling = replaced(&lines, |line| line.2.contains("two-hands"), "\"by\":\"white\"", "\"by\":\"black\"");
    // What was written to the board follows from nothing: no replay contradicts it.
    let written = replaced(&lines, |line| line.1 == "out", "\"", "\"00");
    // Other journals of this machine, ended as they should be.
    let old = to_the_end(&Recording::of_game(&truth.data, 7, 20), key);
    let others = to_the_end(&Recording::of_board(&truth.data, "2"), key);
    // The tail begins with the result, however much was written behind it; what stands before that is not signed.
    let tail = &lines[..lines.iter().position(|line| line.1 == "event" && line.2.contains("\"type\":\"result\"")).unwrap()];
    let tail = &tail[..=tail.iter().rposition(|line| !is_signed(line)).unwrap()];
    let (signed_tail, hour) = (beginning(tail, 100), beginning(&lines, 50));
    let changed = first(&lines, &result);
    let bare = stripped(&result, changed);
    // The first signature behind the change, and none of the later ones.
    let in_part = stripped(&result, changed + result[changed..].iter().position(is_signed).unwrap() + 1);
    // The other board's journal, with this one's name in it.
    let renamed = replaced(&loose(&others), |line| line.2.contains("\"board\":\"2\""), "\"board\":\"2\"", "\"board\":\"1\"");
    let another = to_the_end(&Recording::of_game(&truth.data, 9, 20), key);
    let without: [(&str, Forged, Said); 12] = [
        ("changes a result", chained(&result).into(), (65, Refused, 65, 65)),
        ("changes a move", chained(&mv).into(), (65, Refused, 65, 65)),
        ("changes a time", chained(&time).into(), (65, Refused, 65, 65)),
        ("changes a ruling", chained(&ruling).into(), (65, Refused, 65, 65)),
        ("strips the signatures behind a change", chained(&bare).into(), (1, taken(&bare), 65, 65)),
        ("cuts the tail", chained(&signed_tail).into(), (0, GoesOn, 65, 65)),
        ("rolls back", chained(&hour).into(), (0, GoesOn, 65, 65)),
        ("exchanges boards", others.into(), (0, Refused, 65, 65)),
        ("replays another day", old.clone().into(), (0, GoesOn, 65, 65)),
        ("forges a checkpoint", signed_anew(&result, &other).into(), (65, Refused, 65, 65)),
        ("signs with another key", by_other(&result).into(), (2, Marked, 65, 65)),
        ("replaces the whole folder", Forged { journal: by_other(&result), secret: Some(secret.clone()) }, (2, GoesOn, 65, 65)),
    ];
    let with: [(&str, Forged, Said); 14] = [
        ("changes a result", signed_anew(&result, key).into(), (0, GoesOn, 65, 65)),
        ("changes a move", signed_anew(&mv, key).into(), (65, GoesOn, 65, 65)),
        ("changes a time", signed_anew(&time, key).into(), (65, GoesOn, 65, 65)),
        ("changes a ruling", signed_anew(&ruling, key).into(), (65, GoesOn, 65, 65)),
        ("changes what was written to the board", signed_anew(&written, key).into(), (0, GoesOn, 65, 65)),
        ("strips the signatures behind a change", signed_anew(&bare, key).into(), (1, taken(&bare), 65, 65)),
        ("signs a part of a change", signed_anew(&in_part, key).into(), (1, taken(&in_part), 65, 65)),
        ("forges a checkpoint", signed_over(&result, &lines, key).into(), (65, Refused, 65, 65)),
        ("exchanges boards", signed_anew(&renamed, key).into(), (0, GoesOn, 65, 65)),
        ("cuts the tail", signed_anew(tail, key).into(), (1, GoesOn, 65, 65)),
        ("rolls back", signed_anew(&hour, key).into(), (0, GoesOn, 65, 65)),
        ("replays another day", old.into(), (0, GoesOn, 65, 65)),
        ("replaces the key", Forged { journal: truth.whole.clone(), secret: Some(secret) }, (0, Marked, 0, 1)),
        ("replaces the whole folder and keeps the key", another.into(), (0, GoesOn, 65, 65)),
    ];
    let mut wrong = Vec::new();
    for (who, rows) in [("without the key", &without[..]), ("with the key", &with[..])] {
        println!("| {who} | verify | at its start | with the hall's notes | with the receipt |\n|---|---|---|---|---|");
        for (what, forged, expected) in rows {
            let said = truth.said_of(forged);
            println!("| {what} | {} | {:?} | {} | {} |", said.0, said.1, said.2, said.3);
            if said != *expected {
                wrong.push(format!("{who}, {what}: {said:?}, not {expected:?}"));
            }
        }
    }
    // What nobody touched passes everywhere.
    assert_eq!(truth.said_of(&truth.whole.clone().into()), (0, GoesOn, 0, 1));
    assert_eq!(wrong, [""; 0]);
}

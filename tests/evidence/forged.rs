//! Somebody who means it: has the files and docs/journal.md, recomputes whatever needs no key, and has no key.
use crate::recording::{Recording, starts};
use crate::rig::{Rig, flagfall, until, verified};
use crate::second::agrees;
use flagfall::journal::checkpoint;
use flagfall::journal::key::Key;
use flagfall::journal::line::Chain;
use flagfall::journal::proof;
use flagfall::journal::read::readable;
use flagfall::journal::receipt::Receipt;
use flagfall::journal::store::journals;
use flagfall::journal::verify::{Report, verify};
use flagfall::journal::what::{KeyChange, What};
use flagfall::journal::witness;
use flagfall_events::Mono;
use rand::{Rng as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;
use std::fs;
use std::path::Path;

/// A line: when, and what it holds as JSON.
pub(crate) type Loose = (Mono, String, String);

pub(crate) fn loose(bytes: &[u8]) -> Vec<Loose> {
    readable(bytes).iter().map(|line| (line.t, String::from(line.key), String::from(line.value))).collect()
}

/// The lines with a chain of their own, every checksum right.
pub(crate) fn chained(lines: &[Loose]) -> Vec<u8> {
    let (mut bytes, mut chain) = (Vec::new(), Chain::default());
    for (t, key, value) in lines {
        chain.write_raw(&mut bytes, *t, key, value);
    }
    bytes
}

pub(crate) fn is_signed(line: &Loose) -> bool {
    matches!(line.1.as_str(), "checkpoint" | "sign")
}

/// Without the signatures from line `at` (from 0) on.
pub(crate) fn stripped(lines: &[Loose], at: usize) -> Vec<Loose> {
    let kept = |(n, line): &(usize, &Loose)| *n < at || !is_signed(line);
    lines.iter().enumerate().filter(kept).map(|(_, line)| line.clone()).collect()
}

/// A digit of a line changed to another one.
fn other_digit(value: &str, random: &mut ChaCha8Rng) -> Option<String> {
    let digits: Vec<usize> = value.bytes().enumerate().filter(|(_, b)| b.is_ascii_digit()).map(|(i, _)| i).collect();
    let at = *digits.get(random.random_range(0..digits.len().max(1)))?;
    let digit = (value.as_bytes()[at] - b'0' + random.random_range(1..=9)) % 10;
    let mut changed = String::from(value);
    changed.replace_range(at..=at, &digit.to_string());
    Some(changed)
}

/// The line of the last checkpoint before line `at`, both from 0.
fn signed_before(lines: &[Loose], at: usize) -> u64 {
    lines[..at].iter().rposition(is_signed).unwrap_or(0) as u64
}

#[test]
fn whatever_somebody_without_the_key_recomputes_nothing_passes_before_the_last_checkpoint_and_the_rest_is_named() {
    let count: usize = std::env::var("FLAGFALL_FORGERIES").ok().and_then(|n| n.parse().ok()).unwrap_or(200);
    let data = tempfile::tempdir().unwrap();
    let whole = Recording::of_game(data.path(), 5, 10);
    let key = verify(&whole, None).open.unwrap().key;
    let lines = loose(&whole);
    assert_eq!(chained(&lines), whole);
    let last = lines.iter().rposition(is_signed).unwrap();
    let mut random = ChaCha8Rng::seed_from_u64(11);
    let (mut changed, mut unsigned, mut harmless) = (0, 0, 0);
    let mut files = Vec::new();
    for _ in 0..count {
        let at = random.random_range(1..lines.len());
        let mut forged = lines.clone();
        match random.random_range(0..4) {
            0 => _ = forged.remove(at),
            1 => forged.insert(at, lines[random.random_range(1..lines.len())].clone()),
            2 => forged[at].0 = forged[at].0 + random.random_range(1..900),
            _ => match other_digit(&forged[at].2, &mut random) {
                Some(value) => forged[at].2 = value,
                None => continue,
            },
        }
        let first = (0..forged.len().min(lines.len())).find(|n| forged[*n] != lines[*n]);
        let Some(first) = first else { continue };
        if random.random() {
            forged = stripped(&forged, first);
        }
        let bytes = chained(&forged);
        let report = verify(&bytes, Some(&key));
        files.push(data.path().join(format!("{}.journal", files.len())));
        fs::write(files.last().unwrap(), &bytes).unwrap();
        if files.len() == 200 {
            agrees(Some(&key), &std::mem::take(&mut files));
        }
        match (&report.trouble, report.unsigned) {
            (Some(trouble), _) => {
                // Nothing before the change is blamed, and no signature behind it passes.
                let signed = forged.iter().skip(first + 1).position(is_signed).map_or(forged.len(), |after| first + after + 2);
                assert!((first as u64 + 1..=signed as u64).contains(&trouble.line), "line {first}: {report:?}");
                changed += 1;
            }
            (None, Some(rest)) => {
                // What is proved is as it was written; whatever was changed is not in it.
                let proved = report.proved;
                assert!(proved <= first as u64, "line {first}: {report:?}");
                assert_eq!(rest.lines, forged.len() as u64 - proved - u64::from(proved > 0), "line {first}: {report:?}");
                unsigned += 1;
            }
            (None, None) => {
                // Only what is not covered by a signature is free: nothing after the last checkpoint was left.
                assert!(first >= last, "line {first} was changed and nothing said so: {report:?}");
                harmless += 1;
            }
        }
    }
    agrees(Some(&key), &files);
    println!(
        "{count} forgeries without the key: {changed} changed, {unsigned} with their lines named as not signed, {harmless} after the last checkpoint"
    );
    assert!(changed > count / 4 && unsigned > count / 10);
}

/// The lines with a chain of their own, every checkpoint signed anew by who has the key.
pub(crate) fn signed_anew(lines: &[Loose], key: &Key) -> Vec<u8> {
    let (mut bytes, mut chain) = (Vec::new(), Chain::default());
    let log = verify(&chained(lines), None).open.and_then(|open| checkpoint::origin(&open)).unwrap();
    for (t, kind, value) in lines {
        if kind == "checkpoint" {
            let checkpoint = What::Checkpoint(key.checkpoint(&log, &chain, Vec::new()));
            chain.write(&mut bytes, *t, &checkpoint);
        } else {
            chain.write_raw(&mut bytes, *t, kind, value);
        }
    }
    bytes
}

#[test]
fn who_has_the_key_can_sign_anything_and_a_receipt_of_before_or_a_witness_shows_it() {
    let data = tempfile::tempdir().unwrap();
    let whole = Recording::of_game(data.path(), 3, 12);
    let key = Key::of(data.path()).unwrap().key;
    let lines = loose(&whole);
    let sealed = proof::sealed(&whole);
    let receipts: Vec<Receipt> = sealed.iter().map(|sealed| Receipt::of_note(&sealed.note).unwrap()).collect();
    let witnessed = witness::read(&sealed.iter().map(|sealed| format!("{}\n", sealed.note)).collect::<String>());
    assert_eq!(receipts.iter().filter(|receipt| receipt.covers(&whole).is_some()).count(), sealed.len());
    assert_eq!(witness::contradicted(&whole, &witnessed), None);
    // What was written to the board is in no replay: nothing else contradicts it.
    let at = lines.iter().position(|(_, kind, _)| kind == "out").unwrap();
    let mut forged = lines.clone();
    forged[at].2 = String::from("\"00\"");
    // One line less than was signed last.
    let cut = starts(&whole)[usize::try_from(sealed.last().unwrap().size).unwrap() - 1];
    for (bytes, what) in [(signed_anew(&forged, &key), "changed"), (whole[..cut].to_vec(), "cut off")] {
        let report = verify(&bytes, Some(&key.public()));
        assert!(report.trouble.is_none() && report.proved > 0, "{what}: it passes: {report:?}");
        let kept = receipts.iter().zip(&sealed).filter(|(receipt, _)| receipt.covers(&bytes).is_some());
        let longest = kept.map(|(_, sealed)| sealed.size).max().unwrap_or(0);
        let stands = sealed
            .iter()
            .map(|sealed| sealed.size)
            .filter(|size| if what == "changed" { *size <= at as u64 } else { *size < report.lines });
        assert_eq!(longest, stands.max().unwrap_or(0), "{what}");
        assert!(witness::contradicted(&bytes, &witnessed).is_some(), "{what}");
    }
}

/// A recorded game in a data folder, as a daemon that was killed leaves it; the public key.
fn left_by_a_kill(data: &Path) -> (std::path::PathBuf, String) {
    fs::create_dir_all(data).unwrap();
    let bytes = Recording::of_game(data, 3, 40);
    let Report { open, .. } = verify(&bytes, None);
    let open = open.unwrap();
    let folder = data.join("journals/1");
    fs::create_dir_all(&folder).unwrap();
    let path = folder.join(format!("{}.journal", open.day));
    fs::write(&path, bytes).unwrap();
    (path, open.key)
}

#[test]
fn a_journal_changed_before_its_signatures_is_set_aside_and_the_game_goes_on_from_what_was_signed() {
    let rig = Rig::new("");
    let data = rig.folder.path().join("data");
    let (path, key) = left_by_a_kill(&data);
    let mut lines = loose(&fs::read(&path).unwrap());
    let signs: Vec<usize> = lines.iter().enumerate().filter(|(_, line)| is_signed(line)).map(|(n, _)| n).collect();
    let event = lines.iter().enumerate().skip(signs[signs.len() / 2]).find(|(_, line)| line.2.contains("\"white_ms\":1")).unwrap().0;
    lines[event].2 = lines[event].2.replacen("\"white_ms\":1", "\"white_ms\":2", 1);
    let proved = signed_before(&lines, event);
    // The signatures after it are left, then taken away.
    for forged in [chained(&lines), chained(&stripped(&lines, event))] {
        fs::write(&path, &forged).unwrap();
        let daemon = rig.start(&data, &[]);
        until("the alarm", || daemon.get("/api/v1/operator/alarms").to_string().contains("journal-refused"));
        until("the next journal is there", || !journals(&data, "1").unwrap().is_empty());
        let now = journals(&data, "1").unwrap().pop().unwrap();
        assert_eq!(daemon.terminate(), 0);
        let aside = path.with_extension("refused");
        assert_eq!(fs::read(&aside).unwrap(), forged, "kept as it was found");
        let report = verify(&fs::read(&now).unwrap(), Some(&key));
        let before = report.open.as_ref().unwrap().before.clone().unwrap();
        assert_eq!(before.lines, proved + 1, "up to the last checkpoint before the change: {before:?}");
        assert_eq!(report.trouble, None);
        // The alarm stays until somebody has moved the file away.
        let daemon = rig.start(&data, &[]);
        until("the alarm", || daemon.get("/api/v1/operator/alarms").to_string().contains("journal-refused"));
        assert_eq!(daemon.terminate(), 0);
        fs::remove_file(&aside).unwrap();
        let daemon = rig.start(&data, &[]);
        until("the board is listed", || daemon.get("/api/v1/boards/1").is_object());
        assert!(!daemon.get("/api/v1/operator/alarms").to_string().contains("journal-refused"));
        assert_eq!(daemon.terminate(), 0);
        fs::remove_dir_all(data.join("journals")).unwrap();
        fs::create_dir_all(path.parent().unwrap()).unwrap();
    }
}

#[test]
fn a_tail_that_a_kill_left_is_taken_over_and_the_next_checkpoint_says_so() {
    let rig = Rig::new("");
    let data = rig.folder.path().join("data");
    let (path, key) = left_by_a_kill(&data);
    let lines = loose(&fs::read(&path).unwrap());
    let last = lines.iter().rposition(is_signed).unwrap();
    let cut = &lines[..last];
    let from = signed_before(cut, cut.len()) + 2;
    assert!(from < last as u64, "some lines follow the checkpoint before");
    fs::write(&path, chained(cut)).unwrap();
    let (code, said) = verified(&key, &path);
    assert!(code == 1 && said.contains(&format!("proved up to line {}", from - 2)) && said.contains("are not signed"), "{code} {said}");

    let daemon = rig.start(&data, &[]);
    until("the board is listed", || daemon.get("/api/v1/boards/1").is_object());
    assert!(!daemon.get("/api/v1/operator/alarms").to_string().contains("journal-refused"));
    assert_eq!(daemon.terminate(), 0);
    let (code, said) = verified(&key, &path);
    assert!(code == 0 && said.contains(&format!("found {from}-{last}: ")), "{code} {said}");
    // What nobody gave a key for is not called proved.
    let (code, said, complaint) = flagfall(&["verify", path.to_str().unwrap()]);
    assert!(code == 2 && said.contains("whole in itself") && complaint.contains("no key was given"), "{said}{complaint}");
}

#[test]
fn journals_of_two_boards_that_were_exchanged_are_refused_and_so_is_the_lie_that_the_key_was_lost() {
    let rig = Rig::new("");
    let data = rig.folder.path().join("data");
    let (path, key) = left_by_a_kill(&data);
    let whole = loose(&fs::read(&path).unwrap());
    let mut others = whole.clone();
    others[0].2 = others[0].2.replacen("\"board\":\"1\"", "\"board\":\"2\"", 1);
    // Their own key, in a journal that says that ours was lost.
    let theirs = Key::of(tempfile::tempdir().unwrap().path()).unwrap().key;
    let half = whole.iter().position(is_signed).unwrap() + 1;
    let mut lie = whole[..half].to_vec();
    let mut value = Vec::new();
    let change = What::Key(KeyChange { public: theirs.public(), lost: key, signature: None });
    Chain::default().write(&mut value, Mono::ZERO, &change);
    lie.push((lie[half - 1].0, String::from("key"), loose(&value)[0].2.clone()));
    for (forged, why) in [(others, "it is the journal of board 2"), (lie, "this machine's key was lost, and this machine has it")] {
        fs::write(&path, chained(&forged)).unwrap();
        let daemon = rig.start(&data, &[]);
        until("the alarm", || daemon.get("/api/v1/operator/alarms").to_string().contains("journal-refused"));
        until("why", || daemon.said().contains(why));
        assert_eq!(daemon.terminate(), 0);
        fs::remove_dir_all(data.join("journals")).unwrap();
        fs::create_dir_all(path.parent().unwrap()).unwrap();
    }
}

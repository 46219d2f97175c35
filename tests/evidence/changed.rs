//! Journals that were damaged or changed: detected every time, by the line.
use crate::recording::{Recording, starts};
use crate::rig::flagfall;
use crate::second::agrees;
use flagfall::journal::verify::verify;
use rand::{Rng as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

/// Flips that are tried.
const FLIPS: usize = 200;

#[test]
fn a_flipped_bit_is_found_wherever_it_is_and_its_line_is_named() {
    let data = tempfile::tempdir().unwrap();
    let whole = Recording::of_game(data.path(), 3, 6);
    let starts = starts(&whole);
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let mut files = Vec::new();
    for n in 0..FLIPS {
        let (at, bit) = (random.random_range(0..whole.len()), random.random_range(0..8));
        let mut flipped = whole.clone();
        flipped[at] ^= 1 << bit;
        let trouble = verify(&flipped, None).trouble.unwrap_or_else(|| panic!("bit {bit} of byte {at} was not found"));
        let line = starts.iter().rposition(|start| *start <= at).unwrap() as u64 + 1;
        assert_eq!(trouble.line, line, "bit {bit} of byte {at}: {trouble:?}");
        files.push(data.path().join(format!("{n}.journal")));
        std::fs::write(&files[n], flipped).unwrap();
    }
    agrees(None, &files);
}

/// Gives a changed line a right checksum again, as somebody would who wants to deceive.
fn mended(line: &str) -> String {
    let summed = &line[..line.len() - ",\"crc\":\"01234567\"}".len()];
    format!("{summed},\"crc\":\"{:08x}\"}}", crc32fast::hash(summed.as_bytes()))
}

fn text(lines: &[String]) -> Vec<u8> {
    lines.iter().flat_map(|line| [line.as_bytes(), b"\n"].concat()).collect()
}

#[test]
fn changes_with_right_checksums_are_found_by_the_chain() {
    let data = tempfile::tempdir().unwrap();
    let whole = String::from_utf8(Recording::of_game(data.path(), 3, 12)).unwrap();
    let lines: Vec<String> = whole.lines().map(String::from).collect();
    let event = lines.iter().position(|line| line.contains("\"white_ms\":")).unwrap();
    let digit = lines[event].find("\"white_ms\":").unwrap() + 11;
    let other = if &lines[event][digit..=digit] == "1" { "2" } else { "1" };

    let mut changed = lines.clone();
    changed[event].replace_range(digit..=digit, other);
    changed[event] = mended(&changed[event]);
    let mut missing = lines.clone();
    missing.remove(event);
    let mut doubled = lines.clone();
    doubled.insert(event, lines[event].clone());
    let mut swapped = lines.clone();
    swapped.swap(event, event + 1);
    for (how, lines) in [("changed", changed), ("missing", missing), ("doubled", doubled.clone()), ("swapped", swapped)] {
        let trouble = verify(&text(&lines), None).trouble.unwrap_or_else(|| panic!("{how}: not found"));
        let path = data.path().join(how);
        std::fs::write(&path, text(&lines)).unwrap();
        agrees(None, &[path]);
        let line = event as u64 + 1 + u64::from(how == "doubled");
        assert_eq!(trouble.line, line, "{how}: {trouble:?}");
    }
}

#[test]
fn an_edited_last_line_is_changed() {
    let data = tempfile::tempdir().unwrap();
    let whole = String::from_utf8(Recording::of_game(data.path(), 3, 12)).unwrap();
    let lines: Vec<String> = whole.lines().map(String::from).collect();
    let last = lines.len() - 1;
    let at = lines[last].find("\"t\":").unwrap() + 4;
    let other = if &lines[last][at..=at] == "1" { "2" } else { "1" };
    for is_mended in [false, true] {
        let mut edited = lines.clone();
        edited[last].replace_range(at..=at, other);
        if is_mended {
            edited[last] = mended(&edited[last]);
        }
        let path = data.path().join("1.journal");
        std::fs::write(&path, text(&edited)).unwrap();
        agrees(None, std::slice::from_ref(&path));
        let (code, _, complaint) = flagfall(&["verify", path.to_str().unwrap()]);
        assert!(code == 65 && complaint.contains(&format!("1.journal:{}: ", last + 1)), "{code} {complaint}");
    }
}

#[test]
fn a_whole_journal_written_anew_is_signed_with_another_key() {
    let (data, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let (ours, theirs) = (Recording::of_game(data.path(), 3, 12), Recording::of_game(other.path(), 4, 12));
    let key = verify(&ours, None).open.unwrap().key;
    assert_eq!(verify(&ours, Some(&key)).trouble, None);
    assert_eq!(verify(&ours, Some(&key.to_uppercase())).trouble, None);
    assert_eq!(verify(&theirs, None).trouble, None, "it is whole in itself");
    let (ours, theirs) = (verify(&ours, Some(&key)), verify(&theirs, Some(&key)));
    assert!(ours.proved > 0 && ours.proved == ours.signed, "{ours:?}");
    assert_eq!((theirs.proved, theirs.trouble), (0, None), "nothing of it is proved by our key");
}

#[test]
fn a_signature_of_other_lines_is_found() {
    let data = tempfile::tempdir().unwrap();
    let whole = String::from_utf8(Recording::of_game(data.path(), 3, 12)).unwrap();
    let sign = whole.lines().position(|line| line.contains("\"checkpoint\":")).unwrap();
    let report = verify(whole.as_bytes(), None);
    assert!(report.checkpoints > 1 && report.signed > 0, "{report:?}");
    let mut lines: Vec<String> = whole.lines().map(String::from).collect();
    let at = lines[sign].find("\"signature\":\"").unwrap() + 13;
    // Past the bytes that name the key.
    let at = at + 20;
    let other = if &lines[sign][at..=at] == "A" { "B" } else { "A" };
    lines[sign].replace_range(at..=at, other);
    lines[sign] = mended(&lines[sign]);
    let trouble = verify(&text(&lines), None).trouble.unwrap();
    let path = data.path().join("signature");
    std::fs::write(&path, text(&lines)).unwrap();
    agrees(None, &[path]);
    assert_eq!(trouble.line, sign as u64 + 1, "{trouble:?}");
}

//! A second verifier, `second.py`, written from `docs/journal.md` alone: it agrees with ours on every journal and every forgery here.
use crate::forged::{chained, is_signed, loose, signed_anew};
use crate::recording::Recording;
use flagfall::journal::key::Key;
use flagfall::journal::line::Chain;
use flagfall::journal::store::EXTENSION;
use flagfall::journal::verify::{Shown, verify};
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What it says of each file: code, and the first bad line or the last that is proved.
fn asked(key: Option<&str>, files: &[PathBuf]) -> Vec<(i32, u64)> {
    let program = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/evidence/second.py");
    let mut command = Command::new("python3");
    command.arg(program);
    key.into_iter().for_each(|key| _ = command.args([OsStr::new("--key"), key.as_ref()]));
    let output = command.args(files).output().expect("python3 is missing: apt-get install python3");
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{said}{}", String::from_utf8_lossy(&output.stderr));
    let read = |line: &str| {
        let mut words = line.split(' ');
        let code = words.next()?.parse().ok()?;
        Some((code, words.next()?.parse().ok()?))
    };
    let said: Vec<_> = said.lines().map(|line| read(line).unwrap_or_else(|| panic!("{line}"))).collect();
    assert_eq!(said.len(), files.len());
    said
}

/// What ours says, in the same terms; and whether only its own rules of play show what is wrong.
fn ours(key: Option<&str>, path: &Path) -> (i32, u64, bool) {
    let mut report = verify(&fs::read(path).unwrap(), key);
    if report.trouble.is_none() {
        report.trouble = report.follows(path).err();
    }
    if let Some(trouble) = &report.trouble {
        return (65, trouble.line, trouble.shown == Shown::ByReading);
    }
    let key = report.trusted.as_deref();
    let lost = report.keys.iter().any(|(_, change)| Some(change.lost.as_str()) == key);
    let code = match key {
        Some(_) if lost && report.proved > 0 => 1,
        Some(key) if report.signer() == Some(key) => i32::from(report.unsigned.is_some()),
        _ => 2,
    };
    (code, if code == 0 { report.lines } else { report.proved }, false)
}

/// Both say the same of these journals. What only a replay shows the second one cannot see: it never calls such a line proved that ours names.
pub(crate) fn agrees(key: Option<&str>, files: &[PathBuf]) {
    for (path, (code, line)) in files.iter().zip(asked(key, files)) {
        let (our_code, our_line, by_reading) = ours(key, path);
        if by_reading {
            let sees = if code == 65 { line >= our_line } else { code != 0 && line < our_line };
            assert!(sees, "{} with the key {key:?}: {code} {line}, ours 65 {our_line} by reading", path.display());
        } else {
            assert_eq!((code, line), (our_code, our_line), "{} with the key {key:?}", path.display());
        }
    }
}

#[test]
fn it_is_short_enough_to_be_read_by_a_committee() {
    let text = include_str!("second.py");
    assert!(text.lines().count() <= 150, "{} lines", text.lines().count());
    let imports: Vec<&str> = text.lines().filter(|line| line.starts_with("import ") || line.starts_with("from ")).collect();
    assert_eq!(imports, ["import base64, functools, hashlib, json, os, re, sys, struct, zlib"], "Python's own library and nothing else");
}

#[test]
fn both_say_the_same_of_every_kept_journal() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/journals");
    let all = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let kept: Vec<PathBuf> = all.filter(|path| path.extension().is_some_and(|e| e == EXTENSION)).collect();
    assert!(!kept.is_empty());
    agrees(None, &kept);
    agrees(Some(&"ab".repeat(32)), &kept);
    for path in kept {
        let key = verify(&fs::read(&path).unwrap(), None).open.unwrap().key;
        agrees(Some(&key), &[path]);
    }
}

#[test]
fn both_say_the_same_of_a_board_with_any_name_and_of_lines_of_any_length() {
    let folder = tempfile::tempdir().unwrap();
    // Several chunks of the hash, an odd number of them and an even one.
    let (long, longer) = ("x".repeat(2_100), "y".repeat(3_600));
    for (n, name) in ["1", "Tisch 7", "a/b", "..", "Стол\u{a0}№ 3", "x\\\"y", &long, &longer].iter().enumerate() {
        let path = folder.path().join(format!("{n}.journal"));
        fs::write(&path, Recording::of_board(folder.path(), name)).unwrap();
        let key = verify(&fs::read(&path).unwrap(), None).open.unwrap().key;
        let files = [path];
        assert_eq!(ours(Some(&key), &files[0]).0, 1, "{name}");
        agrees(Some(&key), &files);
    }
}

#[test]
fn both_say_the_same_of_a_shared_cable_and_of_keys_for_which_nobody_vouches() {
    let [ours, theirs] = [(); 2].map(|()| tempfile::tempdir().unwrap());
    let lines = loose(&Recording::of_game(ours.path(), 3, 12));
    let [own, other] = [&ours, &theirs].map(|folder| Key::of(folder.path()).unwrap().key);
    let half = lines.iter().position(is_signed).unwrap() + 1;
    let t = lines[half - 1].0;
    // Bytes of a line with several boards, signed with all others; with something that is no hex, too.
    let mut files = Vec::new();
    for (n, value) in ["\"850b0a11\"", "\"\"", "\"8\"", "\"zz\"", "null"].iter().enumerate() {
        let mut heard = lines.clone();
        heard.insert(half, (t, String::from("heard"), String::from(*value)));
        files.push(ours.path().join(format!("heard-{n}.journal")));
        fs::write(files.last().unwrap(), signed_anew(&heard, &own)).unwrap();
    }
    assert_eq!(asked(Some(&own.public()), &files[..1])[0].0, 1);
    // Another key signs from a line on, which says that the one before vouches for it.
    let elsewhere = own.sign("1", &Chain::default()).signature;
    let zeros = "00".repeat(64);
    for (n, signature) in [None, Some(""), Some("zz"), Some("00"), Some(zeros.as_str()), Some(elsewhere.as_str())].into_iter().enumerate() {
        let mut value = serde_json::json!({"public": other.public(), "lost": own.public()});
        if let Some(signature) = signature {
            value["signature"] = signature.into();
        }
        let mut lie = lines[..half].to_vec();
        lie.push((t, String::from("key"), value.to_string()));
        lie.push((t, String::from("heard"), String::from("\"00\"")));
        files.push(ours.path().join(format!("key-{n}.journal")));
        fs::write(files.last().unwrap(), chained(&lie)).unwrap();
    }
    let (lies, loose_ends) = (5..files.len(), files.len());
    // Bits that base64 leaves over say nothing, and are nothing.
    let at = lines.iter().position(|line| line.1 == "checkpoint").unwrap();
    for (n, field) in ["root", "signature"].into_iter().enumerate() {
        let mut value: serde_json::Value = serde_json::from_str(&lines[at].2).unwrap();
        let text = value[field].as_str().unwrap().trim_end_matches('=').to_owned();
        let (before, last) = text.split_at(text.len() - 1);
        let other = char::from(last.as_bytes()[0] + 1);
        assert!(other.is_ascii_alphanumeric(), "{last}");
        value[field] = format!("{before}{other}=").into();
        let mut changed = lines.clone();
        changed[at].2 = value.to_string();
        files.push(ours.path().join(format!("bits-{n}.journal")));
        fs::write(files.last().unwrap(), chained(&changed)).unwrap();
    }
    let said = asked(Some(&own.public()), &files[loose_ends..]);
    assert!(said.iter().all(|said| *said == (65, at as u64 + 1)), "{said:?}");
    for key in [None, Some(own.public()), Some(other.public())] {
        agrees(key.as_deref(), &files);
    }
    let said = asked(Some(&own.public()), &files[lies]);
    assert!(said.iter().all(|(code, proved)| *code == 1 && *proved < half as u64), "nothing past the change is proved: {said:?}");
}

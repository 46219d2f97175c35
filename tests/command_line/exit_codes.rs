//! Bad input: one clear line with the remedy, the right exit code.
use super::{file, flagfall, run};

/// Fails unless the command ends so and says this.
fn refuses(args: &[&str], code: i32, words: &[&str]) {
    let (found, out, err) = run(args);
    assert_eq!(found, code, "{args:?}: {err}");
    assert_eq!(out, "", "{args:?}");
    for word in words {
        assert!(err.contains(word), "{args:?}: {word:?} is not in {err}");
    }
    assert!(!err.contains("panicked"), "{args:?}: {err}");
}

#[test]
fn a_wrong_command_line_is_64() {
    refuses(&[], 64, &["Usage"]);
    refuses(&["dance"], 64, &["dance"]);
    refuses(&["replay"], 64, &["FILE|DIR"]);
    refuses(&["replay", "--format", "svg", "x"], 64, &["events", "pgn", "text"]);
    refuses(&["replay", "--jobs", "0", "x"], 64, &["jobs"]);
}

#[test]
fn help_and_version_are_no_errors() {
    let (code, out, err) = run(&["--version"]);
    assert_eq!((code, err.as_str()), (0, ""));
    assert_eq!(out, concat!("flagfall ", env!("CARGO_PKG_VERSION"), "\n"));
    let (code, out, _) = run(&["--help"]);
    assert_eq!(code, 0);
    for word in ["run", "demo", "simulate", "replay", "decode", "doctor", "check", "not affiliated with DGT"] {
        assert!(out.contains(word), "{word}: {out}");
    }
}

#[test]
fn files_that_are_missing_are_66() {
    for args in [&["check", "/nowhere/f.toml"][..], &["replay", "/nowhere/a.cap"], &["run", "--config", "/nowhere/f.toml"]] {
        refuses(args, 66, &["/nowhere/", "no such file"]);
    }
    let folder = tempfile::tempdir().unwrap();
    refuses(&["replay", folder.path().to_str().unwrap()], 66, &["*.cap"]);
}

#[test]
fn configurations_that_cannot_be_understood_are_78() {
    let folder = tempfile::tempdir().unwrap();
    for (content, word) in [(&b"rules = "[..], ":1:"), (b"[webb]\n", "webb"), (b"\xff\xfe\0r\0u", "UTF-8")] {
        let path = file(folder.path(), "f.toml", content);
        let path = path.to_str().unwrap();
        refuses(&["check", path], 78, &[path, word]);
        refuses(&["run", "--config", path], 78, &[path, word]);
    }
}

#[test]
fn files_that_are_no_captures_are_65() {
    let folder = tempfile::tempdir().unwrap();
    for content in [&b""[..], b"e2e4 e7e5\n", b"\x86\x00\x43\x08", b"# flagfall-capture 9\n"] {
        let path = file(folder.path(), "x.cap", content);
        let path = path.to_str().unwrap();
        refuses(&["replay", path], 65, &[path, ":1: "]);
    }
}

#[test]
fn a_folder_in_place_of_a_file_is_told() {
    let folder = tempfile::tempdir().unwrap();
    refuses(&["check", folder.path().to_str().unwrap()], 74, &["cannot be read"]);
}

#[test]
fn the_manual_and_the_completions_come_from_the_same_command_line() {
    for args in [&["man"][..], &["completions", "bash"], &["completions", "zsh"], &["completions", "fish"]] {
        let output = flagfall().args(args).output().unwrap();
        assert!(output.status.success() && String::from_utf8_lossy(&output.stdout).contains("replay"), "{args:?}");
    }
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(run(&["man", folder.path().to_str().unwrap()]).0, 0);
    assert!(folder.path().join("flagfall-replay.1").exists());
}

#[test]
fn output_that_cannot_be_written_is_74() {
    let Ok(full) = std::fs::OpenOptions::new().write(true).open("/dev/full") else {
        println!("skipped: there is no /dev/full here");
        return;
    };
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_flagfall")).args(["completions", "bash"]).stdout(full).output().unwrap();
    assert_eq!(output.status.code(), Some(74));
    assert!(String::from_utf8_lossy(&output.stderr).contains("cannot write the output"));
}

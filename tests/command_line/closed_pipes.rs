//! `flagfall … | head`: a reader that has gone is no failure and no panic, in any subcommand that prints.
use super::{file, short_game};
use std::io;
use std::process::{Command, Stdio};

/// Runs with nobody at the other end of standard output: exit code and standard error.
fn unread(args: &[&str]) -> (Option<i32>, String) {
    let (reader, writer) = io::pipe().unwrap();
    drop(reader);
    let output = Command::new(env!("CARGO_BIN_EXE_flagfall"))
        .args(args)
        .stdin(Stdio::null())
        .stdout(writer)
        .stderr(Stdio::piped())
        .output()
        .unwrap();
    (output.status.code(), String::from_utf8(output.stderr).unwrap())
}

#[test]
fn every_printing_command_ends_quietly() {
    let folder = tempfile::tempdir().unwrap();
    let capture = file(folder.path(), "a.cap", short_game());
    let config = file(folder.path(), "f.toml", "");
    let (capture, config) = (capture.to_str().unwrap(), config.to_str().unwrap());
    for args in [
        &["--help"][..],
        &["--version"],
        &["help", "replay"],
        &["replay", "--help"],
        &["check", config],
        &["decode", capture],
        &["laws"],
        &["laws", "--format", "json"],
        &["replay", "--format", "events", capture],
        &["replay", "--format", "text", capture],
        &["replay", "--format", "pgn", capture],
        &["replay", "--jobs", "2", capture, capture, capture, capture, capture, capture, capture, capture],
        &["simulate", "--pgn", concat!(env!("CARGO_MANIFEST_DIR"), "/src/simulator/games.pgn"), "--capture", "-"],
        &["completions", "bash"],
        &["man"],
    ] {
        let (code, err) = unread(args);
        assert_eq!(code, Some(0), "{args:?}: {err}");
        assert!(err.is_empty(), "{args:?}: {err}");
    }
}

#[test]
fn the_doctor_ends_without_a_word_too() {
    let (code, err) = unread(&["doctor", "/nowhere/ttyUSB0"]);
    assert!(matches!(code, Some(0 | 69)) && !err.contains("panicked"), "{code:?}: {err}");
}

#[test]
fn errors_keep_their_exit_code_when_nobody_reads_the_output() {
    assert_eq!(unread(&["replay", "/nowhere.cap"]).0, Some(66));
}

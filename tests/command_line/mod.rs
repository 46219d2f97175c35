//! The real binary through its edges: arguments, files, standard streams, exit codes.
#![allow(clippy::unwrap_used, reason = "a test ends at the first surprise")]

mod capture;
mod check;
mod closed_pipes;
mod daemon;
mod decode;
mod documents;
mod exit_codes;
mod explain;
#[cfg(feature = "nats")]
mod fleet;
mod laws;
mod packaging;
mod paint;
mod pgn;
mod replay;
mod screen;
mod terminal;

use assert_cmd::Command;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// The binary, deaf to the settings of whoever runs the tests.
fn flagfall() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_flagfall"));
    command.env_clear().env("PATH", "/usr/bin:/bin");
    command
}

/// Runs with these arguments: exit code, standard output, standard error.
fn run(args: &[&str]) -> (i32, String, String) {
    let output = flagfall().args(args).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code().expect("it was not killed"), text(output.stdout), text(output.stderr))
}

/// A file of this name and content in `folder`.
fn file(folder: &Path, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
    let path = folder.join(name);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(&path, content).unwrap();
    path
}

/// A capture in which 1. e4 e5 2. Nf3 are played and pressed; White sits at the clock's left.
fn short_game() -> String {
    let mut text = String::from("# flagfall-capture 1\n# time-control: 180+2\n# clock-white: left\n# recorded-at: 2026-11-21T15:00:00Z\n");
    text.push_str("0 = up\n100 < 86 00 43 08 09 0a 0c 0b 0a 09 08");
    text.push_str(&" 07".repeat(8));
    text.push_str(&" 00".repeat(32));
    text.push_str(&" 01".repeat(8));
    text.push_str(" 02 03 04 06 05 04 03 02\n");
    let mut t = 1000;
    let clock = |text: &mut String, t: u64, right: u8, left: u8, status: u8| {
        // Both sides at 3 minutes and these seconds.
        writeln!(text, "{t} < 8d 00 0a 20 03 {right:02x} 20 03 {left:02x} {status:02x}").unwrap();
    };
    clock(&mut text, t, 0x02, 0x02, 0x08);
    for (from, to, piece, right, left, status) in
        [(0x34, 0x24, 0x01, 0x02, 0x02, 0x13), (0x0c, 0x1c, 0x07, 0x02, 0x02, 0x09), (0x3e, 0x2d, 0x03, 0x02, 0x02, 0x13)]
    {
        writeln!(text, "{} < 8e 00 05 {from:02x} 00", t + 1500).unwrap();
        writeln!(text, "{} < 8e 00 05 {to:02x} {piece:02x}", t + 2000).unwrap();
        clock(&mut text, t + 2600, right, left, status);
        t += 3000;
    }
    writeln!(text, "{} = down", t + 5000).unwrap();
    text
}

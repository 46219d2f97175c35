//! The pure rooms stay pure: `protocol/`, `src/game/`, `src/laws/` and what is public of a board (`src/score/public.rs`) name nothing that reads clocks, files, sockets or threads,
//! and `protocol/` depends on nothing that is copyleft.
#![allow(clippy::unwrap_used, reason = "a test ends at the first surprise")]

use std::fs;
use std::path::{Path, PathBuf};

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// What a pure room must not name.
const IMPURE: [&str; 14] = [
    "tokio",
    "std::fs",
    "std::net",
    "std::env",
    "std::thread",
    "std::process",
    "std::sync::Mutex",
    "std::sync::mpsc",
    "Instant::now",
    "SystemTime",
    "Timestamp::now",
    "Zoned::now",
    "println!",
    "tracing",
];

fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok) {
        let path = entry.path();
        if path.is_dir() {
            found.extend(sources(&path));
        } else if path.extension().is_some_and(|e| e == "rs") {
            found.push(path);
        }
    }
    found
}

/// Lines that name something impure, `FILE:LINE: text`. Comments may: they say what is not done.
fn impure_lines(path: &Path, text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (i, line) in text.lines().enumerate() {
        let code = line.split("//").next().unwrap_or(line);
        // `use std::{fs, io}` names std::fs as well.
        let grouped = code.trim_start().strip_prefix("use std::{").map(|list| list.replace(['{', '}', ';', ' '], ","));
        let names_room =
            |room: &str| grouped.as_ref().is_some_and(|list| list.split(',').any(|part| part.split("::").next() == Some(room)));
        if IMPURE.iter().any(|word| code.contains(word)) || ["fs", "net", "env", "thread", "process"].iter().any(|room| names_room(room)) {
            found.push(format!("{}:{}: {}", path.display(), i + 1, line.trim()));
        }
    }
    found
}

#[test]
fn pure_rooms_name_nothing_impure() {
    let mut found = Vec::new();
    for room in ["protocol/src", "src/events", "src/game", "src/laws"] {
        let files = sources(&Path::new(ROOT).join(room));
        assert!(!files.is_empty(), "{room} has no sources; has it moved?");
        for file in files {
            found.extend(impure_lines(&file, &fs::read_to_string(&file).unwrap()));
        }
    }
    let public = Path::new(ROOT).join("src/score/public.rs");
    found.extend(impure_lines(&public, &fs::read_to_string(&public).unwrap()));
    assert!(found.is_empty(), "pure rooms get time, bytes and entries as arguments, but:\n{}", found.join("\n"));
}

#[test]
fn impure_lines_are_found() {
    for line in ["use tokio::time;", "    std::fs::read(p)", "use std::{fmt, fs};", "use std::{env::var, fmt};", "let t = Instant::now();"]
    {
        assert_eq!(impure_lines(Path::new("x.rs"), line).len(), 1, "{line}");
    }
    for line in ["// no tokio here", "use std::{fmt, collections::HashMap};", "let offset = 3;"] {
        assert!(impure_lines(Path::new("x.rs"), line).is_empty(), "{line}");
    }
}

#[test]
fn the_protocol_crate_depends_on_three_permissive_crates_only() {
    let manifest: toml::Table = fs::read_to_string(Path::new(ROOT).join("protocol/Cargo.toml")).unwrap().parse().unwrap();
    let names: Vec<_> = manifest["dependencies"].as_table().unwrap().keys().map(String::as_str).collect();
    assert_eq!(names, ["bytes", "nom", "thiserror"]);
    assert_eq!(manifest["package"]["license"].as_str(), Some("MIT OR Apache-2.0"));
    let root = fs::read_to_string(Path::new(ROOT).join("protocol/src/lib.rs")).unwrap();
    assert!(root.contains("#![no_std]"), "protocol/ knows bytes only");
}

#[test]
fn clocks_are_read_in_one_file() {
    let mut found = Vec::new();
    for file in sources(&Path::new(ROOT).join("src")) {
        if file.ends_with("src/time/lib.rs") {
            continue;
        }
        let text = fs::read_to_string(&file).unwrap();
        let reads = ["Instant::now()", "SystemTime::now()", "Timestamp::now()", "Zoned::now()"];
        found.extend(text.lines().filter(|l| reads.iter().any(|r| l.contains(r))).map(|l| format!("{}: {}", file.display(), l.trim())));
    }
    assert!(found.is_empty(), "src/time/ reads the clocks, everything else takes its time as an argument, but:\n{}", found.join("\n"));
}

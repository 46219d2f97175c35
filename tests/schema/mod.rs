//! Answers of the interface, kept for `tests/answers`, which holds them against its description: where `FLAGFALL_ANSWERS` names a folder.
#![allow(clippy::unwrap_used, reason = "helpers of tests")]
use serde_json::json;
use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::Path;

/// Keeps an answer.
pub(crate) fn answer(method: &str, path: &str, status: u16, body: &str) {
    let Some(folder) = std::env::var_os("FLAGFALL_ANSWERS") else { return };
    let file = Path::new(&folder).join(format!("{}.jsonl", std::process::id()));
    let line = json!({"method": method, "path": path, "status": status, "body": body}).to_string() + "\n";
    // In one write: several threads of this process do the same.
    OpenOptions::new().create(true).append(true).open(file).unwrap().write_all(line.as_bytes()).unwrap();
}

//! Every recording in `tests/recordings` is read as its header says it was played.
#![allow(clippy::unwrap_used, reason = "a test ends at the first surprise")]

use std::path::Path;
use std::process::Command;

/// Whether it was made to be sent in: what would name somebody is not in it.
fn is_shared(text: &str) -> bool {
    let header = text.lines().take_while(|line| line.starts_with('#'));
    let personal = ["# recorded-at:", "# white:", "# black:", "# event:", "# link: rfcomm:", "# link: serial:"];
    !header.into_iter().any(|line| personal.iter().any(|start| line.starts_with(start)))
        && !text.lines().any(|line| line.contains(" > ") && !line.starts_with('#'))
        && !text.contains("\"who\":")
}

#[test]
fn every_recording_is_read_as_it_was_played() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/recordings");
    let mut recordings: Vec<_> = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    recordings.retain(|path| path.file_name().is_some_and(|name| name != "README.md"));
    if recordings.is_empty() {
        println!("no recording has been sent in yet; CONTRIBUTING.md says how");
        return;
    }
    for path in &recordings {
        assert_eq!(path.extension().and_then(|e| e.to_str()), Some("cap"), "{}: a recording is a file NAME.cap", path.display());
        let text = std::fs::read_to_string(path).unwrap();
        assert!(is_shared(&text), "{}: make it with `flagfall capture --share`", path.display());
    }
    let output = Command::new(env!("CARGO_BIN_EXE_flagfall")).arg("replay").arg(&folder).args(["--against", "played"]).output().unwrap();
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    println!("{out}");
    assert!(output.status.success(), "{out}{err}");
}

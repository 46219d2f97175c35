//! The log: nothing per move; to systemd's journal with fields where standard error leads there.
use crate::manager::{Manager, until};
use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::os::unix::net::UnixDatagram;
use std::process::{Command, Stdio};

#[test]
fn a_game_says_a_handful_of_lines_and_nothing_per_move() {
    let manager = Manager::new();
    manager.configure("");
    let service = manager.start(&mut manager.command(&[]));
    until("moves", || service.get("/api/v1/boards/1")["plies_completed"].as_u64() > Some(12));
    let said = service.said();
    let lines: Vec<_> = said.lines().filter(|line| line.contains("board")).collect();
    assert!(lines.len() < 6, "{said}");
    assert!(lines.iter().any(|line| line.contains("board 1: a game begins")), "{said}");
}

#[test]
fn the_level_comes_from_the_command_line_the_environment_or_the_configuration() {
    for (how, argument, variable, level) in
        [("quiet", None, None, "warn"), ("--log", Some("info"), Some("error"), "error"), ("RUST_LOG", None, Some("info"), "error")]
    {
        let manager = Manager::new();
        manager.configure(&format!("[log]\nlevel = \"{level}\"\n"));
        let mut command = manager.command(&[]);
        argument.iter().for_each(|level| _ = command.args(["--log", level]));
        variable.iter().for_each(|level| _ = command.env("RUST_LOG", level));
        let service = manager.start(&mut command);
        until("moves", || service.get("/api/v1/boards/1")["plies_completed"].as_u64() > Some(1));
        let begins = service.said().contains("a game begins");
        assert_eq!(begins, how != "quiet", "{how}: {}", service.said());
    }
}

#[test]
fn systemds_journal_gets_fields_where_standard_error_leads_there() {
    let manager = Manager::new();
    manager.configure("");
    let place = manager.folder.path().join("journal");
    fs::create_dir(&place).unwrap();
    let socket = UnixDatagram::bind(place.join("socket")).unwrap();
    socket.set_read_timeout(Some(std::time::Duration::from_secs(60))).unwrap();
    // A /run of its own, with our socket where journald's would be.
    let script = "mount -t tmpfs tmpfs /run && mkdir -p /run/systemd/journal && mount --bind \"$0\" /run/systemd/journal && exec \"$@\"";
    let able = Command::new("unshare").args(["-m", "sh", "-c", script]).arg(&place).arg("true").output();
    if !able.is_ok_and(|output| output.status.success()) {
        println!("skipped: lines in systemd's journal: no folder of its own can be mounted here (root and unshare are needed)");
        return;
    }
    let stderr = manager.folder.path().join("stderr");
    let file = fs::File::create(&stderr).unwrap();
    let stream = file.metadata().map(|meta| format!("{}:{}", meta.dev(), meta.ino())).unwrap();
    let mut command = manager.command(&["unshare", "-m", "sh", "-c", script, place.to_str().unwrap()]);
    let mut child = command.env("JOURNAL_STREAM", stream).stderr(Stdio::from(file)).spawn().unwrap();
    let mut buffer = [0; 65_536];
    let begins = loop {
        let n = socket.recv(&mut buffer).expect("a line in the journal");
        let text = String::from_utf8_lossy(&buffer[..n]).into_owned();
        if text.contains("a game begins") {
            break text;
        }
    };
    // NAME, a line feed, eight bytes of length, the value.
    for (name, value) in [("MESSAGE", "board 1: a game begins"), ("BOARD", "1"), ("SYSLOG_IDENTIFIER", "flagfall"), ("PRIORITY", "6")] {
        let at = begins.match_indices(&format!("{name}\n")).any(|(at, _)| begins[at..].contains(&format!("{value}\n")));
        assert!(at, "{name}={value} is missing in {begins:?}");
    }
    assert!(begins.contains("\nSEQ\n"), "{begins:?}");
    assert!(!fs::read_to_string(&stderr).unwrap().contains("a game begins"), "and not twice");
    crate::manager::kill("TERM", child.id());
    assert!(child.wait().unwrap().success());
}

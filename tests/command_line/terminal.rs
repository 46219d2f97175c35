//! The arbiter's terminal, `watch` and `rule`, against a running daemon; and `export` of what came of it.
use super::{file, flagfall, run};
use std::io::{BufRead as _, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

/// Long enough for a machine that does many things at once.
const PATIENCE: Duration = Duration::from_mins(2);

/// A child and the lines of both its streams; it is ended when dropped.
pub(super) struct Running {
    child: Child,
    lines: mpsc::Receiver<String>,
}

impl Running {
    pub(super) fn start(args: &[&str]) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_flagfall"));
        command.args(args).env_clear().env("PATH", "/usr/bin:/bin").stdin(Stdio::null());
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let streams: [Box<dyn Read + Send>; 2] = [Box::new(child.stdout.take().unwrap()), Box::new(child.stderr.take().unwrap())];
        let (tx, lines) = mpsc::channel();
        for stream in streams {
            let tx = tx.clone();
            thread::spawn(move || BufReader::new(stream).lines().map_while(Result::ok).for_each(|line| _ = tx.send(line)));
        }
        Self { child, lines }
    }

    /// The first line that holds this.
    pub(super) fn line(&self, part: &str) -> String {
        let mut seen = Vec::new();
        while let Ok(line) = self.lines.recv_timeout(PATIENCE) {
            if line.contains(part) {
                return line;
            }
            seen.push(line);
        }
        panic!("no {part:?} in\n{}", seen.join("\n"));
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        _ = self.child.kill();
        _ = self.child.wait();
    }
}

/// A demo of one board, and the address of its page.
fn demo(data: &Path) -> (Running, String) {
    let data = data.to_str().unwrap();
    let demo =
        Running::start(&["demo", "--boards", "1", "--speed", "20", "--incidents", "off", "--listen", "127.0.0.1:0", "--data-dir", data]);
    let url = demo.line("web: ")["web: ".len()..].trim_end_matches('/').to_owned();
    (demo, url)
}

fn journal(folder: &Path) -> PathBuf {
    let found = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    for path in found {
        if path.is_dir() {
            return journal(&path);
        }
        if path.extension().is_some_and(|e| e == "journal") {
            return path;
        }
    }
    panic!("no journal in {}", folder.display());
}

#[test]
fn what_is_ruled_at_one_terminal_is_seen_at_another_and_stands_in_the_report() {
    let folder = tempfile::tempdir().unwrap();
    let (demo, url) = demo(folder.path());
    let (socket, _) = crate::signed_in::socket(&url).unwrap();
    let socket = socket.to_str().unwrap();
    let watch = Running::start(&["watch", "--socket", socket, "--all"]);
    watch.line(" 2. ");
    let rule = |args: &[&str]| run(&[&["rule"], args, &["--socket", socket]].concat());
    let (code, out, err) = rule(&["1", "report", "two-hands", "--by", "white", "--name", "Olga", "--note", "both hands"]);
    assert_eq!((code, out.contains("entered, event")), (0, true), "{out}{err}");
    assert!(watch.line("two hands").contains("offence 1"));
    assert!(watch.line("Olga: report").contains("“both hands”"));
    // What a board refuses, a board that is not there, a daemon that is not there.
    assert_eq!(rule(&["1", "999", "confirm"]).0, 65);
    assert_eq!(rule(&["17", "stop"]).0, 65);
    assert_eq!(run(&["rule", "1", "stop", "--url", "http://127.0.0.1:9"]).0, 69);
    assert_eq!(run(&["watch", "--url", "http://127.0.0.1:9"]).0, 69);
    let (code, _, err) = run(&["rule", "1", "stop", "--socket", "/nowhere/8064.sock"]);
    assert_eq!((code, err.contains("is `flagfall run` running?")), (69, true), "{err}");
    // The page's own address is everybody's: it makes nobody an arbiter.
    let (code, _, err) = run(&["rule", "1", "stop", "--url", &url]);
    assert_eq!((code, err.contains("flagfall account link") && err.contains("--socket")), (77, true), "{err}");
    assert_eq!(rule(&["1", "result", "0-1", "--name", "Olga"]).0, 0);
    let (code, out, err) = rule(&["1", "undo", "--name", "Olga"]);
    // A machine that does many things at once may be too late, and the players play on.
    assert!(code == 0 && out.contains("taken back") || code == 65 && err.contains("cannot be undone"), "{out}{err}");
    assert_eq!(rule(&["1", "result", "1/2-1/2", "--reason", "agreed"]).0, 0);
    assert!(watch.line("= 1/2-1/2").contains("agreed"));
    drop(demo);
    let journal = journal(folder.path());
    let journal = journal.to_str().unwrap();
    let (code, pgn, _) = run(&["export", journal]);
    assert_eq!(code, 0);
    assert!(pgn.contains("[Result \"1/2-1/2\"]") && pgn.contains("%clk"), "{pgn}");
    let (code, report, _) = run(&["export", journal, "--format", "incident"]);
    assert_eq!(code, 0);
    for part in ["two hands", "7.5.4", "<b>Olga</b>", "“both hands”", "<svg", "reported by the arbiter", "\"do\":\"report\""] {
        assert!(report.contains(&part.replace('"', "&quot;")) || report.contains(part), "{part} is missing in {report}");
    }
    assert!(!report.contains("<script") && !report.contains("src=") && !report.contains("http"), "it stands by itself");
}

#[test]
fn an_account_leaves_the_configuration_to_its_owner_and_to_nobody_else() {
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
    let folder = tempfile::tempdir().unwrap();
    let is_root = std::fs::metadata("/proc/self").unwrap().uid() == 0;
    for (before, after) in [(Some(0o600), 0o600), (Some(0o640), 0o640), (Some(0o660), 0o660), (Some(0o644), 0o640), (None, 0o600)] {
        let path = folder.path().join(format!("{before:?}.toml"));
        if let Some(mode) = before {
            std::fs::write(&path, "# kept\n").unwrap();
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(mode)).unwrap();
            if is_root {
                std::os::unix::fs::chown(&path, Some(65_534), Some(65_534)).unwrap();
            }
        }
        let made = flagfall()
            .args(["account", "add", "Olga", "--role", "arbiter", "--config", path.to_str().unwrap()])
            .write_stdin("correct horse battery\n")
            .output()
            .unwrap();
        assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
        let file = std::fs::metadata(&path).unwrap();
        let (mode, others) = (file.mode() & 0o777, file.mode() & 0o007);
        assert_eq!(others, 0, "{before:?}: {mode:o}");
        // Where the group flagfall is on this machine, root gives it what the service needs.
        assert!(mode == after || is_root && mode == after | 0o040, "{before:?}: {mode:o}");
        assert_eq!(file.uid() == 65_534, is_root && before.is_some(), "{before:?}");
    }
}

#[test]
fn accounts_keep_strangers_out_of_the_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let config =
        file(folder.path(), "f.toml", "[web]\nlisten = \"127.0.0.1:0\"\n[livechess]\nenabled = false\n[discovery]\nserial = false\n");
    let path = config.to_str().unwrap();
    let made = flagfall()
        .args(["account", "add", "Olga", "--role", "arbiter", "--config", path])
        .write_stdin("correct horse battery\n")
        .output()
        .unwrap();
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    let data = folder.path().join("data");
    let daemon = Running::start(&["run", "--config", path, "--data-dir", data.to_str().unwrap()]);
    let url = daemon.line("web: ")["web: ".len()..].trim_end_matches('/').to_owned();
    let (code, _, err) = run(&["rule", "1", "stop", "--url", &url]);
    assert_eq!((code, err.contains("--name NAME or --token-file FILE")), (77, true), "{err}");
    let with = |password: &str| {
        let output =
            flagfall().args(["rule", "1", "stop", "--url", &url, "--name", "Olga"]).write_stdin(format!("{password}\n")).output().unwrap();
        (output.status.code().unwrap(), String::from_utf8(output.stderr).unwrap())
    };
    assert_eq!(with("wrong").0, 77);
    // The right one gets as far as the board, which is not there.
    let (code, err) = with("correct horse battery");
    assert_eq!((code, err.contains("no board")), (65, true), "{err}");
}

#[test]
fn an_incident_is_reported_in_both_languages_and_alone() {
    let folder = tempfile::tempdir().unwrap();
    let mut capture = super::short_game();
    let end = capture.rfind('\n').map(|at| capture[..at].rfind('\n').unwrap() + 1).unwrap();
    capture.truncate(end);
    // Black presses without a move, and the arbiter confirms it.
    capture +=
        "16000 < 8d 00 0a 20 03 02 20 03 02 09\n19000 ! {\"do\":\"rule\",\"finding\":1,\"decision\":\"confirm\",\"who\":\"<Anna>\"}\n";
    let path = file(folder.path(), "a.cap", capture);
    let path = path.to_str().unwrap();
    let (_, events, err) = run(&["replay", "--format", "events", path]);
    assert!(events.contains("press-without-move"), "{events}{err}");
    let (code, english, _) = run(&["export", path, "--format", "incident"]);
    assert_eq!(code, 0);
    assert!(
        english.contains("press without a move")
            && english.contains("7.5.3")
            && english.contains("&lt;Anna&gt;")
            && !english.contains("<Anna>")
            // The move before it, and how to see why it was read so.
            && english.contains("Why it was read as Nf3: <code>flagfall replay a.cap --explain 3 --game 1</code>"),
        "{english}"
    );
    let out = folder.path().join("r.html");
    let (code, _, _) = run(&["export", path, "--format", "incident", "--lang", "ru", "--finding", "1", "-o", out.to_str().unwrap()]);
    assert_eq!(code, 0);
    let russian = std::fs::read_to_string(out).unwrap();
    assert!(russian.contains("нажатие часов без хода") && russian.contains("<html lang=\"ru\">"), "{russian}");
    let (code, _, err) = run(&["export", path, "--format", "incident", "--finding", "99"]);
    assert_eq!((code, err.contains("no finding 99")), (65, true), "{err}");
    assert_eq!(run(&["export", "/nowhere.journal"]).0, 66);
}

#[test]
fn the_page_and_its_guide_know_every_key() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let text = |path: &str| std::fs::read_to_string(root.join(path)).unwrap();
    let (guide, en, ru) = (text("docs/arbiter.md"), text("src/web/arbiter/page/words-en.js"), text("src/web/arbiter/page/words-ru.js"));
    for key in flagfall_events::Key::ALL {
        let key = key.as_str();
        assert!(guide.contains(&format!("`{key}`")), "docs/arbiter.md does not explain {key}");
        for (name, words) in [("English", &en), ("Russian", &ru)] {
            assert!(words.contains(&format!("'{key}': ")), "the page has no {name} for {key}");
        }
    }
    // A name that comes twice is the later one's everywhere.
    for (name, words) in [("English", &en), ("Russian", &ru)] {
        let outer = words.lines().filter_map(|line| line.strip_prefix("  ")?.split_once(':')).map(|(name, _)| name);
        let mut outer: Vec<&str> = outer.filter(|name| !name.starts_with(' ')).collect();
        outer.sort_unstable();
        let twice: Vec<_> = outer.windows(2).filter(|pair| pair[0] == pair[1]).collect();
        assert!(twice.is_empty(), "{name}: {twice:?}");
    }
    // Both languages have the same words.
    let names = |words: &str| -> Vec<String> {
        let is_name = |part: &&str| part.len() > 1 && part.chars().all(|c| c.is_ascii_alphanumeric());
        // The first name of a line: what stands behind a colon in a sentence is none.
        let mut names: Vec<String> =
            words.lines().filter_map(|line| Some(line.trim().split_once(':')?.0)).filter(is_name).map(String::from).collect();
        names.sort();
        names.dedup();
        names
    };
    let only = |a: &[String], b: &[String]| a.iter().filter(|n| !b.contains(n)).cloned().collect::<Vec<_>>();
    let (english, russian) = (names(&en), names(&ru));
    assert_eq!((only(&english, &russian), only(&russian, &english)), (vec![], vec![]));
}

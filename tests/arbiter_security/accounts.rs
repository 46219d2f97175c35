//! Accounts that come, change and go while the daemon runs, and sessions that outlast it.
use super::daemon::{Daemon, PASSWORD, program};
use flagfall::journal::checkpoint::fingerprint;
use flagfall::journal::key::Key;
use serde_json::json;
use std::fs;
use std::io::Write as _;
use std::os::unix::fs::PermissionsExt as _;
use std::process::{Command, Stdio};
use std::time::Duration;

/// `flagfall account …` at the daemon's socket, with this typed: whether it succeeded, and all that it said.
fn account(daemon: &Daemon, args: &[&str], typed: &str) -> (bool, String) {
    let mut command = Command::new(program());
    command.arg("account").args(args).arg("--socket").arg(&daemon.socket).env_clear();
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(typed.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    (output.status.success(), String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr))
}

fn status(daemon: &Daemon, cookie: &str) -> u16 {
    daemon.get("/api/v1/me", &[("Cookie", cookie)]).status
}

#[test]
fn an_account_is_added_changed_and_removed_without_a_restart() {
    let daemon = Daemon::start();
    let (done, said) = account(&daemon, &["add", "Anna", "--role", "arbiter"], "correct horse battery\n");
    assert!(done && said.contains("Anna may log in as arbiter now"), "{said}");
    let entered = daemon.login("Anna", "correct horse battery");
    assert_eq!((entered.status, &entered.json()["role"]), (200, &json!("arbiter")), "{}", entered.body);
    let cookie = entered.cookie().unwrap();
    let (_, list) = account(&daemon, &["list"], "");
    let line = |name: &str| list.lines().find(|line| line.starts_with(name)).unwrap_or_default().split_whitespace().collect::<Vec<_>>();
    assert_eq!(line("Anna"), ["Anna", "arbiter", "password", "daemon"], "{list}");
    assert_eq!(line("tablet"), ["tablet", "arbiter", "token", "configuration"], "{list}");

    assert!(account(&daemon, &["passwd", "Anna"], "another long one\n").0);
    assert_eq!((status(&daemon, &cookie), daemon.login("Anna", "correct horse battery").status), (401, 401));
    let cookie = daemon.login("Anna", "another long one").cookie().unwrap();
    let (_, token) = account(&daemon, &["passwd", "Anna", "--token"], "");
    let token = token.split_whitespace().find(|word| word.starts_with("fft_")).unwrap().to_owned();
    let bearer = format!("Bearer {token}");
    assert_eq!((daemon.get("/api/v1/me", &[("Authorization", &bearer)]).status, status(&daemon, &cookie)), (200, 200));

    assert!(account(&daemon, &["remove", "Anna"], "").0);
    assert_eq!((status(&daemon, &cookie), daemon.get("/api/v1/me", &[("Authorization", &bearer)]).status), (401, 401));
    // What the configuration says is changed there, and read again without a restart.
    let (done, said) = account(&daemon, &["remove", "Olga"], "");
    assert!(!done && said.contains("stands in the configuration"), "{said}");
    let olga = daemon.login("Olga", PASSWORD).cookie().unwrap();
    let text = fs::read_to_string(daemon.config()).unwrap().replace("name = \"Olga\"", "name = \"Olga Ivanova\"");
    fs::write(daemon.config(), text).unwrap();
    daemon.reload();
    while status(&daemon, &olga) != 401 {
        std::thread::sleep(Duration::from_millis(20));
    }
    assert_eq!(daemon.login("Olga Ivanova", PASSWORD).status, 200);
    daemon.assert_sound();
}

#[test]
fn sessions_and_accounts_survive_a_restart_and_a_damaged_file_costs_only_the_sessions() {
    let mut daemon = Daemon::start();
    assert!(account(&daemon, &["add", "Anna", "--role", "operator"], "correct horse battery\n").0);
    let value = |cookie: String| cookie.split_once('=').unwrap().1.to_owned();
    let [olga, anna] =
        [("Olga", PASSWORD), ("Anna", "correct horse battery")].map(|(name, word)| value(daemon.login(name, word).cookie().unwrap()));
    let mode = |file: &str| fs::metadata(daemon.data().join(file)).unwrap().permissions().mode() & 0o777;
    assert_eq!((mode("sessions.json"), mode("accounts.toml")), (0o600, 0o600));
    daemon.restart();
    // Cookies are named by the page's port, and this one is another.
    let named = |daemon: &Daemon, value: &str| format!("flagfall_session_{}={value}", daemon.address.port());
    let key = Key::of(&daemon.data()).unwrap().key.public();
    for (cookie, name, role) in [(&olga, "Olga", "arbiter"), (&anna, "Anna", "operator")] {
        let me = daemon.get("/api/v1/me", &[("Cookie", &named(&daemon, cookie))]).json();
        // Both may note which key signs.
        assert_eq!(me, json!({"name": name, "role": role, "key": fingerprint(&key)}));
    }
    fs::write(daemon.data().join("sessions.json"), "{{{").unwrap();
    daemon.restart();
    assert_eq!(status(&daemon, &named(&daemon, &olga)), 401);
    assert_eq!(daemon.login("Anna", "correct horse battery").status, 200);
    assert!(daemon.data().join("sessions.json.damaged").exists());
    assert!(!daemon.errors.lock().unwrap().contains("panicked"));
}

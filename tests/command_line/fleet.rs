//! `flagfall fleet`: what is made of a table list, and what is done at the Pis by a stand-in `ssh`, which runs everything in a folder of this machine.
use super::{file, flagfall, run};
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};
use std::process::Command;

const LIST: &str = r#"event = "cup-7"
servers = ["nats://10.0.0.1:4222"]
[config]
time_control = "5400+30"
[[pi]]
name = "pi-1"
ssh = "anna@10.0.0.11"
boards = [
  { name = "7", usb = "A10ABCDE" },
  { name = "8", link = "ble:PCS-REVII-081500", clock_white = "left" },
]
[[pi]]
name = "pi-2"
bus = "/dev/ttyUSB0"
boards = [
  { name = "9", address = 1025 },
]
"#;

/// What a Pi is made of here: each program reads and writes the folder `$PI`.
const PROGRAMS: [(&str, &str); 9] = [
    (
        "ssh",
        r#"while [ "$1" != -- ]; do shift; done
export PI="$PIS/$2"
[ -d "$PI" ] || { echo "ssh: connect to host $2 port 22: No route to host" >&2; exit 255; }
cd "$PI" && exec sh -c "$(printf %s "$3" | sed "s#/var/lib/flagfall#$PI/data#g; s#/etc/flagfall#$PI/etc#g")""#,
    ),
    ("sudo", r#"[ "$1" = -n ] && shift; exec "$@""#),
    ("dpkg", "cat \"$PI/architecture\""),
    ("dpkg-query", "cat \"$PI/version\""),
    (
        "systemctl",
        r#"case $1 in
  is-active) echo active ;;
  show) echo "MainPID=$(cat "$PI/process")"; echo "StatusText=$(cat "$PI/status")" ;;
  restart) echo restarted >> "$PI/log"; echo 78 > "$PI/process" ;;
esac"#,
    ),
    (
        "apt-get",
        r#"for last; do :; done
echo "install $(basename "$last") $(cat "$last")" >> "$PI/log"
[ ! -e "$PI/broken" ] || { echo "E: no room" >&2; exit 100; }
basename "$last" | cut -d_ -f2 | tr -d '\n' > "$PI/version"
echo 78 > "$PI/process"
[ ! -e "$PI/after" ] || cp "$PI/after" "$PI/status""#,
    ),
    ("chown", "echo \"chown $1\" >> \"$PI/log\""),
    ("mktemp", "mkdir -p \"$PI/tmp\" && /usr/bin/mktemp -d \"$PI/tmp/XXXXXX\""),
    ("flagfall", "exec \"$FLAGFALL\" \"$@\""),
];

/// An organiser's machine, and Pis behind a stand-in `ssh`.
struct Field {
    home: tempfile::TempDir,
}

impl Field {
    fn new() -> Self {
        let field = Self { home: tempfile::tempdir().unwrap() };
        field.list(LIST);
        for (name, text) in PROGRAMS {
            let path = file(field.home.path(), &format!("bin/{name}"), format!("#!/bin/sh\n{text}\n"));
            fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
        }
        for pi in ["anna@10.0.0.11", "pi-2"] {
            for (name, text) in
                [("architecture", "arm64"), ("version", "0.1.0-1"), ("process", "77"), ("status", "2 boards, 1 up, 0 games on; journal ok")]
            {
                field.write(pi, name, text);
            }
        }
        field
    }

    fn list(&self, text: &str) {
        file(self.home.path(), "cup.toml", text);
    }

    fn path(&self, path: &str) -> PathBuf {
        self.home.path().join(path)
    }

    /// Something on a Pi.
    fn write(&self, pi: &str, path: &str, content: impl AsRef<[u8]>) {
        file(self.home.path(), &format!("pis/{pi}/{path}"), content);
    }

    fn log(&self, pi: &str) -> String {
        fs::read_to_string(self.path(&format!("pis/{pi}/log"))).unwrap_or_default()
    }

    /// Exit code, standard output, standard error of `flagfall fleet WORD cup.toml …`.
    fn fleet(&self, word: &str, args: &[&str]) -> (i32, String, String) {
        let mut command = flagfall();
        command.env("PATH", format!("{}:/usr/bin:/bin", self.path("bin").display())).env("PIS", self.path("pis"));
        command.env("FLAGFALL", env!("CARGO_BIN_EXE_flagfall")).current_dir(self.home.path());
        let output = command.args(["fleet", word, "cup.toml"]).args(args).output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
    }

    fn make(&self) -> String {
        let (code, out, err) = self.fleet("make", &[]);
        assert_eq!(code, 0, "{err}");
        out
    }

    /// Everything that was made: content, mode, and which file on the disk it is.
    fn made(&self) -> BTreeMap<PathBuf, (String, u32, u64)> {
        let (mut found, mut folders) = (BTreeMap::new(), vec![self.path("cup")]);
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path);
                } else {
                    let meta = fs::metadata(&path).unwrap();
                    let below = path.strip_prefix(self.path("cup")).unwrap().to_owned();
                    found.insert(below, (fs::read_to_string(&path).unwrap(), meta.mode() & 0o777, meta.ino()));
                }
            }
        }
        found
    }
}

#[test]
fn every_configuration_that_is_made_is_accepted_and_no_password_is_open() {
    let field = Field::new();
    let out = field.make();
    assert!(out.contains("2 Pis, 3 boards, 1 hall, 1 server"), "{out}");
    let made = field.made();
    for (path, word) in [("pi-1/flagfall.toml", "board-A10ABCDE"), ("pi-2/flagfall.toml", "address = 1025"), ("hall-a/hall.toml", "cup-7")]
    {
        let (code, out, err) = run(&["check", field.path("cup").join(path).to_str().unwrap()]);
        assert!(code == 0 && out.contains(word), "{path}: {out}{err}");
    }
    let passwords: Vec<&str> = made.iter().filter(|(path, _)| path.starts_with("passwords")).map(|(_, (text, ..))| text.trim()).collect();
    assert_eq!(passwords.len(), 7, "four roles, the servers' own and two Pis");
    for (path, (text, mode, _)) in &made {
        assert!(mode & 0o077 == 0 || !passwords.iter().any(|password| text.contains(password)), "{}", path.display());
    }
    let text = |path: &str| made[Path::new(path)].0.clone();
    assert_eq!(text("passwords/pi-2"), text("pi-2/nats.password"));
    assert!(text("broker/broker-1/pis/pi-2.conf").contains(text("passwords/pi-2").trim()));
    assert_eq!(text("passwords/hall"), text("hall-a/nats.password"));
    assert!(passwords.iter().all(|password| !out.contains(password)));
}

#[test]
fn another_board_changes_no_password_and_touches_nothing_else() {
    let field = Field::new();
    field.make();
    let before = field.made();
    assert!(field.make().contains("as before"), "nothing is new the second time");
    assert_eq!(field.made(), before);
    field.list(&LIST.replace("boards = [\n  { name = \"9\"", "boards = [\n  { name = \"10\", address = 7 },\n  { name = \"9\""));
    let (code, out, err) = field.fleet("make", &["--dry-run"]);
    assert!(code == 0 && out.contains("+ name = \"10\"") && err.contains("nothing was written"), "{out}{err}");
    assert_eq!(field.made(), before, "it was only said");
    let out = field.make();
    let after = field.made();
    let changed: Vec<&PathBuf> = after.iter().filter(|(path, file)| before.get(*path) != Some(file)).map(|(path, _)| path).collect();
    assert_eq!(changed, [Path::new("broker/broker-1/pis/pi-2.conf"), Path::new("pi-2/flagfall.toml")]);
    assert!(changed.iter().all(|path| out.contains(&format!("changed  {}", path.display()))), "{out}");
    assert_eq!(after.len(), before.len());
    // A further Pi gets a password, and those of the others stay.
    field.list(&format!("{LIST}[[pi]]\nname = \"pi-3\"\nboards = [{{ name = \"11\", usb = \"B\" }}]\n"));
    field.make();
    let third = field.made();
    for (path, file) in before.iter().filter(|(path, _)| path.starts_with("passwords") || path.ends_with("nats.password")) {
        assert_eq!(third.get(path), Some(file), "{}", path.display());
    }
    assert!(third.contains_key(Path::new("passwords/pi-3")));
    field.list(LIST);
    assert!(field.make().contains("pi-3/ is of a machine that is not in the list"), "who is gone is named");
    assert!(!field.made()[Path::new("broker/broker-1/accounts.conf")].0.contains("pi-3"), "and has no account");
}

#[test]
fn a_list_with_mistakes_is_refused_with_its_lines_and_makes_nothing() {
    let field = Field::new();
    field.list(&LIST.replace("name = \"9\"", "name = \"7\"").replace("cup-7", "cup 7"));
    let (code, out, err) = field.fleet("make", &[]);
    assert_eq!((code, out.as_str()), (78, ""), "{err}");
    assert!(err.contains("cup.toml:1: event:") && err.contains("cup.toml:16: board.name: \"7\" is already in line 9"), "{err}");
    assert!(!field.path("cup").exists());
    fs::remove_file(field.path("cup.toml")).unwrap();
    assert_eq!(field.fleet("make", &[]).0, 66);
}

#[test]
fn the_brokers_files_are_accepted_by_the_server() {
    let field = Field::new();
    let places = ["/usr/sbin/nats-server", "/usr/local/bin/nats-server", "/usr/bin/nats-server"];
    let Some(server) = places.iter().find(|place| Path::new(place).exists()) else {
        println!("skipped: nats-server is not installed (apt-get install nats-server)");
        return;
    };
    let certificate = rcgen::generate_simple_self_signed([String::from("localhost")]).unwrap();
    let (cert, key) = (
        file(field.home.path(), "s.pem", certificate.cert.pem()),
        file(field.home.path(), "s.key", certificate.signing_key.serialize_pem()),
    );
    let broker = format!("[broker]\ncert = {cert:?}\nkey = {key:?}\nca = {cert:?}\n");
    let three = "[\"tls://10.0.0.1:4222\", \"tls://10.0.0.2:4222\", \"tls://10.0.0.3:4222\"]\ntls_ca = \"s.pem\"";
    for (list, name, file) in [
        (String::from(LIST), "broker-1", "one.conf"),
        (LIST.replace("[\"nats://10.0.0.1:4222\"]", three).replace("[config]", &format!("{broker}[config]")), "broker-3", "three.conf"),
    ] {
        field.list(&list);
        field.make();
        let done = Command::new(server).arg("-t").arg("-c").arg(field.path(&format!("cup/broker/{name}/{file}"))).output().unwrap();
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    }
    let made = field.made();
    assert_eq!(made[Path::new("pi-1/nats-ca.pem")].0, certificate.cert.pem());
    assert!(made[Path::new("broker/broker-3/three.conf")].0.contains("\ntls {"), "clients are encrypted");
}

const NEW: &str = "flagfall_0.2.0-1_arm64.deb";

#[test]
fn pis_are_upgraded_one_after_another_and_the_second_run_leaves_them_alone() {
    let field = Field::new();
    file(field.home.path(), NEW, "package");
    let (code, out, err) = field.fleet("upgrade", &[NEW]);
    assert_eq!(code, 0, "{out}{err}");
    assert_eq!(
        out.lines().map(|line| line.split(';').next().unwrap()).collect::<Vec<_>>(),
        ["pi-1: 0.1.0-1 to 0.2.0-1", "pi-2: 0.1.0-1 to 0.2.0-1"]
    );
    for pi in ["anna@10.0.0.11", "pi-2"] {
        assert_eq!(field.log(pi), format!("install {NEW} package\n"));
        assert_eq!(fs::read_dir(field.path(&format!("pis/{pi}/tmp"))).unwrap().count(), 0, "nothing is left there");
    }
    let (code, out, _) = field.fleet("upgrade", &[NEW]);
    assert!(code == 0 && out.contains("pi-1: has 0.2.0-1 already"), "{out}");
    assert_eq!(field.log("pi-2").lines().count(), 1);
}

#[test]
fn no_pi_is_upgraded_in_the_middle_of_a_game_or_after_one_that_failed() {
    let field = Field::new();
    file(field.home.path(), NEW, "package");
    field.write("anna@10.0.0.11", "status", "2 boards, 2 up, 1 game on; journal ok");
    let (code, _, err) = field.fleet("upgrade", &[NEW]);
    assert!(
        code == 69 && err.contains("pi-1: 1 game is on") && err.contains("--anyway") && err.contains("not begun: pi-2"),
        "{code} {err}"
    );
    assert_eq!((field.log("anna@10.0.0.11"), field.log("pi-2")), (String::new(), String::new()));
    // One of its boards does not come back.
    field.write("anna@10.0.0.11", "after", "2 boards, 1 up, 1 game on; journal ok");
    let (code, _, err) = field.fleet("upgrade", &[NEW, "--anyway", "--patience", "0"]);
    assert!(code == 69 && err.contains("pi-1 is not back as it was") && err.contains("1 of 2 boards are back"), "{code} {err}");
    assert_eq!(field.log("pi-2"), "", "the next one was not begun");
    // It cannot be installed.
    field.write("pi-2", "broken", "");
    let (code, _, err) = field.fleet("upgrade", &[NEW, "--only", "pi-2"]);
    assert!(code == 69 && err.contains("pi-2: E: no room") && err.contains("stopped here"), "{code} {err}");
    field.write("pi-2", "architecture", "armhf");
    let (code, _, err) = field.fleet("upgrade", &[NEW, "--only", "pi-2"]);
    assert!(code == 64 && err.contains("armhf"), "{code} {err}");
    let (code, _, err) = field.fleet("upgrade", &[NEW, "--only", "pi-9"]);
    assert!(code == 64 && err.contains("no such Pi"), "{code} {err}");
    assert_eq!(field.fleet("upgrade", &["other.deb"]).0, 64);
    fs::remove_dir_all(field.path("pis/pi-2")).unwrap();
    let (code, _, err) = field.fleet("upgrade", &[NEW, "--only", "pi-2"]);
    assert!(code == 69 && err.contains("pi-2 is not reached: ssh: connect") && err.contains("try `ssh pi-2`"), "{code} {err}");
}

#[test]
fn each_pi_gets_its_own_files_once_and_a_refused_configuration_replaces_nothing() {
    let field = Field::new();
    for pi in ["anna@10.0.0.11", "pi-2"] {
        field.write(pi, "etc/flagfall.toml", "# as packaged\n");
    }
    field.write("pi-2", "status", "1 board, 1 up, 1 game on; journal ok");
    assert!(field.fleet("push", &[]).2.contains("flagfall fleet make"), "nothing is made yet");
    field.make();
    let (code, out, err) = field.fleet("push", &[]);
    assert!(code == 69 && out == "pi-1: has it now; active\n" && err.contains("pi-2: games are on"), "{code} {out}{err}");
    for name in ["flagfall.toml", "nats.password"] {
        let there = field.path(&format!("pis/anna@10.0.0.11/etc/{name}"));
        assert_eq!(fs::read_to_string(&there).unwrap(), fs::read_to_string(field.path(&format!("cup/pi-1/{name}"))).unwrap());
        assert_eq!(fs::metadata(there).unwrap().mode() & 0o777, 0o640);
    }
    assert_eq!(field.log("anna@10.0.0.11"), "chown root:flagfall\nchown root:flagfall\nrestarted\n");
    assert_eq!(fs::read_to_string(field.path("pis/pi-2/etc/flagfall.toml")).unwrap(), "# as packaged\n");
    let (code, out, _) = field.fleet("push", &["--anyway"]);
    assert_eq!((code, out.as_str()), (0, "pi-1: has it already\npi-2: has it now; active\n"));
    // By hand, and wrong.
    fs::write(field.path("cup/pi-1/flagfall.toml"), "rules = 1\n").unwrap();
    let (code, _, err) = field.fleet("push", &["--only", "pi-1"]);
    assert!(code == 69 && err.contains("rules"), "{code} {err}");
    assert!(fs::read_to_string(field.path("pis/anna@10.0.0.11/etc/flagfall.toml")).unwrap().contains("cup-7"), "the old one stays");
    assert_eq!(field.log("anna@10.0.0.11").matches("restarted").count(), 1);
}

/// A kept journal of board 7.
fn journal() -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/journals/three-lives-1.journal")).unwrap()
}

/// A file of an archive.
fn in_archive(archive: &Path, path: &str) -> String {
    String::from_utf8(Command::new("tar").arg("-xOf").arg(archive).arg(path).output().unwrap().stdout).unwrap()
}

#[test]
fn the_evidence_of_all_pis_comes_into_one_archive_with_what_is_proved_of_it() {
    let field = Field::new();
    field.write("anna@10.0.0.11", "data/journals/7/2026-11-23.journal", journal());
    field.write("anna@10.0.0.11", "data/journal.key", "SECRET");
    field.write("pi-2", "data/journals/9/2026-11-23.journal", journal());
    let (code, out, err) = field.fleet("collect", &["-o", "cup.tar.gz"]);
    assert!(code == 2 && err.contains("no key was noted"), "{code} {out}{err}");
    let key = journal().split("\"key\":\"").nth(1).unwrap()[..64].to_owned();
    for pi in ["pi-1", "pi-2"] {
        file(field.home.path(), &format!("cup/keys/{pi}"), &key);
    }
    let (code, out, err) = field.fleet("collect", &["-o", "cup.tar.gz"]);
    assert_eq!(code, 0, "{out}{err}");
    let listed = Command::new("tar").arg("-tf").arg(field.path("cup.tar.gz")).output().unwrap();
    let listed = String::from_utf8(listed.stdout).unwrap();
    for path in ["cup/CONTENTS.txt", "cup/pi-1/journals/7/2026-11-23.journal", "cup/pi-2/journals/9/2026-11-23.journal"] {
        assert!(listed.lines().any(|line| line == path), "{listed}");
    }
    assert!(!listed.contains("journal.key"));
    let contents = in_archive(&field.path("cup.tar.gz"), "cup/CONTENTS.txt");
    for line in ["journals/7/2026-11-23.journal: proved to the end; 1004 lines", &key, "board 8: no journal here"] {
        assert!(contents.contains(line), "{line}: {contents}");
    }
    assert_eq!(in_archive(&field.path("cup.tar.gz"), "cup/pi-1/journals/7/2026-11-23.journal"), journal());
    assert!(out.contains("pi-1: 1 journal: 1 proved to the end"), "{out}");
}

#[test]
fn a_changed_journal_and_a_silent_pi_are_named_and_the_others_are_fetched() {
    let field = Field::new();
    let changed = journal().replacen("\"serial\":\"24680\"", "\"serial\":\"24681\"", 1);
    assert_ne!(changed, journal());
    field.write("anna@10.0.0.11", "data/journals/7/2026-11-23.journal", changed);
    fs::remove_dir_all(field.path("pis/pi-2")).unwrap();
    let (code, _, err) = field.fleet("collect", &["-o", "cup.tar"]);
    assert!(
        code == 65 && err.contains("pi-2 is not reached") && err.contains("pi-1: journals/7/2026-11-23.journal: changed"),
        "{code} {err}"
    );
    let contents = in_archive(&field.path("cup.tar"), "cup/CONTENTS.txt");
    assert!(contents.contains("MISSING: pi-2 is not reached") && contents.contains("2026-11-23.journal: changed"), "{contents}");
    // A Pi that has none.
    field.write("pi-2", "data/nothing", "");
    let (code, _, err) = field.fleet("collect", &["-o", "cup.tar", "--only", "pi-2"]);
    assert!(code == 69 && err.contains("pi-2: ") && err.contains("journals"), "{code} {err}");
    assert_eq!(field.fleet("collect", &["-o", "cup.zip"]).0, 64);
    let left: Vec<_> =
        fs::read_dir(field.home.path()).unwrap().map(|e| e.unwrap().file_name()).filter(|n| n.to_string_lossy().starts_with('.')).collect();
    assert!(left.is_empty(), "{left:?}");
}

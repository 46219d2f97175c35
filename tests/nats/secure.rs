//! TLS and NKeys, as `nats-server/` says that they are set up: a machine and a hall that have them, and machines that have other ones.
use super::server::{Broker, EVENT};
use super::table::{Daemon, Room, until};
use nkeys::KeyPair;
use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa};
use std::fs;
use std::path::{Path, PathBuf};

/// What stands in the files of machines and server.
struct Secrets {
    home: tempfile::TempDir,
}

impl Secrets {
    /// A certificate for 127.0.0.1, the one that signed it, one that did not, and seeds of these users and of a stranger.
    fn new(users: &[&str]) -> Self {
        let home = tempfile::tempdir().unwrap();
        let authority = || {
            let mut params = CertificateParams::default();
            params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
            CertifiedIssuer::self_signed(params, rcgen::KeyPair::generate().unwrap()).unwrap()
        };
        let (ca, other) = (authority(), authority());
        let key = rcgen::KeyPair::generate().unwrap();
        let certificate = CertificateParams::new([String::from("127.0.0.1")]).unwrap().signed_by(&key, &ca).unwrap();
        let secrets = Self { home };
        let files =
            [("ca.pem", ca.pem()), ("other.pem", other.pem()), ("server.pem", certificate.pem()), ("server.key", key.serialize_pem())];
        for (name, text) in files {
            fs::write(secrets.file(name), text).unwrap();
        }
        for user in users.iter().chain(&["stranger"]) {
            let pair = KeyPair::new_user();
            fs::write(secrets.file(&format!("{user}.seed")), pair.seed().unwrap()).unwrap();
            fs::write(secrets.file(&format!("{user}.public")), pair.public_key()).unwrap();
        }
        secrets
    }

    fn file(&self, name: &str) -> PathBuf {
        self.home.path().join(name)
    }

    /// The server's folder with the lines for TLS, and `nkey` in place of user and password.
    fn apply(&self, folder: &Path) {
        let change = |file: &str, replace: &dyn Fn(&str) -> String| {
            let path = folder.join(file);
            let (was, now) = (fs::read_to_string(&path).unwrap(), replace(&fs::read_to_string(&path).unwrap()));
            assert_ne!(was, now, "{file} is not what this test knows");
            fs::write(path, now).unwrap();
        };
        change("one.conf", &|text| {
            let on = text
                .replace("# tls {\n#   cert_file", "tls {\n   cert_file")
                .replace("\n#   key_file", "\n   key_file")
                .replace("\n# }", "\n}");
            on.replace("/etc/nats-server", self.home.path().to_str().unwrap())
        });
        let nkey = |user: &str| format!("nkey: \"{}\"", fs::read_to_string(self.file(&format!("{user}.public"))).unwrap());
        change("accounts.conf", &|text| text.replace("user: \"hall\", password: $HALL_PASSWORD", &nkey("hall")));
        // A password that nothing uses is a mistake to the server.
        change("credentials.conf", &|text| {
            text.lines().filter(|line| !line.starts_with("HALL_")).map(|line| format!("{line}\n")).collect()
        });
        change("pis/pi-1.conf", &|text| {
            let lines = text.lines().filter(|line| !line.trim_start().starts_with("password:"));
            lines.map(|line| line.replace("user: \"pi-1\"", &nkey("pi-1")) + "\n").collect()
        });
    }

    /// The section `[nats]` of a machine.
    fn section(&self, broker: &Broker, name: &str, seed: &str, ca: &str) -> String {
        format!(
            "[nats]\nservers = {:?}\nevent = \"{EVENT}\"\nname = \"{name}\"\nnkey_file = \"{}\"\ntls_ca = \"{}\"\nreplicas = 1\n",
            broker.servers(),
            self.file(&format!("{seed}.seed")).display(),
            self.file(ca).display()
        )
    }
}

const QUIET: &str = "[web]\nlisten = \"127.0.0.1:0\"\n[livechess]\nenabled = false\n";

#[test]
fn with_tls_and_nkeys_a_board_is_seen_in_the_hall_and_no_stranger_gets_in() {
    let secrets = Secrets::new(&["hall", "pi-1"]);
    let Some(broker) = Broker::encrypted(&[("pi-1", &["1"])], |folder| secrets.apply(folder)) else { return };
    let mut room = Room::new();
    let start = |room: &Room, subcommand: &str, name: &str, text: String| {
        let file = room.home.path().join(format!("{name}.toml"));
        fs::write(&file, text).unwrap();
        Daemon::start(room.home.path(), name, subcommand, &file, Some(&room.home.path().join(name)))
    };
    let hall = start(&room, "hall", "hall", format!("{QUIET}{}", secrets.section(&broker, "hall", "hall", "ca.pem")));
    room.boards(&["1"], 2.0);
    let board =
        format!("[discovery]\nserial = false\n[[board]]\nname = \"1\"\nlink = \"serial:{}\"\n", room.home.path().join("board-1").display());
    let pi = start(&room, "run", "pi-1", format!("{QUIET}{}{board}", secrets.section(&broker, "pi-1", "pi-1", "ca.pem")));
    let moves = until("moves in the hall", || hall.get("/api/v1/boards/1")?["plies_completed"].as_u64().filter(|plies| *plies >= 3));
    assert!(pi.get("/api/v1/boards/1").unwrap()["plies_completed"].as_u64().unwrap() >= moves);

    let quiet = format!("{QUIET}[discovery]\nserial = false\n");
    for (name, seed, ca, why) in [("stranger", "stranger", "ca.pem", "authorization"), ("deceived", "pi-1", "other.pem", "certificate")] {
        let lost = start(&room, "run", name, format!("{quiet}{}", secrets.section(&broker, "pi-1", seed, ca)));
        until("a reason", || lost.said().to_lowercase().contains(why).then_some(()));
        assert_eq!(lost.nats()["connected"], false, "{}", lost.said());
        lost.end();
    }
    room.quiet();
    pi.end();
    hall.end();
}

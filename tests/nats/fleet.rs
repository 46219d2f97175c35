//! An event that is made of a table list: its broker, its hall, its Pis; and `flagfall fleet check`, which says what is not as listed.
use super::server::{Broker, EVENT, mortal};
use super::table::{Daemon, Room, names, until};
use crate::free_port::free_port;
use std::fs;
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

/// What was started, and ends with the test.
struct Server(Child);

impl Drop for Server {
    fn drop(&mut self) {
        _ = self.0.kill();
        _ = self.0.wait();
    }
}

/// `flagfall fleet WORD cup.toml`: exit code and all that it said; 124: it had not ended after a minute.
fn fleet(home: &Path, word: &str) -> (i32, String) {
    let mut command = Command::new("timeout");
    let output = command.args(["60", env!("CARGO_BIN_EXE_flagfall"), "fleet", word]).arg(home.join("cup.toml")).output().unwrap();
    (output.status.code().unwrap(), String::from_utf8(output.stdout).unwrap() + &String::from_utf8(output.stderr).unwrap())
}

/// A machine with what was made for it; only the path of its password is this test's.
fn start(home: &Path, name: &str, word: &str, file: &str) -> Daemon {
    let made = home.join("cup").join(name);
    let text = fs::read_to_string(made.join(file)).unwrap().replace("/etc/flagfall", made.to_str().unwrap());
    let config = home.join(format!("{name}.toml"));
    fs::write(&config, text).unwrap();
    Daemon::start(home, name, word, &config, Some(&home.join(name)))
}

#[test]
fn an_event_made_of_a_list_works_and_whatever_is_not_as_listed_is_named() {
    let places = ["/usr/sbin/nats-server", "/usr/local/bin/nats-server", "/usr/bin/nats-server"];
    let Some(program) = places.iter().map(Path::new).find(|place| place.exists()) else {
        println!("skipped: nats-server is not installed (apt-get install nats-server)");
        return;
    };
    let mut room = Room::new();
    let (home, port) = (room.home.path().to_owned(), free_port());
    let row = |board: &str, more: &str| format!("  {{ name = \"{board}\", link = \"serial:{}/board-{board}\"{more} }},\n", home.display());
    let list = |first: &str, second: &str| {
        let quiet = "web.listen = \"127.0.0.1:0\"\nlivechess.enabled = false\ndiscovery.serial = false\n";
        let text = format!(
            "event = \"cup\"\nservers = [\"nats://127.0.0.1:{port}\"]\nbroker.streams = \"{}\"\n\
             [hall_config]\nweb.listen = \"127.0.0.1:0\"\nlivechess.enabled = false\n[config]\n{quiet}play = \"blitz\"\ntime_control = \"180+2\"\n\
             [[pi]]\nname = \"pi-1\"\nboards = [\n{first}]\n[[pi]]\nname = \"pi-2\"\nboards = [\n{second}]\n",
            home.join("streams").display()
        );
        fs::write(home.join("cup.toml"), text).unwrap();
    };
    list(&(row("1", "") + &row("2", "")), &row("3", ""));
    let (code, said) = fleet(&home, "make");
    assert_eq!(code, 0, "{said}");
    let (code, said) = fleet(&home, "check");
    assert!(code == 69 && said.contains("nats-server"), "{code} {said}");
    let folder = home.join("cup/broker/broker-1");
    // Its monitor's port would be another test's, too.
    let site = fs::read_to_string(folder.join("site.conf")).unwrap();
    fs::write(folder.join("site.conf"), site.replace("127.0.0.1:8222", &format!("127.0.0.1:{}", free_port()))).unwrap();
    let mut server = mortal(program);
    server.arg("-c").arg(folder.join("one.conf")).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let _server = Server(server.spawn().unwrap());
    until("a broker", || TcpStream::connect(("127.0.0.1", port)).ok());
    let _hall = start(&home, "hall-a", "hall", "hall.toml");
    room.boards(&["1", "2", "3"], 1.0);
    let one = start(&home, "pi-1", "run", "flagfall.toml");
    let two = start(&home, "pi-2", "run", "flagfall.toml");
    let check = |what: &str, wanted: i32, words: &[&str]| {
        let mut last = String::new();
        until(what, || {
            let (code, said) = fleet(&home, "check");
            last = said;
            (code == wanted && words.iter().all(|word| last.contains(word))).then_some(())
        });
        last
    };
    let said = check("all as listed", 0, &["pi-1: 2 of 2 boards answer", "hall-a speaks", "all is as in the list"]);
    assert!(!said.contains("! "), "{said}");
    assert!(one.said().lines().chain(two.said().lines()).all(|line| !line.contains("Permissions Violation")), "the accounts are enough");
    for pi in ["pi-1", "pi-2"] {
        let key = fs::read_to_string(home.join("cup/keys").join(pi)).unwrap();
        assert_eq!(key.trim().len(), 64, "{key}");
    }
    // The same boards, and a list that has them elsewhere.
    list(&row("1", ", serial = \"99999\""), &(row("2", "") + &row("4", "")));
    let (code, said) = fleet(&home, "check");
    assert_eq!(code, 1, "{said}");
    for words in [
        "board 2 is at pi-1, and listed at pi-2",
        "board 4: pi-2 does not know it",
        "board 3 at pi-2 is not in the list",
        "the list 99999",
        "4 things are not as in",
    ] {
        assert!(said.contains(words), "{words}: {said}");
    }
    list(&(row("1", "") + &row("2", "")), &row("3", ""));
    fs::write(home.join("cup/keys/pi-1"), "00\n").unwrap();
    two.kill();
    check("a Pi that is missing", 1, &["pi-2 is not heard (boards 3)", "pi-1 signs with another key than was noted"]);
    room.quiet();
    check("boards that are silent", 1, &["board 1 does not answer pi-1"]);
    one.end();
}

#[test]
fn what_is_written_all_the_time_is_read_to_an_end() {
    let Some(broker) = Broker::one(&[("pi-1", &["1"])]) else { return };
    let room = Room::new();
    let home = room.home.path();
    let servers = broker.servers();
    let list =
        format!("event = \"{EVENT}\"\nservers = {servers:?}\n[[pi]]\nname = \"pi-1\"\nboards = [{{ name = \"1\", usb = \"A10ABCDE\" }}]\n");
    fs::write(home.join("cup.toml"), list).unwrap();
    fs::create_dir_all(home.join("cup/passwords")).unwrap();
    fs::copy(broker.password_file("hall"), home.join("cup/passwords/hall")).unwrap();
    let hall = room.hall(&broker);
    let over = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            room.runtime.block_on(async {
                let lease = hall.get_key_value(names().lease()).await.unwrap();
                while !over.load(Ordering::Relaxed) {
                    let spoken = r#"{"hall":"hall-a","since":"2026-11-21T15:00:00Z","at":"2026-11-21T15:00:00Z"}"#;
                    lease.put("hall", spoken.into()).await.unwrap();
                }
            });
        });
        for _ in 0..40 {
            let (code, said) = fleet(home, "check");
            if code != 1 || !said.contains("hall-a speaks") {
                over.store(true, Ordering::Relaxed);
                panic!("{code} {said}");
            }
        }
        over.store(true, Ordering::Relaxed);
    });
}

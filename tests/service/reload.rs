//! SIGHUP: publishers, log and event follow; a game in progress goes on; a broken configuration changes nothing.
use crate::manager::{Manager, Service, until, verified};
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpListener;
use std::sync::{Arc, Mutex};

/// Reads the configuration again and waits until that is over.
fn reload(manager: &Manager, service: &Service) {
    manager.forget();
    service.signal("HUP");
    until("ready again", || manager.has("READY=1"));
    let told = manager.told.lock().unwrap().clone();
    let at = |line: &str| told.iter().position(|message| message.lines().any(|l| l.starts_with(line)));
    assert!(at("RELOADING=1") < at("READY=1"), "{told:?}");
    assert_eq!(at("RELOADING=1"), at("MONOTONIC_USEC="), "{told:?}");
}

/// Takes what is posted to it.
struct Receiver {
    address: String,
    taken: Arc<Mutex<Vec<String>>>,
}

impl Receiver {
    fn new() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let taken: Arc<Mutex<Vec<String>>> = Arc::default();
        let into = taken.clone();
        std::thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                let mut reader = BufReader::new(stream);
                let (mut line, mut length) = (String::new(), 0);
                while reader.read_line(&mut line).is_ok_and(|n| n > 2) {
                    if let Some(n) = line.to_lowercase().strip_prefix("content-length:") {
                        length = n.trim().parse().unwrap();
                    }
                    line.clear();
                }
                let mut body = vec![0; length];
                if reader.read_exact(&mut body).is_ok() {
                    into.lock().unwrap().push(String::from_utf8_lossy(&body).into_owned());
                    let _ = reader.get_mut().write_all(b"HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n");
                }
            }
        });
        Self { address, taken }
    }

    fn has(&self, text: &str) -> bool {
        self.taken.lock().unwrap().iter().any(|body| body.contains(text))
    }
}

#[test]
fn publishers_log_and_event_follow_the_configuration_and_the_game_goes_on() {
    let manager = Manager::new();
    manager.configure("");
    let mut service = manager.start(&mut manager.command(&[]));
    until("moves", || service.get("/api/v1/boards/1")["plies_completed"].as_u64() > Some(2));
    let started = service.get("/api/v1/boards/1")["game"]["started_at"].clone();
    assert!(started.is_string());

    let receiver = Receiver::new();
    let tree = manager.folder.path().join("tree");
    let dead = manager.folder.path().join("nothing.csv");
    manager.configure(&format!(
        "[log]\nlevel = \"debug\"\n[[alert]]\nurl = \"http://{}/\"\n[event]\nname = \"Evening Open\"\npairings = \"{}\"\n[tree]\nfolder = \"{}\"\n\
         [journal]\nkeep = \"30d\"\n",
        receiver.address,
        dead.display(),
        tree.display()
    ));
    reload(&manager, &service);
    assert!(service.said().contains("journal.keep changed") && service.said().contains("restart to apply"), "{}", service.said());
    until("an alarm goes to the new receiver", || receiver.has("pairings-failing"));
    until("the tree is written", || tree.join("pgn/round-1/games.pgn").exists() || tree.join("round-1/games.pgn").exists());
    let pgn = service.text("/api/v1/boards/1/pgn");
    assert!(pgn.contains("[Event \"Evening Open\"]"), "{pgn}");
    let metrics = service.text("/api/v1/operator/metrics");
    assert!(metrics.contains("flagfall_publisher_deliveries_total{publisher=\"alert 1 (127.0.0.1)\"}"), "{metrics}");

    // Gone again: what it had raised goes with it.
    manager.configure("");
    reload(&manager, &service);
    until("the alarm of a list that is no longer named is gone", || {
        let standing = service.get("/api/v1/operator/alarms").to_string();
        !standing.contains("pairings-failing")
    });
    let now = service.get("/api/v1/boards/1");
    assert_eq!(now["game"]["started_at"], started, "the same game");
    let plies = now["plies_completed"].as_u64().unwrap();
    until("it goes on", || service.get("/api/v1/boards/1")["plies_completed"].as_u64() > Some(plies));
    service.signal("TERM");
    assert!(service.wait().success());
    verified(&manager.data());
}

#[test]
fn a_broken_configuration_is_refused_with_its_line_and_the_old_one_stays() {
    let manager = Manager::new();
    let receiver = Receiver::new();
    let alert = format!("[[alert]]\nurl = \"http://{}/\"\n", receiver.address);
    manager.configure(&alert);
    let service = manager.start(&mut manager.command(&[]));
    manager.configure("[lichess]\nrond = \"xVEzYJHf\"\n");
    reload(&manager, &service);
    until("it is said", || service.said().contains("refused"));
    let place = format!("{}:9: lichess.rond", manager.config().display());
    assert!(service.said().contains(&place), "{}", service.said());
    assert!(manager.status().contains(&place), "{}", manager.status());
    assert!(service.text("/api/v1/operator/metrics").contains("alert 1 (127.0.0.1)"), "what was configured stays");
    manager.configure(&alert);
    reload(&manager, &service);
    assert!(!manager.status().contains("refused"), "{}", manager.status());
}

#[test]
fn listeners_places_and_links_are_said_to_need_a_restart() {
    let manager = Manager::new();
    manager.configure("");
    let service = manager.start(&mut manager.command(&[]));
    let text = std::fs::read_to_string(manager.config()).unwrap();
    let text = text.replace("enabled = false", "enabled = true").replace("/board\"", "/other\"")
        + "[[board]]\nname = \"2\"\nlink = \"serial:/dev/none\"\n";
    std::fs::write(manager.config(), text).unwrap();
    reload(&manager, &service);
    for key in ["livechess.enabled", "[[board]] 1", "[[board]] 2"] {
        until(key, || service.said().contains(&format!("{key} changed")));
    }
    assert!(!service.said().contains("web.listen"), "{}", service.said());
}

//! `flagfall doctor --hall` after each change: a Pi, a hall, servers of the broker killed and back.
use super::server::Broker;
use super::table::{Room, until};
use flagfall::time::Stopwatch;
use std::process::Command;

/// What it prints, and whether it finds everything well.
fn doctor(room: &Room) -> (bool, String) {
    let program = std::env::var_os("FLAGFALL_BIN").unwrap_or_else(|| env!("CARGO_BIN_EXE_flagfall").into());
    let output = Command::new(program).args(["doctor", "--hall", "--config"]).arg(room.home.path().join("hall.toml")).output().unwrap();
    (output.status.success(), String::from_utf8(output.stdout).unwrap())
}

/// Asks until it says all of this and finds everything well, or not.
fn says(room: &Room, change: &str, well: bool, words: &[&str]) -> String {
    let (since, mut last) = (Stopwatch::start(), String::new());
    let text = until(change, || {
        let (found, text) = doctor(room);
        let right = found == well && words.iter().all(|word| text.contains(word));
        if !right && text != last {
            println!("{change}, not yet after {} ms:\n{text}", since.now().millis());
            last.clone_from(&text);
        }
        right.then_some(text)
    });
    println!("{change}: after {} ms", since.now().millis());
    text
}

#[test]
fn doctor_says_what_is_there_now() {
    let Some(mut broker) = Broker::three(&[("pi-1", &["1"]), ("pi-2", &["2"])]) else { return };
    let mut room = Room::new();
    room.boards(&["1", "2"], 20.0);
    let hall = room.house(&broker);
    let pi = room.daemon(&broker, "pi-1", &["1"]);
    let _other = room.daemon(&broker, "pi-2", &["2"]);
    room.play(&[("pi-1", "1"), ("pi-2", "2")]);
    let addresses = broker.servers();
    let lines: Vec<String> = (0..3).map(|n| format!("{}: node-{n}", addresses[n])).collect();
    let well = ["pi-1: 1 boards, 1 up", "pi-2: 1 boards, 1 up", "hall       hall: ", "lease      hall speaks", "on 3 servers", &lines[1]];
    let text = says(&room, "everything runs", true, &well);
    assert!(!text.contains('!') && lines.iter().all(|line| text.contains(line)), "{text}");

    pi.kill();
    says(&room, "a Pi killed", false, &["! pi-1 is not heard (board 1)", "pi-2: 1 boards, 1 up", "hall speaks"]);
    // Later nothing stands of it but what it said.
    until("its presence gone", || (hall.get("/api/v1/operator/health")?["hall"]["pis_away"] == 1).then_some(()));
    says(&room, "a Pi gone for long", false, &["! pi-1 is not heard (board 1)"]);
    let _pi = room.daemon(&broker, "pi-1", &["1"]);
    says(&room, "a Pi back", true, &well);

    hall.kill();
    says(&room, "a hall killed", false, &["! hall does not read the stream", "! no hall reads the stream", "pi-1: 1 boards"]);
    says(&room, "no voice", false, &["! no hall speaks"]);
    let hall = room.house(&broker);
    says(&room, "a hall back", true, &well);

    broker.kill(1);
    let text = says(&room, "a server killed", false, &[&format!("! {} does not answer", addresses[1]), "pi-1: 1 boards", "hall speaks"]);
    assert!(text.contains(&lines[0]) && !text.contains(&lines[1]), "{text}");
    broker.pause(2);
    let boards = ["pi-1: 1 boards", "pi-2: 1 boards", "! no hall speaks as long as nothing can be stored"];
    says(&room, "another one hangs", false, &[&[&*format!("! {} does not answer: nothing came", addresses[2])], &boards[..]].concat());
    broker.resume(2);
    broker.start(1);
    says(&room, "all servers back", true, &well);
    hall.end();
}

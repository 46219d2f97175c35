//! What falls while boards play, and what the stream holds afterwards.
use super::compare;
use super::server::Broker;
use super::table::{Daemon, Room, SOME, names, until};
use flagfall::time::Stopwatch;
use std::collections::BTreeSet;
use std::fs;
use std::thread::sleep;
use std::time::Duration;

#[test]
fn the_stream_equals_the_journals_after_kills_of_broker_and_daemon() {
    let Some(mut broker) = Broker::one(&[("pi-1", &["1", "Tisch 7"]), ("pi-2", &["5"])]) else { return };
    let mut room = Room::new();
    room.boards(&["1", "Tisch 7", "5"], 20.0);
    let (first, second) = (["1", "Tisch 7"], ["5"]);
    // Before a hall has made the stream events wait in the journal.
    let daemon = room.daemon(&broker, "pi-1", &first);
    let other = room.daemon(&broker, "pi-2", &second);
    until("complaint", || daemon.nats()["reason"].as_str()?.contains("flagfall hall").then_some(()));
    let hall = room.hall(&broker);
    let (all, at_other) = ([("pi-1", "1"), ("pi-1", "Tisch 7"), ("pi-2", "5")], [("pi-2", "5")]);
    room.play(&all);
    broker.kill(0);
    room.play(&all);
    broker.start(0);
    room.play(&all);
    daemon.kill();
    let daemon = room.daemon(&broker, "pi-1", &first);
    room.play(&all);
    // Both at once.
    broker.kill(0);
    daemon.kill();
    room.play(&at_other);
    let daemon = room.daemon(&broker, "pi-1", &first);
    room.play(&all);
    broker.start(0);
    room.play(&all);
    room.quiet();
    let count = room.equal(&hall, &daemon, "pi-1", &first) + room.equal(&hall, &other, "pi-2", &second);
    assert!(count >= 6 * all.len() * SOME, "{count}");
    // The gauges are brought up to date every second.
    let figures = ["flagfall_nats_connected 1\n", "flagfall_nats_behind 0\n"];
    until("figures that say so", || figures.iter().all(|figure| daemon.metrics().contains(figure)).then_some(()));
    // A good end, and nothing is sent again.
    daemon.end();
    let cursor = fs::read_to_string(room.data("pi-1").join("nats/open-2026.json")).unwrap();
    assert!(cursor.contains("Tisch 7"), "{cursor}");
    let daemon = room.daemon(&broker, "pi-1", &first);
    room.equal(&hall, &daemon, "pi-1", &first);
    let sent = room.runtime.block_on(compare::sent(&hall, &names()));
    let each: BTreeSet<_> = sent.iter().map(|one| (&one.board, one.seq)).collect();
    assert_eq!(each.len(), sent.len(), "every event once, under one epoch");
}

#[test]
fn a_broker_that_hangs_is_left_and_found_again() {
    let Some(broker) = Broker::one(&[("pi-1", &["1"])]) else { return };
    let (mut room, board) = (Room::new(), [("pi-1", "1")]);
    let hall = room.hall(&broker);
    room.boards(&["1"], 20.0);
    let daemon = room.daemon(&broker, "pi-1", &["1"]);
    until("connection", || (daemon.nats()["connected"] == true).then_some(()));
    room.play(&board);
    broker.pause(0);
    until("its loss", || (daemon.nats()["connected"] == false).then_some(()));
    room.play(&board);
    until("what waits", || (daemon.nats()["behind"].as_u64()? > 0).then_some(()));
    assert_eq!(daemon.get("/api/v1/boards/1").unwrap()["link"], "up", "the board goes on");
    broker.resume(0);
    room.play(&board);
    room.quiet();
    assert!(room.equal(&hall, &daemon, "pi-1", &["1"]) >= 3 * SOME);
}

fn setting(name: &str, other: usize) -> usize {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(other)
}

/// With more boards:
///
/// ```sh
/// FLAGFALL_NATS_DAEMONS=4 FLAGFALL_NATS_BOARDS=12 FLAGFALL_NATS_AWAY=60 cargo test --test feeds a_cluster -- --nocapture
/// ```
#[test]
fn a_cluster_loses_its_leader_and_then_all_servers() {
    let (daemons, boards, away) =
        (setting("FLAGFALL_NATS_DAEMONS", 1), setting("FLAGFALL_NATS_BOARDS", 2), setting("FLAGFALL_NATS_AWAY", 1));
    let names: Vec<(String, Vec<String>)> =
        (1..=daemons).map(|d| (format!("pi-{d}"), (1..=boards).map(|b| format!("{}", (d - 1) * boards + b)).collect())).collect();
    let pis: Vec<(&str, Vec<&str>)> = names.iter().map(|(pi, boards)| (pi.as_str(), boards.iter().map(String::as_str).collect())).collect();
    let accounts: Vec<(&str, &[&str])> = pis.iter().map(|(pi, boards)| (*pi, boards.as_slice())).collect();
    let Some(mut broker) = Broker::three(&accounts) else { return };
    let mut room = Room::new();
    let hall = room.hall(&broker);
    // Many boards play at their own pace; a few play fast.
    let speed = if daemons * boards > 8 { 1.0 } else { 20.0 };
    for (_, boards) in &pis {
        room.boards(boards, speed);
    }
    let mut running: Vec<Daemon> = pis.iter().map(|(pi, boards)| room.daemon(&broker, pi, boards)).collect();
    until("connection", || running.iter().all(|daemon| daemon.nats()["connected"] == true).then_some(()));
    let every: Vec<(&str, &str)> = pis.iter().flat_map(|(pi, boards)| boards.iter().map(move |board| (*pi, *board))).collect();
    room.play(&every);
    let leader = until("leader", || broker.leader());
    broker.kill(leader);
    room.play(&every);
    broker.start(leader);
    room.play(&every);
    // Another one, and a daemon.
    let leader = until("leader", || broker.leader());
    broker.kill((leader + 1) % 3);
    running.remove(0).kill();
    running.insert(0, room.daemon(&broker, pis[0].0, &pis[0].1));
    room.play(&every);
    broker.start((leader + 1) % 3);
    room.play(&every);
    for n in 0..3 {
        broker.kill(n);
    }
    sleep(Duration::from_secs(away as u64));
    room.play(&every);
    room.quiet();
    let waits = |daemon: &Daemon| daemon.nats()["behind"].as_u64().unwrap_or(0);
    let behind: u64 = running.iter().map(waits).sum();
    for n in 0..3 {
        broker.spawn_again(n);
    }
    let back = Stopwatch::start();
    until("a leader again", || (running.iter().map(waits).sum::<u64>() < behind).then_some(()));
    let (chosen, draining) = (back.now().millis(), Stopwatch::start());
    running.iter().for_each(Daemon::settled);
    let drained = draining.now().millis().max(1);
    let (mut events, mut bytes) = (0, 0);
    for (pi, boards) in &pis {
        let found = room.compared(&hall, pi, boards);
        (events, bytes) = (events + found.0, bytes + found.1);
    }
    println!(
        "{} boards in {daemons} daemons: {events} events, journals and stream equal; {} bytes a message; {behind} waited {away} s, first of them taken {chosen} ms after the servers' start, the rest within {drained} ms",
        daemons * boards,
        bytes / events
    );
    assert!(events >= 6 * every.len() * SOME, "{events}");
}

#[test]
fn a_journal_that_lost_its_end_is_published_anew_under_another_epoch() {
    let Some(broker) = Broker::one(&[("pi-1", &["1"])]) else { return };
    let (mut room, board) = (Room::new(), [("pi-1", "1")]);
    let hall = room.hall(&broker);
    room.boards(&["1"], 20.0);
    let daemon = room.daemon(&broker, "pi-1", &["1"]);
    room.play(&board);
    room.play(&board);
    daemon.settled();
    daemon.kill();
    // The power failed: the last lines never reached the disk.
    let journal = fs::read_dir(room.data("pi-1").join("journals/1"))
        .unwrap()
        .map(|f| f.unwrap().path())
        .find(|p| p.extension().is_some_and(|e| e == "journal"))
        .unwrap();
    let length = fs::metadata(&journal).unwrap().len();
    fs::File::options().write(true).open(&journal).unwrap().set_len(length * 2 / 3).unwrap();
    let daemon = room.daemon(&broker, "pi-1", &["1"]);
    room.play(&board);
    room.quiet();
    assert!(room.equal(&hall, &daemon, "pi-1", &["1"]) > SOME);
    let mut epochs: Vec<String> = room.runtime.block_on(compare::sent(&hall, &names())).into_iter().map(|one| one.epoch).collect();
    epochs.dedup();
    assert_eq!(epochs.len(), 2, "{epochs:?}");
}

#[test]
fn without_journals_nothing_is_published_and_that_is_said() {
    let Some(broker) = Broker::one(&[("pi-1", &["1"])]) else { return };
    let room = Room::new();
    let file = room.home.path().join("f.toml");
    fs::write(&file, room.configuration(&broker, "pi-1", &["1"])).unwrap();
    let daemon = Daemon::start(room.home.path(), "none", "run", &file, None);
    // Its addresses are said first.
    for _ in 0..100 {
        if daemon.said().contains("nats: there are no journals") {
            break;
        }
        sleep(Duration::from_millis(100));
    }
    assert!(daemon.said().contains("nats: there are no journals"), "{}", daemon.said());
    assert!(daemon.nats().is_null());
}

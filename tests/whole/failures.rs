//! What fails, one after the other, while the boards play on.
use crate::checks::Found;
use crate::compare::journaled;
use crate::floor::Floor;
use crate::halls::{Halls, pause, state, wait};
use crate::median;
use crate::network::Cable;
use crate::server::Broker;
use crate::table::Daemon;
use flagfall::time::Stopwatch;
use serde_json::{Value, json};
use std::time::Duration;

/// Two hours of a classical game on one board: plies, and events with the clock's readings.
const TWO_HOURS: (usize, u64) = (80, 1_440);
/// How often the hall that speaks is killed.
const VOICES: usize = 5;

/// All of it.
pub(crate) fn all(broker: &mut Broker, floor: &mut Floor, halls: &mut Halls, cable: &Cable, found: &mut Found) {
    cut(floor, halls, cable, found);
    // Whoever is no leader: the one after it.
    if let Some(leader) = wait("leader", 30, || broker.leader()) {
        node(broker, floor, (leader + 1) % 3, "a follower");
    }
    if let Some(leader) = wait("leader", 30, || broker.leader()) {
        node(broker, floor, leader, "the leader");
    }
    everything(broker, floor, halls, found);
    daemon(broker, floor);
    voices(broker, floor, halls);
}

fn report(key: &str) -> Value {
    json!({"do": "report", "key": "two-hands", "by": "white", "who": "Anna", "order_key": key})
}

/// Gives an order in a hall: status and answer.
fn order(hall: &Daemon, board: &str, key: &str) -> u16 {
    hall.post(&format!("/api/v1/arbiter/boards/{board}/entries"), &report(key)).0
}

/// How often an order stands in its board's journals, once it is answered there.
fn once(floor: &Floor, hall: &Daemon, machine: usize, board: &str, key: &str, found: &mut Found) {
    wait("answer to an order", 60, || (order(hall, board, key) == 200).then_some(()));
    let has = |text: &str| serde_json::from_str::<Value>(text).is_ok_and(|event| event["order_key"] == key);
    let times = journaled(&floor.data(machine), board).iter().filter(|(_, text)| has(text)).count();
    found.order(key, times);
}

/// The last machine's cable is pulled while its boards play what others play in two hours, and plugged in again.
fn cut(floor: &Floor, halls: &Halls, cable: &Cable, found: &mut Found) {
    let machine = floor.machines.len() - 1;
    let boards = floor.machines[machine].boards.len();
    let away = |floor: &Floor| floor.machines[machine].daemon.as_ref().map(Daemon::nats).unwrap_or_default();
    floor.sit_down(machine, 1_000.0);
    // Some of it is heard before.
    pause(15);
    cable.pull(true);
    let first = floor.machines[machine].boards[0].clone();
    let (watch, before) = (Stopwatch::start(), floor.plies(machine));
    wait("machine that is shown as away", 40, || (state(halls.get(0))["pis_away"] == 1).then_some(()));
    let shown = watch.now().millis();
    let waits = wait("order that waits", 30, || (order(halls.get(1), &first, "given-while-away") == 202).then_some(())).is_some();
    let enough = || {
        let plies = (floor.plies(machine) - before) / boards;
        let behind = away(floor)["behind"].as_u64().unwrap_or(0) / boards as u64;
        (floor.is_over(machine) || plies >= TWO_HOURS.0 && behind >= TWO_HOURS.1).then_some((plies, behind))
    };
    let played = wait("two hours' worth of play", 600, enough);
    let (plies, behind) =
        played.unwrap_or_else(|| ((floor.plies(machine) - before) / boards, away(floor)["behind"].as_u64().unwrap_or(0) / boards as u64));
    let (took, backlog) = (watch.now().millis(), behind * boards as u64);
    cable.pull(false);
    let back = Stopwatch::start();
    wait("first event taken", 60, || away(floor)["behind"].as_u64().filter(|behind| *behind < backlog * 19 / 20));
    let began = back.now().millis();
    wait("empty queue", 120, || away(floor)["behind"].as_u64().filter(|behind| *behind < 20));
    let drained = back.now().millis() - began;
    println!(
        "a daemon of {boards} boards cut off: shown as away after {:.1} s; {plies} plies and {behind} events a board in {:.0} s without a network; back, \
         the stream took it again after {:.1} s, then {:.0} events a second ({backlog} events in {:.1} s)",
        shown as f64 / 1e3,
        took as f64 / 1e3,
        began as f64 / 1e3,
        backlog as f64 * 0.95 * 1e3 / drained.max(1) as f64,
        (began + drained) as f64 / 1e3
    );
    if waits {
        once(floor, halls.get(1), machine, &first, "given-while-away", found);
    }
}

/// One server, for a quarter of a minute.
fn node(broker: &mut Broker, floor: &Floor, node: usize, what: &str) {
    broker.kill(node);
    let (watch, mut most) = (Stopwatch::start(), 0);
    while watch.now().millis() < 15_000 {
        most = most.max(floor.behind());
    }
    let then = floor.behind();
    broker.start(node);
    pause(10);
    println!("kill -9 of {what}: at most {most} events waited, {then} after 15 s; {} ten seconds after it was back", floor.behind());
}

/// All three servers, for a full minute.
fn everything(broker: &mut Broker, floor: &Floor, halls: &Halls, found: &mut Found) {
    (0..3).for_each(|n| broker.kill(n));
    let first = floor.machines[0].boards[0].clone();
    pause(5);
    let refused = order(halls.get(0), &first, "given-without-brokers");
    pause(55);
    let silent = halls.speaker().is_none();
    let backlog = floor.behind();
    (0..3).for_each(|n| broker.spawn_again(n));
    let back = Stopwatch::start();
    wait("first event taken", 60, || (floor.behind() < backlog * 19 / 20).then_some(()));
    let began = back.now().millis();
    wait("empty queue", 120, || (floor.behind() < 20 + backlog / 50).then_some(()));
    let drained = back.now().millis() - began;
    let spoke = wait("hall that speaks", 60, || halls.speaker()).map(|_| back.now().millis());
    println!(
        "kill -9 of all three for a minute: no hall spoke: {silent}; an order was answered {refused}; {backlog} events waited; started again, the first were taken after {:.1} s, \
         the rest within {:.1} s ({:.0} a second); a hall spoke after {:.1} s",
        began as f64 / 1e3,
        drained as f64 / 1e3,
        backlog as f64 * 0.93 * 1e3 / drained.max(1) as f64,
        spoke.unwrap_or(0) as f64 / 1e3
    );
    once(floor, halls.get(0), 0, &first, "given-without-brokers", found);
}

/// The first daemon, started again two seconds later.
fn daemon(broker: &Broker, floor: &mut Floor) {
    if let Some(daemon) = floor.machines[0].daemon.take() {
        daemon.kill();
    }
    pause(2);
    floor.start(broker, 0, None);
    let watch = Stopwatch::start();
    let connected =
        |floor: &Floor| floor.machines[0].daemon.as_ref().map(Daemon::nats).filter(|nats| nats["connected"] == true && nats["behind"] == 0);
    wait("daemon that is back", 60, || connected(floor));
    println!("kill -9 of a daemon: started again two seconds later, everything sent after {:.1} s", watch.now().millis() as f64 / 1e3);
    pause(10);
}

/// The hall that speaks, several times; each is started again.
fn voices(broker: &Broker, floor: &Floor, halls: &mut Halls) {
    let mut times = Vec::new();
    for n in 0..VOICES {
        let Some(speaker) = wait("hall that speaks", 60, || halls.speaker()) else { return };
        if let Some(hall) = halls.all[speaker].take() {
            hall.kill();
        }
        let watch = Stopwatch::start();
        while halls.speaker().is_none() && watch.now().millis() < 60_000 {}
        times.push(watch.now().millis() as f64 / 1e3);
        halls.again(speaker, floor, broker);
        let caught = Stopwatch::start();
        wait("hall that is back", 60, || {
            let state = state(halls.get(speaker));
            (state["broker"] == true && state["behind"] == 0).then_some(())
        });
        println!(
            "  hall {} killed: the other one speaks after {:.1} s; it is back after {:.1} s",
            Halls::NAMES[speaker],
            times.last().unwrap(),
            caught.now().millis() as f64 / 1e3
        );
        // Not always as long after a renewal of the lease.
        std::thread::sleep(Duration::from_millis(3_000 + 700 * n as u64));
    }
    println!("kill -9 of the hall that speaks, {VOICES} times: median {:.1} s until the other one speaks", median(&mut times));
}

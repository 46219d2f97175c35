//! One server of three is lost: what a hall says of it, and what `flagfall doctor --hall` says, with the accounts as they are shipped.
use super::server::Broker;
use super::table::{Daemon, Room, until};
use flagfall::time::Stopwatch;
use serde_json::Value;

/// The alarm of this kind about `server`, if it stands.
fn alarm(hall: &Daemon, key: &str, server: &str) -> Option<Value> {
    let alarms = hall.get("/api/v1/operator/alarms")?;
    alarms.as_array()?.iter().find(|alarm| alarm["key"] == key && alarm["about"] == server).cloned()
}

/// The value of a figure.
fn figure(hall: &Daemon, name: &str) -> Option<u64> {
    hall.metrics().lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' ')?.parse().ok())
}

fn servers(hall: &Daemon) -> Option<(u64, u64)> {
    Some((figure(hall, "flagfall_hall_brokers_up")?, figure(hall, "flagfall_hall_brokers")?))
}

#[test]
fn each_server_that_is_lost_is_an_alarm_and_a_figure_until_it_is_back() {
    let Some(mut broker) = Broker::three(&[("pi-1", &["1"])]) else { return };
    let room = Room::new();
    let hall = room.house(&broker);
    until("three servers", || (servers(&hall)? == (3, 3)).then_some(()));
    until("a leader", || broker.leader());
    let (metrics, dashboard) = (hall.metrics(), include_str!("../../grafana/flagfall.json"));
    let asked = dashboard.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').filter(|word| word.starts_with("flagfall_hall_"));
    let missing: Vec<&str> = asked.filter(|name| !metrics.contains(&format!("# TYPE {name} "))).collect();
    assert!(missing.is_empty(), "the dashboard asks for {missing:?}");
    for lost in 0..3 {
        let address = broker.servers()[lost].clone();
        let name = format!("node-{lost} at {address}");
        let up = format!("flagfall_hall_broker_up{{server=\"{address}\"}}");
        assert_eq!(figure(&hall, &up), Some(1));
        // One is killed, one hangs: its connections stand and nothing comes.
        if lost == 1 {
            broker.pause(lost);
        } else {
            broker.kill(lost);
        }
        let since = Stopwatch::start();
        let told = until("alarm", || alarm(&hall, "broker-away", &address));
        println!("server {lost}: the alarm came after {} ms", since.now().millis());
        let detail = told["detail"].as_str().unwrap();
        assert!(detail.starts_with(&name) && detail.contains("2 of 3 servers are left"), "{detail}");
        assert!(detail.contains("one more may not fail") && told["since"].is_string(), "{told}");
        until("figures", || (servers(&hall)? == (2, 3) && figure(&hall, &up)? == 0).then_some(()));
        let health = hall.get("/api/v1/operator/health").unwrap();
        assert_eq!((&health["hall"]["brokers"], &health["hall"]["brokers_up"]), (&3.into(), &2.into()));
        if lost == 1 {
            broker.resume(lost);
        } else {
            broker.start(lost);
        }
        let since = Stopwatch::start();
        until("its end", || alarm(&hall, "broker-away", &address).is_none().then_some(()));
        println!("server {lost} answers again: cleared after {} ms more", since.now().millis());
        until("three servers again", || (servers(&hall)? == (3, 3)).then_some(()));
        assert_eq!(figure(&hall, &up), Some(1));
    }
    until("a broker", || (hall.get("/api/v1/operator/health")?["hall"]["broker"] == true).then_some(()));
}

#[test]
fn a_hall_and_a_pi_start_while_servers_are_dead_or_hang() {
    let Some(mut broker) = Broker::three(&[("pi-1", &["1"])]) else { return };
    let mut room = Room::new();
    // Its streams stand, and have a leader among those that are left.
    drop(room.hall(&broker));
    broker.pause(0);
    let hall = room.house(&broker);
    until("a broker", || (hall.get("/api/v1/operator/health")?["hall"]["broker"] == true).then_some(()));
    let dead = broker.servers()[0].clone();
    until("alarm", || alarm(&hall, "broker-away", &dead));
    assert_eq!(servers(&hall), Some((2, 3)), "one server that is away is one");
    room.boards(&["1"], 20.0);
    let pi = room.daemon(&broker, "pi-1", &["1"]);
    until("moves in the hall", || hall.get("/api/v1/boards/1")?["plies_completed"].as_u64().filter(|plies| *plies >= 3));
    broker.resume(0);
    broker.kill(0);
    pi.end();
}

//! Every public outlet of two runs of one game: with findings, touches, claims, alarms and an illegal ply that nobody has ruled on, and without them.
use crate::event_info::chronicle::Chronicle;
use crate::event_info::{EventInfo, Pairing};
use crate::livechess::LiveChess;
use crate::pgn::broadcast::{self, Style};
use crate::pgn::pgn;
use crate::said::{Said, numbered};
use crate::tree::documents::Documents;
use bytes::Bytes;
use flagfall_config::event::About;
use flagfall_events::Event;
use flagfall_events::Touches;
use flagfall_time::Stopwatch;
use flagfall_web::audience::Topic;
use flagfall_web::hub::Hub;
use flagfall_web::metrics::Shown;
use rand::Rng as _;
use std::sync::Arc;
use tokio_util::sync::CancellationToken;

/// Text without what differs from process to process: when a clock was read by the daemon's own, and what a stream's ids begin with.
fn plain(text: &str) -> String {
    let mut out = String::new();
    for line in text.lines() {
        let line = match line.strip_prefix("id: ") {
            Some(id) => format!("id: …-{}", id.split_once('-').unwrap().1),
            None => match line.split_once(",\"age_ms\":") {
                Some((before, after)) => format!("{before}{}", after.trim_start_matches(|c: char| c.is_ascii_digit())),
                None => String::from(line),
            },
        };
        out += &(line + "\n");
    }
    out
}

fn frames(frames: &[Bytes]) -> String {
    frames.iter().map(|frame| plain(std::str::from_utf8(frame).unwrap())).collect()
}

/// Labels come in no order.
fn sorted(text: &str) -> String {
    let mut lines: Vec<&str> = text.lines().collect();
    lines.sort_unstable();
    lines.join("\n")
}

/// Everything that anybody may read of board 1, by name.
pub(crate) fn outlets(events: &[Event], touches: Touches) -> Vec<(String, String)> {
    let hub = Hub::new();
    hub.set_touches(touches, []);
    let mut chronicle = Chronicle::new(About { name: Some("Open".into()), ..About::default() }, None);
    chronicle.boards(&[Arc::from("1")], |_| None);
    let documents = Documents::new();
    let mut config = flagfall_config::Config::default().livechess;
    config.listen.set_port(0);
    let event = EventInfo::new(chronicle.tournament());
    let stop = CancellationToken::new();
    let (livechess, thread) = LiveChess::start(&config, Stopwatch::start(), stop.clone(), event.clone(), |_| None, |_| ()).unwrap();
    livechess.register("1", "serial:/nowhere");
    hub.register("1");
    let first = hub.listen(Topic::All, None).unwrap().0;
    let mut last = None;
    for event in events {
        hub.publish_to(&flagfall_journal::Said::of(Arc::new(event.clone())), 0, |public| {
            livechess.publish(public);
            chronicle.take(public);
        });
        last = Some(event);
    }
    // Nothing of it can be undone any more.
    if let Some(last) = last {
        let json = r#"{"type":"alarm","key":"board-chatters","state":"cleared"}"#;
        let later = Event { seq: last.seq + 1, t: last.t + 60_000, body: serde_json::from_str(json).unwrap(), ..last.clone() };
        hub.publish_to(&flagfall_journal::Said::of(Arc::new(later)), 0, |public| {
            livechess.publish(public);
            chronicle.take(public);
        });
    }
    chronicle.settle();
    event.put(chronicle.tournament());
    documents.make(event.now());
    livechess.catch_up();
    let json = |bytes: Vec<u8>| plain(&String::from_utf8(bytes).unwrap());
    let state = hub.board("1").unwrap();
    let begun = first.last().map(|frame| String::from_utf8(frame.to_vec()).unwrap()).unwrap();
    let id = begun.lines().find_map(|line| line.strip_prefix("id: ")).map(String::from);
    let missed = |topic: Topic| frames(&hub.listen(topic, id.as_deref()).unwrap().0);
    let mut told = vec![
        (String::from("boards"), json(hub.boards_json())),
        (String::from("board"), json(hub.board_json("1").unwrap())),
        (String::from("stream of all"), missed(Topic::All)),
        (String::from("stream of one"), missed(Topic::Board("1".into()))),
        (String::from("snapshot"), frames(&hub.listen(Topic::Board("1".into()), None).unwrap().0)),
        (String::from("pgn"), pgn(&state, &[])),
        (String::from("metrics"), sorted(&hub.metrics().text(Shown::Public).unwrap())),
    ];
    for path in ["eboards", "tournaments"] {
        let answer = ureq::get(format!("http://{}/api/v1.0/{path}", livechess.addresses()[0])).call();
        told.push((format!("livechess {path}"), answer.unwrap().body_mut().read_to_string().unwrap()));
    }
    let course = event.now();
    if let Some(round) = course.now_playing().filter(|round| !round.pairings.is_empty()) {
        let push = |pairing: &Pairing| broadcast::game(&course, round, pairing, Style::PUSH, false);
        told.push((String::from("push to Lichess"), round.pairings.iter().map(push).collect()));
        let game = format!("http://{}/api/v1.0/game/{}", livechess.addresses()[0], round.pairings[0].uuid);
        told.push((String::from("livechess game"), ureq::get(game).call().unwrap().body_mut().read_to_string().unwrap()));
    }
    stop.cancel();
    _ = thread.map(std::thread::JoinHandle::join);
    let of =
        |document: &Arc<crate::tree::documents::Document>| (document.path.clone(), String::from_utf8_lossy(&document.bytes).into_owned());
    told.extend(documents.now().under("").map(of));
    told
}

#[test]
fn two_runs_of_a_game_are_the_same_in_every_byte_of_every_public_outlet() {
    for (seed, touches) in (0..12).flat_map(|seed| [(seed, Touches::Public), (seed, Touches::Arbiter)]) {
        let mut said = Said::new(1000 + seed);
        said.start();
        for _ in 0..said.random.random_range(1..40) {
            said.play(true);
        }
        if seed % 3 > 0 {
            said.offend();
            (0..seed % 5).for_each(|_| said.go_on());
        }
        let (with, without) = (outlets(&numbered(&said.all), touches), outlets(&numbered(&said.shown), touches));
        assert!(
            with.len() > 12 && with.iter().any(|(name, _)| name.ends_with(".pgn")),
            "{:?}",
            with.iter().map(|(name, _)| name).collect::<Vec<_>>()
        );
        for (one, two) in with.iter().zip(&without) {
            assert_eq!(one, two, "seed {seed}, {touches:?}");
        }
        assert_eq!(with.len(), without.len());
    }
}

//! Everything public behind what is so: countdowns that viewers reckon, second by second, and two real daemons that nobody can tell apart.
use super::reading::game;
use flagfall::feeds::delay::Lag;
use flagfall::feeds::event_info::chronicle::Chronicle;
use flagfall::feeds::tree::documents::Documents;
use flagfall::time::Stopwatch;
use flagfall::web::hub::Hub;
use flagfall_config::delay::Delay;
use flagfall_config::event::About;
use flagfall_events::{Event, Mono, Wall};
use flagfall_journal::Said;
use flagfall_simulator::clock::Side;
use flagfall_simulator::games;
use flagfall_simulator::pace::Kind;
use flagfall_simulator::stream::{ClockSide, Options};
use flagfall_web::held::{GRAIN_MS, Held};
use serde_json::Value;
use std::sync::Arc;
use std::time::Duration;

#[path = "two_daemons.rs"]
mod two_daemons;

/// What the displays show at each second, and what the board said; everything in milliseconds of the same time.
struct Played {
    shown: Vec<[u32; 2]>,
    events: Vec<Event>,
}

/// A game on one board with its clock.
fn played(seed: u64) -> Played {
    let bundled = games::bundled();
    let mut played = bundled[seed as usize % bundled.len()].clone();
    played.moves.truncate(30);
    let options = Options { clock_white: ClockSide::At(Side::Left), speed: 8.0, ..Options::new(Kind::Clean, seed) };
    let mut rig = crate::rig::Rig::of(&played, &options);
    let (mut shown, mut goes_on) = (Vec::new(), true);
    while goes_on {
        goes_on = rig.step();
        let now = usize::try_from(rig.now.millis() / 1000).unwrap();
        let display = rig.device.shown().unwrap();
        while shown.len() <= now {
            shown.push(display);
        }
        // The display at a second is what it was when that began or later in it: a reader has both.
        if let Some(last) = shown.last_mut() {
            *last = display;
        }
    }
    Played { shown, events: rig.events }
}

/// Seconds that a viewer shows who counts from `at` on, by the true time `now`.
fn counted(seconds: i64, runs: bool, at_ms: i64, now_ms: i64) -> i64 {
    if runs { seconds - (now_ms - at_ms).max(0) / 1000 } else { seconds }
}

/// White and Black as viewers of each kind have them now.
fn viewers(now_ms: i64, pgn: &str, cloud: &Value, board: &Value) -> Vec<(&'static str, [i64; 2])> {
    let mut seen = Vec::new();
    let read = game(pgn);
    let hms = |name: &str| {
        let parts: Vec<i64> = read.tag(name)?.split(':').map(|part| part.parse().unwrap()).collect();
        Some(parts[0] * 3600 + parts[1] * 60 + parts[2])
    };
    if let (Some(white), Some(black), Some(reference)) = (hms("WhiteClock"), hms("BlackClock"), read.tag("ReferenceTime")) {
        let (letter, at) = reference.split_once('/').unwrap();
        let at = at.parse::<jiff::Timestamp>().unwrap().as_millisecond();
        seen.push(("ReferenceTime", [counted(white, letter == "W", at, now_ms), counted(black, letter == "B", at, now_ms)]));
    }
    let clock = &cloud["clock"];
    if let Some(at) = clock["time"].as_i64().filter(|_| clock["run"].is_boolean()) {
        let of = |name: &str, runs: bool| counted(clock[name].as_i64().unwrap(), clock["run"] == runs, at, now_ms);
        seen.push(("clock.time", [of("white", true), of("black", false)]));
    }
    let clock = &board["clock"];
    if let Some(at) = clock["at"].as_str().filter(|_| clock["running"].is_string() && clock["white_ms"].is_i64()) {
        let at = at.parse::<jiff::Timestamp>().unwrap().as_millisecond();
        let of = |name: &str| counted(clock[format!("{name}_ms")].as_i64().unwrap() / 1000, clock["running"] == name, at, now_ms);
        seen.push(("clock.at", [of("white"), of("black")]));
    }
    seen
}

#[test]
fn at_every_second_a_countdown_shows_what_the_clock_showed_a_delay_ago() {
    let (mut worst, mut compared, mut off, mut late) = (0_i64, 0_u64, 0_u64, 0_u64);
    for seed in 0..4 {
        let Played { shown, events } = played(seed);
        let by = Duration::from_secs(37 + 100 * seed);
        let delay = Delay { by, until_end: false };
        let (stopwatch, hand) = Stopwatch::simulated(Wall::EPOCH);
        let hub = Hub::new().shown_later(delay, stopwatch);
        let mut chronicle = Chronicle::new(About { name: Some("Open".into()), ..About::default() }, None);
        chronicle.boards(&[Arc::from("1")], |_| None);
        let documents = Documents::delayed(Lag::of(by));
        let mut held = Held::new(delay, 0);
        let mut said = events.iter().map(|event| (event.t, Arc::new(event.clone()))).peekable();
        let mut waiting = std::collections::VecDeque::new();
        let end = (shown.len() as u64) * 1000 + delay.millis();
        for now in (0..end).step_by(GRAIN_MS as usize) {
            hand.set(Mono::from_millis(now));
            while let Some((t, event)) = said.next_if(|(t, _)| t.millis() <= now) {
                // Said when it was recorded, not when it is looked at here.
                held.say(event.seq, &event, t, 0);
                waiting.push_back(event);
            }
            let due = held.due(Mono::from_millis(now));
            while let Some(event) = waiting.pop_front_if(|event: &mut Arc<Event>| event.seq <= due) {
                hub.publish_aged(&Said::of(event), 0).iter().for_each(|public| chronicle.take(public));
            }
            if now % 1000 != 0 || now < delay.millis() + 2_000 {
                continue;
            }
            chronicle.settle();
            let event = Arc::new(chronicle.tournament());
            documents.make(event.clone());
            let Some(pgn) = documents.get("pgn/round-1/game-1.pgn") else { continue };
            let cloud = documents.get(&format!("get/{}/round-1/game-1.json", event.uuid)).unwrap();
            let board = serde_json::from_slice(&hub.board_json("1").unwrap()).unwrap();
            let text = std::str::from_utf8(&pgn.bytes).unwrap();
            let seen = viewers(i64::try_from(now).unwrap(), text, &serde_json::from_slice(&cloud.bytes).unwrap(), &board);
            let then = usize::try_from((now - delay.millis()) / 1000).unwrap();
            for (name, sides) in seen {
                for (side, seconds) in sides.into_iter().enumerate() {
                    let display = |second: usize| i64::from(shown[second.min(shown.len() - 1)][side]);
                    // Within that second the display may have stepped.
                    let truth = [then - 1, then].map(display);
                    let away = |truth: &[i64]| truth.iter().map(|truth| (truth - seconds).abs()).min().unwrap();
                    let mut error = away(&truth);
                    // A press gives thirty seconds, and its report takes a moment to the board: it is not late by more than a second.
                    if error > 1 && (display(then) - display(then - 2)).abs() > 2 {
                        (error, late) = (away(&[display(then - 2), display(then)]), late + 1);
                    }
                    compared += 1;
                    off += u64::from(error > 0);
                    worst = worst.max(error);
                    assert!(error <= 1, "seed {seed}, {name}, side {side} at {now}: {seconds}, the clock showed {truth:?} then\n{text}");
                }
            }
        }
    }
    assert!(compared > 1_000, "{compared}");
    println!(
        "{compared} looks at countdowns: worst error {worst} s; {off} of them off by a second, {late} at a press that the board was still telling of"
    );
}

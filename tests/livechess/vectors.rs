//! Frame vectors: exact frames, letter by letter, for every call.
//!
//! A file is a conversation, one thing a line:
//!
//! ```text
//! # a comment
//! game 1 30017            board 1 with serial number 30017 stands at the usual start
//! board 2                 board 2 is known and not plugged in
//! made e2e4               a move is made on the board named last; `on 2` names another
//! done e2e4 e4            it is completed by a press, 300 s and 290 s on the clock
//! plays e7e5 g1f3         made and completed
//! clock 300 290 white     a reading of the clock
//! battery 84              the board has a battery, and says so when it is connected; without a number it has none
//! event {"type":…}        any other event
//! > {"id":1,…}            the client says
//! < {"response":…,"time":T}   and is told exactly this; T is any moment, in milliseconds
//! nothing                 nothing more is told
//! ```
use super::client::Client;
use super::table::{Served, Table};
use std::collections::HashMap;
use std::fs;
use std::path::Path;

fn run(name: &str) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/livechess/vectors");
    let text = fs::read_to_string(folder.join(name).with_extension("frames")).unwrap();
    let served = Served::new();
    let mut client = Client::new(served.address);
    let mut tables: HashMap<String, Table> = HashMap::new();
    let mut on = String::new();
    for (n, line) in text.lines().enumerate() {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        let words: Vec<&str> = rest.split_whitespace().collect();
        let whole = || format!("{name}.frames, line {}", n + 1);
        match word {
            "" | "#" => {}
            ">" => {
                served.livechess.catch_up();
                client.send(rest);
            }
            "<" => assert_eq!(client.next().map(|frame| without_time(&frame)).as_deref(), Some(rest), "{}", whole()),
            "nothing" => {
                served.livechess.catch_up();
                assert_eq!(client.rest(), Vec::<serde_json::Value>::new(), "{}", whole());
            }
            "on" => on = words[0].to_owned(),
            "game" | "board" => {
                on = words[0].to_owned();
                let table = if word == "game" { served.game(&on, words[1]) } else { served.board(&on) };
                tables.insert(on.clone(), table);
            }
            _ => {
                let table = tables.get_mut(&on).unwrap_or_else(|| panic!("{}: no board", whole()));
                match word {
                    "made" => table.made(words[0]),
                    "done" => table.done(words[0], words[1]),
                    "plays" => table.plays(rest),
                    "clock" => table.clock(words[0].parse().unwrap(), words[1].parse().unwrap(), words.get(2).unwrap_or(&"")),
                    "battery" => served.livechess.battery(&on, words.first().map(|percent| percent.parse().unwrap())),
                    "shows" => table.shows(words[0]),
                    "start" => table.start(rest),
                    "event" => table.say(serde_json::from_str(rest).unwrap()),
                    _ => panic!("{}: {word}?", whole()),
                }
            }
        }
    }
    assert_eq!(client.rest(), Vec::<serde_json::Value>::new(), "{name}: nothing more at the end");
}

/// `"time":1780000000210}` at the end becomes `"time":T}`; it is a whole number of milliseconds in this century.
fn without_time(frame: &str) -> String {
    let (head, time) = frame.rsplit_once("\"time\":").expect("every frame has a time");
    let time: u64 = time.trim_end_matches('}').parse().expect("a whole number");
    assert!((1_600_000_000_000..4_000_000_000_000).contains(&time), "{frame}");
    format!("{head}\"time\":T}}")
}

#[test]
fn eboards() {
    run("eboards");
}

#[test]
fn battery() {
    run("battery");
}

#[test]
fn sources() {
    run("sources");
}

#[test]
fn subscribe_and_unsubscribe() {
    run("subscribe");
}

#[test]
fn setup() {
    run("setup");
}

#[test]
fn setup_elsewhere() {
    run("setup-elsewhere");
}

#[test]
fn flip() {
    run("flip");
}

#[test]
fn errors() {
    run("errors");
}

#[test]
fn a_whole_exchange() {
    run("exchange");
}

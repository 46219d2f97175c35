//! A clock that stands the other way round than it is taken to: the record ends with each player's own times, whatever was set.
//!
//! `FLAGFALL_SIDES=100 cargo test --test game sides -- --nocapture` plays so many games of each kind of board and setting and prints what came of them.
#![allow(clippy::unwrap_used, reason = "a test may")]
use crate::rig::Rig;
use flagfall_events::{Body, ClockPair, ClockSide, Event, Mono, Status, Wall};
use flagfall_game::board::Board;
use flagfall_game::settings::{ClockWhite, Settings};
use flagfall_score::board::BoardState;
use flagfall_simulator::clock::Side;
use flagfall_simulator::games::{PgnGame, bundled};
use flagfall_simulator::people::Tempo;
use flagfall_simulator::script::Truth;
use flagfall_simulator::stream::{ClockSide as Stands, Options};
use std::collections::BTreeSet;

/// A display read within a second of its press.
const READING_MS: i64 = 2_000;

/// What came of some games.
#[derive(Debug, Default)]
struct Came {
    games: u32,
    plies: u32,
    /// Plies whose clock in the record is the other player's.
    exchanged: u32,
    /// Plies whose player's display is none that he had at his press.
    off: u32,
    /// Games whose last word of White's side is wrong or missing.
    sides_wrong: u32,
    /// Games in which the side was told wrong first.
    turned: u32,
    /// Plies whose clock was told anew.
    retimed: u32,
    /// Plies made when the side was known for good, at most.
    late: u32,
    /// Plies whose completion was told without a clock although it was pressed.
    bare: u32,
    /// Findings that the same game with the right setting has not.
    findings: BTreeSet<String>,
}

struct Played {
    events: Vec<Event>,
    truth: Truth,
    state: BoardState,
}

fn game_of(seed: u64) -> PgnGame {
    let games = bundled();
    games[seed as usize % games.len()].clone()
}

fn play(options: &Options, setting: ClockWhite) -> Played {
    let game = game_of(options.seed);
    let settings = Settings { clock_white: setting, ..options.settings(&game) };
    let mut rig = Rig::new(options.device(&game), Board::new("1", Wall::EPOCH, settings));
    rig.run();
    let mut state = BoardState::new("1".into());
    rig.events.iter().for_each(|event| _ = state.apply(event));
    Played { truth: rig.device.games()[0].clone(), events: rig.events, state }
}

/// What was found and not withdrawn: key and player.
fn found(events: &[Event]) -> BTreeSet<String> {
    let mut open = std::collections::BTreeMap::new();
    for event in events {
        match &event.body {
            Body::Finding(finding) => _ = open.insert(finding.id, format!("{} {:?}", finding.key.as_str(), finding.by)),
            Body::FindingUpdate(update) if update.status == Status::Withdrawn => _ = open.remove(&update.id),
            _ => {}
        }
    }
    open.into_values().collect()
}

impl Came {
    fn count(&mut self, name: &str, played: &Played, right: &BTreeSet<String>, side: Side) {
        self.games += 1;
        let near = |one: ClockPair, other: ClockPair| {
            (one.white_ms - other.white_ms).abs() <= READING_MS && (one.black_ms - other.black_ms).abs() <= READING_MS
        };
        for (m, truth) in played.state.moves().iter().zip(&played.truth.plies).take_while(|(m, truth)| m.uci == truth.uci) {
            let (Some(told), Some(shown)) = (m.clock.filter(|_| m.clock_within_ms.is_none()), truth.clock) else { continue };
            self.plies += 1;
            let own = |pair: ClockPair| if m.ply % 2 == 1 { pair.white_ms } else { pair.black_ms };
            if !near(told, shown) && near(told.turned(), shown) {
                self.exchanged += 1;
            } else if (own(told) - own(shown)).abs() > READING_MS {
                self.off += 1;
                if std::env::var_os("FLAGFALL_SIDES_SHOW").is_some() {
                    println!("{name}: ply {} told {told:?}, was {shown:?}", m.ply);
                }
            }
        }
        let told: Vec<(ClockSide, u32, Mono)> = played
            .events
            .iter()
            .filter_map(|event| if let Body::Sides { white, from, .. } = event.body { Some((white, from, event.t)) } else { None })
            .collect();
        let is = if side == Side::Left { ClockSide::Left } else { ClockSide::Right };
        if told.last().is_none_or(|(white, from, _)| (*white, *from) != (is, 1)) {
            self.sides_wrong += 1;
            println!("{name}: {told:?}");
        }
        self.turned += u32::from(told.iter().any(|(white, ..)| *white != is));
        let last = told.last().map_or(Mono::ZERO, |told| told.2);
        let before = |event: &&Event| event.t < last && matches!(event.body, Body::MoveMade { .. });
        self.late = self.late.max(played.events.iter().filter(before).count() as u32);
        for event in &played.events {
            match &event.body {
                Body::MoveRevised { clock: Some(_), .. } => self.retimed += 1,
                Body::MoveCompleted { how: flagfall_events::How::Press, clock: None, .. } => self.bare += 1,
                _ => {}
            }
        }
        for key in found(&played.events).difference(right).filter(|key| !key.starts_with("clock-side")) {
            self.findings.insert(format!("{name} {key}"));
        }
    }
}

fn games() -> u64 {
    std::env::var("FLAGFALL_SIDES").ok().and_then(|n| n.parse().ok()).unwrap_or(2)
}

/// Both sides, every setting.
fn came(tempo: Tempo, change: impl Fn(&mut Options)) -> Vec<(String, Came)> {
    let mut all: Vec<(String, Came)> = Vec::new();
    for n in 0..games() {
        for stands in [Stands::Usual, Stands::Turned] {
            let mut options = Options { clock_white: stands, ..Options::people(tempo, 2 * n + 1) };
            change(&mut options);
            let side = options.side().unwrap();
            let (right, wrong) =
                if side == Side::Left { (ClockWhite::Left, ClockWhite::Right) } else { (ClockWhite::Right, ClockWhite::Left) };
            let known = found(&play(&options, right).events);
            for setting in [ClockWhite::Auto, wrong] {
                let is = if setting == wrong { "set wrong" } else { "auto" };
                let row = format!("{stands:?}, {is}");
                let name = format!("{tempo:?} {} {row}", options.seed);
                if !all.iter().any(|(known, _)| *known == row) {
                    all.push((row.clone(), Came::default()));
                }
                let came = all.iter_mut().find(|(known, _)| *known == row).map(|(_, came)| came).unwrap();
                came.count(&name, &play(&options, setting), &known, side);
            }
        }
    }
    all
}

#[track_caller]
fn all_is_right(tempo: Tempo, change: impl Fn(&mut Options)) {
    let mut wrong = Vec::new();
    for (row, came) in came(tempo, change) {
        println!("{tempo:?} {row}: {came:?}");
        if (came.exchanged, came.off, came.sides_wrong, came.findings.len()) != (0, 0, 0, 0) {
            wrong.push(row);
        }
    }
    assert!(wrong.is_empty(), "{wrong:?}");
}

#[test]
fn people_in_blitz() {
    all_is_right(Tempo::Blitz, |_| {});
}

#[test]
fn people_in_rapid() {
    all_is_right(Tempo::Rapid, |_| {});
}

#[test]
fn people_in_classical() {
    all_is_right(Tempo::Classical, |_| {});
}

#[test]
fn people_on_a_slow_board() {
    all_is_right(Tempo::Rapid, |options| options.bluetooth = true);
}

#[test]
fn people_on_a_turned_board() {
    all_is_right(Tempo::Rapid, |options| options.turned = true);
}

#[test]
fn people_on_a_board_that_does_not_know_its_pieces() {
    all_is_right(Tempo::Rapid, |options| options.occupancy = true);
}

/// One game, for a look: `FLAGFALL_SIDES_GAME=rapid,59,usual,wrong`.
#[test]
fn one_is_shown() {
    let Ok(which) = std::env::var("FLAGFALL_SIDES_GAME") else { return };
    let words: Vec<&str> = which.split(',').collect();
    let tempo = match words[0] {
        "blitz" => Tempo::Blitz,
        "classical" => Tempo::Classical,
        _ => Tempo::Rapid,
    };
    let stands = if words[2] == "usual" { Stands::Usual } else { Stands::Turned };
    let mut options = Options { clock_white: stands, ..Options::people(tempo, words[1].parse().unwrap()) };
    options.occupancy = words.contains(&"occupancy");
    options.bluetooth = words.contains(&"bluetooth");
    let left = options.side().unwrap() == Side::Left;
    let setting = match (words[3], left) {
        ("auto", _) => ClockWhite::Auto,
        ("right", true) | ("wrong", false) => ClockWhite::Left,
        _ => ClockWhite::Right,
    };
    let played = play(&options, setting);
    played.events.iter().for_each(|event| println!("{}", serde_json::to_string(event).unwrap()));
    played.truth.plies.iter().take(30).for_each(|ply| println!("{ply:?}"));
}

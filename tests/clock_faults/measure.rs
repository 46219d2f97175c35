//! Games with a fault in the clock, played by simulated hands: what was found, when, and how exact the think times are.
use flagfall_capture::CaptureLine;
use flagfall_events::{Body, Event, Grade, Key, Mono, Wall};
use flagfall_game::board::{Board, Output};
use flagfall_simulator::clock::PeriodChange;
use flagfall_simulator::games::{PgnGame, read_games};
use flagfall_simulator::pace::Kind;
use flagfall_simulator::people::Tempo;
use flagfall_simulator::stream::{Options, Stream, stream};
use std::collections::BTreeMap;

/// A fault that is injected, and the name by which it must be found.
pub(crate) struct Injected {
    pub(crate) incident: &'static str,
    pub(crate) name: &'static str,
    /// Time controls under which it can show.
    pub(crate) controls: &'static [&'static str],
}

/// Every fault, with what `facts.defect` or `facts.wrong` must say.
pub(crate) const FAULTS: [Injected; 12] = [
    Injected { incident: "no-increment", name: "no-increment", controls: &["5400+30", "900+10", "180+2"] },
    Injected { incident: "wrong-increment", name: "increment", controls: &["5400+30", "900+10", "180+2"] },
    Injected { incident: "delay-instead", name: "delay-for-increment", controls: &["5400+30", "900+10"] },
    Injected { incident: "base-wrong", name: "base", controls: &["5400+30", "900+10", "300", "900+d10"] },
    Injected { incident: "bonus-missing", name: "period", controls: &["20/3600+30:900+30", "20/1800:900"] },
    Injected { incident: "drift", name: "drift", controls: &["5400+30", "900+10", "3600"] },
    Injected { incident: "slow", name: "drift", controls: &["5400+30", "900+10", "3600"] },
    Injected { incident: "freeze", name: "frozen", controls: &["5400+30", "900+10", "3600"] },
    Injected { incident: "jump", name: "jump", controls: &["5400+30", "900+10", "3600"] },
    Injected { incident: "both-run", name: "both-run", controls: &["5400+30", "900+10", "3600"] },
    Injected { incident: "stiff-lever", name: "lever", controls: &["5400+30", "900+10", "3600"] },
    Injected { incident: "unpressed-five", name: "unpressed-move", controls: &["5400+30", "900+10", "3600"] },
];

/// Time controls of right clocks.
pub(crate) const RIGHT: [&str; 9] =
    ["5400+30", "900+10", "180+2", "300", "20/1800+30:900+30", "20/600:300", "900+d10", "900+b10", "40/5400+30:1800+30"];

/// Every pace of many people.
pub(crate) const TEMPOS: [Tempo; 4] = [Tempo::Classical, Tempo::Rapid, Tempo::Blitz, Tempo::Scramble];

/// Games long enough for everything, from the collection or the bundled ones.
pub(crate) fn games() -> Vec<PgnGame> {
    let file = "../shared/games/otb-gnuchess-book.pgn";
    let text = std::fs::read(file).or_else(|_| {
        println!("{file} is not there: the bundled games are played instead");
        std::fs::read("src/simulator/games.pgn")
    });
    let games = read_games(&text.expect("the bundled games can be read")).expect("the games are legal");
    games.into_iter().filter(|game| game.moves.len() >= 60 && game.start_fen().is_none()).collect()
}

/// Where a fault begins, from 1: early enough for three moves to follow.
pub(crate) fn ply_of(fault: &Injected, seed: u64) -> u32 {
    match fault.incident {
        "base-wrong" => 1,
        // The bonus of either player.
        "bonus-missing" => 1 + u32::from(seed.is_multiple_of(2)),
        "no-increment" | "delay-instead" | "wrong-increment" if seed.is_multiple_of(2) => 1,
        _ => 5 + (seed % 23) as u32,
    }
}

pub(crate) fn options(control: &str, incident: Option<String>, kind: Kind, seed: u64) -> Options {
    Options {
        control: Some(control.parse().expect("a time control")),
        incidents: incident.iter().map(|i| i.parse().expect("an incident")).collect(),
        period_change: if seed.is_multiple_of(3) { PeriodChange::AtZero } else { PeriodChange::AtMove },
        ..Options::new(kind, seed)
    }
}

/// Everything flagfall says to this stream.
pub(crate) fn events_of(stream: &Stream) -> Vec<Event> {
    let mut board = Board::new("clock", Wall::EPOCH, stream.settings.clone());
    let mut events = Vec::new();
    let mut drain = |board: &mut Board| {
        while let Some(output) = board.poll() {
            if let Output::Event(event) = output {
                events.push(event);
            }
        }
    };
    for (t, line) in &stream.lines {
        while let Some(deadline) = board.deadline().filter(|d| d <= t) {
            board.timeout(deadline);
            drain(&mut board);
        }
        match line {
            CaptureLine::FromBoard(bytes) => board.bytes(*t, bytes),
            CaptureLine::Link(state) => board.link(*t, *state, None),
            _ => {}
        }
        drain(&mut board);
    }
    events
}

/// The name of a clock fault, if the event finds one.
pub(crate) fn fault_name(event: &Event) -> Option<String> {
    let Body::Finding(finding) = &event.body else { return None };
    // Noted move by move: with the press counter it is the whole truth of moves that nobody presses.
    if finding.key == Key::UnpressedMove {
        return Some(String::from("unpressed-move"));
    }
    if !matches!(finding.key, Key::ClockDefect | Key::ClockSetting) || finding.grade != Grade::Attention {
        return None;
    }
    let name = finding.facts.get("defect").or_else(|| finding.facts.get("wrong"))?;
    name.as_str().map(String::from)
}

/// What was found of one fault in one game.
#[derive(Debug)]
pub(crate) struct Found {
    /// Names in the order in which they were found.
    pub(crate) names: Vec<String>,
    /// Plies from the one at which it could first show to the first finding.
    pub(crate) plies: u32,
}

/// Plays `game` with this fault.
pub(crate) fn inject(game: &PgnGame, fault: &Injected, control: &str, kind: Kind, seed: u64) -> Found {
    let ply = ply_of(fault, seed);
    let stream = stream(game, &options(control, Some(format!("{}@{ply}", fault.incident)), kind, seed));
    let mut events = events_of(&stream);
    // Simulated players may overstep; their clock stands from then on.
    let flag = |event: &Event| matches!(&event.body, Body::Finding(finding) if matches!(finding.key, Key::FlagFall | Key::BothFlags));
    if let Some(fallen) = events.iter().position(flag) {
        events.truncate(fallen);
    }
    // The bonus can be missed at its own move at the earliest.
    let shows = if fault.incident == "bonus-missing" { 38 + ply } else { ply };
    let unpressed = events.iter().filter(|event| fault_name(event).as_deref() == Some("unpressed-move")).count();
    // One that is forgotten once is no fault.
    let counts = |name: &str| name != "unpressed-move" || unpressed >= 6;
    let found: Vec<&Event> = events.iter().filter(|event| fault_name(event).is_some_and(|name| counts(&name))).collect();
    let made = |until: Mono| {
        let plies =
            events.iter().filter(|e| e.t <= until).filter_map(|e| if let Body::MoveMade { ply, .. } = e.body { Some(ply) } else { None });
        plies.max().unwrap_or(0)
    };
    let plies = found.first().map_or(0, |event| (made(event.t) + 1).saturating_sub(shows));
    let mut names: Vec<String> = found.iter().filter_map(|event| fault_name(event)).collect();
    names.dedup();
    Found { names, plies }
}

/// Findings that a right clock must never give, in words.
pub(crate) fn alarms_of(game: &PgnGame, options: &Options) -> Vec<String> {
    let events = events_of(&stream(game, options));
    let of_the_clock = |key: Key| {
        matches!(key, Key::ClockDefect | Key::ClockSetting | Key::ClockSide | Key::WrongSideStarted | Key::LateStart | Key::DefaultTime)
    };
    let mut alarms = Vec::new();
    for event in &events {
        match &event.body {
            Body::Finding(finding) if of_the_clock(finding.key) && finding.grade > Grade::Note => {
                alarms.push(format!("{}: {} {:?}", event.t.millis(), finding.key, finding.facts))
            }
            Body::Alarm { key, .. } if key.as_str().starts_with("clock") || key.as_str().starts_with("battery") => {
                alarms.push(format!("{}: alarm {key}", event.t.millis()))
            }
            _ => {}
        }
    }
    alarms
}

/// What was found wrong with the clock itself, in words: of a right one nothing.
pub(crate) fn faults_of(game: &PgnGame, options: &Options) -> Vec<String> {
    let events = events_of(&stream(game, options));
    let told = |event: &Event| match &event.body {
        Body::Finding(finding) if matches!(finding.key, Key::ClockDefect | Key::ClockSetting) && finding.grade > Grade::Note => {
            Some(format!("{}: {} {:?}", event.t.millis(), finding.key, finding.facts))
        }
        _ => None,
    };
    events.iter().filter_map(told).collect()
}

/// Errors of think times against the truth, milliseconds, each with the bound published at its press.
pub(crate) fn think_errors(stream: &Stream, events: &[Event]) -> Vec<(u64, u64)> {
    let mut bounds: BTreeMap<u64, u64> = BTreeMap::new();
    for event in events {
        if let Body::Clock(state) = &event.body {
            bounds.insert(event.t.millis(), state.uncertainty_ms);
        }
    }
    let mut errors = Vec::new();
    let presses: BTreeMap<u32, u64> = stream.truth.plies.iter().filter_map(|p| Some((p.ply, p.press?))).collect();
    let mut press_at = 0;
    for event in events {
        match &event.body {
            Body::Press { .. } => press_at = event.t.millis(),
            Body::MoveCompleted { ply, spent_ms: Some(spent), how: flagfall_events::How::Press, .. } if *ply > 1 => {
                if let (Some(own), Some(before)) = (presses.get(ply), presses.get(&(ply - 1))) {
                    let bound = bounds.get(&press_at).copied().unwrap_or(0);
                    errors.push((spent.abs_diff(own - before), bound));
                }
            }
            _ => {}
        }
    }
    errors
}

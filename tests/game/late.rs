//! A machine that stood still: it was suspended, starved or stopped, and then read in one go what the board had said meanwhile.
#![allow(clippy::unwrap_used, reason = "a test may")]
use dgt_protocol::square::PieceCode;
use flagfall_capture::CaptureLine;
use flagfall_events::{Body, Event, Grade, LinkState, Mono, Wall};
use flagfall_game::board::{Board, Output};
use flagfall_game::settings::Settings;
use flagfall_simulator::games;
use flagfall_simulator::habits::Habits;
use flagfall_simulator::pace::Kind;
use flagfall_simulator::stream::{Options, stream};

/// After the last of what had waited.
const QUIET: u64 = 300;
/// Then it has caught up.
const CAUGHT_UP: u64 = QUIET + 10;
/// No machine runs so long.
const NEVER: u64 = u64::MAX / 2;

struct Machine {
    board: Board,
    events: Vec<Event>,
}

impl Machine {
    fn until(&mut self, t: u64) {
        while let Some(deadline) = self.board.deadline().filter(|d| d.millis() <= t) {
            self.board.timeout(deadline);
            self.drain();
        }
    }

    fn drain(&mut self) {
        while let Some(output) = self.board.poll() {
            if let Output::Event(event) = output {
                self.events.push(event);
            }
        }
    }

    fn bytes(&mut self, t: u64, bytes: &[u8]) {
        self.until(t);
        self.board.bytes(Mono::from_millis(t), bytes);
        self.drain();
    }

    /// What had waited is taken as if it had come evenly since the machine was last awake.
    fn catch_up(&mut self, from: u64, still: u64, late: &mut Vec<&Vec<u8>>) {
        let shares = late.len() as u64 + 1;
        self.link(from, LinkState::Up);
        for (n, bytes) in (1..).zip(late.drain(..)) {
            let t = from + still * n / shares;
            self.link(t, LinkState::Up);
            self.bytes(t, bytes);
        }
        self.link(from + still + QUIET, LinkState::Up);
    }

    fn enter(&mut self, t: u64, result: &str) {
        self.until(t);
        let entry = serde_json::json!({"do": "result", "result": result});
        self.board.entry(Mono::from_millis(t), serde_json::from_value(entry).unwrap());
        self.drain();
    }

    fn link(&mut self, t: u64, state: LinkState) {
        self.until(t);
        self.board.link(Mono::from_millis(t), state, None);
        self.drain();
    }
}

/// The game as it is read by a machine that stands still for `still` milliseconds from each of `stops` on.
fn read(lines: &[(Mono, CaptureLine)], settings: &Settings, still: u64, stops: impl IntoIterator<Item = u64>) -> Vec<Event> {
    let mut machine = Machine { board: Board::new("1", Wall::EPOCH, settings.clone()), events: Vec::new() };
    let mut stops = stops.into_iter();
    let mut next = || stops.next().unwrap_or(NEVER);
    let (mut from, mut late) = (next(), Vec::new());
    for (t, line) in lines {
        let t = t.millis();
        while t >= from + still + QUIET {
            machine.catch_up(from, still, &mut late);
            from = next();
        }
        match line {
            CaptureLine::FromBoard(bytes) if t >= from => late.push(bytes),
            CaptureLine::FromBoard(bytes) => machine.bytes(t, bytes),
            CaptureLine::Link(state) => machine.link(t, *state),
            CaptureLine::ToBoard(_) | CaptureLine::Entry(_) => {}
        }
    }
    if !late.is_empty() {
        machine.catch_up(from, still, &mut late);
    }
    machine.until(lines.last().unwrap().0.millis() + 80_000);
    machine.events
}

/// Moves, alarms and findings, not their times. Hints to what hands did need times, so they may be missing.
fn told(events: &[Event]) -> Vec<String> {
    let tell = |event: &Event| match &event.body {
        Body::MoveCompleted { uci, .. } => Some(uci.clone()),
        Body::Finding(finding) if finding.grade != Grade::Note => Some(finding.summary.en.clone()),
        Body::Alarm { key, state, .. } => Some(format!("{key} {state:?}")),
        _ => None,
    };
    events.iter().filter_map(tell).collect()
}

#[test]
fn what_a_machine_did_not_hear_in_time_is_no_fault_of_players_or_clock() {
    for (game, hands) in games::bundled().iter().zip([Kind::Human, Kind::Human, Kind::Clean, Kind::Human, Kind::Blitz, Kind::Clean]) {
        let played = stream(game, &Options::new(hands, 7));
        let wanted = told(&read(&played.lines, &played.settings, 0, None));
        for (still, between) in [(2_500, 40_000), (7_000, 61_000), (12_000, 90_000), (40_000, 200_000)] {
            let again = (1..).map(|n| n * (still + between) - still);
            let seen = told(&read(&played.lines, &played.settings, still, again));
            assert_eq!(seen, wanted, "{hands:?}, {still} ms");
        }
    }
}

/// Both kings were put in the centre: when the second one was read, milliseconds.
fn kings_stand(lines: &[(Mono, CaptureLine)]) -> Option<u64> {
    let is_king = |piece: u8| piece == PieceCode::WhiteKing.to_byte() || piece == PieceCode::BlackKing.to_byte();
    let put = |(t, line): &(Mono, CaptureLine)| match line {
        CaptureLine::FromBoard(bytes) => match bytes[..] {
            // A square of the wire that reads something else: d5, e5, d4, e4.
            [0x8e, 0, 5, 27 | 28 | 35 | 36, piece] if is_king(piece) => Some(t.millis()),
            _ => None,
        },
        _ => None,
    };
    lines.iter().rev().find_map(put)
}

/// A game whose end is read late: the machine stands still from before the last move on, until so long after the kings were put in the centre. Of some
/// games the result is entered then.
#[test]
fn the_end_of_a_game_that_is_read_late_loses_no_move() {
    let (mut asked, mut lost) = (0, Vec::new());
    for seed in 10..30 {
        let game = &games::bundled()[seed as usize % 6];
        let habits = Habits { kings_ms: Some((1_000, 4_000)), ..Habits::NONE };
        let played = stream(game, &Options { speed: 4.0, show_result: true, habits, ..Options::new(Kind::Human, 100 + seed) });
        let (Some(kings), Some(last)) = (kings_stand(&played.lines), played.truth.plies.last()) else { continue };
        let before = played.truth.plies.iter().rev().filter_map(|ply| ply.press).nth(1).unwrap();
        let from = before.max(last.last_down.saturating_sub(3_000)) + 7;
        for (after, entered) in [(100, true), (100, false), (1_500, true), (1_500, false), (4_000, true), (4_000, false), (9_000, false)] {
            let read = read_late(&played.lines, &played.settings, (from, kings + after), entered);
            asked += 1;
            if read != played.truth.uci() {
                lost.push(format!(
                    "seed {seed}, {after} ms after the kings, entered {entered}: {} of {}",
                    read.len(),
                    played.truth.plies.len()
                ));
            }
        }
    }
    assert_eq!(asked, 140);
    assert!(lost.is_empty(), "{} of {asked}:\n{}", lost.len(), lost.join("\n"));
}

/// What is completed of a game that is read by a machine that stands still from one moment to the other.
fn read_late(lines: &[(Mono, CaptureLine)], settings: &Settings, (from, until): (u64, u64), entered: bool) -> Vec<String> {
    let mut machine = Machine { board: Board::new("1", Wall::EPOCH, settings.clone()), events: Vec::new() };
    let awake = |t: &Mono| t.millis() < from || t.millis() > until;
    let mut late: Vec<_> = lines.iter().filter(|(t, _)| !awake(t)).filter_map(|(_, line)| from_board(line)).collect();
    let mut wake = |machine: &mut Machine| {
        if !late.is_empty() {
            machine.catch_up(from, until - from, &mut late);
            if entered {
                machine.enter(until + CAUGHT_UP, "1/2-1/2");
            }
        }
    };
    for (t, line) in lines.iter().filter(|(t, _)| awake(t)) {
        if t.millis() > until {
            wake(&mut machine);
        }
        // What was said while it caught up.
        let t = if t.millis() > until { t.millis().max(until + CAUGHT_UP) } else { t.millis() };
        match line {
            CaptureLine::FromBoard(bytes) => machine.bytes(t, bytes),
            CaptureLine::Link(state) => machine.link(t, *state),
            CaptureLine::ToBoard(_) | CaptureLine::Entry(_) => {}
        }
    }
    wake(&mut machine);
    machine.until(until + 80_000);
    machine.events.iter().filter_map(completed).collect()
}

fn from_board(line: &CaptureLine) -> Option<&Vec<u8>> {
    match line {
        CaptureLine::FromBoard(bytes) => Some(bytes),
        _ => None,
    }
}

fn completed(event: &Event) -> Option<String> {
    match &event.body {
        Body::MoveCompleted { uci, .. } => Some(uci.clone()),
        _ => None,
    }
}

/// When presses were read.
fn presses(events: &[Event]) -> Vec<u64> {
    events.iter().filter(|event| matches!(event.body, Body::Press { .. })).map(|event| event.t.millis()).collect()
}

#[test]
fn a_machine_that_stands_still_just_after_a_press_loses_no_thread() {
    let game = &games::bundled()[0];
    for hands in [Kind::Clean, Kind::Human] {
        let played = stream(game, &Options { speed: 4.0, ..Options::new(hands, 7) });
        let in_time = read(&played.lines, &played.settings, 0, None);
        for press in presses(&in_time) {
            let seen = told(&read(&played.lines, &played.settings, 15_000, Some(press + 7)));
            assert_eq!(seen, told(&in_time), "{hands:?}, a press at {press} ms");
        }
    }
}

/// How long after each other things happened that waited to be read, nobody knows: a king and a rook that are put down for a press are not late for it.
#[test]
fn what_waited_is_not_found_too_early_or_too_late() {
    for (game, hands) in games::bundled().iter().zip([Kind::Clean, Kind::Human]) {
        let played = stream(game, &Options::new(hands, 7));
        let in_time = read(&played.lines, &played.settings, 0, None);
        let wanted = told(&in_time);
        for press in presses(&in_time) {
            for (still, before) in [(12_000, 6_000), (33_000, 25_000)] {
                let seen = told(&read(&played.lines, &played.settings, still, Some(press.saturating_sub(before).max(5_000))));
                let wrong: Vec<_> = seen.iter().filter(|told| !wanted.contains(told)).collect();
                assert_eq!(wrong, Vec::<&String>::new(), "{hands:?}, a press at {press} ms, {still} ms");
            }
        }
    }
}

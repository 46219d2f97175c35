//! A clock that stands the other way round than it is taken to: the record ends with each player's own times, whatever was set.
//!
//! `FLAGFALL_SIDES=100 cargo test --test game sides -- --nocapture` plays so many games of each kind of board and setting and prints what came of them.
#![allow(clippy::unwrap_used, reason = "a test may")]
use crate::rig::Rig;
use flagfall_capture::CaptureLine;
use flagfall_events::{Body, ClockPair, ClockSide, ClockSource, Event, Mono, Status, Wall};
use flagfall_game::board::{Board, Output};
use flagfall_game::settings::{ClockWhite, Settings};
use flagfall_score::board::BoardState;
use flagfall_score::pgn::pgn;
use flagfall_simulator::clock::Side;
use flagfall_simulator::games::{PgnGame, bundled};
use flagfall_simulator::people::Tempo;
use flagfall_simulator::script::Truth;
use flagfall_simulator::stream::{ClockSide as Stands, Options, Stream, stream};
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
    /// Plies whose clock or think time is another one than with the right setting.
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
    fn count(&mut self, name: &str, played: &Played, right: &Played, side: Side) {
        self.games += 1;
        let near = |one: ClockPair, other: ClockPair| {
            (one.white_ms - other.white_ms).abs() <= READING_MS && (one.black_ms - other.black_ms).abs() <= READING_MS
        };
        for (m, truth) in played.state.moves().iter().zip(&played.truth.plies).take_while(|(m, truth)| m.uci == truth.uci) {
            let (Some(told), Some(shown)) = (m.clock.filter(|_| m.clock_within_ms.is_none()), truth.clock) else { continue };
            self.plies += 1;
            if !near(told, shown) && near(told.turned(), shown) {
                self.exchanged += 1;
            }
        }
        let (moves, known) = (played.state.moves(), right.state.moves());
        // Think times come out finer than they are read.
        let spent = |a: Option<u64>, b: Option<u64>| a.is_some() == b.is_some() && a.unwrap_or(0).abs_diff(b.unwrap_or(0)) <= 10;
        let differs = moves.iter().zip(known).filter(|(a, b)| (&a.uci, a.clock) != (&b.uci, b.clock) || !spent(a.spent_ms, b.spent_ms));
        for (m, known) in differs {
            self.off += 1;
            println!("{name}: ply {} {:?} {:?}, not {:?} {:?}", m.ply, m.clock, m.spent_ms, known.clock, known.spent_ms);
        }
        self.off += moves.len().abs_diff(known.len()) as u32;
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
        for key in found(&played.events).difference(&found(&right.events)).filter(|key| !key.starts_with("clock-side")) {
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
            let known = play(&options, right);
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

/// A board that hears what was recorded.
struct Heard {
    board: Board,
    events: Vec<Event>,
}

impl Heard {
    fn new(played: &Stream, setting: ClockWhite) -> Self {
        let settings = Settings { clock_white: setting, ..played.settings.clone() };
        Self { board: Board::new("1", Wall::EPOCH, settings), events: Vec::new() }
    }

    fn hear(&mut self, lines: &[(Mono, CaptureLine)]) -> &mut Self {
        for (t, line) in lines {
            self.wait(*t);
            match line {
                CaptureLine::FromBoard(bytes) => self.board.bytes(*t, bytes),
                CaptureLine::Link(state) => self.board.link(*t, *state, None),
                CaptureLine::ToBoard(_) | CaptureLine::Entry(_) => {}
            }
            self.drain();
        }
        self
    }

    fn wait(&mut self, t: Mono) {
        while let Some(at) = self.board.deadline().filter(|at| *at <= t) {
            self.board.timeout(at);
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
}

fn fold(events: &[Event]) -> BoardState {
    let mut state = BoardState::new("1".into());
    events.iter().for_each(|event| _ = state.apply(event));
    state
}

/// Every `%clk` of the PGN.
fn clocks(events: &[Event]) -> Vec<String> {
    pgn(&fold(events), &[]).split("[%clk ").skip(1).filter_map(|rest| rest.split(']').next()).map(String::from).collect()
}

/// A slow board, where plies were told with the other player's clock before the presses said otherwise; and where in its events that was.
fn turned_late() -> (Stream, ClockWhite, Vec<Event>, usize) {
    for seed in (1..200).step_by(2) {
        let options = Options { bluetooth: true, ..Options::people(Tempo::Rapid, seed) };
        let played = stream(&game_of(seed), &options);
        let told = Heard::new(&played, ClockWhite::Right).hear(&played.lines).events.clone();
        let retimed = |event: &Event| matches!(event.body, Body::MoveRevised { clock: Some(_), .. });
        let first = told.iter().position(retimed);
        if told.iter().filter(|event| retimed(event)).count() >= 4 {
            return (played, ClockWhite::Left, told, first.unwrap());
        }
    }
    unreachable!("no such game");
}

#[test]
fn plies_that_were_told_with_the_other_players_clock_are_corrected_in_the_pgn() {
    let (played, right, told, first) = turned_late();
    let known = Heard::new(&played, right).hear(&played.lines).events.clone();
    assert_eq!(clocks(&told), clocks(&known));
    assert!(matches!(told[first - 1].body, Body::Sides { white: ClockSide::Left, from: 1, .. }), "{:?}", told[first - 1]);
    let plies: Vec<u32> =
        told[first..].iter().map_while(|event| if let Body::MoveRevised { ply, .. } = event.body { Some(ply) } else { None }).collect();
    let completed = told[..first].iter().filter(|event| matches!(event.body, Body::MoveCompleted { .. })).count() as u32;
    assert_eq!(plies, (1..=completed).collect::<Vec<_>>(), "every completed ply, in order");
    let after = told[first + plies.len()].body.clone();
    assert!(matches!(after, Body::Clock(state) if state.source == ClockSource::Device), "{after:?}");
    let before = clocks(&told[..first - 1]);
    assert!(!before.is_empty() && before[..] != clocks(&told)[..before.len()], "{before:?}");
    for event in &told[first..first + plies.len()] {
        let Body::MoveRevised { uci, was, san, .. } = &event.body else { continue };
        assert!(uci == was && san.is_some(), "{event:?}");
    }
}

#[test]
fn whoever_hears_the_same_again_says_the_same_and_goes_on() {
    let (played, _, told, first) = turned_late();
    let at = told[first].t;
    let cut = played.lines.iter().position(|(t, _)| *t > at).unwrap();
    // As a journal is replayed at a start, the moment of the turn being its last.
    let mut again = Heard::new(&played, ClockWhite::Right);
    again.hear(&played.lines[..cut]).wait(at);
    assert_eq!(again.events[..], told[..again.events.len()]);
    assert!(again.events.len() > first);
    again.hear(&played.lines[cut..]);
    assert_eq!(again.events, told);
    // The program was away for a moment.
    let mut restarted = Heard::new(&played, ClockWhite::Right);
    restarted.hear(&played.lines[..cut]).wait(at);
    restarted.board.restarted(at);
    restarted.drain();
    restarted.hear(&played.lines[cut..]);
    let turns = restarted.events.iter().filter(|event| matches!(event.body, Body::Sides { .. })).count();
    assert_eq!(turns, told.iter().filter(|event| matches!(event.body, Body::Sides { .. })).count(), "told once");
    let all = clocks(&told);
    let known = clocks(&restarted.events);
    assert_eq!(known[..first.min(4)], all[..first.min(4)]);
}

#[test]
fn nobody_is_told_whose_clock_it_is_before_that_is_known() {
    for stands in [Stands::Usual, Stands::Turned] {
        let options = Options { clock_white: stands, ..Options::people(Tempo::Rapid, 1) };
        let told = play(&options, ClockWhite::Auto).events;
        let sides = told.iter().position(|event| matches!(event.body, Body::Sides { .. })).unwrap();
        for event in &told[..sides] {
            let Body::Clock(state) = event.body else { continue };
            // What both displays show alike on a clock that stands is nobody's.
            assert!(state.source == ClockSource::None || (state.white_ms == state.black_ms && state.running.is_none()), "{state:?}");
        }
        let made = told[..sides].iter().filter(|event| matches!(event.body, Body::MoveMade { .. })).count();
        assert!(made <= usize::from(stands == Stands::Turned), "{stands:?}: {made}");
    }
}

#[test]
fn a_clock_stays_where_it_was_in_the_game_before() {
    let options = Options { clock_white: Stands::Turned, show_result: true, ..Options::people(Tempo::Blitz, 3) };
    let games: Vec<PgnGame> = bundled().into_iter().take(2).collect();
    let mut rig = Rig::of_row(&games, &options);
    rig.run();
    let begins = |event: &Event| event.game == Some(2) && matches!(event.body, Body::GameStart { .. });
    let second = rig.events.iter().position(begins).unwrap();
    let next = &rig.events[second + 1];
    assert!(matches!(next.body, Body::Sides { white: ClockSide::Right, from: 1, .. }), "{next:?}");
    let again = rig.events[second + 2..].iter().filter(|event| matches!(event.body, Body::Sides { .. })).count();
    assert_eq!(again, 0);
}

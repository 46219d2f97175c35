//! What was played, against journals, stream, machines' pages, halls' pages and the tree.
use crate::compare;
use crate::floor::Floor;
use crate::table::{Daemon, names};
use async_nats::jetstream::Context;
use flagfall::journal::{read, store};
use flagfall_events::{Body, GameResult};
use flagfall_simulator::script::Truth;
use serde_json::Value;
use std::collections::HashMap;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

/// How many of what there is are as they should be.
#[derive(Default)]
pub(crate) struct Found {
    lines: Vec<(String, usize, usize)>,
    wrong: Vec<String>,
}

impl Found {
    fn count(&mut self, what: &str, right: bool, say: impl FnOnce() -> String) {
        let at = self.lines.iter().position(|(line, ..)| line == what).unwrap_or_else(|| {
            self.lines.push((String::from(what), 0, 0));
            self.lines.len() - 1
        });
        self.lines[at].1 += usize::from(right);
        self.lines[at].2 += 1;
        if !right {
            self.wrong.push(format!("{what}: {}", say()));
        }
    }

    /// An order stands in its board's journal so many times.
    pub(crate) fn order(&mut self, key: &str, times: usize) {
        self.count("orders of a hall that their boards journaled exactly once", times == 1, || format!("{key}: {times} times"));
    }

    /// At no look did both halls speak.
    pub(crate) fn voices(&mut self, looks: usize, double: usize) {
        self.count("one voice, whenever it was looked", double == 0, || format!("two at {double} of {looks} looks"));
    }

    /// What a hall counted: numbers that were missing, messages that were none.
    pub(crate) fn halls(&mut self, name: &str, right: bool, counts: &[u64]) {
        self.count("halls that missed nothing", right, || format!("{name}: missing, odd {counts:?}"));
    }

    /// Everything is as it should be.
    pub(crate) fn is_right(&self) -> bool {
        self.wrong.is_empty()
    }

    /// Says it; true where all is right.
    pub(crate) fn tell(&self) -> bool {
        for (what, right, all) in &self.lines {
            println!("* {what}: {right} of {all}");
        }
        for wrong in self.wrong.iter().take(12) {
            println!("  NOT EQUAL {wrong}");
        }
        self.is_right()
    }
}

/// One game as a journal has it.
#[derive(Debug, Default)]
struct Written {
    /// What was made, completed or not.
    made: Vec<String>,
    moves: Vec<String>,
    result: Option<GameResult>,
}

impl Written {
    /// Ply `ply` is this one.
    fn make(&mut self, ply: u32, uci: &str) {
        match self.made.get_mut((ply as usize).saturating_sub(1)) {
            Some(made) => uci.clone_into(made),
            None => self.made.push(String::from(uci)),
        }
    }

    /// It is completed; what was made before it and never completed stands.
    fn complete(&mut self, ply: u32, uci: &str) {
        self.make(ply, uci);
        self.moves.clear();
        self.moves.extend(self.made.iter().take(ply as usize).cloned());
    }

    fn withdraw(&mut self, ply: u32) {
        let before = (ply as usize).saturating_sub(1);
        self.made.truncate(before);
        self.moves.truncate(before);
    }
}

fn written(data: &Path, board: &str) -> Vec<Written> {
    let mut games: Vec<Written> = Vec::new();
    for path in store::journals(data, board).unwrap() {
        for event in read::events(&fs::read(path).unwrap()) {
            match (&event.body, games.last_mut()) {
                (Body::GameStart { .. }, _) => games.push(Written::default()),
                (Body::MoveMade { ply, uci, .. } | Body::MoveRevised { ply, uci, .. }, Some(game)) => game.make(*ply, uci),
                (Body::MoveCompleted { ply, uci, .. }, Some(game)) => game.complete(*ply, uci),
                (Body::MoveWithdrawn { ply, .. }, Some(game)) => game.withdraw(*ply),
                (Body::Result { result, .. }, Some(game)) => game.result = Some(*result),
                _ => {}
            }
        }
    }
    games.retain(|game| !game.moves.is_empty());
    games
}

/// The moves of a game in PGN, and its result.
pub(crate) fn moves(pgn: &str) -> (Vec<String>, String) {
    let text: String = pgn.lines().filter(|line| !line.starts_with('[')).collect::<Vec<_>>().join(" ");
    let outside: String = text.split('{').map(|part| part.split_once('}').map_or(part, |(_, rest)| rest)).collect();
    let number = |word: &&str| !word.starts_with(|c: char| c.is_ascii_digit() || c == '*');
    let result = outside.split_whitespace().last().unwrap_or_default().to_owned();
    (outside.split_whitespace().filter(number).map(String::from).collect(), result)
}

pub(crate) fn sans(truth: &Truth) -> Vec<String> {
    truth.plies.iter().filter(|ply| ply.legal).map(|ply| ply.san.clone()).collect()
}

/// Journals against what was played, and against the stream, event by event; messages and bytes of the stream.
pub(crate) fn journals(floor: &Floor, hall: &Context, found: &mut Found) -> (usize, usize) {
    let truths = floor.truths();
    for (m, machine) in floor.machines.iter().enumerate() {
        for board in &machine.boards {
            let games = written(&floor.data(m), board);
            for (i, truth) in truths[board.parse::<usize>().unwrap() - 1].iter().enumerate() {
                let game = games.get(i);
                let exact = game.is_some_and(|game| game.moves == truth.uci() && game.result == Some(truth.result));
                found.count("games in the journals exactly as they were played", exact, || {
                    format!("board {board}, game {}: {:?}, played {:?} {}", i + 1, game, truth.uci(), truth.result.as_str())
                });
            }
        }
    }
    stream(floor, hall, found)
}

/// The stream against the journals, event by event; its messages and bytes.
pub(crate) fn stream(floor: &Floor, hall: &Context, found: &mut Found) -> (usize, usize) {
    let sent = floor.runtime.block_on(compare::sent(hall, &names()));
    let (count, bytes) = (sent.len(), sent.iter().map(|one| one.bytes).sum());
    let mut by_board: HashMap<String, Vec<compare::Sent>> = HashMap::new();
    sent.into_iter().for_each(|one| by_board.entry(one.board.clone()).or_default().push(one));
    for (m, machine) in floor.machines.iter().enumerate() {
        for board in &machine.boards {
            let own = by_board.remove(board).unwrap_or_default();
            let compared = catch_unwind(AssertUnwindSafe(|| compare::compare(&own, &floor.data(m), board)));
            // No event twice, also not under another numbering.
            let once = matches!(compared, Ok(Ok((events, _))) if events == own.len());
            found.count("boards whose journal and stream are equal, event by event", once, || {
                format!("board {board}, {} messages", own.len())
            });
        }
    }
    (count, bytes)
}

/// Every board on its machine, on both halls, and its games in the tree.
pub(crate) fn pages(floor: &Floor, halls: &[&Daemon], found: &mut Found) {
    shown(floor, halls, found);
    let truths = floor.truths();
    for board in floor.machines.iter().filter(|machine| machine.daemon.is_some()).flat_map(|machine| &machine.boards) {
        for (i, truth) in truths[board.parse::<usize>().unwrap() - 1].iter().enumerate() {
            let file = floor.tree().join(format!("round-{}/game-{board}.pgn", i + 1));
            let wanted = (sans(truth), String::from(truth.result.as_str()));
            let there = crate::halls::wait("the game in the tree", 5, || {
                fs::read_to_string(&file).ok().map(|text| moves(&text)).filter(|there| *there == wanted)
            });
            found.count("games in the tree of the hall that speaks exactly as they were played", there.is_some(), || {
                format!("board {board}, game {}: {:?}", i + 1, fs::read_to_string(&file).map(|text| moves(&text)))
            });
        }
    }
}

/// Every board's page on its machine and in the halls.
pub(crate) fn shown(floor: &Floor, halls: &[&Daemon], found: &mut Found) {
    for machine in &floor.machines {
        let Some(daemon) = &machine.daemon else { continue };
        for board in &machine.boards {
            let path = format!("/api/v1/boards/{board}");
            let own = daemon.get(&path).unwrap_or_default();
            let pgn = moves(&daemon.text(&format!("{path}/pgn")));
            for hall in halls {
                let shown = crate::halls::wait("the board's last event in the hall", 60, || {
                    hall.get(&path).filter(|shown| public(shown) >= public(&own))
                });
                let shown = shown.or_else(|| hall.get(&path)).unwrap_or_default();
                let equal = !own["moves"].is_null()
                    && (&shown["moves"], &shown["plies_completed"]) == (&own["moves"], &own["plies_completed"])
                    && game(&shown) == game(&own)
                    && moves(&hall.text(&format!("{path}/pgn"))) == pgn;
                found.count("boards that a hall's page shows as their machine does", equal, || {
                    format!("board {board}: {} {} | {} {}", own["seq"], game(&own), shown["seq"], game(&shown))
                });
            }
        }
    }
}

fn public(board: &Value) -> u64 {
    board["seq"].as_u64().unwrap_or(0)
}

/// What is said of the game; the round's number is the place's own.
fn game(board: &Value) -> Value {
    let mut game = board["game"].clone();
    if let Some(game) = game.as_object_mut() {
        ["event", "site", "round"].iter().for_each(|key| drop(game.remove(*key)));
    }
    game
}

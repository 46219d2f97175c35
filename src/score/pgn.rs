//! A board's game as PGN: the completed moves, with clock times; what is not a legal, completed move stands in a comment.
//!
//! Here is the style of our own interface and of `replay`, in the standard's export form.
use crate::board::BoardState;
use crate::kept::{Cut, GameRecord, Ply, USUAL_START};
use crate::line::{CutWhy, Line};
use crate::sheet::Move;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt::Write;
use flagfall_events::{Colour, GameResult, Wall};
use shakmaty::{Chess, Position, fen::Fen, san::SanPlus};

/// Width at which movetext is broken.
const WIDTH: usize = 80;

/// Writes the game on a board: the seven tags every PGN has, then `more` in the given order, then the moves.
///
/// Never fails: from an illegal move on, the moves are named in a comment, so that every reader can still parse the game. After a position that no
/// legal play leads to nothing follows.
pub fn pgn(state: &BoardState, more: &[(&str, &str)]) -> String {
    let (game, score) = (state.game(), Line::of(state.sheet()));
    let mut out = String::with_capacity(1024);
    let date = game.started_at.map_or_else(|| String::from("????.??.??"), date);
    let given = |name: &str| more.iter().find(|(n, _)| *n == name).map(|(_, value)| *value);
    tag(&mut out, "Event", given("Event").unwrap_or("?"));
    tag(&mut out, "Site", given("Site").unwrap_or("?"));
    tag(&mut out, "Date", given("Date").unwrap_or(&date));
    tag(&mut out, "Round", given("Round").unwrap_or("?"));
    tag(&mut out, "White", game.white.as_deref().or_else(|| given("White")).unwrap_or("?"));
    tag(&mut out, "Black", game.black.as_deref().or_else(|| given("Black")).unwrap_or("?"));
    tag(&mut out, "Result", game.result.as_str());
    if let Some(time_control) = &game.time_control {
        tag(&mut out, "TimeControl", time_control);
    }
    if game.chess960 {
        tag(&mut out, "Variant", "Chess960");
    }
    if let Some(fen) = score.start.filter(|fen| *fen != USUAL_START && fen.parse::<Fen>().is_ok()) {
        tag(&mut out, "SetUp", "1");
        tag(&mut out, "FEN", fen);
    }
    let known = ["Event", "Site", "Date", "Round", "White", "Black", "Result"];
    for (name, value) in more.iter().filter(|(name, _)| !known.contains(name)) {
        tag(&mut out, name, value);
    }
    let plies = |marked: fn(&Move) -> bool| score.played.iter().zip(1..).filter(move |((m, _), _)| marked(m)).map(|(_, ply)| ply);
    clock_tags(&mut out, plies(|m| m.clock_within_ms.is_some()), plies(|m| m.clock_corrected));
    game.receipt.iter().for_each(|words| tag(&mut out, "Receipt", words));
    out.push('\n');
    let mut text = Wrapped { out, column: 0, wrap: true };
    movetext(&mut text, &score);
    text.word(game.result.as_str());
    text.out.push('\n');
    text.out
}

/// The same of a game that is over and kept: `names` are White's and Black's.
pub fn of_record(record: &GameRecord, result: GameResult, names: [&str; 2], more: &[(&str, &str)]) -> String {
    let mut out = String::with_capacity(1024);
    let date = record.started_at.map_or_else(|| String::from("????.??.??"), date);
    let given = |name: &str| more.iter().find(|(n, _)| *n == name).map(|(_, value)| *value);
    for (name, otherwise) in [("Event", "?"), ("Site", "?"), ("Date", &date), ("Round", "?")] {
        tag(&mut out, name, given(name).unwrap_or(otherwise));
    }
    for (name, value) in [("White", names[0]), ("Black", names[1]), ("Result", result.as_str())] {
        tag(&mut out, name, value);
    }
    if let Some(time_control) = &record.time_control {
        tag(&mut out, "TimeControl", time_control);
    }
    if record.chess960 {
        tag(&mut out, "Variant", "Chess960");
    }
    if let Some(fen) = record.start.as_deref().filter(|fen| fen.parse::<Fen>().is_ok()) {
        tag(&mut out, "SetUp", "1");
        tag(&mut out, "FEN", fen);
    }
    let known = ["Event", "Site", "Date", "Round"];
    for (name, value) in more.iter().filter(|(name, _)| !known.contains(name)) {
        tag(&mut out, name, value);
    }
    record_tags(&mut out, record);
    out.push('\n');
    let mut text = Wrapped { out, column: 0, wrap: true };
    let mut due = true;
    for (i, ply) in record.moves.iter().enumerate() {
        let (number, white) = record.numbered(i);
        if white || due {
            text.word(&format!("{number}{}", if white { "." } else { "..." }));
        }
        text.word(&ply.san);
        let times = times(ply.clk.map(u64::from), ply.emt.map(u64::from));
        due = times.is_some();
        if let Some(times) = times {
            text.word(&times);
        }
    }
    if let Some(told) = record.cut.as_ref().and_then(Cut::told) {
        text.words(&comment(&told), WIDTH);
    }
    text.word(result.as_str());
    text.out.push('\n');
    text.out
}

fn movetext(text: &mut Wrapped, score: &Line<'_>) {
    let mut position = score.begins.clone().unwrap_or_default();
    let mut number_due = true;
    for (m, found) in &score.played {
        number(text, &position, number_due);
        text.word(&SanPlus::from_move_and_play_unchecked(&mut position, *found).to_string());
        let times = clock(m);
        if let Some(times) = &times {
            text.word(times);
        }
        // After a comment Black's move is numbered again, as the standard's export form does.
        number_due = times.is_some();
    }
    let what = match score.cut {
        None if score.open.is_empty() => return,
        None => "made, not completed",
        Some(CutWhy::Illegal) => "illegal move",
        // Where the record breaks the line ends without a word.
        Some(_) => return,
    };
    let rest = score.rest.iter().copied().chain(score.open);
    let names = rest.map(Move::name).collect::<Vec<_>>().join(" ");
    text.words(&comment(&format!("{what}: {names}")), WIDTH);
}

fn number(text: &mut Wrapped, position: &Chess, due: bool) {
    let n = position.fullmoves();
    match position.turn() {
        shakmaty::Color::White => text.word(&format!("{n}.")),
        shakmaty::Color::Black if due => text.word(&format!("{n}...")),
        shakmaty::Color::Black => {}
    }
}

/// The mover's display after the move, and what was spent on it.
fn clock(m: &Move) -> Option<String> {
    let ms = match m.by {
        Colour::White => m.clock?.white_ms,
        Colour::Black => m.clock?.black_ms,
    };
    times(Some(ms.max(0).unsigned_abs() / 1000), m.spent_ms.map(|ms| ms.saturating_add(500) / 1000))
}

/// `{[%clk 1:29:57] [%emt 0:00:12]}`, seconds; `None` without a clock.
fn times(clk: Option<u64>, emt: Option<u64>) -> Option<String> {
    clk?;
    let command = |name: &str, s: u64| format!("[%{name} {}:{:02}:{:02}]", s / 3600, s / 60 % 60, s % 60);
    let told: Vec<String> = [clk.map(|s| command("clk", s)), emt.map(|s| command("emt", s))].into_iter().flatten().collect();
    (!told.is_empty()).then(|| format!("{{{}}}", told.join(" ")))
}

/// Says which plies have a `%clk` that nobody read, and which one that was set after the press.
fn clock_tags(out: &mut String, estimated: impl Iterator<Item = u32>, corrected: impl Iterator<Item = u32>) {
    for (name, plies) in [("ClockEstimated", ranges(estimated)), ("ClockCorrected", ranges(corrected))] {
        if !plies.is_empty() {
            tag(out, name, &plies);
        }
    }
}

/// The same of a game that is kept.
pub fn record_tags(out: &mut String, record: &GameRecord) {
    let plies = |marked: fn(&Ply) -> bool| record.moves.iter().zip(1..).filter(move |(ply, _)| marked(ply)).map(|(_, n)| n);
    clock_tags(out, plies(|ply| ply.estimated), plies(|ply| ply.corrected));
    record.receipt.iter().for_each(|words| tag(out, "Receipt", words));
}

/// Plies, counted from 1, as a tag has them: `4 7-9`.
pub fn ranges(plies: impl Iterator<Item = u32>) -> String {
    let mut runs: Vec<(u32, u32)> = Vec::new();
    for ply in plies {
        match runs.last_mut() {
            Some((_, last)) if *last + 1 == ply => *last = ply,
            _ => runs.push((ply, ply)),
        }
    }
    let told = runs.iter().map(|(from, to)| if from == to { from.to_string() } else { format!("{from}-{to}") });
    told.collect::<Vec<_>>().join(" ")
}

/// A comment in braces; it cannot hold its own closing one.
pub fn comment(text: &str) -> String {
    format!("{{{}}}", text.replace(['{', '}'], " "))
}

/// The day in UTC.
fn date(at: Wall) -> String {
    at.timestamp().strftime("%Y.%m.%d").to_string()
}

/// Adds a tag. Values are one line, with quotes and backslashes escaped.
pub fn tag(out: &mut String, name: &str, value: &str) {
    let value: String = value.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    // Writing to a string cannot fail.
    _ = writeln!(out, "[{name} \"{}\"]", value.replace('\\', "\\\\").replace('"', "\\\""));
}

/// Movetext, broken into lines between words.
#[derive(Debug)]
pub struct Wrapped {
    /// What is written so far.
    pub out: String,
    /// Characters of the line that is being written.
    pub column: usize,
    /// Lines are broken at all.
    pub wrap: bool,
}

impl Wrapped {
    /// Several words, to be broken between them; a line has `limit` characters at most.
    pub fn words(&mut self, words: &str, limit: usize) {
        words.split(' ').for_each(|word| self.word_within(word, limit));
    }

    /// A word; a line has 80 characters at most.
    pub fn word(&mut self, word: &str) {
        self.word_within(word, WIDTH);
    }

    /// A word; a line has `limit` characters at most.
    pub fn word_within(&mut self, word: &str, limit: usize) {
        let width = word.chars().count();
        if self.column > 0 {
            let fits = !self.wrap || self.column + 1 + width <= limit;
            self.out.push(if fits { ' ' } else { '\n' });
            self.column = if fits { self.column + 1 } else { 0 };
        }
        self.out.push_str(word);
        self.column += width;
    }
}

#[cfg(test)]
#[path = "pgn_tests.rs"]
mod tests;

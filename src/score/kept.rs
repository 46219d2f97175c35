//! One game as documents need it: the legal line with its clock times, where and why it was cut, the result.
use crate::board::BoardState;
use crate::line::{CutWhy, Line};
use crate::sheet::Move;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use flagfall_events::{ClockSource, Colour, GameResult, How, ResultSource, Wall};
use serde::{Deserialize, Serialize};
use shakmaty::{Chess, Color, fen::Fen, san::SanPlus};

/// Where the usual game starts.
pub(crate) const USUAL_START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// One game. What is in `moves` is legal from `start` on; any reader can replay it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameRecord {
    /// The board it was played on.
    pub board: String,
    /// Which game of that board, from 1; missing in what was kept before games had numbers.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub game: Option<u32>,
    /// Position before the first move, FEN; `None`: the usual one.
    pub start: Option<String>,
    /// Castling is by king and rook.
    pub chess960: bool,
    /// When it began; tells one game from the next.
    pub started_at: Option<Wall>,
    /// When the first move was made.
    pub first_move_at: Option<Wall>,
    /// PGN notation.
    pub time_control: Option<String>,
    /// The completed moves as far as they are legal play.
    pub moves: Vec<Ply>,
    /// What followed and cannot be written as moves.
    pub cut: Option<Cut>,
    /// `Open` while it goes on.
    pub result: GameResult,
    /// Why, one or two words, once it is over.
    pub reason: Option<String>,
    /// Where its end comes from, once it is over.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub source: Option<ResultSource>,
    /// What the clock showed last, or must show; `None` without a reading, and once there is a result.
    pub clock: Option<LiveClock>,
    /// Twelve words by which the record of the game can be proved.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub receipt: Option<String>,
}

/// One completed move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ply {
    /// Who moved.
    pub by: Colour,
    /// English letters, check marks.
    pub san: String,
    /// UCI.
    pub uci: String,
    /// The mover's display after the press, seconds; `None`: there is no clock.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub clk: Option<u32>,
    /// Whole seconds spent on it; `None`: not known.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub emt: Option<u32>,
    /// `clk` is an estimate: nobody read the display at the press.
    #[serde(skip_serializing_if = "core::ops::Not::not", default)]
    pub estimated: bool,
    /// The display was set, or got the next period's time, after the press; `clk` has it.
    #[serde(skip_serializing_if = "core::ops::Not::not", default)]
    pub corrected: bool,
    /// Recovered or inferred, not seen to be played.
    #[serde(skip_serializing_if = "core::ops::Not::not", default)]
    pub guessed: bool,
}

/// Why the line ends before the game did.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cut {
    /// What kind.
    pub why: CutWhy,
    /// What was played from there on, in SAN or UCI, blanks between.
    pub moves: String,
}

impl Cut {
    /// What readers of the moves are told: an illegal move that stands, a move that was not completed. Where the record breaks they end without a word.
    pub fn told(&self) -> Option<String> {
        matches!(self.why, CutWhy::Illegal | CutWhy::NotCompleted).then(|| self.comment())
    }

    /// One plain ASCII sentence, for operators.
    pub fn comment(&self) -> String {
        let what = match self.why {
            CutWhy::Illegal => "Illegal move",
            CutWhy::PositionSet => "The arbiter set another position; played from there",
            CutWhy::NotLegalPlay => "Not recorded as legal play",
            CutWhy::NotCompleted => "Made, not completed",
        };
        match self.moves.is_empty() {
            true => String::from(what),
            false => format!("{what}: {}", self.moves),
        }
    }
}

/// The clock as it was read, or ruled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LiveClock {
    /// White's display, seconds.
    pub white: Option<u32>,
    /// Black's display, seconds.
    pub black: Option<u32>,
    /// Whose time runs.
    pub run: Option<Colour>,
    /// When it was read.
    pub at: Wall,
}

impl BoardState {
    /// The game on the board as documents need it.
    pub fn record(&self) -> GameRecord {
        let (game, sheet) = (self.game(), self.sheet());
        let line = Line::of(sheet);
        let mut position = line.begins.clone().unwrap_or_default();
        let plies: Vec<Ply> = line.played.iter().map(|(m, found)| self.kept(m, *found, &mut position)).collect();
        let over = self.is_over();
        let (mut why, mut rest) = (line.cut, line.rest);
        if over && why.is_none() && !line.open.is_empty() {
            why = Some(CutWhy::NotCompleted);
            rest.extend(line.open);
        }
        let names = rest.iter().map(|m| m.name()).collect::<Vec<_>>().join(" ");
        let start = line.start.filter(|fen| *fen != USUAL_START && fen.parse::<Fen>().is_ok());
        GameRecord {
            board: self.board().to_string(),
            game: game.number,
            start: start.map(String::from),
            chess960: game.chess960,
            started_at: game.started_at,
            first_move_at: sheet.first_move_at().or(game.started_at).filter(|_| !plies.is_empty() || !names.is_empty()),
            time_control: game.time_control.clone(),
            moves: plies,
            cut: why.map(|why| Cut { why, moves: names }),
            result: game.result,
            reason: game.reason.clone(),
            source: self.ended(),
            clock: if over { None } else { self.live_clock() },
            receipt: game.receipt.clone(),
        }
    }

    fn kept(&self, m: &Move, found: shakmaty::Move, position: &mut Chess) -> Ply {
        let san = SanPlus::from_move_and_play_unchecked(position, found).to_string();
        let clk = m.clock.map(|clock| match m.by {
            Colour::White => clock.white_ms,
            Colour::Black => clock.black_ms,
        });
        let guessed = matches!(m.how, Some(How::Recovered)) || !m.completed;
        // Without any reading the time between two completed moves is what was measured.
        let between = || Some(m.done?.since(self.sheet().done_before(m.ply)?));
        let spent = m.spent_ms.or_else(|| if guessed || clk.is_some() { None } else { between() });
        let seconds = |ms: u64| u32::try_from(ms.saturating_add(500) / 1000).ok();
        Ply {
            by: m.by,
            san,
            uci: m.uci.clone(),
            clk: clk.and_then(|ms| u32::try_from(ms.max(0) / 1000).ok()),
            emt: spent.and_then(seconds),
            estimated: m.clock_within_ms.is_some(),
            corrected: m.clock_corrected,
            guessed,
        }
    }

    /// What the clock itself said last, or was ruled to show; nothing that was guessed.
    fn live_clock(&self) -> Option<LiveClock> {
        let reading = self.clock().filter(|reading| matches!(reading.state.source, ClockSource::Device | ClockSource::Arbiter))?;
        let seconds = |ms: Option<i64>| ms.and_then(|ms| u32::try_from(ms.max(0) / 1000).ok());
        Some(LiveClock {
            white: seconds(reading.state.white_ms),
            black: seconds(reading.state.black_ms),
            run: reading.state.running,
            at: reading.at,
        })
    }
}

impl GameRecord {
    /// Begun, without a result, and not cancelled.
    pub const fn is_live(&self) -> bool {
        matches!(self.result, GameResult::Open) && self.reason.is_none() && self.has_begun()
    }

    /// A move was completed.
    pub const fn has_begun(&self) -> bool {
        !self.moves.is_empty() || self.cut.is_some()
    }

    /// It has a result.
    pub const fn is_over(&self) -> bool {
        !matches!(self.result, GameResult::Open)
    }

    /// Nobody showed its result, and nobody entered one since.
    pub fn is_unread(&self) -> bool {
        !self.is_over() && self.source == Some(ResultSource::Setup)
    }

    /// It was played and is over, with or without a result; no other game takes its place. One that was cancelled is played again.
    pub const fn stands(&self) -> bool {
        self.is_over() || matches!(self.source, Some(ResultSource::Setup | ResultSource::Operator))
    }

    /// The number of move `i`, counted from 0, as PGN writes it, and whether White made it.
    pub fn numbered(&self, i: usize) -> (u32, bool) {
        let start = self.start.as_deref().and_then(|fen| fen.parse::<Fen>().ok());
        let first = start.as_ref().map_or(1, |fen| fen.as_setup().fullmoves.get());
        let begun = u32::from(start.is_some_and(|fen| fen.as_setup().turn == Color::Black));
        let half = begun.saturating_add(u32::try_from(i).unwrap_or(u32::MAX));
        (first.saturating_add(half / 2), half.is_multiple_of(2))
    }

    /// Chess960's number of the start position, 518 for the usual one; `None` for any other position.
    pub fn start_number(&self) -> Option<u16> {
        match &self.start {
            None => Some(518),
            Some(fen) => start_number(fen),
        }
    }
}

/// The number of a Chess960 start position; `None` where `fen` is none.
fn start_number(fen: &str) -> Option<u16> {
    let placement = fen.split(' ').next()?;
    let back = placement.rsplit('/').next()?;
    if placement != format!("{}/pppppppp/8/8/8/8/PPPPPPPP/{back}", back.to_lowercase()) || back.len() != 8 {
        return None;
    }
    let at = |piece: char| back.char_indices().filter(move |(_, c)| *c == piece).map(|(i, _)| i);
    let bishops: Vec<usize> = at('B').collect();
    let light = *bishops.iter().find(|i| *i % 2 == 1)?;
    let dark = *bishops.iter().find(|i| *i % 2 == 0)?;
    let rest: Vec<char> = back.chars().filter(|c| *c != 'B').collect();
    let queen = rest.iter().position(|c| *c == 'Q')?;
    let rest: Vec<char> = rest.into_iter().filter(|c| *c != 'Q').collect();
    let knights: Vec<usize> = (0..rest.len()).filter(|&i| rest[i] == 'N').collect();
    let [first, second] = knights[..] else { return None };
    let others: String = rest.iter().filter(|c| **c != 'N').collect();
    if others != "RKR" {
        return None;
    }
    // Pairs of five places, in order: 01 02 03 04 12 13 14 23 24 34.
    let pair = [0, 4, 7, 9][first] + second - first - 1;
    u16::try_from(light / 2 + 4 * (dark / 2) + 16 * queen + 96 * pair).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn start_positions_have_their_numbers() {
        for (back, number) in [("RNBQKBNR", 518), ("BBQNNRKR", 0), ("RKRNNQBB", 959), ("RBNNQKBR", 444)] {
            let fen = format!("{}/pppppppp/8/8/8/8/PPPPPPPP/{back} w KQkq - 0 1", back.to_lowercase());
            assert_eq!(start_number(&fen), Some(number), "{back}");
        }
        assert_eq!(start_number("4k3/8/8/8/8/8/8/4K3 w - - 0 1"), None);
        assert_eq!(start_number("rnbqkbnr/pppppppp/8/8/8/8/PPPP1PPP/RNBQKBNR w KQkq - 0 1"), None);
    }

    #[test]
    fn all_960_numbers_are_different() {
        let mut seen = std::collections::BTreeSet::new();
        let mut back: Vec<char> = "BBKNNQRR".chars().collect();
        permutations(&mut back, 0, &mut |back| {
            let back: String = back.iter().collect();
            let fen = format!("{}/pppppppp/8/8/8/8/PPPPPPPP/{back} w - - 0 1", back.to_lowercase());
            seen.extend(start_number(&fen));
        });
        assert_eq!((seen.len(), seen.first(), seen.last()), (960, Some(&0), Some(&959)));
    }

    fn permutations(items: &mut Vec<char>, from: usize, each: &mut impl FnMut(&[char])) {
        if from == items.len() {
            return each(items);
        }
        for i in from..items.len() {
            if items[from..i].contains(&items[i]) {
                continue;
            }
            items.swap(from, i);
            permutations(items, from + 1, each);
            items.swap(from, i);
        }
    }
}

//! `flagfall replay --against`: how well a recording is read, game by game.
use super::super::ExitError;
use super::played::{Game, Played};
use flagfall_events::{Body, Colour, Event, Grade, How, Mono};
use flagfall_score::board::{BoardState, Games};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write;
use std::path::Path;

/// What a recording is read as.
#[derive(Debug)]
pub(super) struct Reading {
    games: Games,
    /// The last press of each side.
    pressed: [Option<Mono>; 2],
    /// By the game's number.
    said: BTreeMap<u32, Said>,
}

/// What was said of one game.
#[derive(Debug, Default)]
struct Said {
    /// Legal moves that were completed: ply and move.
    completed: Vec<(u32, String)>,
    /// From press to completed, milliseconds.
    waits: Vec<u64>,
    /// Keys of what was found and asks for somebody; notes are counted apart.
    findings: Vec<String>,
    notes: usize,
}

impl Reading {
    pub(super) fn new() -> Self {
        Self { games: Games::new("recording".into()), pressed: [None; 2], said: BTreeMap::new() }
    }

    /// Takes the next event.
    pub(super) fn take(&mut self, event: &Event) {
        self.games.take(event);
        let said = event.game.map(|game| self.said.entry(game).or_default());
        match (&event.body, said) {
            (Body::Press { by }, _) => self.pressed[side(*by)] = Some(event.t),
            (Body::MoveCompleted { ply, by, uci, legal, how, .. }, Some(said)) => {
                if *legal {
                    said.completed.push((*ply, uci.clone()));
                }
                if *how == How::Press {
                    said.waits.extend(self.pressed[side(*by)].map(|at| event.t.since(at)));
                }
            }
            (Body::Finding(finding), Some(said)) if finding.grade == Grade::Note => said.notes += 1,
            (Body::Finding(finding), Some(said)) => said.findings.push(finding.key.to_string()),
            _ => {}
        }
    }

    /// Every game against what was played.
    pub(super) fn compare(&self, path: &Path, played: &Played, recording: &[u8]) -> Result<Vec<Row>, ExitError> {
        let read: Vec<&BoardState> = self.games.played().collect();
        let written = played.games(path, recording)?;
        let (mut rows, nothing) = (Vec::new(), Said::default());
        for i in 0..read.len().max(written.len()) {
            let game = read.get(i).copied();
            let info = game.map(BoardState::game);
            let start = info.and_then(|info| info.start_fen.as_deref());
            let moves = written.get(i).map(|game: &Game| game.uci(start, info.is_some_and(|info| info.chess960)));
            let moves = moves
                .unwrap_or_else(|| Ok(Vec::new()))
                .map_err(|why| ExitError::bad_data(format_args!("{}: what was played in game {}: {why}", path.display(), i + 1)))?;
            let said = info.and_then(|info| self.said.get(&info.number?)).unwrap_or(&nothing);
            rows.push(Row::of(path, i + 1, game, &moves, said));
        }
        Ok(rows)
    }
}

const fn side(by: Colour) -> usize {
    match by {
        Colour::White => 0,
        Colour::Black => 1,
    }
}

/// How well one game is read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct Row {
    file: String,
    /// From 1 in the recording.
    game: usize,
    /// Plies that were played.
    plies: usize,
    /// Every ply as it was played, none completed as another one on the way, none too many.
    exact: bool,
    first_difference: Option<Difference>,
    /// Plies that were completed as another move, also where that was corrected later.
    completed_wrong: usize,
    /// Plies that were played and are not in the record.
    missing: usize,
    /// Plies of the record that nobody played.
    surplus: usize,
    /// Keys of what was found and asks for somebody.
    findings: Vec<String>,
    notes: usize,
    /// From a press to its move's completion, milliseconds.
    press_to_completed_ms: Option<Wait>,
}

/// Where the record leaves what was played.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
struct Difference {
    ply: usize,
    read: Option<String>,
    played: Option<String>,
}

/// How long completions took, milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
struct Wait {
    median: u64,
    longest: u64,
}

impl Row {
    fn of(path: &Path, number: usize, game: Option<&BoardState>, played: &[String], said: &Said) -> Self {
        let moves = game.map_or(&[][..], BoardState::moves);
        let completed = moves.iter().rposition(|m| m.completed).map_or(0, |last| last + 1);
        // The last move of a game is often not pressed: it is read if it was made.
        let made = moves.iter().enumerate().skip(completed).take_while(|(i, m)| played.get(*i) == Some(&m.uci)).count();
        let read: Vec<&str> = moves[..completed + made].iter().map(|m| m.uci.as_str()).collect();
        let played: Vec<&str> = played.iter().map(String::as_str).collect();
        let Aligned { wrong, missing, surplus } = aligned(&read, &played);
        let first = (0..read.len().max(played.len())).find(|i| read.get(*i) != played.get(*i));
        let first_difference = first.map(|i| {
            let one = |moves: &[&str]| moves.get(i).map(|m| String::from(*m));
            Difference { ply: i + 1, read: one(&read), played: one(&played) }
        });
        let at = |moves: &[&str], ply: u32| moves.get((ply as usize).wrapping_sub(1)).map(|m| String::from(*m));
        let corrected = said.completed.iter().filter(|(ply, uci)| {
            let uci = Some(uci);
            at(&read, *ply).as_ref() != uci && at(&played, *ply).as_ref() != uci
        });
        let completed_wrong = wrong + corrected.count();
        let mut waits = said.waits.clone();
        waits.sort_unstable();
        Self {
            file: path.display().to_string(),
            game: number,
            plies: played.len(),
            exact: first.is_none() && completed_wrong == 0,
            first_difference,
            completed_wrong,
            missing,
            surplus,
            findings: said.findings.clone(),
            notes: said.notes,
            press_to_completed_ms: waits.last().map(|longest| Wait { median: waits[waits.len() / 2], longest: *longest }),
        }
    }

    /// For people.
    fn told(&self) -> String {
        let mut text = format!("{}, game {}: {}", self.file, self.game, count(self.plies, "ply", "plies"));
        // Writing to a String cannot fail.
        let _ = match &self.first_difference {
            _ if self.exact => write!(text, ", exact"),
            Some(Difference { ply, read, played }) => {
                let word = |m: &Option<String>| m.clone().unwrap_or_else(|| String::from("nothing"));
                write!(text, ", not exact: ply {ply} is read as {}, played was {}", word(read), word(played))
            }
            None => write!(text, ", right at the end, not on the way"),
        };
        if !self.exact {
            let _ = write!(text, "; {} completed wrong, {} missing, {} surplus", self.completed_wrong, self.missing, self.surplus);
        }
        let findings = if self.findings.is_empty() { String::from("none") } else { self.findings.join(", ") };
        let _ = write!(text, "; findings: {findings}");
        if let Some(Wait { median, longest }) = self.press_to_completed_ms {
            let _ = write!(text, "; press to completed: median {median} ms, longest {longest} ms");
        }
        text
    }
}

fn count(n: usize, one: &str, several: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { several })
}

/// What all games come to.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Total {
    games: usize,
    exact: usize,
    plies: usize,
    wrong: usize,
    missing: usize,
    surplus: usize,
    findings: usize,
}

impl Total {
    /// Prints the rows of one recording, and counts them; the error says that not every game is exact.
    pub(super) fn print(&mut self, rows: &[Row], path: &Path, json: bool, out: &mut Vec<u8>) -> Result<(), ExitError> {
        for row in rows {
            if json {
                serde_json::to_writer(&mut *out, row).map_err(ExitError::bug)?;
                out.push(b'\n');
            } else {
                writeln!(out, "{}", row.told())?;
            }
            self.games += 1;
            self.exact += usize::from(row.exact);
            self.plies += row.plies;
            self.wrong += row.completed_wrong;
            self.missing += row.missing;
            self.surplus += row.surplus;
            self.findings += row.findings.len();
        }
        let other = rows.iter().filter(|row| !row.exact).count();
        if other == 0 {
            return Ok(());
        }
        let games = count(rows.len(), "game", "games");
        Err(ExitError::read_in_part(format_args!("{}: {other} of {games} not read as played", path.display())))
    }

    /// The sum with another recording's.
    pub(super) const fn add(&mut self, other: Self) {
        self.games += other.games;
        self.exact += other.exact;
        self.plies += other.plies;
        self.wrong += other.wrong;
        self.missing += other.missing;
        self.surplus += other.surplus;
        self.findings += other.findings;
    }

    /// For people, where there is more than one game.
    pub(super) fn told(&self) -> Option<String> {
        let Self { games, exact, plies, wrong, missing, surplus, findings } = self;
        let text = || {
            format!(
                "{games} games, {exact} exact; {plies} plies: {wrong} completed wrong, {missing} missing, {surplus} surplus; {}",
                count(*findings, "finding", "findings")
            )
        };
        (*games > 1).then(text)
    }
}

/// How two lines of moves differ.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Aligned {
    wrong: usize,
    missing: usize,
    surplus: usize,
}

/// Longer lines than any game's are not laid beside each other ply by ply.
const LONGEST: usize = 2_000;

/// The fewest differences that make one line the other; a changed ply before a missing and a surplus one.
fn aligned(read: &[&str], played: &[&str]) -> Aligned {
    let alike = read.iter().zip(played).take_while(|(a, b)| a == b).count();
    let (read, played) = (&read[alike..], &played[alike..]);
    let alike = read.iter().rev().zip(played.iter().rev()).take_while(|(a, b)| a == b).count();
    let (read, played) = (&read[..read.len() - alike], &played[..played.len() - alike]);
    if read.len().max(played.len()) > LONGEST {
        let wrong = read.len().min(played.len());
        return Aligned { wrong, missing: played.len() - wrong, surplus: read.len() - wrong };
    }
    let width = played.len() + 1;
    // costs[r * width + p]: the fewest differences between what is left of both from r and p on.
    let mut costs = vec![0_usize; (read.len() + 1) * width];
    for r in (0..=read.len()).rev() {
        for p in (0..=played.len()).rev() {
            costs[r * width + p] = match (read.get(r), played.get(p)) {
                (None, _) => played.len() - p,
                (_, None) => read.len() - r,
                (Some(a), Some(b)) => {
                    let changed = costs[(r + 1) * width + p + 1] + usize::from(a != b);
                    changed.min(costs[(r + 1) * width + p] + 1).min(costs[r * width + p + 1] + 1)
                }
            };
        }
    }
    let (mut r, mut p, mut found) = (0, 0, Aligned::default());
    while r < read.len() || p < played.len() {
        let here = costs[r * width + p];
        let pair = read.get(r).zip(played.get(p)).map(|(a, b)| usize::from(a != b));
        if let Some(changed) = pair.filter(|changed| costs[(r + 1) * width + p + 1] + changed == here) {
            found.wrong += changed;
            (r, p) = (r + 1, p + 1);
        } else if p < played.len() && costs[r * width + p + 1] + 1 == here {
            found.missing += 1;
            p += 1;
        } else {
            found.surplus += 1;
            r += 1;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_laid_beside_each_other() {
        let line = |text: &'static str| text.split(' ').filter(|m| !m.is_empty()).collect::<Vec<_>>();
        for (read, played, wrong, missing, surplus) in [
            ("a b c", "a b c", 0, 0, 0),
            ("a x c", "a b c", 1, 0, 0),
            ("a c", "a b c", 0, 1, 0),
            ("a b b c", "a b c", 0, 0, 1),
            ("", "a b", 0, 2, 0),
            ("a b", "", 0, 0, 2),
            ("a x c e", "a b c d e", 1, 1, 0),
        ] {
            assert_eq!(aligned(&line(read), &line(played)), Aligned { wrong, missing, surplus }, "{read} / {played}");
        }
    }
}

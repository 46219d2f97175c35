//! FIDE's tournament report, TRF16 and TRF26: who the players are, and whom each of them plays. It has no board numbers.
//!
//! Fixed columns, counted from 1 in characters. Lines may be short, ends CR, LF or both, headers free-form; records that are not known are skipped.
use super::list::{Mistake, gender, text};
use super::scored::{Score, Scored};
use crate::players::{self, Player};
use flagfall_config::date::date;
use flagfall_events::{GameResult, TimeControl};
use std::collections::BTreeMap;

/// What a report says of the event and its players.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report {
    /// `012`.
    pub name: Option<String>,
    /// `022`.
    pub city: Option<String>,
    /// `142`, `XXR`, else the rounds that players have.
    pub rounds: Option<u32>,
    /// `122`: in words.
    pub time_control: Option<String>,
    /// `222` in PGN notation.
    pub control: Option<TimeControl>,
    /// `132`, else `042` for the first round: `YYYY-MM-DD`.
    pub dates: Vec<String>,
    /// `001`, in the order of the file.
    pub players: Vec<Player>,
    by_name: BTreeMap<String, usize>,
    /// Beside each of the players: where the line stands, and what it has of each round.
    pub(super) entries: Vec<Entry>,
    /// There are records of teams.
    pub(super) has_teams: bool,
}

/// What a player's line has beside the player.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Entry {
    pub(super) line: usize,
    /// The starting rank, which names opponents.
    pub(super) rank: String,
    pub(super) cells: Vec<Cell>,
}

/// A player's round.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Cell {
    /// The starting rank; `None`: no opponent.
    pub(super) opponent: Option<String>,
    pub(super) white: bool,
    /// As it stands there, in upper case.
    score: Option<char>,
}

impl Cell {
    /// `None`: nothing stands there.
    fn new(opponent: &str, colour: &str, score: &str) -> Self {
        let opponent = Some(opponent).filter(|rank| rank.chars().any(|c| c != '0')).map(String::from);
        Self { opponent, white: colour.eq_ignore_ascii_case("w"), score: score.chars().next().map(|c| c.to_ascii_uppercase()) }
    }

    /// A bye of any kind, or absent: nobody sits there.
    pub(super) const fn is_bye(&self) -> bool {
        self.opponent.is_none() && matches!(self.score, Some('H' | 'F' | 'U' | 'Z' | '-' | '+'))
    }

    /// What it is worth: `None` while nothing stands there.
    const fn score(&self) -> Option<Score> {
        if self.score.is_none() { None } else { Some(Score { halves: self.half_points(), game: self.opponent.is_some() }) }
    }

    pub(super) const fn half_points(&self) -> u32 {
        match self.score {
            Some('1' | '+' | 'W' | 'F' | 'U') => 2,
            Some('=' | 'D' | 'H') => 1,
            _ => 0,
        }
    }

    /// The result for White, whose cell this is, and whether nobody played; `other` is Black's.
    pub(super) fn result(&self, other: Option<&Self>) -> (GameResult, bool) {
        match (self.score, other.and_then(|other| other.score)) {
            (Some('1' | 'W'), _) => (GameResult::WhiteWins, false),
            (Some('+'), _) => (GameResult::WhiteWins, true),
            (Some('=' | 'D'), _) => (GameResult::Draw, false),
            (Some('0' | 'L'), _) => (GameResult::BlackWins, false),
            (Some('-'), Some('+')) => (GameResult::BlackWins, true),
            (Some('-'), _) => (GameResult::Open, true),
            _ => (GameResult::Open, false),
        }
    }
}

impl Report {
    /// Everybody's points, byes and forfeits among them.
    pub fn scores(&self) -> Vec<Scored> {
        let rounds = |entry: &Entry| entry.cells.iter().map(Cell::score).collect();
        let players = self.players.iter().zip(&self.entries);
        players.map(|(player, entry)| Scored { player: player.clone(), rounds: rounds(entry) }).collect()
    }

    /// Who this is: by FIDE number, else by name.
    pub fn find(&self, player: &Player) -> Option<&Player> {
        let by_id = player.fideid.and_then(|id| self.players.iter().find(|known| known.fideid == Some(id)));
        by_id.or_else(|| {
            let known = &self.players[*self.by_name.get(&player.key())?];
            // A namesake with another number is another person.
            (player.fideid.is_none() || known.fideid.is_none()).then_some(known)
        })
    }
}

/// Reads a report.
///
/// # Errors
/// A line of a player without a name, and a file without any player; the mistakes, never empty.
pub fn read(bytes: &[u8]) -> Result<Report, Vec<Mistake>> {
    let text = text(bytes).replace("\r\n", "\n").replace('\r', "\n");
    let (mut report, mut mistakes) = (Report::default(), Vec::new());
    let mut start = None;
    let mut teams = Vec::new();
    for (line, text) in text.lines().zip(1..).map(|(text, line)| (line, text)) {
        let chars: Vec<char> = text.chars().collect();
        let columns = |from: usize, to: usize| -> String {
            let to = to.min(chars.len());
            if from > to { String::new() } else { chars[from - 1..to].iter().collect::<String>().trim().to_string() }
        };
        let rest = || Some(columns(5, usize::MAX)).filter(|t| !t.is_empty());
        match columns(1, 3).as_str() {
            "001" => match player(&columns) {
                Some(player) => {
                    report.players.push(player);
                    let cell = |n: usize| {
                        Cell::new(
                            &columns(92 + 10 * n, 95 + 10 * n),
                            &columns(97 + 10 * n, 97 + 10 * n),
                            &columns(99 + 10 * n, 99 + 10 * n),
                        )
                    };
                    let rounds = chars.len().saturating_sub(91).div_ceil(10).min(999);
                    report.entries.push(Entry { line, rank: columns(5, 8), cells: (0..rounds).map(cell).collect() });
                }
                None => mistakes.push(Mistake {
                    line,
                    text: String::from("has no name in columns 15 to 47; is this a tournament report (TRF16 or TRF26)?"),
                }),
            },
            "012" => report.name = rest(),
            "022" => report.city = rest(),
            "042" => start = rest().and_then(|t| date(&t)),
            "122" => report.time_control = rest(),
            "132" => {
                report.dates =
                    (0..999).map(|n| columns(92 + 10 * n, 99 + 10 * n)).take_while(|t| !t.is_empty()).filter_map(|t| date(&t)).collect();
            }
            "142" | "XXR" => report.rounds = rest().and_then(|t| t.parse().ok()).filter(|n| (1..=999).contains(n)),
            "013" => teams.push(Team { name: columns(5, 36), ranks: fours(&columns, 37) }),
            // TRF26 has it instead of 013.
            "310" => teams.push(Team { name: columns(9, 40), ranks: fours(&columns, 74) }),
            "222" => report.control = rest().and_then(|t| control(&t)),
            _ => {}
        }
    }
    if report.players.is_empty() && mistakes.is_empty() {
        mistakes
            .push(Mistake { line: 1, text: String::from("there is no player (001) in it; is this a tournament report (TRF16 or TRF26)?") });
    }
    if !mistakes.is_empty() {
        return Err(mistakes);
    }
    if report.dates.is_empty() {
        report.dates.extend(start);
    }
    report.has_teams = !teams.is_empty();
    for (player, entry) in report.players.iter_mut().zip(&report.entries) {
        let team = teams.iter().find(|team| !entry.rank.is_empty() && team.ranks.contains(&entry.rank));
        player.team = team.map(|team| team.name.clone()).filter(|name| !name.is_empty());
    }
    let keys: Vec<String> = report.players.iter().map(Player::key).collect();
    for (i, key) in keys.iter().enumerate() {
        // Two of the same name: neither is meant by the name alone.
        if keys.iter().filter(|other| *other == key).count() == 1 {
            report.by_name.insert(key.clone(), i);
        }
    }
    Ok(report)
}

/// A team and the starting ranks of its players, in board order.
struct Team {
    name: String,
    ranks: Vec<String>,
}

/// Fields of four columns, one blank between, from column `from` on.
fn fours(columns: &impl Fn(usize, usize) -> String, from: usize) -> Vec<String> {
    // No team has more players than a report has ranks.
    (0..9999).map(|i| columns(from + 5 * i, from + 5 * i + 3)).take_while(|rank| !rank.is_empty()).collect()
}

fn player(columns: &impl Fn(usize, usize) -> String) -> Option<Player> {
    let mut player = Player::named(&columns(15, 47))?;
    player.gender = gender(&columns(10, 10));
    player.title = players::title(&columns(11, 13), player.gender.as_deref() == Some("F"));
    player.elo = players::number(&columns(49, 52));
    player.federation = Some(columns(54, 56).to_uppercase()).filter(|f| f.len() == 3);
    player.fideid = players::number(&columns(58, 68));
    Some(player)
}

/// The coded time control where both sides have the same.
fn control(coded: &str) -> Option<TimeControl> {
    coded.parse().ok()
}

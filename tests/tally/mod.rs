//! What was recorded of a row of games on one board, beside what was really played there: games begun, ended and by whom, missing, stuck.
#![allow(clippy::unwrap_used, dead_code, reason = "a test may; each user reads its own part of the figures")]
mod played;
mod print;
mod recorded;

use flagfall_events::{AlarmState, Body, Event, GameResult, ResultSource};
pub(crate) use played::Played;
use recorded::{Recorded, recorded};
use std::collections::BTreeMap;

/// A board is stuck when nothing of its games began or ended for so long, milliseconds.
const STUCK_MS: u64 = 240_000;
/// Within so long after the first move of a game its beginning must be recorded, milliseconds.
const BEGUN_MS: u64 = 60_000;

/// The figures of boards.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    pub(crate) boards: usize,
    /// Games that players began and ended.
    pub(crate) played: usize,
    /// Of those: recorded, as a game of their own.
    pub(crate) begun: usize,
    /// Of those: ended in the record, whatever the result.
    pub(crate) finished: usize,
    /// Of those: move for move what was played.
    pub(crate) exact: usize,
    /// Plies played and not recorded, and recorded and not played, in recorded games.
    pub(crate) missing_plies: usize,
    pub(crate) wrong_plies: usize,
    /// Recorded games that nobody played: moves tried out, pieces set up.
    pub(crate) phantoms: usize,
    /// By source of what stands: result, and how the players ended it.
    pub(crate) ended: BTreeMap<String, usize>,
    /// Games whose result stands and is the one that was played, read …
    pub(crate) read: usize,
    /// … or entered.
    pub(crate) entered: usize,
    /// Games whose result is not known.
    pub(crate) missing: usize,
    /// Of those, games whose players showed it.
    pub(crate) shown_and_missing: usize,
    /// Results that stand and are not what was played.
    pub(crate) wrong: usize,
    /// Games played of which nothing was recorded.
    pub(crate) stuck_games: usize,
    /// On so many boards.
    pub(crate) boards_with_stuck_games: usize,
    /// Boards on which nothing began or ended for four minutes of play.
    pub(crate) stuck_boards: Vec<String>,
    /// Findings by key and by what the players had done.
    pub(crate) findings: BTreeMap<(String, String), usize>,
    /// Alarms by key: how often raised, and on how many boards still raised at the end.
    pub(crate) alarms: BTreeMap<String, (usize, usize)>,
    /// Incidents that were played: in how many games, in how many of those a finding names them.
    pub(crate) incidents: BTreeMap<String, (usize, usize)>,
    /// What somebody should look at, one line each.
    pub(crate) notes: Vec<String>,
}

impl Tally {
    /// Adds a board. `time` gives an event's moment on the players' clock; `end` is when looking ended.
    pub(crate) fn board(&mut self, name: &str, games: &[Played], events: &[Event], time: impl Fn(&Event) -> u64, end: u64) {
        self.boards += 1;
        show(name, games, events, &time);
        let records = recorded(events, &time);
        let (of_game, phantoms) = matched(games, &records);
        self.phantoms += phantoms.len();
        for record in phantoms.iter().map(|i| &records[*i]) {
            self.notes.push(format!("board {name}: a game of {} plies that nobody played began at {}", record.moves.len(), record.first));
        }
        self.boards_with_stuck_games += usize::from(games.iter().zip(&of_game).any(|(game, of)| game.whole && of.is_none()));
        for (i, game) in games.iter().enumerate().filter(|(_, game)| game.whole) {
            self.played += 1;
            let Some(record) = of_game[i].map(|i| &records[i]) else {
                self.stuck_games += 1;
                self.notes.push(format!("board {name}, game {} ({}): nothing recorded", i + 1, game.ended));
                continue;
            };
            self.game(&format!("board {name}, game {}", i + 1), game, record);
        }
        self.stuck(name, games, &records, &of_game, end);
        for event in events {
            if let Body::Finding(finding) = &event.body {
                let of_record = records.iter().position(|record| event.game.is_some() && record.number == event.game);
                let expected = of_record.and_then(|record| of_game.iter().position(|of| *of == Some(record)));
                let cause = played::cause(games, time(event), expected);
                let key = serde_json::to_value(finding.key).unwrap().as_str().unwrap().to_owned();
                if cause == played::PLAY {
                    self.notes.push(format!("board {name}: {key} at {} while nothing was wrong", time(event)));
                }
                *self.findings.entry((key, cause)).or_default() += 1;
            }
        }
        self.said(games, events, &time);
        self.alarms(events);
    }

    fn alarms(&mut self, events: &[Event]) {
        let mut raised: BTreeMap<&str, bool> = BTreeMap::new();
        for event in events {
            if let Body::Alarm { key, state, .. } = &event.body {
                let is = *state == AlarmState::Raised;
                raised.insert(key.as_str(), is);
                self.alarms.entry(key.to_string()).or_default().0 += usize::from(is);
            }
        }
        for (key, still) in raised {
            self.alarms.entry(String::from(key)).or_default().1 += usize::from(still);
        }
    }

    fn game(&mut self, name: &str, game: &Played, record: &Recorded) {
        self.begun += 1;
        let moves: Vec<&String> = record.moves.values().collect();
        let same = moves.iter().zip(&game.moves).filter(|(a, b)| **a == *b).count();
        self.exact += usize::from(same == game.moves.len() && same == moves.len());
        self.missing_plies += game.moves.len().saturating_sub(moves.len());
        self.wrong_plies += moves.len() - same;
        if moves.len() != same || same != game.moves.len() {
            let at = moves.iter().zip(&game.moves).take_while(|(a, b)| **a == *b).count();
            self.notes.push(format!("{name} ({}): from ply {} on not what was played", game.about(), at + 1));
        }
        let Some((result, source, _)) = &record.result else {
            self.unread(name, game);
            *self.ended.entry(format!("{}: nothing", game.ended)).or_default() += 1;
            return;
        };
        self.finished += 1;
        let source_name = serde_json::to_value(source).unwrap().as_str().unwrap().to_owned();
        *self.ended.entry(format!("{}: {source_name}", game.ended)).or_default() += 1;
        if *result == GameResult::Open {
            self.unread(name, game);
        } else if *result != game.result && game.result != GameResult::Open {
            self.wrong += 1;
            let (said, played) = (result.as_str(), game.result.as_str());
            self.notes.push(format!("{name} ({}): result {said} by {source_name}, played {played}", game.about()));
        } else if *source == ResultSource::Operator {
            self.entered += 1;
        } else {
            self.read += 1;
        }
    }

    fn unread(&mut self, name: &str, game: &Played) {
        self.missing += 1;
        if game.is_shown() {
            self.shown_and_missing += 1;
            self.notes.push(format!("{name} ({}), over at {}: its result was shown and not read", game.about(), game.over));
        }
    }

    /// Whether nothing began or ended for so long while a game was begun there.
    fn stuck(&mut self, name: &str, games: &[Played], records: &[Recorded], of_game: &[Option<usize>], end: u64) {
        let mut marks: Vec<u64> = records.iter().flat_map(|r| [Some(r.first), r.result.as_ref().map(|(_, _, at)| *at)]).flatten().collect();
        marks.extend([games.first().map_or(0, |game| game.began), end]);
        marks.sort_unstable();
        let unseen = |(game, of): (&Played, &Option<usize>), from: u64, to: u64| {
            let begun = of.is_some_and(|i| game.first_move().is_some_and(|at| records[i].first <= at + BEGUN_MS));
            !begun && game.first_move().is_some_and(|at| at >= from && at + BEGUN_MS <= to)
        };
        let silent = |from: u64, to: u64| to - from >= STUCK_MS && games.iter().zip(of_game).any(|pair| unseen(pair, from, to));
        if let Some(gap) = marks.windows(2).find(|gap| silent(gap[0], gap[1])) {
            self.stuck_boards.push(format!("{name} from {} s on, for {} s", gap[0] / 1000, (gap[1] - gap[0]) / 1000));
        }
    }

    /// Which incidents a finding names.
    fn said(&mut self, games: &[Played], events: &[Event], time: &impl Fn(&Event) -> u64) {
        for (i, game) in games.iter().enumerate().filter(|(_, game)| game.whole) {
            let until = games.get(i + 1).map_or(u64::MAX, |next| next.began);
            for incident in &game.incidents {
                let Some(keys) = played::expected(incident.kind) else { continue };
                let named = events.iter().any(|event| {
                    let Body::Finding(finding) = &event.body else { return false };
                    let key = serde_json::to_value(finding.key).unwrap();
                    (game.began..until).contains(&time(event)) && keys.contains(&key.as_str().unwrap())
                });
                let count = self.incidents.entry(String::from(incident.kind.name())).or_default();
                *count = (count.0 + 1, count.1 + usize::from(named));
            }
        }
    }
}

/// Prints when a board's games were played, and its events of a time, `FLAGFALL_SHOW="Clean-5 188000 189500"`: what stands around a line of the figures.
fn show(name: &str, games: &[Played], events: &[Event], time: &impl Fn(&Event) -> u64) {
    let wanted = std::env::var("FLAGFALL_SHOW").unwrap_or_default();
    let mut words = wanted.split(' ');
    if words.next() != Some(name) {
        return;
    }
    for (i, game) in games.iter().enumerate() {
        println!("game {}: clock started at {}, over at {}: {}", i + 1, game.began, game.over, game.about());
    }
    let mut number = || words.next().and_then(|word| word.parse::<u64>().ok());
    let (from, to) = (number().unwrap_or(0), number().unwrap_or(u64::MAX));
    for event in events.iter().filter(|event| (from..=to).contains(&time(event))) {
        println!("{}", serde_json::to_string(event).unwrap());
    }
}

/// What the record calls the game with this index, and whether another one has begun since; `None` where it was not recorded, or has a result.
pub(crate) fn standing(games: &[Played], events: &[Event], time: impl Fn(&Event) -> u64, index: usize) -> Option<(u32, bool)> {
    let records = recorded(events, &time);
    let at = matched(games, &records).0[index]?;
    let open = records[at].result.as_ref().is_none_or(|(result, _, _)| *result == GameResult::Open);
    open.then_some(()).and(Some((records[at].number?, at + 1 < records.len())))
}

/// Which record is whose: that of each game, and those of none. A game's is the one that overlaps most with the time in which it was played.
fn matched(games: &[Played], records: &[Recorded]) -> (Vec<Option<usize>>, Vec<usize>) {
    let mut of_game: Vec<Option<(usize, u64)>> = vec![None; games.len()];
    for (r, record) in records.iter().enumerate() {
        // A move counts for a moment, however short it is looked at.
        let overlap = |game: &Played| (record.last.min(game.over) + 1).saturating_sub(record.first.max(game.began));
        let Some((g, overlap)) = games.iter().map(overlap).enumerate().max_by_key(|(_, overlap)| *overlap).filter(|(_, o)| *o > 0) else {
            continue;
        };
        if of_game[g].is_none_or(|(_, other)| other < overlap) {
            of_game[g] = Some((r, overlap));
        }
    }
    let of_game: Vec<Option<usize>> = of_game.into_iter().map(|of| of.map(|(r, _)| r)).collect();
    let phantoms = (0..records.len()).filter(|r| !of_game.contains(&Some(*r))).collect();
    (of_game, phantoms)
}

//! Who has how many points: from the results that are known here, and for the rest as a tournament report has it.
use crate::event_info::{Pairing, Round, Tournament};
use crate::pairings::scored::Score;
use crate::players::Player;
use flagfall_events::GameResult;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// A player and what he has.
#[derive(Clone, Copy, Debug)]
pub(super) struct Standing<'a> {
    pub(super) player: &'a Player,
    /// Half points.
    pub(super) halves: u32,
    /// Games that count, no byes.
    pub(super) games: u32,
}

/// Everybody who was named, most points first, then the higher rating, then the name. Nobody where a round until now is not known, and in team events.
pub(super) fn of(event: &Tournament) -> Vec<Standing<'_>> {
    let rounds = || event.rounds.iter().filter(|round| round.number <= event.current);
    let pairings = || rounds().flat_map(|round| &round.pairings);
    let any = pairings().any(|p| p.result != GameResult::Open) || event.scores.iter().any(|one| one.rounds.iter().any(Option::is_some));
    if !any || pairings().any(|p| p.white.team.is_some()) || !rounds().all(|round| is_known(event, round)) {
        return Vec::new();
    }
    let mut table = Table::default();
    let known: Vec<usize> = event.scores.iter().map(|one| table.place(&one.player)).collect();
    for round in rounds() {
        let mut settled = BTreeSet::new();
        for pairing in &round.pairings {
            let halves = halves(pairing.result);
            for (side, player) in [&pairing.white, &pairing.black].into_iter().enumerate().filter(|(_, player)| !player.is_of_board()) {
                let at = table.place(player);
                table.rows[at].player = player;
                if let Some(halves) = halves {
                    table.rows[at].halves += halves[side];
                    table.rows[at].games += 1;
                }
                // What is played now is not in a report; if it is, it is the report of another one.
                if halves.is_some() || pairing.live {
                    settled.insert(at);
                }
            }
        }
        for (one, at) in event.scores.iter().zip(&known) {
            if let Some(score) = reported(&one.rounds, round.number).filter(|_| !settled.contains(at)) {
                table.rows[*at].halves += score.halves;
                table.rows[*at].games += u32::from(score.game);
            }
        }
    }
    let mut all = table.rows;
    all.sort_by_cached_key(|one| (Reverse(one.halves), Reverse(one.player.elo), one.player.pgn_name()));
    all
}

/// Whether everybody's points of a round are known: from a report, or since all who play in it are named and, once it is past, all have results.
fn is_known(event: &Tournament, round: &Round) -> bool {
    let nobody = |pairing: &Pairing| pairing.white.is_of_board() || pairing.black.is_of_board();
    let past = round.number < event.current;
    let open = |pairing: &Pairing| past && pairing.result == GameResult::Open;
    let listed = !round.pairings.is_empty() && !round.pairings.iter().any(|pairing| nobody(pairing) || open(pairing));
    // Between two rounds the next one has no list yet.
    listed || event.scores.iter().any(|one| !past || reported(&one.rounds, round.number).is_some())
}

fn reported(rounds: &[Option<Score>], number: u32) -> Option<Score> {
    *rounds.get(usize::try_from(number.checked_sub(1)?).ok()?)?
}

const fn halves(result: GameResult) -> Option<[u32; 2]> {
    match result {
        GameResult::WhiteWins => Some([2, 0]),
        GameResult::BlackWins => Some([0, 2]),
        GameResult::Draw => Some([1, 1]),
        GameResult::Open => None,
    }
}

/// Rows that are found by FIDE number or name: lists may lack the one that a report has.
#[derive(Default)]
struct Table<'a> {
    rows: Vec<Standing<'a>>,
    by_number: BTreeMap<u32, usize>,
    by_name: BTreeMap<String, usize>,
}

impl<'a> Table<'a> {
    fn place(&mut self, player: &'a Player) -> usize {
        if let Some(at) = player.fideid.and_then(|number| self.by_number.get(&number)) {
            return *at;
        }
        let key = player.key();
        let known = self.by_name.get(&key).copied();
        // A namesake with another number is another person.
        let at = known.filter(|at| self.rows[*at].player.fideid.is_none() || player.fideid.is_none()).unwrap_or_else(|| {
            self.rows.push(Standing { player, halves: 0, games: 0 });
            self.rows.len() - 1
        });
        if let Some(number) = player.fideid {
            self.by_number.insert(number, at);
        }
        self.by_name.entry(key).or_insert(at);
        at
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pairings::trf;
    use std::sync::Arc;

    const REPORT: &str = "\
012 Open
001    1      Adams, Mary                       2100 ENG        1001                          3 w 1     2 b =
001    2      Baker                             2000                                       0000 - U     1 w =
001    3      Clark                             1900                                          1 b 0  0000 - H
";

    fn event(current: u32, rounds: Vec<Vec<Pairing>>, report: &str) -> Tournament {
        let rounds = (1..).zip(rounds).map(|(number, pairings)| Round { number, date: None, pairings }).collect();
        let scores = if report.is_empty() { Vec::new() } else { trf::read(report.as_bytes()).unwrap().scores() };
        Tournament { current, rounds, scores: Arc::new(scores), ..Tournament::default() }
    }

    fn pairing(white: &str, black: &str, result: GameResult) -> Pairing {
        let player = |name: &str| if name.is_empty() { Player::of_board("1", "White") } else { Player::named(name).unwrap() };
        Pairing {
            number: 1,
            uuid: String::new(),
            label: String::from("1"),
            board: None,
            white: player(white),
            black: player(black),
            result,
            live: false,
            game: None,
        }
    }

    /// Name, half points, games.
    fn told(event: &Tournament) -> Vec<(String, u32, u32)> {
        of(event).into_iter().map(|one| (one.player.pgn_name(), one.halves, one.games)).collect()
    }

    fn row(name: &str, halves: u32, games: u32) -> (String, u32, u32) {
        (String::from(name), halves, games)
    }

    #[test]
    fn a_report_has_the_byes_and_the_rounds_that_nobody_listed_here() {
        let two = vec![Vec::new(), Vec::new()];
        assert_eq!(told(&event(2, two, REPORT)), [row("Adams, Mary", 3, 2), row("Baker", 3, 1), row("Clark", 1, 1)]);
    }

    #[test]
    fn results_that_are_known_here_come_before_those_of_a_report() {
        // A list without FIDE numbers, and a game that ended otherwise than the report says; the third round is not in it.
        let rounds = vec![
            vec![pairing("Mary Adams", "Clark", GameResult::Draw)],
            vec![pairing("Baker", "Adams, Mary", GameResult::BlackWins)],
            vec![pairing("Clark", "Baker", GameResult::WhiteWins), pairing("Adams, Mary", "Davis", GameResult::Open)],
        ];
        let wanted = [row("Clark", 4, 2), row("Adams, Mary", 3, 2), row("Baker", 2, 2), row("Davis", 0, 0)];
        assert_eq!(told(&event(3, rounds, REPORT)), wanted);
    }

    #[test]
    fn what_is_not_known_is_not_ranked() {
        let draw = || pairing("Adams", "Baker", GameResult::Draw);
        assert_eq!(told(&event(1, vec![vec![draw()]], "")), [row("Adams", 1, 1), row("Baker", 1, 1)]);
        let open = || pairing("Adams", "Baker", GameResult::Open);
        for rounds in [
            vec![vec![open()], vec![draw()]],
            vec![Vec::new(), vec![draw()]],
            vec![vec![draw()], vec![pairing("", "Baker", GameResult::Draw)]],
        ] {
            assert_eq!(told(&event(2, rounds, "")), []);
        }
        let mut team = draw();
        team.white.team = Some(String::from("Rooks"));
        assert_eq!(told(&event(1, vec![vec![team]], "")), []);
    }
}

//! Pairings out of a tournament report. It has no board numbers: pairs stand in the order in which FIDE has them published.
//!
//! The Swiss rules (C.04.2) order a round by the points of the pair's leader, then by the points of both, then by the leader's starting rank.
use super::label::Label;
use super::list::{Bye, List, Listed, Mistake};
use super::trf::{Cell, Report};
use flagfall_events::GameResult;
use std::cmp::Reverse;

/// Every round that the report pairs.
///
/// # Errors
/// It pairs nobody, or it is of a team event, where boards cannot be told.
pub(super) fn list(report: &Report) -> Result<List, Vec<Mistake>> {
    let wrong = |text: &str| vec![Mistake { line: 1, text: String::from(text) }];
    let rounds = report.entries.iter().map(|entry| entry.cells.len()).max().unwrap_or(0);
    let mut list = List { event: report.name.clone(), site: report.city.clone(), scores: report.scores(), ..List::default() };
    let mut points = vec![0_u32; report.entries.len()];
    for (round, number) in (0..rounds).zip(1..) {
        let cell = |i: usize| report.entries.get(i).and_then(|entry| entry.cells.get(round));
        let mut pairs: Vec<(usize, usize)> = Vec::new();
        for white in 0..report.entries.len() {
            let Some(given) = cell(white) else { continue };
            let other = given.opponent.as_ref().and_then(|rank| report.entries.iter().position(|entry| entry.rank == *rank));
            match other {
                Some(black) if given.white => pairs.push((white, black)),
                Some(_) => {}
                None if given.is_bye() => {
                    let player = report.players.get(white).cloned();
                    list.byes.extend(player.map(|player| Bye { round: Some(number), player, line: report.entries[white].line }));
                }
                None => {}
            }
        }
        let leader = |(white, black): (usize, usize)| {
            let rank = |i: usize| report.entries[i].rank.parse::<u32>().unwrap_or(u32::MAX);
            if (Reverse(points[white]), rank(white)) <= (Reverse(points[black]), rank(black)) {
                (points[white], rank(white))
            } else {
                (points[black], rank(black))
            }
        };
        pairs.sort_by_key(|pair| {
            let (first, rank) = leader(*pair);
            (Reverse(first), Reverse(points[pair.0] + points[pair.1]), rank)
        });
        for ((white, black), board) in pairs.into_iter().zip(1_u32..) {
            let (result, forfeit) = cell(white).map_or((GameResult::Open, false), |cell| cell.result(cell_of(report, black, round)));
            list.pairings.push(Listed {
                round: Some(number),
                label: Label::new(&board.to_string()).to_string(),
                white: report.players.get(white).cloned(),
                black: report.players.get(black).cloned(),
                result,
                forfeit,
                date: report.dates.get(round).cloned(),
                line: report.entries[white].line,
            });
        }
        for (points, entry) in points.iter_mut().zip(&report.entries) {
            *points += entry.cells.get(round).map_or(0, Cell::half_points);
        }
    }
    if list.pairings.is_empty() {
        return Err(wrong("this tournament report (TRF) pairs nobody yet; give it as event.players, and a PGN or CSV as event.pairings"));
    }
    if report.has_teams {
        let text = "this tournament report (TRF) is of a team event, and has no matches and boards in it; give it as event.players, and a PGN or CSV as event.pairings";
        return Err(wrong(text));
    }
    list.remarks.push(Mistake {
        line: 1,
        text: String::from("a tournament report has no board numbers: boards follow FIDE's order, by points and rank; compare the first of them with the list on the wall"),
    });
    Ok(list)
}

fn cell_of(report: &Report, player: usize, round: usize) -> Option<&Cell> {
    report.entries.get(player)?.cells.get(round)
}

//! Lines that a press may have completed, cheapest first.
use super::evidence::{Cost, cost};
use super::search::View;
use super::step::{Ground, Step, played, steps};
use crate::game::placement::{Image, Placement, Squares, bit};

/// First plies from which two-ply lines are tried.
const BREADTH: usize = 6;

/// A line with what it leaves unexplained.
#[derive(Clone, Debug)]
pub(crate) struct Ranked {
    pub(crate) line: Vec<Step>,
    pub(crate) cost: Cost,
}

/// Lines of `plies` plies (1 or 2) whose pieces were seen to move, cheapest first.
pub(crate) fn rank(ground: &Ground, view: &View<'_>, image: &Image, plies: usize, scan_ms: u64) -> Vec<Ranked> {
    let mut ranked = extend(ground, ground, &[], view, image, scan_ms);
    if plies == 2 {
        ranked.truncate(BREADTH);
        let mut longer = Vec::new();
        for first in ranked {
            let after = Ground::new(played(&ground.chess, first.line[0].mv), view.occupancy);
            longer.extend(extend(ground, &after, &first.line, view, image, scan_ms));
        }
        ranked = longer;
        ranked.sort_by_key(|r| r.cost.total);
    }
    ranked
}

/// `line` and one more ply, every one that was seen to move.
fn extend(root: &Ground, from: &Ground, line: &[Step], view: &View<'_>, image: &Image, scan_ms: u64) -> Vec<Ranked> {
    let seen = view.touched | from.placement.diff(view.sensed);
    let mut ranked: Vec<Ranked> = from
        .steps
        .iter()
        .filter(|step| (bit(step.from()) | bit(step.to())) & seen != 0)
        .map(|step| {
            let made: Vec<Step> = line.iter().copied().chain([*step]).collect();
            let cost = with_more_under_way(root, from, &made, view, image, scan_ms);
            Ranked { line: made, cost }
        })
        .collect();
    ranked.sort_by_key(|r| r.cost.total);
    ranked
}

/// The cost of a line, with up to two plies under way after it where they make it cheaper. `from` is the position before its last ply.
fn with_more_under_way(root: &Ground, from: &Ground, made: &[Step], view: &View<'_>, image: &Image, scan_ms: u64) -> Cost {
    let alone = cost(root, made, &[], image, scan_ms);
    let Some(last) = made.last().filter(|_| alone.wrong != 0) else { return alone };
    let (after, chess) = (last.play(&from.placement), played(&from.chess, last.mv));
    let replies = steps(&chess, view.occupancy);
    let rest = |step: &Step, before: &Placement, wrong: Squares| wrong & !step.explains(before, view.sensed, wrong);
    let mut best = alone;
    let mut consider = |under_way: &[Step]| {
        let cost = cost(root, made, under_way, image, scan_ms);
        if cost.total < best.total {
            best = cost;
        }
    };
    let mut whole = false;
    for reply in &replies {
        let left = rest(reply, &after, alone.wrong);
        if left == 0 {
            whole = true;
            consider(&[*reply]);
        }
    }
    if !whole {
        for reply in replies.iter().filter(|r| rest(r, &after, alone.wrong) != alone.wrong) {
            let (left, then) = (rest(reply, &after, alone.wrong), reply.play(&after));
            for next in steps(&played(&chess, reply.mv), view.occupancy).iter().filter(|n| rest(n, &then, left) == 0) {
                consider(&[*reply, *next]);
            }
        }
    }
    best
}

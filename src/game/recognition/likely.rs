//! Lines that a press may have completed, cheapest first.
use crate::placement::{Placement, Squares, bit, colour, each};
use crate::recognition::evidence::{Cost, LIFTED, NOT_THERE, SNATCHED, Seen, UNDER_WAY, WRONG, around, came_down, cost, lifted};
use crate::recognition::search::View;
use crate::recognition::step::{Ground, Step, played, steps_near};
use alloc::vec;
use alloc::vec::Vec;
use dgt_protocol::square::PieceCode;
use shakmaty::{Piece, Square, attacks};

/// Lines that are tried with one more ply.
const BREADTH: usize = 8;
/// The same where they cost nearly the same, and how nearly.
const MOST_EQUALS: usize = 24;
const EQUALS: u32 = 76;
/// Lines that are weighed for one more ply at most, about: what a board full of queens may cost.
const MOST_WEIGHED: usize = 200;
/// Replies under way that are weighed for the lines of one length, all together.
const MOST_REPLIES: u32 = 320;
/// What it costs to find one legal move, in the unit of [`Seen::spend`].
const STEP: usize = 12;
/// Squares that two plies under way explain at most.
const MOST_WRONG: u32 = 10;
/// Squares that they explain in most positions: where each goes from and to, and where what it takes is put aside.
const MOST_EXPLAINED: u32 = 6;
/// By how much a line gets cheaper for each square that a ply under way explains.
const UNREAD: u32 = WRONG + LIFTED;
/// Lines of one more ply for which plies under way are looked for.
const CLOSE_LOOKS: usize = 12;

/// A line with what it leaves unexplained.
#[derive(Clone, Debug)]
pub(crate) struct Ranked {
    pub(crate) line: Vec<Step>,
    pub(crate) cost: Cost,
    /// What it might come to at best with plies under way after it, where that was not looked at; else nothing.
    pub(crate) at_best: Option<u32>,
}

/// Lines of one length, cheapest first.
#[derive(Clone, Debug)]
pub(crate) struct Level {
    pub(crate) lines: Vec<Ranked>,
    /// What a line that was not followed up might have come to at best: nothing leads by more than that.
    pub(crate) cut: u32,
    /// The same of shorter lines that nothing was added to.
    given_up: u32,
}

impl Level {
    /// By how much the cheapest line leads those that were not followed up.
    pub(crate) fn lead_of_cut(&self) -> u32 {
        self.lines.first().map_or(0, |best| self.cut.saturating_sub(best.cost.total))
    }
}

/// Lines of one ply, of two, and so on up to `plies`, whose pieces were seen to move.
pub(crate) fn levels(seen: &Seen<'_>, view: &mut View<'_>, plies: usize) -> Vec<Level> {
    view.budget = MOST_REPLIES;
    let mut levels = vec![extend(seen, seen.root, &[], view)];
    let mut shorter_lines = 1;
    for _ in 1..plies {
        let Some(last) = levels.last().filter(|_| !view.is_spent()) else { break };
        let mut ranked: Vec<&Ranked> = last.lines.iter().collect();
        ranked.sort_by_key(|r| r.cost.promise());
        // Of equals all are kept: one that is left over would look like the only one.
        let close = ranked.first().map_or(0, |r| r.cost.promise()) + EQUALS;
        let kept = ranked.iter().take(MOST_EQUALS).take_while(|r| r.cost.promise() <= close).count();
        let affordable = (MOST_WEIGHED * shorter_lines / ranked.len().max(1)).max(1);
        let kept = BREADTH.max(kept).min(affordable);
        let unread = ranked.get(kept).map_or(u32::MAX, |r| r.cost.total - r.cost.open * 3 / 4);
        let at_best = ranked.iter().skip(kept).filter_map(|r| r.at_best).min().unwrap_or(u32::MAX);
        let given_up = last.given_up.min(unread).min(at_best);
        ranked.truncate(kept);
        shorter_lines = ranked.len();
        view.budget = MOST_REPLIES;
        let mut longer = Level { lines: Vec::new(), cut: given_up, given_up };
        for shorter in ranked {
            if view.is_spent() {
                (longer.cut, longer.given_up) = (0, 0);
                break;
            }
            let ground = shorter.line.iter().fold(seen.root.clone(), |ground, step| ground.next(step, view.occupancy));
            view.spend(STEP * ground.steps.len() * shorter.line.len());
            let more = extend(seen, &ground, &shorter.line, view);
            longer.lines.extend(more.lines);
            longer.cut = longer.cut.min(more.cut);
        }
        longer.lines.sort_by_key(|r| r.cost.total);
        levels.push(longer);
    }
    levels
}

/// `line` and one more ply, every one that was seen to move.
pub(crate) fn extend(seen: &Seen<'_>, from: &Ground, line: &[Step], view: &mut View<'_>) -> Level {
    let changed = view.touched | from.placement.diff(view.sensed);
    let mut ranked: Vec<Ranked> = from
        .steps
        .iter()
        .filter(|step| step.touched & changed != 0)
        .map(|step| {
            let made: Vec<Step> = line.iter().copied().chain([*step]).collect();
            let cost = cost(seen, &made, &[]);
            Ranked { line: made, cost, at_best: None }
        })
        .collect();
    view.spend(ranked.len() * seen.effort(line.len() + 1));
    // A piece that does not show where it went may have been taken there at once, by one that is off its square now.
    let board = from.position.board();
    let off: Vec<(Square, Piece)> = each(from.placement.diff(view.sensed))
        .filter_map(|i| u32::try_from(i).ok().map(Square::new))
        .filter_map(|square| Some((square, board.piece_at(square)?)))
        .filter(|(_, piece)| colour(piece.color) != from.turn())
        .collect();
    let taken = |likely: &Ranked| {
        let Some(step) = likely.line.last().filter(|step| likely.cost.wrong & bit(step.to()) != 0) else { return false };
        let occupied = step.mv.from().map_or_else(|| board.occupied(), |square| board.occupied().without(square));
        off.iter().any(|&(square, piece)| u64::from(attacks::attacks(square, piece, occupied)) & bit(step.to()) != 0)
    };
    // Its taker explains that it was not seen.
    let hidden = |r: &Ranked| if taken(r) { WRONG + NOT_THERE - SNATCHED } else { 0 };
    ranked.sort_by_cached_key(|r| r.cost.promise().saturating_sub(hidden(r)));
    let mut cut = u32::MAX;
    for (index, likely) in ranked.iter_mut().enumerate() {
        let Some(step) = likely.line.last().copied().filter(|_| likely.cost.wrong != 0) else { continue };
        // Its piece does not stand where it went, and nobody is about to have taken it.
        let hopeless = likely.cost.wrong & bit(step.to()) != 0 && !taken(likely);
        let looks = index < CLOSE_LOOKS && !view.is_spent();
        if looks {
            let top = from.next(&step, view.occupancy);
            view.spend(STEP * top.steps.len());
            let promise = likely.cost.promise();
            likely.cost = with_more_under_way(seen, &top, &likely.line, view);
            likely.cost.open = likely.cost.open.max(likely.cost.total.saturating_sub(promise));
        }
        if !hopeless && (!looks || view.budget == 0) && likely.cost.wrong.count_ones() <= MOST_WRONG {
            let explained = (likely.cost.open / 2).max(UNREAD * likely.cost.wrong.count_ones().min(MOST_EXPLAINED));
            let at_best = likely.cost.total.saturating_sub(explained) + UNDER_WAY;
            likely.at_best = Some(at_best);
            cut = cut.min(at_best);
        }
    }
    ranked.sort_by_key(|r| r.cost.total);
    Level { lines: ranked, cut, given_up: u32::MAX }
}

/// The cost of a line, with up to two plies under way after it where they make it cheaper. `top` is the position after it.
pub(crate) fn with_more_under_way(seen: &Seen<'_>, top: &Ground, made: &[Step], view: &mut View<'_>) -> Cost {
    let mut best = cost(seen, made, &[]);
    view.spend(seen.effort(made.len()));
    let wrong = best.wrong;
    // More than two plies under way are past reading.
    if wrong == 0 || wrong.count_ones() > MOST_WRONG {
        return best;
    }
    let image = seen.image;
    let rest = |step: &Step, before: &Placement, wrong: Squares| wrong & !step.explains(before, view.sensed, wrong);
    // A ply that nobody was seen to begin is not under way: its piece is off its square, or has just come down before that was seen.
    let begun = |step: &Step, before: &Placement| {
        let off = |i: usize| step.moves_from(i) && view.sensed.0[i] != before.0[i];
        let taken_off = || {
            let last = image.changes_of(step.to()).next_back();
            last.is_some_and(|c| c.now == PieceCode::Empty && c.was == before.0[step.to()])
        };
        let fresh = || came_down(step, image).is_some_and(|at| image.last_change().since(at) < seen.scan_ms);
        each(step.touched).any(off)
            || taken_off()
            || (view.sensed.0[step.to()] == step.piece() && before.0[step.to()] != step.piece() && fresh())
    };
    // Who presses has not begun his next move yet.
    let pressed = made.len().checked_sub(1).and_then(|last| seen.press(last));
    let after_press = |step: &Step| {
        pressed.is_none_or(|press| lifted(step, image).is_none_or(|at| at > press) && came_down(step, image).is_none_or(|at| at > press))
    };
    let mut consider = |under_way: &[Step]| {
        let cost = cost(seen, made, under_way);
        if cost.total < best.total {
            best = cost;
        }
    };
    let replies: Vec<&Step> = top.steps.iter().filter(|r| begun(r, &top.placement) && rest(r, &top.placement, wrong) != wrong).collect();
    let mut whole = false;
    for reply in &replies {
        if view.is_spent() || !view.may_visit() {
            break;
        }
        whole |= rest(reply, &top.placement, wrong) == 0;
        // What it leaves may be a captured piece put aside.
        consider(&[**reply]);
        view.spend(seen.effort(made.len() + 1));
    }
    if !whole {
        for reply in replies {
            let (left, then) = (rest(reply, &top.placement, wrong), reply.play(&top.placement));
            let next = steps_near(&played(&top.position, reply), left, view.occupancy);
            view.spend(STEP * top.steps.len());
            // What it takes may have been put aside.
            let left = left & !if reply.mv.is_capture() { around(reply.to()) } else { 0 };
            // A piece that was never seen to arrive has not left again.
            let arrived = |next: &Step| made.last().is_none_or(|last| next.from() != last.to() || came_down(last, image).is_some());
            if view.is_spent() || !view.may_visit() {
                break;
            }
            for next in next.iter().filter(|n| begun(n, &then) && arrived(n) && after_press(n) && rest(n, &then, left) == 0) {
                consider(&[*reply, *next]);
                view.spend(seen.effort(made.len() + 2));
            }
        }
    }
    best
}

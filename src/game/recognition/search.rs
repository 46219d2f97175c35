//! From a known position to what the board shows: legal plies that explain it, whole or under way.
use crate::placement::{Placement, Squares, bit};
use crate::recognition::step::{Ground, Step, played, steps_from, steps_near, steps_over};
use alloc::vec;
use alloc::vec::Vec;
use flagfall_hands::position::Position;
use shakmaty::{Bitboard, Square, attacks};

/// Positions one look at the board may visit; keeps any placement below a few milliseconds.
pub(crate) const BUDGET: u32 = 500;
/// The same when nobody looked for a while.
pub(crate) const BUDGET_AFTER_A_GAP: u32 = 2_000;
/// A ply changes two squares, and castling two more.
const CASTLING: usize = 2;
/// Squares that one ply under way changes at most, those it only crosses included.
const SQUARES_A_PLY: usize = 6;

/// What the sensors show, and where they saw anything change.
#[derive(Clone, Debug)]
pub(crate) struct View<'a> {
    pub(crate) sensed: &'a Placement,
    /// Squares that changed since the position was left.
    pub(crate) touched: Squares,
    pub(crate) occupancy: bool,
    /// Positions that may still be visited.
    pub(crate) budget: u32,
}

impl View<'_> {
    /// Pays for one more position.
    pub(crate) const fn may_visit(&mut self) -> bool {
        let left = self.budget;
        self.budget = left.saturating_sub(1);
        left > 0
    }
}

/// Legal plies that were made, and how many more are under way.
#[derive(Clone, Debug)]
pub(crate) struct Explanation {
    pub(crate) made: Vec<Step>,
    pub(crate) under_way: usize,
}

/// All shortest sequences of at most `most` legal plies after which the board looks exactly like this.
///
/// A picture that fewer plies explain, the last of them still under way, is theirs: a captured piece that was taken off first could
/// otherwise have been taken on another square, had both sides moved unseen.
pub(crate) fn exact(ground: &Ground, view: &mut View<'_>, most: usize) -> Vec<Vec<Step>> {
    let missing = ground.placement.diff(view.sensed);
    if missing == 0 {
        return vec![Vec::new()];
    }
    for plies in 1..=most {
        if plies >= 2 && fewer_explain(ground, view, missing, plies - 1) {
            break;
        }
        let mut search = Search { view, found: Vec::new(), alone: plies == 1 };
        search.exact(&ground.position, &ground.placement, &ground.steps, missing, plies, &mut Vec::new());
        if !search.found.is_empty() {
            return search.found;
        }
    }
    Vec::new()
}

/// The same where nothing was seen: a piece may have gone on from a square, or been taken on one, that shows nothing of it. None where there are
/// more of them than can be looked through.
pub(crate) fn unseen(ground: &Ground, view: &mut View<'_>, most: usize) -> Vec<Vec<Step>> {
    let missing = ground.placement.diff(view.sensed);
    for plies in 2..=most {
        if missing.count_ones() as usize > 2 * plies + CASTLING {
            continue;
        }
        if fewer_explain(ground, view, missing, plies - 1) {
            break;
        }
        let mut search = Search { view, found: Vec::new(), alone: true };
        search.exact(&ground.position, &ground.placement, &ground.steps, missing, plies, &mut Vec::new());
        let found = search.found;
        if view.budget == 0 {
            break;
        }
        if !found.is_empty() {
            return found;
        }
    }
    Vec::new()
}

/// All sequences of exactly so many legal plies, each seen to move, after which the board looks like this.
pub(crate) fn exactly(ground: &Ground, view: &mut View<'_>, plies: usize) -> Vec<Vec<Step>> {
    let missing = ground.placement.diff(view.sensed);
    let mut search = Search { view, found: Vec::new(), alone: false };
    search.exact(&ground.position, &ground.placement, &ground.steps, missing, plies, &mut Vec::new());
    search.found
}

/// Whether this many plies explain the picture, the last one or two of them under way.
fn fewer_explain(ground: &Ground, view: &mut View<'_>, missing: Squares, plies: usize) -> bool {
    if missing.count_ones() as usize > SQUARES_A_PLY * plies {
        return false;
    }
    if plies == 1 {
        return ground.steps.iter().any(|step| missing & !step.explains(&ground.placement, view.sensed, missing) == 0);
    }
    let mut found = Vec::new();
    explain(&ground.position, &ground.placement, &ground.steps, missing, view, plies - 1, &mut Vec::new(), &mut found);
    found.iter().any(|e| e.made.len() + e.under_way <= plies)
}

/// Moves of the side to move that may be under way here, alone or with the opponent's reply under way as well.
pub(crate) fn under_way<'a>(ground: &'a Ground, view: &'a mut View<'_>) -> impl Iterator<Item = &'a Step> {
    let missing = ground.placement.diff(view.sensed);
    ground.steps.iter().filter(move |step| {
        let rest = missing & !step.explains(&ground.placement, view.sensed, missing);
        rest == 0 || (starts_in(step, missing) && view.may_visit() && reply_explains(&ground.position, &ground.placement, step, rest, view))
    })
}

fn starts_in(step: &Step, squares: Squares) -> bool {
    step.touched & squares != 0
}

/// Whether a reply to `step` that is under way explains the squares that `step` leaves unexplained.
fn reply_explains(position: &Position, before: &Placement, step: &Step, rest: Squares, view: &View<'_>) -> bool {
    if !may_be_one_move(rest) {
        return false;
    }
    let next = played(position, step);
    let placement = step.play(before);
    steps_over(&next, rest, view.occupancy).any(|reply| rest & !reply.explains(&placement, view.sensed, rest) == 0)
}

/// Whether one move may leave, cross, reach and empty all of these squares: they lie on one line, or are those of a pawn that takes in passing.
fn may_be_one_move(squares: Squares) -> bool {
    let mut squares = Bitboard(squares);
    let all = squares;
    let (Some(one), Some(other)) = (squares.pop_front(), squares.pop_front()) else { return true };
    let beside = |square: Square| one.distance(square) <= 1 && other.distance(square) <= 1;
    attacks::ray(one, other).is_superset(all) || squares.is_empty() || squares.single_square().is_some_and(beside)
}

/// Squares that still differ after a step.
fn remaining(step: &Step, sensed: &Placement, missing: Squares) -> Squares {
    step.after().fold(missing & !step.touched, |set, (i, piece)| if sensed.0[i] == piece { set } else { set | bit(i) })
}

/// A ply changes at most four squares.
const fn reachable(missing: Squares, plies: usize) -> bool {
    missing.count_ones() as usize <= 4 * plies
}

struct Search<'a, 'b> {
    view: &'a mut View<'b>,
    found: Vec<Vec<Step>>,
    /// One ply needs no other evidence than the picture; of several each must have been seen.
    alone: bool,
}

impl Search<'_, '_> {
    fn exact(&mut self, position: &Position, placement: &Placement, legal: &[Step], missing: Squares, plies: usize, path: &mut Vec<Step>) {
        let seen = missing | self.view.touched;
        for step in legal {
            if !step.may_have_moved(seen, self.alone) {
                continue;
            }
            let rest = remaining(step, self.view.sensed, missing);
            if plies == 1 {
                if rest == 0 {
                    path.push(*step);
                    self.found.push(path.clone());
                    path.pop();
                }
                continue;
            }
            if !reachable(rest, plies - 1) || !self.view.may_visit() {
                continue;
            }
            let next = played(position, step);
            let after = step.play(placement);
            path.push(*step);
            let moved = steps_from(&next, rest | self.view.touched, self.view.occupancy);
            self.exact(&next, &after, &moved, rest, plies - 1, path);
            path.pop();
        }
    }
}

#[allow(clippy::too_many_arguments, reason = "one recursion, all of it state of the same walk")]
fn explain(
    position: &Position,
    placement: &Placement,
    legal: &[Step],
    missing: Squares,
    view: &mut View<'_>,
    most: usize,
    path: &mut Vec<Step>,
    found: &mut Vec<Explanation>,
) {
    if missing == 0 {
        found.push(Explanation { made: path.clone(), under_way: 0 });
        return;
    }
    let mut tail = None;
    for step in legal {
        // A ply that shows in full is made, not under way.
        if remaining(step, view.sensed, missing) & step.touched == 0 {
            continue;
        }
        let rest = missing & !step.explains(placement, view.sensed, missing);
        if rest == 0 {
            tail = Some(1);
            break;
        }
        if tail.is_none() && starts_in(step, missing) && view.may_visit() {
            tail = reply_explains(position, placement, step, rest, view).then_some(2);
        }
    }
    if let Some(under_way) = tail {
        found.push(Explanation { made: path.clone(), under_way });
    }
    if path.len() == most {
        return;
    }
    let seen = missing | view.touched;
    for step in legal {
        if !step.may_have_moved(seen, true) {
            continue;
        }
        let rest = remaining(step, view.sensed, missing);
        if !reachable(rest, most - path.len() + 1) || !view.may_visit() {
            continue;
        }
        let next = played(position, step);
        let after = step.play(placement);
        path.push(*step);
        let near = steps_near(&next, rest | view.touched, view.occupancy);
        explain(&next, &after, &near, rest, view, most, path, found);
        path.pop();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::recognition::step::uci;
    use shakmaty::{CastlingMode, uci::UciMove};

    fn position_after(moves: &[&str]) -> Position {
        moves.iter().fold(Position::default(), |position, m| {
            let mv = position.legal_moves().into_iter().find(|mv| mv.to_uci(CastlingMode::Standard) == m.parse::<UciMove>().unwrap());
            position.played(mv.unwrap())
        })
    }

    fn names(paths: &[Vec<Step>]) -> Vec<String> {
        paths.iter().map(|p| p.iter().map(|s| uci(s.mv, false)).collect::<Vec<_>>().join(" ")).collect()
    }

    #[test]
    fn up_to_three_plies_are_found_at_once() {
        for moves in [&["e2e4"][..], &["e2e4", "e7e5"], &["e2e4", "d7d5", "e4d5"]] {
            let ground = Ground::new(Position::default(), false);
            let sensed = Placement::of(position_after(moves).board());
            let mut view = View { sensed: &sensed, touched: u64::MAX, occupancy: false, budget: BUDGET };
            assert!(names(&exact(&ground, &mut view, 3)).contains(&moves.join(" ")), "{moves:?}");
        }
    }

    #[test]
    fn what_a_move_explains_may_be_one_move() {
        let after = position_after(&["g1f3", "g8f6", "e2e4", "a7a6", "f1c4", "h7h6", "e4e5", "d7d5"]);
        for step in &Ground::new(after, false).steps {
            assert!(may_be_one_move(step.touched | step.crosses()), "{}", uci(step.mv, false));
        }
        assert!(!may_be_one_move(bit(0) | bit(1) | bit(10)) && !may_be_one_move(bit(0) | bit(1) | bit(2) | bit(10)));
    }

    #[test]
    fn a_captured_piece_lifted_first_is_no_three_plies() {
        let ground = Ground::new(position_after(&["e2e4", "d7d5"]), false);
        let mut sensed = ground.placement;
        sensed.0[35] = dgt_protocol::square::PieceCode::Empty;
        let mut view = View { sensed: &sensed, touched: 1 << 35, occupancy: false, budget: BUDGET };
        assert!(exact(&ground, &mut view, 3).is_empty());
    }
}

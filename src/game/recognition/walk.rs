//! From a known position along a row of pictures: the legal plies that they show.
use crate::placement::{Placement, Squares, each};
use crate::recognition::search;
use crate::recognition::search::View;
use crate::recognition::step::{Ground, Step};
use alloc::vec;
use alloc::vec::Vec;

/// Positions kept; those that the pictures showed least recently are forgotten.
const STOPS_KEPT: usize = 48;
/// Plies that may go by without one picture that shows them whole: both hands over the board.
const PLIES_UNSEEN: usize = 3;
/// From so many positions such plies are looked for; and positions that may be visited for it until the walk gets on.
const STOPS_TRIED: usize = 3;
const BUDGET: u32 = 4_000;

/// A position that a picture showed, and the plies that led to it.
#[derive(Clone, Debug)]
struct Stop {
    ground: Ground,
    line: Vec<Step>,
    /// Squares that changed since it was shown last, in the order of their first change.
    touched: Vec<usize>,
}

impl Stop {
    fn after(&self, path: &[Step], occupancy: bool) -> Self {
        let ground = path.iter().fold(self.ground.clone(), |ground, step| ground.next(step, occupancy));
        let line = self.line.iter().chain(path).copied().collect();
        Self { ground, line, touched: Vec::new() }
    }

    fn touched(&self) -> Squares {
        self.touched.iter().fold(0, |set, &square| set | crate::placement::bit(square))
    }

    /// Whether the plies of one player were begun in this order.
    fn in_order(&self, path: &[Step]) -> bool {
        let began = |step: &Step| self.touched.iter().position(|&square| square == step.from());
        path.iter().zip(path.iter().skip(2)).all(|(earlier, later)| began(earlier) <= began(later))
    }
}

/// A walk under way. What a picture shows may still change, as when a piece slides on, so every position on the way is kept.
#[derive(Clone, Debug)]
pub(crate) struct Walk {
    root: Ground,
    occupancy: bool,
    picture: Placement,
    stops: Vec<Stop>,
    budget: u32,
}

impl Walk {
    /// Begins where this position stands on the board.
    pub(crate) fn new(root: Ground, occupancy: bool) -> Self {
        let stop = Stop { ground: root.clone(), line: Vec::new(), touched: Vec::new() };
        Self { picture: root.placement, root, occupancy, stops: vec![stop], budget: BUDGET }
    }

    /// Where it began.
    pub(crate) const fn root(&self) -> &Ground {
        &self.root
    }

    /// The longest row of plies that leads exactly to the last picture.
    pub(crate) fn arrived(&self) -> Option<&[Step]> {
        let here = self.stops.iter().filter(|stop| stop.ground.placement == self.picture);
        here.map(|stop| stop.line.as_slice()).max_by_key(|line| line.len())
    }

    /// The next picture.
    pub(crate) fn see(&mut self, picture: &Placement) {
        let changed = self.picture.diff(picture);
        if changed == 0 {
            return;
        }
        self.picture = *picture;
        for stop in &mut self.stops {
            for square in each(changed) {
                if !stop.touched.contains(&square) {
                    stop.touched.push(square);
                }
            }
        }
        let mut found = self.one_ply();
        let (mut here, elsewhere): (Vec<Stop>, Vec<Stop>) =
            core::mem::take(&mut self.stops).into_iter().partition(|stop| stop.ground.placement == *picture);
        self.stops = elsewhere;
        // An earlier position and a ply more may look the same, where a position was repeated (9.2).
        let reached = found.iter().chain(&here).map(|stop| stop.line.len()).max();
        found.extend(self.several_plies(reached));
        here.iter_mut().for_each(|stop| stop.touched.clear());
        self.stops.append(&mut here);
        let known = self.stops.iter().map(|stop| stop.line.len()).max();
        if found.iter().map(|stop| stop.line.len()).max() > known {
            self.budget = BUDGET;
        }
        for stop in found {
            if !self.stops.iter().any(|known| known.line.len() == stop.line.len() && known.ground.position == stop.ground.position) {
                self.stops.push(stop);
            }
        }
        let surplus = self.stops.len().saturating_sub(STOPS_KEPT);
        self.stops.drain(..surplus);
    }

    fn one_ply(&self) -> Vec<Stop> {
        let mut found = Vec::new();
        for stop in &self.stops {
            let missing = stop.ground.placement.diff(&self.picture);
            if missing == 0 || missing.count_ones() > 4 {
                continue;
            }
            let shown = |step: &&Step| missing & !step.touched == 0 && step.after().all(|(square, piece)| self.picture.0[square] == piece);
            found.extend(stop.ground.steps.iter().filter(shown).map(|step| stop.after(&[*step], self.occupancy)));
        }
        found
    }

    /// From where the walk had come farther than `reached`.
    fn several_plies(&mut self, reached: Option<usize>) -> Vec<Stop> {
        for stop in self.stops.iter().rev().filter(|stop| reached.is_none_or(|plies| stop.line.len() > plies)).take(STOPS_TRIED) {
            let allowed = self.budget.min(search::BUDGET);
            let mut view = View { sensed: &self.picture, touched: stop.touched(), occupancy: self.occupancy, budget: allowed };
            let paths = search::exact(&stop.ground, &mut view, PLIES_UNSEEN);
            self.budget -= allowed.saturating_sub(view.budget);
            let found: Vec<Stop> = paths.iter().filter(|path| stop.in_order(path)).map(|path| stop.after(path, self.occupancy)).collect();
            if !found.is_empty() {
                return found;
            }
        }
        Vec::new()
    }
}

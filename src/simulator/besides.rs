//! What hands of many people do beside their moves, and what is put right later: pieces adjusted by the player who waits, knocked over, parked, loose.
use super::crowd::{Crowd, Pending};
use super::deeds::{Deed, What};
use super::person::some_of;
use super::players::Players;
use super::script::{Act, code, colour};
use rand::Rng as _;
use shakmaty::{Bitboard, Chess, Position as _, Square, attacks};

/// From what was put right to the hand that needs its square, milliseconds.
const APART: u64 = 20;

/// How long a loose piece reads empty, milliseconds.
const LOOSE: (u64, u64) = (30, 1_500);

impl Players<'_> {
    /// Something is left undone, and will be put right.
    pub(super) fn leave(&mut self, crowd: &mut Crowd, mut deed: Deed, squares: Bitboard, acts: Vec<(u64, Act)>) {
        deed.until = acts.last().map_or(deed.at, |act| act.0);
        crowd.pending.push(Pending { squares, acts, deed: self.truth.deeds.len() });
        self.truth.deeds.push(deed);
    }

    /// What was put right by then is no more to be minded.
    pub(super) fn retire(&mut self, crowd: &mut Crowd, now: u64) {
        let (done, pending): (Vec<_>, Vec<_>) =
            std::mem::take(&mut crowd.pending).into_iter().partition(|pending| pending.acts.iter().all(|act| act.0 + APART <= now));
        crowd.pending = pending;
        for (at, act) in done.into_iter().flat_map(|pending| pending.acts) {
            self.act(at, act);
        }
    }

    /// Puts right in time what a hand would meet that comes at `touched`; returns when it can come.
    pub(super) fn make_room(&mut self, crowd: &mut Crowd, squares: Bitboard, touched: u64) -> u64 {
        let mut touched = touched;
        for pending in crowd.pending.iter_mut().filter(|pending| !(pending.squares & squares).is_empty()) {
            let begun = self.truth.deeds[pending.deed].at;
            let latest = touched.saturating_sub(APART).max(begun + APART);
            for (at, _) in &mut pending.acts {
                *at = (*at).min(latest);
            }
            let until = pending.acts.last().map_or(begun, |act| act.0);
            self.truth.deeds[pending.deed].until = until;
            touched = touched.max(until + APART);
        }
        touched
    }

    /// Everything is put right; the clock is not stopped before.
    pub(super) fn put_all_right(&mut self, crowd: &mut Crowd) {
        let until = crowd.pending.iter().flat_map(|pending| &pending.acts).map(|act| act.0 + APART).max();
        self.turn_since = self.turn_since.max(until.unwrap_or(0));
        self.retire(crowd, u64::MAX);
    }

    /// What happens on other squares while this ply is made, its last piece down and its press at these times.
    pub(super) fn besides(&mut self, crowd: &mut Crowd, index: usize, before: &Chess, (down, until): (u64, u64), busy: Bitboard) {
        let busy = busy | self.squares_ahead(index, 3);
        self.knock(crowd, index, before, down, busy);
        if until > self.turn_since + 300 {
            self.adjust_waiting(crowd, index, before, until, busy);
        }
        self.loosen(crowd, index, before, until, busy);
    }

    /// The player who waits puts a piece of his right.
    fn adjust_waiting(&mut self, crowd: &mut Crowd, index: usize, before: &Chess, until: u64, busy: Bitboard) {
        let by = before.turn().other();
        let person = &crowd.people[usize::from(by.is_black())];
        let (odds, range) = (person.adjusts_waiting, person.figures(crowd.tempo).adjusting);
        if !self.chance(odds) {
            return;
        }
        let own: Vec<Square> = (before.board().by_color(by) & !busy & !crowd.reserved()).into_iter().collect();
        let Some(square) = self.one_of(&own) else { return };
        let Some(piece) = before.board().piece_at(square) else { return };
        let at = self.rng.random_range(self.turn_since + 20..until);
        let back = at + some_of(&mut self.rng, range, 1.0);
        self.act(at, Act::Lift(square));
        let deed = Deed { what: What::AdjustedWaiting, by: Some(colour(by)), ply: ply(index), square, to: None, at, until: 0 };
        self.leave(crowd, deed, Bitboard::from(square), vec![(back, Act::Put(square, code(piece)))]);
    }

    /// The hand that moves knocks over what stands near.
    fn knock(&mut self, crowd: &mut Crowd, index: usize, before: &Chess, down: u64, busy: Bitboard) {
        let by = before.turn();
        let (odds, hand) = {
            let person = &crowd.people[usize::from(by.is_black())];
            (person.knocks, person.hand)
        };
        if !self.chance(odds) {
            return;
        }
        let to = self.moves[index].to();
        let free = !(busy | crowd.reserved());
        let near: Vec<Square> = (before.board().occupied() & free).into_iter().filter(|s| s.distance(to) <= 2).collect();
        let mut at = down.saturating_sub(self.some((0, 60))).max(self.stood_since + APART);
        let mut hit: Vec<Square> = Vec::new();
        for _ in 0..self.rng.random_range(1..=3) {
            hit.extend(self.one_of(&near).filter(|square| !hit.contains(square)));
        }
        let mut tidied = down + some_of(&mut self.rng, crowd.tempo.usual().tidy, hand);
        for square in hit {
            let Some(piece) = before.board().piece_at(square).map(code) else { continue };
            self.act(at, Act::Lift(square));
            let room: Vec<Square> =
                (attacks::king_attacks(square) & !before.board().occupied() & free & !crowd.reserved()).into_iter().collect();
            let rolled = if self.chance(0.35) { self.one_of(&room) } else { None };
            let mut squares = Bitboard::from(square);
            let mut acts = Vec::new();
            if let Some(rolled) = rolled {
                squares.add(rolled);
                self.act(at + 10, Act::Put(rolled, piece));
                acts.push((tidied, Act::Lift(rolled)));
                tidied += self.some((80, 300));
            }
            acts.push((tidied, Act::Put(square, piece)));
            let deed = Deed { what: What::Knocked, by: Some(colour(by)), ply: ply(index), square, to: rolled, at, until: 0 };
            self.leave(crowd, deed, squares, acts);
            at += self.some((5, 60));
            tidied += self.some((150, 700));
        }
    }

    /// A piece that stands badly reads empty now and then.
    fn loosen(&mut self, crowd: &mut Crowd, index: usize, before: &Chess, until: u64, busy: Bitboard) {
        if crowd.loose_a_minute <= 0.0 {
            return;
        }
        let mut at = self.turn_since;
        loop {
            let gap = -(1.0 - self.rng.random::<f64>()).ln() * 60_000.0 / crowd.loose_a_minute;
            at = at.saturating_add(gap as u64 + 1);
            if at >= until {
                return;
            }
            let standing = before.board().occupied() & !busy & !crowd.reserved();
            let same = crowd.loose.filter(|square| standing.contains(*square) && self.rng.random_bool(0.7));
            let all: Vec<Square> = standing.into_iter().collect();
            let Some(square) = same.or_else(|| self.one_of(&all)) else { return };
            let Some(piece) = before.board().piece_at(square) else { return };
            crowd.loose = Some(square);
            let back = at + some_of(&mut self.rng, LOOSE, 1.0);
            self.act(at, Act::Lift(square));
            let deed = Deed { what: What::Loose, by: None, ply: ply(index), square, to: None, at, until: 0 };
            self.leave(crowd, deed, Bitboard::from(square), vec![(back, Act::Put(square, code(piece)))]);
            at = back;
        }
    }
}

/// The ply's number, from 1.
fn ply(index: usize) -> u32 {
    u32::try_from(index + 1).unwrap_or(u32::MAX)
}

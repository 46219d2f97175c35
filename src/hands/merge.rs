//! Lines that have the same future become one, and do not forget that they had other pasts.
use crate::bill::Bill;
use crate::line::{BACK, Line, NOTHING, Other};
use crate::price::{HABIT, NAT, Nats};
use crate::world::{BEAM, BEAM_IN_DISARRAY, OTHERS, World};
use alloc::collections::BTreeMap;
use alloc::collections::btree_map::Entry;
use alloc::vec;
use alloc::vec::Vec;

impl World {
    /// One line for each state that the future can tell apart; the others as its other pasts; the worst go.
    pub(crate) fn merge(&mut self) {
        let keep = self.bound();
        let mut best: BTreeMap<(u32, u64, u32), Line> = BTreeMap::new();
        for line in core::mem::take(&mut self.lines) {
            match best.entry(line.state()) {
                Entry::Vacant(place) => {
                    place.insert(line);
                }
                Entry::Occupied(mut place) => {
                    let kept = place.get_mut();
                    let dearer = if line.cost() < kept.cost() { core::mem::replace(kept, line) } else { line };
                    let by = dearer.bill.less(&kept.bill);
                    let mut others: Vec<Other> = core::mem::take(&mut kept.others);
                    others.extend(dearer.others.iter().map(|other| other.dearer(&by)));
                    others.push(Other { past: dearer.past, more: by });
                    others.retain(|other| other.cost() < keep && self.pasts_differ(other.past, kept.past));
                    others.sort_by_key(|other| (other.cost(), other.past));
                    others.dedup_by_key(|other| other.past);
                    others.truncate(OTHERS);
                    kept.others = others;
                }
            }
        }
        let mut lines: Vec<Line> = best.into_values().collect();
        lines.sort_by_key(|line| {
            (line.cost().saturating_add(NAT / 2 * line.wrong.count_ones() as Nats), line.plies, line.spot.key, line.done)
        });
        let least = lines.iter().map(|line| line.bill).min_by_key(Bill::total).unwrap_or_default();
        lines.retain(|line| line.cost() - least.total() < keep);
        let in_disarray = lines.first().is_some_and(Line::is_in_disarray);
        lines.truncate(if in_disarray { BEAM_IN_DISARRAY } else { BEAM });
        for line in &mut lines {
            line.bill = line.bill.less(&least);
        }
        self.paid.add(&least);
        self.lines = lines;
    }

    /// Lines after which squares read otherwise are none any more, where one that is whole is no dearer than two habits: one is that its last ply
    /// was not pressed.
    pub(crate) fn rest(&mut self) {
        let told = self.told;
        if self.lines.iter().any(|line| line.wrong & !told == 0 && line.cost() < 2 * HABIT) {
            self.lines.retain(|line| line.wrong & !told == 0);
            self.merge();
        }
    }

    /// Whether two pasts are other moves, as far as anybody looks back.
    pub(crate) fn pasts_differ(&self, mut one: u32, mut other: u32) -> bool {
        for _ in 0..BACK {
            if one == other {
                return false;
            }
            let (Some(a), Some(b)) = (self.pasts.get(one as usize), self.pasts.get(other as usize)) else { return true };
            if a.step.mv != b.step.mv {
                return true;
            }
            (one, other) = (a.before, b.before);
        }
        false
    }

    /// Forgets the plies that no line has in its past.
    pub(crate) fn sweep(&mut self) {
        if self.pasts.len() < SWEPT {
            return;
        }
        let newest = self.lines.iter().map(|line| line.plies).max().unwrap_or(0);
        let mut kept = vec![false; self.pasts.len()];
        let mut open: Vec<u32> = self.lines.iter().flat_map(|line| line.others.iter().map(|other| other.past).chain([line.past])).collect();
        while let Some(past) = open.pop() {
            let (Some(kept), Some(one)) = (kept.get_mut(past as usize), self.pasts.get_mut(past as usize)) else { continue };
            if core::mem::replace(kept, true) {
                continue;
            }
            // Nobody looks back so far.
            if one.ply as usize + 2 * BACK < newest as usize {
                one.others.clear();
            }
            open.push(one.before);
            open.extend(one.others.iter().map(|other| other.past));
        }
        let mut places = vec![NOTHING; self.pasts.len()];
        for (next, (place, _)) in (0..).zip(places.iter_mut().zip(&kept).filter(|(_, kept)| **kept)) {
            *place = next;
        }
        let moved = |past: u32| places.get(past as usize).copied().unwrap_or(NOTHING);
        let mut stays = kept.into_iter();
        self.pasts.retain(|_| stays.next().unwrap_or_default());
        for past in &mut self.pasts {
            past.before = moved(past.before);
            past.others.iter_mut().for_each(|other| other.past = moved(other.past));
        }
        for line in &mut self.lines {
            line.past = moved(line.past);
            line.others.iter_mut().for_each(|other| other.past = moved(other.past));
        }
    }
}

/// Plies remembered before those are looked for that nobody needs.
const SWEPT: usize = 4_096;

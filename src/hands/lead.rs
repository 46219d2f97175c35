//! What is believed of the last plies, and how firmly.
use crate::price::{Nats, nats};
use crate::world::{BACK, KEEP, World};
use alloc::vec::Vec;
use flagfall_events::Mono;
use shakmaty::Move;

/// A lead that is enough: of the plies of even seeds that were completed with it, one in ten thousand was another one.
const CERTAIN: Nats = nats(7.0);
/// The same on a board whose scan takes longer than [`USUAL`]: more may have happened that it has not shown yet.
const CERTAIN_SLOW: Nats = nats(11.0);
/// Milliseconds; boards on a wire take 190 to 260.
const USUAL: u64 = 300;
/// What must be added while any square reads otherwise than it should: a hand may still be at work.
const LIFTED: Nats = nats(4.0);

/// What is believed of one ply, and how firmly.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lead {
    /// From 1.
    pub ply: u32,
    /// The move.
    pub mv: Move,
    /// When it came about.
    pub made: Mono,
    /// Its player has pressed.
    pub pressed: bool,
    /// All squares read as they should.
    pub stands: bool,
    /// By how much the cheapest line that says something else of it is dearer.
    pub lead: Nats,
    /// So much is enough to complete it.
    pub enough: Nats,
    /// It is enough.
    pub certain: bool,
}

impl World {
    /// By how much the cheapest line is better than what says something else of each of its last plies: the last one first.
    pub(crate) fn leads(&self) -> Vec<Lead> {
        let Some(best) = self.best() else { return Vec::new() };
        let mut leads: Vec<Lead> = Vec::new();
        let mut past = best.past;
        let mut chain = Vec::new();
        while let Some(one) = self.pasts.get(past as usize).filter(|_| leads.len() < BACK) {
            leads.push(Lead {
                ply: one.ply,
                mv: one.step.mv,
                made: one.at,
                pressed: best.done >= one.ply,
                stands: best.wrong == 0,
                lead: KEEP,
                enough: 0,
                certain: false,
            });
            chain.push(past);
            past = one.before;
        }
        let deeper = |leads: &mut Vec<Lead>, mut past: u32, from: usize, more: Nats| {
            // Nothing is said by the other one about plies that it does not have.
            let has = self.pasts.get(past as usize).map_or(0, |one| one.ply);
            for lead in leads.iter_mut().skip(from).filter(|lead| lead.ply > has) {
                lead.lead = lead.lead.min(more);
            }
            while let Some(one) = self.pasts.get(past as usize) {
                let Some(index) = leads.first().and_then(|last| last.ply.checked_sub(one.ply)).map(|index| index as usize) else {
                    past = one.before;
                    continue;
                };
                if index >= leads.len() || chain.get(index) == Some(&past) {
                    break;
                }
                if leads[index].mv != one.step.mv {
                    leads[index].lead = leads[index].lead.min(more);
                }
                past = one.before;
            }
        };
        for line in self.lines.iter().filter(|line| line.past != best.past || line.done != best.done) {
            deeper(&mut leads, line.past, 0, line.cost() - best.cost());
        }
        for other in &best.others {
            deeper(&mut leads, other.past, 0, other.cost());
        }
        for (index, place) in chain.iter().enumerate() {
            for other in &self.pasts[*place as usize].others {
                deeper(&mut leads, other.past, index + 1, other.cost());
            }
        }
        let enough = if self.image.scan() <= USUAL { CERTAIN } else { CERTAIN_SLOW };
        for lead in &mut leads {
            lead.enough = enough + if lead.stands { 0 } else { LIFTED };
            lead.certain = lead.lead >= lead.enough;
        }
        leads
    }
}

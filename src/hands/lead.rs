//! What is believed of the last plies, and how firmly.
use crate::habits;
use crate::line::BACK;
use crate::price::{Nats, nats};
use crate::sensed::Eyes;
use crate::world::World;
use alloc::vec::Vec;
use flagfall_events::Mono;
use shakmaty::{Move, Role};

/// A lead that is enough: of the plies of even seeds that were completed with it, one in ten thousand was another one.
const CERTAIN: Nats = nats(7.0);
/// The same on a board whose scan takes longer than [`USUAL`]: more may have happened that it has not shown yet.
const CERTAIN_SLOW: Nats = nats(8.0);
/// The same where nobody presses, on a board that knows its pieces: no press waits there to be answered.
const CERTAIN_UNPRESSED: Nats = nats(9.2);
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
    /// All squares read as they should, but for those that somebody was told of.
    pub stands: bool,
    /// By how much the cheapest line that says something else of it is dearer.
    pub lead: Nats,
    /// The same against what differs in more than the piece that a pawn became, which nothing but later play tells.
    pub but_piece: Nats,
    /// The same against what later play could still tell from it.
    pub open: Nats,
    /// The press that completed it, counted from 0.
    pub press: Option<u32>,
    /// Something showed it: it is no piece in the air that may have taken where nothing has changed.
    pub shown: bool,
    /// So much is enough to complete it.
    pub enough: Nats,
    /// It is enough.
    pub certain: bool,
}

impl Lead {
    /// Something else is dearer by so much; later play could tell it where it `is_open`.
    fn rivals(&mut self, more: Nats, is_open: bool) {
        self.lead = self.lead.min(more);
        self.but_piece = self.but_piece.min(more);
        self.open = if is_open { self.open.min(more) } else { self.open };
    }
}

/// Whether two moves go from and to the same squares: they differ at most in what their piece is or became.
pub fn is_twin(one: &Move, other: &Move) -> bool {
    (one.from(), one.to(), one.is_castle()) == (other.from(), other.to(), other.is_castle())
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
                stands: self.at_work(best) == 0,
                lead: self.bound(),
                but_piece: self.bound(),
                open: self.bound(),
                press: best.press(one.ply),
                shown: one.shown,
                enough: 0,
                certain: false,
            });
            chain.push(past);
            past = one.before;
        }
        let deeper = |leads: &mut Vec<Lead>, mut past: u32, from: usize, more: Nats, is_open: bool| {
            // Nothing is said by the other one about plies that it does not have.
            let has = self.pasts.get(past as usize).map_or(0, |one| one.ply);
            for lead in leads.iter_mut().skip(from).filter(|lead| lead.ply > has) {
                lead.rivals(more, is_open);
            }
            while let Some(one) = self.pasts.get(past as usize) {
                let Some(index) = leads.first().and_then(|last| last.ply.checked_sub(one.ply)).map(|index| index as usize) else {
                    past = one.before;
                    continue;
                };
                if index >= leads.len() || chain.get(index) == Some(&past) {
                    break;
                }
                let mine = &mut leads[index];
                if mine.mv != one.step.mv {
                    if self.eyes == Eyes::Pieces {
                        mine.rivals(more, is_open);
                    } else if is_twin(&mine.mv, &one.step.mv) {
                        // That few promote so is no reason to say that nobody did.
                        let rare = |mv: &Move| mv.promotion().is_some_and(|role| role != Role::Queen);
                        let more = if rare(&one.step.mv) && !rare(&mine.mv) { more - habits::UNDERPROMOTION } else { more };
                        mine.lead = mine.lead.min(more.max(0));
                        mine.open = if is_open { mine.open.min(more.max(0)) } else { mine.open };
                    } else {
                        mine.rivals(more, is_open);
                    }
                }
                past = one.before;
            }
        };
        for line in self.lines.iter().filter(|line| line.past != best.past || line.done != best.done) {
            deeper(&mut leads, line.past, 0, line.cost() - best.cost(), true);
        }
        for other in &best.others {
            deeper(&mut leads, other.past, 0, other.cost(), false);
        }
        for (index, place) in chain.iter().enumerate() {
            for other in &self.pasts[*place as usize].others {
                deeper(&mut leads, other.past, index + 1, other.cost(), false);
            }
        }
        let is_unpressed = !self.clock && self.eyes == Eyes::Pieces;
        let enough = match self.image.scan() <= USUAL {
            _ if is_unpressed => CERTAIN_UNPRESSED,
            true => CERTAIN,
            false => CERTAIN_SLOW,
        };
        for lead in &mut leads {
            lead.enough = enough + if lead.stands { 0 } else { LIFTED };
            lead.certain = lead.lead >= lead.enough;
        }
        leads
    }
}

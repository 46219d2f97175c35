//! One hypothesis of the lattice: a position that may stand, how it came about and what was sensed since.
use super::circumstances::Table;
use super::step::Ground;
use super::weigh::{self, Blip, Ply};
use crate::completion::Press;
use crate::placement::{Squares, bit};
use alloc::collections::VecDeque;
use alloc::vec::Vec;
use flagfall_events::{Colour, Mono};

/// How long a hand may be about a capture or a promotion that is not pressed.
const HAND_MS: u64 = 3_000;
/// Changes remembered of one hypothesis.
const MOST_BLIPS: usize = 48;

/// One position that may stand.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(super) parent: Option<usize>,
    /// The ply that led to it.
    pub(super) ply: Option<Ply>,
    pub(super) ground: Ground,
    pub(super) plies: Vec<Ply>,
    pub(super) occupied: Squares,
    pub(super) theirs: Squares,
    /// The board stands the other way round than it was first taken to.
    pub(super) half: bool,
    pub(super) alive: bool,
    /// What is odd about how it came about.
    pub(super) cost: u32,
    /// How foolish its moves would have been; decides nothing.
    pub(super) folly: u32,
    /// What was sensed since, except of its own ply.
    pub(super) tail: Vec<Blip>,
    pub(super) born: Mono,
    /// The captured piece was never seen to go.
    pub(super) blind: bool,
    /// Its piece was taken before it was seen where it went.
    pub(super) unseen: bool,
    /// Its piece was off its square again when its player pressed.
    pub(super) gone: bool,
    /// Its parent was pressed when it came about.
    pub(super) after_press: bool,
    /// When its piece was seen to come down.
    pub(super) down: Option<Mono>,
    pub(super) press: Option<Press>,
    /// Presses whose plies were not seen yet.
    pub(super) owed: VecDeque<Press>,
}

impl Node {
    pub(super) fn new(ground: Ground, half: bool) -> Self {
        let (occupied, theirs) = (weigh::occupied(&ground), weigh::theirs(&ground));
        let plies = ground.steps.iter().map(|step| Ply::new(step, occupied)).collect();
        Self {
            parent: None,
            ply: None,
            ground,
            plies,
            occupied,
            theirs,
            half,
            alive: true,
            cost: 0,
            folly: 0,
            tail: Vec::new(),
            born: Mono::ZERO,
            blind: false,
            unseen: false,
            gone: false,
            after_press: false,
            down: None,
            press: None,
            owed: VecDeque::new(),
        }
    }

    pub(super) fn turn(&self) -> Colour {
        self.ground.turn()
    }

    pub(super) fn view(&self, sensed: Squares) -> Squares {
        if self.half { sensed.reverse_bits() } else { sensed }
    }

    /// Whether its own ply may still change its square: a captured piece that goes late, a pawn that is replaced.
    pub(super) fn is_unfinished(&self, at: Mono, scan_ms: u64) -> bool {
        let until = self.press.map_or(self.born + HAND_MS, |press| press.at + scan_ms);
        self.ply.as_ref().is_some_and(|p| p.captures_on != 0 || p.step.mv.is_promotion()) && at <= until
    }

    /// What the weights want to know of it.
    pub(super) fn stands(&self, table: &Table) -> weigh::Stands<'_> {
        weigh::Stands {
            plies: &self.plies,
            occupied: self.occupied,
            theirs: self.theirs,
            own: self.ply.as_ref(),
            blind: self.blind,
            pressed: self.press.map(|p| p.at),
            now: table.now,
            scan_ms: table.scan_ms,
        }
    }

    /// Its ply is pressed: what his hand touched meanwhile is his.
    pub(super) fn close(&mut self, press: Press, sensed: Squares, table: &Table) {
        let back = !(self.occupied ^ sensed);
        self.cost += weigh::visits(&self.stands(table), &self.tail, back, None);
        self.tail.retain(|b| back & bit(b.square) == 0);
        self.gone = self.ply.as_ref().is_some_and(|p| p.captures_on == 0 && p.to & back == 0);
        self.cost += if self.gone { weigh::GONE } else { 0 };
        self.press = Some(press);
    }

    /// Takes note of a changed square.
    pub(super) fn note(&mut self, blip: Blip, scan_ms: u64) {
        let here = bit(blip.square);
        let his = self.ply.as_ref().is_some_and(|p| p.to == here);
        if self.gone && his && blip.on && self.press.is_none_or(|p| blip.at <= p.at + scan_ms) {
            (self.gone, self.cost) = (false, self.cost.saturating_sub(weigh::GONE));
        }
        if self.is_unfinished(blip.at, scan_ms) && his {
            if blip.on {
                self.down = Some(blip.at);
            }
            self.blind = false;
            return;
        }
        if self.tail.len() == MOST_BLIPS {
            self.tail.drain(..MOST_BLIPS / 2);
        }
        self.tail.push(blip);
    }
}

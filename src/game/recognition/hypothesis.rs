//! One hypothesis of the lattice: a position that may stand, how it came about and what was sensed since.
use crate::placement::{Squares, bit};
use crate::press::Press;
use crate::recognition::circumstances::Table;
use crate::recognition::step::Ground;
use crate::recognition::weigh;
use crate::recognition::weigh::{Blip, Ply};
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
    pub(crate) parent: Option<usize>,
    /// The ply that led to it.
    pub(crate) ply: Option<Ply>,
    pub(crate) ground: Ground,
    pub(crate) plies: Vec<Ply>,
    pub(crate) occupied: Squares,
    pub(crate) theirs: Squares,
    /// The board stands the other way round than it was first taken to.
    pub(crate) half: bool,
    pub(crate) alive: bool,
    /// What is odd about how it came about.
    pub(crate) cost: u32,
    /// How foolish its moves would have been; decides nothing.
    pub(crate) folly: u32,
    /// What was sensed since, except of its own ply.
    pub(crate) tail: Vec<Blip>,
    pub(crate) born: Mono,
    /// The captured piece was never seen to go.
    pub(crate) blind: bool,
    /// Its piece was taken before it was seen where it went.
    pub(crate) unseen: bool,
    /// Its piece was off its square again when its player pressed.
    pub(crate) gone: bool,
    /// Its parent was pressed when it came about.
    pub(crate) after_press: bool,
    /// When its piece was seen to come down.
    pub(crate) down: Option<Mono>,
    pub(crate) press: Option<Press>,
    /// Presses whose plies were not seen yet.
    pub(crate) owed: VecDeque<Press>,
}

impl Node {
    pub(crate) fn new(ground: Ground, half: bool) -> Self {
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

    pub(crate) fn turn(&self) -> Colour {
        self.ground.turn()
    }

    pub(crate) fn view(&self, sensed: Squares) -> Squares {
        if self.half { sensed.reverse_bits() } else { sensed }
    }

    /// Whether its own ply may still change its square: a captured piece that goes late, a pawn that is replaced.
    pub(crate) fn is_unfinished(&self, at: Mono, scan_ms: u64) -> bool {
        let until = self.press.map_or(self.born + HAND_MS, |press| press.at + scan_ms);
        self.ply.as_ref().is_some_and(|p| p.captures_on != 0 || p.step.mv.is_promotion()) && at <= until
    }

    /// What the weights want to know of it.
    pub(crate) fn stands(&self, table: &Table) -> weigh::Stands<'_> {
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
    pub(crate) fn close(&mut self, press: Press, sensed: Squares, table: &Table) {
        let back = !(self.occupied ^ sensed);
        self.cost += weigh::visits(&self.stands(table), &self.tail, back, None);
        self.tail.retain(|b| back & bit(b.square) == 0);
        self.gone = self.ply.as_ref().is_some_and(|p| p.captures_on == 0 && p.to & back == 0);
        self.cost += if self.gone { weigh::GONE } else { 0 };
        self.press = Some(press);
    }

    /// Takes note of a changed square.
    pub(crate) fn note(&mut self, blip: Blip, scan_ms: u64) {
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

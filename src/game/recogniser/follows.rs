//! The estimate of the game in progress beside its record: fed with every picture and press, begun anew where somebody else changed the record.
use crate::clock::Side;
use crate::placement::{Image, Placement};
use alloc::vec::Vec;
use flagfall_events::Mono;
use flagfall_hands::price::{Nats, nats};
use flagfall_hands::{Belief, Estimator, Eyes, Lead, Press, Snapshot};
use shakmaty::{Chess, Move};

/// A ply is made when it is nine times as likely as anything else.
const MADE: Nats = nats(2.2);

/// The same where nothing has changed for longer than a scan, and all squares read as they should.
const LIKELY: Nats = nats(1.0);

/// The estimate, and where it stands beside the record.
#[derive(Clone, Debug)]
pub(crate) struct Follows {
    estimator: Estimator,
    /// Plies of the record before its first.
    base: usize,
    /// The picture that it was given last.
    seen: Placement,
    /// The record's moves from `base` on when the two were compared last.
    known: Vec<Move>,
    belief: Belief,
}

impl Follows {
    /// From this position on, before which the record has so many plies.
    pub(crate) fn new(chess: &Chess, placement: &Placement, base: usize, white: Side, now: Mono) -> Self {
        let estimator = Estimator::expecting(Eyes::Pieces, chess.clone(), side(white), now);
        Self { estimator, base, seen: *placement, known: Vec::new(), belief: Belief::default() }
    }

    /// Whether these moves, of the record from `base` on, are those that it had before, or as the estimate would have them: nobody else has changed it.
    pub(crate) fn stays(&mut self, recorded: Option<Vec<Move>>) -> bool {
        let Some(recorded) = recorded else { return false };
        let same = recorded == self.known || self.belief.moves.starts_with(&recorded);
        self.known = recorded;
        same
    }

    /// Plies of the record before its first.
    pub(crate) const fn base(&self) -> usize {
        self.base
    }

    /// The picture now.
    pub(crate) fn look(&mut self, image: &Image, now: Mono) {
        let placement = image.placement();
        let changed = self.seen.diff(placement);
        match changed.count_ones() {
            0 => self.estimator.advance(now),
            1 => {
                let square = changed.trailing_zeros();
                self.estimator.read(now, u8::try_from(square).unwrap_or(0), placement.0[square as usize]);
            }
            _ => self.estimator.read_all(now, &placement.0),
        }
        self.seen = *placement;
        self.belief = self.estimator.belief();
    }

    /// A player pressed.
    pub(crate) fn press(&mut self, at: Side, now: Mono) {
        self.estimator.press(now, side(at));
        self.belief = self.estimator.belief();
    }

    /// A message was lost.
    pub(crate) fn damaged(&mut self, now: Mono) {
        self.estimator.damaged(now);
    }

    /// The whole image came.
    pub(crate) fn whole(&mut self, now: Mono) {
        self.estimator.dump(now, &self.seen.0);
        self.belief = self.estimator.belief();
    }

    /// All that is believed, and how many plies of the record come before it.
    pub(crate) fn snapshot(&self) -> (usize, Snapshot) {
        (self.base, self.estimator.snapshot())
    }

    /// What is believed.
    pub(crate) const fn belief(&self) -> &Belief {
        &self.belief
    }

    /// The ply with this index of the record, as it is believed.
    pub(crate) fn ply(&self, index: usize) -> Option<&Move> {
        self.belief.moves.get(index.checked_sub(self.base)?)
    }

    fn lead(&self, index: usize) -> Option<&Lead> {
        self.belief.lead((index + 1).checked_sub(self.base)?)
    }

    /// Whether nothing else can be the ply with this index of the record.
    pub(crate) fn is_certain(&self, index: usize) -> bool {
        self.lead(index).is_none_or(|lead| lead.certain)
    }

    /// Whether hardly anything else can be the ply with this index of the record.
    pub(crate) fn is_likely(&self, index: usize) -> bool {
        self.lead(index).is_none_or(|lead| lead.lead >= LIKELY)
    }

    /// Whether the ply with this index of the record is pressed, whether it is seen or not.
    pub(crate) fn is_pressed(&self, index: usize) -> bool {
        (index + 1).checked_sub(self.base).is_none_or(|ply| ply <= self.belief.pressed as usize)
    }

    /// Whether the ply with this index of the record stood by then.
    pub(crate) fn was_made(&self, index: usize, by: Mono) -> bool {
        self.lead(index).is_none_or(|lead| lead.made <= by)
    }

    /// Whether the ply with this index of the record is likely enough to be called made.
    pub(crate) fn is_made(&self, index: usize) -> bool {
        self.lead(index).is_none_or(|lead| lead.lead >= MADE)
    }

    /// So many plies the record would have.
    pub(crate) fn plies(&self) -> usize {
        self.base + self.belief.moves.len()
    }
}

const fn side(side: Side) -> Press {
    match side {
        Side::Left => Press::Left,
        Side::Right => Press::Right,
    }
}

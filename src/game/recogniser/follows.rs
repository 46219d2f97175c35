//! The estimate of the game in progress beside its record: fed with every picture and press, begun anew where somebody else changed the record.
use crate::clock::Side;
use crate::placement::{Image, Placement};
use crate::press::Press as Pressed;
use crate::recogniser::relived::{self, Said};
use alloc::boxed::Box;
use alloc::vec::Vec;
use flagfall_events::{Colour, Mono};
use flagfall_hands::position::Position;
use flagfall_hands::price::{Nats, nats};
use flagfall_hands::{Belief, Estimator, Eyes, Lead, Press, Snapshot};
use shakmaty::{Move, Role};

/// A ply is made when it is nine times as likely as anything else.
pub(crate) const MADE: Nats = nats(2.2);

/// One way round of the board is a thousand times as likely as the other one.
const ROUND: Nats = nats(6.9);

/// The same where nothing has changed for longer than a scan, and all squares read as they should.
const LIKELY: Nats = nats(1.0);
/// One in a hundred: what is completed with more doubt is said to be assumed, where nobody presses.
const TOLD: Nats = nats(4.6);
/// What happens in one of ten thousand honest cases costs so much.
pub(crate) const BEYOND: Nats = nats(9.5);

/// What waited is at most so old, and one change of a square of it came so long after the one before, at most an eighth of the time that is left.
const WAITED_MS: u64 = 10_000;
const CHANGE_MS: u64 = 200;

/// So much less likely, and nobody asks any more whether every press was the other player's.
const GIVEN_UP: Nats = nats(30.0);

/// The earliest that something happened which waited until now.
pub(crate) const fn first_waited(now: Mono) -> Mono {
    Mono::from_millis(now.millis().saturating_sub(WAITED_MS))
}

/// The estimate, and where it stands beside the record.
#[derive(Clone, Debug)]
pub(crate) struct Follows {
    estimator: Estimator,
    /// On a board that does not know its pieces, to which presses are told by colour: the same, each press being the other player's, while that may be,
    /// and how much less likely it was.
    against: Option<(Box<Estimator>, Nats)>,
    /// It was given up as too unlikely.
    given_up: bool,
    /// It is such a board.
    blind: bool,
    /// White's side of the clock.
    white: Side,
    /// Plies of the record before its first.
    base: usize,
    /// The picture that it was given last.
    seen: Placement,
    /// The record's moves from `base` on when the two were compared last, and how many plies of all of it were certain.
    known: Vec<Move>,
    certain: usize,
    belief: Belief,
    /// Every press since it began.
    presses: Vec<Pressed>,
    /// The estimate's own time: what waited came in its order, and when nobody knows.
    at: Mono,
}

impl Follows {
    /// From this position on, before which the record has so many plies.
    pub(crate) fn new(position: &Position, placement: &Placement, base: usize, (white, turned): (Side, Nats), now: Mono) -> Self {
        let estimator = Estimator::expecting(Eyes::Pieces, position.clone(), side(white), turned, now);
        Self {
            estimator,
            against: None,
            given_up: false,
            blind: false,
            white,
            base,
            seen: *placement,
            known: Vec::new(),
            certain: base,
            belief: Belief::default(),
            presses: Vec::new(),
            at: now,
        }
    }

    /// The same on a board that does not know its pieces. `either_way`: it may as well stand the other way round.
    pub(crate) fn blind(
        position: &Position,
        placement: &Placement,
        base: usize,
        either_way: bool,
        (white, turned): (Side, Nats),
        now: Mono,
    ) -> Self {
        let estimator = Estimator::occupied(position.clone(), either_way, now);
        Self {
            against: Some((Box::new(estimator.clone()), turned)),
            estimator,
            given_up: false,
            blind: true,
            white,
            base,
            seen: *placement,
            known: Vec::new(),
            certain: base,
            belief: Belief::default(),
            presses: Vec::new(),
            at: now,
        }
    }

    /// Whether these moves, of the record from `base` on, are those that it had before, or as the estimate would have them: nobody else has changed it.
    pub(crate) fn stays(&mut self, recorded: Option<Vec<Move>>, certain: usize) -> bool {
        let Some(recorded) = recorded else { return false };
        // What was only announced may be withdrawn again.
        let withdrawn = self.known.starts_with(&recorded) && self.base + recorded.len() >= self.certain;
        let same = withdrawn || self.belief.moves.starts_with(&recorded);
        (self.known, self.certain) = (recorded, certain);
        same
    }

    /// The board is scanned at half speed.
    pub(crate) fn is_slow(&mut self) {
        self.each(Estimator::is_slow);
    }

    /// White's clock is at this side.
    pub(crate) fn turn_to(&mut self, white: Side) {
        if self.white != white {
            self.white = white;
            if let Some((against, turned)) = self.against.as_mut() {
                core::mem::swap(&mut self.estimator, against);
                *turned = -*turned;
            }
            self.believe();
        }
    }

    /// So were its presses.
    pub(crate) fn turn_presses_to(&mut self, white: Side) {
        self.presses.iter_mut().for_each(|press| press.turn_to(white));
    }

    /// By how many nats, times 1024, it is likelier that White's clock is at the other side; `None`: nothing tells.
    pub(crate) fn other_side(&self) -> Option<i64> {
        // Presses alone say nothing.
        if self.plies() == 0 {
            return None;
        }
        match &self.against {
            Some((against, turned)) => Some(self.estimator.cost() - against.cost() - i64::from(*turned)),
            None if self.blind => self.given_up.then_some(-i64::from(GIVEN_UP)),
            None => Some(-self.belief.sides),
        }
    }

    /// What was heard is believed now.
    pub(crate) fn believe(&mut self) {
        if self.against.is_some() && self.other_side().is_some_and(|other| other < -i64::from(GIVEN_UP)) {
            (self.against, self.given_up) = (None, true);
        }
        self.belief = self.estimator.belief_if(self.told_at());
    }

    /// By what the estimate knows White's presses.
    const fn told_at(&self) -> Press {
        if self.blind { Press::Left } else { side(self.white) }
    }

    /// What is sensed is the same whoever presses.
    fn each(&mut self, mut hear: impl FnMut(&mut Estimator)) {
        hear(&mut self.estimator);
        self.against.iter_mut().for_each(|(against, _)| hear(against));
    }

    /// Plies of the record before its first.
    pub(crate) const fn base(&self) -> usize {
        self.base
    }

    /// The picture now. `waited`: what changed did so some time before.
    pub(crate) fn look(&mut self, image: &Image, waited: bool, now: Mono) {
        self.each(|estimator| estimator.told(image.aside()));
        let changes = self.seen != *image.as_read();
        self.at = match waited {
            false => now,
            true if changes => self.one_later(now),
            true => self.at,
        };
        self.reads(image.as_read(), self.at);
        self.believe();
    }

    /// When a change was that waited: some time after the one before it.
    fn one_later(&self, now: Mono) -> Mono {
        let from = self.at.max(first_waited(now));
        from + CHANGE_MS.min(now.since(from) / 8)
    }

    /// The board reads so now.
    fn reads(&mut self, placement: &Placement, now: Mono) {
        let changed = self.seen.diff(placement);
        self.each(|estimator| match changed.count_ones() {
            0 => estimator.advance(now),
            1 => {
                let square = changed.trailing_zeros();
                estimator.read(now, u8::try_from(square).unwrap_or(0), placement.0[square as usize]);
            }
            _ => estimator.read_all(now, &placement.0),
        });
        self.seen = *placement;
    }

    /// An entry of the board's own log; what it comes to is believed at the next look.
    pub(crate) fn relive(&mut self, said: &Said, white: Side, now: Mono) {
        match said {
            Said::Stands { placement, .. } => self.reads(placement, now),
            Said::Pressed(at) => {
                self.estimator.press(now, side(*at));
                self.presses.push(relived::pressed(*at, white, now));
            }
        }
    }

    /// A player pressed. `waited`: some time before.
    pub(crate) fn press(&mut self, press: Pressed, waited: bool, now: Mono) {
        self.at = if waited { self.at } else { now };
        let now = self.at;
        self.estimator.press(now, side(if press.by == Colour::White { press.white } else { press.white.other() }));
        self.presses.push(press);
        self.believe();
    }

    /// A player pressed, on a board that does not know its pieces.
    pub(crate) fn press_by(&mut self, press: Pressed, now: Mono) {
        let at = |by: Colour| if by == Colour::White { Press::Left } else { Press::Right };
        self.estimator.press(now, at(press.by));
        self.against.iter_mut().for_each(|(against, _)| against.press(now, at(press.by.other())));
        self.presses.push(press);
        self.believe();
    }

    /// Nobody heard the clock until now, and it runs at this side.
    pub(crate) fn hears(&mut self, runs: Side, now: Mono) {
        self.at = now;
        self.estimator.hears(now, side(runs));
        self.believe();
    }

    /// The same for this player, on a board that does not know its pieces.
    pub(crate) fn hears_of(&mut self, by: Colour, now: Mono) {
        let at = |by: Colour| if by == Colour::White { Press::Left } else { Press::Right };
        self.estimator.hears(now, at(by));
        self.against.iter_mut().for_each(|(against, _)| against.hears(now, at(by.other())));
        self.believe();
    }

    /// When somebody pressed last.
    pub(crate) fn last_press(&self) -> Option<Mono> {
        self.presses.last().map(|press| press.at)
    }

    /// The press that completed the ply with this index of the record.
    pub(crate) fn press_of(&self, index: usize) -> Option<Pressed> {
        self.presses.get(self.lead(index)?.press? as usize).copied()
    }

    /// Whether the board stands as believed, for certain.
    pub(crate) fn is_the_way_round(&self) -> bool {
        self.belief.round >= i64::from(ROUND)
    }

    /// From now on squares are told the other way round.
    pub(crate) fn turn_round(&mut self, placement: &Placement) {
        self.each(Estimator::turn_round);
        self.seen = *placement;
        self.believe();
    }

    /// Whether the pawn of the ply with this index of the record may have become this piece.
    pub(crate) fn may_have_become(&self, index: usize, role: Role) -> bool {
        self.number(index).is_some_and(|ply| self.estimator.may_have_become(ply, role))
    }

    /// It became this piece.
    pub(crate) fn became(&mut self, index: usize, role: Role) {
        if let Some(ply) = self.number(index) {
            self.against = None;
            self.estimator.became(ply, role);
            self.believe();
        }
    }

    /// Every line of play that is believed, from the ply with this index of the record on, and how much dearer than the cheapest it is.
    pub(crate) fn lines_from(&self, index: usize) -> Vec<(Vec<Move>, Nats)> {
        self.number(index).map_or_else(Vec::new, |ply| self.estimator.lines_from(self.told_at(), ply))
    }

    /// What the ply with this index of the record is likely to be instead of this move, if it has come about at all.
    pub(crate) fn rival(&self, index: usize, mv: &Move) -> Option<Move> {
        let seen: Vec<(Move, Nats)> =
            self.lines_from(index).into_iter().filter_map(|(moves, cost)| Some((*moves.first()?, cost))).collect();
        let least = seen.first().map_or(0, |(_, cost)| *cost);
        seen.into_iter().find(|(other, cost)| other != mv && *cost < least.saturating_add(MADE)).map(|(other, _)| other)
    }

    /// Whether the ply with this index of the record is hardly less likely to be this move than what it is believed to be.
    pub(crate) fn may_as_well_be(&self, index: usize, mv: &Move) -> bool {
        self.lines_from(index).iter().any(|(line, cost)| *cost < MADE && line.first() == Some(mv))
    }

    /// Whether these moves, from the ply with this index of the record on, are none that may have been played.
    pub(crate) fn rules_out(&self, index: usize, moves: impl Iterator<Item = Move>) -> bool {
        let moves: Vec<Move> = moves.collect();
        let enough = self.lead(index).map_or(0, |lead| lead.enough);
        self.lines_from(index).iter().all(|(line, cost)| *cost >= enough || !line.starts_with(&moves))
    }

    /// Whether the ply with this index of the record may have been this move.
    pub(crate) fn may_have_been(&self, index: usize, mv: &Move) -> bool {
        self.number(index).is_some_and(|ply| self.estimator.may_have_been(ply, mv))
    }

    /// It was this move.
    pub(crate) fn was(&mut self, index: usize, mv: &Move) -> bool {
        let Some(ply) = self.number(index) else { return false };
        self.against = None;
        self.estimator.was(ply, mv);
        self.believe();
        true
    }

    fn number(&self, index: usize) -> Option<u32> {
        u32::try_from((index + 1).checked_sub(self.base)?).ok()
    }

    /// Nobody has a piece in the hand.
    pub(crate) fn rests(&mut self) {
        self.each(Estimator::rests);
        self.believe();
    }

    /// A message was lost.
    pub(crate) fn damaged(&mut self, now: Mono) {
        self.each(|estimator| estimator.damaged(now));
    }

    /// The whole image came.
    pub(crate) fn whole(&mut self, now: Mono) {
        let seen = self.seen;
        self.each(|estimator| estimator.dump(now, &seen.0));
        self.believe();
    }

    /// All that is believed, and how many plies of the record come before it.
    pub(crate) fn snapshot(&self) -> (usize, Snapshot) {
        (self.base, self.estimator.snapshot())
    }

    /// Its moves as they are believed.
    pub(crate) fn moves(&self) -> impl Iterator<Item = &Move> {
        self.belief.moves.iter()
    }

    /// What is believed.
    pub(crate) const fn belief(&self) -> &Belief {
        &self.belief
    }

    /// The ply with this index of the record, as it is believed.
    pub(crate) fn ply(&self, index: usize) -> Option<&Move> {
        self.belief.moves.get(index.checked_sub(self.base)?)
    }

    pub(crate) fn lead(&self, index: usize) -> Option<&Lead> {
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

    /// Whether the ply with this index of the record is another one less often than one time in a hundred, whatever hands are at work now.
    pub(crate) fn is_told(&self, index: usize) -> bool {
        self.lead(index).is_none_or(|lead| lead.lead >= TOLD)
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

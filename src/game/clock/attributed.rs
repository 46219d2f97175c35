//! Whose display is whose: which side of the clock is White's as far as anybody is told.
use crate::clock::sides::Side;
use crate::clock::state::Attributed;
use crate::clock::{Clock, Fact};
use crate::settings::ClockWhite;
use flagfall_hands::price::{Nats, nats};

/// So much less likely the other side must be before displays are told by colour: 95 of 100.
const TOLD: i64 = nats(2.944) as i64;

/// How much less likely it is that White's clock is not where it usually is, where it was in the game before, where it was set to be, or has been for so
/// many presses.
const USUAL: Nats = nats(1.0);
const BEFORE: Nats = nats(3.9);
const SET: Nats = nats(5.0);
const KNOWN: Nats = nats(14.0);
const USED: u32 = 10;

/// One of fifty clocks is started for Black first.
const STARTED: i64 = nats(3.9) as i64;
/// Or pressed first by Black where White alone has moved.
const PRESSED: i64 = nats(3.0) as i64;

impl Clock {
    /// How much less likely it is that White's clock is at the other side, before anything was played.
    pub(crate) fn turned(&self) -> Nats {
        match self.setting {
            _ if self.presses() >= USED => KNOWN,
            ClockWhite::Left | ClockWhite::Right => SET,
            _ if self.attributed.before.is_some() => BEFORE,
            _ => USUAL,
        }
    }

    /// Whether so many presses have told whose side is whose.
    pub(crate) fn is_used(&self) -> bool {
        self.presses() >= USED
    }

    /// Whether displays can be told by colour.
    pub(crate) const fn is_attributed(&self) -> bool {
        self.attributed.known
    }

    /// Whether it stood as usual in the game before, where that is known.
    pub(crate) const fn stood_as_usual(&self) -> Option<bool> {
        self.attributed.before
    }

    /// It stood so in the game before.
    pub(crate) const fn stands_as(&mut self, usual: Option<bool>) {
        self.attributed.before = usual;
    }

    /// The pieces of another game stand so that White's clock is usually at this side. A clock stays where it was in the game before.
    pub(crate) fn seat(&mut self, usual: Side) {
        if self.attributed.known && self.was_pressed() {
            self.attributed.before = Some(self.white == self.attributed.usual);
        }
        self.attributed.usual = usual;
        self.white = if self.attributed.before == Some(false) { usual.other() } else { usual };
    }

    /// The pieces of another game stand: what is known of its sides.
    pub(crate) fn attribute_anew(&mut self) {
        let Attributed { usual, before, .. } = self.attributed;
        self.attributed = Attributed { usual, before, ..Attributed::new(self.white, self.setting) };
        self.believe(None);
    }

    /// The clock runs for the first time in this game.
    pub(crate) fn ran_first(&mut self, side: Side) {
        if self.progress.total() == 0 && self.levers.nobody_pressed() {
            self.attributed.ran_first = Some(side);
        }
    }

    /// The first press of a clock that was running.
    pub(crate) fn pressed_first(&mut self, side: Side) {
        if self.progress.made == [1, 0] {
            self.attributed.pressed_first = Some(side);
        }
    }

    /// What was played and pressed makes it so much less likely that White's clock is at the other side; `None`: there is no estimate of that.
    pub(crate) fn believe(&mut self, estimated: Option<i64>) {
        let tells = |which: Option<Side>, price: i64| which.map_or(0, |side| if side == self.white { price } else { -price });
        let Attributed { ran_first, pressed_first, .. } = self.attributed;
        let played = estimated.unwrap_or_else(|| i64::from(self.turned()) + tells(pressed_first, PRESSED));
        self.attributed.known |= played + tells(ran_first, STARTED) >= TOLD;
    }

    /// `true`: White's side is another one than when this was asked last. What was kept by colour is turned, and what rested on it is not so.
    pub(crate) fn take_turn(&mut self) -> bool {
        if core::mem::replace(&mut self.attributed.of, self.white) == self.white {
            return false;
        }
        self.attributed.known = false;
        self.flags.turn();
        self.watch.black_first = None;
        if self.watch.take_wrong_side() {
            self.facts.push_back(Fact::WrongSideWithdrawn);
        }
        true
    }
}

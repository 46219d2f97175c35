//! White's side of the clock, as what was played and pressed says (6.5), and telling of it.
use crate::reading::view::Reading;
use crate::recogniser::follows::Follows;
use crate::referee::facts::Fact;
use crate::timers::Timer;
use alloc::vec::Vec;
use flagfall_events::{Body, Colour};
use flagfall_hands::price::{Nats, nats};

/// From when on White's clock is believed to be at the other side all the same, before so many presses and after.
const SIDES: Nats = nats(12.0);
const SIDES_LATER: Nats = nats(30.0);
/// With no more than this for the side where it is taken to be, nobody is told that the wrong clock was started.
const DOUBTED: Nats = nats(2.0);

impl Reading<'_> {
    /// 6.5: presses and moves say that White's clock is at the other side.
    pub(crate) fn sides_as_believed(&mut self) {
        if let Some((base, other)) = self.follows().and_then(|follows| Some((follows.base(), follows.other_side()?))) {
            if let Some(play) = self.own.play.as_mut() {
                play.sides.weigh(base, other, i64::from(SIDES));
            }
            self.exchange_if_believed(other);
        }
        self.tell_sides();
    }

    fn exchange_if_believed(&mut self, other: i64) {
        // A slow board shows most moves after their press.
        let enough = if self.clocks.is_used() || self.watcher.pace.is_slow() { SIDES_LATER } else { SIDES };
        self.clocks.doubt_sides(other > -i64::from(DOUBTED));
        if other >= i64::from(enough) {
            self.clocks.exchange();
        }
    }

    /// What was kept by colour is turned where White's side of the clock is another one by now.
    fn take_turn(&mut self) {
        if !self.clocks.take_turn() {
            return;
        }
        let white = self.clocks.side(Colour::White);
        self.own.stage.lever = self.own.stage.lever.map(Colour::other);
        if let Some(play) = self.own.play.as_mut() {
            play.turn_to(white);
            if !play.presses.is_empty() && !play.occupancy() {
                self.set(Timer::Press, Some(self.now + 1));
            }
        }
        self.tell(Fact::Turned);
    }

    /// Whose display is whose, as it is believed now. What is to be told of it, before the clock.
    pub(crate) fn attribute(&mut self) -> Vec<Body> {
        self.take_turn();
        let estimated = self.follows().and_then(Follows::other_side);
        self.clocks.believe(estimated.map(|other| -other));
        let (white, turn) = (self.clocks.side(Colour::White), self.watcher.turn);
        let Some(play) = self.own.play.as_mut() else { return Vec::new() };
        play.sides.known = self.clocks.is_attributed();
        let tells = play.sides.known && play.said && self.clocks.is_there();
        if tells { play.tell_sides(white, turn) } else { Vec::new() }
    }

    /// The same, said with the clock.
    pub(crate) fn tell_sides(&mut self) {
        let said = self.attribute();
        if said.is_empty() {
            return;
        }
        let game = self.own.number;
        said.into_iter().for_each(|body| self.say_of(game, body));
        let state = self.clocks.tell_anew(self.now);
        self.say(Body::Clock(state));
    }
}

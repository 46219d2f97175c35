//! White's side of the clock, as what was played and pressed says (6.5).
use crate::clock::Clock;
use crate::reading::view::Reading;
use crate::recogniser::follows::Follows;
use flagfall_events::Colour;
use flagfall_hands::price::{Nats, nats};

/// How much less likely it is that White's clock is not where it usually is, where it was set to be or has been for so many presses.
const USUAL: Nats = nats(1.0);
const KNOWN: Nats = nats(14.0);
const USED: u32 = 10;
/// From when on it is believed to be at the other side all the same, before so many presses and after.
const SIDES: Nats = nats(12.0);
const SIDES_LATER: Nats = nats(30.0);
/// With no more than this for the side where it is taken to be, nobody is told that the wrong clock was started.
const DOUBTED: Nats = nats(2.0);

/// How much less likely it is that White's clock is at the other side, before anything was played.
pub(crate) fn turned(clocks: &Clock) -> Nats {
    match (clocks.sides_open(), clocks.presses()) {
        (true, 0..USED) => USUAL,
        _ => KNOWN,
    }
}

impl Reading<'_> {
    /// 6.5: presses and moves say that White's clock is at the other side.
    pub(crate) fn sides_as_believed(&mut self) {
        let enough = match (self.clocks.sides_open(), self.clocks.presses()) {
            (_, USED..) => SIDES_LATER,
            // A slow board shows most moves after their press.
            _ if self.watcher.pace.is_slow() => SIDES_LATER,
            (true, _) => SIDES,
            (false, _) => return,
        };
        // Presses alone say nothing.
        let Some(other) = self.follows().filter(|follows| follows.plies() > 0).map(Follows::other_side) else { return };
        self.clocks.doubt_sides(other > -i64::from(DOUBTED));
        if other < i64::from(enough) {
            return;
        }
        self.clocks.exchange();
        let white = self.clocks.side(Colour::White);
        let Some(play) = self.own.play.as_mut() else { return };
        for press in play.presses.iter_mut().chain(&mut play.unanswered) {
            press.by = press.by.other();
        }
        if let Some(follows) = play.follows.as_mut() {
            follows.turn_to(white);
        }
    }
}

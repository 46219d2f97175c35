//! Whose display is whose in a game, as it was told.
use crate::clock::Side;
use crate::press::{Completion, Press};
use crate::recogniser::play::Play;
use crate::recogniser::record::number;
use crate::recogniser::told_sides::ToldSides;
use crate::watcher::orientation::Turn;
use alloc::vec::Vec;
use flagfall_events::{Body, ClockSide, Orientation};

impl Play {
    /// White's side of the clock is this one: what was kept by colour is turned, but for plies that were surely played with the other one.
    pub(crate) fn turn_to(&mut self, white: Side) {
        let settled = self.sides.settled;
        for index in settled..self.record.plies().len() {
            let displays = self.record.get_mut(index).and_then(|ply| ply.at_press.as_mut());
            displays.into_iter().for_each(|displays| displays.turn_to(white));
        }
        self.presses.iter_mut().chain(&mut self.unanswered).for_each(|press| press.turn_to(white));
        if let Some(follows) = self.follows.as_mut() {
            follows.turn_presses_to(white);
            follows.turn_to(white);
        }
        self.match_presses();
    }

    /// Presses that were taken for the other player's belong to the plies that they are believed to be of now; those of which nothing was made are
    /// looked at once more.
    fn match_presses(&mut self) {
        let Some(follows) = self.follows.as_ref() else { return };
        let pressed: Vec<(usize, Press)> =
            (follows.base()..follows.plies()).filter_map(|index| Some((index, follows.press_of(index)?))).collect();
        for (index, press) in pressed {
            match self.record.get_mut(index).filter(|ply| ply.completed) {
                Some(ply) if ply.pressed_at != Some(press.at) && ply.by == press.by => {
                    let Completion { clock, spent_ms, earned_ms, pressed_at, .. } = Completion::pressed(&press);
                    (ply.pressed, ply.at_press, ply.spent_ms, ply.earned_ms, ply.pressed_at) =
                        (true, clock, spent_ms, earned_ms, pressed_at);
                }
                Some(_) => {}
                // Where the board does not know its pieces a press is nothing but its ply's.
                None if self.occupancy => {}
                None if self.presses.iter().chain(&self.unanswered).all(|known| known.at != press.at) => self.presses.push_back(press),
                None => {}
            }
        }
        self.presses.make_contiguous().sort_by_key(|press| press.at);
    }

    /// That White's side is this one, if that was not told: with the clock of every ply that was told otherwise.
    pub(crate) fn tell_sides(&mut self, white: Side, turn: Turn) -> Vec<Body> {
        let is = ToldSides { white, turn };
        let was = self.sides.told.replace(is);
        if was == Some(is) {
            return Vec::new();
        }
        let from = if was.is_some_and(|was| was.white != white) { self.sides.settled } else { 0 };
        let orientation = match turn {
            Turn::None => Orientation::Usual,
            Turn::Half => Orientation::Turned,
            Turn::QuarterLeft => Orientation::QuarterLeft,
            Turn::QuarterRight => Orientation::QuarterRight,
        };
        let white = match white {
            Side::Left => ClockSide::Left,
            Side::Right => ClockSide::Right,
        };
        let retimed = (from..self.record.plies().len()).filter_map(|index| self.record.get_mut(index)?.retimed(number(index)));
        let retimed: Vec<Body> = retimed.collect();
        core::iter::once(Body::Sides { white, from: number(from), orientation }).chain(retimed).collect()
    }

    /// What was said of its plies now is what is known of them.
    pub(crate) fn told_with_its_clocks(&mut self) {
        let sides = self.sides;
        for index in 0..self.record.plies().len() {
            if let Some(ply) = self.record.get_mut(index).filter(|ply| ply.completed) {
                ply.told = sides.tells(ply.at_press);
            }
        }
    }
}

//! What a board with LEDs shows to its players: the square of a promotion that is asked for, and squares to put right.
use super::placement::{Placement, Squares, bit, each};
use super::{Game, Output, Timer};
use dgt_protocol::command::Command;
use dgt_protocol::pegasus::{LED_SQUARES, Leds};
use dgt_protocol::square::WireSquare;
use flagfall_events::{BoardKind, LinkState};
use shakmaty::Square;

/// So long squares must stand wrong before they are lit: a hand at work needs no light.
const WRONG_MS: u64 = 5_000;
/// So many pieces may be in hands: the mover's, and one he takes.
const IN_HANDS: u32 = 2;

impl Game {
    /// Tells the board what to show, when that changes.
    pub(super) fn show_lights(&mut self) {
        if self.settings.kind != BoardKind::Pegasus || self.link != Some(LinkState::Up) {
            // A board that comes back is dark.
            self.lights = 0;
            return;
        }
        let wanted = match self.asked_square() {
            Some(square) => bit(Square::to_usize(square)),
            None => self.wrong_squares(),
        };
        if wanted == self.lights {
            return;
        }
        self.lights = wanted;
        let lit = WireSquare::all().filter(|wire| wanted & bit(self.turn.square(*wire)) != 0);
        self.outputs.push_back(Output::Command(Command::PegasusLeds(Leds::together(lit))));
    }

    /// Squares that stand wrong and have done so for a while; none where a move may be under way.
    fn wrong_squares(&mut self) -> Squares {
        let sensed = self.occupied_now();
        let last = self.image.last_change();
        let expected = match self.play.as_ref() {
            Some(play) if play.over => return 0,
            Some(play) => super::blind::occupied(play.expected()),
            // Nearly the start position: the rest of the pieces is being put up.
            None => super::blind::occupied(&Placement::of(&shakmaty::Board::new())),
        };
        let wrong = expected ^ sensed;
        let missing_only = wrong & sensed == 0;
        let is_hand = self.play.is_some() && !self.restoring && missing_only && wrong.count_ones() <= IN_HANDS;
        let many = wrong.count_ones() as usize > LED_SQUARES;
        if wrong == 0 || is_hand || many || self.wire.is_none() {
            self.set(Timer::Lights, None);
            return 0;
        }
        if self.now < last + WRONG_MS {
            self.set(Timer::Lights, Some(last + WRONG_MS));
            // What is lit already stays until its squares are right.
            return each(wrong & self.lights).fold(0, |set, square| set | bit(square));
        }
        wrong
    }
}

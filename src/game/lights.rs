//! What a board with LEDs shows to its players: the square of a promotion that is asked for, and squares to put right.
use crate::placement::{Placement, Squares, bit, each, occupied};
use crate::recogniser::state::Recogniser;
use crate::settings::Settings;
use crate::watcher::Watcher;
use dgt_protocol::command::Command;
use dgt_protocol::pegasus::{LED_SQUARES, Leds};
use dgt_protocol::square::WireSquare;
use flagfall_events::{BoardKind, LinkState, Mono};
use shakmaty::Square;

/// So long squares must stand wrong before they are lit: a hand at work needs no light.
const WRONG_MS: u64 = 5_000;
/// So many pieces may be in hands: the mover's, and one he takes.
const IN_HANDS: u32 = 2;

/// What is lit.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lights {
    /// Squares whose LEDs were told to be lit.
    lit: Squares,
    /// When squares that stand wrong are lit.
    due: Option<Mono>,
}

impl Lights {
    /// When squares that stand wrong are lit.
    pub(crate) const fn deadline(&self) -> Option<Mono> {
        self.due
    }

    pub(crate) const fn are_dark(&self) -> bool {
        self.lit == 0
    }

    /// What to tell the board, when that changes.
    pub(crate) fn show(&mut self, now: Mono, settings: &Settings, watcher: &Watcher, played: &Recogniser) -> Option<Command> {
        self.due = self.due.filter(|due| *due > now);
        if settings.kind != BoardKind::Pegasus || watcher.link != Some(LinkState::Up) {
            // A board that comes back is dark.
            self.lit = 0;
            return None;
        }
        let wanted = match played.asked_square() {
            Some(square) => bit(Square::to_usize(square)),
            None => self.wrong_squares(now, watcher, played),
        };
        if wanted == self.lit {
            return None;
        }
        self.lit = wanted;
        let lit = WireSquare::all().filter(|wire| wanted & bit(watcher.turn.square(*wire)) != 0);
        Some(Command::PegasusLeds(Leds::together(lit)))
    }

    /// Squares that stand wrong and have done so for a while; none where a move may be under way.
    fn wrong_squares(&mut self, now: Mono, watcher: &Watcher, played: &Recogniser) -> Squares {
        let sensed = occupied(watcher.image.placement());
        let last = watcher.image.last_change();
        let expected = match played.play.as_ref() {
            Some(play) if play.over => return 0,
            Some(play) => occupied(play.expected()),
            // Nearly the start position: the rest of the pieces is being put up.
            None => occupied(&Placement::of(&shakmaty::Board::new())),
        };
        let wrong = expected ^ sensed;
        let missing_only = wrong & sensed == 0;
        let is_hand = played.play.is_some() && !played.restoring && missing_only && wrong.count_ones() <= IN_HANDS;
        let many = wrong.count_ones() as usize > LED_SQUARES;
        if wrong == 0 || is_hand || many || watcher.wire.is_none() {
            self.due = None;
            return 0;
        }
        if now < last + WRONG_MS {
            self.due = Some(last + WRONG_MS);
            // What is lit already stays until its squares are right.
            return each(wrong & self.lit).fold(0, |set, square| set | bit(square));
        }
        wrong
    }
}

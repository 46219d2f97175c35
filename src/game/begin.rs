//! When a game begins: the start position stands, whichever way round, and no other game is going on.
use super::entered::position_of;
use super::orientation::{Found, Turn, find_start};
use super::placement::Image;
use super::play::Play;
use super::position::Position;
use super::{Game, Timer};
use dgt_protocol::square::PieceCode;
use flagfall_events::BoardKind;
use flagfall_laws::Edition;

/// Pieces of the start position.
const PIECES: usize = 32;
/// What White may have in his hand.
const PIECES_WHITE: [PieceCode; 6] = [
    PieceCode::WhitePawn,
    PieceCode::WhiteKnight,
    PieceCode::WhiteBishop,
    PieceCode::WhiteRook,
    PieceCode::WhiteQueen,
    PieceCode::WhiteKing,
];

impl Game {
    pub(super) fn find_start(&self) -> Option<Found> {
        let wire = self.wire.as_ref()?;
        let agreed = self.settings.start_fen.as_deref().and_then(position_of);
        find_start(wire, agreed.as_ref(), self.settings.kind != BoardKind::Dgt)
    }

    /// Begins a game when the start position stands and none is going on.
    pub(super) fn try_start(&mut self) -> bool {
        // Before the first move the board may still be turned or set up anew.
        let idle = self.play.as_ref().is_none_or(|p| !p.over && p.record.plies().is_empty());
        let Some(found) = idle.then(|| self.find_start()).flatten() else { return false };
        if self.play.as_ref().is_some_and(|p| self.turn == found.turn && p.ground().position == found.position) {
            return false;
        }
        self.begin(found);
        true
    }

    /// No game is on: none is known, or the last one is over and its pieces are gone.
    pub(super) fn is_free(&self) -> bool {
        self.play.as_ref().is_none_or(|play| play.said && play.over && !play.cancelled && !self.stage.runs_on && !self.stage.follows)
    }

    /// Begins a game when the clock runs and only a piece of the player to move is missing from the start position: it is in his hand.
    pub(super) fn try_start_in_hand(&mut self) {
        let may_begin = self.is_free() || self.stage.cleared;
        let Some(wire) = self.wire.filter(|_| may_begin && self.clock.running().is_some()) else { return };
        if wire.iter().filter(|code| **code != PieceCode::Empty).count() != PIECES - 1 || self.settings.kind != BoardKind::Dgt {
            return;
        }
        let agreed = self.settings.start_fen.as_deref().and_then(position_of);
        for square in (0..wire.len()).filter(|&square| wire[square] == PieceCode::Empty) {
            for missing in PIECES_WHITE {
                let mut whole = wire;
                whole[square] = missing;
                if let Some(found) = find_start(&whole, agreed.as_ref(), false) {
                    self.next_game_stands(found);
                    return;
                }
            }
        }
    }

    pub(super) fn begin(&mut self, found: Found) {
        self.start_is_right();
        self.turn = found.turn;
        if let Some(wire) = &self.wire {
            self.image = Image::new(self.turn.placement(wire));
        }
        if self.clock.sides_open() {
            // The clock stands on the connector's side, which is White's left unless the board is turned.
            self.clock.set_white(if found.turn == Turn::Half { super::clock::Side::Right } else { super::clock::Side::Left });
        }
        self.start(found.position, found.chess960);
    }

    pub(super) fn start(&mut self, position: Position, chess960: bool) {
        // A start position that was exchanged for another one before the first move is still the same game's.
        let at_once = self.put_away();
        self.forget_the_unread();
        self.recovering = false;
        self.restoring = false;
        self.displaced = None;
        self.touches.clear();
        self.made_times.clear();
        self.made_on.clear();
        self.next_before_clock = 1;
        self.assisted.clear();
        self.findings.new_game();
        (self.last_press, self.evidence_from) = (None, self.seq + 1);
        self.clock.new_game(self.now);
        for timer in [Timer::Made, Timer::Press, Timer::Complete, Timer::End, Timer::Kings, Timer::SetUp, Timer::Disorder, Timer::Displaced]
        {
            self.set(timer, None);
        }
        let mut play = Play::new(position, chess960, self.settings.kind != BoardKind::Dgt);
        play.automatic_draws = Edition::of(self.settings.rules).automatic_draws;
        self.play = Some(play);
        if at_once {
            self.has_begun(0);
        }
    }
}

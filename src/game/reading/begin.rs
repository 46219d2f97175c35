//! When a game begins: the start position stands, whichever way round, and no other game is going on.
use crate::reading::view::Reading;
use crate::recogniser::play::Play;
use crate::referee::facts::Fact;
use crate::timers::Timer;
use crate::watcher::orientation::{Found, PIECES, Turn, find_start};
use dgt_protocol::square::PieceCode;
use flagfall_events::BoardKind;
use flagfall_hands::position::{Position, position_of};
use flagfall_laws::Edition;

/// What White may have in his hand.
const PIECES_WHITE: [PieceCode; 6] = [
    PieceCode::WhitePawn,
    PieceCode::WhiteKnight,
    PieceCode::WhiteBishop,
    PieceCode::WhiteRook,
    PieceCode::WhiteQueen,
    PieceCode::WhiteKing,
];

impl Reading<'_> {
    pub(crate) fn find_start(&self) -> Option<Found> {
        self.watcher.find_start(self.settings)
    }

    /// Begins a game when the start position stands and none is going on.
    pub(crate) fn try_start(&mut self) -> bool {
        // Before the first move the board may still be turned or set up anew.
        let idle = self.own.play.as_ref().is_none_or(|p| !p.over && p.record.plies().is_empty());
        let Some(found) = idle.then(|| self.find_start()).flatten() else { return false };
        if self.own.play.as_ref().is_some_and(|p| self.watcher.turn == found.turn && p.ground().position == found.position) {
            return false;
        }
        self.begin(found);
        true
    }

    /// No game is on: none is known, or the last one is over and its pieces are gone.
    pub(crate) fn is_free(&self) -> bool {
        self.own
            .play
            .as_ref()
            .is_none_or(|play| play.said && play.over && !play.cancelled && !self.own.stage.runs_on && !self.own.stage.follows)
    }

    /// Begins a game when the clock runs and only a piece of the player to move is missing from the start position: it is in his hand.
    pub(crate) fn try_start_in_hand(&mut self) {
        let may_begin = self.is_free() || self.own.stage.cleared;
        let Some(wire) = self.watcher.wire.filter(|_| may_begin && self.clocks.running().is_some()) else { return };
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

    pub(crate) fn begin(&mut self, found: Found) {
        self.tell(Fact::RightStart);
        self.watcher.turn_to(found.turn);
        if self.clocks.sides_open() {
            // The clock stands on the connector's side, which is White's left unless the board is turned.
            self.clocks.seat(if found.turn == Turn::Half { crate::clock::Side::Right } else { crate::clock::Side::Left });
        }
        self.start(found.position, found.chess960);
    }

    pub(crate) fn start(&mut self, position: Position, chess960: bool) {
        // A start position that was exchanged for another one before the first move is still the same game's.
        let at_once = self.put_away();
        self.forget_the_unread();
        self.recovery.recovering = false;
        self.own.restoring = false;
        self.tell(Fact::NewGame);
        self.clocks.new_game(self.now);
        for timer in [Timer::Made, Timer::Press, Timer::Complete, Timer::End, Timer::Kings, Timer::SetUp, Timer::Disorder] {
            self.set(timer, None);
        }
        let mut play = Play::new(position, chess960, self.settings.kind != BoardKind::Dgt);
        play.automatic_draws = Edition::of(self.settings.rules).automatic_draws;
        self.own.play = Some(play);
        if at_once {
            self.has_begun(0);
        }
    }
}

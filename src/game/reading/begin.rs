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

    /// Begins a game when the clock runs and the start position stands, or only a piece of the player to move is missing from it: it is in his hand.
    pub(crate) fn try_start_in_hand(&mut self) -> bool {
        let may_begin = self.is_free() || self.own.stage.cleared;
        if !may_begin || self.clocks.running().is_none() {
            return false;
        }
        let Some(found) = self.find_start().or_else(|| self.start_in_hand()) else { return false };
        self.next_game_stands(found);
        true
    }

    fn start_in_hand(&self) -> Option<Found> {
        let wire = self.watcher.wire.filter(|_| self.settings.kind == BoardKind::Dgt)?;
        if wire.iter().filter(|code| **code != PieceCode::Empty).count() != PIECES - 1 {
            return None;
        }
        let agreed = self.settings.start_fen.as_deref().and_then(position_of);
        (0..wire.len()).filter(|&square| wire[square] == PieceCode::Empty).find_map(|square| {
            PIECES_WHITE.into_iter().find_map(|missing| {
                let mut whole = wire;
                whole[square] = missing;
                find_start(&whole, agreed.as_ref(), false)
            })
        })
    }

    pub(crate) fn begin(&mut self, found: Found) {
        self.stand_as(found.turn);
        self.start(found.position, found.chess960);
    }

    /// The pieces of a game stand this way round.
    pub(crate) fn stand_as(&mut self, turn: Turn) {
        self.tell(Fact::RightStart);
        self.watcher.turn_to(turn);
        if self.clocks.sides_open() {
            // The clock stands on the connector's side, which is White's left unless the board is turned.
            self.clocks.seat(if turn == Turn::Half { crate::clock::Side::Right } else { crate::clock::Side::Left });
        }
    }

    pub(crate) fn start(&mut self, position: Position, chess960: bool) {
        if self.stand_ready(position, chess960) {
            self.has_begun(0);
        }
    }

    /// A game may begin from this position; `true`: it is said at once.
    pub(crate) fn stand_ready(&mut self, position: Position, chess960: bool) -> bool {
        // A start position that was exchanged for another one before the first move is still the same game's.
        let at_once = self.put_away();
        self.forget_the_unread();
        (self.recovery.recovering, self.recovery.unseen, self.recovery.last_heard) = (false, false, None);
        self.own.restoring = false;
        self.tell(Fact::NewGame);
        self.clocks.new_game(self.now);
        for timer in [Timer::Made, Timer::Press, Timer::Complete, Timer::End, Timer::Kings, Timer::SetUp, Timer::Disorder] {
            self.set(timer, None);
        }
        let mut play = Play::new(position, chess960, self.settings.kind != BoardKind::Dgt);
        play.automatic_draws = Edition::of(self.settings.rules).automatic_draws;
        self.own.play = Some(play);
        at_once
    }
}

//! The board before the first move: pieces that stand wrong (7.2.1), and a board that is turned by a quarter (7.2.2).
use crate::placement::{Placement, Squares};
use crate::reading::view::Reading;
use crate::referee::displaced::misplaced;
use crate::referee::facts::Fact;
use crate::timers::Timer;
use crate::watcher::orientation::{Found, Turn};
use alloc::vec::Vec;
use dgt_protocol::square::PieceCode;
use flagfall_events::BoardKind;
use flagfall_hands::position::{Position, agreed_start};
use flagfall_laws::irregularity::{Misplaced, Phase};
use shakmaty::{Bitboard, Piece, Setup, Square};

/// With more squares wrong than this the board is not set up yet, or for something else.
pub(crate) const SQUARES: u32 = 6;
/// The third rank to the sixth.
const MIDDLE: Squares = 0x0000_FFFF_FFFF_0000;
/// So long the pieces must stand wrong while no clock runs.
const STANDS_MS: u64 = 10_000;

impl Reading<'_> {
    /// The picture, the clock or the game has changed: does a game begin from a wrong position, or has it?
    pub(crate) fn watch_start(&mut self) {
        self.hearing().note_turned_board();
        if self.referee().wrong_start().is_some() {
            // 7.2.1: what it means changes with the first move, and with the result.
            self.tell(Fact::WrongStartAt(match self.own.play.as_ref() {
                Some(play) if play.over => Phase::After,
                Some(play) if !play.record.plies().is_empty() => Phase::During,
                _ => Phase::BeforeMove1,
            }));
        }
        let Some((turn, wrong, all)) = self.almost_start() else {
            self.set(Timer::Start, None);
            return;
        };
        if self.clocks.running().is_some() {
            self.set(Timer::Start, None);
            if !all && self.try_start_in_hand() {
                return;
            }
            // After a game that has ended a piece that is missing is still to come.
            if self.own.play.is_none() || all {
                self.start_wrong(turn, wrong);
            }
        } else if self.referee().wrong_start().is_some() {
            self.tell(Fact::StillWrongStart(self.misplaced_at_the_start(wrong)));
        } else if self.own.play.is_none() && self.timer(Timer::Start).is_none() {
            self.set(Timer::Start, Some(self.now + STANDS_MS));
        }
    }

    /// The pieces have stood wrong long enough.
    pub(crate) fn start_stands(&mut self) {
        let quiet_from = self.watcher.image.last_change() + STANDS_MS;
        match self.almost_start() {
            Some(_) if quiet_from > self.now => self.set(Timer::Start, Some(quiet_from)),
            Some((turn, wrong, true)) => {
                self.turn_to(turn);
                self.tell(Fact::WrongStart(self.misplaced_at_the_start(wrong)));
            }
            _ => {}
        }
    }

    pub(crate) fn agreed_start(&self) -> Position {
        agreed_start(self.settings.start_fen.as_deref())
    }

    fn misplaced_at_the_start(&self, wrong: Squares) -> Vec<Misplaced> {
        misplaced(&Placement::of(self.agreed_start().board()), self.watcher.image.placement(), wrong)
    }

    /// No game is on, and a few squares differ from the start position: how the board stands, which squares, whether all pieces are there.
    fn almost_start(&self) -> Option<(Turn, Squares, bool)> {
        // From another position few squares differ after few moves.
        let known = self.own.play.is_none() || self.settings.start_fen.is_none();
        let wire =
            self.watcher.wire.as_ref().filter(|_| known && self.is_free() && !self.recovery.gap && self.settings.kind == BoardKind::Dgt)?;
        let wanted = Placement::of(self.agreed_start().board());
        let turned = [Turn::None, Turn::Half].map(|turn| (turn, turn.placement(wire)));
        let (turn, sensed) = turned.into_iter().min_by_key(|(_, sensed)| sensed.diff(&wanted).count_ones())?;
        let wrong = sensed.diff(&wanted);
        let pieces = |placement: &Placement| placement.0.iter().filter(|code| **code != PieceCode::Empty).count();
        let all = pieces(&sensed) == pieces(&wanted);
        // A piece in the middle of the board has moved there: the game is on already.
        let moved = self.settings.start_fen.is_none() && wrong & MIDDLE != 0;
        (wrong != 0 && !moved && wrong.count_ones() <= SQUARES).then_some((turn, wrong, all))
    }

    fn turn_to(&mut self, turn: Turn) {
        if self.watcher.wire.is_some() && self.watcher.turn != turn {
            self.watcher.turn_to(turn);
        }
    }

    /// The clock runs: the game begins from what stands there, and the record shows it.
    fn start_wrong(&mut self, turn: Turn, wrong: Squares) {
        self.turn_to(turn);
        let position = as_it_stands(&self.agreed_start(), self.watcher.image.placement());
        // What was found before stays found in the game that begins.
        self.tell(Fact::KeepWrongStart);
        self.begin(Found { turn, position, chess960: false });
        self.tell(Fact::KeptWrongStart);
        if self.referee().wrong_start().is_none() {
            self.tell(Fact::WrongStart(self.misplaced_at_the_start(wrong)));
        }
    }
}

/// The agreed start with these pieces; who stands at home may castle.
fn as_it_stands(start: &Position, sensed: &Placement) -> Position {
    let board = sensed.board();
    let at_home = |square: Square| start.board().piece_at(square) == board.piece_at(square);
    let king_at_home = |rook: Square| {
        let color = start.board().color_at(rook);
        let king = color.and_then(|color| start.board().king_of(color));
        king.is_some_and(at_home) && start.board().piece_at(rook).is_some_and(|piece: Piece| board.piece_at(rook) == Some(piece))
    };
    let castling_rights: Bitboard = start.castling_rights().into_iter().filter(|rook| king_at_home(*rook)).collect();
    Position::of_setup(Setup { board, castling_rights, ep_square: None, ..start.setup() })
}

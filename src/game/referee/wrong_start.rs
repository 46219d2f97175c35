//! The findings about the board before the first move: pieces that stand wrong (7.2.1), and a board that is turned by a quarter (7.2.2).
use crate::referee::hearing::Hearing;
use crate::watcher::orientation::Turn;
use alloc::vec::Vec;
use flagfall_hands::position::agreed_start;
use flagfall_laws::Irregularity;
use flagfall_laws::irregularity::{Misplaced, Phase, WrongInitialPosition};

impl Hearing<'_> {
    pub(crate) fn find_wrong_start(&mut self, squares: Vec<Misplaced>) {
        let start_fen = agreed_start(self.scene.settings.start_fen.as_deref()).fen();
        let fact = WrongInitialPosition { squares, start_fen, phase: Phase::BeforeMove1 };
        self.find(Irregularity::WrongInitialPosition(fact), self.own.evidence_from);
    }

    /// Before the first move the squares are counted down.
    pub(crate) fn recount_wrong_start(&mut self, squares: Vec<Misplaced>) {
        self.update_wrong_start(|fact| fact.squares = squares);
    }

    /// 7.2.1: what it means changes with the first move, and with the result.
    pub(crate) fn follow_wrong_start(&mut self, phase: Phase) {
        self.update_wrong_start(|fact| fact.phase = phase);
    }

    fn update_wrong_start(&mut self, change: impl FnOnce(&mut WrongInitialPosition)) {
        let Some(id) = self.own.wrong_start() else { return };
        self.update_finding(id, |irregularity| {
            if let Irregularity::WrongInitialPosition(fact) = irregularity {
                change(fact);
            }
        });
    }

    /// The pieces were put right, or the board was turned, before the first move.
    pub(crate) fn start_is_right(&mut self) {
        self.withdraw(|irregularity| matches!(irregularity, Irregularity::WrongInitialPosition(_) | Irregularity::BoardTurned { .. }));
    }

    /// 7.2.2: the game goes on; where the pieces belong on a board that stands right is in the finding.
    pub(crate) fn note_turned_board(&mut self) {
        let turned = self.scene.play.is_some() && matches!(self.scene.turn, Turn::QuarterLeft | Turn::QuarterRight);
        if turned && !self.own.findings.found.iter().any(|found| matches!(found.irregularity, Irregularity::BoardTurned { .. })) {
            let placement = self.scene.image.placement().fen();
            self.find(Irregularity::BoardTurned { placement }, self.own.evidence_from);
        }
    }
}

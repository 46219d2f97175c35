//! Which pieces were touched, in what order and when (4.2, 4.3, 6.2.5): recorded, never judged.
use crate::placement::{colour, piece};
use crate::referee::hearing::Hearing;
use crate::referee::touches::{Lift, MOST};
use alloc::vec::Vec;
use dgt_protocol::square::PieceCode;
use flagfall_events::{Body, Colour, Mono, TouchedPiece};

impl Hearing<'_> {
    /// The player whose time runs; without a clock the player to move.
    fn at_move(&self) -> Option<Colour> {
        let play = self.scene.play.filter(|p| !p.over)?;
        Some(self.scene.clock.running().filter(|_| self.scene.clock.in_use()).unwrap_or_else(|| play.top().turn()))
    }

    /// One square changed; called before anything is made of it.
    pub(crate) fn touch(&mut self, square: usize, was: PieceCode, now: PieceCode) {
        let Some(by) = self.at_move().filter(|_| !self.own.in_disorder()) else { return };
        let Some(play) = self.scene.play else { return };
        if now == PieceCode::Empty {
            // A piece on its way over other squares is not lifted there.
            let at_home = play.expected().0[square] == was || play.ground().placement.0[square] == was;
            if at_home && self.own.touches.lifts.len() < MOST && !play.occupancy() {
                self.own.touches.lifts.push(Lift { square, piece: was, at: self.scene.now, up: true, down: None, back: None });
            }
            return;
        }
        if let Some(lift) = self.own.touches.lifts.iter_mut().find(|lift| lift.piece == now && lift.down.is_none()) {
            lift.down = Some(self.scene.now);
        }
        let Some(lift) = self.own.touches.lifts.iter_mut().rev().find(|lift| lift.up && lift.square == square && lift.piece == now) else {
            return;
        };
        lift.up = false;
        lift.back = Some(self.scene.now);
        let lift = *lift;
        let Some(own) = piece(lift.piece).map(|p| colour(p.color) == by) else { return };
        let with_own = self.own.touches.lifts.iter().any(|other| piece(other.piece).is_some_and(|p| colour(p.color) == by));
        if own || with_own {
            self.say_touched(lift, by, own, Some(self.scene.now));
        } else if self.scene.clock.in_use() && self.scene.clock.running().is_some() {
            self.adjusted_out_of_turn(by.other(), lift.square, lift.piece);
        }
    }

    fn say_touched(&mut self, lift: Lift, by: Colour, own: bool, returned: Option<Mono>) {
        let Some((piece, square)) = piece(lift.piece).zip(u8::try_from(lift.square).ok().and_then(flagfall_events::Square::new)) else {
            return;
        };
        self.say(Body::TouchedPiece(TouchedPiece { by, piece: piece.char(), square, own, lifted: lift.at, returned }));
    }

    /// A move was made: what it moved or took is no touch, and pieces of its player that are still in the air were touched before it.
    pub(crate) fn touched_before(&mut self) {
        let Some(play) = self.scene.play else { return };
        let Some(by) = play.record.plies().last().map(|ply| ply.by) else { return };
        let expected = *play.expected();
        let mut told = Vec::new();
        for lift in self.own.touches.lifts.iter_mut().filter(|lift| lift.up) {
            let stays = expected.0[lift.square] == lift.piece;
            let own = piece(lift.piece).is_some_and(|p| colour(p.color) == by);
            // The opponent's piece may be in the air for his answer.
            lift.up = stays && !own;
            if stays && own {
                told.push(*lift);
            }
        }
        for lift in told {
            self.say_touched(lift, by, true, None);
        }
    }
}

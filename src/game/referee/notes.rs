//! Notes and hints that need no ruling: late presses, unpressed moves, presses before the move stood, pieces adjusted out of turn.
use crate::placement::{colour, piece};
use crate::press::Press;
use crate::recogniser::record::number;
use crate::referee::hearing::Hearing;
use alloc::string::String;
use alloc::vec::Vec;
use dgt_protocol::square::PieceCode;
use flagfall_events::{Colour, Key, Mono, PressCounter};
use flagfall_laws::irregularity::TwoHands;
use flagfall_laws::{Edition, Irregularity};
use shakmaty::Square;

/// A board that has lost a message within this time may lose the next one, milliseconds.
const LOSES_MS: u64 = 600_000;

impl Hearing<'_> {
    /// When the ply with this index was made.
    pub(crate) fn made_at(&self, index: usize) -> Option<Mono> {
        self.own.made_times.get(index).copied()
    }

    /// A move was announced, at this moment, or taken back.
    pub(crate) fn note_made(&mut self, ply: u32) {
        let index = usize::try_from(ply).unwrap_or(usize::MAX).saturating_sub(1);
        self.own.made_times.truncate(index);
        self.own.made_times.resize(index, self.scene.now);
        self.own.made_times.push(self.scene.now);
        let runs = self.scene.clock.running().filter(|_| self.scene.clock.in_use());
        self.own.made_on.truncate(index);
        self.own.made_on.resize(index, runs);
        self.own.made_on.push(runs);
    }

    /// Russia 1.16.2, last sentence: moves that were made and answered while their players' clocks did not run, since nobody pressed.
    pub(crate) fn moves_before_the_clock(&mut self) {
        if Edition::of(self.scene.settings.rules).article(Key::MovedBeforeClock).is_none() {
            return;
        }
        let Some(play) = self.scene.play else { return };
        let plies = play.record.plies();
        let upto = if play.over { plies.len() } else { plies.len().saturating_sub(1) };
        let from = self.own.next_before_clock.clamp(1, plies.len().max(1));
        let before_clock = |index: &usize| {
            let (answered, reply) = (&plies[index - 1], &plies[*index]);
            let ran = self.own.made_on.get(*index).copied().flatten();
            !answered.pressed && reply.by != answered.by && ran == Some(answered.by)
        };
        let found: Vec<(usize, Colour)> = (from..upto).filter(before_clock).map(|index| (index, plies[index].by)).collect();
        self.own.next_before_clock = from.max(upto);
        for (index, by) in found {
            self.moved_before_clock(by, number(index), None);
        }
    }

    /// Notes it once; a press that comes after all tells how long before.
    fn moved_before_clock(&mut self, by: Colour, ply: u32, before_ms: Option<u64>) {
        let same = |i: &Irregularity| matches!(i, Irregularity::MovedBeforeClock { ply: known, .. } if *known == ply);
        self.revise_or_find(Irregularity::MovedBeforeClock { by, ply, before_ms }, same);
    }

    /// 6.2.6: an assistant presses for this player; late and missing presses are not his.
    fn is_assisted(&self, by: Colour) -> bool {
        self.own.assisted.contains(&by)
    }

    /// 6.2.1.2: moves that were completed by their player's next move, their clock not pressed.
    pub(crate) fn unpressed(&mut self, indices: &[usize]) {
        for &index in indices {
            let Some(play) = self.scene.play else { return };
            let Some(ply) = play.record.plies().get(index) else { continue };
            let missing = |by: Colour| {
                let plies = play.record.plies().iter().take(index + 2);
                i32::try_from(plies.filter(|p| p.by == by && !p.pressed).count()).unwrap_or(i32::MAX)
            };
            let behind = PressCounter { white: missing(Colour::White), black: missing(Colour::Black) };
            let fact = Irregularity::UnpressedMove { by: ply.by, ply: number(index), uci: ply.uci.clone(), behind };
            let unheard = self.made_at(index).is_some_and(|made| self.scene.clock.was_gone_since(made));
            if !self.is_assisted(ply.by) && !unheard {
                self.find(fact, self.own.evidence_from);
            }
        }
    }

    /// 6.2.2, and Russia 1.16.2: the move of a press was answered before it.
    pub(crate) fn answered_before(&mut self, index: usize, press: &Press) {
        let Some(answered) = self.made_at(index + 1).filter(|at| *at < press.at) else { return };
        let Some(reply) = self.scene.play.and_then(|p| p.record.plies().get(index + 1)).map(|ply| ply.by) else { return };
        let after_ms = press.at.since(answered);
        if self.scene.clock.waited_since(answered) {
            return;
        }
        if !self.is_assisted(press.by) {
            self.find(Irregularity::LatePress { by: press.by, ply: number(index), after_ms }, self.own.evidence_from);
        }
        self.moved_before_clock(reply, number(index + 1), Some(after_ms));
    }

    /// 6.2.4: pressed while the piece was in the air; it came down later, and the press counts for it.
    pub(crate) fn pressed_before_moving(&mut self, index: usize, press: &Press) {
        // A move that was found together with its answer may have stood long before.
        let found_late = self.made_at(index + 1).is_some_and(|next| Some(next) == self.made_at(index));
        let in_air = press.in_air && !found_late;
        if let Some(at) = self.made_at(index).filter(|_| in_air) {
            self.stood_after_the_press(index, press, at);
        }
    }

    /// 6.2.4: the last piece of this move came to stand only then.
    pub(crate) fn stood_after_the_press(&mut self, index: usize, press: &Press, stood: Mono) {
        let early_ms = stood.since(press.at);
        if !self.stands(index, press.by) || self.scene.clock.waited_since(press.at) {
            return;
        }
        // What was lost may be the moment when it came down.
        let all_came = self.scene.lost.is_none_or(|last| last + LOSES_MS < press.at);
        if early_ms > self.scene.scan_ms && all_came {
            let fact = Irregularity::PressBeforeMove { by: press.by, ply: number(index), early_ms, scan_ms: self.scene.scan_ms };
            self.find(fact, self.own.evidence_from);
        }
    }

    /// A piece of the player whose move this is is read where that went: it was not found by what came after it.
    fn stands(&self, index: usize, by: Colour) -> bool {
        let Some(ply) = self.scene.play.and_then(|play| play.record.plies().get(index)) else { return false };
        let read = |square: Square| piece(self.scene.image.as_read().0[usize::from(square)]).map(|p| colour(p.color));
        ply.mv.is_castle() || read(ply.mv.to()) == Some(by)
    }

    /// 7.5.4 as a hint: what two hands would have done, by the lifts of this turn.
    pub(crate) fn hint_two_hands(&mut self, index: usize, press: &Press) {
        // What waited to be read came together, whatever the hands did.
        if self.scene.clock.is_behind() {
            return;
        }
        let Some((seen, within_ms)) = self.own.touches.two_hands(press.by) else { return };
        let castling = self.scene.play.and_then(|p| p.record.plies().get(index)).is_some_and(|ply| ply.mv.is_castle());
        let capture = self.scene.play.and_then(|p| p.record.plies().get(index)).is_some_and(|ply| ply.mv.is_capture());
        let fits = match seen {
            TwoHands::TwoOwnPieces => true,
            TwoHands::Capture => capture && !castling,
            TwoHands::Promotion => false,
        };
        if fits {
            self.find(Irregularity::TwoHandsHint { by: press.by, ply: number(index), seen, within_ms }, self.own.evidence_from);
        }
    }

    /// 6.2.5: a piece of this player was lifted and put back while his clock stood.
    pub(crate) fn adjusted_out_of_turn(&mut self, by: Colour, square: usize, code: PieceCode) {
        let Some((piece, square)) = piece(code).zip(u32::try_from(square).ok().map(Square::new)) else { return };
        self.find(Irregularity::AdjustedOutOfTurn { by, piece: piece.char(), square }, self.voice.seq());
    }

    /// 12.9: a second move of one side, none of the opponent between.
    pub(crate) fn two_moves_in_a_row(&mut self, by: Colour, uci: String, fen: String) {
        if self.own.findings.open().any(|found| matches!(found.irregularity, Irregularity::TwoMovesInARow { .. })) {
            return;
        }
        let Some((ply, last)) = self.scene.play.and_then(|p| Some((p.record.plies().len(), p.record.plies().last()?.uci.clone()))) else {
            return;
        };
        let before = flagfall_laws::irregularity::Before { fen, immediate: true, ..Default::default() };
        let fact = Irregularity::TwoMovesInARow { by, ply: number(ply), moves: [last, uci], before: Some(before) };
        self.find(fact, self.own.evidence_from);
    }

    /// The second move was taken back.
    pub(crate) fn second_move_is_gone(&mut self) {
        self.withdraw(|irregularity| matches!(irregularity, Irregularity::TwoMovesInARow { .. }));
    }
}

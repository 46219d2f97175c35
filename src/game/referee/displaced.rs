//! The finding about pieces that stand wrong (7.4.1, 7.6): said once, counted down square by square until they stand right.
use crate::placement::{Placement, Squares, each, piece};
use crate::referee::hearing::Hearing;
use crate::referee::state::{Displaced, Referee};
use crate::timers::Timer;
use alloc::vec::Vec;
use dgt_protocol::square::PieceCode;
use flagfall_events::{Mono, Status};
use flagfall_laws::Irregularity;
use flagfall_laws::irregularity::DisplacedPieces;
use flagfall_laws::irregularity::Misplaced;
use shakmaty::Square;

/// What stands wrong again so soon after it was put right is still the same.
const SAME_MS: u64 = 10_000;
/// A finding is not revised more often.
const REVISED_MS: u64 = 1_000;
/// What else stands wrong is not told more often, nor while hands are at it.
const OTHERS_MS: u64 = 10_000;

impl Referee {
    /// Whether pieces are known to stand wrong.
    pub(crate) fn in_disorder(&self) -> bool {
        self.displaced.is_some_and(|displaced| displaced.right.is_none())
    }

    /// Squares that were to be put right when that was said last.
    pub(crate) fn displaced_squares(&self) -> Option<Squares> {
        self.displaced.map(|displaced| displaced.squares)
    }

    /// 7.4.2: the opponent may stop the clocks where pieces stand wrong, or did a moment ago.
    pub(crate) fn stop_is_expected(&self, now: Mono) -> bool {
        self.displaced.is_some_and(|displaced| displaced.right.is_none_or(|at| now.since(at) < SAME_MS))
    }
}

impl Hearing<'_> {
    /// These squares stand wrong: said, or added to what was said.
    pub(crate) fn displaced(&mut self, wrong: Squares, fact: DisplacedPieces) {
        let now = self.scene.now;
        let is_same = |known: &Displaced| known.right.is_none_or(|at| now.since(at) < SAME_MS);
        match self.own.displaced.filter(|known| is_same(known) && self.own.findings.get(known.id).is_some()) {
            Some(known) => {
                let squares = wrong | if known.right.is_none() { known.squares } else { 0 };
                self.own.displaced = Some(Displaced { squares, right: None, ..known });
                self.tell_displaced();
            }
            None => {
                let id = self.find(Irregularity::DisplacedPieces(fact), self.own.evidence_from);
                let next = now + REVISED_MS;
                self.own.displaced = id.map(|id| Displaced { id, squares: wrong, right: None, next, told: wrong, penalised: false });
            }
        }
    }

    /// What stood wrong was legal play after all.
    pub(crate) fn played_after_all(&mut self) {
        if let Some(displaced) = self.own.displaced.take() {
            self.close(displaced.id, Status::Withdrawn);
        }
    }

    /// So many squares are left, or none since now.
    pub(crate) fn still_displaced(&mut self, squares: Squares, is_right: bool) {
        if let Some(displaced) = self.own.displaced.as_mut() {
            displaced.squares = squares;
            displaced.right = if is_right { Some(self.scene.now) } else { displaced.right };
        }
        self.tell_displaced();
    }

    /// Says what is left to put right.
    pub(crate) fn tell_displaced(&mut self) {
        let Some((play, displaced)) = self.scene.play.zip(self.own.displaced) else { return };
        let (fen, said) = (play.top().position.fen(), self.voice.seq());
        let due = displaced.next.max(self.displaced_due(&displaced, &fen));
        if self.scene.now < due {
            self.set(Timer::Displaced, Some(due));
            return;
        }
        let squares = misplaced(play.expected(), self.scene.image.as_read(), displaced.squares);
        self.update_finding(displaced.id, |irregularity| {
            if let Irregularity::DisplacedPieces(fact) = irregularity {
                (fact.squares, fact.fen, fact.put_right) = (squares, fen, displaced.right.is_some());
            }
        });
        if self.voice.seq() > said {
            self.own.displaced = Some(Displaced { next: self.scene.now + REVISED_MS, told: displaced.squares, ..displaced });
        }
        if displaced.penalised && displaced.right.is_some() {
            self.close(displaced.id, Status::Confirmed);
        }
    }

    /// From when on it is news how they stand: at once where a square was put right or a move was made; else, while nothing becomes better, when hands rest.
    fn displaced_due(&self, displaced: &Displaced, fen: &str) -> Mono {
        let told = self.own.findings.get(displaced.id).map(|found| &found.irregularity);
        let same_position = matches!(told, Some(Irregularity::DisplacedPieces(fact)) if fact.fen == fen);
        let fewer = displaced.squares & !displaced.told == 0 && displaced.squares != displaced.told;
        if displaced.right.is_some() || fewer || !same_position {
            return Mono::ZERO;
        }
        (displaced.next + (OTHERS_MS - REVISED_MS)).max(self.scene.image.last_change() + REVISED_MS)
    }

    /// 7.4.3: the arbiter entered a penalty; what was put right needs no ruling any more.
    pub(crate) fn penalty_entered(&mut self) {
        let done = |i: &Irregularity| matches!(i, Irregularity::DisplacedPieces(fact) if fact.put_right);
        let ids: Vec<u64> = self.own.findings.open().filter(|found| done(&found.irregularity)).map(|found| found.id).collect();
        for id in ids {
            self.close(id, Status::Confirmed);
        }
        if let Some(displaced) = self.own.displaced.as_mut() {
            displaced.penalised = true;
        }
        self.tell_displaced();
    }
}

/// What stands on these squares, and should.
pub(crate) fn misplaced(expected: &Placement, sensed: &Placement, wrong: Squares) -> Vec<Misplaced> {
    let letter = |code: PieceCode| piece(code).map(|piece| piece.char());
    let one = |square: usize| {
        let name = Square::new(u32::try_from(square).unwrap_or(0));
        Misplaced { square: name, is: letter(sensed.0[square]), should: letter(expected.0[square]) }
    };
    each(wrong).map(one).collect()
}

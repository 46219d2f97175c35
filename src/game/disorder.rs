//! Pieces that stand where no move put them (7.4.1, 7.6): said once, counted down square by square, and no move is recorded meanwhile.
use super::event::{Colour, Status};
use super::placement::{Placement, Squares, each, piece};
use super::play::Play;
use super::{Game, Timer, kings};
use crate::rulebook::Irregularity;
use crate::rulebook::irregularity::{DisplacedPieces, Misplaced};
use dgt_protocol::square::PieceCode;
use shakmaty::Square;

/// Squares from which on it is disorder; fewer may be a hand at work.
const SQUARES: u32 = 3;
/// So long it must stand unexplained.
const STANDS_MS: u64 = 2_000;
/// So long a single piece of the player who is not to move must stand elsewhere.
const SHIFTED_STANDS_MS: u64 = 10_000;
/// So long a second move of the same player must stand.
const SECOND_MOVE_MS: u64 = 3_000;

/// What is wrong on the board.
#[derive(Clone, Debug, PartialEq)]
enum Disorder {
    Pieces(Squares),
    /// One side's second move in a row.
    SecondMove(Colour, String),
}

impl Game {
    /// Whether pieces are known to stand wrong.
    pub(super) fn in_disorder(&self) -> bool {
        self.findings.open().any(|found| matches!(found.irregularity, Irregularity::DisplacedPieces(_)))
    }

    /// The picture changed, or has settled.
    pub(super) fn watch_board(&mut self) {
        let moves_count = !self.is_being_put_up();
        self.restoring = self.restoring
            && self.play.as_ref().is_some_and(|p| p.expected() != self.image.placement() && !(moves_count && p.next_move(&self.image)));
        self.watch_disorder();
        self.recount_later_moves();
        self.count_on();
    }

    /// The arbiter puts a position up while the clock stands: what looks like a move on the way is none.
    pub(super) fn is_being_put_up(&self) -> bool {
        self.restoring && self.clock.in_use() && self.clock.running().is_none()
    }

    fn watch_disorder(&mut self) {
        let open = self.findings.open().find(|found| matches!(found.irregularity, Irregularity::DisplacedPieces(_))).map(|found| found.id);
        if let Some(id) = open {
            self.count_down(id);
            return;
        }
        match self.disorder() {
            None => {
                self.set(Timer::Disorder, None);
                self.second_move_is_gone();
            }
            Some(found) if self.timer(Timer::Disorder).is_none() => {
                let wait = match found {
                    Disorder::Pieces(wrong) if wrong.count_ones() < SQUARES => SHIFTED_STANDS_MS,
                    Disorder::Pieces(_) => STANDS_MS,
                    Disorder::SecondMove(..) => SECOND_MOVE_MS,
                };
                self.set(Timer::Disorder, Some(self.now + wait));
            }
            Some(_) => {}
        }
    }

    /// What looks like disorder; whether legal play explains it after all is asked only when it has stood.
    fn disorder(&self) -> Option<Disorder> {
        let play = self.play.as_ref().filter(|p| !p.over && p.presses.is_empty())?;
        if self.recovering || self.gap || self.restoring || play.occupancy() {
            return None;
        }
        let wrong = play.expected().diff(self.image.placement());
        if wrong == 0
            || kings::shown(self.image.placement(), play.expected()).is_some()
            || kings::on_the_way(self.image.placement(), play.expected())
        {
            return None;
        }
        if let Some(second) = second_move(play, self.image.placement()) {
            return Some(second);
        }
        let many = wrong.count_ones() >= SQUARES || is_shifted(play, self.image.placement(), wrong);
        many.then_some(Disorder::Pieces(wrong))
    }

    pub(super) fn disorder_stood(&mut self) {
        let Some(found) = self.disorder() else { return };
        if self.image.last_change() + self.scan_ms > self.now {
            self.set(Timer::Disorder, Some(self.image.last_change() + self.scan_ms));
            return;
        }
        match found {
            Disorder::Pieces(wrong) => {
                let Some(play) = self.play.as_ref().filter(|p| !p.is_explained(&self.image, self.scan_ms)) else { return };
                let expected = *play.expected();
                let fact = DisplacedPieces {
                    by: None,
                    squares: misplaced(&expected, self.image.placement(), wrong),
                    fen: play.top().position.fen(),
                    immediate: true,
                    found_later: false,
                    knocked_over: knocked_over(&expected, self.image.placement(), wrong),
                };
                self.find(Irregularity::DisplacedPieces(fact), self.evidence_from);
            }
            Disorder::SecondMove(by, uci) => {
                let Some(play) = self.play.as_ref() else { return };
                let fen = play.top().position.fen();
                self.two_moves_in_a_row(by, uci, fen);
            }
        }
    }

    /// The opponent pressed the clock because of a second move: he has not moved a piece of the other's.
    pub(super) fn second_move_answered(&mut self) {
        let found = self.play.as_ref().and_then(|play| Some((second_move_of(play, self.image.placement())?, play.top().position.fen())));
        if let Some(((by, uci), fen)) = found {
            self.two_moves_in_a_row(by, uci, fen);
        }
    }

    /// Counts the squares down that are still wrong; with none left the finding is withdrawn.
    fn count_down(&mut self, id: u64) {
        let Some(play) = self.play.as_ref().filter(|p| !p.over) else { return };
        let expected = *play.expected();
        let wrong = expected.diff(self.image.placement());
        if wrong == 0 || play.next_move(&self.image) || play.exact_line(&self.image, self.scan_ms).is_some() {
            self.close(id, Status::Withdrawn);
            self.look();
            return;
        }
        let squares = misplaced(&expected, self.image.placement(), wrong);
        self.update_finding(id, |irregularity| {
            if let Irregularity::DisplacedPieces(fact) = irregularity {
                fact.squares = squares;
            }
        });
    }
}

/// 7.6: one piece of the player who is not to move stands on another square, and it was no move.
fn is_shifted(play: &Play, sensed: &Placement, wrong: Squares) -> bool {
    let expected = play.expected();
    let mut left = each(wrong).filter(|&s| sensed.0[s] == PieceCode::Empty);
    let mut came = each(wrong).filter(|&s| sensed.0[s] != PieceCode::Empty);
    let (Some(from), Some(to), None, None) = (left.next(), came.next(), left.next(), came.next()) else { return false };
    let theirs = piece(expected.0[from]).is_some_and(|p| super::placement::colour(p.color) == play.top().turn().other());
    theirs && sensed.0[to] == expected.0[from] && expected.0[to] == PieceCode::Empty
}

/// A legal move of the player who has just moved, as if it were his turn again.
fn second_move(play: &Play, sensed: &Placement) -> Option<Disorder> {
    let (by, uci) = second_move_of(play, sensed)?;
    Some(Disorder::SecondMove(by, uci))
}

/// The same: who made it, and the move.
pub(super) fn second_move_of(play: &Play, sensed: &Placement) -> Option<(Colour, String)> {
    let ground = play.top();
    let by = play.record.plies().last().filter(|ply| ply.completed && ply.by == ground.turn().other())?.by;
    if ground.placement.diff(sensed).count_ones() > 4 {
        return None;
    }
    let again = super::recognition::step::Ground::new(ground.position.with_turn(by), play.occupancy());
    let step = again.steps.iter().find(|step| step.play(&ground.placement) == *sensed)?;
    Some((by, super::recognition::step::uci(step.mv, play.chess960)))
}

pub(super) fn misplaced(expected: &Placement, sensed: &Placement, wrong: Squares) -> Vec<Misplaced> {
    let letter = |code: PieceCode| piece(code).map(|piece| piece.char());
    let one = |square: usize| {
        let name = Square::new(u32::try_from(square).unwrap_or(0));
        Misplaced { square: name, is: letter(sensed.0[square]), should: letter(expected.0[square]) }
    };
    each(wrong).map(one).collect()
}

/// Pieces that read as nothing while none has come anywhere: they lie on the board, or beside it.
fn knocked_over(expected: &Placement, sensed: &Placement, wrong: Squares) -> bool {
    each(wrong).filter(|&s| sensed.0[s] == PieceCode::Empty && expected.0[s] != PieceCode::Empty).count() >= 2
}

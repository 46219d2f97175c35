//! Pieces that stand where no move put them (7.4.1, 7.6): said once, counted down square by square until they stand right. The finding stays
//! for that game (7.4.3). What is not read as a move meanwhile is no move; a move that is pressed is one.
use super::placement::{Image, Placement, Squares, bit, each, piece};
use super::play::Play;
use super::recognition::disturbed;
use super::recognition::step::Step;
use super::stage::CLEARED;
use super::{Game, Timer, kings};
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use dgt_protocol::square::PieceCode;
use flagfall_events::{Colour, Mono, Status};
use flagfall_laws::Irregularity;
use flagfall_laws::irregularity::{DisplacedPieces, Misplaced};
use shakmaty::Square;

/// Squares from which on it is disorder; fewer may be a hand at work.
const SQUARES: u32 = 3;
/// So long it must stand unexplained.
const STANDS_MS: u64 = 2_000;
/// So long a single piece of the player who is not to move must stand elsewhere, or two exchanged.
const SHIFTED_STANDS_MS: u64 = 10_000;
/// So long a second move of the same player must stand.
const SECOND_MOVE_MS: u64 = 3_000;
/// What stands wrong again so soon after it was put right is still the same.
const SAME_MS: u64 = 10_000;
/// A finding is not revised more often.
const REVISED_MS: u64 = 1_000;

/// What is wrong on the board.
#[derive(Clone, Debug, PartialEq)]
enum Disorder {
    Pieces(Squares),
    /// One side's second move in a row.
    SecondMove(Colour, String),
}

/// Pieces that were found to stand wrong.
#[derive(Clone, Copy, Debug)]
pub(super) struct Displaced {
    /// Their finding.
    id: u64,
    /// Squares to put right.
    squares: Squares,
    /// Since when all stand right again.
    right: Option<Mono>,
    /// When its finding may be revised again.
    next: Mono,
    /// The arbiter entered a penalty.
    penalised: bool,
}

impl Game {
    /// Whether pieces are known to stand wrong.
    pub(super) fn in_disorder(&self) -> bool {
        self.displaced.is_some_and(|displaced| displaced.right.is_none())
    }

    /// The same, and nothing tells which of it would be a move.
    pub(super) fn is_unreadable(&self) -> bool {
        self.in_disorder() && self.image.aside() == 0
    }

    /// 7.4.2: the opponent may stop the clocks where pieces stand wrong, or did a moment ago.
    pub(super) fn stop_is_expected(&self) -> bool {
        self.displaced.is_some_and(|displaced| displaced.right.is_none_or(|at| self.now.since(at) < SAME_MS))
    }

    /// The picture changed, or has settled.
    pub(super) fn watch_board(&mut self) {
        let moves_count = !self.is_being_put_up();
        self.restoring = self.restoring
            && self.play.as_ref().is_some_and(|p| p.expected() != self.image.as_read() && !(moves_count && p.next_move(&self.image)));
        self.watch_disorder();
        self.recount_later_moves();
        self.count_on();
    }

    /// The arbiter puts a position up while the clock stands: what looks like a move on the way is none.
    pub(super) fn is_being_put_up(&self) -> bool {
        self.restoring && self.clock.in_use() && self.clock.running().is_none()
    }

    fn watch_disorder(&mut self) {
        if self.in_disorder() {
            self.count_down();
            if self.is_unreadable() {
                return;
            }
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
        if self.recovering || self.gap || self.restoring || play.occupancy() || self.is_put_away() {
            return None;
        }
        let wrong = play.expected().diff(self.image.placement());
        if wrong == 0
            || kings::shown(self.image.placement(), play.expected()).is_some()
            || kings::on_the_way(self.image.placement(), play.expected())
        {
            return None;
        }
        // On a clock that stands so much is put away, not disturbed; where no result was shown the alarm says so.
        if wrong.count_ones() >= CLEARED && self.clock.running().is_none() {
            return None;
        }
        if let Some(second) = second_move(play, self.image.placement()) {
            return Some(second);
        }
        let few = || is_shifted(play, self.image.placement(), wrong) || is_exchanged(play.expected(), &self.image);
        (wrong.count_ones() >= SQUARES || few()).then_some(Disorder::Pieces(wrong))
    }

    pub(super) fn disorder_stood(&mut self) {
        let Some(found) = self.disorder() else { return };
        let stands = match found {
            Disorder::Pieces(wrong) if wrong.count_ones() < SQUARES => self.image.last_change_of(wrong) + SHIFTED_STANDS_MS,
            // While no clock runs it may be hands that put the pieces away.
            Disorder::Pieces(_) if self.clock.running().is_none() => self.image.last_change() + STANDS_MS,
            _ => self.image.last_change() + self.scan_ms,
        };
        if stands > self.now {
            self.set(Timer::Disorder, Some(stands));
            return;
        }
        let Some(play) = self.play.as_ref() else { return };
        match found {
            Disorder::Pieces(_) if play.is_explained(&self.image, self.scan_ms) => {}
            Disorder::Pieces(wrong) => {
                // Where no square lost its piece no move was made: play goes on beside it.
                let expected = play.expected().0;
                let sensed = self.image.placement().0;
                let is_whole = each(wrong).all(|s| sensed[s] != PieceCode::Empty && expected[s] != PieceCode::Empty);
                self.displace(wrong, if is_whole { wrong } else { 0 });
            }
            Disorder::SecondMove(by, uci) => {
                let fen = play.top().position.fen();
                self.two_moves_in_a_row(by, uci, fen);
            }
        }
    }

    /// 7.4.1, 7.6: what stands wrong beside a move that was pressed, or where one should have been; play goes on beside it. `false`: nothing does.
    pub(super) fn disturbed(&mut self) -> bool {
        let unknown = self.recovering || self.gap || self.restoring;
        let Some(play) = self.play.as_ref().filter(|p| !p.over && !p.occupancy() && !unknown) else { return false };
        let (expected, read) = (play.expected(), self.image.as_read());
        // A reply that is under way has left its square.
        let wrong = expected.diff(read);
        let left = |s: usize| wrong & bit(s) != 0 && read.0[s] == PieceCode::Empty;
        let begun = |step: &Step| left(step.from()) || left(step.to());
        if play.top().steps.iter().any(|step| begun(step) && wrong & !step.explains(expected, read, wrong) == 0) {
            return false;
        }
        // The reply may have been made already, or its piece may be in the air.
        let reply = disturbed::find(play.top(), &self.image, Mono::ZERO, self.now).map_or(0, |step| step.touched);
        let wrong = wrong & !reply;
        let came = |code: PieceCode| each(wrong).any(|s| read.0[s] == code);
        // Pieces of the game stand elsewhere; one that was taken and put down on the board is not one of them.
        let strayed = |s: usize| came(expected.0[s]) && expected.0[s] != PieceCode::Empty;
        if !each(wrong).any(strayed) {
            return false;
        }
        let theirs = |s: usize| piece(expected.0[s]).is_some_and(|p| super::placement::colour(p.color) == play.top().turn());
        let in_air = each(wrong).filter(|&s| read.0[s] == PieceCode::Empty && theirs(s) && !came(expected.0[s]));
        let wrong = in_air.fold(wrong, |set, s| set & !bit(s));
        self.displace(wrong, wrong);
        true
    }

    /// These squares stand wrong: said, or added to what was said; those to be set `aside` are not looked at while they read as they do.
    fn displace(&mut self, wrong: Squares, aside: Squares) {
        let Some(play) = self.play.as_ref() else { return };
        let (expected, fen) = (*play.expected(), play.top().position.fen());
        let fact = DisplacedPieces {
            by: None,
            squares: misplaced(&expected, self.image.as_read(), wrong),
            fen,
            immediate: true,
            found_later: wrong.count_ones() < SQUARES && is_exchanged(&expected, &self.image),
            knocked_over: knocked_over(&expected, self.image.as_read(), wrong),
            put_right: false,
        };
        self.image.set_aside(aside, &expected);
        let is_same = |known: &Displaced| known.right.is_none_or(|at| self.now.since(at) < SAME_MS);
        match self.displaced.filter(|known| is_same(known) && self.findings.get(known.id).is_some()) {
            Some(known) => {
                let squares = wrong | if known.right.is_none() { known.squares } else { 0 };
                self.displaced = Some(Displaced { squares, right: None, ..known });
                self.tell_displaced();
            }
            None => {
                let id = self.find(Irregularity::DisplacedPieces(fact), self.evidence_from);
                let next = self.now + REVISED_MS;
                self.displaced = id.map(|id| Displaced { id, squares: wrong, right: None, next, penalised: false });
            }
        }
    }

    /// Counts the squares down that are still wrong.
    fn count_down(&mut self) {
        let Some((play, mut displaced)) = self.play.as_ref().filter(|p| !p.over).zip(self.displaced) else { return };
        let wrong = play.expected().diff(self.image.as_read());
        let is_aside = self.image.aside() != 0;
        // Legal play after all: either that is all there was, or it goes on from what was put right.
        let line = || {
            let next = || play.top().steps.iter().find(|step| step.play(&play.top().placement) == *self.image.placement());
            play.exact_line(&self.image, self.scan_ms).or_else(|| next().map(|step| vec![*step]))
        };
        let played = if is_aside || wrong == 0 { None } else { line() };
        let touched = played.as_ref().map(|line| line.iter().fold(0, |set, step| set | step.touched));
        if touched.is_some_and(|touched| touched & displaced.squares != 0) {
            self.displaced = None;
            self.close(displaced.id, Status::Withdrawn);
            self.look();
            return;
        }
        displaced.squares = if is_aside { wrong & displaced.squares } else { wrong };
        if touched.is_some() || displaced.squares == 0 {
            (displaced.squares, displaced.right) = (0, Some(self.now));
        }
        self.displaced = Some(displaced);
        self.tell_displaced();
        if displaced.right.is_some() {
            self.look();
        }
    }

    /// Says what is left to put right.
    pub(super) fn tell_displaced(&mut self) {
        let Some((play, displaced)) = self.play.as_ref().zip(self.displaced) else { return };
        if self.now < displaced.next {
            self.set(Timer::Displaced, Some(displaced.next));
            return;
        }
        let squares = misplaced(play.expected(), self.image.as_read(), displaced.squares);
        let (fen, said) = (play.top().position.fen(), self.seq);
        self.update_finding(displaced.id, |irregularity| {
            if let Irregularity::DisplacedPieces(fact) = irregularity {
                (fact.squares, fact.fen, fact.put_right) = (squares, fen, displaced.right.is_some());
            }
        });
        if self.seq > said {
            self.displaced = Some(Displaced { next: self.now + REVISED_MS, ..displaced });
        }
        if displaced.penalised && displaced.right.is_some() {
            self.close(displaced.id, Status::Confirmed);
        }
    }

    /// 7.4.3: the arbiter entered a penalty; what was put right needs no ruling any more.
    pub(super) fn penalty_entered(&mut self) {
        let done = |i: &Irregularity| matches!(i, Irregularity::DisplacedPieces(fact) if fact.put_right);
        let ids: Vec<u64> = self.findings.open().filter(|found| done(&found.irregularity)).map(|found| found.id).collect();
        for id in ids {
            self.close(id, Status::Confirmed);
        }
        if let Some(displaced) = self.displaced.as_mut() {
            displaced.penalised = true;
        }
        self.tell_displaced();
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

/// 7.6: two pieces stand on each other's squares, and nothing else differs.
pub(super) fn is_exchanged(expected: &Placement, image: &Image) -> bool {
    let sensed = image.placement();
    let mut wrong = each(expected.diff(sensed));
    let (Some(a), Some(b), None) = (wrong.next(), wrong.next(), wrong.next()) else { return false };
    let stands = |s: usize| piece(expected.0[s]).is_some();
    stands(a) && stands(b) && sensed.0[a] == expected.0[b] && sensed.0[b] == expected.0[a]
}

/// A legal move of the player who has just moved, as if it were his turn again.
fn second_move(play: &Play, sensed: &Placement) -> Option<Disorder> {
    let ground = play.top();
    let by = play.record.plies().last().filter(|ply| ply.completed && ply.by == ground.turn().other())?.by;
    if ground.placement.diff(sensed).count_ones() > 4 {
        return None;
    }
    let again = super::recognition::step::Ground::new(ground.position.with_turn(by), play.occupancy());
    let step = again.steps.iter().find(|step| step.play(&ground.placement) == *sensed)?;
    Some(Disorder::SecondMove(by, super::recognition::step::uci(step.mv, play.chess960)))
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

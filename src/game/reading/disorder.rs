//! Pieces that stand where no move put them (7.4.1, 7.6): said once, counted down square by square until they stand right. The finding stays
//! for that game (7.4.3). What is not read as a move meanwhile is no move; a move that is pressed is one.
use crate::placement::{Placement, Squares, bit, each, is_exchanged, piece};
use crate::reading::view::Reading;
use crate::recogniser::kings;
use crate::recogniser::play::Play;
use crate::recogniser::stage::CLEARED;
use crate::recognition::disturbed;
use crate::recognition::order::around;
use crate::recognition::step::Step;
use crate::referee::displaced::misplaced;
use crate::referee::facts::Fact;
use crate::timers::Timer;
use alloc::string::String;
use alloc::vec;
use dgt_protocol::square::PieceCode;
use flagfall_events::{Colour, Mono};
use flagfall_laws::irregularity::DisplacedPieces;

/// Squares from which on it is disorder; fewer may be a hand at work.
const SQUARES: u32 = 3;
/// So long it must stand unexplained.
const STANDS_MS: u64 = 2_000;
/// So long a single piece of the player who is not to move must stand elsewhere, or two exchanged.
const SHIFTED_STANDS_MS: u64 = 10_000;
/// So often it is looked at whether it has stood long enough.
pub(crate) const LOOK_AGAIN_MS: u64 = 250;
/// So long a second move of the same player must stand.
const SECOND_MOVE_MS: u64 = 3_000;

/// What is wrong on the board.
#[derive(Clone, Debug, PartialEq)]
enum Disorder {
    Pieces(Squares),
    /// One side's second move in a row.
    SecondMove(Colour, String),
}

impl Reading<'_> {
    /// Whether pieces are known to stand wrong.
    pub(crate) fn in_disorder(&self) -> bool {
        self.referee().in_disorder()
    }

    /// The same, and nothing tells which of it would be a move.
    pub(crate) fn is_unreadable(&self) -> bool {
        self.in_disorder() && self.watcher.image.aside() == 0
    }

    /// The picture changed, or has settled.
    pub(crate) fn watch_board(&mut self) {
        let moves_count = !self.is_being_put_up();
        self.own.restoring = self.own.restoring
            && self
                .own
                .play
                .as_ref()
                .is_some_and(|p| p.expected() != self.watcher.image.as_read() && !(moves_count && p.next_move(&self.watcher.image)));
        self.watch_disorder();
        self.tell(Fact::Recount);
        self.tell(Fact::CountOn);
    }

    /// The arbiter puts a position up while the clock stands: what looks like a move on the way is none.
    pub(crate) fn is_being_put_up(&self) -> bool {
        self.own.restoring && self.clocks.in_use() && self.clocks.running().is_none()
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
                if !self.waits_beside() {
                    self.set(Timer::Disorder, None);
                }
                self.tell(Fact::SecondMoveGone);
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
        let play = self.own.play.as_ref().filter(|p| !p.over && p.presses.is_empty())?;
        if self.recovery.is_unknown() || self.own.restoring || play.occupancy() || self.is_put_away() || self.may_be_legal() {
            return None;
        }
        let wrong = play.expected().diff(self.watcher.image.placement());
        if wrong == 0
            || kings::shown(self.watcher.image.placement(), play.expected()).is_some()
            || kings::on_the_way(self.watcher.image.placement(), play.expected())
        {
            return None;
        }
        // On a clock that stands so much is put away, not disturbed; where no result was shown the alarm says so.
        if wrong.count_ones() >= CLEARED && self.clocks.running().is_none() {
            return None;
        }
        if let Some(second) = second_move(play, self.watcher.image.placement()).filter(|_| !self.waits_beside()) {
            return Some(second);
        }
        let few = || is_shifted(play, self.watcher.image.placement(), wrong) || is_exchanged(play.expected(), &self.watcher.image);
        (wrong.count_ones() >= SQUARES || few()).then_some(Disorder::Pieces(wrong))
    }

    pub(crate) fn disorder_stood(&mut self) {
        self.follow();
        if self.look_beside() {
            return;
        }
        let Some(found) = self.disorder() else { return };
        if matches!(found, Disorder::Pieces(_)) && !self.is_beyond_honest_play() {
            self.set(Timer::Disorder, Some(self.now + LOOK_AGAIN_MS));
            return;
        }
        let stands = match found {
            Disorder::Pieces(wrong) if wrong.count_ones() < SQUARES => self.watcher.image.last_change_of(wrong) + SHIFTED_STANDS_MS,
            // While no clock runs it may be hands that put the pieces away.
            Disorder::Pieces(_) if self.clocks.running().is_none() => self.watcher.image.last_change() + STANDS_MS,
            _ => self.watcher.image.last_change() + self.watcher.scan_ms,
        };
        if stands > self.now {
            self.set(Timer::Disorder, Some(stands));
            return;
        }
        let Some(play) = self.own.play.as_ref() else { return };
        match found {
            Disorder::Pieces(_) if play.is_explained(&self.watcher.image) => {}
            Disorder::Pieces(wrong) => {
                // Where no square lost its piece no move was made: play goes on beside it.
                let expected = play.expected().0;
                let sensed = self.watcher.image.placement().0;
                let is_whole = each(wrong).all(|s| sensed[s] != PieceCode::Empty && expected[s] != PieceCode::Empty);
                self.displace(wrong, if is_whole { wrong } else { 0 });
            }
            Disorder::SecondMove(by, uci) => {
                let fen = play.top().position.fen();
                self.tell(Fact::SecondMove { by, uci, fen });
            }
        }
    }

    /// 7.4.1, 7.6: what stands wrong beside a move that was pressed, or where one should have been; play goes on beside it. `false`: nothing does.
    pub(crate) fn disturbed(&mut self) -> bool {
        let unknown = self.recovery.is_unknown() || self.own.restoring || self.may_be_legal();
        let Some(play) = self.own.play.as_ref().filter(|p| !p.over && !p.occupancy() && !unknown) else { return false };
        let (expected, read) = (play.expected(), self.watcher.image.as_read());
        // A reply that is under way has left its square.
        let wrong = expected.diff(read);
        let left = |s: usize| wrong & bit(s) != 0 && read.0[s] == PieceCode::Empty;
        let begun = |step: &Step| left(step.from()) || left(step.to());
        if play.top().steps.iter().any(|step| begun(step) && wrong & !step.explains(expected, read, wrong) == 0) {
            return false;
        }
        // The reply may have been made already, or its piece may be in the air.
        let reply = disturbed::find(play.top(), &self.watcher.image, Mono::ZERO, self.now).map_or(0, |step| step.touched);
        let wrong = wrong & !reply;
        let came = |code: PieceCode| each(wrong).any(|s| read.0[s] == code);
        // Pieces of the game stand elsewhere; one that was taken and put down on the board is not one of them.
        let strayed = |s: usize| came(expected.0[s]) && expected.0[s] != PieceCode::Empty;
        if !each(wrong).any(strayed) {
            return false;
        }
        let theirs = |s: usize| piece(expected.0[s]).is_some_and(|p| crate::placement::colour(p.color) == play.top().turn());
        let in_air = each(wrong).filter(|&s| read.0[s] == PieceCode::Empty && theirs(s) && !came(expected.0[s]));
        let wrong = in_air.fold(wrong, |set, s| set & !bit(s));
        let wrong = wrong & !self.under_way(play, wrong);
        if wrong == 0 {
            return false;
        }
        self.displace(wrong, wrong);
        true
    }

    /// 7.5.1: a piece of the player to move, or one that he can take, may stand anywhere until he has pressed: its squares. It left its own after the
    /// last press, or after the last move had come to stand, and farther than the hand that made that one pushes it. More than one piece is no move.
    fn under_way(&self, play: &Play, wrong: Squares) -> Squares {
        let (expected, image, turn) = (play.expected(), &self.watcher.image, play.top().turn());
        let read = image.as_read();
        let Some((from, to)) = strayed(expected, read, wrong).filter(|_| self.clocks.to_move() == Some(turn)) else { return 0 };
        let own = piece(expected.0[from]).is_some_and(|p| crate::placement::colour(p.color) == turn);
        let taken = || play.top().steps.iter().any(|step| step.mv.is_capture() && step.touched & bit(from) != 0 && step.from() != from);
        let last = play.record.plies().last();
        let stood = last.map_or(Mono::ZERO, |last| image.last_change_of(bit(usize::from(last.mv.to()))));
        let (left, pressed) = (image.last_change_of(bit(from)), last.and_then(|last| last.pressed_at));
        let his = pressed.is_some_and(|at| left > at) || (left > stood && around(from) & bit(to) == 0);
        if (own || taken()) && his { bit(from) | bit(to) } else { 0 }
    }

    /// These squares stand wrong: said, or added to what was said; those to be set `aside` are not looked at while they read as they do.
    fn displace(&mut self, wrong: Squares, aside: Squares) {
        let Some(play) = self.own.play.as_ref() else { return };
        let expected = *play.expected();
        let image = &mut self.watcher.image;
        let fact = DisplacedPieces {
            by: None,
            squares: misplaced(&expected, image.as_read(), wrong),
            fen: play.top().position.fen(),
            immediate: true,
            found_later: wrong.count_ones() < SQUARES && is_exchanged(&expected, image),
            knocked_over: knocked_over(&expected, image.as_read(), wrong),
            put_right: false,
        };
        image.set_aside(aside, &expected);
        self.tell(Fact::Displaced { wrong, fact });
    }

    /// Counts the squares down that are still wrong.
    fn count_down(&mut self) {
        let Some((play, known)) = self.own.play.as_ref().filter(|p| !p.over).zip(self.referee().displaced_squares()) else { return };
        let image = &self.watcher.image;
        let wrong = play.expected().diff(image.as_read());
        let is_aside = image.aside() != 0;
        // Legal play after all: either that is all there was, or it goes on from what was put right.
        let line = || {
            let next = || play.top().steps.iter().find(|step| step.play(&play.top().placement) == *image.placement());
            play.exact_line(image).or_else(|| next().map(|step| vec![*step]))
        };
        let played = if is_aside || wrong == 0 { None } else { line() };
        let touched = played.as_ref().map(|line| line.iter().fold(0, |set, step| set | step.touched));
        if touched.is_some_and(|touched| touched & known != 0) {
            self.tell(Fact::PlayedAfterAll);
            self.look();
            return;
        }
        let left = if is_aside { wrong & known } else { wrong };
        let is_right = touched.is_some() || left == 0;
        self.tell(Fact::StillDisplaced { squares: if is_right { 0 } else { left }, is_right });
        if is_right {
            self.look();
        }
    }
}

/// 7.6: one piece of the player who is not to move stands on another square, and it was no move.
fn is_shifted(play: &Play, sensed: &Placement, wrong: Squares) -> bool {
    let expected = play.expected();
    let Some((from, _)) = strayed(expected, sensed, wrong) else { return false };
    piece(expected.0[from]).is_some_and(|p| crate::placement::colour(p.color) == play.top().turn().other())
}

/// One piece stands on another square, and nothing else is wrong: where it stood, and where it stands.
fn strayed(expected: &Placement, sensed: &Placement, wrong: Squares) -> Option<(usize, usize)> {
    let mut left = each(wrong).filter(|&s| sensed.0[s] == PieceCode::Empty);
    let mut came = each(wrong).filter(|&s| sensed.0[s] != PieceCode::Empty);
    let (Some(from), Some(to), None, None) = (left.next(), came.next(), left.next(), came.next()) else { return None };
    (sensed.0[to] == expected.0[from] && expected.0[to] == PieceCode::Empty).then_some((from, to))
}

/// A legal move of the player who has just moved, as if it were his turn again.
fn second_move(play: &Play, sensed: &Placement) -> Option<Disorder> {
    let ground = play.top();
    let by = play.record.plies().last().filter(|ply| ply.completed && ply.by == ground.turn().other())?.by;
    if ground.placement.diff(sensed).count_ones() > 4 {
        return None;
    }
    let again = crate::recognition::step::Ground::new(ground.position.with_turn(by), play.occupancy());
    let step = again.steps.iter().find(|step| step.play(&ground.placement) == *sensed)?;
    Some(Disorder::SecondMove(by, crate::recognition::step::uci(step.mv, play.chess960)))
}

/// Pieces that read as nothing while none has come anywhere: they lie on the board, or beside it.
fn knocked_over(expected: &Placement, sensed: &Placement, wrong: Squares) -> bool {
    each(wrong).filter(|&s| sensed.0[s] == PieceCode::Empty && expected.0[s] != PieceCode::Empty).count() >= 2
}

//! The referee at work: he hears facts and entries, and says what he finds.
use crate::referee::facts::Fact;
use crate::referee::scene::Scene;
use crate::referee::state::Referee;
use crate::timers::Timer;
use crate::voice::Voice;
use flagfall_events::{Body, Mono};

/// The referee hears a fact or an entry.
pub(crate) struct Hearing<'a> {
    pub(crate) own: &'a mut Referee,
    pub(crate) voice: &'a mut Voice,
    pub(crate) scene: Scene<'a>,
}

impl Hearing<'_> {
    pub(crate) fn hear(&mut self, fact: Fact<'_>) {
        match fact {
            Fact::Made(ply) => self.note_made(ply),
            Fact::Changed => self.judge_again(),
            Fact::Moved => {
                self.touched_before();
                self.tell_claims();
            }
            Fact::Touched(seen) => self.touch(seen.square, seen.was, seen.now),
            Fact::Pressed(by) => self.count_press(by),
            Fact::Judged { by, under } => self.press_judged(by, under),
            Fact::WentBack(by) => self.lever_went_back(by),
            Fact::IllegalMove { ply, press } => self.illegal_move_pressed(ply, press),
            Fact::NoMove(press) => self.pressed_without_move(press),
            Fact::Answered { ply, press } => self.answered_before(ply, press),
            Fact::Handled { ply, press } => self.hint_two_hands(ply, press),
            Fact::FoundLate { ply, press } => self.pressed_before_moving(ply, press),
            Fact::StoodLate { ply, press, stood } => self.stood_after_the_press(ply, press, stood),
            Fact::Unpressed(plies) => self.unpressed(plies),
            Fact::Recount => self.recount_later_moves(),
            Fact::TakenBack(from) => self.taken_back(from),
            Fact::CountOn => self.count_on(),
            Fact::SecondMove { by, uci, fen } => self.two_moves_in_a_row(by, uci, fen),
            Fact::SecondMoveGone => self.second_move_is_gone(),
            Fact::Displaced { wrong, fact } => self.displaced(wrong, fact),
            Fact::StillDisplaced { squares, is_right } => self.still_displaced(squares, is_right),
            Fact::PlayedAfterAll => self.played_after_all(),
            Fact::WrongStart(squares) => self.find_wrong_start(squares),
            Fact::StillWrongStart(squares) => self.recount_wrong_start(squares),
            Fact::WrongStartAt(phase) => self.follow_wrong_start(phase),
            Fact::RightStart => self.start_is_right(),
            Fact::NewGame => self.own.new_game(self.voice.seq()),
            Fact::KeepWrongStart => self.own.keep_wrong_start(),
            Fact::KeptWrongStart => self.own.kept_wrong_start(),
            Fact::FromHere => self.own.evidence_from = self.voice.seq() + 1,
            Fact::Position => self.ask_whether_dead(),
            Fact::Over => self.withdraw_flags(),
            Fact::SetUpAgain => self.set_up_again(),
            Fact::Restored { kept } => self.restored(kept),
            Fact::ResultBy { result, resigned } => self.result_by(result, resigned),
            Fact::ClockRuled => self.start_was_ruled(),
            Fact::Turned => self.turned(),
            Fact::Clock(fact) => self.clock_fact(fact),
            Fact::ClockSeen(progress) => {
                self.no_longer_true(progress);
                self.moves_before_the_clock();
            }
            Fact::Flag { by, completed } => self.flag_entered(by, completed),
            Fact::Count(by) => self.count_moves(by),
            Fact::Assistant(by) => self.assist(by),
            Fact::Penalty => self.penalty_entered(),
            Fact::TakenOver { made, same_game } => self.own.taken_over(made, same_game, self.voice.seq()),
            Fact::TakenUp { then, upto } => self.own.take_up(*then, upto),
            Fact::FellMeanwhile(then) => self.fell_meanwhile(&then),
        }
    }

    /// A deadline has come.
    pub(crate) fn expired(&mut self, timer: Timer) {
        self.set(timer, None);
        match timer {
            Timer::Displaced => self.tell_displaced(),
            Timer::Findings => self.findings_due(),
            _ => {}
        }
    }

    /// Says it, unless it is about a game that has not begun.
    pub(crate) fn say(&mut self, body: Body) {
        let heard = match body {
            Body::TouchedPiece(_) => self.scene.moves_count,
            _ => !body.is_play(),
        };
        if !self.scene.unsaid || heard {
            self.say_of(self.scene.spoken_of, body);
        }
    }

    /// The same about this game of the board, without a look at the one that is on.
    pub(crate) fn say_of(&mut self, game: u32, body: Body) {
        self.voice.say(game, body);
    }

    pub(crate) const fn set(&mut self, timer: Timer, at: Option<Mono>) {
        self.own.timers.set(timer, at);
    }
}

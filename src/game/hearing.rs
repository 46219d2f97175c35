//! The referee at work: the facts that he hears, what he may look at, and what his rulings ask for.
use super::clock::{self, Clock};
use super::completion::Press;
use super::findings::Referee;
use super::kings;
use super::orientation::Turn;
use super::placement::{Image, Squares};
use super::play::Play;
use super::reading::Recogniser;
use super::settings::Settings;
use super::timers::Timer;
use super::voice::Voice;
use super::watch::{Seen, Watcher};
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use flagfall_events::{Body, Colour, GameResult, Mono, ResultSource, SetClock};
use flagfall_laws::irregularity::{DisplacedPieces, Misplaced, Phase};

/// What the recogniser and the clock tell the referee. A `ply` is an index of the record.
pub(super) enum Fact<'a> {
    /// A move was announced or revised; `0` is the ply's number.
    Made(u32),
    /// Something that proposals rest on has changed.
    Changed,
    /// Moves were announced or revised, and everything is said of them.
    Moved,
    /// One square reads something else; told before anything is made of it.
    Touched(Seen),
    /// A player pressed the clock.
    Pressed(Colour),
    /// A press was judged: `under` a finding, or not.
    Judged { by: Colour, under: bool },
    /// The lever went there and back at once.
    WentBack(Colour),
    /// 7.5.1, 7.5.2: this ply was pressed, and it is not legal.
    IllegalMove { ply: usize, press: &'a Press },
    /// 7.5.3: the side to move pressed and had not moved.
    NoMove(&'a Press),
    /// 6.2.2: this ply was pressed; it may have been answered before.
    Answered { ply: usize, press: &'a Press },
    /// 7.5.4: this ply was pressed; the lifts of its turn may have been of two hands.
    Handled { ply: usize, press: &'a Press },
    /// 6.2.4: a press that no move was found for was this ply's.
    FoundLate { ply: usize, press: &'a Press },
    /// 6.2.4: the last piece of this ply came to stand only then.
    StoodLate { ply: usize, press: &'a Press, stood: Mono },
    /// 6.2.1.2: these plies were completed by their players' next moves.
    Unpressed(&'a [usize]),
    /// Plies were made, taken back or revised.
    Recount,
    /// The plies from this one on, counted from 1, were taken back.
    TakenBack(u32),
    /// Moves were completed.
    CountOn,
    /// 12.9: a second move of one side, none of the opponent between.
    SecondMove { by: Colour, uci: String, fen: String },
    /// It was taken back.
    SecondMoveGone,
    /// 7.4.1, 7.6: these squares stand wrong.
    Displaced { wrong: Squares, fact: DisplacedPieces },
    /// These are left to put right; or all stand right again.
    StillDisplaced { squares: Squares, is_right: bool },
    /// What stood wrong was legal play after all.
    PlayedAfterAll,
    /// 7.2.1: these squares stand wrong before the first move.
    WrongStart(Vec<Misplaced>),
    /// The same, counted down.
    StillWrongStart(Vec<Misplaced>),
    /// How far the game is that began from a wrong position.
    WrongStartAt(Phase),
    /// The pieces were put right, or the board was turned.
    RightStart,
    /// The pieces of another game were set up: what was found belongs to the one before.
    NewGame,
    /// But for a wrong start, which is to be kept until it is said to stay.
    KeepWrongStart,
    /// What was kept stays.
    KeptWrongStart,
    /// What is found from now on rests on what is said from now on.
    FromHere,
    /// A position may be dead (5.2.2).
    Position,
    /// 6.8: a result was reached.
    Over,
    /// The pieces were set up again: what stood wrong belongs to no game.
    SetUpAgain,
    /// These plies, counted from 1, and the offences in them were taken back by a ruling.
    Restored { kept: u32 },
    /// A result stands that was reached by resignation, or another one.
    ResultBy { result: GameResult, resigned: bool },
    /// Times were ruled.
    ClockRuled,
    /// What the clock shows.
    Clock(clock::Fact),
    /// The clock was looked at; the game is as far as this.
    ClockSeen(clock::Progress),
    /// 6.8: somebody saw a flag.
    Flag { by: Colour, completed: u32 },
    /// Russia 1.16.7.
    Count(Colour),
    /// 6.2.6.
    Assistant(Colour),
    /// 12.9.
    Penalty,
    /// Plies were taken over that another build published, made at these times, of the `same_game` or another one.
    TakenOver { made: Vec<Mono>, same_game: bool },
    /// What was played meanwhile is this game's, so many plies of it; the one who watched it is the referee.
    TakenUp { then: Box<Referee>, upto: usize },
    /// A flag that fell meanwhile waits to be ruled on.
    FellMeanwhile(Box<Referee>),
}

/// What a ruling does to the game.
#[derive(Clone, Debug)]
pub(super) enum Ruled {
    /// These times are to be set.
    Clock(SetClock),
    /// The position before an offence is the game's again.
    Restore(Restored),
    /// 7.5.2: the pawn of this move is a queen.
    Queen { ply: u32, uci: String },
    /// The game has this result.
    Declare { result: GameResult, reason: &'static str, article: String, source: ResultSource, restore: Option<Restored>, finding: u64 },
    /// A result is taken back.
    Reopen(ResultSource),
}

/// A position that is put up again, and the ply, counted from 1, and move of the offence.
#[derive(Clone, Debug)]
pub(super) struct Restored {
    pub(super) fen: String,
    pub(super) offence: Option<(u32, String)>,
}

/// What the referee may look at.
pub(super) struct Scene<'a> {
    pub(super) now: Mono,
    pub(super) settings: &'a Settings,
    pub(super) play: Option<&'a Play>,
    pub(super) image: &'a Image,
    pub(super) turn: Turn,
    pub(super) scan_ms: u64,
    /// When a message was lost last, and how many were.
    pub(super) damage: Option<(Mono, u32)>,
    pub(super) clock: &'a Clock,
    /// The game that is spoken of, and the last one that has begun.
    pub(super) spoken_of: u32,
    pub(super) last_begun: Option<u32>,
    /// The pieces of a game stand that has not begun.
    pub(super) unsaid: bool,
    /// Moves from the start position count.
    pub(super) moves_count: bool,
    /// What is moved now is analysis.
    pub(super) analysis: bool,
    /// Both kings stand in the centre.
    pub(super) ending: bool,
}

impl<'a> Scene<'a> {
    pub(super) fn new(now: Mono, settings: &'a Settings, watcher: &'a Watcher, clock: &'a Clock, played: &'a Recogniser) -> Self {
        let stage = &played.stage;
        Self {
            now,
            settings,
            play: played.play.as_ref(),
            image: &watcher.image,
            turn: watcher.turn,
            scan_ms: watcher.scan_ms,
            damage: watcher.damage,
            clock,
            spoken_of: played.spoken_of(),
            last_begun: played.last_begun(),
            unsaid: played.is_unsaid(),
            moves_count: stage.moves_count(clock),
            analysis: played.is_unsaid() && !(stage.called || stage.started),
            ending: played.timers.get(Timer::Kings).is_some(),
        }
    }

    /// What both kings show while a finding waits to be ruled on.
    pub(super) fn kings_agree(&self) -> Option<GameResult> {
        let play = self.play.filter(|p| p.said && !p.over)?;
        kings::shown(self.image.placement(), play.expected())
    }
}

/// The referee hears a fact or an entry.
pub(super) struct Hearing<'a> {
    pub(super) own: &'a mut Referee,
    pub(super) voice: &'a mut Voice,
    pub(super) scene: Scene<'a>,
}

impl Hearing<'_> {
    pub(super) fn hear(&mut self, fact: Fact<'_>) {
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
    pub(super) fn expired(&mut self, timer: Timer) {
        self.set(timer, None);
        match timer {
            Timer::Displaced => self.tell_displaced(),
            Timer::Findings => self.findings_due(),
            _ => {}
        }
    }

    /// Says it, unless it is about a game that has not begun.
    pub(super) fn say(&mut self, body: Body) {
        let heard = match body {
            Body::TouchedPiece(_) => self.scene.moves_count,
            _ => !body.is_play(),
        };
        if !self.scene.unsaid || heard {
            self.say_of(self.scene.spoken_of, body);
        }
    }

    /// The same about this game of the board, without a look at the one that is on.
    pub(super) fn say_of(&mut self, game: u32, body: Body) {
        self.voice.say(game, body);
    }

    pub(super) const fn set(&mut self, timer: Timer, at: Option<Mono>) {
        self.own.timers.set(timer, at);
    }
}

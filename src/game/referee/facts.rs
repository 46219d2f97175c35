//! The facts that the referee hears, and what his rulings ask for.
use crate::clock;
use crate::placement::Squares;
use crate::press::Press;
use crate::referee::state::Referee;
use crate::watcher::Seen;
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use flagfall_events::{Colour, GameResult, Mono, ResultSource, SetClock};
use flagfall_laws::irregularity::{DisplacedPieces, Misplaced, Phase};

/// What the recogniser and the clock tell the referee. A `ply` is an index of the record.
pub(crate) enum Fact<'a> {
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
    /// White's side of the clock is the other one.
    Turned,
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
pub(crate) enum Ruled {
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
pub(crate) struct Restored {
    pub(crate) fen: String,
    pub(crate) offence: Option<(u32, String)>,
}

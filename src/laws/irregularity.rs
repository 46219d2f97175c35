//! The facts of irregularities, one variant a meaning. The game fills them in; the rulebook only reads them.
use super::reason::Reason;
use alloc::string::String;
use alloc::vec::Vec;
use flagfall_events::{ClockPair, Colour, Key, PressCounter, Run, TouchedPiece};
use shakmaty::{Chess, Square};

/// What happened.
#[derive(Clone, Debug, PartialEq)]
pub enum Irregularity {
    /// 7.5.1: a press with a position that one illegal move explains.
    IllegalMove(IllegalMove),
    /// 7.5.3: a press by the side to move, the placement unchanged.
    PressWithoutMove(PressWithoutMove),
    /// 7.5.2: a pawn, nothing or an unreadable piece on the last rank at the press.
    UnpromotedPawn(UnpromotedPawn),
    /// 7.4.1, 7.6: squares that no legal move explains.
    DisplacedPieces(DisplacedPieces),
    /// 6.9: one flag is down.
    FlagFall(FlagFall),
    /// III.3.1: both flags are down.
    BothFlags(BothFlags),
    /// 7.2.1: the pieces stood wrong at the start.
    WrongInitialPosition(WrongInitialPosition),
    /// 7.2.2: the board stands a quarter turn wrong.
    BoardTurned {
        /// The position to transfer, FEN field 1, White at the bottom.
        placement: String,
    },
    /// 7.3: pairing and colours contradict each other.
    ColoursReversed {
        /// Moves completed by White and by Black.
        completed: [u32; 2],
    },
    /// 7.5.4 as a hint: the sensors saw what two hands would do.
    TwoHandsHint {
        /// Whose move.
        by: Colour,
        /// Its ply.
        ply: u32,
        /// What was seen.
        seen: TwoHands,
        /// How far apart, milliseconds.
        within_ms: u64,
    },
    /// 12.9: a second move of one side, none of the opponent between.
    TwoMovesInARow {
        /// Who.
        by: Colour,
        /// Ply of the second move.
        ply: u32,
        /// Both moves, UCI.
        moves: [String; 2],
        /// Where to go back to: the position after the first of them.
        before: Option<Before>,
    },
    /// 6.1, 6.10.1: the clock does what no rule explains.
    ClockDefect {
        /// What.
        defect: Defect,
        /// What a replacement must show: the last good reading less what ran since.
        times: Option<ClockPair>,
        /// Whose time is to run.
        run: Run,
        /// At most so many right clocks in a million show as much in a game.
        doubt_ppm: u32,
    },
    /// 6.10.2: the clock is not set as agreed.
    ClockSetting {
        /// What.
        setting: WrongSetting,
        /// What it should show now.
        times: Option<ClockPair>,
        /// Whose time is to run.
        run: Run,
        /// Corrections of the press counter.
        press_counter: PressCounter,
        /// At most so many right clocks in a million show as much in a game.
        doubt_ppm: u32,
    },
    /// 6.10.2: both displays are at 0:00 in a game that has begun, and were from the start.
    ClockUnset {
        /// What they should have shown; `None`: no time control is known.
        times: Option<ClockPair>,
        /// Whose time is to run.
        run: Run,
    },
    /// 7.1 as a note: the clock runs and shows other times than were ruled.
    RuledTimeNotSet {
        /// What was ruled.
        ruled: ClockPair,
        /// What it shows.
        shown: ClockPair,
    },
    /// 6.2.4: pressed while the piece was still in the air.
    PressBeforeMove {
        /// Who.
        by: Colour,
        /// His ply.
        ply: u32,
        /// The piece came down at least this long after the press, milliseconds.
        early_ms: u64,
        /// How far the sensors may lag, milliseconds.
        scan_ms: u64,
    },
    /// 6.5: the clock stands the other way round than configured.
    ClockSide {
        /// White's side as configured is the left one.
        white_is_left: bool,
    },
    /// 6.6: Black's clock ran first.
    WrongSideStarted {
        /// For how long, milliseconds.
        ran_ms: i64,
    },
    /// 6.6: no clock ran a minute after the scheduled start.
    LateStart {
        /// Since the scheduled start: until now, or until the clock ran, milliseconds.
        late_ms: i64,
        /// Both displays when it ran; `None`: it does not run yet.
        started: Option<ClockPair>,
        /// What White has left was ruled since the scheduled start.
        ruled: bool,
    },
    /// 6.7.1: this player may be absent past the default time.
    DefaultTime {
        /// Who.
        by: Colour,
        /// The default time, milliseconds.
        default_ms: u64,
        /// Since the start, milliseconds.
        absent_ms: u64,
        /// The arbiter has seen that he is absent; else it is a hint.
        entered: bool,
    },
    /// 6.7.2: nobody was there at the start.
    NeitherPresent {
        /// Since the scheduled start: until now, or until White arrived, milliseconds.
        lost_ms: i64,
        /// White has arrived.
        arrived: bool,
        /// What White has left was ruled since the scheduled start.
        ruled: bool,
    },
    /// 6.11.2: both clocks stand in a game in progress.
    ClockStopped {
        /// What may be the reason.
        reason: StopReason,
    },
    /// 6.11.3: they run again, the arbiter has not said so.
    ClockRestarted,
    /// 6.2.1.2: a move was completed by its player's next move.
    UnpressedMove {
        /// Whose.
        by: Colour,
        /// Its ply.
        ply: u32,
        /// The move, UCI.
        uci: String,
        /// How far the clock's press counter is behind the moves played.
        behind: PressCounter,
    },
    /// 6.2.2: a press after the opponent's reply.
    LatePress {
        /// Whose.
        by: Colour,
        /// The ply it completed.
        ply: u32,
        /// How long after the reply was made, milliseconds.
        after_ms: u64,
    },
    /// 6.2.5: a piece lifted and returned while its side's clock stood.
    AdjustedOutOfTurn {
        /// Whose clock stood.
        by: Colour,
        /// FEN's letter.
        piece: char,
        /// Where it stands.
        square: Square,
    },
    /// Russia 1.16.2, last sentence: a move made while the player's own clock did not run.
    MovedBeforeClock {
        /// Who.
        by: Colour,
        /// His ply.
        ply: u32,
        /// How long before the opponent pressed, milliseconds; `None`: he has not pressed yet.
        before_ms: Option<u64>,
    },
    /// Russia 1.16.4, second: the opponent's button and back, his clock not having started.
    LeverCheck {
        /// Who.
        by: Colour,
    },
    /// Russia 1.16.7: the count of five moves, begun by the arbiter.
    FiveMoves {
        /// Who wants to win.
        by: Colour,
        /// His moves completed since.
        done: u32,
    },
    /// What the arbiter saw and reports.
    Reported(Reported),
}

/// Facts of 7.2.1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrongInitialPosition {
    /// What is wrong, at the start of the game.
    pub squares: Vec<Misplaced>,
    /// The start position agreed, FEN.
    pub start_fen: String,
    /// When it was found.
    pub phase: Phase,
}

/// How far the game is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Phase {
    /// No move has been made.
    BeforeMove1,
    /// It is in progress.
    #[default]
    During,
    /// It is over.
    After,
}

/// What two hands would look like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TwoHands {
    /// Two own pieces in the air at once.
    TwoOwnPieces,
    /// The captured piece and the capturer lifted within one scan.
    Capture,
    /// Pawn and new piece exchanged within one scan.
    Promotion,
}

/// A defect of the clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Defect {
    /// Both displays count at once (6.1).
    BothRun,
    /// The running display stands.
    Frozen {
        /// Whose.
        by: Colour,
        /// For how long, milliseconds.
        for_ms: u64,
    },
    /// A display jumped.
    Jump {
        /// Whose.
        by: Colour,
        /// By how much, milliseconds; less time is negative.
        by_ms: i64,
    },
    /// It runs too fast (positive) or too slow.
    Drift {
        /// Parts in a thousand.
        per_mille: i32,
    },
    /// Presses have to be repeated until the clock takes them.
    Lever {
        /// Whose; `None`: it is not known.
        by: Option<Colour>,
    },
    /// No reports come.
    NoReports {
        /// For how long, milliseconds.
        for_ms: u64,
    },
}

/// A wrong setting of the clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WrongSetting {
    /// No increment comes.
    NoIncrement {
        /// What should, milliseconds.
        should_ms: i64,
    },
    /// Another increment.
    Increment {
        /// What comes, milliseconds.
        is_ms: i64,
        /// What should.
        should_ms: i64,
    },
    /// A delay where an increment was agreed.
    DelayForIncrement {
        /// Milliseconds a move.
        should_ms: i64,
    },
    /// An increment where a delay was agreed.
    IncrementForDelay {
        /// Milliseconds a move.
        should_ms: i64,
    },
    /// US delay where Bronstein's was agreed, or the other way round.
    OtherDelay {
        /// The clock is set to Bronstein's.
        bronstein: bool,
        /// Milliseconds a move.
        should_ms: i64,
    },
    /// The next period brought another time.
    PeriodTime {
        /// Whose.
        by: Option<Colour>,
        /// What came, milliseconds.
        is_ms: i64,
        /// What should.
        should_ms: i64,
    },
    /// The clock was unplugged in the game and shows what it cannot have come to: another clock, or one that was set anew.
    Exchanged {
        /// What it showed before.
        before: ClockPair,
        /// What it shows.
        shown: ClockPair,
    },
    /// The base time.
    Base {
        /// Whose; `None`: both.
        by: Option<Colour>,
        /// Too much is positive, milliseconds.
        off_ms: i64,
    },
    /// The time of the next period did not come, or came at the wrong move.
    Period {
        /// Whose; `None`: both.
        by: Option<Colour>,
        /// After this move.
        at_move: u32,
        /// It came, but too early.
        early: bool,
        /// How much, milliseconds.
        bonus_ms: i64,
    },
}

/// Why the clocks may have been stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StopReason {
    /// A pawn on its last rank, the new piece is missing.
    Promotion {
        /// Where.
        square: Square,
    },
    /// Pieces are displaced.
    Displaced,
    /// A draw may be claimed.
    DrawClaim,
    /// Nothing to be seen.
    Unknown,
}

/// What the arbiter saw, and where the game stands. Give what is known; the rest stays at its default.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reported {
    /// What.
    pub key: Key,
    /// The offender.
    pub by: Option<Colour>,
    /// Ply and UCI of his last move.
    pub last: Option<(u32, String)>,
    /// The position before his last move, and what the press after it did to the clocks.
    pub before: Option<Before>,
    /// The position on the board, FEN.
    pub fen: String,
    /// The start position agreed, FEN.
    pub start_fen: String,
    /// How far the game is.
    pub phase: Phase,
    /// Moves completed by White and by Black.
    pub completed: [u32; 2],
    /// All remaining moves have to be played in this period.
    pub last_period: bool,
}

/// The position to go back to, and what the irregular press did to the clocks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Before {
    /// The position immediately before the irregularity, or the last one identified. FEN.
    pub fen: String,
    /// It is the one immediately before.
    pub immediate: bool,
    /// Both displays right after the irregular press, with the increment it earned. `None`: not known.
    pub at_press: Option<ClockPair>,
    /// What the irregular press added to its player's display, milliseconds.
    pub earned_ms: i64,
    /// Moves made on top of the irregular one.
    pub later_moves: u32,
    /// Presses that the clock has counted since, the irregular one included.
    pub presses: PressCounter,
    /// Those of them that completed moves which stand in the record, where the irregular move does not stand in it (any more).
    pub served: PressCounter,
    /// What became of the irregular move meanwhile.
    pub since: Since,
}

/// What became of an irregular move before anybody ruled on it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Since {
    /// It stands in the record.
    #[default]
    Stands,
    /// The players took it back.
    TakenBack,
    /// The players exchanged the pawn (7.5.2): the move stands as a promotion.
    Exchanged,
}

/// Facts of 7.5.1.
#[derive(Clone, Debug, PartialEq)]
pub struct IllegalMove {
    /// The offender.
    pub by: Colour,
    /// Its ply, from 1 at the game's first move.
    pub ply: u32,
    /// The move as played.
    pub uci: String,
    /// Why it is illegal.
    pub reason: Reason,
    /// Where to go back to.
    pub before: Before,
    /// The same position, for the replacement moves; `None` where it is no legal chess.
    pub position: Option<Chess>,
    /// Castling in UCI by king and rook.
    pub chess960: bool,
    /// What was touched, in order; empty: nothing but the move itself is known.
    pub touched: Vec<TouchedPiece>,
    /// The square that the moved piece came from, if the touches say nothing.
    pub from: Option<Square>,
    /// The other reading of an opponent's piece that was moved: the opponent made these two moves in a row, and the presser only pressed. UCI.
    pub twice: Option<[String; 2]>,
}

/// Facts of 7.5.3.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PressWithoutMove {
    /// The offender.
    pub by: Colour,
    /// The ply that should have been played.
    pub ply: u32,
    /// Nothing moved since this position.
    pub before: Before,
}

/// Facts of 7.5.2.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnpromotedPawn {
    /// The offender.
    pub by: Colour,
    /// Its ply.
    pub ply: u32,
    /// The move as the pawn went, without a piece: `e7e8`.
    pub uci: String,
    /// The last square.
    pub square: Square,
    /// What stands there; `None`: nothing, or nothing that can be read.
    pub stands: Option<char>,
    /// The position with the queen on it, its player's opponent to move. FEN.
    pub queen_fen: String,
    /// The position before the move (used where the edition restores it).
    pub before: Before,
}

/// A square that must be put right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Misplaced {
    /// Which.
    pub square: Square,
    /// What stands there, FEN's letter; `None`: nothing.
    pub is: Option<char>,
    /// What should.
    pub should: Option<char>,
}

/// Facts of 7.4.1 and 7.6.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DisplacedPieces {
    /// Who displaced them, if it is known.
    pub by: Option<Colour>,
    /// What is still to be put right.
    pub squares: Vec<Misplaced>,
    /// The position that should stand. FEN.
    pub fen: String,
    /// It is the one immediately before (else the last one identified).
    pub immediate: bool,
    /// Found later, nobody saw it happen (7.6); else 7.4.1.
    pub found_later: bool,
    /// A knocked-over pattern: several pieces within moments.
    pub knocked_over: bool,
    /// All of it stands right again.
    pub put_right: bool,
}

/// How a fallen flag was seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FlagSeen {
    /// The clock says so.
    FlagBit,
    /// The display is at 0:00.
    Zero,
    /// The arbiter saw it, or a player claimed it.
    Arbiter,
}

/// Facts of 6.9.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FlagFall {
    /// Whose flag.
    pub by: Colour,
    /// How it was seen.
    pub seen: FlagSeen,
    /// Moves this player has completed.
    pub completed: u32,
    /// Moves he had to complete by now, counted from move 1; `None`: all of them.
    pub required: Option<u32>,
    /// The position on the board, moves made included. FEN.
    pub fen: String,
    /// The opponent's flag is down as well.
    pub both_down: bool,
}

/// Facts of III.3.1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BothFlags {
    /// Whose flag fell first, if it is known.
    pub first: Option<Colour>,
    /// All remaining moves have to be played in this period.
    pub last_period: bool,
}

impl Irregularity {
    /// The position, the clocks and the presses that an offence at a press goes back to.
    pub const fn before_mut(&mut self) -> Option<&mut Before> {
        match self {
            Self::IllegalMove(fact) => Some(&mut fact.before),
            Self::UnpromotedPawn(fact) => Some(&mut fact.before),
            Self::PressWithoutMove(fact) => Some(&mut fact.before),
            Self::Reported(fact) => fact.before.as_mut(),
            _ => None,
        }
    }

    /// The ply of the offence, if it is one at a press.
    pub const fn ply(&self) -> Option<u32> {
        match self {
            Self::IllegalMove(fact) => Some(fact.ply),
            Self::UnpromotedPawn(fact) => Some(fact.ply),
            Self::PressWithoutMove(fact) => Some(fact.ply),
            Self::Reported(Reported { last: Some((ply, _)), .. }) => Some(*ply),
            _ => None,
        }
    }
}

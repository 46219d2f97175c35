//! How hands did what they did: the labels of simulated play, for whoever counts habits or compares what was recognised.
//!
//! The hands of many people ([`crate::people`]) fill them in; the three old kinds leave them out. Times are milliseconds: the script's own before it
//! is played, the device's after ([`crate::script::Truth`]).
use dgt_protocol::square::PieceCode;
use flagfall_events::Colour;
use shakmaty::Square;

/// A piece stood on a square from one moment to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stay {
    /// Where.
    pub square: Square,
    /// Since when.
    pub from: u64,
    /// Until when.
    pub until: u64,
}

/// A square changed under a hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Touch {
    /// When.
    pub at: u64,
    /// Which.
    pub square: Square,
    /// What stands there now; `Empty`: it was lifted.
    pub piece: PieceCode,
}

/// How a piece was taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Taking {
    /// It comes off first.
    VictimFirst,
    /// The capturer is lifted first, then both are in the hand.
    MoverFirst,
    /// The capturer pushes it off: its square never reads empty.
    Replaced,
    /// The capturer pushes it to a neighbouring square, from where it is taken later.
    PushedAside,
    /// It is put on a free square of the board first, and taken away later.
    Parked,
}

/// How a pawn was taken in passing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Passing {
    /// It comes off when the capturer stands.
    VictimLast,
    /// It comes off first.
    VictimFirst,
    /// The capturer is lifted first, then both are in the hand.
    MoverFirst,
}

/// How a player castled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Castling {
    /// The king, then the rook.
    KingFirst,
    /// Both are in one hand for a moment.
    InHand,
    /// A hand each, at the same time.
    BothHands,
    /// The rook, then the king.
    RookFirst,
    /// The king, and the rook after a rest.
    RookLate,
}

/// How a pawn was promoted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Promoting {
    /// The pawn comes off, the piece is put down.
    PawnOff,
    /// The piece stands on the last rank before the pawn comes off.
    PieceFirst,
    /// The pawn goes to the last rank and is lifted again for the piece.
    PawnFirst,
    /// The pawn goes to the last rank and is exchanged so quickly that the square never reads empty.
    PawnReplaced,
}

/// When a player began his answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Begun {
    /// After he thought about it.
    Thought,
    /// At the press, the other hand still over the board.
    AtOnce,
    /// Before the press, once the move stood.
    BeforeThePress,
}

/// When a player pressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Pressed {
    /// When his hand was there.
    Usual,
    /// Some time later.
    Late,
    /// Together with the opponent.
    Together,
    /// Not at all.
    Not,
}

/// How one ply was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct How {
    /// Every square that changed in it, in the order of time.
    pub touches: Vec<Touch>,
    /// When its piece (at castling the first of the two) left its square.
    pub lifted: u64,
    /// When the last piece of it was put down or taken off.
    pub dropped: u64,
    /// Squares that it touched on its way.
    pub slid: Vec<Stay>,
    /// Squares on its way where it rested.
    pub rested: Vec<Stay>,
    /// Squares on which it was put down first, as if the move were made.
    pub revised: Vec<Stay>,
    /// Squares over which it was seen, beside its way.
    pub glimpsed: Vec<Stay>,
    /// How long it was held in the air, milliseconds.
    pub held: Option<u64>,
    /// A capture's way.
    pub taken: Option<Taking>,
    /// A capture in passing.
    pub passed: Option<Passing>,
    /// A castling's way.
    pub castled: Option<Castling>,
    /// A promotion's way.
    pub promoted: Option<Promoting>,
    /// When it was begun.
    pub begun: Begun,
    /// When it was pressed.
    pub pressed: Pressed,
}

/// What hands did besides, or a sensor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum What {
    /// A piece was lifted and put back by the player to move.
    Adjusted,
    /// The same by the player who waited.
    AdjustedWaiting,
    /// The piece that is about to move was lifted and put back.
    Returned,
    /// A captured piece stood on the board for a while.
    Parked,
    /// A captured piece was pushed to a neighbouring square for a while.
    PushedAside,
    /// A piece was knocked over, and put back.
    Knocked,
    /// A piece stood, and its square read empty.
    Loose,
}

impl What {
    /// All of them.
    pub const ALL: [Self; 7] =
        [Self::Adjusted, Self::AdjustedWaiting, Self::Returned, Self::Parked, Self::PushedAside, Self::Knocked, Self::Loose];

    /// As files write it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Adjusted => "adjusted",
            Self::AdjustedWaiting => "adjusted-waiting",
            Self::Returned => "returned",
            Self::Parked => "parked",
            Self::PushedAside => "pushed-aside",
            Self::Knocked => "knocked",
            Self::Loose => "loose",
        }
    }
}

/// Something that is no part of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Deed {
    /// What.
    pub what: What,
    /// Who did it; nobody where a sensor did.
    pub by: Option<Colour>,
    /// The ply that was being played, from 1.
    pub ply: u32,
    /// On which square.
    pub square: Square,
    /// Where the piece lay meanwhile, if on the board.
    pub to: Option<Square>,
    /// When it began.
    pub at: u64,
    /// When all was as before.
    pub until: u64,
}

impl Stay {
    fn later(&mut self, ms: u64) {
        self.from += ms;
        self.until += ms;
    }
}

impl How {
    /// The same so many milliseconds later.
    pub(super) fn later(&mut self, ms: u64) {
        self.lifted += ms;
        self.dropped += ms;
        self.touches.iter_mut().for_each(|touch| touch.at += ms);
        let stays = [&mut self.slid, &mut self.rested, &mut self.revised, &mut self.glimpsed];
        stays.into_iter().flatten().for_each(|stay| stay.later(ms));
    }
}

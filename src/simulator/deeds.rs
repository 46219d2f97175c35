//! How hands did what they did: the labels of simulated play, for whoever counts habits or compares what was recognised.
//!
//! The hands of many people ([`crate::people`]) fill them in; the three old kinds leave them out. Times are milliseconds: the script's own before it
//! is played, the device's after ([`crate::script::Truth`]).
use dgt_protocol::square::PieceCode;
use flagfall_events::Colour;
use shakmaty::Square;

/// Ways of doing something, with the word that files have for each.
macro_rules! ways {
    ($(#[$about:meta])* $name:ident { $($(#[$means:meta])* $way:ident = $word:literal,)+ }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $name {
            $($(#[$means])* $way,)+
        }

        impl $name {
            /// All of them.
            pub const ALL: &[Self] = &[$(Self::$way),+];

            /// As files write it.
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$way => $word,)+
                }
            }
        }
    };
}

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

ways! {
    /// How a piece was taken.
    Taking {
        /// It comes off first.
        VictimFirst = "victim-first",
        /// The capturer is lifted first, then both are in the hand.
        MoverFirst = "mover-first",
        /// The capturer pushes it off: its square never reads empty.
        Replaced = "replaced",
        /// The capturer pushes it to a neighbouring square, from where it is taken later.
        PushedAside = "pushed-aside",
        /// It is put on a free square of the board first, and taken away later.
        Parked = "parked",
    }
}

ways! {
    /// How a pawn was taken in passing.
    Passing {
        /// It comes off when the capturer stands.
        VictimLast = "victim-last",
        /// It comes off first.
        VictimFirst = "victim-first",
        /// The capturer is lifted first, then both are in the hand.
        MoverFirst = "mover-first",
    }
}

ways! {
    /// How a player castled.
    Castling {
        /// The king, then the rook.
        KingFirst = "king-first",
        /// Both are in one hand for a moment.
        InHand = "in-hand",
        /// A hand each, at the same time.
        BothHands = "both-hands",
        /// The rook, then the king.
        RookFirst = "rook-first",
        /// The king, and the rook after a rest.
        RookLate = "rook-late",
    }
}

ways! {
    /// How a pawn was promoted.
    Promoting {
        /// The pawn comes off, the piece is put down.
        PawnOff = "pawn-off",
        /// The piece stands on the last rank before the pawn comes off.
        PieceFirst = "piece-first",
        /// The pawn goes to the last rank and is lifted again for the piece.
        PawnFirst = "pawn-first",
        /// The pawn goes to the last rank and is exchanged so quickly that the square never reads empty.
        PawnReplaced = "pawn-replaced",
    }
}

ways! {
    /// When a player began his answer.
    Begun {
        /// After he thought about it.
        Thought = "thought",
        /// At the press, the other hand still over the board.
        AtOnce = "at-once",
        /// Before the press, once the move stood.
        BeforeThePress = "before-the-press",
        /// Before the opponent's piece stood.
        BeforeTheMove = "before-the-move",
    }
}

ways! {
    /// When a player pressed.
    Pressed {
        /// When his hand was there.
        Usual = "usual",
        /// Some time later.
        Late = "late",
        /// Together with the opponent.
        Together = "together",
        /// Not at all.
        Not = "not",
    }
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

ways! {
    /// What hands did besides, or a sensor.
    What {
        /// A piece was lifted and put back by the player to move.
        Adjusted = "adjusted",
        /// The same by the player who waited.
        AdjustedWaiting = "adjusted-waiting",
        /// The piece that is about to move was lifted and put back.
        Returned = "returned",
        /// A captured piece stood on the board for a while.
        Parked = "parked",
        /// A captured piece was pushed to a neighbouring square for a while.
        PushedAside = "pushed-aside",
        /// A piece was knocked over, and put back.
        Knocked = "knocked",
        /// A piece stood, and its square read empty.
        Loose = "loose",
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
    /// Where its piece stood besides.
    pub fn stays(&self) -> impl Iterator<Item = &Stay> {
        [&self.slid, &self.rested, &self.revised, &self.glimpsed].into_iter().flatten()
    }

    /// The same so many milliseconds later.
    pub(super) fn later(&mut self, ms: u64) {
        self.lifted += ms;
        self.dropped += ms;
        self.touches.iter_mut().for_each(|touch| touch.at += ms);
        let stays = [&mut self.slid, &mut self.rested, &mut self.revised, &mut self.glimpsed];
        stays.into_iter().flatten().for_each(|stay| stay.later(ms));
    }
}

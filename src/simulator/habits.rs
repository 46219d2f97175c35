//! What players do between two games on one board: how long the kings stand, who stops the clock, what is tried out, what is left standing.
//!
//! Shares are from 0 to 1; where one is 0 nothing is drawn, so that hands without habits stay what they are, seed by seed.
use super::incident::{Incident, IncidentKind, When};
use super::pace::Kind;
use rand::{Rng as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

/// How often players do what between two games.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Habits {
    /// How long the kings stand in the centre before they are taken back, milliseconds; `None`: until the next game is set up, 3.5 to 5.5 s later.
    pub kings_ms: Option<(u64, u64)>,
    /// Games that end without a result for all to see: agreed drawn, resigned, lost on time.
    pub unshown: f64,
    /// Of those: nobody stops the clock.
    pub clock_left: f64,
    /// Of those: the player to move lets his flag fall, where he has [`FLAG_WITHIN`] milliseconds at most.
    pub flag: f64,
    /// Games after which moves are tried out from the last position.
    pub analysis: f64,
    /// Games after which the pieces are set up again at once.
    pub set_up: f64,
    /// Games before whose clock is started moves are tried out from the start position, and taken back.
    pub opening: f64,
    /// Games for which the clock is set while one piece stands in the middle of the board.
    pub one_left: f64,
    /// Games in which something goes wrong on purpose: one incident of [`MISHAPS`] at a ply of its own.
    pub mishaps: f64,
}

/// Nobody sits longer than this until a flag falls, milliseconds.
pub const FLAG_WITHIN: i64 = 120_000;

/// What may go wrong by chance; the clock and the cable hold.
pub const MISHAPS: [IncidentKind; 15] = [
    IncidentKind::Illegal,
    IncidentKind::Unpressed,
    IncidentKind::LatePress,
    IncidentKind::PressWithoutMove,
    IncidentKind::KnockOver,
    IncidentKind::Adjust,
    IncidentKind::MissingPiece,
    IncidentKind::ChangedMind,
    IncidentKind::SlidePause,
    IncidentKind::RookFirst,
    IncidentKind::RookLate,
    IncidentKind::Exchange,
    IncidentKind::Nudge,
    IncidentKind::OpponentsPiece,
    IncidentKind::StiffLever,
];

impl Default for Habits {
    fn default() -> Self {
        Self::NONE
    }
}

impl Habits {
    /// Every game ends as it is asked for, and the next one is set up at once.
    pub const NONE: Self = Self {
        kings_ms: None,
        unshown: 0.0,
        clock_left: 0.0,
        flag: 0.0,
        analysis: 0.0,
        set_up: 0.0,
        opening: 0.0,
        one_left: 0.0,
        mishaps: 0.0,
    };

    /// As many people end their games.
    pub const MANY: Self = Self {
        kings_ms: Some((1_000, 10_000)),
        unshown: 0.45,
        clock_left: 0.2,
        flag: 0.05,
        analysis: 0.25,
        set_up: 0.4,
        opening: 0.15,
        one_left: 0.15,
        mishaps: 0.0,
    };

    /// As people end their games, by the kind of their hands.
    pub const fn people(kind: Kind) -> Self {
        let usual = Self { kings_ms: Some((1000, 4000)), ..Self::NONE };
        match kind {
            Kind::Clean => Self { unshown: 0.25, clock_left: 0.2, analysis: 0.2, opening: 0.1, one_left: 0.1, ..usual },
            Kind::Human => Self { unshown: 0.35, clock_left: 0.25, flag: 0.1, analysis: 0.3, opening: 0.15, one_left: 0.2, ..usual },
            Kind::Blitz => Self { unshown: 0.4, clock_left: 0.4, flag: 0.2, analysis: 0.15, opening: 0.3, one_left: 0.25, ..usual },
        }
    }

    /// Nothing is asked for between games.
    pub(super) fn are_none(&self) -> bool {
        Self { mishaps: 0.0, ..*self } == Self::NONE
    }

    /// What goes wrong in a game of so many plies, if anything does.
    pub(super) fn mishap(&self, seed: u64, plies: usize) -> Option<Incident> {
        // A stream of its own: the hands are the same without it.
        let mut rng = ChaCha8Rng::seed_from_u64(seed ^ 0x0015_4A95);
        let plies = u32::try_from(plies).unwrap_or(u32::MAX);
        let goes_wrong = self.mishaps > 0.0 && plies > 6 && rng.random_bool(self.mishaps.min(1.0));
        goes_wrong.then(|| Incident { kind: MISHAPS[rng.random_range(0..MISHAPS.len())], when: When::Ply(rng.random_range(5..=plies)) })
    }
}

/// How players end a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// The clock is stopped, the kings show the result.
    Kings,
    /// The clock is stopped, no more.
    Stopped,
    /// Nobody stops the clock.
    Left,
    /// A flag falls.
    Flag,
}

impl Ended {
    /// As figures call it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Kings => "kings",
            Self::Stopped => "stopped",
            Self::Left => "left",
            Self::Flag => "flag",
        }
    }
}

/// What players do besides, around a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Around {
    /// One piece stood in the middle while the clock was set for it.
    OneLeft,
    /// Moves were tried out from the start position before the clock was started.
    Opening,
    /// Moves were tried out from its last position.
    Analysis,
    /// The pieces were set up again at once.
    SetUp,
}

impl Around {
    /// As figures call it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::OneLeft => "one-left",
            Self::Opening => "opening",
            Self::Analysis => "analysis",
            Self::SetUp => "set-up",
        }
    }
}

//! What may go wrong on purpose: incidents by name, `NAME@PLY` or `NAME@end`.
use super::clock_fault::ClockFault;
use std::{fmt, str::FromStr};

/// What happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum IncidentKind {
    /// The piece stops on its way, on a square in between.
    SlidePause,
    /// The piece is put on another square first.
    ChangedMind,
    /// Three own pieces are lifted and put back before the move.
    Adjust,
    /// Several pieces fall over and are put back one by one.
    KnockOver,
    /// The game ends with this ply and the kings show its result.
    Kings,
    /// The cable is pulled before the move and comes back two moves later.
    Unplug,
    /// An illegal move is made and pressed; the opponent presses back, it is corrected.
    Illegal,
    /// The player forgets to press and the opponent answers all the same.
    Unpressed,
    /// The press comes seconds after the move.
    LatePress,
    /// The player presses before he has moved; the opponent presses back.
    PressWithoutMove,
    /// Castling with the rook first, at this ply or the next castling after it.
    RookFirst,
    /// The pawn stays on the last rank when the clock is pressed, at this ply or the next promotion after it.
    PawnLeft,
    /// The answer stands on the board before the clock is pressed.
    TwoMovesQuick,
    /// An own piece is off the board while the player thinks.
    MissingPiece,
    /// After the end moves are tried out on the board; the clock stands.
    Analysis,
    /// After the end the pieces are set up for the next game.
    SetUp,
    /// The kings show the result while the other pieces are already being set up.
    KingsInSetUp,
    /// After the end one king only goes to the centre and back.
    OneKing,
    /// From this ply on presses add nothing to the clock; at ply 1: it was set so.
    NoIncrement,
    /// From this ply on presses add ten seconds more than agreed.
    WrongIncrement,
    /// From this ply on the clock delays and does not add; at ply 1: it was set so.
    DelayInstead,
    /// The clock was set to a base time that lacks a minute, whatever the ply.
    BaseWrong,
    /// The player of this ply does not get the next period's time from now on; the clock counts presses.
    BonusMissing,
    /// From this ply on the clock is two per cent fast.
    Drift,
    /// From this ply on the clock is two per cent slow.
    Slow,
    /// From this ply on the display does not count.
    Freeze,
    /// The running display loses a minute at this ply.
    Jump,
    /// From this ply on both displays count.
    BothRun,
    /// From this ply on this player's presses spring back and have to be repeated.
    StiffLever,
    /// Nobody presses for five moves from this ply on.
    UnpressedFive,
    /// The player exchanges two of his pieces before the move; they are put right two plies later.
    Exchange,
    /// The hand that moves pushes another piece to the next square; it is put right two plies later.
    Nudge,
    /// Castling is pressed with the king alone, the rook follows, at this ply or the next castling after it.
    RookLate,
    /// A piece of the opponent's is moved and pressed; the opponent presses back, it is corrected.
    OpponentsPiece,
}

impl IncidentKind {
    /// All of them, in the order of the help text.
    pub const ALL: [Self; 34] = [
        Self::SlidePause,
        Self::ChangedMind,
        Self::Adjust,
        Self::KnockOver,
        Self::Kings,
        Self::Unplug,
        Self::Illegal,
        Self::Unpressed,
        Self::LatePress,
        Self::PressWithoutMove,
        Self::RookFirst,
        Self::PawnLeft,
        Self::TwoMovesQuick,
        Self::MissingPiece,
        Self::Analysis,
        Self::SetUp,
        Self::KingsInSetUp,
        Self::OneKing,
        Self::NoIncrement,
        Self::WrongIncrement,
        Self::DelayInstead,
        Self::BaseWrong,
        Self::BonusMissing,
        Self::Drift,
        Self::Slow,
        Self::Freeze,
        Self::Jump,
        Self::BothRun,
        Self::StiffLever,
        Self::UnpressedFive,
        Self::Exchange,
        Self::Nudge,
        Self::RookLate,
        Self::OpponentsPiece,
    ];

    /// It happens after the last move, whatever ply is named with it; the game ends with that ply.
    pub const fn ends_the_game(self) -> bool {
        matches!(self, Self::Kings | Self::Analysis | Self::SetUp | Self::KingsInSetUp | Self::OneKing)
    }

    /// What it does to the clock's mechanism, if it does.
    pub const fn clock_fault(self) -> Option<ClockFault> {
        Some(match self {
            Self::NoIncrement => ClockFault::NoBonus,
            Self::WrongIncrement => ClockFault::MoreBonus(10),
            Self::DelayInstead => ClockFault::Delay,
            Self::BaseWrong => ClockFault::Base(-60),
            Self::BonusMissing => ClockFault::NoPeriod,
            Self::Drift => ClockFault::Fast(20_000),
            Self::Slow => ClockFault::Fast(-20_000),
            Self::Freeze => ClockFault::Stands,
            Self::Jump => ClockFault::Jump(-60),
            Self::BothRun => ClockFault::BothRun,
            _ => return None,
        })
    }

    /// As the command line writes it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::SlidePause => "slide-pause",
            Self::ChangedMind => "changed-mind",
            Self::Adjust => "adjust",
            Self::KnockOver => "knock-over",
            Self::Kings => "kings",
            Self::Unplug => "unplug",
            Self::Illegal => "illegal",
            Self::Unpressed => "unpressed",
            Self::LatePress => "late-press",
            Self::PressWithoutMove => "press-without-move",
            Self::RookFirst => "rook-first",
            Self::PawnLeft => "pawn-left",
            Self::TwoMovesQuick => "two-moves-quick",
            Self::MissingPiece => "missing-piece",
            Self::Analysis => "analysis",
            Self::SetUp => "set-up",
            Self::KingsInSetUp => "kings-in-set-up",
            Self::OneKing => "one-king",
            Self::NoIncrement => "no-increment",
            Self::WrongIncrement => "wrong-increment",
            Self::DelayInstead => "delay-instead",
            Self::BaseWrong => "base-wrong",
            Self::BonusMissing => "bonus-missing",
            Self::Drift => "drift",
            Self::Slow => "slow",
            Self::Freeze => "freeze",
            Self::Jump => "jump",
            Self::BothRun => "both-run",
            Self::StiffLever => "stiff-lever",
            Self::UnpressedFive => "unpressed-five",
            Self::Exchange => "exchange",
            Self::Nudge => "nudge",
            Self::RookLate => "rook-late",
            Self::OpponentsPiece => "opponents-piece",
        }
    }
}

/// When it happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum When {
    /// With this ply, from 1.
    Ply(u32),
    /// With the last ply of the game.
    End,
}

/// One incident.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Incident {
    /// What.
    pub kind: IncidentKind,
    /// When.
    pub when: When,
}

/// Not an incident.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{text:?} is no incident; write NAME@PLY or NAME@end, NAME one of {}", names())]
pub struct IncidentError {
    text: String,
}

/// The names, separated by commas.
pub fn names() -> String {
    IncidentKind::ALL.map(IncidentKind::name).join(", ")
}

impl FromStr for Incident {
    type Err = IncidentError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let bad = || IncidentError { text: String::from(text) };
        let (name, when) = text.split_once('@').ok_or_else(bad)?;
        let kind = IncidentKind::ALL.into_iter().find(|kind| kind.name() == name).ok_or_else(bad)?;
        let when = match when {
            "end" => When::End,
            ply => When::Ply(ply.parse().ok().filter(|ply| *ply > 0).ok_or_else(bad)?),
        };
        Ok(Self { kind, when })
    }
}

impl fmt::Display for Incident {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.when {
            When::Ply(ply) => write!(f, "{}@{ply}", self.kind.name()),
            When::End => write!(f, "{}@end", self.kind.name()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_goes_in_and_out() {
        for kind in IncidentKind::ALL {
            for when in ["7", "end"] {
                let text = format!("{}@{when}", kind.name());
                assert_eq!(text.parse::<Incident>().unwrap().to_string(), text);
            }
        }
    }

    #[test]
    fn nonsense_is_refused_with_the_names() {
        for text in ["kings", "kings@", "kings@0", "kings@-1", "sneeze@3", "@3"] {
            let error = text.parse::<Incident>().unwrap_err().to_string();
            assert!(error.contains("knock-over"), "{error}");
        }
    }
}

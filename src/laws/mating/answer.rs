//! The words of questions and answers; journaled, so their serialised form stays.
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use serde::{Deserialize, Serialize};
use shakmaty::{Chess, Color, Position as _};

/// Who is asked about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Winner {
    /// Can White mate?
    White,
    /// Can Black mate?
    Black,
    /// Can anybody mate? "Unwinnable" is a dead position (5.2.2).
    Either,
}

impl Winner {
    /// Whether a mate given by `color` is one that was asked for.
    pub const fn is(self, color: Color) -> bool {
        matches!((self, color), (Self::White, Color::White) | (Self::Black, Color::Black) | (Self::Either, _))
    }
}

/// Who has mated: only where there is no legal move.
pub fn mated_by(position: &Chess) -> Option<Color> {
    position.is_check().then(|| !position.turn())
}

impl From<Color> for Winner {
    fn from(color: Color) -> Self {
        color.fold_wb(Self::White, Self::Black)
    }
}

/// What proves that no mate is possible.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Proof {
    /// Play is over in this position, and it is no mate by that side.
    Terminal,
    /// That side's material can never mate.
    Material,
    /// The only legal moves lead to one of these, or round in a circle.
    Forced,
    /// Every position that legal play can reach was visited; none is a mate by that side.
    Closure,
    /// The helpmate solver says so; its search is evidence that cannot be checked again.
    Chasolver,
}

/// Why there is no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Why {
    /// What stands is not legal chess.
    #[serde(rename = "illegal position")]
    IllegalPosition,
    /// The search goes on; an answer may still come.
    #[serde(rename = "not decided yet")]
    NotYet,
    /// The deadline came first.
    #[serde(rename = "out of time")]
    OutOfTime,
    /// More positions than the table holds.
    #[serde(rename = "too many positions")]
    TooManyPositions,
    /// Two methods gave different answers, or a line did not replay: a mistake of the program.
    #[serde(rename = "contradiction")]
    Contradiction,
    /// The program ends.
    #[serde(rename = "stopped")]
    Stopped,
}

impl Why {
    /// The words of the journal, of `undecided` in proposals, and of English.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::IllegalPosition => "illegal position",
            Self::NotYet => "not decided yet",
            Self::OutOfTime => "out of time",
            Self::TooManyPositions => "too many positions",
            Self::Contradiction => "contradiction",
            Self::Stopped => "stopped",
        }
    }

    /// The same in Russian.
    pub const fn russian(self) -> &'static str {
        match self {
            Self::IllegalPosition => "позиция невозможна по правилам",
            Self::NotYet => "ещё не решено",
            Self::OutOfTime => "не хватило времени",
            Self::TooManyPositions => "слишком много позиций",
            Self::Contradiction => "противоречивые ответы",
            Self::Stopped => "остановлено",
        }
    }
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Can that side mate?
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(tag = "answer", rename_all = "lowercase")]
pub enum Answer {
    /// Yes, and so.
    Winnable {
        /// Legal moves from the position to mate, UCI; empty when it is mate already.
        line: Vec<String>,
    },
    /// No, never.
    Unwinnable {
        /// Why that is certain.
        proof: Proof,
        /// How many positions were looked at for it, the first included; 0 where nobody counted.
        positions: u64,
    },
    /// Nobody knows; never to be taken for either of the others.
    Undecided {
        /// Why.
        why: Why,
    },
}

impl Answer {
    /// Proved that no mate is possible.
    pub const fn is_unwinnable(&self) -> bool {
        matches!(self, Self::Unwinnable { .. })
    }

    /// Proved, by a mating line.
    pub const fn is_winnable(&self) -> bool {
        matches!(self, Self::Winnable { .. })
    }

    /// Whether no other answer to this question will come.
    pub const fn is_final(&self) -> bool {
        !matches!(self, Self::Undecided { why: Why::NotYet })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn journaled_answers_keep_their_form() {
        for (answer, json) in [
            (Answer::Winnable { line: vec![String::from("e2e4")] }, r#"{"answer":"winnable","line":["e2e4"]}"#),
            (Answer::Unwinnable { proof: Proof::Closure, positions: 12 }, r#"{"answer":"unwinnable","proof":"closure","positions":12}"#),
            (Answer::Undecided { why: Why::OutOfTime }, r#"{"answer":"undecided","why":"out of time"}"#),
        ] {
            assert_eq!(serde_json::to_string(&answer).unwrap(), json);
            assert_eq!(serde_json::from_str::<Answer>(json).unwrap(), answer);
        }
        for why in [Why::IllegalPosition, Why::NotYet, Why::OutOfTime, Why::TooManyPositions, Why::Contradiction, Why::Stopped] {
            assert_eq!(serde_json::to_value(why).unwrap(), why.as_str());
        }
    }
}

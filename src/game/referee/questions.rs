//! The questions of one board: which wait, what was answered.
use crate::questions::{Purpose, Question, Verdict};
use alloc::collections::VecDeque;
use alloc::format;
use alloc::string::String;
use flagfall_events::Colour;
use flagfall_laws::mating::{Answer, Proof, Winner};
use flagfall_laws::situation;

/// Verdicts that are remembered.
const REMEMBERED: usize = 32;
/// Questions that wait at once; the oldest is given up.
pub(crate) const OPEN: usize = 16;

/// The questions of one board.
#[derive(Clone, Debug, Default)]
pub(crate) struct Questions {
    pub(crate) last: u64,
    pub(crate) open: VecDeque<Question>,
    pub(crate) answered: VecDeque<Verdict>,
    /// The position that was asked about last for 5.2.2.
    pub(crate) dead: Option<Question>,
}

impl Questions {
    pub(crate) fn new_question(&mut self, fen: String, chess960: bool, winner: Winner, purpose: Purpose) -> Question {
        self.last += 1;
        Question { id: self.last, fen, chess960, winner, purpose }
    }

    pub(crate) fn remember(&mut self, verdict: Verdict) {
        self.answered.retain(|v| v.question.id != verdict.question.id);
        self.answered.push_back(verdict);
        if self.answered.len() > REMEMBERED {
            self.answered.pop_front();
        }
    }

    /// What is known of a question, whoever asked it; a final answer before one that is not.
    pub(crate) fn known(&self, fen: &str, winner: Winner) -> Option<&Answer> {
        let fits = |v: &&Verdict| v.question.winner == winner && v.question.fen == fen;
        let mut known = self.answered.iter().rev().filter(fits).map(|v| &v.answer);
        let last = known.next()?;
        if last.is_final() { Some(last) } else { known.find(|a| a.is_final()).or(Some(last)) }
    }

    /// What is known now of whether `winner` can mate from `fen`, as the rulebook reads it.
    pub(crate) fn verdict_on(&self, fen: &str, winner: Colour) -> situation::Verdict {
        let winner = if winner == Colour::White { Winner::White } else { Winner::Black };
        self.known(fen, winner).map_or(situation::Verdict::Pending, in_words)
    }

    pub(crate) fn is_open(&self, fen: &str, winner: Winner) -> bool {
        self.open.iter().any(|q| q.winner == winner && q.fen == fen)
    }
}

fn in_words(answer: &Answer) -> situation::Verdict {
    match answer {
        Answer::Winnable { line } => situation::Verdict::Winnable(line.clone()),
        Answer::Unwinnable { proof, positions } => situation::Verdict::Unwinnable(match proof {
            Proof::Terminal => String::from("play is over in this position"),
            Proof::Material => String::from("the material can never mate"),
            Proof::Forced => format!("the only legal moves lead to no mate ({positions} positions)"),
            Proof::Closure => format!("none of the {positions} positions that legal play can reach is such a mate"),
            Proof::Chasolver => String::from("the helpmate solver finds that there is no mate"),
        }),
        Answer::Undecided { why } => situation::Verdict::Undecided(String::from(why.as_str())),
    }
}

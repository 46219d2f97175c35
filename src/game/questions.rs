//! What the game wants to know from the solver: which questions wait, what was answered, and what an answer changes.
//!
//! A question goes out as [`Output::Question`], its verdict comes back as [`Input::Verdict`](super::Input::Verdict), perhaps much later,
//! perhaps never, perhaps first as "not decided yet" and then for good. A verdict on a position that is gone changes nothing.
use super::hearing::Hearing;
use super::position::Position;
use alloc::collections::VecDeque;
use alloc::format;
use alloc::string::String;
use flagfall_events::{AlarmState, Body, Colour};
use flagfall_laws::mating::{self, Answer, Proof, Why, Winner};
use flagfall_laws::situation;
use serde::{Deserialize, Serialize};

/// Verdicts that are remembered.
const REMEMBERED: usize = 32;
/// Questions that wait at once; the oldest is given up.
const OPEN: usize = 16;

/// What an answer is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Purpose {
    /// Did the last move end the game (5.2.2)? Asked after every made move; only a proof is worth an answer.
    DeadPosition,
    /// A flag fell (6.9).
    FlagFall,
    /// A second illegal move was completed (7.5.5).
    SecondIllegal,
    /// A player resigned (5.1.2).
    Resignation,
}

/// One question: can `winner` mate from `fen` by any series of legal moves?
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Question {
    /// From 1, per board.
    pub id: u64,
    /// The position; its counters mean nothing.
    pub fen: String,
    /// Castling is named by king and rook.
    pub chess960: bool,
    /// Who must be able to mate.
    pub winner: Winner,
    /// What for.
    pub purpose: Purpose,
}

/// The answer to a question. Journaled with the whole question, so that it can be checked again and never fits another one.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Verdict {
    /// The question.
    #[serde(flatten)]
    pub question: Question,
    /// The answer.
    #[serde(flatten)]
    pub answer: Answer,
}

/// The questions of one board.
#[derive(Clone, Debug, Default)]
pub(super) struct Questions {
    last: u64,
    open: VecDeque<Question>,
    answered: VecDeque<Verdict>,
    /// The position that was asked about last for 5.2.2.
    dead: Option<Question>,
}

impl Questions {
    fn new_question(&mut self, fen: String, chess960: bool, winner: Winner, purpose: Purpose) -> Question {
        self.last += 1;
        Question { id: self.last, fen, chess960, winner, purpose }
    }

    fn remember(&mut self, verdict: Verdict) {
        self.answered.retain(|v| v.question.id != verdict.question.id);
        self.answered.push_back(verdict);
        if self.answered.len() > REMEMBERED {
            self.answered.pop_front();
        }
    }

    /// What is known of a question, whoever asked it; a final answer before one that is not.
    fn known(&self, fen: &str, winner: Winner) -> Option<&Answer> {
        let fits = |v: &&Verdict| v.question.winner == winner && v.question.fen == fen;
        let mut known = self.answered.iter().rev().filter(fits).map(|v| &v.answer);
        let last = known.next()?;
        if last.is_final() { Some(last) } else { known.find(|a| a.is_final()).or(Some(last)) }
    }

    /// What is known now of whether `winner` can mate from `fen`, as the rulebook reads it.
    pub(super) fn verdict_on(&self, fen: &str, winner: Colour) -> situation::Verdict {
        let winner = if winner == Colour::White { Winner::White } else { Winner::Black };
        self.known(fen, winner).map_or(situation::Verdict::Pending, in_words)
    }

    fn is_open(&self, fen: &str, winner: Winner) -> bool {
        self.open.iter().any(|q| q.winner == winner && q.fen == fen)
    }
}

impl Hearing<'_> {
    /// Asks whether `winner` can mate from `fen`, unless that is known or asked already, and says what is known now.
    ///
    /// Mate on the board, material and forced moves are answered at once, as is a position that is not legal chess.
    pub(super) fn ask(&mut self, fen: &str, winner: Colour, purpose: Purpose) -> situation::Verdict {
        let winner = if winner == Colour::White { Winner::White } else { Winner::Black };
        if self.own.questions.known(fen, winner).is_none() && !self.own.questions.is_open(fen, winner) {
            let chess960 = self.scene.play.is_some_and(|p| p.chess960);
            let question = self.own.questions.new_question(String::from(fen), chess960, winner, purpose);
            let at_once = match mating::position(fen, chess960) {
                Ok(position) => mating::facts::settled(&position, winner),
                Err(why) => Some(Answer::Undecided { why }),
            };
            match at_once {
                Some(answer) => self.own.questions.remember(Verdict { question, answer }),
                None => {
                    self.own.questions.open.push_back(question.clone());
                    if self.own.questions.open.len() > OPEN {
                        self.own.questions.open.pop_front();
                    }
                    self.voice.ask(question);
                }
            }
        }
        self.own.questions.verdict_on(fen, if winner == Winner::White { Colour::White } else { Colour::Black })
    }

    /// 5.2.2, after every made move: nothing is skipped for material, a rook that must be taken mates nobody.
    pub(super) fn ask_whether_dead(&mut self) {
        let Some(play) = self.scene.play.filter(|p| p.said && !p.over) else { return };
        let top: &Position = &play.top().position;
        if top.legal().is_none() {
            return;
        }
        let (fen, chess960) = (top.fen(), play.chess960);
        if self.own.questions.dead.as_ref().is_some_and(|q| q.fen == fen) {
            return;
        }
        let question = self.own.questions.new_question(fen, chess960, Winner::Either, Purpose::DeadPosition);
        self.own.questions.dead = Some(question.clone());
        self.voice.ask(question);
    }

    /// A verdict came in; one that nobody waits for changes nothing.
    pub(super) fn verdict(&mut self, verdict: Verdict) -> Told {
        if matches!(verdict.answer, Answer::Undecided { why: Why::Contradiction }) {
            self.say(Body::Alarm { key: String::from("solver-contradiction"), state: AlarmState::Raised });
        }
        let questions = &mut self.own.questions;
        if questions.dead.as_ref() == Some(&verdict.question) {
            return if verdict.answer.is_unwinnable() { Told::Dead(verdict.question.fen) } else { Told::Nothing };
        }
        let Some(at) = questions.open.iter().position(|q| *q == verdict.question) else { return Told::Nothing };
        if verdict.answer.is_final() {
            questions.open.remove(at);
        }
        questions.remember(verdict);
        Told::Answered
    }
}

/// What a verdict tells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Told {
    Nothing,
    /// What waits for an answer may have it now.
    Answered,
    /// The game ends if it stands in this position (5.2.2).
    Dead(String),
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

#[cfg(test)]
#[path = "questions_tests.rs"]
mod tests;

//! What the referee wants to know from the solver, and what an answer tells him.
use crate::questions::{Purpose, Verdict};
use crate::referee::hearing::Hearing;
use crate::referee::questions::OPEN;
use alloc::string::String;
use flagfall_events::{AlarmKey, AlarmState, Body, Colour};
use flagfall_hands::position::Position;
use flagfall_laws::mating::{self, Answer, Why, Winner};
use flagfall_laws::situation;

impl Hearing<'_> {
    /// Asks whether `winner` can mate from `fen`, unless that is known or asked already, and says what is known now.
    ///
    /// Mate on the board, material and forced moves are answered at once, as is a position that is not legal chess.
    pub(crate) fn ask(&mut self, fen: &str, winner: Colour, purpose: Purpose) -> situation::Verdict {
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
    pub(crate) fn ask_whether_dead(&mut self) {
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
    pub(crate) fn verdict(&mut self, verdict: Verdict) -> Told {
        if matches!(verdict.answer, Answer::Undecided { why: Why::Contradiction }) {
            self.say(Body::alarm(AlarmKey::SolverContradiction, AlarmState::Raised));
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
pub(crate) enum Told {
    Nothing,
    /// What waits for an answer may have it now.
    Answered,
    /// The game ends if it stands in this position (5.2.2).
    Dead(String),
}

#[cfg(test)]
#[path = "asking_tests.rs"]
mod tests;

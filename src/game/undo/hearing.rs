//! The game without an entry hears what the other one hears: what the entry caused, and what rests on it.
use crate::beside::{Beside, Said};
use crate::input::Input;
use crate::told::Told;
use crate::voice::Voice;
use crate::{Game, Output};
use alloc::vec::Vec;
use flagfall_events::{Body, Mono};

/// So many entries can be undone, the newest first.
const DEEP: usize = 4;

/// How many events, findings and questions there were.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Counted {
    seq: u64,
    finding: u64,
    question: u64,
}

impl Game {
    pub(crate) const fn counted(&self) -> Counted {
        let referee = &self.parts.referee;
        Counted { seq: self.voice.seq(), finding: referee.findings.last_id, question: referee.questions.last }
    }

    /// Numbers that one of both games has used are no other's.
    const fn count_with(&mut self, other: Counted) {
        self.voice.count_from(other.seq);
        let referee = &mut self.parts.referee;
        if referee.findings.last_id < other.finding {
            referee.findings.last_id = other.finding;
        }
        if referee.questions.last < other.question {
            referee.questions.last = other.question;
        }
    }
}

impl Beside<Game> {
    /// When the game without the entry wants to be told the time, or the entry can no longer be undone.
    pub(crate) fn deadline(&self) -> Option<Mono> {
        self.without.deadline().into_iter().chain([self.until + 1]).min()
    }

    /// Both games have heard an input; the one with the entry said this. `before`: how much there was before it.
    pub(crate) fn hear(&mut self, now: Mono, input: &Input, said: &[Said], before: Counted, voice: &Voice) {
        let commands: Vec<&Output> = voice.waiting().filter(|output| matches!(output, Output::Command(_))).collect();
        self.without.count_with(before);
        self.without.handle(now, input.clone());
        let mut other: Vec<(Option<u32>, Body)> = Vec::new();
        while let Some(output) = self.without.poll() {
            match output {
                Output::Event { game, body, .. } => other.push((game, body)),
                Output::Command(_) => self.dumps |= !commands.contains(&&output),
                Output::Question(_) => {}
            }
        }
        for (seq, game, body) in said {
            if let Some(at) = other.iter().position(|(of, same)| of == game && is_same(same, body)) {
                other.remove(at);
                self.with.take(*game, body);
            } else if rests(body) && !matches!(input, Input::Verdict(_)) {
                self.with.take(*game, body);
                self.played.push(body.clone());
            } else {
                self.caused_one(*seq);
            }
        }
        for (game, body) in other {
            if matches!(body, Body::DrawClaim(_) | Body::TouchedPiece(_)) {
                self.missed.push((game.unwrap_or(1), body));
            } else if rests(&body) {
                self.unplayed.push(body);
            }
        }
    }

    /// The time has come for the game without the entry, which said nothing of its own.
    pub(crate) fn hear_alone(&mut self, now: Mono, before: Counted) {
        self.hear(now, &Input::Timeout, &[], before, &Voice::default());
    }

    /// What would be told now does not begin another game.
    pub(crate) fn is_the_same_game(&self, told: &Told) -> bool {
        !self.begins && told.game == self.with.game && self.with.game == self.without.told.game
    }

    /// Entries further back than so many can no longer be undone.
    pub(crate) fn forget_the_oldest(&mut self) {
        let mut beside = self;
        for _ in 1..DEEP {
            let Some(next) = beside.without.undo.as_deref_mut() else { return };
            beside = next;
        }
        beside.without.undo = None;
    }
}

/// What was played: nobody takes it back for an entry's sake.
const fn rests(body: &Body) -> bool {
    matches!(
        body,
        Body::GameStart { .. }
            | Body::MoveMade { .. }
            | Body::MoveRevised { .. }
            | Body::MoveWithdrawn { .. }
            | Body::MoveCompleted { .. }
            | Body::Press { .. }
            | Body::Result { .. }
    )
}

/// The same event, whatever it rests on: what a finding proposes otherwise is a revision.
fn is_same(one: &Body, other: &Body) -> bool {
    match (one, other) {
        (Body::Finding(one), Body::Finding(other)) => (one.id, one.key, one.by) == (other.id, other.key, other.by),
        _ => one == other,
    }
}

//! What a game says, in order, and the only counter of events.
use super::Output;
use super::questions::Question;
use alloc::collections::VecDeque;
use dgt_protocol::command::Command;
use flagfall_events::Body;

/// Outputs that wait to be fetched.
#[derive(Clone, Debug, Default)]
pub(super) struct Voice {
    /// Events said so far.
    seq: u64,
    outputs: VecDeque<Output>,
}

impl Voice {
    /// Another one that goes on counting, with nothing said.
    pub(super) const fn silent(&self) -> Self {
        Self { seq: self.seq, outputs: VecDeque::new() }
    }

    /// The next event has the number after this one.
    pub(super) const fn count_from(&mut self, seq: u64) {
        self.seq = seq;
    }

    /// Events said so far.
    pub(super) const fn seq(&self) -> u64 {
        self.seq
    }

    /// Everything was fetched.
    pub(super) fn is_drained(&self) -> bool {
        self.outputs.is_empty()
    }

    /// An event; `game` is the game that it belongs to, if it belongs to one.
    pub(super) fn say(&mut self, game: u32, body: Body) {
        self.seq += 1;
        let game = body.is_of_a_game().then_some(game);
        self.outputs.push_back(Output::Event(game, body));
    }

    /// The same, before what was said last.
    pub(super) fn say_before_the_last(&mut self, game: u32, body: Body) {
        let last = self.outputs.pop_back();
        self.say(game, body);
        self.outputs.extend(last);
    }

    pub(super) fn command(&mut self, command: Command) {
        self.outputs.push_back(Output::Command(command));
    }

    pub(super) fn ask(&mut self, question: Question) {
        self.outputs.push_back(Output::Question(question));
    }

    pub(super) fn next(&mut self) -> Option<Output> {
        self.outputs.pop_front()
    }
}

//! What a game says, in order, and the only counter of events.
use crate::questions::Question;
use alloc::collections::VecDeque;
use dgt_protocol::command::Command;
use flagfall_events::Body;

/// What a game says.
#[derive(Clone, Debug, PartialEq)]
pub enum Output {
    /// Journal and publish it.
    Event {
        /// Its number in the board's stream.
        seq: u64,
        /// Which game of the board it belongs to, if to one.
        game: Option<u32>,
        /// What happened.
        body: Body,
    },
    /// Send it to the board; its answer comes back as an [`Input::Message`](crate::Input::Message).
    Command(Command),
    /// Ask the solver; its answer comes back as an [`Input::Verdict`](crate::Input::Verdict).
    Question(Question),
}

/// Outputs that wait to be fetched.
#[derive(Clone, Debug, Default)]
pub(crate) struct Voice {
    /// Events said so far.
    seq: u64,
    outputs: VecDeque<Output>,
}

impl Voice {
    /// Another one that goes on counting, with nothing said.
    pub(crate) const fn silent(&self) -> Self {
        Self { seq: self.seq, outputs: VecDeque::new() }
    }

    /// The next event has the number after this one.
    pub(crate) const fn count_from(&mut self, seq: u64) {
        self.seq = seq;
    }

    /// The number of an event that somebody else says.
    pub(crate) const fn number(&mut self) -> u64 {
        self.seq += 1;
        self.seq
    }

    /// Events said so far.
    pub(crate) const fn seq(&self) -> u64 {
        self.seq
    }

    /// Everything was fetched.
    pub(crate) fn is_drained(&self) -> bool {
        self.outputs.is_empty()
    }

    /// What was not fetched yet.
    pub(crate) fn waiting(&self) -> impl Iterator<Item = &Output> {
        self.outputs.iter()
    }

    /// An event; `game` is the game that it belongs to, if it belongs to one.
    pub(crate) fn say(&mut self, game: u32, body: Body) {
        let seq = self.number();
        let game = body.is_of_a_game().then_some(game);
        self.outputs.push_back(Output::Event { seq, game, body });
    }

    /// The same, before what was said last.
    pub(crate) fn say_before_the_last(&mut self, game: u32, body: Body) {
        let mut last = self.outputs.pop_back();
        self.say(game, body);
        if let (Some(Output::Event { seq: before, .. }), Some(Output::Event { seq: after, .. })) = (self.outputs.back_mut(), &mut last) {
            core::mem::swap(before, after);
        }
        self.outputs.extend(last);
    }

    pub(crate) fn command(&mut self, command: Command) {
        self.outputs.push_back(Output::Command(command));
    }

    pub(crate) fn ask(&mut self, question: Question) {
        self.outputs.push_back(Output::Question(question));
    }

    pub(crate) fn next(&mut self) -> Option<Output> {
        self.outputs.pop_front()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;
    use flagfall_events::Colour;

    #[test]
    fn numbers_go_up_in_the_order_in_which_events_are_fetched() {
        let mut voice = Voice::default();
        voice.count_from(6);
        voice.say(1, Body::Press { by: Colour::White });
        voice.say_before_the_last(1, Body::Press { by: Colour::Black });
        assert_eq!(voice.number(), 9);
        voice.command(Command::SendBoard);
        voice.say_before_the_last(1, Body::Press { by: Colour::White });
        let said: Vec<_> = core::iter::from_fn(|| voice.next())
            .filter_map(|output| if let Output::Event { seq, body: Body::Press { by }, .. } = output { Some((seq, by)) } else { None })
            .collect();
        assert_eq!(said, [(7, Colour::Black), (8, Colour::White), (10, Colour::White)]);
    }
}

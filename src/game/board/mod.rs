//! One board: bytes in, events out. The receiver and the game joined, under a name; the daemon and `replay` both run this.
//!
//! Pure: time comes in as an argument. After each call drain [`Board::poll`] before the next.
mod sensed;
mod stands;

use alloc::boxed::Box;
use alloc::string::String;
pub use stands::Stands;

use crate::believed::{Believed, Unestimated};
use crate::played::Played;
use crate::questions::{Question, Verdict};
use crate::settings::Settings;
use crate::{Game, Input};
use alloc::collections::VecDeque;
use alloc::sync::Arc;
use alloc::vec::Vec;
use dgt_protocol::command::Command;
use dgt_protocol::frame::Counters;
use dgt_protocol::receiver::{Receiver, Single};
use flagfall_events::{AlarmKey, BoardKind, Body, Entry, Event, LinkState, Mono, Wall, Word};
use flagfall_hands::price::Nats;
use sensed::sensed;

/// What a board says.
#[derive(Clone, Debug, PartialEq)]
pub enum Output {
    /// Journal and publish it.
    Event(Event),
    /// Send it to the board.
    Command(Command),
    /// Ask the solver; its answer comes back through [`Board::verdict`].
    Question(Question),
}

/// One board's receiver and game.
#[derive(Clone, Debug)]
pub struct Board {
    name: Arc<str>,
    opened_at: Wall,
    receiver: Receiver,
    game: Game,
    outputs: VecDeque<Output>,
}

impl Board {
    /// A board of which nothing is known yet; `opened_at` is the wall time of millisecond 0.
    pub fn new(name: &str, opened_at: Wall, settings: Settings) -> Self {
        Self {
            name: name.into(),
            opened_at,
            receiver: Receiver::new(match settings.kind {
                BoardKind::Dgt | BoardKind::Occupancy => Single::Dgt,
                BoardKind::Pegasus => Single::Pegasus,
            }),
            game: Game::scheduled(settings, opened_at),
            outputs: VecDeque::new(),
        }
    }

    /// The same board counting its events on from `seq`, for a board that takes another's place in the same stream.
    pub const fn numbered_after(mut self, seq: u64) -> Self {
        self.game.count_from(seq);
        // A finding takes an event at least, so no earlier one has a number above.
        self.game.findings_from(seq);
        self
    }

    /// The same board after so many games: the next one has the number after it.
    pub const fn games_after(mut self, last: u32) -> Self {
        self.game.games_from(last);
        self
    }

    /// The same board where a journal begins between two games of it.
    pub fn standing(mut self, stands: &Stands) -> Self {
        self.game.stand(stands);
        self
    }

    /// The same board where a journal begins while these alarms stand.
    pub fn alarmed(mut self, raised: &[Word<AlarmKey>]) -> Self {
        self.game.was_raised(raised);
        self
    }

    /// The alarms that stand on it.
    pub fn raised(&self) -> Vec<Word<AlarmKey>> {
        self.game.raised()
    }

    /// What stands on it at `t`.
    pub fn stands(&self, t: Mono) -> Stands {
        self.game.standing(t)
    }

    /// Nothing is going on: the pieces of another game stand, nothing of it is said, and nothing that was said before waits for anything.
    pub fn is_between_games(&self) -> bool {
        !self.receiver.is_mid_frame() && self.game.is_between_games()
    }

    /// How many games were played on it.
    pub fn games(&self) -> u32 {
        self.game.played_so_far()
    }

    /// The number of the game that is on, that was played last, or that will begin.
    pub const fn game(&self) -> u32 {
        self.game.number()
    }

    /// What is believed of the game that is on.
    ///
    /// # Errors
    /// Why there is no estimate.
    pub fn believed(&self) -> Result<Believed, Unestimated> {
        self.game.believed()
    }

    /// How much dearer than what is read the cheapest honest play is, 1/1024 nat; `None` without an estimate.
    pub fn honest_play_is_dearer(&self) -> Option<Nats> {
        self.game.honest_play_is_dearer()
    }

    /// When the press came that completed a ply, counted from 1, of the game that is on.
    pub fn pressed_at(&self, ply: u32) -> Option<Mono> {
        self.game.pressed_at(ply)
    }

    /// The next event has the number after `seq`.
    pub const fn count_from(&mut self, seq: u64) {
        self.game.count_from(seq);
    }

    /// Another build published the board's last game so: that counts.
    pub fn take_over(&mut self, t: Mono, played: Played) {
        self.expire(t);
        self.hand_on(t, Input::TakeOver(Box::new(played)));
    }

    /// The program ended and runs again: nobody listened meanwhile.
    pub fn restarted(&mut self, t: Mono) {
        self.expire(t);
        self.receiver.clear();
        self.hand_on(t, Input::Restart);
    }

    /// The program itself says something about this board: an alarm.
    pub fn say(&mut self, t: Mono, body: Body) {
        self.expire(t);
        let seq = self.game.number_event();
        let event = self.event(t, seq, None, body);
        self.outputs.push_back(Output::Event(event));
    }

    /// The machine's clock was set: at `t` it says `at`. Events carry times of day that count from there.
    pub fn wall(&mut self, t: Mono, at: Wall) {
        self.expire(t);
        self.opened_at = at.before(t);
        self.game.reschedule(self.opened_at);
    }

    /// The time of day that an event at `t` would carry.
    pub fn at(&self, t: Mono) -> Wall {
        self.opened_at.after(t)
    }

    /// The board's name, as events carry it.
    pub const fn name(&self) -> &Arc<str> {
        &self.name
    }

    /// Bytes that were read from the board at `t`, in any portions.
    pub fn bytes(&mut self, t: Mono, bytes: &[u8]) {
        self.expire(t);
        self.receiver.feed(t.millis(), bytes);
        while let Some(said) = self.receiver.next() {
            self.hand_on(t, said.map_or(Input::Damaged, |message| Input::Message(sensed(message))));
        }
    }

    /// From `from` to `t` the board said more than it may: all of it was dropped, as if it had been lost on its way.
    pub fn dropped(&mut self, t: Mono, from: Mono) {
        self.expire(t);
        // What comes next is not the rest of what came before.
        self.receiver.clear();
        self.hand_on(t, Input::Dropped(from));
    }

    /// The link came up or went down. Up while it is up: the reader stood still, and what comes now may have waited for it.
    pub fn link(&mut self, t: Mono, state: LinkState, reason: Option<String>) {
        self.expire(t);
        if state == LinkState::Down {
            self.receiver.clear();
        }
        self.hand_on(t, Input::Link(state, reason));
    }

    /// An arbiter or operator says so.
    pub fn entry(&mut self, t: Mono, entry: Entry) {
        self.expire(t);
        self.hand_on(t, Input::Entry(entry));
    }

    /// The solver answers a question.
    pub fn verdict(&mut self, t: Mono, verdict: Verdict) {
        self.expire(t);
        self.hand_on(t, Input::Verdict(verdict));
    }

    /// Why an entry cannot be carried out now, if it cannot: a malformed line, or HTTP 422.
    pub fn refusal(&self, entry: &Entry) -> Option<String> {
        self.game.refusal(entry)
    }

    /// A deadline passed. Early or repeated calls change nothing.
    pub fn timeout(&mut self, t: Mono) {
        self.expire(t);
        self.hand_on(t, Input::Timeout);
    }

    /// When to call [`Board::timeout`] if nothing else happens.
    pub fn deadline(&self) -> Option<Mono> {
        [self.game.deadline(), self.receiver.deadline().map(Mono::from_millis)].into_iter().flatten().min()
    }

    /// The next output, until there is none.
    pub fn poll(&mut self) -> Option<Output> {
        self.outputs.pop_front()
    }

    /// What the receiver met since the board was opened.
    pub const fn counters(&self) -> &Counters {
        self.receiver.counters()
    }

    /// R4: the rest of a frame did not come.
    fn expire(&mut self, t: Mono) {
        if self.receiver.expire(t.millis()).is_some() {
            self.hand_on(t, Input::Damaged);
        }
    }

    /// With the board's name and the time of day.
    fn event(&self, t: Mono, seq: u64, game: Option<u32>, body: Body) -> Event {
        Event { seq, t, at: self.opened_at.after(t), board: self.name.clone(), game, body }
    }

    fn hand_on(&mut self, t: Mono, input: Input) {
        self.game.handle(t, input);
        while let Some(output) = self.game.poll() {
            self.outputs.push_back(match output {
                crate::Output::Event { seq, game, body } => Output::Event(self.event(t, seq, game, body)),
                crate::Output::Command(command) => Output::Command(command),
                crate::Output::Question(question) => Output::Question(question),
            });
        }
    }
}

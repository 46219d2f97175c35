//! One board's game: a pure state machine. `handle` an input, then drain `poll` until it is empty, before the next `handle`.
//!
//! | file | holds |
//! |---|---|
//! | `watcher/` | the image of the board, which way round it stands, how far the sensors lag, what is doubtful |
//! | `clock/` | readings, lever, presses, flags; what is wrong with the clock or its setting |
//! | `recogniser/` | what was played: the state |
//! | `recovery/` | what is not known since the link was down |
//! | `reading/` | the recogniser at work: an input is read, the referee is told what follows |
//! | `referee/` | findings, rulings, offences, touches, questions for the solver |
//! | `recognition/` | legal moves that explain what was sensed |
//! | `undo/`, `beside.rs`, `told.rs` | the same game without its newest entry, for an undo; what the world was told |
//! | `lights.rs` | what a board with LEDs shows |
//! | `voice.rs`, `timers.rs` | what is said, with the only counter of events; deadlines |
//! | `believed.rs` | what is believed of the game that is on, for people who ask why |
//! | `input.rs` | what can happen to a game |
//! | `placement.rs`, `position.rs` | 64 squares as sensed; positions, legal chess or what illegal play left |
//! | `press.rs` | a press, and how a move counts by it |
//! | `settings.rs`, `setting.rs` | what is fixed before a game; the same by name |
//! | `between.rs`, `played.rs` | what goes over into the next game's journal; a game as another build published it |
//! | `pgn.rs` | a game in PGN, as a record is restored from it |
//! | `questions.rs`, `figures.rs` | questions and verdicts; figures for the arbiter's decisions |
//! | `board/` | bytes in, events out: the receiver and the game joined |
//!
//! The loop around a game, whoever runs it:
//!
//! ```
//! use flagfall_events::{LinkState, Mono};
//! use flagfall_game::{Game, Input, Output, settings::Settings};
//!
//! let mut game = Game::new(Settings::default());
//! game.handle(Mono::ZERO, Input::Link(LinkState::Up, None));
//! let mut events = 0;
//! while let Some(output) = game.poll() {
//!     match output {
//!         Output::Event { .. } => events += 1, // journal it, then publish it
//!         Output::Command(_) => {}          // send it to the board
//!         Output::Question(_) => {}         // ask the solver; its verdict comes back as an input
//!     }
//! }
//! assert_eq!(events, 1);
//! assert_eq!(game.deadline(), None);        // else: call handle(deadline, Input::Timeout) when it comes
//! ```
#![cfg_attr(not(any(test, feature = "openapi")), no_std)]

extern crate alloc;

pub mod believed;
mod beside;
mod between;
pub mod board;
mod clock;
pub mod figures;
mod input;
mod lights;
pub mod pgn;
mod placement;
pub mod played;
mod press;
pub mod questions;
mod reading;
mod recogniser;
mod recognition;
mod recovery;
mod referee;
pub mod setting;
pub mod settings;
mod timers;
mod told;
mod undo;
mod voice;
mod watcher;

use alloc::boxed::Box;
use alloc::string::String;
use beside::Beside;
use flagfall_events::{Entry, Mono, Order, Wall};
pub use input::Input;
use lights::Lights;
use reading::parts::{Meanwhile, Parts};
use reading::view::Reading;
use referee::scene::Scene;
use settings::Settings;
use told::Told;
pub use voice::Output;
use voice::Voice;

/// The number of what is recognised, prices and the Laws included: raised whenever the same inputs may give other events. Journals name it, and
/// only journals of this number are compared with a replay. `tests/journals/README.md` says what to do when it is raised.
pub const RECOGNITION: u32 = 23;

/// One board's game: six parts, each with a state of its own, and what goes down from part to part.
#[derive(Clone, Debug)]
pub struct Game {
    settings: Settings,
    now: Mono,
    parts: Parts,
    lights: Lights,
    voice: Voice,
    /// The game that has ended, as if it went on.
    meanwhile: Option<Box<Meanwhile>>,
    /// What the world was told.
    told: Told,
    /// The same game without its newest entry, while that can be undone.
    undo: Option<Box<Beside<Self>>>,
}

impl Game {
    /// A board of which nothing is known yet.
    pub fn new(settings: Settings) -> Self {
        let parts = Parts::new(&settings);
        Self {
            settings,
            now: Mono::ZERO,
            parts,
            lights: Lights::default(),
            voice: Voice::default(),
            meanwhile: None,
            told: Told::default(),
            undo: None,
        }
    }

    /// The same, with the wall time of millisecond 0: only with it a scheduled start is known.
    pub fn scheduled(settings: Settings, opened_at: Wall) -> Self {
        let mut game = Self::new(settings);
        game.reschedule(opened_at);
        game
    }

    /// The wall time of millisecond 0 is another one: a scheduled start lies elsewhere.
    pub(crate) fn reschedule(&mut self, opened_at: Wall) {
        let start_at = self.settings.start_at.map(|at| at.differs(opened_at));
        self.parts.clocks.schedule(start_at);
    }

    /// Takes one input that happened at `t`.
    pub fn handle(&mut self, t: Mono, input: Input) {
        debug_assert!(self.voice.is_drained(), "poll() must be drained before the next handle()");
        self.now = self.now.max(t);
        self.take(input);
    }

    /// The same, without a thought of undoing.
    fn read(&mut self, input: Input) {
        let goes_on = self.meanwhile.as_ref().and_then(|meanwhile| meanwhile.wants(&input));
        self.reading().read(input);
        let lit = self.lights.show(self.now, &self.settings, &self.parts.watcher, &self.parts.recogniser);
        lit.into_iter().for_each(|command| self.voice.command(command));
        if let Some((input, meanwhile)) = goes_on.zip(self.meanwhile.as_mut()) {
            meanwhile.take(self.now, &self.settings, input);
        }
        // Begun in the middle of this input, it may wait for this very moment.
        if let Some(meanwhile) = self.meanwhile.as_mut().filter(|meanwhile| meanwhile.deadline().is_some_and(|at| at <= self.now)) {
            meanwhile.take(self.now, &self.settings, Input::Timeout);
        }
        if self.meanwhile.as_ref().is_some_and(|meanwhile| meanwhile.was_told()) {
            self.reading().take_what_was_told_late();
        }
    }

    /// The next output, until there is none.
    pub fn poll(&mut self) -> Option<Output> {
        self.voice.next()
    }

    /// When to call `handle(t, Input::Timeout)` if nothing else happens.
    pub fn deadline(&self) -> Option<Mono> {
        let meanwhile = self.meanwhile.as_ref().and_then(|meanwhile| meanwhile.deadline());
        let undo = self.undo.as_ref().and_then(|beside| beside.deadline());
        [self.parts.deadline(), self.lights.deadline(), meanwhile, undo].into_iter().flatten().min()
    }

    /// Why an entry cannot be carried out, if it cannot.
    pub fn refusal(&self, entry: &Entry) -> Option<String> {
        if let Order::Undo { ruling } = entry.order {
            return self.undo_refusal(ruling, entry);
        }
        let Parts { watcher, clocks, recogniser, referee, .. } = &self.parts;
        Scene::new(self.now, &self.settings, watcher, clocks, recogniser).refusal(referee, entry)
    }

    /// The same for findings, where the board follows another one in the same stream: no number is used twice.
    pub(crate) const fn findings_from(&mut self, id: u64) {
        self.parts.referee.findings.count_from(id);
    }

    /// Games that were played on this board before: the one that begins next has the number after it.
    pub const fn games_from(&mut self, last: u32) {
        self.parts.recogniser.stage.begun = last > 0;
        self.parts.recogniser.number = if last > 0 { last } else { 1 };
    }

    /// The game that is on or that was played last; before the first, 1.
    pub const fn number(&self) -> u32 {
        self.parts.recogniser.number
    }

    /// The next event has the number after this one.
    pub(crate) const fn count_from(&mut self, seq: u64) {
        self.voice.count_from(seq);
    }

    /// The number of an event about this board that the game does not say.
    pub(crate) const fn number_event(&mut self) -> u64 {
        self.voice.number()
    }

    fn reading(&mut self) -> Reading<'_> {
        Reading::new(self.now, &self.settings, &mut self.parts, &mut self.meanwhile, &mut self.voice)
    }
}

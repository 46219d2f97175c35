//! One board's game: a pure state machine. `handle` an input, then drain `poll` until it is empty, before the next `handle`.
//!
//! | file | holds |
//! |---|---|
//! | `placement.rs` | 64 squares as sensed, what changed and when |
//! | `position.rs` | positions: legal chess, or what illegal play left |
//! | `orientation.rs` | which way round the board stands, start positions |
//! | `recognition/` | placement and legal moves become what was played |
//! | `play.rs` | one game in progress: what is certain, what was made on top of it |
//! | `played.rs`, `taken_over.rs` | a game as another build published it, taken as fact |
//! | `press.rs` | which move a press completes |
//! | `kings.rs` | the result shown with both kings in the centre |
//! | `clock/` | readings, lever, presses, flags; what is wrong with the clock or its setting |
//! | `clock_facts.rs` | what the clock shows to be wrong becomes findings and alarms |
//! | `record.rs` | moves made and completed, ends of games |
//! | `settings.rs`, `setting.rs` | what is fixed before a game, and the words for it |
//! | `figures.rs` | figures for the arbiter's decisions: how late presses come, how often the clocks were stopped |
//! | `watch.rs` | what the board says: dumps, updates, identity, the link |
//! | `pace.rs` | how far its sensors may lag |
//! | `between.rs` | what goes over into the next game's journal |
//! | `begin.rs`, `ended.rs` | when a game begins and ends |
//! | `stage.rs` | between two games: the pieces are set up, the next game has not begun |
//! | `meanwhile.rs` | a game that has ended as if it went on, for a result that was wrong |
//! | `jump.rs` | a position that was set in the middle of a game |
//! | `blind.rs` | boards that tell only occupied from empty |
//! | `made.rs` | which moves stand, and what follows from them |
//! | `presses.rs` | clock reports and who pressed |
//! | `gap.rs`, `memory.rs` | after the link was down; the board's own move memory |
//! | `completion.rs` | by what a ply is completed |
//! | `corrected.rs` | a completed move that a dump shows to be read wrong |
//! | `touched.rs` | which pieces were touched |
//! | `disorder.rs` | pieces that stand where no move put them |
//! | `claims.rs` | draws that may be claimed |
//! | `notes.rs` | what is noted and needs no ruling |
//! | `reported.rs` | what the arbiter saw and the sensors cannot |
//! | `resigned.rs` | a resignation where the opponent cannot mate |
//! | `ruled.rs` | what an arbiter's ruling changes |
//! | `irregular.rs` | presses and moves that break the Laws, with their facts |
//! | `findings.rs` | what was found and what became of it |
//! | `wrong_start.rs` | pieces that stand wrong before the first move, a turned board |
//! | `walk.rs` | from a known position along a row of pictures |
//! | `questions.rs` | what the solver is asked, and what its verdicts change |
//! | `promotion.rs` | which piece a pawn became, where the board does not tell |
//! | `board/` | bytes in, events out: the decoder and the game joined |
//! | `lights.rs` | what a board with LEDs shows |
//! | `unsure.rs` | saying that the record cannot be known |
//! | `entered.rs` | what arbiters and operators enter |
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
//!         Output::Event(..) => events += 1, // journal it, then publish it
//!         Output::Command(_) => {}          // send it to the board
//!         Output::Question(_) => {}         // ask the solver; its verdict comes back as an input
//!     }
//! }
//! assert_eq!(events, 1);
//! assert_eq!(game.deadline(), None);        // else: call handle(deadline, Input::Timeout) when it comes
//! ```
#![cfg_attr(not(any(test, feature = "openapi")), no_std)]

extern crate alloc;

mod begin;
mod between;
mod blind;
pub mod board;
mod carried_out;
mod claims;
mod clock;
mod clock_facts;
mod completion;
mod corrected;
mod disorder;
mod displaced;
mod ended;
mod entered;
pub mod figures;
mod findings;
mod gap;
mod hearing;
mod irregular;
mod jump;
mod kings;
mod lights;
mod made;
mod meanwhile;
mod memory;
mod notes;
mod observe;
mod orientation;
mod pace;
mod placement;
mod play;
pub mod played;
mod position;
mod press;
mod presses;
mod promotion;
mod put_right;
pub mod questions;
mod reading;
mod recognition;
mod record;
mod reported;
mod resigned;
mod ruled;
pub mod setting;
pub mod settings;
mod stage;
mod taken_over;
mod timers;
mod touched;
mod unsure;
mod voice;
mod walk;
mod watch;
mod wrong_start;

use alloc::boxed::Box;
use alloc::string::String;
use dgt_protocol::command::Command;
use dgt_protocol::message::Message;
use flagfall_events::{Body, Entry, LinkState, Mono};
use timers::{Timer, Timers};

/// The number of what is recognised, prices and the Laws included: raised whenever the same inputs may give other events. Journals name it, and
/// only journals of this number are compared with a replay. `tests/journals/README.md` says what to do when it is raised.
pub const RECOGNITION: u32 = 1;

/// What can happen to a game.
#[derive(Clone, Debug, PartialEq)]
pub enum Input {
    /// The board said this.
    Message(Message),
    /// Bytes were lost: the image may be wrong.
    Damaged,
    /// From then until now the board said more than it may, and nothing of it was read.
    Dropped(Mono),
    /// The link came up or went down. Up while it is up: what comes at this time may have waited to be read, so its order counts and not its time.
    Link(LinkState, Option<String>),
    /// Another build published the game so: that counts.
    TakeOver(Box<played::Played>),
    /// The program ended and runs again.
    Restart,
    /// An arbiter or operator says so.
    Entry(Entry),
    /// The solver answers a question.
    Verdict(questions::Verdict),
    /// A deadline passed. Early or repeated time-outs change nothing.
    Timeout,
}

/// What a game says.
#[derive(Clone, Debug, PartialEq)]
pub enum Output {
    /// Journal and publish it: which game of the board it belongs to, if to one, and what happened.
    Event(Option<u32>, Body),
    /// Send it to the board; its answer comes back as an [`Input::Message`].
    Command(Command),
    /// Ask the solver; its answer comes back as an [`Input::Verdict`].
    Question(questions::Question),
}

/// One board's game: six parts, each with a state of its own, and what goes down from part to part.
#[derive(Clone, Debug)]
pub struct Game {
    settings: settings::Settings,
    now: Mono,
    /// The image, which way round it stands, what is doubtful in it.
    watcher: watch::Watcher,
    clocks: clock::Clock,
    /// What was played, in which game of the board.
    recogniser: reading::Recogniser,
    /// What is not known since the link was down.
    recovery: reading::Recovery,
    /// Findings, offences, touches, questions.
    referee: findings::Referee,
    lights: lights::Lights,
    voice: voice::Voice,
}

impl Game {
    /// A board of which nothing is known yet.
    pub fn new(settings: settings::Settings) -> Self {
        let watcher = watch::Watcher::new(&settings);
        Self {
            now: Mono::ZERO,
            clocks: clock::Clock::new(&settings, watcher.scan_ms),
            watcher,
            recogniser: reading::Recogniser::new(),
            recovery: reading::Recovery::default(),
            referee: findings::Referee::new(),
            lights: lights::Lights::default(),
            voice: voice::Voice::default(),
            settings,
        }
    }

    /// The same, with the wall time of millisecond 0: only with it a scheduled start is known.
    pub fn scheduled(settings: settings::Settings, opened_at: flagfall_events::Wall) -> Self {
        let mut game = Self::new(settings);
        game.reschedule(opened_at);
        game
    }

    /// The wall time of millisecond 0 is another one: a scheduled start lies elsewhere.
    pub(crate) fn reschedule(&mut self, opened_at: flagfall_events::Wall) {
        let start_at = self.settings.start_at.map(|at| at.differs(opened_at));
        self.clocks.schedule(start_at);
    }

    /// Takes one input that happened at `t`: it is observed, and what follows from it estimated, recorded, refereed and said.
    pub fn handle(&mut self, t: Mono, input: Input) {
        debug_assert!(self.voice.is_drained(), "poll() must be drained before the next handle()");
        self.now = self.now.max(t);
        let follows = self.for_what_goes_on(&input);
        let mut reading = self.reading();
        reading.observe(input);
        reading.watch_start();
        reading.watch_kings();
        self.expire();
        let mut reading = self.reading();
        reading.clock_facts();
        reading.hearing().bring_up_to_date();
        let shown = self.lights.show(self.now, &self.settings, &self.watcher, &self.recogniser);
        shown.into_iter().for_each(|command| self.voice.command(command));
        if let Some(input) = follows {
            self.goes_on(input);
        }
    }

    /// The next output, until there is none.
    pub fn poll(&mut self) -> Option<Output> {
        self.voice.next()
    }

    /// When to call `handle(t, Input::Timeout)` if nothing else happens.
    pub fn deadline(&self) -> Option<Mono> {
        let meanwhile = self.recogniser.stage.meanwhile.as_ref().and_then(|meanwhile| meanwhile.deadline());
        let parts = self.timers().into_iter().filter_map(Timers::next);
        parts.chain(self.clocks.due()).chain(meanwhile).min()
    }

    /// Why an entry cannot be carried out, if it cannot.
    pub fn refusal(&self, entry: &Entry) -> Option<String> {
        hearing::Scene::new(self.now, &self.settings, &self.watcher, &self.clocks, &self.recogniser).refusal(&self.referee, entry)
    }

    /// The same for findings, where the board follows another one in the same stream: no number is used twice.
    pub(crate) const fn findings_from(&mut self, id: u64) {
        self.referee.findings.count_from(id);
    }

    /// Games that were played on this board before: the one that begins next has the number after it.
    pub const fn games_from(&mut self, last: u32) {
        self.recogniser.stage.begun = last > 0;
        self.recogniser.number = if last > 0 { last } else { 1 };
    }

    /// The game that is on or that was played last; before the first, 1.
    pub const fn number(&self) -> u32 {
        self.recogniser.number
    }

    /// The next event has the number after this one.
    pub(crate) const fn count_from(&mut self, seq: u64) {
        self.voice.count_from(seq);
    }

    /// The deadlines of the parts, but for the clock's.
    const fn timers(&self) -> [&Timers; 5] {
        [&self.watcher.timers, &self.recogniser.timers, &self.recovery.timers, &self.referee.timers, &self.lights.timers]
    }

    /// Acts on every deadline that has come, one after another.
    fn expire(&mut self) {
        while let Some(timer) = Timer::ALL.into_iter().find(|&timer| self.due(timer).is_some_and(|at| at <= self.now)) {
            let mut reading = self.reading();
            match timer {
                Timer::Displaced | Timer::Findings => reading.hearing().expired(timer),
                Timer::Clock => reading.clocks.is_looked_at(),
                Timer::Lights => self.lights.timers.set(timer, None),
                timer => reading.expired(timer),
            }
        }
    }

    /// When this deadline comes.
    fn due(&self, timer: Timer) -> Option<Mono> {
        if timer == Timer::Clock { self.clocks.due() } else { self.timers().into_iter().find_map(|part| part.get(timer)) }
    }
}

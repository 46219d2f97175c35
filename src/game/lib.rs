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
//! | `settings.rs` | what is fixed before a game |
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
mod claims;
mod clock;
mod clock_facts;
mod completion;
mod corrected;
mod disorder;
mod ended;
mod entered;
pub mod figures;
mod findings;
mod gap;
mod irregular;
mod jump;
mod kings;
mod lights;
mod made;
mod meanwhile;
mod memory;
mod notes;
mod orientation;
mod pace;
mod placement;
mod play;
pub mod played;
mod position;
mod press;
mod presses;
mod promotion;
pub mod questions;
mod recognition;
mod record;
mod reported;
mod resigned;
mod ruled;
pub mod settings;
mod stage;
mod taken_over;
mod touched;
mod unsure;
mod walk;
mod watch;
mod wrong_start;

use alloc::boxed::Box;
use alloc::collections::VecDeque;
use alloc::string::String;
use alloc::vec::Vec;
use dgt_protocol::command::Command;
use dgt_protocol::message::Message;
use dgt_protocol::square::PieceCode;
use flagfall_events::{Body, Colour, Entry, LinkState, Mono};

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

/// What a game waits for; each has one place in the table of deadlines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Timer {
    /// The board is quiet: its placement is settled.
    Settle,
    /// The last ply cannot go on any more: it is made.
    Made,
    /// The oldest press has to be judged.
    Press,
    /// Without a clock: the last ply stood long enough.
    Complete,
    /// A move that ends the game, but could go on, stood long enough.
    End,
    /// Both kings stood in the centre long enough.
    Kings,
    /// The pieces were set up again while nobody showed a result.
    SetUp,
    /// What stands is no game position, and nobody puts it right.
    Disorder,
    /// What is left to put right may be said again.
    Displaced,
    /// After a gap: no line was found long enough, the board's memory may know one.
    Memory,
    /// Pieces stand wrong before the first move.
    Start,
    /// A press was not read for long.
    Unread,
    /// The clock's silence means something.
    Clock,
    /// A revision was put off, or a ruling waits for its verdict.
    Findings,
    /// Squares stood wrong long enough to be lit.
    Lights,
    /// The board has not said too much for long.
    Chatter,
}

const TIMERS: [Timer; 16] = [
    Timer::Settle,
    Timer::Made,
    Timer::Press,
    Timer::Complete,
    Timer::End,
    Timer::Kings,
    Timer::SetUp,
    Timer::Disorder,
    Timer::Displaced,
    Timer::Memory,
    Timer::Start,
    Timer::Unread,
    Timer::Clock,
    Timer::Findings,
    Timer::Lights,
    Timer::Chatter,
];

/// One board's game.
#[derive(Clone, Debug)]
pub struct Game {
    settings: settings::Settings,
    now: Mono,
    /// How far the sensors may lag behind the pieces.
    scan_ms: u64,
    pace: pace::Pace,
    link: Option<LinkState>,
    identity: watch::Identity,
    /// The image as the board numbers it; `None` until the first dump.
    wire: Option<[PieceCode; 64]>,
    turn: orientation::Turn,
    image: placement::Image,
    clock: clock::Clock,
    play: Option<play::Play>,
    stage: stage::Stage,
    findings: findings::Findings,
    touches: touched::Touches,
    /// When each ply was made.
    made_times: Vec<Mono>,
    /// Whose clock ran then, where one was in use.
    made_on: Vec<Option<Colour>>,
    /// The next ply of the record to be looked at for a move made before its player's clock ran.
    next_before_clock: usize,
    /// A win by resignation that is asked about.
    resigned: Option<resigned::Resigned>,
    /// Moves that the counted player had completed when the count began (Russia 1.16.7).
    counted_from: u32,
    /// Players for whom an assistant presses (6.2.6).
    assisted: Vec<Colour>,
    /// A ruled position is being put up: what stands meanwhile is no irregularity.
    restoring: bool,
    /// Pieces that stand wrong, or did last in this game.
    displaced: Option<disorder::Displaced>,
    /// The press judged last, and whether it is under a finding.
    last_press: Option<(Colour, bool)>,
    /// The first event since then.
    evidence_from: u64,
    /// Events said so far.
    seq: u64,
    /// The game that has begun last, counted from 1 for this board; before the first, 1.
    number: u32,
    /// The link was down: the next dump may show moves nobody saw.
    gap: bool,
    /// After a gap: what was played meanwhile is not found yet.
    recovering: bool,
    /// After a gap: what the board's own log says of it.
    memory: memory::Memory,
    /// After a gap: whether the last ply was pressed is told by the next clock reading.
    gap_ply: Option<usize>,
    questions: questions::Questions,
    asked_for_dump: Option<Mono>,
    /// Dumps that were asked for and did not come, since the last that did.
    missed_dumps: Option<u32>,
    /// Since when the image may be wrong.
    doubt: Option<Mono>,
    /// When a message was lost last, and how many were.
    damage: Option<(Mono, u32)>,
    timers: [Option<Mono>; TIMERS.len()],
    /// Squares whose LEDs were told to be lit.
    lights: placement::Squares,
    outputs: VecDeque<Output>,
}

impl Game {
    /// A board of which nothing is known yet.
    pub fn new(settings: settings::Settings) -> Self {
        let pace = pace::Pace::of(&settings.link);
        let scan_ms = pace.lag_ms();
        Self {
            now: Mono::ZERO,
            scan_ms,
            pace,
            link: None,
            identity: watch::Identity::default(),
            wire: None,
            turn: orientation::Turn::None,
            image: placement::Image::new(placement::Placement::EMPTY),
            clock: clock::Clock::new(&settings, scan_ms),
            play: None,
            stage: stage::Stage::default(),
            findings: findings::Findings::default(),
            touches: touched::Touches::default(),
            made_times: Vec::new(),
            made_on: Vec::new(),
            next_before_clock: 1,
            resigned: None,
            counted_from: 0,
            assisted: Vec::new(),
            restoring: false,
            displaced: None,
            last_press: None,
            evidence_from: 1,
            seq: 0,
            number: 1,
            gap: false,
            recovering: false,
            memory: memory::Memory::Unasked,
            gap_ply: None,
            questions: questions::Questions::default(),
            asked_for_dump: None,
            missed_dumps: None,
            doubt: None,
            damage: None,
            timers: [None; TIMERS.len()],
            lights: 0,
            outputs: VecDeque::new(),
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
        self.clock.schedule(start_at);
    }

    /// Takes one input that happened at `t`.
    pub fn handle(&mut self, t: Mono, input: Input) {
        debug_assert!(self.outputs.is_empty(), "poll() must be drained before the next handle()");
        self.now = self.now.max(t);
        if let Some(play) = &self.play {
            play.work.set(0);
        }
        let follows = self.for_what_goes_on(&input);
        match input {
            Input::Message(message) => self.message(message),
            Input::Damaged => self.damaged(),
            Input::Dropped(from) => self.dropped(from),
            Input::Link(state, reason) => self.link_changed(state, reason),
            Input::TakeOver(played) => self.take_over(&played),
            Input::Restart => self.restarted(),
            Input::Entry(entry) => self.entered(&entry),
            Input::Verdict(verdict) => self.verdict(verdict),
            Input::Timeout => {}
        }
        self.watch_start();
        self.watch_kings();
        self.expire();
        self.clock_facts();
        self.bring_up_to_date();
        self.show_lights();
        if let Some(input) = follows {
            self.goes_on(input);
        }
    }

    /// The next output, until there is none.
    pub fn poll(&mut self) -> Option<Output> {
        self.outputs.pop_front()
    }

    /// When to call `handle(t, Input::Timeout)` if nothing else happens.
    pub fn deadline(&self) -> Option<Mono> {
        let meanwhile = self.stage.meanwhile.as_ref().and_then(|meanwhile| meanwhile.deadline());
        self.timers.iter().flatten().copied().chain(meanwhile).min()
    }

    /// The same for findings, where the board follows another one in the same stream: no number is used twice.
    pub(crate) const fn findings_from(&mut self, id: u64) {
        self.findings.count_from(id);
    }

    /// Games that were played on this board before: the one that begins next has the number after it.
    pub const fn games_from(&mut self, last: u32) {
        self.stage.begun = last > 0;
        self.number = if last > 0 { last } else { 1 };
    }

    /// The game that is on or that was played last; before the first, 1.
    pub const fn number(&self) -> u32 {
        self.number
    }

    /// The next event has the number after this one.
    pub(crate) const fn count_from(&mut self, seq: u64) {
        self.seq = seq;
    }

    fn say(&mut self, body: Body) {
        if let Body::MoveMade { ply, .. } | Body::MoveRevised { ply, .. } = &body {
            self.note_made(*ply);
        }
        if matches!(body, Body::MoveMade { .. } | Body::MoveRevised { .. } | Body::MoveWithdrawn { .. }) {
            self.judge_again();
        }
        if self.begins_with(&body) {
            self.say_of(self.spoken_of(), body);
        }
    }

    /// The same about this game of the board, without a look at the one that is on.
    fn say_of(&mut self, game: u32, body: Body) {
        self.seq += 1;
        let game = body.is_of_a_game().then_some(game);
        self.outputs.push_back(Output::Event(game, body));
    }

    const fn set(&mut self, timer: Timer, at: Option<Mono>) {
        self.timers[timer as usize] = at;
    }

    const fn timer(&self, timer: Timer) -> Option<Mono> {
        self.timers[timer as usize]
    }

    /// Acts on every deadline that has come.
    fn expire(&mut self) {
        while let Some(timer) = TIMERS.into_iter().find(|&t| self.timer(t).is_some_and(|at| at <= self.now)) {
            self.set(timer, None);
            match timer {
                Timer::Settle => self.settled(),
                Timer::Made => self.made_for_sure(),
                Timer::Press => self.judge_presses(),
                Timer::Complete => self.stood_long_enough(),
                Timer::End => self.ended_for_sure(),
                Timer::Kings => self.kings_stood(),
                Timer::SetUp => self.set_up_stood(),
                Timer::Disorder => self.disorder_stood(),
                Timer::Displaced => self.tell_displaced(),
                Timer::Memory => self.memory_is_due(),
                Timer::Start => self.start_stands(),
                Timer::Unread => self.watch_the_unread(),
                Timer::Chatter => self.chatters_no_more(),
                Timer::Findings => self.findings_due(),
                Timer::Clock | Timer::Lights => {}
            }
        }
    }
}

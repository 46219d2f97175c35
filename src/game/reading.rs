//! The recogniser at work on one input: what it owns, what it may look at, and the one way down from it: facts for the referee, words for the world.
use super::Game;
use super::clock::Clock;
use super::findings::Referee;
use super::hearing::{Fact, Hearing, Scene};
use super::lights::Lights;
use super::memory::Memory;
use super::play::Play;
use super::settings::Settings;
use super::stage::Stage;
use super::timers::{Timer, Timers};
use super::voice::Voice;
use super::watch::Watcher;
use alloc::string::String;
use alloc::vec::Vec;
use dgt_protocol::command::Command;
use flagfall_events::{Body, Entry, Mono};

/// What was played, in which game of the board.
#[derive(Clone, Debug)]
pub(super) struct Recogniser {
    pub(super) play: Option<Play>,
    pub(super) stage: Stage,
    /// The game that has begun last, counted from 1 for this board; before the first, 1.
    pub(super) number: u32,
    /// A ruled position is being put up: what stands meanwhile is no irregularity.
    pub(super) restoring: bool,
    pub(super) timers: Timers,
}

impl Recogniser {
    pub(super) fn new() -> Self {
        Self { play: None, stage: Stage::default(), number: 1, restoring: false, timers: Timers::default() }
    }
}

/// What is not known since the link was down.
#[derive(Clone, Debug, Default)]
pub(super) struct Recovery {
    /// The link was down: the next dump may show moves nobody saw.
    pub(super) gap: bool,
    /// What was played meanwhile is not found yet.
    pub(super) recovering: bool,
    /// What the board's own log says of it.
    pub(super) memory: Memory,
    /// Whether the last ply was pressed is told by the next clock reading.
    pub(super) gap_ply: Option<usize>,
    pub(super) timers: Timers,
}

/// One input is read. Nothing below it can be called but through [`Reading::tell`] and [`Reading::say`].
pub(super) struct Reading<'a> {
    pub(super) now: Mono,
    pub(super) settings: &'a Settings,
    pub(super) watcher: &'a mut Watcher,
    pub(super) clocks: &'a mut Clock,
    pub(super) own: &'a mut Recogniser,
    pub(super) recovery: &'a mut Recovery,
    referee: &'a mut Referee,
    voice: &'a mut Voice,
}

impl Game {
    pub(super) const fn reading(&mut self) -> Reading<'_> {
        Reading {
            now: self.now,
            settings: &self.settings,
            watcher: &mut self.watcher,
            clocks: &mut self.clocks,
            own: &mut self.recogniser,
            recovery: &mut self.recovery,
            referee: &mut self.referee,
            voice: &mut self.voice,
        }
    }
}

impl Reading<'_> {
    /// The referee, with what he may look at.
    pub(super) fn hearing(&mut self) -> Hearing<'_> {
        let scene = Scene::new(self.now, self.settings, self.watcher, self.clocks, self.own);
        Hearing { own: self.referee, voice: self.voice, scene }
    }

    /// The game as it is in the middle of this input, its own voice silent and its lights dark.
    pub(super) fn as_it_is(&self) -> Game {
        Game {
            settings: self.settings.clone(),
            now: self.now,
            watcher: self.watcher.clone(),
            clocks: self.clocks.clone(),
            recogniser: self.own.clone(),
            recovery: self.recovery.clone(),
            referee: self.referee.clone(),
            lights: Lights::default(),
            voice: self.voice.silent(),
        }
    }

    /// Why an entry cannot be carried out, if it cannot.
    pub(super) fn refusal(&self, entry: &Entry) -> Option<String> {
        Scene::new(self.now, self.settings, self.watcher, self.clocks, self.own).refusal(self.referee, entry)
    }

    /// The referee, to be asked.
    pub(super) const fn referee(&self) -> &Referee {
        self.referee
    }

    /// A fact for the referee.
    pub(super) fn tell(&mut self, fact: Fact<'_>) {
        self.hearing().hear(fact);
    }

    pub(super) fn say(&mut self, body: Body) {
        if let Body::MoveMade { ply, .. } | Body::MoveRevised { ply, .. } = &body {
            self.tell(Fact::Made(*ply));
        }
        if matches!(body, Body::MoveMade { .. } | Body::MoveRevised { .. } | Body::MoveWithdrawn { .. }) {
            self.tell(Fact::Changed);
        }
        if self.begins_with(&body) {
            self.say_of(self.spoken_of(), body);
        }
    }

    /// The same about this game of the board, without a look at the one that is on.
    pub(super) fn say_of(&mut self, game: u32, body: Body) {
        self.voice.say(game, body);
    }

    /// The same before what was said last.
    pub(super) fn say_before_the_last(&mut self, body: Body) {
        let game = self.spoken_of();
        self.voice.say_before_the_last(game, body);
    }

    /// Says several things in order.
    pub(super) fn say_all(&mut self, bodies: Vec<Body>) {
        let moved = bodies.iter().any(|body| matches!(body, Body::MoveMade { .. } | Body::MoveRevised { .. }));
        for body in bodies {
            self.say(body);
        }
        if moved {
            self.tell(Fact::Moved);
        }
    }

    pub(super) fn command(&mut self, command: Command) {
        self.voice.command(command);
    }

    /// Asks for the whole image, since the one kept may be wrong.
    pub(super) fn ask_for_dump(&mut self) {
        if self.watcher.asks(self.now) {
            self.voice.command(Command::SendBoard);
        }
    }

    /// A deadline has come.
    pub(super) fn expired(&mut self, timer: Timer) {
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
            Timer::Memory => self.memory_is_due(),
            Timer::Start => self.start_stands(),
            Timer::Unread => self.watch_the_unread(),
            Timer::Chatter => self.chatters_no_more(),
            Timer::Displaced | Timer::Findings | Timer::Clock | Timer::Lights => {}
        }
    }

    pub(super) const fn set(&mut self, timer: Timer, at: Option<Mono>) {
        match timer {
            Timer::Settle | Timer::Chatter => self.watcher.timers.set(timer, at),
            Timer::Memory => self.recovery.timers.set(timer, at),
            _ => self.own.timers.set(timer, at),
        }
    }

    pub(super) const fn timer(&self, timer: Timer) -> Option<Mono> {
        match timer {
            Timer::Settle | Timer::Chatter => self.watcher.timers.get(timer),
            Timer::Memory => self.recovery.timers.get(timer),
            _ => self.own.timers.get(timer),
        }
    }
}

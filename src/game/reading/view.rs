//! The recogniser at work on one input: what it owns, what it may look at, and the one way down from it: facts for the referee, words for the world.
use crate::clock::Clock;
use crate::input::Input;
use crate::reading::parts::{Meanwhile, Parts};
use crate::recogniser::state::Recogniser;
use crate::recovery::Recovery;
use crate::referee::facts::Fact;
use crate::referee::hearing::Hearing;
use crate::referee::scene::Scene;
use crate::referee::state::Referee;
use crate::settings::Settings;
use crate::timers::Timer;
use crate::voice::Voice;
use crate::watcher::Watcher;
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use dgt_protocol::command::Command;
use flagfall_events::{Body, Entry, Mono};

/// One input is read. What is below it is reached through [`Reading::tell`] and [`Reading::say`], and by [`Reading::hearing`] where an entry or a verdict comes in.
pub(crate) struct Reading<'a> {
    pub(crate) now: Mono,
    pub(crate) settings: &'a Settings,
    pub(crate) watcher: &'a mut Watcher,
    pub(crate) clocks: &'a mut Clock,
    pub(crate) own: &'a mut Recogniser,
    pub(crate) recovery: &'a mut Recovery,
    pub(crate) meanwhile: &'a mut Option<Box<Meanwhile>>,
    referee: &'a mut Referee,
    voice: &'a mut Voice,
}

impl<'a> Reading<'a> {
    pub(crate) const fn new(
        now: Mono,
        settings: &'a Settings,
        parts: &'a mut Parts,
        meanwhile: &'a mut Option<Box<Meanwhile>>,
        voice: &'a mut Voice,
    ) -> Self {
        let Parts { watcher, clocks, recogniser, recovery, referee } = parts;
        Self { now, settings, watcher, clocks, own: recogniser, recovery, meanwhile, referee, voice }
    }

    /// The pipeline: the input is observed and what was played estimated, recorded and said on the way, every fact refereed when it is found;
    /// then what the time has brought, what the clock shows, and what proposals rest on.
    pub(crate) fn read(&mut self, input: Input) {
        self.observe(input);
        self.watch_start();
        self.watch_kings();
        self.expire();
        self.clock_facts();
        self.hearing().bring_up_to_date();
    }

    /// Acts on every deadline that has come, one after another.
    fn expire(&mut self) {
        while let Some(timer) = self.due() {
            match timer {
                Timer::Displaced | Timer::Findings => self.hearing().expired(timer),
                Timer::Clock => self.clocks.is_looked_at(),
                timer => self.expired(timer),
            }
        }
    }

    /// The first of the deadlines that have come.
    fn due(&self) -> Option<Timer> {
        let due = |at: Option<Mono>| at.is_some_and(|at| at <= self.now);
        Timer::ALL.into_iter().find(|&timer| match timer {
            Timer::Displaced | Timer::Findings => due(self.referee.timers.get(timer)),
            Timer::Clock => due(self.clocks.due()),
            timer => due(self.timer(timer)),
        })
    }

    /// The referee, with what he may look at.
    pub(crate) fn hearing(&mut self) -> Hearing<'_> {
        let scene = Scene::new(self.now, self.settings, self.watcher, self.clocks, self.own);
        Hearing { own: self.referee, voice: self.voice, scene }
    }

    /// The game as it is in the middle of this input, its own voice silent.
    pub(crate) fn as_it_is(&self) -> (Parts, Voice) {
        let parts = Parts {
            watcher: self.watcher.clone(),
            clocks: self.clocks.clone(),
            recogniser: self.own.clone(),
            recovery: self.recovery.clone(),
            referee: self.referee.clone(),
        };
        (parts, self.voice.silent())
    }

    /// Why an entry cannot be carried out, if it cannot.
    pub(crate) fn refusal(&self, entry: &Entry) -> Option<String> {
        Scene::new(self.now, self.settings, self.watcher, self.clocks, self.own).refusal(self.referee, entry)
    }

    /// The referee, to be asked.
    pub(crate) const fn referee(&self) -> &Referee {
        self.referee
    }

    /// A fact for the referee.
    pub(crate) fn tell(&mut self, fact: Fact<'_>) {
        self.hearing().hear(fact);
    }

    pub(crate) fn say(&mut self, body: Body) {
        if let Body::MoveMade { ply, .. } | Body::MoveRevised { ply, .. } = &body {
            self.tell(Fact::Made(*ply));
        }
        if matches!(body, Body::MoveMade { .. } | Body::MoveRevised { .. } | Body::MoveWithdrawn { .. }) {
            self.tell(Fact::Changed);
        }
        if self.begins_with(&body) {
            self.voice.say(self.spoken_of(), body);
        }
    }

    /// The same about this game of the board, without a look at the one that is on.
    pub(crate) fn say_of(&mut self, game: u32, body: Body) {
        self.voice.say(game, body);
    }

    /// The same before what was said last.
    pub(crate) fn say_before_the_last(&mut self, body: Body) {
        let game = self.spoken_of();
        self.voice.say_before_the_last(game, body);
    }

    /// Says several things in order.
    pub(crate) fn say_all(&mut self, bodies: Vec<Body>) {
        let moved = bodies.iter().any(|body| matches!(body, Body::MoveMade { .. } | Body::MoveRevised { .. }));
        for body in bodies {
            self.say(body);
        }
        if moved {
            self.tell(Fact::Moved);
        }
    }

    pub(crate) fn command(&mut self, command: Command) {
        self.voice.command(command);
    }

    /// Asks for the whole image, since the one kept may be wrong.
    pub(crate) fn ask_for_dump(&mut self) {
        if self.watcher.asks(self.now) {
            self.voice.command(Command::SendBoard);
        }
    }

    /// A deadline has come.
    fn expired(&mut self, timer: Timer) {
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
            Timer::Displaced | Timer::Findings | Timer::Clock => {}
        }
    }

    pub(crate) const fn set(&mut self, timer: Timer, at: Option<Mono>) {
        match timer {
            Timer::Settle | Timer::Chatter => self.watcher.timers.set(timer, at),
            Timer::Memory => self.recovery.timers.set(timer, at),
            _ => self.own.timers.set(timer, at),
        }
    }

    pub(crate) const fn timer(&self, timer: Timer) -> Option<Mono> {
        match timer {
            Timer::Settle | Timer::Chatter => self.watcher.timers.get(timer),
            Timer::Memory => self.recovery.timers.get(timer),
            _ => self.own.timers.get(timer),
        }
    }
}

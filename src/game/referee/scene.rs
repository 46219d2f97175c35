//! What the referee may look at.
use crate::clock::Clock;
use crate::placement::Image;
use crate::recogniser::kings;
use crate::recogniser::play::Play;
use crate::recogniser::state::Recogniser;
use crate::settings::Settings;
use crate::timers::Timer;
use crate::watcher::Watcher;
use crate::watcher::orientation::Turn;
use flagfall_events::{GameResult, Mono};

/// What the referee may look at.
pub(crate) struct Scene<'a> {
    pub(crate) now: Mono,
    pub(crate) settings: &'a Settings,
    pub(crate) play: Option<&'a Play>,
    pub(crate) image: &'a Image,
    pub(crate) turn: Turn,
    /// How far the sensors lag at most, as far as that is sure.
    pub(crate) scan_ms: u64,
    /// When a message was lost last.
    pub(crate) lost: Option<Mono>,
    pub(crate) clock: &'a Clock,
    /// The game that is spoken of, and the last one that has begun.
    pub(crate) spoken_of: u32,
    pub(crate) last_begun: Option<u32>,
    /// The pieces of a game stand that has not begun.
    pub(crate) unsaid: bool,
    /// That game is one whose start nobody saw, and nothing is known of it.
    pub(crate) supposed: bool,
    /// Moves from the start position count.
    pub(crate) moves_count: bool,
    /// What is moved now is analysis.
    pub(crate) analysis: bool,
    /// Both kings stand in the centre.
    pub(crate) ending: bool,
}

impl<'a> Scene<'a> {
    pub(crate) fn new(now: Mono, settings: &'a Settings, watcher: &'a Watcher, clock: &'a Clock, played: &'a Recogniser) -> Self {
        let stage = &played.stage;
        Self {
            now,
            settings,
            play: played.play.as_ref(),
            image: &watcher.image,
            turn: watcher.turn,
            scan_ms: watcher.pace.surely_ms(),
            lost: watcher.last_lost(),
            clock,
            spoken_of: played.spoken_of(),
            last_begun: played.last_begun(),
            unsaid: played.is_unsaid(),
            supposed: played.is_supposed(),
            moves_count: stage.moves_count(clock),
            analysis: played.is_unsaid() && !(stage.called || stage.started),
            ending: played.timers.get(Timer::Kings).is_some(),
        }
    }

    /// What both kings show while a finding waits to be ruled on.
    pub(crate) fn kings_agree(&self) -> Option<GameResult> {
        let play = self.play.filter(|p| p.said && !p.over)?;
        kings::shown(self.image.placement(), play.expected())
    }
}

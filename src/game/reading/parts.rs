//! The parts of a game that read and judge; and the same parts of a game that has ended, as if it went on.
use crate::clock::Clock;
use crate::recogniser::state::Recogniser;
use crate::recovery::Recovery;
use crate::referee::state::Referee;
use crate::settings::Settings;
use crate::timers::Timers;
use crate::voice::Voice;
use crate::watcher::Watcher;
use alloc::string::String;
use flagfall_events::{GameResult, Mono, ResultSource};

/// Each with a state and deadlines of its own.
#[derive(Clone, Debug)]
pub(crate) struct Parts {
    /// The image, which way round it stands, what is doubtful in it.
    pub(crate) watcher: Watcher,
    pub(crate) clocks: Clock,
    /// What was played, in which game of the board.
    pub(crate) recogniser: Recogniser,
    /// What is not known since the link was down.
    pub(crate) recovery: Recovery,
    /// Findings, offences, touches, questions.
    pub(crate) referee: Referee,
}

impl Parts {
    pub(crate) fn new(settings: &Settings) -> Self {
        let watcher = Watcher::new(settings);
        Self {
            clocks: Clock::new(settings, watcher.scan_ms),
            watcher,
            recogniser: Recogniser::new(),
            recovery: Recovery::default(),
            referee: Referee::new(),
        }
    }

    /// When the next deadline comes.
    pub(crate) fn deadline(&self) -> Option<Mono> {
        self.timers().into_iter().filter_map(Timers::next).chain(self.clocks.due()).min()
    }

    const fn timers(&self) -> [&Timers; 4] {
        [&self.watcher.timers, &self.recogniser.timers, &self.recovery.timers, &self.referee.timers]
    }
}

/// How a game ended while the board's log of it was on its way.
#[derive(Clone, Debug)]
pub(crate) struct Late {
    pub(crate) result: GameResult,
    pub(crate) reason: String,
    pub(crate) article: Option<String>,
    pub(crate) source: ResultSource,
    /// One player gave it up.
    pub(crate) resigned: bool,
    /// The log had come by then: what is done behind it makes no other ply of what it told.
    pub(crate) told: bool,
}

/// The same board, its game not ended; nothing that it says is heard.
#[derive(Clone, Debug)]
pub(crate) struct Meanwhile {
    pub(crate) parts: Parts,
    pub(crate) voice: Voice,
    /// Plies when the game ended.
    pub(crate) plies: usize,
    /// Nothing has come yet that no play explains.
    pub(crate) live: bool,
    /// What the log tells of it is still to come.
    pub(crate) late: Option<Late>,
}

impl Meanwhile {
    /// When it wants to be told the time.
    pub(crate) fn deadline(&self) -> Option<Mono> {
        self.parts.deadline().filter(|_| self.live)
    }
}

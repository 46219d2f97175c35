//! Two players at a board: from a game, a kind of hands and a seed to a timed script of physical acts.
//!
//! `speed` shortens their thinking and nothing else. The same arguments always give the same script.
use super::habits::Habits;
use super::incident::Incident;
pub use super::pace::Kind;
use super::people::Tempo;
use super::script::Squares;
use flagfall_events::TimeControl;

/// How a game is played.
#[derive(Clone, Debug)]
pub struct Hands {
    /// Which kind.
    pub kind: Kind,
    /// Everything random comes from here.
    pub seed: u64,
    /// Thinking is divided by it; 1 is as people play.
    pub speed: f64,
    /// How often hands slip, 1 is usual for their kind: it multiplies the odds of slides, pauses, changed minds and the like.
    pub noise: f64,
    /// What the clock is set to: nobody thinks until his flag falls.
    pub control: TimeControl,
    /// What goes wrong on purpose.
    pub incidents: Vec<Incident>,
    /// So many first plies are known by heart: nobody thinks about them for longer than a moment.
    pub by_heart: u32,
    /// Milliseconds from the script's beginning to the start of the clock.
    pub lead_in: u64,
    /// The pieces of the game before, which have to be set up first.
    pub set_up_from: Option<Squares>,
    /// The kings show the result at the end, where there is one.
    pub show_result: bool,
    /// What happens between two games.
    pub habits: Habits,
    /// Two of many people play, at this pace, and not the hands of the kind.
    pub people: Option<Tempo>,
}

impl Hands {
    /// Hands of this kind with the time control that goes with it.
    pub fn new(kind: Kind, seed: u64) -> Self {
        Self {
            kind,
            seed,
            speed: 1.0,
            noise: 1.0,
            control: default_control(kind),
            incidents: Vec::new(),
            by_heart: 0,
            lead_in: 2000,
            set_up_from: None,
            show_result: false,
            habits: Habits::NONE,
            people: None,
        }
    }
}

/// `5400+30`, and `180+2` for blitz.
pub fn default_control(kind: Kind) -> TimeControl {
    let text = if kind == Kind::Blitz { "180+2" } else { "5400+30" };
    text.parse().expect("a literal time control is well formed")
}

//! What is fixed before a game: edition, kind of play, time control, sides.
use alloc::string::String;
use core::time::Duration;
pub use flagfall_events::{BoardKind, Play, Rules, Supervision, Touches};
use flagfall_events::{TimeControl, Wall};
use serde::{Deserialize, Serialize};

/// Which side of the clock is White's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ClockWhite {
    /// Left, seen from the clock's front.
    Left,
    /// Right.
    Right,
    /// Found from the board's orientation and the first presses.
    #[default]
    Auto,
    /// There is no clock.
    None,
}

/// Everything that is fixed before a game.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// Edition.
    pub rules: Rules,
    /// Kind of play.
    pub play: Play,
    /// Supervision.
    pub supervision: Supervision,
    /// Time control, if known.
    pub time_control: Option<TimeControl>,
    /// White's side of the clock.
    pub clock_white: ClockWhite,
    /// FEN the game starts from, if not the usual one (Chess960 start positions are found by themselves).
    pub start_fen: Option<String>,
    /// Default time (6.7.1).
    pub default_time: Option<Duration>,
    /// When the game is scheduled to start (6.6).
    pub start_at: Option<Wall>,
    /// On a board that does not tell pieces: how long nobody says what a pawn became before it is taken for a queen. `None`: 30 s on Bluetooth
    /// LE boards, for ever on others.
    pub queen_after: Option<Duration>,
    /// What the bytes are.
    pub kind: BoardKind,
    /// Who sees what a hand does before a move stands.
    pub touches: Touches,
    /// Where the board is plugged in, for `identity`; `capture` in a replay.
    pub link: String,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            rules: Rules::default(),
            play: Play::default(),
            supervision: Supervision::default(),
            time_control: None,
            clock_white: ClockWhite::default(),
            start_fen: None,
            default_time: None,
            start_at: None,
            queen_after: None,
            kind: BoardKind::default(),
            touches: Touches::default(),
            link: String::from("capture"),
        }
    }
}

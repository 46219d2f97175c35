//! The demo's tables: what is played at which board, over and over. Tests play the same in simulated time.
use super::games::{PgnGame, bundled};
use super::habits::Habits;
use super::incident::{Incident, IncidentKind, When};
use super::pace::Kind;
use super::stream::Options;
use flagfall_events::Play;

/// Time controls, board by board.
const TABLES: [(&str, Play); 4] = [("5400+30", Play::Standard), ("900+10", Play::Rapid), ("300+3", Play::Blitz), ("180+2", Play::Blitz)];
/// Whose hands play: hands that take a pawn in passing before any board has read it would show what no reader can tell.
const HANDS: Kind = Kind::Human;

/// With which ply of its first game the first table shows what flagfall is for.
const SHOWN_AT: u32 = 3;

/// One table.
#[derive(Clone, Debug)]
pub struct Table {
    /// The games, one after another; then the first one again.
    pub games: Vec<PgnGame>,
    /// How they are played.
    pub options: Options,
    /// Under which rules.
    pub play: Play,
}

impl Table {
    /// The table with this number, from 1: its players think `speed` times as fast, in this share of their games something goes wrong on purpose.
    pub fn new(number: u16, speed: f64, mishaps: f64) -> Self {
        let index = usize::from(number.saturating_sub(1));
        let mut games = bundled();
        let first = index % games.len();
        games.rotate_left(first);
        let (control, play) = TABLES[index % TABLES.len()];
        let options = Options {
            speed,
            control: Some(control.parse().expect("a literal time control is well formed")),
            show_result: true,
            habits: Habits { mishaps, ..Habits::people(HANDS) },
            // Its games have seeds counted up from the board's: far enough from the next board's.
            ..Options::new(HANDS, 1000 * u64::from(number))
        };
        Self { games, options, play }
    }

    /// The same, but White's second move of the first game is an illegal one first, some twelve seconds after the board is asked for updates,
    /// however slowly its players think.
    pub fn with_an_illegal_move(mut self) -> Self {
        self.options.incidents.push(Incident { kind: IncidentKind::Illegal, when: When::Ply(SHOWN_AT) });
        self.options.by_heart = SHOWN_AT;
        self
    }
}

//! What a line needs to run.
use crate::event::Events;
use dgt_protocol::bus::BusAddress;
use flagfall_events::Mono;
use flagfall_time::Stopwatch;
use std::fmt;
use std::future::Future;
use std::path::PathBuf;
use std::pin::Pin;
use std::sync::Arc;

/// Where a board's events go, and what people call it.
#[derive(Clone, Debug)]
pub struct Seat {
    /// The board's name.
    pub name: String,
    /// The way to its task.
    pub events: Events,
}

/// Gives the task of the board with this address; `None`: nobody wants it.
pub type Attach = Arc<dyn Fn(BusAddress) -> Option<Seat> + Send + Sync>;

/// Which way bytes went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// From the boards.
    Heard,
    /// To the boards.
    Sent,
}

/// Keeps every byte of the line; what was read is decoded when this is done.
pub type Record = Arc<dyn Fn(Mono, Direction, Vec<u8>) -> Pin<Box<dyn Future<Output = ()> + Send>> + Send + Sync>;

/// What may be wrong with a line, each by itself: another one takes nothing of it back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Trouble {
    /// The line as a whole.
    Line,
    /// The cable behind a board.
    Cut,
    /// Many answers are damaged.
    Noise,
    /// Two boards at this address.
    Twice(BusAddress),
    /// More boards than a line may have.
    TooMany,
}

/// Tells people what is wrong and what to do (`Some`), or that it is over (`None`).
pub type Tell = Arc<dyn Fn(Trouble, Option<String>) + Send + Sync>;

/// A moment as people on this machine read it, `14:03`.
pub type TimeOfDay = Arc<dyn Fn(Mono) -> String + Send + Sync>;

/// One line.
#[derive(Clone)]
pub struct BusSetup {
    /// The port.
    pub path: PathBuf,
    /// What people call the line.
    pub name: String,
    /// Whether these two lines of the port are raised; adapters for a bus want both low.
    pub dtr: bool,
    /// See `dtr`.
    pub rts: bool,
    /// The boards that should be there, in the order of the cable.
    pub expected: Vec<BusAddress>,
    /// Boards that nobody expects are taken, too.
    pub discover: bool,
    /// Stamps bytes.
    pub stopwatch: Stopwatch,
    /// Where boards go.
    pub attach: Attach,
    /// Keeps every byte.
    pub record: Option<Record>,
    /// Tells people.
    pub tell: Tell,
    /// Says what time it is.
    pub time_of_day: TimeOfDay,
}

impl fmt::Debug for BusSetup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BusSetup").field("path", &self.path).field("name", &self.name).finish_non_exhaustive()
    }
}

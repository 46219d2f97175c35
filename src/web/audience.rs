//! Who is told of boards, and of which: the public or the arbiters; all boards, some, or one.
use flagfall_events::{Body, Event};
use flagfall_score::board::{Ages, Pi};
use std::sync::Arc;

/// What one kind of reader knows of a board: a fold over the events it is told.
pub trait Audience: Clone + Send + 'static {
    /// Bytes of recent frames kept for one board.
    const KEPT_BYTES: usize;
    /// A board that has said nothing yet.
    fn new(board: Arc<str>) -> Self;
    /// Whether this audience may be told.
    fn hears(body: &Body) -> bool;
    /// Whether its state follows from this as well, although nobody is told.
    fn needs(_: &Body) -> bool {
        false
    }
    /// Takes the next event; one that is not news changes nothing.
    fn apply(&mut self, event: &Event);
    /// Number of the last event taken; 0 before the first.
    fn seq(&self) -> u64;
    /// Names the players.
    fn set_players(&mut self, white: Option<String>, black: Option<String>);
    /// The same board when its numbering begins anew: nothing but who plays, and where it is.
    fn anew(&self) -> Self;
    /// Says which Pi the board is at; in a hall only.
    fn set_pi(&mut self, pi: Pi);
    /// The board object as JSON.
    fn object(&self, ages: Ages, detail: Detail) -> Vec<u8>;
    /// Whether operators may be told.
    fn is_for_operators(body: &Body) -> bool;
}

/// How much of a board is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Detail {
    /// Everything, not only what a list needs.
    pub whole: bool,
    /// To an operator, who may know of alarms, but of nothing else that is not public.
    pub operator: bool,
}

/// What an event stream is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Topic {
    /// All boards.
    All,
    /// This one.
    Board(Arc<str>),
    /// These, and any that nobody knew of when the stream began.
    Some(Arc<[Arc<str>]>),
}

impl Topic {
    /// Boards are shown as a list needs them.
    pub(crate) const fn is_list(&self) -> bool {
        !matches!(self, Self::Board(_))
    }
}

//! What the picture after a lost link told, which may be one ply too short.
use crate::placement::Placement;
use crate::recogniser::play::Play;
use alloc::boxed::Box;
use flagfall_events::Mono;

/// The plies that it told, and the game before them.
#[derive(Clone, Debug)]
pub(crate) struct Shorter {
    pub(crate) before: Box<Play>,
    pub(crate) picture: Placement,
    pub(crate) at: Mono,
    /// Plies of the record then.
    pub(crate) plies: usize,
}

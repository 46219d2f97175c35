//! What is not known since the link was down, and what the board's own memory says of it.
use crate::recovery::memory::Memory;
use crate::timers::Timers;

pub(crate) mod memory;

/// What is not known since the link was down.
#[derive(Clone, Debug, Default)]
pub(crate) struct Recovery {
    /// The link was down: the next dump may show moves nobody saw.
    pub(crate) gap: bool,
    /// What was played meanwhile is not found yet.
    pub(crate) recovering: bool,
    /// What the board's own log says of it.
    pub(crate) memory: Memory,
    /// Whether the last ply was pressed is told by the next clock reading.
    pub(crate) gap_ply: Option<usize>,
    pub(crate) timers: Timers,
}

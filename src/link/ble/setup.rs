//! What is looked for over Bluetooth, and for whom.
use crate::event::Events;
use dgt_protocol::pegasus::DeveloperKey;
use flagfall_time::Stopwatch;
use std::collections::HashSet;
use std::fmt;
use std::sync::Arc;

/// A Bluetooth LE board of the configuration.
#[derive(Clone, Debug)]
pub struct Named {
    /// Its name.
    pub name: String,
    /// Address or Bluetooth name.
    pub target: String,
    /// The channel to its task.
    pub events: Events,
}

/// Gives the channel to the task of the board with this name and address; makes the task where there is none.
pub type Attach = Arc<dyn Fn(&str, &str) -> Events + Send + Sync>;

/// What is looked for, and for whom.
#[derive(Clone)]
pub struct Setup {
    /// The boards of the configuration.
    pub named: Vec<Named>,
    /// Where other boards go, if they are looked for.
    pub discover: Option<Attach>,
    /// Names that are taken.
    pub taken: HashSet<String>,
    /// Unlocks the boards.
    pub key: Option<DeveloperKey>,
    /// The adapter to use, `hci0`; without one the first.
    pub adapter: Option<String>,
    /// Stamps bytes.
    pub stopwatch: Stopwatch,
}

impl fmt::Debug for Setup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Setup").field("named", &self.named).field("adapter", &self.adapter).finish_non_exhaustive()
    }
}

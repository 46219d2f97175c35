//! Bluetooth LE boards: found by their service, identified by what they answer, read like any other board.
//!
//! | to change | go to |
//! |---|---|
//! | what is written in which order, keep-alive, dumps, LEDs, when a board is lost | `session` (pure) |
//! | discovery of services, subscription, writing, what is heard of one board | `connection` |
//! | connecting and disconnecting | `talk` |
//! | when the adapter looks for boards and when it stands still | `scanner` |
//! | which boards are wanted, and when each is tried again | `boards`, `names` |
//! | the adapter, its events, and what becomes of BlueZ | `radio` |
//! | what stands in the way of Bluetooth, and what to do about it | [`bluez`] |
//! | errors in words, panics of the library | `words` |
//! | pairing classic boards | [`agent`] |
//!
//! Without the feature `ble` all this is left out, and who asks for it is told so.
#[cfg(feature = "ble")]
pub mod agent;
#[cfg(feature = "ble")]
pub mod bluez;
#[cfg(feature = "ble")]
mod boards;
#[cfg(feature = "ble")]
mod connection;
#[cfg(feature = "ble")]
mod names;
#[cfg(feature = "ble")]
mod radio;
#[cfg(feature = "ble")]
mod scanner;
#[cfg(feature = "ble")]
mod session;
#[cfg(feature = "ble")]
mod talk;
#[cfg(feature = "ble")]
mod words;

use super::serial::Events;
use crate::time::Stopwatch;
use dgt_protocol::pegasus::DeveloperKey;
use flagfall_events::BoardKind;
use flagfall_game::settings::{ClockWhite, Settings};
use std::collections::HashSet;
use std::fmt;
use std::sync::Arc;
use tokio_util::sync::CancellationToken;

#[cfg(feature = "ble")]
pub use words::stumbles;

/// Whether this build serves Bluetooth.
pub const BUILT: bool = cfg!(feature = "ble");

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

/// Keeps the wanted boards connected until `token` is cancelled, and disconnects them then. Missing Bluetooth is a state, told once for each reason.
#[cfg(feature = "ble")]
pub async fn run(setup: Setup, token: &CancellationToken) {
    radio::Radio::new(setup).run(token).await;
}

/// The same in a build without Bluetooth: says so.
#[cfg(not(feature = "ble"))]
pub async fn run(setup: Setup, token: &CancellationToken) {
    use super::serial::LinkEvent;
    const NEWS: &str = "this build has no Bluetooth; install one with the feature ble";
    tracing::warn!("{NEWS}");
    for named in &setup.named {
        let _ = named.events.send((setup.stopwatch.now(), LinkEvent::Down(String::from(NEWS)))).await;
    }
    token.cancelled().await;
}

/// What is fixed before the games of such a board: it tells occupancy only and has no clock.
pub fn settings(settings: Settings) -> Settings {
    Settings { kind: BoardKind::Pegasus, clock_white: ClockWhite::None, ..settings }
}

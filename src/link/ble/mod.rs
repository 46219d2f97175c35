//! Bluetooth LE boards: found by their service, identified by what they answer, read like any other board.
//!
//! | to change | go to |
//! |---|---|
//! | what is written in which order, keep-alive, dumps, LEDs, when a board is lost | `session` (pure) |
//! | discovery of services, subscription, writing, what is heard of one board | `connection` |
//! | connecting and disconnecting | `talk` |
//! | when the adapter looks for boards and when it stands still | `scanner` |
//! | which boards are wanted, and when each is tried again | `setup`, `boards`, `candidate`, `names` |
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
mod candidate;
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
mod setup;
#[cfg(feature = "ble")]
mod talk;
#[cfg(feature = "ble")]
mod words;

use flagfall_events::BoardKind;
use flagfall_game::settings::{ClockWhite, Settings};
use tokio_util::sync::CancellationToken;

pub use setup::{Attach, Named, Setup};
#[cfg(feature = "ble")]
pub use words::stumbles;

/// Whether this build serves Bluetooth.
pub const BUILT: bool = cfg!(feature = "ble");

/// Keeps the wanted boards connected until `token` is cancelled, and disconnects them then. Missing Bluetooth is a state, told once for each reason.
#[cfg(feature = "ble")]
pub async fn run(setup: Setup, token: &CancellationToken) {
    radio::Radio::new(setup).run(token).await;
}

/// The same in a build without Bluetooth: says so.
#[cfg(not(feature = "ble"))]
pub async fn run(setup: Setup, token: &CancellationToken) {
    use super::event::LinkEvent;
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

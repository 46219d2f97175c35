//! Beyond one machine: a copy of every board's journaled events in NATS JetStream, and orders from halls.
//!
//! The journal is the queue. A board's task publishes one event at a time, each with the stream's number of the event before it, so that nothing is
//! lost, doubled or out of order whatever fails; the boards go side by side. After every failure the stream itself is asked how far it is. Events that
//! just happened are kept in memory, a few a board; whoever is further behind reads the journals.
//!
//! | to change | go to |
//! |---|---|
//! | names, headers and JSON that Pis and halls agree on | [`wire`] |
//! | what a board's task knows, the way in for its events | `board` |
//! | one board's events, in order, acknowledged | `feed` |
//! | events and entries read back from the journals | `src/journal/backlog.rs` |
//! | how far a board's events have come, across restarts | `cursor` |
//! | finding a server, accounts, TLS, back-off; what runs while there is one | `session` |
//! | asking JetStream without a consumer | `ask` |
//! | orders from halls | `orders` |
//! | pairings and the event's names | `settings` |
//! | saying that this machine is there | `presence` |
//! | `/healthz`, figures, the alarm | `status` |
//! | the streams and buckets themselves, which halls make | [`streams`] |
#[cfg(feature = "nats")]
mod ask;
#[cfg(feature = "nats")]
mod board;
#[cfg(feature = "nats")]
mod cursor;
#[cfg(feature = "nats")]
mod feed;
#[cfg(feature = "nats")]
mod orders;
#[cfg(feature = "nats")]
mod presence;
#[cfg(feature = "nats")]
pub mod session;
#[cfg(feature = "nats")]
mod settings;
#[cfg(feature = "nats")]
mod station;
#[cfg(feature = "nats")]
mod status;
#[cfg(feature = "nats")]
pub mod streams;
pub mod wire;

use flagfall_events::Wall;
use serde::Serialize;
#[cfg(feature = "nats")]
pub use station::{Feed, Nats, start};
#[cfg(not(feature = "nats"))]
pub use without::{Feed, Nats, start};

/// How it stands with the broker, for `/healthz`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct NatsHealth {
    /// A server answers.
    pub connected: bool,
    /// Why events do not go out, if they do not, and what to do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Events that the stream has not acknowledged yet.
    pub behind: u64,
    /// The event's word in every subject.
    pub event: String,
    /// This machine's name.
    pub pi: String,
    /// What was distributed and holds now.
    pub settings: Vec<Given>,
}

/// A setting that came through the broker.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Given {
    /// `pairings.ROUND` or `event`.
    pub key: String,
    /// Who changed it.
    pub who: String,
    /// When, by the clock of where it was changed.
    pub at: Wall,
}

/// What the rest of the daemon sees where NATS is not built in.
#[cfg(not(feature = "nats"))]
mod without {
    use super::NatsHealth;
    use crate::config::Config;
    use crate::feeds::event_info::task;
    use crate::journal::{Journal, Recovered, Said};
    use crate::output;
    use crate::time::Stopwatch;
    use crate::web::boards::Boards;
    use crate::web::hub::Hub;
    use std::sync::Arc;

    /// Nothing is published.
    #[derive(Clone, Debug, Default)]
    pub struct Nats;

    /// Takes nothing.
    #[derive(Clone, Debug)]
    pub struct Feed;

    /// Says so where the configuration wants it.
    pub fn start(config: &Config, _: Option<&Arc<Journal>>, _: &Arc<Hub>, _: &Boards, _: &task::EventDesk, _: Stopwatch) -> Nats {
        if config.nats.is_some() {
            output::complain("nats: this flagfall was built without NATS; nothing is published there, install the package with it");
        }
        Nats
    }

    impl Nats {
        /// A board that publishes nothing.
        pub fn board(&self, _: &str) -> Feed {
            Feed
        }

        /// There is none.
        pub fn health(&self) -> Option<NatsHealth> {
            None
        }

        /// At once.
        pub async fn end(&self) {}
    }

    impl Feed {
        /// Nothing.
        pub fn begin(&self, _: &Recovered) {}

        /// Nothing.
        pub fn publish(&self, _: &Said) {}
    }
}

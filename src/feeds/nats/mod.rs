//! Beyond one machine: a copy of every board's journaled events in NATS JetStream, and orders from halls.
//!
//! The journal is the queue. A board's task publishes one event at a time, each with the stream's number of the event before it, so that nothing is
//! lost, doubled or out of order whatever fails; the boards go side by side. After every failure the stream itself is asked how far it is. Events that
//! just happened are kept in memory, a few a board; whoever is further behind reads the journals.
//!
//! | to change | go to |
//! |---|---|
//! | names, headers and JSON that Pis and halls agree on | [`wire`] |
//! | its start and end, the way in for a board's events | `publisher` |
//! | what all its tasks share | `station` |
//! | what a board's task knows | `board` |
//! | one board's events, in order, acknowledged | `feed` |
//! | a board whose game another machine recorded | `takeover` |
//! | which of two records of a board goes on | `records` |
//! | events and entries read back from the journals | `src/journal/backlog.rs` |
//! | how far a board's events have come, across restarts | `cursor` |
//! | finding a server, accounts, TLS, back-off; what runs while there is one | `session` |
//! | whether a server answers | [`reach`] |
//! | asking JetStream without a consumer | `ask` |
//! | orders from halls | `orders`; what they were answered `answers` |
//! | pairings and the event's names | `settings` |
//! | saying that this machine is there | `presence` |
//! | what a hall has seen of the journals | `witness`, `witnessed` |
//! | figures, the alarm | `figures`, `status` |
//! | the streams and buckets themselves, which halls make | [`streams`] |
#[cfg(feature = "nats")]
mod answers;
#[cfg(feature = "nats")]
mod ask;
#[cfg(feature = "nats")]
mod board;
#[cfg(feature = "nats")]
mod cursor;
#[cfg(feature = "nats")]
mod feed;
#[cfg(feature = "nats")]
mod figures;
#[cfg(feature = "nats")]
mod orders;
#[cfg(feature = "nats")]
mod presence;
#[cfg(feature = "nats")]
mod publisher;
#[cfg(feature = "nats")]
pub mod reach;
#[cfg(feature = "nats")]
mod records;
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
#[cfg(feature = "nats")]
pub(crate) mod takeover;
pub mod wire;
#[cfg(feature = "nats")]
mod witness;
#[cfg(feature = "nats")]
mod witnessed;

#[cfg(feature = "nats")]
pub use publisher::{Feed, Nats, start};
#[cfg(not(feature = "nats"))]
pub use without::{Feed, Nats, start};

/// What the rest of the daemon sees where NATS is not built in.
#[cfg(not(feature = "nats"))]
mod without {
    use crate::event_info::desk::EventDesk;
    use crate::ledger::Book;
    use flagfall_config::Config;
    use flagfall_events::Event;
    use flagfall_journal::{Journal, Recovered, Said};
    use flagfall_time::Stopwatch;
    use flagfall_web::boards::Boards;
    use flagfall_web::health::{Broker, NatsHealth};
    use flagfall_web::hub::Hub;
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;

    /// Nothing is published.
    #[derive(Clone, Debug, Default)]
    pub struct Nats;

    /// Takes nothing.
    #[derive(Clone, Debug)]
    pub struct Feed;

    /// Beside it, what is said at the start: that it is missing, where the configuration wants it.
    pub fn start(
        config: &Config,
        _: Option<&Arc<Journal>>,
        _: &Arc<Hub>,
        _: &Boards,
        _: &EventDesk,
        _: &Arc<AtomicBool>,
        _: Stopwatch,
    ) -> (Nats, Option<String>) {
        let missing = "nats: this flagfall was built without NATS; nothing is published there, install the package with it";
        (Nats, config.nats.as_ref().map(|_| String::from(missing)))
    }

    impl Nats {
        /// A board that publishes nothing.
        pub fn board(&self, _: &str) -> Feed {
            Feed
        }

        /// Nothing.
        pub fn sent(&self) -> Option<Book> {
            None
        }

        /// At once.
        pub async fn end(&self) {}
    }

    impl Broker for Nats {
        fn health(&self) -> Option<NatsHealth> {
            None
        }
    }

    impl Feed {
        /// Nothing.
        pub fn begin(&self, _: &Recovered) {}

        /// Nothing.
        pub fn show(&self, _: &Arc<Event>) {}

        /// Nothing.
        pub fn publish(&self, _: &Said) {}
    }
}

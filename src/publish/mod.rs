//! What goes out to the world. A reader here never delays a board.
//!
//! | to change | go to |
//! |---|---|
//! | what a reader knows of a board after an event | [`flagfall_score::board`] |
//! | what of a board's events is public, and how that is numbered | [`flagfall_score::public`] |
//! | which audience gets which event | [`hub`] |
//! | what is kept for those who come back, who listens | [`stage`] |
//! | the HTTP interface and the page | [`web`] |
//! | a game as PGN | [`flagfall_score::pgn`], in LiveChess's style [`pgn`]; which moves of it are one line of legal play: [`flagfall_score::line`] |
//! | the event: rounds, pairings, players, which game is whose | [`event_info`]; lists and reports as files: [`pairings`], names: [`players`] |
//! | the operator's alarms | [`alarms`] |
//! | the API of DGT LiveChess | [`livechess`] |
//! | documents for broadcast software: LiveChess's tree, the cloud's JSON, over HTTP and in folders | [`tree`], [`cloud`], `pgn/broadcast.rs` |
//! | how events come here from a board and its journal | [`outbox`] |
//! | counters and gauges | [`metrics`] |
//! | what is carried to others, all together | [`feeds`] |
//! | the push to Lichess | [`lichess`] |
//! | alerts to those who must know at once | [`webhook`] |
//! | files on other servers | [`upload`] |
//! | events to a broker, orders from halls | [`nats`] |
//! | the delay of such feeds, and what it does to times | [`delay`] |
//! | how much of an answer is read | `bounded` |
//! | the queues of those who have a task of their own, and what happens when one is full | `queue` |
//! | how many connections there are at once, and who makes room | `places` |
//! | whether this process speaks to others at all | [`voice`] |
pub mod alarms;
pub(crate) mod bounded;
pub mod cloud;
pub mod delay;
pub mod event_info;
pub mod feeds;
pub mod hub;
pub mod lichess;
pub mod livechess;
pub mod metrics;
pub mod nats;
pub mod outbox;
pub mod pairings;
pub mod pgn;
pub(crate) mod places;
pub mod players;
mod queue;
pub mod stage;
pub mod tree;
pub mod upload;
pub mod voice;
pub mod web;
pub mod webhook;

/// Counts what a publisher delivers: its name (`upload chess.com`), and whether it arrived; `None` when the publisher begins. Must not wait.
pub type Counter = std::sync::Arc<dyn Fn(&str, Option<bool>) + Send + Sync>;

/// Names the cryptography that TLS connections of this process use; without it the first one would panic. Harmless when called again.
pub(crate) fn tls_provider() {
    // An error says that it was done before.
    _ = tokio_rustls::rustls::crypto::ring::default_provider().install_default();
}

#[cfg(test)]
mod behind_tests;
#[cfg(test)]
mod outlets_tests;
#[cfg(test)]
mod projections_tests;
#[cfg(test)]
#[path = "../score/said.rs"]
mod said;
#[cfg(test)]
mod walk_tests;

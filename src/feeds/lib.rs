//! What is carried to others: one file, or folder, a consumer. None of them delays a board.
//!
//! | to change | go to |
//! |---|---|
//! | a game as PGN | [`flagfall_score::pgn`], in LiveChess's style [`pgn`]; which moves of it are one line of legal play: [`flagfall_score::line`] |
//! | the event: rounds, pairings, players, which game is whose | [`event_info`]; lists and reports as files: [`pairings`], names: [`players`] |
//! | the operator's alarms | [`alarms`] |
//! | the API of DGT LiveChess | [`livechess`] |
//! | documents for broadcast software: LiveChess's tree, the cloud's JSON, over HTTP and in folders | [`tree`], [`cloud`], `pgn/broadcast.rs` |
//! | what is carried to others, all together | [`running`] |
//! | the push to Lichess | [`lichess`] |
//! | what each of these sent last, and whether it is seen there: one table | [`sent`]; what an outlet writes down of it: [`ledger`] |
//! | alerts to those who must know at once | [`webhook`] |
//! | outside witnesses, which see how the journals go on | [`witness`] |
//! | rings on telephones whose screen is dark | [`push`] |
//! | when what waits for an arbiter rings, and again | [`ringer`], driven by [`ringing`] |
//! | files on other servers | [`upload`] |
//! | events to a broker, orders from halls | [`nats`] |
//! | a hall over many machines: the stream in, orders out, who speaks | `hall`, with the feature `nats` |
//! | all that show boards, as a board's publisher sees them | [`outlets`] |
//! | everything public that waits until it is due | [`later`]; what it goes to: [`shown`]; how old a hall's messages are after a restart: [`arrivals`] |
//! | the delay of such feeds, and what it does to times | [`delay`] |
//! | what operators can ask of them, described | `openapi`, with the feature of that name |
//! | how much of an answer is read | `bounded` |
pub mod alarms;
pub mod arrivals;
pub mod bounded;
mod client;
pub mod cloud;
pub mod delay;
pub mod event_info;
#[cfg(feature = "nats")]
pub mod hall;
pub mod later;
pub mod ledger;
pub mod lichess;
pub mod livechess;
pub mod nats;
#[cfg(feature = "openapi")]
pub mod openapi;
pub mod outlets;
pub mod pairings;
pub mod pgn;
pub mod players;
pub mod push;
pub mod ringer;
pub mod ringing;
pub mod running;
pub mod sent;
pub mod shown;
pub mod tree;
pub mod upload;
pub mod webhook;
pub mod witness;

/// Counts what a publisher delivers: its name (`upload chess.com`), and whether it arrived; `None` when the publisher begins. Must not wait.
pub type Counter = std::sync::Arc<dyn Fn(&str, Option<bool>) + Send + Sync>;

/// Names the cryptography that TLS connections of this process use; without it the first one would panic. Harmless when called again.
pub fn tls_provider() {
    // An error says that it was done before.
    _ = tokio_rustls::rustls::crypto::ring::default_provider().install_default();
}

#[cfg(test)]
mod behind_tests;
#[cfg(test)]
mod gone_tests;
#[cfg(test)]
mod outlets_tests;
#[cfg(test)]
mod projections_tests;
#[cfg(test)]
#[path = "../score/said.rs"]
mod said;
#[cfg(test)]
mod walk_tests;

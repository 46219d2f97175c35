//! Documents for broadcast software: LiveChess's tree and the cloud's JSON, made from what boards said.
//!
//! | file | holds |
//! |---|---|
//! | `hall.rs` | boards whose captures are replayed into one event, and what comes of it |
//! | `reading.rs` | a PGN as another program reads it |
//! | `twelve.rs` | twelve games: their trees read by pgn-reader and python-chess, compared with genuine ones |
//! | `scenarios.rs` | illegal moves, positions set, kings, results: each one's PGN and JSON |
//! | `results.rs` | results that come late or were wrong, in every document |
//! | `rounds.rs` | pairing lists and what they change, round by round |
//! | `swapped.rs` | pairings that are changed in the middle of a round |
//! | `fetched.rs` | the daemon with a team round of 64 boards at an address |
//! | `delayed.rs` | times in outlets with a delay |
//! | `behind.rs` | countdowns where everything public is behind; `two_daemons.rs`: two daemons that nobody can tell apart |
//! | `everywhere.rs` | the daemon with all outlets on: what is corrected reaches each of them |
//! | `daemon.rs` | the daemon: lists that change while it runs, folders, a restart |
//! | `archive.rs` | the archive: a folder for any web server |
//! | `polling.rs` | readers that never see half a file; tags and answers over HTTP |
//!
//! The hands, the board and the clock of the scenarios are those of `tests/laws`.
#![allow(clippy::unwrap_used, reason = "a test may")]
mod archive;
mod behind;
mod daemon;
#[cfg(feature = "uploads")]
mod delayed;
#[cfg(feature = "uploads")]
mod everywhere;
mod fetched;
mod hall;
mod polling;
mod reading;
mod results;
mod rounds;
mod scenarios;
mod swapped;
mod twelve;

#[path = "../laws/device.rs"]
#[allow(dead_code, reason = "the scenarios of the Laws use the rest")]
mod device;
#[path = "../laws/pen.rs"]
#[allow(dead_code, reason = "the scenarios of the Laws use the rest")]
mod pen;
#[path = "../laws/referee.rs"]
#[allow(dead_code, reason = "the scenarios of the Laws use the rest")]
mod referee;
#[cfg(feature = "uploads")]
#[path = "../browser/stage/table.rs"]
#[allow(dead_code, clippy::disallowed_methods, reason = "pages use the rest; a clock and hands have a time of their own")]
mod seats;
#[path = "../laws/story.rs"]
#[allow(dead_code, reason = "the scenarios of the Laws use the rest")]
mod story;
#[path = "../laws/table.rs"]
#[allow(dead_code, reason = "the scenarios of the Laws use the rest")]
mod table;

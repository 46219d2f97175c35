//! What is carried to others: documents, Lichess, LiveChess, brokers, servers.
//!
//! | file | holds |
//! |---|---|
//! | `../documents/` | trees and JSON for broadcast software |
//! | `../free_port/` | ports for servers |
//! | `../lichess/` | the push to Lichess |
//! | `../livechess/` | the API of DGT LiveChess |
//! | `../mishaps/` | what to do when something is dead, exchanged or wrong, as docs/operate.md has it |
//! | `../nats/` | boards in a broker |
//! | `../ringing/` | what rings on telephones |
//! | `../uploads/` | files to other servers |
#[path = "../documents/mod.rs"]
mod documents;
#[cfg(any(feature = "nats", feature = "uploads"))]
#[path = "../free_port/mod.rs"]
mod free_port;
#[path = "../http/mod.rs"]
mod http;
#[path = "../lichess/mod.rs"]
mod lichess;
#[path = "../livechess/mod.rs"]
mod livechess;
#[path = "../mishaps/mod.rs"]
mod mishaps;
#[cfg(feature = "nats")]
#[path = "../nats/mod.rs"]
mod nats;
#[path = "../rig/mod.rs"]
mod rig;
#[path = "../ringing/mod.rs"]
mod ringing;
#[path = "../signed_in/mod.rs"]
mod signed_in;
#[path = "../started/mod.rs"]
mod started;
#[cfg(feature = "uploads")]
#[path = "../uploads/mod.rs"]
mod uploads;

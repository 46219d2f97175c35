//! The host of a bus line as a state machine: bytes and time in, one command at a time and what the boards said out.
//!
//! It knows no port and no clock. [`Host::handle`] takes what happened and when, then [`Host::poll`] is drained, and [`Host::deadline`] says when to
//! call again. Times are milliseconds since any moment and never run back.
//!
//! The life of a line: a search (everybody is pinged, expected boards by their addresses, then those who are known are told to be silent and everybody
//! is pinged again until nobody new answers), then a cycle over all boards: clock, changes, and what else is due. What a board's log says becomes the
//! [`Message`](crate::message::Message)s that the same board would send on a line of its own, so whoever reads boards reads these as well.
//!
//! | to change | go to |
//! |---|---|
//! | what goes in and comes out | `said.rs` |
//! | the machine's parts; bytes in, time over | `machine.rs` |
//! | what is asked next, what an answer or its absence leads to | `cycle.rs` |
//! | who is on the line | `search.rs` on the state in `rounds.rs` |
//! | the command that is on the wire, and until when its answer is waited for | `flight.rs` |
//! | what is known of one board | `board.rs` |
//! | log entries and clock readings as messages of a single board | `translate.rs` |
//! | what is wrong with the line as a whole | `line.rs` |
//! | damaged answers: two boards with one address, a bad line | `damage.rs`; what they lead to: `doubt.rs` |
mod board;
mod cycle;
mod damage;
mod doubt;
mod flight;
mod line;
mod machine;
mod rounds;
mod said;
mod search;
mod translate;

pub use line::LineState;
pub use machine::Host;
pub use said::{Ask, HostConfig, HostInput, HostOutput, MOST, Said};

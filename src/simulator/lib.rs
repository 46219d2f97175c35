//! A board and a clock made of software, played from a PGN with human hands: for tests, benches, the demo, and any host program.
//!
//! Everything but [`pty`] is pure and runs in simulated time; the same seed always gives the same bytes.
//!
//! | to change | go to |
//! |---|---|
//! | reading games | [`games`] |
//! | how fast hands are and how often they slip | [`pace`] |
//! | how one move is made | `gesture` |
//! | the hands of many people: paces, boards, players | [`people`], `person` |
//! | how one of them moves, plays a game, when, and what he does besides | `manner`, `crowd`, `moments`, `besides` |
//! | what is told of how hands did it | [`deeds`] |
//! | how a game is asked for | [`hands`] |
//! | who moves, thinks and presses when | `play`; what they know meanwhile: `players` |
//! | what goes wrong on purpose | [`incident`], `mishap`, `disturb` |
//! | what happens after the last move, and before the first one of the next game | `ending`; how often: [`habits`] |
//! | the list of physical acts, and the truth beside it | [`script`] |
//! | the sensors | [`scanner`] |
//! | the chess clock | [`clock`], and what may be wrong with it: [`clock_fault`] |
//! | the wire: pacing, cuts, damage | [`wire`] |
//! | the device as a whole | [`device`], [`memory`] |
//! | what an arbiter does at the table: another board, another clock | `arbiter` |
//! | what it answers to which command | `answers`; on a bus: `bus`, [`bus_side`] |
//! | many boards on one line, and what may be wrong with it | [`bus_line`]; a host on it: [`bus_run`]; on a pseudo-terminal: [`bus_pty`] |
//! | a Bluetooth LE board | [`pegasus`] |
//! | a game as chunks of bytes, or as a capture file | [`stream`] |
//! | what the demo's boards play | [`tables`] |
//! | a board on a real pseudo-terminal | [`pty`], `terminal` |
mod answers;
mod arbiter;
mod besides;
mod bus;
pub mod bus_line;
#[cfg(test)]
mod bus_line_tests;
#[cfg(feature = "pty")]
pub mod bus_pty;
pub mod bus_run;
pub mod bus_side;
pub mod clock;
pub mod clock_fault;
mod crowd;
pub mod deeds;
pub mod device;
#[cfg(test)]
mod device_tests;
mod disturb;
mod ending;
pub mod games;
mod gesture;
pub mod habits;
#[cfg(test)]
mod habits_tests;
pub mod hands;
pub mod incident;
#[cfg(test)]
mod incident_tests;
mod manner;
pub mod memory;
mod mishap;
mod moments;
pub mod pace;
pub mod pegasus;
pub mod people;
#[cfg(test)]
mod people_options_tests;
#[cfg(test)]
mod people_tests;
pub mod person;
mod play;
mod players;
#[cfg(feature = "pty")]
pub mod pty;
#[cfg(all(test, feature = "pty"))]
mod pty_tests;
pub mod scanner;
pub mod script;
mod side;
pub mod stream;
#[cfg(test)]
mod stream_tests;
pub mod tables;
#[cfg(feature = "pty")]
mod terminal;
pub mod wire;

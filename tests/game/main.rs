//! One board's game in simulated time: no daemon, no files but recordings, nothing waits.
//!
//! | file | holds |
//! |---|---|
//! | `between.rs` | a journal that begins between two games |
//! | `bus.rs` | boards that share a line |
//! | `cable.rs` | a cable that is out for some plies |
//! | `gap.rs` | what was played while nothing was heard |
//! | `gone.rs` | a clock whose cable is out for a while |
//! | `late.rs` | links that come up late |
//! | `moves.rs` | a whole record that is restored |
//! | `portion.rs` | a portion of the corpus gives the events that it gave |
//! | `rigs.rs` | the rig itself, for every kind of board |
//! | `sides.rs` | a clock that stands the other way round |
//! | `taken.rs` | another machine's record of the game, which goes on here |
//! | `tried.rs` | what is tried out, and pieces put away, when a game is over |
//! | `undo.rs` | an entry that is undone was never there |
//! | `../clock_faults/` | faults of clocks |
//! | `../laws/` | scenarios of the Laws |
//! | `../recognition/` | what was played, from what sensors and clock said |
mod between;
mod bus;
mod cable;
#[path = "../clock_faults/mod.rs"]
mod clock_faults;
#[path = "../corpus/mod.rs"]
mod corpus;
mod gap;
mod gone;
#[path = "../rig/hosted.rs"]
mod hosted;
mod late;
#[path = "../laws/mod.rs"]
mod laws;
mod moves;
mod portion;
#[path = "../recognition/mod.rs"]
mod recognition;
#[path = "../rig/mod.rs"]
mod rig;
mod rigs;
mod sides;
mod taken;
mod tried;
mod undo;

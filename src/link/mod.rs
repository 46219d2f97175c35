//! From a port to a board's task: open, run, hang-up, back off, reopen.
//!
//! | to change | go to |
//! |---|---|
//! | what is sent in which order after opening, keep-alive, when a board is lost | [`startup`] (pure) |
//! | one command in flight, pacing, which answer belongs to which command | [`queue`] (pure) |
//! | what a board said about itself | [`identity`] (pure) |
pub mod identity;
pub mod queue;
pub mod startup;

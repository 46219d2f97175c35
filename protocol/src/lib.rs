//! Bytes of DGT-compatible chess boards and clocks, in both directions.
//!
//! | to change | go to |
//! |---|---|
//! | how bytes become frames | [`frame`] |
//! | what a board may say | [`message`] |
//! | what a host may say | [`command`] |
//! | clock reports, acknowledgements, set-and-run | [`clock`] |
//! | wire squares and piece codes | [`square`] |
//! | several boards on one line | [`bus`] |
#![no_std]
extern crate alloc;

mod assembler;
pub mod bus;
pub mod clock;
pub mod command;
pub mod frame;
pub mod message;
mod parse;
pub mod square;

#![doc = include_str!("../README.md")]
//!
//! # Modules
//!
//! | for | see |
//! |---|---|
//! | bytes into messages | [`receiver`] |
//! | what may be wrong with a frame, and counts of it | [`frame`] |
//! | what a board may say | [`message`] |
//! | what a host may say, set-and-run | [`command`] |
//! | clock reports, acknowledgements | [`clock`] |
//! | wire squares and piece codes | [`square`] |
//! | the log that a board keeps itself | [`memory`] |
//! | several boards on one line | [`bus`] |
//! | Bluetooth LE boards | [`pegasus`] |
#![no_std]
extern crate alloc;

mod assembler;
pub mod bus;
pub mod clock;
pub mod command;
pub mod frame;
pub mod memory;
pub mod message;
mod parse;
pub mod pegasus;
pub mod receiver;
pub mod square;

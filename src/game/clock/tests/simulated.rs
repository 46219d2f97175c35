//! The simulated clock, until the simulator is a crate.
#![allow(dead_code, unreachable_pub, reason = "only a part of it is used here")]
#[path = "../../../simulator/clock.rs"]
pub mod clock;
#[path = "../../../simulator/clock_fault.rs"]
pub mod clock_fault;

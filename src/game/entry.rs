//! What arbiters and operators enter.
pub use flagfall_events::{Decision, Entry, Order, PromotedTo, Run, SetClock};

//! Beyond one machine: every Pi's events as a copy in NATS JetStream, and orders from halls.
//!
//! | to change | go to |
//! |---|---|
//! | names, headers and JSON that Pis and halls agree on | [`wire`] |
pub mod wire;

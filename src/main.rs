//! The `flagfall` binary.
fn main() {}

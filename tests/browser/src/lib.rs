//! What the browser tests stand on: a browser ([`Browser`]) and a hall whose boards play what a test tells them ([`Hall`]).
mod browser;
mod hall;

pub use browser::{Browser, Screen};
pub use hall::Hall;

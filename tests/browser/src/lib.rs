//! What the browser tests stand on: a browser ([`Browser`]), the daemon playing by itself ([`Demo`]), and a hall whose boards play what a test tells them ([`Hall`]).
mod browser;
mod demo;
mod hall;

pub use browser::{Browser, Screen};
pub use demo::Demo;
pub use hall::Hall;

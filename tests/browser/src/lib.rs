//! What the browser tests stand on: a browser ([`Browser`]), the daemon playing by itself ([`Demo`]), a hall whose boards play what a
//! test tells them ([`Hall`]), and the whole daemon with boards, clocks and hands on the wire ([`Arena`], [`Table`]), joined to a hall by a [`Broker`] where a test asks for one.
mod arena;
mod broker;
mod browser;
mod demo;
mod hall;
mod table;

pub use arena::Arena;
pub use broker::Broker;
pub use browser::{Browser, Screen};
pub use demo::Demo;
pub use hall::Hall;
pub use table::Table;

//! What the browser tests stand on: a browser ([`Browser`]), the daemon playing by itself ([`Demo`]), a hall whose boards play what a
//! test tells them ([`Hall`]), and the whole daemon with boards, clocks and hands on the wire ([`Arena`], [`Table`]), joined to a hall by a [`Broker`] where a test asks for one.
mod arena;
mod axe;
mod broker;
mod browser;
mod demo;
mod hall;
mod places;
mod table;

pub(crate) use arena::Arena;
pub(crate) use axe::{Axe, IMPACTS};
pub(crate) use broker::Broker;
pub(crate) use browser::{Browser, Screen};
pub(crate) use demo::Demo;
pub(crate) use hall::Hall;
pub(crate) use table::Table;

/// The program that is driven: the one that was built with these tests, or the one that `FLAGFALL_BIN` names.
pub(super) fn program() -> std::ffi::OsString {
    std::env::var_os("FLAGFALL_BIN").unwrap_or_else(|| env!("CARGO_BIN_EXE_flagfall").into())
}

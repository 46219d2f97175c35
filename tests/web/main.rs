//! Pages, streams and HTTP, and who may do what.
//!
//! | file | holds |
//! |---|---|
//! | `openapi.rs` | the interface's description |
//! | `pages.rs` | the public page and its streams |
//! | `../arbiter_security/` | who may come in, and what strangers try |
//! | `../browser/` | the pages in a real browser |
//! | `../free_port/` | ports for servers |
#[path = "../arbiter_security/mod.rs"]
mod arbiter_security;
#[path = "../browser/mod.rs"]
mod browser;
#[path = "../free_port/mod.rs"]
mod free_port;
#[path = "../http/mod.rs"]
mod http;
#[cfg(feature = "openapi")]
mod openapi;
mod pages;
#[path = "../schema/mod.rs"]
mod schema;
#[path = "../scripted_board/mod.rs"]
mod scripted_board;
#[path = "../signed_in/mod.rs"]
mod signed_in;

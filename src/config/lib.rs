//! The configuration: TOML. Without a file everything has a sensible default.
//!
//! | file | holds |
//! |---|---|
//! | `whole` | [`Config`] |
//! | `read`, `reader` | text to [`Config`], all mistakes at once, each with its line |
//! | `print`, `quoted` | [`Config`] to text that reads back the same |
//! | `advice` | what is legal but unwise |
//! | `event` | `[event]`, `[tree]`, `[cloud]`, `[archive]` |
//! | `list_source` | where pairings and reports come from |
//! | `setting` | a game's settings by name, shared with captures |
//! | `lichess`, `upload` | `[lichess]`, `[[upload]]` |
//! | `journal` | `[journal]`, into [`flagfall_journal::keeping`] |
//! | `web`, `accounts`, `alerts` | the sections of the same names |
//! | `witness` | `[[witness]]` |
//! | `ble` | `[ble]` |
//! | `bus` | `[[bus]]`, and a board's `address` |
//! | `nats`, `hall` | `[nats]`, `[hall]` |
//! | `fleet` | the table list of `flagfall fleet`: every Pi, board and hall of an event |
//! | `log` | `[log]` |
//! | `delay` | `delay`, `until`, `lan_public`, and the delay of one outlet |
//! | `duration`, `date`, `country` | kinds of values |
//! | `source_url`, `secret` | what is unwise about an address that others fetch from, about a file that holds a secret |
pub mod accounts;
mod advice;
pub mod alerts;
mod ble;
pub mod bus;
pub mod country;
pub mod date;
pub mod delay;
pub mod event;
pub mod fleet;
pub mod hall;
mod journal;
pub mod lichess;
pub mod list_source;
mod livechess;
pub mod log;
pub mod nats;
mod print;
mod quoted;
mod read;
mod reader;
mod secret;
pub mod source_url;
pub mod upload;
pub mod web;
mod whole;
pub mod witness;

pub use ble::Ble;
pub use bus::Bus;
pub use flagfall_link::address::{LinkAddress, LinkAddressError};
pub use livechess::{DelayedPort, LiveChess};
pub use reader::{ConfigError, Mistake};
pub use whole::{BoardConfig, Config, Discovery};

use std::ffi::OsString;
use std::path::PathBuf;

impl Config {
    /// Reads a configuration; `file` is only for the messages. All mistakes come at once.
    pub fn parse(file: &str, text: &str) -> Result<Self, ConfigError> {
        read::config(file, text)
    }

    /// The configuration as TOML that [`Config::parse`] reads back to the same.
    pub fn to_toml(&self) -> String {
        print::toml(self)
    }

    /// The event's names alone, as a configuration has them; empty where nothing is named.
    pub fn event_toml(&self) -> String {
        let mut out = String::new();
        event::print(&mut out, &event::EventConfig { about: self.event.about.clone(), ..event::EventConfig::default() });
        out
    }

    /// What is legal but unwise, one sentence each with what to do.
    pub fn advice(&self) -> Vec<String> {
        advice::of(self)
    }
}

/// The configuration's path when none is given: `$CONFIGURATION_DIRECTORY/flagfall.toml` (set by systemd), else `/etc/flagfall/flagfall.toml`.
/// It need not exist.
pub fn default_path(env: impl Fn(&str) -> Option<OsString>) -> PathBuf {
    first_of(env("CONFIGURATION_DIRECTORY")).unwrap_or_else(|| PathBuf::from("/etc/flagfall")).join("flagfall.toml")
}

/// Where journals are kept when nothing says so: `$STATE_DIRECTORY` (set by systemd), else `$XDG_STATE_HOME/flagfall`, else
/// `$HOME/.local/state/flagfall`. `None` where none of these is set.
pub fn default_data_dir(env: impl Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    first_of(env("STATE_DIRECTORY"))
        .or_else(|| env("XDG_STATE_HOME").map(PathBuf::from).filter(|p| p.is_absolute()).map(|p| p.join("flagfall")))
        .or_else(|| env("HOME").map(PathBuf::from).filter(|p| p.is_absolute()).map(|p| p.join(".local/state/flagfall")))
}

/// systemd lists several folders with colons between; ours is the first.
pub fn first_of(folders: Option<OsString>) -> Option<PathBuf> {
    let folders = folders?;
    let first = std::env::split_paths(&folders).next()?;
    first.is_absolute().then_some(first)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn journals_go_to_the_first_place_that_is_set() {
        let env = |set: &'static [(&str, &str)]| move |name: &str| set.iter().find(|(n, _)| *n == name).map(|(_, v)| OsString::from(v));
        let dir = |set| default_data_dir(env(set));
        assert_eq!(dir(&[("STATE_DIRECTORY", "/var/lib/flagfall:/x"), ("HOME", "/h")]), Some(PathBuf::from("/var/lib/flagfall")));
        assert_eq!(dir(&[("XDG_STATE_HOME", "/s"), ("HOME", "/h")]), Some(PathBuf::from("/s/flagfall")));
        assert_eq!(dir(&[("XDG_STATE_HOME", ""), ("HOME", "/h")]), Some(PathBuf::from("/h/.local/state/flagfall")));
        assert_eq!(dir(&[]), None);
        assert_eq!(default_path(env(&[])), PathBuf::from("/etc/flagfall/flagfall.toml"));
    }
}

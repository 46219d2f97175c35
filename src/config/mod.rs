//! The configuration: TOML, design section 5. Without a file everything has a sensible default.
//!
//! | file | holds |
//! |---|---|
//! | `read` | text to [`Config`], all mistakes at once, each with its line |
//! | `print` | [`Config`] to text that reads back the same |
//! | `advice` | what is legal but unwise |
//! | `event` | `[event]`, `[tree]`, `[cloud]` |
//! | `setting` | a game's settings by name, shared with captures |
//! | `lichess`, `upload` | `[lichess]`, `[[upload]]` |
//! | `web`, `accounts`, `alerts` | the sections of the same names |
//! | `ble` | `[ble]` |
//! | `nats`, `hall` | `[nats]`, `[hall]` |
//! | `log` | `[log]` |
//! | `link_address`, `duration` | two kinds of values |
pub mod accounts;
mod advice;
pub mod alerts;
mod ble;
pub mod duration;
pub mod event;
pub mod hall;
pub mod journal;
pub mod lichess;
mod link_address;
mod livechess;
pub mod log;
pub mod nats;
mod print;
mod read;
pub mod setting;
pub mod upload;
pub mod web;

pub use ble::Ble;
pub use link_address::{LinkAddress, LinkAddressError};
pub use livechess::LiveChess;
pub use read::{ConfigError, Mistake};

use crate::game::settings::Settings;
use std::ffi::OsString;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;

/// Everything the daemon is told before it starts.
#[derive(Clone, Debug, PartialEq)]
pub struct Config {
    /// The boards that were named; discovery may find more.
    pub boards: Vec<BoardConfig>,
    /// Where the page and the HTTP API listen.
    pub web: SocketAddr,
    /// Under which conditions.
    pub web_access: web::WebAccess,
    /// Who may rule and who may enter results.
    pub accounts: Vec<accounts::Account>,
    /// Who is told at once.
    pub alerts: Vec<alerts::Alert>,
    /// The LiveChess-compatible API.
    pub livechess: LiveChess,
    /// Rounds on Lichess.
    pub lichess: Vec<lichess::Lichess>,
    /// Servers that get files.
    pub uploads: Vec<upload::Upload>,
    /// The broker that joins the boards of many machines.
    pub nats: Option<nats::Nats>,
    /// Bluetooth LE boards.
    pub ble: Ble,
    /// What is looked for beyond the named boards.
    pub discovery: Discovery,
    /// Where journals are kept, if the file says so; see [`default_data_dir`].
    pub data_dir: Option<PathBuf>,
    /// How evidence is kept.
    pub journal: journal::Journal,
    /// How much the log says.
    pub log: log::Log,
    /// Folder in which every board's bytes are recorded as captures, if wanted.
    pub capture: Option<PathBuf>,
    /// A hall over many machines.
    pub hall: hall::Hall,
    /// The event: names, pairings, where its documents are written.
    pub event: event::EventConfig,
    /// What holds for boards that discovery finds.
    pub defaults: Settings,
}

/// One `[[board]]`.
#[derive(Clone, Debug, PartialEq)]
pub struct BoardConfig {
    /// The event's board number or any name; unique.
    pub name: String,
    /// Where it is plugged in; unique.
    pub link: LinkAddress,
    /// Its games; `settings.link` is `link` as text.
    pub settings: Settings,
}

/// `[discovery]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Discovery {
    /// Probe serial ports that no `[[board]]` names.
    pub serial: bool,
    /// Look for Bluetooth LE boards.
    pub ble: bool,
}

impl Default for Config {
    /// The daemon without a configuration: probes serial ports, page on 127.0.0.1:8064, LiveChess API on 127.0.0.1:1982.
    fn default() -> Self {
        Self {
            boards: Vec::new(),
            web: SocketAddr::from((Ipv4Addr::LOCALHOST, 8064)),
            web_access: web::WebAccess::default(),
            accounts: Vec::new(),
            alerts: Vec::new(),
            livechess: LiveChess::default(),
            lichess: Vec::new(),
            uploads: Vec::new(),
            nats: None,
            ble: Ble::default(),
            discovery: Discovery { serial: true, ble: false },
            data_dir: None,
            journal: journal::Journal::default(),
            log: log::Log::default(),
            capture: None,
            hall: hall::Hall::default(),
            event: event::EventConfig::default(),
            defaults: Settings::default(),
        }
    }
}

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
pub(crate) fn first_of(folders: Option<OsString>) -> Option<PathBuf> {
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

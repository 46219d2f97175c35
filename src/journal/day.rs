//! When a new journal begins.
//!
//! At the first input after local midnight, or after the settings changed, but never while a game is in progress or was a moment ago: a
//! game is in one file with everything an arbiter may still say of it. A game in which nothing happened for six hours was left.
use super::header::{Open, named};
use flagfall_game::settings::Settings;
use std::collections::BTreeMap;

/// Whether settings differ in more than the port behind the same kind of link.
pub(super) fn differ(open: &Open, now: &Open) -> bool {
    plain(open.settings.clone()) != plain(now.settings.clone())
}

/// The same of settings that are in effect.
pub fn settings_differ(one: &Settings, other: &Settings) -> bool {
    plain(named(one)) != plain(named(other))
}

fn plain(mut settings: BTreeMap<String, String>) -> BTreeMap<String, String> {
    if let Some(link) = settings.get_mut("link") {
        link.truncate(link.find(':').unwrap_or(link.len()));
    }
    settings
}

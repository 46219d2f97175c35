//! SIGHUP: the configuration is read again. What publishes, the log and the event follow at once, a board's settings with its next game;
//! what cannot change while the daemon runs is said. A configuration with mistakes changes nothing.
use super::front::touches;
use super::logging;
use crate::config::Config;
use crate::exit::ExitError;
use crate::feeds::outlets::Outlets;
use crate::feeds::running::Feeds;
use crate::web::arbiter::members::Members;
use flagfall_game::setting;
use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;
use toml::{Table, Value};

/// How the configuration is read again, with what the command line says over it.
#[derive(Clone)]
pub struct Reread(Arc<dyn Fn() -> Result<Config, ExitError> + Send + Sync>);

impl Reread {
    /// Reads it by `read`.
    pub fn new(read: impl Fn() -> Result<Config, ExitError> + Send + Sync + 'static) -> Self {
        Self(Arc::new(read))
    }
}

impl fmt::Debug for Reread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reread").finish_non_exhaustive()
    }
}

/// The configuration in force, and what follows it.
pub(crate) struct Following {
    pub(crate) config: Config,
    pub(crate) reread: Option<Reread>,
    pub(crate) feeds: Feeds,
    pub(crate) members: Members,
}

impl Following {
    /// Reads the configuration again and follows it; `want` tells the boards. The error is what keeps the old one in force.
    pub(super) async fn reload(&mut self, outlets: &Outlets, want: impl Fn(&Config)) -> Result<(), String> {
        // Lists of pairings are read again in any case.
        let mut next = self.config.clone();
        if let Some(reread) = self.reread.clone() {
            let read = tokio::task::spawn_blocking(move || (reread.0)()).await;
            next = read.map_err(|_| String::from("a mistake in flagfall"))?.map_err(|error| error.to_string())?;
        }
        for key in fixed(&self.config, &next) {
            tracing::warn!("{key} changed and stays as it was until then: restart to apply");
        }
        logging::set(&next.log);
        outlets.set_touches(next.defaults.touches, touches(&next));
        self.feeds.follow(&next).await;
        self.members.configure(&next.accounts);
        outlets.chronicle.configure(next.event.clone());
        want(&next);
        // What needs a restart is compared with what runs, not with what was said last.
        let Config { log, accounts, alerts, lichess, uploads, event, .. } = next;
        self.config = Config { log, accounts, alerts, lichess, uploads, event, ..self.config.clone() };
        Ok(())
    }
}

/// Sections that are followed while the daemon runs.
const FOLLOWED: [&str; 9] = ["log", "account", "alert", "lichess", "upload", "event", "tree", "cloud", "archive"];
/// What identifies a board; its other settings hold from its next game on.
const BOARD: [&str; 3] = ["name", "link", "kind"];

/// The keys that differ and are not followed, as a configuration names them.
fn fixed(now: &Config, next: &Config) -> BTreeSet<String> {
    let (now, next) = (table(now), table(next));
    let mut found = BTreeSet::new();
    let keys: BTreeSet<&String> = now.keys().chain(next.keys()).collect();
    for key in keys.into_iter().filter(|key| !FOLLOWED.contains(&key.as_str())) {
        match (now.get(key), next.get(key)) {
            (now, next) if now == next => {}
            (now, next) if key == "board" => found.extend(boards(now, next)),
            (Some(Value::Table(now)), Some(Value::Table(next))) => {
                let inner: BTreeSet<&String> = now.keys().chain(next.keys()).collect();
                let differs = inner.into_iter().filter(|inner| now.get(*inner) != next.get(*inner));
                found.extend(differs.map(|inner| format!("{key}.{inner}")));
            }
            // The head of the file: what holds for boards without a word of their own.
            (Some(Value::String(_)), Some(Value::String(_)) | None) | (None, Some(Value::String(_)))
                if setting::NAMES.contains(&key.as_str()) && key != "kind" => {}
            _ => _ = found.insert(key.clone()),
        }
    }
    found
}

/// Boards that came, went, or are plugged in elsewhere.
fn boards(now: Option<&Value>, next: Option<&Value>) -> Vec<String> {
    let identities = |boards: Option<&Value>| -> BTreeSet<[String; 3]> {
        let text = |board: &Value, key: &str| board.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
        boards.and_then(Value::as_array).into_iter().flatten().map(|board| BOARD.map(|key| text(board, key))).collect()
    };
    let (now, next) = (identities(now), identities(next));
    let names: BTreeSet<&String> = now.symmetric_difference(&next).map(|[name, ..]| name).collect();
    names.into_iter().map(|name| format!("[[board]] {name}")).collect()
}

fn table(config: &Config) -> Table {
    // What we print reads back; a test holds it to that.
    config.to_toml().parse().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn differ(now: &str, next: &str) -> Vec<String> {
        let config = |text| Config::parse("f.toml", text).unwrap();
        fixed(&config(now), &config(next)).into_iter().collect()
    }

    #[test]
    fn what_needs_a_restart_is_named_and_the_rest_is_not() {
        let board = "[[board]]\nname = \"1\"\nlink = \"serial:/dev/a\"\n";
        assert_eq!(differ(board, board), Vec::<String>::new());
        assert_eq!(differ("", "[log]\nlevel = \"debug\"\n[event]\nname = \"Open\"\n[tree]\nfolder = \"/srv\"\n"), Vec::<String>::new());
        assert_eq!(differ("", "[web]\nlisten = \"127.0.0.1:9000\"\n[journal]\nrequired = true\n"), ["journal.required", "web.listen"]);
        assert_eq!(differ("data_dir = \"/a\"\n", "data_dir = \"/b\"\n"), ["data_dir"]);
        assert_eq!(differ("", "[livechess]\nenabled = false\n"), ["livechess.enabled"]);
        assert_eq!(differ(board, &board.replace("/dev/a", "/dev/b")), ["[[board]] 1"]);
        let two = format!("{board}[[board]]\nname = \"2\"\nlink = \"ble:x\"\n");
        assert_eq!(differ(board, &two), ["[[board]] 2"]);
        assert_eq!(differ(&format!("play = \"blitz\"\n{board}"), board), Vec::<String>::new(), "from the next game on");
    }
}

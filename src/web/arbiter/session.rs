//! Sessions: kept here, not in the cookie. Logging out, half a day, or a change of the account ends one, and every stream that it opened. They survive a
//! restart: the data folder has them, with hashes of what the cookies say.
use crate::private;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use flagfall_config::accounts::Role;
use flagfall_events::{Mono, Wall};
use flagfall_time::Stopwatch;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use tokio_util::sync::CancellationToken;

/// How long a session lasts, milliseconds: a day's rounds.
pub(super) const LIFETIME: u64 = 12 * 3_600_000;
/// Sessions of one account at most; the oldest ends.
const MOST_OF_ONE: usize = 16;
/// Their file below the data folder.
const FILE: &str = "sessions.json";

/// 256 bits that nobody guesses, as text.
pub(super) fn secret() -> Result<String, getrandom::Error> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes)?;
    Ok(URL_SAFE_NO_PAD.encode(bytes))
}

/// How a secret is kept: who reads it cannot use it.
pub(super) fn digest(secret: &str) -> [u8; 32] {
    *blake3::hash(secret.as_bytes()).as_bytes()
}

/// Whose session it is. A session holds only while its account is as it was.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Owner {
    /// The account's name; nobody's where a link let the visitor in.
    pub(super) name: Option<String>,
    pub(super) role: Role,
    /// What the account was at the login: another password or role gives another one.
    pub(super) mark: String,
}

/// One login.
#[derive(Clone)]
pub(super) struct Session {
    pub(super) owner: Owner,
    /// Cancelled when the session ends.
    pub(super) ended: CancellationToken,
    began: Wall,
    until: Mono,
}

/// One login, as the file has it.
#[derive(Serialize, Deserialize)]
struct Kept {
    key: String,
    #[serde(flatten)]
    owner: Owner,
    began: Wall,
}

/// All that stand.
pub(super) struct Sessions {
    stopwatch: Stopwatch,
    stop: CancellationToken,
    standing: Mutex<HashMap<[u8; 32], Session>>,
    keeper: Option<Keeper>,
}

impl Sessions {
    /// Those that this folder has and that `holds`.
    pub(super) fn open(folder: Option<&Path>, stop: CancellationToken, holds: impl Fn(&Owner) -> bool) -> Self {
        let stopwatch = Stopwatch::start();
        let path = folder.map(|folder| folder.join(FILE));
        let kept: Vec<Kept> =
            path.as_deref().and_then(|path| private::read(path, |bytes| serde_json::from_slice(bytes).ok())).unwrap_or_default();
        let now = flagfall_time::now();
        let standing = kept.into_iter().filter(|kept| holds(&kept.owner)).filter_map(|kept| {
            let key = URL_SAFE_NO_PAD.decode(&kept.key).ok()?.try_into().ok()?;
            // A clock that was set back meanwhile makes none younger than new.
            let age = u64::try_from(now.timestamp().as_millisecond() - kept.began.timestamp().as_millisecond()).unwrap_or(0);
            let until = stopwatch.now() + LIFETIME.checked_sub(age)?;
            Some((key, Session { owner: kept.owner, ended: stop.child_token(), began: kept.began, until }))
        });
        let standing = Mutex::new(standing.collect());
        Self { stopwatch, stop, standing, keeper: path.and_then(Keeper::start) }
    }

    /// A new session's secret, for the cookie.
    pub(super) fn begin(&self, owner: Owner) -> Result<String, getrandom::Error> {
        let secret = secret()?;
        let now = self.stopwatch.now();
        let mut standing = self.lock(now);
        let mut own: Vec<_> =
            standing.iter().filter(|(_, session)| session.owner.name == owner.name).map(|(key, session)| (session.until, *key)).collect();
        own.sort_unstable();
        for (_, key) in own.iter().take((own.len() + 1).saturating_sub(MOST_OF_ONE)) {
            end(&mut standing, key);
        }
        let session = Session { owner, ended: self.stop.child_token(), began: flagfall_time::now(), until: now + LIFETIME };
        standing.insert(digest(&secret), session);
        self.keep(&standing);
        Ok(secret)
    }

    /// The session that a cookie belongs to.
    pub(super) fn find(&self, secret: &str) -> Option<Session> {
        self.lock(self.stopwatch.now()).get(&digest(secret)).cloned()
    }

    /// Ends the session that a cookie belongs to.
    pub(super) fn end(&self, secret: &str) {
        let mut standing = self.lock(self.stopwatch.now());
        end(&mut standing, &digest(secret));
        self.keep(&standing);
    }

    /// Ends those that do not hold any more.
    pub(super) fn end_unless(&self, holds: impl Fn(&Owner) -> bool) {
        let mut standing = self.lock(self.stopwatch.now());
        standing.retain(|_, session| {
            let lasts = holds(&session.owner);
            if !lasts {
                session.ended.cancel();
            }
            lasts
        });
        self.keep(&standing);
    }

    /// Ends what is too old; streams of those sessions end with them.
    pub(super) fn sweep(&self) {
        drop(self.lock(self.stopwatch.now()));
    }

    fn lock(&self, now: Mono) -> MutexGuard<'_, HashMap<[u8; 32], Session>> {
        let mut standing = self.standing.lock().unwrap_or_else(PoisonError::into_inner);
        standing.retain(|_, session| {
            let lasts = now < session.until;
            if !lasts {
                session.ended.cancel();
            }
            lasts
        });
        standing
    }

    fn keep(&self, standing: &HashMap<[u8; 32], Session>) {
        let Some(keeper) = &self.keeper else { return };
        let kept = |(key, session): (&[u8; 32], &Session)| Kept {
            key: URL_SAFE_NO_PAD.encode(key),
            owner: session.owner.clone(),
            began: session.began,
        };
        keeper.keep(crate::stage::json(&standing.iter().map(kept).collect::<Vec<_>>()));
    }
}

fn end(standing: &mut HashMap<[u8; 32], Session>, key: &[u8; 32]) {
    if let Some(session) = standing.remove(key) {
        session.ended.cancel();
    }
}

/// Writes the file, in a thread of its own: nobody who logs in waits for a disk. What was given last is written before it ends.
struct Keeper {
    newest: Option<Sender<Vec<u8>>>,
    thread: Option<JoinHandle<()>>,
}

impl Keeper {
    fn start(path: PathBuf) -> Option<Self> {
        let (newest, given) = mpsc::channel();
        let thread = std::thread::Builder::new().name(String::from("sessions")).spawn(move || write_newest(&path, &given));
        let thread = thread.map_err(|error| tracing::error!("sessions will not survive a restart: {error}")).ok()?;
        Some(Self { newest: Some(newest), thread: Some(thread) })
    }

    fn keep(&self, bytes: Vec<u8>) {
        if let Some(newest) = &self.newest {
            _ = newest.send(bytes);
        }
    }
}

fn write_newest(path: &Path, given: &Receiver<Vec<u8>>) {
    while let Ok(first) = given.recv() {
        let newest = given.try_iter().last().unwrap_or(first);
        if let Err(error) = private::write(path, &newest) {
            tracing::warn!("{}: {error}; after a restart everybody has to sign in again", path.display());
        }
    }
}

impl Drop for Keeper {
    fn drop(&mut self) {
        self.newest = None;
        if let Some(thread) = self.thread.take() {
            _ = thread.join();
        }
    }
}

impl fmt::Debug for Sessions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sessions").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::PermissionsExt as _;

    fn owner(name: &str) -> Owner {
        Owner { name: Some(String::from(name)), role: Role::Arbiter, mark: String::from("1") }
    }

    fn sessions() -> Sessions {
        Sessions::open(None, CancellationToken::new(), |_| true)
    }

    #[test]
    fn a_session_ends_at_logout_and_is_no_use_afterwards() {
        let sessions = sessions();
        let secret = sessions.begin(owner("Olga")).unwrap();
        let session = sessions.find(&secret).unwrap();
        assert_eq!((&session.owner, session.ended.is_cancelled()), (&owner("Olga"), false));
        assert!(sessions.find("").is_none() && sessions.find(&secret[1..]).is_none());
        sessions.end(&secret);
        assert!(session.ended.is_cancelled() && sessions.find(&secret).is_none());
    }

    #[test]
    fn a_session_ends_after_its_time() {
        let sessions = sessions();
        let secret = sessions.begin(owner("Olga")).unwrap();
        let session = sessions.find(&secret).unwrap();
        assert!(sessions.lock(Mono::from_millis(session.until.millis() - 1)).len() == 1);
        assert!(sessions.lock(session.until).is_empty() && session.ended.is_cancelled());
    }

    #[test]
    fn an_account_has_a_bounded_number_of_sessions() {
        let sessions = sessions();
        let secrets: Vec<_> = (0..MOST_OF_ONE + 5).map(|_| sessions.begin(owner("Olga")).unwrap()).collect();
        let other = sessions.begin(owner("bot")).unwrap();
        assert_eq!(secrets.iter().filter(|secret| sessions.find(secret).is_some()).count(), MOST_OF_ONE);
        assert!(sessions.find(&other).is_some() && sessions.find(secrets.last().unwrap()).is_some());
        assert!(secrets.iter().all(|secret| secret.len() == 43));
    }

    #[test]
    fn sessions_survive_a_restart_while_their_accounts_hold() {
        let folder = tempfile::tempdir().unwrap();
        let open = |holds: fn(&Owner) -> bool| Sessions::open(Some(folder.path()), CancellationToken::new(), holds);
        let before = open(|_| true);
        let [olga, anna, gone] = ["Olga", "Anna", "Olga"].map(|name| before.begin(owner(name)).unwrap());
        before.end(&gone);
        drop(before);
        let file = folder.path().join(FILE);
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
        let text = fs::read_to_string(&file).unwrap();
        assert!(!text.contains(&olga) && !text.contains(&anna), "the file lets nobody in");
        let after = open(|owner| owner.name.as_deref() != Some("Anna"));
        assert_eq!(after.find(&olga).unwrap().owner, owner("Olga"));
        assert!(after.find(&anna).is_none() && after.find(&gone).is_none());
        drop(after);
        // One from yesterday.
        fs::write(&file, text.replace("\"began\":\"20", "\"began\":\"19")).unwrap();
        assert!(open(|_| true).find(&olga).is_none());
        fs::write(&file, "[{").unwrap();
        assert!(open(|_| true).find(&olga).is_none(), "a damaged file costs the sessions and nothing else");
        assert!(folder.path().join("sessions.json.damaged").exists());
    }

    #[test]
    fn sessions_of_an_account_that_changed_end() {
        let sessions = sessions();
        let [olga, anna] = ["Olga", "Anna"].map(|name| sessions.begin(owner(name)).unwrap());
        let ended = sessions.find(&olga).unwrap().ended;
        sessions.end_unless(|owner| owner.name.as_deref() == Some("Anna"));
        assert!(ended.is_cancelled() && sessions.find(&olga).is_none() && sessions.find(&anna).is_some());
    }
}

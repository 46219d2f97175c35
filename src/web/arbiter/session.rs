//! Sessions: kept here, not in the cookie. Logging out, or half a day, ends one, and every stream that it opened.
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use flagfall_config::accounts::Role;
use flagfall_events::Mono;
use flagfall_time::Stopwatch;
use std::collections::HashMap;
use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};
use tokio_util::sync::CancellationToken;

/// How long a session lasts, milliseconds: a day's rounds.
pub(super) const LIFETIME: u64 = 12 * 3_600_000;
/// Sessions of one account at most; the oldest ends.
const MOST_OF_ONE: usize = 16;

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

/// One login.
#[derive(Clone)]
pub(super) struct Session {
    /// The account's name; nobody's where a link let the visitor in.
    pub(super) name: Option<String>,
    pub(super) role: Role,
    /// Cancelled when the session ends.
    pub(super) ended: CancellationToken,
    began: Mono,
}

/// All that stand.
pub(super) struct Sessions {
    stopwatch: Stopwatch,
    stop: CancellationToken,
    standing: Mutex<HashMap<[u8; 32], Session>>,
}

impl Sessions {
    pub(super) fn new(stop: CancellationToken) -> Self {
        Self { stopwatch: Stopwatch::start(), stop, standing: Mutex::default() }
    }

    /// A new session's secret, for the cookie.
    pub(super) fn begin(&self, name: Option<&str>, role: Role) -> Result<String, getrandom::Error> {
        let secret = secret()?;
        let began = self.stopwatch.now();
        let mut standing = self.lock(began);
        let mut own: Vec<_> =
            standing.iter().filter(|(_, session)| session.name.as_deref() == name).map(|(key, session)| (session.began, *key)).collect();
        own.sort_unstable();
        for (_, key) in own.iter().take((own.len() + 1).saturating_sub(MOST_OF_ONE)) {
            end(&mut standing, key);
        }
        let session = Session { name: name.map(String::from), role, ended: self.stop.child_token(), began };
        standing.insert(digest(&secret), session);
        Ok(secret)
    }

    /// The session that a cookie belongs to.
    pub(super) fn find(&self, secret: &str) -> Option<Session> {
        self.lock(self.stopwatch.now()).get(&digest(secret)).cloned()
    }

    /// Ends the session that a cookie belongs to.
    pub(super) fn end(&self, secret: &str) {
        end(&mut self.lock(self.stopwatch.now()), &digest(secret));
    }

    /// Ends what is too old; streams of those sessions end with them.
    pub(super) fn sweep(&self) {
        drop(self.lock(self.stopwatch.now()));
    }

    fn lock(&self, now: Mono) -> MutexGuard<'_, HashMap<[u8; 32], Session>> {
        let mut standing = self.standing.lock().unwrap_or_else(PoisonError::into_inner);
        standing.retain(|_, session| {
            let lasts = now.since(session.began) < LIFETIME;
            if !lasts {
                session.ended.cancel();
            }
            lasts
        });
        standing
    }
}

fn end(standing: &mut HashMap<[u8; 32], Session>, key: &[u8; 32]) {
    if let Some(session) = standing.remove(key) {
        session.ended.cancel();
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

    #[test]
    fn a_session_ends_at_logout_and_is_no_use_afterwards() {
        let sessions = Sessions::new(CancellationToken::new());
        let secret = sessions.begin(Some("Olga"), Role::Arbiter).unwrap();
        let session = sessions.find(&secret).unwrap();
        assert_eq!((session.name.as_deref(), session.role, session.ended.is_cancelled()), (Some("Olga"), Role::Arbiter, false));
        assert!(sessions.find("").is_none() && sessions.find(&secret[1..]).is_none());
        sessions.end(&secret);
        assert!(session.ended.is_cancelled() && sessions.find(&secret).is_none());
    }

    #[test]
    fn a_session_ends_after_its_time() {
        let sessions = Sessions::new(CancellationToken::new());
        let secret = sessions.begin(Some("Olga"), Role::Arbiter).unwrap();
        let session = sessions.find(&secret).unwrap();
        assert!(sessions.lock(session.began + (LIFETIME - 1)).len() == 1);
        assert!(sessions.lock(session.began + LIFETIME).is_empty() && session.ended.is_cancelled());
    }

    #[test]
    fn an_account_has_a_bounded_number_of_sessions() {
        let sessions = Sessions::new(CancellationToken::new());
        let secrets: Vec<_> = (0..MOST_OF_ONE + 5).map(|_| sessions.begin(Some("Olga"), Role::Arbiter).unwrap()).collect();
        let other = sessions.begin(Some("bot"), Role::Operator).unwrap();
        assert_eq!(secrets.iter().filter(|secret| sessions.find(secret).is_some()).count(), MOST_OF_ONE);
        assert!(sessions.find(&other).is_some() && sessions.find(secrets.last().unwrap()).is_some());
        assert!(secrets.iter().all(|secret| secret.len() == 43));
    }
}

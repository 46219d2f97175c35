//! Names, passwords and tokens.
use crate::config::accounts::{Account, Role};
use argon2::Argon2;
use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{PasswordHasher as _, PasswordVerifier as _};
use std::fmt;
use std::sync::Arc;
use std::time::Duration;
use subtle::ConstantTimeEq as _;
use tokio::sync::Semaphore;
use tokio::time::{sleep, timeout};

/// After a wrong password the next one waits this long: guessing must not take a whole core from the boards.
const BREATH: Duration = Duration::from_millis(100);
/// Whoever waits longer for a turn is sent away.
const PATIENCE: Duration = Duration::from_secs(8);

struct Known {
    name: String,
    role: Role,
    hash: Option<String>,
    token: Option<[u8; 32]>,
}

/// The accounts of the configuration.
pub(super) struct Accounts {
    known: Arc<Vec<Known>>,
    /// Passwords are checked one at a time, on a thread that nothing else waits for.
    turn: Semaphore,
}

/// A password was not checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TooBusy;

impl Accounts {
    pub(super) fn new(accounts: &[Account]) -> Self {
        let known = |account: &Account| Known {
            name: account.name.clone(),
            role: account.role,
            hash: account.hash.clone(),
            token: account.token_hash.as_deref().and_then(|text| blake3::Hash::from_hex(text).ok()).map(|hash| *hash.as_bytes()),
        };
        Self { known: Arc::new(accounts.iter().map(known).collect()), turn: Semaphore::new(1) }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.known.is_empty()
    }

    /// The role of `name`, if the password is right. Takes as long for a name that does not exist.
    pub(super) async fn check(&self, name: String, password: String) -> Result<Option<Role>, TooBusy> {
        let Ok(Ok(turn)) = timeout(PATIENCE, self.turn.acquire()).await else { return Err(TooBusy) };
        let known = self.known.clone();
        let role = tokio::task::spawn_blocking(move || check(&known, &name, password.as_bytes())).await.unwrap_or(None);
        if role.is_none() {
            sleep(BREATH).await;
        }
        drop(turn);
        Ok(role)
    }

    /// Whose token this is the digest of.
    pub(super) fn of_token(&self, digest: &[u8; 32]) -> Option<(String, Role)> {
        let matches = |known: &&Known| known.token.is_some_and(|token| bool::from(token.ct_eq(digest)));
        self.known.iter().find(matches).map(|known| (known.name.clone(), known.role))
    }
}

fn check(known: &[Known], name: &str, password: &[u8]) -> Option<Role> {
    let account = known.iter().find(|known| known.name == name);
    let Some((role, hash)) = account.and_then(|account| Some((account.role, account.hash.as_deref()?))) else {
        // As much work as a real check.
        drop(Argon2::default().hash_password(password));
        return None;
    };
    let hash = PasswordHash::new(hash).ok()?;
    Argon2::default().verify_password(password, &hash).is_ok().then_some(role)
}

/// The hash of a password, for the configuration.
///
/// # Errors
/// When the machine gives no random numbers.
pub fn hash(password: &str) -> Result<String, argon2::password_hash::Error> {
    Ok(Argon2::default().hash_password(password.as_bytes())?.to_string())
}

/// A new bearer token and its hash, for the configuration.
///
/// # Errors
/// When the machine gives no random numbers.
pub fn token() -> Result<(String, String), getrandom::Error> {
    let token = format!("fft_{}", super::session::secret()?);
    let hash = blake3::Hash::from(super::session::digest(&token)).to_hex().to_string();
    Ok((token, hash))
}

impl fmt::Debug for Accounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.known.iter().map(|known| &known.name)).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_right_password_and_the_right_token_open() {
        let (token, token_hash) = token().unwrap();
        let account = |name: &str, hash, token_hash| Account { name: String::from(name), role: Role::Arbiter, hash, token_hash };
        let list = [account("Olga", Some(hash("right").unwrap()), None), account("bot", None, Some(token_hash))];
        let accounts = Accounts::new(&list);
        let check = |name, password: &str| check(&accounts.known, name, password.as_bytes());
        assert_eq!(check("Olga", "right"), Some(Role::Arbiter));
        assert_eq!((check("Olga", "wrong"), check("olga", "right"), check("bot", ""), check("nobody", "right")), (None, None, None, None));
        assert_eq!(accounts.of_token(&super::super::session::digest(&token)), Some((String::from("bot"), Role::Arbiter)));
        assert_eq!(accounts.of_token(&super::super::session::digest("fft_x")), None);
    }
}

//! Names, passwords and tokens.
use super::passwords::Memory;
use argon2::Argon2;
use argon2::password_hash::PasswordHasher as _;
use flagfall_config::accounts::{Account, Role};
use std::fmt;
use std::sync::Arc;
use subtle::ConstantTimeEq as _;

struct Known {
    name: String,
    role: Role,
    hash: Option<String>,
    token: Option<[u8; 32]>,
}

/// The accounts of the configuration.
pub(super) struct Accounts {
    known: Arc<Vec<Known>>,
    memory: Arc<Memory>,
}

impl Accounts {
    pub(super) fn new(accounts: &[Account]) -> Self {
        let known = |account: &Account| Known {
            name: account.name.clone(),
            role: account.role,
            hash: account.hash.clone(),
            token: account.token_hash.as_deref().and_then(|text| blake3::Hash::from_hex(text).ok()).map(|hash| *hash.as_bytes()),
        };
        Self { known: Arc::new(accounts.iter().map(known).collect()), memory: Arc::default() }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.known.is_empty()
    }

    /// The role of `name`, if the password is right. Takes as long for a name that does not exist. How many run at once is the caller's
    /// care: each takes 19 MiB and a thread.
    pub(super) async fn check(&self, name: String, password: String) -> Option<Role> {
        let (known, memory) = (self.known.clone(), self.memory.clone());
        tokio::task::spawn_blocking(move || check(&known, &memory, &name, password.as_bytes())).await.unwrap_or(None)
    }

    /// Memory that no check has used lately goes back to the system.
    pub(super) fn sweep(&self) {
        self.memory.sweep();
    }

    /// Whose token this is the digest of.
    pub(super) fn of_token(&self, digest: &[u8; 32]) -> Option<(String, Role)> {
        let matches = |known: &&Known| known.token.is_some_and(|token| bool::from(token.ct_eq(digest)));
        self.known.iter().find(matches).map(|known| (known.name.clone(), known.role))
    }
}

fn check(known: &[Known], memory: &Memory, name: &str, password: &[u8]) -> Option<Role> {
    let account = known.iter().find(|known| known.name == name);
    let right = memory.verify(password, account.and_then(|account| account.hash.as_deref()));
    account.filter(|_| right).map(|account| account.role)
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
        let check = |name, password: &str| check(&accounts.known, &accounts.memory, name, password.as_bytes());
        assert_eq!(check("Olga", "right"), Some(Role::Arbiter));
        assert_eq!((check("Olga", "wrong"), check("olga", "right"), check("bot", ""), check("nobody", "right")), (None, None, None, None));
        assert_eq!(accounts.of_token(&super::super::session::digest(&token)), Some((String::from("bot"), Role::Arbiter)));
        assert_eq!(accounts.of_token(&super::super::session::digest("fft_x")), None);
    }
}

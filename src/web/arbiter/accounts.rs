//! Names, passwords and tokens. They change while the daemon runs; who is no account any more, or another one, is told by `Entry::ended`.
use super::passwords::Memory;
use super::session::Owner;
use argon2::Argon2;
use argon2::password_hash::PasswordHasher as _;
use flagfall_config::accounts::{Account, Role};
use std::fmt;
use std::sync::{Arc, PoisonError, RwLock};
use subtle::ConstantTimeEq as _;
use tokio_util::sync::CancellationToken;

struct Known {
    account: Account,
    token: Option<[u8; 32]>,
    /// Cancelled when the account is removed or becomes another one.
    ended: CancellationToken,
}

/// Those who may come in.
pub(super) struct Accounts {
    known: RwLock<Arc<Vec<Arc<Known>>>>,
    memory: Arc<Memory>,
    stop: CancellationToken,
}

impl Accounts {
    /// What they opened ends when `stop` is cancelled.
    pub(super) fn new(accounts: &[Account], stop: CancellationToken) -> Self {
        let all = Self { known: RwLock::default(), memory: Arc::default(), stop };
        all.set(accounts);
        all
    }

    /// These and no others from now on. Those that are as they were go on.
    pub(super) fn set(&self, accounts: &[Account]) {
        let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
        let before = std::mem::take(&mut *known);
        let next = accounts.iter().map(|account| {
            before.iter().find(|known| known.account == *account).cloned().unwrap_or_else(|| {
                let token = account.token_hash.as_deref().and_then(|text| blake3::Hash::from_hex(text).ok()).map(|hash| *hash.as_bytes());
                Arc::new(Known { account: account.clone(), token, ended: self.stop.child_token() })
            })
        });
        *known = Arc::new(next.collect());
        for gone in before.iter().filter(|old| !known.iter().any(|new| Arc::ptr_eq(old, new))) {
            gone.ended.cancel();
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.all().is_empty()
    }

    /// The role of `name`, if the password is right. Takes as long for a name that does not exist. How many run at once is the caller's
    /// care: each takes 19 MiB and a thread.
    pub(super) async fn check(&self, name: String, password: String) -> Option<Owner> {
        let (known, memory) = (self.all(), self.memory.clone());
        tokio::task::spawn_blocking(move || check(&known, &memory, &name, password.as_bytes())).await.unwrap_or(None)
    }

    /// Memory that no check has used lately goes back to the system.
    pub(super) fn sweep(&self) {
        self.memory.sweep();
    }

    /// Whose token this is the digest of, and what ends with that account.
    pub(super) fn of_token(&self, digest: &[u8; 32]) -> Option<(String, Role, CancellationToken)> {
        let matches = |known: &&Arc<Known>| known.token.is_some_and(|token| bool::from(token.ct_eq(digest)));
        let all = self.all();
        all.iter().find(matches).map(|known| (known.account.name.clone(), known.account.role, known.ended.clone()))
    }

    /// Whether a session of this owner still holds. One that a link began does while there are no accounts.
    pub(super) fn holds(&self, owner: &Owner) -> bool {
        let all = self.all();
        match &owner.name {
            None => all.is_empty(),
            Some(name) => all.iter().any(|known| known.account.name == *name && owned(&known.account) == *owner),
        }
    }

    fn all(&self) -> Arc<Vec<Arc<Known>>> {
        self.known.read().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// The owner of a session that a link begins.
pub(super) const fn by_link() -> Owner {
    Owner { name: None, role: Role::Arbiter, mark: String::new() }
}

/// The owner of a session that a password begins.
fn owned(account: &Account) -> Owner {
    let hash = account.hash.as_deref().unwrap_or_default();
    let mark = blake3::hash(format!("{} {hash}", account.role.as_str()).as_bytes()).to_hex();
    Owner { name: Some(account.name.clone()), role: account.role, mark: mark.as_str().chars().take(16).collect() }
}

fn check(known: &[Arc<Known>], memory: &Memory, name: &str, password: &[u8]) -> Option<Owner> {
    let account = known.iter().map(|known| &known.account).find(|account| account.name == name);
    let right = memory.verify(password, account.and_then(|account| account.hash.as_deref()));
    account.filter(|_| right).map(owned)
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
        f.debug_list().entries(self.all().iter().map(|known| &known.account.name)).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn account(name: &str, hash: Option<String>, token_hash: Option<String>) -> Account {
        Account { name: String::from(name), role: Role::Arbiter, hash, token_hash }
    }

    #[test]
    fn only_the_right_password_and_the_right_token_open() {
        let (token, token_hash) = token().unwrap();
        let list = [account("Olga", Some(hash("right").unwrap()), None), account("bot", None, Some(token_hash))];
        let accounts = Accounts::new(&list, CancellationToken::new());
        let check = |name, password: &str| check(&accounts.all(), &accounts.memory, name, password.as_bytes());
        assert_eq!(check("Olga", "right").unwrap().name.as_deref(), Some("Olga"));
        assert_eq!((check("Olga", "wrong"), check("olga", "right"), check("bot", ""), check("nobody", "right")), (None, None, None, None));
        let (name, role, _) = accounts.of_token(&super::super::session::digest(&token)).unwrap();
        assert_eq!((name.as_str(), role), ("bot", Role::Arbiter));
        assert!(accounts.of_token(&super::super::session::digest("fft_x")).is_none());
    }

    #[test]
    fn what_an_account_opened_holds_until_it_changes() {
        let (_, token_hash) = token().unwrap();
        let (old, new) = (hash("right").unwrap(), hash("other").unwrap());
        let [olga, bot] = [account("Olga", Some(old), None), account("bot", None, Some(token_hash.clone()))];
        let accounts = Accounts::new(&[olga.clone(), bot.clone()], CancellationToken::new());
        let digest = *blake3::Hash::from_hex(&token_hash).unwrap().as_bytes();
        let (owner, stream) = (owned(&olga), accounts.of_token(&digest).unwrap().2);
        let link = by_link();
        assert!(accounts.holds(&owner) && !accounts.holds(&link));
        accounts.set(&[bot, account("Olga", Some(new), None)]);
        assert!(!accounts.holds(&owner) && !stream.is_cancelled(), "another password");
        accounts.set(std::slice::from_ref(&olga));
        assert!(accounts.holds(&owner) && stream.is_cancelled(), "the token's account is gone");
        accounts.set(&[Account { role: Role::Operator, ..olga }]);
        assert!(!accounts.holds(&owner), "another role");
        accounts.set(&[]);
        assert!(accounts.holds(&link) && !accounts.holds(&owner));
    }
}

//! Who may come in, and what they opened: the accounts of the configuration, those that were made while the daemon ran (`data_dir/accounts.toml`), and
//! everybody's sessions. All of it may change at any time; what an account opened ends when the account is another one or gone.
use super::accounts::Accounts;
use super::session::Sessions;
use crate::private;
use flagfall_config::Config;
use flagfall_config::accounts::{Account, Role, block};
use serde::Serialize;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use thiserror::Error;
use tokio_util::sync::CancellationToken;

/// The file below the data folder.
const FILE: &str = "accounts.toml";
/// Its first lines.
const HEAD: &str = "# Accounts that were made while flagfall ran: `flagfall account list`, `add`, `passwd`, `remove`.\n";

/// The accounts and their sessions. Clones are the same.
#[derive(Clone, Debug)]
pub struct Members(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    accounts: Accounts,
    sessions: Sessions,
    sources: Mutex<Sources>,
}

#[derive(Debug)]
struct Sources {
    configured: Vec<Account>,
    own: Vec<Account>,
    /// Where our own are kept.
    file: Option<PathBuf>,
}

/// An account, as a list has it.
#[derive(Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub(super) struct Listed {
    name: String,
    role: Role,
    /// It signs in with a password.
    password: bool,
    /// It has a token.
    token: bool,
    /// It stands in the configuration, and is changed there.
    configured: bool,
}

/// Why an account is not changed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub(super) enum Unchanged {
    #[error("there is an account of that name already")]
    Known,
    #[error("there is no account of that name")]
    Unknown,
    #[error("that account stands in the configuration")]
    Configured,
    #[error("there is no data_dir to keep accounts in")]
    Nowhere,
    #[error("it cannot be written: {0}")]
    Unwritten(String),
}

impl Sources {
    /// The configuration's word is the last.
    fn all(&self) -> Vec<Account> {
        let others = self.own.iter().filter(|own| !self.is_configured(&own.name));
        self.configured.iter().chain(others).cloned().collect()
    }

    fn is_configured(&self, name: &str) -> bool {
        self.configured.iter().any(|account| account.name == name)
    }

    fn keep(&self, own: &[Account]) -> Result<(), Unchanged> {
        let path = self.file.as_deref().ok_or(Unchanged::Nowhere)?;
        let mut text = String::from(HEAD);
        for account in own {
            // Writing to a String cannot fail.
            let _ = write!(text, "\n{}", block(account));
        }
        private::write(path, text.as_bytes()).map_err(|error| Unchanged::Unwritten(format!("{}: {error}", path.display())))
    }
}

impl Members {
    /// Those of the configuration and of this folder; everything ends with `stop`.
    pub(super) fn open(configured: &[Account], folder: Option<&Path>, stop: CancellationToken) -> Self {
        let file = folder.map(|folder| folder.join(FILE));
        let read = |bytes: &[u8]| Some(Config::parse(FILE, std::str::from_utf8(bytes).ok()?).ok()?.accounts);
        let own = file.as_deref().and_then(|path| private::read(path, read)).unwrap_or_default();
        let sources = Sources { configured: configured.to_vec(), own, file };
        let accounts = Accounts::new(&sources.all(), stop.clone());
        let sessions = Sessions::open(folder, stop, |owner| accounts.holds(owner));
        Self(Arc::new(Inner { accounts, sessions, sources: Mutex::new(sources) }))
    }

    /// The configuration has these from now on.
    pub fn configure(&self, configured: &[Account]) {
        self.change(|sources| {
            sources.configured = configured.to_vec();
            Ok(())
        })
        .unwrap_or_default();
    }

    pub(super) fn accounts(&self) -> &Accounts {
        &self.0.accounts
    }

    pub(super) fn sessions(&self) -> &Sessions {
        &self.0.sessions
    }

    /// Whether anybody has an account; else links let arbiters in.
    pub(super) fn is_empty(&self) -> bool {
        self.0.accounts.is_empty()
    }

    /// Whether this is an arbiter's account; nobody's name is one while there are no accounts.
    pub fn is_arbiter(&self, name: Option<&str>) -> bool {
        let sources = self.0.sources.lock().unwrap_or_else(PoisonError::into_inner);
        let all = sources.all();
        name.map_or(all.is_empty(), |name| all.iter().any(|account| account.name == name && account.role == Role::Arbiter))
    }

    /// All accounts.
    pub(super) fn list(&self) -> Vec<Listed> {
        let sources = self.0.sources.lock().unwrap_or_else(PoisonError::into_inner);
        let listed = |account: Account| Listed {
            configured: sources.is_configured(&account.name),
            role: account.role,
            password: account.hash.is_some(),
            token: account.token_hash.is_some(),
            name: account.name,
        };
        sources.all().into_iter().map(listed).collect()
    }

    /// A new account.
    pub(super) fn add(&self, account: Account) -> Result<(), Unchanged> {
        self.change_own(|sources, own| {
            if sources.all().iter().any(|known| known.name == account.name) {
                return Err(Unchanged::Known);
            }
            own.push(account);
            Ok(())
        })
    }

    /// Another password, or another token, of an account; its role stays.
    pub(super) fn renew(&self, name: &str, hash: Option<String>, token_hash: Option<String>) -> Result<(), Unchanged> {
        self.change_own(|_, own| {
            let account = own.iter_mut().find(|account| account.name == name).ok_or(Unchanged::Unknown)?;
            if token_hash.is_some() {
                account.token_hash = token_hash;
            }
            if hash.is_some() {
                account.hash = hash;
            }
            Ok(())
        })
        .map_err(|why| self.configured(name, why))
    }

    /// No account any more.
    pub(super) fn remove(&self, name: &str) -> Result<(), Unchanged> {
        self.change_own(|_, own| {
            let before = own.len();
            own.retain(|account| account.name != name);
            if own.len() == before { Err(Unchanged::Unknown) } else { Ok(()) }
        })
        .map_err(|why| self.configured(name, why))
    }

    fn configured(&self, name: &str, why: Unchanged) -> Unchanged {
        let sources = self.0.sources.lock().unwrap_or_else(PoisonError::into_inner);
        if why == Unchanged::Unknown && sources.is_configured(name) { Unchanged::Configured } else { why }
    }

    /// Changes our own accounts; nothing is changed that is not on the disk.
    fn change_own(&self, change: impl FnOnce(&Sources, &mut Vec<Account>) -> Result<(), Unchanged>) -> Result<(), Unchanged> {
        self.change(|sources| {
            let mut own = sources.own.clone();
            change(sources, &mut own)?;
            sources.keep(&own)?;
            sources.own = own;
            Ok(())
        })
    }

    fn change(&self, change: impl FnOnce(&mut Sources) -> Result<(), Unchanged>) -> Result<(), Unchanged> {
        let mut sources = self.0.sources.lock().unwrap_or_else(PoisonError::into_inner);
        change(&mut sources)?;
        self.0.accounts.set(&sources.all());
        self.0.sessions.end_unless(|owner| self.0.accounts.holds(owner));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::accounts::{by_link, hash};
    use super::*;

    fn account(name: &str, password: &str) -> Account {
        Account { name: String::from(name), role: Role::Arbiter, hash: Some(hash(password).unwrap()), token_hash: None }
    }

    #[tokio::test]
    async fn accounts_come_and_go_while_it_runs_and_their_sessions_end_with_them() {
        let folder = tempfile::tempdir().unwrap();
        let open = |configured: &[Account]| Members::open(configured, Some(folder.path()), CancellationToken::new());
        let members = open(&[]);
        let link = members.sessions().begin(by_link()).unwrap();
        members.add(account("Olga", "one")).unwrap();
        assert!(members.sessions().find(&link).is_none(), "with the first account links let nobody in");
        let enter = async |password: &str| members.accounts().check(String::from("Olga"), String::from(password)).await;
        let cookie = members.sessions().begin(enter("one").await.unwrap()).unwrap();
        assert_eq!(members.add(account("Olga", "two")), Err(Unchanged::Known));
        // After a restart she is still there, and still signed in.
        let later = open(&[]);
        assert!(later.sessions().find(&cookie).is_some());
        drop(later);
        members.renew("Olga", Some(hash("two").unwrap()), None).unwrap();
        assert!(members.sessions().find(&cookie).is_none() && enter("one").await.is_none());
        let cookie = members.sessions().begin(enter("two").await.unwrap()).unwrap();
        members.remove("Olga").unwrap();
        assert!(members.sessions().find(&cookie).is_none() && members.is_empty());
        assert_eq!((members.remove("Olga"), members.renew("Olga", None, None)), (Err(Unchanged::Unknown), Err(Unchanged::Unknown)));
    }

    #[test]
    fn what_the_configuration_says_is_changed_there() {
        let folder = tempfile::tempdir().unwrap();
        let olga = account("Olga", "one");
        let members = Members::open(std::slice::from_ref(&olga), Some(folder.path()), CancellationToken::new());
        assert_eq!((members.remove("Olga"), members.add(olga.clone())), (Err(Unchanged::Configured), Err(Unchanged::Known)));
        assert!(members.list()[0].configured);
        members.configure(&[]);
        assert!(members.is_empty());
        members.add(olga).unwrap();
        assert!(!members.list()[0].configured);
        let nowhere = Members::open(&[], None, CancellationToken::new());
        assert_eq!(nowhere.add(account("Anna", "x")), Err(Unchanged::Nowhere));
    }
}

//! `flagfall account`: the accounts of arbiters and operators, changed at once on a running daemon, or made for its configuration.
use super::remote::Remote;
use super::{Exit, ExitError, output, typed};
use crate::config::Config;
use crate::config::accounts::{Account, Role, block, is_name};
use crate::daemon;
use crate::web::arbiter::accounts;
use crate::web::local;
use rustix::process::geteuid;
use serde_json::{Value, json};
use std::fs::{self, OpenOptions, Permissions};
use std::io::{self, IsTerminal as _, Write as _};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

/// Shorter ones are guessed.
const SHORTEST: usize = 8;

/// Arguments of `account`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// What to do
    #[command(subcommand)]
    action: Action,
}

/// What `account` can do.
#[derive(Debug, clap::Subcommand)]
enum Action {
    /// Shows all accounts of the running daemon
    List(OfDaemon),
    /// Adds an account to the running daemon; it may log in at once
    #[command(
        after_help = "The password is asked for, or read from standard input where that is no terminal. The daemon keeps the account in its data_dir. \
                      Where no daemon runs on this machine the block for its configuration is printed instead."
    )]
    Add(Add),
    /// Gives an account another password or token; what the old one opened ends at once
    Passwd(Passwd),
    /// Removes an account; its sessions end at once
    Remove(Named),
    /// Where there are no accounts: a new link that lets one browser in as an arbiter, once
    #[command(
        after_help = "For whoever may use the daemon's own socket: root, the daemon's user, the group flagfall. The link before it is no use any more."
    )]
    Link(OfDaemon),
}

/// Which daemon.
#[derive(Debug, clap::Args)]
struct OfDaemon {
    #[command(flatten)]
    remote: Remote,
}

/// Arguments of `account remove`.
#[derive(Debug, clap::Args)]
struct Named {
    /// Whose account
    #[arg(value_name = "NAME")]
    account: String,
    #[command(flatten)]
    remote: Remote,
}

/// Arguments of `account passwd`.
#[derive(Debug, clap::Args)]
struct Passwd {
    /// Whose account
    #[arg(value_name = "NAME")]
    account: String,
    /// Make a new token for programs instead of a password; it is shown once
    #[arg(long)]
    token: bool,
    #[command(flatten)]
    remote: Remote,
}

/// Arguments of `account add`.
#[derive(Debug, clap::Args)]
struct Add {
    /// The name that rulings carry
    #[arg(value_name = "NAME")]
    account: String,
    /// arbiter: everything; operator: boards, feeds and results, no findings
    #[arg(long, value_name = "ROLE")]
    role: Role,
    /// Make a token for programs instead of a password; it is shown once
    #[arg(long)]
    token: bool,
    /// Write the block into this configuration instead
    #[arg(long, value_name = "FILE", conflicts_with = "block")]
    config: Option<PathBuf>,
    /// Print the block for a configuration instead
    #[arg(long)]
    block: bool,
    #[command(flatten)]
    remote: Remote,
}

/// Does what is asked.
pub fn run(args: Args) -> Result<(), ExitError> {
    match args.action {
        Action::List(OfDaemon { remote }) => at_daemon(async move { list(&remote.open().await?.get("machine/accounts").await?) }),
        Action::Add(args) => add(args),
        Action::Passwd(Passwd { account, token, remote }) => {
            let (secrets, token) = Secrets::make(token)?;
            let body = secrets.body(&account, None);
            at_daemon(async move { remote.open().await?.post("machine/accounts", &body).await.map(drop) })?;
            output::complain(&format!("{account}: changed; who was signed in with the old one has to sign in again"));
            shown(token)
        }
        Action::Remove(Named { account, remote }) => {
            let body = json!({ "name": account });
            at_daemon(async move { remote.open().await?.post("machine/accounts/remove", &body).await.map(drop) })?;
            output::complain(&format!("{account}: removed; its sessions have ended"));
            Ok(())
        }
        Action::Link(OfDaemon { remote }) => at_daemon(async move {
            let made = remote.open().await?.post("arbiter/link", &json!({})).await?;
            let link = made["link"].as_str().ok_or_else(|| ExitError::unavailable("the daemon gave no link; is it of this version?"))?;
            output::print(&format!("{link}\n"))
        }),
    }
}

/// What an account shows at the door, as hashes.
struct Secrets {
    hash: Option<String>,
    token_hash: Option<String>,
}

impl Secrets {
    /// Of a password that is asked for, or of a new token, which is given beside it.
    fn make(is_token: bool) -> Result<(Self, Option<String>), ExitError> {
        let random = |error: &dyn std::fmt::Display| ExitError::unavailable(format_args!("the machine gives no random numbers: {error}"));
        if is_token {
            let (token, hash) = accounts::token().map_err(|error| random(&error))?;
            return Ok((Self { hash: None, token_hash: Some(hash) }, Some(token)));
        }
        let hash = accounts::hash(&password()?).map_err(|error| random(&error))?;
        Ok((Self { hash: Some(hash), token_hash: None }, None))
    }

    fn body(&self, name: &str, role: Option<Role>) -> Value {
        json!({ "name": name, "role": role, "hash": self.hash, "token_hash": self.token_hash })
    }
}

fn add(args: Add) -> Result<(), ExitError> {
    let Add { account: name, role, token: is_token, config, block: is_block, remote } = args;
    if !is_name(&name) {
        return Err(ExitError::usage("a name has 1 to 64 bytes, no blank first or last; for example \"Olga Ivanova\""));
    }
    // Before anything is typed: whether the block could be written.
    let before = config.as_deref().map(|path| readable(path, &name)).transpose()?;
    let (secrets, token) = Secrets::make(is_token)?;
    if config.is_none() && !is_block {
        let body = secrets.body(&name, Some(role));
        let is_named = remote.is_named();
        match at_daemon(async move { remote.open().await?.post("machine/accounts", &body).await.map(drop) }) {
            Ok(()) => {
                output::complain(&format!("{name} may log in as {} now", role.as_str()));
                return shown(token);
            }
            Err(error) if error.code() == Exit::Unavailable && !is_named => {
                output::complain(&format!("{error}\nThis block belongs into the configuration of the daemon:"));
            }
            Err(error) => return Err(error),
        }
    }
    let account = Account { name, role, hash: secrets.hash, token_hash: secrets.token_hash };
    let block = block(&account);
    let Some((path, before)) = config.as_deref().zip(before) else {
        if let Some(token) = token {
            output::complain(&format!("the token, shown only now: {token}"));
        }
        return output::print(&block);
    };
    let text = if before.trim().is_empty() { block } else { format!("{}\n\n{block}", before.trim_end()) };
    let name = path.display().to_string();
    Config::parse(&name, &text).map_err(ExitError::config)?;
    replace(path, &text).map_err(|error| ExitError::writing(path, &error))?;
    let role = account.role.as_str();
    output::complain(&format!("{name}: {} may log in as {role} once flagfall has read it: systemctl reload flagfall", account.name));
    shown(token)
}

/// A token is shown once.
fn shown(token: Option<String>) -> Result<(), ExitError> {
    token.map_or(Ok(()), |token| output::print(&format!("{token}\n")))
}

fn list(accounts: &Value) -> Result<(), ExitError> {
    let mut out = String::new();
    for account in accounts.as_array().into_iter().flatten() {
        let text = |field: &str| account[field].as_str().unwrap_or_default();
        let way = match (account["password"] == true, account["token"] == true) {
            (true, true) => "password, token",
            (false, true) => "token",
            _ => "password",
        };
        let place = if account["configured"] == true { "configuration" } else { "daemon" };
        out.push_str(&format!("{:<24}  {:<8}  {way:<15}  {place}\n", text("name"), text("role")));
    }
    if out.is_empty() {
        output::complain("there are no accounts: a link lets arbiters in (`flagfall account link`)");
    }
    output::print(&out)
}

/// Asks the daemon, until it answers or we are interrupted.
fn at_daemon(work: impl Future<Output = Result<(), ExitError>>) -> Result<(), ExitError> {
    daemon::block_on(|stop| async move {
        tokio::select! {
            done = work => done,
            () = stop.cancelled() => Err(ExitError::unavailable("interrupted")),
        }
    })
}

/// The configuration's text, once it is sure that the account fits into it.
fn readable(path: &Path, account: &str) -> Result<String, ExitError> {
    let text = match fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
        Err(error) => return Err(ExitError::reading(path, &error)),
    };
    let name = path.display().to_string();
    let config = Config::parse(&name, &text).map_err(ExitError::config)?;
    if config.accounts.iter().any(|known| known.name == account) {
        let text = "has that account already; remove its [[account]] block first, or choose another name";
        return Err(ExitError::bad_data(format_args!("{name}: {text}")));
    }
    Ok(text)
}

/// Writes the file anew in one step: a reader sees the old or the new one. Owner and mode stay, but for others: there are hashes in it now. Where
/// it was others' right by which the service read it, the service's group gets that right.
fn replace(path: &Path, text: &str) -> io::Result<()> {
    // A link stays a link: what it points to is replaced.
    let path = &fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let file_name = path.file_name().ok_or(io::ErrorKind::InvalidInput)?.to_string_lossy();
    let beside = path.with_file_name(format!(".{file_name}.{}.new", std::process::id()));
    let old = fs::metadata(path).ok();
    let write = || {
        let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&beside)?;
        let (mode, own_group) = old.as_ref().map_or((0o600, None), |old| (old.mode() & 0o777, Some(old.gid())));
        let needs_group = (old.is_none() || mode & 0o004 != 0) && geteuid().is_root();
        let (mode, group) = match local::group().filter(|_| needs_group) {
            Some(group) => (mode & 0o770 | 0o040, Some(group)),
            None => (mode & 0o770, own_group),
        };
        // Only root may give it back to its owner; for everybody else it is his own already.
        let _ = std::os::unix::fs::fchown(&file, old.as_ref().map(MetadataExt::uid), group);
        file.set_permissions(Permissions::from_mode(mode))?;
        file.write_all(text.as_bytes())?;
        file.sync_all()?;
        fs::rename(&beside, path)
    };
    write().inspect_err(|_| {
        let _ = fs::remove_file(&beside);
    })
}

/// Asks twice, without showing it; a program's is the first line of standard input.
fn password() -> Result<String, ExitError> {
    let terminal = io::stdin().is_terminal();
    let password = if terminal { typed::hidden("password: ")? } else { typed::line()? };
    if password.chars().count() < SHORTEST {
        return Err(ExitError::bad_data(format_args!("a password has {SHORTEST} characters or more")));
    }
    if terminal && typed::hidden("once more: ")? != password {
        return Err(ExitError::bad_data("these were two different passwords; start again"));
    }
    Ok(password)
}

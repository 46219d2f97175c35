//! `flagfall account`: makes an account for arbiters or operators, to be put into the configuration.
use super::remote::Remote;
use super::{ExitError, output, typed};
use crate::config::Config;
use crate::config::accounts::{Account, Role, block, is_name};
use crate::daemon;
use crate::web::arbiter::accounts;
use crate::web::local;
use rustix::process::geteuid;
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
    /// Makes an account and prints the block for the configuration, or writes it there
    #[command(
        after_help = "The password is asked for, or read from standard input where that is no terminal. Restart flagfall to let the account in."
    )]
    Add(Add),
    /// Where there are no accounts: a new link that lets one browser in as an arbiter, once
    #[command(
        after_help = "For whoever may use the daemon's own socket: root, the daemon's user, the group flagfall. The link before it is no use any more."
    )]
    Link(Link),
}

/// Arguments of `account link`.
#[derive(Debug, clap::Args)]
struct Link {
    #[command(flatten)]
    remote: Remote,
}

/// Arguments of `account add`.
#[derive(Debug, clap::Args)]
struct Add {
    /// The name that rulings carry
    name: String,
    /// arbiter: everything; operator: boards, feeds and results, no findings
    #[arg(long, value_name = "ROLE")]
    role: Role,
    /// Make a token for programs instead of a password; it is shown once
    #[arg(long)]
    token: bool,
    /// Write the block into this configuration
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
}

/// Does what is asked.
pub fn run(args: Args) -> Result<(), ExitError> {
    let add = match args.action {
        Action::Add(add) => add,
        Action::Link(Link { remote }) => return link(&remote),
    };
    if !is_name(&add.name) {
        return Err(ExitError::usage("a name has 1 to 64 bytes, no blank first or last; for example \"Olga Ivanova\""));
    }
    // Before anything is typed: whether the block could be written.
    let before = add.config.as_deref().map(|path| readable(path, &add.name)).transpose()?;
    let mut account = Account { name: add.name, role: add.role, hash: None, token_hash: None };
    let random = |error: &dyn std::fmt::Display| ExitError::unavailable(format_args!("the machine gives no random numbers: {error}"));
    let mut token = None;
    if add.token {
        let (made, hash) = accounts::token().map_err(|error| random(&error))?;
        (token, account.token_hash) = (Some(made), Some(hash));
    } else {
        account.hash = Some(accounts::hash(&password()?).map_err(|error| random(&error))?);
    }
    let block = block(&account);
    let Some((path, before)) = add.config.as_deref().zip(before) else {
        if let Some(token) = token {
            output::complain(&format!("the token, shown only now: {token}"));
        }
        return output::print(&block);
    };
    let text = if before.trim().is_empty() { block } else { format!("{}\n\n{block}", before.trim_end()) };
    let name = path.display().to_string();
    Config::parse(&name, &text).map_err(ExitError::config)?;
    replace(path, &text).map_err(|error| ExitError::writing(path, &error))?;
    output::complain(&format!("{name}: {} may log in as {} once flagfall is restarted", account.name, account.role.as_str()));
    match token {
        Some(token) => output::print(&format!("{token}\n")),
        None => Ok(()),
    }
}

/// Has the running daemon make a link.
fn link(remote: &Remote) -> Result<(), ExitError> {
    daemon::block_on(|stop| async move {
        let work = async {
            let made = remote.open().await?.post("arbiter/link", &serde_json::json!({})).await?;
            let link = made["link"].as_str().ok_or_else(|| ExitError::unavailable("the daemon gave no link; is it of this version?"))?;
            output::print(&format!("{link}\n"))
        };
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

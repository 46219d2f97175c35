//! `flagfall key`: the key that signs journals: which it is, and another one in its place.
use super::{ExitError, check, output};
use crate::config::default_data_dir;
use crate::journal::JournalError;
use crate::journal::checkpoint::{fingerprint, verifier_key};
use crate::journal::key::Key;
use std::env;
use std::io;
use std::path::PathBuf;

/// Arguments of `key`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// What to do
    #[command(subcommand)]
    action: Action,
}

/// What `key` can do.
#[derive(Debug, clap::Subcommand)]
enum Action {
    /// Prints the public key: note it before the event, and keep it elsewhere
    Show(Place),
    /// Another key signs from the next start on, and the one before vouches for it
    #[command(
        after_help = "flagfall must not run meanwhile. What was signed before is proved by either key, what comes after it by the new one and by the\n\
                            old one that vouches for it; note the new one all the same. The old secret is gone: a key that somebody else has is to be\n\
                            told to whoever verifies."
    )]
    Rotate(Place),
}

/// Where the key is.
#[derive(Debug, clap::Args)]
struct Place {
    /// The configuration; without it /etc/flagfall/flagfall.toml where there is one, else the defaults
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Where journals are kept, over the configuration
    #[arg(long, value_name = "DIR")]
    data_dir: Option<PathBuf>,
}

impl Place {
    /// The data folder, and the key's file where that is not in it.
    fn found(self) -> Result<(PathBuf, Option<PathBuf>), ExitError> {
        let (_, config) = check::load(self.config.as_deref())?;
        let folder = self.data_dir.or(config.data_dir).or_else(|| default_data_dir(|name| env::var_os(name)));
        let folder = folder.ok_or_else(|| ExitError::usage("there is no place for journals; say --data-dir DIR"))?;
        Ok((folder, config.journal.key_file()))
    }
}

fn failed(error: JournalError) -> ExitError {
    match error {
        JournalError::Io(path, error) if error.kind() == io::ErrorKind::NotFound => ExitError::no_input(format_args!(
            "{}: there is no key yet; flagfall makes one at its first start. Where it keeps journals elsewhere, say --config FILE or --data-dir DIR",
            path.display()
        )),
        JournalError::InUse { .. } => ExitError::unavailable(error),
        JournalError::Io(path, error) => ExitError::reading(&path, &error),
    }
}

fn told(public: &str) -> String {
    format!("{public}\n  as a verifier key: {}\n  its short name: {}\n", verifier_key(public).unwrap_or_default(), fingerprint(public))
}

/// Where the service of our packages keeps its evidence.
const SERVICE: &str = "/var/lib/flagfall";

/// For `doctor`: which key signs the evidence of this machine; nothing where no place says that there is any.
pub(super) fn said() -> String {
    let Ok((mut folder, file)) = (Place { config: None, data_dir: None }).found() else { return String::new() };
    let service = PathBuf::from(SERVICE);
    if file.is_none() && !folder.exists() && service.exists() {
        folder = service;
    }
    match Key::read(&folder, file.as_deref()) {
        Ok(key) => {
            format!("evidence is signed with the key {}; note it before the event (`flagfall key show`)\n", fingerprint(&key.public()))
        }
        Err(JournalError::Io(_, error)) if error.kind() == io::ErrorKind::NotFound => {
            format!("evidence: there is no key in {} yet; flagfall makes one at its first start\n", folder.display())
        }
        Err(JournalError::Io(path, error)) if error.kind() == io::ErrorKind::PermissionDenied => {
            format!(
                "evidence: {} is the service's own; which key signs: sudo flagfall key show, or the arbiters' and operators' pages\n",
                path.display()
            )
        }
        Err(error) => format!("evidence: the key that signs it cannot be read: {error}\n"),
    }
}

/// Shows it, or has another one follow it.
pub fn run(args: Args) -> Result<(), ExitError> {
    match args.action {
        Action::Show(place) => {
            let (folder, file) = place.found()?;
            output::print(&told(&Key::read(&folder, file.as_deref()).map_err(failed)?.public()))
        }
        Action::Rotate(place) => {
            let (folder, file) = place.found()?;
            let (old, new) = Key::rotate(&folder, file.as_deref()).map_err(failed)?;
            output::print(&format!(
                "{}The one before, {}, vouches for it. Note the new one before the next event\n",
                told(&new),
                fingerprint(&old)
            ))
        }
    }
}

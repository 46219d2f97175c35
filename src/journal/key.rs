//! The key that signs checkpoints: made at first start, kept where only its owner can read it.
use super::checkpoint::Checkpoint;
use super::hex::{hex, unhex};
use super::tree::Hash;
use super::what::Sign;
use super::{Chain, JournalError};
use ed25519_dalek::{Signature, Signer as _, SigningKey, VerifyingKey};
use flagfall_events::Wall;
use std::fs::{File, OpenOptions};
use std::io::{self, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

/// The key's file in the data folder: 64 hex digits.
const FILE: &str = "journal.key";
/// Where a file in its place that is no key is set aside.
const DAMAGED: &str = "journal.key.damaged";
/// What is to be done about that.
const TODO: &str = "is what was there: note the new public key (`flagfall verify` prints it), then move that file away";

/// Signs checkpoints.
#[derive(Clone)]
pub struct Key {
    key: SigningKey,
    /// Where it is still to be kept, if the disk took no writes yet.
    unkept: Option<PathBuf>,
}

impl std::fmt::Debug for Key {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Key").field("public", &self.public()).finish_non_exhaustive()
    }
}

/// A key, and what became of the one before it, if that was lost.
#[derive(Debug)]
pub struct FoundKey {
    /// Signs from now on.
    pub key: Key,
    /// Why there is a new one although there was one, in words, with what to do.
    pub lost: Option<String>,
}

impl Key {
    /// The key of this data folder; a new one where there is none, or where its file cannot be used: that is set aside and never keeps anybody
    /// from playing. One that the disk does not take is kept when it does.
    ///
    /// # Errors
    /// The system has no random numbers.
    pub fn of(folder: &Path) -> Result<FoundKey, JournalError> {
        Self::found(folder, None)
    }

    /// The same where the key may be in another file, apart from the evidence.
    ///
    /// # Errors
    /// See [`Self::of`].
    pub fn found(folder: &Path, file: Option<&Path>) -> Result<FoundKey, JournalError> {
        let path = file.map_or_else(|| folder.join(FILE), Path::to_owned);
        let read = super::store::read_small(&path)
            .and_then(|bytes| String::from_utf8(bytes).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error)));
        let secret = read.as_ref().ok().and_then(|text| unhex(text.trim())).and_then(|bytes| <[u8; 32]>::try_from(bytes).ok());
        if let Some(secret) = secret {
            let key = Self { key: SigningKey::from_bytes(&secret), unkept: None };
            let damaged = path.with_file_name(DAMAGED);
            return Ok(FoundKey { key, lost: damaged.exists().then(|| format!("{} {TODO}", damaged.display())) });
        }
        let lost = match read {
            Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
                let signed = super::store::all(folder).is_ok_and(|journals| !journals.is_empty());
                let lost = || format!("{}: is missing. A new key signs now: note it (`flagfall verify` prints it)", path.display());
                return Ok(FoundKey { key: Self::new(path.clone())?, lost: signed.then(lost) });
            }
            Err(error) if error.kind() != io::ErrorKind::InvalidData => Some(format!("{}: cannot be read: {error}", path.display())),
            _ => Some(format!("{}: is not flagfall's key (64 hex digits)", path.display())),
        };
        let lost = lost.map(|why: String| match set_aside(&path) {
            Ok(aside) => format!("{why}. A new key signs now; {} {TODO}", aside.display()),
            Err(error) => format!("{why}, and cannot be set aside: {error}. A new key signs until the next start; remove the file"),
        });
        Ok(FoundKey { key: Self::new(path)?, lost })
    }

    fn new(path: PathBuf) -> Result<Self, JournalError> {
        let mut secret = [0; 32];
        getrandom::fill(&mut secret).map_err(|error| JournalError::Io(path.clone(), io::Error::other(error.to_string())))?;
        let mut key = Self { key: SigningKey::from_bytes(&secret), unkept: Some(path) };
        key.keep();
        Ok(key)
    }

    /// Keeps a new key, if it is not kept yet and the disk takes it now.
    pub(super) fn keep(&mut self) {
        let Some(path) = &self.unkept else { return };
        let folder = path.parent().unwrap_or_else(|| Path::new("."));
        match std::fs::create_dir_all(folder).and_then(|()| keep(path, &self.key.to_bytes())) {
            Ok(()) => self.unkept = None,
            Err(error) => {
                tracing::error!("{}: the key that signs journals cannot be kept: {error}; make the folder writable", path.display());
            }
        }
    }

    /// The key as it is there.
    ///
    /// # Errors
    /// There is none, or this user may not read it.
    pub fn read(folder: &Path, file: Option<&Path>) -> Result<Self, JournalError> {
        let path = file.map_or_else(|| folder.join(FILE), Path::to_owned);
        let failed = |error| JournalError::Io(path.clone(), error);
        let text = super::store::read_small(&path).map_err(failed)?;
        let secret = unhex(String::from_utf8_lossy(&text).trim()).and_then(|bytes| <[u8; 32]>::try_from(bytes).ok());
        let secret =
            secret.ok_or_else(|| failed(io::Error::new(io::ErrorKind::InvalidData, "this is not flagfall's key (64 hex digits)")))?;
        Ok(Self { key: SigningKey::from_bytes(&secret), unkept: None })
    }

    /// Makes another key that signs from the next start on; this one vouches for it, so that whoever has noted this one can verify what that one signs.
    ///
    /// # Errors
    /// Another flagfall runs on the folder, there is no key yet, or nothing can be written.
    pub fn rotate(folder: &Path, file: Option<&Path>) -> Result<(String, String), JournalError> {
        let _lock = super::store::lock(folder)?;
        let path = file.map_or_else(|| folder.join(FILE), Path::to_owned);
        let failed = |error| JournalError::Io(path.clone(), error);
        let old = Self::read(folder, file)?.key;
        let mut secret = [0; 32];
        getrandom::fill(&mut secret).map_err(|error| failed(io::Error::other(error.to_string())))?;
        let new = Self { key: SigningKey::from_bytes(&secret), unkept: None };
        let change = super::vouched::follows(&old, &new.public());
        // What leads from one to the other first: a key that nothing leads to is a lost one's successor.
        super::vouched::keep(folder, &change).map_err(failed)?;
        keep(&path, &secret).map_err(failed)?;
        Ok((change.lost, change.public))
    }

    /// The public key, hex.
    pub fn public(&self) -> String {
        text(&self.key.verifying_key().to_bytes())
    }

    /// A checkpoint over all lines so far of a log with this name; `notes` are further lines of it.
    pub fn checkpoint(&self, log: &str, chain: &Chain, notes: Vec<String>) -> Checkpoint {
        Checkpoint::of(log, (chain.lines(), &chain.root()), notes, &self.key)
    }

    /// One over so many lines of the machine's list.
    pub(super) fn over(&self, origin: &str, of: (u64, &Hash)) -> Checkpoint {
        Checkpoint::of(origin, of, Vec::new(), &self.key)
    }

    /// The line that this key, as a witness, puts under the note of a checkpoint that it saw then.
    pub fn countersigned(&self, checkpoint: &Checkpoint, log: &str, at: Wall) -> String {
        let seconds = u64::try_from(at.timestamp().as_second()).unwrap_or(0);
        checkpoint.countersigned(log, seconds, &self.key)
    }

    /// A checkpoint over all lines so far, as format 1 has it.
    pub fn sign(&self, board: &str, chain: &Chain) -> Sign {
        let signature = self.key.sign(signed(board, chain.lines(), &chain.hex()).as_bytes());
        Sign { lines: chain.lines(), chain: chain.hex(), signature: text(&signature.to_bytes()) }
    }
}

/// Moves a file that is no key out of the way, over nothing that lies there.
fn set_aside(path: &Path) -> io::Result<PathBuf> {
    let name = |n: u32| path.with_file_name(if n == 1 { String::from(DAMAGED) } else { format!("{DAMAGED}-{n}") });
    let free = (1..1_000).map(name).find(|path| !path.exists()).ok_or(io::ErrorKind::AlreadyExists)?;
    std::fs::rename(path, &free)?;
    Ok(free)
}

/// Written whole or not at all: under another name first.
fn keep(path: &Path, secret: &[u8; 32]) -> io::Result<()> {
    let new = path.with_extension("new");
    // A half-written one of an earlier start is in the way.
    let _ = std::fs::remove_file(&new);
    let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&new)?;
    writeln!(file, "{}", text(secret))?;
    file.sync_all()?;
    std::fs::rename(&new, path)?;
    File::open(path.parent().unwrap_or_else(|| Path::new(".")))?.sync_all()
}

/// Whether `sign` was made by the owner of `public` (hex) over these lines of `board`.
pub(super) fn holds(public: &str, board: &str, sign: &Sign) -> bool {
    let key = unhex(public).and_then(|bytes| <[u8; 32]>::try_from(bytes).ok()).and_then(|bytes| VerifyingKey::from_bytes(&bytes).ok());
    let signature = unhex(&sign.signature).and_then(|bytes| <[u8; 64]>::try_from(bytes).ok());
    let (Some(key), Some(signature)) = (key, signature) else { return false };
    key.verify_strict(signed(board, sign.lines, &sign.chain).as_bytes(), &Signature::from_bytes(&signature)).is_ok()
}

fn signed(board: &str, lines: u64, chain: &str) -> String {
    format!("flagfall-journal 1 {board} {lines} {chain}")
}

fn text(bytes: &[u8]) -> String {
    let mut out = Vec::new();
    hex(&mut out, bytes);
    String::from_utf8_lossy(&out).into_owned()
}

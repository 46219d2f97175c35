//! The key that signs checkpoints: made at first start, kept where only its owner can read it.
use super::line::{hex, unhex};
use super::what::Sign;
use super::{Chain, JournalError};
use ed25519_dalek::{Signature, Signer as _, SigningKey, VerifyingKey};
use std::fs::{File, OpenOptions};
use std::io::{self, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

/// The key's file in the data folder: 64 hex digits.
const FILE: &str = "journal.key";

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

impl Key {
    /// The key of this data folder; a new one where there is none. One that the disk does not take is kept when it does.
    ///
    /// # Errors
    /// The key's file holds something else, or cannot be read.
    pub fn of(folder: &Path) -> Result<Self, JournalError> {
        let path = folder.join(FILE);
        match std::fs::read_to_string(&path) {
            Ok(text) => {
                let bytes: Option<[u8; 32]> = unhex(text.trim()).and_then(|bytes| bytes.try_into().ok());
                let secret = bytes.ok_or_else(|| JournalError::Key(path.clone()))?;
                Ok(Self { key: SigningKey::from_bytes(&secret), unkept: None })
            }
            Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
                let mut secret = [0; 32];
                getrandom::fill(&mut secret).map_err(|error| JournalError::Io(path.clone(), io::Error::other(error.to_string())))?;
                let mut key = Self { key: SigningKey::from_bytes(&secret), unkept: Some(path) };
                key.keep();
                Ok(key)
            }
            Err(error) => Err(JournalError::Io(path, error)),
        }
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

    /// The public key, hex.
    pub fn public(&self) -> String {
        text(&self.key.verifying_key().to_bytes())
    }

    /// A checkpoint over all lines so far.
    pub fn sign(&self, board: &str, chain: &Chain) -> Sign {
        let signature = self.key.sign(signed(board, chain.lines(), &chain.hex()).as_bytes());
        Sign { lines: chain.lines(), chain: chain.hex(), signature: text(&signature.to_bytes()) }
    }
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

//! Checkpoints in the form that transparency logs use (c2sp.org/tlog-checkpoint, c2sp.org/signed-note): any of their tools reads one.
//!
//! ```text
//! flagfall-journal/7/9d3e4f672f1c5a0b                      which log: the board, and a number that no other journal has
//! 1233                                                     so many lines
//! qINS1GRFfWfa2wGsi2AHWABU0U3LVOz5Y2FeU1Iyrxw=             the root over them
//! found 1201-1233: 33 lines of 4 s that no checkpoint …    further lines: what is in them that this machine found and did not write
//!
//! — flagfall/2f1c5a0b9d3e4f67 5VHjJ2…                      the key's name; its four bytes and the signature
//! ```
use super::header::Open;
use super::store;
use super::tree::Hash;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ed25519_dalek::{Signature, Signer as _, SigningKey, VerifyingKey};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use std::fmt::Write as _;

/// What a key's kind is in a signed note: Ed25519; and Ed25519 of a witness, with the time.
const ED25519: u8 = 1;
const WITNESS: u8 = 4;

/// A signed checkpoint, as a line of a journal holds it: the note without what the journal says already.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Checkpoint {
    /// How many lines it covers: all before it.
    pub size: u64,
    /// The root over them, Base64.
    pub root: String,
    /// Further lines of the note.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub notes: Vec<String>,
    /// The key's four bytes and the Ed25519 signature, Base64.
    pub signature: String,
}

/// The name of a journal as a log. Journals of format 1 have none.
pub fn origin(open: &Open) -> Option<String> {
    let board: String = store::plain(&open.board).chars().map(|c| if c.is_whitespace() { '_' } else { c }).collect();
    Some(format!("flagfall-journal/{board}/{}", open.log.as_ref()?))
}

/// A number for a journal that begins.
pub(super) fn number() -> String {
    let mut bytes = [0; 8];
    // Without random numbers no key could have been made; the same number twice would still be two files with two chains.
    let _ = getrandom::fill(&mut bytes);
    lower(&bytes)
}

fn lower(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// A public key in 64 hex digits.
pub(super) fn public(hex: &str) -> Option<VerifyingKey> {
    let bytes = super::hex::unhex(hex).and_then(|bytes| <[u8; 32]>::try_from(bytes).ok())?;
    VerifyingKey::from_bytes(&bytes).ok()
}

/// The first eight bytes of the key's SHA-256, hex.
fn short(key: &VerifyingKey) -> String {
    lower(&Sha256::digest(key.as_bytes())[..8])
}

/// The name under which a key signs notes.
fn name(key: &VerifyingKey) -> String {
    format!("flagfall/{}", short(key))
}

/// A key's short name, for people: `flagfall/2f1c5a0b9d3e4f67`. Empty where it is none.
pub fn fingerprint(hex: &str) -> String {
    public(hex).map(|key| name(&key)).unwrap_or_default()
}

/// The four bytes by which a note names a key.
fn id(key: &VerifyingKey) -> [u8; 4] {
    id_of(ED25519, key)
}

fn id_of(kind: u8, key: &VerifyingKey) -> [u8; 4] {
    let digest = Sha256::new().chain_update(name(key)).chain_update([b'\n', kind]).chain_update(key.as_bytes()).finalize();
    std::array::from_fn(|i| digest[i])
}

/// The public key as tools for signed notes want it: `NAME+ID+KEY`.
pub fn verifier_key(hex: &str) -> Option<String> {
    let key = public(hex)?;
    Some(format!("{}+{}+{}", name(&key), lower(&id(&key)), STANDARD.encode([&[ED25519], key.as_bytes().as_slice()].concat())))
}

/// The public key in it, 64 hex digits.
pub fn of_verifier_key(text: &str) -> Option<String> {
    let mut parts = text.splitn(3, '+').skip(2);
    let bytes = STANDARD.decode(parts.next()?).ok()?;
    let key = bytes.strip_prefix(&[ED25519])?;
    let hex = lower(key);
    (verifier_key(&hex)? == text).then_some(hex)
}

impl Checkpoint {
    /// Of so many lines of a log with this root, signed with the key.
    pub(super) fn of(log: &str, (size, root): (u64, &Hash), notes: Vec<String>, key: &SigningKey) -> Self {
        let mut new = Self { size, root: STANDARD.encode(root), notes, signature: String::new() };
        let signature = key.sign(new.text(log).as_bytes()).to_bytes();
        new.signature = STANDARD.encode([id(&key.verifying_key()).as_slice(), &signature].concat());
        new
    }

    /// The line that a witness puts under its note (c2sp.org/tlog-cosignature): `seconds` since 1970.
    pub(super) fn countersigned(&self, log: &str, seconds: u64, key: &SigningKey) -> String {
        let public = key.verifying_key();
        let signature = key.sign(format!("cosignature/v1\ntime {seconds}\n{}", self.text(log)).as_bytes()).to_bytes();
        let signed = [id_of(WITNESS, &public).as_slice(), &seconds.to_be_bytes(), &signature].concat();
        format!("\u{2014} {} {}\n", name(&public), STANDARD.encode(signed))
    }

    /// The root.
    pub(super) fn root(&self) -> Option<Hash> {
        STANDARD.decode(&self.root).ok()?.try_into().ok()
    }

    /// What is signed.
    fn text(&self, log: &str) -> String {
        let mut text = format!("{log}\n{}\n{}\n", self.size, self.root);
        self.notes.iter().for_each(|note| text.extend([note.as_str(), "\n"]));
        text
    }

    /// What a receipt of it stands for: the first 128 bits of the SHA-256 of what is signed.
    pub fn digest(&self, log: &str) -> [u8; 16] {
        let digest = Sha256::digest(self.text(log));
        std::array::from_fn(|i| digest[i])
    }

    /// The whole note, as it is given to others; empty where the key is none.
    pub fn note(&self, log: &str, key: &str) -> String {
        let Some(key) = public(key) else { return String::new() };
        format!("{}\n\u{2014} {} {}\n", self.text(log), name(&key), self.signature)
    }

    /// Reads a note: which log it is of, and the checkpoint with the first signature under it, the machine's own.
    ///
    /// # Errors
    /// In words: it is no signed note of a checkpoint.
    pub fn read(note: &str) -> Result<(String, Self), String> {
        let wrong = || String::from("this is no signed checkpoint");
        let (text, signed) = note.split_once("\n\n").ok_or_else(wrong)?;
        let mut lines = text.split('\n').map(String::from);
        let (log, size, root) = (lines.next().ok_or_else(wrong)?, lines.next().ok_or_else(wrong)?, lines.next().ok_or_else(wrong)?);
        let size = size.parse().ok().filter(|n: &u64| n.to_string() == size).ok_or_else(wrong)?;
        let signature = signed.strip_prefix("\u{2014} ").and_then(|rest| rest.split('\n').next()?.rsplit_once(' ')).ok_or_else(wrong)?.1;
        Ok((log, Self { size, root, notes: lines.collect(), signature: String::from(signature) }))
    }

    /// Whether it is of these lines.
    pub fn is_of(&self, lines: u64, root: &Hash) -> bool {
        self.size == lines && self.root == STANDARD.encode(root)
    }

    /// Whether the owner of the key (hex) signed it as one of this log. A note that holds a line end is none.
    pub fn is_signed_by(&self, log: &str, key: &str) -> bool {
        let (Some(key), Ok(bytes)) = (public(key), STANDARD.decode(&self.signature)) else { return false };
        let Some((named, signature)) = bytes.split_first_chunk::<4>() else { return false };
        let Ok(signature) = <[u8; 64]>::try_from(signature) else { return false };
        let one_line = |note: &String| !note.is_empty() && !note.contains(['\n', '\r']);
        *named == id(&key)
            && self.notes.iter().all(one_line)
            && key.verify_strict(self.text(log).as_bytes(), &Signature::from_bytes(&signature)).is_ok()
    }
}

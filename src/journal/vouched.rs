//! One key after another: the old one signs that the new one follows it, so that what was noted before an event still proves what came after.
use super::checkpoint;
use super::hex::{hex, unhex};
use super::store;
use super::what::{KeyChange, What};
use ed25519_dalek::{Signature, Signer as _, SigningKey};
use std::path::Path;

/// In the data folder: which key followed which, a JSON object a line as a `key` line holds it.
const FILE: &str = "journal.keys";

fn text(old: &str, new: &str) -> String {
    format!("flagfall-key {old} {new}")
}

/// The old key signs that the new one (hex) follows it.
pub(super) fn follows(old: &SigningKey, new: &str) -> KeyChange {
    let public = |bytes: &[u8]| {
        let mut out = Vec::new();
        hex(&mut out, bytes);
        String::from_utf8_lossy(&out).into_owned()
    };
    let lost = public(old.verifying_key().as_bytes());
    let signature = public(&old.sign(text(&lost, new).as_bytes()).to_bytes());
    KeyChange { public: String::from(new), lost, signature: Some(signature) }
}

impl KeyChange {
    /// The key before has signed that this one follows it.
    pub fn is_vouched(&self) -> bool {
        let signature = self.signature.as_deref().and_then(unhex).and_then(|bytes| <[u8; 64]>::try_from(bytes).ok());
        let (Some(key), Some(signature)) = (checkpoint::public(&self.lost), signature) else { return false };
        key.verify_strict(text(&self.lost, &self.public).as_bytes(), &Signature::from_bytes(&signature)).is_ok()
    }
}

/// The keys of this machine before the one that signs now, each with what vouches for the next.
#[derive(Clone, Debug, Default)]
pub(super) struct Earlier(Vec<KeyChange>);

impl Earlier {
    /// Those of a data folder that lead to this key. What is not signed is none.
    pub(super) fn of(data_dir: &Path, own: &str) -> Self {
        let text = store::read_small(&data_dir.join(FILE)).map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).unwrap_or_default();
        let known: Vec<KeyChange> = text.lines().filter_map(|line| serde_json::from_str(line).ok()).filter(KeyChange::is_vouched).collect();
        let (mut found, mut to) = (Vec::new(), String::from(own));
        while let Some(change) = known.iter().find(|change| change.public == to && !found.contains(*change)) {
            to.clone_from(&change.lost);
            found.push(change.clone());
        }
        found.reverse();
        Self(found)
    }

    /// Whether this was a key of this machine.
    pub(super) fn has(&self, key: &str) -> bool {
        self.0.iter().any(|change| change.lost == key)
    }

    /// Those keys, hex.
    pub(super) fn keys(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|change| change.lost.as_str())
    }

    /// The lines that lead from this key to the one that signs now; nothing where it does not.
    pub(super) fn from(&self, key: &str) -> Vec<What> {
        let at = self.0.iter().position(|change| change.lost == key);
        at.map_or_else(Vec::new, |at| self.0[at..].iter().cloned().map(What::Key).collect())
    }
}

/// Adds one to the folder's.
pub(super) fn keep(data_dir: &Path, change: &KeyChange) -> std::io::Result<()> {
    use std::io::Write as _;
    let mut file = std::fs::OpenOptions::new().create(true).append(true).open(data_dir.join(FILE))?;
    // Our own type has string keys only; serde_json cannot refuse it.
    file.write_all(format!("{}\n", serde_json::to_string(change).unwrap_or_default()).as_bytes())?;
    file.sync_all()
}

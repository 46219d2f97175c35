//! Devices from which somebody came in before: a second cookie says so. It opens nothing; it only keeps a place in the line before the door
//! ([`super::attempts`]), so that guesses by others keep nobody out.
use super::session::{digest, secret};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use std::fs::{self, DirBuilder, OpenOptions};
use std::io::{self, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::Path;
use subtle::ConstantTimeEq as _;

/// Its cookie's name begins so; one account's never replaces another's.
const COOKIE: &str = "flagfall_device_";
/// How long a device is known, seconds: a season.
pub(super) const LIFETIME: u64 = 180 * 86_400;
/// The key's file below the data folder.
const FILE: &str = "devices.key";

/// One device.
pub(super) type Device = [u8; 32];

/// The key by which our own cookies are recognised.
pub(super) struct Devices {
    key: [u8; 32],
    port: u16,
}

impl Devices {
    /// The key that is kept in this folder; where there is none, or it cannot be used, a new one: then devices are known again after a login.
    pub(super) fn open(folder: Option<&Path>, port: u16) -> Self {
        let kept = folder.map(|folder| folder.join(FILE));
        if let Some(key) = kept.as_deref().and_then(|path| fs::read(path).ok()).and_then(|bytes| <[u8; 32]>::try_from(bytes).ok()) {
            return Self { key, port };
        }
        let mut key = [0; 32];
        if let Err(error) = getrandom::fill(&mut key) {
            tracing::error!("the machine gives no random numbers: {error}");
        }
        if let Some(path) = kept
            && let Err(error) = write(&path, &key)
        {
            tracing::warn!("{}: {error}; devices are known until the next start only", path.display());
        }
        Self { key, port }
    }

    /// The cookie's name for this account.
    pub(super) fn cookie(&self, name: &str) -> String {
        let number: String = digest(&format!("{} {name}", self.port)).iter().take(8).map(|byte| format!("{byte:02x}")).collect();
        format!("{COOKIE}{number}")
    }

    /// What a device that came in as `name` keeps.
    pub(super) fn value(&self, name: &str) -> Result<String, getrandom::Error> {
        let id = secret()?;
        let seal = URL_SAFE_NO_PAD.encode(self.seal(name, &id));
        Ok(format!("{id}.{seal}"))
    }

    /// The device, if `name` came in from it before.
    pub(super) fn known(&self, name: &str, value: &str) -> Option<Device> {
        let (id, seal) = value.split_once('.')?;
        let seal = URL_SAFE_NO_PAD.decode(seal).ok()?;
        bool::from(self.seal(name, id).as_slice().ct_eq(&seal)).then(|| digest(id))
    }

    fn seal(&self, name: &str, id: &str) -> [u8; 32] {
        let mut hasher = blake3::Hasher::new_keyed(&self.key);
        // A length before it: no two pairs read the same.
        hasher.update(&(id.len() as u64).to_le_bytes()).update(id.as_bytes()).update(name.as_bytes());
        *hasher.finalize().as_bytes()
    }
}

fn write(path: &Path, key: &[u8]) -> io::Result<()> {
    path.parent().map_or(Ok(()), |folder| DirBuilder::new().recursive(true).mode(0o750).create(folder))?;
    let mut file = OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(path)?;
    file.write_all(key)
}

impl std::fmt::Debug for Devices {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Devices").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_device_is_known_for_its_name_only_and_after_a_restart() {
        let folder = tempfile::tempdir().unwrap();
        let devices = Devices::open(Some(folder.path()), 8064);
        let value = devices.value("Olga").unwrap();
        let device = devices.known("Olga", &value).unwrap();
        assert_eq!(Devices::open(Some(folder.path()), 8064).known("Olga", &value), Some(device));
        assert_ne!(devices.known("Olga", &devices.value("Olga").unwrap()), Some(device));
        for wrong in ["", ".", "x", "x.y", &value[1..], &value[..value.len() - 1]] {
            assert_eq!(devices.known("Olga", wrong), None, "{wrong}");
        }
        assert_eq!(devices.known("Boris", &value), None);
        // A damaged key is no reason not to start.
        fs::write(folder.path().join(FILE), "x").unwrap();
        assert_eq!(Devices::open(Some(folder.path()), 8064).known("Olga", &value), None);
    }
}

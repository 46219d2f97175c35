//! Files that hold a secret.
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;
use std::{fs, io};

/// What is unwise about a file that holds a secret.
pub(super) fn advice(path: &Path) -> Option<String> {
    let mode = match fs::metadata(path) {
        Ok(metadata) => metadata.mode(),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return Some(format!("there is no {} yet; docs/lichess.md says how to make it", path.display()));
        }
        // Who checks may be another one than who runs.
        Err(_) => return None,
    };
    (mode & 0o007 != 0).then(|| {
        let shown = path.display();
        format!("everybody on this machine can use the secret in {shown}: sudo chown root:flagfall {shown}; sudo chmod 640 {shown}")
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt as _;

    #[test]
    fn a_file_that_everybody_can_read_is_unwise() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("token");
        assert!(advice(&path).unwrap().contains("there is no"));
        fs::write(&path, "x").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).unwrap();
        assert!(advice(&path).unwrap().contains("chmod 640"));
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
        assert_eq!(advice(&path), None);
    }
}

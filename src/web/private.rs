//! Small files of our own that nobody else may read: written whole, so that a reader finds the old one or the new one; a damaged one is set aside.
use std::fs::{self, DirBuilder, OpenOptions};
use std::io::{self, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::Path;

/// Writes the file anew, mode 0600; the folder is made where there is none.
///
/// # Errors
/// What the file system says.
pub fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    path.parent().map_or(Ok(()), |folder| DirBuilder::new().recursive(true).mode(0o750).create(folder))?;
    let beside = path.with_extension(format!("{}.new", std::process::id()));
    let written = (|| {
        let mut file = OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&beside)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        fs::rename(&beside, path)
    })();
    written.inspect_err(|_| _ = fs::remove_file(&beside))
}

/// What `understand` makes of the file; nothing where there is none. One that nobody can make anything of is set aside as `NAME.damaged`, and said.
pub fn read<T>(path: &Path, understand: impl FnOnce(&[u8]) -> Option<T>) -> Option<T> {
    let bytes = match flagfall_journal::store::read_small(path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return None,
        Err(error) => {
            tracing::error!("{}: {error}; what it holds is not known now", path.display());
            return None;
        }
    };
    let understood = understand(&bytes);
    if understood.is_none() {
        let mut aside = path.as_os_str().to_owned();
        aside.push(".damaged");
        let kept = fs::rename(path, &aside).is_ok();
        let told = if kept { "it is kept with .damaged at the end of its name" } else { "it could not be set aside" };
        tracing::error!("{} is damaged and counts for nothing; {told}", path.display());
    }
    understood
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt as _;

    #[test]
    fn a_file_is_whole_and_nobody_elses_and_a_damaged_one_is_set_aside() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("deep/kept.json");
        let number = |bytes: &[u8]| std::str::from_utf8(bytes).ok()?.parse::<u32>().ok();
        assert_eq!(read(&path, number), None);
        for text in ["1", "22"] {
            write(&path, text.as_bytes()).unwrap();
            assert_eq!(read(&path, number), text.parse().ok());
        }
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        write(&path, b"x").unwrap();
        assert_eq!((read(&path, number), path.exists()), (None, false));
        assert_eq!(fs::read(folder.path().join("deep/kept.json.damaged")).unwrap(), b"x");
        assert_eq!(fs::read_dir(folder.path().join("deep")).unwrap().count(), 1, "nothing is left beside it");
    }
}

//! Files that are made of a list: compared with those that are there, written whole or not at all.
use crate::cli::ExitError;
use std::fmt::Write as _;
use std::fs::{self, OpenOptions, Permissions};
use std::io::{self, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _, PermissionsExt as _};
use std::path::Path;

/// One file, below the folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Made {
    pub(super) path: String,
    pub(super) text: String,
    /// Nobody else may read it.
    pub(super) secret: bool,
}

impl Made {
    pub(super) fn new(path: impl Into<String>, text: impl Into<String>) -> Self {
        Self { path: path.into(), text: text.into(), secret: false }
    }

    pub(super) fn secret(path: impl Into<String>, text: impl Into<String>) -> Self {
        Self { secret: true, ..Self::new(path, text) }
    }

    fn mode(&self) -> u32 {
        if self.secret { 0o600 } else { 0o644 }
    }
}

/// What becomes of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Change {
    New,
    Changed,
    Same,
}

/// Brings one file up to date, unless it is only to be said; what it was, where it was another one.
pub(super) fn put(folder: &Path, made: &Made, dry: bool) -> Result<(Change, String), ExitError> {
    let path = folder.join(&made.path);
    let before = match fs::read(&path) {
        Ok(bytes) if bytes == made.text.as_bytes() => {
            // Somebody may have copied it about.
            let open = made.secret && fs::metadata(&path).is_ok_and(|file| file.permissions().mode() & 0o077 != 0);
            if open && !dry {
                fs::set_permissions(&path, Permissions::from_mode(made.mode())).map_err(|error| ExitError::writing(&path, &error))?;
            }
            return Ok((Change::Same, String::new()));
        }
        Ok(bytes) => Some(String::from_utf8_lossy(&bytes).into_owned()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(ExitError::reading(&path, &error)),
    };
    if !dry {
        write(&path, made).map_err(|error| ExitError::writing(&path, &error))?;
    }
    Ok(before.map_or((Change::New, String::new()), |before| (Change::Changed, before)))
}

/// Aside, synced and renamed: a reader sees the old one or the new one.
fn write(path: &Path, made: &Made) -> io::Result<()> {
    let folder = path.parent().ok_or(io::ErrorKind::InvalidInput)?;
    // There are passwords below it.
    fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
    let name = path.file_name().ok_or(io::ErrorKind::InvalidInput)?.to_string_lossy();
    let aside = path.with_file_name(format!(".{name}.{}.new", std::process::id()));
    let whole = || {
        let mut file = OpenOptions::new().write(true).create(true).truncate(true).mode(made.mode()).open(&aside)?;
        file.write_all(made.text.as_bytes())?;
        file.sync_all()?;
        fs::rename(&aside, path)
    };
    whole().inspect_err(|_| _ = fs::remove_file(&aside))
}

/// A line as it may be shown: what follows a password's name is left out.
fn shown(line: &str) -> &str {
    const NAMES: [&str; 4] = ["password: ", "PASSWORD: ", "route:", "hash = "];
    let end = NAMES.iter().filter_map(|name| Some(line.find(name)? + name.len())).min();
    // A file that is a password has no names in it.
    let bare = line.len() >= 8 && line.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_'));
    if bare { "" } else { &line[..end.unwrap_or(line.len())] }
}

/// The lines that are gone and those that came, in the order of the file; no password is in them.
pub(super) fn difference(before: &str, after: &str) -> String {
    let (old, new): (Vec<&str>, Vec<&str>) = (before.lines().collect(), after.lines().collect());
    // How long the rest is that both have, from each pair of lines on.
    let mut rest = vec![vec![0_usize; new.len() + 1]; old.len() + 1];
    for (i, was) in old.iter().enumerate().rev() {
        for (j, is) in new.iter().enumerate().rev() {
            rest[i][j] = if was == is { rest[i + 1][j + 1] + 1 } else { rest[i + 1][j].max(rest[i][j + 1]) };
        }
    }
    let (mut i, mut j, mut text) = (0, 0, String::new());
    // Writing to a String cannot fail.
    while i < old.len() || j < new.len() {
        if i < old.len() && j < new.len() && old[i] == new[j] {
            (i, j) = (i + 1, j + 1);
        } else if j >= new.len() || (i < old.len() && rest[i + 1][j] >= rest[i][j + 1]) {
            let _ = writeln!(text, "    - {}", shown(old[i]));
            i += 1;
        } else {
            let _ = writeln!(text, "    + {}", shown(new[j]));
            j += 1;
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_written_once_and_secrets_are_their_owners() {
        let folder = tempfile::tempdir().unwrap();
        let made = Made::secret("a/b", "x\n");
        assert_eq!(put(folder.path(), &made, true).unwrap().0, Change::New);
        assert!(!folder.path().join("a").exists(), "it was only said");
        assert_eq!(put(folder.path(), &made, false).unwrap().0, Change::New);
        let path = folder.path().join("a/b");
        let mode = || fs::metadata(&path).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode(), 0o600);
        fs::set_permissions(&path, Permissions::from_mode(0o644)).unwrap();
        assert_eq!(put(folder.path(), &made, false).unwrap().0, Change::Same);
        assert_eq!(mode(), 0o600);
        assert_eq!(put(folder.path(), &Made::new("a/b", "y\n"), false).unwrap(), (Change::Changed, String::from("x\n")));
        assert_eq!(fs::read_dir(folder.path().join("a")).unwrap().count(), 1, "nothing is left aside");
    }

    #[test]
    fn a_difference_has_the_lines_that_differ() {
        assert_eq!(difference("a\nb\nc\n", "a\nx\nc\nd\n"), "    - b\n    + x\n    + d\n");
        assert_eq!(difference("a\n", "a\n"), "");
        assert_eq!(difference("", "a\n"), "    + a\n");
        let (old, new) = ("a_PASSWORD: \"s1\"\nx://route:s1@h\nhash = \"s1\"\n", "0123456789s1\n");
        assert!(!difference(old, new).contains("s1"), "{}", difference(old, new));
    }
}

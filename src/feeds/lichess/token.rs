//! The token's file. The token itself is never printed, logged or kept.
use reqwest::header::HeaderValue;
use std::path::Path;
use std::{fs, io};

/// A token is short; a file that is longer holds something else.
const LONGEST: u64 = 4096;

/// The token as the value of `Authorization`, or why there is none.
pub(super) fn read(path: &Path) -> Result<HeaderValue, String> {
    let shown = path.display();
    let cannot = |error: io::Error| match error.kind() {
        io::ErrorKind::NotFound => format!("there is no token file {shown}"),
        io::ErrorKind::PermissionDenied => format!("the service may not read the token file {shown} (give it to the group flagfall)"),
        _ => format!("the token file {shown} cannot be read: {error}"),
    };
    if fs::metadata(path).map_err(cannot)?.len() > LONGEST {
        return Err(format!("{shown} is too long for a token file"));
    }
    let text = fs::read(path).map_err(cannot)?;
    let token = text.trim_ascii();
    if token.is_empty() || !token.iter().all(u8::is_ascii_graphic) {
        return Err(format!("the token file {shown} holds no token (one line such as lip_…)"));
    }
    let mut value = HeaderValue::from_bytes(&[b"Bearer ", token].concat()).map_err(|_| format!("the token file {shown} holds no token"))?;
    value.set_sensitive(true);
    Ok(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_one_word_and_is_not_shown() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("token");
        assert!(read(&path).unwrap_err().contains("there is no token file"));
        fs::write(&path, "lip_abc\n").unwrap();
        let value = read(&path).unwrap();
        assert_eq!(value.to_str().unwrap(), "Bearer lip_abc");
        assert!(!format!("{value:?}").contains("lip_abc"));
        for wrong in ["", " \n", "two words", "a\nb", "t\u{e9}"] {
            fs::write(&path, wrong).unwrap();
            let why = read(&path).unwrap_err();
            assert!(why.contains("holds no token") && !why.contains("two words"), "{why}");
        }
    }
}

//! How long evidence is kept, and whether there is play without it.
use std::path::PathBuf;
use std::time::Duration;

/// How evidence is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Keeping {
    /// The daemon ends (74) when evidence cannot be kept.
    pub required: bool,
    /// How long a journal is kept after its game day, whole days; `None`: for ever.
    pub keep: Option<Duration>,
    /// The file with the key that signs, where it is not in the data folder.
    pub key: Option<PathBuf>,
}

/// The name under which systemd gives the key to the service.
const CREDENTIAL: &str = "journal.key";

impl Keeping {
    /// The file with the key, where it is not in the data folder: the configuration's, else the credential that systemd gives.
    pub fn key_file(&self) -> Option<PathBuf> {
        let given = || std::env::var_os("CREDENTIALS_DIRECTORY").map(|folder| PathBuf::from(folder).join(CREDENTIAL));
        self.key.clone().or_else(|| given().filter(|file| file.is_file()))
    }
}

impl Default for Keeping {
    fn default() -> Self {
        Self { required: false, keep: Some(days(90)), key: None }
    }
}

const fn days(n: u64) -> Duration {
    Duration::from_secs(n * 86_400)
}

/// `90d`, or `forever`.
pub fn keep_text(keep: Option<Duration>) -> String {
    keep.map_or_else(|| String::from("forever"), |keep| format!("{}d", keep.as_secs() / 86_400))
}

/// Reads `90d` or `forever`; `None` for anything else.
pub fn parse_keep(text: &str) -> Option<Option<Duration>> {
    if text == "forever" {
        return Some(None);
    }
    let n: u64 = text.strip_suffix('d')?.parse().ok()?;
    (1..=36_500).contains(&n).then(|| Some(days(n)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn how_long_reads_back_as_it_prints() {
        for text in ["1d", "90d", "365d", "forever"] {
            assert_eq!(parse_keep(text).map(keep_text).as_deref(), Some(text));
        }
        for text in ["", "90", "0d", "d", "-1d", "1.5d", "2w", "99999d", "for ever"] {
            assert_eq!(parse_keep(text), None, "{text}");
        }
    }
}

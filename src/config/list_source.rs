//! Where a pairing list or a tournament report comes from: a file, or an address that is asked again and again.
use super::source_url;
use std::fmt;
use std::path::PathBuf;
use url::Url;

/// A file or an address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ListSource {
    /// On this machine's disk.
    File(PathBuf),
    /// Somewhere else.
    Web(WebList),
}

/// The address of a list.
#[derive(Clone, PartialEq, Eq)]
pub struct WebList {
    given: String,
    /// What is asked; for the page of a broadcast on Lichess its export.
    url: Url,
}

impl ListSource {
    /// From what stands in the configuration or on the command line. A page of a Lichess broadcast stands for the pairings of its round, or of all rounds.
    ///
    /// # Errors
    /// An address that is none, or that anybody on the way could change: what to write instead.
    pub fn parse(text: &str) -> Result<Self, String> {
        let text = text.trim();
        if text.is_empty() || text.chars().any(char::is_control) {
            return Err(String::from("is no file and no address"));
        }
        // `c:` of a path is no scheme that anybody serves lists by.
        if !text.contains("://") {
            return Ok(Self::File(PathBuf::from(text)));
        }
        let url = Url::parse(text).map_err(|error| format!("is no address ({error}); copy it from the browser"))?;
        match url.scheme() {
            "https" => {}
            "http" if source_url::is_near(&url) => {}
            "http" => {
                return Err(String::from(
                    "anybody on the way could change the list: write https:// (http is for machines of the hall's own network)",
                ));
            }
            other => return Err(format!("{other} is not fetched; give an address that begins with https://, or a file")),
        }
        if url.host_str().is_none_or(str::is_empty) {
            return Err(String::from("names no machine; copy the address from the browser"));
        }
        let url = of_lichess(&url).unwrap_or(url);
        Ok(Self::Web(WebList { given: String::from(text), url }))
    }

    /// As the configuration has it.
    pub fn given(&self) -> String {
        match self {
            Self::File(path) => path.display().to_string(),
            Self::Web(web) => web.given.clone(),
        }
    }

    /// The file, where it is one.
    pub const fn file(&self) -> Option<&PathBuf> {
        match self {
            Self::File(path) => Some(path),
            Self::Web(_) => None,
        }
    }
}

/// For people: without what may be secret in an address.
impl fmt::Display for ListSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path) => path.display().fmt(f),
            Self::Web(web) => web.fmt(f),
        }
    }
}

impl WebList {
    /// What is asked.
    pub const fn url(&self) -> &Url {
        &self.url
    }
}

impl fmt::Display for WebList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Ok(mut shown) = Url::parse(&self.given) else { return f.write_str("the address") };
        let secret = shown.query().is_some();
        shown.set_query(secret.then_some("…"));
        shown.set_fragment(None);
        // Neither fails for an address with a host.
        let _ = shown.set_username("");
        let _ = shown.set_password(None);
        f.write_str(&shown.as_str().replace("%E2%80%A6", "…"))
    }
}

impl fmt::Debug for WebList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "WebList({self})")
    }
}

/// The export of a broadcast's round, or of the whole broadcast, for the address of its page: `/broadcast/EVENT/ROUND/xVEzYJHf`, `/broadcast/EVENT/kAOZ9xJT`.
fn of_lichess(page: &Url) -> Option<Url> {
    let parts: Vec<&str> = page.path_segments()?.filter(|part| !part.is_empty()).collect();
    let is_id = |text: &str| text.len() == 8 && text.chars().all(|c| c.is_ascii_alphanumeric());
    let path = match parts[..] {
        ["broadcast", _, _, round] | ["broadcast", _, _, round, _] if is_id(round) => format!("/api/broadcast/round/{round}.pgn"),
        ["broadcast", _, event] if is_id(event) => format!("/api/broadcast/{event}.pgn"),
        _ => return None,
    };
    let mut url = page.clone();
    url.set_path(&path);
    // Only tags count: the moves need neither clocks nor comments.
    url.set_query(Some("clocks=false&comments=false"));
    url.set_fragment(None);
    Some(url)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(text: &str) -> String {
        match ListSource::parse(text) {
            Ok(ListSource::File(path)) => format!("file {}", path.display()),
            Ok(ListSource::Web(web)) => web.url().to_string(),
            Err(why) => why,
        }
    }

    #[test]
    fn files_addresses_and_pages_of_broadcasts() {
        let export = "https://lichess.org/api/broadcast/round/xVEzYJHf.pgn?clocks=false&comments=false";
        for (text, wanted) in [
            ("/var/lib/flagfall/p.csv", "file /var/lib/flagfall/p.csv"),
            ("p.csv", "file p.csv"),
            ("https://example.org/list.csv?key=1", "https://example.org/list.csv?key=1"),
            ("http://192.168.1.7/list.csv", "http://192.168.1.7/list.csv"),
            ("http://pairings-pc/list.csv", "http://pairings-pc/list.csv"),
            ("https://lichess.org/broadcast/club-open/round-3/xVEzYJHf", export),
            ("https://lichess.org/broadcast/club-open/round-3/xVEzYJHf#boards", export),
            ("https://lichess.org/broadcast/club-open/round-3/xVEzYJHf/aB3dE6gH", export),
            (
                "https://lichess.org/broadcast/club-open/kAOZ9xJT",
                "https://lichess.org/api/broadcast/kAOZ9xJT.pgn?clocks=false&comments=false",
            ),
            ("https://lichess.org/broadcast", "https://lichess.org/broadcast"),
        ] {
            assert_eq!(asked(text), wanted);
        }
        for (text, word) in [
            ("http://example.org/list.csv", "https://"),
            ("ftp://example.org/list.csv", "ftp is not fetched"),
            ("https://", "no address"),
            ("  ", "no file"),
        ] {
            assert!(asked(text).contains(word), "{text}: {}", asked(text));
        }
    }

    #[test]
    fn what_may_be_secret_is_not_shown() {
        let source = ListSource::parse("https://me:word@example.org/a.csv?key=word#x").unwrap();
        assert_eq!(source.to_string(), "https://example.org/a.csv?…");
        assert!(!format!("{source:?}").contains("word"));
        assert!(source.given().contains("word"));
    }
}

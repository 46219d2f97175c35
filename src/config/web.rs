//! `[web]`: where the pages listen, encrypted or not, and under which names.
use super::quoted::{line, quoted};
use super::reader::{Reader, shown};
use std::net::SocketAddr;
use std::path::PathBuf;
use toml::Spanned;
use toml::de::DeValue;

/// How connections are encrypted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Tls {
    /// Not at all: arbiters are served on this machine only.
    #[default]
    Off,
    /// With a certificate of our own, made at the first start and kept in the data directory.
    SelfSigned,
    /// With these files, PEM.
    Files {
        /// The certificate and those it rests on.
        cert: PathBuf,
        /// Its private key.
        key: PathBuf,
    },
}

/// Under which conditions the pages are served.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WebAccess {
    /// Encryption.
    pub tls: Tls,
    /// Arbiters are served in clear text beyond this machine, too.
    pub allow_clear_text: bool,
    /// Names under which this machine is reached through a proxy on it.
    pub hosts: Vec<String>,
    /// How browsers reach the pages where a proxy stands before them: `https://boards.club.example`.
    pub public_url: Option<String>,
}

impl WebAccess {
    /// A proxy that encrypts stands before the pages.
    pub fn behind_tls(&self) -> bool {
        self.public_url.as_ref().is_some_and(|url| url.starts_with("https://"))
    }

    /// All names of this machine that it does not know itself.
    pub fn names(&self) -> Vec<String> {
        let public = self.public_url.as_deref().and_then(|url| url::Url::parse(url).ok()?.host_str().map(String::from));
        self.hosts.iter().cloned().chain(public).collect()
    }
}

const KEYS: [&str; 7] = ["listen", "tls", "cert", "key", "allow_clear_text", "hosts", "public_url"];

pub(super) fn read(reader: &mut Reader<'_>, value: &Spanned<DeValue<'_>>, listen: &mut SocketAddr, access: &mut WebAccess) {
    let (mut cert, mut key_file, mut named) = (None, None, None);
    reader.section("web", value, &KEYS, |reader, name, key, value| match name {
        "listen" => *listen = reader.address(key, value, "127.0.0.1:8064").unwrap_or(*listen),
        "tls" => match value.get_ref().as_str() {
            Some("self-signed") => named = Some(Tls::SelfSigned),
            Some("off") => named = Some(Tls::Off),
            _ => reader.mistake(
                value.span(),
                key,
                format!("{} is neither \"self-signed\" nor \"off\"; a certificate of your own is given with cert and key", shown(value)),
            ),
        },
        "cert" => cert = reader.path(key, value),
        "key" => key_file = reader.path(key, value),
        "allow_clear_text" => access.allow_clear_text = reader.flag(key, value).unwrap_or(access.allow_clear_text),
        "hosts" => access.hosts = hosts(reader, key, value),
        _ => access.public_url = public_url(reader, key, value),
    });
    access.tls = match (cert, key_file, named) {
        (Some(_), Some(_), Some(_)) => {
            reader.mistake(value.span(), "web.tls", "is given beside cert and key; leave out the one or the others");
            Tls::Off
        }
        (Some(cert), Some(key), None) => Tls::Files { cert, key },
        (None, None, named) => named.unwrap_or_default(),
        _ => {
            reader.mistake(value.span(), "web", "cert and key belong together; give both files, or tls = \"self-signed\"");
            Tls::Off
        }
    };
}

fn hosts(reader: &mut Reader<'_>, key: &str, value: &Spanned<DeValue<'_>>) -> Vec<String> {
    let is_name = |s: &&str| !s.is_empty() && s.len() < 254 && s.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'.');
    let read: Option<Vec<String>> = value
        .get_ref()
        .as_array()
        .and_then(|list| list.iter().map(|v| v.get_ref().as_str().filter(is_name).map(str::to_ascii_lowercase)).collect());
    if read.is_none() {
        reader.mistake(value.span(), key, "expected a list of names without ports; for example hosts = [\"boards.club.example\"]");
    }
    read.unwrap_or_default()
}

/// Scheme and name, perhaps a port; without the slash at its end.
fn public_url(reader: &mut Reader<'_>, key: &str, value: &Spanned<DeValue<'_>>) -> Option<String> {
    let read = value.get_ref().as_str().and_then(|text| {
        let url = url::Url::parse(text).ok()?;
        let bare =
            url.path() == "/" && url.query().is_none() && url.fragment().is_none() && url.username().is_empty() && url.password().is_none();
        (bare && matches!(url.scheme(), "https" | "http") && url.has_host()).then(|| String::from(text.trim_end_matches('/')))
    });
    if read.is_none() {
        let text = format!(
            "{} is not the address of a page without a path; for example public_url = \"https://boards.club.example\"",
            shown(value)
        );
        reader.mistake(value.span(), key, text);
    }
    read
}

pub(super) fn print(out: &mut String, access: &WebAccess) {
    match &access.tls {
        Tls::Off => line(out, "tls", quoted("off")),
        Tls::SelfSigned => line(out, "tls", quoted("self-signed")),
        Tls::Files { cert, key } => {
            line(out, "cert", quoted(&cert.display().to_string()));
            line(out, "key", quoted(&key.display().to_string()));
        }
    }
    line(out, "allow_clear_text", access.allow_clear_text);
    line(out, "hosts", toml::Value::from(access.hosts.clone()));
    if let Some(url) = &access.public_url {
        line(out, "public_url", quoted(url));
    }
}

#[cfg(test)]
mod tests {
    use crate::Config;

    #[test]
    fn a_proxy_that_encrypts_is_declared_and_nothing_else_says_so() {
        let config = Config::parse("f", "[web]\npublic_url = \"https://boards.club.example/\"\n").unwrap();
        assert_eq!(config.web_access.public_url.as_deref(), Some("https://boards.club.example"));
        assert!(config.web_access.behind_tls() && !Config::default().web_access.behind_tls());
        assert_eq!(config.web_access.names(), ["boards.club.example"]);
        assert_eq!(Config::parse("printed", &config.to_toml()).unwrap(), config);
        for wrong in ["\"boards.club.example\"", "\"https://h/boards\"", "\"ftp://h\"", "\"https://h?x\"", "true"] {
            let error = Config::parse("f", &format!("[web]\npublic_url = {wrong}\n")).unwrap_err();
            assert!(error.mistakes[0].text.contains("for example"), "{wrong}: {error}");
        }
    }
}

//! `[livechess]`: the API that broadcast software knows from DGT LiveChess.
use super::quoted::{line, quoted};
use super::reader::Reader;
use std::net::{Ipv4Addr, SocketAddr};
use toml::Spanned;
use toml::de::DeValue;

/// `[livechess]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LiveChess {
    /// Where it listens; on 127.0.0.1 also on `[::1]`, same port.
    pub listen: SocketAddr,
    /// Whether it listens.
    pub enabled: bool,
    /// Pages that may speak to it besides the known ones: `https://club.example`.
    pub origins: Vec<String>,
    /// Names of this machine that it does not know itself: those of `[web]`, no key of its own.
    pub hosts: Vec<String>,
}

impl Default for LiveChess {
    fn default() -> Self {
        Self { listen: SocketAddr::from((Ipv4Addr::LOCALHOST, 1982)), enabled: true, origins: Vec::new(), hosts: Vec::new() }
    }
}

pub(super) fn read(reader: &mut Reader<'_>, value: &Spanned<DeValue<'_>>, into: &mut LiveChess) {
    reader.section("livechess", value, &["listen", "enabled", "origins"], |reader, name, key, value| match name {
        "listen" => into.listen = reader.address(key, value, "127.0.0.1:1982").unwrap_or(into.listen),
        "enabled" => into.enabled = reader.flag(key, value).unwrap_or(into.enabled),
        _ => into.origins = origins(reader, key, value),
    });
}

/// Origins of web pages as browsers send them: scheme, host, no path.
fn origins(reader: &mut Reader<'_>, key: &str, value: &Spanned<DeValue<'_>>) -> Vec<String> {
    let origin = |s: &&str| {
        let host = s.strip_prefix("https://").or_else(|| s.strip_prefix("http://"));
        host.is_some_and(|host| !host.is_empty() && !host.contains(['/', '*', ' ', ',']))
    };
    let list = value.get_ref().as_array();
    let read: Option<Vec<String>> =
        list.and_then(|list| list.iter().map(|v| v.get_ref().as_str().filter(origin).map(String::from)).collect());
    if read.is_none() {
        let text = "expected a list of pages, each scheme and host without a path; for example origins = [\"https://club.example\"]";
        reader.mistake(value.span(), key, text);
    }
    read.unwrap_or_default()
}

pub(super) fn print(livechess: &LiveChess, out: &mut String) {
    out.push_str("\n[livechess]\n");
    line(out, "listen", quoted(&livechess.listen.to_string()));
    line(out, "enabled", livechess.enabled);
    if !livechess.origins.is_empty() {
        line(out, "origins", toml::Value::from(livechess.origins.clone()));
    }
}

#[cfg(test)]
mod tests {
    use crate::Config;

    #[test]
    fn origins_read_back_as_they_print() {
        let config = Config::parse("f", "[livechess]\norigins = [\"https://club.example\", \"http://10.0.0.2:8000\"]\n").unwrap();
        assert_eq!(config.livechess.origins.len(), 2);
        assert_eq!(Config::parse("printed", &config.to_toml()).unwrap(), config);
        for wrong in ["\"https://club.example\"", "[\"club.example\"]", "[\"https://club.example/live\"]", "[\"https://*.example\"]", "[1]"]
        {
            let error = Config::parse("f", &format!("[livechess]\norigins = {wrong}\n")).unwrap_err();
            assert!(error.mistakes[0].text.contains("for example"), "{wrong}: {error}");
        }
    }
}

//! `[livechess]`: the API that broadcast software knows from DGT LiveChess.
use super::delay::{Delay, LONGEST_S};
use super::quoted::{line, quoted};
use super::reader::{Reader, shown};
use flagfall_events::duration;
use std::net::{Ipv4Addr, SocketAddr};
use std::time::Duration;
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
    /// It shows what is so on the boards now, whatever the general delay.
    pub early: bool,
    /// The same API once more on another port, later.
    pub delayed: Option<DelayedPort>,
    /// Names of this machine that it does not know itself: those of `[web]`, no key of its own.
    pub hosts: Vec<String>,
}

/// The API on a port of its own for whoever may not see everything at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DelayedPort {
    /// Where it listens.
    pub listen: SocketAddr,
    /// How far it is behind.
    pub by: Duration,
}

impl Default for LiveChess {
    fn default() -> Self {
        Self {
            listen: SocketAddr::from((Ipv4Addr::LOCALHOST, 1982)),
            enabled: true,
            origins: Vec::new(),
            early: false,
            delayed: None,
            hosts: Vec::new(),
        }
    }
}

const KEYS: [&str; 6] = ["listen", "enabled", "origins", "early", "delayed_listen", "delayed_by"];

pub(super) fn read(reader: &mut Reader<'_>, value: &Spanned<DeValue<'_>>, general: Delay, into: &mut LiveChess) {
    let (mut listen, mut by) = (None, None);
    reader.section("livechess", value, &KEYS, |reader, name, key, value| match name {
        "listen" => into.listen = reader.address(key, value, "127.0.0.1:1982").unwrap_or(into.listen),
        "enabled" => into.enabled = reader.flag(key, value).unwrap_or(into.enabled),
        "early" => into.early = reader.flag(key, value).unwrap_or(into.early),
        "delayed_listen" => listen = reader.address(key, value, "0.0.0.0:1983").map(|address| (address, value.span())),
        "delayed_by" => by = Some((time(reader, key, value), value.span())),
        _ => into.origins = origins(reader, key, value),
    });
    match (listen, by) {
        (Some((_, span)), None) if !general.is_on() => {
            reader.mistake(span, "livechess.delayed_listen", "says not by how much; add for example delayed_by = \"15m\"");
        }
        (Some((listen, _)), by) => {
            if let Some((by, span)) = by.clone().filter(|(by, _)| general.is_on() && by.is_some_and(|by| by != general.by)) {
                let (own, all) = (duration::print(by.unwrap_or_default()), duration::print(general.by));
                let text = format!("\"{own}\" is not delay = \"{all}\" at the head of the file, which holds for this port; leave it out");
                reader.mistake(span, "livechess.delayed_by", text);
            }
            let by = by.and_then(|(by, _)| by).unwrap_or(general.by);
            into.delayed = Some(DelayedPort { listen, by });
        }
        (None, Some((_, span))) => {
            reader.mistake(span, "livechess.delayed_by", "is for a second port; add for example delayed_listen = \"0.0.0.0:1983\"");
        }
        (None, None) => {}
    }
}

fn time(reader: &mut Reader<'_>, key: &str, value: &Spanned<DeValue<'_>>) -> Option<Duration> {
    let read = value.get_ref().as_str().and_then(duration::parse).filter(|time| time.as_secs() <= LONGEST_S);
    if read.is_none() {
        let text = format!("expected a duration with its unit, at most 4h, not {}; for example delayed_by = \"15m\"", shown(value));
        reader.mistake(value.span(), key, text);
    }
    read
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
    if livechess.early {
        line(out, "early", true);
    }
    if let Some(port) = &livechess.delayed {
        line(out, "delayed_listen", quoted(&port.listen.to_string()));
        line(out, "delayed_by", quoted(&duration::print(port.by)));
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

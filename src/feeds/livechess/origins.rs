//! Which pages may speak to this API. Programs send no `Origin`; browsers always do, and what they send cannot be chosen by the page.
use axum::http::HeaderValue;
use std::net::SocketAddr;

/// Pages that are known to speak this API.
const KNOWN: [&str; 2] = ["https://lichess.org", "https://www.chess.com"];

/// The origins that are let in.
#[derive(Clone, Debug)]
pub(crate) struct Origins(Vec<String>);

impl Origins {
    /// The known ones, our own addresses, and those of the configuration.
    pub(crate) fn new(addresses: &[SocketAddr], configured: &[String]) -> Self {
        let mut all: Vec<String> = KNOWN.map(String::from).to_vec();
        for address in addresses {
            all.push(format!("http://{address}"));
            if address.ip().is_loopback() || address.ip().is_unspecified() {
                for host in ["localhost", "127.0.0.1", "[::1]"] {
                    all.push(format!("http://{host}:{}", address.port()));
                }
            }
        }
        all.extend(configured.iter().map(|origin| plain(origin)));
        Self(all)
    }

    /// Whether a request with this `Origin`, or without one, is let in.
    pub(crate) fn admit(&self, origin: Option<&HeaderValue>) -> bool {
        match origin {
            None => true,
            Some(origin) => origin.to_str().is_ok_and(|origin| self.0.contains(&plain(origin))),
        }
    }
}

/// Host names have no case.
fn plain(origin: &str) -> String {
    origin.trim().trim_end_matches('/').to_ascii_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_known_pages_and_programs_are_let_in() {
        let origins = Origins::new(&["127.0.0.1:1982".parse().unwrap()], &[String::from("https://Club.example/")]);
        for origin in [
            "https://lichess.org",
            "https://www.chess.com",
            "http://localhost:1982",
            "http://127.0.0.1:1982",
            "http://[::1]:1982",
            "https://club.example",
        ] {
            assert!(origins.admit(Some(&HeaderValue::from_static(origin))), "{origin}");
        }
        assert!(origins.admit(None));
        for origin in [
            "",
            "null",
            "https://evil.example",
            "http://lichess.org",
            "https://lichess.org.evil.example",
            "https://xlichess.org",
            "https://lichess.org:444",
            "http://localhost",
            "http://localhost:8064",
            "http://evil.example:1982",
            "file://",
        ] {
            assert!(!origins.admit(Some(&HeaderValue::from_static(origin))), "{origin}");
        }
    }
}

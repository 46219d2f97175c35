//! What no request may do, whoever sends it: be huge, come from another page, or reach this machine under a name that is not its own.
use crate::answer::failure;
use crate::connection::{Peer, is_local};
use axum::extract::{ConnectInfo, Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use std::fs;
use std::net::IpAddr;
use std::sync::Arc;

/// All headers of a request together, bytes.
const MOST_HEADERS: usize = 16 * 1024;
/// An address, bytes.
const LONGEST_ADDRESS: usize = 4 * 1024;

/// Names of this machine.
#[derive(Clone, Debug, Default)]
pub struct Hosts(Arc<Vec<String>>);

impl Hosts {
    /// The names, without ports.
    pub fn names(&self) -> &[String] {
        &self.0
    }

    /// `localhost`, the machine's own name, and `named`.
    pub fn new(named: &[String]) -> Self {
        // The service sees its own processes in /proc and nothing else (ProcSubset=pid); /etc/hostname says the same.
        let own = fs::read_to_string("/proc/sys/kernel/hostname").or_else(|_| fs::read_to_string("/etc/hostname"));
        let own = own.unwrap_or_default().trim().to_ascii_lowercase();
        let mut names: Vec<String> = named.to_vec();
        if !own.is_empty() {
            names.push(format!("{own}.local"));
            names.push(own);
        }
        Self(Arc::new(names))
    }

    /// Whether a page from elsewhere cannot have sent a browser here under this name: names of its own would not be ours.
    pub fn knows(&self, headers: &HeaderMap) -> bool {
        match host(headers) {
            Host::Missing => true,
            Host::Unreadable => false,
            Host::Name(name) => {
                name.eq_ignore_ascii_case("localhost")
                    || name.parse::<IpAddr>().is_ok()
                    || self.0.iter().any(|known| name.eq_ignore_ascii_case(known))
            }
        }
    }
}

enum Host<'a> {
    /// Only old clients leave it out, never a browser.
    Missing,
    Unreadable,
    /// Without the port and the brackets of an address.
    Name(&'a str),
}

fn host(headers: &HeaderMap) -> Host<'_> {
    let mut all = headers.get_all(header::HOST).iter();
    let Some(first) = all.next() else { return Host::Missing };
    let (Ok(text), None) = (first.to_str(), all.next()) else { return Host::Unreadable };
    let name = match text.strip_prefix('[') {
        Some(rest) => rest.split(']').next().unwrap_or(rest),
        None => text.split(':').next().unwrap_or(text),
    };
    Host::Name(name)
}

/// The request was not made by another site's page. Programs that are no browsers say nothing about it, and pass.
pub(crate) fn is_own_site(headers: &HeaderMap) -> bool {
    let site = headers.get("sec-fetch-site").map(|value| value.as_bytes());
    if site.is_some_and(|site| site != b"same-origin" && site != b"none") {
        return false;
    }
    let Some(origin) = headers.get(header::ORIGIN) else { return true };
    let Some((_, authority)) = origin.to_str().ok().and_then(|origin| origin.split_once("://")) else { return false };
    headers.get(header::HOST).is_some_and(|host| host.as_bytes().eq_ignore_ascii_case(authority.as_bytes()))
}

/// Stands before every route.
pub(crate) async fn guard(State(hosts): State<Hosts>, request: Request, next: Next) -> Response {
    let headers = request.headers();
    let size: usize = headers.iter().map(|(name, value)| name.as_str().len() + value.len() + 4).sum();
    if size > MOST_HEADERS {
        return failure(StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE, "the headers are too long", "16 KiB is the most");
    }
    if request.uri().to_string().len() > LONGEST_ADDRESS {
        return failure(StatusCode::URI_TOO_LONG, "the address is too long", "4 KiB is the most");
    }
    let peer = request.extensions().get::<ConnectInfo<Peer>>().map(|info| &info.0);
    if let Some(place) = peer.and_then(|peer| peer.place.as_ref()) {
        place.asked();
    }
    if peer.and_then(Peer::address).is_some_and(is_local) && !hosts.knows(headers) {
        return failure(
            StatusCode::MISDIRECTED_REQUEST,
            "this machine is not known by that name",
            "use 127.0.0.1 or localhost; for a proxy on this machine add its name to hosts = [\"…\"] in [web]",
        );
    }
    let path = request.uri().path();
    let public_stream = path.starts_with("/api/v1/") && path.ends_with("/events") && !path.starts_with("/api/v1/arbiter/");
    if public_stream && peer.and_then(|peer| peer.place.as_ref()).is_some_and(|place| !place.stream()) {
        let answer = failure(
            StatusCode::SERVICE_UNAVAILABLE,
            "all places for live streams are taken",
            "try again in a minute; pages and games are served",
        );
        return ([(header::RETRY_AFTER, HeaderValue::from_static("60"))], answer).into_response();
    }
    let reads = matches!(*request.method(), Method::GET | Method::HEAD | Method::OPTIONS);
    if !reads && !is_own_site(headers) {
        return foreign();
    }
    next.run(request).await
}

/// The refusal for requests that another site's page makes.
pub(crate) fn foreign() -> Response {
    failure(StatusCode::FORBIDDEN, "the request comes from another site", "use flagfall's own pages, or a program")
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::{HeaderName, HeaderValue};

    fn headers(of: &[(&'static str, &str)]) -> HeaderMap {
        of.iter().map(|(name, value)| (HeaderName::from_static(name), HeaderValue::from_str(value).unwrap())).collect()
    }

    #[test]
    fn requests_of_other_sites_are_seen() {
        for (of, own) in [
            (&[("host", "a:1")][..], true),
            (&[("host", "a:1"), ("origin", "http://a:1")], true),
            (&[("host", "a:1"), ("origin", "http://A:1"), ("sec-fetch-site", "same-origin")], true),
            (&[("host", "a:1"), ("origin", "http://a:2")], false),
            (&[("host", "a:1"), ("origin", "http://a")], false),
            (&[("host", "a:1"), ("origin", "null")], false),
            (&[("origin", "http://a:1")], false),
            (&[("host", "a:1"), ("sec-fetch-site", "cross-site")], false),
            (&[("host", "a:1"), ("sec-fetch-site", "same-site")], false),
            (&[("host", "a:1"), ("sec-fetch-site", "none")], true),
        ] {
            assert_eq!(is_own_site(&headers(of)), own, "{of:?}");
        }
    }

    #[test]
    fn only_this_machines_names_are_known() {
        let hosts = Hosts::new(&[String::from("boards.club.example")]);
        for (host, known) in [
            ("127.0.0.1:8064", true),
            ("[::1]:8064", true),
            ("LOCALHOST", true),
            ("192.0.2.7", true),
            ("boards.club.example:443", true),
            ("evil.example", false),
            ("localhost.evil.example", false),
            ("127.0.0.1.evil.example:8064", false),
            ("", false),
        ] {
            assert_eq!(hosts.knows(&headers(&[("host", host)])), known, "{host}");
        }
        assert!(hosts.knows(&headers(&[])));
        assert!(!hosts.knows(
            &headers(&[("host", "localhost"), ("host", "localhost")][..1]).into_iter().chain(headers(&[("host", "x")])).fold(
                HeaderMap::new(),
                |mut all, (name, value)| {
                    all.append(name.unwrap_or(header::HOST), value);
                    all
                }
            )
        ));
    }
}

//! `flagfall doctor --source-url`: fetches an address as Lichess does, and says what Lichess would not like.
use crate::cli::ExitError;
use crate::config::source_url::hurdles;
use crate::feeds::bounded::{self, Unread};
use pgn_reader::{RawTag, Reader, Skip, Visitor};
use reqwest::header::{CONTENT_TYPE, ETAG, HeaderName, IF_NONE_MATCH, LOCATION};
use reqwest::{Client, Response};
use std::error::Error as _;
use std::ops::ControlFlow;
use std::time::Duration;

/// Lichess waits no longer.
const PATIENCE: Duration = Duration::from_secs(6);
/// Games that Lichess shows.
const SHOWN: usize = 100;
/// More is no round.
const LONGEST: usize = 16 * 1024 * 1024;

/// What was found: first what is so, then what is wrong, each with what to do.
#[derive(Debug, Default)]
pub(super) struct Report {
    pub(super) so: Vec<String>,
    pub(super) wrong: Vec<String>,
}

/// Fetches `url`, as Lichess does and from here.
pub(super) fn ask(url: &str) -> Result<Report, ExitError> {
    crate::feeds::tls_provider();
    let cannot = |error: &dyn std::fmt::Display| ExitError::unavailable(format_args!("cannot start: {error}"));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(|error| cannot(&error))?;
    let client = Client::builder()
        .user_agent(concat!("flagfall-doctor/", env!("CARGO_PKG_VERSION")))
        .redirect(reqwest::redirect::Policy::none())
        .timeout(PATIENCE)
        .build()
        .map_err(|error| cannot(&error))?;
    let mut report = Report { wrong: hurdles(url), ..Report::default() };
    runtime.block_on(fetch(&client, url, &mut report));
    Ok(report)
}

async fn fetch(client: &Client, url: &str, report: &mut Report) {
    let mut answer = match client.get(url).send().await {
        Ok(answer) => answer,
        Err(error) => return report.wrong.push(unreachable(&error)),
    };
    let status = answer.status();
    let etag = header(&answer, ETAG);
    if status.is_redirection() {
        let to = header(&answer, LOCATION).unwrap_or_else(|| String::from("another address"));
        return report.wrong.push(format!("it answers with a redirection ({status}) to {to}; Lichess follows none: give it that address"));
    }
    if status != 200 {
        return report
            .wrong
            .push(format!("it answers {status}; Lichess takes 200 only: check the path, and that no password is asked for"));
    }
    let kind = header(&answer, CONTENT_TYPE).unwrap_or_default();
    match bounded::body(&mut answer, LONGEST).await {
        Err(Unread::TooLong) => report.wrong.push(String::from("what it answers is longer than any round")),
        Ok(body) => {
            report.so.push(format!("it answers from here: {} bytes of {}", body.len(), if kind.is_empty() { "no type" } else { &kind }));
            content(&kind, &body, report);
        }
        Err(Unread::Broken(error)) => return report.wrong.push(unreachable(&error)),
    }
    cache(client, url, etag, report).await;
}

/// What Lichess reads there.
fn content(kind: &str, body: &[u8], report: &mut Report) {
    let lower = kind.to_lowercase();
    if lower.starts_with("text/") && !lower.contains("charset") {
        report.wrong.push(format!(
            "the type {kind} names no charset, so Lichess reads it as ISO-8859-1 and names are garbled: send application/x-chess-pgn; charset=utf-8"
        ));
    }
    let games = match games(body) {
        Ok(games) => games,
        Err(why) => return report.wrong.push(format!("it is no PGN ({why}); Lichess drops the whole answer: check the address")),
    };
    report.so.push(format!("games: {}", games.len()));
    if games.is_empty() {
        report.wrong.push(String::from("there is no game in it; Lichess counts that as a failure: load the pairings"));
    }
    if games.len() > SHOWN {
        report.wrong.push(format!("Lichess shows the first {SHOWN} games only: divide the boards between two rounds"));
    }
    let nameless: Vec<_> = games.iter().enumerate().filter(|(_, named)| !**named).map(|(i, _)| (i + 1).to_string()).collect();
    if !nameless.is_empty() {
        report.wrong.push(format!("games without names are dropped by Lichess: number {}", nameless.join(", ")));
    }
}

/// The same question as Lichess asks it the second time: the tag without its quotes.
async fn cache(client: &Client, url: &str, etag: Option<String>, report: &mut Report) {
    let Some(etag) = etag else {
        return report
            .wrong
            .push(String::from("it sends no ETag, so everything is fetched anew every few seconds: let the server send one"));
    };
    if etag.starts_with("W/") {
        report.wrong.push(format!("its ETag {etag} is a weak one, which comes back changed: switch compression off for this address"));
    }
    let plain = etag.trim_start_matches("W/").trim_matches('"');
    let Ok(again) = client.get(url).header(IF_NONE_MATCH, plain).send().await else { return };
    match (again.status().as_u16(), header(&again, ETAG)) {
        (304, Some(other)) if other != etag => report.wrong.push(format!(
            "unchanged games are answered with another ETag ({other} for {etag}); Lichess then reads an empty answer: mend the proxy"
        )),
        (304, _) => report.so.push(String::from("unchanged games are not sent again")),
        _ => {}
    }
}

fn header(answer: &Response, name: HeaderName) -> Option<String> {
    answer.headers().get(name)?.to_str().ok().map(String::from)
}

fn unreachable(error: &reqwest::Error) -> String {
    if error.is_timeout() {
        return format!("no answer within {} s; Lichess waits no longer: is the address right, is the port forwarded?", PATIENCE.as_secs());
    }
    let mut why = error.to_string();
    let mut cause = error.source();
    while let Some(inner) = cause {
        why = inner.to_string();
        cause = inner.source();
    }
    format!("it cannot be reached from here ({why}); check the address, the port, the proxy")
}

/// For each game, whether both players have names.
fn games(body: &[u8]) -> Result<Vec<bool>, String> {
    let mut reader = Reader::new(body);
    let mut games = Vec::new();
    while let Some(named) = reader.read_game(&mut Names).map_err(|error| error.to_string())? {
        games.push(named);
    }
    Ok(games)
}

struct Names;

impl Visitor for Names {
    type Tags = (bool, bool);
    type Movetext = (bool, bool);
    type Output = bool;

    fn begin_tags(&mut self) -> ControlFlow<bool, Self::Tags> {
        ControlFlow::Continue((false, false))
    }

    fn tag(&mut self, names: &mut Self::Tags, name: &[u8], value: RawTag<'_>) -> ControlFlow<bool> {
        // One letter and "?" are no names to Lichess.
        let named = value.decode().len() > 1;
        match name {
            b"White" | b"WhiteFideId" => names.0 |= named,
            b"Black" | b"BlackFideId" => names.1 |= named,
            _ => {}
        }
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, names: Self::Tags) -> ControlFlow<bool, Self::Movetext> {
        ControlFlow::Continue(names)
    }

    fn begin_variation(&mut self, _: &mut Self::Movetext) -> ControlFlow<bool, Skip> {
        ControlFlow::Continue(Skip(true))
    }

    fn end_game(&mut self, names: Self::Movetext) -> bool {
        names.0 && names.1
    }
}

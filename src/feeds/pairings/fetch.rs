//! Lists that are fetched: the only file here that touches the network.
use super::polling::{Answer, News, Polling, Validators};
use crate::bounded::{self, Unread};
use crate::client::USER_AGENT;
use flagfall_config::list_source::WebList;
use flagfall_config::source_url::is_near;
use reqwest::header::{ACCEPT, ETAG, HeaderMap, IF_MODIFIED_SINCE, IF_NONE_MATCH, LAST_MODIFIED, LOCATION, RETRY_AFTER};
use reqwest::redirect::{Attempt, Policy};
use std::error::Error as _;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{Notify, mpsc};

/// For the connection alone.
const CONNECT: Duration = Duration::from_secs(10);
/// For a whole list.
const PATIENCE: Duration = Duration::from_secs(30);
/// Larger answers are no lists, in bytes.
pub const LARGEST: usize = 16 * 1024 * 1024;
/// Shared documents are handed on once or twice.
const REDIRECTS: usize = 5;
/// What is understood.
const UNDERSTOOD: &str = "application/x-chess-pgn, text/csv, application/json, text/plain, */*;q=0.5";

/// Asks for lists.
#[derive(Clone, Debug)]
pub struct Client(reqwest::Client);

impl Client {
    /// A client that follows redirections only within the same scheme, and none into the hall's own network.
    ///
    /// # Errors
    /// The machine has no certificates to trust.
    pub fn new() -> reqwest::Result<Self> {
        crate::tls_provider();
        let http = reqwest::Client::builder()
            .user_agent(USER_AGENT)
            .redirect(Policy::custom(|attempt| if may_follow(&attempt) { attempt.follow() } else { attempt.stop() }))
            .connect_timeout(CONNECT)
            .timeout(PATIENCE)
            .build()?;
        Ok(Self(http))
    }

    /// Asks once.
    pub async fn get(&self, list: &WebList, known: &Validators) -> Answer {
        let mut request = self.0.get(list.url().clone()).header(ACCEPT, UNDERSTOOD);
        for (name, value) in [(IF_NONE_MATCH, &known.etag), (IF_MODIFIED_SINCE, &known.modified)] {
            if let Some(value) = value {
                request = request.header(name, value);
            }
        }
        let mut answer = match request.send().await {
            Ok(answer) => answer,
            Err(error) => return broken(&error),
        };
        let (status, headers) = (answer.status().as_u16(), answer.headers().clone());
        match status {
            200 => {}
            304 => return Answer::Unchanged,
            301 | 302 | 303 | 307 | 308 => {
                return Answer::Moved(text(&headers, LOCATION).unwrap_or_else(|| String::from("another address")));
            }
            _ => return Answer::Status(status, text(&headers, RETRY_AFTER).and_then(|s| s.trim().parse().ok()).map(Duration::from_secs)),
        }
        match bounded::body(&mut answer, LARGEST).await {
            Ok(body) => Answer::Body(body, Validators { etag: text(&headers, ETAG), modified: text(&headers, LAST_MODIFIED) }),
            Err(Unread::TooLong) => Answer::TooLong,
            Err(Unread::Broken(error)) => broken(&error),
        }
    }

    /// Asks once, whatever is known.
    ///
    /// # Errors
    /// Why there is no list, and what to do.
    pub async fn once(&self, list: &WebList) -> Result<Vec<u8>, String> {
        match Polling::default().answered(self.get(list, &Validators::default()).await).0 {
            Some(News::List(bytes)) => Ok(bytes),
            Some(News::Failing(why)) => Err(why),
            Some(News::Back) | None => Err(String::from("sends no list though none is known; compare the address")),
        }
    }
}

/// Asks again and again, for as long as somebody listens; `again` asks at once and makes whatever comes news.
pub async fn follow(list: WebList, again: Arc<Notify>, news: mpsc::Sender<News>) {
    let client = match Client::new() {
        Ok(client) => client,
        Err(error) => {
            let _ = news.send(News::Failing(format!("cannot speak HTTPS: {error}; install ca-certificates and restart flagfall"))).await;
            return;
        }
    };
    let mut polling = Polling::default();
    loop {
        let answer = client.get(&list, polling.validators()).await;
        let (new, wait) = polling.answered(answer);
        if let Some(new) = new
            && news.send(new).await.is_err()
        {
            return;
        }
        tokio::select! {
            () = tokio::time::sleep(wait) => {}
            () = again.notified() => polling.again(),
            () = news.closed() => return,
        }
    }
}

fn may_follow(attempt: &Attempt<'_>) -> bool {
    let Some(first) = attempt.previous().first() else { return false };
    let to = attempt.url();
    attempt.previous().len() <= REDIRECTS && to.scheme() == first.scheme() && (is_near(first) || !is_near(to))
}

fn text(headers: &HeaderMap, name: impl reqwest::header::AsHeaderName) -> Option<String> {
    headers.get(name)?.to_str().ok().map(String::from)
}

fn broken(error: &reqwest::Error) -> Answer {
    if error.is_timeout() {
        return Answer::TimedOut;
    }
    // The innermost cause is the one for people.
    let mut cause = error.source();
    let mut why = String::from("the connection failed");
    while let Some(inner) = cause {
        why = inner.to_string();
        cause = inner.source();
    }
    Answer::Broken(why)
}

#[cfg(test)]
#[path = "fetch_tests.rs"]
mod tests;

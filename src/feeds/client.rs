//! Requests to others over HTTP.
use reqwest::redirect::Policy;
use std::time::Duration;

/// Who asks.
pub(crate) const USER_AGENT: &str = concat!("flagfall/", env!("CARGO_PKG_VERSION"));

/// A client that follows nobody elsewhere, since a redirection would carry what is sent to somebody else, and waits so long for a whole answer.
///
/// # Errors
/// In words: no requests can be made on this machine.
pub(crate) fn new(patience: Duration) -> Result<reqwest::Client, String> {
    crate::tls_provider();
    let built = reqwest::Client::builder().user_agent(USER_AGENT).redirect(Policy::none()).timeout(patience).build();
    built.map_err(|error| format!("no requests can be made: {error}; install ca-certificates"))
}

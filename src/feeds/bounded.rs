//! Answers of others with a bound: who is asked never decides how much memory the answer takes.
use reqwest::Response;

/// What is said of a server whose answer is longer than any.
#[cfg(feature = "uploads")]
pub(crate) const ENDLESS: &str = "the server's answer has no end; is this the right address?";

/// Why a body was not read to its end.
#[derive(Debug)]
pub enum Unread {
    /// More came than an answer may have.
    TooLong,
    /// The connection failed, or it took too long.
    Broken(reqwest::Error),
}

/// The body of an answer, `most` bytes of it at most.
///
/// # Errors
/// It is longer, or it did not come whole.
pub async fn body(answer: &mut Response, most: usize) -> Result<Vec<u8>, Unread> {
    let mut body = Vec::new();
    while let Some(chunk) = answer.chunk().await.map_err(Unread::Broken)? {
        if chunk.len() > most - body.len() {
            return Err(Unread::TooLong);
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body)
}

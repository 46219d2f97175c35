//! HTTP for opendal with bounds. opendal's services gather every answer whole before they look at it, an error's text or a page of a list
//! alike, and set no limit and no time.
use crate::bounded::ENDLESS;
use axum::http::{Request, Response};
use futures_util::StreamExt as _;
use opendal::{Buffer, Error, ErrorKind, HttpBody, HttpTransport, Result};
use opendal_http_transport_reqwest::ReqwestTransport;
use std::time::Duration;

/// The longest answer: a page of a list has a thousand names of a kilobyte at most.
const LONGEST: usize = 2 * 1024 * 1024;
/// For the connection alone.
const CONNECT: Duration = Duration::from_secs(10);
/// For one request, the answer to its last byte.
const PATIENCE: Duration = Duration::from_secs(60);

/// A transport whose answers end.
pub(super) struct Answers(ReqwestTransport);

impl Answers {
    pub(super) fn new() -> Result<Self> {
        // A server's headers are bounded by hyper: a hundred of them, 400 kilobytes.
        let client = reqwest::Client::builder().connect_timeout(CONNECT).timeout(PATIENCE).pool_max_idle_per_host(4).build();
        let cannot = |error| Error::new(ErrorKind::ConfigInvalid, "no connection can be made").set_source(error);
        Ok(Self(ReqwestTransport::new(client.map_err(cannot)?)))
    }
}

impl HttpTransport for Answers {
    async fn fetch(&self, request: Request<Buffer>) -> Result<Response<HttpBody>> {
        let (head, body) = self.0.fetch(request).await?.into_parts();
        let mut left = LONGEST;
        let body = body.map_inner(|stream| {
            Box::new(stream.map(move |chunk| {
                let chunk = chunk?;
                left = left.checked_sub(chunk.len()).ok_or_else(|| Error::new(ErrorKind::Unexpected, ENDLESS))?;
                Ok(chunk)
            }))
        });
        Ok(Response::from_parts(head, body))
    }
}

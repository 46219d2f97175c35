//! What a browser may do with a page: where it may load from, and who may show it in a frame.
use axum::http::{HeaderValue, header};
use axum::response::Response;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest as _, Sha256};

/// What every page may load: its own files, and nothing from elsewhere; nothing in it runs that is not one of them.
macro_rules! own {
    ($ancestors:literal) => {
        concat!(
            "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; ",
            "form-action 'none'; object-src 'none'; frame-ancestors ",
            $ancestors
        )
    };
}

/// Of all pages but those that are made for it: in nobody's frame.
const UNFRAMED: HeaderValue = HeaderValue::from_static(own!("'none'"));
/// Of pages that are made for the frames of other sites.
const FRAMED: HeaderValue = HeaderValue::from_static(own!("*"));

/// The policy of a page with this style and this script in it, of which nothing else may run.
pub(crate) fn inline(style: &str, script: &str) -> Option<HeaderValue> {
    let hash = |text: &str| format!("'sha256-{}'", STANDARD.encode(Sha256::digest(text)));
    let with = |own: &str, kind: &str, hash: String| own.replacen(&format!("{kind} 'self'"), &format!("{kind} 'self' {hash}"), 1);
    let policy = with(own!("'none'"), "script-src", hash(script));
    HeaderValue::try_from(with(&policy, "style-src", hash(style))).ok()
}

/// In nobody's frame, for browsers that do not know policies.
pub(crate) fn alone(mut answer: Response) -> Response {
    answer.headers_mut().insert(header::X_FRAME_OPTIONS, HeaderValue::from_static("DENY"));
    answer
}

/// Any site may show this answer in a frame.
pub(crate) fn framed(mut answer: Response) -> Response {
    answer.headers_mut().insert(header::CONTENT_SECURITY_POLICY, FRAMED);
    answer
}

/// The policy of every answer that has none of its own.
pub(crate) async fn unframed(mut answer: Response) -> Response {
    let headers = answer.headers_mut();
    if !headers.contains_key(header::CONTENT_SECURITY_POLICY) {
        headers.insert(header::CONTENT_SECURITY_POLICY, UNFRAMED);
        return alone(answer);
    }
    answer
}

//! A server that keeps what it is sent.
use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, Uri};
use std::sync::Arc;
use std::sync::atomic::{AtomicU16, Ordering};
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::sync::mpsc;

/// One request.
#[derive(Debug)]
pub(crate) struct Sent {
    pub(crate) path: String,
    pub(crate) body: Bytes,
    headers: HeaderMap,
}

impl Sent {
    /// A header; nothing where it is missing.
    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
    }

    pub(crate) fn text(&self) -> &str {
        std::str::from_utf8(&self.body).unwrap()
    }
}

#[derive(Clone)]
struct Kept {
    sent: mpsc::UnboundedSender<Sent>,
    status: Arc<AtomicU16>,
}

/// The server; it answers 201 until it is told otherwise.
pub(crate) struct Double {
    pub(crate) root: String,
    sent: mpsc::UnboundedReceiver<Sent>,
    status: Arc<AtomicU16>,
}

impl Double {
    pub(crate) async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let root = format!("http://{}", listener.local_addr().unwrap());
        let (sender, sent) = mpsc::unbounded_channel();
        let status = Arc::new(AtomicU16::new(201));
        let app = Router::new().fallback(keep).with_state(Kept { sent: sender, status: status.clone() });
        tokio::spawn(async move { axum::serve(listener, app).await });
        Self { root, sent, status }
    }

    /// What comes next.
    pub(crate) async fn next(&mut self) -> Sent {
        tokio::time::timeout(Duration::from_secs(60), self.sent.recv()).await.expect("nothing is sent").unwrap()
    }

    /// Answers this from now on.
    pub(crate) fn answer(&self, status: u16) {
        self.status.store(status, Ordering::SeqCst);
    }
}

async fn keep(State(kept): State<Kept>, uri: Uri, headers: HeaderMap, body: Bytes) -> StatusCode {
    _ = kept.sent.send(Sent { path: String::from(uri.path()), body, headers });
    StatusCode::from_u16(kept.status.load(Ordering::SeqCst)).unwrap()
}

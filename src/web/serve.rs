//! Serving routes until the daemon ends: on an address, encrypted or not, and on the machine's own socket.
use crate::Peer;
use crate::connection::{Limited, OwnListener};
use crate::local::Local;
use axum::Router;
use std::io;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;
use tokio_util::sync::CancellationToken;

/// How long open answers may take to end once the daemon stops.
const FAREWELL: Duration = Duration::from_secs(2);

/// Serves `app` until `token` is cancelled, encrypted where there is a certificate; then other answers may finish within two seconds.
///
/// # Errors
/// When the listener itself fails for good.
pub async fn serve_app(listener: TcpListener, tls: Option<TlsAcceptor>, app: Router, token: CancellationToken) -> io::Result<()> {
    let app = app.into_make_service_with_connect_info::<Peer>();
    let listener = Limited::new(listener, tls);
    until_farewell(axum::serve(listener, app).with_graceful_shutdown(token.clone().cancelled_owned()).into_future(), token).await
}

/// Serves `app` to the machine's own commands, until `token` is cancelled.
///
/// # Errors
/// When the listener itself fails for good.
pub async fn serve_local(local: Local, app: Router, token: CancellationToken) -> io::Result<()> {
    let app = app.into_make_service_with_connect_info::<Peer>();
    let listener = OwnListener::new(local);
    until_farewell(axum::serve(listener, app).with_graceful_shutdown(token.clone().cancelled_owned()).into_future(), token).await
}

/// Open answers end by then.
async fn until_farewell(serving: impl Future<Output = io::Result<()>>, token: CancellationToken) -> io::Result<()> {
    let expired = async {
        token.cancelled().await;
        tokio::time::sleep(FAREWELL).await;
    };
    tokio::select! {
        ended = serving => ended,
        () = expired => Ok(()),
    }
}

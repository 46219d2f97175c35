//! Where simulated boards are: why there is no port, and when they end.
use crate::cli::ExitError;
use std::io::{self, ErrorKind};
use tokio::signal::unix::{SignalKind, signal};

/// Why there is no port to play on.
pub(super) fn no_port(error: io::Error) -> ExitError {
    match error.kind() {
        ErrorKind::AlreadyExists | ErrorKind::InvalidInput => ExitError::usage(error),
        ErrorKind::PermissionDenied => ExitError::permission(format_args!("{error}; choose a folder of your own for --link")),
        ErrorKind::NotFound => ExitError::io(format_args!("{error}; create the folder first")),
        _ => ExitError::unavailable(format_args!("no pseudo-terminal: {error}")),
    }
}

/// Ctrl-C or SIGTERM.
pub(super) async fn stopped() {
    match signal(SignalKind::terminate()) {
        Ok(mut terminate) => {
            tokio::select! {
                _ = tokio::signal::ctrl_c() => {}
                _ = terminate.recv() => {}
            }
        }
        Err(_) => drop(tokio::signal::ctrl_c().await),
    }
}

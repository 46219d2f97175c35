//! Opening a connection.
use crate::config::nats::Nats;
use crate::publish::nats::wire;
use async_nats::{Client, ConnectOptions, Event, ServerError};
use std::path::Path;
use std::time::Duration;
use tokio::sync::mpsc;

/// A server that does not answer pings for three times so long is gone.
const PING: Duration = Duration::from_secs(2);
/// Opening a connection may take so long.
const OPENING: Duration = Duration::from_secs(5);

/// A connection, and the news of its end.
#[derive(Debug)]
pub(crate) struct Connection {
    /// For requests and subscriptions.
    pub(crate) client: Client,
    /// Says why, once it is lost. A connection does not come back; open another one.
    pub(crate) lost: mpsc::Receiver<String>,
}

/// Opens a connection as the configuration says. `inbox` is the prefix under which answers come, as the account allows it.
///
/// # Errors
/// In words: what failed, what to do.
pub(crate) async fn connect(config: &Nats, name: &str, inbox: &str) -> Result<Connection, String> {
    crate::publish::tls_provider();
    let mut options = ConnectOptions::new();
    if let Some(path) = &config.nkey_file {
        options = options.nkey(secret(path)?);
    } else if let (Some(user), Some(path)) = (&config.user, &config.password_file) {
        options = options.user_and_password(user.clone(), secret(path)?);
    }
    if let Some(path) = &config.tls_ca {
        options = options.add_root_certificates(path.clone()).require_tls(true);
    }
    let (tell, lost) = mpsc::channel(4);
    let told = move |event| {
        let tell = tell.clone();
        async move {
            let why = match event {
                Event::Disconnected | Event::Closed => String::from("the connection was lost"),
                Event::ServerError(ServerError::Other(text)) => {
                    tracing::warn!("nats: the server says: {text}");
                    return;
                }
                other => {
                    tracing::debug!("nats: {other}");
                    return;
                }
            };
            // It is told once.
            _ = tell.try_send(why);
        }
    };
    let servers: Vec<async_nats::ServerAddr> = config
        .servers
        .iter()
        .map(|server| server.parse().map_err(|error| format!("{server}: {error}; write nats://HOST:PORT")))
        .collect::<Result<_, String>>()?;
    let options = options
        .name(format!("flagfall {name}"))
        .custom_inbox_prefix(inbox)
        .connection_timeout(OPENING)
        .ping_interval(PING)
        .ignore_discovered_servers()
        // One round through all servers; the pauses are ours.
        .max_reconnects(servers.len() + 1)
        .reconnect_delay_callback(|_| Duration::from_millis(20))
        .event_callback(told);
    let client = options.connect(servers).await.map_err(|error| {
        let remedy = match error.kind() {
            async_nats::ConnectErrorKind::Authentication | async_nats::ConnectErrorKind::AuthorizationViolation => {
                "the account is unknown there or its secret is wrong; look at [nats] here and at the server's accounts"
            }
            async_nats::ConnectErrorKind::Tls => {
                "TLS failed: is tls_ca the certificate that signed the server's, and is the server's name in it?"
            }
            _ => "look at the network and at nats-server",
        };
        format!("{}: {error}; {remedy}", config.servers.join(", "))
    })?;
    Ok(Connection { client, lost })
}

fn secret(path: &Path) -> Result<String, String> {
    let text =
        std::fs::read_to_string(path).map_err(|error| format!("{}: {error}; the broker's secret is read from there", path.display()))?;
    Ok(String::from(text.trim()))
}

/// The inbox prefix of a machine's account.
pub(crate) fn inbox(name: &str) -> String {
    format!("_INBOX_{}", wire::token(name))
}

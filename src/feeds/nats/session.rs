//! Finding a server, and what runs while one answers. A lost connection ends all of it, and the next one begins by asking the stream how far it is.
use super::feed::{self, Pause};
use super::station::Station;
use super::{orders, presence, reach, settings, wire};
use async_nats::{Client, ConnectOptions, Event, ServerError};
use flagfall_config::nats::Nats;
use futures_util::FutureExt as _;
use std::collections::HashSet;
use std::panic::AssertUnwindSafe;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc;
use tokio::task::JoinSet;
use tokio::time::sleep;

/// After the first try; each further pause is twice as long …
const FIRST_PAUSE: Duration = Duration::from_millis(200);
/// … up to this one: a machine that can be heard again is heard within ten seconds.
const LONGEST_PAUSE: Duration = Duration::from_secs(5);
/// A connection that held so long was a good one, milliseconds.
const GOOD: u64 = 10_000;
/// A server that does not answer pings for three times so long is gone.
const PING: Duration = Duration::from_secs(2);
/// Opening a connection may take so long.
const OPENING: Duration = Duration::from_secs(5);

/// A connection, and the news of its end.
#[derive(Debug)]
pub struct Connection {
    /// For requests and subscriptions.
    pub client: Client,
    /// Says why, once it is lost. A connection does not come back; open another one.
    pub lost: mpsc::Receiver<String>,
    /// What the account may not, as the server says it.
    pub denied: mpsc::Receiver<String>,
}

/// Opens a connection as the configuration says. `inbox` is the prefix under which answers come, as the account allows it.
///
/// # Errors
/// In words: what failed, what to do.
pub async fn connect(config: &Nats, name: &str, inbox: &str) -> Result<Connection, String> {
    crate::tls_provider();
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
    let (deny, denied) = mpsc::channel(64);
    let told = move |event| {
        let (tell, deny) = (tell.clone(), deny.clone());
        async move {
            let why = match event {
                Event::Disconnected | Event::Closed => String::from("the connection was lost"),
                Event::ServerError(ServerError::Other(text)) => {
                    tracing::warn!("nats: the server says: {text}");
                    // Who does not listen is not told.
                    _ = deny.try_send(text);
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
    // A machine that is off answers nothing, not even no: waiting for it would take longer than all else.
    let servers: Vec<async_nats::ServerAddr> = reach::answering(&config.servers)
        .await
        .into_iter()
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
            _ => "look at the network, at nats-server and, where a certificate is refused, at tls_ca",
        };
        format!("{}: {error}; {remedy}", config.servers.join(", "))
    })?;
    Ok(Connection { client, lost, denied })
}

fn secret(path: &Path) -> Result<String, String> {
    let text =
        std::fs::read_to_string(path).map_err(|error| format!("{}: {error}; the broker's secret is read from there", path.display()))?;
    Ok(String::from(text.trim()))
}

/// Keeps a connection for as long as the station lasts.
pub(super) async fn run(station: Arc<Station>) {
    let stop = station.stop.clone();
    let kept = async {
        while AssertUnwindSafe(keep(&station)).catch_unwind().await.is_err() {
            tracing::error!("a mistake in flagfall; the connection to the broker begins anew");
            sleep(LONGEST_PAUSE).await;
        }
    };
    tokio::select! {
        () = stop.cancelled() => {}
        () = kept => {}
    }
}

async fn keep(station: &Arc<Station>) {
    let mut pause = Pause::new(FIRST_PAUSE, LONGEST_PAUSE);
    let inbox = inbox(&station.pi);
    loop {
        match connect(&station.config, &station.pi, &inbox).await {
            Ok(connection) => {
                let since = station.stopwatch.now();
                station.set_away(None);
                let why = serve(station, connection).await;
                station.set_away(Some(why));
                if station.stopwatch.now().since(since) > GOOD {
                    pause.reset();
                }
            }
            Err(why) => station.set_away(Some(why)),
        }
        sleep(pause.next()).await;
    }
}

/// Everything that runs while the connection holds; why it ended.
async fn serve(station: &Arc<Station>, connection: Connection) -> String {
    let Connection { client, mut lost, mut denied } = connection;
    let mut tasks = JoinSet::new();
    tasks.spawn(presence::keep(station.clone(), client.clone()));
    tasks.spawn(settings::follow(station.clone(), client.clone()));
    let mut grown = station.grown.subscribe();
    let mut known: HashSet<Arc<str>> = HashSet::new();
    loop {
        for (board, _) in station.list() {
            if known.insert(board.name.clone()) {
                tasks.spawn(feed::keep(station.clone(), board.clone(), client.clone()));
                if station.delay_ms.is_some() {
                    tasks.spawn(feed::show_later(station.clone(), board.clone(), client.clone()));
                }
                tasks.spawn(orders::listen(station.clone(), board, client.clone()));
            }
        }
        tokio::select! {
            why = lost.recv() => return why.unwrap_or_else(|| String::from("the connection was lost")),
            Some(text) = denied.recv() => station.deny(&text),
            Some(ended) = tasks.join_next() => {
                if ended.is_err() {
                    tracing::error!("a mistake in flagfall; the connection to the broker begins anew");
                }
                return String::from("a part of it ended");
            }
            changed = grown.changed() => if changed.is_err() { return String::from("the daemon ends") },
        }
    }
}

/// The inbox prefix of a machine's account.
pub fn inbox(name: &str) -> String {
    format!("_INBOX_{}", wire::token(name))
}

//! Whether a server answers. Every `nats-server` says who it is in its first line, before it asks for a password or TLS: one connection and that line
//! are enough, and no account needs to be allowed anything for it.
use async_nats::ServerAddr;
use serde::Deserialize;
use std::io;
use std::time::Duration;
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, BufReader};
use tokio::net::TcpStream;
use tokio::task::JoinSet;
use tokio::time::timeout;

/// A server may take so long to say who it is.
const PATIENCE: Duration = Duration::from_secs(2);
/// When the first one has answered, the others may take so much longer.
const GRACE: Duration = Duration::from_millis(300);
/// Its first line is not longer than this.
const LINE: u64 = 64 * 1024;

/// What a server says of itself.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Answered {
    /// Its name in the cluster.
    #[serde(default, rename = "server_name")]
    pub name: String,
    /// Of nats-server.
    #[serde(default)]
    pub version: String,
}

/// Asks the server at `address`, as `[nats] servers` has it, who it is.
///
/// # Errors
/// In words: why it did not answer in time.
pub async fn ask(address: &str) -> Result<Answered, String> {
    let address: ServerAddr = address.parse().map_err(|error| format!("{error}; write nats://HOST:PORT"))?;
    match timeout(PATIENCE, first_line(&address)).await {
        Ok(Ok(line)) => read(&line),
        Ok(Err(error)) => Err(error.to_string()),
        Err(_) => Err(format!("nothing came within {} seconds", PATIENCE.as_secs())),
    }
}

async fn first_line(address: &ServerAddr) -> io::Result<String> {
    let stream = TcpStream::connect((address.host(), address.port())).await?;
    let mut line = String::new();
    BufReader::new(stream.take(LINE)).read_line(&mut line).await?;
    Ok(line)
}

fn read(line: &str) -> Result<Answered, String> {
    let said = line.strip_prefix("INFO ").and_then(|said| serde_json::from_str(said.trim()).ok());
    said.ok_or_else(|| String::from("what answers there is no nats-server"))
}

/// Those of the servers that answer now; all of them where none does. One that is dead costs whoever connects no time.
pub(super) async fn answering(servers: &[String]) -> Vec<&String> {
    if servers.len() < 2 {
        return servers.iter().collect();
    }
    let mut asked = JoinSet::new();
    for (n, server) in servers.iter().enumerate() {
        let server = server.clone();
        asked.spawn(async move { ask(&server).await.is_ok().then_some(n) });
    }
    let mut found = Vec::new();
    while let Some(ended) = asked.join_next().await {
        found.extend(ended.ok().flatten());
        if !found.is_empty() {
            break;
        }
    }
    let rest = async {
        while let Some(ended) = asked.join_next().await {
            found.extend(ended.ok().flatten());
        }
    };
    _ = timeout(GRACE, rest).await;
    if found.is_empty() {
        return servers.iter().collect();
    }
    servers.iter().enumerate().filter(|(n, _)| found.contains(n)).map(|(_, server)| server).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::io::AsyncWriteExt as _;
    use tokio::net::TcpListener;

    /// Somebody at an address of its own, who says this to whoever comes, or nothing.
    async fn somebody(says: Option<&'static str>) -> String {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = format!("nats://{}", listener.local_addr().unwrap());
        tokio::spawn(async move {
            let mut kept = Vec::new();
            while let Ok((mut stream, _)) = listener.accept().await {
                if let Some(says) = says {
                    stream.write_all(says.as_bytes()).await.unwrap();
                }
                kept.push(stream);
            }
        });
        address
    }

    const SERVER: &str = "INFO {\"server_id\":\"X\",\"server_name\":\"broker-2\",\"version\":\"2.9.10\",\"proto\":1} \r\n";

    #[tokio::test]
    async fn a_server_says_who_it_is_and_what_is_none_is_told() {
        let broker = ask(&somebody(Some(SERVER)).await).await.unwrap();
        assert_eq!(broker, Answered { name: String::from("broker-2"), version: String::from("2.9.10") });
        let other = ask(&somebody(Some("SSH-2.0-OpenSSH_9.2\r\n")).await).await.unwrap_err();
        assert!(other.contains("no nats-server"), "{other}");
        let silent = ask(&somebody(None).await).await.unwrap_err();
        assert!(silent.contains("2 seconds"), "{silent}");
        let nobody = TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap();
        assert!(ask(&format!("nats://{nobody}")).await.is_err());
    }

    #[tokio::test]
    async fn whoever_connects_gets_the_servers_that_answer_and_all_where_none_does() {
        let (silent, broker, other) = (somebody(None).await, somebody(Some(SERVER)).await, somebody(Some(SERVER)).await);
        let servers = [silent.clone(), broker.clone(), other.clone()];
        assert_eq!(answering(&servers).await, [&broker, &other]);
        let servers = [silent.clone(), silent.clone()];
        assert_eq!(answering(&servers).await.len(), 2);
        assert_eq!(answering(std::slice::from_ref(&silent)).await, [&silent]);
    }
}

//! Files to an FTP server: suppaftp speaks, over connections that hear no more than a budget, since it reads every line and list to its end.
//!
//! `NAME.part` beside the file is written and renamed: nobody sees half of it.
use super::relay::{self, Budget};
use crate::bounded::ENDLESS;
use rustls_native_certs::load_native_certs;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use suppaftp::list::File as Listed;
use suppaftp::tokio::{AsyncRustlsConnector, AsyncRustlsFtpStream};
use suppaftp::tokio_rustls::TlsConnector;
use suppaftp::tokio_rustls::rustls::{ClientConfig, RootCertStore};
use suppaftp::types::FileType;
use suppaftp::{FtpError, FtpResult, Status};
use tokio::io::AsyncWriteExt as _;
use tokio::net::TcpStream;
use tokio::time::timeout;

/// For a connection, and for everything up to the first file.
const CONNECT: Duration = Duration::from_secs(10);
/// What a server may say on its control connection for one file, bytes.
const ANSWERS: usize = 64 * 1024;
/// What a list of a folder may have, bytes: some twenty thousand files.
const LISTING: usize = 2 * 1024 * 1024;

/// An FTP server.
#[derive(Debug)]
pub(super) struct Ftp {
    host: String,
    port: u16,
    secure: bool,
    root: String,
    user: Option<(String, String)>,
    /// Sessions that wait for the next file.
    idle: Mutex<Vec<FtpSession>>,
    /// Folders that are there.
    made: Mutex<BTreeSet<String>>,
}

struct FtpSession {
    control: AsyncRustlsFtpStream,
    answers: Budget,
    listing: Budget,
}

impl fmt::Debug for FtpSession {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FtpSession").finish_non_exhaustive()
    }
}

impl Ftp {
    /// `secure`: over TLS. `root`: from the server's root. `user`: with the password.
    pub(super) fn new(host: &str, port: u16, secure: bool, root: &str, user: Option<(String, String)>) -> Self {
        let root = Some(root.trim_end_matches('/')).filter(|root| !root.is_empty()).unwrap_or("/");
        let (host, root) = (String::from(host), String::from(root));
        Self { host, port, secure, root, user, idle: Mutex::default(), made: Mutex::default() }
    }

    /// Puts a file at `path`. Its error is in the server's words.
    pub(super) async fn put(&self, path: &str, bytes: &[u8]) -> Result<(), String> {
        let mut session = self.session().await?;
        let done = self.store(&mut session, path, bytes).await;
        self.done(session, done)
    }

    async fn store(&self, session: &mut FtpSession, path: &str, bytes: &[u8]) -> FtpResult<()> {
        self.folders(session, path).await?;
        let aside = format!("{path}.part");
        let mut data = session.control.put_with_stream(&aside).await?;
        // A server that takes no more says why on the other connection.
        let written = data.write_all(bytes).await;
        session.control.finalize_put_stream(data).await?;
        written.map_err(FtpError::ConnectionError)?;
        session.control.rename(aside.as_str(), path).await
    }

    /// Makes the folders above `path` that were not seen yet.
    async fn folders(&self, session: &mut FtpSession, path: &str) -> FtpResult<()> {
        for (end, _) in path.match_indices('/') {
            let folder = &path[..end];
            if folder.is_empty() || self.made.lock().unwrap_or_else(PoisonError::into_inner).contains(folder) {
                continue;
            }
            match session.control.mkdir(folder).await {
                // Most servers say only so that it is there already.
                Ok(()) | Err(FtpError::UnexpectedResponse(_)) => {}
                Err(error) => return Err(error),
            }
            self.made.lock().unwrap_or_else(PoisonError::into_inner).insert(String::from(folder));
        }
        Ok(())
    }

    /// Sizes of the files in `folders`, by path; `None` where the server does not tell. A folder that is gone has none.
    pub(super) async fn list(&self, folders: &BTreeSet<String>) -> Option<BTreeMap<String, u64>> {
        let mut session = self.session().await.ok()?;
        let mut found = BTreeMap::new();
        for folder in folders {
            session.answers.refill(ANSWERS);
            session.listing.refill(LISTING);
            let lines = match session.control.list(Some(folder.as_str()).filter(|folder| !folder.is_empty())).await {
                Ok(lines) if !session.listing.is_spent() => lines,
                Err(FtpError::UnexpectedResponse(_)) => Vec::new(),
                _ => return None,
            };
            for listed in lines.iter().filter_map(|line| line.parse::<Listed>().ok()).filter(Listed::is_file) {
                let path = if folder.is_empty() { String::from(listed.name()) } else { format!("{folder}/{}", listed.name()) };
                found.insert(path, listed.size() as u64);
            }
        }
        self.done(session, Ok(())).ok()?;
        Some(found)
    }

    /// A session that waits and still answers, else a new one.
    async fn session(&self) -> Result<FtpSession, String> {
        loop {
            let waiting = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
            let Some(mut session) = waiting else { break };
            session.answers.refill(ANSWERS);
            if timeout(CONNECT, session.control.noop()).await.is_ok_and(|done| done.is_ok()) {
                return Ok(session);
            }
        }
        let answers = Budget::new(ANSWERS);
        match timeout(CONNECT, self.connect(answers.clone())).await {
            Ok(Ok(session)) => Ok(session),
            Ok(Err(error)) => Err(words(&error, &answers)),
            Err(_) => Err(format!("no connection within {} s", CONNECT.as_secs())),
        }
    }

    async fn connect(&self, answers: Budget) -> FtpResult<FtpSession> {
        let stream = TcpStream::connect((self.host.as_str(), self.port)).await.map_err(FtpError::ConnectionError)?;
        let server = stream.peer_addr().map_err(FtpError::ConnectionError)?.ip();
        let near = relay::bounded(stream, answers.clone()).map_err(FtpError::ConnectionError)?;
        let listing = Budget::new(LISTING);
        let heard = listing.clone();
        let mut control = AsyncRustlsFtpStream::connect_with_stream(near).await?.passive_stream_builder(move |named| {
            // Never elsewhere than where this server is, whatever address it names.
            let (place, heard) = (SocketAddr::new(server, named.port()), heard.clone());
            Box::pin(async move {
                let stream = TcpStream::connect(place).await.map_err(FtpError::ConnectionError)?;
                relay::bounded(stream, heard).map_err(FtpError::ConnectionError)
            })
        });
        if self.secure {
            control = control.into_secure(AsyncRustlsConnector::from(tls()), &self.host).await?;
        }
        if let Some((user, password)) = &self.user {
            control.login(user, password).await?;
        }
        match control.cwd(&self.root).await {
            Err(FtpError::UnexpectedResponse(answer)) if answer.status == Status::FileUnavailable => {
                control.mkdir(&self.root).await?;
                control.cwd(&self.root).await?;
            }
            done => done?,
        }
        control.transfer_type(FileType::Binary).await?;
        Ok(FtpSession { control, answers, listing })
    }

    /// Keeps a session that is in step for the next file.
    fn done(&self, session: FtpSession, done: FtpResult<()>) -> Result<(), String> {
        match done {
            Ok(()) => {
                self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(session);
                Ok(())
            }
            Err(error) => Err(words(&error, &session.answers)),
        }
    }
}

/// Trusts the system's certificates.
fn tls() -> TlsConnector {
    let mut roots = RootCertStore::empty();
    roots.add_parsable_certificates(load_native_certs().certs);
    TlsConnector::from(Arc::new(ClientConfig::builder().with_root_certificates(roots).with_no_client_auth()))
}

/// What the server said; of a connection, what became of it.
fn words(error: &FtpError, answers: &Budget) -> String {
    if answers.is_spent() {
        return String::from(ENDLESS);
    }
    match error {
        FtpError::UnexpectedResponse(answer) => String::from_utf8_lossy(&answer.body).into_owned(),
        FtpError::ConnectionError(error) => error.to_string(),
        error => error.to_string(),
    }
}

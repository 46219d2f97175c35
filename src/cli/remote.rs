//! A running daemon as `watch`, `rule` and others reach it: its address, who is asking, requests and the event stream.
use super::{ExitError, typed};
use crate::config::source_url;
use crate::feeds::tls_provider;
use crate::web::local;
use reqwest::{Certificate, Client, RequestBuilder, Response, StatusCode, Url, header};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fs;
use std::io::{ErrorKind, IsTerminal as _};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Nothing that is not a stream takes longer.
const PATIENCE: Duration = Duration::from_secs(20);
/// A connection stands by then, or never.
const CONNECT: Duration = Duration::from_secs(8);
/// A stream says that it lives every fifteen seconds.
const SILENCE: Duration = Duration::from_secs(40);
/// One event is never larger; what is, is no event stream.
const MOST_BYTES: usize = 16 * 1024 * 1024;

/// The page's usual port.
const PORT: u16 = 8064;

/// Which daemon, and who asks it.
#[derive(Clone, Debug, clap::Args)]
pub(super) struct Remote {
    /// Where the daemon's page is [default: the daemon on this machine, by its own socket]
    #[arg(long, value_name = "URL", env = "FLAGFALL_URL")]
    url: Option<String>,
    /// The daemon's own socket on this machine, where it is not in its usual place; the daemon says it at its start
    #[arg(long, value_name = "FILE", env = "FLAGFALL_SOCKET", conflicts_with = "url")]
    socket: Option<PathBuf>,
    /// Your account; its password is asked for. Where the daemon has no accounts: the name that your rulings carry
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// A file that holds a token, instead of a password
    #[arg(long, value_name = "FILE", conflicts_with = "name")]
    token_file: Option<PathBuf>,
    /// Trust this certificate (PEM): a daemon that made its own
    #[arg(long, value_name = "FILE")]
    certificate: Option<PathBuf>,
}

/// A daemon that answers, and who we are to it.
#[derive(Debug)]
pub(super) struct RemoteSession {
    client: Client,
    root: String,
    /// The socket that leads there, where it is on this machine.
    socket: Option<PathBuf>,
    pass: Option<(header::HeaderName, String)>,
    /// The name that entries carry where there are no accounts.
    pub(super) who: Option<String>,
}

/// The way to a daemon.
enum Way {
    Socket(PathBuf),
    /// There is a socket, but not for this user.
    Closed(PathBuf),
    Network(String),
}

impl Remote {
    /// Whether it was said which daemon.
    pub(super) const fn is_named(&self) -> bool {
        self.url.is_some() || self.socket.is_some()
    }

    /// The daemon at this socket.
    pub(super) const fn at(socket: PathBuf) -> Self {
        Self { url: None, socket: Some(socket), name: None, token_file: None, certificate: None }
    }

    /// Finds the daemon and logs in where it asks for that.
    pub(super) async fn open(&self) -> Result<RemoteSession, ExitError> {
        tls_provider();
        let mut builder = Client::builder().connect_timeout(CONNECT).redirect(reqwest::redirect::Policy::none());
        if let Some(path) = &self.certificate {
            let pem = fs::read(path).map_err(|e| ExitError::reading(path, &e))?;
            let bad = |e| ExitError::bad_data(format_args!("{}: no certificate in PEM: {e}", path.display()));
            builder = builder.tls_certs_only([Certificate::from_pem(&pem).map_err(bad)?]);
        } else if !self.url.as_ref().is_some_and(|url| url.starts_with("https:")) {
            // In clear text no certificate is asked for; without this a machine that has none could not even do that.
            builder = builder.tls_certs_only([]);
        }
        let knows_name = self.name.is_some() || self.token_file.is_some();
        let (root, socket) = match self.way()? {
            Way::Socket(path) => (String::from("http://localhost"), Some(path)),
            // With a name and a password the page's own door is as good.
            Way::Closed(_) if knows_name => (self.url.clone().unwrap_or_else(usual), None),
            Way::Closed(path) => return Err(closed(&path)),
            Way::Network(url) => (url, None),
        };
        if let Some(path) = &socket {
            builder = builder.unix_socket(path.as_path());
        }
        let client =
            builder.build().map_err(|e| ExitError::unavailable(format_args!("cannot speak HTTPS: {e}; install ca-certificates")))?;
        let root = root.trim_end_matches('/').trim_end_matches("/arbiter").to_owned();
        let mut session = RemoteSession { client, root, socket, pass: None, who: None };
        if let Some(path) = &self.token_file {
            let token = fs::read_to_string(path).map_err(|e| ExitError::reading(path, &e))?;
            session.pass = Some((header::AUTHORIZATION, format!("Bearer {}", token.trim())));
            session.get("me").await?;
            return Ok(session);
        }
        match (session.get("me").await, &self.name) {
            // At the machine's own socket of a daemon that has accounts a name is an account's.
            (Ok(me), Some(name)) if !me["name"].is_null() => session.log_in(name).await?,
            (Ok(_), name) => session.who.clone_from(name),
            (Err(refused), Some(name)) if refused.code() == super::Exit::Permission => session.log_in(name).await?,
            (Err(refused), None) if refused.code() == super::Exit::Permission => {
                return Err(ExitError::permission(format_args!(
                    "{refused}; say who you are with --name NAME or --token-file FILE, or on the machine itself which socket is the daemon's with --socket FILE"
                )));
            }
            (Err(other), _) => return Err(other),
        }
        Ok(session)
    }

    /// How the daemon is reached. One on this machine has a socket of its own, named by its page's port.
    fn way(&self) -> Result<Way, ExitError> {
        if let Some(path) = &self.socket {
            return Ok(Way::Socket(path.clone()));
        }
        let port = match &self.url {
            None => PORT,
            Some(url) => match Url::parse(url).ok().filter(source_url::is_here).and_then(|url| url.port_or_known_default()) {
                Some(port) => port,
                None => return Ok(Way::Network(url.clone())),
            },
        };
        let folders = local::all_folders(|name| std::env::var_os(name));
        let mut shut = None;
        for path in folders.iter().map(|folder| local::file(folder, port)) {
            match UnixStream::connect(&path).map_err(|error| error.kind()) {
                Ok(_) => return Ok(Way::Socket(path)),
                Err(ErrorKind::PermissionDenied) => shut = shut.or(Some(path)),
                Err(_) => {}
            }
        }
        if let Some(url) = &self.url {
            return Ok(shut.map_or_else(|| Way::Network(url.clone()), Way::Closed));
        }
        // A daemon that took another port, if it is the only one.
        let mut others = folders.iter().flat_map(|folder| sockets(folder)).filter(|path| UnixStream::connect(path).is_ok());
        match (others.next(), others.next(), shut) {
            (Some(path), None, _) => Ok(Way::Socket(path)),
            (Some(path), Some(other), _) => Err(ExitError::usage(format_args!(
                "several daemons run on this machine; say which with --socket {} or --socket {}",
                path.display(),
                other.display()
            ))),
            (None, _, Some(path)) => Ok(Way::Closed(path)),
            (None, ..) if self.name.is_some() || self.token_file.is_some() => Ok(Way::Network(usual())),
            (None, ..) => Err(ExitError::unavailable(
                "no daemon of this machine is found; is `flagfall run` running? --socket FILE names its socket (it says it at its start: local: …), --url URL another machine",
            )),
        }
    }
}

fn usual() -> String {
    format!("http://127.0.0.1:{PORT}")
}

fn sockets(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut found: Vec<PathBuf> = entries.map(|entry| entry.path()).filter(|path| path.extension().is_some_and(|e| e == "sock")).collect();
    found.sort();
    found
}

/// The daemons of this machine, one line each, and what keeps this user from theirs; for the doctor.
pub(super) fn daemons() -> String {
    let folders = local::all_folders(|name| std::env::var_os(name));
    let mut text = String::new();
    for path in folders.iter().flat_map(|folder| sockets(folder).into_iter().chain([local::file(folder, PORT)])).collect::<BTreeSet<_>>() {
        match UnixStream::connect(&path).map_err(|error| error.kind()) {
            Ok(_) => text += &format!("flagfall runs here: {}\n", path.display()),
            Err(ErrorKind::PermissionDenied) => text += &format!("flagfall may run here: {}\n", closed(&path)),
            Err(_) => {}
        }
    }
    text
}

/// The socket is not for this user.
fn closed(path: &Path) -> ExitError {
    let group = local::GROUP;
    ExitError::permission(format_args!(
        "{}: this socket is for root, the daemon's user and the group {group}; use sudo, or add yourself to the group (sudo adduser $USER {group}) and log in \
         again, or say who you are with --name NAME or --token-file FILE",
        path.display()
    ))
}

impl RemoteSession {
    async fn log_in(&mut self, name: &str) -> Result<(), ExitError> {
        let password = password(name)?;
        let request = self.client.post(self.path("login")).json(&json!({ "name": name, "password": password }));
        let answer = self.send(request.timeout(PATIENCE)).await?;
        let cookies = answer.headers().get_all(header::SET_COOKIE);
        let cookie = cookies.iter().filter_map(|c| c.to_str().ok()?.split(';').next()).collect::<Vec<_>>().join("; ");
        if cookie.is_empty() {
            return Err(ExitError::unavailable("the daemon gave no session; is this the address of a flagfall?"));
        }
        self.pass = Some((header::COOKIE, cookie));
        Ok(())
    }

    fn path(&self, path: &str) -> String {
        format!("{}/api/v1/{path}", self.root)
    }

    fn signed(&self, request: RequestBuilder) -> RequestBuilder {
        match &self.pass {
            Some((name, value)) => request.header(name, value),
            None => request,
        }
    }

    async fn send(&self, request: RequestBuilder) -> Result<Response, ExitError> {
        let answer = request.send().await.map_err(|e| self.gone(&e))?;
        if answer.status().is_success() {
            return Ok(answer);
        }
        let status = answer.status();
        let body: Value = answer.json().await.unwrap_or_default();
        Err(refused(status, &body))
    }

    fn gone(&self, error: &reqwest::Error) -> ExitError {
        let mut deepest: &dyn std::error::Error = error;
        while let Some(source) = deepest.source() {
            deepest = source;
        }
        if let Some(path) = &self.socket {
            let denied = deepest.downcast_ref::<std::io::Error>().is_some_and(|error| error.kind() == ErrorKind::PermissionDenied);
            return if denied {
                closed(path)
            } else {
                ExitError::unavailable(format_args!("{}: no daemon answers there: {deepest}; is `flagfall run` running?", path.display()))
            };
        }
        ExitError::unavailable(format_args!(
            "no daemon answers at {}: {deepest}; is `flagfall run` running there? --url names another",
            self.root
        ))
    }

    /// A JSON answer.
    pub(super) async fn get(&self, path: &str) -> Result<Value, ExitError> {
        let answer = self.send(self.signed(self.client.get(self.path(path))).timeout(PATIENCE)).await?;
        answer.json().await.map_err(|e| self.gone(&e))
    }

    /// The JSON answer to a JSON body.
    pub(super) async fn post(&self, path: &str, body: &Value) -> Result<Value, ExitError> {
        let answer = self.send(self.signed(self.client.post(self.path(path))).json(body).timeout(PATIENCE)).await?;
        answer.json().await.map_err(|e| self.gone(&e))
    }

    /// The JSON answer to a list, whatever it is written as.
    pub(super) async fn post_list(&self, path: &str, list: Vec<u8>) -> Result<Value, ExitError> {
        let request = self.signed(self.client.post(self.path(path))).header(header::CONTENT_TYPE, "text/plain").body(list);
        let answer = self.send(request.timeout(PATIENCE)).await?;
        answer.json().await.map_err(|e| self.gone(&e))
    }

    /// Hands in an entry; the answer comes once it is journaled.
    pub(super) async fn enter(&self, board: &str, entry: &Value) -> Result<Value, ExitError> {
        self.post(&format!("arbiter/boards/{}/entries", encoded(board)), entry).await
    }

    /// Every server-sent event of `path`, its name and object, until the connection ends or `each` says so.
    pub(super) async fn listen(&self, path: &str, mut each: impl FnMut(&str, &Value) -> Result<(), ExitError>) -> Result<(), ExitError> {
        let mut answer = self.send(self.signed(self.client.get(self.path(path))).header(header::ACCEPT, "text/event-stream")).await?;
        let mut reader = Frames::default();
        loop {
            let silent = || ExitError::unavailable(format_args!("{} has fallen silent", self.root));
            let chunk = tokio::time::timeout(SILENCE, answer.chunk()).await.map_err(|_| silent())?.map_err(|e| self.gone(&e))?;
            let Some(chunk) = chunk else { return Ok(()) };
            reader.feed(&chunk);
            while let Some((kind, data)) = reader.next() {
                each(&kind, &data)?;
            }
            if reader.bytes.len() > MOST_BYTES {
                return Err(ExitError::unavailable(format_args!("{} sends no events", self.root)));
            }
        }
    }
}

/// What an answer other than 2xx means to a script and to a person.
fn refused(status: StatusCode, body: &Value) -> ExitError {
    let text = |key: &str| body[key].as_str().unwrap_or_default();
    let mut message = text("error").to_owned();
    if message.is_empty() {
        message = format!("the daemon answers {status}");
    }
    if !text("hint").is_empty() {
        message = format!("{message}; {}", text("hint"));
    }
    match status {
        StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN | StatusCode::TOO_MANY_REQUESTS => ExitError::permission(message),
        StatusCode::UNPROCESSABLE_ENTITY | StatusCode::BAD_REQUEST | StatusCode::NOT_FOUND | StatusCode::PAYLOAD_TOO_LARGE => {
            ExitError::bad_data(message)
        }
        _ => ExitError::unavailable(message),
    }
}

/// A name as part of a path.
pub(super) fn encoded(name: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
    name.bytes().map(|byte| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") }).collect()
}

/// Asks at the terminal without showing what is typed; a program's is the first line of standard input.
fn password(name: &str) -> Result<String, ExitError> {
    if std::io::stdin().is_terminal() { typed::hidden(&format!("password of {name}: ")) } else { typed::line() }
}

/// Bytes of a stream to its events.
#[derive(Debug, Default)]
struct Frames {
    bytes: Vec<u8>,
}

impl Frames {
    fn feed(&mut self, bytes: &[u8]) {
        self.bytes.extend(bytes.iter().filter(|byte| **byte != b'\r'));
    }

    /// The next whole event; comments and what is no JSON are passed over.
    fn next(&mut self) -> Option<(String, Value)> {
        loop {
            let end = self.bytes.windows(2).position(|pair| pair == b"\n\n")?;
            let frame: Vec<u8> = self.bytes.drain(..end + 2).collect();
            let text = String::from_utf8_lossy(&frame);
            let field = |name: &str| {
                let values: Vec<&str> = text.lines().filter_map(|line| Some(line.strip_prefix(name)?.trim_start_matches(' '))).collect();
                (!values.is_empty()).then(|| values.join("\n"))
            };
            if let Some(data) = field("data:").and_then(|data| serde_json::from_str(&data).ok()) {
                return Some((field("event:").unwrap_or_default(), data));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::Exit;

    #[test]
    fn events_come_whole_however_the_bytes_are_cut() {
        let stream = b"retry: 1500\n\nevent: snapshot\ndata: {\"board\":\"1\"}\nid: 7\n\n: still here\n\nevent: press\r\ndata: {\"by\":\ndata: \"white\"}\r\n\r\n";
        for size in 1..stream.len() {
            let (mut frames, mut seen) = (Frames::default(), Vec::new());
            for part in stream.chunks(size) {
                frames.feed(part);
                while let Some((kind, data)) = frames.next() {
                    seen.push(format!("{kind} {data}"));
                }
            }
            assert_eq!(seen, ["snapshot {\"board\":\"1\"}", "press {\"by\":\"white\"}"], "{size}");
        }
    }

    #[test]
    fn refusals_have_the_exit_codes_that_scripts_expect() {
        let code = |status| refused(status, &json!({"error": "no", "hint": "do that"})).code();
        assert_eq!(code(StatusCode::UNPROCESSABLE_ENTITY), Exit::BadData);
        assert_eq!(code(StatusCode::FORBIDDEN), Exit::Permission);
        assert_eq!(code(StatusCode::UNAUTHORIZED), Exit::Permission);
        assert_eq!(code(StatusCode::SERVICE_UNAVAILABLE), Exit::Unavailable);
        assert_eq!(refused(StatusCode::FORBIDDEN, &json!({"error": "no", "hint": "do that"})).to_string(), "no; do that");
    }

    #[test]
    fn board_names_are_paths() {
        assert_eq!(encoded("Доска 1/2"), "%D0%94%D0%BE%D1%81%D0%BA%D0%B0%201%2F2");
        assert_eq!(encoded("7"), "7");
    }
}

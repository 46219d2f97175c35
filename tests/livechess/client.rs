//! A WebSocket client and an HTTP client, one call at a time.
use serde_json::Value;
use std::io::{ErrorKind, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;
use tokio_tungstenite::tungstenite::client::IntoClientRequest as _;
use tokio_tungstenite::tungstenite::{Error, Message, WebSocket, client};

/// One connection.
pub(crate) struct Client {
    socket: WebSocket<TcpStream>,
}

impl Client {
    pub(crate) fn new(address: SocketAddr) -> Self {
        Self::open(address, None).unwrap()
    }

    /// The status of a refusal as the error.
    pub(crate) fn open(address: SocketAddr, origin: Option<&str>) -> Result<Self, u16> {
        let stream = TcpStream::connect(address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        let mut request = format!("ws://{address}/api/v1.0").into_client_request().unwrap();
        if let Some(origin) = origin {
            request.headers_mut().insert("origin", origin.parse().unwrap());
        }
        match client(request, stream) {
            Ok((socket, answer)) => {
                assert!(!answer.headers().contains_key("sec-websocket-extensions"), "no compression is agreed on");
                Ok(Self { socket })
            }
            Err(error) => match error.to_string() {
                text if text.contains("403") => Err(403),
                text => panic!("{text}"),
            },
        }
    }

    pub(crate) fn send(&mut self, text: &str) {
        self.message(Message::text(text));
    }

    pub(crate) fn message(&mut self, message: Message) {
        self.socket.send(message).unwrap();
    }

    /// The next text frame; `None` when the server has closed.
    pub(crate) fn next(&mut self) -> Option<String> {
        loop {
            match self.socket.read() {
                Ok(Message::Text(text)) => return Some(text.to_string()),
                Ok(Message::Ping(_) | Message::Pong(_)) => {}
                Ok(Message::Close(_)) | Err(Error::ConnectionClosed | Error::Protocol(_)) => return None,
                Err(Error::Io(error)) if error.kind() == ErrorKind::ConnectionReset => return None,
                other => panic!("{other:?}"),
            }
        }
    }

    /// The next text frame as JSON.
    pub(crate) fn json(&mut self) -> Value {
        serde_json::from_str(&self.next().expect("the connection goes on")).unwrap()
    }

    /// Calls, and waits for its answer; feed frames that come before it are dropped.
    pub(crate) fn call(&mut self, text: &str) -> Value {
        self.send(text);
        loop {
            let frame = self.json();
            if frame["response"] != "feed" {
                return frame;
            }
        }
    }

    /// Subscribes feed 1 and returns its first frame.
    pub(crate) fn subscribe(&mut self, serialnr: &str) -> Value {
        let call = format!(r#"{{"id":2,"call":"subscribe","param":{{"feed":"eboardevent","id":1,"param":{{"serialnr":"{serialnr}"}}}}}}"#);
        let answer = self.call(&call);
        assert_eq!((&answer["response"], &answer["param"]), (&"call".into(), &Value::Null), "{answer}");
        let first = self.json();
        assert_eq!(first["response"], "feed", "{first}");
        first["param"].clone()
    }

    /// Sets feed 1 up and returns the frame that says how the list stands.
    pub(crate) fn setup(&mut self, fen: &str) -> Value {
        let answer = self.call(&format!(r#"{{"id":3,"call":"call","param":{{"id":1,"method":"setup","param":{{"fen":"{fen}"}}}}}}"#));
        assert_eq!(answer["response"], "call", "{answer}");
        let told = self.json();
        assert!(told["param"]["start"].is_string(), "{told}");
        told["param"].clone()
    }

    /// The next feed frame with a list of moves, joined by blanks.
    pub(crate) fn list(&mut self) -> String {
        loop {
            let frame = self.json();
            if let Some(san) = frame["param"]["san"].as_array() {
                return san.iter().map(|m| m.as_str().unwrap()).collect::<Vec<_>>().join(" ");
            }
        }
    }

    /// Every frame that is on its way: what a board did before a call is told before its answer.
    pub(crate) fn rest(&mut self) -> Vec<Value> {
        self.send(r#"{"id":"rest","call":"unsubscribe","param":{"id":"none"}}"#);
        let mut rest = Vec::new();
        loop {
            let frame = self.json();
            if frame["id"] == "rest" {
                return rest;
            }
            rest.push(frame);
        }
    }
}

/// Status, head and body of one request.
pub(crate) fn request(address: SocketAddr, method: &str, path: &str, headers: &str) -> (u16, String, String) {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
    write!(stream, "{method} {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n{headers}\r\n").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    (head.split(' ').nth(1).unwrap().parse().unwrap(), head.to_lowercase(), body.to_owned())
}

/// The JSON at `/api/v1.0/PATH`.
pub(crate) fn get(address: SocketAddr, path: &str) -> Value {
    let (status, _, body) = request(address, "GET", &format!("/api/v1.0/{path}"), "");
    assert_eq!(status, 200, "{path}: {body}");
    serde_json::from_str(&body).unwrap()
}

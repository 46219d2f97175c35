//! Who gets the halls' alerts, and may take them without ever answering.
use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// A web server for webhooks.
pub(crate) struct Receiver {
    at: SocketAddr,
    hangs: Arc<AtomicBool>,
}

impl Receiver {
    pub(crate) fn listen() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let (at, hangs) = (listener.local_addr().unwrap(), Arc::new(AtomicBool::new(false)));
        let (says_nothing, held) = (hangs.clone(), Arc::new(Mutex::new(Vec::<TcpStream>::new())));
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (says_nothing, held) = (says_nothing.clone(), held.clone());
                std::thread::spawn(move || answer(stream, &says_nothing, &held));
            }
        });
        Self { at, hangs }
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}/", self.at)
    }

    /// From now on nobody gets an answer (`true`), or everybody again.
    pub(crate) fn hang(&self, hangs: bool) {
        self.hangs.store(hangs, Ordering::Relaxed);
    }
}

/// Answers what is small enough for one read, and closes; one that gets no answer is kept open.
fn answer(mut stream: TcpStream, says_nothing: &AtomicBool, held: &Mutex<Vec<TcpStream>>) {
    _ = stream.set_read_timeout(Some(Duration::from_secs(1)));
    _ = stream.read(&mut [0; 65_536]);
    if says_nothing.load(Ordering::Relaxed) {
        held.lock().unwrap().push(stream);
        return;
    }
    _ = stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\nconnection: close\r\n\r\n");
}

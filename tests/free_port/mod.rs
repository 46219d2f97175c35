//! Ports for servers that are told theirs, and come back to it when they are started again.
use std::fs::File;
use std::net::TcpListener;
use std::sync::Mutex;

/// Below those that a system gives to whoever asks for any; above those of services.
const FROM: u16 = 10_000;
const COUNT: u16 = 20_000;

/// A port that nobody listens on, and that no other test takes as long as this one's process lives.
pub(crate) fn free_port() -> u16 {
    static TAKEN: Mutex<Vec<File>> = Mutex::new(Vec::new());
    let folder = std::env::temp_dir().join("flagfall-ports");
    std::fs::create_dir_all(&folder).expect("a folder for the ports that are taken");
    let first = std::process::id() as u16;
    for port in (0..COUNT).map(|n| FROM + first.wrapping_add(n) % COUNT) {
        let file = File::create(folder.join(port.to_string())).expect("a file for a port that is taken");
        if file.try_lock().is_ok() && TcpListener::bind(("127.0.0.1", port)).is_ok() {
            TAKEN.lock().expect("nobody panics here").push(file);
            return port;
        }
    }
    panic!("no port of {COUNT} is free; look at {}", folder.display());
}

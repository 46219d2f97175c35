//! A real `nats-server` on a free port of this machine.
use crate::free_port::free_port;
use std::fs;
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

pub(crate) struct Broker {
    pub(crate) port: u16,
    child: Child,
    pub(crate) folder: tempfile::TempDir,
}

impl Broker {
    /// `None`, and says so: there is no program.
    pub(crate) fn start(test: &str) -> Option<Self> {
        let places = std::env::var_os("PATH").unwrap_or_default();
        let found = std::env::split_paths(&places).chain([PathBuf::from("/usr/sbin")]).map(|p| p.join("nats-server")).find(|p| p.is_file());
        let Some(program) = found else {
            println!("skipped: {test}: nats-server is not installed (apt-get install nats-server)");
            return None;
        };
        let folder = tempfile::tempdir().unwrap();
        let port = free_port();
        let file = folder.path().join("nats.conf");
        let store = folder.path().join("streams");
        fs::write(&file, format!("listen: \"127.0.0.1:{port}\"\njetstream {{ store_dir: \"{}\" }}\n", store.display())).unwrap();
        let mut command = Command::new(program);
        command.arg("-c").arg(&file).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let broker = Self { port, child: command.spawn().unwrap(), folder };
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            sleep(Duration::from_millis(20));
        }
        Some(broker)
    }

    pub(crate) fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }
}

impl Drop for Broker {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

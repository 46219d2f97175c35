//! A `nats-server` on loopback.
use crate::free_port::free_port;
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// A running server without accounts; it ends with the value. (Accounts are tested with the shipped files, in `tests/nats`.)
pub(crate) struct Broker {
    child: Child,
    port: u16,
    folder: PathBuf,
}

impl Broker {
    /// Starts one. Where the program is not installed, says on one line that `test` is skipped and gives `None`.
    pub(crate) async fn start(test: &str) -> Option<Self> {
        let places = std::env::var_os("PATH").unwrap_or_default();
        let mut places = std::env::split_paths(&places).chain([PathBuf::from("/usr/sbin")]).map(|place| place.join("nats-server"));
        let Some(program) = places.find(|path| path.exists()) else {
            println!("skipped: {test}: nats-server is not installed (apt-get install nats-server)");
            return None;
        };
        let folder = std::env::temp_dir().join(format!("flagfall-broker-{}-{test}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let port = free_port();
        let broker = Self { child: spawn(&program, &folder, port), port, folder };
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        Some(broker)
    }

    /// The section `[nats]` of a machine of this name.
    pub(crate) fn section(&self, name: &str) -> String {
        format!("[nats]\nservers = [\"nats://127.0.0.1:{}\"]\nevent = \"looked-at\"\nname = \"{name}\"", self.port)
    }
}

fn spawn(program: &Path, folder: &Path, port: u16) -> Child {
    let file = folder.join("nats.conf");
    let text = format!("listen: \"127.0.0.1:{port}\"\njetstream {{ store_dir: \"{}\" }}\n", folder.join("store").display());
    std::fs::write(&file, text).unwrap();
    let mut command = Command::new(program);
    command.arg("-c").arg(&file).arg("-l").arg(folder.join("log")).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().expect("nats-server starts")
}

impl Drop for Broker {
    fn drop(&mut self) {
        _ = self.child.kill();
        _ = self.child.wait();
        _ = std::fs::remove_dir_all(&self.folder);
    }
}

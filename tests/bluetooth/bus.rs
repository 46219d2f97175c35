//! A private dbus-daemon in a temporary folder. It dies with the test, however that dies.
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

/// The bus.
pub(crate) struct Bus {
    folder: tempfile::TempDir,
    rules: &'static str,
    /// A shell that waits for our end of its pipe to close.
    shell: Option<Child>,
}

impl Bus {
    /// Starts one; `None`, and a line that says so, where there is no dbus-daemon.
    pub(crate) fn start() -> Option<Self> {
        Self::with_policy("")
    }

    /// The same with further rules of who may do what.
    pub(crate) fn with_policy(rules: &'static str) -> Option<Self> {
        if Command::new("dbus-daemon").arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status().is_err() {
            println!("skipped: Bluetooth over D-Bus: dbus-daemon is missing (apt-get install dbus-daemon)");
            return None;
        }
        let mut bus = Self { folder: tempfile::tempdir().unwrap(), rules, shell: None };
        bus.wake();
        Some(bus)
    }

    /// Starts the daemon again at the same address.
    pub(crate) fn wake(&mut self) {
        let socket = self.socket();
        let config = self.folder.path().join("bus.conf");
        let text = format!(
            "<busconfig><type>custom</type><listen>unix:path={}</listen><auth>EXTERNAL</auth><policy context=\"default\">\
             <allow send_destination=\"*\" eavesdrop=\"true\"/><allow eavesdrop=\"true\"/><allow own=\"*\"/>{}</policy></busconfig>",
            socket.display(),
            self.rules
        );
        std::fs::write(&config, text).unwrap();
        let _ = std::fs::remove_file(&socket);
        let script = "dbus-daemon --nofork --config-file=\"$0\" & p=$!; cat >/dev/null; kill $p; wait $p";
        let shell =
            Command::new("sh").args(["-c", script]).arg(&config).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
        self.shell = Some(shell.unwrap());
        for _ in 0..500 {
            if std::os::unix::net::UnixStream::connect(&socket).is_ok() {
                return;
            }
            thread::sleep(Duration::from_millis(10));
        }
        panic!("dbus-daemon does not come up");
    }

    /// The daemon dies.
    pub(crate) fn kill(&mut self) {
        if let Some(mut shell) = self.shell.take() {
            drop(shell.stdin.take());
            let _ = shell.wait();
        }
    }

    fn socket(&self) -> PathBuf {
        self.folder.path().join("bus")
    }

    /// For `DBUS_SYSTEM_BUS_ADDRESS`.
    pub(crate) fn address(&self) -> String {
        format!("unix:path={}", self.socket().display())
    }
}

impl Drop for Bus {
    fn drop(&mut self) {
        self.kill();
    }
}

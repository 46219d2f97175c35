//! An event as its table list has it.
use std::path::PathBuf;

/// A whole event.
#[derive(Clone, Debug, PartialEq)]
pub struct Fleet {
    /// Its word in every subject of the broker.
    pub event: String,
    /// The broker's servers, one or three, as Pis and halls reach them.
    pub servers: Vec<String>,
    /// The certificates that sign the servers', a file beside the list.
    pub tls_ca: Option<PathBuf>,
    /// Where things lie on the broker's machines.
    pub broker: Broker,
    /// The halls; at least one.
    pub halls: Vec<Hall>,
    /// The Pis in the order of the list.
    pub pis: Vec<Pi>,
}

/// Paths on the broker's machines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Broker {
    /// Where the streams are kept.
    pub streams: String,
    /// The server's certificate, with `tls://` only.
    pub cert: String,
    /// Its private key.
    pub key: String,
    /// What the servers trust each other by.
    pub ca: String,
}

/// A machine that shows all boards.
#[derive(Clone, Debug, PartialEq)]
pub struct Hall {
    /// Its name.
    pub name: String,
    /// Its whole configuration.
    pub toml: String,
}

/// A Raspberry Pi, or any other machine with boards.
#[derive(Clone, Debug, PartialEq)]
pub struct Pi {
    /// Its name, which is its account's, too.
    pub name: String,
    /// Where `ssh` finds it; `None`: under its name.
    pub ssh: Option<String>,
    /// Its boards.
    pub boards: Vec<Board>,
    /// Its whole configuration.
    pub toml: String,
}

impl Pi {
    /// What `ssh` is given.
    pub fn destination(&self) -> &str {
        self.ssh.as_deref().unwrap_or(&self.name)
    }
}

/// A board at its table.
#[derive(Clone, Debug, PartialEq)]
pub struct Board {
    /// Its name in the event.
    pub name: String,
    /// The serial number that the board itself tells, where the list has it.
    pub serial: Option<String>,
    /// Its line in the list.
    pub line: usize,
}

/// Where the package expects the files on a machine.
pub const FOLDER: &str = "/etc/flagfall";
/// The file with the broker's certificates there.
pub const CA: &str = "nats-ca.pem";
/// The file with the account's password there.
pub const PASSWORD: &str = "nats.password";

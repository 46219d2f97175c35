//! Real servers on loopback, as processes that can be killed: pyftpdlib and moto from `target/venv`, Debian's sshd.
use crate::free_port::free_port;
use std::fs;
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

/// A server process and its port; it stays at its port when it is started again.
pub(crate) struct Server {
    child: Option<Child>,
    pub(crate) port: u16,
    command: Box<dyn Fn(u16) -> Command + Send>,
}

impl Server {
    fn new(command: impl Fn(u16) -> Command + Send + 'static) -> Self {
        let port = free_port();
        let mut server = Self { child: None, port, command: Box::new(command) };
        server.start();
        server
    }

    /// Starts it and waits until it listens.
    pub(crate) fn start(&mut self) {
        let mut command = (self.command)(self.port);
        self.child = Some(command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap());
        for _ in 0..600 {
            if TcpStream::connect(("127.0.0.1", self.port)).is_ok() {
                return;
            }
            thread::sleep(Duration::from_millis(100));
        }
        panic!("the server does not listen");
    }

    /// As a power cut.
    pub(crate) fn kill(&mut self) {
        if let Some(mut child) = self.child.take() {
            child.kill().unwrap();
            child.wait().unwrap();
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.kill();
    }
}

/// The Python with these modules; says that the test is skipped where there is none.
fn python(module: &str) -> Option<PathBuf> {
    let python = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/venv/bin/python");
    let works = Command::new(&python).args(["-c", &format!("import {module}")]).stderr(Stdio::null()).status().is_ok_and(|s| s.success());
    if !works {
        println!("skipped: {module} is not in target/venv (tests/run installs it)");
    }
    works.then_some(python)
}

/// An FTP server with a user `chess`, password `secret`, at home in `root`.
pub(crate) fn ftp(root: &Path) -> Option<Server> {
    const CODE: &str = "
import sys
from pyftpdlib.authorizers import DummyAuthorizer
from pyftpdlib.handlers import FTPHandler
from pyftpdlib.servers import FTPServer
FTPHandler.authorizer = DummyAuthorizer()
FTPHandler.authorizer.add_user('chess', 'secret', sys.argv[2], perm='elradfmwMT')
FTPServer(('127.0.0.1', int(sys.argv[1])), FTPHandler).serve_forever()
";
    let (python, root) = (python("pyftpdlib")?, root.to_owned());
    Some(Server::new(move |port| {
        let mut command = Command::new(&python);
        command.args(["-c", CODE, &port.to_string()]).arg(&root);
        command
    }))
}

/// An S3 service; what it holds is gone when it is killed.
pub(crate) fn s3() -> Option<Server> {
    let python = python("moto.server")?;
    Some(Server::new(move |port| {
        let mut command = Command::new(&python);
        command.args(["-m", "moto.server", "-H", "127.0.0.1", "-p", &port.to_string()]);
        command
    }))
}

/// An SSH server for whoever runs the tests, with a key of its own; the second path is the client's key.
pub(crate) fn sftp(folder: &Path) -> Option<(Server, PathBuf)> {
    let (sshd, subsystem) = (Path::new("/usr/sbin/sshd"), Path::new("/usr/lib/openssh/sftp-server"));
    if !sshd.exists() || !subsystem.exists() {
        println!("skipped: sshd is missing (as root: apt-get install openssh-server)");
        return None;
    }
    for name in ["host", "client"] {
        let made = Command::new("ssh-keygen").args(["-q", "-t", "ed25519", "-N", "", "-f"]).arg(folder.join(name)).status();
        assert!(made.unwrap().success());
    }
    fs::copy(folder.join("client.pub"), folder.join("authorized")).unwrap();
    let config = format!(
        "HostKey {0}/host\nAuthorizedKeysFile {0}/authorized\nPidFile none\nStrictModes no\nUsePAM no\nPasswordAuthentication no\n\
         ListenAddress 127.0.0.1\nPermitRootLogin yes\nSubsystem sftp {1}\n",
        folder.display(),
        subsystem.display()
    );
    fs::write(folder.join("config"), config).unwrap();
    let (config, log) = (folder.join("config"), folder.join("log"));
    let server = Server::new(move |port| {
        // sshd wants this folder to exist; only root can make it, and only root's sshd asks for it.
        _ = fs::create_dir_all("/run/sshd");
        let mut command = Command::new(sshd);
        command.args(["-D", "-p", &port.to_string(), "-f"]).arg(&config).arg("-E").arg(&log);
        command
    });
    Some((server, folder.join("client")))
}

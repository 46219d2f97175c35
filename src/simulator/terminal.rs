//! The master end of a pseudo-terminal, and the link that leads to its other end.
use rustix::fs::OFlags;
use rustix::pty::OpenptFlags;
use rustix::termios::{ControlModes, LocalModes, OptionalActions};
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tokio::io::unix::AsyncFd;

/// What the port is set to before a host opens it: not what a host should choose, so that one who sets nothing is noticed.
const UNSET_SPEED: u32 = 115_200;
const SPEED: u32 = 9600;

/// One pseudo-terminal; dropping it hangs the host up and removes the link.
#[derive(Debug)]
pub(super) struct Terminal {
    master: AsyncFd<OwnedFd>,
    path: PathBuf,
    link: Option<PathBuf>,
}

impl Terminal {
    /// Makes a raw terminal, and `link` lead to it.
    pub(super) fn open(link: Option<&Path>) -> io::Result<Self> {
        if let Some(link) = link {
            refuse_other_files(link)?;
        }
        let master = rustix::pty::openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC)?;
        rustix::pty::grantpt(&master)?;
        rustix::pty::unlockpt(&master)?;
        let path = PathBuf::from(OsStr::from_bytes(rustix::pty::ptsname(&master, Vec::new())?.as_bytes()));
        // Raw from the beginning, or a host that opens it later gets its own bytes back as an echo.
        let mut modes = rustix::termios::tcgetattr(&master)?;
        modes.make_raw();
        // The output's speed alone, as on every real port: the input's follows it until somebody says otherwise. Hosts that know only the older
        // calls (Python's, stty) never touch an input speed that was set by itself, and could not put it right.
        modes.set_output_speed(UNSET_SPEED)?;
        rustix::termios::tcsetattr(&master, OptionalActions::Now, &modes)?;
        let flags = rustix::fs::fcntl_getfl(&master)?;
        rustix::fs::fcntl_setfl(&master, flags | OFlags::NONBLOCK)?;
        if let Some(link) = link {
            lead(link, &path)?;
        }
        Ok(Self { master: watched(master)?, path, link: link.map(Path::to_owned) })
    }

    /// A host that was killed leaves the terminal exclusive, which no real port stays; only root may undo that.
    pub(super) fn release(&self) {
        let flags = OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC;
        if let Ok(peer) = rustix::pty::ioctl_tiocgptpeer(&self.master, flags) {
            let _ = rustix::termios::ioctl_tiocnxcl(&peer);
        }
    }

    /// Looks whether somebody has opened the other end again after a hang-up; `WouldBlock`: yes, but nothing was written yet.
    pub(super) fn look(&self, bytes: &mut [u8]) -> io::Result<usize> {
        Ok(rustix::io::read(&self.master, bytes)?)
    }

    /// Forgets the hang-up. The runtime takes a descriptor that hung up once for ready ever after, and would turn in circles.
    pub(super) fn renew(&mut self) -> io::Result<()> {
        self.master = watched(rustix::io::fcntl_dupfd_cloexec(&self.master, 0)?)?;
        Ok(())
    }

    /// The other end's own path, under `/dev/pts`.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Reads what the host wrote. An error (EIO): nobody has the other end open any more. `WouldBlock`: somebody closed it, and it is open again.
    pub(super) async fn read(&self, bytes: &mut [u8]) -> io::Result<usize> {
        loop {
            let mut ready = self.master.readable().await?;
            let closed = ready.ready().is_read_closed();
            match ready.try_io(|master| Ok(rustix::io::read(master, &mut *bytes)?)) {
                Ok(read) => return read,
                Err(_) if closed => return Err(io::ErrorKind::WouldBlock.into()),
                Err(_) => {}
            }
        }
    }

    /// Writes what fits.
    pub(super) fn write(&self, bytes: &[u8]) -> io::Result<usize> {
        Ok(rustix::io::write(&self.master, bytes)?)
    }

    /// Waits until something fits.
    pub(super) async fn writable(&self) {
        if let Ok(mut ready) = self.master.writable().await {
            ready.clear_ready();
        }
    }

    /// What is wrong with the host's settings.
    pub(super) fn complaint(&self) -> Option<String> {
        let modes = rustix::termios::tcgetattr(&self.master).ok()?;
        let mut wrong = Vec::new();
        match (modes.input_speed(), modes.output_speed()) {
            (SPEED, SPEED) => {}
            (input, output) if input == output => wrong.push(format!("speed {output} instead of {SPEED}")),
            (input, output) => wrong.push(format!("speed {input} to read and {output} to write instead of {SPEED}")),
        }
        let control = modes.control_modes;
        if control & ControlModes::CSIZE != ControlModes::CS8 {
            wrong.push(String::from("not 8 data bits"));
        }
        if control.contains(ControlModes::PARENB) {
            wrong.push(String::from("parity"));
        }
        if control.contains(ControlModes::CSTOPB) {
            wrong.push(String::from("2 stop bits"));
        }
        if modes.local_modes.intersects(LocalModes::ICANON | LocalModes::ECHO) {
            wrong.push(String::from("not raw"));
        }
        (!wrong.is_empty()).then(|| format!("the host did not set 9600 8N1: {}", wrong.join(", ")))
    }

    /// The host has read everything, as far as can be told.
    pub(super) fn is_empty(&self) -> bool {
        // Another descriptor of the host's end tells how much waits there; where that is refused (the host opened it exclusively and we are
        // not root) nothing is known.
        let Ok(peer) = rustix::pty::ioctl_tiocgptpeer(&self.master, OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC) else {
            return true;
        };
        rustix::io::ioctl_fionread(&peer).map_or(true, |waiting| waiting == 0)
    }

    /// Waits until the host has read everything: bytes still queued at a hang-up are lost.
    pub(super) async fn drain(&self, at_most: Duration) {
        let step = Duration::from_millis(20);
        let mut empty = 0;
        for _ in 0..at_most.as_millis() / step.as_millis() {
            // Bytes on their way between the two ends are in neither queue for a moment: ask twice.
            empty = if self.is_empty() { empty + 1 } else { 0 };
            if empty > 2 {
                return;
            }
            tokio::time::sleep(step).await;
        }
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        if let Some(link) = &self.link
            && fs::read_link(link).is_ok_and(|target| target == self.path)
        {
            let _ = fs::remove_file(link);
        }
    }
}

#[allow(deprecated, reason = "its successor is unsafe to call, for descriptors that change hands; this one is owned and never does")]
fn watched(master: OwnedFd) -> io::Result<AsyncFd<OwnedFd>> {
    AsyncFd::new(master)
}

fn refuse_other_files(link: &Path) -> io::Result<()> {
    match fs::symlink_metadata(link) {
        Ok(found) if !found.file_type().is_symlink() => Err(io::Error::new(
            io::ErrorKind::AlreadyExists,
            format!("{}: something that is no symbolic link stands there; choose another path for --link", link.display()),
        )),
        _ => Ok(()),
    }
}

/// Makes `link` lead to `target`, replacing an older link in one step so that a host never finds nothing.
fn lead(link: &Path, target: &Path) -> io::Result<()> {
    let name = link.file_name().ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, format!("{}: no file name", link.display())))?;
    let mut temporary = name.to_owned();
    temporary.push(format!(".{}", std::process::id()));
    let temporary = link.with_file_name(temporary);
    let named = |error: io::Error| io::Error::new(error.kind(), format!("{}: the link cannot be made: {error}", link.display()));
    // Left behind by a process of the same number that was killed.
    let _ = fs::remove_file(&temporary);
    std::os::unix::fs::symlink(target, &temporary).map_err(named)?;
    fs::rename(&temporary, link).map_err(named)
}

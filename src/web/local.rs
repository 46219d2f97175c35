//! The machine's own way in: a Unix socket for its commands (`rule`, `watch` …). The kernel says who is at the other end; no address, port or
//! header does, so no proxy can pass anybody else through. Root, the daemon's own user and the members of the group [`GROUP`] are let in.
use rustix::process::{getegid, geteuid};
use std::ffi::OsString;
use std::fs::{self, DirBuilder, Permissions};
use std::io;
use std::os::unix::fs::{DirBuilderExt as _, PermissionsExt as _};
use std::os::unix::net::UnixStream as Probe;
use std::path::{Path, PathBuf};
use tokio::net::{UnixListener, UnixStream};

/// Its members may do at the socket what arbiters may.
pub const GROUP: &str = "flagfall";
/// Where the services of the packages have their sockets.
const SERVICES: [&str; 2] = ["/run/flagfall", "/run/flagfall-hall"];
/// Below the data folder.
const FOLDER: &str = "run";

/// A listener for this machine; its file goes with it.
#[derive(Debug)]
pub struct Local {
    listener: UnixListener,
    path: PathBuf,
    may: May,
}

/// The socket's file for the daemon whose page has this port: one of a kind on a machine.
pub fn file(folder: &Path, port: u16) -> PathBuf {
    folder.join(format!("{port}.sock"))
}

/// Where a daemon puts its socket, best first: `$RUNTIME_DIRECTORY` (set by systemd), else `$XDG_RUNTIME_DIR/flagfall`, else below its data folder.
pub fn own_folders(env: impl Fn(&str) -> Option<OsString>, data_dir: Option<&Path>) -> Vec<PathBuf> {
    if let Some(folder) = flagfall_config::first_of(env("RUNTIME_DIRECTORY")) {
        return vec![folder];
    }
    session_folder(&env).into_iter().chain(data_dir.map(|data| data.join(FOLDER))).collect()
}

/// Where commands look for sockets of daemons: of the services, of this session, of the usual data folder.
pub fn all_folders(env: impl Fn(&str) -> Option<OsString>) -> Vec<PathBuf> {
    let data = flagfall_config::default_data_dir(&env).map(|data| data.join(FOLDER));
    SERVICES.iter().map(PathBuf::from).chain(session_folder(&env)).chain(data).collect()
}

fn session_folder(env: impl Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    env("XDG_RUNTIME_DIR").map(PathBuf::from).filter(|path| path.is_absolute()).map(|path| path.join("flagfall"))
}

impl Local {
    /// Listens in the first of the folders that can be used.
    ///
    /// # Errors
    /// Why the last of them cannot.
    pub fn listen(folders: &[PathBuf], port: u16) -> io::Result<Self> {
        let mut why = io::Error::new(io::ErrorKind::NotFound, "there is no folder for it; set XDG_RUNTIME_DIR or --data-dir");
        for folder in folders {
            match Self::listen_in(folder, port) {
                Ok(local) => return Ok(local),
                Err(error) => why = io::Error::new(error.kind(), format!("{}: {error}", folder.display())),
            }
        }
        Err(why)
    }

    fn listen_in(folder: &Path, port: u16) -> io::Result<Self> {
        let may = May::here();
        // Nobody else comes near the socket before its own mode is set.
        let folder_mode = if may.group.is_some() { 0o750 } else { 0o700 };
        DirBuilder::new().recursive(true).mode(folder_mode).create(folder)?;
        let path = file(folder, port);
        // One that nobody listens on was left behind by a daemon that was killed.
        if fs::symlink_metadata(&path).is_ok() {
            if Probe::connect(&path).is_ok() {
                return Err(io::Error::new(io::ErrorKind::AddrInUse, "another flagfall listens there"));
            }
            fs::remove_file(&path)?;
        }
        let listener = UnixListener::bind(&path)?;
        fs::set_permissions(&path, Permissions::from_mode(if may.group.is_some() { 0o660 } else { 0o600 }))?;
        Ok(Self { listener, path, may })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The next connection of somebody who may, and the user's name.
    pub(crate) async fn accept(&self) -> io::Result<(UnixStream, String)> {
        loop {
            let (stream, _) = self.listener.accept().await?;
            let Ok(peer) = stream.peer_cred() else { continue };
            if self.may.enter(peer.uid(), peer.gid()) {
                return Ok((stream, user_name(peer.uid())));
            }
            tracing::warn!(uid = peer.uid(), "somebody on this machine was turned away: not root, not this user, not of the group {GROUP}");
        }
    }
}

impl Drop for Local {
    fn drop(&mut self) {
        // What cannot be removed is found dead by the next one.
        let _ = fs::remove_file(&self.path);
    }
}

/// Who may come in by the socket.
#[derive(Clone, Copy, Debug)]
struct May {
    own: u32,
    /// The group's number, where the daemon is one of it: only then can the socket be the group's.
    group: Option<u32>,
}

impl May {
    fn here() -> Self {
        let (own, group) = (geteuid().as_raw(), getegid().as_raw());
        Self { own, group: self::group().filter(|number| *number == group) }
    }

    fn enter(self, uid: u32, gid: u32) -> bool {
        if uid == 0 || uid == self.own {
            return true;
        }
        let Some(group) = self.group else { return false };
        // The kernel tells of the first group only; who is a member besides stands in the table.
        gid == group || is_member(&table("/etc/group"), &user_name(uid))
    }
}

/// The number of the group, where this machine has it.
pub fn group() -> Option<u32> {
    group_number(&table("/etc/group"))
}

fn table(path: &str) -> String {
    fs::read_to_string(path).unwrap_or_default()
}

fn group_line(groups: &str) -> Option<Vec<&str>> {
    groups.lines().map(|line| line.split(':').collect::<Vec<_>>()).find(|fields| fields.first() == Some(&GROUP))
}

fn group_number(groups: &str) -> Option<u32> {
    group_line(groups)?.get(2)?.parse().ok()
}

fn is_member(groups: &str, user: &str) -> bool {
    group_line(groups).and_then(|fields| fields.get(3).copied()).is_some_and(|members| members.split(',').any(|member| member == user))
}

/// The user's name, or the number where this machine's own table has none.
fn user_name(uid: u32) -> String {
    let users = table("/etc/passwd");
    let found = users
        .lines()
        .map(|line| line.split(':').collect::<Vec<_>>())
        .find(|fields| fields.get(2).and_then(|n| n.parse().ok()) == Some(uid));
    found.and_then(|fields| fields.first().map(|name| String::from(*name))).unwrap_or_else(|| uid.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    const GROUPS: &str = "root:x:0:\nflagfallen:x:8:eve\nflagfall:x:990:olga,boris\nusers:x:100:eve\n";

    #[test]
    fn root_its_own_user_and_the_group_come_in() {
        assert_eq!(group_number(GROUPS), Some(990));
        assert!(is_member(GROUPS, "olga") && is_member(GROUPS, "boris") && !is_member(GROUPS, "eve") && !is_member(GROUPS, ""));
        let may = May { own: 1000, group: Some(990) };
        assert!(may.enter(0, 0) && may.enter(1000, 100) && may.enter(4_000_000_000, 990) && !may.enter(4_000_000_000, 100));
        let alone = May { own: 1000, group: None };
        assert!(alone.enter(0, 0) && alone.enter(1000, 100) && !alone.enter(4_000_000_000, 990));
    }

    #[test]
    fn the_socket_is_where_systemd_the_session_or_the_data_are() {
        let env = |set: &'static [(&str, &str)]| move |name: &str| set.iter().find(|(n, _)| *n == name).map(|(_, v)| OsString::from(v));
        let own = |set| own_folders(env(set), Some(Path::new("/data")));
        assert_eq!(own(&[("RUNTIME_DIRECTORY", "/run/flagfall"), ("XDG_RUNTIME_DIR", "/run/user/1")]), [PathBuf::from("/run/flagfall")]);
        assert_eq!(own(&[("XDG_RUNTIME_DIR", "/run/user/1")]), ["/run/user/1/flagfall", "/data/run"].map(PathBuf::from));
        assert_eq!(own(&[]), [PathBuf::from("/data/run")]);
        let all = all_folders(env(&[("XDG_RUNTIME_DIR", "/run/user/1"), ("HOME", "/h")]));
        assert!(all.contains(&PathBuf::from("/run/flagfall")) && all.contains(&PathBuf::from("/h/.local/state/flagfall/run")), "{all:?}");
    }

    #[tokio::test]
    async fn a_socket_left_behind_makes_room_and_a_living_one_does_not() {
        let folder = tempfile::tempdir().unwrap();
        let folders = [folder.path().join("run")];
        let first = Local::listen(&folders, 8064).unwrap();
        let path = first.path().to_owned();
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o007, 0);
        assert_eq!(Local::listen(&folders, 8064).unwrap_err().kind(), io::ErrorKind::AddrInUse);
        // As a power cut leaves it: the file without a listener.
        drop(first);
        assert!(!path.exists());
        drop(std::os::unix::net::UnixListener::bind(&path).unwrap());
        assert!(path.exists());
        Local::listen(&folders, 8064).unwrap();
    }
}

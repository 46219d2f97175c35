//! What may stand between a port and flagfall on this machine: other programs, groups, missing drivers. Reads `/proc`, `/sys` and `/etc/group`.
use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

/// A process, as people stop it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Process {
    /// Its number.
    pub(super) id: u32,
    /// Its program, at most 15 characters.
    pub(super) name: String,
}

/// All processes.
pub(super) fn processes(proc: &Path) -> Vec<Process> {
    let ids = fs::read_dir(proc).into_iter().flatten().flatten().filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    let named = |id: u32| {
        let name = fs::read_to_string(proc.join(id.to_string()).join("comm")).ok()?;
        Some(Process { id, name: String::from(name.trim()) })
    };
    ids.filter_map(named).collect()
}

/// Who has `node` open. Other users' processes are closed books without root.
pub(super) fn holder(proc: &Path, node: &Path) -> Option<Process> {
    processes(proc).into_iter().find(|process| {
        let files = fs::read_dir(proc.join(process.id.to_string()).join("fd")).into_iter().flatten().flatten();
        files.filter_map(|file| fs::read_link(file.path()).ok()).any(|target| target == node)
    })
}

/// The command that lets this user use `node`.
pub(super) fn permission_remedy(proc: &Path, group_file: &Path, node: &Path, user: Option<&str>) -> String {
    let user_name = user.unwrap_or("$USER");
    let group_id = node.metadata().map_or(0, |metadata| metadata.gid());
    let text = fs::read_to_string(group_file).unwrap_or_default();
    let group =
        text.lines().map(|line| line.split(':').collect::<Vec<_>>()).find(|g| g.get(2).is_some_and(|id| id.parse() == Ok(group_id)));
    // A port of root's own group: no group helps, only the system's rules do.
    let Some(group) = group.filter(|_| group_id != 0) else {
        return String::from("it belongs to root alone: plug the board in again; if that does not help, run flagfall as a service");
    };
    let member = group.get(3).is_some_and(|members| members.split(',').any(|m| Some(m) == user));
    let status = fs::read_to_string(proc.join("self/status")).unwrap_or_default();
    let groups = status.lines().find_map(|line| line.strip_prefix("Groups:")).unwrap_or_default();
    if member && !groups.split_whitespace().any(|id| id.parse() == Ok(group_id)) {
        return format!("{user_name} is in the group {} only since the last login: log out and in again", group[0]);
    }
    format!("sudo usermod -aG {} {user_name}, then log out and in again", group[0])
}

/// USB devices that look like a board's but have no port, as `vendor:product`.
pub(super) fn boards_without_port(sys: &Path) -> Vec<String> {
    let devices = fs::read_dir(sys.join("bus/usb/devices")).into_iter().flatten().flatten().map(|entry| entry.path());
    devices
        .filter_map(|device| {
            let read = |name: &str| fs::read_to_string(device.join(name)).ok().map(|text| String::from(text.trim()));
            let id = format!("{}:{}", read("idVendor")?, read("idProduct")?);
            let known = matches!(id.as_str(), "045b:8111" | "04d8:000a" | "0403:6001");
            (known && !has_port(&device)).then_some(id)
        })
        .collect()
}

/// An interface folder (`1-1:1.0`) of the device holds its port, as `ttyUSB0` or in `tty/`.
fn has_port(device: &Path) -> bool {
    let inside = |folder: &Path| fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect::<Vec<_>>();
    let is_tty = |path: &Path| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("tty"));
    inside(device).iter().any(|interface| inside(interface).iter().any(|path| is_tty(path)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_process_is_found_by_the_file_it_holds() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let found = holder(Path::new("/proc"), &file.path().canonicalize().unwrap()).unwrap();
        assert_eq!(found.id, std::process::id());
        assert_eq!(holder(Path::new("/proc"), Path::new("/nonexistent/port")), None);
    }

    #[test]
    fn the_remedy_names_the_ports_own_group_and_the_user() {
        let folder = tempfile::tempdir().unwrap();
        let (groups, port) = (folder.path().join("group"), folder.path().join("ttyUSB0"));
        fs::write(&port, "").unwrap();
        let gid = port.metadata().unwrap().gid();
        let remedy = |user| permission_remedy(folder.path(), &groups, &port, Some(user));
        fs::write(&groups, format!("dialout:x:{gid}:anna\n")).unwrap();
        if gid == 0 {
            // Root's own files: the group must not be recommended.
            assert!(remedy("pi").contains("root alone"));
            return;
        }
        assert_eq!(remedy("pi"), "sudo usermod -aG dialout pi, then log out and in again");
        assert!(remedy("anna").contains("log out and in again") && !remedy("anna").contains("sudo"));
    }

    #[test]
    fn a_board_whose_port_was_taken_away_is_seen() {
        let folder = tempfile::tempdir().unwrap();
        for (name, port) in [("1-1", true), ("1-2", false)] {
            let device = folder.path().join("bus/usb/devices").join(name);
            let interface = device.join(format!("{name}:1.0"));
            fs::create_dir_all(if port { interface.join("ttyUSB0") } else { interface }).unwrap();
            fs::write(device.join("idVendor"), "0403\n").unwrap();
            fs::write(device.join("idProduct"), "6001\n").unwrap();
        }
        assert_eq!(boards_without_port(folder.path()), ["0403:6001"]);
    }
}

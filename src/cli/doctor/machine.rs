//! The machine around the ports: who holds them, who may open them, what gets in the way.
use super::hurdles::{self, Process};
use crate::link::open::OpenError;
use std::env;
use std::path::{Path, PathBuf};

/// The machine around the ports.
pub(super) struct Machine {
    pub(super) processes: Vec<Process>,
    pub(super) user: Option<String>,
    pub(super) proc: PathBuf,
    pub(super) groups: PathBuf,
}

impl Machine {
    pub(super) fn this() -> Self {
        let proc = PathBuf::from("/proc");
        Self {
            processes: hurdles::processes(&proc),
            user: env::var("SUDO_USER").or_else(|_| env::var("USER")).ok(),
            proc,
            groups: PathBuf::from("/etc/group"),
        }
    }

    /// Programs known to take serial ports, each with its remedy.
    pub(super) fn meddlers(&self) -> impl Iterator<Item = String> {
        ["ModemManager", "brltty"]
            .into_iter()
            .filter(|name| self.processes.iter().any(|p| p.name == *name))
            .filter_map(|name| Some(format!("{name} is running and may get in the way: {}", remedy_for(name)?)))
    }
}

pub(super) fn remedy_for(program: &str) -> Option<&'static str> {
    match program {
        "ModemManager" => Some("sudo systemctl disable --now ModemManager (unless this machine has a mobile modem)"),
        "brltty" => Some("sudo apt remove brltty (unless a braille display is used here), then plug the board in again"),
        _ => None,
    }
}

/// Why a port does not open, and what to do.
pub(super) fn shut(port: &Path, node: &Path, error: &OpenError, machine: &Machine) -> Vec<String> {
    match error {
        OpenError::Permission => {
            vec![String::from("no permission"), hurdles::permission_remedy(&machine.proc, &machine.groups, node, machine.user.as_deref())]
        }
        OpenError::InUse => match hurdles::holder(&machine.proc, node) {
            Some(Process { id, name }) if name == "flagfall" => vec![
                format!("in use by flagfall (process {id})"),
                String::from("its page shows what the board says; to ask here, stop it first: sudo systemctl stop flagfall"),
            ],
            Some(Process { id, name }) => vec![
                format!("in use by {name} (process {id})"),
                remedy_for(&name).map_or_else(|| format!("end that program, or: kill {id}"), String::from),
            ],
            None => {
                vec![String::from("in use by another program"), format!("find out which: sudo fuser -v {}", port.display())]
            }
        },
        OpenError::Missing => {
            vec![String::from("not there"), String::from("plug the board in; `flagfall doctor` without a port shows what is there")]
        }
        error => vec![error.to_string()],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    /// A machine on which this program has `node` open.
    fn held_by(program: &str, proc: &Path, node: &Path) -> Machine {
        let fd = proc.join("123/fd");
        fs::create_dir_all(&fd).unwrap();
        fs::write(proc.join("123/comm"), format!("{program}\n")).unwrap();
        std::os::unix::fs::symlink(node, fd.join("5")).unwrap();
        Machine { processes: Vec::new(), user: None, proc: proc.to_path_buf(), groups: PathBuf::from("/etc/group") }
    }

    #[test]
    fn whoever_holds_a_port_is_named_with_what_to_do() {
        for (program, remedy) in [
            ("flagfall", "stop it first: sudo systemctl stop flagfall"),
            ("ModemManager", "sudo systemctl disable --now ModemManager"),
            ("picochess", "end that program, or: kill 123"),
        ] {
            let proc = tempfile::tempdir().unwrap();
            let node = proc.path().join("ttyUSB0");
            let machine = held_by(program, proc.path(), &node);
            let said = shut(&node, &node, &OpenError::InUse, &machine);
            assert_eq!(said[0], format!("in use by {program} (process 123)"));
            assert!(said[1].contains(remedy), "{said:?}");
        }
        let nobody = Machine { processes: Vec::new(), user: None, proc: PathBuf::from("/nonexistent"), groups: PathBuf::new() };
        let said = shut(Path::new("/dev/ttyUSB0"), Path::new("/dev/ttyUSB0"), &OpenError::InUse, &nobody);
        assert!(said[1].contains("sudo fuser -v /dev/ttyUSB0"), "{said:?}");
    }
}

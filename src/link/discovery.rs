//! Which serial ports are worth a try. Only names and ids are looked at here; whether a board answers is found out by asking it.
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

/// Names of ports a board may be on: USB with its own converter, USB with a common one, classic Bluetooth bound to a port.
const PREFIXES: [&str; 3] = ["ttyACM", "ttyUSB", "rfcomm"];

/// What USB says about a device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UsbId {
    /// Vendor id.
    pub vendor: u16,
    /// Product id.
    pub product: u16,
    /// Product in words, where it has one.
    pub name: Option<String>,
}

impl UsbId {
    /// Reference 1.4: ids only order the candidates, since two of the three belong to thousands of other devices.
    const fn rank(&self) -> u8 {
        match (self.vendor, self.product) {
            (0x045B, 0x8111) => 0,
            (0x04D8, 0x000A) => 1,
            (0x0403, 0x6001) => 2,
            _ => 3,
        }
    }
}

/// A port worth a try.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// Its path in the folder of devices, `/dev/ttyUSB0`.
    pub path: PathBuf,
    /// The same without symbolic links.
    pub node: PathBuf,
    /// Changes when the device is unplugged and plugged in again.
    pub inode: u64,
    /// A name that stays the same wherever it is plugged in, from `serial/by-id`.
    pub by_id: Option<PathBuf>,
    /// What USB says, for a USB device.
    pub usb: Option<UsbId>,
}

impl Candidate {
    /// What a configuration should call it: its stable name where it has one.
    pub fn stable(&self) -> &Path {
        self.by_id.as_deref().unwrap_or(&self.path)
    }

    /// The last part of its path, `ttyUSB0`.
    pub fn name(&self) -> String {
        self.path.file_name().map_or_else(|| self.path.display().to_string(), |name| name.to_string_lossy().into_owned())
    }
}

/// The ports below `dev`, likeliest boards first; each device once. `sys` is where the kernel tells about devices.
///
/// # Errors
/// When `dev` cannot be listed.
pub fn candidates(dev: &Path, sys: &Path) -> io::Result<Vec<Candidate>> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(dev)? {
        let name = entry?.file_name();
        let name = name.to_string_lossy();
        if PREFIXES.iter().any(|prefix| name.strip_prefix(prefix).is_some_and(|n| n.parse::<u16>().is_ok())) {
            add(&mut found, dev.join(&*name), sys);
        }
    }
    let stable = fs::read_dir(dev.join("serial/by-id")).into_iter().flatten().flatten().map(|entry| entry.path());
    for link in stable {
        let Some(node) = add(&mut found, link.clone(), sys) else { continue };
        if let Some(candidate) = found.get_mut(&node) {
            candidate.by_id.get_or_insert(link);
        }
    }
    let mut found: Vec<_> = found.into_values().collect();
    found.sort_by_key(|c: &Candidate| c.usb.as_ref().map_or(4, UsbId::rank));
    Ok(found)
}

/// Adds the device behind `path` unless it is known under another name already. `None`: there is none.
fn add(found: &mut BTreeMap<PathBuf, Candidate>, path: PathBuf, sys: &Path) -> Option<PathBuf> {
    let node = path.canonicalize().ok()?;
    let inode = node.metadata().ok()?.ino();
    found.entry(node.clone()).or_insert_with(|| {
        let usb = path.file_name().or_else(|| node.file_name()).and_then(|name| usb_id(&sys.join("class/tty").join(name)));
        Candidate { path, node: node.clone(), inode, by_id: None, usb }
    });
    Some(node)
}

/// The USB device that a port of the kernel belongs to: the nearest folder above the port's that has an id.
fn usb_id(tty: &Path) -> Option<UsbId> {
    let device = tty.join("device").canonicalize().ok()?;
    device.ancestors().take(4).find_map(|folder| {
        let read = |name: &str| fs::read_to_string(folder.join(name)).ok().map(|text| String::from(text.trim()));
        let id = |name: &str| u16::from_str_radix(&read(name)?, 16).ok();
        Some(UsbId { vendor: id("idVendor")?, product: id("idProduct")?, name: read("product").filter(|name| !name.is_empty()) })
    })
}

/// Whether `candidate` is what one of these paths leads to.
pub(super) fn is_named(candidate: &Candidate, named: &[PathBuf]) -> bool {
    named.iter().any(|path| *path == candidate.path || path.canonicalize().is_ok_and(|node| node == candidate.node))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    fn device(sys: &Path, name: &str, vendor: &str, product: &str) {
        let folder = sys.join("devices/usb1").join(name);
        fs::create_dir_all(folder.join("1-1:1.0")).unwrap();
        fs::write(folder.join("idVendor"), format!("{vendor}\n")).unwrap();
        fs::write(folder.join("idProduct"), format!("{product}\n")).unwrap();
        let tty = sys.join("class/tty").join(name);
        fs::create_dir_all(&tty).unwrap();
        symlink(folder.join("1-1:1.0"), tty.join("device")).unwrap();
    }

    #[test]
    fn boards_come_first_and_each_device_once() {
        let folder = tempfile::tempdir().unwrap();
        let (dev, sys) = (folder.path().join("dev"), folder.path().join("sys"));
        fs::create_dir_all(dev.join("serial/by-id")).unwrap();
        for name in ["ttyUSB0", "ttyUSB1", "ttyACM0", "rfcomm0", "ttyS0", "ttyUSBx", "ttyprintk", "null"] {
            fs::write(dev.join(name), "").unwrap();
        }
        symlink("../../ttyACM0", dev.join("serial/by-id/usb-DGT_Chessboard-if00")).unwrap();
        symlink("../../gone", dev.join("serial/by-id/usb-gone")).unwrap();
        device(&sys, "ttyUSB1", "0403", "6001");
        device(&sys, "ttyUSB0", "1a86", "7523");
        device(&sys, "ttyACM0", "045b", "8111");
        let found = candidates(&dev, &sys).unwrap();
        let names: Vec<_> = found.iter().map(Candidate::name).collect();
        assert_eq!(names, ["ttyACM0", "ttyUSB1", "ttyUSB0", "rfcomm0"]);
        assert_eq!(found[0].stable(), dev.join("serial/by-id/usb-DGT_Chessboard-if00"));
        assert_eq!(found[1].stable(), dev.join("ttyUSB1"));
        assert_eq!(found[1].usb, Some(UsbId { vendor: 0x0403, product: 0x6001, name: None }));
    }

    #[test]
    fn a_named_port_is_known_by_any_of_its_names() {
        let folder = tempfile::tempdir().unwrap();
        let dev = folder.path();
        fs::create_dir_all(dev.join("serial/by-id")).unwrap();
        fs::write(dev.join("ttyUSB0"), "").unwrap();
        symlink("../../ttyUSB0", dev.join("serial/by-id/usb-x")).unwrap();
        let found = candidates(dev, Path::new("/nonexistent")).unwrap();
        assert!(is_named(&found[0], &[dev.join("serial/by-id/usb-x")]));
        assert!(is_named(&found[0], &[dev.join("ttyUSB0")]));
        assert!(!is_named(&found[0], &[dev.join("ttyUSB1")]));
    }
}

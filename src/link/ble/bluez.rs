//! What the system says about Bluetooth: bus, daemon, adapters, devices; and in words what stands in the way and what to do about it.
//!
//! A connection of its own for each look, with time-outs of its own: the long-lived one hangs for ever when the bus dies.
use dbus::arg::{PropMap, RefArg, prop_cast};
use dbus::blocking::Connection;
use dbus::{Error, Path};
use std::collections::HashMap;
use std::fmt;
use std::time::Duration;

/// BlueZ answers at once or not at all.
const ANSWER: Duration = Duration::from_secs(3);
pub(super) const BLUEZ: &str = "org.bluez";
pub(super) const ADAPTER: &str = "org.bluez.Adapter1";
pub(super) const DEVICE: &str = "org.bluez.Device1";

/// What stands in the way of Bluetooth. Its text says what to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Hurdle {
    /// No system bus.
    NoBus,
    /// A bus, but nobody is `org.bluez` on it.
    NoDaemon,
    /// Somebody is `org.bluez`, and does not answer.
    Silent,
    /// The bus refuses this user.
    NotPermitted,
    /// No adapter, or none that BlueZ shows whole.
    NoAdapter,
    /// Not the adapter that the configuration names.
    NotThatAdapter(String),
    /// The adapter is off and cannot be switched on.
    PoweredOff(String),
    /// Anything else, in BlueZ's words.
    Failed(String),
}

impl fmt::Display for Hurdle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoBus => f.write_str("there is no system bus; install and start it: sudo apt install dbus bluez, then restart the machine"),
            Self::NoDaemon => {
                f.write_str("bluetoothd is not running; start it: sudo systemctl start bluetooth (if there is none: sudo apt install bluez)")
            }
            Self::Silent => f.write_str("bluetoothd does not answer; restart it: sudo systemctl restart bluetooth"),
            Self::NotPermitted => f.write_str(
                "this user may not use Bluetooth; add it to the group bluetooth: sudo usermod -aG bluetooth $USER, then log in again",
            ),
            Self::NoAdapter => f.write_str(
                "there is no Bluetooth adapter; plug one in or switch it on (on a Raspberry Pi: no dtoverlay=disable-bt). If `bluetoothctl list` shows one, enable DeviceID in /etc/bluetooth/main.conf",
            ),
            Self::NotThatAdapter(name) => write!(f, "there is no adapter {name}; `bluetoothctl list` shows which there are; mend adapter in [ble]"),
            Self::PoweredOff(name) => {
                write!(f, "the adapter {name} is switched off and stays off; unblock it: sudo rfkill unblock bluetooth, then: bluetoothctl power on")
            }
            Self::Failed(why) => write!(f, "Bluetooth fails: {why}; restart it: sudo systemctl restart bluetooth"),
        }
    }
}

impl std::error::Error for Hurdle {}

impl Hurdle {
    /// From an error's D-Bus name.
    pub(super) fn of(error: &Error) -> Self {
        let message = || error.message().unwrap_or("no reason given").to_owned();
        match error.name().unwrap_or_default().rsplit('.').next().unwrap_or_default() {
            "FileNotFound" | "NoServer" | "Disconnected" | "BadAddress" => Self::NoBus,
            "ServiceUnknown" | "NameHasNoOwner" | "SpawnChildExited" | "SpawnFailed" => Self::NoDaemon,
            "NoReply" | "Timeout" | "TimedOut" => Self::Silent,
            "AccessDenied" | "AuthFailed" | "NotAuthorized" => Self::NotPermitted,
            _ => Self::Failed(message()),
        }
    }
}

/// An adapter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Adapter {
    /// Its name, `hci0`.
    pub name: String,
    /// Its address.
    pub address: String,
    /// It is switched on.
    pub powered: bool,
    /// All that libraries want to know of it is there; without Modalias they do not see it.
    pub whole: bool,
}

/// A device that BlueZ knows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Device {
    /// Its object.
    pub path: String,
    /// Its address.
    pub address: String,
    /// Its name, where it has one.
    pub name: Option<String>,
    /// Paired with this machine.
    pub paired: bool,
    /// Linked to this machine now.
    pub connected: bool,
    /// The services that it offers.
    pub services: Vec<String>,
}

impl Device {
    /// By its name a classic Bluetooth board.
    pub fn is_classic_board(&self) -> bool {
        let name = self.name.as_deref().unwrap_or_default().to_ascii_uppercase();
        name.starts_with("DGT_BT_") || name.starts_with("PCS-REVII")
    }

    /// It offers the service of Bluetooth LE boards, or has their name.
    pub fn may_be_le_board(&self) -> bool {
        self.services.iter().any(|uuid| uuid.eq_ignore_ascii_case(dgt_protocol::pegasus::SERVICE)) || is_le_name(self.name.as_deref())
    }
}

/// Names that only the boards of this dialect come with from the factory.
pub(super) fn is_le_name(name: Option<&str>) -> bool {
    name.is_some_and(|name| name.to_ascii_uppercase().replace(' ', "_").starts_with("DGT_PEGASUS"))
}

/// What there is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Radio {
    /// In the order of their names.
    pub adapters: Vec<Adapter>,
    /// In the order of their addresses.
    pub devices: Vec<Device>,
}

impl Radio {
    /// What stands in the way of using it, if anything does; `wanted` is the adapter that the configuration names.
    pub fn hurdle(&self, wanted: Option<&str>) -> Option<Hurdle> {
        let mut fit = self.adapters.iter().filter(|adapter| adapter.whole);
        let first = fit.clone().find(|adapter| wanted.is_none_or(|name| name == adapter.name));
        match (first, wanted) {
            (None, Some(name)) if fit.next().is_some() => Some(Hurdle::NotThatAdapter(String::from(name))),
            (None, _) => Some(Hurdle::NoAdapter),
            (Some(adapter), _) => (!adapter.powered).then(|| Hurdle::PoweredOff(adapter.name.clone())),
        }
    }
}

type Objects = HashMap<Path<'static>, HashMap<String, PropMap>>;

/// Looks. Blocks for a few seconds at most.
///
/// # Errors
/// Why nothing can be seen.
pub fn look() -> Result<Radio, Hurdle> {
    let bus = connect()?;
    let root = bus.with_proxy(BLUEZ, "/", ANSWER);
    let found: Result<(Objects,), Error> = root.method_call("org.freedesktop.DBus.ObjectManager", "GetManagedObjects", ());
    let (objects,) = found.map_err(|error| Hurdle::of(&error))?;
    let mut radio = Radio::default();
    for (path, interfaces) in &objects {
        if let Some(properties) = interfaces.get(ADAPTER) {
            let name = path.rsplit('/').next().unwrap_or_default().to_owned();
            radio.adapters.push(Adapter {
                name,
                address: text(properties, "Address").unwrap_or_default(),
                powered: flag(properties, "Powered"),
                whole: properties.contains_key("Modalias"),
            });
        }
        if let Some(properties) = interfaces.get(DEVICE) {
            let services: Option<&Vec<String>> = prop_cast(properties, "UUIDs");
            radio.devices.push(Device {
                path: path.to_string(),
                address: text(properties, "Address").unwrap_or_default(),
                name: text(properties, "Name").or_else(|| text(properties, "Alias")),
                paired: flag(properties, "Paired"),
                connected: flag(properties, "Connected"),
                services: services.cloned().unwrap_or_default(),
            });
        }
    }
    radio.adapters.sort_by(|a, b| a.name.cmp(&b.name));
    radio.devices.sort_by(|a, b| a.address.cmp(&b.address));
    Ok(radio)
}

/// Listens for boards for so many seconds and says what there is then; switches the adapter on if it is off. Blocks.
///
/// # Errors
/// Why nothing can be heard.
pub fn listen(seconds: u32) -> Result<Radio, Hurdle> {
    let there = look()?;
    let Some(adapter) = there.adapters.iter().find(|adapter| adapter.whole) else { return Err(Hurdle::NoAdapter) };
    let bus = connect()?;
    let proxy = bus.with_proxy(BLUEZ, format!("/org/bluez/{}", adapter.name), ANSWER);
    if !adapter.powered {
        use dbus::blocking::stdintf::org_freedesktop_dbus::Properties as _;
        proxy.set(ADAPTER, "Powered", true).map_err(|error| match Hurdle::of(&error) {
            permission @ Hurdle::NotPermitted => permission,
            _ => Hurdle::PoweredOff(adapter.name.clone()),
        })?;
    }
    let started: Result<(), Error> = proxy.method_call(ADAPTER, "StartDiscovery", ());
    if let Err(error) = started
        && !error.name().unwrap_or_default().ends_with("InProgress")
    {
        return Err(Hurdle::of(&error));
    }
    std::thread::sleep(Duration::from_secs(u64::from(seconds)));
    let heard = look();
    // It ends with this connection anyway.
    let _: Result<(), Error> = proxy.method_call(ADAPTER, "StopDiscovery", ());
    heard
}

/// A connection of our own to the system bus. Blocks until it stands.
pub(super) fn connect() -> Result<Connection, Hurdle> {
    Connection::new_system().map_err(|error| match Hurdle::of(&error) {
        permission @ Hurdle::NotPermitted => permission,
        // Whatever else keeps us from the bus: it is not there.
        _ => Hurdle::NoBus,
    })
}

pub(super) fn text(properties: &PropMap, name: &str) -> Option<String> {
    properties.get(name).and_then(|value| value.0.as_str()).map(String::from)
}

fn flag(properties: &PropMap, name: &str) -> bool {
    prop_cast::<bool>(properties, name).copied().unwrap_or(false)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn adapter(powered: bool, whole: bool) -> Adapter {
        Adapter { name: String::from("hci0"), address: String::from("00:11:22:33:44:55"), powered, whole }
    }

    #[test]
    fn each_missing_piece_has_its_own_remedy() {
        let radio = |adapters: Vec<Adapter>| Radio { adapters, devices: Vec::new() };
        assert_eq!(radio(vec![]).hurdle(None), Some(Hurdle::NoAdapter));
        assert_eq!(radio(vec![adapter(true, false)]).hurdle(None), Some(Hurdle::NoAdapter));
        assert_eq!(radio(vec![adapter(false, true)]).hurdle(None), Some(Hurdle::PoweredOff(String::from("hci0"))));
        assert_eq!(radio(vec![adapter(true, true)]).hurdle(Some("hci1")), Some(Hurdle::NotThatAdapter(String::from("hci1"))));
        assert_eq!(radio(vec![adapter(true, true)]).hurdle(Some("hci0")), None);
        for (name, hurdle) in [
            ("org.freedesktop.DBus.Error.FileNotFound", Hurdle::NoBus),
            ("org.freedesktop.DBus.Error.ServiceUnknown", Hurdle::NoDaemon),
            ("org.freedesktop.DBus.Error.AccessDenied", Hurdle::NotPermitted),
            ("org.freedesktop.DBus.Error.NoReply", Hurdle::Silent),
            ("org.bluez.Error.Failed", Hurdle::Failed(String::from("x"))),
        ] {
            assert_eq!(Hurdle::of(&Error::new_custom(name, "x")), hurdle);
            assert!(hurdle.to_string().contains("; "), "{hurdle}: what to do");
        }
    }
}

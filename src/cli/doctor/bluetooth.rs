//! What `doctor` says about Bluetooth: what stands in the way, and which boards are heard.
#[cfg(feature = "ble")]
use std::fmt::Write as _;

/// So long boards are listened for.
#[cfg(feature = "ble")]
const SECONDS: u32 = 6;

/// What was heard.
#[derive(Debug, Default)]
pub(super) struct Heard {
    /// For people, several lines.
    pub(super) text: String,
    /// Boards that can be read as they are.
    pub(super) boards: usize,
}

#[cfg(not(feature = "ble"))]
pub(super) fn listen() -> Heard {
    Heard { text: String::from("Bluetooth: this build has none\n"), boards: 0 }
}

/// Listens, where there is anything to listen with.
#[cfg(feature = "ble")]
pub(super) fn listen() -> Heard {
    use crate::link::ble::bluez::{self, Hurdle};
    let there = match bluez::look() {
        Ok(radio) => match radio.hurdle(None) {
            // A blocked adapter shows it when it is switched on.
            None | Some(Hurdle::PoweredOff(_)) => bluez::listen(SECONDS),
            Some(hurdle) => Err(hurdle),
        },
        Err(hurdle) => Err(hurdle),
    };
    match there {
        Ok(radio) => describe(&radio),
        Err(hurdle) => Heard { text: format!("Bluetooth: {hurdle}\n"), boards: 0 },
    }
}

#[cfg(feature = "ble")]
fn describe(radio: &crate::link::ble::bluez::Radio) -> Heard {
    let mut heard = Heard::default();
    let mut say = |line: std::fmt::Arguments<'_>| {
        // Writing to a String cannot fail.
        let _ = writeln!(heard.text, "{line}");
    };
    let names: Vec<_> = radio.adapters.iter().map(|adapter| adapter.name.as_str()).collect();
    say(format_args!("Bluetooth: {}", names.join(", ")));
    let mut boards = 0;
    let all = radio.devices.iter().filter(|device| device.is_classic_board() || device.may_be_le_board());
    let width = 17;
    for device in all {
        let (address, name) = (&device.address, device.name.as_deref().unwrap_or("no name"));
        let held = if device.connected { ", connected: a program reads it" } else { "" };
        if device.is_classic_board() {
            say(format_args!("{address}  {name}, a classic Bluetooth board{}{held}", if device.paired { ", paired" } else { "" }));
            if device.paired {
                boards += 1;
                say(format_args!("{:width$}  in the configuration: link = \"rfcomm:{address}\"", ""));
            } else {
                say(format_args!("{:width$}  not paired: flagfall pair {address}", ""));
            }
        } else {
            boards += 1;
            say(format_args!("{address}  {name}, perhaps a Bluetooth LE board{held}"));
            say(format_args!("{:width$}  in the configuration: link = \"ble:{address}\", and key_file in [ble]", ""));
        }
    }
    if boards == 0 && !heard.text.contains("flagfall pair") {
        let _ = writeln!(heard.text, "no Bluetooth board is heard; switch it on, and disconnect the phone that may hold it");
    }
    heard.boards = boards;
    heard
}

#[cfg(all(test, feature = "ble"))]
mod tests {
    use super::*;
    use crate::link::ble::bluez::{Adapter, Device, Radio};

    fn device(name: &str, paired: bool) -> Device {
        let (path, address) = (String::from("/x"), String::from("00:06:66:00:00:01"));
        Device { path, address, name: Some(String::from(name)), paired, connected: false, services: Vec::new() }
    }

    #[test]
    fn each_board_comes_with_its_line_for_the_configuration_or_what_is_missing() {
        let adapters = vec![Adapter { name: String::from("hci0"), address: String::new(), powered: true, whole: true }];
        let said = |devices: Vec<Device>| describe(&Radio { adapters: adapters.clone(), devices });
        let unpaired = said(vec![device("DGT_BT_12345", false)]);
        assert!(unpaired.boards == 0 && unpaired.text.contains("flagfall pair 00:06:66:00:00:01"), "{}", unpaired.text);
        let paired = said(vec![device("PCS-REVII-081500", true)]);
        assert!(paired.boards == 1 && paired.text.contains("link = \"rfcomm:00:06:66:00:00:01\""));
        assert!(said(vec![device("DGT_PEGASUS_00001", false)]).text.contains("link = \"ble:00:06:66:00:00:01\""));
        assert!(said(vec![device("Headset", true)]).text.contains("no Bluetooth board is heard"));
    }
}

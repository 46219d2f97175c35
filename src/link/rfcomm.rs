//! Classic Bluetooth boards: `rfcomm:ADDRESS`, an RFCOMM socket without root or binding. What comes over it is a serial board's stream, so all
//! but the opening is `serial`'s; a port bound by `rfcomm bind` (`/dev/rfcommN`) goes through `serial` altogether.
use super::event::Events;
use super::serial::Connection;
use flagfall_time::Stopwatch;
use std::io;
use std::path::PathBuf;
use tokio_util::sync::CancellationToken;

/// Whether this build serves it.
pub const BUILT: bool = cfg!(feature = "ble");

/// The Serial Port Profile of every board that was seen.
#[cfg(feature = "ble")]
const CHANNEL: u8 = 1;
/// A page over the air takes five seconds; the kernel gives up later than this.
#[cfg(feature = "ble")]
const CONNECT: std::time::Duration = std::time::Duration::from_secs(20);

/// Keeps the board with this address connected until `token` is cancelled: a board that is not there is a state, told once for each reason.
/// The link counts as up with the board's first answer: the kernel may say "connected" before it is so.
pub async fn keep(address: [u8; 6], events: &Events, stopwatch: Stopwatch, token: &CancellationToken) {
    let place = PathBuf::from(crate::address::LinkAddress::Rfcomm(address).to_string());
    super::serial::keep_open(&place, events, stopwatch, token, || connect(address, stopwatch)).await;
}

/// Opens the socket; nothing is written yet.
#[cfg(feature = "ble")]
pub async fn connect(address: [u8; 6], stopwatch: Stopwatch) -> Result<Connection, String> {
    use bluer::rfcomm::{SocketAddr, Stream};
    let place = PathBuf::from(crate::address::LinkAddress::Rfcomm(address).to_string());
    let connecting = Stream::connect(SocketAddr::new(bluer::Address::new(address), CHANNEL));
    match tokio::time::timeout(CONNECT, connecting).await {
        Ok(Ok(stream)) => Ok(Connection::over(place, super::serial::Port::Rfcomm(stream), stopwatch)),
        Ok(Err(error)) => Err(remedy(&error, address)),
        Err(_) => Err(remedy(&io::ErrorKind::TimedOut.into(), address)),
    }
}

/// The same in a build without Bluetooth: says so.
#[cfg(not(feature = "ble"))]
pub async fn connect(_: [u8; 6], _: Stopwatch) -> Result<Connection, String> {
    Err(String::from("this build has no Bluetooth; install one with the feature ble, or bind the board to a port: rfcomm bind"))
}

/// Why there is no connection, and what to do.
pub fn remedy(error: &io::Error, address: [u8; 6]) -> String {
    use rustix::io::Errno;
    let pair = || {
        let link = crate::address::LinkAddress::Rfcomm(address).to_string();
        format!("flagfall pair {}", link.trim_start_matches("rfcomm:"))
    };
    match Errno::from_io_error(error) {
        Some(Errno::AFNOSUPPORT | Errno::PROTONOSUPPORT) => String::from(
            "this kernel has no Bluetooth: sudo modprobe rfcomm; under systemd RestrictAddressFamilies must allow AF_BLUETOOTH",
        ),
        Some(Errno::HOSTUNREACH | Errno::NODEV | Errno::NETDOWN) => {
            String::from("there is no Bluetooth adapter, or it is off: bluetoothctl power on; `flagfall doctor` says more")
        }
        Some(Errno::ACCESS | Errno::PERM | Errno::KEYREJECTED | Errno::INVAL) => format!("not paired with this machine: {}", pair()),
        Some(Errno::CONNREFUSED) => format!("the board refuses: another program may hold it, or it is not paired: {}", pair()),
        Some(Errno::BUSY) => String::from("in use by another program; stop that one"),
        Some(Errno::HOSTDOWN | Errno::TIMEDOUT) => no_answer(),
        _ if error.kind() == io::ErrorKind::TimedOut => no_answer(),
        _ => format!("cannot be connected to: {error}; switch the board off and on"),
    }
}

fn no_answer() -> String {
    String::from("does not answer; switch the board on and bring it near (the first attempt after it was switched on often fails)")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_way_not_to_be_connected_says_what_to_do() {
        use rustix::io::Errno;
        for (errno, word) in [
            (Errno::AFNOSUPPORT, "modprobe"),
            (Errno::HOSTUNREACH, "power on"),
            (Errno::ACCESS, "flagfall pair 00:06:66:00:00:01"),
            (Errno::CONNREFUSED, "another program"),
            (Errno::HOSTDOWN, "switch the board on"),
            (Errno::IO, "off and on"),
        ] {
            let said = remedy(&io::Error::from(errno), [0, 6, 0x66, 0, 0, 1]);
            assert!(said.contains(word), "{errno:?}: {said}");
        }
    }
}

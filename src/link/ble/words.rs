//! BlueZ's errors in words for people, and the panics of its library in one line of the log.
use super::bluez::Hurdle;
use super::session::Loss;
use std::panic;
use std::sync::Once;
use std::sync::atomic::{AtomicU64, Ordering};

/// What a failed call means for a connection. The library shows the D-Bus name of an error in its debug form only.
pub(super) fn loss_of(error: &btleplug::Error) -> Loss {
    let all = format!("{error:?}");
    let says = |words: &[&str]| words.iter().any(|word| all.contains(word));
    if matches!(error, btleplug::Error::NotConnected | btleplug::Error::DeviceNotFound)
        || says(&[
            "Not connected",
            "NotConnected",
            "In Progress",
            "InProgress",
            "UnknownObject",
            "UnknownMethod",
            "doesn't exist",
            "NotPermitted",
        ])
    {
        Loss::HungUp
    } else if says(&["ServiceUnknown", "NameHasNoOwner"]) {
        Loss::Failed(Hurdle::NoDaemon.to_string())
    } else if says(&["AccessDenied", "NotAuthorized"]) {
        Loss::Failed(Hurdle::NotPermitted.to_string())
    } else {
        Loss::Failed(format!("Bluetooth: {error}"))
    }
}

/// Why a board could not be connected to.
pub(super) fn unconnected(error: &btleplug::Error) -> String {
    let all = format!("{error:?}");
    let says = |word: &str| all.contains(word);
    if says("br-connection") {
        String::from(
            "BlueZ tried classic Bluetooth instead of LE; it is tried again (if this repeats: ControllerMode = le in /etc/bluetooth/main.conf)",
        )
    } else if says("in progress") || says("InProgress") || says("In Progress") {
        String::from("BlueZ is still busy with an earlier attempt; it is tried again")
    } else if says("doesn't exist") || says("UnknownObject") || says("UnknownMethod") || matches!(error, btleplug::Error::DeviceNotFound) {
        String::from("BlueZ has forgotten the board; it is looked for again")
    } else if says("NoReply") || says("Timeout") || says("timed out") {
        no_answer()
    } else if says("ServiceUnknown") || says("NameHasNoOwner") {
        Hurdle::NoDaemon.to_string()
    } else if says("AccessDenied") || says("NotAuthorized") {
        Hurdle::NotPermitted.to_string()
    } else {
        format!("cannot be connected to: {error}; switch it off and on")
    }
}

/// Nothing came of a connection in time.
pub(super) fn no_answer() -> String {
    String::from("does not answer; bring it nearer, switch it off and on, and disconnect the phone that may hold it")
}

/// Panics of the library's own tasks since the daemon began.
static STUMBLES: AtomicU64 = AtomicU64::new(0);

/// How often the library stumbled.
pub fn stumbles() -> u64 {
    STUMBLES.load(Ordering::Relaxed)
}

/// The Bluetooth library panics in tasks of its own when a stream is dropped while a signal comes. Nothing is lost by it: such a panic
/// becomes a count and one line of the log, every other one goes where it went.
pub(super) fn hush_the_library() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let before = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            let library = ["/bluez-async-", "/dbus-", "/dbus-tokio-", "/btleplug-"];
            if !info.location().is_some_and(|place| library.iter().any(|name| place.file().contains(name))) {
                return before(info);
            }
            if STUMBLES.fetch_add(1, Ordering::Relaxed) == 0 {
                tracing::info!(
                    "the Bluetooth library stumbled over a signal in a task of its own; nothing is lost, further ones are only counted"
                );
            }
        }));
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use btleplug::Error;

    fn other(text: &str) -> Error {
        Error::Other(text.into())
    }

    #[test]
    fn what_a_lost_link_makes_bluez_say_is_a_hang_up() {
        for text in ["D-Bus error: Not connected (org.bluez.Error.Failed)", "In Progress", "Method \"Connect\" … doesn't exist"] {
            assert_eq!(loss_of(&other(text)), Loss::HungUp, "{text}");
        }
        assert_eq!(loss_of(&Error::DeviceNotFound), Loss::HungUp);
        assert!(loss_of(&other("(org.freedesktop.DBus.Error.ServiceUnknown)")).to_string().contains("systemctl start bluetooth"));
    }

    #[test]
    fn each_failure_to_connect_says_what_becomes_of_it() {
        for (text, word) in [
            ("br-connection-profile-unavailable", "classic"),
            ("Operation already in progress", "earlier attempt"),
            ("Timeout waiting for reply", "phone"),
            ("org.freedesktop.DBus.Error.UnknownObject", "forgotten"),
            ("le-connection-abort-by-local", "off and on"),
        ] {
            assert!(unconnected(&other(text)).contains(word), "{text}: {}", unconnected(&other(text)));
        }
    }
}

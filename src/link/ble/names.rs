//! What boards are called that nobody named: by their serial number, and the same as long as the daemon runs.
use crate::identity::Identity;
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, PoisonError};

/// Names by address; clones are the same.
#[derive(Clone, Debug, Default)]
pub(super) struct Names(Arc<Mutex<HashMap<String, String>>>);

impl Names {
    /// The name of the board with this address: its serial number, else its address; never one that is `taken`.
    pub(super) fn of(&self, address: &str, identity: &Identity, taken: &HashSet<String>) -> String {
        let mut names = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(name) = names.get(address) {
            return name.clone();
        }
        // Some boards were never given a number.
        let serials = [&identity.serial, &identity.long_serial].into_iter().flatten();
        let serials = serials.filter(|serial| serial.bytes().any(|b| b != b'0')).cloned();
        let plain = address.replace(':', "");
        let mut candidates = serials.chain([plain.clone()]).chain((2..).map(|n| format!("{plain}-{n}")));
        let free = candidates.find(|name| !taken.contains(name) && !names.values().any(|used| used == name)).unwrap_or(plain);
        names.insert(String::from(address), free.clone());
        free
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_board_is_called_by_its_number_and_keeps_its_name() {
        let identity = Identity { serial: Some(String::from("12345")), ..Identity::default() };
        let (names, taken) = (Names::default(), HashSet::from([String::from("7")]));
        assert_eq!(names.of("AA:BB:CC:DD:EE:01", &identity, &taken), "12345");
        assert_eq!(names.of("AA:BB:CC:DD:EE:02", &identity, &taken), "AABBCCDDEE02", "another board with the same number");
        assert_eq!(names.of("AA:BB:CC:DD:EE:01", &Identity::default(), &taken), "12345");
    }
}

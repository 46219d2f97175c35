//! Whose board is on which cable: a board's serial number belongs to a table, and two cables that were exchanged are noticed before anything is read of
//! the wrong game. A small file beside the journals keeps it over restarts.
use crate::link::event::Up;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The file.
const FILE: &str = "boards.json";

/// Who knows whose boards these are, and who is told.
pub(super) struct House {
    pub(super) homes: Homes,
    /// Raises the alarm with this text, or clears it.
    pub(super) tell: Box<dyn Fn(Option<String>) + Send>,
    /// What is plugged in, while it is another table's.
    pub(super) stranger: Option<Up>,
}

/// All boards of this machine. Clones lead to the same.
#[derive(Clone, Debug, Default)]
pub(super) struct Homes(Arc<Mutex<Known>>);

#[derive(Debug, Default)]
struct Known {
    file: Option<PathBuf>,
    /// The serial number that belongs to each board's name.
    serials: BTreeMap<String, String>,
    /// What is plugged in there now.
    here: BTreeMap<String, String>,
}

impl Homes {
    /// As it was when this machine last ran; without a folder nothing is kept. Reads a small file.
    pub(super) fn load(data_dir: Option<&Path>) -> Self {
        let file = data_dir.map(|folder| folder.join(FILE));
        let bytes = file.as_ref().and_then(|file| crate::journal::store::read_small(file).ok());
        let serials = bytes.and_then(|bytes| serde_json::from_slice(&bytes).ok()).unwrap_or_default();
        Self(Arc::new(Mutex::new(Known { file, serials, here: BTreeMap::new() })))
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A board with this serial number answers where `name` is plugged in. The name of the board that it is, where that is another one's: its own does not
    /// answer with that number now. A number that nobody has is a board that was replaced.
    pub(super) fn plugged(&self, name: &str, serial: &str) -> Option<String> {
        let mut known = self.known();
        known.here.insert(String::from(name), String::from(serial));
        let own = known.serials.get(name);
        if own.is_some_and(|own| own != serial) {
            let there = |other: &str| known.here.get(other).is_some_and(|here| here == serial);
            let mut others = known.serials.iter().filter(|(other, known)| *other != name && *known == serial);
            if let Some((other, _)) = others.find(|(other, _)| !there(other)) {
                return Some(other.clone());
            }
        }
        known.put(name, serial);
        None
    }

    /// Nothing answers there now.
    pub(super) fn unplugged(&self, name: &str) {
        self.known().here.remove(name);
    }

    /// Somebody said that what is plugged in there belongs there.
    pub(super) fn belongs(&self, name: &str) {
        let mut known = self.known();
        let Some(serial) = known.here.get(name).cloned() else { return };
        known.serials.retain(|other, of| other == name || *of != serial);
        known.put(name, &serial);
    }
}

impl Known {
    fn put(&mut self, name: &str, serial: &str) {
        if self.serials.insert(String::from(name), String::from(serial)).as_deref() == Some(serial) {
            return;
        }
        let Some(file) = &self.file else { return };
        let aside = file.with_extension("new");
        let bytes = serde_json::to_vec(&self.serials).unwrap_or_default();
        if let Err(error) = std::fs::write(&aside, bytes).and_then(|()| std::fs::rename(&aside, file)) {
            tracing::warn!("{}: {error}; cables that are exchanged while flagfall is off may not be noticed", file.display());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_cables_that_were_exchanged_are_noticed_at_both_ends_also_after_a_restart() {
        let folder = tempfile::tempdir().unwrap();
        let homes = Homes::load(Some(folder.path()));
        assert_eq!((homes.plugged("1", "30017"), homes.plugged("2", "30018")), (None, None));
        for homes in [homes, Homes::load(Some(folder.path()))] {
            ["1", "2"].iter().for_each(|name| homes.unplugged(name));
            assert_eq!(homes.plugged("1", "30018").as_deref(), Some("2"));
            assert_eq!(homes.plugged("2", "30017").as_deref(), Some("1"));
            // Put right again.
            ["1", "2"].iter().for_each(|name| homes.unplugged(name));
            assert_eq!((homes.plugged("1", "30017"), homes.plugged("2", "30018")), (None, None));
        }
    }

    #[test]
    fn another_board_takes_a_dead_ones_place_and_whoever_says_so_exchanges_two() {
        let homes = Homes::load(None);
        assert_eq!((homes.plugged("1", "30017"), homes.plugged("2", "30018")), (None, None));
        homes.unplugged("1");
        assert_eq!(homes.plugged("1", "40000"), None, "nobody has this number");
        ["1", "2"].iter().for_each(|name| homes.unplugged(name));
        assert_eq!((homes.plugged("1", "30018").as_deref(), homes.plugged("2", "40000").as_deref()), (Some("2"), Some("1")));
        homes.belongs("1");
        homes.belongs("2");
        ["1", "2"].iter().for_each(|name| homes.unplugged(name));
        assert_eq!((homes.plugged("1", "30018"), homes.plugged("2", "40000")), (None, None));
    }

    #[test]
    fn boards_that_all_say_the_same_number_are_not_told_apart() {
        let homes = Homes::load(None);
        for _ in 0..2 {
            assert_eq!((homes.plugged("1", "00000"), homes.plugged("2", "00000")), (None, None));
            homes.unplugged("1");
            assert_eq!(homes.plugged("2", "00000"), None);
        }
    }
}

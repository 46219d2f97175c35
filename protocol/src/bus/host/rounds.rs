//! How far a search for boards is.
use super::said::MOST;
use crate::bus::address::BusAddress;
use alloc::vec::Vec;

/// Different addresses that are kept of one window.
const HEARD: usize = 2 * MOST;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// Everybody answers at a random moment: who answers twice is two.
    Count,
    /// The board with this index, and how often it was pinged.
    Expected(usize, u8),
    /// The board with this index is told to skip the next ping.
    Silence(usize),
    /// Whoever was not silenced answers.
    Rest,
}

/// A search that is on.
#[derive(Clone, Debug)]
pub(super) struct Search {
    pub(super) step: Step,
    pub(super) rounds: u8,
    /// Who answered in this window, and how often.
    pub(super) heard: Vec<(BusAddress, u8)>,
    /// Something came in this window that was no answer.
    pub(super) garbled: bool,
    /// Only the boards at this address are counted.
    pub(super) counts: Option<BusAddress>,
}

impl Search {
    /// As after opening a line.
    pub(super) const fn whole() -> Self {
        Self { step: Step::Count, rounds: 0, heard: Vec::new(), garbled: false, counts: None }
    }

    /// For boards that were plugged in since.
    pub(super) fn newcomers() -> Self {
        Self { step: Step::Silence(0), ..Self::whole() }
    }

    /// How many boards answer to this address.
    pub(super) fn count(address: BusAddress) -> Self {
        Self { step: Step::Silence(0), counts: Some(address), ..Self::whole() }
    }

    /// A ping was answered.
    pub(super) fn heard(&mut self, address: BusAddress) {
        if let Some((_, times)) = self.heard.iter_mut().find(|(who, _)| *who == address) {
            *times = times.saturating_add(1);
        } else if self.heard.len() < HEARD && address != BusAddress::ALL {
            self.heard.push((address, 1));
        }
    }
}

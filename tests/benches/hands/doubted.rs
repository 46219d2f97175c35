//! How often a finding is wrong, by how far honest play was excluded when it was told.
use flagfall_hands::price::{NAT, Nats};
use std::collections::BTreeMap;

/// From here on findings are one bin, nats.
const MOST: Nats = 20;

/// A finding above a note.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Told {
    pub(crate) key: &'static str,
    /// How much dearer than what was read the cheapest honest play was, 1/1024 nat.
    pub(crate) dearer: Nats,
    /// Something called for it.
    pub(crate) called_for: bool,
}

/// Findings by key and how far honest play was excluded, in steps of two nats: all, and those that nothing called for.
#[derive(Default)]
pub(crate) struct Doubted(BTreeMap<(&'static str, Nats), (usize, usize)>);

impl Doubted {
    pub(crate) fn add(&mut self, told: &[Told]) {
        for one in told {
            let bin = (one.dearer / NAT).clamp(0, MOST) / 2 * 2;
            let (all, wrong) = self.0.entry((one.key, bin)).or_default();
            *all += 1;
            *wrong += usize::from(!one.called_for);
        }
    }

    pub(crate) fn print(&self) {
        println!("\nFindings above a note, by how far honest play was excluded when they were told (a nat is a factor of 2.7).\n");
        println!("| finding | honest play dearer by, nats | told | nothing called for it |\n|---|---|---|---|");
        for ((key, bin), (all, wrong)) in &self.0 {
            let name = if *bin == MOST { format!("{MOST} and more") } else { format!("{bin} to {}", bin + 2) };
            println!("| `{key}` | {name} | {all} | {wrong} |");
        }
    }
}

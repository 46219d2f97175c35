//! Every mishap of docs/operate.md, "What to do when", walked step by step as the page has it.
//!
//! | file | holds |
//! |---|---|
//! | `tables.rs` | boards at tables, with a daemon that reads them |
//! | `hardware.rs` | boards, cables, clocks, cards and power that fail |
//! | `event.rs` | pairings and rounds |
//! | `../nats/takeover.rs` | what happens in a hall |
#![allow(clippy::unwrap_used, reason = "a test may")]
mod event;
mod hardware;
mod tables;

const PAGE: &str = include_str!("../../docs/operate.md");

/// What is walked where there is no broker.
const ALONE: [&str; 9] = [
    "A board is dead",
    "A Pi or its card is dead, without a hall",
    "A clock is dead",
    "The clock runs and nothing is recorded",
    "Two cables are exchanged",
    "Two boards were exchanged on purpose",
    "A wrong pairing",
    "The next round",
    "The power was cut",
];
/// What is walked beside one.
const HALL: [&str; 3] = ["A Pi or its card is dead, in a hall", "Two machines name one board", "Two machines recorded other moves"];

/// A mishap's section of the page, and how far somebody has come in it.
pub(crate) struct Walk {
    name: &'static str,
    steps: Vec<&'static str>,
    lost: &'static str,
    done: usize,
}

impl Walk {
    pub(crate) fn of(name: &'static str) -> Self {
        assert!(ALONE.contains(&name) || HALL.contains(&name), "{name} is not listed");
        let section = sections().find(|(title, _)| *title == name).unwrap_or_else(|| panic!("docs/operate.md has no {name:?}")).1;
        let numbered = |n: usize| section.lines().find_map(|line| line.strip_prefix(&format!("{n}. ")));
        let steps: Vec<&str> = (1..).map_while(numbered).collect();
        let is_step = |line: &&str| line.split_once(". ").is_some_and(|(n, _)| n.bytes().all(|b| b.is_ascii_digit()) && !n.is_empty());
        assert_eq!(section.lines().filter(is_step).count(), steps.len(), "{name}: the numbers are in a row");
        let part = |head: &str| section.lines().find_map(|line| line.strip_prefix(head)).unwrap_or_else(|| panic!("{name}: no {head}"));
        _ = (part("**Seen:** "), part("**Well again:** "));
        Self { name, steps, lost: part("**Lost:** "), done: 0 }
    }

    /// The next step is done; the page says so in these words.
    pub(crate) fn step<T>(&mut self, says: &str, act: impl FnOnce() -> T) -> T {
        let step = self.steps.get(self.done).unwrap_or_else(|| panic!("{}: the page has no step {}", self.name, self.done + 1));
        assert!(step.contains(says), "{}, step {}: {step:?} does not say {says:?}", self.name, self.done + 1);
        self.done += 1;
        act()
    }

    /// All is well again, and this is what was lost, in the page's words.
    pub(crate) fn done(self, lost: &str) {
        assert_eq!(self.done, self.steps.len(), "{}: steps that were done, and those of the page", self.name);
        assert!(self.lost.starts_with(lost), "{}: {:?} does not begin with {lost:?}", self.name, self.lost);
        let steps = if self.done == 1 { "step" } else { "steps" };
        println!("walk: {}: {} {steps}; lost: {lost}", self.name, self.done);
    }
}

/// The mishaps of the page.
fn sections() -> impl Iterator<Item = (&'static str, &'static str)> {
    let chapter = PAGE.split_once("\n## What to do when\n").unwrap().1.split_once("\n## ").unwrap().0;
    chapter.split("\n### ").skip(1).map(|section| section.split_once('\n').unwrap())
}

#[test]
fn every_mishap_of_the_page_is_walked() {
    let mut listed: Vec<&str> = ALONE.iter().chain(&HALL).copied().collect();
    let mut page: Vec<&str> = sections().map(|(name, _)| name).collect();
    listed.sort_unstable();
    page.sort_unstable();
    assert_eq!(page, listed);
}

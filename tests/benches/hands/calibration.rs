//! How often what is believed is wrong, by how firmly it is: for every ply that was pressed, by its lead.
use crate::case::Case;
use crate::estimate::{Believed, Read};
use crate::rows::Row;
use flagfall_hands::price::NAT;
use std::collections::BTreeMap;

/// Leads from here on are one bin, nats: there is next to nothing that the estimator still holds against the ply.
pub(crate) const MOST: u32 = 22;

/// Plies by row and lead.
#[derive(Default)]
pub(crate) struct Calibration {
    /// What was believed at the press, whether that was enough or not.
    at_once: Leads,
    /// What was enough to complete the ply, at the press or later.
    completed: Leads,
    /// The rows in which anything was pressed, as they came.
    rows: Vec<&'static str>,
    /// Those of them with a usual board.
    usual: Vec<&'static str>,
}

/// Plies by row and lead in whole nats.
#[derive(Default)]
struct Leads(BTreeMap<(&'static str, u32), Tally>);

/// So many plies, and how many of them were other moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    pub(crate) plies: u64,
    pub(crate) wrong: u64,
}

impl Calibration {
    /// Adds a game of this row. Plies after the last one are nobody's.
    pub(crate) fn add(&mut self, row: &Row, case: &Case, read: &Read) {
        let (row, is_usual) = (row.name, row.is_usual_board());
        if !read.pressed.is_empty() && !self.rows.contains(&row) {
            self.rows.push(row);
            self.usual.extend(is_usual.then_some(row));
        }
        for (ply, pressed) in read.pressed.iter().filter(|(ply, _)| **ply as usize <= case.truth.len()) {
            let add = |leads: &mut Leads, believed: &Believed| {
                let bin = u32::try_from(believed.lead / NAT).unwrap_or(0).min(MOST);
                let tally = leads.0.entry((row, bin)).or_default();
                tally.plies += 1;
                tally.wrong += u64::from(case.is_wrong(*ply, &believed.uci));
            };
            add(&mut self.at_once, &pressed.at_once);
            if let Some((_, believed)) = &pressed.completed {
                add(&mut self.completed, believed);
            }
        }
    }

    /// What led at the press, by lead in whole nats: on usual boards, and on the others.
    pub(crate) fn by_board(&self) -> (BTreeMap<u32, Tally>, BTreeMap<u32, Tally>) {
        (self.at_once.sum(|row| self.usual.contains(&row)), self.at_once.sum(|row| !self.usual.contains(&row)))
    }

    /// Nothing was pressed.
    pub(crate) fn is_empty(&self) -> bool {
        self.at_once.0.is_empty()
    }

    /// Prints both tables.
    pub(crate) fn print(&self) {
        println!("\nAt the press: what led, and by how much, whether it was completed at once or not (wrong of plies).\n");
        self.at_once.print(&self.rows);
        println!("\nCompleted, at the press or within three seconds: by the lead that it was completed with (wrong of plies).\n");
        self.completed.print(&self.rows);
    }
}

impl Leads {
    /// Some rows together, by lead in whole nats.
    fn sum(&self, counts: impl Fn(&str) -> bool) -> BTreeMap<u32, Tally> {
        let mut all: BTreeMap<u32, Tally> = BTreeMap::new();
        for ((_, bin), tally) in self.0.iter().filter(|((row, _), _)| counts(row)) {
            let sum = all.entry(*bin).or_default();
            (sum.plies, sum.wrong) = (sum.plies + tally.plies, sum.wrong + tally.wrong);
        }
        all
    }

    fn print(&self, rows: &[&'static str]) {
        println!("| lead, nats | plies | wrong | share | {} |", rows.join(" | "));
        println!("|---|---|---|---|{}", "---|".repeat(rows.len()));
        for (bin, tally) in self.sum(|_| true) {
            let name = if bin == MOST { format!("{MOST} and more") } else { format!("{bin} to {}", bin + 1) };
            let share = format!("{:.3} %", 100.0 * tally.wrong as f64 / tally.plies as f64);
            let of = |row: &&'static str| {
                self.0.get(&(*row, bin)).map_or_else(|| String::from("–"), |tally| format!("{} of {}", tally.wrong, tally.plies))
            };
            let each: Vec<String> = rows.iter().map(of).collect();
            println!("| {name} | {} | {} | {share} | {} |", tally.plies, tally.wrong, each.join(" | "));
        }
    }
}

//! The figures as text.
use super::Tally;
use std::fmt;

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "boards {}, games played to their end {}", self.boards, self.played)?;
        let Self { begun, finished, exact, phantoms, missing_plies, wrong_plies, .. } = self;
        writeln!(
            f,
            "begun {begun}, finished {finished}, exact {exact}, missing plies {missing_plies}, wrong plies {wrong_plies}, games nobody played {phantoms}"
        )?;
        let Self { read, entered, missing, shown_and_missing, wrong, .. } = self;
        writeln!(f, "results read {read}, entered {entered}, missing {missing} (shown with the kings {shown_and_missing}), wrong {wrong}")?;
        writeln!(f, "ended (how the players did: what the record has):")?;
        for (how, count) in &self.ended {
            writeln!(f, "  {how} {count}")?;
        }
        writeln!(f, "games stuck (played, nothing recorded) {}, on {} boards", self.stuck_games, self.boards_with_stuck_games)?;
        writeln!(f, "boards stuck (nothing began or ended for four minutes of play) {}", self.stuck_boards.len())?;
        for board in &self.stuck_boards {
            writeln!(f, "  board {board}")?;
        }
        writeln!(f, "findings by key and cause:")?;
        for ((key, cause), count) in &self.findings {
            writeln!(f, "  {count:5}  {key}  {cause}")?;
        }
        writeln!(f, "alarms: raised, on how many boards still raised at the end:")?;
        for (key, (raised, still)) in &self.alarms {
            writeln!(f, "  {key} {raised}, {still}")?;
        }
        writeln!(f, "incidents played, and named by a finding:")?;
        for (name, (played, named)) in &self.incidents {
            writeln!(f, "  {name} {played}, {named}")?;
        }
        if !self.notes.is_empty() {
            writeln!(f, "to look at:")?;
        }
        for note in &self.notes {
            writeln!(f, "  {note}")?;
        }
        Ok(())
    }
}

//! What was ruled on which finding, so that a ruling from elsewhere does not silently replace another one; and whether a game is being played, which no new
//! round ends.
use crate::game::entry::{Entry, Order};
use crate::game::event::{Body, Event};
use crate::publish::event_info::task;
use std::collections::BTreeMap;

/// Findings that are remembered: the newest of a board.
const KEPT: usize = 256;

/// The last ruling on each finding.
#[derive(Debug, Default)]
pub(super) struct Ruled {
    last: BTreeMap<u64, Last>,
    /// A game has moves and no result.
    playing: bool,
    /// Which game of the board that is.
    game: Option<u32>,
}

#[derive(Debug)]
struct Last {
    seq: u64,
    how: String,
    who: String,
}

impl Ruled {
    /// Takes an event of the board.
    pub(super) fn take(&mut self, event: &Event) {
        match &event.body {
            Body::GameStart { .. } | Body::MoveWithdrawn { ply: 1, .. } => (self.playing, self.game) = (false, event.game),
            // One that was entered for an earlier game ends nothing, and one that is reopened goes on.
            Body::Result { .. } if event.is_of_another(self.game) => {}
            Body::Result { .. } => self.playing = event.reopens(),
            Body::MoveMade { .. } | Body::MoveCompleted { .. } => (self.playing, self.game) = (true, event.game),
            _ => {}
        }
        let Body::Ruling { r#do, rest } = &event.body else { return };
        let Some(finding) = rest.get("finding").and_then(serde_json::Value::as_u64).filter(|_| r#do == "rule") else { return };
        let text = |name: &str| rest.get(name).and_then(serde_json::Value::as_str).map(String::from);
        let last = Last {
            seq: event.seq,
            how: text("decision").unwrap_or_default(),
            who: text("who").unwrap_or_else(|| String::from("an arbiter")),
        };
        self.last.insert(finding, last);
        if self.last.len() > KEPT {
            self.last.pop_first();
        }
    }

    /// Why an order from a hall is not carried out: its finding was ruled on, and not as the hall knew; or a new round wants the board, which plays its game
    /// already. Entries made here see the board themselves.
    pub(super) fn refusal(&self, entry: &Entry) -> Option<String> {
        if matches!(entry.order, Order::NewGame {}) && entry.who.as_deref() == Some(task::PAIRINGS) && self.playing {
            return Some(String::from("the next game is being played already"));
        }
        let Order::Rule { finding, .. } = &entry.order else { return None };
        let last = self.last.get(finding).filter(|last| entry.order_key.is_some() && entry.after != Some(last.seq))?;
        let Last { seq, how, who } = last;
        Some(format!("finding {finding} was ruled on meanwhile: {how} by {who} (event {seq})"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::entry::Decision;
    use crate::time::{Mono, Wall};
    use serde_json::json;

    #[test]
    fn a_hall_replaces_only_the_ruling_that_it_saw() {
        let mut ruled = Ruled::default();
        let entry = |key: Option<&str>, after| Entry {
            order_key: key.map(String::from),
            after,
            ..Entry::new(Order::Rule { finding: 3, decision: Decision::Confirm, clock: None, result: None })
        };
        assert_eq!(ruled.refusal(&entry(Some("k"), None)), None);
        let rest = json!({"finding": 3, "decision": "dismiss", "who": "Anna"}).as_object().unwrap().clone();
        let body = Body::Ruling { r#do: String::from("rule"), rest };
        ruled.take(&Event { seq: 41, t: Mono::ZERO, at: Wall::EPOCH, board: "1".into(), game: None, body });
        let why = ruled.refusal(&entry(Some("k"), None)).unwrap();
        assert_eq!(why, "finding 3 was ruled on meanwhile: dismiss by Anna (event 41)");
        assert!(ruled.refusal(&entry(Some("k"), Some(40))).is_some());
        assert_eq!(ruled.refusal(&entry(Some("k"), Some(41))), None);
        assert_eq!(ruled.refusal(&entry(None, None)), None, "who stands at the board sees it");
    }

    #[test]
    fn a_round_that_begins_ends_no_game_that_is_being_played() {
        let mut ruled = Ruled::default();
        let say =
            |ruled: &mut Ruled, body| ruled.take(&Event { seq: 1, t: Mono::ZERO, at: Wall::EPOCH, board: "1".into(), game: None, body });
        let entry = |who: &str| Entry { who: Some(String::from(who)), ..Entry::new(Order::NewGame {}) };
        assert_eq!(ruled.refusal(&entry(task::PAIRINGS)), None);
        let moved =
            json!({"type": "move-made", "ply": 1, "by": "white", "uci": "e2e4", "legal": true, "placement": "x", "provisional": false});
        say(&mut ruled, serde_json::from_value(moved).unwrap());
        assert!(ruled.refusal(&entry(task::PAIRINGS)).is_some(), "it came late");
        assert_eq!(ruled.refusal(&entry("Anna")), None, "who says so means it");
        let over = json!({"type": "result", "result": "1-0", "reason": "x", "source": "operator"});
        say(&mut ruled, serde_json::from_value(over).unwrap());
        assert_eq!(ruled.refusal(&entry(task::PAIRINGS)), None);
    }
}

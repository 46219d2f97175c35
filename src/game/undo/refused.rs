//! Why an undo cannot be carried out, and what to do instead.
use crate::Game;
use crate::beside::Beside;
use alloc::format;
use alloc::string::String;
use flagfall_events::{Entry, Order, UNDO_MS};

impl Game {
    /// Why the entry with this `ruling` event cannot be undone, if it cannot.
    pub(crate) fn undo_refusal(&self, ruling: u64, entry: &Entry) -> Option<String> {
        let seconds = UNDO_MS / 1000;
        let Some(newest) = self.undo.as_deref().filter(|beside| beside.until >= self.now) else {
            return Some(format!(
                "event {ruling} cannot be undone, or not any more: an entry can be for {seconds} seconds, by whoever made it; rule again, or enter \
                 what should stand"
            ));
        };
        if !newest.is_of(ruling) {
            let further = core::iter::successors(Some(newest), |beside| beside.without.undo.as_deref());
            let known = further.skip(1).any(|beside| beside.is_of(ruling) && beside.until >= self.now);
            let last = newest.ruling;
            return Some(if known {
                format!("event {last} was entered after event {ruling}: undo that first")
            } else {
                format!("event {ruling} cannot be undone, or not any more; {}", instead(None))
            });
        }
        let order = Some(&newest.entry.order);
        if newest.entry.who != entry.who {
            let who = newest.entry.who.as_deref().unwrap_or("somebody else");
            return Some(format!("event {ruling} was entered by {who}, who alone can undo it; {}", instead(order)));
        }
        self.rests_on(newest).map(|why| format!("event {ruling} cannot be undone: {why}; {}", instead(order)))
    }

    fn rests_on(&self, newest: &Beside<Self>) -> Option<&'static str> {
        if !newest.is_the_same_game(&self.told) {
            Some("a game began with it, or since")
        } else if newest.is_rested_on() {
            Some("it was played on since")
        } else {
            None
        }
    }
}

/// What to do instead.
fn instead(order: Option<&Order>) -> String {
    match order {
        Some(Order::Rule { finding, .. }) => format!("rule on finding {finding} again"),
        Some(Order::Report { .. } | Order::Flag { .. }) => String::from("dismiss its finding"),
        Some(Order::Result { .. }) => String::from("enter the right result, or \"*\" where the game goes on"),
        Some(Order::SetPosition { .. }) => String::from("set the position that stands"),
        Some(Order::Moves { .. }) => String::from("enter the moves that are right"),
        Some(Order::SetClock { .. } | Order::Penalty { .. }) => String::from("set the times that are right"),
        _ => String::from("enter what should stand"),
    }
}

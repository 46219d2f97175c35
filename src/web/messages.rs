//! What operators were told lately: alarms that were raised or cleared, kept for an hour.
use flagfall_events::Wall;
use std::collections::VecDeque;

/// Kept at most.
const MOST: usize = 512;
/// So long, milliseconds.
const KEPT_MS: u64 = 60 * 60 * 1000;

/// An alarm that was raised or cleared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// When.
    pub at: Wall,
    /// Which alarm.
    pub key: String,
    /// A board, or what fails.
    pub about: String,
    /// Raised; false: cleared.
    pub raised: bool,
    /// What was said of this very case.
    pub text: Option<String>,
}

/// The last hour's, the oldest first.
#[derive(Debug, Default)]
pub(crate) struct Messages(VecDeque<Message>);

impl Messages {
    pub(crate) fn add(&mut self, message: Message) {
        if self.0.len() >= MOST {
            self.0.pop_front();
        }
        self.0.push_back(message);
    }

    /// Those of the hour before `now`, the newest first.
    pub(crate) fn lately(&self, now: Wall) -> Vec<Message> {
        self.0.iter().rev().filter(|message| now.since(message.at) < KEPT_MS).cloned().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flagfall_events::Mono;

    fn message(n: u64) -> Message {
        let at = Wall::EPOCH.after(Mono::from_millis(n * 1000));
        Message { at, key: String::from("board-lost"), about: n.to_string(), raised: true, text: None }
    }

    #[test]
    fn an_hour_is_kept_the_newest_first_and_no_more_than_fits() {
        let mut messages = Messages::default();
        (0..MOST as u64 + 10).for_each(|n| messages.add(message(n)));
        let all = messages.lately(message(521).at);
        assert_eq!((all.len(), all[0].about.as_str(), all[MOST - 1].about.as_str()), (MOST, "521", "10"));
        let late = messages.lately(message(3600 + 500).at);
        assert_eq!(late.last().map(|message| message.about.as_str()), Some("501"));
    }
}

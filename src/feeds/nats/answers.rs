//! What a board's orders were answered, so that one that comes again gets the same.
use super::wire::Answer;
use std::collections::{HashMap, VecDeque};

/// Refusals that are remembered; orders that were taken are remembered by the journal.
const REFUSED: usize = 64;

/// What a board's orders were answered.
#[derive(Debug, Default)]
pub(super) struct Answers {
    /// Key and event of each that was journaled; `None`: the journals are still to be looked through.
    pub(super) taken: Option<HashMap<String, u64>>,
    refused: VecDeque<(String, Answer)>,
}

impl Answers {
    pub(super) fn of(&self, key: &str) -> Option<Answer> {
        let taken = self.taken.as_ref()?.get(key).map(|seq| Answer::Taken { seq: *seq, recovered: Vec::new() });
        taken.or_else(|| self.refused.iter().find(|(refused, _)| refused == key).map(|(_, answer)| answer.clone()))
    }

    pub(super) fn keep(&mut self, key: &str, answer: &Answer) {
        match answer {
            Answer::Taken { seq, .. } => _ = self.taken.get_or_insert_default().insert(String::from(key), *seq),
            Answer::Refused { .. } => {
                self.refused.push_back((String::from(key), answer.clone()));
                if self.refused.len() > REFUSED {
                    self.refused.pop_front();
                }
            }
            // It may have been journaled; the journals know.
            Answer::Later { .. } => self.taken = None,
            Answer::Previewed(_) | Answer::Told(_) => {}
        }
    }
}

//! What the rulebook makes of a situation.
use super::edition::Edition;
use super::situation::Question;
use alloc::string::String;
use flagfall_events::{Colour, Facts, Finding, Grade, Key, Proposal, Rules, Words};

/// A finding without number and evidence, which only the game knows.
#[derive(Clone, Debug, PartialEq)]
pub struct Judgement {
    /// Its meaning.
    pub key: Key,
    /// Article of the edition in use.
    pub article: String,
    /// The player concerned.
    pub by: Option<Colour>,
    /// How loudly it speaks.
    pub grade: Grade,
    /// One sentence.
    pub summary: Words,
    /// What was found.
    pub facts: Facts,
    /// The proposed ruling.
    pub proposal: Option<Proposal>,
    /// What the solver has to be asked for the proposal; its answer goes into the situation's `verdict`.
    pub question: Option<Question>,
}

impl Judgement {
    /// With what the key says; no facts, no proposal.
    pub(crate) fn new(edition: &Edition, key: Key, by: Option<Colour>, summary: Words) -> Option<Self> {
        Some(Self::reported(edition.article(key)?, key, by, summary))
    }

    /// The same for what an arbiter entered: it stands under every edition.
    pub(crate) fn reported(article: &str, key: Key, by: Option<Colour>, summary: Words) -> Self {
        let article = String::from(article);
        Self { key, article, by, grade: key.grade(), summary, facts: Facts::new(), proposal: None, question: None }
    }

    /// Another article of the same edition.
    pub(crate) fn citing(mut self, article: &str) -> Self {
        self.article = String::from(article);
        self
    }

    /// With these facts: a JSON object.
    pub(crate) fn facts(mut self, facts: serde_json::Value) -> Self {
        if let serde_json::Value::Object(facts) = facts {
            self.facts = facts.into_iter().filter(|(_, value)| !value.is_null()).collect();
        }
        self
    }

    /// With this proposal.
    pub(crate) fn proposing(mut self, proposal: Proposal) -> Self {
        self.proposal = Some(proposal);
        self
    }

    /// As published: with its number, the edition, and the first and last event it rests on.
    pub fn into_finding(self, id: u64, rules: Rules, evidence: [u64; 2]) -> Finding {
        let Self { key, article, by, grade, summary, facts, proposal, question: _ } = self;
        Finding { id, key, article, rules, by, grade, summary, facts, proposal, evidence }
    }
}

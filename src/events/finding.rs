//! Irregularities as arbiters are told of them.
use crate::{Colour, Grade, Key, Proposal, Rules};
use alloc::string::String;
use serde::{Deserialize, Serialize};

/// A sentence in both languages.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Words {
    /// English.
    pub en: String,
    /// Russian.
    pub ru: String,
}

impl Words {
    /// Both sentences.
    pub fn new(en: impl Into<String>, ru: impl Into<String>) -> Self {
        Self { en: en.into(), ru: ru.into() }
    }
}

/// What was found, in JSON: squares, moves, times.
pub type Facts = serde_json::Map<String, serde_json::Value>;

/// A finding, as published to arbiters only.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Finding {
    /// From 1, per board.
    pub id: u64,
    /// Its meaning.
    pub key: Key,
    /// Article of the edition in use.
    pub article: String,
    /// The edition in use.
    pub rules: Rules,
    /// The player who broke the rule, whose flag fell, who is absent or did not press; nobody for a defect, a setting, or both.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub by: Option<Colour>,
    /// How loudly it speaks.
    pub grade: Grade,
    /// One sentence.
    pub summary: Words,
    /// What was found.
    #[cfg_attr(feature = "openapi", schema(value_type = Object))]
    pub facts: Facts,
    /// What the arbiter may confirm with one tap.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub proposal: Option<Proposal>,
    /// First and last event that it rests on.
    pub evidence: [u64; 2],
}

/// What became of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// What it rested on is gone.
    Withdrawn,
    /// Ruled as proposed.
    Confirmed,
    /// Ruled to be nothing.
    Dismissed,
    /// Ruled with other times.
    Amended,
    /// Still open; what it proposes or shows is new.
    Revised,
}

/// A change of a finding.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct FindingUpdate {
    /// Which finding.
    pub id: u64,
    /// What became of it.
    pub status: Status,
    /// Complete; replaces the earlier one.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub proposal: Option<Proposal>,
    /// Complete; replaces the earlier one (squares to put right are counted down this way).
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<Object>))]
    pub facts: Option<Facts>,
    /// Replaces the earlier one.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub summary: Option<Words>,
}

//! Who goes to a board: a ruling that waits rings until somebody says "I'm going". It is how things stand now, no entry: a restart forgets it, and it
//! rings again.
use flagfall_events::{Colour, Finding, Grade, Wall};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::sync::Arc;

/// Somebody goes there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Going {
    /// The finding's number.
    pub finding: u64,
    /// Who; null where nobody has a name.
    pub who: Option<String>,
    /// Since when.
    pub at: Wall,
}

/// A finding that nobody has ruled on, and that nobody goes to.
#[derive(Clone, Debug, PartialEq)]
pub struct Unanswered {
    /// Where.
    pub board: Arc<str>,
    /// White and Black.
    pub players: [Option<String>; 2],
    /// What.
    pub finding: Finding,
}

/// Whether an arbiter entered what was found: he knows of it, and nothing rings.
pub fn is_entered(finding: &Finding) -> bool {
    let fact = |name: &str| finding.facts.get(name);
    let is = |name: &str| fact(name).and_then(Value::as_bool) == Some(true);
    is("reported") || is("entered") || fact("seen").and_then(Value::as_str) == Some("arbiter")
}

/// Whether it rings at all: what has to be ruled on or looked at, and no arbiter entered.
pub fn rings(finding: &Finding) -> bool {
    finding.grade != Grade::Note && !is_entered(finding)
}

/// What a player is called in few words: the surname, where that is told apart.
pub fn short(name: &str) -> &str {
    name.split(',').next().unwrap_or(name).trim()
}

/// The players whom it is about, in few words: `by`, or both.
pub fn named(players: &[Option<String>; 2], by: Option<Colour>) -> Option<String> {
    let name = |by: Colour| players[usize::from(by == Colour::Black)].as_deref().map(short).filter(|name| !name.is_empty());
    match by {
        Some(by) => name(by).map(String::from),
        None => Some(format!("{} – {}", name(Colour::White)?, name(Colour::Black)?)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn finding(grade: &str, facts: &Value) -> Finding {
        serde_json::from_value(json!({"id": 1, "key": "flag-fall", "article": "6.9", "rules": "fide-2023", "grade": grade,
            "summary": {"en": "", "ru": ""}, "facts": facts, "evidence": [1, 2]}))
        .unwrap()
    }

    #[test]
    fn what_an_arbiter_entered_and_notes_do_not_ring() {
        assert!(rings(&finding("ruling", &json!({"seen": "flag"}))) && rings(&finding("attention", &json!({}))));
        assert!(!rings(&finding("note", &json!({}))));
        for facts in [json!({"seen": "arbiter"}), json!({"reported": true}), json!({"entered": true})] {
            assert!(!rings(&finding("ruling", &facts)), "{facts}");
        }
    }

    #[test]
    fn players_are_named_in_few_words() {
        let players = [Some(String::from("Ivanova, Olga")), Some(String::from("Magnus Carlsen"))];
        assert_eq!(named(&players, Some(Colour::White)).unwrap(), "Ivanova");
        assert_eq!(named(&players, None).unwrap(), "Ivanova – Magnus Carlsen");
        assert_eq!(named(&[None, Some(String::from("x"))], Some(Colour::White)), None);
        assert_eq!(named(&[None, Some(String::from("x"))], None), None);
    }
}

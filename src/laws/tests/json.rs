//! Findings as they are published.
use super::*;
use crate::irregularity::{FlagFall, FlagSeen};
use flagfall_events::{Body, Event, Mono, Wall};
use serde_json::json;
use std::sync::Arc;

#[test]
fn a_finding_has_the_fields_of_the_contract() {
    let fact =
        FlagFall { by: Colour::White, seen: FlagSeen::Zero, completed: 20, required: None, fen: String::from(START), both_down: false };
    let judgement = found(Rules::Russia116, Irregularity::FlagFall(fact));
    let finding = judgement.into_finding(1, Rules::Russia116, [3, 5]);
    let body = Body::Finding(Box::new(finding));
    assert!(!body.is_public());
    let event = Event { seq: 6, t: Mono::from_millis(9), at: Wall::EPOCH, board: Arc::from("1"), game: None, body };
    let value = serde_json::to_value(&event).unwrap();
    assert_eq!(
        value,
        json!({
            "seq": 6, "t": 9, "at": "1970-01-01T00:00:00Z", "board": "1", "type": "finding",
            "id": 1, "key": "flag-fall", "article": "1.16.8", "rules": "russia-1.16", "by": "white", "grade": "ruling",
            "summary": { "en": "White's flag is down.", "ru": "Упал флажок белых." },
            "facts": { "seen": "zero", "completed": 20, "fen": START },
            "proposal": { "action": "declare-loss", "alternatives": [], "result": "0-1" },
            "evidence": [3, 5],
        })
    );
    assert_eq!(serde_json::from_value::<Event>(value).unwrap(), event);
}

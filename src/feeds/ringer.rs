//! When a finding that waits rings, and rings again. Knows no clock: the time is an argument.
use flagfall_events::{Grade, Mono};
use flagfall_web::going::Unanswered;
use std::collections::HashMap;
use std::sync::Arc;

/// A ruling that nobody goes to rings again after so long, milliseconds.
pub const AGAIN_MS: u64 = 20_000;

/// A finding rings.
#[derive(Clone, Debug, PartialEq)]
pub struct Ring {
    /// What waits, and where.
    pub waiting: Unanswered,
    /// The how manyth ring of it this is, from 1.
    pub times: u32,
    /// How long it has been ringing, milliseconds.
    pub age_ms: u64,
}

struct Rung {
    first: Mono,
    last: Mono,
    times: u32,
}

/// What has rung.
pub struct Ringer {
    again_ms: u64,
    rung: HashMap<(Arc<str>, u64), Rung>,
}

impl Ringer {
    /// Rulings ring again after `again_ms`.
    pub fn new(again_ms: u64) -> Self {
        Self { again_ms, rung: HashMap::new() }
    }

    /// What rings now, of all that wait. What has to be looked at rings once. What waits no more is forgotten, and rings from the beginning should it wait
    /// again.
    pub fn due(&mut self, waiting: Vec<Unanswered>, now: Mono) -> Vec<Ring> {
        let key = |waiting: &Unanswered| (waiting.board.clone(), waiting.finding.id);
        self.rung.retain(|known, _| waiting.iter().any(|one| key(one) == *known));
        let again_ms = self.again_ms;
        let rings = waiting.into_iter().filter_map(|one| {
            let rung = self.rung.entry(key(&one)).or_insert(Rung { first: now, last: now, times: 0 });
            let is_due = rung.times == 0 || (one.finding.grade == Grade::Ruling && now.since(rung.last) >= again_ms);
            is_due.then(|| {
                (rung.last, rung.times) = (now, rung.times.saturating_add(1));
                Ring { waiting: one, times: rung.times, age_ms: now.since(rung.first) }
            })
        });
        rings.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn waiting(id: u64, grade: &str) -> Unanswered {
        let finding = json!({"id": id, "key": "flag-fall", "article": "6.9", "rules": "fide-2023", "grade": grade, "summary": {"en": "", "ru": ""},
            "facts": {}, "evidence": [1, 2]});
        Unanswered { board: "7".into(), players: [None, None], finding: serde_json::from_value(finding).unwrap() }
    }

    fn rings(ringer: &mut Ringer, waiting: &[Unanswered], at: u64) -> Vec<(u64, u32, u64)> {
        ringer.due(waiting.to_vec(), Mono::from_millis(at)).iter().map(|ring| (ring.waiting.finding.id, ring.times, ring.age_ms)).collect()
    }

    #[test]
    fn a_ruling_rings_every_twenty_seconds_until_somebody_goes_and_then_from_the_beginning() {
        let mut ringer = Ringer::new(AGAIN_MS);
        let both = [waiting(1, "ruling"), waiting(2, "attention")];
        assert_eq!(rings(&mut ringer, &both, 1_000), [(1, 1, 0), (2, 1, 0)]);
        assert_eq!(rings(&mut ringer, &both, 20_999), []);
        assert_eq!(rings(&mut ringer, &both, 21_000), [(1, 2, 20_000)]);
        assert_eq!(rings(&mut ringer, &both, 41_500), [(1, 3, 40_500)], "what is to be looked at rings once");
        assert_eq!(rings(&mut ringer, &both[1..], 50_000), [], "somebody goes");
        assert_eq!(rings(&mut ringer, &both, 50_500), [(1, 1, 0)], "and does not go after all");
    }

    #[test]
    fn every_second_of_many_hours_the_rings_are_twenty_seconds_apart() {
        let mut ringer = Ringer::new(AGAIN_MS);
        let one = [waiting(1, "ruling")];
        let at: Vec<u64> = (0..3_600).filter(|second| !rings(&mut ringer, &one, second * 1000 + 3).is_empty()).collect();
        assert_eq!(at, (0..180).map(|nth| nth * 20).collect::<Vec<_>>());
    }
}

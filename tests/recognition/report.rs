//! What flagfall said in one run, in the short words of the tests.
use flagfall_events::{AlarmState, Body, Event};

/// What flagfall said.
#[derive(Clone, Debug)]
pub(crate) struct Report {
    pub(crate) events: Vec<Event>,
    /// When a dump was asked for.
    pub(crate) asked: Vec<u64>,
    /// The same as a capture, with the answers to what was asked.
    pub(crate) capture: String,
}

impl Report {
    /// The completed moves of the last game, by their plies: `e2e4 e7e5`; one that is missing is `?`.
    pub(crate) fn completed(&self) -> String {
        let mut moves: Vec<Option<&str>> = Vec::new();
        for event in &self.events {
            match &event.body {
                Body::GameStart { .. } => moves.clear(),
                Body::MoveCompleted { ply, uci, .. } => {
                    moves.resize(moves.len().max(*ply as usize), None);
                    moves[*ply as usize - 1] = Some(uci);
                }
                _ => {}
            }
        }
        moves.into_iter().map(|m| m.unwrap_or("?")).collect::<Vec<_>>().join(" ")
    }

    /// How they were completed, in the order in which that was said: `1 press, 2 next-move`.
    pub(crate) fn how(&self) -> String {
        let how = |body: &Body| match body {
            Body::MoveCompleted { ply, how, .. } => Some(format!("{ply} {}", serde_json::to_value(how).unwrap().as_str().unwrap())),
            _ => None,
        };
        self.events.iter().filter_map(|e| how(&e.body)).collect::<Vec<_>>().join(", ")
    }

    /// Each ply that was completed, and whether it was assumed.
    pub(crate) fn assumed(&self) -> Vec<(u32, bool)> {
        let of = |event: &Event| match event.body {
            Body::MoveCompleted { ply, assumed, .. } => Some((ply, assumed)),
            _ => None,
        };
        self.events.iter().filter_map(of).collect()
    }

    /// The alarm `unsure` stands at the end.
    pub(crate) fn is_unsure(&self) -> bool {
        let alarm = |event: &&Event| matches!(&event.body, Body::Alarm { key, .. } if key.as_str() == "unsure");
        let last = self.events.iter().rfind(alarm);
        last.is_some_and(|event| matches!(event.body, Body::Alarm { state: AlarmState::Raised, .. }))
    }

    /// Moves made and what became of them before they were completed: `e2e3 e2e3>e2e4 -e2e4`.
    pub(crate) fn made(&self) -> String {
        let word = |body: &Body| match body {
            Body::MoveMade { uci, .. } => Some(uci.clone()),
            Body::MoveRevised { uci, was, .. } => Some(format!("{was}>{uci}")),
            Body::MoveWithdrawn { uci, .. } => Some(format!("-{uci}")),
            _ => None,
        };
        self.events.iter().filter_map(|e| word(&e.body)).collect::<Vec<_>>().join(" ")
    }

    /// The types of all events but `placement` and `clock`.
    pub(crate) fn kinds(&self) -> Vec<&'static str> {
        self.events.iter().map(|e| e.body.kind()).filter(|kind| !matches!(*kind, "placement" | "clock")).collect()
    }

    /// How often an event of this type came.
    pub(crate) fn count(&self, kind: &str) -> usize {
        self.events.iter().filter(|e| e.body.kind() == kind).count()
    }

    /// Result, reason, article and source of every `result`.
    pub(crate) fn results(&self) -> Vec<String> {
        let word = |body: &Body| match body {
            Body::Result { result, reason, article, source } => {
                let source = serde_json::to_value(source).unwrap();
                Some(format!("{} {reason} {} {}", result.as_str(), article.as_deref().unwrap_or("-"), source.as_str().unwrap()))
            }
            _ => None,
        };
        self.events.iter().filter_map(|e| word(&e.body)).collect()
    }

    /// The first event that this picks.
    pub(crate) fn first<T>(&self, pick: impl FnMut(&Event) -> Option<T>) -> Option<T> {
        self.events.iter().find_map(pick)
    }

    /// When this ply was completed.
    pub(crate) fn completed_at(&self, wanted: u32) -> Option<u64> {
        self.first(|e| matches!(e.body, Body::MoveCompleted { ply, .. } if ply == wanted).then(|| e.t.millis()))
    }

    /// Everything but the clock, one line an event.
    pub(crate) fn story(&self) -> String {
        let line = |event: &Event| {
            let mut value = serde_json::to_value(event).unwrap();
            for key in ["at", "board", "rules", "play", "san"] {
                value.as_object_mut().unwrap().remove(key);
            }
            value.to_string()
        };
        self.events.iter().filter(|e| e.body.kind() != "clock").map(line).collect::<Vec<_>>().join("\n")
    }

    /// Checks the completed moves, and shows everything where they are others.
    #[track_caller]
    pub(crate) fn expect(&self, moves: &str) -> &Self {
        assert_eq!(self.completed(), moves, "\n{}\n{}", self.story(), self.capture);
        self
    }

    /// Checks how they were completed.
    #[track_caller]
    pub(crate) fn expect_how(&self, how: &str) -> &Self {
        assert_eq!(self.how(), how, "\n{}\n{}", self.story(), self.capture);
        self
    }

    /// Checks what was made.
    #[track_caller]
    pub(crate) fn expect_made(&self, made: &str) -> &Self {
        assert_eq!(self.made(), made, "\n{}\n{}", self.story(), self.capture);
        self
    }

    /// Checks the results.
    #[track_caller]
    pub(crate) fn expect_results(&self, results: &[&str]) -> &Self {
        assert_eq!(self.results(), results, "\n{}\n{}", self.story(), self.capture);
        self
    }

    /// Checks the keys of what was found.
    #[track_caller]
    pub(crate) fn expect_findings(&self, keys: &str) -> &Self {
        let found: Vec<&str> = self
            .events
            .iter()
            .filter_map(|e| if let Body::Finding(finding) = &e.body { Some(finding.key.as_str()) } else { None })
            .collect();
        assert_eq!(found.join(" "), keys, "\n{}\n{}", self.story(), self.capture);
        self
    }

    /// Checks how many events of this type there are.
    #[track_caller]
    pub(crate) fn expect_count(&self, kind: &str, count: usize) -> &Self {
        assert_eq!(self.count(kind), count, "{kind}\n{}\n{}", self.story(), self.capture);
        self
    }
}

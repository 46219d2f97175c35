//! What flagfall said, and questions to it. A wrong answer prints all of it, and where the capture lies.
use super::table::Table;
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::path::PathBuf;

#[derive(Debug)]
pub(super) struct Story {
    pub(super) until: u64,
    pub(super) events: Vec<Value>,
    /// Why the replay ended early.
    pub(super) refused: Option<String>,
    pub(super) place: PathBuf,
}

/// Whether everything in `wanted` is in `found`: fields of objects, whole arrays; `null` is what is missing or null.
pub(super) fn within(wanted: &Value, found: &Value) -> bool {
    match (wanted, found) {
        (Value::Object(wanted), Value::Object(found)) => {
            wanted.iter().all(|(key, value)| within(value, found.get(key).unwrap_or(&Value::Null)))
        }
        (Value::Array(wanted), Value::Array(found)) => wanted.len() == found.len() && wanted.iter().zip(found).all(|(w, f)| within(w, f)),
        _ => wanted == found,
    }
}

impl Story {
    /// The events that matter, a line each.
    pub(super) fn told(&self) -> String {
        let mut text = format!("replay it: flagfall replay --format events {}\n", self.place.display());
        for event in &self.events {
            let kind = event["type"].as_str().unwrap_or_default();
            let dull = (kind == "placement" && event["settled"] == false) || kind == "clock";
            if !dull {
                let mut event = event.clone();
                let fields = event.as_object_mut().unwrap();
                let (seq, t) = (fields.remove("seq").unwrap(), fields.remove("t").unwrap());
                fields.retain(|key, _| !["at", "board", "type"].contains(&key.as_str()));
                writeln!(text, "  {seq:>4} {t:>8} {kind} {event}").unwrap();
            }
        }
        if let Some(refused) = &self.refused {
            writeln!(text, "  ended by {refused}").unwrap();
        }
        text
    }

    #[track_caller]
    pub(super) fn fail(&self, why: &str) -> ! {
        panic!("{why}\n{}", self.told());
    }

    /// Every finding, with its proposal and status as they are now.
    pub(super) fn findings(&self) -> Vec<Finding> {
        let mut found: Vec<Finding> = Vec::new();
        for event in &self.events {
            match event["type"].as_str() {
                Some("finding") => {
                    let now = event.clone();
                    let told = String::new();
                    found.push(Finding { raised: event.clone(), now, updates: Vec::new(), told });
                }
                Some("finding-update") => {
                    let Some(finding) = found.iter_mut().find(|f| f.raised["id"] == event["id"]) else {
                        self.fail(&format!("an update of a finding that is not there: {event}"))
                    };
                    for field in ["proposal", "facts", "summary"] {
                        if let Some(value) = event.get(field) {
                            finding.now[field] = value.clone();
                        }
                    }
                    finding.now["status"] = event["status"].clone();
                    finding.updates.push(event.clone());
                }
                _ => {}
            }
        }
        for finding in &mut found {
            finding.told = self.told();
        }
        found
    }

    /// The last finding with this key.
    #[track_caller]
    pub(super) fn found(&self, key: &str) -> Finding {
        match self.findings().into_iter().rev().find(|f| f.raised["key"] == key) {
            Some(finding) => finding,
            None => self.fail(&format!("no finding {key}")),
        }
    }
}

/// One finding as it stands.
#[derive(Clone, Debug)]
pub(super) struct Finding {
    /// As it was raised.
    pub(super) raised: Value,
    /// With the last proposal; `status` is that of the last update.
    pub(super) now: Value,
    pub(super) updates: Vec<Value>,
    told: String,
}

impl Finding {
    pub(super) fn id(&self) -> u64 {
        self.raised["id"].as_u64().unwrap()
    }

    #[track_caller]
    fn demand(&self, holds: bool, why: &str) -> &Self {
        assert!(holds, "{why}\nthe finding: {}\n{}", self.now, self.told);
        self
    }

    /// Fields as they are now.
    #[track_caller]
    pub(super) fn is(&self, wanted: Value) -> &Self {
        self.demand(within(&wanted, &self.now), &format!("wanted {wanted}"))
    }

    /// Fields of the proposal as it is now.
    #[track_caller]
    pub(super) fn proposes(&self, wanted: Value) -> &Self {
        self.is(json!({ "proposal": wanted }))
    }

    /// Both times, and who runs.
    #[track_caller]
    pub(super) fn times(&self, white: &str, black: &str, run: &str) -> &Self {
        use super::table::ms;
        self.proposes(json!({"clock": {"white_ms": ms(white), "black_ms": ms(black), "run": run}}))
    }

    /// Among the alternatives are these times.
    #[track_caller]
    pub(super) fn or_times(&self, white: &str, black: &str) -> &Self {
        use super::table::ms;
        let wanted = json!({"clock": {"white_ms": ms(white), "black_ms": ms(black)}});
        let listed = self.now["proposal"]["alternatives"].as_array().cloned().unwrap_or_default();
        self.demand(listed.iter().any(|a| within(&wanted, a)), &format!("wanted the alternative {wanted}"))
    }

    /// Neither withdrawn nor ruled.
    #[track_caller]
    pub(super) fn open(&self) -> &Self {
        let status = self.now["status"].as_str();
        self.demand(matches!(status, None | Some("revised")), "it is not open")
    }

    #[track_caller]
    pub(super) fn status(&self, wanted: &str) -> &Self {
        self.demand(self.now["status"] == wanted, &format!("wanted it {wanted}"))
    }

    #[track_caller]
    pub(super) fn revised(&self) -> &Self {
        self.demand(self.updates.iter().any(|u| u["status"] == "revised"), "it was not revised")
    }

    /// Somewhere in what it says of itself these words stand.
    #[track_caller]
    pub(super) fn says(&self, words: &[&str]) -> &Self {
        let text = format!("{} {}", self.now["summary"], self.now["facts"]).to_lowercase();
        for word in words {
            self.demand(text.contains(&word.to_lowercase()), &format!("it does not say {word:?}"));
        }
        self
    }
}

/// Questions that need everything said until now.
impl Table {
    /// Exactly one finding with this key was raised.
    #[track_caller]
    pub(super) fn one(&mut self, key: &str) -> Finding {
        let story = self.story();
        let mut found: Vec<_> = story.findings().into_iter().filter(|f| f.raised["key"] == key).collect();
        match found.len() {
            1 => found.remove(0),
            n => story.fail(&format!("{n} findings {key}, wanted one")),
        }
    }

    /// The same; nothing else of grade ruling or attention is open or was ruled.
    #[track_caller]
    pub(super) fn only(&mut self, key: &str) -> Finding {
        let story = self.story();
        for finding in story.findings() {
            if finding.raised["key"] != key && finding.raised["grade"] != "note" {
                story.fail(&format!("a finding {} beside {key}", finding.raised["key"]));
            }
        }
        self.one(key)
    }

    /// No finding with this key was ever raised.
    #[track_caller]
    pub(super) fn never(&mut self, key: &str) -> &mut Self {
        let story = self.story();
        if let Some(finding) = story.findings().into_iter().find(|f| f.raised["key"] == key) {
            story.fail(&format!("a finding {key}: {}", finding.raised));
        }
        self
    }

    /// Nothing was raised that an arbiter would have to look at.
    #[track_caller]
    pub(super) fn no_alarm(&mut self) -> &mut Self {
        let story = self.story();
        if let Some(finding) = story.findings().into_iter().find(|f| f.raised["grade"] != "note") {
            story.fail(&format!("a finding of grade {}: {}", finding.raised["grade"], finding.raised["key"]));
        }
        self
    }

    /// Nothing was raised at all.
    #[track_caller]
    pub(super) fn silence(&mut self) -> &mut Self {
        let story = self.story();
        if let Some(finding) = story.findings().into_iter().next() {
            story.fail(&format!("a finding: {}", finding.raised["key"]));
        }
        self
    }

    /// Nothing that asks for attention is open.
    #[track_caller]
    pub(super) fn nothing_open(&mut self) -> &mut Self {
        let story = self.story();
        let open = |f: &Finding| f.raised["grade"] != "note" && matches!(f.now["status"].as_str(), None | Some("revised"));
        if let Some(finding) = story.findings().into_iter().find(open) {
            story.fail(&format!("{} is open", finding.raised["key"]));
        }
        self
    }

    /// These events came, in this order, whatever was between them.
    #[track_caller]
    pub(super) fn has(&mut self, wanted: &[Value]) -> &mut Self {
        let story = self.story();
        let mut events = story.events.iter();
        for want in wanted {
            if !events.any(|event| within(want, event)) {
                story.fail(&format!("wanted, after what comes before it: {want}"));
            }
        }
        self
    }

    /// No such event came.
    #[track_caller]
    pub(super) fn lacks(&mut self, unwanted: Value) -> &mut Self {
        let story = self.story();
        if let Some(event) = story.events.iter().find(|event| within(&unwanted, event)) {
            story.fail(&format!("unwanted: {event}"));
        }
        self
    }

    /// How many such events came.
    pub(super) fn count(&mut self, wanted: &Value) -> usize {
        self.story().events.iter().filter(|event| within(wanted, event)).count()
    }

    /// The moves that stand in the record, completed or not.
    fn record(&mut self) -> Vec<(String, bool)> {
        let story = self.story();
        let mut record: Vec<(String, bool)> = Vec::new();
        for event in &story.events {
            let uci = || String::from(event["uci"].as_str().unwrap());
            let ply = || usize::try_from(event["ply"].as_u64().unwrap()).unwrap();
            match event["type"].as_str() {
                Some("game-start") => record.clear(),
                Some("move-made") => record.push((uci(), false)),
                Some("move-revised") => record[ply() - 1].0 = uci(),
                Some("move-withdrawn") => record.truncate(ply() - 1),
                Some("move-completed") => {
                    let Some(entry) = record.get_mut(ply() - 1).filter(|(made, _)| *made == uci()) else {
                        story.fail(&format!("completed without having been made: {event}"))
                    };
                    entry.1 = true;
                }
                _ => {}
            }
        }
        record
    }

    /// The record is this, all of it completed; a move in brackets is made only.
    #[track_caller]
    pub(super) fn record_is(&mut self, wanted: &str) -> &mut Self {
        let record: Vec<String> = self.record().into_iter().map(|(uci, done)| if done { uci } else { format!("({uci})") }).collect();
        if record.join(" ") != wanted.split_whitespace().collect::<Vec<_>>().join(" ") {
            self.story().fail(&format!("the record is {}\nwanted        {wanted}", record.join(" ")));
        }
        self
    }

    /// The game ended so, once.
    #[track_caller]
    pub(super) fn result(&mut self, result: &str, source: &str) -> &mut Self {
        let story = self.story();
        let results: Vec<&Value> = story.events.iter().filter(|event| event["type"] == "result").collect();
        match results.as_slice() {
            [only] if within(&json!({"result": result, "source": source}), only) => self,
            _ => story.fail(&format!("wanted the one result {result} from {source}")),
        }
    }

    /// The game goes on.
    #[track_caller]
    pub(super) fn no_result(&mut self) -> &mut Self {
        self.lacks(json!({"type": "result"}))
    }

    /// The replay was refused with this in its reason.
    #[track_caller]
    pub(super) fn is_refused(&mut self) -> &mut Self {
        let story = self.story();
        if story.refused.is_none() {
            story.fail("wanted the line refused as malformed");
        }
        self.may_be_refused = true;
        self
    }
}

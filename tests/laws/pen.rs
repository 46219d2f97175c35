//! What the arbiter enters, and the replay of the capture as far as it is made.
use super::story::{Finding, Story};
use super::table::{Colour, Table};
use flagfall_capture::{Capture, drive};
use serde_json::Value;
use std::convert::Infallible;
use std::path::Path;
use std::rc::Rc;

impl Table {
    pub(super) fn enter(&mut self, json: &str) -> &mut Self {
        self.begin();
        self.line(self.now, &format!("! {json}"));
        self
    }

    fn rule(&mut self, key: &str, decision: &str, clock: Option<&str>) -> &mut Self {
        let id = self.found(key).id();
        let clock = clock.map(|clock| format!(r#","clock":{clock}"#)).unwrap_or_default();
        self.enter(&format!(r#"{{"do":"rule","finding":{id},"decision":"{decision}"{clock}}}"#))
    }

    /// Confirms the last finding with this key.
    pub(super) fn confirm(&mut self, key: &str) -> &mut Self {
        self.rule(key, "confirm", None)
    }

    pub(super) fn dismiss(&mut self, key: &str) -> &mut Self {
        self.rule(key, "dismiss", None)
    }

    pub(super) fn amend(&mut self, key: &str, clock: &str) -> &mut Self {
        self.rule(key, "amend", Some(clock))
    }

    pub(super) fn report_of(&mut self, key: &str, by: Colour) -> &mut Self {
        self.enter(&format!(r#"{{"do":"report","key":"{key}","by":"{}"}}"#, by.word()))
    }

    // What came of it.

    /// The capture up to now, with a line that only lets time pass.
    fn capture(&self) -> String {
        let header: String = self.header.iter().map(|line| format!("# {line}\n")).collect();
        format!("# flagfall-capture 1\n{header}{}{} > 45\n", self.lines, self.now)
    }

    /// Everything said so far.
    pub(super) fn story(&mut self) -> Rc<Story> {
        self.begin();
        let capture = self.capture();
        if let Some(story) = self.story.clone().filter(|story| story.until == self.now) {
            return story;
        }
        let mut events: Vec<Value> = Vec::new();
        let read = Capture::open(capture.as_bytes()).unwrap();
        let ended = drive("1", read, flagfall_solver::answers(), |event| {
            events.push(serde_json::to_value(event).unwrap());
            Ok::<_, Infallible>(())
        })
        .unwrap();
        let place = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{}.cap", self.name));
        std::fs::write(&place, &capture).unwrap();
        let story = Rc::new(Story { until: self.now, events, refused: ended.map(|e| e.to_string()), place });
        self.story = Some(story.clone());
        story
    }

    /// The last finding with this key.
    pub(super) fn found(&mut self, key: &str) -> Finding {
        self.story().found(key)
    }

    /// The referee.
    pub(super) fn finish(&mut self) {
        let story = self.story();
        if story.refused.is_some() && !self.may_be_refused {
            story.fail("a line was refused");
        }
        super::referee::judge(&story, &self.edition);
    }
}

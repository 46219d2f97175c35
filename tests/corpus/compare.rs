//! What is made now beside what was kept.
use super::in_parallel;
use super::kept::{Digest, Kept};
use super::source::{Given, Source, simulated, sources};
use flagfall_game::RECOGNITION;
use std::collections::{BTreeMap, BTreeSet};

/// What to do about a difference.
pub(crate) const ADVICE: &str = "If the same input may now give other events, raise RECOGNITION in src/game/lib.rs, write the corpus anew \
     (`cargo bench --bench corpus -- --write`) and look at what changed; if not, something was changed by accident. \
     `cargo bench --bench corpus -- --show NAME` prints a source's events as they are now.";

/// What came of it.
#[derive(Debug, Default)]
pub(crate) struct Compared {
    /// Sources that are as they were.
    pub(crate) same: usize,
    /// In words, one a source.
    pub(crate) differing: Vec<String>,
    /// Kept, but not here to be compared.
    pub(crate) skipped: Vec<String>,
}

/// Compares those of the sources that are `wanted`.
pub(crate) fn compare(kept: &Kept, wanted: impl Fn(&str) -> bool) -> Compared {
    let mut compared = Compared::default();
    if kept.recognition != RECOGNITION || kept.simulated != simulated() {
        let what = if kept.recognition == RECOGNITION { "other games are simulated" } else { "RECOGNITION was raised" };
        compared.differing.push(format!("{what} since the corpus was written; write it anew"));
        return compared;
    }
    let here: Vec<Source> = sources().into_iter().filter(|source| wanted(&source.name)).collect();
    let names: BTreeSet<&str> = here.iter().map(|source| source.name.as_str()).collect();
    let known: BTreeMap<&str, &Digest> = kept.sources.iter().map(|digest| (digest.name.as_str(), digest)).collect();
    for gone in known.keys().filter(|name| wanted(name) && !names.contains(*name)) {
        if Source::is_shared(gone) {
            compared.skipped.push((*gone).to_owned());
        } else {
            compared.differing.push(format!("{gone}: it was kept and is gone"));
        }
    }
    for outcome in in_parallel(&here, |source| differs(source, known.get(source.name.as_str()).copied())) {
        match outcome {
            None => compared.same += 1,
            Some(text) => compared.differing.push(text),
        }
    }
    compared
}

/// How a source is not what it was.
fn differs(source: &Source, was: Option<&Digest>) -> Option<String> {
    let name = &source.name;
    let Some(was) = was else { return Some(format!("{name}: it is new, and its events are not kept yet")) };
    let Given { input, events } = source.play();
    let now = Digest::of(name, input, &events);
    if now == *was {
        return None;
    }
    if now.input != was.input {
        return Some(format!("{name}: what goes in is not what it was: the simulator, or the file, changed"));
    }
    // Where the events themselves are kept, and are those that were digested, the very event can be named.
    if let Some(whole) = source.whole().filter(|whole| Digest::of(name, input, whole).whole == was.whole) {
        let at = whole.iter().zip(&events).take_while(|(a, b)| a == b).count();
        let line = |events: &[String]| events.get(at).cloned().unwrap_or_else(|| String::from("(nothing)"));
        return Some(format!("{name}: event {} was\n    {}\n  and is\n    {}", at + 1, line(&whole), line(&events)));
    }
    let range = was.differs_in(&now);
    let shown: String = events.iter().take(range.end).skip(range.start).map(|line| format!("\n    {line}")).collect();
    Some(format!(
        "{name}: {} events, there were {}; the first that differs is one of {} to {}, which now are:{shown}",
        now.events,
        was.events,
        range.start + 1,
        range.end
    ))
}

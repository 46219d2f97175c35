//! What proves the report: the lines it rests on, in the tree that a signed checkpoint is of.
use super::annex::recorded;
use super::made::Report;
use crate::proof::Proof;
use flagfall_events::Body;
use std::collections::BTreeSet;

/// The lines up to each finding that led to it; what was entered, found, ruled and set after that, without what passes.
pub(super) fn proof(report: &Report<'_>) -> Option<Proof> {
    let source = report.source;
    let mut wanted = BTreeSet::new();
    for case in report.cases {
        let Some(range) = recorded(report.events, case) else { continue };
        let until = case.until;
        let told = report.events.iter().filter(|event| {
            let passes = matches!(event.body, Body::Placement { .. } | Body::Clock(_) | Body::Press { .. } | Body::Receipt(_));
            event.seq >= case.seq && event.seq <= until && !passes
        });
        let told: BTreeSet<String> = told.map(|event| format!("\"event\":{{\"seq\":{},", event.seq)).collect();
        // {"n":12,"t":1023,"KEY":…
        let key = |line: &str| line.splitn(3, ',').nth(2).map_or_else(String::new, String::from);
        let is_told = |line: &str| key(line).split(',').next().is_some_and(|head| told.contains(&format!("{head},")));
        let lines = || (1_u64..).zip(&source.lines).filter(|(_, (t, _))| range.contains(t));
        // What came after the last of it at the same moment is none of it: a checkpoint, a receipt.
        let last = lines().filter(|(_, (_, line))| is_told(line)).last().map_or(0, |(n, _)| n);
        for (n, (t, line)) in lines().filter(|(n, _)| *n <= last) {
            let entered = ["\"entry\"", "\"verdict\""].iter().any(|word| key(line).starts_with(word));
            if *t <= case.t.millis() || entered || is_told(line) {
                wanted.insert(n);
            }
        }
    }
    let lines: Vec<&str> = source.lines.iter().map(|(_, line)| line.as_str()).collect();
    Proof::of(&source.file, &lines, &source.sealed, |n| wanted.contains(&n))
}

//! What proves the report: the lines it rests on, in the tree that a signed checkpoint is of.
use super::annex::recorded;
use super::made::Report;
use crate::proof::{Proof, Sealed};
use crate::receipt::Receipt;
use flagfall_events::{Body, Event};
use std::collections::BTreeSet;
use std::iter;

/// The lines up to each finding that led to it; what was entered, found, ruled and set after that, without what passes. Behind the proof of all of them come
/// those that the receipts of its rulings stand for.
pub(super) fn proofs(report: &Report<'_>) -> Vec<Proof> {
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
    let Some(whole) = Proof::of(&source.file, &lines, &source.sealed, |n| wanted.contains(&n)) else { return Vec::new() };
    let given: Vec<Receipt> = receipts(report);
    let of_ruling =
        |sealed: &&Sealed| !whole.is_of(sealed) && Receipt::of_note(&sealed.note).is_some_and(|receipt| given.contains(&receipt));
    let rulings: Vec<&Sealed> = source.sealed.iter().filter(of_ruling).collect();
    let proofs = rulings.iter().filter_map(|sealed| Proof::up_to(&source.file, &lines, sealed, |n| wanted.contains(&n)));
    let proofs: Vec<Proof> = proofs.collect();
    iter::once(whole).chain(proofs).collect()
}

/// Those that were given for the rulings on its incidents.
fn receipts(report: &Report<'_>) -> Vec<Receipt> {
    let found: BTreeSet<u64> = report.cases.iter().map(|case| case.finding.id).collect();
    let is_ruling = |event: &&Event| matches!(&event.body, Body::Ruling(ruling) if ruling.finding().is_some_and(|id| found.contains(&id)));
    let rulings: BTreeSet<u64> = report.events.iter().filter(is_ruling).map(|event| event.seq).collect();
    let given = |event: &Event| match &event.body {
        Body::Receipt(receipt) if rulings.contains(&receipt.of) => Receipt::read(&receipt.words).ok(),
        _ => None,
    };
    report.events.iter().filter_map(given).collect()
}

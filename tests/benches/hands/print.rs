//! The table: a line of the daemon's and one of the bare estimator's for every row, and the games that were misread.
use crate::Outcome;
use crate::case::Case;
use crate::daemon::Wrong;
use crate::determined::Word;
use crate::estimate::WAITS;
use crate::work::Work;
use std::collections::BTreeMap;

pub(crate) fn head() {
    println!(
        "| hands | read by | games exact | all but the last ply | not exact, of these not determined | plies completed | wrongly, corrected, not said to be assumed | without their press, assumed \
         | within 5 ms | p95 ms | sides wrong | findings nothing called for | µs an input: p50, p99, worst |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|---|---|---|");
}

/// What the columns mean.
pub(crate) fn legend(seconds: u64) {
    println!(
        "\nA game is exact if all plies that were played were made or completed. Plies that were ever completed as another move count as wrong, also \
         those that were right in the end (corrected), and those that were said to be assumed. Without their press: completed by the next move or because they stood, after their own press had been told; `assumed`: with a piece that nobody knows. Delays are those of plies completed by a press, \
         against that press. Findings are those above a note; `clock-stopped` after the last ply is the end of the script, a piece that a hand knocked over calls for \
         `displaced-pieces`, and of captures nobody knows what hands did besides: there all findings before the last ply are counted, and the observer is not told when was pressed. The estimator alone is asked for {} s after \
         every press; the daemon completes what is not certain then with the likeliest reading. An input that took longer than two milliseconds is timed again, up to four times, and the least of it counts: others use \
         the machine, too. All of it took {seconds} s.",
        WAITS / 1_000
    );
}

pub(crate) fn row(name: &str, outcomes: &[Outcome]) {
    daemon(name, outcomes);
    estimator(outcomes);
}

fn daemon(name: &str, outcomes: &[Outcome]) {
    let exact = outcomes.iter().filter(|one| one.case.is_exact(&one.daemon.moves)).count();
    let inner = outcomes.iter().filter(|one| one.case.is_exact_but_last(&one.daemon.moves)).count();
    let (mut wrong, mut findings, mut work) = (Wrong::default(), BTreeMap::new(), Work::default());
    for one in outcomes {
        wrong = wrong + one.daemon.wrong(&one.case);
        one.daemon.findings.iter().for_each(|(key, count)| *findings.entry(*key).or_insert(0) += count);
        work.add(&one.daemon.times);
    }
    let open = outcomes.iter().filter(|one| matches!(one.word, Some(Word::Open(_)))).count();
    let sum = |of: fn(&Outcome) -> usize| outcomes.iter().map(of).sum::<usize>();
    let presses = outcomes.iter().any(|one| one.case.plies.iter().any(|ply| ply.pressed.is_some()));
    let asked = outcomes.iter().all(|one| one.word != Some(Word::NotAsked));
    println!(
        "| {name} | daemon | {} | {inner} | {}, {} | {} | {}, {}, {} | {}, {} | {} | {} | {} | {} |",
        of(exact, outcomes.len()),
        outcomes.len() - exact,
        if asked { open.to_string() } else { String::from("–") },
        sum(|one| one.daemon.completed.len()),
        wrong.plies,
        wrong.corrected,
        wrong.unsaid,
        if presses { sum(|one| one.daemon.otherwise).to_string() } else { String::from("–") },
        sum(|one| one.daemon.assumed),
        delays(outcomes.iter().flat_map(|one| one.daemon.delays.iter().copied()).collect()),
        outcomes.iter().filter(|one| one.daemon.sides_wrong).count(),
        said(&findings),
        times(&work),
    );
}

fn estimator(outcomes: &[Outcome]) {
    let exact = outcomes.iter().filter(|one| one.case.is_exact(&one.estimate.moves)).count();
    let inner = outcomes.iter().filter(|one| one.case.is_exact_but_last(&one.estimate.moves)).count();
    let (mut plies, mut wrong, mut later, mut after, mut work) = (0, 0, 0, Vec::new(), Work::default());
    for one in outcomes {
        work.add(&one.estimate.times);
        for (ply, pressed) in &one.estimate.pressed {
            plies += 1;
            match &pressed.completed {
                Some((delay, believed)) => {
                    after.push(*delay);
                    wrong += usize::from(one.case.is_wrong(*ply, &believed.uci));
                }
                None => later += 1,
            }
        }
    }
    println!(
        "| | estimator alone | {} | {inner} | {} | {}, {later} pressed and not certain | {wrong} | – | {} | {} | – | {} |",
        of(exact, outcomes.len()),
        outcomes.len() - exact,
        plies - later,
        delays(after),
        outcomes.iter().filter(|one| one.estimate.sides_wrong).count(),
        times(&work),
    );
}

/// Whether a list names it: not read exactly, a ply completed wrongly, or a finding that nothing called for.
fn is_listed(one: &Outcome) -> bool {
    let read = one.word.is_none() && one.daemon.wrong(&one.case).plies == 0 && one.daemon.findings.is_empty() && !one.daemon.sides_wrong;
    !read || !one.case.is_exact(&one.estimate.moves)
}

/// The games that a list names, a line each.
pub(crate) fn list(name: &str, outcomes: &[Outcome]) -> Vec<String> {
    let line = |one: &Outcome| {
        let word = one.word.as_ref().map_or_else(String::new, |word| format!("; {word}"));
        let sides = if one.daemon.sides_wrong { "; sides wrong" } else { "" };
        let wrong = one.daemon.wrong(&one.case);
        format!(
            "- {name}, {}: {}; completed wrongly {}, of these not said to be assumed {}{word}{sides}; findings {}; estimator alone: {}",
            one.case.name,
            missed(&one.case, &one.daemon.moves),
            wrong.plies,
            wrong.unsaid,
            said(&one.daemon.findings),
            missed(&one.case, &one.estimate.moves)
        )
    };
    outcomes.iter().filter(|one| is_listed(one)).map(line).collect()
}

/// The first ply that was misread.
fn missed(case: &Case, moves: &[String]) -> String {
    let plies: Vec<usize> = (0..case.truth.len()).filter(|n| moves.get(*n) != Some(&case.truth[*n])).collect();
    let Some(first) = plies.first() else { return String::from("exact") };
    let read = moves.get(*first).map_or("nothing", String::as_str);
    format!("ply {} of {}: read {read}, played {} ({} misread)", first + 1, case.truth.len(), case.truth[*first], plies.len())
}

fn of(part: usize, all: usize) -> String {
    format!("{part} of {all} ({:.2} %)", 100.0 * part as f64 / all.max(1) as f64)
}

/// The share within 5 ms, and what 95 of 100 do not exceed.
fn delays(mut after: Vec<u64>) -> String {
    if after.is_empty() {
        return String::from("– | –");
    }
    after.sort_unstable();
    let at_once = after.partition_point(|ms| *ms <= 5);
    format!("{:.2} % | {}", 100.0 * at_once as f64 / after.len() as f64, after[(after.len() * 95 / 100).min(after.len() - 1)])
}

fn said(findings: &BTreeMap<&'static str, usize>) -> String {
    let each: Vec<String> = findings.iter().map(|(key, count)| format!("`{key}` {count}")).collect();
    if each.is_empty() { String::from("none") } else { each.join(", ") }
}

fn times(work: &Work) -> String {
    format!("{}, {}, {}", work.at(50), work.at(99), work.at(100))
}

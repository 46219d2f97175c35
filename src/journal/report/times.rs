//! The times of an incident: as found, proposed, ruled, and as the clock then ran.
use super::markup::escaped;
use super::{Lang, Local};
use flagfall_events::{ClockState, Colour, Decision, Order, SetClock, Wall};
use flagfall_score::incidents::{Case, Ruling};
use std::fmt::Write as _;

/// All of them, in one table.
pub(super) fn times(out: &mut String, case: &Case, lang: Lang, local: &Local) {
    let mut rows = String::new();
    let mut row = |name: &str, at: Option<Wall>, white: Option<i64>, black: Option<i64>, more: &str, class: &str| {
        let at = at.map(|at| local.hour(at)).unwrap_or_default();
        _ = write!(
            rows,
            "<tr class=\"{class}\"><td>{}</td><td class=\"hour\">{at}</td><td class=\"time\">{}</td><td class=\"time\">{}</td><td>{}</td></tr>",
            escaped(name),
            shown(white),
            shown(black),
            escaped(more)
        );
    };
    let press = case.finding.facts.get("clock_at_press");
    let pressed = |side: &str| press?.get(side)?.as_i64();
    if let (Some(white), Some(black)) = (pressed("white_ms"), pressed("black_ms")) {
        row(lang.pick("Shown at the press", "При нажатии"), None, Some(white), Some(black), "", "");
    }
    if let Some(clock) = case.clock {
        row(lang.pick("As found", "Как было"), Some(case.at), clock.white_ms, clock.black_ms, running(clock, lang), "");
    }
    // The first one and the one that stood last; all of them are in the annex.
    let offered: Vec<(Wall, SetClock)> = offered(case).collect();
    let first = offered.first().filter(|_| offered.len() > 1);
    for (name, (at, clock)) in first
        .map(|of| (lang.pick("Proposed first", "Предложено сначала"), of))
        .into_iter()
        .chain(offered.last().map(|of| (lang.pick("Proposed", "Предложено"), of)))
    {
        row(name, Some(*at), Some(clock.white_ms), Some(clock.black_ms), lang.run(clock.run), "");
    }
    for ruling in case.rulings.iter().filter(|ruling| ruling.undone.is_none()) {
        if let Some(clock) = ruled_clock(case, ruling) {
            row(lang.pick("Ruled", "Решено"), Some(ruling.at), Some(clock.white_ms), Some(clock.black_ms), lang.run(clock.run), "ruled");
        }
    }
    if let Some((at, clock)) = case.clock_then {
        row(
            lang.pick("When the clock ran again", "Когда часы снова пошли"),
            Some(at),
            clock.white_ms,
            clock.black_ms,
            running(clock, lang),
            "",
        );
    }
    if !rows.is_empty() {
        let names = lang.pick(["Times", "White", "Black"], ["Время", "Белые", "Чёрные"]);
        _ = write!(
            out,
            "<h3>{}</h3><table><thead><tr><th></th><th></th><th>{}</th><th>{}</th><th></th></tr></thead><tbody>{rows}</tbody></table>",
            names[0], names[1], names[2]
        );
    }
}

/// The times that were proposed, each with the moment from which they stood; those that did not change are not told again.
pub(super) fn offered(case: &Case) -> impl Iterator<Item = (Wall, SetClock)> {
    let all = case.proposals.iter().filter_map(|(at, proposal)| Some((*at, proposal.as_ref()?.clock?)));
    let mut before = None;
    all.filter(move |(_, clock)| before.replace(*clock) != Some(*clock))
}

/// A confirmation rules the proposal's own times.
fn ruled_clock(case: &Case, ruling: &Ruling) -> Option<SetClock> {
    let (own, decision) = match ruling.entry.as_ref().map(|entry| &entry.order) {
        Some(Order::Rule { clock, decision, .. }) => (*clock, Some(*decision)),
        _ => (None, None),
    };
    own.or_else(|| (decision != Some(Decision::Dismiss)).then(|| case.finding.proposal.as_ref()?.clock).flatten())
}

const fn running(clock: ClockState, lang: Lang) -> &'static str {
    match clock.running {
        Some(Colour::White) => lang.run(flagfall_events::Run::White),
        Some(Colour::Black) => lang.run(flagfall_events::Run::Black),
        None => lang.run(flagfall_events::Run::Stopped),
    }
}

/// A display in whole seconds.
pub(super) fn shown(ms: Option<i64>) -> String {
    let Some(ms) = ms else { return String::from("–") };
    let s = ms.max(0) / 1000;
    format!("{}:{:02}:{:02}", s / 3600, s / 60 % 60, s % 60)
}

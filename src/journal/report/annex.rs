//! What an incident rests on, behind it: figures of the game, the last moves, touched pieces, lines of evidence.
use super::made::Report;
use super::markup::escaped;
use super::times::{offered, shown};
use super::{Lang, Local, Source};
use flagfall_events::{Colour, Event};
use flagfall_game::figures::Figures;
use flagfall_laws::title;
use flagfall_score::incidents::Case;
use serde_json::Value;
use std::fmt::Write as _;
use std::ops::RangeInclusive;

/// Lines of evidence around an incident, at most.
const MOST_LINES: usize = 600;
/// Inputs this long before the first event that an incident rests on still led to it, milliseconds.
const BEFORE_MS: u64 = 2_000;

/// All of it.
pub(super) fn annex(out: &mut String, report: &Report<'_>) {
    let (lang, local) = (report.lang, report.local);
    _ = write!(out, "<section class=\"annex\"><h2>{}</h2>", lang.pick("Annex", "Приложение"));
    figures(out, report.events, lang, local);
    for case in report.cases {
        let words = title(case.finding.key);
        _ = write!(out, "<h2>№ {}: {}</h2>", case.finding.id, escaped(lang.pick(words.en.as_str(), words.ru.as_str())));
        moves(out, report.source, case, lang);
        proposals(out, case, lang, local);
        touched(out, case, lang);
        evidence(out, report.source, report.events, case, lang);
    }
    out.push_str("</section>");
}

/// What decisions under 6.2.6 and 6.11.4 rest on, of the last game.
fn figures(out: &mut String, events: &[Event], lang: Lang, local: &Local) {
    let mut figures = Figures::default();
    events.iter().for_each(|event| figures.apply(event));
    let seconds = |ms: u64| format!("{}.{} {}", ms / 1000, ms / 100 % 10, lang.pick("s", "с"));
    _ = write!(out, "<h3>{}</h3><ul>", lang.pick("From the move to the press (6.2.6)", "От хода до нажатия часов (6.2.6)"));
    for by in [Colour::White, Colour::Black] {
        let presses = figures.of(by);
        let mut line = format!("{}: {} {}", lang.player(by), lang.pick("presses", "нажатий"), presses.count);
        if let (Some(median), Some(longest)) = (presses.median_ms, presses.longest_ms) {
            let (half, most) = (lang.pick("half of them within", "половина не позже"), lang.pick("the longest", "самое долгое"));
            _ = write!(line, ", {half} {}, {most} {}", seconds(median), seconds(longest));
        }
        if presses.without > 0 {
            _ = write!(line, "; {} {}", lang.pick("moves without one:", "без нажатия ходов:"), presses.without);
        }
        _ = write!(out, "<li>{}</li>", escaped(&line));
    }
    let title = lang.pick("Clocks stopped (6.11.4)", "Остановки часов (6.11.4)");
    _ = write!(out, "</ul><h3>{title}: {}</h3><ul>", figures.stops.len());
    for stop in &figures.stops {
        let ran = format!("{}: {}", lang.pick("time that ran", "шло время"), lang.player(stop.ran));
        let stood = stop.for_ms.map(|ms| format!(", {} {}", lang.pick("stood", "стояли"), seconds(ms))).unwrap_or_default();
        _ = write!(out, "<li>{} · {}{}</li>", local.moment(stop.at), escaped(&ran), escaped(&stood));
    }
    out.push_str("</ul>");
}

/// The last moves before it, and how to see why the last one was read as it was.
fn moves(out: &mut String, source: &Source, case: &Case, lang: Lang) {
    if case.moves.is_empty() {
        return;
    }
    let moves: Vec<String> =
        case.moves.iter().map(|(ply, name)| format!("{}{} {name}", ply.div_ceil(2), if ply % 2 == 1 { "." } else { "…" })).collect();
    _ = write!(out, "<h3>{}</h3><p>{}</p>", lang.pick("The last moves before", "Последние ходы перед этим"), escaped(&moves.join(" ")));
    why(out, source, case, lang);
}

/// How the times that were proposed went on.
fn proposals(out: &mut String, case: &Case, lang: Lang, local: &Local) {
    _ = write!(out, "<h3>{}</h3><ul>", lang.pick("Times as they were proposed", "Предложенное время"));
    for (at, clock) in offered(case) {
        let times = format!("{} – {}, {}", shown(Some(clock.white_ms)), shown(Some(clock.black_ms)), lang.run(clock.run));
        _ = write!(out, "<li>{}: {times}</li>", local.hour(at));
    }
    out.push_str("</ul>");
}

/// How to see why the last move before it was read as it was.
fn why(out: &mut String, source: &Source, case: &Case, lang: Lang) {
    let Some((ply, name)) = case.moves.last() else { return };
    let game = case.game.map(|game| format!(" --game {game}")).unwrap_or_default();
    let command = format!("flagfall replay {} --explain {ply}{game}", source.file);
    let title = lang.pick("Why it was read as", "Почему ход прочитан как");
    _ = write!(out, "<p class=\"soft\">{title} {}: <code>{}</code></p>", escaped(name), escaped(&command));
}

fn touched(out: &mut String, case: &Case, lang: Lang) {
    let Some(list) = case.finding.facts.get("touched").and_then(Value::as_array).filter(|list| !list.is_empty()) else { return };
    _ = write!(out, "<h3>{}</h3><ul>", lang.pick("Touched pieces", "Тронутые фигуры"));
    for touch in list {
        let text = |key: &str| touch[key].as_str().unwrap_or_default();
        let back = touch["returned"].as_u64().map(|t| format!(", {} {t} ms", lang.pick("put back at", "поставлена в"))).unwrap_or_default();
        let line = format!("{} {}, {} {} ms{back}", text("piece"), text("square"), lang.pick("lifted at", "поднята в"), touch["lifted"]);
        _ = write!(out, "<li>{}</li>", escaped(&line));
    }
    out.push_str("</ul>");
}

/// When what the incident rests on was recorded, milliseconds.
pub(super) fn recorded(events: &[Event], case: &Case) -> Option<RangeInclusive<u64>> {
    let (first, last) = rests_on(case);
    let mut wanted = events.iter().filter(|event| (first..=last).contains(&event.seq));
    let begin = wanted.next()?;
    Some(begin.t.millis().saturating_sub(BEFORE_MS)..=wanted.next_back().unwrap_or(begin).t.millis())
}

/// The first and the last event it rests on.
fn rests_on(case: &Case) -> (u64, u64) {
    let [first, last] = case.finding.evidence;
    (first, last.max(case.seq).max(case.until))
}

fn evidence(out: &mut String, source: &Source, events: &[Event], case: &Case, lang: Lang) {
    let (first, last) = rests_on(case);
    let wanted: Vec<&Event> = events.iter().filter(|event| (first..=last).contains(&event.seq)).collect();
    let Some(range) = recorded(events, case) else { return };
    _ = write!(out, "<h3>{}</h3>", lang.pick("Evidence: events", "Доказательства: события"));
    let text = |event: &&Event| serde_json::to_string(event).unwrap_or_default();
    pre(out, wanted.iter().map(text), lang);
    let lines = source.lines.iter().filter(|(t, _)| range.contains(t));
    _ = write!(out, "<h3>{}</h3>", lang.pick("Evidence: what was recorded", "Доказательства: что записано"));
    pre(out, lines.map(|(_, line)| line.clone()), lang);
}

fn pre(out: &mut String, lines: impl Iterator<Item = String>, lang: Lang) {
    out.push_str("<pre>");
    for (i, line) in lines.enumerate() {
        if i == MOST_LINES {
            out.push_str(lang.pick("… (more in the file)", "… (остальное в файле)"));
            break;
        }
        _ = writeln!(out, "{}", escaped(&line));
    }
    out.push_str("</pre>");
}

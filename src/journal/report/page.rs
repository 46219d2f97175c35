//! Incidents as one HTML page: prints well, loads nothing, runs nothing.
use super::diagram::{self, Diagram};
use super::markup::escaped;
use super::{Lang, Source};
use flagfall_events::{ClockState, Colour, Decision, Event, Order, Proposal, SetClock, Wall};
use flagfall_game::figures::Figures;
use flagfall_laws::title;
use flagfall_score::incidents::{Case, Ruling};
use serde_json::Value;
use std::fmt::Write as _;

/// Lines of evidence around an incident, at most.
const MOST_LINES: usize = 600;
/// Inputs this long before the first event that an incident rests on still led to it, milliseconds.
const BEFORE_MS: u64 = 2_000;

const STYLE: &str = "\
:root{color-scheme:light}body{max-width:860px;margin:0 auto;padding:24px 16px;background:#fff;color:#1d2125;font:16px/1.45 system-ui,'Segoe UI',Roboto,'Noto Sans','DejaVu Sans',sans-serif}\
h1{font-size:1.7rem;margin:0 0 4px}h2{font-size:1.35rem;margin:36px 0 4px;padding-top:14px;border-top:3px solid #1d2125}h3{font-size:1.05rem;margin:18px 0 6px}p{margin:4px 0}\
.soft{color:#565d64}.law{font-weight:650}.sentence{font-size:1.15rem}.boards{display:flex;flex-wrap:wrap;gap:20px}figure{margin:8px 0;width:min(100%,330px)}figcaption{text-align:center;color:#565d64}\
.board{width:100%;height:auto;display:block}.light{fill:#eee8dc}.dark{fill:#96abb0}.board text{font:600 11px sans-serif;fill:#34464b}.mark{fill:#d6402b;fill-opacity:.22;stroke:#a3271a;stroke-width:5}\
.outline{fill:#24282d;stroke:#24282d;stroke-width:5;stroke-linejoin:round}.w{fill:#fffefa}.b{fill:#363b42}.w-lines,.b-lines{fill:none;stroke:#24282d;stroke-width:2.3;stroke-linecap:round}.b-lines{stroke:#d9d6cd}\
.arrow{fill:none;stroke:#14507f;stroke-width:9;stroke-linecap:round;stroke-dasharray:16 12}.head{fill:#14507f}\
table{border-collapse:collapse;width:100%}th,td{padding:4px 10px;border:1px solid #b9bec4;text-align:left;vertical-align:top}td.time{font-variant-numeric:tabular-nums;font-size:1.1rem;white-space:nowrap}th{background:#f2f0eb}tr.ruled td{font-weight:650;background:#eaf3ec}\
pre{overflow-x:auto;margin:0;padding:8px;background:#f5f4f1;font:12px/1.4 ui-monospace,'DejaVu Sans Mono',monospace;white-space:pre-wrap;overflow-wrap:anywhere}\
footer{margin-top:40px;border-top:1px solid #b9bec4;padding-top:8px;font-size:.875rem;color:#565d64;overflow-wrap:anywhere}@media print{h2{break-before:page}h2:first-of-type{break-before:auto}details{display:block}}";

/// The report on these incidents; `events` is everything the board said.
pub fn page(source: &Source, events: &[Event], cases: &[Case], lang: Lang) -> String {
    let mut out = String::with_capacity(64 * 1024);
    let board = events.first().map_or("", |event| &*event.board);
    let heading = format!("{} {}", lang.pick("Incident report, board", "Отчёт об инцидентах, доска"), escaped(board));
    _ = write!(
        out,
        "<!doctype html><html lang=\"{}\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\"><title>{heading}</title><style>{STYLE}</style></head><body>{}<h1>{heading}</h1>",
        lang.tag(),
        diagram::shapes(),
    );
    head(&mut out, events, lang);
    figures(&mut out, events, lang);
    if cases.is_empty() {
        _ = write!(
            out,
            "<p class=\"sentence\">{}</p>",
            lang.pick("No incidents: nothing that asked for an arbiter.", "Инцидентов нет: арбитр не требовался.")
        );
    }
    for case in cases {
        incident(&mut out, source, events, case, lang);
    }
    _ = writeln!(
        out,
        "<footer><p>{} {}. BLAKE3 {}</p><p>flagfall {}. {}</p></footer></body></html>",
        lang.pick("Made from", "Составлено по файлу"),
        escaped(&source.file),
        escaped(&source.blake3),
        env!("CARGO_PKG_VERSION"),
        lang.pick(
            "The daemon finds, the arbiter rules. `flagfall verify` says whether the journal is as it was written; `flagfall replay` gives the same events again.",
            "Программа отмечает, решает арбитр. `flagfall verify` проверяет, что журнал не изменён; `flagfall replay` даёт те же события.",
        ),
    );
    out
}

fn head(out: &mut String, events: &[Event], lang: Lang) {
    use flagfall_events::Body;
    let start = events.iter().rev().find_map(|event| match &event.body {
        Body::GameStart { play, time_control, .. } => Some((event.at, play.clone(), time_control.clone())),
        _ => None,
    });
    let Some((at, play, control)) = start else { return };
    let control = control.unwrap_or_else(|| String::from(lang.pick("unknown", "неизвестен")));
    let line = format!(
        "{} {}, {}, {} {}",
        lang.pick("Game began", "Начало партии"),
        moment(at),
        play,
        lang.pick("time control", "контроль"),
        control
    );
    _ = write!(out, "<p class=\"soft\">{}</p>", escaped(&line));
}

/// What decisions under 6.2.6 and 6.11.4 rest on, of the last game.
fn figures(out: &mut String, events: &[Event], lang: Lang) {
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
        _ = write!(out, "<li>{} · {}{}</li>", moment(stop.at), escaped(&ran), escaped(&stood));
    }
    out.push_str("</ul>");
}

fn incident(out: &mut String, source: &Source, events: &[Event], case: &Case, lang: Lang) {
    let finding = &case.finding;
    let words = title(finding.key);
    let name = lang.pick(words.en.as_str(), words.ru.as_str());
    _ = write!(out, "<section><h2>№ {}: {}</h2>", finding.id, escaped(name));
    let by = finding.by.map(|by| format!(" · {}", lang.player(by))).unwrap_or_default();
    _ = write!(
        out,
        "<p class=\"law\">{} · {} {}{by}</p>",
        lang.rules(finding.rules),
        lang.pick("Article", "статья"),
        escaped(&finding.article)
    );
    _ = write!(out, "<p class=\"soft\">{} · {} {}</p>", moment(case.at), lang.pick("event", "событие"), case.seq);
    _ = write!(out, "<p class=\"sentence\">{}</p>", escaped(lang.pick(&finding.summary.en, &finding.summary.ru)));
    if let Some(proposal) = &finding.proposal {
        proposed(out, proposal, lang);
    }
    boards(out, case, lang);
    times(out, case, lang);
    rulings(out, case, lang);
    if !case.moves.is_empty() {
        let moves: Vec<String> =
            case.moves.iter().map(|(ply, name)| format!("{}{} {name}", ply.div_ceil(2), if ply % 2 == 1 { "." } else { "…" })).collect();
        _ = write!(out, "<h3>{}</h3><p>{}</p>", lang.pick("The last moves before", "Последние ходы перед этим"), escaped(&moves.join(" ")));
        why(out, source, case, lang);
    }
    touched(out, case, lang);
    evidence(out, source, events, case, lang);
    out.push_str("</section>");
}

/// How to see why the last move before it was read as it was.
fn why(out: &mut String, source: &Source, case: &Case, lang: Lang) {
    let Some((ply, name)) = case.moves.last() else { return };
    let game = case.game.map(|game| format!(" --game {game}")).unwrap_or_default();
    let command = format!("flagfall replay {} --explain {ply}{game}", source.file);
    let title = lang.pick("Why it was read as", "Почему ход прочитан как");
    _ = write!(out, "<p class=\"soft\">{title} {}: <code>{}</code></p>", escaped(name), escaped(&command));
}

fn proposed(out: &mut String, proposal: &Proposal, lang: Lang) {
    let mut parts = vec![String::from(lang.action(proposal.action))];
    if let Some(offence) = proposal.offence {
        parts.push(format!("{} {offence}", lang.pick("offence", "нарушение")));
    }
    if let Some(article) = &proposal.article {
        parts.push(format!("{} {article}", lang.pick("under", "по")));
    }
    parts.extend(proposal.result.map(|result| String::from(result.as_str())));
    if let Some(counter) = proposal.press_counter {
        let signed = |by| match counter.of_player(by) {
            0 => String::from("0"),
            n if n < 0 => format!("−{}", n.unsigned_abs()),
            n => format!("+{n}"),
        };
        let name = lang.pick("press counter, White / Black:", "счётчик нажатий, белые / чёрные:");
        parts.push(format!("{name} {} / {}", signed(Colour::White), signed(Colour::Black)));
    }
    parts.extend(proposal.undecided.clone());
    if let Some(mate) = &proposal.mate {
        parts.push(format!("{}: {}", lang.pick("mate is possible", "мат возможен"), mate.join(" ")));
    }
    _ = write!(out, "<p><b>{}:</b> {}</p>", lang.pick("Proposed", "Предложено"), escaped(&parts.join("; ")));
}

fn boards(out: &mut String, case: &Case, lang: Lang) {
    out.push_str("<div class=\"boards\">");
    let mut figure = |fen: &str, marked: Vec<String>, arrow: Option<&str>, caption: &str| {
        if let Some(picture) = diagram::svg(&Diagram { fen, marked, arrow, label: caption }) {
            _ = write!(out, "<figure>{picture}<figcaption>{}</figcaption></figure>", escaped(caption));
        }
    };
    let arrow = case.finding.facts.get("uci").and_then(Value::as_str);
    let wanted = case.wanted();
    if let Some(found) = &case.placement {
        let marked = wanted.map(|wanted| diagram::differing(found, wanted)).unwrap_or_default();
        figure(found, marked, arrow, lang.pick("Position as found", "Позиция, как была"));
    }
    if let Some(wanted) = wanted {
        figure(wanted, Vec::new(), None, lang.pick("Position to restore", "Позиция, которую восстановить"));
    }
    out.push_str("</div>");
    if let Some(at) = case.restored_at {
        _ = write!(
            out,
            "<p>{} {}</p>",
            lang.pick("The board showed the restored position at", "Восстановленная позиция на доске:"),
            moment(at)
        );
    }
}

fn times(out: &mut String, case: &Case, lang: Lang) {
    let mut rows = String::new();
    let mut row = |name: &str, at: Option<Wall>, white: Option<i64>, black: Option<i64>, more: &str, class: &str| {
        let at = at.map(moment).unwrap_or_default();
        _ = write!(
            rows,
            "<tr class=\"{class}\"><td>{}</td><td>{at}</td><td class=\"time\">{}</td><td class=\"time\">{}</td><td>{}</td></tr>",
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
    for (at, proposal) in &case.proposals {
        if let Some(clock) = proposal.as_ref().and_then(|p| p.clock) {
            row(lang.pick("Proposed", "Предложено"), Some(*at), Some(clock.white_ms), Some(clock.black_ms), lang.run(clock.run), "");
        }
    }
    for ruling in &case.rulings {
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

/// A confirmation rules the proposal's own times.
fn ruled_clock(case: &Case, ruling: &Ruling) -> Option<SetClock> {
    let (own, decision) = match ruling.entry.as_ref().map(|entry| &entry.order) {
        Some(Order::Rule { clock, decision, .. }) => (*clock, Some(*decision)),
        _ => (None, None),
    };
    own.or_else(|| (decision != Some(Decision::Dismiss)).then(|| case.finding.proposal.as_ref()?.clock).flatten())
}

fn rulings(out: &mut String, case: &Case, lang: Lang) {
    _ = write!(out, "<h3>{}</h3><p>{}</p>", lang.pick("Ruling", "Решение"), lang.status(case.status));
    for ruling in &case.rulings {
        let entry = ruling.entry.as_ref();
        let who = match entry.and_then(|entry| entry.who.as_deref()).unwrap_or_default() {
            "" => lang.pick("(no name)", "(без имени)"),
            who => who,
        };
        let note = entry.and_then(|entry| entry.note.as_deref()).filter(|note| !note.is_empty());
        let note = note.map(|note| format!(" “{note}”")).unwrap_or_default();
        let decision = match entry.map(|entry| &entry.order) {
            Some(Order::Rule { decision, .. }) => Some(*decision),
            _ => None,
        };
        _ = write!(out, "<p>{} · <b>{}</b>: {}{}</p>", moment(ruling.at), escaped(who), escaped(lang.decision(decision)), escaped(&note));
    }
    if let Some((result, reason)) = &case.result {
        _ = write!(out, "<p>{}: <b>{}</b> ({})</p>", lang.pick("Result", "Результат"), result.as_str(), escaped(reason));
    }
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

fn evidence(out: &mut String, source: &Source, events: &[Event], case: &Case, lang: Lang) {
    let [first, last] = case.finding.evidence;
    let last = last.max(case.seq).max(case.until);
    let wanted: Vec<&Event> = events.iter().filter(|event| (first..=last).contains(&event.seq)).collect();
    let (Some(begin), Some(end)) = (wanted.first(), wanted.last()) else { return };
    _ = write!(out, "<h3>{}</h3>", lang.pick("Evidence: events", "Доказательства: события"));
    let text = |event: &&Event| serde_json::to_string(event).unwrap_or_default();
    pre(out, wanted.iter().map(text), lang);
    let range = begin.t.millis().saturating_sub(BEFORE_MS)..=end.t.millis();
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

const fn running(clock: ClockState, lang: Lang) -> &'static str {
    match clock.running {
        Some(Colour::White) => lang.run(flagfall_events::Run::White),
        Some(Colour::Black) => lang.run(flagfall_events::Run::Black),
        None => lang.run(flagfall_events::Run::Stopped),
    }
}

/// A display in whole seconds.
fn shown(ms: Option<i64>) -> String {
    let Some(ms) = ms else { return String::from("–") };
    let s = ms.max(0) / 1000;
    format!("{}:{:02}:{:02}", s / 3600, s / 60 % 60, s % 60)
}

fn moment(at: Wall) -> String {
    at.timestamp().strftime("%Y-%m-%d %H:%M:%S UTC").to_string()
}

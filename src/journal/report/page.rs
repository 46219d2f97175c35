//! Incidents as one HTML page: prints well, runs nothing, and loads nothing where its style stands in it.
use super::diagram::{self, Diagram};
use super::made::{Report, STYLE, Style};
use super::markup::escaped;
use super::{About, Lang, Local, annex, proof, strip, times};
use flagfall_events::{Body, Colour, Order, Proposal};
use flagfall_laws::title;
use flagfall_score::incidents::Case;
use serde_json::Value;
use std::fmt::Write as _;

/// The report.
pub fn page(report: &Report<'_>) -> String {
    let (lang, source) = (report.lang, report.source);
    let mut out = String::with_capacity(64 * 1024);
    let board = report.events.first().map_or("", |event| &*event.board);
    let heading = format!("{} {}", lang.pick("Incident report, board", "Отчёт об инцидентах, доска"), escaped(board));
    let style = match report.style {
        Style::Inside => format!("<style>{STYLE}</style>"),
        Style::Served => String::from("<link rel=\"stylesheet\" href=\"/arbiter/report.css\">"),
    };
    _ = write!(
        out,
        "<!doctype html><html lang=\"{}\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\"><title>{heading}</title>{style}</head><body>{}",
        lang.tag(),
        diagram::shapes(),
    );
    if report.cases.is_empty() {
        _ = write!(
            out,
            "<h1>{heading}</h1><p class=\"sentence\">{}</p>",
            lang.pick("No incidents: nothing that asked for an arbiter.", "Инцидентов нет: арбитр не требовался.")
        );
    }
    for case in report.cases {
        incident(&mut out, report, board, &heading, case);
    }
    if report.annex {
        annex::annex(&mut out, report);
    }
    let proofs = proof::proofs(report);
    (1..).zip(&proofs).for_each(|(number, proof)| out.push_str(&proof.in_page(number)));
    if !proofs.is_empty() {
        let told = lang.pick(
            "This file carries its proof: <code>flagfall verify THIS_FILE --key KEY</code> says what of it is proved, without the journal.",
            "Файл содержит своё доказательство: <code>flagfall verify ЭТОТ_ФАЙЛ --key КЛЮЧ</code> покажет, что из него доказано, без журнала.",
        );
        _ = write!(out, "<p class=\"soft\">{told}</p>");
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

/// One incident, on two pages at most.
fn incident(out: &mut String, report: &Report<'_>, board: &str, heading: &str, case: &Case) {
    let (lang, local, finding) = (report.lang, report.local, &case.finding);
    let about = report.seating.game(board, case.game);
    let words = title(finding.key);
    let name = lang.pick(words.en.as_str(), words.ru.as_str());
    _ = write!(out, "<section class=\"case\"><h1>{heading}</h1>");
    head(out, report, &about, case);
    if report.style == Style::Served {
        let at = format!("/arbiter#/board/{}", addressed(board));
        let (film, card) = (lang.pick("Film", "Запись"), lang.pick("The card", "Карточка"));
        let id = finding.id;
        _ = write!(out, "<p class=\"screen\"><a href=\"{at}/film/finding/{id}\">▶ {film}</a><a href=\"{at}/finding/{id}\">{card}</a></p>");
    }
    _ = write!(out, "<h2>№ {}: {}</h2>", finding.id, escaped(name));
    let by = finding.by.map(|by| format!(" · {}", player(&about, by, lang))).unwrap_or_default();
    let article = lang.pick("Article", "статья");
    _ = write!(out, "<p class=\"law\">{} · {article} {}{}</p>", lang.rules(finding.rules), escaped(&finding.article), escaped(&by));
    let of = (local.moment(case.at), lang.pick("event", "событие"), case.seq);
    _ = write!(out, "<p class=\"soft\">{} · {} {}</p>", of.0, of.1, of.2);
    _ = write!(out, "<p class=\"sentence\">{}</p>", escaped(lang.pick(&finding.summary.en, &finding.summary.ru)));
    if let Some(proposal) = &finding.proposal {
        proposed(out, proposal, lang);
    }
    strip::strip(out, report.events, case, lang, local);
    boards(out, case, lang, local);
    times::times(out, case, lang, local);
    rulings(out, case, lang, local);
    let lines = lang.pick(["Arbiter", "White", "Black"], ["Арбитр", "Белые", "Чёрные"]);
    _ = write!(out, "<p class=\"sign\"><span>{}</span><span>{}</span><span>{}</span></p></section>", lines[0], lines[1], lines[2]);
}

/// Event, round, players, and the game.
fn head(out: &mut String, report: &Report<'_>, about: &About, case: &Case) {
    let (lang, local) = (report.lang, report.local);
    let mut rows: Vec<(&str, String)> = Vec::new();
    let event = [&about.event, &about.place].into_iter().flatten().cloned().collect::<Vec<_>>().join(", ");
    if !event.is_empty() {
        rows.push((lang.pick("Event", "Соревнование"), event));
    }
    if let Some(round) = about.round {
        rows.push((lang.pick("Round", "Тур"), round.to_string()));
    }
    let start = report.events.iter().rev().find_map(|event| match &event.body {
        Body::GameStart { play, time_control, .. } if !event.is_of_another(case.game) => {
            Some((event.at, play.clone(), time_control.clone()))
        }
        _ => None,
    });
    for (name, player) in [(lang.pick("White", "Белые"), &about.white), (lang.pick("Black", "Чёрные"), &about.black)] {
        rows.extend(player.as_ref().map(|player| (name, player.clone())));
    }
    if let Some((at, play, control)) = start {
        let control = control.unwrap_or_else(|| String::from(lang.pick("unknown", "неизвестен")));
        let number = case.game.map(|game| format!("{game}, ")).unwrap_or_default();
        let began = lang.pick("began", "начата");
        rows.push((
            lang.pick("Game", "Партия"),
            format!("{number}{began} {}, {play}, {} {control}", local.moment(at), lang.pick("time control", "контроль")),
        ));
    }
    rows.push((lang.pick("Times of day", "Время суток"), local.zone(case.at)));
    out.push_str("<dl class=\"about\">");
    for (name, value) in rows {
        _ = write!(out, "<dt>{name}</dt><dd>{}</dd>", escaped(&value));
    }
    out.push_str("</dl>");
}

/// Colour, and name where that is known.
fn player(about: &About, by: Colour, lang: Lang) -> String {
    let name = match by {
        Colour::White => &about.white,
        Colour::Black => &about.black,
    };
    let colour = lang.player(by);
    name.as_ref().map_or_else(|| String::from(colour), |name| format!("{colour}, {name}"))
}

/// As a part of an address.
fn addressed(name: &str) -> String {
    name.bytes().map(|byte| if byte.is_ascii_alphanumeric() { char::from(byte).to_string() } else { format!("%{byte:02X}") }).collect()
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

fn boards(out: &mut String, case: &Case, lang: Lang, local: &Local) {
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
            local.moment(at)
        );
    }
}

fn rulings(out: &mut String, case: &Case, lang: Lang, local: &Local) {
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
        let undone = ruling.undone.map(|at| format!(" – {} {}", lang.pick("undone at", "отменено в"), local.hour(at))).unwrap_or_default();
        _ = write!(
            out,
            "<p>{} · <b>{}</b>: {}{}{undone}</p>",
            local.moment(ruling.at),
            escaped(who),
            escaped(lang.decision(decision)),
            escaped(&note)
        );
    }
    if let Some((result, reason)) = &case.result {
        _ = write!(out, "<p>{}: <b>{}</b> ({})</p>", lang.pick("Result", "Результат"), result.as_str(), escaped(reason));
    }
}

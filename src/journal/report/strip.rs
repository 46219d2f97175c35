//! Four pictures of what happened: before, lifted, pressed, put right.
use super::diagram::{self, Diagram};
use super::markup::escaped;
use super::times::shown;
use super::{Lang, Local};
use flagfall_events::Event;
use flagfall_score::film::{Cutter, Displays, Film};
use flagfall_score::incidents::Case;
use flagfall_score::moment::{Seeker, Subject};
use serde_json::Value;
use std::fmt::Write as _;

/// One picture.
struct Picture {
    squares: String,
    marked: Vec<String>,
    arrow: Option<String>,
    what: &'static str,
    when: String,
    clock: Option<Displays>,
}

/// The strip; nothing where the events before the incident are not there.
pub(super) fn strip(out: &mut String, events: &[Event], case: &Case, lang: Lang, local: &Local) {
    let Some(film) = film(events, case.finding.id) else { return };
    let pictures = pictures(&film, case, lang, local);
    if pictures.is_empty() {
        return;
    }
    _ = write!(out, "<h3>{}</h3><div class=\"strip\">", lang.pick("What the sensors saw", "Что видели датчики"));
    for picture in pictures {
        let diagram = Diagram { fen: &picture.squares, marked: picture.marked, arrow: picture.arrow.as_deref(), label: picture.what };
        let Some(drawn) = diagram::svg(&diagram) else { continue };
        _ = write!(out, "<figure>{drawn}<figcaption><b>{}</b><br>{}", escaped(picture.what), picture.when);
        if let Some(clock) = picture.clock {
            let shown = |ms: Option<i64>| shown(ms.map(|ms| ms.saturating_add(999)));
            _ = write!(out, "<br><span class=\"time\">{} – {}</span>", shown(clock.white_ms), shown(clock.black_ms));
        }
        out.push_str("</figcaption></figure>");
    }
    out.push_str("</div>");
}

fn film(events: &[Event], id: u64) -> Option<Film> {
    let mut seeker = Seeker::new(Subject::Finding(id));
    events.iter().for_each(|event| seeker.take(event));
    let mut cutter = Cutter::new(seeker.found()?);
    events.iter().for_each(|event| cutter.take(event));
    Some(cutter.film())
}

fn pictures(film: &Film, case: &Case, lang: Lang, local: &Local) -> Vec<Picture> {
    let uci = case.finding.facts.get("uci").and_then(Value::as_str).map(String::from);
    let by = case.finding.by;
    let press = |step: &&flagfall_score::film::Step| step.press.is_some() && step.t_ms <= 0;
    let own = film.steps.iter().rev().filter(press).find(|step| by.is_none() || step.press == by);
    let pressed = own.or_else(|| film.steps.iter().rev().find(press)).map(|step| step.t_ms);
    let until = pressed.unwrap_or(0);
    let since = film.steps.iter().rev().filter(press).map(|step| step.t_ms).find(|t_ms| *t_ms < until).unwrap_or(film.from_ms);
    let touched = film.steps.iter().find(|step| step.square.is_some() && step.t_ms > since && step.t_ms <= until).map(|step| step.t_ms);
    let at = |t_ms: i64, what: &'static str| {
        let before = film.squares(t_ms.saturating_sub(1))?;
        let squares = film.squares(t_ms)?;
        let marked = (0_u8..64).filter(|at| before[usize::from(*at)] != squares[usize::from(*at)]).map(diagram::named).collect();
        Some(Picture {
            squares: placement(&squares),
            marked,
            arrow: None,
            what,
            when: local.tenth(film.at, t_ms),
            clock: film.displays(t_ms),
        })
    };
    let mut found = Vec::new();
    let first = touched.unwrap_or(until).saturating_sub(1).max(film.from_ms);
    found.extend(at(first, lang.pick("Before", "До того")).map(|picture| Picture { marked: Vec::new(), ..picture }));
    if let Some(t_ms) = touched {
        found.extend(at(t_ms, lang.pick("A piece is touched", "Тронута фигура")));
    }
    match pressed {
        Some(t_ms) => {
            found.extend(at(t_ms, lang.pick("The clock is pressed", "Нажаты часы")).map(|picture| Picture { arrow: uci, ..picture }))
        }
        None => found.extend(at(0, lang.pick("The finding", "Отметка"))),
    }
    if let (Some(restored), Some(wanted)) = (case.restored_at, case.wanted()) {
        let when = local.tenth(restored, 0);
        found.push(Picture {
            squares: String::from(wanted),
            marked: Vec::new(),
            arrow: None,
            what: lang.pick("Put right", "Исправлено"),
            when,
            clock: None,
        });
    } else {
        found.extend(at(film.to_ms, lang.pick("Five seconds later", "Пять секунд спустя")));
    }
    found
}

/// FEN field 1.
fn placement(squares: &[char; 64]) -> String {
    let ranks: Vec<String> = squares
        .chunks(8)
        .map(|rank| {
            let (mut text, mut gap) = (String::new(), 0);
            for letter in rank {
                if *letter == '.' {
                    gap += 1;
                    continue;
                }
                if gap > 0 {
                    text += &gap.to_string();
                }
                gap = 0;
                text.push(*letter);
            }
            if gap > 0 {
                text += &gap.to_string();
            }
            text
        })
        .collect();
    ranks.join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_placement_is_written_as_it_was_read() {
        for fen in ["rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR", "8/8/8/3k4/8/8/8/K6R"] {
            assert_eq!(placement(&diagram::placement(fen).unwrap()), fen);
        }
    }
}

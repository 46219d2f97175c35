//! What an alert says.
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use flagfall_config::alerts::{Alert, AlertKind};
use flagfall_events::{AlarmState, Body, Event, Grade, Wall};
use serde_json::{Value, json};

/// One alert, ready to send.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Message {
    /// The same for every try, so that a receiver can tell a repetition.
    pub(super) id: String,
    pub(super) content_type: &'static str,
    pub(super) headers: Vec<(&'static str, String)>,
    pub(super) body: String,
}

/// How loudly ntfy rings, from 1 to 5.
#[derive(Clone, Copy)]
enum Loudness {
    Low = 2,
    High = 4,
    Urgent = 5,
}

/// The alert for an event; `None` where the target does not want it.
pub(super) fn of_event(alert: &Alert, event: &Event) -> Option<Message> {
    let ru = alert.russian;
    let (kind, title, text, loudness, tag) = match &event.body {
        Body::Finding(finding) if alert.grades.contains(&finding.grade) => {
            let summary = if ru { &finding.summary.ru } else { &finding.summary.en };
            let article = if ru { "статья" } else { "article" };
            let loudness = if finding.grade == Grade::Ruling { Loudness::Urgent } else { Loudness::High };
            ("finding", finding.key.as_str(), format!("{summary} ({article} {})", finding.article), loudness, "warning")
        }
        Body::Alarm { key, state, .. } if alert.alarms => {
            let over = *state == AlarmState::Cleared;
            let text = match (ru, over) {
                (false, false) => "the alarm stands",
                (false, true) => "the alarm is over",
                (true, false) => "тревога",
                (true, true) => "тревога снята",
            };
            ("alarm", key.as_str(), String::from(text), if over { Loudness::Low } else { Loudness::High }, if over { "ok" } else { "bell" })
        }
        Body::Result { result, reason, .. } if alert.results => {
            let game = if ru { "партия" } else { "game" };
            let text = event.game.map_or_else(|| reason.clone(), |number| format!("{reason} ({game} {number})"));
            ("result", result.as_str(), text, Loudness::Low, "checkered_flag")
        }
        _ => return None,
    };
    let place = if ru { format!("Доска {}", event.board) } else { format!("Board {}", event.board) };
    let title = format!("{place}: {title}");
    let id = format!("{}-{}-{}", event.board, event.at, event.seq);
    let event = serde_json::to_value(event).ok()?;
    Some(made(alert, id, &title, &text, loudness, tag, json!({ "kind": kind, "title": title, "text": text, "event": event })))
}

/// The alert for an alarm that is about no board's game.
pub(super) fn of_alarm(alert: &Alert, key: &str, about: &str, text: Option<&str>, at: Wall) -> Message {
    let state = if text.is_some() { "raised" } else { "cleared" };
    let over = if alert.russian { "тревога снята" } else { "the alarm is over" };
    let (title, id) = (format!("{about}: {key}"), format!("{about}-{key}-{at}"));
    let body =
        json!({ "kind": "alarm", "title": title, "text": text.unwrap_or(over), "key": key, "about": about, "state": state, "at": at });
    let (loudness, tag) = if text.is_some() { (Loudness::High, "bell") } else { (Loudness::Low, "ok") };
    made(alert, id, &title, text.unwrap_or(over), loudness, tag, body)
}

fn made(alert: &Alert, id: String, title: &str, text: &str, loudness: Loudness, tag: &str, body: Value) -> Message {
    match alert.kind {
        AlertKind::Webhook => Message { id, content_type: "application/json", headers: Vec::new(), body: body.to_string() },
        AlertKind::Ntfy => {
            let headers = vec![("Title", header(title)), ("Priority", (loudness as u8).to_string()), ("Tags", format!("chess_pawn,{tag}"))];
            Message { id, content_type: "text/plain; charset=utf-8", headers, body: String::from(text) }
        }
    }
}

/// Headers hold ASCII; other letters are packed as mail does (RFC 2047), which ntfy unpacks.
fn header(text: &str) -> String {
    if text.bytes().all(|byte| (0x20..0x7F).contains(&byte)) {
        return String::from(text);
    }
    format!("=?UTF-8?B?{}?=", STANDARD.encode(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn alert(kind: AlertKind, russian: bool) -> Alert {
        Alert { url: String::from("http://x"), kind, grades: vec![Grade::Ruling], alarms: true, results: true, russian, secret_file: None }
    }

    fn event(body: Value) -> Event {
        let mut event = json!({ "seq": 7, "t": 70, "at": "2026-01-02T03:04:05Z", "board": "3" });
        event.as_object_mut().unwrap().extend(body.as_object().unwrap().clone());
        serde_json::from_value(event).unwrap()
    }

    fn finding(grade: &str) -> Event {
        event(json!({"type": "finding", "id": 1, "key": "flag-fall", "article": "6.9", "rules": "fide-2023", "by": "white", "grade": grade,
            "summary": {"en": "White's flag is down.", "ru": "Флажок белых упал."}, "facts": {}, "evidence": [1, 2]}))
    }

    #[test]
    fn a_finding_is_told_to_those_who_want_its_grade() {
        let webhook = of_event(&alert(AlertKind::Webhook, false), &finding("ruling")).unwrap();
        let body: Value = serde_json::from_str(&webhook.body).unwrap();
        assert_eq!(
            (&body["kind"], &body["event"]["id"], &body["text"]),
            (&json!("finding"), &json!(1), &json!("White's flag is down. (article 6.9)"))
        );
        assert_eq!(of_event(&alert(AlertKind::Webhook, false), &finding("note")), None);
        let ntfy = of_event(&alert(AlertKind::Ntfy, true), &finding("ruling")).unwrap();
        assert_eq!(ntfy.body, "Флажок белых упал. (статья 6.9)");
        assert_eq!(ntfy.headers[0], ("Title", format!("=?UTF-8?B?{}?=", STANDARD.encode("Доска 3: flag-fall"))));
        assert_eq!(ntfy.headers[1], ("Priority", String::from("5")));
    }

    #[test]
    fn moves_are_nobodys_alert() {
        let made = event(json!({"type": "press", "by": "white"}));
        assert_eq!(of_event(&alert(AlertKind::Webhook, false), &made), None);
        let result = event(json!({"type": "result", "result": "1-0", "reason": "resigned", "source": "operator"}));
        assert_eq!(of_event(&alert(AlertKind::Ntfy, false), &result).unwrap().headers[0].1, "Board 3: 1-0");
    }
}

//! What an alert says: where, who and what, in words; and where the card is.
use crate::alarms::meaning;
use crate::players::is_placeholder;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use flagfall_config::alerts::{Alert, AlertKind};
use flagfall_events::{AlarmState, Body, Event, Finding, Grade, Wall};
use flagfall_laws::title;
use flagfall_web::going::{is_entered, named};
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

/// What an event does not say of its board.
#[derive(Debug, Default)]
pub(super) struct Place {
    /// White and Black.
    pub(super) players: [Option<String>; 2],
    /// Where arbiters find it.
    pub(super) link: Option<String>,
}

/// "Board 7, Ivanova: illegal move".
pub(crate) fn headline(ru: bool, board: &str, players: &[Option<String>; 2], finding: &Finding) -> String {
    let key = title(finding.key);
    let key = if ru { key.ru } else { key.en };
    match named(&known(players), finding.by).filter(|_| finding.by.is_some()) {
        Some(name) => format!("{}, {name}: {key}", place(ru, board)),
        None => format!("{}: {key}", place(ru, board)),
    }
}

/// Those who have a name; "Board 7 White" is none.
fn known(players: &[Option<String>; 2]) -> [Option<String>; 2] {
    players.clone().map(|name| name.filter(|name| !is_placeholder(name)))
}

fn place(ru: bool, board: &str) -> String {
    if ru { format!("Доска {board}") } else { format!("Board {board}") }
}

/// What was found, with its article.
fn sentence(ru: bool, finding: &Finding) -> String {
    let (summary, article) = if ru { (&finding.summary.ru, "статья") } else { (&finding.summary.en, "article") };
    format!("{summary} ({article} {})", finding.article)
}

/// A ruling that nobody goes to rings again, for the `times`th time.
pub(super) fn of_ring(alert: &Alert, board: &str, place: &Place, finding: &Finding, times: u32) -> Message {
    let ru = alert.russian;
    let title = headline(ru, board, &place.players, finding);
    let nobody = if ru { "Никто ещё не идёт." } else { "Nobody is going yet." };
    let text = format!("{nobody} {}", sentence(ru, finding));
    let body = json!({ "kind": "ring", "title": title, "text": text, "link": place.link, "board": board, "finding": finding.id });
    let id = format!("{board}-{}-ring-{times}", finding.id);
    made(alert, Said { id, title, text, loudness: Loudness::Urgent, tag: "warning", link: place.link.clone(), body })
}

/// Somebody wants to know whether alerts arrive.
pub(super) fn of_test(alert: &Alert, at: Wall, link: Option<String>) -> Message {
    let (title, text) = if alert.russian {
        ("Проверка", "Так придёт вызов арбитра.")
    } else {
        ("Test", "This is how an alert for the arbiter arrives.")
    };
    let body = json!({ "kind": "test", "title": title, "text": text, "link": link });
    let (title, text) = (String::from(title), String::from(text));
    made(alert, Said { id: format!("test-{at}"), title, text, loudness: Loudness::High, tag: "bell", link, body })
}

/// The alert for an event; `None` where the target does not want it, and for what an arbiter entered himself.
pub(super) fn of_event(alert: &Alert, event: &Event, about: &Place) -> Option<Message> {
    let ru = alert.russian;
    let (kind, title, text, loudness, tag) = match &event.body {
        Body::Finding(finding) if alert.grades.contains(&finding.grade) && !is_entered(finding) => {
            let loudness = if finding.grade == Grade::Ruling { Loudness::Urgent } else { Loudness::High };
            ("finding", headline(ru, &event.board, &about.players, finding), sentence(ru, finding), loudness, "warning")
        }
        Body::Alarm { key, state, .. } if alert.alarms => {
            let over = *state == AlarmState::Cleared;
            let (what, todo) = alarm(ru, key.as_str());
            let title = format!("{}: {what}", place(ru, &event.board));
            let text = if over { String::from(alarm_over(ru)) } else { todo };
            ("alarm", title, text, if over { Loudness::Low } else { Loudness::High }, if over { "ok" } else { "bell" })
        }
        Body::Result { result, reason, .. } if alert.results => {
            let game = if ru { "партия" } else { "game" };
            let text = event.game.map_or_else(|| reason.clone(), |number| format!("{reason} ({game} {number})"));
            let players = named(&known(&about.players), None).map(|names| format!(", {names}")).unwrap_or_default();
            ("result", format!("{}{players}: {}", place(ru, &event.board), result.as_str()), text, Loudness::Low, "checkered_flag")
        }
        _ => return None,
    };
    let id = format!("{}-{}-{}", event.board, event.at, event.seq);
    let event = serde_json::to_value(event).ok()?;
    let body = json!({ "kind": kind, "title": title, "text": text, "link": about.link, "event": event });
    Some(made(alert, Said { id, title, text, loudness, tag, link: about.link.clone(), body }))
}

/// The alert for an alarm that is about no board's game.
pub(super) fn of_alarm(alert: &Alert, key: &str, about: &str, text: Option<&str>, at: Wall) -> Message {
    let state = if text.is_some() { "raised" } else { "cleared" };
    let over = alarm_over(alert.russian);
    let (title, id) = (format!("{about}: {}", alarm(alert.russian, key).0), format!("{about}-{key}-{at}"));
    let body =
        json!({ "kind": "alarm", "title": title, "text": text.unwrap_or(over), "key": key, "about": about, "state": state, "at": at });
    let (loudness, tag) = if text.is_some() { (Loudness::High, "bell") } else { (Loudness::Low, "ok") };
    made(alert, Said { id, title, text: String::from(text.unwrap_or(over)), loudness, tag, link: None, body })
}

/// What an alarm means and what to do; one that this version has no words for is called by its key.
fn alarm(ru: bool, key: &str) -> (String, String) {
    let Some(meaning) = meaning(key) else {
        return (String::from(key), String::from(if ru { "тревога" } else { "the alarm stands" }));
    };
    let (text, todo) = if ru { (meaning.text.ru, meaning.todo.ru) } else { (meaning.text.en, meaning.todo.en) };
    (String::from(text), String::from(todo))
}

const fn alarm_over(ru: bool) -> &'static str {
    if ru { "тревога снята" } else { "the alarm is over" }
}

/// The parts of a message.
struct Said {
    id: String,
    title: String,
    text: String,
    loudness: Loudness,
    tag: &'static str,
    link: Option<String>,
    /// For programs.
    body: Value,
}

fn made(alert: &Alert, said: Said) -> Message {
    let Said { id, title, text, loudness, tag, link, body } = said;
    match alert.kind {
        AlertKind::Webhook => Message { id, content_type: "application/json", headers: Vec::new(), body: body.to_string() },
        AlertKind::Ntfy => {
            let mut headers =
                vec![("Title", header(&title)), ("Priority", (loudness as u8).to_string()), ("Tags", format!("chess_pawn,{tag}"))];
            // A tap on it opens the card.
            headers.extend(link.map(|link| ("Click", link)));
            Message { id, content_type: "text/plain; charset=utf-8", headers, body: text }
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

    fn ivanova() -> Place {
        let players = [Some(String::from("Ivanova, Olga")), Some(String::from("Petrov, Boris"))];
        Place { players, link: Some(String::from("https://h/arbiter#/board/3/finding/1")) }
    }

    fn alert(kind: AlertKind, russian: bool) -> Alert {
        Alert {
            url: Some(String::from("http://x")),
            kind,
            grades: vec![Grade::Ruling],
            alarms: true,
            results: true,
            russian,
            secret_file: None,
        }
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
    fn what_the_arbiter_entered_himself_is_not_told() {
        let mut reported = finding("ruling");
        if let Body::Finding(finding) = &mut reported.body {
            finding.facts.insert(String::from("reported"), json!(true));
        }
        assert_eq!(of_event(&alert(AlertKind::Ntfy, false), &reported, &ivanova()), None);
    }

    #[test]
    fn an_alarm_has_words_and_says_what_to_do() {
        let low = event(json!({"type": "alarm", "key": "battery-low", "state": "raised"}));
        let told = of_event(&alert(AlertKind::Ntfy, false), &low, &Place::default()).unwrap();
        assert_eq!(told.headers[0].1, "Board 3: The battery is low");
        assert!(told.body.contains("Change the battery"), "{}", told.body);
    }

    #[test]
    fn a_ring_says_that_nobody_goes_and_every_one_is_news() {
        let Body::Finding(found) = finding("ruling").body else { unreachable!() };
        let [second, third] = [2, 3].map(|times| of_ring(&alert(AlertKind::Ntfy, false), "3", &ivanova(), &found, times));
        assert_eq!(second.headers[0].1, "Board 3, Ivanova: flag fall");
        assert_eq!(second.body, "Nobody is going yet. White's flag is down. (article 6.9)");
        assert_ne!(second.id, third.id);
    }

    #[test]
    fn a_finding_is_told_to_those_who_want_its_grade() {
        let webhook = of_event(&alert(AlertKind::Webhook, false), &finding("ruling"), &ivanova()).unwrap();
        let body: Value = serde_json::from_str(&webhook.body).unwrap();
        assert_eq!(
            (&body["kind"], &body["event"]["id"], &body["title"], &body["text"]),
            (&json!("finding"), &json!(1), &json!("Board 3, Ivanova: flag fall"), &json!("White's flag is down. (article 6.9)"))
        );
        let nobody = Place { players: ["White", "Black"].map(|side| Some(format!("Board 3 {side}"))), link: None };
        let title = of_event(&alert(AlertKind::Ntfy, false), &finding("ruling"), &nobody).unwrap().headers[0].1.clone();
        assert_eq!(title, "Board 3: flag fall", "a placeholder is no name");
        assert_eq!(of_event(&alert(AlertKind::Webhook, false), &finding("note"), &ivanova()), None);
        let ntfy = of_event(&alert(AlertKind::Ntfy, true), &finding("ruling"), &ivanova()).unwrap();
        assert_eq!(ntfy.body, "Флажок белых упал. (статья 6.9)");
        assert_eq!(ntfy.headers[0], ("Title", format!("=?UTF-8?B?{}?=", STANDARD.encode("Доска 3, Ivanova: падение флажка"))));
        assert_eq!(ntfy.headers[1], ("Priority", String::from("5")));
        assert_eq!(ntfy.headers[3], ("Click", String::from("https://h/arbiter#/board/3/finding/1")));
    }

    #[test]
    fn moves_are_nobodys_alert() {
        let made = event(json!({"type": "press", "by": "white"}));
        assert_eq!(of_event(&alert(AlertKind::Webhook, false), &made, &ivanova()), None);
        let result = event(json!({"type": "result", "result": "1-0", "reason": "resigned", "source": "operator"}));
        assert_eq!(
            of_event(&alert(AlertKind::Ntfy, false), &result, &ivanova()).unwrap().headers[0].1,
            header("Board 3, Ivanova – Petrov: 1-0")
        );
    }
}

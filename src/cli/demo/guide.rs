//! What the demo says to somebody who sees it for the first time: what runs, where to look, what to try; and where the finding is that it shows.
use super::args::Args;
use crate::cli::output;
use crate::cli::remote::Remote;
use crate::cli::watch::Lang;
use crate::daemon::Addresses;
use flagfall_events::Key;
use flagfall_laws::title;
use serde_json::Value;
use std::future::{self, Future};
use std::time::Duration;
use tokio::sync::mpsc::{self, UnboundedReceiver};

/// The board that begins with an illegal move.
const BOARD: &str = "1";
/// A stream that ends is asked for again after so long.
const AGAIN: Duration = Duration::from_secs(1);

/// What runs; before anything does.
pub(super) fn opening(args: &Args) -> String {
    match args.lang {
        Lang::En => {
            let boards = if args.boards == 1 { String::from("one board") } else { format!("{} boards", args.boards) };
            let through = if args.hall { "a broker, daemons and a hall" } else { "the whole daemon" };
            format!(
                "flagfall demo: {boards} with clock and players, all of it simulated, read by {through}. It needs no hardware, and nothing leaves this machine. Ctrl-C ends it."
            )
        }
        Lang::Ru => {
            let through =
                if args.hall { "брокер, программы досок и зал" } else { "программа целиком" };
            format!(
                "flagfall demo: доски с часами и игроками, числом {}, всё смоделировано; их читает {through}. Оборудование не нужно, с этой машины ничего не уходит. Конец: Ctrl-C.",
                args.boards
            )
        }
    }
}

/// Where to look and what to try; once it is known where all that is.
fn directions(args: &Args, addresses: &Addresses) -> String {
    let pick = |en: &'static str, ru: &'static str| args.lang.pick(en, ru);
    // The pages speak the browser's language unless they are told.
    let page = pick("/", "/?lang=ru");
    let mut lines = vec![String::new(), format!("  {}{}{page}", pick("spectators see       ", "зрители видят        "), addresses.page)];
    let by_link = |link: &String| {
        format!(
            "  {}{link}    {}",
            pick("be the arbiter       ", "войти как арбитр     "),
            pick("(one tap signs you in)", "(одно нажатие, и вы вошли)")
        )
    };
    lines.extend(addresses.arbiters.iter().map(by_link));
    lines.push(format!("  {}flagfall watch", pick("or in a terminal     ", "или в терминале      ")));
    lines.push(String::new());
    if args.shows_one() {
        lines.push(String::from(pick(
            "  Within twenty seconds White plays an illegal move on board 1. You will be told here where to rule on it.",
            "  В течение двадцати секунд на доске 1 белые сделают невозможный ход. Здесь появится, где вынести по нему решение.",
        )));
    }
    lines.push(String::from(pick(
        "  Then try as the arbiter: report what no sensor sees (two hands), correct a clock, enter a result.",
        "  Затем попробуйте как арбитр: отметьте то, чего не видит ни один датчик (ход двумя руками), исправьте часы, внесите результат.",
    )));
    lines.push(String::from(pick(
        "  docs/arbiter.md and docs/simulate.md say more; `--incidents off` is a demo in which nothing goes wrong.",
        "  Подробнее: docs/arbiter.md и docs/simulate.md; с `--incidents off` нарушений не будет.",
    )));
    lines.push(String::new());
    lines.join("\n")
}

/// Runs it; meanwhile whoever sits there is told what this is.
pub(super) async fn guided<T>(args: &Args, found_at: UnboundedReceiver<Addresses>, run: impl Future<Output = T>) -> T {
    let guiding = async {
        guide(args, found_at).await;
        future::pending().await
    };
    tokio::select! {
        done = run => done,
        never = guiding => never,
    }
}

/// Says it, and points at the illegal move when it is found. Ends then, or when there is nobody to ask.
async fn guide(args: &Args, mut found_at: UnboundedReceiver<Addresses>) {
    let Some(addresses) = found_at.recv().await else { return };
    output::complain(&directions(args, &addresses));
    let Some(socket) = addresses.socket.clone().filter(|_| args.shows_one()) else { return };
    let remote = Remote::at(socket);
    let (tell, mut told) = mpsc::unbounded_channel();
    loop {
        if let Ok(session) = remote.open().await {
            let listening = session.listen("arbiter/events", |kind, event| {
                // Nobody is left who is told once one was found.
                illegal_moves(kind, event).for_each(|finding| _ = tell.send(pointer(args.lang, &addresses, finding)));
                Ok(())
            });
            tokio::select! {
                // The demo may be ending; else it is asked again.
                _ = listening => {}
                Some(pointer) = told.recv() => return output::complain(&pointer),
            }
        }
        tokio::time::sleep(AGAIN).await;
    }
}

/// The board's illegal moves of which this event tells: new, or open when the stream begins.
fn illegal_moves<'a>(kind: &str, event: &'a Value) -> impl Iterator<Item = &'a Value> {
    let findings = match kind {
        "finding" => std::slice::from_ref(event),
        "snapshot" => event["findings"].as_array().map_or(&[][..], Vec::as_slice),
        _ => &[],
    };
    let here = event["board"] == BOARD;
    findings.iter().filter(move |finding| here && finding["key"] == Key::IllegalMove.as_str())
}

/// One line: what was found, and where its card is.
fn pointer(lang: Lang, addresses: &Addresses, finding: &Value) -> String {
    let page = format!("{}/arbiter#", addresses.page);
    // Who has been in already comes in by his session.
    let root = addresses.arbiters.as_ref().unwrap_or(&page);
    let (board, rule, or) = lang.pick(("board", "Rule on it:", "or"), ("доска", "Вынести решение:", "или"));
    let key = title(Key::IllegalMove);
    format!(
        "{board} {BOARD}: {}. {} {rule} {root}/board/{BOARD}/finding/{id}   {or}   flagfall rule {BOARD} {id} confirm",
        lang.pick(&key.en, &key.ru),
        finding["summary"][lang.pick("en", "ru")].as_str().unwrap_or_default(),
        id = finding["id"],
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_pointer_leads_to_the_card_with_the_key_and_without() {
        let finding =
            json!({"board": "1", "id": 1, "key": "illegal-move", "summary": {"en": "White played a1-a3.", "ru": "Белые сыграли a1-a3."}});
        let mut addresses =
            Addresses { page: String::from("http://h:1"), arbiters: Some(String::from("http://h:1/arbiter#key=K")), socket: None };
        assert!(pointer(Lang::En, &addresses, &finding).contains(" http://h:1/arbiter#key=K/board/1/finding/1 "));
        addresses.arbiters = None;
        let line = pointer(Lang::En, &addresses, &finding);
        assert!(line.contains("illegal move. White played a1-a3.") && line.contains(" http://h:1/arbiter#/board/1/finding/1 "), "{line}");
        assert_eq!(line.lines().count(), 1);
        let line = pointer(Lang::Ru, &addresses, &finding);
        assert!(line.contains("невозможный ход. Белые сыграли a1-a3. Вынести решение: http://h:1/arbiter#/board/1/finding/1 "), "{line}");
    }

    #[test]
    fn only_the_first_board_is_pointed_at() {
        let finding = |board: &str, key: &str| json!({"board": board, "id": 1, "key": key});
        let count = |kind: &str, event: &Value| illegal_moves(kind, event).count();
        assert_eq!(count("finding", &finding("1", "illegal-move")), 1);
        assert_eq!(count("finding", &finding("2", "illegal-move")) + count("finding", &finding("1", "two-hands")), 0);
        assert_eq!(count("snapshot", &json!({"board": "1", "findings": [finding("1", "illegal-move")]})), 1);
        assert_eq!(count("snapshot", &json!({"board": "1"})) + count("hall", &json!({"alarms": []})), 0);
    }
}

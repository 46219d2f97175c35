//! What boards say, in sentences for somebody who sits in front of a terminal. In pipes stand the words of the events.
use super::words::{Lang, key_title, run_word, shown, text};
use serde_json::Value;

/// What an alarm is about.
pub(super) fn alarm(key: &str, lang: Lang) -> &str {
    match key {
        "board-lost" => lang.pick("the board is not connected", "нет связи с доской"),
        "clock-lost" => lang.pick("no clock is seen", "часов не видно"),
        "clock-stale" => lang.pick("the clock's display does not step", "показания часов не меняются"),
        "battery-low" => lang.pick("the clock's battery is low", "батарея часов садится"),
        "unsure" => lang.pick("the record is unsure: what was played is not known", "запись неточна: что сыграно, неизвестно"),
        "record-broken" => lang.pick("the position that was set does not follow from the moves", "введённая позиция не следует из ходов"),
        "resignation-unwinnable" => {
            lang.pick("the winner cannot mate: check the result", "победитель не может дать мат: проверьте результат")
        }
        "result-missing" => lang.pick("a game has no result: enter it", "у партии нет результата: введите его"),
        "feed-failing" => lang.pick("a feed fails", "трансляция не идёт"),
        "pi-away" => lang.pick("a machine is not heard", "компьютер не на связи"),
        "broker-away" => lang.pick("one of the broker's servers is lost", "потерян один из серверов брокера"),
        "broker-lost" => lang.pick("the broker does not answer", "брокер не отвечает"),
        "journal-failing" => lang.pick("evidence cannot be written", "запись доказательств не ведётся"),
        "solver-contradiction" => lang.pick("two methods disagree about a mate", "два способа расходятся в вопросе о мате"),
        other => other,
    }
}

/// Why a player may claim a draw.
pub(super) fn claim(rule: &str, lang: Lang) -> &str {
    match rule {
        "threefold" => lang.pick("the position stood for the third time", "позиция в третий раз"),
        "fifty" => lang.pick("fifty moves without a capture or a pawn's move", "пятьдесят ходов без взятия и хода пешки"),
        other => other,
    }
}

/// How a game ended, or that it did not.
pub(super) fn result(event: &Value, lang: Lang) -> String {
    let (result, reason) = (text(event, "result"), text(event, "reason"));
    match (result, reason) {
        ("*", "reopened") => String::from(lang.pick("the game goes on: its result was taken back", "партия продолжается: результат снят")),
        ("*", "unread") => {
            String::from(lang.pick("the game is over, and nobody showed its result", "партия окончена, результат никто не показал"))
        }
        (result, "") => format!("{} {result}", lang.pick("result", "результат")),
        (result, reason) => format!("{} {result} ({reason})", lang.pick("result", "результат")),
    }
}

/// What somebody entered.
pub(super) fn ruling(event: &Value, lang: Lang) -> String {
    let finding = event["finding"].as_u64().map(|id| format!(" № {id}")).unwrap_or_default();
    let by = match event["by"].as_str() {
        Some("white") => lang.pick(" (White)", " (белые)"),
        Some("black") => lang.pick(" (Black)", " (чёрные)"),
        _ => "",
    };
    let clock = &event["clock"];
    let times = match (clock["white_ms"].as_i64(), clock["black_ms"].as_i64()) {
        (Some(white), Some(black)) => format!(": {} – {}, {}", shown(white), shown(black), run_word(text(clock, "run"), lang)),
        _ => String::new(),
    };
    let done = match (text(event, "do"), text(event, "decision")) {
        ("rule", "confirm") => format!("{}{finding}", lang.pick("confirmed", "утверждено")),
        ("rule", "dismiss") => format!("{}{finding}", lang.pick("dismissed", "отклонено")),
        ("rule", _) => format!("{}{finding}{times}", lang.pick("other times ruled on", "решено другое время:")),
        ("report", _) => format!("{} {}{by}", lang.pick("reported:", "сообщено:"), key_title(text(event, "key"), lang)),
        ("result", _) => format!("{} {}", lang.pick("entered the result", "введён результат"), text(event, "result")),
        ("set-clock", _) => format!("{}{times}", lang.pick("entered what the clock shows", "введены показания часов")),
        ("set-position", _) => String::from(lang.pick("entered the position", "введена позиция")),
        ("moves", _) => String::from(lang.pick("restored the record", "восстановлена запись партии")),
        ("new-game", _) => String::from(lang.pick("began a new game", "начата новая партия")),
        ("flag", _) => format!("{}{by}", lang.pick("saw a flag fall", "замечено падение флажка")),
        ("penalty", _) => format!("{} {}{by}{times}", lang.pick("penalty, Article", "наказание, статья"), text(event, "article")),
        ("undo", _) => String::from(lang.pick("took the last entry back", "последнее действие отменено")),
        (other, _) => format!("{other}{finding}{by}{times}"),
    };
    let who = event["who"].as_str().unwrap_or_else(|| lang.pick("Arbiter", "Арбитр"));
    let note = event["note"].as_str().map(|note| format!(" “{note}”")).unwrap_or_default();
    format!("{who}: {done}{note}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn an_entry_is_a_sentence() {
        let clock = json!({"white_ms": 2_530_000, "black_ms": 3_400_000, "run": "white"});
        for (event, wanted) in [
            (json!({"do": "rule", "finding": 3, "decision": "confirm", "who": "Olga"}), "Olga: confirmed № 3"),
            (
                json!({"do": "rule", "finding": 3, "decision": "amend", "clock": clock}),
                "Arbiter: other times ruled on № 3: 0:42:10 – 0:56:40, White runs",
            ),
            (json!({"do": "report", "key": "two-hands", "by": "white", "note": "both"}), "Arbiter: reported: two hands (White) “both”"),
            (json!({"do": "penalty", "article": "12.9.2", "by": "black"}), "Arbiter: penalty, Article 12.9.2 (Black)"),
        ] {
            assert_eq!(ruling(&event, Lang::En), wanted);
        }
        assert_eq!(ruling(&json!({"do": "rule", "finding": 3, "decision": "dismiss"}), Lang::Ru), "Арбитр: отклонено № 3");
    }

    #[test]
    fn a_game_without_a_result_says_why() {
        assert_eq!(result(&json!({"result": "1-0", "reason": "mate"}), Lang::En), "result 1-0 (mate)");
        assert!(result(&json!({"result": "*", "reason": "unread"}), Lang::En).contains("nobody showed"));
        assert!(result(&json!({"result": "*", "reason": "reopened"}), Lang::Ru).contains("продолжается"));
    }
}

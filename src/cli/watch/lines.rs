//! One line for each event that matters to an arbiter: all that `watch` prints where nobody sits in front of it, and the news of the table.
use super::sentences;
use super::words::{Lang, action, hour, key_title, number, run_word, shown, text};
use crate::cli::{ExitError, output};
use crate::paint::Paint;
use serde_json::Value;
use std::collections::BTreeSet;
use std::io::Write as _;
use std::sync::{Mutex, PoisonError};

/// What is said, and how.
pub(super) struct Lines {
    pub(super) lang: Lang,
    all: bool,
    board: Option<String>,
    people: bool,
    /// The alarms about no board that stand, as they were said.
    troubles: Mutex<BTreeSet<String>>,
}

impl Lines {
    /// `people`: somebody reads them, and no program.
    pub(super) fn new(lang: Lang, all: bool, board: Option<String>, people: bool) -> Self {
        Self { lang, all, board, people, troubles: Mutex::default() }
    }

    /// Whether it is about what is watched.
    pub(super) fn wants(&self, event: &Value) -> bool {
        self.board.as_deref().is_none_or(|wanted| wanted == text(event, "board"))
    }

    /// What is printed of an event: nothing, or a line or more.
    pub(super) fn told(&self, kind: &str, event: &Value) -> Vec<String> {
        let name = text(event, "board");
        let said = self.lines(kind, event).into_iter();
        said.map(|line| format!("{} {:>4}  {line}", hour(event), if name.is_empty() { "–" } else { name })).collect()
    }

    pub(super) fn print(&self, kind: &str, event: &Value) -> Result<(), ExitError> {
        if !self.wants(event) {
            return Ok(());
        }
        let mut out = output::stdout();
        let paint = Paint::of_stdout();
        for line in self.told(kind, event) {
            writeln!(out, "{}", painted(paint, line))?;
        }
        out.flush()?;
        Ok(())
    }

    fn lines(&self, kind: &str, event: &Value) -> Vec<String> {
        match kind {
            "snapshot" => self.snapshot(event),
            "hall" => self.hall(event),
            "finding" if self.all || event["grade"] != "note" => vec![self.finding(event)],
            "finding-update" if event["status"] != "revised" => {
                vec![format!("  № {} {}", event["id"], self.status(event["status"].as_str().unwrap_or_default()))]
            }
            "ruling" if self.people => vec![format!("  {}", sentences::ruling(event, self.lang))],
            "ruling" => vec![self.ruling(event)],
            "result" if self.people => vec![format!("= {}{}", sentences::result(event, self.lang), self.of_game(event, ", "))],
            "result" => vec![format!("= {} ({}{})", text(event, "result"), text(event, "reason"), self.of_game(event, ", "))],
            "receipt" => vec![format!("  {}: {}", self.lang.pick("receipt", "квитанция"), text(event, "words"))],
            "game-start" => vec![format!("> {}{}", self.lang.pick("a game begins", "партия началась"), self.of_game(event, ": "))],
            "draw-claim" => {
                let by = self.by(event).unwrap_or_default();
                vec![format!(
                    "= {by} {} ({})",
                    self.lang.pick("may claim a draw", "могут требовать ничью"),
                    self.named(text(event, "rule"), sentences::claim)
                )]
            }
            "alarm" => {
                let over = if event["state"] == "cleared" { self.lang.pick(" is over", ": прошло") } else { "" };
                vec![format!("* {}{over}", self.named(text(event, "key"), sentences::alarm))]
            }
            "link" => {
                let down = event["state"] == "down";
                vec![String::from(if down {
                    self.lang.pick("* board lost", "* нет связи с доской")
                } else {
                    self.lang.pick("* board answers", "* доска на связи")
                })]
            }
            "move-completed" if self.all => {
                let legal = if event["legal"] == false { self.lang.pick(" illegal", " невозможный") } else { "" };
                let name = event["san"].as_str().unwrap_or_else(|| event["uci"].as_str().unwrap_or_default());
                vec![format!("  {} {name}{legal}", number(event["ply"].as_u64().unwrap_or(1)))]
            }
            _ => Vec::new(),
        }
    }

    /// A word of the events, for people in their words.
    fn named<'a>(&self, word: &'a str, of: impl Fn(&'a str, Lang) -> &'a str) -> &'a str {
        if self.people { of(word, self.lang) } else { word }
    }

    /// Which game of the board it is about, after `before`; a result may be an earlier one's.
    fn of_game(&self, event: &Value, before: &str) -> String {
        event["game"].as_u64().map(|number| format!("{before}{} {number}", self.lang.pick("game", "партия"))).unwrap_or_default()
    }

    /// What a board has to say when the watch begins: one line, and its open findings.
    fn snapshot(&self, board: &Value) -> Vec<String> {
        let last = board["last"]["san"].as_str().or_else(|| board["last"]["uci"].as_str()).unwrap_or("–");
        let clock = &board["clock"];
        let time = |side: &str| clock[side].as_i64().map_or_else(|| String::from("–"), shown);
        let result = &board["game"]["result"];
        let state = if board["link"] == "down" {
            self.lang.pick("no board", "нет доски")
        } else if result.as_str().is_some_and(|r| r != "*") {
            result.as_str().unwrap_or_default()
        } else if board["game"]["reason"].is_string() {
            self.lang.pick("over, no result", "окончена, результата нет")
        } else if board["game"]["rules"].is_null() {
            self.lang.pick("no game", "партии нет")
        } else {
            self.lang.pick("plays", "играет")
        };
        let mut lines = vec![format!("  {state}, {last}, {} – {}", time("white_ms"), time("black_ms"))];
        let open = board["findings"].as_array().into_iter().flatten().filter(|f| f["status"] == "open" && f["grade"] != "note");
        lines.extend(open.map(|finding| self.finding(finding)));
        lines
    }

    /// The hall's alarms that are new or over; the event has all that stand.
    fn hall(&self, event: &Value) -> Vec<String> {
        let alarms = event["alarms"].as_array().into_iter().flatten();
        let now: BTreeSet<String> = alarms
            .map(|alarm| {
                format!("* {} {}: {}", self.named(text(alarm, "key"), sentences::alarm), text(alarm, "about"), text(alarm, "text"))
            })
            .collect();
        let mut stand = self.troubles.lock().unwrap_or_else(PoisonError::into_inner);
        let over = stand.difference(&now).map(|line| format!("{line}{}", self.lang.pick(": is over", ": прошло")));
        let lines = now.difference(&stand).cloned().chain(over).collect();
        *stand = now;
        lines
    }

    fn finding(&self, finding: &Value) -> String {
        let sign = match finding["grade"].as_str() {
            Some("ruling") => "!",
            Some("attention") => "?",
            _ => " ",
        };
        let proposal = &finding["proposal"];
        let mut line = format!(
            "{sign} № {} {} ({} {}). {}",
            finding["id"],
            key_title(text(finding, "key"), self.lang),
            text(finding, "rules"),
            text(finding, "article"),
            finding["summary"][self.lang.pick("en", "ru")].as_str().unwrap_or_default(),
        );
        let mut what = vec![String::from(action(text(proposal, "action"), self.lang))];
        if let Some(offence) = proposal["offence"].as_u64() {
            what.push(format!("{} {offence}", self.lang.pick("offence", "нарушение")));
        }
        if let (Some(white), Some(black)) = (proposal["clock"]["white_ms"].as_i64(), proposal["clock"]["black_ms"].as_i64()) {
            what.push(format!("{} – {}, {}", shown(white), shown(black), run_word(text(&proposal["clock"], "run"), self.lang)));
        }
        if let Some(result) = proposal["result"].as_str() {
            what.push(String::from(result));
        }
        what.retain(|part| !part.is_empty());
        if !what.is_empty() {
            line = format!("{line} → {}", what.join("; "));
        }
        line
    }

    fn ruling(&self, ruling: &Value) -> String {
        let mut parts = vec![String::from(text(ruling, "do"))];
        if ruling["finding"].is_u64() {
            parts.push(format!("№ {}", ruling["finding"]));
        }
        parts.extend(["decision", "key", "article", "result", "fen"].iter().filter_map(|key| ruling[*key].as_str().map(String::from)));
        parts.extend(self.by(ruling));
        if let (Some(white), Some(black)) = (ruling["clock"]["white_ms"].as_i64(), ruling["clock"]["black_ms"].as_i64()) {
            parts.push(format!("{} – {}", shown(white), shown(black)));
        }
        let who = ruling["who"].as_str().map(|who| format!("{who}: ")).unwrap_or_default();
        let note = ruling["note"].as_str().map(|note| format!(" “{note}”")).unwrap_or_default();
        format!("  {who}{}{note}", parts.join(" "))
    }

    fn by(&self, event: &Value) -> Option<String> {
        Some(String::from(match event["by"].as_str()? {
            "white" => self.lang.pick("White", "Белые"),
            _ => self.lang.pick("Black", "Чёрные"),
        }))
    }

    fn status<'a>(&self, status: &'a str) -> &'a str {
        match (self.lang, status) {
            (Lang::En, other) => other,
            (_, "withdrawn") => "снято",
            (_, "confirmed") => "утверждено",
            (_, "dismissed") => "отклонено",
            (_, "amended") => "решено другое время",
            (_, other) => other,
        }
    }
}

/// A line in the colour of its sign, where there are colours.
fn painted(paint: Paint, line: String) -> String {
    let said = line.split_once("  ").map_or("", |(_, said)| said.trim_start());
    match said.chars().next() {
        Some('!') => paint.bad(&line),
        Some('?' | '*') => paint.warn(&line),
        Some('=' | '>') => paint.bold(&line),
        _ => line,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn lines(lang: Lang, kind: &str, event: &Value) -> Vec<String> {
        Lines::new(lang, false, None, false).lines(kind, event)
    }

    #[test]
    fn a_finding_is_one_line_with_all_that_is_to_be_done() {
        let finding = json!({
            "id": 3, "key": "illegal-move", "article": "7.5.1", "rules": "fide-2018", "by": "white", "grade": "ruling",
            "summary": {"en": "White played a1-a3.", "ru": "Белые сыграли a1-a3."},
            "proposal": {"action": "restore-position", "clock": {"white_ms": 2_530_000, "black_ms": 3_400_000, "run": "white"}, "offence": 1},
        });
        assert_eq!(
            lines(Lang::En, "finding", &finding),
            ["! № 3 illegal move (fide-2018 7.5.1). White played a1-a3. → restore the position; offence 1; 0:42:10 – 0:56:40, White runs"]
        );
        assert!(lines(Lang::Ru, "finding", &finding)[0].contains("восстановить позицию; нарушение 1"));
    }

    #[test]
    fn an_alarm_of_the_hall_is_said_when_it_begins_and_when_it_is_over() {
        let watch = Lines::new(Lang::En, false, None, false);
        let failing = json!({"alarms": [{"key": "feed-failing", "about": "server", "text": "refused"}]});
        assert_eq!(watch.lines("hall", &failing), ["* feed-failing server: refused"]);
        assert!(watch.lines("hall", &failing).is_empty());
        assert_eq!(watch.lines("hall", &json!({"alarms": []})), ["* feed-failing server: refused: is over"]);
    }

    #[test]
    fn a_result_names_its_game_and_a_board_whose_game_is_over_does_not_play() {
        let late = json!({"result": "1-0", "reason": "entered", "game": 3});
        assert_eq!(lines(Lang::En, "result", &late), ["= 1-0 (entered, game 3)"]);
        assert_eq!(lines(Lang::Ru, "game-start", &json!({"game": 4})), ["> партия началась: партия 4"]);
        let state = |game: Value| lines(Lang::En, "snapshot", &json!({"link": "up", "game": game})).concat();
        for (game, wanted) in [
            (json!({"rules": "fide-2023", "result": "*", "reason": null}), "plays"),
            (json!({"rules": "fide-2023", "result": "*", "reason": "unread"}), "over, no result"),
            (json!({"rules": null, "result": "*", "reason": null}), "no game"),
        ] {
            let said = state(game);
            assert!(said.starts_with(&format!("  {wanted},")), "{said}");
        }
    }

    #[test]
    fn a_quiet_game_says_nothing() {
        for (kind, event) in [
            ("move-made", json!({"ply": 1})),
            ("move-completed", json!({"ply": 1, "san": "e4"})),
            ("clock", json!({})),
            ("placement", json!({})),
            ("press", json!({"by": "white"})),
            ("finding", json!({"grade": "note", "key": "late-press"})),
            ("finding-update", json!({"id": 1, "status": "revised"})),
        ] {
            assert_eq!(lines(Lang::En, kind, &event), Vec::<String>::new(), "{kind}");
        }
    }

    #[test]
    fn somebody_in_front_of_it_reads_sentences() {
        let people = |kind: &str, event: &Value| Lines::new(Lang::En, false, None, true).lines(kind, event);
        assert_eq!(people("ruling", &json!({"do": "rule", "finding": 3, "decision": "dismiss", "who": "Olga"})), ["  Olga: dismissed № 3"]);
        assert_eq!(people("alarm", &json!({"key": "clock-lost", "state": "raised"})), ["* no clock is seen"]);
        assert_eq!(people("result", &json!({"result": "1-0", "reason": "mate", "game": 2})), ["= result 1-0 (mate), game 2"]);
    }
}

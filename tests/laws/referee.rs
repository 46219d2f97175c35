//! What must hold in every stream of events, whatever a scenario asks: the contract of `docs/events.md`, and the grades of the clause table.
use super::story::Story;
use serde_json::{Value, json};
use std::collections::HashMap;

const RULING: &[&str] =
    &["illegal-move", "press-without-move", "unpromoted-pawn", "flag-fall", "both-flags", "wrong-initial-position", "colours-reversed"];
const ATTENTION: &[&str] = &[
    "displaced-pieces",
    "press-before-move",
    "two-moves-in-a-row",
    "clock-defect",
    "clock-stopped",
    "clock-side",
    "wrong-side-started",
    "late-start",
    "default-time",
    "board-turned",
    "wrong-hand",
    "five-moves",
];
const NOTE: &[&str] = &["unpressed-move", "late-press", "adjusted-out-of-turn", "moved-before-clock", "clock-restarted", "lever-check"];
const ACTIONS: &[&str] =
    &["restore-position", "replace-with-queen", "set-clock", "declare-loss", "declare-draw", "warn", "cancel-game", "continue", "none"];
const OVER: &[&str] = &["withdrawn", "confirmed", "dismissed", "amended"];

fn grades_of(key: &str) -> &'static [&'static str] {
    match key {
        _ if RULING.contains(&key) => &["ruling"],
        _ if ATTENTION.contains(&key) => &["attention"],
        _ if NOTE.contains(&key) => &["note"],
        "two-hands" => &["ruling", "note"],
        "clock-setting" => &["attention", "note"],
        _ => &[],
    }
}

fn clock_is_whole(clock: &Value) -> bool {
    let whole = |side: &str| clock[side].as_i64().is_some_and(|ms| ms >= 0 && ms % 1000 == 0);
    whole("white_ms") && whole("black_ms")
}

fn proposal_is_sound(proposal: &Value) -> Result<(), String> {
    let action = proposal["action"].as_str().unwrap_or_default();
    let whole = |clock: &Value| clock.is_null() || clock_is_whole(clock);
    let runs = |clock: &Value| clock.is_null() || ["white", "black", "stopped"].contains(&clock["run"].as_str().unwrap_or_default());
    let alternatives = proposal["alternatives"].as_array();
    let labelled = |a: &Value| a["label"].as_str().is_some_and(|label| !label.is_empty());
    match () {
        () if !ACTIONS.contains(&action) => Err(format!("no action {action:?}")),
        () if !whole(&proposal["clock"]) || !runs(&proposal["clock"]) => Err(format!("odd clock in {proposal}")),
        () if alternatives.is_some_and(|all| !all.iter().all(|a| labelled(a) && whole(&a["clock"]))) => {
            Err(format!("odd alternatives in {proposal}"))
        }
        () => Ok(()),
    }
}

fn finding_is_sound(event: &Value, edition: &str) -> Result<(), String> {
    let text = |name: &str| event[name].as_str().unwrap_or_default();
    let (key, grade) = (text("key"), text("grade"));
    let russian = event["summary"]["ru"].as_str().is_some_and(|ru| ru.chars().any(|c| ('а'..='я').contains(&c)));
    let english = event["summary"]["en"].as_str().is_some_and(|en| en.chars().any(|c| c.is_ascii_lowercase()));
    let evidence = [&event["evidence"][0], &event["evidence"][1]].map(|seq| seq.as_u64().unwrap_or(0));
    let seq = event["seq"].as_u64().unwrap();
    match () {
        () if !grades_of(key).contains(&grade) => Err(format!("{key} of grade {grade}")),
        () if text("rules") != edition => Err(format!("the edition is {}", text("rules"))),
        () if text("article").is_empty() => Err(String::from("no article")),
        () if !russian || !english => Err(String::from("not in both languages")),
        () if !event["facts"].is_object() => Err(String::from("no facts")),
        () if evidence[0] == 0 || evidence[0] > evidence[1] || evidence[1] > seq => Err(String::from("odd evidence")),
        () => match event.get("proposal") {
            Some(proposal) => proposal_is_sound(proposal),
            None if grade == "ruling" => Err(String::from("nothing is proposed")),
            None => Ok(()),
        },
    }
}

/// What an open finding offers, and when it was said.
struct Offer {
    t: u64,
    content: Value,
    revised: Option<u64>,
}

impl Offer {
    fn content(event: &Value, before: &Value) -> Value {
        let field = |name: &str| event.get(name).unwrap_or_else(|| &before[name]).clone();
        json!({"proposal": field("proposal"), "facts": field("facts"), "summary": field("summary")})
    }

    /// The times that the clock shows, as it says.
    fn unchanged(&self) -> Option<[i64; 2]> {
        let listed = self.content["proposal"]["alternatives"].as_array()?;
        let clock = &listed.iter().find(|a| a["label"] == "unchanged")?["clock"];
        Some([clock["white_ms"].as_i64()?, clock["black_ms"].as_i64()?])
    }
}

/// No open proposal is older than the last press; none is revised for a clock that merely runs on, nor more than once a second, nor without news.
#[derive(Default)]
struct Times {
    open: HashMap<u64, Offer>,
    /// The last press, and both displays then.
    press: Option<(u64, Option<[i64; 2]>)>,
    running: Option<Value>,
    /// When something happened that a proposal may rest on.
    news: u64,
}

impl Times {
    fn take(&mut self, event: &Value) -> Result<(), String> {
        let (t, kind) = (event["t"].as_u64().unwrap(), event["type"].as_str().unwrap());
        if let Some((at, Some(shown))) = self.press.filter(|(at, _)| t > at + 1000) {
            for (id, offer) in self.open.iter().filter(|(_, offer)| offer.t < at) {
                let Some(offered) = offer.unchanged() else { continue };
                if (0..2).any(|side| (offered[side] - shown[side]).abs() > 2000) {
                    return Err(format!("finding {id} offers {offered:?} of {}, at the press of {at} the clock showed {shown:?}", offer.t));
                }
            }
        }
        let id = event["id"].as_u64().unwrap_or(0);
        match kind {
            "press" => (self.press, self.news) = (Some((t, None)), t),
            "clock" => {
                let pair = event["white_ms"].as_i64().zip(event["black_ms"].as_i64()).map(|(white, black)| [white, black]);
                if let Some((_, shown @ None)) = &mut self.press {
                    *shown = pair;
                }
                if event["running"].is_null() || self.running.as_ref() != Some(&event["running"]) {
                    self.news = t;
                }
                self.running = Some(event["running"].clone());
            }
            "finding" => {
                self.open.insert(id, Offer { t, content: Offer::content(event, &Value::Null), revised: None });
                self.news = t;
            }
            "finding-update" if event["status"] == "revised" => {
                let Some(offer) = self.open.get_mut(&id) else { return Ok(()) };
                let content = Offer::content(event, &offer.content);
                if content == offer.content {
                    return Err(String::from("revised without news"));
                }
                if offer.revised.is_some_and(|at| t < at + 1000) {
                    return Err(String::from("revised twice in a second"));
                }
                if t > self.news + 1000 {
                    return Err(String::from("revised for a clock that merely runs on"));
                }
                *offer = Offer { t, content, revised: Some(t) };
            }
            "finding-update" => _ = self.open.remove(&id),
            "move-made" | "move-completed" | "move-revised" | "move-withdrawn" | "ruling" | "placement" | "result" | "link" => {
                self.news = t
            }
            _ => {}
        }
        Ok(())
    }
}

/// A position that a ruling puts up is the one where the record stands.
#[derive(Default)]
struct Restored {
    start: String,
    plies: Vec<String>,
    /// When a finding was ruled on.
    ruled: Option<u64>,
}

impl Restored {
    fn take(&mut self, event: &Value) -> Result<(), String> {
        let text = |name: &str| event[name].as_str().unwrap_or_default();
        match text("type") {
            "game-start" => (self.start, self.plies) = (String::from(text("fen").split(' ').next().unwrap()), Vec::new()),
            "move-made" => self.plies.push(String::from(text("placement"))),
            "move-withdrawn" => _ = self.plies.pop(),
            // What the record shows then is not in the event.
            "move-revised" => self.plies.iter_mut().for_each(String::clear),
            "ruling" => self.ruled = (text("do") != "set-position").then(|| event["t"].as_u64().unwrap()),
            "placement" if self.ruled == event["t"].as_u64() && event["settled"] == true => {
                let stands = self.plies.last().unwrap_or(&self.start);
                if !self.plies.is_empty() && !stands.is_empty() && stands != text("placement") {
                    return Err(format!("the record stands at {stands}"));
                }
            }
            _ => {}
        }
        Ok(())
    }
}

/// Fails the scenario where the stream breaks the contract.
pub(super) fn judge(story: &Story, edition: &str) {
    let mut status: HashMap<u64, String> = HashMap::new();
    let mut plies = 0;
    let mut last_t = 0;
    let mut ruled = None;
    let (mut times, mut restored) = (Times::default(), Restored::default());
    for (i, event) in story.events.iter().enumerate() {
        let wrong = |why: &str| -> ! { story.fail(&format!("{why}: {event}")) };
        if event["seq"].as_u64() != Some(i as u64 + 1) {
            wrong("a gap in the numbers");
        }
        let t = event["t"].as_u64().unwrap();
        if t < last_t {
            wrong("time goes back");
        }
        last_t = t;
        if let Err(why) = times.take(event).and_then(|()| restored.take(event)) {
            wrong(&why);
        }
        match event["type"].as_str().unwrap() {
            "game-start" => plies = 0,
            "move-made" => {
                plies += 1;
                if event["ply"].as_u64() != Some(plies) {
                    wrong("the next ply has another number");
                }
            }
            "move-withdrawn" => {
                if event["ply"].as_u64() != Some(plies) {
                    wrong("not the last ply");
                }
                plies -= 1;
            }
            "move-revised" if event["ply"].as_u64() > Some(plies) => wrong("a ply that was not made"),
            "clock" if event["source"] == "device" && event["running"].is_null() && event.get("running").is_none() => wrong("no `running`"),
            "finding" => {
                if let Err(why) = finding_is_sound(event, edition) {
                    wrong(&why);
                }
                if status.insert(event["id"].as_u64().unwrap_or(0), String::from("open")).is_some() || event["id"].as_u64().is_none() {
                    wrong("its number is not its own");
                }
            }
            "ruling" => ruled = event["finding"].as_u64().map(|id| (t, id)),
            "finding-update" => {
                let now = event["status"].as_str().unwrap_or_default();
                let id = event["id"].as_u64().unwrap_or(0);
                let before = status.insert(id, String::from(now));
                match before.as_deref() {
                    None => wrong("no such finding"),
                    // Ruled anew.
                    Some(before) if before != "withdrawn" && now != "withdrawn" && OVER.contains(&now) && ruled == Some((t, id)) => {}
                    Some(before) if OVER.contains(&before) => wrong("it was over"),
                    _ if now != "revised" && !OVER.contains(&now) => wrong("no such status"),
                    _ => {}
                }
                if let Some(Err(why)) = event.get("proposal").map(proposal_is_sound) {
                    wrong(&why);
                }
            }
            _ => {}
        }
    }
}

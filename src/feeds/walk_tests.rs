//! Streams written by hand, and what every public outlet makes of them: a position that was set, and what is said of a game that is past.
use crate::outlets_tests::outlets;
use crate::said::{AFTER_D4, AFTER_E4, begins, ends, makes, stands, written};
use flagfall_events::Touches;
use serde_json::{Value, json};

const AFTER_E5: &str = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR";
/// White's queen is gone, and nobody took it.
const SET: &str = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNB1KBNR";
const SET_NF3: &str = "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNB1KB1R";

fn completes(game: u32, ply: u32, uci: &str, san: &str, how: &str) -> Value {
    let by = if ply % 2 == 1 { "white" } else { "black" };
    json!({"type": "move-completed", "game": game, "ply": ply, "by": by, "uci": uci, "san": san, "legal": true, "how": how})
}

fn plays(game: u32, ply: u32, uci: &str, san: &str, placement: &str) -> [Value; 3] {
    [makes(game, ply, uci, san, placement), stands(placement), completes(game, ply, uci, san, "press")]
}

fn set(game: u32, fen: &str) -> Value {
    json!({"type": "ruling", "do": "set-position", "game": game, "fen": fen, "who": "Olga"})
}

/// All from this one on happen at one moment.
fn at_once(events: &mut [Value], from: usize) {
    for event in &mut events[from..] {
        event["t"] = ((from as u64 + 1) * 100).into();
    }
}

/// 1. e4 e5.
fn opening(game: u32) -> Vec<Value> {
    let mut all = vec![json!({"type": "link", "state": "up"}), begins(game)];
    all.extend(plays(game, 1, "e2e4", "e4", AFTER_E4));
    all.extend(plays(game, 2, "e7e5", "e5", AFTER_E5));
    all
}

/// What an outlet says, by its name's end.
fn of<'a>(all: &'a [(String, String)], name: &str) -> &'a str {
    &all.iter().find(|(of, _)| of.ends_with(name)).unwrap_or_else(|| panic!("no {name}")).1
}

/// The moves of every outlet that has one line of them.
fn lines(all: &[(String, String)]) -> Vec<(String, String)> {
    let movetext = |pgn: &str| {
        let text = pgn.split_once("\n\n").unwrap().1;
        String::from(text.split_whitespace().filter(|word| !word.ends_with('.')).collect::<Vec<_>>().join(" ").trim())
    };
    let json = |text: &str| -> String {
        let game: Value = serde_json::from_str(text).unwrap();
        let moves = game["moves"].as_array().unwrap().iter().map(|m| m.as_str().unwrap().split(' ').next().unwrap());
        let result = match game["result"].as_str() {
            None => "*",
            Some("WHITEWIN") => "1-0",
            Some("BLACKWIN") => "0-1",
            Some(_) => "1/2-1/2",
        };
        let comment = game["comment"].as_str().map(|comment| format!("{{{comment}}}"));
        moves.map(String::from).chain(comment).chain([String::from(result)]).collect::<Vec<_>>().join(" ")
    };
    let plain = |text: String| {
        text.split(' ')
            .filter(|word| !word.starts_with("{[") && !word.starts_with("0:") && !word.ends_with("]}"))
            .collect::<Vec<_>>()
            .join(" ")
    };
    let mut lines: Vec<(String, String)> =
        ["pgn", "push to Lichess", "game-1.pgn", "games.pgn"].map(|name| (String::from(name), plain(movetext(of(all, name))))).into();
    lines.extend(["livechess game", "game-1.json"].map(|name| (String::from(name), json(of(all, name)))));
    lines
}

#[track_caller]
fn everywhere(events: &[Value], touches: Touches, wanted: &str) -> Vec<(String, String)> {
    let all = outlets(&written(events), touches);
    for (name, line) in lines(&all) {
        assert_eq!(line, wanted, "{name}, {touches:?}");
    }
    all
}

#[test]
fn a_position_that_no_play_leads_to_ends_every_line_without_a_word_and_the_events_go_on() {
    for touches in [Touches::Public, Touches::Arbiter] {
        let mut all = opening(1);
        let from = all.len();
        all.push(set(1, &format!("{SET} w KQkq - 0 3")));
        all.push(json!({"type": "alarm", "game": 1, "key": "record-broken", "state": "raised"}));
        all.push(stands(SET));
        at_once(&mut all, from);
        everywhere(&all, touches, "e4 e5 *");
        // Legal in the old line, too: it is not played there.
        all.extend(plays(1, 3, "g1f3", "Nf3", SET_NF3));
        let told = everywhere(&all, touches, "e4 e5 *");
        let board: Value = serde_json::from_str(of(&told, "board")).unwrap();
        assert_eq!((board["plies_completed"].as_u64(), board["placement"].as_str()), (Some(3), Some(SET_NF3)));
        assert_eq!(board["fen"], format!("{SET_NF3} b KQkq - 1 3"), "the position, from what was set on");
        let placements: Vec<_> = board["moves"].as_array().unwrap().iter().map(|m| m["placement"].as_str()).collect();
        assert_eq!(placements, [None, None, Some(SET_NF3)], "the position of the move that does not follow");
        all.push(ends(1, "1-0", "entered"));
        everywhere(&all, touches, "e4 e5 1-0");
    }
}

#[test]
fn plies_that_lead_to_a_position_that_was_set_belong_to_every_line() {
    const AFTER_NC6: &str = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R";
    const AFTER_NF3: &str = "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R";
    const AFTER_BB5: &str = "r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R";
    for touches in [Touches::Public, Touches::Arbiter] {
        let mut all = opening(1);
        let from = all.len();
        all.push(set(1, &format!("{AFTER_NC6} w KQkq - 2 3")));
        for (ply, uci, san, placement) in [(3, "g1f3", "Nf3", AFTER_NF3), (4, "b8c6", "Nc6", AFTER_NC6)] {
            all.extend([makes(1, ply, uci, san, placement), completes(1, ply, uci, san, "recovered")]);
        }
        all.push(stands(AFTER_NC6));
        at_once(&mut all, from);
        all.extend(plays(1, 5, "f1b5", "Bb5", AFTER_BB5));
        let told = everywhere(&all, touches, "e4 e5 Nf3 Nc6 Bb5 *");
        let board: Value = serde_json::from_str(of(&told, "board")).unwrap();
        assert!(board["moves"].as_array().unwrap().iter().all(|m| m.get("placement").is_none()), "{board}");
    }
}

#[test]
fn what_is_said_of_an_earlier_game_changes_nothing_of_the_one_in_progress() {
    for touches in [Touches::Public, Touches::Arbiter] {
        let mut all = opening(1);
        all.push(json!({"type": "finding", "game": 1, "id": 1, "key": "flag-fall", "article": "6.9", "rules": "fide-2023", "by": "white",
            "grade": "ruling", "summary": {"en": "", "ru": ""}, "facts": {}, "evidence": [1, 2]}));
        all.push(json!({"type": "result", "game": 1, "result": "*", "reason": "unread", "source": "setup"}));
        everywhere(&all, touches, "e4 e5 *");
        // Moves that were analysis until the clock ran: several at once.
        all.push(begins(2));
        let from = all.len();
        all.extend([makes(2, 1, "d2d4", "d4", AFTER_D4), completes(2, 1, "d2d4", "d4", "settled")]);
        at_once(&mut all, from);
        let before = everywhere(&all, touches, "d4 *");
        all.push(json!({"type": "ruling", "game": 1, "do": "rule", "finding": 1, "decision": "confirm"}));
        all.push(json!({"type": "finding-update", "game": 1, "id": 1, "status": "confirmed"}));
        all.push(json!({"type": "move-withdrawn", "game": 1, "ply": 2, "uci": "e7e5"}));
        all.push(json!({"type": "move-withdrawn", "game": 1, "ply": 1, "uci": "e2e4"}));
        let ruled = outlets(&written(&all), touches);
        assert_eq!(ruled, before, "{touches:?}");
        all.push(json!({"type": "result", "game": 1, "result": "0-1", "reason": "time", "source": "flag"}));
        everywhere(&all, touches, "d4 *");
    }
}

#[test]
fn times_that_an_arbiter_set_for_the_next_game_wait_for_his_ruling_as_ever() {
    let finding = json!({"type": "finding", "game": 2, "id": 1, "key": "wrong-initial-position", "article": "7.2.1", "rules": "fide-2023",
        "grade": "ruling", "summary": {"en": "", "ru": ""}, "facts": {}, "evidence": [1, 2]});
    let clock = json!({"type": "clock", "white_ms": 777_000, "black_ms": 777_000, "running": null, "flag": null, "source": "arbiter", "uncertainty_ms": 0});
    let mut all = opening(1);
    all.extend([ends(1, "1-0", "entered"), finding, clock, begins(2), makes(2, 1, "d2d4", "d4", AFTER_D4)]);
    let told = |all: &[Value]| outlets(&written(all), Touches::Public).iter().any(|(_, text)| text.contains("777000"));
    assert!(!told(&all));
    all.push(json!({"type": "finding-update", "game": 2, "id": 1, "status": "dismissed"}));
    assert!(told(&all));
}

#[test]
fn a_game_that_is_reopened_goes_on_in_its_own_place() {
    for touches in [Touches::Public, Touches::Arbiter] {
        let mut all = opening(1);
        all.push(ends(1, "1-0", "entered"));
        everywhere(&all, touches, "e4 e5 1-0");
        let from = all.len();
        all.push(json!({"type": "ruling", "game": 1, "do": "result", "result": "*"}));
        all.push(ends(1, "*", "reopened"));
        const AFTER_NF3: &str = "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R";
        all.extend([makes(1, 3, "g1f3", "Nf3", AFTER_NF3), completes(1, 3, "g1f3", "Nf3", "recovered")]);
        at_once(&mut all, from);
        let told = everywhere(&all, touches, "e4 e5 Nf3 *");
        assert_eq!(of(&told, "games.pgn").matches("[Event ").count(), 1, "one game");
        assert!(of(&told, "game-1.json").contains("\"live\":true"));
    }
}

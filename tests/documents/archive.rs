//! The archive: what is over, as a folder that any web server serves.
use flagfall::feeds::event_info::{Pairing, Round, Tournament};
use flagfall::feeds::players::Player;
use flagfall::feeds::tree::ARCHIVE;
use flagfall::feeds::tree::documents::Documents;
use flagfall::feeds::tree::writer::Writer;
use flagfall_events::GameResult;
use flagfall_score::kept::GameRecord;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::Arc;

fn record(board: &str, result: &str, moves: &[(&str, &str)]) -> Arc<GameRecord> {
    let moves: Vec<Value> = moves
        .iter()
        .enumerate()
        .map(|(i, (uci, san))| json!({"by": if i % 2 == 0 { "white" } else { "black" }, "san": san, "uci": uci, "clk": 5400 - i, "emt": 3}))
        .collect();
    let over = result != "*";
    let record = json!({"board": board, "game": 1, "chess960": false, "started_at": "2026-01-02T03:04:05Z", "result": result,
        "reason": over.then_some("resigned"), "time_control": "5400+30", "moves": moves});
    Arc::new(serde_json::from_value(record).unwrap())
}

fn pairing(number: u32, game: Option<Arc<GameRecord>>) -> Pairing {
    let result = game.as_ref().map_or(GameResult::Open, |game| game.result);
    Pairing {
        number,
        uuid: format!("u{number}"),
        label: number.to_string(),
        board: Some(number.to_string().into()),
        white: Player::named("Adams, Mary").unwrap(),
        black: Player::named("Baker, Jo").unwrap(),
        result,
        live: game.as_ref().is_some_and(|game| game.is_live()),
        game,
    }
}

fn event(pairings: Vec<Pairing>) -> Arc<Tournament> {
    Arc::new(Tournament {
        uuid: String::from("abc"),
        name: String::from("Open"),
        rounds: vec![Round { number: 1, date: Some(String::from("2026-01-02")), pairings }],
        current: 1,
        ..Tournament::default()
    })
}

/// What is in a folder and below it, by path.
fn all(folder: &Path, below: &str, found: &mut BTreeMap<String, Vec<u8>>) {
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let name = format!("{below}{}", entry.file_name().to_string_lossy());
        match entry.file_type().unwrap().is_dir() {
            true => all(&entry.path(), &format!("{name}/"), found),
            false => _ = found.insert(name, fs::read(entry.path()).unwrap()),
        }
    }
}

const OPEN: [(&str, &str); 3] = [("e2e4", "e4"), ("e7e5", "e5"), ("g1f3", "Nf3")];

#[test]
fn the_archive_has_what_is_over_and_is_not_written_with_every_move() {
    let folder = tempfile::tempdir().unwrap();
    let documents = Documents::new();
    let mut writer = Writer::new(folder.path(), ARCHIVE, "");
    let won = record("1", "1-0", &OPEN);
    documents.make(event(vec![pairing(1, Some(won.clone())), pairing(2, Some(record("2", "*", &OPEN[..2]))), pairing(3, None)]));
    writer.write(&documents.now()).unwrap();
    let mut files = BTreeMap::new();
    all(folder.path(), "", &mut files);
    let names: Vec<&str> = files.keys().map(String::as_str).filter(|name| !name.starts_with("page/")).collect();
    assert_eq!(names, ["event.json", "games/1-1.json", "games/1-1.pgn", "index.html", "round-1.json", "round-1.pgn"]);
    let game: Value = serde_json::from_slice(&files["games/1-1.json"]).unwrap();
    assert_eq!(game["moves"][2], json!(["g1f3", "Nf3", 5398, 3]));
    assert_eq!((&game["white"]["name"], &game["result"], &game["reason"]), (&json!("Adams, Mary"), &json!("1-0"), &json!("resigned")));
    let text = String::from_utf8_lossy(&files["round-1.pgn"]);
    assert!(text.matches("[Event ").count() == 1 && text.contains("2. Nf3"), "only what is over: {text}");
    let round: Value = serde_json::from_slice(&files["round-1.json"]).unwrap();
    let said: Vec<_> = round["pairings"].as_array().unwrap().iter().map(|p| (p["played"] == true, p["live"] == true)).collect();
    assert_eq!(said, [(true, false), (true, true), (false, false)]);
    // The page and all that it names are there, whatever path the folder is served below.
    let page = String::from_utf8_lossy(&files["index.html"]).into_owned();
    let named: Vec<&str> = page.split(['"']).filter_map(|part| part.strip_prefix("./")).collect();
    assert!(named.len() >= 3 && named.iter().all(|name| files.contains_key(*name)), "{named:?}");
    assert!(!page.contains("\"/"), "nothing is asked of the server's root: {page}");

    let before = documents.now();
    documents.make(event(vec![pairing(1, Some(won.clone())), pairing(2, Some(record("2", "*", &OPEN))), pairing(3, None)]));
    let after = documents.now();
    let changed = |prefix: &str| after.under(prefix).filter(|d| d.version > before.version).map(|d| d.path.clone()).collect::<Vec<_>>();
    assert_eq!(changed(ARCHIVE), Vec::<String>::new(), "a move is no news to the archive");
    assert!(!changed("pgn/").is_empty());

    documents.make(event(vec![pairing(1, Some(won)), pairing(2, Some(record("2", "1/2-1/2", &OPEN))), pairing(3, None)]));
    writer.write(&documents.now()).unwrap();
    files.clear();
    all(folder.path(), "", &mut files);
    assert!(files.contains_key("games/1-2.json"));
    let text = String::from_utf8_lossy(&files["round-1.pgn"]);
    assert_eq!(text.matches("[Result \"").count(), 2, "{text}");
}

//! Twelve games played with hands and clocks: the tree as other programs read it, and as LiveChess lays it out.
use super::hall::{Hall, shared};
use super::reading::{Read, games};
use crate::rig::Rig;
use flagfall::feeds::event_info::{Pairing, Round, Tournament};
use flagfall::feeds::pgn::broadcast::{self, Style};
use flagfall::feeds::players::Player;
use flagfall::feeds::tree::documents::Documents;
use flagfall::feeds::tree::writer::Writer;
use flagfall_events::{Body, Colour, GameResult};
use flagfall_score::kept::{GameRecord, Ply};
use flagfall_simulator::games::bundled;
use flagfall_simulator::pace::Kind;
use flagfall_simulator::stream::{ClockSide, Options};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;

const BOARDS: [&str; 12] = ["1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12"];

/// The hands of board `i`: some show the result with their kings, one has no clock.
fn options(i: usize) -> Options {
    let mut options = Options::new(if i.is_multiple_of(3) { Kind::Blitz } else { Kind::Clean }, 7 + i as u64);
    options.show_result = i % 4 == 1;
    if i == 5 {
        options.clock_white = ClockSide::None;
    }
    options
}

fn twelve() -> Hall {
    let mut hall = Hall::new(&BOARDS);
    let list: String = BOARDS.iter().map(|b| format!("{b},\"White{b}, Anna Maria\",Black{b}\n")).collect();
    hall.list(&format!("board,white,black\n{list}"));
    let games = bundled();
    for (i, board) in BOARDS.iter().enumerate() {
        hall.played(board, &games[i % games.len()], &options(i));
    }
    hall
}

/// Every game of the tree in a folder: alone, and in `games.pgn`.
fn read(folder: &Path) -> (Vec<Read>, Vec<Read>) {
    let text = |name: &str| fs::read_to_string(folder.join("round-1").join(name)).unwrap();
    let alone = (1..=BOARDS.len()).flat_map(|m| games(&text(&format!("game-{m}.pgn")))).collect();
    (alone, games(&text("games.pgn")))
}

fn written(hall: &Hall) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    Writer::new(folder.path(), "pgn/", "").write(&hall.documents.now()).unwrap();
    folder
}

/// What python-chess reads: for each game its tags, moves, clocks, result, errors.
const PYTHON: &str = r#"
import sys, json, chess, chess.pgn
out = []
for path in sys.argv[1:]:
    with open(path, encoding="utf-8") as file:
        while (game := chess.pgn.read_game(file)) is not None:
            nodes = list(game.mainline())
            out.append({
                "tags": dict(game.headers),
                "moves": [node.san() for node in nodes],
                "times": [[node.clock(), node.emt()] for node in nodes],
                "result": game.headers["Result"],
                "errors": [str(error) for error in game.errors],
            })
json.dump(out, sys.stdout)
"#;

/// `None`, with a word why, where python-chess is not installed (`tests/run` installs it).
fn python(paths: &[std::path::PathBuf]) -> Option<Vec<Value>> {
    let python = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/venv/bin/python");
    let missing = || Command::new(&python).args(["-c", "import chess.pgn"]).output().map_or(true, |o| !o.status.success());
    if !python.exists() || missing() {
        println!("skipped: python-chess is missing in target/venv; tests/run installs it");
        return None;
    }
    let output = Command::new(&python).args(["-c", PYTHON]).args(paths).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Some(serde_json::from_slice(&output.stdout).unwrap())
}

#[test]
fn twelve_games_are_read_by_others_with_equal_moves_clocks_and_results() {
    let hall = twelve();
    let folder = written(&hall);
    let (alone, together) = read(folder.path());
    assert_eq!((alone.len(), together.len()), (12, 12));
    let bundled = bundled();
    let mut clocks = 0;
    for (i, (alone, together)) in alone.iter().zip(&together).enumerate() {
        // Only the first game of the combined file names its writer.
        let without = |read: &Read| read.tags.iter().filter(|(name, _)| name != "ePGN").cloned().collect::<Vec<_>>();
        assert_eq!(without(alone), without(together));
        assert_eq!((together.tag("ePGN").is_some(), alone.tag("ePGN").is_some()), (i == 0, true));
        assert_eq!((&alone.moves, &alone.times, &alone.result), (&together.moves, &together.times, &together.result));
        let game = &bundled[i % bundled.len()];
        let truth: Vec<String> = {
            let mut position = game.start.clone();
            let san = |m: &shakmaty::Move| shakmaty::san::SanPlus::from_move_and_play_unchecked(&mut position, *m).to_string();
            game.moves.iter().map(san).collect()
        };
        assert_eq!(alone.moves, truth, "board {}", i + 1);
        assert_eq!(alone.result, game.result.as_str(), "board {}", i + 1);
        // The clocks are those that the board's own events have.
        let mut rig = Rig::of(game, &options(i));
        let _ = rig.run();
        let cloud = hall.cloud(&format!("round-1/game-{}.json", i + 1));
        for (n, [clk, emt]) in alone.times.iter().enumerate() {
            let wanted = [
                alone.moves[n].clone(),
                match (clk, emt) {
                    (Some(clk), Some(emt)) => format!(" {clk}+{emt}"),
                    (Some(clk), None) => format!(" {clk}"),
                    (None, Some(emt)) => format!(" +{emt}"),
                    (None, None) => String::new(),
                },
            ];
            assert_eq!(cloud["moves"][n], json!(wanted.concat()), "board {} ply {}", i + 1, n + 1);
            clocks += usize::from(clk.is_some());
        }
    }
    assert!(clocks > 400, "{clocks}");
    let paths: Vec<_> = (1..=12).map(|m| folder.path().join(format!("round-1/game-{m}.pgn"))).collect();
    let Some(theirs) = python(&paths) else { return };
    let all = python(&[folder.path().join("round-1/games.pgn")]).unwrap();
    for (ours, theirs) in alone.iter().chain(&together).zip(theirs.iter().chain(&all)) {
        assert_eq!(theirs["errors"], json!([]));
        assert_eq!((&theirs["moves"], &theirs["result"]), (&json!(ours.moves), &json!(ours.result)));
        let seconds = |time: &Value| time.as_f64().map(|s| s.round() as u32);
        let times: Vec<[Option<u32>; 2]> = theirs["times"].as_array().unwrap().iter().map(|t| [seconds(&t[0]), seconds(&t[1])]).collect();
        assert_eq!(times, ours.times);
        assert!(ours.tags.iter().all(|(name, value)| theirs["tags"][name] == json!(value)), "{ours:?} {theirs}");
    }
}

#[test]
fn clocks_in_documents_are_those_of_the_events() {
    let game = &bundled()[0];
    let mut rig = Rig::of(game, &options(1));
    let mut hall = Hall::new(&["1"]);
    let events: Vec<_> = rig.run().to_vec();
    for event in &events {
        hall.chronicle.take(event);
    }
    hall.settle();
    let read = games(&hall.tree("round-1/game-1.pgn")).remove(0);
    let said: Vec<[Option<u32>; 2]> = events
        .iter()
        .filter_map(|event| match &event.body {
            Body::MoveCompleted { by, clock, spent_ms, .. } => Some([
                clock.map(|c| u32::try_from(if *by == Colour::White { c.white_ms } else { c.black_ms }).unwrap() / 1000),
                spent_ms.map(|ms| u32::try_from((ms + 500) / 1000).unwrap()),
            ]),
            _ => None,
        })
        .collect();
    assert_eq!(read.times, said);
}

/// Names of objects' keys at every level, arrays by their first element.
fn keys(value: &Value, path: &str, found: &mut BTreeSet<String>) {
    match value {
        Value::Object(object) => {
            for (key, value) in object {
                found.insert(format!("{path}.{key}"));
                keys(value, &format!("{path}.{key}"), found);
            }
        }
        Value::Array(array) => array.iter().take(1).for_each(|value| keys(value, &format!("{path}[]"), found)),
        _ => {}
    }
}

#[test]
fn the_json_has_the_keys_of_genuine_documents() {
    let hall = twelve();
    let own = |path: &str| serde_json::from_str::<Value>(&hall.tree(path)).unwrap();
    let Some(samples) = shared("samples", "genuine documents") else { return };
    let sample = |path: &str| serde_json::from_slice::<Value>(&fs::read(samples.join(path)).unwrap()).unwrap();
    let maia = sample("lcc-cloud/maia-open-2023-r2-bundle.json");
    let pairs = [
        (own("tournament.json"), sample("livechess-pgn-export/tournament-2/tournament.json"), "export tournament"),
        (own("round-1/index.json"), sample("livechess-pgn-export/tournament-2/round-1/index.json"), "export index"),
        (hall.cloud("tournament.json"), maia["tournament"].clone(), "cloud tournament"),
        (hall.cloud("round-1/index.json"), sample("lcc-cloud/round-index-2026-03-11-trimmed.json"), "cloud index"),
        (hall.cloud("round-1/game-1.json"), maia["game"].clone(), "cloud game"),
    ];
    for (ours, theirs, what) in pairs {
        let (mut mine, mut genuine) = (BTreeSet::new(), BTreeSet::new());
        keys(&ours, "", &mut mine);
        keys(&theirs, "", &mut genuine);
        assert_eq!(mine, genuine, "{what}");
    }
    let files = |folder: &Path| -> BTreeSet<String> {
        fs::read_dir(folder).unwrap().map(|f| f.unwrap().file_name().into_string().unwrap()).collect()
    };
    let folder = written(&hall);
    assert_eq!(files(&folder.path().join("round-1")), files(&samples.join("livechess-pgn-export/tournament-2/round-1")));
}

fn seconds(time: &str) -> u32 {
    time.split(':').fold(0, |sum, part| sum * 60 + part.parse::<u32>().unwrap())
}

/// A genuine file as our model has it.
fn modelled(read: &Read, index: &Value) -> (Tournament, Round, Pairing) {
    let tag = |name: &str| read.tag(name).map(String::from);
    let player = |side: &str, key: &str| {
        let given = |name: &str| index[key][name].as_str().map(String::from);
        Player {
            fname: given("fname"),
            mname: given("mname"),
            lname: given("lname"),
            title: tag(&format!("{side}Title")).or_else(|| given("title")),
            federation: given("federation"),
            elo: tag(&format!("{side}Elo")).and_then(|e| e.parse().ok()),
            fideid: tag(&format!("{side}FideId")).and_then(|e| e.parse().ok()),
            gender: None,
            team: None,
        }
    };
    let (round, number) = read.tag("Round").unwrap().split_once('.').unwrap();
    let result = match read.result.as_str() {
        "1-0" => GameResult::WhiteWins,
        "0-1" => GameResult::BlackWins,
        "1/2-1/2" => GameResult::Draw,
        _ => GameResult::Open,
    };
    let ply = |(i, san): (usize, &String)| Ply {
        by: if i % 2 == 0 { Colour::White } else { Colour::Black },
        san: san.clone(),
        uci: String::new(),
        clk: read.times[i][0],
        emt: read.times[i][1],
        estimated: false,
        corrected: false,
        guessed: false,
    };
    let record = GameRecord {
        board: String::from("1"),
        game: None,
        start: None,
        chess960: false,
        started_at: None,
        first_move_at: None,
        time_control: tag("TimeControl"),
        moves: read.moves.iter().enumerate().map(ply).collect(),
        cut: None,
        result,
        reason: None,
        source: None,
        clock: None,
        receipt: None,
    };
    let pairing = Pairing {
        number: number.parse().unwrap(),
        uuid: String::new(),
        label: String::from(number),
        board: None,
        white: player("White", "white"),
        black: player("Black", "black"),
        result,
        live: false,
        game: Some(Arc::new(record)),
    };
    let event = Tournament { name: tag("Event").unwrap(), site: tag("Site").unwrap(), ..Tournament::default() };
    (event, Round { number: round.parse().unwrap(), date: None, pairings: Vec::new() }, pairing)
}

#[test]
fn genuine_files_are_written_again_byte_for_byte() {
    let Some(samples) = shared("samples/livechess-pgn-export", "genuine trees") else { return };
    let mut compared = 0;
    for tournament in ["tournament-1", "tournament-2"] {
        let folder = samples.join(tournament).join("round-1");
        let index: Value = serde_json::from_slice(&fs::read(folder.join("index.json")).unwrap()).unwrap();
        let (mut event, mut round) = (Tournament::default(), Round::default());
        for (m, pairing) in (1..).zip(index["pairings"].as_array().unwrap()) {
            let text = fs::read_to_string(folder.join(format!("game-{m}.pgn"))).unwrap();
            let (of, in_round, pairing) = modelled(&games(&text)[0], pairing);
            let ours = broadcast::game(&of, &in_round, &pairing, Style::LIVECHESS, true);
            let after_writer = |text: &str| text.split_once('\n').unwrap().1.to_owned();
            assert_eq!(after_writer(&ours), after_writer(&text), "{tournament} game {m}");
            assert!(ours.starts_with("[ePGN \"0.1;flagfall/"));
            (event, round.number) = (of, in_round.number);
            round.pairings.push(pairing);
            compared += 1;
        }
        let together = fs::read_to_string(folder.join("games.pgn")).unwrap();
        let ours = broadcast::round(&event, &round, Style::LIVECHESS);
        assert_eq!(ours.split_once('\n').unwrap().1, together.split_once('\n').unwrap().1, "{tournament} games.pgn");
        event.rounds = vec![round];
        event.current = 1;
        let documents = Documents::new();
        documents.make(Arc::new(event));
        let index_text = fs::read_to_string(folder.join("index.json")).unwrap();
        let ours = documents.now().under("pgn/").find(|d| d.path.ends_with("index.json")).unwrap().bytes.clone();
        assert_eq!(String::from_utf8_lossy(&ours).trim_end(), index_text.trim_end(), "{tournament} index.json");
    }
    assert_eq!(compared, 14);
}

#[test]
fn a_live_chess960_game_has_the_tags_of_a_genuine_one_in_their_order() {
    let Some(path) = shared("samples/livechess-pgn-export/stlouis-2018-960-live-livechess-2.2.3.pgn", "a genuine live game") else {
        return;
    };
    let theirs = games(&fs::read_to_string(path).unwrap()).remove(0);
    let (event, round, mut pairing) =
        modelled(&theirs, &json!({"white": {"fname": "A", "lname": "B"}, "black": {"fname": "C", "lname": "D"}}));
    let record = Arc::make_mut(pairing.game.as_mut().unwrap());
    record.start = theirs.tag("FEN").map(String::from);
    record.chess960 = true;
    let clock = json!({"white": seconds(theirs.tag("WhiteClock").unwrap()), "black": seconds(theirs.tag("BlackClock").unwrap()),
        "run": "black", "at": "2018-09-12T20:26:56.191Z"});
    record.clock = Some(serde_json::from_value(clock).unwrap());
    pairing.live = true;
    let ours = games(&broadcast::game(&event, &round, &pairing, Style::LIVECHESS, true)).remove(0);
    assert_eq!(ours.names(), theirs.names());
    for name in ["WhiteClock", "BlackClock", "FEN", "Variant", "WhiteTitle", "BlackElo"] {
        assert_eq!(ours.tag(name), theirs.tag(name), "{name}");
    }
    let form = |time: &str| {
        time.chars().map(|c| if c.is_ascii_digit() { '0' } else { c }).map(|c| if c == '-' { '+' } else { c }).collect::<String>()
    };
    assert_eq!(form(ours.tag("ReferenceTime").unwrap()), form(theirs.tag("ReferenceTime").unwrap()));
    assert_eq!((ours.moves, ours.times), (theirs.moves, theirs.times));
}

#[test]
fn a_push_has_no_emt_no_line_breaks_and_nothing_that_changes_by_itself() {
    let hall = twelve();
    let event = hall.event_now();
    let text = broadcast::round(&event, event.now_playing().unwrap(), Style::PUSH);
    assert_eq!(games(&text).len(), 12);
    assert!(!text.contains("%emt") && text.contains("%clk") && !text.contains("ReferenceTime"));
    for game in text.split("\n\n").filter(|part| part.starts_with("1.")) {
        assert_eq!(game.lines().count(), 1);
    }
}

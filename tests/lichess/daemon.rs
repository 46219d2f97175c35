//! The real daemon, two simulated boards, and a Lichess that has its moods: the round arrives whole, also after a restart.
use super::fake::{Does, Fake, split, tag};
use crate::started::{Started, said};
use flagfall_simulator::games::{self, PgnGame};
use flagfall_simulator::pace::Kind;
use flagfall_simulator::pty::{self, Programme};
use flagfall_simulator::stream::Options;
use serde_json::Value;
use std::fs;
use tokio::runtime::Runtime;
use tokio_util::sync::CancellationToken;

const GAMES: &str = "[White \"A\"]\n[Black \"B\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0\n\n\
                     [White \"C\"]\n[Black \"D\"]\n[Result \"0-1\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n";

/// The SAN moves of a game without numbers, comments and result.
fn moves(game: &str) -> Vec<String> {
    let text = game.split_once("\n\n").map_or("", |(_, moves)| moves);
    let mut plain = String::new();
    let mut depth = 0;
    for c in text.chars() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            c if depth == 0 => plain.push(c),
            _ => {}
        }
    }
    let is_move = |word: &&str| !word.ends_with('.') && !["*", "1-0", "0-1", "1/2-1/2"].contains(word);
    plain.split_whitespace().filter(is_move).map(String::from).collect()
}

#[test]
fn a_round_on_two_boards_arrives_whole_and_again_after_a_restart() {
    let fake = Fake::new([Does::Takes, Does::Says(502), Does::Takes, Does::TakesAllButTheSecond]);
    let folder = tempfile::tempdir().unwrap();
    let runtime = Runtime::new().unwrap();
    let token = CancellationToken::new();
    let games: Vec<PgnGame> = games::read_games(GAMES.as_bytes()).unwrap();
    let mut config = format!(
        "data_dir = \"{0}/data\"\n[livechess]\nenabled = false\n[discovery]\nserial = false\n\
         [lichess]\nround = \"xVEzYJHf\"\ntoken_file = \"{0}/token\"\nbase_url = \"{1}\"\n",
        folder.path().display(),
        fake.base()
    );
    fs::write(folder.path().join("token"), "lip_secret\n").unwrap();
    let mut boards = Vec::new();
    for (n, game) in (1_u64..).zip(games) {
        let link = folder.path().join(format!("board-{n}"));
        config += &format!("[[board]]\nname = \"{n}\"\nlink = \"serial:{}\"\n", link.display());
        // Slow enough for a machine that stands still for a moment: at a hundred times the pace a ply takes less than that.
        let options = Options { speed: 25.0, ..Options::new(Kind::Clean, n) };
        let play = Programme { games: vec![game], repeat: false, options, link: Some(link) };
        boards.push(runtime.block_on(async { pty::spawn(play, token.clone()) }).unwrap());
    }
    let file = folder.path().join("flagfall.toml");
    fs::write(&file, config).unwrap();

    let daemon = Started::at(folder.path());
    let over = |body: &str| split(body).iter().map(|game| tag(game, "Result")).eq([Some("1-0"), Some("0-1")].map(|s| s.map(String::from)));
    let seen = fake.wait("both results", |seen| seen.last().is_some_and(|s| over(&s.body)));
    let last = seen.last().unwrap().body.clone();
    let (one, two) = (split(&last)[0], split(&last)[1]);
    assert_eq!(moves(one), ["e4", "e5", "Qh5", "Nc6", "Bc4", "Nf6", "Qxf7#"], "{last}");
    assert_eq!(moves(two), ["f3", "e5", "g4", "Qh4#"], "{last}");
    assert!(one.contains("%clk") && !last.contains("%emt"), "{last}");
    for request in &seen {
        let rounds: Vec<_> = split(&request.body).iter().filter_map(|game| tag(game, "Round")).collect();
        assert_eq!(rounds, ["1.1", "1.2"], "{}", request.body);
        let grown = moves(split(&request.body)[0]).iter().zip(moves(one)).all(|(sent, right)| *sent == right);
        assert!(grown, "a move that was not played: {}", request.body);
    }

    // What the operator sees and does.
    let status = said(daemon.asked(&["lichess"]));
    assert!(status.starts_with("xVEzYJHf  "), "{status}");
    let before = fake.seen().len();
    assert!(daemon.asked(&["lichess", "reset", "xVEzYJHf"]).status.success());
    let seen = fake.wait("reset and push", |seen| seen.len() >= before + 2);
    assert_eq!((seen[before].what.as_str(), seen[before + 1].body.as_str()), ("reset", last.as_str()));
    assert_eq!(daemon.asked(&["lichess", "push", "nothere0"]).status.code(), Some(65));
    let hall = daemon.json("/api/v1/operator/lichess");
    assert_eq!(hall[0]["round"], "xVEzYJHf");
    let outlets = daemon.json("/api/v1/operator/outlets");
    let sent = outlets.as_array().unwrap().iter().find(|outlet| outlet["outlet"] == "lichess xVEzYJHf").unwrap();
    assert_eq!((&sent["sent"]["round"]["games"], &sent["answer"]["taken"]), (&Value::from(2), &Value::from(true)), "{sent}");
    assert!(sent["sent_at"].is_string() && sent["equal"].is_null(), "nothing can be read back here: {sent}");
    let games = sent["games"].as_array().unwrap().iter().map(|game| (&game["plies"], &game["result"], &game["equal"])).collect::<Vec<_>>();
    assert_eq!(games, [(&7.into(), &"1-0".into(), &true.into()), (&4.into(), &"0-1".into(), &true.into())], "{sent}");

    // Nothing is entered again after a restart.
    daemon.end();
    let before = fake.seen().len();
    let _daemon = Started::at(folder.path());
    let seen = fake.wait("the state after a restart", |seen| seen.len() > before);
    assert_eq!(seen[before].body, last, "the first push after a restart is the whole state");
    fake.check();
    token.cancel();
}

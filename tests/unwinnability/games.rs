//! Whole games: those lost on time whose right result is a draw, and one that ends by a dead position.
use super::rows;
use flagfall_capture::{Capture, CaptureLine, drive};
use flagfall_events::{Body, Event, GameResult, How, ResultSource, Wall};
use flagfall_game::board::{Board, Output};
use flagfall_game::questions::{Purpose, Question, Verdict};
use flagfall_laws::mating::{Answer, Proof, Why, Winner, line};
use flagfall_simulator::games::{PgnGame, read_games};
use flagfall_simulator::pace::Kind;
use flagfall_simulator::stream::{Options, stream};
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, EnPassantMode, Position as _};
use std::convert::Infallible;

/// What a capture of this game gives, from a board on which it is played by clean hands.
fn events(pgn: &str) -> Vec<Event> {
    let game = read_games(pgn.as_bytes()).unwrap().remove(0);
    let mut capture = Vec::new();
    stream(&game, &Options::new(Kind::Clean, 1)).write(&mut capture, Wall::EPOCH, "a dead position").unwrap();
    let mut events = Vec::new();
    let ended = drive("1", Capture::open(&capture).unwrap(), flagfall_solver::answers(), |event| {
        events.push(event);
        Ok::<_, Infallible>(())
    });
    assert_eq!(ended, Ok(None));
    events
}

fn ends(events: &[Event]) -> Vec<(&Body, u64)> {
    // What the operator enters at the end of a simulated game is not meant.
    events
        .iter()
        .filter(|e| matches!(&e.body, Body::Result { source, .. } if *source != ResultSource::Operator))
        .map(|e| (&e.body, e.t.millis()))
        .collect()
}

#[test]
fn a_move_after_which_nobody_can_mate_ends_the_game_at_once() {
    // The rook gives check, and the king has no move but to take it (5.2.2); material alone says nothing.
    let pgn = "[FEN \"k7/8/8/8/8/8/1R6/1K6 w - - 0 1\"]\n[SetUp \"1\"]\n\n1.Rb7 *\n";
    let events = events(pgn);
    let result = |reason: &str| Body::Result {
        result: GameResult::Draw,
        reason: reason.into(),
        article: Some("5.2.2".into()),
        source: ResultSource::Position,
    };
    let found = ends(&events);
    assert!(matches!(&found[..], [(body, _)] if **body == result("dead position")), "{found:?}");
    let completed = events.iter().find(|e| matches!(&e.body, Body::MoveCompleted { uci, .. } if uci == "b2b7"));
    assert!(completed.is_some_and(|e| e.t.millis() == found[0].1), "the rook could have gone on until it was pressed: {events:?}");
}

#[test]
fn a_wall_of_pawns_ends_the_game_when_it_is_closed() {
    let pgn = "[FEN \"4k3/8/p7/2p1p1p1/P1P1P1P1/8/8/4K3 b - - 0 1\"]\n[SetUp \"1\"]\n\n1...a5 2.Kd2 Kd7 *\n";
    let events = events(pgn);
    let found = ends(&events);
    assert!(matches!(&found[..], [(Body::Result { reason, .. }, _)] if reason == "dead position"), "{found:?}");
    let completed = events.iter().find(|e| matches!(&e.body, Body::MoveCompleted { uci, how: How::GameEnd, .. } if uci == "a6a5"));
    let made = events.iter().find(|e| matches!(&e.body, Body::MoveMade { uci, .. } if uci == "a6a5"));
    assert!(completed.unwrap().t == made.unwrap().t && found[0].1 == made.unwrap().t.millis(), "it needs no press: {events:?}");
    let made: Vec<_> = events.iter().filter(|e| matches!(e.body, Body::MoveMade { .. })).collect();
    assert_eq!(made.len(), 1, "the game was over after a5: {made:?}");
}

#[test]
fn a_move_after_which_somebody_can_still_mate_ends_nothing() {
    let pgn = "[FEN \"4k3/8/p7/2p1p1p1/P1P1P1P1/8/8/R3K3 b - - 0 1\"]\n[SetUp \"1\"]\n\n1...a5 2.Kd2 Kd7 *\n";
    assert!(ends(&events(pgn)).is_empty());
}

/// Hands `verdict` what the board asked about its first move, and gives back the results that followed.
fn results_when(verdict: impl Fn(&[Question]) -> Option<Verdict>) -> usize {
    let pgn = "[FEN \"4k3/8/p7/2p1p1p1/P1P1P1P1/8/8/R3K3 b - - 0 1\"]\n[SetUp \"1\"]\n\n1...a5 2.Kd2 Kd7 *\n";
    let played = stream(&read_games(pgn.as_bytes()).unwrap().remove(0), &Options::new(Kind::Clean, 1));
    let mut board = Board::new("1", Wall::EPOCH, played.settings.clone());
    let (mut questions, mut results, mut given) = (Vec::new(), 0, false);
    for (t, line) in &played.lines {
        while let Some(deadline) = board.deadline().filter(|d| d <= t) {
            board.timeout(deadline);
            results += drained(&mut board, &mut questions);
        }
        match line {
            CaptureLine::FromBoard(bytes) => board.bytes(*t, bytes),
            CaptureLine::Link(state) => board.link(*t, *state, None),
            _ => {}
        }
        results += drained(&mut board, &mut questions);
        if let Some(verdict) = verdict(&questions).filter(|_| !given) {
            given = true;
            board.verdict(*t, verdict);
            results += drained(&mut board, &mut questions);
        }
    }
    assert!(given, "{questions:?}");
    results
}

fn drained(board: &mut Board, questions: &mut Vec<Question>) -> usize {
    let mut results = 0;
    while let Some(output) = board.poll() {
        match output {
            Output::Question(question) => questions.push(question),
            Output::Event(event) => results += usize::from(matches!(event.body, Body::Result { source: ResultSource::Position, .. })),
            Output::Command(_) => {}
        }
    }
    results
}

fn dead(question: &Question) -> Verdict {
    Verdict { question: question.clone(), answer: Answer::Unwinnable { proof: Proof::Closure, positions: 1 } }
}

#[test]
fn a_verdict_counts_while_its_position_stands_and_not_when_it_is_gone() {
    assert_eq!(results_when(|asked| asked.first().map(dead)), 1);
    assert_eq!(results_when(|asked| asked.first().filter(|_| asked.len() > 1).map(dead)), 0);
}

#[test]
fn every_made_move_is_asked_about_once_whatever_the_material() {
    let fens = std::cell::RefCell::new(Vec::new());
    results_when(|asked| {
        *fens.borrow_mut() = asked.iter().map(|q| (q.fen.clone(), q.winner, q.purpose)).collect();
        asked.first().map(|q| Verdict { question: q.clone(), answer: Answer::Undecided { why: Why::TooManyPositions } })
    });
    let mut fens = fens.into_inner();
    assert_eq!(fens.len(), 3, "{fens:?}");
    assert!(fens.iter().all(|(_, winner, purpose)| *winner == Winner::Either && *purpose == Purpose::DeadPosition));
    fens.dedup();
    assert_eq!(fens.len(), 3, "{fens:?}");
}

/// The last proposal for a flag-fall that an arbiter entered at the end of this capture.
fn ruled(mut capture: Vec<u8>, flagged: &str) -> serde_json::Value {
    let last = String::from_utf8_lossy(&capture).lines().filter_map(|l| l.split(' ').next()?.parse::<u64>().ok()).max().unwrap_or(0);
    capture.extend_from_slice(format!("{last} ! {{\"do\":\"flag\",\"by\":\"{flagged}\"}}\n{} = down\n", last + 10).as_bytes());
    let mut proposal = serde_json::Value::Null;
    let ended = drive("1", Capture::open(&capture).unwrap(), flagfall_solver::answers(), |event| {
        let event = serde_json::to_value(&event).unwrap();
        if event["type"] == "finding" && event["key"] == "flag-fall" || event["type"] == "finding-update" && !event["proposal"].is_null() {
            proposal = event["proposal"].clone();
        }
        Ok::<_, Infallible>(())
    });
    assert_eq!(ended, Ok(None));
    proposal
}

#[test]
fn a_flag_fall_is_a_draw_where_the_opponent_cannot_mate() {
    let Some(folder) = rows::folder() else { return };
    let games = read_games(&std::fs::read(folder.join("timeout-games.pgn")).unwrap()).unwrap();
    assert_eq!(games.len(), 157);
    // The flagged side is to move in all of them; that is a fact of these games, not how a winner is found.
    let flagged = |game: &PgnGame| if game.moves.len().is_multiple_of(2) { "white" } else { "black" };
    for (i, game) in games.iter().enumerate() {
        let mut position = game.start.clone();
        game.moves.iter().for_each(|m| position.play_unchecked(*m));
        let fen = Fen::from_position(&position, EnPassantMode::Legal);
        let capture = format!("# flagfall-capture 1\n0 ! {{\"do\":\"set-position\",\"fen\":\"{fen}\"}}\n");
        let proposal = ruled(capture.into_bytes(), flagged(game));
        assert_eq!((&proposal["action"], &proposal["result"]), (&"declare-draw".into(), &"1/2-1/2".into()), "game {}: {proposal}", i + 1);
    }
    // One of them from its first move on, as it is played on a board.
    let game = games.iter().min_by_key(|game| game.moves.len()).unwrap();
    let played = stream(game, &Options::new(Kind::Clean, 1));
    let mut capture = Vec::new();
    played.write(&mut capture, Wall::EPOCH, "lost on time").unwrap();
    // The result that the site gave is not entered.
    let lines = String::from_utf8(capture).unwrap();
    let lines: String =
        lines.lines().filter(|l| !l.contains("\"do\":\"result\"") && !l.ends_with("= down")).map(|l| format!("{l}\n")).collect();
    let proposal = ruled(lines.into_bytes(), flagged(game));
    assert_eq!((&proposal["action"], &proposal["result"]), (&"declare-draw".into(), &"1/2-1/2".into()), "{proposal}");
}

#[test]
fn a_flag_fall_is_a_loss_with_its_mating_line_where_the_opponent_can_mate() {
    let capture = b"# flagfall-capture 1\n0 ! {\"do\":\"set-position\",\"fen\":\"4k3/8/8/8/8/8/4P3/4K3 b - - 0 1\"}\n".to_vec();
    let proposal = ruled(capture, "black");
    assert_eq!((&proposal["action"], &proposal["result"]), (&"declare-loss".into(), &"1-0".into()), "{proposal}");
    let line: Vec<String> = serde_json::from_value(proposal["mate"].clone()).unwrap();
    let root = "4k3/8/8/8/8/8/4P3/4K3 b - - 0 1".parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap();
    assert!(line::replayed(&root, &line, Winner::White).is_some(), "{line:?}");
}

#[test]
fn where_the_edition_does_not_ask_time_lost_is_the_game_lost() {
    let capture =
        b"# flagfall-capture 1\n# rules: russia-1.16\n0 ! {\"do\":\"set-position\",\"fen\":\"4k3/8/8/8/8/8/4P3/4K3 b - - 0 1\"}\n".to_vec();
    let proposal = ruled(capture, "white");
    assert_eq!((&proposal["action"], &proposal["result"]), (&"declare-loss".into(), &"0-1".into()), "{proposal}");
}

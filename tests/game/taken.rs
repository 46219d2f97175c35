//! A game that another machine recorded goes on here, where parts of it, or earlier games, are known.
use crate::rig::Rig;
use flagfall_events::{Body, Entry, How};
use flagfall_simulator::games::{PgnGame, read_games};
use flagfall_simulator::pace::Kind;
use flagfall_simulator::stream::Options;
use serde_json::json;

const GAME: &[u8] = b"1.e4 e5 2.Nf3 Nc6 3.Bb5 a6 4.Ba4 Nf6 5.O-O Be7 6.Re1 b5 7.Bb3 d6 8.c3 O-O 9.h3 Nb8 10.d4 Nbd7 11.c4 c6 12.cxb5 axb5 \
13.Nc3 Bb7 14.Bg5 b4 15.Nb1 h6 *";

fn take_over(game: u32, plies: &[String]) -> Entry {
    serde_json::from_value(json!({"do": "take-over", "game": game, "began": "2026-11-21T15:00:00Z", "pgn": plies.join(" ")}))
        .expect("an order")
}

/// How the plies of the game that the events end in were completed, the last word of each.
fn how(rig: &Rig) -> Vec<How> {
    let mut all = Vec::new();
    for event in &rig.events {
        match &event.body {
            Body::GameStart { .. } => all.clear(),
            Body::MoveCompleted { ply, how, .. } => {
                all.resize(*ply as usize, *how);
                all[*ply as usize - 1] = *how;
            }
            _ => {}
        }
    }
    all
}

#[test]
fn a_machine_that_has_the_beginning_goes_on_with_the_whole_game() {
    let game: PgnGame = read_games(GAME).unwrap().remove(0);
    for behind in [0, 1, 3] {
        let mut rig = Rig::of(&game, &Options::new(Kind::Human, behind));
        rig.until_played(0, 8);
        let then = rig.board.clone();
        rig.until_played(0, 20);
        // Its disk forgot what came after that; another one has it, some plies behind the board.
        rig.replace(then);
        let known = 20 - usize::try_from(behind).unwrap();
        let entry = take_over(1, &game.uci()[..known]);
        assert_eq!(rig.board.refusal(&entry), None);
        rig.enter(entry);
        rig.run();
        assert_eq!(rig.completed(), game.uci(), "{behind} behind");
        assert!(rig.events.iter().filter(|event| event.body.is_of_a_game()).all(|event| event.game == Some(1)));
        let how = how(&rig);
        assert_eq!((how[0], how[known - 1], how[27]), (How::Recovered, How::Recovered, How::Press), "{how:?}");
    }
}

#[test]
fn a_machine_that_comes_back_goes_on_with_a_later_game_and_never_with_an_earlier_one() {
    let games = read_games(&[b"1.e4 e5 2.Qh5 Nc6 3.Bc4 Nf6 4.Qxf7# 1-0\n\n", GAME].concat()).unwrap();
    let mut rig = Rig::of_row(&games, &Options { show_result: true, ..Options::new(Kind::Human, 5) });
    rig.until_played(0, 7);
    while !rig.events.iter().any(|event| matches!(event.body, Body::Result { .. })) && rig.step() {}
    let then = rig.board.clone();
    rig.until_played(1, 16);
    assert_eq!(rig.completed()[..15], games[1].uci()[..15]);
    rig.replace(then);
    let entry = take_over(2, &games[1].uci()[..15]);
    assert_eq!(rig.board.refusal(&entry), None);
    rig.enter(entry);
    rig.run();
    assert_eq!(rig.completed(), games[1].uci());
    let last = rig.events.iter().rev().find(|event| event.body.is_of_a_game()).unwrap();
    assert_eq!(last.game, Some(2));
    let refused = rig.board.refusal(&take_over(1, &games[0].uci())).unwrap_or_default();
    assert!(refused.contains("at game 2"), "{refused}");
}

/// The pieces were set up again before the machine had learnt of the game before, and a move was made.
#[test]
fn a_game_that_has_begun_here_is_the_one_after_an_ended_one_that_is_taken_over() {
    let games = read_games(&[b"1.e4 e5 2.Qh5 Nc6 3.Bc4 Nf6 4.Qxf7# 1-0\n\n", GAME].concat()).unwrap();
    let mut rig = Rig::of_row(&games, &Options { show_result: true, ..Options::new(Kind::Human, 5) });
    rig.until_played(0, 2);
    let then = rig.board.clone();
    rig.until_played(0, 7);
    while !rig.events.iter().any(|event| matches!(event.body, Body::Result { .. })) && rig.step() {}
    // It forgot how that game went on, sees its pieces being put away, and the next one beginning.
    rig.replace(then);
    rig.until_played(1, 3);
    let ended = json!({"result": "1-0", "reason": "checkmate", "source": "position"});
    let pgn = games[0].uci().join(" ");
    let entry: Entry =
        serde_json::from_value(json!({"do": "take-over", "game": 5, "began": "2026-11-21T15:00:00Z", "pgn": pgn, "ended": ended})).unwrap();
    assert_eq!(rig.board.refusal(&entry), None);
    rig.enter(entry);
    rig.run();
    assert_eq!(rig.completed(), games[1].uci());
    let last = rig.events.iter().rev().find(|event| event.body.is_of_a_game()).unwrap();
    assert_eq!(last.game, Some(6));
}

/// The kings are put in the centre and the pieces put away, before anybody says which game that was.
#[test]
fn what_the_kings_showed_of_a_game_that_is_taken_over_later_is_its_result() {
    let drawn = [&GAME[..GAME.len() - 1], b"1/2-1/2\n\n", GAME].concat();
    let games = read_games(&drawn).unwrap();
    let plies = games[0].uci();
    let last = |rig: &Rig, of: fn(&Body) -> Option<String>| rig.events.iter().rev().find_map(|event| of(&event.body)).unwrap_or_default();
    let runs = |body: &Body| if let Body::Clock(clock) = body { Some(format!("{:?}", clock.running)) } else { None };
    let placement = |body: &Body| if let Body::Placement { placement, .. } = body { Some(placement.clone()) } else { None };
    let result =
        |body: &Body| if let Body::Result { result, reason, .. } = body { Some(format!("{} {reason}", result.as_str())) } else { None };
    // The last plies may not have been published; the kings may stand yet.
    for (behind, standing) in [(0, false), (1, false), (0, true), (1, true), (2, true)] {
        let mut rig = Rig::of_row(&games, &Options { show_result: true, ..Options::new(Kind::Human, 5) });
        let then = rig.board.clone();
        rig.until_played(0, plies.len());
        while last(&rig, runs) != "None" && rig.step() {}
        // It comes when the clock has been stopped, and knows no game.
        rig.replace(then);
        let (mut shown, mut since) = (false, rig.now);
        while rig.step() {
            let stands = last(&rig, placement);
            let in_the_centre = |king: char| stands.split('/').skip(3).take(2).any(|rank| rank.contains(king));
            let stand = in_the_centre('k') && in_the_centre('K');
            since = if stand && shown { since } else { rig.now };
            shown |= stand;
            if standing && stand && rig.now.since(since) > 2_100 {
                break;
            }
            if shown && stands.chars().filter(|c| c.is_alphabetic()).count() <= 20 {
                break;
            }
        }
        rig.enter(take_over(5, &plies[..plies.len() - behind]));
        assert_eq!(rig.completed(), plies, "{behind} {standing}");
        while last(&rig, result).is_empty() && rig.step() {}
        assert_eq!(
            (last(&rig, result), rig.completed()),
            (String::from("1/2-1/2 kings in the centre"), plies.clone()),
            "{behind} {standing}"
        );
        rig.run();
        assert_eq!(rig.completed(), games[1].uci());
    }
}

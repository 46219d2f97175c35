//! A machine that was away comes back with an older record.
use super::chronicle::Chronicle;
use flagfall_config::event::About;
use flagfall_events::{Event, GameResult, Mono, Wall};
use serde_json::{Value, json};
use std::sync::Arc;

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// The events of one machine, from its first one on.
fn told(bodies: impl IntoIterator<Item = Value>) -> Vec<Event> {
    let event = |(seq, body): (u64, Value)| {
        let mut whole = json!({"seq": seq, "t": seq, "at": Wall::EPOCH.after(Mono::from_millis(seq)), "board": "1", "game": 1});
        whole.as_object_mut().unwrap().append(body.as_object().cloned().as_mut().unwrap());
        serde_json::from_value(whole).unwrap()
    };
    (1..).zip(bodies).map(event).collect()
}

fn game(plies: &str) -> Vec<Value> {
    let start = json!({"type": "game-start", "fen": START, "rules": "fide-2023", "play": "rapid", "chess960": false, "began": Wall::EPOCH});
    let by = |n: usize| if n.is_multiple_of(2) { "white" } else { "black" };
    let ply = |(n, uci): (usize, &str)| json!({"type": "move-completed", "ply": n + 1, "by": by(n), "uci": uci, "san": uci, "legal": true, "how": "press"});
    std::iter::once(start).chain(plies.split_whitespace().enumerate().map(ply)).collect()
}

fn shown(chronicle: &Chronicle) -> (usize, GameResult) {
    let event = chronicle.tournament();
    let pairing = &event.rounds[0].pairings[0];
    (pairing.game.as_ref().unwrap().moves.len(), pairing.result)
}

#[test]
fn what_it_has_of_a_game_that_ended_meanwhile_takes_nothing_away() {
    let board: Arc<str> = "1".into();
    let mut chronicle = Chronicle::new(About { name: Some("Open".into()), ..About::default() }, None);
    chronicle.boards(std::slice::from_ref(&board), |_| None);
    let take = |chronicle: &mut Chronicle, events: &[Event]| {
        events.iter().for_each(|event| chronicle.take(event));
        chronicle.settle();
    };
    let mut first = game("e2e4 e7e5 g1f3");
    take(&mut chronicle, &told(first.clone()));
    // Another machine has the board, and the game ends there.
    chronicle.anew(&board);
    let mut whole = game("e2e4 e7e5 g1f3 b8c6 f1b5");
    whole.push(json!({"type": "result", "result": "1/2-1/2", "reason": "kings in the centre", "source": "kings"}));
    take(&mut chronicle, &told(whole));
    assert_eq!(shown(&chronicle), (5, GameResult::Draw));
    // The first one is back, and finds the pieces set up.
    chronicle.anew(&board);
    take(&mut chronicle, &told(first.clone()));
    assert_eq!(shown(&chronicle), (5, GameResult::Draw));
    first.push(json!({"type": "result", "result": "*", "reason": "unread", "source": "setup"}));
    take(&mut chronicle, &told(first.clone()));
    assert_eq!(shown(&chronicle), (5, GameResult::Draw));
    // What an arbiter says of it counts.
    first.push(json!({"type": "ruling", "do": "result", "result": "1-0"}));
    first.push(json!({"type": "result", "result": "1-0", "reason": "entered", "source": "operator"}));
    take(&mut chronicle, &told(first));
    assert_eq!(shown(&chronicle), (3, GameResult::WhiteWins));
}

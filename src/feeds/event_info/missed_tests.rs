//! What the documents have of games that ended while nobody could take what boards said.
use super::task;
use flagfall_config::event::EventConfig;
use flagfall_events::{Body, Event, GameResult, Mono, Wall};
use flagfall_web::boards::Boards;
use flagfall_web::hub::Hub;
use serde_json::json;
use std::sync::Arc;
use std::time::Duration;

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// A board that plays.
#[derive(Default)]
struct Playing {
    all: Vec<Arc<Event>>,
}

impl Playing {
    fn say(&mut self, game: u32, body: serde_json::Value) {
        let seq = self.all.len() as u64 + 1;
        let mut whole = json!({"seq": seq, "t": seq, "at": Wall::EPOCH.after(Mono::from_millis(seq)), "board": "1", "game": game});
        whole.as_object_mut().unwrap().append(body.as_object().cloned().as_mut().unwrap());
        self.all.push(Arc::new(serde_json::from_value(whole).unwrap()));
    }

    fn game(&mut self, game: u32, plies: &str, result: Option<&str>, readings: usize) {
        self.say(game, json!({"type": "game-start", "fen": START, "rules": "fide-2023", "play": "rapid", "chess960": false}));
        for (n, uci) in plies.split_whitespace().enumerate() {
            for ms in 0..readings {
                self.say(game, json!({"type": "clock", "white_ms": 900_000 - ms, "black_ms": 900_000, "running": "white", "source": "device", "uncertainty_ms": 0}));
            }
            let by = if n % 2 == 0 { "white" } else { "black" };
            self.say(
                game,
                json!({"type": "move-completed", "ply": n + 1, "by": by, "uci": uci, "san": uci, "legal": true, "how": "press"}),
            );
        }
        if let Some(result) = result {
            self.say(game, json!({"type": "result", "result": result, "reason": "resigns", "source": "operator"}));
        }
    }
}

#[tokio::test]
async fn games_that_ended_while_nothing_had_room_are_whole() {
    let mut playing = Playing::default();
    playing.game(1, "e2e4 e7e5 g1f3 b8c6", Some("1-0"), 3_000);
    playing.game(2, "d2d4 d7d5 c2c4", Some("0-1"), 0);
    playing.game(3, "c2c4 e7e5", Some("1/2-1/2"), 0);
    playing.game(4, "g1f3", None, 0);
    let hub = Hub::new();
    let (broadcast, desk, _keeping) = task::start(EventConfig::default(), None, hub.clone(), Boards::default());
    hub.register("1");
    // Nobody takes anything until all of it was said.
    for event in &playing.all {
        hub.publish_aged(&flagfall_journal::Said::of(event.clone()), 0).iter().for_each(|public| desk.take(public));
    }
    assert!(desk.waiting() > 8_000 && playing.all.iter().any(|event| matches!(event.body, Body::Clock(_))));
    let games = || {
        let event = broadcast.event.now();
        let of = |played: &super::Played| (played.game.game, played.game.moves.len(), played.game.result);
        event.games.get("1").map(|games| games.iter().map(of).collect::<Vec<_>>()).unwrap_or_default()
    };
    let whole = [
        (Some(1), 4, GameResult::WhiteWins),
        (Some(2), 3, GameResult::BlackWins),
        (Some(3), 2, GameResult::Draw),
        (Some(4), 1, GameResult::Open),
    ];
    for _ in 0..100 {
        if games() == whole {
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert_eq!(games(), whole);
}

//! What was entered at a machine that went away before nobody could undo it any more.
use crate::alarms::Alarms;
use crate::event_info::{Played, task};
use crate::livechess::LiveChess;
use crate::outlets::Outlets;
use crate::tree::Broadcast;
use flagfall_config::event::EventConfig;
use flagfall_events::{Event, GameResult, Mono, Wall};
use flagfall_journal::Said;
use flagfall_time::Stopwatch;
use flagfall_web::boards::Boards;
use flagfall_web::hub::Hub;
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;
use tokio_util::sync::CancellationToken;

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// The events of one machine that came up at `began`, milliseconds.
struct Machine {
    began: u64,
    said: Vec<Arc<Event>>,
}

impl Machine {
    const fn new(began: u64) -> Self {
        Self { began, said: Vec::new() }
    }

    /// These at one moment.
    fn say(&mut self, t: u64, game: u32, bodies: impl IntoIterator<Item = Value>) {
        for body in bodies {
            let at = Wall::EPOCH.after(Mono::from_millis(self.began + t));
            let mut whole = json!({"seq": self.said.len() + 1, "t": t, "at": at, "board": "1", "game": game});
            whole.as_object_mut().unwrap().append(body.as_object().cloned().as_mut().unwrap());
            self.said.push(Arc::new(serde_json::from_value(whole).unwrap()));
        }
    }

    fn play(&mut self, t: u64, game: u32, plies: &str) {
        self.say(t, game, [json!({"type": "game-start", "fen": START, "rules": "fide-2023", "play": "rapid", "chess960": false})]);
        for (n, uci) in plies.split_whitespace().enumerate() {
            let by = if n % 2 == 0 { "white" } else { "black" };
            let ply = json!({"type": "move-completed", "ply": n + 1, "by": by, "uci": uci, "san": uci, "legal": true, "how": "press"});
            self.say(t + 1_000 * (n as u64 + 1), game, [ply]);
        }
    }
}

/// What a hall shows boards with.
fn hall() -> (Outlets, Broadcast) {
    let (hub, stopwatch, stop) = (Hub::new(), Stopwatch::start(), CancellationToken::new());
    let (broadcast, chronicle, _keeping) = task::start(EventConfig::default(), None, hub.clone(), Boards::default());
    let alarms = Alarms::start(hub.clone(), &broadcast.event, stopwatch, stop);
    let outlets = Outlets { hub, livechess: LiveChess::default(), alarms, chronicle, later: None };
    outlets.register("1", "hall", true);
    (outlets, broadcast)
}

async fn come_to(broadcast: &Broadcast, expected: &[(usize, GameResult)]) {
    let games = || {
        let of = |played: &Played| (played.game.moves.len(), played.game.result);
        broadcast.event.now().games.get("1").map(|games| games.iter().map(of).collect::<Vec<_>>()).unwrap_or_default()
    };
    for _ in 0..100 {
        if games() == expected {
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert_eq!(games(), expected);
}

/// A game whose result was entered at the end, just now.
fn entered() -> Machine {
    let mut first = Machine::new(0);
    first.play(0, 1, "e2e4 e7e5 g1f3");
    let ruling = json!({"type": "ruling", "do": "result", "result": "1/2-1/2"});
    first.say(9_000, 1, [ruling, json!({"type": "result", "result": "1/2-1/2", "reason": "entered", "source": "operator"})]);
    first
}

#[tokio::test]
async fn a_result_that_was_entered_just_before_another_machine_came_stays() {
    for held in [true, false] {
        let (outlets, broadcast) = hall();
        let first = entered();
        first.said.iter().zip(1..).for_each(|(event, message)| outlets.publish_aged(&Said::of(event.clone()), 0, message));
        // Another one has the board now, and the next game with it.
        let mut next = Machine::new(20_000);
        next.play(0, 1, "d2d4 d7d5");
        let events: Vec<(u64, Arc<Event>)> = (100..).zip(next.said).collect();
        if held {
            outlets.taken_over("1", &events);
        } else {
            outlets.anew("1", 100);
            events.iter().for_each(|(message, event)| outlets.publish_aged(&Said::of(event.clone()), 0, *message));
        }
        come_to(&broadcast, &[(3, GameResult::Draw), (2, GameResult::Open)]).await;
    }
}

#[tokio::test]
async fn the_same_where_a_hall_reads_of_it_when_it_starts() {
    let (outlets, broadcast) = hall();
    let mut next = Machine::new(20_000);
    next.play(0, 1, "d2d4 d7d5");
    let messages = |machine: Machine, from: u64| (from..).zip(machine.said).collect::<Vec<_>>();
    outlets.restore_in_hall("1", &messages(entered(), 1));
    outlets.anew("1", 100);
    outlets.restore_in_hall("1", &messages(next, 100));
    come_to(&broadcast, &[(3, GameResult::Draw), (2, GameResult::Open)]).await;
}

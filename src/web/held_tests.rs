use super::*;
use flagfall_events::{Body, Colour, Wall};
use std::time::Duration;

const PRESS: Body = Body::Press { by: Colour::White };

fn delay(seconds: u64, until_end: bool) -> Delay {
    Delay { by: Duration::from_secs(seconds), until_end }
}

/// An event of game 1 at `t` milliseconds.
fn event(t: u64, body: Body) -> Event {
    let t = Mono::from_millis(t);
    Event { seq: 1, t, at: Wall::EPOCH.after(t), board: "1".into(), game: Some(1), body }
}

fn body(json: serde_json::Value) -> Body {
    serde_json::from_value(json).unwrap()
}

fn result(reason: &str) -> Body {
    let result = if reason == "reopened" { "*" } else { "1-0" };
    body(serde_json::json!({"type": "result", "result": result, "reason": reason, "source": "operator"}))
}

fn entered() -> Body {
    body(serde_json::json!({"type": "ruling", "do": "result", "result": "1-0"}))
}

fn start() -> Body {
    let start = serde_json::json!({"type": "game-start", "fen": "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "rules": "fide-2023", "play": "blitz", "time_control": null, "chess960": false});
    body(start)
}

#[test]
fn nothing_is_due_before_its_time_nor_much_later_and_what_comes_later_changes_nothing() {
    let due = |last: u64| {
        let mut held = Held::new(delay(60, false), 0);
        let mut seen = Vec::new();
        for now in (0..200_000).step_by(37) {
            if now < last {
                held.say(now / 37 + 1, &event(now, PRESS), Mono::from_millis(now), 0);
            }
            let upto = held.due(Mono::from_millis(now));
            let recorded = upto.saturating_sub(1) * 37;
            assert!(upto == 0 || (recorded + 60_000 <= now), "{upto} at {now}");
            assert!(upto * 37 >= last || upto * 37 + 60_000 + GRAIN_MS + 74 > now, "{upto} at {now}");
            assert!(held.waiting.len() <= 602);
            seen.push(upto);
        }
        seen
    };
    let (one, other) = (due(150_000), due(100_000));
    let same = (100_000 + 60_000) / 37;
    assert_eq!(one[..same], other[..same]);
    assert_ne!(one, other);
}

/// A board where games are shown when they are over: what it says at which second, under which number.
struct Ended(Held, u64);

impl Ended {
    fn new(delay_s: u64) -> Self {
        Self(Held::new(delay(delay_s, true), 0), 0)
    }

    fn say(&mut self, s: u64, body: Body) {
        self.of(1, s, body);
    }

    fn of(&mut self, game: u32, s: u64, body: Body) {
        self.1 += 1;
        let event = Event { game: Some(game), ..event(1000 * s, body) };
        self.0.say(self.1, &event, Mono::from_millis(1000 * s), 0);
    }

    fn due(&mut self, s: u64) -> u64 {
        self.0.due(Mono::from_millis(1000 * s))
    }

    fn next(&self) -> Option<u64> {
        self.0.next().map(|at| at.millis() / 1000)
    }
}

#[test]
fn a_game_appears_as_a_whole_after_its_result() {
    let mut board = Ended::new(10);
    board.say(0, PRESS);
    board.say(1, start());
    board.say(2, PRESS);
    assert_eq!((board.due(10), board.due(5_000)), (1, 1));
    board.say(6_000, result("mate"));
    board.say(6_003, PRESS);
    assert_eq!((board.due(6_009), board.due(6_010), board.due(6_013)), (1, 4, 5));
    // A game that goes on is not shown before it ends again.
    board.say(6_020, result("reopened"));
    board.say(6_021, PRESS);
    assert_eq!(board.due(9_000), 5);
    // One without a result is over when the next one begins; what is entered of it later does not show the next one.
    board.of(2, 9_000, start());
    assert_eq!(board.due(9_010), 7);
    board.of(2, 9_020, PRESS);
    board.of(1, 9_021, entered());
    board.of(1, 9_021, result("entered"));
    board.of(2, 9_040, PRESS);
    assert_eq!(board.due(9_500), 7);
    // Nor does its own record that begins anew.
    board.of(2, 9_600, start());
    assert_eq!(board.due(9_700), 7);
    board.of(2, 9_700, result("mate"));
    assert_eq!(board.due(9_710), 14);
}

#[test]
fn an_entered_result_shows_no_move_before_it_cannot_be_undone_any_more() {
    for delay_s in [0, 3, 900] {
        // Undone in time: the game goes on, and nobody has seen it.
        let mut board = Ended::new(delay_s);
        board.say(0, start());
        board.say(5, PRESS);
        board.say(10, entered());
        board.say(10, result("entered"));
        board.say(12, PRESS);
        assert_eq!(board.due(18), 0, "{delay_s}");
        board.say(18, body(serde_json::json!({"type": "ruling", "do": "undo", "ruling": 3, "undid": "result", "undone": [[3, 4]], "by_events": [7, 7]})));
        board.say(18, result("reopened"));
        board.say(30, PRESS);
        assert_eq!((board.due(5_000), board.next()), (0, None), "{delay_s}");
        // It stands, and something is said after its eight seconds.
        board.say(5_000, entered());
        board.say(5_000, result("entered"));
        board.say(5_008, PRESS);
        assert_eq!((board.due(5_008 + delay_s), board.due(5_009 + delay_s)), (0, 11), "{delay_s}");
        let mut told = Ended::new(delay_s);
        told.say(0, start());
        told.say(10, entered());
        told.say(10, result("entered"));
        told.say(18, PRESS);
        told.0.say(5, &event(18_001, PRESS), Mono::from_millis(18_001), 0);
        assert_eq!((told.due(18 + delay_s), told.due(19 + delay_s)), (0, 5), "{delay_s}");
        // Or nothing is said: a second later. What comes with the game says that nothing came after it.
        let mut silent = Ended::new(delay_s);
        silent.say(0, start());
        silent.say(10, entered());
        silent.say(10, result("entered"));
        assert_eq!(silent.next(), Some(19 + delay_s));
        assert_eq!((silent.due(18 + delay_s), silent.due(19 + delay_s)), (0, 3), "{delay_s}");
        assert_eq!((silent.0.quiet_after(2), silent.0.quiet_after(3)), (0, 9_000), "{delay_s}");
        // After it the board is shown as any other.
        silent.say(40, PRESS);
        assert_eq!((silent.due(39 + delay_s), silent.due(40 + delay_s), silent.0.quiet_after(4)), (3, 4, 0), "{delay_s}");
    }
}

#[test]
fn a_game_that_begins_or_a_game_that_ended_by_itself_waits_for_no_undo() {
    let mut board = Ended::new(0);
    board.say(0, start());
    board.say(10, entered());
    board.say(10, result("entered"));
    board.say(12, body(serde_json::json!({"type": "ruling", "do": "new-game"})));
    assert_eq!(board.due(12), 4);
    board.of(2, 13, start());
    board.of(2, 100, result("mate"));
    assert_eq!(board.due(100), 6);
    // What was public before says that a game is on.
    let known = [event(0, start()), event(3, PRESS)];
    let mut held = Held::new(delay(0, true), 2).knowing(&known);
    held.say(3, &event(50, PRESS), Mono::from_millis(50), 0);
    assert_eq!(held.due(Mono::from_millis(9_000)), 2);
    held.mark(4, Mono::from_millis(9_000), 0);
    held.say(5, &event(9_100, result("mate")), Mono::from_millis(9_100), 0);
    assert_eq!(held.due(Mono::from_millis(9_100)), 5);
}

#[test]
fn after_a_restart_an_event_is_as_old_as_can_be_proved() {
    let mut anchors = Anchors::default();
    // Events come 0 to 400 ms after their time; then the board's time jumps, as with a new journal.
    for n in 0..100 {
        anchors.take(n, Mono::from_millis(1000 * n), 50_000 + 1000 * n + (n * 7919) % 400);
    }
    anchors.take(100, Mono::from_millis(3), 150_700);
    assert_eq!(anchors.iter().count(), 2);
    let kept = Anchors::kept(anchors.iter());
    for n in 0..100 {
        let (age, truth) = (kept.age(n, Mono::from_millis(1000 * n), 200_000), 150_000 - 1000 * n - (n * 7919) % 400);
        assert!(age <= truth && age + Anchors::SLACK_MS.unsigned_abs() > truth, "{n}: {age} of {truth}");
    }
    assert!((47_000..=49_300).contains(&kept.age(100, Mono::from_millis(3), 200_000)));
    assert_eq!(Anchors::default().age(5, Mono::ZERO, 9_999_999), 0, "nobody knows");
    anchors.forget(100);
    assert_eq!(anchors.iter().count(), 1);
}

#[test]
fn a_line_hands_on_in_order() {
    let mut line = Line::new(delay(1, false));
    line.push(Mono::from_millis(0), 'a');
    line.push(Mono::from_millis(250), 'b');
    assert_eq!((line.due(Mono::from_millis(999)), line.next()), (None, Some(Mono::from_millis(1_000))));
    assert_eq!((line.due(Mono::from_millis(1_000)), line.due(Mono::from_millis(1_000)), line.len()), (Some('a'), None, 1));
    assert_eq!(line.due(Mono::from_millis(1_300)), Some('b'));
    assert!(line.is_empty());
}

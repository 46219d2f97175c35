use super::*;
use serde_json::{Value, json};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

struct Board {
    watch: Watch,
    seq: u64,
    now: u64,
}

impl Board {
    fn new() -> Self {
        let mut board = Self { watch: Watch::new(Mono::ZERO), seq: 0, now: 0 };
        board.say(json!({"type": "link", "state": "up"}));
        board.say(
            json!({"type": "game-start", "fen": START, "rules": "fide-2023", "play": "blitz", "time_control": null, "chess960": false}),
        );
        board
    }

    /// An event, a second after the one before.
    fn say(&mut self, body: Value) {
        self.seq += 1;
        self.now += 1_000;
        let mut event = json!({"seq": self.seq, "t": self.now, "at": "2026-01-02T03:04:05Z", "board": "1"});
        event.as_object_mut().unwrap().extend(body.as_object().unwrap().clone());
        self.watch.take(&serde_json::from_value(event).unwrap(), Mono::from_millis(self.now));
    }

    fn wait(&mut self, seconds: u64) {
        for _ in 0..seconds {
            self.now += 1_000;
            self.watch.tick(Mono::from_millis(self.now));
        }
    }

    fn clock(&mut self, running: &str) {
        let running = if running.is_empty() { Value::Null } else { running.into() };
        self.say(json!({"type": "clock", "white_ms": 100_000, "black_ms": 100_000, "running": running, "flag": null, "source": "device", "uncertainty_ms": 0}));
    }

    fn completed(&mut self, ply: u32, uci: &str, san: Option<&str>, timed: bool) {
        let by = if ply % 2 == 1 { "white" } else { "black" };
        let mut body = json!({"type": "move-completed", "ply": ply, "by": by, "uci": uci, "legal": san.is_some(), "how": "press"});
        if let Some(san) = san {
            body["san"] = san.into();
        }
        if timed {
            body["clock"] = json!({"white_ms": 1000, "black_ms": 1000});
        }
        self.say(body);
    }

    fn result(&mut self, result: &str, source: &str) {
        self.say(json!({"type": "result", "result": result, "reason": "x", "source": source}));
    }

    /// Two moves and a running clock.
    fn playing() -> Self {
        let mut board = Self::new();
        board.clock("white");
        board.completed(1, "e2e4", Some("e4"), true);
        board.clock("black");
        board.completed(2, "e7e5", Some("e5"), true);
        board.clock("white");
        board
    }

    fn stand(&self) -> Vec<&str> {
        self.watch.raised().keys().map(|key| &**key).collect()
    }

    #[track_caller]
    fn expect(&self, keys: &[&str]) {
        assert_eq!(self.stand(), keys);
    }
}

#[test]
fn a_quiet_game_raises_nothing() {
    let mut board = Board::playing();
    board.wait(600);
    board.expect(&[]);
    board.clock("");
    board.result("1-0", "kings");
    board.wait(600);
    board.expect(&[]);
}

#[test]
fn a_board_that_is_gone_or_never_came() {
    let mut board = Board::playing();
    board.say(json!({"type": "link", "state": "down", "reason": "unplugged or switched off"}));
    board.expect(&["board-lost"]);
    board.say(json!({"type": "link", "state": "up"}));
    board.expect(&[]);
    let mut never = Watch::new(Mono::ZERO);
    assert_eq!(never.tick(Mono::from_millis(29_000)), []);
    assert_eq!(never.tick(Mono::from_millis(30_000)).len(), 1);
}

#[test]
fn alarms_of_the_game_are_kept_and_known_as_such() {
    let mut board = Board::playing();
    board.say(json!({"type": "alarm", "key": "unsure", "state": "raised"}));
    board.expect(&["unsure"]);
    board.say(json!({"type": "alarm", "key": "unsure", "state": "cleared"}));
    board.expect(&[]);
}

#[test]
fn a_flag_without_a_result_and_pieces_that_are_put_away() {
    let mut board = Board::playing();
    board.say(json!({"type": "clock", "white_ms": 0, "black_ms": 1000, "running": "white", "flag": "white", "source": "device", "uncertainty_ms": 0}));
    board.wait(29);
    board.expect(&[]);
    board.wait(1);
    board.expect(&["result-missing"]);
    board.result("0-1", "flag");
    board.clock("");
    board.expect(&[]);

    let mut board = Board::playing();
    board.say(json!({"type": "placement", "placement": "8/8/8/3k4/8/4K3/8/8", "settled": true}));
    board.wait(20);
    board.expect(&[]);
    board.wait(20);
    board.expect(&["result-missing"]);
    board.say(json!({"type": "placement", "placement": "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR", "settled": true}));
    board.expect(&[]);
}

#[test]
fn a_new_game_over_one_without_a_result() {
    let mut board = Board::playing();
    board.say(json!({"type": "game-start", "fen": START, "rules": "fide-2023", "play": "blitz", "time_control": null, "chess960": false}));
    board.expect(&["result-missing"]);
    board.result("1-0", "operator");
    board.clock("");
    board.expect(&[]);
}

#[test]
fn a_clock_that_stands_while_the_game_is_on() {
    let mut board = Board::new();
    board.clock("");
    board.wait(300);
    board.expect(&[]);
    let mut board = Board::playing();
    board.clock("");
    board.wait(59);
    board.expect(&[]);
    board.wait(1);
    board.expect(&["clock-stopped"]);
    board.clock("white");
    board.expect(&[]);
}

#[test]
fn a_result_while_the_clock_runs_and_a_game_that_goes_on() {
    let mut board = Board::playing();
    board.result("1-0", "operator");
    board.wait(14);
    board.expect(&[]);
    board.wait(1);
    board.expect(&["result-clock-running"]);
    board.clock("black");
    board.expect(&["result-clock-running"]);
    board.clock("white");
    board.expect(&["result-clock-running", "result-early"]);
    board.clock("");
    board.expect(&[]);
}

#[test]
fn a_move_without_a_time_is_told_until_the_next_one_with_a_time() {
    let mut board = Board::playing();
    board.completed(3, "g1f3", Some("Nf3"), false);
    board.expect(&["move-without-clock"]);
    board.completed(4, "b8c6", Some("Nc6"), true);
    board.expect(&[]);
    // Without a clock there is nothing to miss.
    let mut board = Board::new();
    board.completed(1, "e2e4", Some("e4"), false);
    board.expect(&[]);
}

#[test]
fn an_illegal_move_cuts_the_feed_until_it_is_taken_back() {
    let mut board = Board::playing();
    board.completed(3, "e1e3", None, true);
    board.expect(&["feed-cut"]);
    board.say(json!({"type": "move-withdrawn", "ply": 3, "uci": "e1e3"}));
    board.expect(&[]);
    board.completed(3, "g1f3", Some("Nf3"), true);
    board.expect(&[]);
}

#[test]
fn play_after_another_position_was_set_is_the_games_own_alarm_until_the_game_clears_it() {
    let mut board = Board::playing();
    board.say(json!({"type": "ruling", "do": "set-position", "fen": "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"}));
    board.say(json!({"type": "alarm", "game": 1, "key": "record-broken", "state": "raised"}));
    board.say(json!({"type": "placement", "placement": "4k3/8/8/8/8/8/4P3/4K3", "settled": true}));
    board.expect(&["record-broken"]);
    board.completed(3, "e2e4", Some("e4"), true);
    // No move is illegal: there is nothing to rule on.
    board.expect(&["record-broken"]);
    board.completed(4, "e8e6", None, true);
    board.expect(&["feed-cut", "record-broken"]);
    board.say(json!({"type": "move-withdrawn", "ply": 4, "uci": "e8e6"}));
    board.say(json!({"type": "alarm", "game": 1, "key": "record-broken", "state": "cleared"}));
    board.expect(&[]);
}

#[test]
fn no_result_is_an_answer_also_where_the_pieces_are_put_away() {
    let mut board = Board::playing();
    board.say(json!({"type": "placement", "placement": "8/8/8/8/8/8/8/8", "settled": true}));
    board.wait(30);
    board.expect(&["result-missing"]);
    board.say(json!({"type": "result", "result": "*", "reason": "reopened", "source": "operator"}));
    board.wait(100);
    let stand = board.stand();
    assert!(!stand.contains(&"result-missing"), "{stand:?}");
    // What is seen to happen after it counts anew.
    board.say(json!({"type": "placement", "placement": "8/8/8/8/8/8/8/7k", "settled": true}));
    board.wait(30);
    assert!(board.stand().contains(&"result-missing"));
}

#[test]
fn a_broadcast_move_that_is_taken_back_is_told_until_it_is_true_again() {
    let mut board = Board::playing();
    board.say(json!({"type": "move-withdrawn", "ply": 2, "uci": "e7e5"}));
    board.expect(&["sent-move-changed"]);
    board.completed(2, "e7e5", Some("e5"), true);
    board.expect(&[]);
    board.say(json!({"type": "move-revised", "ply": 2, "uci": "e7e6", "san": "e6", "was": "e7e5"}));
    board.expect(&["sent-move-changed"]);
    board.result("1-0", "operator");
    board.clock("");
    board.say(json!({"type": "game-start", "fen": START, "rules": "fide-2023", "play": "blitz", "time_control": null, "chess960": false}));
    board.expect(&[]);
    // A move that was only made may change at will.
    board.say(json!({"type": "move-made", "ply": 1, "by": "white", "uci": "e2e4", "san": "e4", "legal": true, "placement": "8/8/8/8/8/8/8/8", "provisional": true}));
    board.say(json!({"type": "move-withdrawn", "ply": 1, "uci": "e2e4"}));
    board.expect(&[]);
}

/// Game `number` is set up and gets two moves.
fn plays(board: &mut Board, number: u32) {
    board.say(json!({"type": "game-start", "game": number, "fen": START, "rules": "fide-2023", "play": "blitz", "time_control": null, "chess960": false}));
    for (ply, uci, san) in [(1, "e2e4", "e4"), (2, "e7e5", "e5")] {
        let by = if ply == 1 { "white" } else { "black" };
        board.say(
            json!({"type": "move-completed", "game": number, "ply": ply, "by": by, "uci": uci, "san": san, "legal": true, "how": "press",
            "clock": {"white_ms": 1000, "black_ms": 1000}}),
        );
    }
}

fn ends(board: &mut Board, number: u32, result: &str, reason: &str, source: &str) {
    board.say(json!({"type": "result", "game": number, "result": result, "reason": reason, "source": source}));
}

#[test]
fn the_result_of_an_earlier_game_is_missing_until_one_is_entered_for_it() {
    let mut board = Board::new();
    plays(&mut board, 1);
    ends(&mut board, 1, "*", "unread", "setup");
    board.expect(&["result-missing"]);
    plays(&mut board, 2);
    board.expect(&["result-missing"]);
    // Another game's result is not this one's.
    ends(&mut board, 2, "1-0", "kings", "kings");
    board.expect(&["result-missing"]);
    plays(&mut board, 3);
    ends(&mut board, 1, "0-1", "entered", "operator");
    board.expect(&[]);
    assert_eq!(board.watch.result, None, "the game that is on has none");
    // What the board's own game says of one game is not said of the others.
    ends(&mut board, 3, "*", "unread", "setup");
    for state in ["raised", "cleared"] {
        board.say(json!({"type": "alarm", "game": 2, "key": "result-missing", "state": state}));
        board.expect(&["result-missing"]);
    }
    // No result is an answer, too.
    ends(&mut board, 3, "*", "unread", "setup");
    board.expect(&["result-missing"]);
    ends(&mut board, 3, "*", "entered", "operator");
    board.expect(&[]);
}

#[test]
fn what_the_event_knows_to_be_missing_is_missing_after_a_restart() {
    let mut board = Board::new();
    plays(&mut board, 4);
    let changes = board.watch.unread(BTreeSet::from([2, 3]), Mono::from_millis(board.now));
    assert_eq!(changes, [Change { key: "result-missing".into(), raised: true, by_game: false }]);
    assert_eq!(board.watch.missing(), BTreeSet::from([Some(2), Some(3)]));
    // It stands, and is told again because it is about one game less.
    let changes = board.watch.unread(BTreeSet::from([3]), Mono::from_millis(board.now));
    assert_eq!(changes, [Change { key: "result-missing".into(), raised: true, by_game: false }]);
    ends(&mut board, 3, "1-0", "entered", "operator");
    board.expect(&[]);
}

#[test]
fn without_a_clock_a_move_that_stood_was_told_to_whoever_waits_for_it() {
    const E4: &str = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR";
    let mut board = Board::new();
    board.say(json!({"type": "game-start", "fen": START, "rules": "fide-2023", "play": "blitz", "time_control": null, "chess960": false}));
    let made = json!({"type": "move-made", "ply": 1, "by": "white", "uci": "e2e4", "san": "e4", "legal": true, "placement": E4, "provisional": true});
    let stands = json!({"type": "placement", "placement": E4, "settled": true});
    let withdrawn = json!({"type": "move-withdrawn", "ply": 1, "uci": "e2e4"});
    board.say(stands.clone());
    board.say(made.clone());
    board.say(withdrawn.clone());
    board.expect(&[]);
    board.say(stands);
    board.say(made.clone());
    board.wait(2);
    board.say(withdrawn);
    board.expect(&["sent-move-changed"]);
    board.say(made);
    board.wait(2);
    board.expect(&[]);
}

#[test]
fn a_clock_that_runs_while_nothing_is_recorded_is_told_within_ten_seconds() {
    let mut board = Board::new();
    // A machine that knows no game, on a board in the middle of one.
    board.watch = Watch::new(Mono::from_millis(board.now));
    board.say(json!({"type": "link", "state": "up"}));
    board.say(json!({"type": "placement", "placement": START.split(' ').next().unwrap(), "settled": true}));
    board.clock("white");
    board.wait(60);
    board.expect(&[]);
    board.say(json!({"type": "placement", "placement": "r1bqk2r/1pppbppp/p1n2n2/4p3/B3P3/5N2/PPPP1PPP/RNBQR1K1", "settled": true}));
    board.wait(7);
    board.expect(&[]);
    board.wait(2);
    board.expect(&["not-recorded"]);
    board.clock("");
    board.expect(&[]);
    board.clock("black");
    board.wait(9);
    board.expect(&["not-recorded"]);
    board.say(json!({"type": "game-start", "game": 1, "fen": START, "rules": "fide-2023", "play": "blitz", "time_control": null, "chess960": false}));
    board.expect(&[]);
}

#[test]
fn after_a_games_end_a_clock_that_runs_on_is_no_play_until_it_is_pressed_twice() {
    let mut board = Board::playing();
    board.say(json!({"type": "game-start", "game": 2, "fen": START, "rules": "fide-2023", "play": "blitz", "time_control": null, "chess960": false}));
    board.result("1-0", "kings");
    board.say(json!({"type": "placement", "placement": "8/8/8/3kK3/8/8/8/8", "settled": true}));
    board.clock("black");
    board.wait(12);
    board.expect(&[]);
    board.clock("white");
    board.clock("black");
    board.wait(9);
    assert!(board.stand().contains(&"not-recorded"), "{:?}", board.stand());
}

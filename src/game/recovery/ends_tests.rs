//! A game that ends while its board's log is on its way, or just after it came: what the log told is its end, whatever is done with the pieces.
use super::*;

const DRAWN: &str = r#"{"do":"result","result":"1/2-1/2"}"#;

fn all_played() -> String {
    format!("{SEEN} {}", MEANWHILE.join(" "))
}

impl Table {
    /// Nobody listens while a dozen plies are played; then the log is asked for.
    fn asks_for_the_log() -> Self {
        let mut table = Self::after_two_plies("5400+30");
        table.moves(&MEANWHILE.join(" "));
        table.back();
        table.pass(5);
        assert_eq!(table.hand.asked, 1);
        table
    }

    /// The log, and what the board and the clock say behind it.
    fn tells(&mut self) {
        self.hand.sent();
        self.hand.pass(200);
        self.read();
    }

    fn puts_away(&mut self) {
        let squares = ["a1", "b1", "c1", "d1", "f1", "a2", "b2", "c2", "a8", "c8", "d8", "f8", "h8", "a7", "b7"];
        self.quickly(&squares.map(|square| (square, PieceCode::Empty)));
    }

    fn shows_the_kings(&mut self) {
        let (white, black) = (PieceCode::WhiteKing, PieceCode::BlackKing);
        self.quickly(&[("g1", PieceCode::Empty), ("e4", white), ("e8", PieceCode::Empty), ("d5", black)]);
    }

    /// The clock is stopped, and set for the next game.
    fn sets_the_clock(&mut self) {
        self.clock.stop(self.now());
        self.read();
        self.clock.reset(Physical::Left);
        self.read();
    }
}

#[test]
fn pieces_that_are_put_away_behind_the_log_take_back_nothing_that_it_told() {
    let mut table = Table::asks_for_the_log();
    table.hand.sent();
    table.puts_away();
    table.sets_the_clock();
    table.hand.enter(DRAWN);
    assert_eq!((table.hand.played(), &table.hand.results[..]), (all_played(), &[String::from("1/2-1/2 entered")][..]));
}

/// The result comes first, then the log, and with it everything that was done on the board meanwhile.
#[test]
fn what_is_done_behind_the_log_of_a_game_that_has_ended_holds_nothing_up() {
    for kings in [false, true] {
        let mut table = Table::asks_for_the_log();
        table.hand.enter(DRAWN);
        table.hand.pass(1_000);
        table.tells();
        table.sets_the_clock();
        if kings {
            table.shows_the_kings();
            table.hand.pass(700);
        }
        table.puts_away();
        table.hand.pass(1_000);
        table.quickly(&[("h1", PieceCode::Empty), ("g7", PieceCode::Empty)]);
        assert_eq!(table.hand.played(), all_played(), "kings {kings}");
        assert_eq!(table.hand.results, ["1/2-1/2 entered", "* reopened", "1/2-1/2 entered"]);
    }
}

/// A machine with an empty card asks for the log, and learns which game it is. Its last ply is played and pressed meanwhile, and its result entered; the
/// clock is set for the next game before anything is heard of that.
#[test]
fn the_last_ply_that_is_heard_behind_the_log_of_an_ended_game_was_pressed() {
    for (kings, pressed) in [(false, true), (true, true), (false, false)] {
        let mut table = Table::after_two_plies("5400+30");
        table.moves(&MEANWHILE.join(" "));
        let settings = Settings { time_control: "5400+30".parse().ok(), ..Settings::default() };
        table.hand.board = Board::new("1", Wall::EPOCH, settings);
        table.back();
        table.pass(6);
        assert_eq!(table.hand.asked, 1);
        table.hand.made.clear();
        let game = r#""game":7,"began":"2026-11-21T15:00:00Z""#;
        table.hand.enter(&format!(r#"{{"do":"take-over",{game},"pgn":"{}"}}"#, all_played()));
        table.hand.enter(DRAWN);
        table.hand.sent();
        if pressed {
            table.clock.press(table.now(), Physical::Left);
        }
        table.hand.pass(10);
        table.read();
        table.quickly(&[("f3", PieceCode::Empty), ("d4", PieceCode::WhiteKnight)]);
        table.sets_the_clock();
        if kings {
            table.shows_the_kings();
        }
        table.puts_away();
        table.hand.pass(2_000);
        table.hand.wire = start(Turn::None, false);
        table.hand.dump();
        table.hand.pass(5_000);
        assert_eq!(table.hand.played(), format!("{} f3d4", all_played()), "kings {kings}");
        let completed = table.hand.moves.last().map(|(uci, _)| uci.as_str());
        assert_eq!(completed, Some(if pressed { "f3d4" } else { MEANWHILE[MEANWHILE.len() - 1] }), "kings {kings}");
    }
}

/// The pieces of the next game stand, before what comes behind the log has been read.
#[test]
fn a_game_that_is_put_away_just_behind_the_log_has_what_it_told() {
    for (kings, after_ms) in [(false, 30), (false, 400), (true, 30), (true, 400)] {
        let mut table = Table::asks_for_the_log();
        table.sets_the_clock();
        if kings {
            table.shows_the_kings();
            table.hand.pass(2_500);
        } else {
            table.hand.enter(DRAWN);
            table.hand.pass(1_000);
        }
        table.hand.sent();
        table.hand.pass(after_ms);
        table.hand.wire = start(Turn::None, false);
        table.hand.dump();
        table.hand.pass(5_000);
        assert_eq!(table.hand.played(), all_played(), "kings {kings}, {after_ms} ms");
        let entered = ["1/2-1/2 entered", "* reopened", "1/2-1/2 entered"];
        assert_eq!(table.hand.results, if kings { &["1-0 kings in the centre"][..] } else { &entered });
    }
}

/// The next game is called for while the log of the last one is on its way.
#[test]
fn a_game_that_is_called_for_begins_when_its_pieces_stand_and_the_one_before_has_what_the_log_told() {
    let mut table = Table::asks_for_the_log();
    table.sets_the_clock();
    table.hand.enter(DRAWN);
    table.hand.enter(r#"{"do":"new-game"}"#);
    table.hand.pass(500);
    table.hand.sent();
    table.hand.pass(700);
    table.hand.wire = start(Turn::None, false);
    table.hand.dump();
    table.hand.pass(5_000);
    assert_eq!(table.hand.played(), all_played());
    assert_eq!(table.hand.results, ["1/2-1/2 entered", "* reopened", "1/2-1/2 entered"]);
    assert_eq!(table.hand.board.game(), 2);
}

#[test]
fn what_the_log_told_is_known_when_the_link_is_lost_again() {
    let mut table = Table::asks_for_the_log();
    table.tells();
    table.sets_the_clock();
    table.shows_the_kings();
    table.puts_away();
    table.hand.down();
    table.hand.wire = start(Turn::None, false);
    table.back();
    table.pass(10);
    assert_eq!(table.hand.played(), all_played());
}

/// The last ply was pressed while nobody listened: the clock that ran says so, whatever the lever says once it is set for the next game.
#[test]
fn the_turn_is_that_of_the_clock_that_ran_last() {
    for pressed in [false, true] {
        let mut table = Table::asks_for_the_log();
        if pressed {
            table.moves("f3d4");
        } else {
            drop(table.hand.play("f3d4"));
        }
        let moves = table.hand.moves.len();
        table.tells();
        table.sets_the_clock();
        table.hand.pass(60);
        table.hand.dump();
        table.hand.enter(DRAWN);
        let completed = table.hand.moves[moves..].last().map(|(uci, _)| uci.as_str());
        assert_eq!(completed, Some(if pressed { "f3d4" } else { MEANWHILE[MEANWHILE.len() - 1] }), "{:?}", table.hand.moves);
    }
}

/// Nobody listened until the pieces were put away: the log tells of the game, and of that.
#[test]
fn what_was_done_with_the_pieces_before_the_log_came_takes_back_nothing_that_it_tells() {
    for set_up in [false, true] {
        let mut table = Table::after_two_plies("5400+30");
        table.moves(&MEANWHILE.join(" "));
        table.clock.stop(table.now());
        let away = ["a1", "b1", "c1", "d1", "f1", "a2", "b2", "c2", "a8", "c8", "d8", "f8", "h8", "a7", "b7"];
        for square in away {
            let square = field(&table.hand, square.parse().unwrap());
            table.hand.change(square, PieceCode::Empty);
        }
        if set_up {
            let next = start(Turn::None, false);
            for square in (0..64).filter_map(WireSquare::new).filter(|square| square.index() < 16) {
                table.hand.change(square, next[usize::from(square.index())]);
            }
        }
        table.clock.reset(Physical::Left);
        table.back();
        table.pass(8);
        assert_eq!(table.hand.asked, 1);
        table.hand.memory();
        table.hand.enter(DRAWN);
        assert_eq!(table.hand.played(), all_played(), "set up {set_up}");
        assert_eq!(table.hand.results, ["1/2-1/2 entered"]);
    }
}

/// A machine with an empty card sees the middle of a game, and learns of the one before it: what it asked the board for tells of the one that stands.
#[test]
fn a_log_that_is_on_its_way_tells_of_the_game_after_an_ended_one_that_is_taken_over_meanwhile() {
    for began in [SEEN, "d2d4 d7d5"] {
        let mut table = Table::after_two_plies("5400+30");
        table.moves(&MEANWHILE.join(" "));
        let settings = Settings { time_control: "5400+30".parse().ok(), clock_white: ClockWhite::Left, ..Settings::default() };
        table.hand.board = Board::new("1", Wall::EPOCH, settings);
        table.hand.made.clear();
        table.back();
        table.pass(6);
        assert_eq!(table.hand.asked, 1);
        let ended = r#"{"result":"1-0","reason":"resigns","source":"operator"}"#;
        let game = r#""game":7,"began":"2026-11-21T15:00:00Z""#;
        table.hand.enter(&format!(r#"{{"do":"take-over",{game},"pgn":"{began} b1c3 b8c6","ended":{ended}}}"#));
        table.hand.made.clear();
        table.hand.memory();
        assert_eq!((table.hand.played(), table.hand.asked), (all_played(), 1), "after {began}");
        assert_eq!(table.hand.results, ["1-0 resigns"]);
    }
}

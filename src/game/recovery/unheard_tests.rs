//! Pieces that came back to where they stood while nobody listened: the clock's increments tell of the presses, the log of the moves.
use super::*;
use crate::settings::ClockWhite;
use dgt_protocol::clock::ClockReport;
use flagfall_simulator::clock::{ChessClock, PeriodChange, Side as Physical};
use shakmaty::Square;

#[path = "ends_tests.rs"]
mod ends;

/// A board and its clock, White's to the left.
struct Table {
    hand: Hand,
    clock: ChessClock,
    runs: Physical,
    is_up: bool,
}

impl Table {
    /// 1. e4 e5 was seen, then the link went down.
    fn after_two_plies(control: &str) -> Self {
        let settings = Settings { time_control: control.parse().ok(), clock_white: ClockWhite::Left, ..Settings::default() };
        let hand = Hand::before(Turn::None, settings);
        let clock = ChessClock::new(control.parse().unwrap(), PeriodChange::AtMove, Physical::Left);
        let mut table = Self { hand, clock, runs: Physical::Left, is_up: true };
        table.read();
        table.clock.start(table.now());
        table.read();
        table.moves("e2e4 e7e5");
        table.hand.down();
        table.is_up = false;
        table
    }

    /// The clock's microseconds.
    const fn now(&self) -> u64 {
        self.hand.now * 1_000
    }

    fn read(&mut self) {
        self.clock.advance(self.now());
        if self.is_up {
            self.hand.say(&Message::Clock(ClockReport::Time(self.clock.report())));
        }
    }

    /// Ten seconds pass for each, with a report a second.
    fn moves(&mut self, moves: &str) {
        for uci in moves.split_whitespace() {
            self.pass(10);
            for (square, piece) in self.hand.play(uci) {
                if self.is_up {
                    self.hand.say(&Message::FieldUpdate { square, piece });
                }
            }
            self.pass(1);
            self.press();
        }
    }

    fn press(&mut self) {
        self.clock.advance(self.now());
        let (side, time) = match self.runs {
            Physical::Left => (WireSide::Left, self.clock.report().left),
            Physical::Right => (WireSide::Right, self.clock.report().right),
        };
        self.clock.press(self.now(), self.runs);
        self.runs = self.runs.other();
        self.hand.log(Entry::Time { side, time });
        self.read();
    }

    fn pass(&mut self, seconds: u64) {
        for _ in 0..seconds {
            self.hand.pass(1_000);
            self.read();
        }
    }

    /// These squares become these, one each thirty milliseconds.
    fn quickly(&mut self, changes: &[(&str, PieceCode)]) {
        for (square, piece) in changes {
            let square = field(&self.hand, square.parse().unwrap());
            self.hand.pass(30);
            self.hand.wire[usize::from(square.index())] = *piece;
            self.hand.say(&Message::FieldUpdate { square, piece: *piece });
        }
    }

    /// The link comes up, and the board is read.
    fn up(&mut self) {
        self.is_up = true;
        self.hand.board.link(Mono::from_millis(self.hand.now), LinkState::Up, None);
        self.hand.drain();
        self.hand.dump();
    }

    /// The same, and the clock is read a moment later.
    fn back(&mut self) {
        self.up();
        self.hand.pass(50);
        self.read();
    }
}

const SEEN: &str = "e2e4 e7e5";
/// Both knights go out and home again.
const ROUND: &str = "g1f3 g8f6 f3g1 f6g8";

#[test]
fn pieces_that_came_back_to_where_they_stood_were_moved_as_often_as_the_clock_gave_its_increment() {
    for (beyond, next) in [("", "b1c3"), ("d2d4", "b8c6"), ("d2d4 b8c6", "b1c3"), ("g1f3 g8f6 f3g1 f6g8", "b1c3"), ("g1f3 g8f6", "b1c3")] {
        let mut table = Table::after_two_plies("5400+30");
        table.moves(&format!("{ROUND} {beyond}"));
        table.back();
        table.pass(1);
        assert_eq!(table.hand.asked, 1, "{beyond}");
        table.hand.memory();
        table.read();
        table.moves(next);
        let all = format!("{SEEN} {ROUND} {beyond} {next}");
        let completed: Vec<_> = table.hand.moves.iter().map(|(uci, _)| uci.as_str()).collect();
        assert_eq!(completed, all.split_whitespace().collect::<Vec<_>>());
    }
}

#[test]
fn a_gap_in_which_nobody_pressed_is_over_with_the_first_reading() {
    for unseen in ["", "g1f3", "g1f3 b8c6"] {
        let mut table = Table::after_two_plies("5400+30");
        table.moves(unseen);
        table.pass(40);
        table.back();
        assert_eq!((table.hand.asked, table.hand.played()), (0, format!("{SEEN} {unseen}").trim().to_owned()));
    }
}

#[test]
fn a_clock_that_says_nothing_holds_nothing_up() {
    let mut table = Table::after_two_plies("5400+30");
    table.moves("g1f3");
    table.up();
    table.hand.pass(2_000);
    assert_eq!((table.hand.asked, table.hand.played()), (0, format!("{SEEN} g1f3")));
}

#[test]
fn without_an_increment_the_clock_tells_nothing() {
    let mut table = Table::after_two_plies("5400");
    table.moves("g1f3");
    table.up();
    assert_eq!(table.hand.played(), format!("{SEEN} g1f3"), "nothing is waited for");
}

/// The board's log comes long after the clock is heard to stand: nobody knows that the last ply was made before it was stopped, nor that it was not.
#[test]
fn a_last_ply_that_the_log_tells_after_the_clock_was_stopped_stays() {
    for result in [r#"{"do":"result","result":"1-0"}"#, r#"{"do":"new-game"}"#] {
        let mut table = Table::after_two_plies("5400+30");
        table.moves("d2d4 b8c6");
        table.pass(5);
        drop(table.hand.play("g1f3"));
        table.clock.stop(table.now());
        table.back();
        table.pass(8);
        assert_eq!(table.hand.asked, 1);
        table.hand.memory();
        table.read();
        table.pass(5);
        table.hand.enter(result);
        assert_eq!(table.hand.played(), format!("{SEEN} d2d4 b8c6 g1f3"));
    }
}

/// A captured piece was put down on the board: three plies lead there, and one was pressed.
#[test]
fn a_line_of_more_plies_than_were_pressed_is_not_what_was_played() {
    let before = "g1f3 b8c6 f3g5 d7d6 b1c3 c8e6 h2h3";
    let mut table = Table::after_two_plies("5400+30");
    table.back();
    table.moves(before);
    table.hand.down();
    table.is_up = false;
    table.moves("a8b8");
    drop(table.hand.play("g5e6"));
    let parked = field(&table.hand, Square::D5);
    table.hand.change(parked, PieceCode::BlackBishop);
    table.back();
    table.pass(1);
    assert_eq!(table.hand.asked, 1);
    table.hand.memory();
    table.read();
    table.quickly(&[("d5", PieceCode::Empty)]);
    table.press();
    table.moves("f7e6");
    assert_eq!(table.hand.played(), format!("{SEEN} {before} a8b8 g5e6 f7e6"));
}

/// The bishop that had moved before the link went down is in its player's hand when it is up again, and a knight stands where it could have been taken
/// instead.
#[test]
fn a_move_that_stood_before_the_link_went_down_was_made() {
    for next in ["c4a6", "c4b5", "c4b3"] {
        let mut table = Table::after_two_plies("5400+30");
        table.back();
        table.pass(10);
        for (square, piece) in table.hand.play("f1c4") {
            table.hand.say(&Message::FieldUpdate { square, piece });
        }
        table.pass(1);
        table.hand.down();
        table.is_up = false;
        table.press();
        table.moves("b8a6");
        table.pass(3);
        let bishop = field(&table.hand, Square::C4);
        table.hand.change(bishop, PieceCode::Empty);
        table.back();
        table.pass(1);
        assert_eq!(table.hand.asked, 1, "{next}");
        table.hand.memory();
        table.read();
        table.moves(next);
        table.moves("g8f6");
        assert_eq!(table.hand.played(), format!("{SEEN} f1c4 b8a6 {next} g8f6"));
    }
}

/// A queen stands on one square, unpressed, when the link goes down, goes on to another one and comes back with its next move.
#[test]
fn a_move_that_was_under_way_when_the_link_went_down_may_have_gone_on() {
    for (stood, made) in [(Square::F6, "d8g5"), (Square::E7, "d8h4"), (Square::G5, "d8f6")] {
        let mut table = Table::after_two_plies("5400+30");
        table.back();
        table.moves("g1f3 b8c6 f1c4 a7a6 d2d3");
        table.pass(10);
        for (square, piece) in [(Square::D8, PieceCode::Empty), (stood, PieceCode::BlackQueen)] {
            let square = field(&table.hand, square);
            table.hand.change(square, piece);
            table.hand.say(&Message::FieldUpdate { square, piece });
        }
        table.pass(1);
        table.hand.down();
        table.is_up = false;
        let square = field(&table.hand, stood);
        table.hand.change(square, PieceCode::Empty);
        let square = field(&table.hand, Square::D8);
        table.hand.change(square, PieceCode::BlackQueen);
        table.moves(made);
        table.moves("h2h3");
        table.moves(&format!("{}d8", &made[2..]));
        table.back();
        table.pass(1);
        assert_eq!(table.hand.asked, 1, "{made}");
        table.hand.memory();
        table.read();
        table.moves("c1d2 g8f6");
        let before = "g1f3 b8c6 f1c4 a7a6 d2d3";
        assert_eq!(table.hand.played(), format!("{SEEN} {before} {made} h2h3 {}d8 c1d2 g8f6", &made[2..]));
    }
}

/// The first picture shows a queen that has moved; before the clock is heard she is taken, and put aside on a square that she could have gone to.
#[test]
fn what_the_first_picture_showed_was_made() {
    let before = "b1c3 d8f6";
    let mut table = Table::after_two_plies("5400+30");
    table.back();
    table.moves(before);
    table.hand.down();
    table.is_up = false;
    table.moves("d1f3");
    table.pass(3);
    table.up();
    table.quickly(&[("f6", PieceCode::Empty)]);
    table.read();
    table.pass(1);
    drop(table.hand.play("f6f3"));
    table.quickly(&[("f3", PieceCode::Empty), ("e2", PieceCode::WhiteQueen), ("f3", PieceCode::BlackQueen)]);
    table.pass(1);
    assert_eq!(table.hand.asked, 1);
    table.hand.memory();
    table.read();
    table.quickly(&[("e2", PieceCode::Empty)]);
    table.press();
    table.moves("g2f3");
    assert_eq!(table.hand.played(), format!("{SEEN} {before} d1f3 f6f3 g2f3"));
}

/// A machine with an empty card hears a clock that has run for a while.
#[test]
fn what_the_clock_shows_in_the_middle_of_a_game_is_no_base_time() {
    for known in [false, true] {
        let mut table = Table::after_two_plies("5400+30");
        table.moves(&MEANWHILE.join(" "));
        if known {
            // The game before was seen to its end.
            table.hand.enter(r#"{"do":"result","result":"1-0"}"#);
        } else {
            let settings = Settings { time_control: "5400+30".parse().ok(), ..Settings::default() };
            table.hand.board = Board::new("1", Wall::EPOCH, settings);
        }
        table.back();
        table.moves("f3d4 c6c5 d4b3");
        table.pass(20);
        assert_eq!(table.hand.findings, [""; 0], "known {known}");
    }
}

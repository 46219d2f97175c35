//! Logs made by hand. Whole games with the cable out: `tests/game/cable.rs`.
use super::*;
use crate::board;
use crate::board::Board;
use crate::settings::Settings;
use dgt_protocol::command::Command;
use dgt_protocol::message::Message;
use flagfall_events::{AlarmState, Body, How, LinkState, Mono, Wall};
use shakmaty::{Chess, Position as _};

/// Ten plies after 1. e4 e5, with a capture, castling and a slide.
const MEANWHILE: [&str; 10] = ["g1f3", "b8c6", "f1b5", "a7a6", "b5c6", "d7c6", "e1g1", "f7f6", "d2d4", "e5d4"];

/// A board whose link is fed by hand.
struct Hand {
    board: Board,
    turn: Turn,
    now: u64,
    /// What stands on it, in its own numbering.
    wire: WirePlacement,
    log: Vec<u8>,
    chess: Chess,
    asked: usize,
    results: Vec<String>,
    /// What was told to the arbiter.
    findings: Vec<String>,
    made: Vec<String>,
    moves: Vec<(String, How)>,
    unsure: bool,
}

impl Hand {
    /// The pieces are set up.
    fn before(turn: Turn, settings: Settings) -> Self {
        let mut hand = Self {
            board: Board::new("1", Wall::EPOCH, settings),
            turn,
            now: 0,
            wire: start(turn, false),
            log: Vec::new(),
            chess: Chess::default(),
            asked: 0,
            results: Vec::new(),
            findings: Vec::new(),
            made: Vec::new(),
            moves: Vec::new(),
            unsure: false,
        };
        hand.log(if turn == Turn::Half { Entry::BeginPositionTurned } else { Entry::BeginPosition });
        hand.dump();
        hand
    }

    /// 1. e4 e5 was seen, then the link went down.
    fn after_two_plies(turn: Turn) -> Self {
        let mut hand = Self::before(turn, Settings::default());
        for uci in ["e2e4", "e7e5"] {
            for (square, piece) in hand.play(uci) {
                hand.say(&Message::FieldUpdate { square, piece });
            }
            hand.pass(4_000);
        }
        hand.down();
        hand
    }

    fn down(&mut self) {
        self.board.link(Mono::from_millis(self.now), LinkState::Down, None);
        self.drain();
    }

    fn log(&mut self, entry: Entry) {
        entry.write_to(&mut self.log);
    }

    fn change(&mut self, square: WireSquare, piece: PieceCode) {
        self.wire[usize::from(square.index())] = piece;
        self.log(Entry::Piece { square, piece, quick: false });
    }

    /// Plays a move on the board and in its log: every square left first, then every square reached.
    fn play(&mut self, uci: &str) -> Vec<(WireSquare, PieceCode)> {
        let before = Placement::of(self.chess.board());
        let mv = uci.parse::<shakmaty::uci::UciMove>().unwrap().to_move(&self.chess).unwrap();
        self.chess.play_unchecked(mv);
        let after = Placement::of(self.chess.board());
        let squares = (0..64).filter_map(WireSquare::new).filter(|s| before.0[self.turn.square(*s)] != after.0[self.turn.square(*s)]);
        let mut changes: Vec<_> = squares.map(|s| (s, after.0[self.turn.square(s)])).collect();
        changes.sort_by_key(|(_, piece)| *piece != PieceCode::Empty);
        changes.iter().for_each(|(square, piece)| self.change(*square, *piece));
        changes
    }

    fn meanwhile(&mut self) {
        MEANWHILE.iter().for_each(|uci| drop(self.play(uci)));
    }

    /// This piece reads as nothing for a moment.
    fn flicker(&mut self, square: WireSquare) {
        let piece = self.wire[usize::from(square.index())];
        self.change(square, PieceCode::Empty);
        self.change(square, piece);
    }

    fn say(&mut self, message: &Message) {
        self.board.bytes(Mono::from_millis(self.now), &message.encode());
        self.drain();
    }

    fn dump(&mut self) {
        self.say(&Message::BoardDump(Box::new(self.wire)));
    }

    fn back(&mut self) {
        self.board.link(Mono::from_millis(self.now), LinkState::Up, None);
        self.drain();
        self.dump();
        self.pass(6_000);
    }

    /// The log as it is sent, and the picture that is asked for behind it.
    fn memory(&mut self) {
        self.sent();
        self.pass(60);
        self.dump();
        self.pass(4_000);
    }

    fn sent(&mut self) {
        let mut bytes = self.log.clone();
        bytes.push(0x6B);
        bytes.resize(0x1F00, 0x41);
        self.say(&Message::MoveMemory(bytes));
    }

    fn pass(&mut self, ms: u64) {
        self.now += ms;
        while let Some(at) = self.board.deadline().filter(|at| at.millis() <= self.now) {
            self.board.timeout(at);
            self.drain();
        }
    }

    fn drain(&mut self) {
        while let Some(output) = self.board.poll() {
            match output {
                board::Output::Command(Command::SendMoveMemory) => self.asked += 1,
                board::Output::Event(event) => match event.body {
                    Body::MoveCompleted { uci, how, .. } => self.moves.push((uci, how)),
                    Body::MoveMade { uci, .. } => self.made.push(uci),
                    Body::MoveRevised { uci, .. } => {
                        self.made.pop();
                        self.made.push(uci);
                    }
                    Body::MoveWithdrawn { .. } => drop(self.made.pop()),
                    Body::Finding(finding) => self.findings.push(finding.summary.en),
                    Body::Result { result, reason, .. } => self.results.push(format!("{} {reason}", result.as_str())),
                    Body::Alarm { key, state, .. } if key.as_str() == "unsure" => self.unsure = state == AlarmState::Raised,
                    _ => {}
                },
                board::Output::Command(_) | board::Output::Question(_) => {}
            }
        }
    }

    fn assert_all_recovered(&self) {
        assert_eq!(self.asked, 1);
        let uci: Vec<_> = self.moves.iter().map(|(uci, _)| uci.as_str()).collect();
        assert_eq!(uci, [&["e2e4", "e7e5"], &MEANWHILE[..]].concat());
        // There is no clock here: the last one is completed by standing.
        assert!(self.moves[2..11].iter().all(|(_, how)| *how == How::Recovered), "{:?}", self.moves);
    }
}

#[path = "unheard_tests.rs"]
mod unheard;

fn field(hand: &Hand, square: shakmaty::Square) -> WireSquare {
    (0..64).filter_map(WireSquare::new).find(|s| hand.turn.square(*s) == square.to_usize()).unwrap()
}

#[test]
fn the_boards_log_tells_what_was_played_whichever_way_it_stands() {
    for turn in [Turn::None, Turn::Half] {
        let mut hand = Hand::after_two_plies(turn);
        hand.meanwhile();
        hand.back();
        hand.memory();
        hand.assert_all_recovered();
    }
}

/// Ways to the same position: which move of each player came first, nobody sees.
const ORDERS: [[&str; 4]; 3] = [["d2d4", "b8c6", "g1f3", "g8f6"], ["g1f3", "g8f6", "d2d4", "b8c6"], ["d2d4", "g8f6", "g1f3", "b8c6"]];

#[test]
fn in_which_order_moves_came_is_asked_of_the_log() {
    for order in ORDERS {
        let mut hand = Hand::after_two_plies(Turn::None);
        order.iter().for_each(|uci| drop(hand.play(uci)));
        hand.back();
        assert_eq!((hand.asked, hand.moves.len()), (1, 2), "{:?}", hand.moves);
        hand.memory();
        let uci: Vec<_> = hand.moves[2..].iter().map(|(uci, _)| uci.as_str()).collect();
        assert_eq!((uci, hand.unsure), (order.to_vec(), false));
    }
}

#[test]
fn an_order_that_nobody_tells_is_left_open_and_the_game_goes_on() {
    let mut hand = Hand::after_two_plies(Turn::None);
    ORDERS[0].iter().for_each(|uci| drop(hand.play(uci)));
    hand.back();
    hand.pass(30_000);
    assert_eq!((hand.moves.len(), hand.unsure), (2, true), "{:?}", hand.moves);
    for (square, piece) in hand.play("d4e5") {
        hand.say(&Message::FieldUpdate { square, piece });
    }
    hand.pass(4_000);
    assert_eq!(hand.moves[2..], [(String::from("d4e5"), How::Settled)]);
}

#[test]
fn an_older_game_in_the_log_and_a_cut_first_entry_do_not_matter() {
    let mut hand = Hand::after_two_plies(Turn::None);
    hand.meanwhile();
    // The rest of a time, then the end of an older game that began the same way.
    let mut log = vec![0x45, 0x12, 0x58];
    for anchor in [Entry::Nop, Entry::PowerUp] {
        anchor.write_to(&mut log);
    }
    for square in (0..64).filter_map(WireSquare::new) {
        let piece = start(Turn::None, false)[usize::from(square.index())];
        if piece != PieceCode::Empty {
            Entry::Piece { square, piece, quick: true }.write_to(&mut log);
        }
    }
    log.extend([0x40, 0x34, 0x41, 0x24, 0x40, 0x0C, 0x47, 0x1C, 0x61, 0x29, 0x30, 0x40, 0x33, 0x41, 0x23]);
    log.append(&mut hand.log);
    hand.log = log;
    hand.back();
    hand.memory();
    hand.assert_all_recovered();
}

#[test]
fn nothing_before_the_first_anchor_is_believed() {
    let mut hand = Hand::after_two_plies(Turn::None);
    hand.meanwhile();
    // The ring has lost the beginning of the game.
    hand.log.remove(0);
    hand.back();
    hand.memory();
    assert_eq!((hand.asked, hand.moves.len()), (1, 2), "{:?}", hand.moves);
}

#[test]
fn pieces_that_flicker_and_entries_that_were_overwritten_do_not_matter() {
    let mut hand = Hand::after_two_plies(Turn::None);
    for uci in MEANWHILE {
        hand.flicker(field(&hand, shakmaty::Square::H1));
        hand.play(uci);
        hand.flicker(field(&hand, shakmaty::Square::D8));
    }
    // The lift of 2. Nf3 was overwritten when the square flickered.
    let lift: [u8; 2] = [0x40, field(&hand, shakmaty::Square::G1).index()];
    let at = hand.log.windows(2).position(|pair| pair == lift).unwrap();
    let drop: [u8; 2] = [hand.log[at + 2], hand.log[at + 3]];
    hand.log[at..at + 4].copy_from_slice(&[drop, lift].concat());
    hand.back();
    hand.memory();
    hand.assert_all_recovered();
}

#[test]
fn both_hands_over_the_board_leave_no_picture_of_each_move() {
    let mut hand = Hand::after_two_plies(Turn::None);
    let before = hand.log.len();
    hand.play("g1f3");
    hand.play("b8c6");
    // Both are lifted before both are down.
    let lifts_and_drops = hand.log.split_off(before);
    for entry in [0, 2, 1, 3] {
        hand.log.extend_from_slice(&lifts_and_drops[entry * 2..entry * 2 + 2]);
    }
    for uci in &MEANWHILE[2..] {
        hand.play(uci);
    }
    hand.back();
    hand.memory();
    hand.assert_all_recovered();
}

#[test]
fn a_log_that_does_not_end_at_what_stands_is_not_believed() {
    let mut hand = Hand::after_two_plies(Turn::None);
    hand.meanwhile();
    let king = field(&hand, shakmaty::Square::E8);
    let queen = field(&hand, shakmaty::Square::D8);
    hand.wire.swap(usize::from(king.index()), usize::from(queen.index()));
    hand.back();
    hand.memory();
    assert_eq!((hand.asked, hand.moves.len()), (1, 2), "{:?}", hand.moves);
}

#[test]
fn a_piece_in_the_hand_when_the_log_comes_holds_nothing_up() {
    let mut hand = Hand::after_two_plies(Turn::None);
    hand.meanwhile();
    hand.back();
    let (square, piece) = (field(&hand, shakmaty::Square::F3), PieceCode::WhiteKnight);
    hand.say(&Message::FieldUpdate { square, piece: PieceCode::Empty });
    hand.log(Entry::Piece { square, piece: PieceCode::Empty, quick: false });
    hand.memory();
    hand.assert_all_recovered();
    hand.say(&Message::FieldUpdate { square, piece });
    hand.pass(4_000);
    hand.assert_all_recovered();
}

#[test]
fn a_log_that_nobody_asked_for_says_nothing() {
    let mut hand = Hand::after_two_plies(Turn::None);
    hand.meanwhile();
    hand.board.link(Mono::from_millis(hand.now), LinkState::Up, None);
    hand.drain();
    hand.dump();
    hand.memory();
    assert_eq!(hand.moves.len(), 2);
}

#[test]
fn a_position_set_up_by_the_arbiter_ends_the_search() {
    let mut hand = Hand::after_two_plies(Turn::None);
    hand.meanwhile();
    hand.back();
    assert_eq!(hand.asked, 1);
    let fen = shakmaty::fen::Fen::from_position(&hand.chess, shakmaty::EnPassantMode::Legal).to_string();
    let entry = serde_json::from_value(serde_json::json!({"do": "set-position", "fen": fen})).unwrap();
    hand.board.entry(Mono::from_millis(hand.now), entry);
    hand.drain();
    hand.memory();
    for (square, piece) in hand.play("f3d4") {
        hand.say(&Message::FieldUpdate { square, piece });
    }
    hand.pass(4_000);
    let uci: Vec<_> = hand.moves.iter().map(|(uci, how)| (uci.as_str(), *how)).collect();
    assert_eq!(uci.last(), Some(&("f3d4", How::Settled)));
    assert!(hand.moves.iter().all(|(_, how)| *how != How::Recovered), "{:?}", hand.moves);
}

impl Hand {
    fn enter(&mut self, order: &str) {
        let entry = serde_json::from_str(order).unwrap();
        self.board.entry(Mono::from_millis(self.now), entry);
        self.drain();
    }

    fn played(&self) -> String {
        self.made.join(" ")
    }
}

/// The line is silent while the log is sent, up to nine seconds: what was played just before the result is heard behind it.
#[test]
fn what_the_log_tells_of_a_game_whose_result_was_entered_meanwhile_belongs_to_it() {
    for results in [&["1-0"][..], &["1/2-1/2", "1-0"]] {
        let mut hand = Hand::after_two_plies(Turn::None);
        hand.meanwhile();
        hand.back();
        for result in results {
            hand.enter(&format!(r#"{{"do":"result","result":"{result}","reason":"resigns"}}"#));
            hand.pass(300);
        }
        assert_eq!((hand.asked, hand.results.last().map(String::as_str)), (1, Some("1-0 resigns")), "it is said at once");
        hand.memory();
        assert_eq!(hand.played(), ["e2e4", "e7e5"].into_iter().chain(MEANWHILE).collect::<Vec<_>>().join(" "));
        assert_eq!(hand.results[results.len()..], ["* reopened", "1-0 resigns"]);
        // What is tried out afterwards is analysis.
        hand.play("f3d4").into_iter().for_each(|(square, piece)| hand.say(&Message::FieldUpdate { square, piece }));
        hand.pass(10_000);
        assert_eq!((hand.made.len(), hand.results.len()), (12, results.len() + 2));
    }
}

#[test]
fn a_log_that_tells_no_more_of_a_game_than_was_known_at_its_end_changes_nothing() {
    let mut hand = Hand::after_two_plies(Turn::None);
    ORDERS[0].iter().for_each(|uci| drop(hand.play(uci)));
    hand.back();
    hand.enter(r#"{"do":"result","result":"1/2-1/2"}"#);
    hand.memory();
    assert_eq!((hand.played().as_str(), &hand.results[..]), ("e2e4 e7e5 d2d4 b8c6 g1f3 g8f6", &[String::from("1/2-1/2 entered")][..]));
}

/// What was played while the log was sent comes all at once behind it, and the kings with it.
#[test]
fn what_the_log_tells_counts_though_the_kings_show_the_result_before_the_board_was_quiet() {
    let mut hand = Hand::after_two_plies(Turn::None);
    hand.meanwhile();
    hand.back();
    assert_eq!(hand.asked, 1);
    hand.sent();
    let kings = [("g1", PieceCode::Empty), ("e4", PieceCode::WhiteKing), ("e8", PieceCode::Empty), ("d5", PieceCode::BlackKing)];
    let last = hand.play("f3d4");
    let kings = kings.map(|(square, piece)| (field(&hand, square.parse().unwrap()), piece));
    for (square, piece) in last.into_iter().chain(kings) {
        hand.pass(30);
        hand.wire[usize::from(square.index())] = piece;
        hand.say(&Message::FieldUpdate { square, piece });
    }
    hand.pass(4_000);
    assert_eq!(hand.played(), ["e2e4", "e7e5"].into_iter().chain(MEANWHILE).chain(["f3d4"]).collect::<Vec<_>>().join(" "));
    assert_eq!(hand.results, ["1-0 kings in the centre"]);
}

/// The board is asked before anybody says which game it is, and answers afterwards.
#[test]
fn a_log_that_is_on_its_way_tells_of_a_game_that_is_taken_over_meanwhile() {
    let mut hand = Hand::after_two_plies(Turn::None);
    hand.meanwhile();
    hand.back();
    assert_eq!(hand.asked, 1);
    hand.enter(r#"{"do":"take-over","game":7,"began":"2026-11-21T15:00:00Z","pgn":"e2e4 e7e5 g1f3 b8c6"}"#);
    hand.pass(1_000);
    hand.memory();
    assert_eq!(hand.asked, 1);
    let played: Vec<_> = ["e2e4", "e7e5"].into_iter().chain(MEANWHILE).collect();
    assert!(hand.played().ends_with(&played.join(" ")), "{}", hand.played());
}

/// A position or a record is entered in the nine seconds in which the line is silent, and play goes on: the last picture is older than what was entered.
#[test]
fn what_is_entered_while_the_log_is_on_its_way_is_compared_with_the_picture_behind_it() {
    let pgn = "1.e4 e5 2.Nf3 Nc6 3.Bb5 a6 4.Bxc6 dxc6 5.O-O f6 6.d4 exd4 7.Nbd2 Ne7";
    for is_record in [false, true] {
        for next in ["", "d2b3", "d2b3 e7g6", "d2b3 e7g6 f3d4 c8g4"] {
            let mut hand = Hand::after_two_plies(Turn::None);
            hand.meanwhile();
            hand.back();
            assert_eq!(hand.asked, 1);
            // The log is read from where it stood when it was asked for.
            let log = hand.log.clone();
            let mut waits = hand.play("b1d2");
            waits.extend(hand.play("g8e7"));
            let fen = shakmaty::fen::Fen::from_position(&hand.chess, shakmaty::EnPassantMode::Legal);
            let set = format!(r#"{{"do":"set-position","fen":"{fen}"}}"#);
            hand.enter(if is_record { format!(r#"{{"do":"moves","pgn":"{pgn} *"}}"#) } else { set }.as_str());
            let before = hand.made.len();
            hand.pass(2_000);
            waits.extend(next.split_whitespace().flat_map(|uci| hand.play(uci)));
            hand.log = log;
            hand.sent();
            for (square, piece) in waits {
                hand.pass(3);
                hand.say(&Message::FieldUpdate { square, piece });
            }
            hand.pass(30);
            hand.dump();
            hand.pass(30_000);
            assert_eq!(hand.made[before..].join(" "), next, "{is_record}");
        }
    }
}

/// What was entered waits for a picture, and for nothing else.
#[test]
fn a_log_that_never_comes_holds_up_nothing_that_was_entered() {
    let mut hand = Hand::after_two_plies(Turn::None);
    hand.meanwhile();
    hand.back();
    let fen = shakmaty::fen::Fen::from_position(&hand.chess, shakmaty::EnPassantMode::Legal);
    hand.enter(&format!(r#"{{"do":"set-position","fen":"{fen}"}}"#));
    hand.pass(20_000);
    hand.dump();
    hand.play("f3d4").into_iter().for_each(|(square, piece)| hand.say(&Message::FieldUpdate { square, piece }));
    hand.pass(4_000);
    assert_eq!(hand.moves.last(), Some(&(String::from("f3d4"), How::Settled)));
}

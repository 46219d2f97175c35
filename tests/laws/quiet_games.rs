//! Whole games of legal moves, played by hands of every habit under a right clock: the record is exact and no arbiter is called.
//! `GAMES=1000 cargo test --test game games_of` plays more of them, `FROM=24` begins with another.
use super::held;
use super::table::Table;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Move, Position, Role, Square, uci::UciMove};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// A small generator, so that a game is named by its number.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from((self.0 >> 33) % sides as u64).unwrap()
    }

    fn between(&mut self, least: usize, most: usize) -> u64 {
        (least + self.roll(most - least)) as u64
    }
}

/// One legal move by a hand of some habit, without its press.
fn by_hand(t: &mut Table, dice: &mut Dice, position: &Chess, mv: Move, quick: bool) {
    let uci = UciMove::from_move(mv, CastlingMode::Standard).to_string();
    let piece = |square: Square| position.board().piece_at(square).unwrap().char();
    let (from, to) = (uci[..2].to_owned(), uci[2..4].to_owned());
    (t.hand, t.think) =
        if quick { (dice.between(60, 200), dice.between(100, 900)) } else { (dice.between(120, 700), dice.between(300, 9000)) };
    let slider = matches!(mv.role(), Role::Rook | Role::Queen | Role::Bishop);
    match dice.roll(8) {
        // The captured piece goes off with the capturer already down: the square never reads empty.
        0 if mv.is_capture() && !mv.is_en_passant() && mv.promotion().is_none() => {
            t.wait(t.think).lift(&from).put(&to, piece(mv.from().unwrap()));
        }
        // The capturer is in the air first.
        1 if mv.is_capture() && !mv.is_en_passant() && mv.promotion().is_none() => {
            t.wait(t.think).lift(&from).lift(&to).put(&to, piece(mv.from().unwrap()));
        }
        // A pause on the way.
        2 if slider && !mv.is_capture() => {
            let between: Vec<Square> = shakmaty::attacks::between(mv.from().unwrap(), mv.to()).into_iter().collect();
            let piece = piece(mv.from().unwrap());
            t.wait(t.think).lift(&from);
            if !between.is_empty() {
                let square = between[dice.roll(between.len())].to_string();
                t.put(&square, piece).wait(if quick { dice.between(20, 250) } else { dice.between(100, 1500) }).lift(&square);
            }
            t.put(&to, piece);
        }
        // A piece of one's own put straight first.
        3 => {
            let own: Vec<Square> = position.us().into_iter().collect();
            let square = own[dice.roll(own.len())];
            t.wait(t.think).lift(&square.to_string()).wait(dice.between(100, 900)).put(&square.to_string(), piece(square)).hand(&uci);
        }
        // Castling rook first.
        4 if uci == "e1g1" && mv.is_castle() => {
            t.wait(t.think).carry("h1", "f1").carry("e1", "g1");
        }
        // A long hold of the piece.
        5 if !mv.is_castle() && !mv.is_capture() && mv.promotion().is_none() => {
            t.wait(t.think).lift(&from).wait(dice.between(1000, 8000)).put(&to, piece(mv.from().unwrap()));
        }
        _ => {
            t.hand(&uci);
        }
    }
}

fn play(t: &mut Table, seed: u64, quick: bool) {
    let mut dice = Dice(seed);
    t.time(["1800+10", "1800", "1800+d5", "10/600+5:900+5"][dice.roll(4)]).start();
    let mut position = Chess::default();
    let mut played = Vec::new();
    for _ in 0..70 {
        let legal = position.legal_moves();
        let mv = legal[dice.roll(legal.len())];
        by_hand(t, &mut dice, &position, mv, quick);
        played.push(UciMove::from_move(mv, CastlingMode::Standard).to_string());
        position = position.play(mv).unwrap();
        t.press();
        if position.is_game_over() {
            break;
        }
    }
    t.secs(4);
    t.no_alarm().record_is(&played.join(" "));
    let end = t.story().events.iter().rev().find(|e| e["type"] == "placement").unwrap()["placement"].clone();
    let board = shakmaty::fen::Fen::from_position(&position, EnPassantMode::Legal).to_string();
    assert_eq!(end, board.split(' ').next().unwrap());
}

fn games(name: &'static str, quick: bool) {
    let games = std::env::var("GAMES").map_or(8, |n| n.parse().unwrap());
    let mut wrong = Vec::new();
    let from = std::env::var("FROM").map_or(0, |n| n.parse().unwrap());
    for seed in from..from + games {
        let edition = ["fide-2023", "fide-2018", "fide-1997", "russia-1.16"][usize::try_from(seed % 4).unwrap()];
        let game = AssertUnwindSafe(|| {
            let mut table = Table::new(name, edition, seed % 3 == 0);
            play(&mut table, seed, quick);
            table.finish();
        });
        if let Err(failed) = catch_unwind(game) {
            let why = failed.downcast_ref::<String>().and_then(|why| why.lines().next().map(String::from));
            wrong.push(format!("{seed}: {}", why.unwrap_or_default()));
        }
    }
    assert!(wrong.is_empty(), "{} of {games}\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn games_of_legal_moves_call_no_arbiter() {
    held("games_of_legal_moves_call_no_arbiter", || games("games_of_legal_moves_call_no_arbiter", false));
}

#[test]
fn games_of_blitz_call_no_arbiter() {
    held("games_of_blitz_call_no_arbiter", || games("games_of_blitz_call_no_arbiter", true));
}

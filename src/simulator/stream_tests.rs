//! Whole games as streams: what is read is what was played.
use super::device::Device;
use super::games::{PgnGame, read_games};
use super::pace::Kind;
use super::script::{Act, Script, Squares, squares_of};
use super::stream::{Options, stream};
use dgt_protocol::clock::ClockReport;
use dgt_protocol::message::Message;
use dgt_protocol::receiver::{Receiver, Single};
use dgt_protocol::square::PieceCode;
use shakmaty::{Chess, Position as _, Square};

const SHORT: &str = "1.e4 e5 2.Nf3 Nc6 3.Bb5 a6 4.Bxc6 dxc6 5.O-O f6 6.d4 exd4 7.Nxd4 c5 8.Nb3 Qxd1 9.Rxd1 Bd7 10.Bf4 O-O-O 1/2-1/2";
const PROMOTES: &str = "[FEN \"4k3/P6p/8/3pP3/8/8/8/R3K3 w Q d6 0 1\"]\n\n1.exd6 h5 2.O-O-O h4 3.d7+ Kf7 4.d8=N+ Kg6 5.a8=Q h3 6.Qe4+ 1-0";

pub(crate) fn game(pgn: &str) -> PgnGame {
    read_games(pgn.as_bytes()).unwrap().remove(0)
}

/// What stands on the board after all acts.
pub(crate) fn after(script: &Script) -> Squares {
    let mut squares = script.before;
    for step in &script.steps {
        match step.act {
            Act::Lift(square) => {
                assert_ne!(squares[square.to_usize()], PieceCode::Empty, "{square} was empty at {}", step.at);
                squares[square.to_usize()] = PieceCode::Empty;
            }
            Act::Put(square, piece) => squares[square.to_usize()] = piece,
            _ => {}
        }
    }
    squares
}

pub(crate) fn final_position(game: &PgnGame) -> Chess {
    let mut position = game.start.clone();
    for m in &game.moves {
        position.play_unchecked(*m);
    }
    position
}

#[test]
fn all_hands_leave_the_right_pieces_on_the_board_and_tell_the_truth() {
    for pgn in [SHORT, PROMOTES] {
        let game = game(pgn);
        for kind in [Kind::Clean, Kind::Human, Kind::Blitz] {
            for seed in 0..150 {
                let script = Options::new(kind, seed).players().play(&game);
                assert_eq!(after(&script), squares_of(final_position(&game).board()), "{kind:?} {seed}");
                assert_eq!(script.truth.uci(), game.uci());
                assert!(script.steps.is_sorted_by_key(|step| step.at));
            }
        }
    }
}

#[test]
fn what_is_read_ends_in_what_stands_on_the_board() {
    let game = game(SHORT);
    for kind in [Kind::Clean, Kind::Human, Kind::Blitz] {
        for turned in [false, true] {
            let stream = stream(&game, &Options { turned, ..Options::new(kind, 3) });
            let mut receiver = Receiver::new(Single::Dgt);
            let mut image = [PieceCode::Empty; 64];
            let mut times = 0;
            for (t, bytes) in stream.chunks() {
                for message in receiver.feed(t.millis(), bytes) {
                    match message.unwrap() {
                        Message::BoardDump(dump) => image = *dump,
                        Message::FieldUpdate { square, piece } => image[usize::from(square.index())] = piece,
                        Message::Clock(ClockReport::Time(_)) => times += 1,
                        _ => {}
                    }
                }
            }
            let expected = squares_of(final_position(&game).board());
            for square in Square::ALL {
                let wire = super::script::wire_of(square, turned);
                assert_eq!(image[usize::from(wire.index())], expected[square.to_usize()], "{kind:?} {square}");
            }
            assert!(times >= game.moves.len(), "{times} clock messages");
            assert!(stream.truth.plies.iter().all(|ply| ply.press.is_some() && ply.clock.is_some()));
            assert!(stream.lines.is_sorted_by_key(|(t, _)| *t));
        }
    }
}

#[test]
fn the_same_seed_gives_the_same_bytes_and_another_one_others() {
    let game = game(SHORT);
    let bytes = |seed| stream(&game, &Options::new(Kind::Human, seed)).lines;
    assert!(bytes(5) == bytes(5));
    assert!(bytes(5) != bytes(6));
}

#[test]
fn speed_shortens_thinking_only() {
    let game = game(SHORT);
    let hands = |speed| Options { speed, ..Options::new(Kind::Clean, 9) }.players().play(&game);
    let (slow, fast) = (hands(1.0), hands(1000.0));
    assert!(fast.end * 10 < slow.end * 9, "{} {}", fast.end, slow.end);
    let press_after_move = |script: &Script| script.truth.plies.iter().map(|ply| ply.press.unwrap() - ply.last_down).collect::<Vec<_>>();
    assert_eq!(press_after_move(&slow), press_after_move(&fast));
}

#[test]
fn a_clock_shows_its_increment_at_every_press() {
    let game = game(SHORT);
    let stream = stream(&game, &Options { control: Some("180+2".parse().unwrap()), ..Options::new(Kind::Blitz, 1) });
    let mut receiver = Receiver::new(Single::Dgt);
    let mut last = None;
    let mut presses = 0;
    for (t, bytes) in stream.chunks() {
        for message in receiver.feed(t.millis(), bytes) {
            let Ok(Message::Clock(ClockReport::Time(now))) = message else { continue };
            if let Some(before) = last.replace(now)
                && before.lever != now.lever
            {
                presses += 1;
                assert!(now.left.per_move && now.right.per_move);
            }
        }
    }
    assert_eq!(presses, game.moves.len());
}

#[test]
fn a_device_waits_for_its_host() {
    let mut device: Device = Options::new(Kind::Clean, 1).device(&game(SHORT));
    assert_eq!(device.deadline(), None);
    device.handle(flagfall_events::Mono::from_millis(700), &[0x4B]);
    assert!(device.deadline().is_some() && device.games().len() == 1);
}

/// How often a piece is read on its new square while the old one still reads it: updates that put a piece down, and those of them that came early.
fn early_updates(kind: Kind) -> (usize, usize) {
    let (mut placed, mut early) = (0, 0);
    for seed in 0..10 {
        let stream = stream(&game(SHORT), &Options::new(kind, seed));
        let mut image = squares_of(Chess::default().board());
        let mut receiver = Receiver::new(Single::Dgt);
        for (t, bytes) in stream.chunks() {
            for message in receiver.feed(t.millis(), bytes) {
                let Ok(Message::FieldUpdate { square, piece }) = message else { continue };
                let index = Square::new(u32::from(square.index())).flip_vertical().to_usize();
                let count = |image: &Squares| image.iter().filter(|p| **p == piece).count();
                let before = count(&image);
                image[index] = piece;
                if piece != PieceCode::Empty {
                    placed += 1;
                    let of_a_kind = count(&squares_of(Chess::default().board()));
                    early += usize::from(before >= of_a_kind);
                }
            }
        }
    }
    (placed, early)
}

#[test]
fn quick_hands_are_read_place_before_lift_now_and_then_and_clean_ones_never() {
    let (placed, early) = early_updates(Kind::Clean);
    assert!(placed > 200 && early == 0, "{early} of {placed}");
    for kind in [Kind::Human, Kind::Blitz] {
        let (placed, early) = early_updates(kind);
        assert!(early > 0 && early * 3 < placed, "{kind:?}: {early} of {placed}");
    }
}

#[test]
fn whole_collections_are_played_to_their_last_position() {
    for (file, every) in [("otb-gnuchess-book.pgn", 40), ("otb-underpromotions.pgn", 1)] {
        let Ok(text) = std::fs::read(std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/games").join(file)) else {
            println!("skipped: ../shared/games/{file} is not there");
            continue;
        };
        for game in read_games(&text).unwrap().iter().step_by(every) {
            let end = squares_of(final_position(game).board());
            for kind in [Kind::Clean, Kind::Human, Kind::Blitz] {
                let script = Options::new(kind, 11).players().play(game);
                assert_eq!(after(&script), end, "{file} {} {kind:?}", game.number);
                assert_eq!(script.truth.uci(), game.uci());
            }
        }
    }
}

//! Which games a stream determines: the typical cases both ways, and the share of games of many people.
#![allow(clippy::unwrap_used, reason = "a test ends at the first surprise")]

#[path = "observer/mod.rs"]
mod observer;

use flagfall_simulator::clock::Side;
use flagfall_simulator::games::{PgnGame, bundled, read_games};
use flagfall_simulator::pace::Kind;
use flagfall_simulator::people::Tempo;
use flagfall_simulator::stream::{ClockSide, Options, stream};
use observer::{Game, Observed, Ply, Seen, Verdict, feed, observe};
use shakmaty::{CastlingMode, Chess, Color, Position as _, Square, fen::Fen};
use std::time::{Duration, Instant};

/// A board that reads a1, b1 … h8 in 220 ms, from 0 on.
const SCAN_MS: u64 = 220;

/// When the square is read, microseconds.
fn phase(square: usize) -> u64 {
    square as u64 * SCAN_MS * 1000 / 64
}

/// A small position, what hands do and what the board shows of it.
struct Case {
    start: Chess,
    seen: Vec<(u64, Seen)>,
    identified: bool,
}

impl Case {
    /// Acts are `MS SQUARE PIECE`, with `.` for nothing; a press is `MS white`.
    fn new(fen: &str, identified: bool, acts: &str) -> Self {
        let start: Chess = fen.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap();
        let mut seen = Vec::new();
        let mut acts: Vec<(u64, &str, &str)> = acts
            .split(',')
            .map(|act| act.split_whitespace().collect::<Vec<_>>())
            .map(|act| (act[0].parse().unwrap(), act[1], act.get(2).copied().unwrap_or("")))
            .collect();
        acts.sort_by_key(|act| act.0);
        for (t, who, _) in acts.iter().filter(|act| act.2.is_empty()) {
            seen.push((*t, Seen::Press(Color::from_white(*who == "white"))));
        }
        for square in Square::ALL {
            let q = square.to_usize();
            let mut image = start.board().piece_at(square).map_or(0, |piece| " PRNBKQprnbkq".find(piece.char()).unwrap() as u8);
            for pass in 0..20 {
                let read = phase(q) + pass * SCAN_MS * 1000;
                let last = acts.iter().rfind(|act| act.1 == square.to_string() && act.0 * 1000 <= read);
                let is = last.map_or(image, |act| ".PRNBKQprnbkq".find(act.2).unwrap() as u8);
                if is != image {
                    image = is;
                    seen.push(((read + 5_210).div_ceil(1000), Seen::Square { square: q as u8, piece: is }));
                }
            }
        }
        seen.sort_by_key(|seen| seen.0);
        Self { start, seen, identified }
    }

    /// Whether this is told, `UCI MS` a ply, from anything else; else what else may have been played.
    fn played(&self, plies: &str) -> Option<(usize, String)> {
        let plies: Vec<Ply> = plies
            .split(',')
            .map(|ply| ply.split_whitespace().collect::<Vec<_>>())
            .map(|ply| Ply { uci: ply[0].into(), stood: ply[1].parse().ok(), pressed: ply.get(2).and_then(|t| t.parse().ok()) })
            .collect();
        let observed = observe(&Game {
            start: &self.start,
            mode: CastlingMode::Standard,
            plies: &plies,
            seen: &self.seen,
            began: 0,
            until: 4_000,
            scan_ms: SCAN_MS,
            phases: Some(std::array::from_fn(phase)),
            identified: self.identified,
            promotions_known: false,
        });
        assert_eq!((observed.cut, observed.strange), (0, 0));
        match observed.verdict {
            Verdict::Determined => None,
            Verdict::Undetermined { other, from_ply } => Some((from_ply, other.join(" "))),
        }
    }
}

fn instead(from_ply: usize, other: &str) -> Option<(usize, String)> {
    Some((from_ply, other.to_owned()))
}

const PASSING: &str = "4k3/8/8/8/2p5/8/1P6/4K3 w - - 0 1";

#[test]
fn one_step_or_two_and_taken_within_a_scan() {
    // b4 is read at 1186 and 1406, b3 at 1158 and 1378.
    let quick = Case::new(PASSING, true, "1000 b2 ., 1200 b4 P, 1290 c4 ., 1375 b3 p, 1390 b4 .");
    assert_eq!(quick.played("b2b4 1200, c4b3 1390"), instead(1, "b2b3"));
    let read = Case::new(PASSING, true, "1000 b2 ., 1200 b4 P, 1290 c4 ., 1375 b3 p, 1420 b4 .");
    assert_eq!(read.played("b2b4 1200, c4b3 1420"), None);
    let quick = Case::new(PASSING, true, "1000 b2 ., 1200 b3 P, 1290 b3 ., 1300 c4 ., 1375 b3 p");
    assert_eq!(quick.played("b2b3 1200, c4b3 1375"), instead(1, "b2b4"));
    let read = Case::new(PASSING, true, "1000 b2 ., 1100 b3 P, 1290 b3 ., 1300 c4 ., 1375 b3 p");
    assert_eq!(read.played("b2b3 1100, c4b3 1375"), None);
}

#[test]
fn moments_that_nobody_knows_are_taken_from_the_stream() {
    let read = Case::new(PASSING, true, "1000 b2 ., 1200 b4 P, 1290 c4 ., 1375 b3 p, 1420 b4 .");
    assert_eq!(read.played("b2b4 -, c4b3 -"), None);
    let quick = Case::new(PASSING, true, "1000 b2 ., 1200 b4 P, 1290 c4 ., 1375 b3 p, 1390 b4 .");
    assert_eq!(quick.played("b2b4 1200, c4b3 -"), instead(1, "b2b3"));
}

#[test]
fn a_piece_that_goes_on_within_a_scan_may_have_stood_elsewhere() {
    // d4 is read at 1193 and 1413.
    let fen = "4k3/7p/8/8/8/8/3R4/4K3 w - - 0 1";
    let acts = "1000 d2 ., 1200 d4 R, 1250 h7 ., 1310 h6 p, 1330 d4 ., 1480 d8 R";
    let line = "d2d4 1200 1270, h7h6 1310, d4d8 1480";
    let other = Case::new(fen, true, acts).played(line).unwrap();
    assert_eq!((other.0, &other.1[..2]), (1, "d2"), "d4 was never read");
    let read = Case::new(fen, true, "1000 d2 ., 1190 d4 R, 1250 h7 ., 1310 h6 p, 1420 d4 ., 1580 d8 R");
    assert_eq!(read.played("d2d4 1190, h7h6 1310, d4d8 1580"), None);
}

#[test]
fn a_piece_that_is_taken_at_once_stood_where_the_other_stands() {
    let taken = Case::new("4k3/8/4p3/8/8/2N5/8/4K3 w - - 0 1", true, "1000 c3 ., 1210 d5 N, 1230 e6 ., 1300 d5 ., 1360 d5 p");
    assert_eq!(taken.played("c3d5 1210, e6d5 1360"), None);
}

#[test]
fn what_a_pawn_became_is_told_by_a_reading_alone() {
    let fen = "8/3kP3/8/8/8/8/8/4K3 w - - 0 1";
    // e8 is read at 1086, 1306 and 1526.
    let quick = Case::new(fen, true, "1000 e7 ., 1320 e8 Q, 1400 e8 ., 1410 d7 ., 1500 e8 k");
    let (from_ply, other) = quick.played("e7e8q 1320, d7e8 1500").unwrap();
    assert!(from_ply == 1 && other.starts_with("e7e8") && other != "e7e8q", "{other}");
    let read = Case::new(fen, true, "1000 e7 ., 1300 e8 Q, 1400 e8 ., 1410 d7 ., 1500 e8 k");
    assert_eq!(read.played("e7e8q 1300, d7e8 1500"), None);
}

#[test]
fn a_board_without_identities_tells_a_capture_by_the_square_that_was_empty() {
    let fen = "4k3/8/8/3p1p2/8/3Q4/8/4K3 w - - 0 1";
    let pushed = "1000 d3 ., 1400 d5 Q";
    let lifted = "700 d5 ., 1000 d3 ., 1400 d5 Q";
    let line = "d3d5 1400";
    assert_eq!(Case::new(fen, false, pushed).played(line), instead(1, "d3f5"));
    assert_eq!(Case::new(fen, false, lifted).played(line), None);
    assert_eq!(Case::new(fen, true, pushed).played(line), None);
}

#[test]
fn what_was_touched_besides_tells_nothing() {
    let fen = "4k3/8/8/3p1p2/8/3Q4/8/4K3 w - - 0 1";
    // The king is put right, the other pawn loose.
    let acts = "300 e1 ., 600 e1 K, 700 f5 ., 1000 d3 ., 1350 f5 p, 1400 d5 Q";
    assert_eq!(Case::new(fen, true, acts).played("d3d5 1400"), None);
    // Without identities the pawn that was lifted is rather the one that was taken.
    assert_eq!(Case::new(fen, false, acts).played("d3d5 1400"), instead(1, "d3f5"));
}

#[test]
fn a_lost_frame_may_have_been_of_any_square_until_the_next_dump() {
    let fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
    let mut case = Case::new(fen, true, "1000 e2 ., 1400 e4 P");
    assert_eq!(case.played("e2e4 1400"), None);
    let e4 = case.seen.iter().position(|(_, seen)| matches!(seen, Seen::Square { square: 28, .. })).unwrap();
    let t = case.seen[e4].0;
    case.seen[e4].1 = Seen::Lost;
    assert_eq!(case.played("e2e4 1400"), instead(1, "e2e3"));
    let mut dump = [0; 64];
    (dump[4], dump[28], dump[60]) = (5, 1, 11);
    case.seen.push((t + 500, Seen::Dump(Box::new(dump))));
    assert_eq!(case.played("e2e4 1400"), None);
}

#[allow(clippy::disallowed_methods, reason = "how long it takes is printed, and decides nothing")]
fn now() -> Instant {
    Instant::now()
}

/// One simulated game and what the observer says of it, with the time that took.
fn of(game: &PgnGame, options: &Options) -> (Observed, Duration) {
    let stream = stream(game, options);
    let chunks = stream.chunks().map(|(t, bytes)| (t.millis(), bytes));
    let truth = &stream.truth;
    let ply = |ply: &flagfall_simulator::script::PlyTruth| Ply { uci: ply.uci.clone(), stood: Some(ply.last_down), pressed: ply.press };
    let plies: Vec<Ply> = truth.plies.iter().map(ply).collect();
    let begun = now();
    let seen = feed::read(chunks, options.turned, options.side().map(|side| side == Side::Left));
    let observed = observe(&Game {
        start: &game.start,
        mode: game.mode,
        plies: &plies,
        seen: &seen,
        began: truth.began.min(truth.plies[0].last_down),
        until: stream.lines.last().unwrap().0.millis(),
        scan_ms: options.device(game).scan_ms(),
        phases: None,
        identified: !options.occupancy,
        promotions_known: options.occupancy,
    });
    (observed, begun.elapsed())
}

#[test]
fn the_older_hands_are_as_fast_as_hands_can_be() {
    for (n, game) in bundled().iter().enumerate() {
        for kind in [Kind::Human, Kind::Blitz] {
            let observed = of(game, &Options::new(kind, n as u64)).0;
            println!("{kind:?} hands, game {}: {:?}", n + 1, observed.verdict);
            assert_eq!((observed.cut, observed.strange), (0, 0), "{kind:?} game {}", n + 1);
        }
    }
}

#[test]
fn clean_games_are_determined() {
    for (n, game) in bundled().iter().enumerate() {
        for clock_white in [ClockSide::Usual, ClockSide::None] {
            let observed = of(game, &Options { clock_white, ..Options::new(Kind::Clean, n as u64) }).0;
            let expected = Observed { verdict: Verdict::Determined, hurried: 0, cut: 0, strange: 0 };
            assert_eq!(observed, expected, "game {}", n + 1);
        }
    }
}

/// A turned board and a turned clock are told alike.
#[test]
fn a_turned_board_shows_the_same() {
    for seed in [1, 3, 5] {
        let options = Options { turned: true, clock_white: ClockSide::Turned, ..Options::people(Tempo::Rapid, seed) };
        assert_eq!(of(&bundled()[seed as usize], &options).0.verdict, Verdict::Determined, "seed {seed}");
    }
}

/// Another board.
type Change = fn(&mut Options);

/// `FLAGFALL_OBSERVED=100` observes more of them.
#[test]
fn nearly_all_games_of_many_people_are_determined() {
    let boards: [(&str, u64, Change); 5] = [
        ("", 24, |_| {}),
        ("no clock", 8, |o| o.clock_white = ClockSide::None),
        ("scan 440", 8, |o| o.scan_ms = Some(440)),
        ("occupancy", 8, |o| o.occupancy = true),
        ("1 % lost", 8, |o| (o.damage, o.verify_ms) = (0.01, Some(1_000))),
    ];
    let asked: Option<u64> = std::env::var("FLAGFALL_OBSERVED").ok().and_then(|n| n.parse().ok());
    // The bundled ones are too few to say much, and hold more promotions and pawns taken in passing than games do.
    let games = match std::fs::read("../shared/games/otb-gnuchess-book.pgn") {
        Ok(text) => read_games(&text).unwrap(),
        Err(_) => bundled(),
    };
    for (board, most, change) in boards {
        let most = asked.unwrap_or(most);
        for tempo in Tempo::ALL {
            let (mut determined, mut hurried, mut cut, mut strange, mut took) = (0, 0, 0, 0, Duration::ZERO);
            for n in 0..most {
                let mut options = Options::people(tempo, 2 * n + 1);
                change(&mut options);
                let (observed, lasted) = of(&games[n as usize % games.len()], &options);
                took += lasted;
                (hurried, cut, strange) = (hurried + observed.hurried, cut + observed.cut, strange + observed.strange);
                match observed.verdict {
                    Verdict::Determined => determined += 1,
                    Verdict::Undetermined { other, from_ply } => {
                        println!("    {} {board} seed {}, from ply {from_ply}: {}", tempo.as_str(), options.seed, other.join(" "));
                    }
                }
            }
            let each = took / u32::try_from(most).unwrap_or(u32::MAX).max(1);
            println!("{} {board}: {determined} of {most} determined, {hurried} plies hurried, {cut} cut, {each:.1?} each", tempo.as_str());
            assert_eq!(strange, 0, "{tempo:?} {board}: hands are faster than they can be");
            let slow = matches!(tempo, Tempo::Classical | Tempo::Rapid) && board.is_empty();
            assert!(!slow || determined * 20 >= most * 19, "{tempo:?}: {determined} of {most}");
        }
    }
}

//! The hands of many people: their habits lie in their ranges, what they tell is what they do, and every game ends as it was played.
use super::deeds::{Begun, Castling, Passing, Pressed, Promoting, Taking, What};
use super::games::{PgnGame, bundled, read_games};
use super::people::{Board, ClockDelay, Tempo};
use super::person::Person;
use super::scanner::ScanOrder;
use super::script::{Act, Script, squares_of};
use super::stream::{Options, stream};
use super::stream_tests::{after, final_position};
use dgt_protocol::square::PieceCode;
use rand::SeedableRng as _;
use rand_chacha::ChaCha8Rng;
use shakmaty::Position as _;
use std::collections::BTreeMap;

/// Enough of a game to meet every way of moving.
const PROMOTES: &str =
    "[FEN \"1n2k2r/P6p/8/3pP3/8/8/8/R3K3 w Qk d6 0 1\"]\n\n1.exd6 O-O 2.O-O-O Kg7 3.d7 h5 4.d8=N h4 5.axb8=Q h3 6.Qe5+ 1-0";

/// Chess960: king and rook change places, and a king castles where it stands.
const CROSSED: &str = "[Variant \"Chess960\"]\n[FEN \"r1k5/pppppppp/8/8/8/8/PPPPPPPP/R4KR1 w GAa - 0 1\"]\n\n1.O-O O-O-O *";

fn games() -> Vec<PgnGame> {
    let mut games = bundled();
    games.extend(read_games(PROMOTES.as_bytes()).unwrap());
    games.extend(read_games(CROSSED.as_bytes()).unwrap());
    games
}

/// Scripts of all games with many seeds.
fn scripts(tempo: Tempo, seeds: u64) -> impl Iterator<Item = (PgnGame, u64, Script)> {
    let games = games();
    (0..seeds).map(move |seed| {
        let game = games[seed as usize % games.len()].clone();
        let script = Options::people(tempo, seed).script(0, &game, None);
        (game, seed, script)
    })
}

/// No piece is in two places, and nothing comes from nowhere but the pieces that pawns become.
fn pieces_are_conserved(script: &Script, game: &PgnGame) {
    let count = |squares: &[PieceCode; 64], piece| squares.iter().filter(|p| **p == piece).count();
    let mut most: BTreeMap<u8, usize> = BTreeMap::new();
    let mut position = game.start.clone();
    for m in std::iter::once(None).chain(game.moves.iter().map(Some)) {
        if let Some(m) = m {
            position.play_unchecked(*m);
        }
        let squares = squares_of(position.board());
        for piece in squares {
            let most = most.entry(piece as u8).or_default();
            *most = (*most).max(count(&squares, piece));
        }
    }
    let mut squares = script.before;
    for step in &script.steps {
        match step.act {
            Act::Lift(square) => squares[square.to_usize()] = PieceCode::Empty,
            Act::Put(square, piece) => {
                squares[square.to_usize()] = piece;
                assert!(count(&squares, piece) <= most[&(piece as u8)], "{piece:?} twice at {}", step.at);
            }
            _ => {}
        }
    }
}

#[test]
fn every_game_ends_as_it_was_played() {
    for tempo in Tempo::ALL {
        for (game, seed, script) in scripts(tempo, 150) {
            assert_eq!(after(&script), squares_of(final_position(&game).board()), "{tempo:?} {seed}");
            pieces_are_conserved(&script, &game);
            assert_eq!(script.truth.uci(), game.uci());
            assert!(script.steps.is_sorted_by_key(|step| step.at));
        }
    }
}

#[test]
fn everything_that_hands_do_is_told() {
    for tempo in Tempo::ALL {
        for (_, seed, script) in scripts(tempo, 150) {
            let mut told: Vec<(u64, Act)> = Vec::new();
            for touch in script.truth.plies.iter().flat_map(|ply| &ply.how.as_ref().unwrap().touches) {
                let lifted = touch.piece == PieceCode::Empty;
                told.push((touch.at, if lifted { Act::Lift(touch.square) } else { Act::Put(touch.square, touch.piece) }));
            }
            for deed in &script.truth.deeds {
                match deed.what {
                    What::Parked | What::PushedAside => told.push((deed.until, Act::Lift(deed.to.unwrap()))),
                    _ => {
                        let before = script.steps.iter().filter(|step| step.at <= deed.until);
                        let put = before.rev().find(|step| matches!(step.act, Act::Put(square, _) if square == deed.square)).unwrap();
                        told.extend([(deed.at, Act::Lift(deed.square)), (deed.until, put.act)]);
                    }
                }
            }
            let hands = |step: &&super::script::TimedAct| matches!(step.act, Act::Lift(_) | Act::Put(..));
            let mut done: Vec<(u64, Act)> = script.steps.iter().filter(hands).map(|step| (step.at, step.act)).collect();
            // What was knocked over and rolled lay elsewhere meanwhile.
            for deed in script.truth.deeds.iter().filter(|deed| deed.what == What::Knocked) {
                let Some(to) = deed.to else { continue };
                let there = |(at, act): &(u64, Act)| {
                    (deed.at..=deed.until).contains(at) && matches!(act, Act::Lift(square) | Act::Put(square, _) if *square == to)
                };
                done.retain(|step| !there(step));
            }
            let order = |list: &mut Vec<(u64, Act)>| list.sort_by_key(|(at, act)| (*at, format!("{act:?}")));
            order(&mut told);
            order(&mut done);
            assert_eq!(told, done, "{tempo:?} {seed}");
        }
    }
}

#[test]
fn a_player_has_one_hand_for_his_move_and_the_clock() {
    for tempo in Tempo::ALL {
        for (_, seed, script) in scripts(tempo, 150) {
            for (index, ply) in script.truth.plies.iter().enumerate() {
                let how = ply.how.as_ref().unwrap();
                let first = how.touches.iter().map(|touch| touch.at).min().unwrap();
                let own = index.checked_sub(2).map_or(0, |own| script.truth.plies[own].press.unwrap() + 100);
                let opponents = index.checked_sub(1).map_or(script.truth.began, |index| script.truth.plies[index].press.unwrap());
                let press = ply.press.unwrap_or(u64::MAX);
                assert!(
                    own <= first && first <= how.lifted && how.lifted <= how.dropped && how.dropped <= press,
                    "{tempo:?} {seed} {ply:?}"
                );
                assert!(how.dropped == ply.last_down && opponents <= press, "{tempo:?} {seed} {ply:?}");
                let early = first < opponents;
                assert_eq!(early, matches!(how.begun, Begun::BeforeThePress | Begun::BeforeTheMove), "{tempo:?} {seed} {ply:?}");
            }
        }
    }
}

#[test]
fn whole_collections_end_as_they_were_played() {
    for (file, every) in [("otb-gnuchess-book.pgn", 60), ("otb-underpromotions.pgn", 1)] {
        let Ok(text) = std::fs::read(std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/games").join(file)) else {
            println!("skipped: ../shared/games/{file} is not there");
            continue;
        };
        for (seed, game) in (0..).zip(read_games(&text).unwrap().iter().step_by(every)) {
            for tempo in Tempo::ALL {
                let script = Options::people(tempo, seed).script(0, game, None);
                assert_eq!(after(&script), squares_of(final_position(game).board()), "{file} {} {tempo:?}", game.number);
                pieces_are_conserved(&script, game);
            }
        }
    }
}

#[test]
fn habits_lie_in_their_ranges_and_reach_their_ends() {
    for tempo in Tempo::ALL {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let people: Vec<Person> = (0..3000).map(|_| Person::draw(tempo, &mut rng)).collect();
        let within = |what: &str, low: f64, high: f64, of: &dyn Fn(&Person) -> f64| {
            let mut drawn: Vec<f64> = people.iter().map(of).collect();
            drawn.sort_by(f64::total_cmp);
            let (least, most) = (drawn[0], drawn[drawn.len() - 1]);
            assert!(least >= low && most <= high, "{tempo:?} {what}: {least} to {most}");
            assert!(least - low < 0.02 * (high - low) && high - most < 0.02 * (high - low), "{tempo:?} {what}: {least} to {most}");
        };
        within("think", 0.316, 3.163, &|p| p.think);
        within("hand", 0.25, 1.8, &|p| p.hand);
        within("slides", 0.0, 0.8, &|p| p.slides);
        within("glimpses", 0.0, 0.15, &|p| p.glimpses);
        // By ratio: as many below the middle of the decade as above.
        let slow = people.iter().filter(|p| p.think > 1.0).count();
        assert!((slow as f64 / people.len() as f64 - 0.5).abs() < 0.03, "{tempo:?}: {slow}");
        assert!(people.iter().all(|p| p.taking.iter().all(|weight| *weight > 0.0)));
    }
}

#[test]
fn boards_lie_in_their_ranges() {
    let boards: Vec<Board> = (0..2000).map(Board::draw).collect();
    let range = |of: fn(&Board) -> u64| (boards.iter().map(of).min().unwrap(), boards.iter().map(of).max().unwrap());
    assert_eq!(range(|board| board.scan_ms), (190, 260));
    assert_eq!(range(|board| board.clock.usual_ms), ClockDelay::RANGE);
    assert!(ScanOrder::ALL.iter().all(|order| boards.iter().filter(|board| board.order == *order).count() > 400));
    assert!(boards.iter().all(|board| (0.0..=0.02).contains(&board.clock.late)));
}

/// Press to press, seconds, sorted.
fn move_times(tempo: Tempo) -> Vec<f64> {
    let mut times = Vec::new();
    for (_, _, script) in scripts(tempo, 270) {
        let mut since = script.truth.began;
        for ply in &script.truth.plies {
            let Some(press) = ply.press else { continue };
            times.push((press - since) as f64 / 1000.0);
            since = press;
        }
    }
    times.sort_by(f64::total_cmp);
    times
}

#[test]
fn move_times_are_those_of_real_games() {
    // 10, 25, 50, 75, 90 % of the moves, seconds (World Cup 2025); the clock of a simulated game ends the longest thoughts.
    let real = [
        (Tempo::Classical, [5.0, 12.0, 53.0, 178.0, 395.0]),
        (Tempo::Rapid, [1.0, 2.0, 9.0, 29.0, 68.0]),
        (Tempo::Blitz, [0.5, 1.1, 3.0, 8.0, 19.0]),
    ];
    for (tempo, real) in real {
        let times = move_times(tempo);
        for (share, wanted) in [0.1, 0.25, 0.5, 0.75, 0.9].into_iter().zip(real) {
            let found = times[(times.len() as f64 * share) as usize];
            println!("{tempo:?} {share}: {found} s, real games {wanted} s");
            assert!(found / wanted < 2.0 && wanted / found < 2.0, "{tempo:?} {share}: {found} for {wanted}");
        }
    }
}

#[test]
fn every_way_and_every_deed_comes_at_every_pace() {
    for tempo in Tempo::ALL {
        let mut seen: BTreeMap<String, u32> = BTreeMap::new();
        let mut saw = |what: String| *seen.entry(what).or_default() += 1;
        for (_, _, script) in scripts(tempo, 720) {
            for how in script.truth.plies.iter().filter_map(|ply| ply.how.as_ref()) {
                how.taken.iter().for_each(|way| saw(format!("{way:?}")));
                how.passed.iter().for_each(|way| saw(format!("passed {way:?}")));
                how.castled.iter().for_each(|way| saw(format!("{way:?}")));
                how.promoted.iter().for_each(|way| saw(format!("{way:?}")));
                saw(format!("{:?}", how.begun));
                saw(format!("{:?}", how.pressed));
                let kinds = [("slid", &how.slid), ("rested", &how.rested), ("revised", &how.revised), ("glimpsed", &how.glimpsed)];
                kinds.into_iter().filter(|(_, stays)| !stays.is_empty()).for_each(|(kind, _)| saw(kind.to_owned()));
                how.held.iter().for_each(|_| saw("held".to_owned()));
            }
            script.truth.deeds.iter().for_each(|deed| saw(format!("{:?}", deed.what)));
        }
        println!("{tempo:?}: {seen:?}");
        let mut wanted: Vec<String> = Passing::ALL.iter().map(|way| format!("passed {way:?}")).collect();
        wanted.extend(What::ALL.iter().map(|what| format!("{what:?}")));
        wanted.extend(Taking::ALL.iter().map(|way| format!("{way:?}")));
        wanted.extend(Castling::ALL.iter().map(|way| format!("{way:?}")));
        wanted.extend(Promoting::ALL.iter().map(|way| format!("{way:?}")));
        wanted.extend(Begun::ALL.iter().map(|begun| format!("{begun:?}")));
        wanted.extend([Pressed::Usual, Pressed::Late, Pressed::Not].map(|pressed| format!("{pressed:?}")));
        wanted.extend(["slid", "rested", "revised", "glimpsed", "held"].map(str::to_owned));
        let missing: Vec<&String> = wanted.iter().filter(|what| !seen.contains_key(*what)).collect();
        assert!(missing.is_empty(), "{tempo:?}: {missing:?}");
    }
}

#[test]
fn the_same_seed_gives_the_same_bytes_and_another_one_others() {
    let game = &bundled()[0];
    for tempo in Tempo::ALL {
        let played = |seed| stream(game, &Options::people(tempo, seed));
        assert!(played(5).lines == played(5).lines && played(5).truth == played(5).truth);
        assert!(played(5).lines != played(6).lines);
    }
}

//! Games in a row by players with habits: each begins from its start position, and habits come as often as they should.
use super::games::bundled;
use super::habits::{Around, Ended, Habits};
use super::incident::When;
use super::pace::Kind;
use super::script::{Act, Script, squares_of};
use super::stream::{Options, stream, stream_of};
use dgt_protocol::square::PieceCode;
use flagfall_events::GameResult;
use shakmaty::Position as _;

const KINDS: [Kind; 3] = [Kind::Clean, Kind::Human, Kind::Blitz];
const GAMES: usize = 400;

fn people(kind: Kind) -> Options {
    // A minute for all moves: flags may fall.
    Options { show_result: true, habits: Habits::people(kind), control: Some("60".parse().unwrap()), ..Options::new(kind, 1) }
}

/// A row of games on one board.
fn row(options: &Options) -> Vec<Script> {
    let games = bundled();
    let mut scripts: Vec<Script> = Vec::new();
    for index in 0..GAMES {
        let before = scripts.last().map(Script::after);
        scripts.push(options.script(index, &games[index % games.len()], before));
    }
    scripts
}

/// What stands when all is ready for the clock's start, two seconds before it.
fn at_the_start(script: &Script) -> super::script::Squares {
    let steps = script.steps.iter().copied().take_while(|step| step.at + 2000 <= script.truth.began);
    Script { steps: steps.collect(), ..script.clone() }.after()
}

#[test]
fn the_start_position_stands_and_the_clock_is_set_when_the_clock_is_started() {
    let games = bundled();
    for kind in KINDS {
        for (index, script) in row(&people(kind)).iter().enumerate() {
            let game = &games[index % games.len()];
            assert_eq!(at_the_start(script), squares_of(game.start.board()), "{kind:?} {index}");
            assert_eq!(script.truth.uci(), game.uci(), "{kind:?} {index}");
            assert!(script.steps.is_sorted_by_key(|step| step.at));
            let set = script.steps.iter().filter(|step| step.act == Act::ResetClock).map(|step| step.at).max();
            assert!(index == 0 || set.is_some_and(|at| at < script.truth.began), "{kind:?} {index}");
        }
    }
}

#[test]
fn habits_come_as_often_as_they_should() {
    for kind in KINDS {
        let (habits, scripts) = (Habits::people(kind), row(&people(kind)));
        let share = |of: &dyn Fn(&Script) -> bool, among: &dyn Fn(&Script) -> bool| {
            let among: Vec<&Script> = scripts.iter().filter(|script| among(script)).collect();
            among.iter().filter(|script| of(script)).count() as f64 / among.len() as f64
        };
        let near = |found: f64, wanted: f64, what: &str| assert!((found - wanted).abs() < 0.08, "{kind:?} {what}: {found} for {wanted}");
        let unshown = |s: &Script| s.truth.ended != Ended::Kings;
        near(share(&unshown, &|_| true), habits.unshown, "unshown");
        near(share(&|s| s.truth.ended == Ended::Left, &|s| unshown(s) && s.truth.ended != Ended::Flag), habits.clock_left, "clock left");
        let around = |around| move |s: &Script| s.truth.around.contains(&around);
        near(share(&around(Around::Analysis), &|s| s.truth.ended != Ended::Left), habits.analysis, "analysis");
        near(share(&around(Around::Opening), &|_| true), habits.opening, "opening");
        near(share(&around(Around::OneLeft), &|_| true), habits.one_left, "one left");
        assert_eq!(scripts.iter().any(|s| s.truth.ended == Ended::Flag), habits.flag > 0.0, "{kind:?}");
    }
}

#[test]
fn kings_stand_in_the_centre_from_one_to_four_seconds() {
    let kings = |squares: &super::script::Squares| {
        [27, 28, 35, 36].iter().filter(|s| matches!(squares[**s], PieceCode::WhiteKing | PieceCode::BlackKing)).count()
    };
    for kind in KINDS {
        let mut stood = Vec::new();
        for script in row(&people(kind)).iter().filter(|script| script.truth.kings_shown) {
            let (mut squares, mut since) = (script.before, None);
            for step in &script.steps {
                match step.act {
                    Act::Lift(square) => squares[square.to_usize()] = PieceCode::Empty,
                    Act::Put(square, piece) => squares[square.to_usize()] = piece,
                    _ => continue,
                }
                match (kings(&squares), since) {
                    (2, None) if step.at > script.truth.over => since = Some(step.at),
                    (0 | 1, Some(at)) => {
                        stood.push(step.at - at);
                        break;
                    }
                    _ => {}
                }
            }
        }
        stood.sort_unstable();
        assert!(stood.len() > GAMES / 2, "{kind:?}: {}", stood.len());
        // A hand that has put the second king down is gone within 0.7 s.
        assert!(stood[0] >= 1000 && stood[stood.len() - 1] <= 4700, "{kind:?}: {} to {}", stood[0], stood[stood.len() - 1]);
    }
}

#[test]
fn a_flag_that_falls_is_the_result() {
    let blitz = people(Kind::Blitz);
    let scripts = row(&blitz);
    let fallen: Vec<&Script> = scripts.iter().filter(|script| script.truth.ended == Ended::Flag).collect();
    for script in &fallen {
        let loser = script.truth.plies.len() % 2 == 0;
        assert_eq!(script.truth.result, if loser { GameResult::BlackWins } else { GameResult::WhiteWins });
        assert!(script.steps.iter().all(|step| step.act != Act::StopClock));
    }
    // The device's own clock shows it, too.
    let game = &bundled()[0];
    let falls = |seed: &u64| Options { seed: *seed, ..blitz.clone() }.script(0, game, None).truth.ended == Ended::Flag;
    let seed = (0..200).find(falls).expect("one falls");
    let stream = stream(game, &Options { seed, ..blitz.clone() });
    let flag = |bytes: &[u8]| matches!(bytes, [0x8D, 0, 10, right, _, _, left, ..] if (right | left) & 0x10 != 0);
    assert!(stream.chunks().any(|(_, bytes)| flag(bytes)));
}

#[test]
fn mishaps_change_nothing_of_other_games_and_are_told() {
    for kind in KINDS {
        let usual = row(&people(kind));
        let options = Options { habits: Habits { mishaps: 0.3, ..Habits::people(kind) }, ..people(kind) };
        let scripts = row(&options);
        let hit = scripts.iter().filter(|script| !script.truth.incidents.is_empty()).count();
        assert!((GAMES / 5..GAMES * 2 / 5).contains(&hit), "{kind:?}: {hit}");
        assert_eq!(scripts[0].truth.incidents.is_empty(), scripts[0].steps == usual[0].steps);
        for script in scripts {
            let played = script.truth.plies.len();
            assert!(script.truth.incidents.iter().all(|i| matches!(i.when, When::Ply(ply) if ply as usize <= played)));
        }
    }
}

#[test]
fn a_row_of_one_game_without_habits_is_that_game() {
    let games = bundled();
    for kind in KINDS {
        let options = Options::new(kind, 3);
        assert!(stream(&games[0], &options).lines == stream_of(&games[..1], &options).lines);
        let two = stream_of(&games[..2], &options);
        assert_eq!(two.games.iter().map(super::script::Truth::uci).collect::<Vec<_>>(), [games[0].uci(), games[1].uci()]);
    }
}

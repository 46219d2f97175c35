//! The hands of many people on every kind of board: each option does what it says and nothing else.
use super::clock::Side;
use super::deeds::Pressed;
use super::games::{PgnGame, bundled};
use super::habits::{Around, Ended, Habits};
use super::people::{ClockDelay, Tempo};
use super::script::{Act, Script, squares_of, wire_of};
use super::stream::{ClockSide, Options, Stream, stream, stream_of};
use super::stream_tests::final_position;
use dgt_protocol::clock::{ClockReport, ClockTimes, Lever};
use dgt_protocol::message::Message;
use dgt_protocol::receiver::{Receiver, Single};
use dgt_protocol::square::PieceCode;
use flagfall_game::settings::ClockWhite;
use shakmaty::{Position as _, Square};

/// What a host understands, with the time of each.
fn messages(stream: &Stream) -> Vec<(u64, Message)> {
    let mut receiver = Receiver::new(Single::Dgt);
    let mut messages = Vec::new();
    for (t, bytes) in stream.chunks() {
        messages.extend(receiver.feed(t.millis(), bytes).flatten().map(|message| (t.millis(), message)));
    }
    messages
}

/// The board as it was last told.
fn image(stream: &Stream) -> [PieceCode; 64] {
    let mut image = [PieceCode::Empty; 64];
    for (_, message) in messages(stream) {
        match message {
            Message::BoardDump(dump) => image = *dump,
            Message::FieldUpdate { square, piece } => image[usize::from(square.index())] = piece,
            _ => {}
        }
    }
    image
}

/// When the lever was told to have changed.
fn lever_changes(stream: &Stream) -> Vec<(u64, ClockTimes)> {
    let mut last = None;
    let mut changes = Vec::new();
    for (t, message) in messages(stream) {
        if let Message::Clock(ClockReport::Time(times)) = message
            && last.replace(times.lever).is_some_and(|lever| lever != times.lever)
        {
            changes.push((t, times));
        }
    }
    changes
}

/// A game a pace, with these seeds: thinking is shortened, hands and sensors are not.
fn played(seeds: std::ops::Range<u64>, change: impl Fn(&mut Options)) -> impl Iterator<Item = (PgnGame, Options, Stream)> {
    let games = bundled();
    let all = seeds.flat_map(|seed| Tempo::ALL.map(|tempo| (seed, tempo)));
    all.map(move |(seed, tempo)| {
        let mut options = Options { speed: 20.0, ..Options::people(tempo, seed) };
        change(&mut options);
        let game = games[seed as usize % games.len()].clone();
        let stream = stream(&game, &options);
        (game, options, stream)
    })
}

fn standing(game: &PgnGame, turned: bool) -> [PieceCode; 64] {
    let squares = squares_of(final_position(game).board());
    let mut fields = [PieceCode::Empty; 64];
    for square in Square::ALL {
        fields[usize::from(wire_of(square, turned).index())] = squares[square.to_usize()];
    }
    fields
}

#[test]
fn every_press_is_told_once_and_late_by_the_clocks_own_delay() {
    let (mut least, mut most) = (u64::MAX, 0);
    for (game, options, stream) in played(0..24, |_| {}) {
        assert_eq!(image(&stream), standing(&game, false), "{options:?}");
        let presses: Vec<u64> = stream.truth.plies.iter().filter_map(|ply| ply.press).collect();
        let asked = stream.truth.plies.iter().filter(|ply| ply.how.as_ref().unwrap().pressed != Pressed::Not).count();
        assert_eq!(presses.len(), asked, "a press had no effect: {options:?}");
        let told = lever_changes(&stream);
        assert_eq!(told.len(), presses.len(), "{options:?}");
        let delay = options.board().unwrap().clock;
        for (press, (t, times)) in presses.iter().zip(&told) {
            let after = t - press;
            // The wire is busy with other messages, too: ten of them take a tenth of a second.
            assert!(after >= delay.usual_ms * 4 / 5 && after <= ClockDelay::LATE_MS + 150, "{after} ms, {options:?}");
            (least, most) = (least.min(after), most.max(after));
            assert!(times.running && !times.left.flag_blocked && !times.right.flag_blocked, "{options:?}");
        }
    }
    assert!(least < 30 && (700..850).contains(&most), "{least} to {most}");
}

#[test]
fn nobody_runs_out_of_time() {
    let games = bundled();
    for tempo in Tempo::ALL {
        for seed in 0..40 {
            let options = Options::people(tempo, seed);
            // Three games in one: long enough to need the increment.
            let mut game = games[6].clone();
            game.moves = game.moves.iter().copied().take(4).collect();
            let back = ["g1f3", "g8f6", "f3g1", "f6g8"];
            let mut position = final_position(&PgnGame { moves: Vec::new(), ..game.clone() });
            game.moves.clear();
            for uci in back.iter().cycle().take(400) {
                let m = uci.parse::<shakmaty::uci::UciMove>().unwrap().to_move(&position).unwrap();
                position.play_unchecked(m);
                game.moves.push(m);
            }
            let script = options.script(0, &game, None);
            let control = options.control();
            let period = control.periods()[0];
            let mut left = [i64::from(period.base_s + period.bonus_s) * 1000; 2];
            let mut since = script.truth.began;
            for (index, ply) in script.truth.plies.iter().enumerate() {
                let Some(press) = ply.press else { continue };
                left[index % 2] -= i64::try_from(press - since).unwrap();
                assert!(left[index % 2] > 0, "{tempo:?} {seed} ply {}", index + 1);
                left[index % 2] += i64::from(period.bonus_s) * 1000;
                since = press;
            }
        }
    }
}

#[test]
fn without_a_clock_nothing_is_told_of_one() {
    for (game, _, stream) in played(0..4, |options| options.clock_white = ClockSide::None) {
        assert!(messages(&stream).iter().all(|(_, message)| !matches!(message, Message::Clock(ClockReport::Time(_)))));
        assert!(stream.truth.plies.iter().all(|ply| ply.press.is_none() && ply.clock.is_none()));
        assert!(stream.settings.clock_white == ClockWhite::None && stream.settings.time_control.is_none());
        assert_eq!(image(&stream), standing(&game, false));
    }
}

#[test]
fn a_damaged_frame_is_lost_and_nothing_reads_as_something_else() {
    let (mut sent, mut lost) = (0, 0);
    for (game, options, damaged) in played(0..16, |options| options.damage = 0.01) {
        let whole = messages(&stream(&game, &Options { damage: 0.0, ..options }));
        let understood = messages(&damaged);
        let mut rest = whole.iter().map(|(_, message)| message);
        assert!(understood.iter().all(|(_, message)| rest.any(|sent| sent == message)), "something was read that was not sent");
        sent += whole.len();
        lost += whole.len() - understood.len();
    }
    let share = lost as f64 / sent as f64;
    assert!(sent > 10_000 && (0.007..0.013).contains(&share), "{lost} of {sent}");
}

#[test]
fn a_slow_board_reads_every_square_so_seldom() {
    for (_, options, stream) in played(0..8, |options| options.scan_ms = Some(440)) {
        assert_eq!((options.board().unwrap().scan_ms, options.device(&bundled()[0]).scan_ms()), (440, 440));
        let mut last = [None; 64];
        for (t, message) in messages(&stream) {
            let Message::FieldUpdate { square, .. } = message else { continue };
            let before: Option<u64> = last[usize::from(square.index())].replace(t);
            // What waits on the wire comes later than it was read.
            assert!(before.is_none_or(|before| t - before + 80 >= 440), "{options:?} at {t}");
        }
    }
}

#[test]
fn a_clock_turned_round_tells_the_other_side_and_nobody_says_so() {
    let first = |stream: &Stream| lever_changes(stream)[0].1.lever;
    let usual: Vec<Lever> = played(0..3, |_| {}).map(|(_, _, stream)| first(&stream)).collect();
    assert!(usual.iter().all(|lever| *lever == Lever::RightHigh));
    for (_, options, stream) in played(0..3, |options| options.clock_white = ClockSide::Turned) {
        assert_eq!((options.side(), first(&stream)), (Some(Side::Right), Lever::LeftHigh));
        assert_eq!(stream.settings.clock_white, ClockWhite::Auto);
    }
}

#[test]
fn a_turned_board_and_one_without_identities_show_the_same_squares() {
    for (game, _, stream) in played(0..4, |options| options.turned = true) {
        assert_eq!(image(&stream), standing(&game, true));
    }
    for (game, _, stream) in played(0..4, |options| options.occupancy = true) {
        let occupied = standing(&game, false).map(|piece| if piece == PieceCode::Empty { piece } else { PieceCode::WhitePawn });
        assert_eq!(image(&stream), occupied);
    }
}

/// A row of games on one board, by people who end them as people do.
fn row(tempo: Tempo, games: usize) -> Vec<Script> {
    let options = Options { habits: Habits::MANY, show_result: true, ..Options::people(tempo, 7) };
    let bundled = bundled();
    let mut scripts: Vec<Script> = Vec::new();
    for index in 0..games {
        let before = scripts.last().map(Script::after);
        scripts.push(options.script(index, &bundled[index % bundled.len()], before));
    }
    scripts
}

#[test]
fn games_in_a_row_begin_from_the_start_and_end_as_people_end_them() {
    let games = bundled();
    for tempo in Tempo::ALL {
        let scripts = row(tempo, 120);
        for (index, script) in scripts.iter().enumerate() {
            let game = &games[index % games.len()];
            let ready = script.steps.iter().copied().take_while(|step| step.at + 2000 <= script.truth.began);
            let ready = Script { steps: ready.collect(), ..script.clone() };
            assert_eq!(ready.after(), squares_of(game.start.board()), "{tempo:?} {index}");
            assert_eq!(script.truth.uci(), game.uci());
        }
        let share = |of: &dyn Fn(&Script) -> bool| scripts.iter().filter(|script| of(script)).count() as f64 / 120.0;
        let near = |found: f64, wanted: f64, what: &str| assert!((found - wanted).abs() < 0.15, "{tempo:?} {what}: {found} for {wanted}");
        near(share(&|s| s.truth.ended == Ended::Kings), 1.0 - Habits::MANY.unshown, "kings");
        near(share(&|s| s.truth.around.contains(&Around::Analysis)), Habits::MANY.analysis, "analysis");
        near(share(&|s| s.truth.around.contains(&Around::SetUp)), Habits::MANY.set_up, "set up at once");
        // No two games are played by the same people.
        assert!(scripts.windows(2).all(|two| two[0].truth.people != two[1].truth.people));
    }
    let options = Options { habits: Habits::MANY, show_result: true, speed: 50.0, ..Options::people(Tempo::Blitz, 9) };
    let stream = stream_of(&games[..3], &options);
    assert_eq!(
        stream.games.iter().map(super::script::Truth::uci).collect::<Vec<_>>(),
        games[..3].iter().map(PgnGame::uci).collect::<Vec<_>>()
    );
    assert!(stream.games.windows(2).all(|two| two[0].over < two[1].began));
}

#[test]
fn kings_stand_in_the_centre_from_one_to_ten_seconds() {
    let centre = [Square::D4, Square::E4, Square::D5, Square::E5].map(Square::to_usize);
    let mut stood = Vec::new();
    for script in row(Tempo::Rapid, 200).into_iter().filter(|script| script.truth.kings_shown) {
        let (mut squares, mut since) = (script.before, None);
        for step in &script.steps {
            match step.act {
                Act::Lift(square) => squares[square.to_usize()] = PieceCode::Empty,
                Act::Put(square, piece) => squares[square.to_usize()] = piece,
                _ => continue,
            }
            let kings = centre.iter().filter(|s| matches!(squares[**s], PieceCode::WhiteKing | PieceCode::BlackKing)).count();
            match (kings, since) {
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
    // A hand that has put the second king down is gone within 0.7 s.
    assert!(stood[0] >= 1000 && stood[stood.len() - 1] <= 10_700 && stood[stood.len() / 2] > 4000, "{stood:?}");
}

//! A cable that is out for some plies of a simulated game: a real session finds them, from what stands or from the board's own log.
#![allow(clippy::unwrap_used, reason = "a test may")]

use crate::rig::Rig;
use flagfall_events::{Body, How, Wall};
use flagfall_game::board::Board;
use flagfall_simulator::games::{PgnGame, read_games};
use flagfall_simulator::pace::Kind;
use flagfall_simulator::stream::Options;

const GAME: &[u8] = b"1.e4 e5 2.Nf3 Nc6 3.Bb5 a6 4.Ba4 Nf6 5.O-O Be7 6.Re1 b5 7.Bb3 d6 8.c3 O-O 9.h3 Nb8 10.d4 Nbd7 11.c4 c6 12.cxb5 axb5 \
13.Nc3 Bb7 14.Bg5 b4 15.Nb1 h6 16.Bh4 c5 17.dxe5 Nxe4 18.Bxe7 Qxe7 19.exd6 Qf6 20.Nbd2 Nxd6 21.Nc4 Nxc4 22.Bxc4 Nb6 23.Ne5 Rae8 \
24.Bxf7+ Rxf7 25.Nxf7 Rxe1+ 26.Qxe1 Kxf7 27.Qe3 Qg5 28.Qxg5 hxg5 29.b3 Ke6 30.a3 Kd6 31.axb4 cxb4 32.Ra5 Nd5 33.f3 Bc8 34.Kf2 Bf5 \
35.Ra7 g6 36.Ra6+ Kc5 37.Ke1 Nf4 38.g3 Nxh3 39.Kd2 Kb5 40.Rd6 Kc5 41.Ra6 Nf2 42.g4 Bd3 43.Re6 1-0";

/// Runs to the end, the cable out from one moment to the other.
fn without_the_cable(rig: &mut Rig, from: impl Fn(&Rig) -> bool, to: impl Fn(&Rig) -> bool) {
    let (mut pulled, mut back) = (false, false);
    while rig.step() {
        if !pulled && from(rig) {
            pulled = true;
            rig.device.unplug(rig.now);
        } else if pulled && !back && to(rig) {
            back = true;
            rig.device.replug(rig.now);
        }
    }
    assert!(pulled && back);
}

/// Down from one ply to another one, with a session that asks and waits as on a real line.
fn with_the_cable_out(game: &PgnGame, options: &Options, from: usize, to: usize) -> (Rig, usize) {
    let mut rig = Rig::of(game, options);
    without_the_cable(&mut rig, |rig| rig.played(0) >= from, |rig| rig.played(0) >= to);
    let recovered = rig.events.iter().filter(|e| matches!(e.body, Body::MoveCompleted { how: How::Recovered, .. })).count();
    (rig, recovered)
}

/// How a game with the cable out for so many plies ended: exactly as played, and whether anybody was told that it may not be.
fn gap(game: &PgnGame, hands: Kind, from: usize, plies: usize) -> (bool, bool) {
    let options = Options { speed: 1.0, ..Options::new(hands, from as u64) };
    let (rig, _) = with_the_cable_out(game, &options, from, from + plies);
    let is_told = |body: &Body| match body {
        Body::Alarm { key, .. } => key.as_str() == "unsure",
        Body::Finding(finding) => finding.key.as_str() == "displaced-pieces",
        _ => false,
    };
    let is_false_alarm = |body: &Body| match body {
        Body::Alarm { key, .. } => key.as_str() == "clock-stale",
        Body::Finding(finding) => finding.key.as_str() == "clock-defect",
        _ => false,
    };
    assert!(!rig.events.iter().any(|e| is_false_alarm(&e.body)), "{plies} plies from {from}");
    // Where the clock was stopped before the last move was pressed nothing completes it.
    let (completed, played) = (rig.completed(), game.uci());
    let last = rig.events.iter().rev().find_map(|e| if let Body::MoveMade { uci, .. } = &e.body { Some(uci) } else { None });
    let unpressed = played.split_last().is_some_and(|(made, before)| completed == before && last == Some(made));
    (completed == played || unpressed, rig.events.iter().any(|e| is_told(&e.body)))
}

#[test]
fn plies_that_a_cable_took_are_all_found_or_said_to_be_unsure() {
    let game = read_games(GAME).unwrap().remove(0);
    // Every beginning, for the table of docs/recognition.md: minutes.
    let step = if std::env::var_os("FLAGFALL_GAPS").is_some() { 1 } else { 19 };
    let (mut silent, mut short) = (Vec::new(), Vec::new());
    for (hands, allowed) in [(Kind::Human, 0), (Kind::Blitz, 9)] {
        for plies in 1..=6 {
            let (mut all, mut exact) = (0, 0);
            for from in (4..70).step_by(step) {
                let (is_exact, told) = gap(&game, hands, from, plies);
                if !is_exact && !told {
                    silent.push(format!("{hands:?}, {plies} plies from {from}"));
                }
                all += 1;
                exact += usize::from(is_exact);
            }
            println!("{hands:?}, {plies} plies: {exact} of {all} exact");
            short.extend((exact + allowed * all / 66 < all).then(|| format!("{hands:?}, {plies} plies: {exact} of {all}")));
        }
    }
    assert_eq!((silent, short), (Vec::<String>::new(), Vec::<String>::new()));
}

#[test]
fn a_game_goes_on_with_all_its_moves_after_twenty_and_more_were_played_unseen() {
    let game = read_games(GAME).unwrap().remove(0);
    for (hands, speed, turned) in [(Kind::Human, 20.0, false), (Kind::Human, 20.0, true), (Kind::Blitz, 1.0, false)] {
        let options = Options { speed, turned, ..Options::new(hands, 2) };
        let (rig, recovered) = with_the_cable_out(&game, &options, 10, 34);
        assert_eq!(rig.completed(), game.uci());
        assert!(recovered >= 20, "{recovered}");
    }
}

#[test]
fn a_fast_game_that_nobody_listened_to_for_a_while_goes_on_with_all_its_moves_and_no_wrong_one_from_the_gap() {
    let game = read_games(GAME).unwrap().remove(0);
    // Half of blitz's usual speed and more: no position stands still for as long as a scan takes.
    let seeds = if std::env::var_os("FLAGFALL_GAPS").is_some() { 0..12_u64 } else { 0..1 };
    let (mut all, mut wrong) = (0, Vec::new());
    for (seed, speed) in seeds.flat_map(|seed| [(seed, 0.25), (seed, 0.5), (seed, 1.0)]) {
        for (from, plies) in [(4, 24), (22, 8), (31, 24), (34, 8), (46, 8), (49, 16)] {
            let options = Options { speed, ..Options::new(Kind::Blitz, 9_000 + 100 * seed + from as u64) };
            let (rig, recovered) = with_the_cable_out(&game, &options, from, from + plies);
            let played = game.uci();
            let is_wrong = |ply: u32, uci: &String| played.get(ply as usize - 1) != Some(uci);
            let lied = rig.events.iter().any(|e| match &e.body {
                Body::MoveCompleted { ply, uci, how: How::Recovered, .. } => is_wrong(*ply, uci),
                _ => false,
            });
            all += 1;
            let short = rig.completed().len() + 1 < played.len();
            wrong.extend(
                (lied || short || recovered < plies).then(|| format!("seed {seed}, speed {speed}, {plies} plies from {from}: {recovered}")),
            );
        }
    }
    println!("{all} gaps in fast games: {} with a wrong or a lost ply: {wrong:?}", wrong.len());
    assert!(wrong.len() * 50 <= all, "{wrong:?}");
}

#[test]
fn a_machine_that_knows_no_game_has_the_whole_one_from_the_board_s_own_log() {
    let game = read_games(GAME).unwrap().remove(0);
    for (plies, turned, games) in [(9, false, 0), (20, true, 0), (31, true, 4)] {
        let options = Options { turned, ..Options::new(Kind::Human, plies as u64) };
        let mut rig = Rig::of(&game, &options);
        rig.until_played(0, plies);
        rig.device.unplug(rig.now);
        rig.replace(Board::new("1", Wall::EPOCH, options.settings(&game)).games_after(games));
        rig.device.replug(rig.now);
        rig.run();
        assert_eq!(rig.completed(), game.uci(), "{plies} plies unseen");
        assert!(rig.events.iter().filter(|event| event.body.is_of_a_game()).all(|event| event.game == Some(games + 1)));
    }
}

#[test]
fn a_game_that_began_unseen_is_found_in_the_board_s_own_log() {
    let row = read_games(b"1.e4 e5 2.Bc4 Nc6 3.Qh5 d6 4.Nc3 Nh6 5.d3 a6 6.Qxf7+ Nxf7 7.Bxf7+ Kxf7 8.Bg5 Qxg5 9.Nf3 Qc1+ 10.Rxc1 Bg4 11.h3 Bxf3 12.gxf3 g6 13.f4 Bh6 14.f5 Bxc1 0-1\n\n1.e4 e5 2.Nf3 Nc6 3.Bb5 a6 4.Ba4 Nf6 5.O-O Be7 6.Re1 b5 7.Bb3 d6 8.c3 O-O 9.h3 Nb8 10.d4 *").unwrap();
    for (hands, turned, plies) in [(Kind::Human, false, 4), (Kind::Human, true, 9), (Kind::Blitz, false, 7)] {
        let options = Options { turned, show_result: true, ..Options::new(hands, plies as u64) };
        let mut rig = Rig::of_row(&row, &options);
        let over = |rig: &Rig| rig.events.iter().any(|e| matches!(e.body, Body::Result { .. }));
        without_the_cable(&mut rig, over, |rig| rig.played(1) >= plies);
        assert_eq!(rig.completed(), row[1].uci(), "{hands:?}, {plies} plies unseen");
        assert_eq!(rig.events.iter().filter(|e| matches!(e.body, Body::GameStart { .. })).count(), 2);
    }
}

/// A bishop goes back and takes, and could have taken at once: the picture tells two plies, and the press behind it that there were three.
#[test]
fn a_ply_that_waited_for_its_press_when_the_cable_was_put_back_is_found_by_that_press() {
    let game = read_games(b"1.e4 e5 2.Nf3 Nc6 3.Bb5 Nf6 4.Ba4 Be7 5.Bxc6 dxc6 6.O-O O-O 7.Re1 Re8 8.h3 h6 *").unwrap().remove(0);
    for seed in 0..8 {
        let mut rig = Rig::of(&game, &Options::new(Kind::Human, seed));
        while rig.completed().len() < 6 && rig.step() {}
        rig.device.unplug(rig.now);
        rig.until_played(0, 9);
        // White thinks of his clock only when the picture has come.
        rig.device.wait(rig.now);
        rig.device.replug(rig.now);
        let until = rig.now + 2_500;
        while rig.now < until && rig.step() {}
        assert_eq!(rig.completed().last().map(String::as_str), Some("f8e7"), "seed {seed}");
        rig.device.go_on(rig.now);
        rig.run();
        // What was completed as the picture told it is corrected, not withdrawn.
        let mut moves = rig.completed();
        let mut revised = 0;
        for event in &rig.events {
            match &event.body {
                Body::MoveRevised { ply: 7, uci, .. } => {
                    moves[6].clone_from(uci);
                    revised += 1;
                }
                Body::MoveWithdrawn { ply, .. } => assert!(*ply > 7, "seed {seed}: ply {ply} is withdrawn"),
                _ => {}
            }
        }
        assert_eq!((moves, revised), (game.uci(), 1), "seed {seed}");
        let findings = rig
            .events
            .iter()
            .filter_map(|event| if let Body::Finding(finding) = &event.body { Some(finding.key.to_string()) } else { None });
        assert_eq!(findings.filter(|key| key != "two-hands" && key != "clock-stopped").count(), 0, "seed {seed}");
    }
}

//! Boards on a line in bus mode: what was played is read to the last ply, through a cable that is cut for half a minute, too.
#![allow(clippy::unwrap_used, reason = "a test may")]
use crate::hosted::{Hosted, Tally, address};
use dgt_protocol::bus::host::{HostOutput, LineState};

use flagfall_events::{Body, Key, Mono, Order, Run, SetClock};
use flagfall_simulator::bus_line::LineFault;
use flagfall_simulator::clock::Side;
use flagfall_simulator::device::Device;
use flagfall_simulator::people::Tempo;

#[test]
fn quick_games_are_read_to_the_last_ply_from_the_boards_logs() {
    let mut hosted = Hosted::new(4, Tempo::Blitz, 3, 1);
    hosted.run(60_000);
    hosted.run.fail(LineFault::Cut(2));
    hosted.run(90_000);
    hosted.run.mend();
    hosted.finish();
    let down =
        |who| move |(t, output): &(u64, HostOutput)| *t > 60_000 && matches!(output, HostOutput::Down { address, .. } if *address == who);
    let (fell, _) = hosted.outputs.iter().find(|output| down(address(2))(output)).unwrap();
    assert!(*fell <= 65_000, "named after {} ms", fell - 60_000);
    assert!(!hosted.outputs.iter().any(|output| down(address(0))(output) || down(address(1))(output)), "the others were disturbed");
    let mut tally = Tally::default();
    tally.add(&hosted);
    assert!(tally.plies > 150 && tally.right == tally.plies, "{tally}");
    assert_eq!((tally.exact, tally.games), (4, 4), "{tally}");
}

/// Who may be silent, and what is said of the line as a whole.
type Named = (LineFault, &'static [usize], fn(&HostOutput) -> bool);

fn whole(state: LineState) -> impl Fn(&HostOutput) -> bool {
    move |output| *output == HostOutput::Line(state)
}

/// Everything that can happen to a line while the boards keep their power, each for half a minute of blitz; two games of hands
/// each, more with `FLAGFALL_BUS_SEEDS`.
#[test]
fn no_fault_of_a_line_costs_a_ply_that_the_logs_have() {
    let of = |who: usize| move |output: &HostOutput| matches!(output, HostOutput::Down { address: down, .. } if *down == address(who));
    let faults: [Named; 8] = [
        (LineFault::Dead(3), &[2], |output| matches!(output, HostOutput::Down { .. })),
        (LineFault::Cut(2), &[2, 3], |output| matches!(output, HostOutput::Down { .. })),
        (LineFault::Twice(2), &[1], |output| *output == HostOutput::Twice(address(1))),
        (LineFault::Zeros, &[0, 1, 2, 3], |output| whole(LineState::Zeros)(output)),
        (LineFault::Ones, &[0, 1, 2, 3], |output| whole(LineState::Ones)(output)),
        (LineFault::Silence, &[0, 1, 2, 3], |output| whole(LineState::Silent)(output)),
        (LineFault::NoDtr, &[0, 1, 2, 3], |output| whole(LineState::Silent)(output)),
        (LineFault::Noise(0.05), &[], |output| *output == HostOutput::Noisy(true)),
    ];
    let seeds: u64 = std::env::var("FLAGFALL_BUS_SEEDS").ok().and_then(|count| count.parse().ok()).unwrap_or(2);
    let mut wrong = Vec::new();
    for ((fault, silent, named), seed) in faults.into_iter().flat_map(|row| (400..400 + seeds).map(move |seed| (row, seed))) {
        let mut hosted = Hosted::new(4, Tempo::Blitz, seed, 1);
        hosted.run(70_000);
        hosted.run.fail(fault);
        hosted.run(100_000);
        hosted.run.mend();
        hosted.finish();
        let during: Vec<_> = hosted.outputs.iter().filter(|(t, _)| (70_000..100_000).contains(t)).collect();
        let first = during.iter().find(|(_, output)| named(output)).map(|(t, _)| t - 70_000);
        if first.is_none_or(|ms| ms > 5_000) {
            wrong.push(format!("{fault:?}, seed {seed}: is named after {first:?}: {during:?}"));
        }
        for board in (0..4).filter(|board| !silent.contains(board)) {
            if during.iter().any(|(_, output)| of(board)(output)) {
                wrong.push(format!("{fault:?}, seed {seed}: disturbs board {board}: {during:?}"));
            }
        }
        let mut tally = Tally::default();
        tally.add(&hosted);
        if (tally.exact, tally.right) != (tally.games, tally.plies) {
            wrong.push(format!("{fault:?}, seed {seed}: {tally}"));
        }
    }
    assert!(wrong.is_empty(), "{} of {} runs:\n{}", wrong.len(), 8 * seeds, wrong.join("\n"));
}

/// Three plies fell into the last seconds of the silence, and their changes come all at once: their order tells which was first.
#[test]
fn plies_that_come_all_at_once_from_the_log_are_read_in_its_order() {
    let mut hosted = Hosted::new(4, Tempo::Blitz, 408, 1);
    hosted.run(70_000);
    hosted.run.fail(LineFault::Silence);
    hosted.run(100_000);
    hosted.run.mend();
    hosted.finish();
    let mut tally = Tally::default();
    tally.add(&hosted);
    assert_eq!((tally.exact, tally.right), (tally.games, tally.plies), "{tally}");
}

/// A board without power logs nothing, so what is played on it meanwhile nobody can know; whoever sits at the others sees nothing of it.
#[test]
fn a_board_whose_plug_is_out_is_named_and_the_others_play_on() {
    for seed in 600..602 {
        let mut hosted = Hosted::new(4, Tempo::Blitz, seed, 1);
        hosted.run(70_000);
        hosted.run.fail(LineFault::Unplugged(3));
        hosted.run(85_000);
        hosted.run.mend();
        hosted.run(96_000);
        let during: Vec<_> = hosted.outputs.iter().filter(|(t, _)| *t >= 70_000).cloned().collect();
        let [(down, HostOutput::Down { address: gone, .. }), (up, HostOutput::Up { address: back, .. })] = &during[..] else {
            panic!("seed {seed}: {during:?}");
        };
        assert!((*gone, *back) == (address(2), address(2)) && *down <= 75_000 && *up <= 95_000, "seed {seed}: {during:?}");
        hosted.finish();
        let mut others = Tally::default();
        others.add_boards(&hosted, &[0, 1, 3]);
        assert_eq!((others.exact, others.right), (others.games, others.plies), "seed {seed}: {others}");
    }
}

#[test]
fn an_address_that_is_there_twice_when_the_line_opens_is_named_at_once() {
    let seeds: u64 = std::env::var("FLAGFALL_BUS_SEEDS").ok().and_then(|count| count.parse().ok()).unwrap_or(4);
    let mut named = Vec::new();
    for seed in 500..500 + seeds {
        let mut hosted = Hosted::new(12, Tempo::Rapid, seed, 1);
        hosted.run.fail(LineFault::Twice(2));
        hosted.run(15_000);
        let twice = hosted.outputs.iter().find(|(_, output)| *output == HostOutput::Twice(address(1)));
        named.push(twice.map_or(u64::MAX, |(t, _)| *t));
    }
    named.sort_unstable();
    let late = named.iter().filter(|ms| **ms > 5_000).count();
    println!("{} of {seeds} named within five seconds, the last after {} ms", named.len() - late, named[named.len() - 1]);
    // Answers may collide each time; damaged answers tell then.
    assert!(late as u64 * 50 <= seeds && named.iter().all(|ms| *ms <= 12_000), "{named:?}");
}

/// Findings that the clock does not show what was ruled.
fn not_as_ruled(hosted: &Hosted) -> Vec<String> {
    let findings = hosted.readers[0].events.iter().filter_map(|event| match &event.body {
        Body::Finding(finding) if finding.key == Key::ClockSetting => serde_json::to_string(&finding.facts).ok(),
        _ => None,
    });
    findings.filter(|facts| facts.contains("ruled")).collect()
}

/// When the line is dead.
#[derive(Clone, Copy, PartialEq)]
enum Dead {
    Never,
    /// Before the clock was stopped, until after the next press.
    Throughout,
    /// From when it was seen to stand, until after the next press.
    FromTheStop,
}

/// A game in which the arbiter stops the clock in a long think, rules times, sets them so many seconds off on White's side and starts the clock.
fn ruled(off: u32, dead: Dead) -> Hosted {
    let mut hosted = Hosted::new(2, Tempo::Classical, 5, 1);
    hosted.run(60_000);
    let downs: Vec<u64> = hosted.truth(0)[0].plies.iter().map(|ply| ply.last_down).collect();
    let long = downs.windows(2).find(|pair| pair[0] > 120_000 && pair[1] > pair[0] + 60_000).unwrap();
    let at = long[0] + 10_000;
    hosted.run(at);
    if dead == Dead::Throughout {
        hosted.run.fail(LineFault::Silence);
        hosted.run(at + 4_000);
    }
    let hand = |hosted: &mut Hosted, deed: fn(&mut Device, Mono, u32, u32), left, right| {
        let now = Mono::from_millis(hosted.run.now());
        deed(hosted.run.line_mut().board_mut(0).unwrap(), now, left, right);
    };
    hand(&mut hosted, |board, t, _, _| board.stop_clock(t), 0, 0);
    hosted.run(at + 6_000);
    if dead == Dead::FromTheStop {
        hosted.run.fail(LineFault::Silence);
    }
    let white_left = hosted.run.line().boards()[0].config().clock_white == Some(Side::Left);
    let run = if hosted.truth(0)[0].plies.iter().filter(|ply| ply.press.is_some()).count() % 2 == 0 { Run::White } else { Run::Black };
    let (white, black) = (3_000, 2_400);
    let clock = SetClock { white_ms: i64::from(white) * 1_000, black_ms: i64::from(black) * 1_000, run };
    hosted.enter(0, Order::SetClock { clock });
    let set = if white_left { (white + off, black) } else { (black, white + off) };
    hosted.run(at + 9_000);
    hand(&mut hosted, |board, t, left, right| board.set_clock(t, left, right), set.0, set.1);
    hosted.run(at + 12_000);
    hand(&mut hosted, |board, t, _, _| board.start_clock(t), 0, 0);
    if dead != Dead::Never {
        // The player presses before the line works again: the log has that, and the clock shows what came of it.
        hosted.run(long[1] + 8_000);
        hosted.run.mend();
    }
    hosted.run(hosted.run.now() + 40_000);
    hosted
}

#[test]
fn a_clock_is_read_back_after_a_ruling_as_on_a_cable_of_its_own() {
    assert_eq!(not_as_ruled(&ruled(0, Dead::Never)), Vec::<String>::new(), "it was set as ruled");
    assert_eq!(not_as_ruled(&ruled(2, Dead::Never)).len(), 1, "White has two seconds too much");
    for dead in [Dead::Throughout, Dead::FromTheStop] {
        assert_eq!(not_as_ruled(&ruled(0, dead)), Vec::<String>::new(), "it was set as ruled while nobody was heard");
    }
}

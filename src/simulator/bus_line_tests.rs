//! Boards on one line, and a host on it, in simulated time.
use super::bus_line::{BusLine, LineFault};
use super::bus_run::BusRun;
use super::bus_side::BusManner;
use super::device::Device;
use super::games::bundled;
use super::pace::Kind;
use super::stream::Options;
use dgt_protocol::bus::host::{Host, HostConfig, HostInput, HostOutput, LineState};
use dgt_protocol::bus::{Bus, BusAddress, BusAnswer, BusMessage};
use dgt_protocol::message::Message;
use dgt_protocol::receiver::Receiver;
use flagfall_events::Mono;

fn at(number: u16) -> BusAddress {
    BusAddress::new(number).unwrap()
}

fn device(address: u16, seed: u64, alternates: bool) -> Device {
    let options = Options { speed: 20.0, ..Options::new(Kind::Human, seed) };
    let game = &bundled()[usize::try_from(seed).unwrap() % 5];
    let config = BusLine::config(address, BusManner { alternates }, options.config());
    Device::new(config, options.script(0, game, None))
}

fn line(addresses: &[u16]) -> BusLine {
    line_of(1, addresses)
}

fn line_of(seed: u64, addresses: &[u16]) -> BusLine {
    BusLine::new(seed, addresses.iter().zip(0..).map(|(address, seed)| device(*address, seed, seed % 2 == 1)).collect())
}

fn run(addresses: &[u16], config: HostConfig) -> BusRun {
    BusRun::new(Host::new(0, config), line(addresses), 2)
}

/// What is said until `ms`.
fn said(run: &mut BusRun, ms: u64) -> Vec<(u64, HostOutput)> {
    std::iter::from_fn(|| run.next(ms)).collect()
}

/// What a line answers to bytes within `ms`.
fn raw(line: &mut BusLine, t: u64, bytes: &[u8], ms: u64) -> Vec<u8> {
    line.handle(Mono::from_millis(t), bytes);
    line.advance(Mono::from_millis(t + ms));
    std::iter::from_fn(|| line.poll()).flat_map(|(_, bytes)| bytes).collect()
}

fn answers(bytes: &[u8]) -> Vec<BusAnswer> {
    Receiver::new(Bus).feed(0, bytes).filter_map(Result::ok).collect()
}

const TWELVE: [u16; 12] = [1025, 17, 3000, 4, 5, 16_000, 7, 8, 900, 10, 1111, 12];

#[test]
fn everybody_answers_a_ping_for_all_and_a_silenced_board_does_not() {
    let mut line = line(&[5, 6]);
    let mut seen = [0, 0];
    for round in 0..8 {
        let bytes = raw(&mut line, round * 4_000, &[0x87, 0, 0, 0x07], 1_300);
        answers(&bytes).iter().for_each(|answer| seen[usize::from(answer.address.number()) - 5] += 1);
    }
    assert!(seen[0] > 5 && seen[1] > 5, "{seen:?}");
    assert_eq!(answers(&raw(&mut line, 40_000, &[0x8A, 0, 5, 0x0F], 100)).len(), 1);
    let rest = answers(&raw(&mut line, 41_000, &[0x87, 0, 0, 0x07], 1_300));
    assert_eq!(rest, [BusAnswer { address: at(6), message: BusMessage::Ping }]);
    assert!(answers(&raw(&mut line, 43_000, &[0x87, 0, 0, 0x07], 1_300)).len() <= 2);
}

#[test]
fn answers_that_overlap_are_ored_and_no_checksum_survives() {
    // Two boards at one address with different clocks.
    let mut line = BusLine::new(1, vec![device(5, 1, false), device(5, 2, false)]);
    let both = raw(&mut line, 10, &[0x82, 0, 5, 0x07], 300);
    assert!(both.len() >= 70, "{}", both.len());
    let mut alone = BusLine::new(1, vec![device(5, 1, false)]);
    let one = raw(&mut alone, 10, &[0x82, 0, 5, 0x07], 300);
    assert_eq!((one.len(), answers(&one).len()), (70, 1));
    assert_ne!(both, one);
}

#[test]
fn a_second_command_is_lost_while_the_first_has_no_answer() {
    let mut line = line(&[5]);
    let two = [0x8B, 0, 5, 0x10, 0x81, 0, 5, 0x06];
    assert_eq!(answers(&raw(&mut line, 10, &two, 200)).len(), 1);
}

#[test]
fn a_single_mode_command_throws_a_board_out_and_a_bus_command_only_brings_it_back() {
    let mut line = line(&[5]);
    // 4D, version: obeyed.
    assert_eq!(raw(&mut line, 10, &[0x4D], 200)[..3], [0x93, 0, 5]);
    assert!(raw(&mut line, 1_000, &[0x8B, 0, 5, 0x10], 200).is_empty());
    assert_eq!(answers(&raw(&mut line, 2_000, &[0x8B, 0, 5, 0x10], 200)).len(), 1);
}

#[test]
fn twelve_boards_are_found_shown_and_asked_twice_a_second() {
    let mut run = run(&TWELVE, HostConfig::default());
    let said = said(&mut run, 30_000);
    let up = said.iter().filter(|(_, output)| matches!(output, HostOutput::Up { .. })).count();
    assert_eq!(up, 12);
    let shown = |message: &Message| matches!(message, Message::BoardDump(_));
    let dumps = said.iter().filter(|(_, output)| matches!(output, HostOutput::Said(said) if said.messages.iter().any(shown))).count();
    assert!(dumps >= 12);
    let cycles: Vec<u64> = said.iter().filter_map(|(_, o)| if let HostOutput::Cycle(ms) = o { Some(*ms) } else { None }).skip(4).collect();
    assert!(cycles.len() > 20 && cycles.iter().all(|ms| *ms < 1_200), "{cycles:?}");
    assert_eq!(run.host().line(), LineState::Works);
}

#[test]
fn what_the_host_hands_on_is_what_stands_on_the_boards() {
    let mut run = run(&TWELVE[..4], HostConfig::default());
    let mut images = [[dgt_protocol::square::PieceCode::Empty; 64]; 4];
    for (_, output) in said(&mut run, 200_000) {
        let HostOutput::Said(said) = output else { continue };
        let index = TWELVE.iter().position(|address| at(*address) == said.address).unwrap();
        for message in said.messages {
            match message {
                Message::BoardDump(dump) => images[index] = *dump,
                Message::FieldUpdate { square, piece } => images[index][usize::from(square.index())] = piece,
                _ => {}
            }
        }
    }
    let mut moved = 0;
    for (board, image) in run.line().boards().iter().zip(&images) {
        let off = board.physical().iter().zip(image).filter(|(stands, told)| stands != told).count();
        // The last fraction of a second is under way.
        assert!(off <= 2, "{off}");
        moved += board.games().first().map_or(0, |game| game.plies.iter().filter(|ply| ply.press.is_some()).count());
    }
    assert!(moved > 20, "{moved}");
}

/// The first moment at which `wanted` is said after `from`.
fn named(said: &[(u64, HostOutput)], from: u64, wanted: impl Fn(&HostOutput) -> bool) -> Option<u64> {
    said.iter().find(|(t, output)| *t >= from && wanted(output)).map(|(t, _)| *t - from)
}

#[test]
fn every_fault_is_named_within_five_seconds_and_mended_by_itself() {
    let down = |address: u16| move |output: &HostOutput| matches!(output, HostOutput::Down { address: who, .. } if *who == at(address));
    let up = |address: u16| move |output: &HostOutput| matches!(output, HostOutput::Up { address: who, .. } if *who == at(address));
    for fault in [
        LineFault::Dead(3),
        LineFault::Unplugged(3),
        LineFault::Cut(2),
        LineFault::Zeros,
        LineFault::Ones,
        LineFault::Silence,
        LineFault::NoDtr,
    ] {
        let expected = TWELVE.iter().map(|address| at(*address)).collect();
        let mut run = run(&TWELVE, HostConfig { expected, ..HostConfig::default() });
        said(&mut run, 20_000);
        run.fail(fault);
        let told = said(&mut run, 26_000);
        let whole = |state: LineState| move |output: &HostOutput| *output == HostOutput::Line(state);
        let after = match fault {
            LineFault::Zeros => named(&told, 20_000, whole(LineState::Zeros)),
            LineFault::Ones => named(&told, 20_000, whole(LineState::Ones)),
            LineFault::Silence | LineFault::NoDtr => named(&told, 20_000, whole(LineState::Silent)),
            _ => named(&told, 20_000, down(TWELVE[2])),
        };
        assert!(after.is_some_and(|ms| ms <= 5_000), "{fault:?}: {after:?} {told:?}");
        match fault {
            LineFault::Cut(_) => assert_eq!(run.host().cut_behind(), Some(at(TWELVE[1]))),
            LineFault::Dead(_) | LineFault::Unplugged(_) => {
                let others = told.iter().filter(|(_, output)| matches!(output, HostOutput::Down { .. })).count();
                assert_eq!((others, run.host().line()), (1, LineState::Works), "{fault:?} {told:?}");
            }
            _ => assert!(named(&told, 20_000, down(TWELVE[0])).is_some()),
        }
        run.mend();
        let back = said(&mut run, 40_000);
        assert!(named(&back, 26_000, up(TWELVE[2])).is_some(), "{fault:?}: {back:?}");
        assert_eq!(run.host().boards().filter(|(_, up)| *up).count(), 12, "{fault:?}");
    }
}

#[test]
fn two_boards_with_one_address_are_told_within_five_seconds_of_the_plug() {
    let twice = |output: &HostOutput| *output == HostOutput::Twice(at(TWELVE[4]));
    for seed in 0..3 {
        let line = line_of(seed, &TWELVE);
        let mut run = BusRun::new(Host::new(0, HostConfig::default()), line, 2);
        said(&mut run, 20_000 + 37 * seed);
        let plugged = run.now();
        run.fail(LineFault::Twice(5));
        let told = said(&mut run, plugged + 20_000);
        let after = named(&told, plugged, twice);
        assert!(after.is_some_and(|ms| ms <= 5_000), "seed {seed}: {after:?} {told:?}");
        let others = |output: &HostOutput| matches!(output, HostOutput::Down { address, .. } | HostOutput::Twice(address) if *address != at(TWELVE[4]));
        assert!(!told.iter().any(|(_, output)| others(output)), "seed {seed}: {told:?}");
        // Neither is read, and the others have their turns.
        assert_eq!(run.host().boards().filter(|(_, up)| *up).count(), 11, "seed {seed}");
        let cycles: Vec<u64> = told
            .iter()
            .filter(|(t, _)| *t > plugged + 6_000)
            .filter_map(|(_, o)| if let HostOutput::Cycle(ms) = o { Some(*ms) } else { None })
            .collect();
        assert!(cycles.len() > 10 && cycles.iter().all(|ms| *ms < 1_500), "seed {seed}: {cycles:?}");
        run.mend();
        let alone = said(&mut run, plugged + 60_000);
        let after = named(&alone, plugged + 20_000, |output| *output == HostOutput::Once(at(TWELVE[4])));
        assert!(after.is_some_and(|ms| ms <= 30_000), "seed {seed}: {after:?} {alone:?}");
        assert_eq!(run.host().boards().filter(|(_, up)| *up).count(), 12, "seed {seed}: {alone:?}");
    }
}

#[test]
fn two_boards_with_one_address_are_told_when_the_line_is_opened() {
    for seed in 0..4 {
        let mut line = line_of(seed, &TWELVE);
        line.fail(Mono::ZERO, LineFault::Twice(3));
        let expected = if seed % 2 == 0 { Vec::new() } else { TWELVE.iter().map(|address| at(*address)).collect() };
        let mut run = BusRun::new(Host::new(0, HostConfig { expected, ..HostConfig::default() }), line, 2);
        let told = said(&mut run, 15_000);
        let after = named(&told, 0, |output| *output == HostOutput::Twice(at(TWELVE[2])));
        assert!(after.is_some_and(|ms| ms <= 10_000), "seed {seed}: {after:?} {told:?}");
        assert!(!told.iter().any(|(_, output)| matches!(output, HostOutput::Twice(who) if *who != at(TWELVE[2]))), "seed {seed}");
    }
}

#[test]
fn noise_on_a_line_is_told_while_its_boards_are_read() {
    for (seed, share) in [(1, 0.03), (3, 0.08)] {
        let mut run = BusRun::new(Host::new(0, HostConfig::default()), line_of(seed, &TWELVE), 2);
        said(&mut run, 20_000);
        run.fail(LineFault::Noise(share));
        let told = said(&mut run, 40_000);
        let after = named(&told, 20_000, |output| *output == HostOutput::Noisy(true));
        assert!(after.is_some_and(|ms| ms <= 5_000), "{share}: {after:?} {told:?}");
        assert!(
            !told.iter().any(|(_, output)| matches!(output, HostOutput::Twice(_))),
            "{share}: a bad line is no pair of boards: {told:?}"
        );
        run.mend();
        let over = said(&mut run, 60_000);
        assert!(named(&over, 40_000, |output| *output == HostOutput::Noisy(false)).is_some(), "{share}: {over:?}");
    }
    // So much that nothing comes through.
    let mut run = BusRun::new(Host::new(0, HostConfig::default()), line_of(4, &TWELVE), 2);
    said(&mut run, 20_000);
    run.fail(LineFault::Noise(0.6));
    let told = said(&mut run, 40_000);
    let after = named(&told, 20_000, |output| *output == HostOutput::Line(LineState::Noise));
    assert!(after.is_some_and(|ms| ms <= 5_000), "{after:?} {told:?}");
}

#[test]
fn a_board_too_many_is_told_and_the_others_are_served() {
    let addresses: Vec<u16> = (1..=34).map(|n| n * 31).collect();
    let mut run = run(&addresses, HostConfig::default());
    let told = said(&mut run, 60_000);
    let too_many: Vec<u64> = told.iter().filter(|(_, output)| matches!(output, HostOutput::TooMany(_))).map(|(t, _)| *t).collect();
    let searched = named(&told, 0, |output| *output == HostOutput::Searched).unwrap();
    assert!(too_many.first().is_some_and(|t| *t <= searched), "{too_many:?}, searched after {searched}");
    assert_eq!(run.host().boards().filter(|(_, up)| *up).count(), 32);
}

#[test]
fn a_board_that_another_host_has_set_to_single_mode_is_brought_back() {
    let mut run = run(&[5, 6], HostConfig::default());
    said(&mut run, 10_000);
    // A byte of a single board's host, heard by both.
    let t = Mono::from_millis(10_000);
    run.line_mut().handle(t, &[0x40]);
    let told = said(&mut run, 14_000);
    assert!(!told.iter().any(|(_, output)| matches!(output, HostOutput::Down { .. })), "{told:?}");
    assert_eq!(run.host().boards().filter(|(_, up)| *up).count(), 2);
}

#[test]
fn on_a_noisy_line_nothing_is_lost_for_good() {
    let mut run = run(&TWELVE[..3], HostConfig::default());
    said(&mut run, 10_000);
    run.fail(LineFault::Noise(0.02));
    let told = said(&mut run, 60_000);
    assert!(!told.iter().any(|(_, output)| matches!(output, HostOutput::Line(state) if state.is_fault())), "{told:?}");
    run.mend();
    run.tell(HostInput::Search);
    said(&mut run, 70_000);
    assert_eq!(run.host().boards().filter(|(_, up)| *up).count(), 3);
}

//! Every command of the reference, asked of a simulated board.
use super::clock::Side;
use super::device::{Device, DeviceConfig, DeviceOutput};
use super::pace::Kind;
use super::stream::Options;
use super::stream_tests::game;
use super::wire::BYTE;
use dgt_protocol::clock::ClockReport;
use dgt_protocol::message::Message;
use dgt_protocol::receiver::{Receiver, Single};
use flagfall_events::Mono;

/// A host that writes something and waits.
struct Host {
    device: Device,
    now: u64,
    receiver: Receiver,
}

impl Host {
    fn of(config: DeviceConfig) -> Self {
        let script = Options::new(Kind::Clean, 1).players().play(&game("1.e4 e5 2.Nf3 *"));
        Self { device: Device::new(config, script), now: 0, receiver: Receiver::new(Single::Dgt) }
    }
    fn usual() -> Self {
        Self::of(DeviceConfig::new(1))
    }
    /// The bytes that come within `ms` milliseconds.
    fn raw(&mut self, command: &[u8], ms: u64) -> Vec<(u64, Vec<u8>)> {
        self.device.handle(Mono::from_millis(self.now), command);
        self.now += ms;
        self.device.advance(Mono::from_millis(self.now));
        let outputs = std::iter::from_fn(|| self.device.poll());
        outputs.filter_map(|(t, output)| if let DeviceOutput::Bytes(bytes) = output { Some((t.millis(), bytes)) } else { None }).collect()
    }
    fn ask(&mut self, command: &[u8], ms: u64) -> Vec<Message> {
        for (_, bytes) in self.raw(command, ms) {
            self.receiver.feed(self.now, &bytes);
        }
        self.receiver.by_ref().map(|message| message.expect("the board sends whole frames")).collect()
    }
    fn times(&mut self, command: &[u8], ms: u64) -> Vec<ClockReport> {
        self.ask(command, ms).into_iter().filter_map(|m| if let Message::Clock(report) = m { Some(report) } else { None }).collect()
    }
}

#[test]
fn every_query_has_its_answer() {
    let mut host = Host::of(DeviceConfig { bluetooth: true, ..DeviceConfig::new(1) });
    for (command, id) in
        [(0x41, 0x8D), (0x42, 0x86), (0x45, 0x91), (0x46, 0x90), (0x47, 0x92), (0x48, 0x96), (0x4C, 0xA0), (0x4D, 0x93), (0x55, 0xA2)]
    {
        let answer = host.raw(&[command], 200);
        assert_eq!(answer.first().map(|(_, bytes)| bytes[0]), Some(id), "{command:02X}");
    }
    assert_eq!(host.ask(&[0x45], 100), [Message::SerialNumber(*b"24680")]);
}

#[test]
fn mode_commands_reset_and_unknown_bytes_are_silent() {
    let mut host = Host::usual();
    for command in [0x40, 0x44, 0x4B, 0x51, 0x53, 0x54, 0x3F, 0x00, 0x7F] {
        assert_eq!(host.raw(&[command], 200), [], "{command:02X}");
    }
}

#[test]
fn old_boards_do_not_know_the_newer_queries() {
    let mut host = Host::of(DeviceConfig { answers_new_queries: false, ..DeviceConfig::new(1) });
    for command in [0x48, 0x4C, 0x55] {
        assert_eq!(host.raw(&[command], 500), [], "{command:02X}");
    }
}

#[test]
fn the_trade_mark_is_our_own() {
    let [Message::Trademark(text)] = &Host::usual().ask(&[0x47], 300)[..] else { panic!("one text") };
    assert!(text.contains("flagfall") && text.contains("not a DGT product"), "{text}");
}

#[test]
fn the_move_memory_takes_eight_seconds_and_everything_else_waits_behind_it() {
    let mut host = Host::usual();
    let chunks = host.raw(&[0x49, 0x4D], 8_290);
    let (last, version) = chunks.last().expect("the answer to 4D");
    assert_eq!(version[0], 0x93);
    assert_eq!(*last, ((7939 + 5) * BYTE).div_ceil(1000));
    assert!(chunks.windows(2).all(|pair| pair[1].0 - pair[0].0 <= 67), "bytes keep coming");
}

#[test]
fn a_board_boots_in_bus_mode_and_the_first_single_command_ends_it() {
    let mut host = Host::of(DeviceConfig { serial: 1025, ..DeviceConfig::new(1) });
    assert_eq!(host.raw(&[0x87, 0x00, 0x00, 0x07], 100), [(7, vec![0x87, 0x00, 0x06, 0x08, 0x01, 0x16])]);
    assert_eq!(host.raw(&[0x87, 0x00, 0x01, 0x08], 100), [], "another board's ping");
    assert_eq!(host.raw(&[0x82, 0x08, 0x01, 0x0B], 100).concat_bytes()[..3], [0x83, 0x00, 0x46]);
    assert_eq!(host.raw(&[0x88, 0x08, 0x01, 0x11], 100), []);
    assert_eq!(host.ask(&[0x4D], 100), [Message::Version { main: 1, sub: 8 }]);
    assert_eq!(host.raw(&[0x87, 0x00, 0x00, 0x07], 100), [], "met in single-board mode it is thrown away");
    assert_eq!(host.raw(&[0x87, 0x00, 0x00, 0x07], 100).len(), 1, "and switches to bus mode");
}

#[test]
fn the_clock_acknowledges_in_update_modes_only() {
    let version = [0x2B, 0x03, 0x03, 0x09, 0x00];
    let mut host = Host::usual();
    assert_eq!(host.times(&version, 400), []);
    host.raw(&[0x4B], 100);
    let [ClockReport::Ack(ack)] = host.times(&version, 400)[..] else { panic!("one acknowledgement") };
    assert_eq!((ack.ack0, ack.ack1, ack.ack2), (0x10, 0x09, 0x20));
    host.raw(&[0x44], 100);
    assert_eq!(host.times(&version, 400), []);
}

#[test]
fn every_clock_command_is_acknowledged_by_its_own_number() {
    let mut host = Host::usual();
    host.raw(&[0x4B], 100);
    let commands: [&[u8]; 8] = [
        &[0x2B, 0x0B, 0x03, 0x01, 0x5B, 0x7B, 0x00, 0x00, 0x66, 0x7B, 0x00, 0x01, 0x00],
        &[0x2B, 0x0B, 0x03, 0x02, 0, 0, 0, 0, 1, 0, 0, 0, 0],
        &[0x2B, 0x03, 0x03, 0x03, 0x00],
        &[0x2B, 0x03, 0x03, 0x08, 0x00],
        &[0x2B, 0x03, 0x03, 0x09, 0x00],
        &[0x2B, 0x0A, 0x03, 0x0A, 0x00, 0x05, 0x00, 0x00, 0x03, 0x00, 0x01, 0x00],
        &[0x2B, 0x04, 0x03, 0x0B, 0x10, 0x00],
        &[0x2B, 0x0C, 0x03, 0x0C, 0x68, 0x65, 0x6C, 0x6C, 0x6F, 0x20, 0x20, 0x20, 0x00, 0x00],
    ];
    for command in commands {
        let acks: Vec<u8> =
            host.times(command, 300).iter().filter_map(|r| if let ClockReport::Ack(ack) = r { Some(ack.ack1) } else { None }).collect();
        assert_eq!(acks, [command[3]]);
    }
}

#[test]
fn set_and_run_is_refused_unless_the_clock_is_in_its_remote_mode() {
    let order = [0x2B, 0x0A, 0x03, 0x0A, 0x00, 0x05, 0x00, 0x00, 0x03, 0x00, 0x01, 0x00];
    for (remote_clock, ack0) in [(false, 0x40), (true, 0x10)] {
        let mut host = Host::of(DeviceConfig { remote_clock, ..DeviceConfig::new(1) });
        host.raw(&[0x4B], 100);
        let reports = host.times(&order, 400);
        let ack = reports.iter().find_map(|r| if let ClockReport::Ack(ack) = r { Some(ack.ack0) } else { None });
        assert_eq!(ack, Some(ack0));
        let shown = reports.iter().find_map(|r| if let ClockReport::Time(times) = r { Some(times.left.total_seconds()) } else { None });
        assert_eq!(shown, remote_clock.then_some(300));
    }
}

#[test]
fn a_bluetooth_board_sends_null_messages_and_repeats_the_acknowledgement() {
    let mut host = Host::of(DeviceConfig { bluetooth: true, ..DeviceConfig::new(1) });
    host.raw(&[0x4B], 100);
    let reports = host.times(&[0x2B, 0x03, 0x03, 0x09, 0x00], 400);
    assert!(matches!(reports[..], [ClockReport::Null, ClockReport::Ack(_)]), "{reports:?}");
    assert!(matches!(host.times(&[0x41], 100)[..], [ClockReport::Ack(_)]));
    host.raw(&[], 1000);
    assert!(matches!(host.times(&[0x41], 100)[..], [ClockReport::Time(_)]));
}

#[test]
fn without_a_clock_the_reading_is_invalid_and_commands_are_not_acknowledged() {
    let mut host = Host::of(DeviceConfig { clock_white: None, ..DeviceConfig::new(1) });
    host.raw(&[0x4B], 100);
    assert_eq!(host.times(&[0x41], 100), [ClockReport::NoClock]);
    assert_eq!(host.times(&[0x2B, 0x03, 0x03, 0x09, 0x00], 500), []);
}

#[test]
fn update_speaks_at_least_once_a_second_and_update_nice_only_of_changes() {
    // Two seconds pass before the players start the clock.
    let mut host = Host::usual();
    assert!(host.times(&[0x43], 1900).len() >= 2);
    let mut host = Host::usual();
    assert_eq!(host.times(&[0x4B], 1900), []);
    let running = host.times(&[], 3000);
    assert!((3..=4).contains(&running.len()), "{running:?}");
}

#[test]
fn in_update_board_mode_only_fields_are_reported_and_in_idle_nothing() {
    for (command, fields) in [(0x44, 6), (0x40, 0)] {
        let mut host = Host::of(DeviceConfig { wait_for_host: false, clock_white: Some(Side::Right), ..DeviceConfig::new(1) });
        let messages = host.ask(&[command], 60_000);
        assert!(messages.iter().all(|m| matches!(m, Message::FieldUpdate { .. })));
        assert_eq!(messages.len(), fields, "{command:02X}");
    }
}

trait Concat {
    fn concat_bytes(self) -> Vec<u8>;
}

impl Concat for Vec<(u64, Vec<u8>)> {
    fn concat_bytes(self) -> Vec<u8> {
        self.into_iter().flat_map(|(_, bytes)| bytes).collect()
    }
}

//! The host of a bus line against everything that a line can do to it: any answers, any damage, any order.
#![allow(clippy::unwrap_used, clippy::disallowed_methods, reason = "a test may fail")]
use dgt_protocol::bus::host::{Ask, Host, HostConfig, HostInput, HostOutput, LineState, MOST};
use dgt_protocol::bus::{BusAddress, BusAnswer, BusCommand, BusMessage, BusOpcode};
use dgt_protocol::clock::{ClockReport, ClockTimes, Lever, SideTime};
use dgt_protocol::memory::Entry;
use dgt_protocol::message::Message;
use dgt_protocol::square::{PieceCode, WirePlacement, WireSquare};
use proptest::prelude::*;

fn at(number: u16) -> BusAddress {
    BusAddress::new(number).unwrap()
}

fn times(left: u32, right: u32, lever: Lever) -> ClockTimes {
    let side = |seconds| SideTime::from_seconds(seconds).unwrap();
    ClockTimes { left: side(left), right: side(right), running: true, lever, battery_low: false, turn_bits: lever.usual_turn_bits() }
}

/// A line in which every board does as it should, and a test says what its log holds.
struct Rig {
    host: Host,
    now: u64,
    image: WirePlacement,
    clock: ClockTimes,
    owed: Vec<u8>,
    /// Commands that get no answer.
    deaf: bool,
    /// The answer to the next CHANGES is damaged.
    damage_next: bool,
    /// The answer to the next CHANGES is lost, and all that follow.
    falls_silent: bool,
    /// What is logged, and what the clock shows, once the next answer to CHANGES was damaged.
    then: Option<(Vec<u8>, ClockTimes)>,
    last: Vec<u8>,
    boards: Vec<u16>,
    writes: Vec<BusCommand>,
    said: Vec<HostOutput>,
}

impl Rig {
    fn new(boards: &[u16], config: HostConfig) -> Self {
        Self {
            host: Host::new(0, config),
            now: 0,
            image: [PieceCode::Empty; 64],
            clock: times(180, 180, Lever::LeftHigh),
            owed: Vec::new(),
            deaf: false,
            damage_next: false,
            falls_silent: false,
            then: None,
            last: Vec::new(),
            boards: boards.to_vec(),
            writes: Vec::new(),
            said: Vec::new(),
        }
    }

    fn answer(&mut self, command: BusCommand) -> Vec<u8> {
        let one = |address, message| BusAnswer { address, message }.encode();
        if self.deaf {
            return Vec::new();
        }
        if command.address == BusAddress::ALL {
            return self.boards.iter().flat_map(|board| one(at(*board), BusMessage::Ping)).collect();
        }
        if !self.boards.contains(&command.address.number()) {
            return Vec::new();
        }
        let first = self.boards.first() == Some(&command.address.number());
        let message = match command.opcode {
            BusOpcode::SendClock => BusMessage::Clock(ClockReport::Time(self.clock)),
            BusOpcode::SendBoard => BusMessage::Board(Box::new(self.image)),
            BusOpcode::SendChanges => {
                let entries = if first { core::mem::take(&mut self.owed) } else { Vec::new() };
                self.last = entries.clone();
                BusMessage::Changes { alternate: false, entries }
            }
            BusOpcode::RepeatChanges => BusMessage::Changes { alternate: false, entries: self.last.clone() },
            BusOpcode::SetStartGame => BusMessage::StartGameSet,
            BusOpcode::SendFromStart => BusMessage::FromStart(vec![0x7B, 0x41, 0x34]),
            BusOpcode::SendVersion => BusMessage::Version(Some((1, 8))),
            _ => BusMessage::Ping,
        };
        let mut frame = one(command.address, message);
        if command.opcode == BusOpcode::SendChanges && core::mem::take(&mut self.falls_silent) {
            self.deaf = true;
            return Vec::new();
        }
        if command.opcode == BusOpcode::SendChanges && core::mem::take(&mut self.damage_next) {
            *frame.last_mut().unwrap() ^= 1;
            if let Some((owed, clock)) = self.then.take() {
                (self.owed, self.clock) = (owed, clock);
            }
        }
        frame
    }

    fn run(&mut self, ms: u64) {
        let until = self.now + ms;
        loop {
            while let Some(output) = self.host.poll() {
                match output {
                    HostOutput::Write(command) => {
                        self.writes.push(command);
                        let bytes = self.answer(command);
                        self.now += 10;
                        self.host.handle(self.now, HostInput::Bytes(&bytes));
                    }
                    other => self.said.push(other),
                }
            }
            let next = self.host.deadline().unwrap();
            if next > until {
                self.now = until;
                return;
            }
            self.now = self.now.max(next);
            self.host.handle(self.now, HostInput::Timeout);
        }
    }

    fn messages(&self, of: u16) -> Vec<Message> {
        let of = at(of);
        let all = self.said.iter().filter_map(|output| match output {
            HostOutput::Said(said) if said.address == of => Some(said.messages.clone()),
            _ => None,
        });
        all.flatten().collect()
    }
}

fn entries(list: &[Entry]) -> Vec<u8> {
    let mut bytes = Vec::new();
    list.iter().for_each(|entry| entry.write_to(&mut bytes));
    bytes
}

fn piece(index: u8, piece: PieceCode) -> Entry {
    Entry::Piece { square: WireSquare::new(index).unwrap(), piece, quick: false }
}

#[test]
fn boards_are_found_and_shown_and_then_asked_in_turn() {
    let mut rig = Rig::new(&[1025, 7], HostConfig::default());
    rig.run(6_000);
    let ups: Vec<_> = rig.said.iter().filter(|output| matches!(output, HostOutput::Up { version: Some((1, 8)), .. })).collect();
    assert_eq!(ups.len(), 2);
    assert!(rig.messages(1025).contains(&Message::SerialNumber(*b"01025")));
    assert!(rig.messages(7).iter().any(|message| matches!(message, Message::BoardDump(_))));
    assert_eq!(rig.host.line(), LineState::Works);
    let silenced = rig.writes.iter().filter(|write| write.opcode == BusOpcode::IgnoreNextPing).count();
    assert_eq!(silenced, 2, "who is known is silenced before the last ping");
    let asked = rig.writes.iter().rev().filter(|write| write.opcode == BusOpcode::SendChanges).take(2).map(|write| write.address);
    assert_eq!(asked.collect::<Vec<_>>().len(), 2);
}

#[test]
fn a_damaged_answer_is_repeated_and_nothing_is_lost() {
    let mut rig = Rig::new(&[5], HostConfig::default());
    rig.run(6_000);
    (rig.said, rig.writes) = Default::default();
    rig.owed = entries(&[piece(0x34, PieceCode::WhitePawn)]);
    rig.damage_next = true;
    rig.run(1_000);
    assert!(rig.writes.iter().any(|write| write.opcode == BusOpcode::RepeatChanges));
    let told = rig.messages(5).into_iter().filter(|message| matches!(message, Message::FieldUpdate { .. })).count();
    assert_eq!(told, 1);
}

#[test]
fn a_press_comes_where_the_log_has_it_with_the_times_of_the_log() {
    let mut rig = Rig::new(&[5], HostConfig::default());
    rig.run(6_000);
    rig.said.clear();
    let time = |seconds| SideTime::from_seconds(seconds).unwrap();
    let left = dgt_protocol::clock::Side::Left;
    let right = dgt_protocol::clock::Side::Right;
    // White plays and presses, Black answers and presses, all within one turn; then the clock is read.
    rig.owed = entries(&[
        piece(0x34, PieceCode::Empty),
        piece(0x24, PieceCode::WhitePawn),
        Entry::Time { side: left, time: time(178) },
        piece(0x0C, PieceCode::Empty),
        piece(0x1C, PieceCode::BlackPawn),
        Entry::Time { side: right, time: time(176) },
    ]);
    rig.clock = times(178, 176, Lever::LeftHigh);
    rig.run(1_000);
    let kinds: Vec<String> = rig.messages(5).iter().map(ToString::to_string).collect();
    let clocks: Vec<usize> = kinds.iter().enumerate().filter(|(_, text)| text.starts_with("clock")).map(|(place, _)| place).collect();
    assert_eq!(clocks, [2, 5], "{kinds:?}");
    assert!(kinds[2].contains("left 0:02:58 right 0:03:00 running, right high"), "{kinds:?}");
    assert!(kinds[5].contains("left 0:02:58 right 0:02:56 running, left high"), "{kinds:?}");
}

#[test]
fn a_clock_that_was_read_before_a_press_is_told_before_it_where_the_answer_had_to_be_repeated() {
    let mut rig = Rig::new(&[5], HostConfig::default());
    rig.run(6_000);
    rig.said.clear();
    // The clock is read at 2:58; the answer to CHANGES is damaged, and meanwhile White presses and gets a bonus.
    rig.clock = times(178, 180, Lever::LeftHigh);
    rig.owed = entries(&[piece(0x34, PieceCode::Empty), piece(0x24, PieceCode::WhitePawn)]);
    rig.damage_next = true;
    let press = Entry::Time { side: dgt_protocol::clock::Side::Left, time: SideTime::from_seconds(208).unwrap() };
    rig.then = Some((entries(&[press]), times(208, 180, Lever::RightHigh)));
    rig.run(1_000);
    let kinds: Vec<String> = rig.messages(5).iter().map(ToString::to_string).collect();
    let clocks: Vec<&String> = kinds.iter().filter(|text| text.starts_with("clock")).collect();
    assert_eq!(clocks.len(), 2, "{kinds:?}");
    assert!(clocks[0].contains("left 0:02:58 right 0:03:00 running, left high"), "{kinds:?}");
    assert!(clocks[1].contains("left 0:03:28 right 0:03:00 running, right high"), "{kinds:?}");
}

#[test]
fn a_clock_that_was_started_and_pressed_between_two_turns_was_running_before_the_press() {
    let mut rig = Rig::new(&[5], HostConfig::default());
    rig.clock.running = false;
    rig.run(6_000);
    rig.said.clear();
    let left = dgt_protocol::clock::Side::Left;
    rig.owed = entries(&[Entry::Time { side: left, time: SideTime::from_seconds(179).unwrap() }]);
    rig.clock = times(179, 180, Lever::RightHigh);
    rig.run(1_000);
    let kinds: Vec<String> = rig.messages(5).iter().map(ToString::to_string).collect();
    assert_eq!(kinds.len(), 2, "{kinds:?}");
    assert!(kinds[0].contains("left 0:03:00 right 0:03:00 running, left high"), "{kinds:?}");
    assert!(kinds[1].contains("left 0:02:59 right 0:03:00 running, right high"), "{kinds:?}");
}

#[test]
fn a_lever_that_goes_over_on_a_clock_that_stands_is_no_press() {
    let mut rig = Rig::new(&[5], HostConfig::default());
    rig.clock.running = false;
    rig.run(6_000);
    rig.said.clear();
    let left = dgt_protocol::clock::Side::Left;
    rig.owed = entries(&[Entry::Time { side: left, time: SideTime::from_seconds(180).unwrap() }]);
    rig.clock.lever = Lever::RightHigh;
    rig.run(1_000);
    assert!(rig.messages(5).iter().all(|message| message.to_string().contains("stopped")), "{:?}", rig.messages(5));
}

#[test]
fn a_silent_board_is_down_within_five_seconds_and_comes_back_with_its_log() {
    let mut rig = Rig::new(&[5], HostConfig::default());
    rig.run(6_000);
    rig.said.clear();
    rig.deaf = true;
    rig.run(5_000);
    assert!(rig.said.iter().any(|output| matches!(output, HostOutput::Down { .. })), "{:?}", rig.said);
    assert!(rig.said.contains(&HostOutput::Line(LineState::Silent)));
    rig.said.clear();
    rig.deaf = false;
    rig.owed = entries(&[piece(0x34, PieceCode::WhitePawn)]);
    rig.run(7_000);
    let back = rig.said.iter().position(|output| matches!(output, HostOutput::Up { .. })).unwrap();
    let waited =
        rig.said.iter().position(|output| matches!(output, HostOutput::Said(said) if said.waited && said.messages.len() == 1)).unwrap();
    assert!(back < waited);
    assert_eq!(rig.host.line(), LineState::Works);
}

#[test]
fn what_was_logged_after_a_lost_answer_comes_before_the_pieces_are_shown() {
    let mut rig = Rig::new(&[5], HostConfig::default());
    rig.run(6_000);
    rig.said.clear();
    // An answer is lost for good, and the board with it for a while.
    rig.owed = entries(&[piece(0x34, PieceCode::Empty)]);
    rig.falls_silent = true;
    rig.run(5_000);
    rig.owed = entries(&[piece(0x24, PieceCode::WhitePawn)]);
    (rig.deaf, rig.image[0x24]) = (false, PieceCode::WhitePawn);
    rig.run(7_000);
    let kinds: Vec<String> = rig.messages(5).iter().map(ToString::to_string).collect();
    let place = |what: &str| kinds.iter().rposition(|text| text.starts_with(what)).unwrap_or_else(|| panic!("{what}: {kinds:?}"));
    assert!(place("field update e2") < place("field update e4") && place("field update e4") < place("board dump"), "{kinds:?}");
}

#[test]
fn the_log_is_handed_on_as_a_memory() {
    let mut rig = Rig::new(&[5], HostConfig::default());
    rig.run(6_000);
    rig.said.clear();
    rig.host.handle(rig.now, HostInput::Ask(at(5), Ask::Log));
    rig.run(1_000);
    let log = rig.messages(5).into_iter().find(|message| matches!(message, Message::MoveMemory(_))).unwrap();
    assert_eq!(Message::parse(&log.encode()), Ok(log));
}

/// What a line may do with one command.
#[derive(Clone, Debug)]
enum Deed {
    Right,
    Silence,
    Damage(u8),
    Garbage(Vec<u8>),
    Flood(u8, u16),
    Elsewhere(u16),
    Twice,
    Late(u16),
    Half,
    Huge(u16),
}

fn deed() -> impl Strategy<Value = Deed> {
    prop_oneof![
        6 => Just(Deed::Right),
        2 => Just(Deed::Silence),
        1 => any::<u8>().prop_map(Deed::Damage),
        1 => proptest::collection::vec(any::<u8>(), 0..40).prop_map(Deed::Garbage),
        1 => (prop_oneof![Just(0u8), Just(0xFF), any::<u8>()], 1..2_000u16).prop_map(|(byte, count)| Deed::Flood(byte, count)),
        1 => (0..16_384u16).prop_map(Deed::Elsewhere),
        1 => Just(Deed::Twice),
        1 => (1..300u16).prop_map(Deed::Late),
        1 => Just(Deed::Half),
        1 => (0..0x1F00u16).prop_map(Deed::Huge),
    ]
}

#[test]
fn a_line_with_nobody_but_two_at_one_address_is_not_called_dead() {
    let mut rig = Rig::new(&[177, 177], HostConfig { discover: true, ..HostConfig::default() });
    rig.run(40_000);
    assert!(rig.said.contains(&HostOutput::Twice(at(177))), "{:?}", rig.said);
    assert!(!rig.said.iter().any(|said| matches!(said, HostOutput::Line(state) if state.is_fault())), "{:?}", rig.said);
    assert_eq!(rig.host.line(), LineState::Works);
    // Both are gone.
    rig.deaf = true;
    rig.run(40_000);
    assert_eq!(rig.host.line(), LineState::Silent);
}

/// What else may happen.
fn besides() -> impl Strategy<Value = Option<u8>> {
    prop_oneof![8 => Just(None), 1 => (0..6u8).prop_map(Some)]
}

/// `PROPTEST_CASES` in their place tries more.
fn cases() -> u32 {
    std::env::var("PROPTEST_CASES").ok().and_then(|text| text.parse().ok()).unwrap_or(96)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(), ..ProptestConfig::default() })]
    #[test]
    fn whatever_a_line_does_the_host_goes_on(
        deeds in proptest::collection::vec((deed(), besides(), any::<[u8; 12]>()), 1..250),
        boards in proptest::collection::vec(1..200u16, 0..14),
        discover: bool,
    ) {
        let expected = boards.iter().take(6).map(|board| at(*board)).collect();
        let mut rig = Rig::new(&boards, HostConfig { expected, discover, ..HostConfig::default() });
        let mut deeds = deeds.into_iter();
        let (mut turns_at, mut last_write, mut closed) = ((0, 0), 0u64, false);
        let mut done = false;
        while !done {
            let mut drained = 0;
            while let Some(output) = rig.host.poll() {
                drained += 1;
                // What comes out is bounded by what went in: a log of 1F00 bytes is the most.
                prop_assert!(drained < 64);
                let HostOutput::Write(command) = output else { continue };
                prop_assert_eq!(rig.host.outstanding(), Some(command), "a command that nobody waits for");
                prop_assert!(rig.now >= last_write);
                prop_assert!(rig.now - last_write <= 12_000, "stuck for {} ms", rig.now - last_write);
                last_write = rig.now;
                let Some((deed, other, logged)) = deeds.next() else {
                    done = true;
                    continue;
                };
                rig.owed.extend(logged.iter().map(|byte| byte & 0x7F));
                let good = rig.answer(command);
                let wait = match &deed {
                    Deed::Late(ms) => u64::from(*ms),
                    _ => 5,
                };
                let bytes = match deed {
                    Deed::Right | Deed::Late(_) => good,
                    Deed::Silence => Vec::new(),
                    Deed::Damage(bit) => {
                        let mut bytes = good;
                        let place = usize::from(bit) % bytes.len().max(1);
                        if let Some(byte) = bytes.get_mut(place) {
                            *byte ^= 1 << (bit % 8);
                        }
                        bytes
                    }
                    Deed::Garbage(bytes) => bytes,
                    Deed::Flood(byte, count) => vec![byte; usize::from(count)],
                    Deed::Elsewhere(who) => BusAnswer { address: at(who), message: BusMessage::Ping }.encode(),
                    Deed::Twice => [good.clone(), good].concat(),
                    Deed::Half => good.get(..good.len() / 2).unwrap_or_default().to_vec(),
                    Deed::Huge(count) => {
                        let entries = (0..count).map(|n| (n % 128) as u8).collect();
                        BusAnswer { address: command.address, message: BusMessage::Changes { alternate: true, entries } }.encode()
                    }
                };
                // While it waits, whatever comes, it says nothing new before the answer or its time is over.
                let mut left = wait;
                while left > 0 {
                    let next = rig.host.deadline().map_or(rig.now + left, |at| at.max(rig.now));
                    let step = (next - rig.now).min(left);
                    (rig.now, left) = (rig.now + step, left - step);
                    if step == 0 || next == rig.now {
                        rig.host.handle(rig.now, HostInput::Timeout);
                        break;
                    }
                }
                if let Some(other) = other {
                    let board = at(boards.first().copied().unwrap_or(1));
                    rig.host.handle(rig.now, match other {
                        0 => HostInput::Ask(board, Ask::Board),
                        1 => HostInput::Ask(board, Ask::Log),
                        2 => HostInput::Ask(board, Ask::Clock),
                        3 => HostInput::Search,
                        4 => { closed = true; HostInput::Closed }
                        _ => HostInput::Opened,
                    });
                }
                for portion in bytes.chunks(100) {
                    rig.host.handle(rig.now, HostInput::Bytes(portion));
                }
                if core::mem::take(&mut closed) {
                    prop_assert_eq!(rig.host.outstanding(), None);
                    prop_assert_eq!(rig.host.deadline(), None);
                    rig.now += 500;
                    rig.host.handle(rig.now, HostInput::Opened);
                }
            }
            prop_assert!(rig.host.boards().count() <= MOST);
            let next = rig.host.deadline().unwrap().max(rig.now);
            // Deadlines move on: no moment is answered again and again.
            turns_at = if turns_at.0 == next { (next, turns_at.1 + 1) } else { (next, 0) };
            prop_assert!(turns_at.1 < 8, "turns in circles at {next}");
            rig.now = next;
            rig.host.handle(rig.now, HostInput::Timeout);
        }
        // After all of that an honest line works again.
        rig.owed.clear();
        rig.last.clear();
        rig.host.handle(rig.now, HostInput::Search);
        rig.run(40_000);
        if discover && boards.iter().any(|board| *board != 0) {
            prop_assert_eq!(rig.host.line(), LineState::Works);
            // Two with one address are never read; everybody else is.
            for board in rig.boards.clone() {
                let alone = rig.boards.iter().filter(|other| **other == board).count() == 1;
                prop_assert!(rig.host.boards().any(|(address, up)| address == at(board) && up == alone), "{board} is not as it should be");
            }
        }
    }
}

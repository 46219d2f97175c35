use super::*;
use dgt_protocol::clock::{Ack, ClockTimes, Lever, SideTime};
use dgt_protocol::square::{PieceCode, WireSquare};
use proptest::prelude::*;

/// A board in simulated time: answers what it knows after 30 ms.
struct Rig {
    now: u64,
    session: Session,
    sent: Vec<(u64, Command)>,
    /// What it does not answer.
    deaf: fn(u64, &Command) -> bool,
    clock: ClockReport,
    answers: Vec<(u64, Message)>,
}

fn times() -> ClockReport {
    ClockReport::Time(ClockTimes {
        right: SideTime::default(),
        left: SideTime::default(),
        running: false,
        lever: Lever::LeftHigh,
        battery_low: false,
        turn_bits: 0,
    })
}

fn dump() -> Message {
    Message::BoardDump(Box::new([PieceCode::Empty; 64]))
}

impl Rig {
    fn new(deaf: fn(u64, &Command) -> bool) -> Self {
        Self { now: 0, session: Session::new(Mono::ZERO, false), sent: Vec::new(), deaf, clock: times(), answers: Vec::new() }
    }

    fn say(&mut self, message: &Message) {
        let t = Mono::from_millis(self.now);
        self.session.bytes(t);
        self.session.message(t, message);
    }

    /// Both sides step to the nearer deadline, until `end`.
    fn run(&mut self, end: u64) -> &mut Self {
        for _ in 0..10_000 {
            while let Some(command) = self.session.wants_write(Mono::from_millis(self.now)) {
                self.sent.push((self.now, command.clone()));
                if !(self.deaf)(self.now, &command) {
                    self.answers.extend(self.answer(&command).map(|m| (self.now + 30, m)));
                }
            }
            let next = self.answers.first().map(|(t, _)| *t).into_iter().chain(self.session.deadline().map(Mono::millis)).min();
            let Some(next) = next.filter(|t| *t <= end) else {
                self.now = end;
                return self;
            };
            assert!(next > self.now || self.answers.first().is_some_and(|(t, _)| *t == next), "a deadline that changes nothing at {next}");
            self.now = next;
            if self.answers.first().is_some_and(|(t, _)| *t == next) {
                let (_, message) = self.answers.remove(0);
                self.say(&message);
            }
        }
        panic!("10,000 steps before {end} ms");
    }

    fn answer(&self, command: &Command) -> Option<Message> {
        Some(match command {
            Command::SendVersion => Message::Version { main: 1, sub: 8 },
            Command::SendSerialNumber => Message::SerialNumber(*b"01025"),
            Command::SendLongSerialNumber => Message::LongSerialNumber(*b"3000001025"),
            Command::SendHardwareVersion => Message::HardwareVersion { main: 1, sub: 0 },
            Command::SendBoard => dump(),
            Command::SendClock => Message::Clock(self.clock),
            Command::Clock(ClockCommand::Version) => Message::Clock(ClockReport::Ack(Ack { ack0: 0x10, ack1: 9, ack2: 0x20, ack3: 0 })),
            _ => return None,
        })
    }

    fn order(&self) -> Vec<Command> {
        self.sent.iter().map(|(_, c)| c.clone()).collect()
    }
}

const VERSION: Command = Command::Clock(ClockCommand::Version);

#[test]
fn a_board_is_greeted_in_the_order_of_the_reference() {
    let mut rig = Rig::new(|_, _| false);
    rig.run(1_900);
    let order = [
        Command::Reset,
        Command::SendVersion,
        Command::SendSerialNumber,
        Command::SendLongSerialNumber,
        Command::SendHardwareVersion,
        Command::SendUpdateNice,
        Command::SendBoard,
        Command::SendClock,
        VERSION,
    ];
    assert_eq!(rig.order(), order);
    assert_eq!(rig.sent[0].0, 500);
    assert!(rig.sent.windows(2).all(|w| w[1].0 - w[0].0 >= 100), "{:?}", rig.sent);
    assert_eq!(rig.session.verdict(), Verdict::Board);
    assert!(rig.session.is_settled());
    assert_eq!(rig.session.identity().serial.as_deref(), Some("01025"));
    assert_eq!(rig.session.identity().clock, ClockPresence::Answers { main: 2, sub: 0 });
}

#[test]
fn an_old_board_without_the_new_queries_is_a_board() {
    let mut rig = Rig::new(|_, c| !matches!(c, Command::SendVersion | Command::SendBoard));
    rig.run(20_000);
    assert_eq!(rig.session.verdict(), Verdict::Board);
    assert!(rig.sent.iter().any(|(_, c)| *c == Command::SendBoard));
    assert_eq!(rig.sent.last().unwrap().1, Command::SendVersion, "its keep-alive is the query that it knows");
}

#[test]
fn what_came_before_the_reset_does_not_count() {
    let mut rig = Rig::new(|_, c| *c == Command::SendVersion);
    rig.run(550).say(&Message::Version { main: 9, sub: 9 });
    assert!(!rig.session.is_listening());
    rig.run(10_000);
    assert_eq!(rig.session.verdict(), Verdict::Lost(Loss::Mute));
    assert_eq!(rig.session.identity().firmware, None);
}

#[test]
fn silence_is_told_from_something_that_is_no_board() {
    let mut mute = Rig::new(|_, _| true);
    mute.run(10_000);
    assert_eq!(mute.session.verdict(), Verdict::Lost(Loss::Mute));
    assert_eq!(mute.order(), [Command::Reset, Command::SendVersion, Command::SendVersion, Command::SendVersion]);
    assert_eq!(mute.session.deadline(), None);

    let mut modem = Rig::new(|_, _| true);
    modem.run(700);
    modem.session.bytes(Mono::from_millis(700));
    modem.run(10_000);
    assert_eq!(modem.session.verdict(), Verdict::Lost(Loss::NotABoard));
}

#[test]
fn the_second_or_third_version_query_may_be_the_one_that_is_answered() {
    let mut rig = Rig::new(|t, c| *c == Command::SendVersion && t < 4_000);
    rig.run(7_000);
    assert_eq!(rig.session.verdict(), Verdict::Board);
    assert_eq!(rig.order()[..4], [Command::Reset, Command::SendVersion, Command::SendVersion, Command::SendVersion]);
}

#[test]
fn a_board_without_placement_is_lost() {
    let mut rig = Rig::new(|_, c| *c == Command::SendBoard);
    rig.run(20_000);
    assert_eq!(rig.session.verdict(), Verdict::Lost(Loss::NoPlacement));
}

#[test]
fn keep_alives_come_every_second_and_a_quiet_board_stays() {
    let mut rig = Rig::new(|_, _| false);
    rig.run(30_000);
    assert_eq!(rig.session.verdict(), Verdict::Board);
    let late: Vec<_> = rig.sent.iter().filter(|(t, _)| *t > 2_000).collect();
    assert!(late.iter().all(|(_, c)| *c == Command::SendSerialNumber), "{late:?}");
    assert!((27..=29).contains(&late.len()), "{}", late.len());
}

#[test]
fn three_seconds_of_silence_are_asked_about_and_five_are_a_loss() {
    let mut rig = Rig::new(|t, _| t > 10_000);
    rig.run(13_500);
    assert_eq!(rig.session.verdict(), Verdict::Board);
    assert_eq!(rig.sent.last().unwrap().1, Command::SendVersion);
    rig.run(30_000);
    assert_eq!(rig.session.verdict(), Verdict::Lost(Loss::Silent));
    assert!(rig.sent.last().unwrap().0 < 15_100);
}

#[test]
fn a_board_that_missed_a_keep_alive_gets_its_mode_again() {
    let mut rig = Rig::new(|t, _| (10_000..12_500).contains(&t));
    rig.run(16_000);
    assert_eq!(rig.session.verdict(), Verdict::Board);
    let again: Vec<_> = rig
        .sent
        .iter()
        .filter(|(t, c)| *t > 12_000 && !matches!(c, Command::SendSerialNumber | Command::SendVersion))
        .map(|(_, c)| c.clone())
        .collect();
    assert_eq!(again, [Command::SendUpdateNice, Command::SendBoard]);
}

#[test]
fn mode_and_placement_are_made_sure_of_in_a_quiet_moment() {
    let mut rig = Rig::new(|_, _| false);
    rig.run(55_000);
    let square = WireSquare::new(52).unwrap();
    for t in (55_000..70_000).step_by(500) {
        rig.run(t).say(&Message::FieldUpdate { square, piece: PieceCode::Empty });
    }
    let count = |rig: &Rig| rig.sent.iter().filter(|(_, c)| *c == Command::SendBoard).count();
    assert_eq!(count(&rig), 1, "never while pieces move");
    rig.run(72_000);
    assert_eq!(count(&rig), 2);
}

#[test]
fn babble_without_a_message_is_no_board_any_more() {
    let mut rig = Rig::new(|t, _| t > 5_000);
    for t in (0..40_000).step_by(1_000) {
        rig.run(t);
        rig.session.bytes(Mono::from_millis(t));
    }
    assert_eq!(rig.session.verdict(), Verdict::Lost(Loss::NotABoard));
}

#[test]
fn a_clock_that_is_plugged_in_later_is_asked_for_its_version_once() {
    let mut rig = Rig::new(|_, _| false);
    rig.clock = ClockReport::NoClock;
    rig.run(5_000);
    assert_eq!(rig.session.identity().clock, ClockPresence::Absent);
    assert!(!rig.order().contains(&VERSION));
    for t in [5_000, 6_000, 7_000] {
        rig.run(t).say(&Message::Clock(times()));
    }
    rig.run(9_000);
    assert_eq!(rig.order().iter().filter(|c| **c == VERSION).count(), 1);
}

#[test]
fn a_dump_of_the_memory_that_nobody_asked_for_is_followed_by_mode_and_dump() {
    let mut rig = Rig::new(|_, _| false);
    rig.run(5_000).say(&Message::MoveMemory(Vec::new()));
    rig.run(5_500);
    assert_eq!(rig.order()[rig.sent.len() - 2..], [Command::SendUpdateNice, Command::SendBoard]);
}

#[test]
fn a_board_that_keeps_no_memory_stays() {
    let mut rig = Rig::new(|_, _| false);
    rig.run(10_000);
    assert!(rig.session.send(Command::SendMoveMemory));
    rig.run(30_000);
    assert_eq!(rig.session.verdict(), Verdict::Board);
    let after = rig.order().iter().skip_while(|c| **c != Command::SendMoveMemory).nth(1).cloned();
    assert_eq!(after, Some(Command::SendVersion));
}

#[test]
fn a_silent_board_is_asked_before_anything_else_and_never_lost_unasked() {
    // Its clock does not answer, and it keeps no memory: four seconds in which nothing that it knows is asked.
    let mut rig = Rig::new(|t, c| t > 10_000 && (*c == VERSION || *c == Command::SendMoveMemory));
    rig.run(10_100);
    assert!(rig.session.send(VERSION));
    rig.run(12_200);
    assert!(rig.session.send(Command::SendMoveMemory));
    rig.run(40_000);
    assert_eq!(rig.session.verdict(), Verdict::Board);
    let asked: Vec<Command> = rig.sent.iter().filter(|(t, _)| *t > 12_200).map(|(_, c)| c.clone()).take(2).collect();
    assert_eq!(asked, [Command::SendVersion, Command::SendMoveMemory], "{:?}", rig.sent);
}

#[test]
fn a_reader_that_was_stopped_takes_no_board_for_silent() {
    let mut rig = Rig::new(|_, _| false);
    rig.run(10_000);
    let due = rig.session.deadline().unwrap();
    // Twenty seconds later, what the board has said waits unread.
    let woke = Mono::from_millis(30_000);
    rig.session.woke(due, woke);
    rig.now = 30_000;
    rig.run(60_000);
    assert_eq!(rig.session.verdict(), Verdict::Board);
    // A board that is gone is still noticed.
    let mut gone = Rig::new(|t, _| t > 10_000);
    gone.run(10_000);
    gone.session.woke(gone.session.deadline().unwrap(), woke);
    gone.now = 30_000;
    gone.run(36_500);
    assert_eq!(gone.session.verdict(), Verdict::Lost(Loss::Silent));
}

#[test]
fn harmful_bytes_are_refused() {
    let mut session = Session::new(Mono::ZERO, false);
    for byte in [0x4A, 0x4E, 0x51, 0x53, 0x54, 0x80, 0xFF] {
        assert!(!session.send(Command::Other(byte)));
    }
    assert!(!session.send(Command::RevelationLeds { pattern: 0, start: 0x40, end: 0 }));
    assert!(!session.send(Command::Clock(ClockCommand::Beep(0x4E))));
    assert!(session.send(Command::SendBoard));
}

/// What may come from the other side, at any time.
fn anything() -> impl Strategy<Value = Option<Message>> {
    let ack = (any::<u8>(), any::<u8>()).prop_map(|(ack0, ack1)| Message::Clock(ClockReport::Ack(Ack { ack0, ack1, ack2: 0, ack3: 0 })));
    let square = WireSquare::new(0).unwrap();
    let plain = [
        Message::Version { main: 1, sub: 8 },
        Message::SerialNumber(*b"01025"),
        Message::LongSerialNumber(*b"3000001025"),
        Message::HardwareVersion { main: 1, sub: 0 },
        dump(),
        Message::Clock(times()),
        Message::Clock(ClockReport::NoClock),
        Message::Clock(ClockReport::Null),
        Message::FieldUpdate { square, piece: PieceCode::Empty },
        Message::MoveMemory(Vec::new()),
    ];
    // `None`: bytes that are no message.
    prop_oneof![8 => proptest::sample::select(plain.to_vec()).prop_map(Some), 2 => ack.prop_map(Some), 1 => Just(None)]
}

proptest! {
    #[test]
    fn whatever_comes_commands_keep_their_distance_and_no_deadline_stands_still(
        steps in proptest::collection::vec((0_u64..4_000, anything(), any::<bool>()), 0..200)
    ) {
        let (mut now, mut session, mut last) = (0, Session::new(Mono::ZERO, true), None::<u64>);
        for (pause, message, ask) in steps {
            let end = now + pause;
            loop {
                while let Some(command) = session.wants_write(Mono::from_millis(now)) {
                    prop_assert!(last.is_none_or(|last| now >= last + 100), "{command:?} at {now} after {last:?}");
                    prop_assert!(!command.encode().is_empty());
                    last = Some(now);
                    // Enough answers to stay a board most of the time.
                    let answer = match command {
                        Command::SendVersion => Message::Version { main: 1, sub: 8 },
                        Command::SendBoard if ask => dump(),
                        _ => continue,
                    };
                    session.bytes(Mono::from_millis(now));
                    session.message(Mono::from_millis(now), &answer);
                }
                let Some(next) = session.deadline().map(Mono::millis) else { break };
                prop_assert!(next > now, "a deadline stands still at {now}");
                if next > end {
                    break;
                }
                now = next;
            }
            now = end;
            session.bytes(Mono::from_millis(now));
            if let Some(message) = message {
                session.message(Mono::from_millis(now), &message);
            }
            if ask {
                session.send(Command::SendBoard);
                session.send(Command::Clock(ClockCommand::ascii("hello", 0)));
            }
        }
    }
}

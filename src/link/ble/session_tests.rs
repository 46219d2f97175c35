use super::*;
use dgt_protocol::message::Battery;
use dgt_protocol::pegasus::{CommandDecoder, Dump};
use dgt_protocol::square::WireSquare;
use proptest::prelude::*;

const KEY: DeveloperKey = DeveloperKey::new([1, 2, 3, 4, 5, 6]);
const START: u64 = 0xFFFF_0000_0000_FFFF;

/// A board in simulated time that answers after 30 ms; what it leaves unanswered is said by `deaf`.
struct Rig {
    now: u64,
    session: BleSession,
    sent: Vec<(u64, Command)>,
    deaf: fn(u64, &Command) -> bool,
    accepts: Option<DeveloperKey>,
    unlocked: bool,
    main: u8,
    occupied: u64,
    answers: VecDeque<(u64, Message)>,
}

impl Rig {
    fn new(key: Option<DeveloperKey>, deaf: fn(u64, &Command) -> bool) -> Self {
        let session = BleSession::new(Mono::ZERO, key, true);
        let (sent, answers) = (Vec::new(), VecDeque::new());
        Self { now: 0, session, sent, deaf, accepts: Some(KEY), unlocked: false, main: 1, occupied: START, answers }
    }

    fn say(&mut self, message: &Message) {
        self.session.bytes(Mono::from_millis(self.now));
        self.session.message(Mono::from_millis(self.now), message);
    }

    fn run(&mut self, end: u64) -> &mut Self {
        for _ in 0..20_000 {
            while let Some(write) = self.session.wants_write(Mono::from_millis(self.now)) {
                let mut decoder = CommandDecoder::new();
                decoder.feed(&write.bytes);
                let command = decoder.next().unwrap();
                assert_eq!(write.secret, matches!(command, Command::Key(_)));
                if !(self.deaf)(self.now, &command) {
                    let answer = self.answer(&command);
                    self.answers.extend(answer.map(|m| (self.now + 30, m)));
                }
                self.sent.push((self.now, command));
            }
            let next = self.answers.front().map(|(t, _)| *t).into_iter().chain(self.session.deadline().map(Mono::millis)).min();
            let Some(next) = next.filter(|t| *t <= end) else {
                self.now = end;
                return self;
            };
            assert!(next > self.now || self.answers.front().is_some_and(|(t, _)| *t == next), "a deadline that changes nothing at {next}");
            self.now = next;
            if let Some((_, message)) = self.answers.pop_front_if(|(t, _)| *t == next) {
                self.say(&message);
            }
        }
        panic!("20,000 steps before {end} ms");
    }

    fn answer(&mut self, command: &Command) -> Option<Message> {
        Some(match command {
            Command::Key(key) => {
                self.unlocked = self.accepts == Some(*key);
                return None;
            }
            Command::SendKeyState => Message::KeyState(u8::from(self.unlocked)),
            Command::SendVersion => Message::Version { main: self.main, sub: 0 },
            Command::SendTrademark => Message::Trademark(String::from("a board\r\n")),
            Command::SendSerialNumber => Message::SerialNumber(*b"12345"),
            Command::SendBoard if !self.unlocked && self.accepts.is_some() => Message::Occupancy(Box::new(Dump([Field::Locked; 64]))),
            Command::SendBoard => Message::Occupancy(Box::new(Dump::of(self.occupied))),
            Command::SendBattery => Message::Battery(Battery { percent: 88, remaining: None, on: (0, 0), standby: (0, 0, 0), status: 2 }),
            _ => return None,
        })
    }

    fn order(&self) -> Vec<&Command> {
        self.sent.iter().map(|(_, command)| command).collect()
    }

    fn count(&self, command: &Command) -> usize {
        self.sent.iter().filter(|(_, sent)| sent == command).count()
    }
}

#[test]
fn a_board_is_greeted_in_the_order_of_the_reference_and_paced_by_its_answers() {
    let mut rig = Rig::new(Some(KEY), |_, _| false);
    rig.run(1_500);
    let order = [
        &Command::Reset,
        &Command::Key(KEY),
        &Command::SendKeyState,
        &Command::SendVersion,
        &Command::SendTrademark,
        &Command::SendSerialNumber,
        &Command::SendBoard,
        &Command::SendUpdates,
        &Command::SendBattery,
    ];
    assert_eq!(rig.order(), order);
    assert_eq!(rig.session.verdict(), Verdict::Board);
    let at: Vec<u64> = rig.sent.iter().map(|(t, _)| *t).collect();
    assert_eq!(at[..4], [0, 300, 600, 650], "steps without an answer wait 300 ms, others for their answer");
    assert_eq!((rig.session.identity().serial.as_deref(), rig.session.identity().firmware), (Some("12345"), Some((1, 0))));
}

#[test]
fn a_stranger_is_asked_who_he_is_before_he_is_told_the_key() {
    let mut rig = Rig::new(Some(KEY), |_, _| false);
    rig.session = BleSession::new(Mono::ZERO, Some(KEY), false);
    rig.main = 2;
    rig.run(10_000);
    assert_eq!(rig.session.verdict(), Verdict::Lost(Loss::NotABoard));
    assert_eq!(rig.order(), [&Command::Reset, &Command::SendVersion]);
}

#[test]
fn silent_steps_are_repeated_and_given_more_time() {
    let mut rig = Rig::new(Some(KEY), |t, c| t < 2_000 && matches!(c, Command::SendTrademark | Command::SendBoard));
    rig.run(12_000);
    assert_eq!(rig.session.verdict(), Verdict::Board);
    assert_eq!((rig.count(&Command::SendTrademark), rig.count(&Command::SendVersion), rig.count(&Command::Reset)), (2, 1, 1));
}

#[test]
fn locked_refused_and_uncalibrated_boards_are_told_apart() {
    let mut locked = Rig::new(None, |_, _| false);
    locked.run(30_000);
    assert_eq!(locked.session.verdict(), Verdict::Lost(Loss::Locked));
    assert!(locked.order().iter().all(|c| !matches!(c, Command::Key(_) | Command::SendKeyState)));

    let mut refused = Rig::new(Some(DeveloperKey::new([9; 6])), |_, _| false);
    refused.run(30_000);
    assert_eq!(refused.session.verdict(), Verdict::Lost(Loss::KeyRefused));

    let mut full = Rig::new(Some(KEY), |_, _| false);
    full.occupied = u64::MAX;
    full.run(30_000);
    assert_eq!(full.session.verdict(), Verdict::Lost(Loss::Uncalibrated));
}

#[test]
fn a_board_that_wants_no_key_is_a_board() {
    let mut rig = Rig::new(None, |_, _| false);
    rig.accepts = None;
    rig.run(3_000);
    assert_eq!(rig.session.verdict(), Verdict::Board);
}

#[test]
fn who_says_nothing_or_does_not_name_himself_is_no_board() {
    let mut mute = Rig::new(Some(KEY), |_, _| true);
    mute.run(60_000);
    assert_eq!(mute.session.verdict(), Verdict::Lost(Loss::Mute));
    let mut nameless = Rig::new(Some(KEY), |_, c| *c == Command::SendTrademark);
    nameless.run(60_000);
    assert_eq!(nameless.session.verdict(), Verdict::Lost(Loss::NotABoard));
    let mut without = Rig::new(Some(KEY), |_, c| *c == Command::SendBoard);
    without.run(60_000);
    assert_eq!(without.session.verdict(), Verdict::Lost(Loss::NoPlacement));
}

#[test]
fn the_link_is_kept_alive_every_second_and_silence_is_a_loss() {
    let mut rig = Rig::new(Some(KEY), |t, _| t > 20_000);
    rig.run(20_000);
    assert_eq!(rig.session.verdict(), Verdict::Board);
    let gaps = rig.sent.windows(2).map(|w| w[1].0 - w[0].0).max();
    assert!(gaps <= Some(1_000), "{gaps:?}");
    assert!(rig.count(&Command::SendSerialNumber) > 12);
    rig.run(30_000);
    assert_eq!(rig.session.verdict(), Verdict::Lost(Loss::Silent));
}

#[test]
fn dumps_repair_what_updates_missed() {
    let mut rig = Rig::new(Some(KEY), |_, _| false);
    rig.run(1_500);
    let quiet = rig.count(&Command::SendBoard);
    rig.run(12_000);
    assert_eq!(rig.count(&Command::SendBoard), quiet + 2, "every five seconds");
    let square = WireSquare::new(52).unwrap();
    rig.say(&Message::FieldOccupancy { square, field: Field::Empty });
    rig.run(12_300);
    assert_eq!(rig.count(&Command::SendBoard), quiet + 2);
    rig.run(12_800);
    assert_eq!(rig.count(&Command::SendBoard), quiet + 3, "after a burst");
}

#[test]
fn leds_wait_for_the_start_up_and_are_sent_again_when_a_square_of_theirs_changes() {
    let mut rig = Rig::new(Some(KEY), |_, _| false);
    let squares = [WireSquare::new(52).unwrap(), WireSquare::new(36).unwrap()];
    let leds = Leds::together(squares);
    rig.session.send(&Wired::PegasusLeds(leds.clone()));
    rig.run(500);
    assert_eq!(rig.count(&Command::Leds(leds.clone())), 0);
    rig.run(3_000);
    assert_eq!(rig.count(&Command::Leds(leds.clone())), 1);
    rig.session.send(&Wired::PegasusLeds(leds.clone()));
    rig.run(5_000);
    assert_eq!(rig.count(&Command::Leds(leds.clone())), 1, "the same pattern again would begin anew");
    rig.say(&Message::FieldOccupancy { square: squares[0], field: Field::Empty });
    rig.say(&Message::FieldOccupancy { square: WireSquare::new(0).unwrap(), field: Field::Empty });
    rig.run(6_000);
    assert_eq!(rig.count(&Command::Leds(leds)), 2);
}

#[test]
fn what_such_a_board_does_not_know_is_never_sent() {
    let mut rig = Rig::new(Some(KEY), |_, _| false);
    rig.run(1_500);
    for command in [Wired::SendClock, Wired::SendUpdateNice, Wired::SendUpdate, Wired::SendMoveMemory, Wired::Other(0x4E)] {
        rig.session.send(&command);
    }
    rig.run(4_000);
    assert!(rig.order().iter().all(|c| !matches!(c, Command::Other(_))), "{:?}", rig.sent);
}

proptest! {
    #[test]
    fn whatever_comes_writes_keep_their_distance_and_no_deadline_stands_still(
        steps in proptest::collection::vec((0_u64..3_000, 0_u8..9, any::<u64>()), 0..150)
    ) {
        let (mut now, mut session, mut last) = (0, BleSession::new(Mono::ZERO, Some(KEY), false), None::<u64>);
        for (pause, what, bits) in steps {
            let end = now + pause;
            loop {
                while let Some(write) = session.wants_write(Mono::from_millis(now)) {
                    prop_assert!(last.is_none_or(|last| now >= last + GAP));
                    prop_assert!((1..=20).contains(&write.bytes.len()));
                    last = Some(now);
                }
                let Some(next) = session.deadline().map(Mono::millis) else { break };
                prop_assert!(next > now, "a deadline stands still at {now}");
                if next > end {
                    break;
                }
                now = next;
            }
            now = end;
            let square = WireSquare::new((bits % 64) as u8).unwrap();
            let message = match what {
                0 => Message::Version { main: 1, sub: 0 },
                1 => Message::Trademark(String::from("x")),
                2 => Message::Occupancy(Box::new(Dump::of(bits))),
                3 => Message::Occupancy(Box::new(Dump([Field::Locked; 64]))),
                4 => Message::FieldOccupancy { square, field: Field::Occupied },
                5 => Message::KeyState((bits % 2) as u8),
                6 => Message::SerialNumber(*b"00000"),
                7 => { session.send(&Wired::PegasusLeds(Leds::path([square]))); continue }
                _ => { session.send(&Wired::SendBoard); continue }
            };
            session.bytes(Mono::from_millis(now));
            session.message(Mono::from_millis(now), &message);
        }
    }
}

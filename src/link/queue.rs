//! One writer, one command in flight: pacing, answers matched by id, the clock's acknowledgements. Pure.
use dgt_protocol::clock::{Ack, ClockReport};
use dgt_protocol::command::{ClockCommand, Command};
use dgt_protocol::message::Message;
use flagfall_events::Mono;
use std::collections::VecDeque;

/// Milliseconds between two commands: the board's receive buffer holds ten bytes.
const GAP: u64 = 100;
/// How long an answer may take.
const ANSWER: u64 = 1_000;
/// The whole move memory takes 8.3 s on the wire.
const MEMORY: u64 = 15_000;
/// How long a clock may take to acknowledge.
const ACK: u64 = 2_000;
/// After an acknowledgement that is neither good nor a refusal.
const ACK_RETRY: u64 = 500;
/// For so long a Bluetooth board may repeat an acknowledgement, so the same clock command is not sent again before.
const ACK_ECHO: u64 = 1_000;
/// A clock command is sent so often at most.
const CLOCK_SENDS: u8 = 4;
/// The version query: a second silence already says that no controllable clock is there.
const VERSION_SENDS: u8 = 2;

/// What became of a command that wants an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CommandOutcome {
    /// The answer came.
    Answered(Command),
    /// The clock refused it; set-and-run works in option 23 (XL) or 25 (DGT3000) only.
    Refused(Command),
    /// No answer in time, after all resends.
    Unanswered(Command),
}

#[derive(Debug)]
struct InFlight {
    command: Command,
    expires: Mono,
}

#[derive(Debug)]
struct ClockJob {
    command: ClockCommand,
    sends: u8,
    not_before: Mono,
}

/// What waits to be sent to one board.
#[derive(Debug, Default)]
pub struct Queue {
    board: VecDeque<Command>,
    clock: VecDeque<ClockJob>,
    in_flight: Option<InFlight>,
    last_write: Option<Mono>,
    last_ack: Option<(u8, Mono)>,
}

impl Queue {
    /// An empty queue that keeps the distance to what `earlier` sent last.
    pub fn after(earlier: &Self) -> Self {
        Self { last_write: earlier.last_write, ..Self::default() }
    }

    /// Adds a command. One that is already waiting is not added again, a clock's text replaces a waiting one.
    pub fn push(&mut self, command: Command) {
        let Command::Clock(command) = command else {
            if !self.board.contains(&command) {
                self.board.push_back(command);
            }
            return;
        };
        let waiting = self.clock.iter_mut().find(|job| job.sends == 0 && is_text(&job.command) && is_text(&command));
        match waiting {
            Some(job) => job.command = command,
            None => self.clock.push_back(ClockJob { command, sends: 0, not_before: Mono::ZERO }),
        }
    }

    /// Adds a command of the board before all that wait.
    pub fn push_first(&mut self, command: Command) {
        self.board.retain(|waiting| *waiting != command);
        self.board.push_front(command);
    }

    /// Nothing waits and nothing is in flight.
    pub fn is_idle(&self) -> bool {
        self.in_flight.is_none() && self.board.is_empty() && self.clock.is_empty()
    }

    /// When the last command was sent.
    pub const fn last_write(&self) -> Option<Mono> {
        self.last_write
    }

    /// This command waits for its answer.
    pub fn in_flight(&self) -> Option<&Command> {
        self.in_flight.as_ref().map(|f| &f.command)
    }

    /// The command to write at `t`, if any; it counts as sent.
    pub fn next(&mut self, t: Mono) -> Option<Command> {
        if self.in_flight.is_some() || self.last_write.is_some_and(|w| t < w + GAP) {
            return None;
        }
        let command = match self.board.pop_front() {
            Some(command) => command,
            None => {
                let not_before = self.clock_not_before()?;
                let job = self.clock.front_mut().filter(|_| not_before <= t)?;
                job.sends += 1;
                Command::Clock(job.command.clone())
            }
        };
        self.last_write = Some(t);
        if let Some(patience) = patience(&command) {
            self.in_flight = Some(InFlight { command: command.clone(), expires: t + patience });
        }
        Some(command)
    }

    /// A message came; says which command it answers.
    pub fn message(&mut self, t: Mono, message: &Message) -> Option<CommandOutcome> {
        if !matches!(message, Message::MoveMemory(_)) {
            self.memory_does_not_come(t);
        }
        let flying = &self.in_flight.as_ref()?.command;
        let (Command::Clock(command), Message::Clock(ClockReport::Ack(ack))) = (flying, message) else {
            return if answers(flying, message) { self.in_flight.take().map(|f| CommandOutcome::Answered(f.command)) } else { None };
        };
        if !acknowledges(command, *ack) {
            return None;
        }
        self.last_ack = Some((command.code(), t));
        let flying = self.in_flight.take()?.command;
        match ack.ack0 {
            0x10 => {
                self.clock.pop_front();
                Some(CommandOutcome::Answered(flying))
            }
            0x40 => {
                self.clock.pop_front();
                Some(CommandOutcome::Refused(flying))
            }
            _ => self.retry_clock(t + ACK_RETRY, flying),
        }
    }

    /// A board that sends its memory says nothing else meanwhile, and is never silent: one that does either does not know the command.
    pub fn memory_does_not_come(&mut self, t: Mono) {
        self.in_flight.take_if(|f| f.command == Command::SendMoveMemory && t + MEMORY >= f.expires + ANSWER);
    }

    /// When a memory that was asked for, and of which nothing came, may be given up.
    pub fn memory_overdue_at(&self) -> Option<Mono> {
        self.in_flight
            .as_ref()
            .filter(|f| f.command == Command::SendMoveMemory)
            .map(|f| Mono::from_millis(f.expires.millis() + ANSWER - MEMORY))
    }

    /// Time passes; says which command waited in vain.
    pub fn expire(&mut self, t: Mono) -> Option<CommandOutcome> {
        if t < self.in_flight.as_ref()?.expires {
            return None;
        }
        let flying = self.in_flight.take()?.command;
        match flying {
            Command::Clock(_) => self.retry_clock(t, flying),
            _ => Some(CommandOutcome::Unanswered(flying)),
        }
    }

    /// When [`Queue::next`] or [`Queue::expire`] will have something to do.
    pub fn deadline(&self) -> Option<Mono> {
        if let Some(flying) = &self.in_flight {
            return Some(flying.expires);
        }
        let paced = self.last_write.map_or(Mono::ZERO, |w| w + GAP);
        if !self.board.is_empty() {
            return Some(paced);
        }
        self.clock_not_before().map(|t| t.max(paced))
    }

    /// Keeps the clock command for another try, or gives the clock up and drops what waits for it.
    fn retry_clock(&mut self, t: Mono, flying: Command) -> Option<CommandOutcome> {
        let job = self.clock.front_mut()?;
        let most = match job.command {
            // An old set-and-run would set the running clock back, so it is never sent twice as it is.
            ClockCommand::SetAndRun(_) => 1,
            ClockCommand::Version => VERSION_SENDS,
            _ => CLOCK_SENDS,
        };
        if job.sends < most {
            job.not_before = t;
            return None;
        }
        self.clock.clear();
        Some(CommandOutcome::Unanswered(flying))
    }

    fn clock_not_before(&self) -> Option<Mono> {
        let job = self.clock.front()?;
        let echo = self.last_ack.filter(|(id, _)| job.sends == 0 && *id == job.command.code()).map_or(Mono::ZERO, |(_, t)| t + ACK_ECHO);
        Some(job.not_before.max(echo))
    }
}

/// How long the answer may take; `None`: there is no answer.
const fn patience(command: &Command) -> Option<u64> {
    match command {
        Command::SendClock
        | Command::SendBoard
        | Command::SendSerialNumber
        | Command::SendBusAddress
        | Command::SendTrademark
        | Command::SendHardwareVersion
        | Command::SendBattery
        | Command::SendVersion
        | Command::SendLongSerialNumber => Some(ANSWER),
        Command::SendMoveMemory => Some(MEMORY),
        Command::Clock(_) => Some(ACK),
        _ => None,
    }
}

const fn answers(command: &Command, message: &Message) -> bool {
    matches!(
        (command, message),
        (Command::SendClock, Message::Clock(ClockReport::Time(_) | ClockReport::NoClock))
            | (Command::SendBoard, Message::BoardDump(_))
            | (Command::SendSerialNumber, Message::SerialNumber(_))
            | (Command::SendBusAddress, Message::BusAddress(_))
            | (Command::SendTrademark, Message::Trademark(_))
            | (Command::SendHardwareVersion, Message::HardwareVersion { .. })
            | (Command::SendMoveMemory, Message::MoveMemory(_))
            | (Command::SendBattery, Message::Battery(_))
            | (Command::SendVersion, Message::Version { .. })
            | (Command::SendLongSerialNumber, Message::LongSerialNumber(_))
    )
}

/// Only an answer (D7 clear) whose ack1 names the command; END and the Revelation's text are also done on 81, and an XL's error 20 names nothing.
fn acknowledges(command: &ClockCommand, ack: Ack) -> bool {
    ack.ack1 == command.code()
        || (ack.ack0 == 0x20 && ack.ack1 == 0)
        || (ack.ack1 == 0x81 && matches!(command, ClockCommand::End | ClockCommand::RevelationAscii { .. }))
}

const fn is_text(command: &ClockCommand) -> bool {
    matches!(command, ClockCommand::Display { .. } | ClockCommand::Ascii { .. } | ClockCommand::RevelationAscii { .. })
}

#[cfg(test)]
mod tests {
    use super::*;
    use dgt_protocol::clock::{ClockTimes, Lever, SideTime};
    use dgt_protocol::command::SetAndRun;

    const fn at(ms: u64) -> Mono {
        Mono::from_millis(ms)
    }

    const fn ack(ack0: u8, ack1: u8) -> Message {
        Message::Clock(ClockReport::Ack(Ack { ack0, ack1, ack2: 0, ack3: 0 }))
    }

    fn text(letter: u8) -> Command {
        Command::Clock(ClockCommand::Ascii { text: [letter; 8], beep: 0 })
    }

    fn time() -> Message {
        let times = ClockTimes {
            right: SideTime::default(),
            left: SideTime::default(),
            running: false,
            lever: Lever::LeftHigh,
            battery_low: false,
            turn_bits: 0,
        };
        Message::Clock(ClockReport::Time(times))
    }

    #[test]
    fn commands_keep_a_tenth_of_a_second_apart_and_wait_for_the_answer() {
        let mut queue = Queue::default();
        queue.push(Command::SendUpdateNice);
        queue.push(Command::SendBoard);
        queue.push(Command::SendVersion);
        assert_eq!(queue.next(at(0)), Some(Command::SendUpdateNice));
        assert_eq!((queue.next(at(99)), queue.deadline()), (None, Some(at(100))));
        assert_eq!(queue.next(at(100)), Some(Command::SendBoard));
        assert_eq!(queue.next(at(300)), None, "the dump is still due");
        assert_eq!(queue.message(at(300), &time()), None, "a time is no dump");
        assert_eq!(
            queue.message(at(310), &Message::BoardDump(Box::new([Default::default(); 64]))),
            Some(CommandOutcome::Answered(Command::SendBoard))
        );
        assert_eq!(queue.next(at(310)), Some(Command::SendVersion));
        assert_eq!(queue.expire(at(1309)), None);
        assert_eq!(queue.expire(at(1310)), Some(CommandOutcome::Unanswered(Command::SendVersion)));
        assert!(queue.is_idle());
    }

    #[test]
    fn only_the_commands_own_acknowledgement_releases_the_clock() {
        let mut queue = Queue::default();
        queue.push(text(b'a'));
        queue.push(Command::Clock(ClockCommand::Beep(2)));
        assert_eq!(queue.next(at(0)), Some(text(b'a')));
        for other in [time(), ack(0x10, 0x88), ack(0x10, 0x01), Message::Clock(ClockReport::Null)] {
            assert_eq!(queue.message(at(50), &other), None, "{other:?}");
            assert_eq!(queue.next(at(200)), None, "{other:?}");
        }
        assert_eq!(queue.message(at(260), &ack(0x10, 0x0C)), Some(CommandOutcome::Answered(text(b'a'))));
        assert_eq!(queue.next(at(260)), Some(Command::Clock(ClockCommand::Beep(2))));
    }

    #[test]
    fn a_silent_clock_is_asked_four_times_and_board_commands_go_between() {
        let mut queue = Queue::default();
        queue.push(text(b'a'));
        queue.push(Command::Clock(ClockCommand::End));
        for n in 0..3 {
            assert_eq!(queue.next(at(n * 2_000)), Some(text(b'a')));
            assert_eq!(queue.expire(at(n * 2_000 + 2_000)), None);
        }
        queue.push(Command::SendSerialNumber);
        assert_eq!(queue.next(at(6_000)), Some(Command::SendSerialNumber));
        assert_eq!(queue.message(at(6_020), &Message::SerialNumber(*b"01025")), Some(CommandOutcome::Answered(Command::SendSerialNumber)));
        assert_eq!(queue.next(at(6_100)), Some(text(b'a')));
        assert_eq!(queue.expire(at(8_100)), Some(CommandOutcome::Unanswered(text(b'a'))));
        assert!(queue.is_idle(), "what waited for the clock is dropped");
    }

    #[test]
    fn set_and_run_is_never_sent_twice_and_its_refusal_is_told() {
        let command = Command::Clock(ClockCommand::SetAndRun(SetAndRun { left: (0, 5, 0), right: (0, 3, 0), run: 1 }));
        let mut queue = Queue::default();
        queue.push(command.clone());
        assert_eq!(queue.next(at(0)), Some(command.clone()));
        assert_eq!(queue.expire(at(2_000)), Some(CommandOutcome::Unanswered(command.clone())));
        queue.push(command.clone());
        assert_eq!(queue.next(at(2_000)), Some(command.clone()));
        assert_eq!(queue.message(at(2_100), &ack(0x40, 0x0A)), Some(CommandOutcome::Refused(command)));
        assert_eq!(queue.next(at(9_000)), None);
    }

    #[test]
    fn an_odd_acknowledgement_means_half_a_second_and_again() {
        let mut queue = Queue::default();
        queue.push(text(b'a'));
        assert_eq!(queue.next(at(0)), Some(text(b'a')));
        assert_eq!(queue.message(at(80), &ack(0x20, 0x0C)), None);
        assert_eq!((queue.next(at(579)), queue.deadline()), (None, Some(at(580))));
        assert_eq!(queue.next(at(580)), Some(text(b'a')));
        assert_eq!(queue.message(at(660), &ack(0x20, 0)), None, "an XL's error names no command");
        assert_eq!(queue.next(at(1_160)), Some(text(b'a')));
    }

    #[test]
    fn a_waiting_text_is_replaced_and_the_same_command_waits_out_the_echo() {
        let mut queue = Queue::default();
        for letter in *b"abc" {
            queue.push(text(letter));
        }
        assert_eq!(queue.next(at(0)), Some(text(b'c')));
        queue.push(text(b'd'));
        assert_eq!(queue.message(at(70), &ack(0x10, 0x0C)), Some(CommandOutcome::Answered(text(b'c'))));
        assert_eq!(queue.next(at(1_069)), None);
        assert_eq!(queue.next(at(1_070)), Some(text(b'd')));
    }

    #[test]
    fn end_is_also_done_on_the_emulators_ready() {
        let mut queue = Queue::default();
        queue.push(Command::Clock(ClockCommand::End));
        assert!(queue.next(at(0)).is_some());
        assert_eq!(queue.message(at(70), &ack(0x10, 0x81)), Some(CommandOutcome::Answered(Command::Clock(ClockCommand::End))));
    }
}

//! One connection to one board, from the open port to its loss: start-up sequence, keep-alive, loss. Pure.
//!
//! Time is an argument. The shell writes what [`Session::wants_write`] says, tells what was read, and calls again at [`Session::deadline`].
use super::identity::{ClockPresence, Identity};
use super::queue::{CommandOutcome, Queue};
use dgt_protocol::clock::ClockReport;
use dgt_protocol::command::{ClockCommand, Command};
use dgt_protocol::message::Message;
use flagfall_events::Mono;
use std::fmt;

/// Left alone after opening: some boards restart when the port opens.
const SETTLE: u64 = 500;
/// After RESET, while the rest of an old stream runs out.
const HUSH: u64 = 100;
/// Between two tries of the version query.
const PROBE: u64 = 2_000;
/// So many version queries, and so many dumps asked for.
const TRIES: u8 = 3;
/// A keep-alive after so much time without a command.
const KEEP_ALIVE: u64 = 1_000;
/// Without any byte for so long the board is asked for its version.
const DOUBT: u64 = 3_000;
/// And for so long it is lost, if it did not answer for a second.
const SILENCE: u64 = 5_000;
/// How long the question may take then.
const ANSWER: u64 = 1_000;
/// A reader that wakes so long after it wanted to was not running.
const LATE: u64 = 1_000;
/// Bytes came for so long, but no message: something else sits on this port. Longer than a whole move memory lasts.
const BABBLE: u64 = 16_000;
/// Update mode and placement are made sure of so often, in a quiet moment: a short loss of power leaves a board that answers and never reports.
const VERIFY: u64 = 60_000;
/// A quiet moment: no field changed for so long.
const QUIET: u64 = 1_000;

/// How far a connection has come.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It is not known yet whether this is a board.
    Probing,
    /// A board: it answered, and was asked who it is.
    Board,
    /// It is over.
    Lost(Loss),
}

/// Why a connection is over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Loss {
    /// Nothing ever came.
    Mute,
    /// Something answered, but not as a board.
    NotABoard,
    /// It names itself but sends no placement.
    NoPlacement,
    /// Nothing came for five seconds.
    Silent,
    /// The other side closed, or the cable was pulled.
    HungUp,
    /// It takes no more bytes.
    Stuck,
    /// Reading or writing failed.
    Failed(String),
}

impl fmt::Display for Loss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Mute => "nothing answers here; is the board switched on?",
            Self::NotABoard => "something answers here, but not as a board",
            Self::NoPlacement => "the board answers but sends no placement; switch it off and on",
            Self::Silent => "the board fell silent",
            Self::HungUp => "unplugged or switched off",
            Self::Stuck => "the board takes no more bytes",
            Self::Failed(why) => why,
        })
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// Nothing is written yet.
    Settling { until: Mono },
    /// RESET was sent, what still comes is thrown away.
    Hushing { until: Mono },
    /// Asking for the version.
    Probing { tries: u8, next: Mono },
    /// Asking who it is; no answer is no error.
    Identifying,
    /// Updates on, then the dump.
    Placing { tries: u8 },
    /// The ordinary state.
    Running,
}

/// Whether a silent board was asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Doubt {
    /// There is none.
    None,
    /// It is to be asked, before anything else.
    Raised,
    /// It was asked.
    Asked(Mono),
}

/// One connection. After a loss nothing changes any more; the next connection gets a new one.
#[derive(Debug)]
pub struct Session {
    phase: Phase,
    lost: Option<Loss>,
    queue: Queue,
    identity: Identity,
    battery: bool,
    heard: bool,
    last_byte: Mono,
    last_message: Mono,
    last_update: Mono,
    last_verify: Mono,
    doubt: Doubt,
    missed: bool,
    clock_asked: bool,
}

impl Session {
    /// The port was opened at `t`. `battery`: a board on Bluetooth, which has one.
    pub fn new(t: Mono, battery: bool) -> Self {
        Self {
            phase: Phase::Settling { until: t + SETTLE },
            lost: None,
            queue: Queue::default(),
            identity: Identity::default(),
            battery,
            heard: false,
            last_byte: t,
            last_message: t,
            last_update: t,
            last_verify: t,
            doubt: Doubt::None,
            missed: false,
            clock_asked: false,
        }
    }

    /// Whether bytes count: what was pending before RESET took hold is thrown away, undecoded.
    pub const fn is_listening(&self) -> bool {
        !matches!(self.phase, Phase::Settling { .. } | Phase::Hushing { .. })
    }

    /// How far it has come.
    pub fn verdict(&self) -> Verdict {
        match (&self.lost, self.phase) {
            (Some(loss), _) => Verdict::Lost(loss.clone()),
            (None, Phase::Placing { .. } | Phase::Running) => Verdict::Board,
            (None, _) => Verdict::Probing,
        }
    }

    /// What the board said about itself so far.
    pub const fn identity(&self) -> &Identity {
        &self.identity
    }

    /// Start-up is over, the clock's answer included.
    pub fn is_settled(&self) -> bool {
        self.phase == Phase::Running && self.queue.is_idle()
    }

    /// Queues a command. Refused (`false`): what could harm an ordinary board.
    pub fn send(&mut self, command: Command) -> bool {
        let harmful = match &command {
            Command::Other(_) | Command::RevelationLeds { .. } | Command::PegasusLeds(_) | Command::Clock(ClockCommand::Other(_)) => true,
            Command::Clock(ClockCommand::Beep(n)) => *n >= 0x40,
            _ => false,
        };
        if !harmful {
            self.queue.push(command);
        }
        !harmful
    }

    /// The port hung up or failed.
    pub fn lose(&mut self, loss: Loss) {
        self.lost.get_or_insert(loss);
    }

    /// Bytes were read at `t`; the messages in them follow.
    pub const fn bytes(&mut self, t: Mono) {
        self.last_byte = t;
        self.doubt = Doubt::None;
        self.heard = self.heard || self.is_listening();
    }

    /// The reader woke at `t` and had wanted to at `due`. If it was not running (the process was stopped, the machine starved), what came meanwhile may wait unread: silence counts
    /// from here.
    pub fn woke(&mut self, due: Mono, t: Mono) {
        if t.since(due) > LATE {
            (self.last_byte, self.last_message, self.doubt) = (t, t, Doubt::None);
        }
    }

    /// A whole message came at `t`.
    pub fn message(&mut self, t: Mono, message: &Message) {
        if self.lost.is_some() || !self.is_listening() {
            return;
        }
        self.last_message = t;
        self.identity.learn(message);
        let unasked_memory = matches!(message, Message::MoveMemory(_)) && self.queue.in_flight() != Some(&Command::SendMoveMemory);
        if let Some(outcome) = self.queue.message(t, message) {
            self.outcome(t, outcome);
        }
        match message {
            // The answer to a query given up already is as good.
            Message::Version { .. } if matches!(self.phase, Phase::Probing { .. }) => self.identify(t),
            Message::FieldUpdate { .. } => self.last_update = t,
            Message::Clock(ClockReport::NoClock) => self.clock_asked = false,
            Message::Clock(ClockReport::Time(_)) if self.phase == Phase::Running => self.ask_clock(),
            // A dump nobody asked for: the board took some byte as a command, so its mode and our image are in doubt.
            Message::MoveMemory(_) if unasked_memory => self.verify(t),
            _ => {}
        }
    }

    /// The command to write at `t`; it counts as sent. Call again until `None`, and at [`Session::deadline`].
    pub fn wants_write(&mut self, t: Mono) -> Option<Command> {
        if self.lost.is_none() {
            self.advance(t);
        }
        if self.lost.is_some() || matches!(self.phase, Phase::Settling { .. }) {
            return None;
        }
        let command = self.queue.next(t)?;
        if self.doubt == Doubt::Raised && command == Command::SendVersion {
            self.doubt = Doubt::Asked(t);
        }
        Some(command)
    }

    /// When to call [`Session::wants_write`] again if nothing else happens; `None` after a loss.
    pub fn deadline(&self) -> Option<Mono> {
        if self.lost.is_some() {
            return None;
        }
        let queue = self.queue.deadline();
        let own = match self.phase {
            Phase::Settling { until } => return Some(until),
            Phase::Hushing { until } => until,
            Phase::Probing { next, .. } if self.queue.is_idle() => next,
            Phase::Probing { .. } => return queue,
            Phase::Identifying | Phase::Placing { .. } | Phase::Running => {
                let doubt = match self.doubt {
                    Doubt::None => self.last_byte + DOUBT,
                    // What is in flight first, but not a memory that does not come.
                    Doubt::Raised => self.queue.memory_overdue_at().or(queue).unwrap_or(self.last_byte + SILENCE),
                    Doubt::Asked(at) => (self.last_byte + SILENCE).max(at + ANSWER),
                };
                let mut own = doubt.min(self.last_message + BABBLE);
                if self.phase == Phase::Running && self.queue.is_idle() {
                    own = own.min(self.keep_alive_at()).min(self.verify_at());
                }
                own
            }
        };
        Some(queue.map_or(own, |q| q.min(own)))
    }

    fn advance(&mut self, t: Mono) {
        if let Some(outcome) = self.queue.expire(t) {
            self.outcome(t, outcome);
        }
        match self.phase {
            Phase::Settling { until } if t >= until => {
                self.queue.push(Command::Reset);
                self.phase = Phase::Hushing { until: t + HUSH };
            }
            Phase::Hushing { until } if t >= until => self.phase = Phase::Probing { tries: 0, next: t },
            _ => {}
        }
        match self.phase {
            Phase::Probing { tries, next } if self.queue.is_idle() && t >= next => {
                self.queue.push(Command::SendVersion);
                self.phase = Phase::Probing { tries: tries + 1, next: t + PROBE };
            }
            Phase::Identifying | Phase::Placing { .. } | Phase::Running => self.watch(t),
            _ => {}
        }
    }

    /// Keep-alive and loss.
    fn watch(&mut self, t: Mono) {
        if t >= self.last_byte + SILENCE && matches!(self.doubt, Doubt::Asked(at) if t >= at + ANSWER) {
            return self.lose(Loss::Silent);
        }
        if t >= self.last_message + BABBLE {
            return self.lose(Loss::NotABoard);
        }
        if t >= self.last_byte + DOUBT && self.doubt == Doubt::None {
            self.doubt = Doubt::Raised;
            self.queue.push_first(Command::SendVersion);
        }
        if self.doubt == Doubt::Raised {
            self.queue.memory_does_not_come(t);
        }
        if self.phase == Phase::Running && self.queue.is_idle() {
            if t >= self.verify_at() {
                self.verify(t);
            } else if t >= self.keep_alive_at() {
                // Boards that do not know 45 answered 4D, or they would not be here.
                self.queue.push(if self.identity.serial.is_some() { Command::SendSerialNumber } else { Command::SendVersion });
            }
        }
    }

    fn outcome(&mut self, t: Mono, outcome: CommandOutcome) {
        match (self.phase, outcome) {
            (Phase::Probing { tries, .. }, CommandOutcome::Unanswered(_)) if tries >= TRIES => {
                self.lose(if self.heard { Loss::NotABoard } else { Loss::Mute });
            }
            (Phase::Probing { .. }, _) => {}
            (Phase::Identifying, _) if self.queue.is_idle() => {
                self.queue.push(Command::SendUpdateNice);
                self.queue.push(Command::SendBoard);
                self.phase = Phase::Placing { tries: 1 };
            }
            (Phase::Placing { .. }, CommandOutcome::Answered(Command::SendBoard)) => {
                self.queue.push(Command::SendClock);
                self.phase = Phase::Running;
                self.last_verify = t;
            }
            (Phase::Placing { tries }, CommandOutcome::Unanswered(Command::SendBoard)) => {
                if tries >= TRIES {
                    return self.lose(Loss::NoPlacement);
                }
                self.queue.push(Command::SendUpdateNice);
                self.queue.push(Command::SendBoard);
                self.phase = Phase::Placing { tries: tries + 1 };
            }
            (Phase::Running, CommandOutcome::Unanswered(Command::SendClock)) if self.identity.clock == ClockPresence::Unknown => {
                self.ask_clock()
            }
            (Phase::Running, CommandOutcome::Unanswered(Command::SendSerialNumber | Command::SendVersion | Command::SendBoard)) => {
                self.missed = true
            }
            // It was away for a moment: perhaps without power, which ends every mode.
            (Phase::Running, CommandOutcome::Answered(_)) if self.missed => self.verify(t),
            _ => {}
        }
    }

    fn identify(&mut self, t: Mono) {
        self.queue = Queue::after(&self.queue);
        self.phase = Phase::Identifying;
        (self.last_byte, self.last_message) = (t, t);
        for command in [Command::SendSerialNumber, Command::SendLongSerialNumber, Command::SendHardwareVersion] {
            self.queue.push(command);
        }
        if self.battery {
            self.queue.push(Command::SendBattery);
        }
    }

    /// Once a clock, and again when it was gone.
    fn ask_clock(&mut self) {
        if !self.clock_asked {
            self.clock_asked = true;
            self.queue.push(Command::Clock(ClockCommand::Version));
        }
    }

    fn verify(&mut self, t: Mono) {
        self.missed = false;
        self.last_verify = t;
        self.queue.push(Command::SendUpdateNice);
        self.queue.push(Command::SendBoard);
    }

    fn keep_alive_at(&self) -> Mono {
        self.queue.last_write().unwrap_or(self.last_byte) + KEEP_ALIVE
    }

    fn verify_at(&self) -> Mono {
        (self.last_verify + VERIFY).max(self.last_update + QUIET)
    }
}

#[cfg(test)]
#[path = "startup_tests.rs"]
mod tests;

//! One connection to one Bluetooth LE board, from the subscription to its loss: paced start-up judged by the answers, keep-alive,
//! dumps that repair missed updates, LEDs. Pure.
//!
//! Time is an argument. The shell writes what [`BleSession::wants_write`] says, tells what came, and calls again at [`BleSession::deadline`].
use crate::identity::Identity;
use dgt_protocol::command::Command as Wired;
use dgt_protocol::message::Message;
use dgt_protocol::pegasus::{Command, DeveloperKey, Field, Leds, MAIN_VERSION};
use flagfall_events::Mono;
use std::collections::VecDeque;
use std::fmt;

/// Between two writes.
const GAP: u64 = 50;
/// How long an answer may take in the first, second and third round of the start-up: denser spacing stops some boards.
const PATIENCE: [u64; 3] = [300, 1_500, 1_500];
/// How long an answer may take later.
const ANSWER: u64 = 1_000;
/// `45` after so much time without a write: the board drops the link after a minute of silence.
const KEEP_ALIVE: u64 = 1_000;
/// Without any byte for so long the board is lost.
const SILENCE: u64 = 5_000;
/// A reader that wakes so long after it wanted to was not running.
const LATE: u64 = 1_000;
/// A dump so long after the last of a burst of updates, since some are missed.
const AFTER_BURST: u64 = 400;
/// And so often in a quiet moment.
const VERIFY: u64 = 5_000;

/// How far a connection has come.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// The start-up goes on.
    Probing,
    /// A board that tells its placement.
    Board,
    /// It is over.
    Lost(Loss),
}

/// Why a connection is over. Its text says what to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Loss {
    /// Nothing ever came.
    Mute,
    /// It uses the same service, but speaks otherwise.
    NotABoard,
    /// It names itself but sends no placement.
    NoPlacement,
    /// Every field reads 7F, and there is no key.
    Locked,
    /// Every field reads 7F although a key was sent.
    KeyRefused,
    /// A piece on every field.
    Uncalibrated,
    /// Nothing came for five seconds.
    Silent,
    /// The radio link is gone.
    HungUp,
    /// A call to BlueZ failed.
    Failed(String),
}

impl fmt::Display for Loss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Mute => "it connects but says nothing; switch the board off and on",
            Self::NotABoard => "not a board of this kind: it uses the same radio service but speaks otherwise",
            Self::NoPlacement => "the board answers but sends no placement; switch it off and on",
            Self::Locked => "the board is locked: it wants a developer key; put one into a file and name it: key_file in [ble]",
            Self::KeyRefused => "the board is locked and refuses the developer key; check the file that key_file in [ble] names",
            Self::Uncalibrated => {
                "the board reads a piece on every square: it is not calibrated; charged, switched off and empty, press its button long until d4 d5 e4 e5 flash"
            }
            Self::Silent => "the board fell silent",
            Self::HungUp => "out of reach or switched off",
            Self::Failed(why) => why,
        })
    }
}

/// One step of the start-up.
#[derive(Clone, Debug)]
struct Step {
    command: Command,
    sent: bool,
    answered: bool,
}

#[derive(Clone, Debug)]
enum Phase {
    /// Round (from 0) and step of the start-up.
    Starting { round: usize, at: usize },
    /// The ordinary state.
    Running,
}

/// What the shell writes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Write {
    /// One write of at most 20 bytes.
    pub(crate) bytes: Vec<u8>,
    /// Not for any record: the developer key.
    pub(crate) secret: bool,
}

/// One connection. After a loss nothing changes any more; the next connection gets a new one.
#[derive(Debug)]
pub(crate) struct BleSession {
    phase: Phase,
    steps: Vec<Step>,
    has_key: bool,
    lost: Option<Loss>,
    identity: Identity,
    trademark: Option<String>,
    /// A dump came, and it was no position.
    odd: Option<Loss>,
    /// A dump came that reads as one.
    placed: bool,
    in_flight: Option<(Command, Mono)>,
    queue: VecDeque<Command>,
    last_write: Option<Mono>,
    last_byte: Mono,
    heard: bool,
    last_dump: Mono,
    last_update: Mono,
    /// Updates came since the last dump.
    burst: bool,
    leds: Leds,
    leds_due: bool,
}

impl BleSession {
    /// The subscription stands at `t`. `trusted`: the board was named, or its name says what it is; anybody else is asked who he is before he
    /// is told the key.
    pub(crate) fn new(t: Mono, key: Option<DeveloperKey>, trusted: bool) -> Self {
        let unlock = key.map(|key| [Command::Key(key), Command::SendKeyState]).into_iter().flatten();
        let who = [Command::SendVersion, Command::SendTrademark];
        let rest = [Command::SendSerialNumber, Command::SendBoard, Command::SendUpdates, Command::SendBattery];
        let mut order = vec![Command::Reset];
        if trusted {
            order.extend(unlock.chain(who));
        } else {
            order.extend(who.into_iter().chain(unlock));
        }
        order.extend(rest);
        Self {
            phase: Phase::Starting { round: 0, at: 0 },
            steps: order.into_iter().map(|command| Step { command, sent: false, answered: false }).collect(),
            has_key: key.is_some(),
            lost: None,
            identity: Identity::default(),
            trademark: None,
            odd: None,
            placed: false,
            in_flight: None,
            queue: VecDeque::new(),
            last_write: None,
            last_byte: t,
            heard: false,
            last_dump: t,
            last_update: t,
            burst: false,
            leds: Leds::Off,
            leds_due: false,
        }
    }

    pub(crate) fn verdict(&self) -> Verdict {
        match (&self.lost, &self.phase) {
            (Some(loss), _) => Verdict::Lost(loss.clone()),
            (None, Phase::Running) => Verdict::Board,
            (None, Phase::Starting { .. }) => Verdict::Probing,
        }
    }

    /// What the board said about itself so far.
    pub(crate) const fn identity(&self) -> &Identity {
        &self.identity
    }

    /// The link is gone.
    pub(crate) fn lose(&mut self, loss: Loss) {
        self.lost.get_or_insert(loss);
    }

    /// A game or the daemon wants something. What such a board does not know is dropped: it has no clock and keeps no log.
    pub(crate) fn send(&mut self, command: &Wired) {
        match command {
            Wired::SendBoard => self.push(Command::SendBoard),
            Wired::SendBattery => self.push(Command::SendBattery),
            Wired::PegasusLeds(leds) => {
                self.leds_due |= self.leds != *leds;
                self.leds = leds.clone();
            }
            _ => {}
        }
    }

    fn push(&mut self, command: Command) {
        if !self.queue.contains(&command) {
            self.queue.push_back(command);
        }
    }

    /// Bytes came at `t`; the messages in them follow.
    pub(crate) const fn bytes(&mut self, t: Mono) {
        self.last_byte = t;
        self.heard = true;
    }

    /// The reader woke at `t` and had wanted to at `due`. If it was not running, what came meanwhile may wait unread: silence counts from here.
    pub(crate) fn woke(&mut self, due: Mono, t: Mono) {
        if t.since(due) > LATE {
            self.last_byte = t;
        }
    }

    /// A whole message came at `t`.
    pub(crate) fn message(&mut self, t: Mono, message: &Message) {
        if self.lost.is_some() {
            return;
        }
        if self.in_flight.as_ref().is_some_and(|(command, _)| command.answer() == Some(message.id())) {
            self.in_flight = None;
        }
        for step in self.steps.iter_mut().filter(|step| step.sent && step.command.answer() == Some(message.id())) {
            step.answered = true;
        }
        match message {
            Message::Version { main, .. } if *main != MAIN_VERSION => self.lose(Loss::NotABoard),
            Message::Trademark(text) => self.trademark = Some(text.clone()),
            Message::Occupancy(dump) => {
                (self.last_dump, self.burst) = (t, false);
                let locked = || if self.has_key { Loss::KeyRefused } else { Loss::Locked };
                self.odd = if dump.is_locked() { Some(locked()) } else { dump.is_full().then_some(Loss::Uncalibrated) };
                self.placed |= self.odd.is_none();
                if matches!(self.phase, Phase::Running) {
                    // It was without power, or forgot its key: begin anew.
                    self.lost = self.odd.clone();
                } else if self.odd.is_some() {
                    self.steps
                        .iter_mut()
                        .filter(|s| matches!(s.command, Command::Key(_) | Command::SendBoard))
                        .for_each(|s| s.answered = false);
                }
            }
            Message::FieldOccupancy { square, field } if *field != Field::Locked => {
                (self.last_update, self.burst) = (t, true);
                // The board clears a pattern by itself when one of its squares changes.
                self.leds_due |= self.leds.squares().contains(square);
            }
            other => self.identity.learn(other),
        }
    }

    /// What to write at `t`; it counts as sent. Call again until `None`, and at [`BleSession::deadline`].
    pub(crate) fn wants_write(&mut self, t: Mono) -> Option<Write> {
        if self.lost.is_none() {
            self.watch(t);
        }
        if self.lost.is_some() || self.last_write.is_some_and(|at| t < at + GAP) {
            return None;
        }
        let command = match self.next_step(t) {
            Some(step) => step,
            // The start-up may have ended just now.
            None if self.is_running() => self.next_command(t)?,
            None => return None,
        };
        self.last_write = Some(t);
        let secret = matches!(command, Command::Key(_));
        let bytes = command.encode();
        let patience = match self.phase {
            Phase::Starting { round, .. } => Some(PATIENCE[round.min(2)]),
            Phase::Running => command.answer().map(|_| ANSWER),
        };
        self.in_flight = patience.map(|patience| (command, t + patience));
        Some(Write { bytes, secret })
    }

    /// When to call [`BleSession::wants_write`] again if nothing else happens; `None` after a loss.
    pub(crate) fn deadline(&self) -> Option<Mono> {
        if self.lost.is_some() {
            return None;
        }
        let paced = self.last_write.map_or(Mono::ZERO, |at| at + GAP);
        let next = match (&self.in_flight, &self.phase) {
            (Some((_, expires)), _) => *expires,
            (None, Phase::Starting { .. }) => return Some(paced),
            (None, Phase::Running) if self.leds_due || !self.queue.is_empty() => paced,
            (None, Phase::Running) => self.keep_alive_at().min(self.dump_at()).max(paced),
        };
        Some(if self.is_running() { next.min(self.last_byte + SILENCE) } else { next })
    }

    const fn is_running(&self) -> bool {
        matches!(self.phase, Phase::Running)
    }

    fn watch(&mut self, t: Mono) {
        if self.is_running() && t >= self.last_byte + SILENCE {
            return self.lose(Loss::Silent);
        }
        self.in_flight.take_if(|(_, expires)| *expires <= t);
    }

    /// The next step of the start-up; at its end the verdict.
    fn next_step(&mut self, t: Mono) -> Option<Command> {
        loop {
            if self.in_flight.is_some() {
                return None;
            }
            let Phase::Starting { round, at } = self.phase else { return None };
            let Some(step) = self.steps.get_mut(at) else {
                self.end_of_round(t, round);
                if self.lost.is_some() || self.is_running() {
                    return None;
                }
                continue;
            };
            self.phase = Phase::Starting { round, at: at + 1 };
            // Asked again: what was not answered; and updates, which nothing answers.
            let again = match step.command {
                Command::Reset => false,
                Command::SendUpdates => true,
                Command::Key(_) => !self.placed,
                _ => !step.answered,
            };
            if !step.sent || again {
                step.sent = true;
                return Some(step.command.clone());
            }
        }
    }

    fn end_of_round(&mut self, t: Mono, round: usize) {
        let named = self.identity.firmware.is_some() && self.trademark.is_some();
        // The battery is no condition.
        if named && self.placed && self.odd.is_none() {
            (self.phase, self.last_byte) = (Phase::Running, t);
            return;
        }
        if round + 1 < PATIENCE.len() {
            self.phase = Phase::Starting { round: round + 1, at: 0 };
            return;
        }
        self.lose(if !self.heard {
            Loss::Mute
        } else if !named {
            Loss::NotABoard
        } else {
            self.odd.clone().unwrap_or(Loss::NoPlacement)
        });
    }

    fn next_command(&mut self, t: Mono) -> Option<Command> {
        if self.in_flight.is_some() {
            return None;
        }
        if let Some(command) = self.queue.pop_front() {
            return Some(command);
        }
        if std::mem::take(&mut self.leds_due) {
            return Some(Command::Leds(self.leds.clone()));
        }
        if t >= self.dump_at() {
            self.last_dump = t;
            return Some(Command::SendBoard);
        }
        (t >= self.keep_alive_at()).then_some(Command::SendSerialNumber)
    }

    fn keep_alive_at(&self) -> Mono {
        self.last_write.unwrap_or(self.last_byte) + KEEP_ALIVE
    }

    fn dump_at(&self) -> Mono {
        if self.burst { (self.last_update + AFTER_BURST).max(self.last_dump + AFTER_BURST) } else { self.last_dump + VERIFY }
    }
}

#[cfg(test)]
#[path = "session_tests.rs"]
mod tests;

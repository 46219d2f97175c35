//! One board's side of a bus: the mode it boots in, four bytes a command, an address and a checksum in every answer.
//!
//! | it does | as |
//! |---|---|
//! | answers late | within milliseconds; up to 20 ms more while it writes its memory, 70 ms to set a start tag, up to 1.1 s to a ping for all |
//! | keeps one command | what comes while it has an answer to give is lost |
//! | keeps its log | what it logged since it was asked last, the same once more, all since the start tag |
//! | skips a ping | the next one for all, once it was told to |
use super::device::{Device, MS, UpdateMode};
use dgt_protocol::bus::{BusAddress, BusAnswer, BusCommand, BusMessage, BusOpcode, checksum};
use dgt_protocol::clock::{ClockReport, ClockTimes, Lever};
use rand::Rng as _;

/// What a start tag takes.
const START: u64 = 70 * MS;
/// Within this time all boards answer a ping for all.
const SPREAD: u64 = 1_100 * MS;
/// A restart takes so long.
const RESTART: u64 = 3_000 * MS;

impl Device {
    /// Takes a byte in bus mode: four make a command, answered if it is for this board or for all. `false`: it belongs to no bus command.
    pub(super) fn bus_byte(&mut self, byte: u8) -> bool {
        if byte >= 0x80 {
            self.bus.buffer.clear();
        } else if self.bus.buffer.is_empty() {
            return false;
        }
        self.bus.buffer.push(byte);
        let [command, high, low, sum] = self.bus.buffer[..] else { return true };
        self.bus.buffer.clear();
        if sum == checksum(&[command, high, low]) {
            self.bus_command(BusCommand { opcode: BusOpcode::from_byte(command), address: BusAddress::from_bytes([high, low]) });
        }
        true
    }

    fn bus_command(&mut self, command: BusCommand) {
        let for_all = command.address == BusAddress::ALL;
        let own = self.config.serial & 0x3FFF;
        let deaf = !self.bus.answers.is_empty() || self.now < self.bus.deaf_until;
        if deaf || (!for_all && command.address.number() != own) {
            return;
        }
        // One alone on its line is asked by whoever has little time.
        let shares = self.config.bus.is_some();
        let memory = self.bus.writes_until.saturating_sub(self.now);
        let soon = if shares { self.rng.random_range(MS..=6 * MS) + self.rng.random_range(0..=memory) } else { 0 };
        match command.opcode {
            BusOpcode::SendClock => {
                let report = match &self.clock {
                    Some(clock) => ClockReport::Time(self.bus.clock.unwrap_or_else(|| clock.report())),
                    None => ClockReport::NoClock,
                };
                self.bus_answer(soon, BusMessage::Clock(report));
            }
            BusOpcode::SendBoard => self.bus_answer(soon, BusMessage::Board(Box::new(*self.scanner.image()))),
            BusOpcode::SendChanges => {
                self.begin_once();
                let (from, to) = (self.bus.owed, self.memory.end());
                let alternate = self.config.bus.is_some_and(|manner| manner.alternates) && !self.bus.last.2;
                (self.bus.owed, self.bus.last) = (to, (from, to, alternate));
                self.send_changes(soon);
            }
            BusOpcode::RepeatChanges => self.send_changes(soon),
            BusOpcode::SetStartGame => {
                self.bus.start = self.memory.end();
                let pieces = *self.scanner.image();
                self.memory.start_tag(&pieces);
                self.bus_answer(START + soon, BusMessage::StartGameSet);
            }
            BusOpcode::SendFromStart => {
                let log = self.memory.between(self.bus.start, self.bus.owed).to_vec();
                self.bus_answer(soon, BusMessage::FromStart(log));
            }
            BusOpcode::Ping | BusOpcode::RandomPing => {
                if for_all && std::mem::take(&mut self.bus.skips_ping) {
                    return;
                }
                let wait = if for_all && shares { self.rng.random_range(0..SPREAD) } else { soon };
                self.bus_answer(wait, BusMessage::Ping);
            }
            BusOpcode::IgnoreNextPing => {
                self.bus.skips_ping = true;
                self.bus_answer(soon, BusMessage::Ping);
            }
            BusOpcode::EndBusMode => self.mode = UpdateMode::Idle,
            BusOpcode::Reset => {
                self.bus.booted(&self.memory);
                let pieces = *self.scanner.image();
                self.memory.power_up(&pieces);
                self.bus.deaf_until = self.now + RESTART;
            }
            BusOpcode::SendVersion => {
                let (main, sub) = self.config.firmware;
                let says = (main, sub) > (1, 2);
                self.bus_answer(soon, BusMessage::Version(says.then_some((main, sub))));
            }
            _ => {}
        }
    }

    fn send_changes(&mut self, wait: u64) {
        let (from, to, alternate) = self.bus.last;
        let entries = self.memory.between(from, to).to_vec();
        self.bus_answer(wait, BusMessage::Changes { alternate, entries });
    }

    fn bus_answer(&mut self, wait: u64, message: BusMessage) {
        let address = BusAddress::new(self.config.serial & 0x3FFF).unwrap_or_default();
        self.bus.answers.push_back((self.now + wait, BusAnswer { address, message }.encode()));
    }

    /// Sends what is due.
    pub(super) fn bus_answers(&mut self) {
        let now = self.now;
        while let Some((_, frame)) = self.bus.answers.pop_front_if(|(at, _)| *at <= now) {
            if self.plugged && self.mode == UpdateMode::Bus {
                self.wire.send(now, frame);
            }
        }
    }

    /// The board hears of its clock; where the lever went over on a running clock, the log gets the time of the side that stopped.
    pub(super) fn bus_clock(&mut self, report: ClockTimes) {
        let before = self.bus.clock.replace(report);
        let over = before.is_some_and(|before| before.lever != report.lever && before.running);
        if over && self.plugged {
            let (right, stopped) = match report.lever {
                Lever::LeftHigh => (true, report.right),
                Lever::RightHigh => (false, report.left),
            };
            self.memory.clock(right, stopped.total_seconds());
        }
    }
}

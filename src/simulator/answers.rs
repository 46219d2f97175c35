//! What the board answers to which command in single-board mode.
use super::device::{Device, MS, UpdateMode};
use dgt_protocol::clock::{Ack, ClockReport};
use dgt_protocol::command::{ClockCommand, Command};
use dgt_protocol::message::{Battery, Message};
use rand::Rng as _;

impl Device {
    pub(super) fn command(&mut self, command: &Command) {
        if self.mode == UpdateMode::Bus {
            if matches!(command, Command::Other(_)) {
                return;
            }
            self.mode = UpdateMode::Idle;
        }
        match command {
            Command::Reset => self.mode = UpdateMode::Idle,
            Command::SendUpdate => self.enter(UpdateMode::Update),
            Command::SendUpdateBoard => self.enter(UpdateMode::UpdateBoard),
            Command::SendUpdateNice => self.enter(UpdateMode::UpdateNice),
            Command::SendClock => self.send_clock(),
            Command::SendBoard => self.send(&Message::BoardDump(Box::new(*self.scanner.image()))),
            Command::SendSerialNumber => self.send(&Message::SerialNumber(digits(self.config.serial))),
            Command::SendBusAddress => self.send(&Message::BusAddress(self.config.serial & 0x3FFF)),
            Command::SendTrademark => {
                let text =
                    format!("flagfall simulator\nA board made of software, not a DGT product\nVersion {}\n", env!("CARGO_PKG_VERSION"));
                self.send(&Message::Trademark(text));
            }
            Command::SendVersion => self.send(&Message::Version { main: self.config.firmware.0, sub: self.config.firmware.1 }),
            Command::SendHardwareVersion if self.config.answers_new_queries => {
                self.send(&Message::HardwareVersion { main: 1, sub: 0 });
            }
            Command::SendLongSerialNumber if self.config.answers_new_queries => {
                let mut long = [b'0'; 10];
                long[5..].copy_from_slice(&digits(self.config.serial));
                self.send(&Message::LongSerialNumber(long));
            }
            Command::SendBattery if self.config.bluetooth => {
                self.send(&Message::Battery(Battery { percent: 80, remaining: None, on: (1, 30), standby: (0, 2, 0), status: 0x02 }));
            }
            Command::SendMoveMemory => {
                let log = self.memory.download();
                self.send(&Message::MoveMemory(log));
            }
            Command::Clock(order) => self.clock_command(order),
            Command::Other(byte) if *byte == 0x4A || *byte >= 0x80 => {
                self.mode = UpdateMode::Bus;
                self.bus.clear();
                // A bus command met here switches the mode and is itself thrown away: address and checksum too.
                self.skip = if *byte >= 0x80 { 3 } else { 0 };
            }
            // A forbidden or unknown byte, LEDs of another board, and what this board is too old for.
            _ => {}
        }
    }

    fn send_clock(&mut self) {
        if let Some((at, ack)) = self.last_ack
            && self.config.bluetooth
            && self.now < at + 1000 * MS
        {
            self.send(&Message::Clock(ClockReport::Ack(ack)));
            return;
        }
        let report = match &self.clock {
            Some(clock) => {
                let times = clock.report();
                self.reported = Some((self.now, times));
                self.jack(times)
            }
            None => ClockReport::NoClock,
        };
        self.send(&Message::Clock(report));
    }

    fn clock_command(&mut self, order: &ClockCommand) {
        let acks = matches!(self.mode, UpdateMode::Update | UpdateMode::UpdateNice);
        if self.config.bluetooth && acks {
            self.send(&Message::Clock(ClockReport::Null));
        }
        let Some(clock) = self.clock.as_mut().filter(|_| !self.unplugged_clock) else { return };
        let good = |ack1, ack2| Ack { ack0: 0x10, ack1, ack2, ack3: 0 };
        let ack = match order {
            ClockCommand::Display { .. } => good(0x01, 0),
            ClockCommand::Icons(_) => good(0x02, 0),
            ClockCommand::End => good(0x03, 0),
            ClockCommand::Button => good(0x08, 0),
            // A DGT3000 of version 2.0.
            ClockCommand::Version => good(0x09, 0x20),
            ClockCommand::SetAndRun(times) if clock.set_and_run(self.now, times) => {
                self.clock_changed();
                good(0x0A, 0)
            }
            ClockCommand::SetAndRun(_) => Ack { ack0: 0x40, ack1: 0x0A, ack2: 0, ack3: 0 },
            ClockCommand::Beep(_) => good(0x0B, 0),
            ClockCommand::Ascii { .. } => good(0x0C, 0),
            // Texts for another clock, and what no clock knows.
            _ => return,
        };
        if acks {
            let at = self.now + self.rng.random_range(70..=150) * MS;
            self.acks.push_back((at, ack));
        }
    }
}

fn digits(serial: u16) -> [u8; 5] {
    let text = format!("{serial:05}");
    let mut digits = [b'0'; 5];
    digits.copy_from_slice(text.as_bytes());
    digits
}

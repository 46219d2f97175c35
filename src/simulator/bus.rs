//! The board's answers on a bus: the mode it boots in, with four bytes a command and a checksum.
use super::device::{Device, UpdateMode};
use dgt_protocol::clock::ClockReport;
use dgt_protocol::message::Message;

impl Device {
    /// Takes a byte in bus mode: four make a command, answered if it is for this board or for all. `false`: it belongs to no bus command.
    pub(super) fn bus_byte(&mut self, byte: u8) -> bool {
        if byte >= 0x80 {
            self.bus.clear();
        } else if self.bus.is_empty() {
            return false;
        }
        self.bus.push(byte);
        let [command, high, low, checksum] = self.bus[..] else { return true };
        self.bus.clear();
        let address = u16::from(high) << 7 | u16::from(low);
        let own = self.config.serial & 0x3FFF;
        let sum = command.wrapping_add(high).wrapping_add(low) & 0x7F;
        if sum != checksum || (address != 0 && address != own) {
            return true;
        }
        let message = match command {
            0x81 => (0x84, Message::Clock(self.clock.as_ref().map_or(ClockReport::NoClock, |clock| ClockReport::Time(clock.report())))),
            0x82 => (0x83, Message::BoardDump(Box::new(*self.scanner.image()))),
            0x87 => (0x87, Message::Unknown { id: 0x87, payload: Vec::new() }),
            0x88 => {
                self.mode = UpdateMode::Idle;
                return true;
            }
            0x8B => (0x89, Message::Version { main: self.config.firmware.0, sub: self.config.firmware.1 }),
            _ => return true,
        };
        let single = message.1.encode();
        let length = single.len() + 3;
        let seven = |n: usize| u8::try_from(n & 0x7F).unwrap_or(0);
        let mut frame = vec![message.0, seven(length >> 7), seven(length), seven(usize::from(own >> 7)), seven(usize::from(own))];
        frame.extend_from_slice(&single[3..]);
        frame.push(frame.iter().fold(0u8, |sum, byte| sum.wrapping_add(*byte)) & 0x7F);
        self.wire.send(self.now, frame);
        true
    }
}

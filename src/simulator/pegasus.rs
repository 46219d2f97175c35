//! A Bluetooth LE board made of software: the pieces, hands and sensors of a [`Device`], behind the dialect of such boards.
//!
//! Pure, like the device: time is an argument. What comes out are whole frames; whoever plays the radio cuts them into notifications.
use super::device::{Device, DeviceConfig, DeviceOutput};
use super::script::Script;
use dgt_protocol::message::{Battery, Message};
use dgt_protocol::pegasus::{Command, CommandDecoder, DeveloperKey, Dump, Field, Leds};
use dgt_protocol::receiver::{Receiver, Single};
use flagfall_events::Mono;
use std::collections::VecDeque;

/// Milliseconds of one scan.
const SCAN: u64 = 200;

/// How it differs from a good board.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Quirks {
    /// It wants this key; without one it is open to everybody.
    pub key: Option<DeveloperKey>,
    /// Main version number; 1 in every real board.
    pub main_version: Option<u8>,
    /// A piece on every square, whatever stands there.
    pub uncalibrated: bool,
    /// It answers nothing.
    pub mute: bool,
    /// Every so many field updates one gets lost.
    pub loses_updates: Option<u32>,
}

/// The board.
#[derive(Debug)]
pub struct Pegasus {
    device: Device,
    quirks: Quirks,
    unlocked: bool,
    commands: CommandDecoder,
    answers: Receiver,
    leds: Vec<Leds>,
    updates: u32,
    outputs: VecDeque<Vec<u8>>,
}

impl Pegasus {
    /// The board with the script's pieces on it, switched on.
    pub fn new(seed: u64, script: Script, quirks: Quirks) -> Self {
        let config = DeviceConfig {
            occupancy: true,
            bluetooth: true,
            clock_white: None,
            firmware: (quirks.main_version.unwrap_or(1), 0),
            scan_ms: Some(SCAN),
            ..DeviceConfig::new(seed)
        };
        Self {
            device: Device::new(config, script),
            unlocked: quirks.key.is_none(),
            quirks,
            commands: CommandDecoder::new(),
            answers: Receiver::new(Single::Pegasus),
            leds: Vec::new(),
            updates: 0,
            outputs: VecDeque::new(),
        }
    }

    /// What stands on it and what was really played.
    pub const fn device(&self) -> &Device {
        &self.device
    }

    /// Every pattern that its LEDs were told to show, oldest first.
    pub fn leds(&self) -> &[Leds] {
        &self.leds
    }

    /// The link is gone: what was under way is lost, and it is locked again.
    pub fn hang_up(&mut self) {
        self.commands.clear();
        self.outputs.clear();
        self.unlocked = self.quirks.key.is_none();
    }

    /// One write of the host's at `t`.
    pub fn handle(&mut self, t: Mono, bytes: &[u8]) {
        self.advance(t);
        self.commands.feed(bytes);
        while let Some(command) = self.commands.next() {
            if !self.quirks.mute {
                self.command(t, &command);
            }
        }
    }

    fn command(&mut self, t: Mono, command: &Command) {
        let answer = match command {
            Command::Key(key) => {
                self.unlocked = self.quirks.key.is_none_or(|right| right == *key);
                return;
            }
            Command::Leds(leds) => {
                if self.unlocked {
                    self.leds.push(leds.clone());
                }
                return;
            }
            Command::SendKeyState => Message::KeyState(u8::from(self.unlocked)),
            Command::SendLockState => Message::LockState(u8::from(!self.unlocked)),
            Command::SendTrademark => {
                Message::Trademark(String::from("flagfall simulator\r\nA board made of software, not a DGT product\r\nCopyright 2021\r\n"))
            }
            Command::SendBattery => {
                Message::Battery(Battery { percent: 88, remaining: None, on: (0, 0), standby: (0, 0, 0), status: 0x02 })
            }
            Command::SendBoard if !self.unlocked => Message::Occupancy(Box::new(Dump([Field::Locked; 64]))),
            Command::SendBoard if self.quirks.uncalibrated => Message::Occupancy(Box::new(Dump([Field::Occupied; 64]))),
            Command::Other(_) => return,
            // What has the same byte and the same answer on a board with a cable.
            same => {
                self.device.handle(t, &same.encode());
                return;
            }
        };
        self.outputs.push_back(answer.encode());
    }

    /// Lets the time go by until `t`.
    pub fn advance(&mut self, t: Mono) {
        self.device.advance(t);
        while let Some((_, output)) = self.device.poll() {
            let DeviceOutput::Bytes(bytes) = output else { continue };
            self.answers.feed(t.millis(), &bytes);
        }
        for message in self.answers.by_ref().flatten() {
            if let Message::FieldOccupancy { .. } = &message {
                self.updates = self.updates.wrapping_add(1);
                let lost = self.quirks.loses_updates.is_some_and(|every| self.updates.is_multiple_of(every));
                if lost || !self.unlocked || self.quirks.uncalibrated {
                    continue;
                }
            }
            self.outputs.push_back(message.encode());
        }
    }

    /// When something happens next by itself.
    pub fn deadline(&self) -> Option<Mono> {
        self.device.deadline()
    }

    /// The next whole frame.
    pub fn poll(&mut self) -> Option<Vec<u8>> {
        self.outputs.pop_front()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hands::Hands;
    use crate::pace::Kind;

    fn board(quirks: Quirks) -> Pegasus {
        let game = crate::games::read_games(b"1.e4 e5 1-0").unwrap().remove(0);
        Pegasus::new(1, Hands::new(Kind::Clean, 1).play(&game), quirks)
    }

    fn said(board: &mut Pegasus, t: u64, command: &Command) -> Vec<String> {
        board.handle(Mono::from_millis(t), &command.encode());
        board.advance(Mono::from_millis(t + 150));
        let mut receiver = Receiver::new(Single::Pegasus);
        while let Some(frame) = board.poll() {
            receiver.feed(t, &frame);
        }
        receiver.map(|message| message.unwrap().to_string()).collect()
    }

    #[test]
    fn it_is_locked_until_it_is_told_its_key() {
        let key = DeveloperKey::new([1, 2, 3, 4, 5, 6]);
        let mut board = board(Quirks { key: Some(key), ..Quirks::default() });
        assert_eq!(said(&mut board, 0, &Command::SendBoard), ["board dump locked"]);
        assert!(said(&mut board, 200, &Command::Key(DeveloperKey::new([9; 6]))).is_empty());
        assert_eq!(said(&mut board, 400, &Command::SendKeyState), ["key state 00"]);
        said(&mut board, 600, &Command::Key(key));
        assert_eq!(said(&mut board, 800, &Command::SendKeyState), ["key state 01"]);
        let start = "board dump oooooooo/oooooooo/......../......../......../......../oooooooo/oooooooo";
        assert_eq!(said(&mut board, 1_000, &Command::SendBoard), [start]);
    }

    #[test]
    fn updates_come_once_they_are_asked_for_and_the_pieces_move() {
        let mut board = board(Quirks::default());
        said(&mut board, 0, &Command::SendUpdates);
        let mut fields = 0;
        for t in (0..20_000).step_by(100) {
            board.advance(Mono::from_millis(t));
            while let Some(frame) = board.poll() {
                fields += u32::from(frame[0] == 0x8E);
            }
        }
        assert_eq!(fields, 4);
    }
}

//! The one command that is on the wire, and until when its answer is waited for.
use crate::bus::address::BusAddress;
use crate::bus::command::{BusCommand, BusOpcode};
use crate::bus::dialect::Bus;
use crate::receiver::Receiver;

/// Boards answer a ping to all within 1100 ms; so long they are listened to.
const WINDOW_MS: u64 = 1_500;
/// A start tag takes the board about 70 ms more.
const START_MS: u64 = 120;
/// A whole dump, and the pauses that a USB adapter makes in it.
const SHORT_MS: u64 = 600;
/// A whole log takes 8.3 s on the wire.
const LOG_MS: u64 = 10_000;
/// After a command that was given up nothing is sent for so long: the board may have written its memory.
pub(super) const LATE_MS: u64 = 20;

/// A command that waits for its answer.
#[derive(Clone, Debug)]
pub(super) struct Flight {
    pub(super) command: BusCommand,
    sent: u64,
    /// The answer begins by then.
    begins_by: u64,
    /// The answer is whole by then, whatever comes.
    ends_by: u64,
    heard: Option<u64>,
    /// Something came that is no answer.
    pub(super) damaged: bool,
}

impl Flight {
    pub(super) fn new(command: BusCommand, now: u64, answer_ms: u64) -> Self {
        let (begins, ends) = match command.opcode {
            _ if command.address == BusAddress::ALL => (WINDOW_MS, WINDOW_MS + answer_ms),
            BusOpcode::SetStartGame => (answer_ms + START_MS, SHORT_MS),
            BusOpcode::SendChanges | BusOpcode::RepeatChanges | BusOpcode::SendFromStart => (answer_ms, LOG_MS),
            _ => (answer_ms, SHORT_MS),
        };
        Self { command, sent: now, begins_by: now + begins, ends_by: now + begins.max(ends), heard: None, damaged: false }
    }

    pub(super) const fn is_for_all(&self) -> bool {
        self.command.address.number() == 0
    }

    /// Bytes came.
    pub(super) const fn heard(&mut self, now: u64) {
        self.heard = Some(now);
    }

    /// When it is given up. An answer that has begun is waited for as long as it goes on; a line that never falls silent says something else.
    pub(super) fn deadline(&self, receiver: &Receiver<Bus>) -> u64 {
        let is_its = receiver.frame_in_progress().is_some_and(|id| self.takes(id));
        let begun = receiver.deadline().filter(|_| is_its && self.heard.is_some_and(|heard| heard >= self.sent));
        begun.map_or(self.begins_by, |at| at.max(self.begins_by)).min(self.ends_by)
    }

    /// Whether an answer of this type is the one. Changes come as 85 or 8B.
    pub(super) fn takes(&self, id: u8) -> bool {
        let wanted = self.command.opcode.answer();
        wanted == Some(id) || (wanted == Some(0x85) && id == 0x8B)
    }

    /// Whether it asks for changes.
    pub(super) const fn is_changes(&self) -> bool {
        matches!(self.command.opcode, BusOpcode::SendChanges | BusOpcode::RepeatChanges)
    }
}

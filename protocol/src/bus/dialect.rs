//! How a [`Receiver`](crate::receiver::Receiver) reads a bus.
use super::answer::{self, BusAnswer, BusError, BusMessage};
use crate::frame::Counters;
use crate::receiver::{Dialect, Patience};

/// The rest of an answer comes within this time.
const BUS_MS: u64 = 80;

/// Several boards on one line: answers with an address and a checksum.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Bus;

impl Dialect for Bus {
    type Message = BusAnswer;
    type Error = BusError;

    fn length_fits(&self, id: u8, length: usize) -> bool {
        answer::length_fits(id, length)
    }

    fn read(&self, frame: &[u8], counters: &mut Counters) -> Result<BusAnswer, BusError> {
        let answer = answer::read(frame)?;
        counters.unknown_ids += u64::from(matches!(answer.message, BusMessage::Unknown { .. }));
        Ok(answer)
    }

    fn patience(&self, _: u8) -> Patience {
        Patience::Pause(BUS_MS)
    }
}

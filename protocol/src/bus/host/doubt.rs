//! What damaged answers lead to: a board whose address may be there twice is counted, a bad line is told.
use super::machine::Host;
use super::said::HostOutput;
use crate::bus::address::BusAddress;

impl Host {
    /// A command to one board was answered, or its answer was damaged.
    pub(super) fn exchanged(&mut self, damaged: Option<BusAddress>) {
        self.outputs.extend(self.exchanges.push(damaged).map(HostOutput::Noisy));
    }

    /// Whether two boards may answer to the address of the board with this index: its answers alone are damaged again and again, or were and are not any more.
    pub(super) fn is_doubtful(&self, index: usize) -> bool {
        self.boards.get(index).is_some_and(|board| board.may_be_two(self.now, self.exchanges.of_others()))
    }

    /// Its turn is over: where it may be two, they are counted.
    pub(super) fn count_if_doubtful(&mut self) {
        if !self.is_doubtful(self.turn) || self.search.is_some() || self.is_closed {
            return;
        }
        let now = self.now;
        if let Some(board) = self.boards.get_mut(self.turn) {
            (board.counted, board.doubt) = (Some(now), 0);
            let address = board.address;
            self.count_at(address);
        }
    }
}

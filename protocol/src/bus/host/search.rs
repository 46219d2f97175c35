//! Who is on the line: everybody is pinged, expected boards one by one, and then those who are known are silenced and everybody is pinged again.
use super::board::Board;
use super::machine::Host;
use super::rounds::{Search, Step};
use super::said::{HostOutput, MOST};
use crate::bus::address::BusAddress;
use crate::bus::command::BusOpcode;

/// Rounds of silencing and pinging at most: where answers still collide, the next search goes on.
const ROUNDS: u8 = 8;
/// So often everybody is counted where answers collided: of two boards with one address one may not have been understood.
const COUNTS: u8 = 3;
/// How soon a line on which nobody answers is searched again.
const AGAIN_MS: u64 = 2_000;
/// How often an expected board is pinged: the first command only brings a board back that was thrown out of bus mode.
const TRIES: u8 = 2;
impl Host {
    /// Sends the search's next command; `false`: it is over.
    pub(super) fn search_on(&mut self) -> bool {
        while let Some(search) = &mut self.search {
            match search.step {
                Step::Count | Step::Rest => {
                    (search.garbled, search.rounds) = (false, search.rounds + 1);
                    search.heard.clear();
                    self.write(BusOpcode::Ping, BusAddress::ALL);
                    return true;
                }
                Step::Expected(index, tries) => {
                    let board = self.boards.get(index).map(|board| (board.address, board.is_here));
                    match board {
                        None => search.step = Step::Silence(0),
                        Some((address, false)) if tries < TRIES => {
                            search.step = Step::Expected(index, tries + 1);
                            self.write(BusOpcode::Ping, address);
                            return true;
                        }
                        Some(_) => search.step = Step::Expected(index + 1, 0),
                    }
                }
                Step::Silence(index) => {
                    let counts = search.counts;
                    let next = self.boards.get(index).map(|board| (board.address, board.is_here && Some(board.address) != counts));
                    match next {
                        None if self.config.discover || counts.is_some() => search.step = Step::Rest,
                        None => self.end_search(),
                        Some((address, silenced)) => {
                            search.step = Step::Silence(index + 1);
                            if silenced {
                                self.write(BusOpcode::IgnoreNextPing, address);
                                return true;
                            }
                        }
                    }
                }
            }
        }
        false
    }

    /// The time for answers to a ping to all is over.
    pub(super) fn window_ended(&mut self) {
        let Some(search) = &mut self.search else { return };
        let heard = core::mem::take(&mut search.heard);
        let (step, garbled, rounds, counts) = (search.step, search.garbled, search.rounds, search.counts);
        let (mut news, anybody) = (false, !heard.is_empty());
        for (address, times) in heard {
            // Nobody answers twice; one answer alone may be all that was left of two.
            if times > 1 || (!garbled && (step == Step::Count || counts == Some(address) || self.is_known_twice(address))) {
                self.counted(address, times);
            }
            news |= self.met(address);
        }
        // A count in which something else came says little, and is made again soon: meanwhile everybody else waits.
        if let Some(board) = self.boards.iter_mut().find(|board| garbled && Some(board.address) == counts) {
            board.count_again(self.now);
        }
        let again = (news || (garbled && counts.is_none())) && rounds < ROUNDS;
        let Some(search) = &mut self.search else { return };
        match step {
            Step::Count if garbled && anybody && rounds < COUNTS => {}
            Step::Count => search.step = Step::Expected(0, 0),
            _ if again => search.step = Step::Silence(0),
            _ => self.end_search(),
        }
    }

    /// An address answered so often in one window.
    fn counted(&mut self, address: BusAddress, times: u8) {
        let Some(board) = self.boards.iter_mut().find(|board| board.address == address) else {
            if times > 1 && self.met(address) {
                self.counted(address, times);
            }
            return;
        };
        match (board.is_twice, times > 1) {
            (false, true) => {
                board.is_two(self.now);
                self.outputs.push_back(HostOutput::Twice(address));
                // What comes from there is neither's.
                let index = self.boards.iter().position(|board| board.address == address);
                index.into_iter().for_each(|index| self.lose(index));
            }
            (true, false) => {
                (board.is_twice, board.doubt) = (false, 0);
                self.outputs.push_back(HostOutput::Once(address));
            }
            _ => {}
        }
    }

    fn is_known_twice(&self, address: BusAddress) -> bool {
        self.boards.iter().any(|board| board.address == address && board.is_twice)
    }

    /// A board answers to this address; `true`: nobody knew.
    pub(super) fn met(&mut self, address: BusAddress) -> bool {
        let now = self.now;
        if let Some(board) = self.boards.iter_mut().find(|board| board.address == address) {
            let news = !board.is_here && !board.is_twice;
            if !board.is_twice {
                board.found(now);
            }
            return news;
        }
        if !self.config.discover {
            return false;
        }
        if self.boards.len() >= MOST {
            self.outputs.push_back(HostOutput::TooMany(address));
            return false;
        }
        let mut board = Board::new(address, now);
        board.found(now);
        self.boards.push(board);
        true
    }

    fn end_search(&mut self) {
        self.search = None;
        let anybody = self.boards.iter().any(|board| board.is_here);
        let every = self.config.search_every_ms;
        self.search_at = if anybody { every.map(|ms| self.now + ms) } else { Some(self.now + AGAIN_MS) };
        self.round_began = self.now;
        self.outputs.push_back(HostOutput::Searched);
        let answers = self.anybody_answers();
        let state = if anybody { None } else { self.line.look(self.now, answers, !answers) };
        self.outputs.extend(state.map(HostOutput::Line));
    }

    /// Whether it is time to look for boards; begins if so.
    pub(super) fn search_due(&mut self) -> bool {
        if self.search.is_none() && self.search_at.is_some_and(|at| at <= self.now) {
            let anybody = self.boards.iter().any(|board| board.is_here);
            self.search = Some(if anybody { Search::newcomers() } else { Search::whole() });
            self.search_at = None;
        }
        self.search.is_some()
    }

    /// Counts who answers to this address.
    pub(super) fn count_at(&mut self, address: BusAddress) {
        self.search = Some(Search::count(address));
    }
}

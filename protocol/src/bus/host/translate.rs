//! A board's log and clock readings as the messages that it would send on a line of its own, in the order in which things happened.
use super::board::Board;
use crate::clock::{ClockReport, ClockTimes, Lever, Side, SideTime};
use crate::frame::MEMORY_SIZE;
use crate::memory::{Entries, Entry};
use crate::message::Message;
use alloc::vec::Vec;

/// The end mark of a log.
const END: u8 = 0x6B;

/// What entries came to.
#[derive(Clone, Debug, Default)]
pub(super) struct Entered {
    pub(super) messages: Vec<Message>,
    /// Something in them does not fit what was known.
    pub(super) misfit: bool,
}

/// Whether these entries tell that the board began anew.
pub(super) fn booted(entries: &[u8]) -> bool {
    Entries::new(entries).any(|entry| entry == Entry::PowerUp)
}

/// The log since the start of the game as the board's whole memory.
pub(super) fn log_message(log: &[u8]) -> Message {
    let mut memory: Vec<u8> = log.iter().copied().take(MEMORY_SIZE - 1).collect();
    memory.push(END);
    memory.resize(MEMORY_SIZE, 0);
    Message::MoveMemory(memory)
}

/// The lever after this side was pressed.
const fn after(pressed: Side) -> Lever {
    match pressed {
        Side::Left => Lever::RightHigh,
        Side::Right => Lever::LeftHigh,
    }
}

/// The display of the side that does not run.
const fn stopped(times: &ClockTimes) -> &SideTime {
    match times.lever {
        Lever::LeftHigh => &times.right,
        Lever::RightHigh => &times.left,
    }
}

impl Board {
    /// The clock shows this; a message where that is news.
    pub(super) fn read_clock(&mut self, report: ClockReport) -> Option<Message> {
        match report {
            ClockReport::Time(times) => self.clock = Some(times),
            ClockReport::NoClock => self.clock = None,
            ClockReport::Null | ClockReport::Ack(_) => return None,
        }
        (self.told_clock.replace(report) != Some(report)).then_some(Message::Clock(report))
    }

    /// The side that a press has stopped was running until then: where nobody was told that the clock was started, this tells it. `runs`: it ran when it
    /// was read after that. A lever that goes over on a clock that stands is no press.
    fn started(&mut self, side: Side, time: &SideTime, runs: bool) -> Option<Message> {
        let known = self.clock.filter(|known| !known.running && after(side) != known.lever)?;
        let shown = match side {
            Side::Left => known.left,
            Side::Right => known.right,
        };
        let ran = runs || shown.total_seconds() != time.total_seconds();
        if ran { self.read_clock(ClockReport::Time(ClockTimes { running: true, ..known })) } else { None }
    }

    /// The clock after a press that only the log knows: the presser's time as it was logged, his opponent's as it stood while it was not running.
    fn logged_press(&mut self, side: Side, time: SideTime) -> Option<Message> {
        let mut times = self.clock?;
        let shown = match side {
            Side::Left => &mut times.left,
            Side::Right => &mut times.right,
        };
        // The log has no flags and no indicator.
        *shown = SideTime { per_move: shown.per_move, flag_shown: shown.flag_shown, ..time };
        times.lever = after(side);
        times.turn_bits = times.lever.usual_turn_bits();
        self.read_clock(ClockReport::Time(times))
    }

    /// After how many of these presses the clock was read: the lever tells, and where it was there twice the time of the side that stood.
    fn read_after(&self, presses: &[(Side, SideTime)], read: &ClockTimes) -> Option<usize> {
        let Some(known) = &self.clock else { return Some(0) };
        let mut best: Option<(usize, bool)> = None;
        for count in 0..=presses.len() {
            let (lever, stood) = match count.checked_sub(1).and_then(|last| presses.get(last)) {
                Some((side, time)) => (after(*side), time),
                None => (known.lever, stopped(known)),
            };
            let same = stood.total_seconds() == stopped(read).total_seconds();
            if lever == read.lever && best.is_none_or(|(_, fits)| same && !fits) {
                best = Some((count, same));
            }
        }
        best.map(|(count, _)| count)
    }

    /// What the log says since the last turn, and the clock as it was read just before.
    pub(super) fn enter(&mut self, entries: &[u8], reading: Option<ClockReport>) -> Entered {
        let mut entered = Entered::default();
        let mut log = Entries::new(entries);
        let entries: Vec<Entry> = log.by_ref().collect();
        entered.misfit = log.skipped() > 0;
        let presses: Vec<(Side, SideTime)> = entries
            .iter()
            .filter_map(|entry| match entry {
                Entry::Time { side, time } => Some((*side, *time)),
                _ => None,
            })
            .collect();
        let times = match reading {
            Some(ClockReport::Time(times)) => Some(times),
            _ => None,
        };
        let mut place = times.and_then(|times| self.read_after(&presses, &times));
        if place == Some(0) || times.is_none() {
            entered.messages.extend(reading.and_then(|report| self.read_clock(report)));
        }
        let (mut pressed, mut lists) = (0, false);
        for entry in entries {
            match entry {
                Entry::Piece { square, piece, .. } => {
                    if let Some(image) = &mut self.image {
                        let known = core::mem::replace(&mut image[usize::from(square.index())], piece) == piece;
                        entered.misfit |= known && !lists;
                        if known && lists {
                            continue;
                        }
                    }
                    entered.messages.push(Message::FieldUpdate { square, piece });
                }
                Entry::Time { side, time } => {
                    pressed += 1;
                    lists = false;
                    let runs = times.is_some_and(|times| times.running);
                    entered.messages.extend(self.started(side, &time, runs));
                    // The clock as it stood at the press, and then as it was read after it: the log knows one side only.
                    entered.messages.extend(self.logged_press(side, time));
                    if let Some(times) = times.filter(|_| place == Some(pressed)) {
                        entered.messages.extend(self.read_clock(ClockReport::Time(times)));
                    }
                }
                // Every piece on the board is listed after it.
                Entry::StartTag => lists = true,
                Entry::End => break,
                _ => {}
            }
        }
        if let Some(times) = times.filter(|_| place.take().is_none()) {
            // The lever stands where no entry put it: that came last.
            entered.messages.extend(self.read_clock(ClockReport::Time(times)));
        }
        entered
    }
}

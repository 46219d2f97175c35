//! The board's own move memory, asked for when the link was down too long for a search.
use crate::placement::Placement;
use crate::reading::view::Reading;
use crate::recognition::step::Step;
use crate::recovery::memory::{Found, Memory, pictures, walks};
use crate::timers::Timer;
use alloc::vec::Vec;
use dgt_protocol::command::Command;
use flagfall_events::BoardKind;

/// How long the log may take: 8.3 s on the wire, and its limit.
const ANSWER_MS: u64 = 16_000;
/// What was played while the log was sent comes all at once behind it; so long it may take until the board is quiet with every piece down.
const CATCH_UP_MS: u64 = 20_000;

/// A log that told nothing for so long is said to have told nothing.
const TOLD_MS: u64 = 5_000;

impl Reading<'_> {
    /// What was played while the link was down is not known yet: presses belong to it, and nothing is made on top of it.
    pub(crate) fn is_catching_up(&self) -> bool {
        self.recovery.recovering && !matches!(self.recovery.memory, Memory::Spent)
    }

    /// After a gap no short line was found: the board's log may know, once nothing moves.
    pub(crate) fn memory_is_due(&mut self) {
        if !self.recovery.recovering || self.own.play.as_ref().is_none_or(|p| p.over) {
            self.recovery.memory = Memory::Spent;
            return;
        }
        match self.recovery.memory {
            Memory::Unasked => {
                let quiet = self.watcher.image.last_change() + self.watcher.scan_ms;
                if self.now < quiet {
                    self.set(Timer::Memory, Some(quiet));
                    return;
                }
                self.ask_memory();
                if matches!(self.recovery.memory, Memory::Spent) {
                    self.memory_is_due();
                }
            }
            Memory::Read(came, _) if self.now < came + CATCH_UP_MS => {
                self.recovery.recovering = !self.recover();
                if self.recovery.recovering {
                    if self.now >= came + TOLD_MS {
                        self.be_unsure(true);
                    }
                    let quiet = Some(self.watcher.image.last_change().max(came) + self.watcher.scan_ms).filter(|at| *at > self.now);
                    let told = Some(came + TOLD_MS).filter(|at| *at > self.now);
                    self.set(Timer::Memory, Some(quiet.or(told).unwrap_or(came + CATCH_UP_MS)));
                }
            }
            Memory::Asked | Memory::Read(..) | Memory::Spent => {
                self.recovery.memory = Memory::Spent;
                self.recovery.recovering = !self.recover();
                if self.recovery.recovering {
                    self.be_unsure(true);
                }
            }
        }
    }

    /// Asks for the log, once a gap; a Pegasus keeps none.
    pub(crate) fn ask_memory(&mut self) {
        if self.settings.kind == BoardKind::Pegasus {
            self.recovery.memory = Memory::Spent;
        } else if matches!(self.recovery.memory, Memory::Unasked) {
            self.recovery.memory = Memory::Asked;
            // The clock's reports wait behind the log, and come all at once after it.
            self.clocks.fell_behind(self.now);
            self.command(Command::SendMoveMemory);
            self.set(Timer::Memory, Some(self.now + ANSWER_MS));
        }
    }

    /// The log came. One that was not asked for says that the board took some byte as a command; the link sees to that.
    pub(crate) fn move_memory(&mut self, log: &[u8]) {
        if !matches!(self.recovery.memory, Memory::Asked) {
            return;
        }
        self.clocks.fell_behind(self.now);
        // Whether changes are kept while the log is sent is not known.
        self.ask_for_dump();
        self.recovery.memory = Memory::Spent;
        let Some(play) = self.own.play.as_ref().filter(|p| !p.over && self.recovery.recovering) else { return };
        let blind = self.settings.kind == BoardKind::Occupancy;
        let pictures: Vec<Placement> = pictures(log, blind).iter().map(|wire| self.watcher.turn.placement(wire)).collect();
        self.recovery.memory = Memory::Read(self.now, walks(play, &pictures, self.watcher.image.placement()));
        self.set(Timer::Memory, Some(self.now + self.watcher.scan_ms));
    }

    /// The plies that the log and what the board said since then lead to, once the board is quiet and they lead exactly to what stands now.
    pub(crate) fn walked_line(&mut self) -> Option<Found> {
        let play = self.own.play.as_ref()?;
        let Memory::Read(came, walks) = &mut self.recovery.memory else { return None };
        walks.iter_mut().for_each(|walk| walk.see(self.watcher.image.placement()));
        let quiet = self.watcher.image.last_change().max(*came) + self.watcher.scan_ms;
        if self.now < quiet {
            let at = quiet.min(*came + CATCH_UP_MS);
            self.set(Timer::Memory, Some(at));
            return None;
        }
        walks.iter().find_map(|walk| {
            let path = walk.arrived()?;
            // What was made in the meantime may not be what it began with.
            let kept = play.grounds().iter().position(|ground| ground.position == walk.root().position)?;
            let line: Vec<Step> = play.line()[..kept].iter().chain(path).copied().collect();
            (play.after(&line).placement == *self.watcher.image.placement()).then_some(Found { line, logged: true, open: 0 })
        })
    }
}

//! The board's own move memory, asked for when the link was down too long for a search.
use crate::reading::view::Reading;
use crate::recovery::memory::Memory;
use crate::recovery::{CATCH_UP_MS, Recovery, TOLD_MS};
use dgt_protocol::command::Command;
use flagfall_events::Colour;

impl Reading<'_> {
    /// After a gap no short line was found: the board's log may know, once nothing moves.
    pub(crate) fn memory_is_due(&mut self) {
        if !self.recovery.recovering || self.own.play.as_ref().is_none_or(|p| p.over) {
            self.recovery.memory = Memory::Spent;
            return;
        }
        let last = self.watcher.image.last_change();
        match self.recovery.memory {
            Memory::Unasked if self.recovery.is_to_be_counted() => self.is_counted(),
            Memory::Unasked => {
                let quiet = last + self.watcher.scan_ms;
                if self.now < quiet {
                    self.recovery.wait(Some(quiet));
                    return;
                }
                self.ask_memory();
                if self.recovery.is_spent() {
                    self.memory_is_due();
                }
            }
            Memory::Read(came, _) if self.now < came + CATCH_UP_MS => {
                self.recovery.recovering = !self.recover();
                if self.recovery.recovering {
                    if self.now >= came + TOLD_MS {
                        self.be_unsure(true);
                    }
                    let quiet = Some(last.max(came) + self.watcher.scan_ms).filter(|at| *at > self.now);
                    let told = Some(came + TOLD_MS).filter(|at| *at > self.now);
                    self.recovery.wait(Some(quiet.or(told).unwrap_or(came + CATCH_UP_MS)));
                }
            }
            // Nothing came of it, and what was entered meanwhile waits for a picture.
            Memory::Asked if self.recovery.gap => {
                self.recovery.memory = Memory::Spent;
                self.ask_for_dump();
            }
            Memory::Asked | Memory::Read(..) | Memory::Spent => {
                if let Some(found) = self.own.play.as_ref().and_then(|play| self.recovery.likeliest(play)) {
                    self.recovery.recovering = false;
                    self.take(found);
                    return;
                }
                self.recovery.is_told_nothing(self.now, last);
                self.recovery.recovering = !self.recover();
                if self.recovery.recovering {
                    self.be_unsure(true);
                    self.give_up_the_unseen();
                }
            }
        }
    }

    pub(crate) fn ask_memory(&mut self) {
        if self.recovery.asks(self.now, self.settings.kind) {
            // The clock's reports wait behind the log, and come all at once after it.
            self.clocks.fell_behind(self.now);
            self.command(Command::SendMoveMemory);
        }
    }

    /// The log came. One that was not asked for says that the board took some byte as a command; the link sees to that.
    pub(crate) fn move_memory(&mut self, log: &[u8]) {
        let asked = |recovery: &Recovery| matches!(recovery.memory, Memory::Asked);
        if !asked(self.recovery) && !self.meanwhile.as_ref().is_some_and(|meanwhile| asked(&meanwhile.parts.recovery)) {
            return;
        }
        self.clocks.fell_behind(self.now);
        // Whether changes are kept while the log is sent is not known.
        self.ask_for_dump();
        let sides = (self.clocks.side(Colour::White), self.clocks.turned());
        self.recovery.log_came(self.now, log, (self.settings, sides), self.own.play.as_ref(), self.watcher);
    }
}

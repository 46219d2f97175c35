//! What an arbiter does at a table in mid-game: the players wait, another board or another clock takes the place of a dead one.
use super::clock::Side;
use super::device::{Device, Hold, MS};
use super::memory::Memory;
use dgt_protocol::clock::{ClockReport, ClockTimes};
use flagfall_events::Mono;

impl Device {
    /// From `t` on the players finish and press the move that they are at, then they wait.
    pub fn hold(&mut self, t: Mono) {
        self.advance(t);
        self.hold.get_or_insert(Hold::AfterThePress);
    }

    /// From `t` on they wait, whatever they are at.
    pub fn wait(&mut self, t: Mono) {
        self.advance(t);
        self.hold = Some(Hold::Since(self.now));
    }

    /// Whether the players wait.
    pub const fn is_held(&self) -> bool {
        matches!(self.hold, Some(Hold::Since(_)))
    }

    /// The players play on at `t`, as if there had been no wait.
    pub fn go_on(&mut self, t: Mono) {
        self.advance(t);
        let (Some(Hold::Since(since)), Some((epoch, next))) = (self.hold.take(), self.playing) else { return };
        self.playing = Some((epoch + (self.now - since), next));
        if let Some(game) = self.games.last_mut() {
            game.wait(since / MS, (self.now - since) / MS);
            self.revision += 1;
        }
    }

    /// While its cable is out, another board of the same kind takes this one's place, with the pieces as they stand and nothing in its log.
    pub fn replace(&mut self, serial: u16) {
        (self.config.serial, self.memory) = (serial, Memory::default());
    }

    /// The clock's cable is pulled out of the board at `t`.
    pub fn unplug_clock(&mut self, t: Mono) {
        self.turn_cable(t, true);
    }

    /// A clock's cable is plugged into the board at `t`.
    pub fn plug_clock(&mut self, t: Mono) {
        self.turn_cable(t, false);
    }

    fn turn_cable(&mut self, t: Mono, out: bool) {
        self.advance(t);
        // What was said of the other state is no reason to say nothing now.
        (self.unplugged_clock, self.reported) = (out, None);
        if self.clock.is_some() {
            self.clock_changed();
        }
    }

    /// The board's message where the clock says this.
    pub(super) const fn jack(&self, times: ClockTimes) -> ClockReport {
        if self.unplugged_clock { ClockReport::NoClock } else { ClockReport::Time(times) }
    }

    /// White's side of the clock, where there is one.
    pub const fn white(&self) -> Option<Side> {
        self.config.clock_white
    }
}

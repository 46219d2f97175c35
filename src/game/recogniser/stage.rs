//! Where a board stands between its games.
use crate::clock::Clock;
use crate::recogniser::play::Play;
use alloc::boxed::Box;
use flagfall_events::{Colour, GameResult};

/// Squares that differ from the game where its pieces are being put away.
pub(crate) const CLEARED: u32 = 9;

/// Where the board stands between its games.
#[derive(Clone, Debug, Default)]
pub(crate) struct Stage {
    /// The game with the board's number was said to have begun.
    pub(crate) begun: bool,
    /// Somebody said that the next game begins.
    pub(crate) called: bool,
    /// The clock runs on from the game before.
    pub(crate) runs_on: bool,
    /// The clock was started since the pieces were set up.
    pub(crate) started: bool,
    /// The game before was played without the clock that is there.
    pub(crate) unclocked: bool,
    /// What the kings show while a finding waits to be ruled on.
    pub(crate) agreed: Option<GameResult>,
    /// The clocks stand: so many plies the record may have at most, for one can still be made by who stopped them instead of pressing.
    pub(crate) stood: Option<usize>,
    /// Whose side of the clock was up.
    pub(crate) lever: Option<Colour>,
    /// More was moved meanwhile: analysis.
    pub(crate) analysed: bool,
    /// The pieces are being put away, on a clock that stood when it began.
    pub(crate) cleared: bool,
    /// What the kings showed last, nothing having been played since.
    pub(crate) kings: Option<GameResult>,
    /// The game that has ended, its pieces set up again.
    pub(crate) last: Option<Box<Play>>,
    /// This is such a game: nobody hears what it says.
    pub(crate) follows: bool,
    /// The record has a hole.
    pub(crate) broken: bool,
    /// It was unsure when its journal ended: that is over when the next game begins.
    pub(crate) unsure: bool,
}

impl Stage {
    /// Moves from the start position count: the clock has run since it was set up, somebody said so, or no clock is there or used.
    pub(crate) const fn moves_count(&self, clock: &Clock) -> bool {
        self.called || self.started || self.unclocked || !clock.is_there()
    }
}

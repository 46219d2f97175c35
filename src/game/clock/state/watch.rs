//! What was said and ruled that only time shows.
use crate::clock::sides::Sides;
use flagfall_events::{ClockPair, Mono, SetClock};

#[derive(Clone, Copy, Debug)]
pub(crate) struct Ruled {
    pub(crate) set: SetClock,
    /// No reading has come since.
    pub(crate) fresh: bool,
    /// What the displays showed then.
    pub(crate) shown: Option<ClockPair>,
}

/// What was known when the board last had a clock.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Unplugged {
    /// The last reading.
    pub(crate) at: Mono,
    /// What each side had then, milliseconds.
    pub(crate) left: Sides<i64>,
    /// Moves made by then: White, Black.
    pub(crate) made: [u32; 2],
}

#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Watch {
    /// The last report, believed or not.
    pub(crate) heard: Option<Mono>,
    pub(crate) stale: bool,
    /// The stand that was told as a defect, by when it began.
    pub(crate) defect_of: Option<Mono>,
    pub(crate) lost: bool,
    /// It was set while it stood, and has not run since: its lever tells nothing of the game.
    pub(crate) set_anew: bool,
    /// When it was there for the first time, or again.
    pub(crate) returned: Option<Mono>,
    /// It answered when the journal began.
    pub(crate) answered: bool,
    /// Since when the board says so.
    pub(crate) gone: Option<Mono>,
    /// What was known when the clock went, until the one that is there now was compared with it.
    pub(crate) unplugged: Option<Unplugged>,
    pub(crate) battery: Option<bool>,
    pub(crate) battery_told: bool,
    pub(crate) stopped: Option<(Mono, bool)>,
    /// The arbiter stopped it, or let it go on.
    pub(crate) stop_ruled: bool,
    pub(crate) restart_ruled: bool,
    pub(crate) ruled: Option<Ruled>,
    /// What was ruled or entered before the first move: the clock sum starts from it; `true`: since the scheduled start.
    pub(crate) start_ruled: Option<(SetClock, bool)>,
    pub(crate) unset_told: bool,
    pub(crate) began: Option<Mono>,
    /// When a clock was started for an earlier game last.
    pub(crate) began_before: Option<Mono>,
    pub(crate) late_told: bool,
    pub(crate) nobody_told: bool,
    pub(crate) arrived: [bool; 2],
    pub(crate) default_told: [bool; 2],
    pub(crate) wrong_side: Option<Mono>,
    /// Moves made when the clock ran first: with some, its start was not seen.
    pub(crate) made_before: u32,
    /// Black's clock seems to have run first; presses may say soon that it was White's.
    pub(crate) black_first: Option<Mono>,
    /// What was played makes it as likely that the clock stands the other way round.
    pub(crate) sides_doubted: bool,
    pub(crate) wrong_side_told: bool,
}

impl Watch {
    /// Times that the arbiter set and no reading has confirmed yet.
    pub(crate) fn ruled_now(&self) -> Option<SetClock> {
        self.ruled.filter(|ruled| ruled.fresh).map(|ruled| ruled.set)
    }

    /// `wrong-side-started` was told: it is no more.
    pub(crate) fn take_wrong_side(&mut self) -> bool {
        self.wrong_side = None;
        core::mem::take(&mut self.wrong_side_told)
    }
}

//! What was played, in which game of the board.
use crate::recogniser::play::Play;
use crate::recogniser::stage::Stage;
use crate::timers::Timers;
use shakmaty::Square;

/// What was played, in which game of the board.
#[derive(Clone, Debug)]
pub(crate) struct Recogniser {
    pub(crate) play: Option<Play>,
    pub(crate) stage: Stage,
    /// The game that has begun last, counted from 1 for this board; before the first, 1.
    pub(crate) number: u32,
    /// A ruled position is being put up: what stands meanwhile is no irregularity.
    pub(crate) restoring: bool,
    pub(crate) timers: Timers,
}

impl Recogniser {
    pub(crate) fn new() -> Self {
        Self { play: None, stage: Stage::default(), number: 1, restoring: false, timers: Timers::default() }
    }
}

impl Recogniser {
    /// The pieces of a game stand that has not begun.
    pub(crate) fn is_unsaid(&self) -> bool {
        self.play.as_ref().is_some_and(|play| !play.said)
    }

    /// The game that stands is one whose start nobody saw, and nothing is known of it.
    pub(crate) fn is_supposed(&self) -> bool {
        self.play.as_ref().is_some_and(|play| play.supposed && !play.said && play.record.plies().is_empty())
    }

    /// The game that is on or over and not put away: what is found belongs to it; else the one that will begin.
    pub(crate) fn spoken_of(&self) -> u32 {
        let on = self.play.as_ref().is_some_and(|play| play.said);
        if on || !self.stage.begun { self.number } else { self.number.saturating_add(1) }
    }

    /// The last game that has begun, if one has.
    pub(crate) const fn last_begun(&self) -> Option<u32> {
        if self.stage.begun {
            Some(self.number)
        } else {
            match self.number.checked_sub(1) {
                Some(0) | None => None,
                last => last,
            }
        }
    }

    /// The square that waits for somebody to say what stands on it.
    pub(crate) fn asked_square(&self) -> Option<Square> {
        self.play.as_ref().filter(|p| !p.over)?.promotions.asked.map(|(_, square, _)| square)
    }
}

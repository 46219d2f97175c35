//! What the turns so far say of the clock.
use crate::clock::drift::Drift;
use crate::clock::sides::{Side, Sides};
use crate::clock::state::sum::Sum;
use crate::clock::turn::Turn;
use alloc::vec::Vec;
use flagfall_events::Mono;

#[derive(Clone, Debug)]
pub(crate) struct Judge {
    pub(crate) drift: Drift,
    pub(crate) sum: Sum,
    /// How many bonuses of later periods each side has got.
    pub(crate) got: Sides<usize>,
    /// The clock adds them by its count of presses (else when nothing is left).
    pub(crate) counts: Option<bool>,
    /// A bonus that was due at a press and did not come with it: at which move.
    pub(crate) due: Sides<Option<u32>>,
    pub(crate) at_zero: Sides<Option<Mono>>,
    /// The next period's time that neither side has got, seconds.
    pub(crate) withheld: Sides<i64>,
    /// The oldest first; a turn that fits clears those of its side.
    pub(crate) misfits: Vec<Turn>,
    pub(crate) fits: Sides<u32>,
    /// The displays when the clock first ran; `true`: they were seen before it did.
    pub(crate) start: Option<(Sides<i64>, bool)>,
    pub(crate) base_checked: bool,
    pub(crate) other_ran: i64,
    /// Steps of the running display in this turn.
    pub(crate) steps: u32,
    pub(crate) stood_ms: u64,
    pub(crate) told: Vec<&'static str>,
    pub(crate) quiet_until: u32,
}

impl Judge {
    pub(crate) fn new(quantum_ms: u64) -> Self {
        Self {
            drift: Drift::new(quantum_ms),
            sum: Sum::default(),
            got: Sides::default(),
            counts: None,
            due: Sides::default(),
            at_zero: Sides::default(),
            withheld: Sides::default(),
            misfits: Vec::new(),
            fits: Sides::default(),
            start: None,
            base_checked: false,
            other_ran: 0,
            steps: 0,
            stood_ms: 0,
            told: Vec::new(),
            quiet_until: 0,
        }
    }

    pub(crate) fn new_game(&mut self) {
        let (drift, mut sum) = (self.drift.clone(), self.sum.clone());
        sum.new_game();
        // A clock that was seen to add at zero does so in the next game too.
        let counts = self.counts.filter(|counts| !counts);
        *self = Self { drift, sum, counts, ..Self::new(0) };
        self.drift.forget();
    }

    /// The period that this side should be in, from 0.
    pub(crate) fn period(&self, side: Side) -> usize {
        self.sum.owed[side]
    }

    /// The next period's time came with this very reading.
    pub(crate) fn bonus_at_zero_now(&self, side: Side, now: Mono) -> bool {
        self.at_zero[side] == Some(now)
    }

    /// Times were set: what was wrong before is put right.
    pub(crate) fn set_again(&mut self) {
        self.misfits.clear();
        self.withheld = Sides::default();
        self.due = Sides::default();
        self.got = self.sum.owed;
        self.told.clear();
        self.quiet_until = 0;
        self.other_ran = 0;
        self.stood_ms = 0;
        self.drift.forget();
    }
}

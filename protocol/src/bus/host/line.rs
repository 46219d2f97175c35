//! What is wrong with a line as a whole: told by what comes where answers should.
use core::fmt;

/// Without a whole answer for so long the line is looked at as a whole.
const DEAD_MS: u64 = 2_000;
/// … and so many commands in a row that nobody answered.
const FAILURES: u32 = 3;
/// Boards that fall silent within this time did so together.
pub(super) const TOGETHER_MS: u64 = 3_000;
/// So many bytes tell what is on the line.
const TELLING: u32 = 8;

/// How a line is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum LineState {
    /// Nobody has answered yet, and the search is on.
    #[default]
    Searching,
    /// Boards answer.
    Works,
    /// Nothing comes: nobody is powered, the cable is out at the adapter, or a short circuit holds the line down.
    Silent,
    /// Only 00 comes: the return line is held at its active level, as by a short circuit to the supply.
    Zeros,
    /// Only FF comes: the adapter or the return line hangs between its levels.
    Ones,
    /// Bytes come, and no whole answer among them.
    Noise,
}

impl LineState {
    /// Somebody should look at the cable.
    pub const fn is_fault(self) -> bool {
        matches!(self, Self::Silent | Self::Zeros | Self::Ones | Self::Noise)
    }
}

impl fmt::Display for LineState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Searching => "looking for boards",
            Self::Works => "boards answer",
            Self::Silent => "nobody answers: the boards have no power, the cable is out at the adapter, or there is a short circuit on it",
            Self::Zeros => "only 00 comes: a short circuit on the cable",
            Self::Ones => "only FF comes: a short circuit on the cable, or an adapter that is no RS-232",
            Self::Noise => "bytes come and no answer among them: a bad plug, two boards with one address, or another speed",
        })
    }
}

/// What came since a command was given up for the first time after a whole answer.
#[derive(Clone, Debug)]
pub(super) struct Line {
    state: LineState,
    good: u64,
    zeros: u32,
    ones: u32,
    others: u32,
    /// A whole answer came since it was looked at.
    answered: bool,
    /// Commands that were given up since then.
    failures: u32,
}

impl Line {
    pub(super) const fn new(now: u64) -> Self {
        Self { state: LineState::Searching, good: now, zeros: 0, ones: 0, others: 0, answered: false, failures: 0 }
    }

    pub(super) const fn state(&self) -> LineState {
        self.state
    }

    /// It was dead, and a whole answer came.
    pub(super) const fn is_mended(&self) -> bool {
        self.state.is_fault() && self.answered
    }

    pub(super) fn raw(&mut self, bytes: &[u8]) {
        for byte in bytes {
            let count = match byte {
                0x00 => &mut self.zeros,
                0xFF => &mut self.ones,
                _ => &mut self.others,
            };
            *count = count.saturating_add(1);
        }
    }

    /// A whole answer came.
    pub(super) const fn good(&mut self, now: u64) {
        (self.good, self.zeros, self.ones, self.others, self.answered, self.failures) = (now, 0, 0, 0, true, 0);
    }

    /// A command was given up. What came of the first one's answer was said before the line failed.
    pub(super) const fn failed(&mut self) {
        if self.failures == 0 {
            (self.zeros, self.ones, self.others) = (0, 0, 0);
        }
        self.failures = self.failures.saturating_add(1);
    }

    /// The line's state, where it is another one now. `searched`: everybody was asked, and nobody answered.
    pub(super) fn look(&mut self, now: u64, anybody: bool, searched: bool) -> Option<LineState> {
        let answered = core::mem::take(&mut self.answered);
        let dead = now.saturating_sub(self.good) >= DEAD_MS && self.failures >= FAILURES;
        let state = if !dead && !searched {
            if anybody || answered { LineState::Works } else { return None }
        } else {
            let all = self.zeros.saturating_add(self.ones).saturating_add(self.others);
            match () {
                () if all < TELLING => LineState::Silent,
                // A few bytes around the moment at which it began are something else.
                () if self.zeros >= all - all / 8 => LineState::Zeros,
                () if self.ones >= all - all / 8 => LineState::Ones,
                () => LineState::Noise,
            }
        };
        (core::mem::replace(&mut self.state, state) != state).then_some(state)
    }
}

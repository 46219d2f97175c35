//! What was done already about a gap between what was sent and what is seen: the same is not done twice, and nothing too often.
use super::compare::Gap;
use super::line::Line;
use flagfall_events::Mono;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

/// A push that Lichess delays may wait in its queue for so long beyond its time.
pub(super) const LATE_MS: u64 = 12_000;
/// After so many remedies in a row that did not help, each next one waits longer.
pub(super) const FREE_TRIES: u32 = 3;
/// Up to this.
const LONGEST_WAIT_MS: u64 = 300_000;

/// What was done about one gap of one board.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Tried {
    /// What was sent and what is seen.
    pub(super) pair: u64,
    pub(super) since: Mono,
    pub(super) pushed: bool,
    pub(super) replaced: bool,
    /// Remedies since this was right last.
    pub(super) tries: u32,
    pub(super) not_before: Mono,
}

/// What to do about it now.
pub(super) enum Step {
    Push,
    Replace,
    Wait,
    Stand,
}

impl Tried {
    /// It is tried now: no sooner again than that its outcome can be seen.
    pub(super) fn took(&mut self, now: Mono, delay: u64, step: Step) -> Step {
        match step {
            Step::Push => self.pushed = true,
            Step::Replace => self.replaced = true,
            Step::Wait | Step::Stand => {}
        }
        self.tries = self.tries.saturating_add(1);
        let over = self.tries.saturating_sub(FREE_TRIES);
        let wait = if over == 0 { 0 } else { 2_000_u64.saturating_mul(1 << over.min(10)).min(LONGEST_WAIT_MS) };
        // In a round with a delay the answer is seen when that is over.
        let seen = if delay == 0 { 0 } else { delay + LATE_MS };
        self.not_before = now + wait.max(seen);
        step
    }
}

/// What the gap is about: one is mended at a time.
pub(super) const fn kind_of(gap: &Gap) -> &'static str {
    match gap {
        Gap::Missing => "missing",
        Gap::Start => "start",
        Gap::Moves { .. } => "moves",
        Gap::Clock { .. } => "clock",
        Gap::Tag { name, .. } => name,
    }
}

/// What was sent and what is seen, as far as the gap goes.
pub(super) fn pair_of(gap: &Gap, ours: &Line, theirs: Option<&Line>) -> u64 {
    let mut hasher = DefaultHasher::new();
    match gap {
        Gap::Missing => {}
        Gap::Start => (&ours.start, theirs.map(|line| &line.start)).hash(&mut hasher),
        Gap::Moves { .. } => (&ours.moves, theirs.map(|line| &line.moves)).hash(&mut hasher),
        Gap::Clock { .. } => (&ours.clocks, theirs.map(|line| &line.clocks)).hash(&mut hasher),
        Gap::Tag { ours, theirs, .. } => (ours, theirs).hash(&mut hasher),
    }
    // Never the value of one that was not tried.
    hasher.finish() | 1
}

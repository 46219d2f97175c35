//! A clock that was unplugged in a game and runs again is compared with the record: another one may have taken its place (6.10).
use crate::clock::doubt::Doubt;
use crate::clock::sides::{Side, Sides};
use crate::clock::state::Unplugged;
use crate::clock::turn::{Model, milliseconds};
use crate::clock::{Clock, FaultKind};
use flagfall_events::Mono;

/// What a display may be off that was set by hand, or that was read late.
const NEAR_MS: i64 = 2_000;
/// What a clock of unknown setting may add for a move.
const LARGEST_BONUS_MS: i64 = 60_000;

impl Clock {
    /// The clock is gone in a game; one that is gone twice is compared with what it showed before the first time.
    pub(crate) fn is_unplugged(&mut self) {
        // What was ruled is compared with the ruling.
        let counts = self.progress.playing && self.progress.total() > 0 && self.watch.ruled.is_none();
        let Some(shown) = self.track.shown().filter(|_| counts) else { return };
        let (at, made) = (self.read_at, self.progress.made);
        self.watch.unplugged.get_or_insert_with(|| Unplugged { at, left: Sides::of(|side| shown[side] * 1000), made });
    }

    /// A clock that stands may still be set; one that runs must show what it showed before, less what may have run, and more for each move.
    pub(crate) fn compare_with_record(&mut self, now: Mono) {
        let (Some(was), Some(shown), Some(_)) = (self.watch.unplugged, self.track.shown(), self.running()) else { return };
        self.watch.unplugged = None;
        if !self.progress.playing {
            return;
        }
        let fits = |turned: bool| {
            Side::BOTH.iter().all(|&side| {
                let of = if turned { side.other() } else { side };
                self.may_have_become(was, of, shown[side] * 1000, now)
            })
        };
        // One that was plugged in the other way round is told by its presses.
        if fits(false) || fits(true) {
            return;
        }
        let (before, is) = (self.pair_of(|side| was.left[side]), self.pair_of(|side| shown[side] * 1000));
        self.judge.sum.set(was.left);
        self.say_fault(now, FaultKind::Exchanged { before, shown: is }, None, Doubt::None);
        self.begin_sum(now, shown);
    }

    /// Whether this side can have so much now by what was agreed, whatever was pressed while no clock was there.
    fn may_have_become(&self, was: Unplugged, side: Side, ms: i64, now: Mono) -> bool {
        let colour = self.colour(side) as usize;
        let moves = i64::from(self.progress.made[colour].saturating_sub(was.made[colour])) + 1;
        let expected = self.expected()[side];
        let bonus = match expected.model {
            Some(Model::Nothing | Model::Delay(_)) => 0,
            Some(Model::Fischer(s) | Model::Bronstein(s)) => i64::from(s) * 1000,
            None => LARGEST_BONUS_MS,
        };
        let least = was.left[side].saturating_sub(milliseconds(now.since(was.at))) - NEAR_MS;
        let most = was.left[side].saturating_add(moves.saturating_mul(bonus)) + NEAR_MS;
        let periods = [0, expected.next_base.unwrap_or(0) * 1000];
        periods.iter().any(|more| (least..=most).contains(&(ms - more)))
    }
}

//! The `clock` event: sent when extrapolation would be wrong, at every press, and every ten seconds of a running clock.
use crate::clock::{Changed, Clock, Side};
use flagfall_events::{ClockSource, ClockState, Colour, Flag, Mono};

/// Nobody knows.
const UNKNOWN: ClockState =
    ClockState { white_ms: None, black_ms: None, running: None, flag: None, source: ClockSource::None, uncertainty_ms: 0 };
/// A reading this old is told again at the next report; without a report a little later.
const REPEAT_AT_REPORT_MS: u64 = 9_500;
const REPEAT_MS: u64 = 10_500;
/// A display shows whole seconds.
const WHOLE_MS: u64 = 1_000;
/// A reading further from the extrapolation than this is told at once.
const TOLERANCE_MS: i64 = 1_500;

impl Clock {
    /// The state to publish now; while nobody knows whose display is whose, one alone that is the same either way.
    fn state(&self, now: Mono) -> ClockState {
        let state = self.state_as_taken(now);
        let either_way = state.white_ms == state.black_ms && state.running.is_none() && matches!(state.flag, None | Some(Flag::Both));
        if self.is_attributed() || either_way || state.source == ClockSource::Arbiter { state } else { UNKNOWN }
    }

    /// Readings are whole seconds; what is extrapolated is finer, with its bound.
    fn state_as_taken(&self, now: Mono) -> ClockState {
        let Some(pair) = self.shown() else { return UNKNOWN };
        let running = self.running();
        if let Some(set) = self.watch.ruled_now() {
            return ClockState {
                white_ms: Some(set.white_ms),
                black_ms: Some(set.black_ms),
                running,
                flag: None,
                source: ClockSource::Arbiter,
                uncertainty_ms: 0,
            };
        }
        let expected = self.expected();
        let mut state = ClockState {
            white_ms: Some(pair.white_ms),
            black_ms: Some(pair.black_ms),
            running,
            flag: self.flag(),
            source: ClockSource::Device,
            uncertainty_ms: 0,
        };
        for side in Side::BOTH {
            let white = side == self.white;
            let (left, within) = self.track.left(side, now, &expected);
            let left = left.max(0);
            let shown = if white { pair.white_ms } else { pair.black_ms };
            let runs = running == Some(self.colour(side));
            // Without a report the display must have stepped meanwhile.
            if runs && left <= shown - 1000 && now.since(self.read_at) > WHOLE_MS {
                let still = self.track.still_since().map_or(0, |(since, _)| now.since(since));
                let doubt = within + if still > 3 * WHOLE_MS { still } else { 0 };
                *(if white { &mut state.white_ms } else { &mut state.black_ms }) = Some(left);
                state.source = ClockSource::Estimate;
                state.uncertainty_ms = state.uncertainty_ms.max(doubt);
            } else {
                let off = (shown - left).unsigned_abs();
                state.uncertainty_ms = state.uncertainty_ms.max((off + within).min(WHOLE_MS));
            }
        }
        state
    }

    /// The state to publish if anybody would otherwise believe something wrong, or has waited long enough.
    pub(crate) fn publish(&mut self, now: Mono, changed: Changed) -> Option<ClockState> {
        let mut state = self.state(now);
        // How far the think time told with the press may be off is told with it.
        if let Some((_, within)) = changed.press.and_then(|press| press.spent) {
            state.uncertainty_ms = state.uncertainty_ms.max(within);
        }
        let at_report = self.read_at == now;
        // While nobody listens nothing is known.
        if self.reading.is_some() && self.track.shown().is_none() && !at_report {
            return None;
        }
        let first = self.sent.is_none() && self.watch.heard.is_some();
        let due = changed != Changed::default()
            || first
            || self.sent.is_some_and(|(at, sent)| {
                let elapsed = i64::try_from(now.since(at)).unwrap_or(i64::MAX);
                let off = |was: Option<i64>, is: Option<i64>, runs: bool| match (was, is) {
                    (Some(was), Some(is)) => (was - if runs { elapsed } else { 0 } - is).abs() > TOLERANCE_MS,
                    (was, is) => was != is,
                };
                off(sent.white_ms, state.white_ms, sent.running == Some(Colour::White))
                    || off(sent.black_ms, state.black_ms, sent.running == Some(Colour::Black))
                    || (state.running.is_some() && now.since(at) >= if at_report { REPEAT_AT_REPORT_MS } else { REPEAT_MS })
                    || (state.source != sent.source && state.source == ClockSource::Arbiter)
            });
        due.then(|| {
            self.sent = Some((now, state));
            state
        })
    }

    /// The state as it is, to be told now: what was told last is not so.
    pub(crate) fn tell_anew(&mut self, now: Mono) -> ClockState {
        let state = self.state(now);
        self.sent = Some((now, state));
        state
    }

    /// What was told holds no longer, and nothing is told until the clock is read again; what to say of it, if something was told.
    pub(crate) fn forget_told(&mut self) -> Option<ClockState> {
        self.forget_lever();
        let (_, told) = self.sent.take()?;
        (told != UNKNOWN).then_some(UNKNOWN)
    }

    /// When the running clock has to be told again though it says nothing.
    pub(crate) fn publish_deadline(&self) -> Option<Mono> {
        let (at, _) = self.sent?;
        self.running().filter(|_| self.is_attributed() && self.track.shown().is_some()).map(|_| at + REPEAT_MS)
    }
}

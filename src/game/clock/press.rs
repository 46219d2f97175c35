//! A press: when the lever really went over, what it added, and what is left of the second.
use crate::clock::sides::{Side, Sides};
use crate::clock::track::{Expected, Lift, NEAR, PHASE_MS, Read, Seen, Track, ceil_s};
use crate::clock::turn::{Model, Turn};
use flagfall_events::Mono;

impl Track {
    /// The lever is over at this reading: `side` was pressed since the last one.
    pub(crate) fn press(&mut self, side: Side, last: &Read, new: &Read, expected: &Sides<Expected>, seen: &mut Seen) {
        self.suspect = None;
        // In quick play the press before this one is read only now.
        seen.turn = self.pending.take().map(|mut turn| {
            let (then, now) = (last.shown[turn.side], new.shown[turn.side]);
            turn.after = if (then - now).abs() <= NEAR { then } else { now };
            turn
        });
        let other = side.other();
        let lost = last.shown[other] - new.shown[other];
        let gone = new.at.since(last.at);
        let added = expected[other].model.map_or(0, |model| model.adds(0));
        // Some clocks add when a turn begins.
        let first = if added > 1 && (lost + added).abs() <= 1 { added } else { 0 };
        let missed = self.missed(other, new, lost, gone);
        let at = Mono::from_millis(new.at.millis() - missed.min(new.at.millis()));
        let within = self.jitter_ms
            + match missed {
                0 if gone > 1_300 => gone.min(1000),
                0 => 0,
                _ => self.within[other].min(1000),
            };
        let (left, sure) = self.left(side, at, expected);
        let Some(open) = self.open else { return };
        let (shown, after) = (last.shown[side], new.shown[side]);
        let ran = open.ran(at);
        let given = given_ms(expected[side].model, left, after, ran);
        let before = match given {
            // Near a whole second the display before the press is a matter of milliseconds.
            Some(given) if given % 1000 == 0 => (after - given / 1000).max(0),
            // Its steps did not come: it stood, and what was left before is left now.
            _ if ceil_s(left) < shown - 1 => shown,
            _ => ceil_s(left).clamp(0, shown),
        };
        self.presses[side] += 1;
        self.pending = Some(Turn {
            side,
            ran_ms: ran,
            from: open.from,
            before,
            after,
            given_first: open.given_first,
            // In its delay the other display tells nothing of a press whose report was lost.
            unclear: open.unclear || (gone > 1_300 && expected[other].model.is_none_or(|model| model.holds_ms() > 0)),
            number: self.presses[side],
            ply: self.presses[side] + self.presses[other],
        });
        let exact = left + given.unwrap_or((after - before) * 1000);
        self.within[side] = if is_near(exact, after) { sure } else { 1000 };
        self.left[side] = exact.clamp((after - 1).max(0) * 1000, after * 1000);
        self.left[other] += first * 1000;
        let mut begin = *new;
        begin.at = at;
        begin.shown[other] = last.shown[other] + first;
        self.open_turn(other, &begin, within);
        if let Some(next) = &mut self.open {
            next.given_first = first;
            if missed > 0 {
                next.left_ms = new.shown[other] * 1000 + i64::try_from(missed).unwrap_or(0);
            }
        }
        seen.press = Some(Lift { side, at, ran_ms: ran, within_ms: within + open.within_ms, before });
    }

    /// The other side's milliseconds since the press that its display shows, though no report told of the press.
    fn missed(&self, other: Side, new: &Read, lost: i64, gone: u64) -> u64 {
        let most = i64::try_from(gone / 1000).unwrap_or(0) + NEAR;
        if self.both_count || !(1..=most).contains(&lost) {
            return 0;
        }
        u64::try_from(self.left[other] - new.shown[other] * 1000).unwrap_or(0).min(gone)
    }
}

/// Whether so much may show as this display.
const fn is_near(left_ms: i64, shown: i64) -> bool {
    left_ms >= (shown - 1) * 1000 - PHASE_MS && left_ms <= shown * 1000 + PHASE_MS
}

/// What the press added as agreed, if the display after it agrees.
fn given_ms(model: Option<Model>, left: i64, after: i64, ran: u64) -> Option<i64> {
    let given = model?.adds_ms(ran);
    is_near(left + given, after).then_some(given)
}

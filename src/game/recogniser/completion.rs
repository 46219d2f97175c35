//! How plies are completed: which press, or what else, and what the clock showed.
use crate::press::{Completion, Press};
use crate::recogniser::play::Play;
use crate::recogniser::record::number;
use alloc::vec::Vec;
use flagfall_events::{Body, How, Mono};

/// Gives presses that found no move the plies that were found since, in order, up to this index of the record; which were served. A ply from `doubted` on
/// is waited for, unless its press came by `assumed`.
pub(crate) fn complete_unanswered(
    play: &mut Play,
    before: usize,
    (doubted, assumed): (usize, Option<Mono>),
    say: &mut impl FnMut(Body),
) -> Vec<(usize, Press)> {
    let mut presses = core::mem::take(&mut play.unanswered).into_iter();
    let mut from = 0;
    let mut served = Vec::new();
    while let Some(press) = presses.next() {
        let Some(index) = play.waiting(press.by).into_iter().find(|&i| i >= from && i < before) else { continue };
        if index >= doubted {
            if assumed.is_none_or(|assumed| press.at > assumed) {
                play.unanswered = core::iter::once(press).chain(presses).collect();
                break;
            }
            play.guess(index + 1 - play.base());
        }
        play.complete(index, Completion::pressed(&press), say);
        from = index + 1;
        served.push((index, press));
    }
    served
}

/// Completes these plies by one press; only the last has its think time.
pub(crate) fn complete_all(play: &mut Play, plies: &[usize], press: &Press, say: &mut impl FnMut(Body)) {
    for (n, &index) in plies.iter().enumerate() {
        let completion = if n + 1 == plies.len() { Completion::pressed(press) } else { Completion::bare(How::Press) };
        play.complete(index, completion, say);
    }
}

impl Play {
    /// The event that completes the ply with this index.
    pub(crate) fn completed_as(&self, index: usize, completion: &Completion) -> Option<Body> {
        let ply = self.record.plies().get(index)?;
        Some(Body::MoveCompleted {
            ply: number(index),
            by: ply.by,
            uci: ply.uci.clone(),
            san: ply.san.clone(),
            legal: ply.legal,
            how: completion.how,
            clock: self.sides.tells(completion.clock),
            spent_ms: completion.spent_ms,
            assumed: self.assumed.contains(&index) || self.promotions.assumed.contains(&index),
        })
    }

    /// What is said of the ply with this index, made and completed some time ago.
    pub(crate) fn said_of(&self, index: usize, how: How) -> Vec<Body> {
        let Some(ply) = self.record.plies().get(index) else { return Vec::new() };
        let made = ply.made(number(index), !ply.completed);
        let completion = Completion { clock: ply.at_press, ..Completion::bare(how) };
        let completed = ply.completed.then(|| self.completed_as(index, &completion)).flatten();
        core::iter::once(made).chain(completed).collect()
    }
}
